//! RMS norm and layer norm over rows, without gain: a gain is a product that the caller takes.

use super::{
    math::{dot, sum_of},
    simd,
};

/// `y = x / sqrt(mean(x²) + eps)`, row by row.
pub(crate) fn rms(x: &[f32], y: &mut [f32], width: usize, eps: f32) {
    simd(
        #[inline(always)]
        || {
            for (x, y) in x.chunks_exact(width).zip(y.chunks_exact_mut(width)) {
                let scale = 1.0 / (dot(x, x) / width as f32 + eps).sqrt();
                for (y, x) in y.iter_mut().zip(x) {
                    *y = scale * x;
                }
            }
        },
    );
}

/// The gradient of [`rms`]: `grad` with respect to its result becomes the gradient with respect to `x`.
///
/// With `r = 1 / sqrt(mean(x²) + eps)`: `dx = r·(g - x·r²·mean(g·x))`.
pub(crate) fn rms_backward(x: &[f32], grad: &mut [f32], width: usize, eps: f32) {
    simd(
        #[inline(always)]
        || {
            for (x, grad) in x.chunks_exact(width).zip(grad.chunks_exact_mut(width)) {
                let square = 1.0 / (dot(x, x) / width as f32 + eps);
                let (scale, pull) = (square.sqrt(), square * dot(x, grad) / width as f32);
                for (g, x) in grad.iter_mut().zip(x) {
                    *g = scale * (*g - x * pull);
                }
            }
        },
    );
}

/// Mean of a row and `1 / sqrt(variance + eps)`, the variance being that of the row itself (divided by its width).
#[inline(always)]
fn moments(x: &[f32], eps: f32) -> (f32, f32) {
    let width = x.len() as f32;
    let mean = sum_of(x, x, |x, _| x) / width;
    let variance = sum_of(x, x, |x, _| (x - mean) * (x - mean)) / width;
    (mean, 1.0 / (variance + eps).sqrt())
}

/// `y = (x - mean) / sqrt(variance + eps)`, row by row.
pub(crate) fn layer(x: &[f32], y: &mut [f32], width: usize, eps: f32) {
    simd(
        #[inline(always)]
        || {
            for (x, y) in x.chunks_exact(width).zip(y.chunks_exact_mut(width)) {
                let (mean, scale) = moments(x, eps);
                for (y, x) in y.iter_mut().zip(x) {
                    *y = scale * (x - mean);
                }
            }
        },
    );
}

/// The gradient of [`layer`]: `grad` with respect to its result becomes the gradient with respect to `x`.
///
/// With `y` the result and `r` its scale: `dx = r·(g - mean(g) - y·mean(g·y))`.
pub(crate) fn layer_backward(x: &[f32], grad: &mut [f32], width: usize, eps: f32) {
    simd(
        #[inline(always)]
        || {
            for (x, grad) in x.chunks_exact(width).zip(grad.chunks_exact_mut(width)) {
                let (mean, scale) = moments(x, eps);
                let shift = sum_of(grad, grad, |g, _| g) / width as f32;
                let pull = scale * scale * sum_of(x, grad, |x, g| (x - mean) * g) / width as f32;
                for (g, x) in grad.iter_mut().zip(x) {
                    *g = scale * (*g - shift - (x - mean) * pull);
                }
            }
        },
    );
}

/// `y = x·gain + bias`, row by row.
pub(crate) fn affine(y: &mut [f32], gain: &[f32], bias: Option<&[f32]>) {
    simd(
        #[inline(always)]
        || {
            for y in y.chunks_exact_mut(gain.len()) {
                for (y, gain) in y.iter_mut().zip(gain) {
                    *y *= gain;
                }
                if let Some(bias) = bias {
                    for (y, bias) in y.iter_mut().zip(bias) {
                        *y += bias;
                    }
                }
            }
        },
    );
}

/// Adds to `gain` the products of `a` and `b` column by column: the gradient of a gain.
pub(crate) fn add_products(gain: &mut [f32], a: &[f32], b: &[f32]) {
    let width = gain.len();
    simd(
        #[inline(always)]
        || {
            for (a, b) in a.chunks_exact(width).zip(b.chunks_exact(width)) {
                for ((gain, a), b) in gain.iter_mut().zip(a).zip(b) {
                    *gain += a * b;
                }
            }
        },
    );
}

/// Adds to `bias` the columns of `a`: the gradient of a bias.
pub(crate) fn add_columns(bias: &mut [f32], a: &[f32]) {
    let width = bias.len();
    simd(
        #[inline(always)]
        || {
            for a in a.chunks_exact(width) {
                for (bias, a) in bias.iter_mut().zip(a) {
                    *bias += a;
                }
            }
        },
    );
}
