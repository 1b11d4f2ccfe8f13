//! What is gathered: things that are gone when the pieces that stood on them left.
//!
//! The last of several of a kind may change what others answer: an exit that did nothing before is gone for again. And where
//! levels were solved with none of a kind left, an exit waits until that is so.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Action, Grid};
use world_model::WorldModel;

use super::{
    Plan,
    reading::Reading,
    things::{Kind, Thing, Things, Under},
};

/// Levels that were solved with none of a kind left, from which on that is taken to be needed. A guess.
const TWICE: u32 = 2;

/// Kinds of things of which nothing was left when levels were solved.
#[derive(Debug, Default)]
pub(super) struct Leftovers {
    /// How many levels began with some of a kind and were solved with none left; `None` where one was solved with some left.
    gone: BTreeMap<Kind, Option<u32>>,
}

impl Leftovers {
    /// A level that began with things of these kinds was solved when those were left.
    pub(super) fn solved(&mut self, first: &BTreeSet<Kind>, left: &BTreeSet<Kind>) {
        for kind in first | left {
            let levels = self.gone.entry(kind).or_insert(Some(0));
            *levels = levels.filter(|_| !left.contains(&kind)).map(|levels| levels + 1);
        }
    }

    /// Whether something is left of what levels were solved without.
    pub(super) fn are_left(&self, kinds: impl IntoIterator<Item = Kind>) -> bool {
        kinds.into_iter().any(|kind| self.gone.get(&kind).is_some_and(|levels| levels.is_some_and(|it| it >= TWICE)))
    }

    /// Whether all of a kind were gone whenever levels were solved.
    pub(super) fn is_gathered(&self, kind: Kind) -> bool {
        self.gone.get(&kind).is_some_and(Option::is_some)
    }
}

impl<M: WorldModel> Plan<M> {
    /// Notes what was there when the level began, and what was left when this action solved it, but for what it touched.
    pub(super) fn clear(&mut self, first: &Grid, action: Action, reading: &Reading) {
        let pieces = self.model.advances(&self.model.state(first), action);
        let first = Things::of(first, self.detector.mask(), &pieces, Under::default());
        let touched: BTreeSet<Kind> = reading.touched.things.iter().map(|it| it.kind).collect();
        let kinds = |things: BTreeSet<Thing>| &things.into_iter().map(|it| it.kind).collect() - &touched;
        self.ledger.leftovers.solved(&kinds(first.all()), &kinds(reading.things.all()));
    }

    /// Things that pieces stood on and that are gone were taken; the last of a kind may change what others answer.
    pub(super) fn gather(&mut self, reading: &Reading, now: &Things) {
        let is_left = |is: &dyn Fn(&Thing) -> bool| self.under.things().chain(now.all()).any(|it| is(&it));
        let covered = reading.things.covered().into_iter();
        let (kept, taken): (Vec<Thing>, Vec<Thing>) = covered.partition(|thing| is_left(&|it| it == thing));
        let under: BTreeSet<Thing> = self.under.things().collect();
        let last: BTreeSet<Kind> =
            taken.iter().map(|it| it.kind).filter(|kind| !is_left(&|it| it.kind == *kind)).collect();
        for thing in taken {
            self.ledger.was_taken(thing);
        }
        for thing in kept.into_iter().filter(|it| !under.contains(it)) {
            self.ledger.was_kept(thing);
        }
        for kind in last {
            self.ledger.gathered(kind);
        }
    }
}

#[cfg(test)]
mod tests {
    use env_client::Color;

    use super::*;

    #[test]
    fn what_was_gone_whenever_levels_were_solved_is_missed_when_it_is_left() {
        let [pearl, rock, door] = [1, 2, 3].map(|color| Kind { color: Color::of(color), shape: 1 });
        let mut leftovers = Leftovers::default();
        let (first, left) = ([pearl, rock].into(), [rock].into());
        leftovers.solved(&first, &left);
        assert!(!leftovers.are_left([pearl]), "once may be by chance");
        leftovers.solved(&first, &left);
        assert!(leftovers.are_left([rock, pearl]) && !leftovers.are_left([rock, door]));
        assert!(leftovers.is_gathered(pearl) && !leftovers.is_gathered(rock) && !leftovers.is_gathered(door));
        leftovers.solved(&first, &first);
        assert!(!leftovers.are_left([pearl]), "not needed after all");
    }
}
