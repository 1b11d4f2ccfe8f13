//! Clicks that may be answered only from near: on what lies beside a piece, or in line with it.
//!
//! [`super::probe`] clicks on everything once, wherever pieces are. Where nothing of that was answered although keys move a
//! piece, what lies beside the piece, ground included, and what lies in line with it is clicked once more. Things of a kind
//! that answered so are clicked wherever they lie so; what becomes of ground the model knows by then.

use std::collections::{BTreeMap, BTreeSet};

use env_client::Point;
use world_model::{Advance, Bounds};

use super::{
    ledger::TIER,
    things::{Facing, Kind, SIDES, Thing, Things, place},
};

/// A click on what was only clicked from afar comes after things never touched; each of them that came to nothing adds to
/// that. Guesses.
const NEW: f32 = 2.1 * TIER;
const EACH: f32 = 0.4 * TIER;
/// What answered from near is worth a click wherever it lies so. A guess.
const ANSWERS: f32 = 1.2 * TIER;

/// How what is clicked lies to a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    Beside,
    Line,
}

/// What may be clicked from where a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Aim {
    pub(super) at: Point,
    pub(super) thing: Thing,
    reach: Reach,
}

impl Aim {
    /// Everything near these pieces.
    pub(super) fn all(things: &Things, advances: &[Advance], facing: Facing) -> Vec<Aim> {
        let around = things.around(advances, facing);
        let aim = |thing: &Thing, reach: Reach| Some(Aim { at: things.middle(*thing)?, thing: *thing, reach });
        let beside = around.ahead.iter().chain(&around.beside).filter_map(|it| aim(it, Reach::Beside));
        let line = around.aligned.iter().filter_map(|it| aim(it, Reach::Line));
        let pieces = advances.iter().filter_map(place);
        let is_small = |it: &Thing| around.ahead.contains(it) || around.beside.contains(it);
        let ground = pieces.flat_map(|it| sides(it, facing)).filter_map(|at| {
            let kind = things.what(at).filter(|_| !things.at(at).as_ref().is_some_and(is_small))?;
            Some(Aim { at, thing: Thing { kind: Kind::ground(kind.color), at }, reach: Reach::Beside })
        });
        ground.chain(beside).chain(line).collect()
    }

    /// Whether ground is meant, or what is as large.
    const fn is_ground(&self) -> bool {
        self.thing.kind.shape == 0
    }

    /// Whether it means a cell.
    fn means(&self, things: &Things, at: Point) -> bool {
        if self.is_ground() { self.at == at } else { things.at(at) == Some(self.thing) }
    }
}

/// The middles of the places beside a piece, one step away.
fn sides(piece: Bounds, facing: Facing) -> impl Iterator<Item = Point> {
    let middle = piece.middle();
    let step = facing.step().unwrap_or(piece.width().max(piece.height()) as i8);
    SIDES.into_iter().filter_map(move |(dx, dy)| middle.offset(step * dx, step * dy))
}

/// What came of such clicks.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    tries: u32,
    hits: u32,
}

/// The clicks of a game as far as they tell whether it matters where pieces are.
#[derive(Debug, Default)]
pub(super) struct Aims {
    records: BTreeMap<(Kind, Reach), Record>,
    /// Clicks from afar, and how many of them were answered.
    far: Record,
    /// Things that were clicked from near in this level.
    done: BTreeSet<(Thing, Reach)>,
}

impl Aims {
    /// A new level has other things.
    pub(super) fn begin_level(&mut self) {
        self.done.clear();
    }

    /// Something was clicked from where these things were near, and was answered or not.
    pub(super) fn clicked(&mut self, at: Point, (things, near): (&Things, &[Aim]), answered: bool) {
        let aim = near.iter().find(|it| it.means(things, at));
        let record = match aim {
            Some(it) => {
                self.done.insert((it.thing, it.reach));
                self.records.entry((it.thing.kind, it.reach)).or_default()
            }
            None => &mut self.far,
        };
        record.tries += 1;
        record.hits += u32::from(answered);
    }

    /// Whether anything may be worth clicking from near.
    pub(super) fn are_open(&self) -> bool {
        self.is_riddle() || self.has_answered()
    }

