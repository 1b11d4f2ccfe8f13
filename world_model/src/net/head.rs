//! What a net says of the next frame: copy or edit every cell, whether anything changes, how the level goes on.

use std::sync::Arc;

use candle_core::{D, Device, Result, Tensor};
use env_client::Color;
use solver::nn::{
    BuildResult, Scope, binary_cross_entropy,
    ops::{self, Edit, NO_SOURCE},
};

use super::{layers::Linear, relations::SOURCES, story::Disguise};
use crate::{Outcome, perception::TileMap};

/// Logits of a cell: that of an edit, then those of the kinds it would become and of the sources it would take its kind from.
pub(super) const VALUES: usize = 1 + Color::COUNT + SOURCES;

/// The logit of an edit before anything is learned: one cell in two hundred changes.
pub(super) const RATE: f32 = -5.3;

/// The logits of kinds before anything is learned, beside 0 for those of sources: what is there is likelier to come than what
/// has a number. (A guess.)
const NAMED: f32 = -2.0;

/// What is added to the logits of a cell, so that a fresh net copies.
pub(super) fn rare() -> Vec<f32> {
    let kinds = std::iter::repeat_n(NAMED, Color::COUNT);
    std::iter::once(RATE).chain(kinds).chain(std::iter::repeat_n(0.0, SOURCES)).collect()
}

/// Gain of the layers that say the logits of cells: small, since activations are not normed and a fresh net is to copy.
pub(super) const FAINT: f64 = 0.05;

/// What the two side losses count beside that of the cells.
const ASIDE: f64 = 0.1;

/// Logits of a batch.
#[derive(Clone, Debug)]
pub(super) struct Output {
    /// [frames, side, side, VALUES]
    pub(super) cells: Tensor,
    /// What the sources of cells show, [frames · side² · SOURCES].
    pub(super) sources: Arc<[u8]>,
    /// Whether anything changes, then the three outcomes: [frames, 4].
    pub(super) aside: Tensor,
}

/// What came of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Truth<'a> {
    /// The frame it was taken on.
    pub(super) before: &'a TileMap,
    /// The settled frame after it, where it belongs to the same level.
    pub(super) after: Option<&'a TileMap>,
    /// How it ended.
    pub(super) outcome: Outcome,
    /// What the net sees in the place of kinds.
    pub(super) disguise: &'a Disguise,
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
    let cells = ops::edit_loss(&output.cells.reshape((frames * side * side, VALUES))?, &output.sources, &edits)?;
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

    /// The tiles that are in both frames: where each stands on the canvas, and what the net sees of it before and after.
    fn tiles(&self, side: usize) -> Vec<(usize, u8, u8)> {
        let Some(after) = self.after else { return Vec::new() };
        let pairs = self.before.kinds().iter().enumerate().filter_map(|(at, old)| {
            let (x, y) = self.before.place(at);
            let new = after.kinds()[after.index(x, y)?];
            Some((y as usize * side + x as usize, self.disguise.kind(*old), self.disguise.kind(new)))
        });
        pairs.collect()
    }
}

/// Every cell of the canvas with its weight; cells outside the frame, and frames of another level, have none.
fn edits(truth: &Truth<'_>, side: usize, frames: usize) -> Vec<Edit> {
    let mut edits = vec![Edit { old: 0, new: 0, weight: 0.0 }; side * side];
    let tiles = truth.tiles(side);
    let changed = tiles.iter().filter(|(_, old, new)| old != new).count();
    let share = |count: usize| 1.0 / (count.max(1) * frames) as f32;
    let of_changed = share(changed);
    let of_others = (of_changed * share(tiles.len() - changed)).sqrt();
    for (at, old, new) in tiles {
        let weight = if new == old { of_others } else { of_changed };
        edits[at] = Edit { old, new, weight };
    }
    edits
}

