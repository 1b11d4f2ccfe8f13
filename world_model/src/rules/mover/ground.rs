//! What a piece leaves behind: what lay under it, or something else, such as a plate that stays down or a lamp that is lit
//! where someone stood.

use std::cell::{OnceCell, RefCell};

use env_client::{Color, Grid};
use rustc_hash::FxHashMap;

use super::Placement;
use crate::rules::{
    canvas::Canvas,
    cell_set::CellSet,
    law::{Law, Verdict},
    sprite::{Sprite, Vector, color_at},
    view::View,
};

/// Outcome: what lay there is seen again.
const RESTORED: u64 = 0;

/// Features that decide what is seen of a cell: its colour under the piece, the piece, the action, whether it only turned,
/// and the thing that the cell is part of.
const FEATURES: usize = 5;
const THING: usize = FEATURES - 1;
/// The largest component of the ground that is a thing, in pieces.
const THINGS: usize = 4;

/// What is found under pieces that leave.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    law: Law<FEATURES>,
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
        let things = Things::under(view, sprite);
        let mut verdicts: [Option<Option<Verdict>>; 17] = [None; 17];
        let mut left = Vec::new();
        for at in sprite.seen_at(view.frame, placement.instance.at) {
            if let Some(color) = view.under(at) {
                left.push((at, color, None));
                continue;
            }
            let known = view.canvas.get(at);
            let ask = || self.law.ask(|index| feature(index, view, known, placement, || things.at(at)));
            let slot = &mut verdicts[known.map_or(16, Color::index)];
            let verdict = match *slot {
                Some(verdict) if !depends_on_thing(verdict) => verdict,
                _ => *slot.insert(ask()),
            };
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
        let things = Things::under(view, sprite);
        let mut seen: FxHashMap<(usize, u64), Vec<Color>> = FxHashMap::default();
        for at in sprite.seen_at(view.frame, placement.instance.at) {
            if let Some(color) = color_at(after, at).filter(|_| !covered.contains(at)) {
                let known = view.canvas.get(at).map_or(16, Color::index);
                seen.entry((known, things.at(at))).or_default().push(color);
            }
        }
        let mut seen: Vec<_> = seen.into_iter().collect();
        seen.sort_unstable_by_key(|(key, _)| *key);
        for ((known, thing), colors) in seen {
            let known = Color::ALL.get(known).copied();
            let uniform = colors.iter().all(|it| *it == colors[0]);
            let expected = known.or(guess);
            let outcome = match uniform {
                true if Some(colors[0]) == expected => RESTORED,
                true => colors[0].index() as u64 + 1,
                false => continue,
            };
            let case = std::array::from_fn(|index| feature(index, view, known, placement, || thing));
            self.law.learn(&case, outcome);
        }
    }
}

fn feature(index: usize, view: &View<'_>, known: Option<Color>, placement: &Placement, thing: impl Fn() -> u64) -> u64 {
    match index {
        0 => known.map_or(0, |color| color.index() as u64 + 1),
        1 => placement.instance.class as u64,
        2 => view.number(),
        3 => u64::from(placement.came == Vector::ZERO),
        _ => thing(),
    }
}

/// Whether an answer holds for cells of one thing alone.
fn depends_on_thing(verdict: Option<Verdict>) -> bool {
    verdict.is_some_and(|it| it.rank > 0 || it.features >> THING & 1 == 1)
}

/// The things that lie on the ground under a piece.
struct Things<'a> {
    canvas: &'a Canvas,
    frame: &'a Grid,
    /// The largest one, in cells.
    limit: usize,
    /// The last one that was asked for, and its kind.
    last: RefCell<(CellSet, u64)>,
}

impl<'a> Things<'a> {
    fn under(view: &View<'a>, sprite: &Sprite) -> Things<'a> {
        let last = RefCell::new((CellSet::EMPTY, 0));
        Things { canvas: view.canvas, frame: view.frame, limit: THINGS * sprite.cells().len(), last }
    }

    /// The kind of the thing that a cell of the ground is part of; 0 for wider ground.
    fn at(&self, at: Vector) -> u64 {
        let mut last = self.last.borrow_mut();
        if !last.0.contains(at) {
            let Some(patch) = self.canvas.patch(self.frame, at, self.limit) else { return 0 };
            *last = (patch.cells, if patch.area <= self.limit { patch.kind() } else { 0 });
        }
        last.1
    }
}
