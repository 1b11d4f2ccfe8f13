//! Softmax over rows.

use super::{
    math::{dot, exp, max, sum_of},
    simd,
};

/// Each row of `width` numbers becomes its softmax, in place.
pub(crate) fn forward(rows: &mut [f32], width: usize) {
    simd(
        #[inline(always)]
        || {
            for values in rows.chunks_exact_mut(width) {
                row(values);
            }
        },
    );
}

#[inline(always)]
fn row(row: &mut [f32]) {
    let most = max(row);
    for x in &mut *row {
        *x = exp(*x - most);
    }
    let share = 1.0 / sum_of(row, row, |x, _| x);
    for x in row {
        *x *= share;
    }
}

/// `grad` with respect to the result `y` becomes the gradient with respect to what went in: `y·(g - Σ g·y)`.
pub(crate) fn backward(y: &[f32], grad: &mut [f32], width: usize) {
    simd(
        #[inline(always)]
        || {
            for (y, grad) in y.chunks_exact(width).zip(grad.chunks_exact_mut(width)) {
                let mean = dot(y, grad);
                for (g, y) in grad.iter_mut().zip(y) {
                    *g = y * (*g - mean);
                }
            }
        },
    );
}
