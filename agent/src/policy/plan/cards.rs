//! The skill of cards that lie face down: those of a kind are turned over together.

use env_client::{ActionId, ActionSet, Grid};
use world_model::{InterfaceMask, Outcome, Start, Transition, cards::Cards};

use super::{
    ledger::TIER,
    skill::{Proposal, Skill, is_clicks_alone},
};

/// The next card, and one more to see whether there are cards: before boards look at each of them. Guesses.
const TURN: f32 = 0.05 * TIER;
const RIDDLE: f32 = 0.1 * TIER;
/// Cards turned over in a game before unlike ones were seen to be turned back, and in a level once they were. Guesses.
const RIDDLES: u32 = 3;
const TURNS: u32 = 120;

/// Understands cards.
#[derive(Debug, Default)]
pub(super) struct Recall {
    model: Cards,
    turns: u32,
    riddles: u32,
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
        let may = is_clicks_alone(actions) && self.model.is_likely() && self.riddles < RIDDLES;
        let action = self.model.next().filter(|_| may)?;
        Some(Proposal::experiment(action, "see whether unlike cards are turned back".to_owned(), RIDDLE))
    }

    fn taken_up(&mut self) {
        self.is_turning = self.model.is_understood();
        self.turns += u32::from(self.is_turning);
        self.riddles += u32::from(!self.is_turning);
    }
}
