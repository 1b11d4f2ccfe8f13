//! What came of bringing one thing onto another: of pieces that others push, pull or kick.
//!
//! A piece that is taken along can do what those that answer to actions cannot: fill a pit, hold a plate, lie in a net.
//! What it was never brought onto is worth an errand, once in a level for each pair of looks.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    hash::{DefaultHasher, Hash, Hasher},
};

use env_client::{Grid, Point};
use world_model::{Advance, Bounds};

use super::{
    ledger::TIER,
    things::{Kind, Thing, Things, place},
};

/// In tiers, guesses that were not measured one by one: a pair never tried comes after things never touched; ground comes
/// after things; what did something in an earlier level is as new in the next one, and what solved one comes first.
const UNTRIED: f32 = 1.9;
const ONTO_GROUND: f32 = 2.6;
const WON: f32 = 0.6;
/// Errands of a level in vain, one after the other, after which no more are run but such as solved one. A guess.
const IN_VAIN: u32 = 8;

/// What a piece that is taken along looks like, wherever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Look(u64);

impl Look {
    fn of(frame: &Grid, piece: &Advance) -> Look {
        let corner = piece.from.iter().map(|at| (at.x(), at.y())).reduce(|a, b| (a.0.min(b.0), a.1.min(b.1)));
        let (left, top) = corner.unwrap_or_default();
        let mut cells: Vec<_> = piece.from.iter().map(|at| (at.x() - left, at.y() - top, frame.get(*at))).collect();
        cells.sort_unstable();
        let mut hasher = DefaultHasher::new();
        cells.hash(&mut hasher);
        Look(hasher.finish())
    }
}

/// A piece that comes onto something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Errand {
    look: Look,
    onto: Kind,
    /// Nothing where that is ground.
    thing: Option<Thing>,
}

impl Errand {
    /// What the piece comes onto.
    pub(super) fn onto(&self) -> Kind {
        self.onto
    }
}

impl fmt::Display for Errand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.thing {
            Some(thing) => write!(f, "the {} at {}", thing.kind.color, thing.at),
            None => write!(f, "{} ground", self.onto.color),
        }
    }
}

/// The errands of pieces that others take along in this frame, among things that were seen in an earlier one. What lies
/// inside of the box of a piece that moves is a part of it.
pub(super) fn errands(things: &Things, frame: &Grid, (movers, driven): (&[Advance], &[Advance])) -> BTreeSet<Errand> {
    let seats: Vec<Bounds> = movers.iter().filter_map(place).collect();
    let is_part = |it: &Advance| it.from.iter().any(|at| seats.iter().any(|seat| seat.contains(at.x(), at.y())));
    let of = |piece| {
        let look = Look::of(frame, piece);
        let at = move |at: &Point| {
            let onto = things.what(*at).filter(|kind| frame.get(*at) == Some(kind.color))?;
            Some(Errand { look, onto, thing: things.at(*at) })
        };
        piece.onto.iter().filter_map(at)
    };
    driven.iter().filter(|it| !is_part(it)).flat_map(of).collect()
}

/// What came of a pair.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    /// Tries in this game, and whether one was in this level.
    tries: u32,
    here: bool,
    /// Whether it ever did something, and whether that solved a level.
    effect: bool,
    won: bool,
}

/// What came of all errands.
#[derive(Debug, Default)]
pub(super) struct Errands {
    pairs: BTreeMap<(Look, Kind), Record>,
    /// Those that were run in this level.
    run: BTreeSet<Errand>,
    /// How many of the last ones did nothing.
    in_vain: u32,
}

impl Errands {
    /// A new level: what was worth it is so again.
    pub(super) fn begin_level(&mut self) {
        self.pairs.values_mut().for_each(|it| it.here = false);
        self.run.clear();
        self.in_vain = 0;
    }

    /// The level begins again: what solved one may be brought again.
    pub(super) fn restart(&mut self) {
        self.run.clear();
    }

    /// Pieces were brought, and something else happened or not.
    pub(super) fn ran(&mut self, errands: &BTreeSet<Errand>, event: bool) {
        for errand in errands {
            let pair = self.pairs.entry((errand.look, errand.onto)).or_default();
            self.in_vain = if event { 0 } else { self.in_vain + u32::from(!pair.here) };
            *pair = Record { tries: pair.tries + 1, here: true, effect: pair.effect || event, ..*pair };
        }
        self.run.extend(errands);
    }

    /// That solved the level.
    pub(super) fn won(&mut self, errands: &BTreeSet<Errand>) {
        for errand in errands {
            self.pairs.entry((errand.look, errand.onto)).or_default().won = true;
        }
    }

    /// Whether such an errand solved a level, and this one was not run.
    pub(super) fn has_won(&self, errand: &Errand) -> bool {
        self.pairs.get(&(errand.look, errand.onto)).is_some_and(|it| it.won) && !self.run.contains(errand)
    }

