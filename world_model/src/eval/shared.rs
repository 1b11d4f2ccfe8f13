//! One model in two places: judged by itself, and as a part of another one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use env_client::{Action, Grid};

use crate::{Advance, Prediction, Start, State, Transition, WorldModel};

/// One of several holders of a model. Only the first teaches it, once for all of them: learning is what a net spends its
/// time on.
#[derive(Debug)]
pub struct Shared<M> {
    model: Arc<Mutex<M>>,
    teaches: bool,
}

impl<M> Shared<M> {
    /// The holder that teaches.
    pub fn new(model: M) -> Shared<M> {
        Shared { model: Arc::new(Mutex::new(model)), teaches: true }
    }

    /// A holder that only asks.
    pub fn listener(&self) -> Shared<M> {
        Shared { model: Arc::clone(&self.model), teaches: false }
    }

    /// A model stays what it is when somebody who held it panicked.
    fn held(&self) -> MutexGuard<'_, M> {
        self.model.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M: WorldModel> WorldModel for Shared<M> {
    fn begin(&mut self, frame: &Grid, start: Start) {
        if self.teaches {
            self.held().begin(frame, start);
        }
    }

    fn observe(&mut self, transition: &Transition<'_>) {
        if self.teaches {
            self.held().observe(transition);
        }
    }

    fn state(&self, frame: &Grid) -> State {
        self.held().state(frame)
    }

    fn predict(&self, state: &State, action: Action) -> Prediction {
        self.held().predict(state, action)
    }

    fn advances(&self, state: &State, action: Action) -> Vec<Advance> {
        self.held().advances(state, action)
    }

    fn disagreement(&self, state: &State, action: Action) -> f32 {
        self.held().disagreement(state, action)
    }
}

#[cfg(test)]
mod tests {
    use env_client::Key;

    use super::*;
    use crate::{ExactMemory, Outcome};

    #[test]
    fn who_listens_knows_what_the_shared_model_was_taught_and_teaches_it_nothing() {
        let (before, layers): (Grid, [Grid; 1]) = ("100".parse().unwrap(), ["010".parse().unwrap()]);
        let action = Action::Key(Key::Key4);
        let transition = Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues };
        let mut shared = Shared::new(ExactMemory::new());
        let mut listener = shared.listener();
        let state = State::seen(before.clone());
        listener.observe(&transition);
        assert_eq!(listener.predict(&state, action), Prediction::UNKNOWN);
        shared.observe(&transition);
        assert_eq!(listener.predict(&state, action).next, Some(State::seen(layers[0].clone())));
    }
}
