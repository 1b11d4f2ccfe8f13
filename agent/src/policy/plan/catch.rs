//! The skill of catching what falls: be below it in time, and wait where there is nothing else to do.

use env_client::{Action, ActionSet, Grid, Key};
use world_model::{InterfaceMask, Outcome, Start, Transition, falls::Falls};

use super::{
    ledger::TIER,
    skill::{Proposal, Skill},
};

/// A step below something; before what others would try, since things fall meanwhile. A guess, as is the next.
const STEP: f32 = 0.2 * TIER;
/// Steps in one level after which the rest is left to others.
const STEPS: u32 = 200;
/// Steps in one level after which something else that falls has its turn. A guess.
const TURN: u32 = 50;

/// Understands things that fall.
#[derive(Debug, Default)]
pub(super) struct Catch {
    model: Falls,
    steps: u32,
}

impl Catch {
    /// A level begins, with what falls most.
    fn restart(&mut self) {
        self.steps = 0;
        self.model.turn_to(0);
    }

    /// The key that brings what is below under the first thing that it can reach in time.
    fn key(&self, frame: &Grid, mask: &InterfaceMask) -> Option<Key> {
        let falling = self.model.falling(frame, mask);
        let next = falling.iter().find(|it| u32::from(it.away.unsigned_abs()) <= it.steps);
        self.model.key(next.map_or(0, |it| it.away))
    }
}

impl Skill for Catch {
    fn name(&self) -> &'static str {
        "catch"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, start: Start) {
        if start == Start::Level {
            self.restart();
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.model.observe(step, mask);
        if step.outcome == Outcome::Solved {
            self.restart();
        }
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        if self.steps >= STEPS || !self.model.is_understood() {
            return None;
        }
        let action = Action::Key(self.key(frame, mask)?);
        actions.contains(action.id()).then(|| Proposal::experiment(action, "catch what falls".to_owned(), STEP))
    }

    fn taken_up(&mut self) {
        self.steps += 1;
        self.model.turn_to((self.steps / TURN) as usize);
    }
}