    /// How interesting an errand is: lower is better, in actions. `None` where it was run.
    pub(super) fn interest(&self, errand: &Errand) -> Option<f32> {
        let pair = self.pairs.get(&(errand.look, errand.onto)).copied().unwrap_or_default();
        if pair.won && errand.thing.is_some() {
            return (!self.run.contains(errand)).then_some(WON * TIER);
        }
        let is_vain = pair.tries > 0 && !pair.effect || self.in_vain >= IN_VAIN;
        let tier = if errand.thing.is_some() { UNTRIED } else { ONTO_GROUND };
        (!pair.here && !is_vain).then_some(tier * TIER)
    }
}

#[cfg(test)]
mod tests {
    use world_model::InterfaceMask;

    use super::*;
    use crate::policy::plan::things::Under;

    /// A piece of colour 4 at (1, 0) that is pushed onto what lies right of it.
    fn pushed(picture: &str) -> BTreeSet<Errand> {
        let frame: Grid = picture.parse().unwrap();
        let things = Things::of(&frame, &InterfaceMask::new(), &[], Under::default());
        let at = |x: u8| vec![Point::new(x, 0).unwrap()];
        errands(&things, &frame, (&[], &[Advance { from: at(1), onto: at(2), by: (1, 0), ..Advance::default() }]))
    }

    fn interests(errands: &Errands, of: &BTreeSet<Errand>) -> Vec<Option<f32>> {
        of.iter().map(|it| errands.interest(it)).collect()
    }

    #[test]
    fn each_look_is_brought_onto_each_other_one_once() {
        let (mut known, bowl) = (Errands::default(), pushed("048000000\n000000000\n000000000"));
        assert_eq!(interests(&known, &bowl), [Some(UNTRIED * TIER)]);
        known.ran(&bowl, false);
        assert_eq!(interests(&known, &bowl), [None]);
        assert_eq!(interests(&known, &pushed("049000000\n000000000\n000000000")), [Some(UNTRIED * TIER)]);
        assert_eq!(
            interests(&known, &pushed("034800000\n000000000\n000000000")),
            [Some(UNTRIED * TIER)],
            "another look"
        );
        assert_eq!(interests(&known, &pushed("040000000\n000000000\n000000000")), [Some(ONTO_GROUND * TIER)]);
    }

    #[test]
    fn what_lies_inside_of_the_box_of_a_piece_is_brought_nowhere() {
        let frame: Grid = "540800000\n050000000\n000000000".parse().unwrap();
        let things = Things::of(&frame, &InterfaceMask::new(), &[], Under::default());
        let at = |x, y| Point::new(x, y).unwrap();
        let hand = Advance { from: vec![at(1, 0)], onto: vec![at(3, 0)], by: (2, 0), ..Advance::default() };
        let around = Advance { from: vec![at(0, 0), at(1, 1)], by: (2, 0), ..Advance::default() };
        assert_eq!(errands(&things, &frame, (&[], std::slice::from_ref(&hand))).len(), 1);
        assert!(errands(&things, &frame, (&[around], &[hand])).is_empty());
    }

    #[test]
    fn what_did_something_is_brought_again_in_the_next_level_and_what_won_everywhere() {
        let (bowl, other) = (pushed("048000000\n000000000\n000000000"), pushed("148000000\n000000000\n000000000"));
        let after = |event| {
            let mut known = Errands::default();
            known.ran(&bowl, event);
            known.begin_level();
            known
        };
        assert_eq!(interests(&after(false), &bowl), [None], "in vain once is enough");
        assert_eq!(interests(&after(true), &bowl), [Some(UNTRIED * TIER)]);
        let mut won = after(false);
        won.won(&bowl);
        won.begin_level();
        assert_eq!(interests(&won, &other), [Some(WON * TIER)]);
        won.ran(&other, false);
        assert_eq!(interests(&won, &other), [None]);
    }

    #[test]
    fn nothing_is_brought_any_more_when_that_did_nothing_so_often() {
        let mut known = Errands::default();
        let grounds = || {
            (1..10u8).filter(|color| *color != 4).map(|color| pushed(&format!("04{color}000000\n000000000\n000000000")))
        };
        grounds().take(IN_VAIN as usize - 1).for_each(|it| known.ran(&it, false));
        let last = grounds().next_back().unwrap();
        assert_eq!(interests(&known, &last), [Some(UNTRIED * TIER)]);
        known.ran(&pushed("040000000\n000000000\n000000000"), false);
        assert_eq!(interests(&known, &last), [None]);
        known.begin_level();
        assert_eq!(interests(&known, &last), [Some(UNTRIED * TIER)]);
    }
}
