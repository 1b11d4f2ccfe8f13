//! What to do next: follow the plan, or make one.

use std::collections::VecDeque;

use env_client::{ActionSet, Grid};
use world_model::{Snapshot, WorldModel};

use super::{
    Plan,
    curiosity::{self, Curiosity, Target},
    search::Search,
    things::Things,
};
use crate::policy::Decision;

/// States whose actions one thought looks at: about 30 ms.
const EXPANSIONS: usize = 400;
/// Plans take one step in one state so often; then exploration takes over for a while.
const REPEATS: u32 = 2;
/// The most decisions left to exploration in a row.
const PATIENCE: u32 = 32;

impl<M: WorldModel> Plan<M> {
    /// The next step of a plan; `None` when exploration is to decide.
    pub(super) fn choose(&mut self, frame: &Grid, actions: ActionSet) -> Option<Decision> {
        if self.steps.is_empty() {
            if self.rest > 0 {
                self.rest -= 1;
                return None;
            }
            self.think(frame, actions);
        }
        let decision = self.follow(frame, actions);
        if decision.is_none() {
            self.drop_plan();
            self.rest = self.patience - 1;
            self.patience = (2 * self.patience).min(PATIENCE);
        }
        decision
    }

    fn think(&mut self, frame: &Grid, actions: ActionSet) {
        let state = self.state(frame);
        let advances =
            curiosity::keys(actions).first().map(|key| self.model.advances(&state, *key)).unwrap_or_default();
        let things = Things::of(frame, self.detector.mask(), &advances);
        let mut judge = Curiosity::new(&things, &self.ledger, &self.visited, &self.failed, actions);
        let search = Search::new(&self.model, self.detector.mask());
        let report = search.run(state, &mut judge, EXPANSIONS);
        self.looked_at = report.expanded;
        if let Some(found) = report.best {
            self.steps = VecDeque::from(found.path);
            self.target = Some(found.target);
        }
    }

    fn follow(&mut self, frame: &Grid, actions: ActionSet) -> Option<Decision> {
        let step = self.steps.pop_front().filter(|step| actions.contains(step.action.id()))?;
        let key = self.key(frame);
        let taken = self.taken.entry((key, step.action)).or_default();
        *taken += 1;
        if *taken > REPEATS {
            *taken = 0;
            self.give_up();
            return None;
        }
        let mask = self.detector.mask();
        self.expected = step.expected.map(|state| Snapshot::of(&state.frame).key(mask));
        let target = self.target.as_ref().map(Target::to_string).unwrap_or_default();
        let why = format!("plan: {target}, {} more, found among {} states", self.steps.len(), self.looked_at);
        Some(Decision { command: step.action.into(), why })
    }

    /// The plan leads in circles.
    fn give_up(&mut self) {
        if let Some(Target::Touch(thing)) = &self.target {
            self.ledger.penalize(*thing);
        }
    }
}
