//! What a piece leaves behind: what lay under it, or something else.

use std::cell::OnceCell;

use env_client::{Color, Grid};
use rustc_hash::FxHashMap;

use super::Placement;
use crate::rules::{
    cell_set::CellSet,
    law::{Law, Verdict},
    sprite::{Sprite, Vector, color_at},
    view::View,
};

/// Outcome: what lay there is seen again.
const RESTORED: u64 = 0;

/// What is found under pieces that leave.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    law: Law<4>,
}

impl Default for Ground {
    fn default() -> Self {
        Ground { law: Law::new(2) }
    }
}

impl Ground {
    /// The cells a piece leaves, each with its next colour and the law behind it.
    pub(super) fn left_by(
        &self,
        view: &View<'_>,
        sprite: &Sprite,
        placement: &Placement,
    ) -> Vec<(Vector, Color, Option<Verdict>)> {
        let guess = OnceCell::new();
        let around = || view.canvas.around(view.frame, sprite, placement.instance.at);
        let mut verdicts: [Option<Option<Verdict>>; 17] = [None; 17];
        let mut left = Vec::new();
        for at in sprite.seen_at(view.frame, placement.instance.at) {
            let known = view.canvas.get(at);
            let slot = known.map_or(16, Color::index);
            let ask = || self.law.ask(|index| case(view, known, placement)[index]);
            let verdict = *verdicts[slot].get_or_insert_with(ask);
            let painted = verdict.filter(|it| it.outcome != RESTORED).map(|it| Color::ALL[it.outcome as usize - 1]);
            if let Some(color) = painted.or(known).or_else(|| *guess.get_or_init(around)) {
                left.push((at, color, verdict));
            }
        }
        left
    }

    /// Learns from the cells that a piece left, but those that something else covers now.
    pub(super) fn learn(
        &mut self,
        view: &View<'_>,
        after: &Grid,
        sprite: &Sprite,
        placement: &Placement,
        covered: &CellSet,
    ) {
        let guess = view.canvas.around(view.frame, sprite, placement.instance.at);
        let mut seen: FxHashMap<usize, Vec<Color>> = FxHashMap::default();
        for at in sprite.seen_at(view.frame, placement.instance.at) {
            if let Some(color) = color_at(after, at).filter(|_| !covered.contains(at)) {
                seen.entry(view.canvas.get(at).map_or(16, Color::index)).or_default().push(color);
            }
        }
        for slot in 0..=16 {
            let Some(colors) = seen.get(&slot) else { continue };
            let known = Color::ALL.get(slot).copied();
            let uniform = colors.iter().all(|it| *it == colors[0]);
            let expected = known.or(guess);
            let outcome = match uniform {
                true if Some(colors[0]) == expected => RESTORED,
                true => colors[0].index() as u64 + 1,
                false => continue,
            };
            self.law.learn(&case(view, known, placement), outcome);
        }
    }
}

fn case(view: &View<'_>, known: Option<Color>, placement: &Placement) -> [u64; 4] {
    let known = known.map_or(0, |color| color.index() as u64 + 1);
    [known, placement.instance.class as u64, view.number(), u64::from(placement.came == Vector::ZERO)]
}
