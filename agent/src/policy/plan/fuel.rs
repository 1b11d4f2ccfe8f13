//! How far the budget that a bar shows reaches, and what fills it.
//!
//! A way longer than what is left ends in the loss of the level, unless it leads over something that fills the bar: what
//! did so once is believed to do so again, each thing once a way.

use std::collections::BTreeSet;

use env_client::Grid;
use world_model::{Bar, InterfaceDetector};

use super::things::{Kind, Thing};

/// Of a full budget, the share below which more is looked for: a third. A guess, not measured.
const LOW_SHARE: u32 = 3;

/// What an action costs is an average: a full bar may allow more actions than it seems, up to this share. A guess.
const SLACK: u32 = 8;

/// What fills bars.
#[derive(Debug, Default)]
pub(super) struct Fillings {
    kinds: BTreeSet<Kind>,
}

impl Fillings {
    /// Pieces went for these things, and a bar was filled or not.
    pub(super) fn touched(&mut self, things: &BTreeSet<Thing>, filled: bool) {
        for thing in things {
            if filled {
                self.kinds.insert(thing.kind);
            } else {
                self.kinds.remove(&thing.kind);
            }
        }
    }

    /// Whether a kind of thing fills a bar.
    pub(super) fn contains(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }

    /// The first of these things that fills a bar.
    pub(super) fn first(&self, things: &BTreeSet<Thing>) -> Option<Thing> {
        things.iter().copied().find(|it| self.contains(it.kind))
    }
}

/// What is left of the budget somewhere on a way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fuel {
    /// Actions that are left, and those of a full bar; `None` where no bar says so.
    left: Option<(u32, u32)>,
    /// What filled it on the way.
    pub(super) used: BTreeSet<Thing>,
}

impl Fuel {
    /// What the bars of a frame show; those of the level's `first` frame were full. One that shows nothing any more says
    /// nothing.
    pub(super) fn of(detector: &InterfaceDetector, frame: &Grid, first: &Grid) -> Fuel {
        let left = |bar: &Bar| Some((bar.actions_left(frame)?, bar.actions_left(first)?));
        let left = detector.bars().iter().filter_map(left).filter(|(left, _)| *left > 0).min();
        Fuel { left, used: BTreeSet::new() }
    }

    #[cfg(test)]
    pub(super) fn left(left: u32, full: u32) -> Fuel {
        Fuel { left: Some((left, full)), used: BTreeSet::new() }
    }

    /// Whether so many actions are more than it allows.
    pub(super) fn is_short_of(&self, actions: usize) -> bool {
        self.left.is_some_and(|(left, _)| (left as usize) < actions)
    }

    /// Whether so many actions are more than a full bar allows.
    pub(super) fn never_allows(&self, actions: usize) -> bool {
        self.left.is_some_and(|(_, full)| ((full + full / SLACK) as usize) < actions)
    }

    /// Whether it is time to look for more.
    pub(super) fn is_low(&self) -> bool {
        self.left.is_some_and(|(left, full)| LOW_SHARE * left < full)
    }

    /// Whether a bar says how much there is.
    pub(super) fn is_known(&self) -> bool {
        self.left.is_some()
    }

    /// What is left after one more action that comes to touch this filling.
    pub(super) fn after(&self, filling: Option<Thing>) -> Fuel {
        let Some((left, full)) = self.left else { return self.clone() };
        let fresh = filling.filter(|it| !self.used.contains(it));
        let left = if fresh.is_some() { full } else { left.saturating_sub(1) };
        Fuel { left: Some((left, full)), used: self.used.iter().copied().chain(fresh).collect() }
    }
}

#[cfg(test)]
mod tests {
    use env_client::{Color, Point};

    use super::*;

    #[test]
    fn a_filling_counts_once_a_way() {
        let thing = Thing { kind: Kind { color: Color::of(3), shape: 9 }, at: Point::default() };
        let things = BTreeSet::from([thing]);
        let mut fillings = Fillings::default();
        assert_eq!(fillings.first(&things), None);
        fillings.touched(&things, true);
        let start = Fuel::left(2, 10);
        assert!(start.is_short_of(3) && !start.is_short_of(2));
        let filled = start.after(fillings.first(&things));
        assert_eq!(filled.left, Some((10, 10)));
        assert_eq!(filled.after(fillings.first(&things)).left, Some((9, 10)), "it is used up");
        fillings.touched(&things, false);
        assert_eq!(fillings.first(&things), None, "what does not fill any more is no filling");
    }
}