    /// Whether a click from near ever was answered: then it is known what clicks are for.
    fn has_answered(&self) -> bool {
        self.records.values().any(|it| it.hits > 0)
    }

    /// Whether clicks from afar were in vain.
    fn is_riddle(&self) -> bool {
        self.far.tries > 0 && self.far.hits == 0
    }

    /// How interesting it is to click on something from near, in actions: lower is better.
    pub(super) fn interest(&self, aim: &Aim) -> Option<f32> {
        match self.records.get(&(aim.thing.kind, aim.reach)) {
            Some(Record { hits: 1.., .. }) if !aim.is_ground() => {
                (!self.done.contains(&(aim.thing, aim.reach))).then_some(ANSWERS)
            }
            None if self.is_riddle() && !self.has_answered() => {
                let in_vain: u32 = self.records.values().map(|it| it.tries).sum();
                Some(NEW + EACH * in_vain as f32)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use env_client::{Color, Grid};
    use world_model::InterfaceMask;

    use super::*;
    use crate::policy::plan::things::Under;

    /// A piece of colour 5 on an island, water around it, and panels of colour 8 in the wall on the right.
    const ISLAND: &str = "999999999999999911\n999999999999999911\n999000000000999981\n999005000000999981\n\
                          999000000000999911\n999999999999999911\n999999999999999981\n999999999999999981";

    fn island() -> (Grid, Things, Vec<Advance>) {
        let frame: Grid = ISLAND.parse().unwrap();
        let from: Vec<Point> = frame.points().filter(|at| frame[*at] == Color::of(5)).collect();
        let advances = vec![Advance { from, by: (3, 0), ..Advance::default() }];
        let things = Things::of(&frame, &InterfaceMask::new(), &advances, Under::default());
        (frame, things, advances)
    }

    fn aims() -> (Things, Vec<Aim>) {
        let (_, things, advances) = island();
        let near = Aim::all(&things, &advances, Facing::of(&advances));
        (things, near)
    }

    #[test]
    fn ground_one_step_away_and_what_lies_in_line_may_be_clicked_from_near() {
        let (frame, ..) = island();
        let (_, near) = aims();
        let seen: Vec<(u8, Color, Reach)> = near.iter().map(|it| (it.at.x(), frame[it.at], it.reach)).collect();
        let [floor, water, panel] = [0, 9, 8].map(Color::of);
        let sides = [(8, floor), (2, water), (5, water), (5, water)].map(|(x, color)| (x, color, Reach::Beside));
        assert_eq!(seen[..4], sides, "right, left, below and above");
        assert_eq!(seen[4..], [(16, panel, Reach::Line)]);
    }

    #[test]
    fn what_was_clicked_from_afar_for_nothing_is_clicked_from_near_until_something_answers() {
        let (things, near) = aims();
        let water = near[1];
        let far = Point::new(16, 7).unwrap();
        let mut aims = Aims::default();
        assert_eq!((aims.are_open(), aims.interest(&water)), (false, None), "nothing was clicked yet");
        aims.clicked(far, (&things, &near), false);
        assert_eq!(aims.interest(&water), Some(NEW));
        aims.clicked(near[0].at, (&things, &near), false);
        assert_eq!((aims.interest(&near[0]), aims.interest(&water)), (None, Some(NEW + EACH)));
        let mut laid = Aims::default();
        laid.clicked(far, (&things, &near), false);
        laid.clicked(water.at, (&things, &near), true);
        assert_eq!(near.iter().find_map(|it| laid.interest(it)), None, "it is known what clicks are for");
        let mut seen = Aims::default();
        seen.clicked(far, (&things, &near), false);
        let panel = near[4];
        seen.clicked(panel.at, (&things, &near), true);
        assert_eq!(seen.interest(&panel), None, "it had its turn");
        seen.begin_level();
        assert_eq!(seen.interest(&panel), Some(ANSWERS));
        let mut answered = Aims::default();
        answered.clicked(far, (&things, &near), true);
        assert_eq!(answered.interest(&water), None, "clicks are answered from afar");
    }
}
