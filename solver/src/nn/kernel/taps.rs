//! Depthwise convolution along a sequence with any number of taps, which sees nothing beyond a start.

use super::{
    norm::{add_columns, add_products},
    simd,
};

/// Weights: for each distance back in time, the nearest first, a number a channel.
#[derive(Clone, Debug)]
pub(crate) struct Taps(Vec<Vec<f32>>);

impl Taps {
    /// From a weight of shape [channels, 1, taps], the last of which is for the step itself.
    pub(crate) fn from_weight(weight: &[f32], channels: usize) -> Taps {
        let taps = weight.len() / channels;
        let tap = |back: usize| weight.chunks_exact(taps).map(|of| of[taps - 1 - back]).collect();
        Taps((0..taps).map(tap).collect())
    }

    /// The reverse of [`Taps::from_weight`].
    pub(crate) fn to_weight(&self) -> Vec<f32> {
        let channels = self.0.first().map_or(0, Vec::len);
        (0..channels).flat_map(|channel| self.0.iter().rev().map(move |tap| tap[channel])).collect()
    }

    /// As many zeros: where a gradient starts.
    pub(crate) fn zeros(&self) -> Taps {
        Taps(self.0.iter().map(|tap| vec![0.0; tap.len()]).collect())
    }

    /// Adds other weights of the same shape.
    pub(crate) fn add(&mut self, other: &Taps) {
        for (into, from) in self.0.iter_mut().zip(&other.0) {
            super::add(into, from);
        }
    }
}

/// For a step, the taps that reach no further back than its sequence, with the step they see.
fn seen(starts: &[bool], step: usize) -> impl Iterator<Item = usize> {
    (0..=step).rev().scan(false, move |beyond, at| {
        let seen = !*beyond;
        *beyond |= starts[at];
        seen.then_some(at)
    })
}

/// Adds to `y` the products of `x` with the taps, all of shape [steps, channels].
pub(crate) fn forward(x: &[f32], taps: &Taps, starts: &[bool], y: &mut [f32]) {
    let width = x.len() / starts.len();
    for (step, y) in y.chunks_exact_mut(width).enumerate() {
        for (tap, at) in taps.0.iter().zip(seen(starts, step)) {
            add_scaled(y, &x[at * width..][..width], tap);
        }
    }
}

/// The gradients of [`forward`] with respect to `x` and, added to, the taps; the result is that of a bias.
pub(crate) fn backward(
    x: &[f32],
    grad: &[f32],
    taps: &Taps,
    starts: &[bool],
    to_x: &mut [f32],
    to_taps: &mut Taps,
) -> Vec<f32> {
    let width = x.len() / starts.len();
    for (step, grad) in grad.chunks_exact(width).enumerate() {
        for ((tap, to_tap), at) in taps.0.iter().zip(&mut to_taps.0).zip(seen(starts, step)) {
            add_scaled(&mut to_x[at * width..][..width], grad, tap);
            add_products(to_tap, &x[at * width..][..width], grad);
        }
    }
    let mut to_bias = vec![0.0; width];
    add_columns(&mut to_bias, grad);
    to_bias
}

/// `y += x·scale`, channel by channel.
fn add_scaled(y: &mut [f32], x: &[f32], scale: &[f32]) {
    simd(
        #[inline(always)]
        || {
            for ((y, x), scale) in y.iter_mut().zip(x).zip(scale) {
                *y += x * scale;
            }
        },
    );
}
