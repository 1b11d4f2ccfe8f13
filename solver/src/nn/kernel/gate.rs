//! Gated products over rows: `act(gate)·up`.

use super::{
    math::{gelu, silu},
    simd,
};

/// The function a gate goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// `x·sigmoid(x)`.
    Silu,
    /// `x·Φ(x)`, with the error function.
    Gelu,
}

/// `y = act(gate)·up`; all slices have one length.
pub(crate) fn forward(act: Act, gate: &[f32], up: &[f32], y: &mut [f32]) {
    match act {
        Act::Silu => multiply(gate, up, y, silu),
        Act::Gelu => multiply(gate, up, y, gelu),
    }
}

/// Gradients of [`forward`] from `grad`, that of its result.
pub(crate) fn backward(act: Act, gate: &[f32], up: &[f32], grad: &[f32], to_gate: &mut [f32], to_up: &mut [f32]) {
    match act {
        Act::Silu => divide(gate, up, grad, to_gate, to_up, silu),
        Act::Gelu => divide(gate, up, grad, to_gate, to_up, gelu),
    }
}

#[inline(always)]
fn multiply(gate: &[f32], up: &[f32], y: &mut [f32], act: impl Fn(f32) -> (f32, f32)) {
    simd(
        #[inline(always)]
        || {
            for ((y, gate), up) in y.iter_mut().zip(gate).zip(up) {
                *y = act(*gate).0 * up;
            }
        },
    );
}

#[inline(always)]
fn divide(
    gate: &[f32],
    up: &[f32],
    grad: &[f32],
    to_gate: &mut [f32],
    to_up: &mut [f32],
    act: impl Fn(f32) -> (f32, f32),
) {
    simd(
        #[inline(always)]
        || {
            let inputs = gate.iter().zip(up).zip(grad);
            for (((gate, up), grad), (to_gate, to_up)) in inputs.zip(to_gate.iter_mut().zip(to_up)) {
                let (value, slope) = act(*gate);
                *to_up = grad * value;
                *to_gate = grad * up * slope;
            }
        },
    );
}

/// `y = silu(x)`.
pub(crate) fn silu_forward(x: &[f32], y: &mut [f32]) {
    simd(
        #[inline(always)]
        || {
            for (y, x) in y.iter_mut().zip(x) {
                *y = silu(*x).0;
            }
        },
    );
}

/// `grad` with respect to `silu(x)` becomes the gradient with respect to `x`.
pub(crate) fn silu_backward(x: &[f32], grad: &mut [f32]) {
    simd(
        #[inline(always)]
        || {
            for (g, x) in grad.iter_mut().zip(x) {
                *g *= silu(*x).1;
            }
        },
    );
}
