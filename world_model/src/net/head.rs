//! What a net says of the next frame: copy or edit every cell, whether anything changes, how the level goes on.

use std::sync::Arc;

use candle_core::{D, Result, Tensor};
use env_client::{Color, Grid, Point};
use solver::nn::{
    BuildResult, Scope, binary_cross_entropy,
    ops::{self, Edit},
};

use super::{batch::cell, layers::Linear};
use crate::Outcome;

/// Logits of a cell: that of an edit, then those of the colours it would become.
pub(super) const VALUES: usize = 1 + Color::COUNT;

/// The logit of an edit before anything is learned: one cell in two hundred changes.
pub(super) const RATE: f32 = -5.3;

/// Gain of the layers that say the logits of cells: small, since activations are not normed and a fresh net is to copy.
pub(super) const FAINT: f64 = 0.05;

/// What the two side losses count beside that of the cells.
const ASIDE: f64 = 0.1;

/// Logits of a batch.
#[derive(Clone, Debug)]
pub(super) struct Output {
    /// [frames, side, side, VALUES]
    pub(super) cells: Tensor,
    /// Whether anything changes, then the three outcomes: [frames, 4].
    pub(super) aside: Tensor,
}

/// What came of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Truth<'a> {
    /// The frame it was taken on.
    pub(super) before: &'a Grid,
    /// The settled frame after it, where it belongs to the same level.
    pub(super) after: Option<&'a Grid>,
    /// How it ended.
    pub(super) outcome: Outcome,
}

/// Predicts from a summary of the frame whether anything changes and how the level goes on.
#[derive(Clone, Debug)]
pub(super) struct Aside(Linear);

impl Aside {
    pub(super) fn new(inputs: usize, scope: &mut Scope<'_>) -> BuildResult<Aside> {
        Linear::new(inputs, 4, 0.5, scope).map(Aside)
    }

    pub(super) fn forward(&self, summary: &Tensor) -> Result<Tensor> {
        self.0.forward(summary)
    }
}

/// The outcomes in the order of their logits.
const OUTCOMES: [Outcome; 3] = [Outcome::Continues, Outcome::Solved, Outcome::Lost];

/// The mean over the frames of: the mean of `-ln p` over their changed cells, a weighted sum of it over the others, and a
/// tenth of the side losses. One of `n` others weighs `1/√(c·n)` where `c` changed: between as much as a changed one,
/// under which a net copies for long, and `1/n`, under which it foretells changes where there are none.
pub(super) fn loss(output: &Output, truths: &[Truth<'_>]) -> Result<Tensor> {
    let (frames, side, _, _) = output.cells.dims4()?;
    let edits: Arc<[Edit]> = truths.iter().flat_map(|truth| edits(truth, side, frames)).collect();
    let cells = ops::edit_loss(&output.cells.reshape((frames * side * side, VALUES))?, &edits)?;
    let device = output.aside.device();
    let moves: Vec<f32> = truths.iter().map(|truth| f32::from(u8::from(truth.changes()))).collect();
    let moves = Tensor::from_vec(moves, (frames, 1), device)?;
    let any = binary_cross_entropy(&output.aside.narrow(1, 0, 1)?, &moves)?.mean_all()?;
    let outcomes: Vec<u32> = truths.iter().map(|truth| truth.outcome as u32).collect();
    let outcomes = Tensor::from_vec(outcomes, (frames, 1), device)?;
    let ends = candle_nn::ops::log_softmax(&output.aside.narrow(1, 1, 3)?, D::Minus1)?;
    let ends = ends.gather(&outcomes, 1)?.mean_all()?;
    cells + ((any - ends)? * ASIDE)?
}

impl Truth<'_> {
    fn changes(&self) -> bool {
        self.after.is_none_or(|after| after != self.before)
    }
}

/// Every cell of the canvas with its weight; cells outside the frame, and frames of another level, have none.
fn edits(truth: &Truth<'_>, side: usize, frames: usize) -> Vec<Edit> {
    let mut edits = vec![Edit { old: 0, new: 0, weight: 0.0 }; side * side];
    let Some(after) = truth.after else { return edits };
    let points: Vec<(Point, Color)> = after.points().filter_map(|at| Some((at, truth.before.get(at)?))).collect();
    let changed = points.iter().filter(|(at, old)| after[*at] != *old).count();
    let share = |count: usize| 1.0 / (count.max(1) * frames) as f32;
    let of_changed = share(changed);
    let of_others = (of_changed * share(points.len() - changed)).sqrt();
    for (at, old) in points {
        let new = after[at];
        let weight = if new == old { of_others } else { of_changed };
        edits[cell(at, side)] = Edit { old: u8::from(old), new: u8::from(new), weight };
    }
    edits
}