/// Whether each of these was foretold: every cell that changes is more likely edited than not and then to its kind, and
/// no other is more likely edited. Only the logits that this needs are read.
pub(super) fn right(output: &Output, truths: &[Truth<'_>]) -> Result<Vec<bool>> {
    let side = output.cells.dim(1)?;
    let edits = output.cells.narrow(3, 0, 1)?.flatten_all()?.to_vec1::<f32>()?;
    let mut right = vec![true; truths.len()];
    let mut changed: Vec<(usize, u32, u8, u8)> = Vec::new(); // frame, row of its cell, kinds
    for (frame, truth) in truths.iter().enumerate() {
        for (at, old, new) in truth.tiles(side) {
            let row = frame * side * side + at;
            right[frame] &= (edits[row] > 0.0) == (new != old);
            if new != old {
                changed.push((frame, row as u32, old, new));
            }
        }
    }
    if changed.is_empty() {
        return Ok(right);
    }
    let rows: Vec<u32> = changed.iter().map(|(_, row, ..)| *row).collect();
    let cells = output.cells.reshape(((), VALUES))?.index_select(&Tensor::new(rows, &Device::Cpu)?, 0)?;
    for ((frame, row, old, new), logits) in changed.into_iter().zip(cells.to_vec2::<f32>()?) {
        right[frame] &= likeliest(&logits, &output.sources[row as usize * SOURCES..][..SOURCES], old).0 == new;
    }
    Ok(right)
}

/// The likeliest next frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    /// Every tile as its likeliest kind.
    pub(super) frame: TileMap,
    /// The likeliest way for the level to go on.
    pub(super) outcome: Outcome,
    /// The natural logarithm of the probability of `frame`, had cells nothing to do with each other.
    pub(super) log_probability: f32,
}

/// The likeliest frame after each of these, as they are seen through a disguise.
pub(super) fn answers(output: &Output, before: &[(&TileMap, &Disguise)]) -> Result<Vec<Answer>> {
    let side = output.cells.dim(1)?;
    let cells = output.cells.flatten_all()?.to_vec1::<f32>()?;
    let asides = output.aside.to_vec2::<f32>()?;
    let cells = cells.chunks_exact(side * side * VALUES).zip(output.sources.chunks_exact(side * side * SOURCES));
    let frames = cells.zip(&asides).zip(before);
    Ok(frames.map(|((cells, aside), (before, disguise))| answer(cells, aside, before, side, disguise)).collect())
}

fn answer(
    (cells, sources): (&[f32], &[u8]),
    aside: &[f32],
    before: &TileMap,
    side: usize,
    disguise: &Disguise,
) -> Answer {
    let (mut frame, mut log_probability) = (before.clone(), 0.0);
    for (at, kind) in frame.kinds_mut().iter_mut().enumerate() {
        let (x, y) = before.place(at);
        let cell = y as usize * side + x as usize;
        let (seen, p) =
            likeliest(&cells[cell * VALUES..][..VALUES], &sources[cell * SOURCES..][..SOURCES], disguise.kind(*kind));
        *kind = disguise.meant(seen);
        log_probability += p.ln();
    }
    let outcome = OUTCOMES.into_iter().zip(&aside[1..]).max_by(|a, b| a.1.total_cmp(b.1));
    Answer { frame, outcome: outcome.map_or(Outcome::Continues, |(outcome, _)| outcome), log_probability }
}

/// The likeliest kind of a cell, and its probability.
fn likeliest(logits: &[f32], sources: &[u8], old: u8) -> (u8, f32) {
    let edit = 1.0 / (1.0 + (-logits[0]).exp());
    let shown = (0..Color::COUNT as u8).chain(sources.iter().copied());
    let choices = || shown.clone().zip(&logits[1..]).filter(|(kind, _)| *kind != NO_SOURCE);
    let most = choices().fold(f32::NEG_INFINITY, |most, (_, x)| most.max(*x));
    let mut shares = [0.0; 256];
    choices().for_each(|(kind, x)| shares[usize::from(kind)] += (x - most).exp());
    let sum: f32 = shares.iter().sum();
    let p = |kind: u8| {
        let kept = if kind == old { 1.0 - edit } else { 0.0 };
        kept + edit * shares[usize::from(kind)] / sum
    };
    let best = choices().map(|(kind, _)| (kind, p(kind)));
    best.fold((old, p(old)), |best, next| if next.1 > best.1 { next } else { best })
}
