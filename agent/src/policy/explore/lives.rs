//! Why a play was lost: by what was done last, or because its budget of steps ran out.

use std::collections::{BTreeMap, BTreeSet};

/// Losses remembered at once; past it the budget is learned anew.
const LOSSES: usize = 1 << 12;

/// How long lives last in this level, and where they ended: a place is an action and the state it was played in.
#[derive(Debug)]
pub(in crate::policy) struct Lives<Place> {
    /// Steps since the level was last restarted.
    steps: u32,
    /// Where a life of so many steps ended first.
    lengths: BTreeMap<u32, Place>,
    places: BTreeSet<Place>,
}

impl<Place> Default for Lives<Place> {
    fn default() -> Self {
        Lives { steps: 0, lengths: BTreeMap::new(), places: BTreeSet::new() }
    }
}

impl<Place: Copy + Ord> Lives<Place> {
    /// Actions played since the level was last restarted.
    pub(in crate::policy) fn steps(&self) -> u32 {
        self.steps
    }

    pub(in crate::policy) fn act(&mut self) {
        self.steps += 1;
    }

    /// The level begins again.
    pub(in crate::policy) fn restart(&mut self) {
        self.steps = 0;
    }

    /// States were renamed: where lives ended is not known any more.
    pub(in crate::policy) fn forget_places(&mut self) {
        self.lengths.clear();
        self.places.clear();
    }

    /// The play was lost here; whether the budget of steps explains it: the bar says so, or a life ended after as many
    /// steps in another place. A place that ended a life before is to blame itself, or it would be tried for ever.
    pub(in crate::policy) fn end(&mut self, place: Place, bar_nearly_empty: bool) -> bool {
        if self.places.len() >= LOSSES {
            self.forget_places();
        }
        let first = *self.lengths.entry(self.steps).or_insert(place);
        let repeated = !self.places.insert(place);
        !repeated && (bar_nearly_empty || first != place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A state, and the action played there.
    type Place = (usize, &'static str);

    fn life(lives: &mut Lives<Place>, steps: u32, place: usize) -> bool {
        lives.restart();
        (0..steps).for_each(|_| lives.act());
        lives.end((place, "up"), false)
    }

    #[test]
    fn two_lives_of_one_length_that_end_apart_show_a_budget() {
        let mut lives = Lives::<Place>::default();
        assert!(!life(&mut lives, 50, 1));
        assert!(!life(&mut lives, 20, 2));
        assert!(life(&mut lives, 50, 3));
    }

    #[test]
    fn a_place_that_ends_lives_again_and_again_is_to_blame() {
        let mut lives = Lives::<Place>::default();
        assert!((0..9).all(|_| !life(&mut lives, 10, 1)), "the same route to the same trap");
        assert!(!life(&mut lives, 12, 1));
    }

    #[test]
    fn an_empty_bar_shows_it_at_once_and_once() {
        let mut lives = Lives::<Place>::default();
        let place = (1, "up");
        assert!(lives.end(place, true));
        assert!(!lives.end(place, true));
    }

    #[test]
    fn memory_is_bounded() {
        let mut lives = Lives::<Place>::default();
        for place in 0..3 * LOSSES {
            life(&mut lives, 1, place);
        }
        assert!(lives.places.len() <= LOSSES);
    }
}
