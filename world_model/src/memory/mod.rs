//! Exact memory: what was done in a state, and what came of it.
//!
//! - [`ExactMemory`]: learns transitions and answers where the same was done in the same state before. Start here.
//! - `log` keeps every distinct frame once and what was done in order; `table` finds what was done in a state.
//! - [`Suspect`]: a state in which the same action had several outcomes, so that something matters that is not seen.
//!
//! States are the same when they look the same under the interface mask. The mask grows with play; then every frame
//! is keyed anew and the table rebuilt from the log, which merges what turned out to be one.

mod log;
mod suspect;
mod table;

use env_client::{Action, Grid};

pub use self::suspect::{Cause, Suspect};
use self::{
    log::{Log, Step},
    table::{Found, Table},
};
use crate::{
    InterfaceDetector, InterfaceMask, Outcome, Prediction, Snapshot, Source, Start, State, Transition, WorldModel,
    reliability::Reliability,
};

/// How often an outcome seen once is met again, before a play has shown it.
const PRIOR: Reliability = Reliability::believed(0.985, 60.0);

/// How often the commonest of several outcomes is met again, before a play has shown it.
const PRIOR_MIXED: Reliability = Reliability::believed(0.6, 5.0);

/// Remembers what every action led to.
#[derive(Clone, Debug)]
pub struct ExactMemory {
    detector: InterfaceDetector,
    log: Log,
    table: Table,
    /// How often an outcome that never varied came true, by whether it had been seen once, twice or more often.
    steady: [Reliability; 3],
    /// How often the commonest of several outcomes came true.
    mixed: Reliability,
    contradictions: u64,
}

impl Default for ExactMemory {
    fn default() -> Self {
        ExactMemory::new()
    }
}

impl ExactMemory {
    /// Remembers nothing yet.
    pub fn new() -> ExactMemory {
        ExactMemory {
            detector: InterfaceDetector::new(),
            log: Log::new(log::CAPACITY),
            table: Table::default(),
            steady: [PRIOR; 3],
            mixed: PRIOR_MIXED,
            contradictions: 0,
        }
    }

    /// What is known to be interface.
    pub fn mask(&self) -> &InterfaceMask {
        self.detector.mask()
    }

    /// What watches for it.
    pub fn interface(&self) -> &InterfaceDetector {
        &self.detector
    }

    /// How many different frames it holds.
    pub fn frames(&self) -> usize {
        self.log.frames()
    }

    /// How often something else came of an action than what had mostly come of it in that state.
    pub fn contradictions(&self) -> u64 {
        self.contradictions
    }

    /// Whether this action was ever taken in this state.
    pub fn knows(&self, frame: &Grid, action: Action) -> bool {
        self.find(frame, action).is_some()
    }

    /// The states in which an action had several outcomes, most often visited first.
    pub fn suspects(&self) -> Vec<Suspect> {
        suspect::all(&self.log, &self.table, self.mask())
    }

    fn find(&self, frame: &Grid, action: Action) -> Option<Found> {
        self.table.find(Snapshot::of(frame).key(self.mask()), action)
    }

    fn reliability(&mut self, found: Found) -> &mut Reliability {
        if found.is_mixed() { &mut self.mixed } else { &mut self.steady[found.support()] }
    }

    fn confidence(&self, found: Found) -> f32 {
        if found.is_mixed() { self.mixed.rate().min(found.share()) } else { self.steady[found.support()].rate() }
    }

    /// The remembered frame, with the interface as it is now unless the very same frame is remembered.
    fn recall(&self, found: Found, now: &Grid) -> Grid {
        let step = self.log.step(found.step);
        let mut next = self.log.frame(step.after).grid();
        if !self.mask().is_empty() && *self.log.frame(step.before) != Snapshot::of(now) {
            for point in now.points().filter(|point| self.mask().hides(*point)) {
                next.set(point, now[point]);
            }
        }
        next
    }

    /// Compares with what was remembered before.
    fn score(&mut self, step: &Step) {
        let key = self.log.key(step.before);
        if let Some(found) = self.table.find(key, step.action) {
            let right = self.log.same_outcome(self.log.step(found.step), step);
            self.contradictions += u64::from(!right);
            if found.has_majority() {
                self.reliability(found).count(right);
            }
        }
    }

    fn rebuild(&mut self) {
        self.log.rekey(self.detector.mask());
        self.table = Table::default();
        for number in 0..self.log.len() {
            self.table.learn(&self.log, number);
        }
    }
}

impl WorldModel for ExactMemory {
    fn begin(&mut self, frame: &Grid, start: Start) {
        self.log.interrupt();
        let grew = match start {
            Start::Level => {
                self.detector.begin_level(frame);
                false
            }
            Start::Again => self.detector.restarted(frame),
        };
        if grew {
            self.rebuild();
        }
    }

    fn observe(&mut self, transition: &Transition<'_>) {
        let after = transition.after();
        let grew = after
            .is_some_and(|after| self.detector.acted(transition.before, transition.action.into(), after).mask_grew);
        let step = self.log.enter(transition, self.detector.mask());
        if grew {
            self.log.rekey(self.detector.mask());
        }
        self.score(&step);
        if self.log.push(step) || grew {
            self.rebuild();
        } else {
            self.table.learn(&self.log, self.log.len() - 1);
        }
    }

    fn predict(&self, state: &State, action: Action) -> Prediction {
        let Some(found) = self.find(&state.frame, action).filter(|found| found.has_majority()) else {
            return Prediction::UNKNOWN;
        };
        let outcome = self.log.step(found.step).outcome;
        let next = match outcome {
            Outcome::Continues => State::seen(self.recall(found, &state.frame)),
            Outcome::Solved | Outcome::Lost => state.clone(),
        };
        Prediction { next: Some(next), outcome, confidence: self.confidence(found), source: Source::Memory }
    }

    fn disagreement(&self, state: &State, action: Action) -> f32 {
        self.find(&state.frame, action).map_or(1.0, |found| 1.0 - found.share())
    }
}

#[cfg(test)]
mod tests;
