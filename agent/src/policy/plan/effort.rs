//! How much one decision may think: predictions asked of the model, in all searches together.
//!
//! What bounds a decision in time is a count, not a clock: the same seed gives the same play on any machine. A state in
//! which predictions follow many pieces counts as several.

use world_model::Foresight;

/// Predictions that one decision may ask for. One takes 0.03 to 0.1 ms in our titles and the development games, with what is made
/// of it, on a core of its own. Most decisions ask for few; one that asks for all takes about a second, and up to two and a half
/// in the dearest (`v528`, `c157`, `sp80`): a bound on time is more than this count can promise. Two thirds of it cost levels.
const PREDICTIONS: usize = 24_000;

/// Pieces that a prediction follows for the price of one: those that mean to go somewhere and those that they take along.
const FOLLOWED: usize = 3;

/// What looking at the actions of a state costs, in states: the more pieces their predictions follow the more.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Toil {
    predictions: usize,
    pieces: usize,
}

impl Toil {
    /// One more of its actions was looked at.
    pub(super) fn add(&mut self, foresight: &Foresight) {
        self.predictions += 1;
        self.pieces += foresight.advances.len() + foresight.driven.len();
    }

    /// At least one.
    pub(super) fn states(self) -> usize {
        (self.pieces / (FOLLOWED * self.predictions.max(1))).max(1)
    }
}

/// What one decision may still spend, and what it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    left: usize,
    looked_at: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { left: PREDICTIONS, looked_at: 0 }
    }
}

impl Effort {
    /// States that a search may look at which asks about so many actions in each: at most `most`, and no more than leave
    /// `reserve` to the searches after it.
    pub(super) fn states(&self, most: usize, reserve: usize, actions: usize) -> usize {
        most.min((self.left / actions.max(1)).saturating_sub(reserve))
    }

    /// A search looked at so many states.
    pub(super) fn spend(&mut self, states: usize, actions: usize) {
        self.left = self.left.saturating_sub(states * actions);
        self.looked_at += states;
    }

    /// States that were looked at.
    pub(super) fn looked_at(&self) -> usize {
        self.looked_at
    }
}

#[cfg(test)]
mod tests {
    use world_model::{Advance, Prediction};

    use super::*;

    #[test]
    fn all_searches_of_a_decision_share_what_it_may_ask() {
        let mut effort = Effort::default();
        assert_eq!(effort.states(100, 0, 4), 100, "one search has its own bound");
        assert_eq!(effort.states(10_000, 100, 4), PREDICTIONS / 4 - 100, "and leaves something to the next");
        effort.spend(PREDICTIONS / 4 - 100, 4);
        assert_eq!(effort.states(10_000, 0, 4), 100);
        effort.spend(100, 4);
        assert_eq!((effort.states(10_000, 0, 4), effort.looked_at()), (0, PREDICTIONS / 4));
    }

    #[test]
    fn a_state_with_many_pieces_counts_as_several() {
        let foresight = |advances: usize, driven: usize| Foresight {
            prediction: Prediction::UNKNOWN,
            advances: vec![Advance::default(); advances],
            driven: vec![Advance::default(); driven],
        };
        let toil = |each: &[(usize, usize)]| {
            let mut toil = Toil::default();
            for (advances, driven) in each {
                toil.add(&foresight(*advances, *driven));
            }
            toil.states()
        };
        assert_eq!((toil(&[]), toil(&[(1, 0), (1, 1)]), toil(&[(2, 10), (2, 10)])), (1, 1, 4));
    }
}
