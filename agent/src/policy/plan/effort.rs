//! How much one decision may think: predictions asked of the model, in all searches together.
//!
//! What bounds a decision in time is a count, not a clock: the same seed gives the same play on any machine.

/// Predictions that one decision may ask for. Where they cost most among our titles, 0.07 ms each, all of them keep within
/// the two seconds that a decision may take; the median is a third of that, and most decisions ask for few.
const PREDICTIONS: usize = 24_000;

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
}
