//! A model that is told the wrong actions.

use env_client::{Action, Grid};

use crate::{Prediction, Start, State, Transition, WorldModel};

/// Teaches a model every transition under an action taken some time before, and asks it about the true ones. What it
/// still gets right it would get right without looking at the action.
#[derive(Clone, Debug)]
pub struct Shuffled<M> {
    model: M,
    taken: Vec<Action>,
}

impl<M> Shuffled<M> {
    /// Wraps a model that has learned nothing yet.
    pub fn new(model: M) -> Shuffled<M> {
        Shuffled { model, taken: Vec::new() }
    }

    /// One of the actions so far, drawn by a multiplicative hash of their number.
    fn draw(&self) -> Action {
        let number = self.taken.len() as u64;
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        self.taken[(mixed % number) as usize]
    }
}

impl<M: WorldModel> WorldModel for Shuffled<M> {
    fn begin(&mut self, frame: &Grid, start: Start) {
        self.model.begin(frame, start);
    }

    fn observe(&mut self, transition: &Transition<'_>) {
        self.taken.push(transition.action);
        self.model.observe(&Transition { action: self.draw(), ..*transition });
    }

    fn state(&self, frame: &Grid) -> State {
        self.model.state(frame)
    }

    fn predict(&self, state: &State, action: Action) -> Prediction {
        self.model.predict(state, action)
    }

    fn disagreement(&self, state: &State, action: Action) -> f32 {
        self.model.disagreement(state, action)
    }
}
