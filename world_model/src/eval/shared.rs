//! One model in two places: judged by itself, and as a part of another one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use env_client::{Action, Grid};

use crate::{Advance, Prediction, Start, State, Transition, WorldModel};

/// A model that others listen to. It is taught here, once for all of them: learning is what a net spends its time on.
#[derive(Debug)]
pub struct Shared<M>(Arc<Mutex<M>>);

/// Answers as a shared model does, and is taught nothing itself.
#[derive(Debug)]
pub struct Listener<M>(Arc<Mutex<M>>);

impl<M> Shared<M> {
    /// A model that nobody listens to yet.
    pub fn new(model: M) -> Shared<M> {
        Shared(Arc::new(Mutex::new(model)))
    }

    /// Somebody who listens.
    pub fn listener(&self) -> Listener<M> {
        Listener(Arc::clone(&self.0))
    }
}

/// A model stays what it is when somebody who held it panicked.
fn held<M>(model: &Mutex<M>) -> MutexGuard<'_, M> {
    model.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<M: WorldModel> WorldModel for Shared<M> {
    fn begin(&mut self, frame: &Grid, start: Start) {
        held(&self.0).begin(frame, start);
    }

    fn observe(&mut self, transition: &Transition<'_>) {
        held(&self.0).observe(transition);
    }

    fn state(&self, frame: &Grid) -> State {
        held(&self.0).state(frame)
    }

    fn predict(&self, state: &State, action: Action) -> Prediction {
        held(&self.0).predict(state, action)
    }

    fn advances(&self, state: &State, action: Action) -> Vec<Advance> {
        held(&self.0).advances(state, action)
    }

    fn disagreement(&self, state: &State, action: Action) -> f32 {
        held(&self.0).disagreement(state, action)
    }
}

impl<M: WorldModel> WorldModel for Listener<M> {
    fn begin(&mut self, _frame: &Grid, _start: Start) {}

    fn observe(&mut self, _transition: &Transition<'_>) {}

    fn state(&self, frame: &Grid) -> State {
        held(&self.0).state(frame)
    }

    fn predict(&self, state: &State, action: Action) -> Prediction {
        held(&self.0).predict(state, action)
    }

    fn advances(&self, state: &State, action: Action) -> Vec<Advance> {
        held(&self.0).advances(state, action)
    }

    fn disagreement(&self, state: &State, action: Action) -> f32 {
        held(&self.0).disagreement(state, action)
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
