//! Numerical kernels on slices of f32: what the operations of [`ops`](super::ops) do on the CPU.
//!
//! A kernel works on whole rows, in one thread, and knows no tensor. Three rules hold for all of them:
//! - the loops stand inside [`simd`], which chooses the widest instructions of the machine at run time (the build
//!   targets a plain x86-64). They are `for` loops: a closure given to an iterator may stay a function of its own, compiled
//!   for the plain machine, where a fused product and sum is a call of the C library (measured: thrice the time);
//! - who calls them splits the work by [`rows_per_task`], never by the number of threads, and adds partial sums in the
//!   order of the rows: the same input gives the same bits on any number of threads;
//! - a NaN that goes in comes out.
//!
//! # Layout
//! - [`gemm`]: matrix products, the only place with `unsafe`.
//! - [`math`]: exp, sigmoid, erf, and sums over lanes.
//! - [`norm`], [`softmax`], [`gate`], [`conv`], [`dense`], [`taps`], [`rope`], [`scan`], [`selective`]: one family each,
//!   forward and backward.
//! - [`lookup`], [`blend`], [`edit`]: pictures of symbols, in and out.
//! - [`attention`]: one head.
//! - [`sieve`]: numbers left out by their place.

#![expect(clippy::inline_always, reason = "only what is inlined into `simd` is compiled for its instructions")]

pub(crate) mod attention;
pub(crate) mod blend;
pub(crate) mod conv;
pub(crate) mod dense;
pub(crate) mod edit;
pub(crate) mod gate;
pub(crate) mod gemm;
pub(crate) mod lookup;
pub(crate) mod math;
pub(crate) mod norm;
pub(crate) mod rope;
pub(crate) mod scan;
pub(crate) mod selective;
pub(crate) mod sieve;
pub(crate) mod softmax;
pub(crate) mod taps;

/// Numbers in the rows of one task: small enough to stay in the second-level cache, large enough to hide the cost of
/// handing it out (some microseconds).
const GRAIN: usize = 1 << 14;

/// How many rows of `width` numbers one parallel task takes.
pub(crate) fn rows_per_task(width: usize) -> usize {
    (GRAIN / width.max(1)).max(1)
}

/// Runs `work` compiled for the widest instructions this machine has.
#[inline(always)]
pub(crate) fn simd<R>(work: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(work)
}

/// `into += from`.
pub(crate) fn add(into: &mut [f32], from: &[f32]) {
    simd(
        #[inline(always)]
        || {
            for (into, from) in into.iter_mut().zip(from) {
                *into += from;
            }
        },
    );
}
