//! Whether a plan still holds once a step of it was taken.

use env_client::{Action, Grid, Point};
use world_model::{Outcome, State, WorldModel};

use super::{Plan, curiosity::Target, search::NodeKey};

impl<M: WorldModel> Plan<M> {
    /// Pieces are somewhere: whether the plan that led there still holds, and what it wanted came true.
    pub(super) fn arrive(&mut self, new: &Grid, from: NodeKey, action: Action) {
        let place = self.place(new);
        if self.visited.insert(place) {
            self.patience = 1;
        }
        if let Some(expected) = self.expected.take().filter(|expected| self.is_surprise(expected, new)) {
            self.arrangements.reconsider();
            if !self.goes_on(&expected, new) {
                self.failed.insert((from, action));
                if let Some(Target::Arrange(name)) = self.target {
                    self.arrangements.was_surprised(name);
                }
                self.steps.clear();
                self.target = None;
            }
        }
        match &self.target {
            Some(Target::Arrange(name)) if self.steps.is_empty() => {
                self.arrangements.was_vain(*name);
                self.target = None;
            }
            Some(Target::Enter(kind)) if self.steps.is_empty() => self.ledger.went_for(*kind),
            Some(Target::Press(it, Some(thing))) if self.steps.is_empty() && it.id() == action.id() => {
                self.ledger.went_to_press(action.id(), *thing);
            }
            _ => {}
        }
    }

    /// Whether the plan leads on although something else is not where it was expected, as where guards walk: the pieces are
    /// where they should be, and get where they should by the rest of it as well. If so it expects that from now on.
    fn goes_on(&mut self, expected: &State, new: &Grid) -> bool {
        let now = self.model.state(new);
        if self.steps.is_empty() || self.model.still(&now).is_none() {
            return false;
        }
        let places = |state: &State, action| -> Vec<Vec<Point>> {
            self.model.advances(state, action).into_iter().map(|it| it.from).collect()
        };
        let (mut before, mut state, mut steps) = (expected.clone(), now, self.steps.clone());
        for step in &mut steps {
            if places(&before, step.action) != places(&state, step.action) {
                return false;
            }
            let Some(planned) = &step.expected else { break };
            let prediction = self.model.predict(&state, step.action);
            let Some(next) = prediction.next.filter(|_| prediction.outcome != Outcome::Lost) else { return false };
            before = planned.clone();
            state = next;
            step.expected = Some(state.clone());
        }
        self.steps = steps;
        true
    }

    /// Whether a frame is not what was expected, but for details where a piece comes to lie on its slot.
    fn is_surprise(&self, expected: &State, new: &Grid) -> bool {
        if NodeKey::of(expected, self.detector.mask()) == self.key(new) {
            return false;
        }
        let arranging = self.arranging.as_ref().filter(|_| matches!(self.target, Some(Target::Arrange(_))));
        arranging.is_none_or(|it| !it.blurs(&self.changed(&expected.frame, new)))
    }
}
