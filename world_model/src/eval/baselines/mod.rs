//! What every model is compared with. None of them knows when it does not know: they fall back on the frame as it is.
//!
//! - [`copy_last`]: nothing ever changes.
//! - [`cache`]: what the same action did in the same state before.
//! - [`patches`]: for each cell, what the same action did to a cell with the same surroundings.
//! - [`frequent_edit`]: what the action did most often, wherever that was.
//! - [`Shuffled`]: a model that is told the wrong actions; one that does not suffer from it ignores them.

mod frequent;
mod patches;
mod shuffled;

use env_client::{Action, Grid};

pub use self::shuffled::Shuffled;
use self::{frequent::FrequentEdit, patches::Patches};
use crate::{ExactMemory, Prediction, Source, Start, State, Transition, WorldModel, reliability::Reliability};

/// Something that always has an answer.
pub trait Guess {
    /// A level begins, or begins again, with this frame.
    fn begin(&mut self, _frame: &Grid, _start: Start) {}

    /// Learns from one action.
    fn learn(&mut self, transition: &Transition<'_>);

    /// The frame after `action`.
    fn guess(&self, frame: &Grid, action: Action) -> Grid;
}

/// A guess as a model: as sure of itself as it was right so far.
#[derive(Clone, Debug)]
pub struct Baseline<G> {
    guess: G,
    reliability: Reliability,
}

impl<G> Baseline<G> {
    const fn new(guess: G) -> Baseline<G> {
        // As good as unknown before anything was counted.
        Baseline { guess, reliability: Reliability::believed(0.5, 2.0) }
    }
}

impl<G: Guess> WorldModel for Baseline<G> {
    fn begin(&mut self, frame: &Grid, start: Start) {
        self.guess.begin(frame, start);
    }

    fn observe(&mut self, transition: &Transition<'_>) {
        let right =
            transition.after().is_some_and(|after| self.guess.guess(transition.before, transition.action) == *after);
        self.reliability.count(right);
        self.guess.learn(transition);
    }

    fn predict(&self, state: &State, action: Action) -> Prediction {
        Prediction {
            next: Some(State::seen(self.guess.guess(&state.frame, action))),
            confidence: self.reliability.rate(),
            source: Source::Nobody,
            ..Prediction::UNKNOWN
        }
    }

    fn disagreement(&self, _state: &State, _action: Action) -> f32 {
        0.0
    }
}

/// Nothing ever changes.
pub fn copy_last() -> Baseline<CopyLast> {
    Baseline::new(CopyLast)
}

/// What the same action did in the same state before, else nothing.
pub fn cache() -> Baseline<Cache> {
    Baseline::new(Cache(ExactMemory::new()))
}

/// What the same action did most often to a cell with the same 7×7 surroundings, else nothing.
pub fn patches() -> Baseline<Patches> {
    Baseline::new(Patches::default())
}

/// The set of changed cells that the action caused most often.
pub fn frequent_edit() -> Baseline<FrequentEdit> {
    Baseline::new(FrequentEdit::default())
}

/// See [`copy_last`].
#[derive(Clone, Copy, Debug)]
pub struct CopyLast;

impl Guess for CopyLast {
    fn learn(&mut self, _transition: &Transition<'_>) {}

    fn guess(&self, frame: &Grid, _action: Action) -> Grid {
        frame.clone()
    }
}

/// See [`cache`].
#[derive(Clone, Debug)]
pub struct Cache(ExactMemory);

impl Guess for Cache {
    fn begin(&mut self, frame: &Grid, start: Start) {
        self.0.begin(frame, start);
    }

    fn learn(&mut self, transition: &Transition<'_>) {
        self.0.observe(transition);
    }

    fn guess(&self, frame: &Grid, action: Action) -> Grid {
        let state = State::seen(frame.clone());
        self.0.predict(&state, action).next.map_or(state.frame, |next| next.frame)
    }
}

#[cfg(test)]
mod tests;
