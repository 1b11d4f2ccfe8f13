//! The models that are asked, most trusted first.

use env_client::{Action, Grid};
use world_model::{Advance, ExactMemory, Prediction, Rules, Start, State, Transition, WorldModel};

/// What was seen before, and what mechanisms say about the rest.
#[derive(Debug, Default)]
pub struct Mind {
    memory: ExactMemory,
    rules: Rules,
}

impl WorldModel for Mind {
    fn begin(&mut self, frame: &Grid, start: Start) {
        self.memory.begin(frame, start);
        self.rules.begin(frame, start);
    }

    fn observe(&mut self, transition: &Transition<'_>) {
        self.memory.observe(transition);
        self.rules.observe(transition);
    }

    fn state(&self, frame: &Grid) -> State {
        self.rules.state(frame)
    }

    fn predict(&self, state: &State, action: Action) -> Prediction {
        let mut remembered = self.memory.predict(state, action);
        let Some(next) = &mut remembered.next else { return self.rules.predict(state, action) };
        next.hidden = state.hidden;
        remembered
    }

    fn advances(&self, state: &State, action: Action) -> Vec<Advance> {
        self.rules.advances(state, action)
    }

    fn foresee(&self, state: &State, action: Action) -> (Prediction, Vec<Advance>) {
        let remembered = self.memory.predict(state, action);
        let Some(next) = remembered.next else { return self.rules.foresee(state, action) };
        let next = Some(State { hidden: state.hidden, ..next });
        (Prediction { next, ..remembered }, self.rules.advances(state, action))
    }

    fn disagreement(&self, state: &State, action: Action) -> f32 {
        self.rules.disagreement(state, action)
    }
}
