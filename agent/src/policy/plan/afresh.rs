//! Beginning the level again: not everything that was done can be undone.
//!
//! A crate in a corner stays there. Where pieces cannot be brought any more to where the level may want them, and the model
//! knows a way from the beginning, a RESET is the shortest part of that way: it costs one action.
//!
//! Not for things that were never touched: beginning again for these cost four of 22 levels in five games of keys and
//! clicks, since the model that sees a way to them from the beginning is mostly wrong about it.

use env_client::{ActionSet, Command, Grid};
use world_model::{Start, State, WorldModel};

use super::{Plan, arrange::Arrangement, curiosity::Target, ledger::TIER};
use crate::policy::{Decision, Who};

/// What is no better than this is left for a level that begins again: there is nothing new to touch. As much as it is
/// worth to go where nobody was.
const POOR: f32 = 4.0 * TIER;
/// Actions after a beginning before there can be another one, and how often a level is begun again. Guesses, not measured.
const APART: u32 = 3;
const MOST: usize = 6;

/// How the level began, and what could not be reached since.
#[derive(Debug, Default)]
pub(super) struct Afresh {
    start: Option<State>,
    missed: Option<Arrangement>,
    /// What this level was begun again for.
    begun: Vec<Target>,
}

impl Afresh {
    /// The level begins like this.
    pub(super) fn begin(&mut self, start: Start, state: State) {
        if start == Start::Level {
            self.begun.clear();
        }
        (self.start, self.missed) = (Some(state), None);
    }

    /// There is no way to this from where the play is.
    pub(super) fn miss(&mut self, wanted: Arrangement) {
        self.missed = Some(wanted);
    }
}

impl<M: WorldModel> Plan<M> {
    /// A RESET, where what could not be reached can be from the beginning: at once if the like of it solved a level, or else
    /// where there is nothing better to do, and once, since whoever does not get there then was wrong about the way.
    pub(super) fn begin_again(&mut self, here: &Grid, actions: ActionSet) -> Option<Decision> {
        let target = Target::Arrange(self.afresh.missed.as_ref()?.name);
        let is_new = self.score >= POOR && !self.afresh.begun.contains(&target);
        let may = self.lives.steps() >= APART && self.afresh.begun.len() < MOST;
        if !may || !(is_new || self.is_proven(&target)) {
            return None;
        }
        let (missed, start) = (self.afresh.missed.take()?, self.afresh.start.clone()?);
        if self.way(&missed, &self.state(here), actions).is_some() {
            self.arrangements.look_again();
            return None;
        }
        self.way(&missed, &start, actions)?;
        self.drop_plan();
        let (goal, why) = (target.to_string(), format!("plan: begin again, {target}"));
        self.afresh.begun.push(target);
        Some(Decision::new(Command::Reset, Who::Arrange, why).with_goal(goal))
    }

    /// Whether such an arrangement solved a level.
    fn is_proven(&self, target: &Target) -> bool {
        matches!(target, Target::Arrange(name) if self.arrangements.is_proven(*name))
    }
}
