//! The copy-and-edit loss of cells: keep the old colour, or change to one drawn from a softmax.

use super::{
    math::{exp, max, sigmoid},
    simd,
};

/// A cell's truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edit {
    /// The colour before.
    pub old: u8,
    /// The colour after.
    pub new: u8,
    /// How much the cell counts.
    pub weight: f32,
}

/// The least probability whose logarithm is taken.
const LEAST: f32 = 1e-30;

/// The probabilities that a cell's logits stand for: that of an edit, and in place those of its colours.
#[inline(always)]
fn probabilities(logits: &[f32], colors: &mut [f32]) -> f32 {
    let most = max(&logits[1..]);
    let mut sum = 0.0;
    for (p, x) in colors.iter_mut().zip(&logits[1..]) {
        *p = exp(*x - most);
        sum += *p;
    }
    for p in colors {
        *p /= sum;
    }
    sigmoid(logits[0])
}

/// `Σ weight·-ln p(new)` over cells of `width` logits, the first of which is that of an edit.
pub(crate) fn forward(logits: &[f32], width: usize, cells: &[Edit]) -> f64 {
    let mut colors = vec![0.0; width - 1];
    let mut total = 0.0;
    simd(
        #[inline(always)]
        || {
            for (logits, cell) in logits.chunks_exact(width).zip(cells) {
                let edit = probabilities(logits, &mut colors);
                let copies = if cell.new == cell.old { 1.0 } else { 0.0 };
                let all = edit * colors[usize::from(cell.new)] + copies * (1.0 - edit);
                total -= f64::from(cell.weight) * f64::from(all.max(LEAST)).ln();
            }
        },
    );
    total
}

/// The gradient of [`forward`], times `scale`.
pub(crate) fn backward(logits: &[f32], width: usize, cells: &[Edit], scale: f32, to: &mut [f32]) {
    let mut colors = vec![0.0; width - 1];
    simd(
        #[inline(always)]
        || {
            for ((logits, cell), to) in logits.chunks_exact(width).zip(cells).zip(to.chunks_exact_mut(width)) {
                let edit = probabilities(logits, &mut colors);
                let new = usize::from(cell.new);
                let copies = if cell.new == cell.old { 1.0 } else { 0.0 };
                let said = edit * colors[new];
                let slope = scale * cell.weight / (said + copies * (1.0 - edit)).max(LEAST);
                to[0] = slope * edit * (1.0 - edit) * (copies - colors[new]);
                let share = slope * said;
                for (to, p) in to[1..].iter_mut().zip(&colors) {
                    *to = share * p;
                }
                to[1 + new] -= share;
            }
        },
    );
}
