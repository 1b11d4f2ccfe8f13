//! The copy-and-edit loss of cells: keep what is there, or become something of a number drawn from a softmax, or what one of
//! several sources shows.

use super::{
    math::{exp, sigmoid},
    simd,
};

/// A cell's truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edit {
    /// Its number before.
    pub old: u8,
    /// Its number after, which may be one that only sources have.
    pub new: u8,
    /// How much the cell counts.
    pub weight: f32,
}

/// The number of a source that there is not.
pub const NO_SOURCE: u8 = u8::MAX;

/// The least probability whose logarithm is taken.
const LEAST: f32 = 1e-30;

/// What a cell can become: each number below `numbers`, then what each of its sources shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices<'a> {
    pub(crate) numbers: usize,
    /// The numbers that the sources of all cells show, [cells · sources].
    pub(crate) sources: &'a [u8],
    /// Sources of a cell.
    pub(crate) count: usize,
}

impl Choices<'_> {
    /// Logits of a cell.
    pub(crate) fn width(&self) -> usize {
        1 + self.numbers + self.count
    }

    /// The probabilities that a cell's logits stand for: that of an edit, and in place those of its choices.
    #[inline(always)]
    fn probabilities(&self, logits: &[f32], sources: &[u8], choices: &mut [f32]) -> f32 {
        let mut most = f32::NEG_INFINITY;
        for (at, x) in logits[1..].iter().enumerate() {
            let is_there = at < self.numbers || sources[at - self.numbers] != NO_SOURCE;
            choices[at] = if is_there { *x } else { f32::NEG_INFINITY };
            most = most.max(choices[at]);
        }
        let mut sum = 0.0;
        for p in choices.iter_mut() {
            *p = if *p == f32::NEG_INFINITY { 0.0 } else { exp(*p - most) };
            sum += *p;
        }
        for choice in choices {
            *choice /= sum;
        }
        sigmoid(logits[0])
    }

    /// The probability that choices give a number.
    #[inline(always)]
    fn of(&self, number: u8, sources: &[u8], choices: &[f32]) -> f32 {
        let plain = if usize::from(number) < self.numbers { choices[usize::from(number)] } else { 0.0 };
        let shown = sources.iter().zip(&choices[self.numbers..]).filter(|(source, _)| **source == number);
        plain + shown.map(|(_, p)| *p).sum::<f32>()
    }

    /// `Σ weight·-ln p(new)` over cells.
    pub(crate) fn forward(&self, logits: &[f32], cells: &[Edit]) -> f64 {
        let mut choices = vec![0.0; self.width() - 1];
        let mut total = 0.0;
        simd(
            #[inline(always)]
            || {
                let each = logits.chunks_exact(self.width()).zip(self.sources.chunks_exact(self.count));
                for ((logits, sources), cell) in each.zip(cells).filter(|(_, cell)| cell.weight != 0.0) {
                    let edit = self.probabilities(logits, sources, &mut choices);
                    let copies = if cell.new == cell.old { 1.0 } else { 0.0 };
                    let all = edit * self.of(cell.new, sources, &choices) + copies * (1.0 - edit);
                    total -= f64::from(cell.weight) * f64::from(all.max(LEAST)).ln();
                }
            },
        );
        total
    }

    /// The gradient of [`Choices::forward`], times `scale`.
    pub(crate) fn backward(&self, logits: &[f32], cells: &[Edit], scale: f32, to: &mut [f32]) {
        let mut choices = vec![0.0; self.width() - 1];
        simd(
            #[inline(always)]
            || {
                let each = logits.chunks_exact(self.width()).zip(self.sources.chunks_exact(self.count));
                let each = each.zip(cells).zip(to.chunks_exact_mut(self.width()));
                for (((logits, sources), cell), to) in each.filter(|((_, cell), _)| cell.weight != 0.0) {
                    let edit = self.probabilities(logits, sources, &mut choices);
                    let copies = if cell.new == cell.old { 1.0 } else { 0.0 };
                    let chosen = self.of(cell.new, sources, &choices);
                    let slope = scale * cell.weight / (edit * chosen + copies * (1.0 - edit)).max(LEAST);
                    to[0] = slope * edit * (1.0 - edit) * (copies - chosen);
                    for (at, (to, p)) in to[1..].iter_mut().zip(&choices).enumerate() {
                        let shows = at.checked_sub(self.numbers).map_or(at, |source| sources[source].into());
                        let right = if shows == usize::from(cell.new) { 1.0 } else { 0.0 };
                        *to = slope * edit * p * (chosen - right);
                    }
                }
            },
        );
    }
}
