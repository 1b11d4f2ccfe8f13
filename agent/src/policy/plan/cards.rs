//! The skill of cards that lie face down: those of a kind are turned over together.

use env_client::{ActionId, ActionSet, Grid};
use world_model::{InterfaceMask, Outcome, Start, Transition, cards::Cards};

use super::{
    ledger::TIER,
    skill::{Proposal, Skill},
};

/// The next card, and to see whether there are cards. Guesses.
const TURN: f32 = 0.2 * TIER;
const RIDDLE: f32 = 0.6 * TIER;
/// Cards turned over in one level before unlike ones were seen to be turned back, and for each of the level's cards once they were.
/// Guesses.
const RIDDLES: u32 = 4;
const TURNS: u32 = 120;

/// Understands cards.
#[derive(Debug, Default)]
pub(super) struct Recall {
    model: Cards,
    turns: u32,
    /// Whether the next card of a level was the last one.
    has_won: bool,
    is_turning: bool,
}

impl Skill for Recall {
    fn name(&self) -> &'static str {
        "cards"
    }

    fn begin(&mut self, frame: &Grid, _mask: &InterfaceMask, start: Start) {
        self.model.begin(frame, start);
        self.is_turning = false;
        if start == Start::Level {
            self.turns = 0;
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.model.observe(step, mask);
        self.has_won |= std::mem::take(&mut self.is_turning) && step.outcome == Outcome::Solved;
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        if !actions.contains(ActionId::Action6) {
            return None;
        }
        if self.model.is_understood() && self.turns < TURNS {
            let find = || self.model.first(frame, mask).filter(|_| self.has_won);
            let action = self.model.next().or_else(find)?;
            return Some(Proposal::experiment(action, "cards that are alike face up together".to_owned(), TURN));
        }
        let action = self.model.next().filter(|_| self.model.is_likely() && self.turns < RIDDLES)?;
        Some(Proposal::experiment(action, "see whether unlike cards are turned back".to_owned(), RIDDLE))
    }

    fn taken_up(&mut self) {
        self.turns += 1;
        self.is_turning = self.model.is_understood();
    }
}