/// Whether each of these was foretold: every cell that changes is more likely edited than not and then to its colour, and
/// no other is more likely edited. Only the logits that this needs are read.
pub(super) fn right(output: &Output, truths: &[Truth<'_>]) -> Result<Vec<bool>> {
    let side = output.cells.dim(1)?;
    let edits = output.cells.narrow(3, 0, 1)?.flatten_all()?.to_vec1::<f32>()?;
    let mut right = vec![true; truths.len()];
    let mut changed: Vec<(usize, u32, u32)> = Vec::new(); // frame, row of its cell, colour
    for (frame, truth) in truths.iter().enumerate() {
        let after = truth.after.into_iter().flat_map(|after| after.points().map(|at| (at, after[at])));
        for (at, old, new) in after.filter_map(|(at, new)| Some((at, truth.before.get(at)?, new))) {
            let row = frame * side * side + cell(at, side);
            right[frame] &= (edits[row] > 0.0) == (new != old);
            if new != old {
                changed.push((frame, row as u32, u32::from(u8::from(new))));
            }
        }
    }
    if changed.is_empty() {
        return Ok(right);
    }
    let rows: Vec<u32> = changed.iter().map(|(_, row, _)| *row).collect();
    let cells = output.cells.reshape(((), VALUES))?.index_select(&Tensor::new(rows, output.cells.device())?, 0)?;
    let colors = cells.narrow(1, 1, Color::COUNT)?.contiguous()?.argmax(1)?.to_vec1::<u32>()?;
    for ((frame, _, new), color) in changed.into_iter().zip(colors) {
        right[frame] &= color == new;
    }
    Ok(right)
}

/// The likeliest next frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    /// Every cell as its likeliest colour.
    pub(super) frame: Grid,
    /// The likeliest way for the level to go on.
    pub(super) outcome: Outcome,
    /// The natural logarithm of the probability of `frame`, had cells nothing to do with each other.
    pub(super) log_probability: f32,
}

/// The likeliest frame after each of these.
pub(super) fn answers(output: &Output, before: &[&Grid]) -> Result<Vec<Answer>> {
    let side = output.cells.dim(1)?;
    let cells = output.cells.flatten_all()?.to_vec1::<f32>()?;
    let asides = output.aside.to_vec2::<f32>()?;
    let frames = cells.chunks_exact(side * side * VALUES).zip(&asides).zip(before);
    Ok(frames.map(|((cells, aside), before)| answer(cells, aside, before, side)).collect())
}

fn answer(cells: &[f32], aside: &[f32], before: &Grid, side: usize) -> Answer {
    let (mut frame, mut log_probability) = (before.clone(), 0.0);
    for point in before.points() {
        let logits = &cells[cell(point, side) * VALUES..][..VALUES];
        let (color, p) = likeliest(logits, before[point]);
        frame.set(point, color);
        log_probability += p.ln();
    }
    let outcome = OUTCOMES.into_iter().zip(&aside[1..]).max_by(|a, b| a.1.total_cmp(b.1));
    Answer { frame, outcome: outcome.map_or(Outcome::Continues, |(outcome, _)| outcome), log_probability }
}

/// The likeliest colour of a cell, and its probability.
fn likeliest(logits: &[f32], old: Color) -> (Color, f32) {
    let edit = 1.0 / (1.0 + (-logits[0]).exp());
    let colors = &logits[1..];
    let most = colors.iter().fold(f32::NEG_INFINITY, |most, x| most.max(*x));
    let sum: f32 = colors.iter().map(|x| (x - most).exp()).sum();
    let p = |color: Color| {
        let kept = if color == old { 1.0 - edit } else { 0.0 };
        kept + edit * (colors[color.index()] - most).exp() / sum
    };
    let best = Color::ALL.into_iter().map(|color| (color, p(color)));
    best.fold((old, 0.0), |best, next| if next.1 > best.1 { next } else { best })
}
