//! Mechanisms with parameters, learned from a few dozen transitions of one play.
//!
//! # Layout
//! - [`Rules`]: the learner, a [`WorldModel`]. Start here.
//! - `law`: which discrete features decide a discrete outcome, by description length; every mechanism asks laws.
//! - `mover`: pieces that move, what stops them, what they push and what they leave behind.
//! - `claim`: what mechanisms say about cells, put together into the next frame.
//! - `calibration`: how often predictions in such circumstances were right.
//! - `step`, `view`, `sprite`, `canvas`: a transition read, a frame looked at, a piece's picture, the ground.
//!
//! # The one decision
//! A mechanism has fixed features and outcomes; *which* features matter is found by coding every outcome before it is
//! learned, for all small sets of features at once. So learning is incremental and exact, refutation is a longer code,
//! and a further condition comes in by itself. The price is memory for all the hypotheses that lose.

mod calibration;
mod canvas;
mod claim;
mod law;
mod mover;
mod sprite;
mod step;
#[cfg(test)]
mod tests;
mod view;

use env_client::{Action, Grid};

use self::{calibration::Calibration, canvas::Canvas, claim::Composer, mover::Movers, step::Step, view::View};
use crate::{Outcome, Prediction, Scene, Source, Start, State, Transition, WorldModel};

/// Learns mechanisms from one play and predicts with them.
#[derive(Clone, Debug)]
pub struct Rules {
    canvas: Canvas,
    movers: Movers,
    calibration: Calibration,
}

impl Default for Rules {
    fn default() -> Self {
        Rules::new()
    }
}

impl Rules {
    /// Knows nothing.
    pub fn new() -> Rules {
        Rules { canvas: Canvas::new(), movers: Movers::default(), calibration: Calibration::default() }
    }

    /// Every rule as a sentence.
    pub fn sentences(&self) -> Vec<String> {
        self.movers.sentences()
    }

    fn compose(&self, view: &View<'_>) -> Option<Composer> {
        let moves = self.movers.expect(view);
        if moves.is_open || moves.placements.is_empty() {
            return None;
        }
        let mut composer = Composer::new(view.frame.clone());
        composer.add(&moves.claim);
        Some(composer)
    }

    fn read(&mut self, step: &Step<'_>) {
        let canvas = self.canvas.clone();
        let view = View::with_scene(step.before, step.action, &canvas, step.old.clone());
        self.movers.learn(step, &view, &mut self.canvas);
        let covered = self.movers.cover(step.after);
        self.canvas.see(step.after, &covered);
    }
}

/// The circumstances of a prediction, from wide to narrow.
fn circumstances(composer: &Composer) -> [u64; 3] {
    [0, 1 + u64::from(composer.support), composer.context]
}

impl WorldModel for Rules {
    fn begin(&mut self, frame: &Grid, _start: Start) {
        self.canvas = Canvas::new();
        self.movers.begin();
        let covered = self.movers.cover(frame);
        self.canvas.see(frame, &covered);
    }

    fn observe(&mut self, transition: &Transition<'_>) {
        let Some(after) = transition.after() else { return };
        let view = View::new(transition.before, transition.action, &self.canvas);
        if let Some(composer) = self.compose(&view) {
            let right = composer.frame == *after;
            self.calibration.learn(&circumstances(&composer), right);
        }
        let (old, new) = (Scene::of(transition.before), Scene::of(after));
        let step = Step { before: transition.before, after, action: transition.action, old: &old, new: &new };
        self.read(&step);
    }

    fn predict(&self, state: &State, action: Action) -> Prediction {
        let view = View::new(&state.frame, action, &self.canvas);
        let Some(composer) = self.compose(&view) else { return Prediction::UNKNOWN };
        let confidence = self.calibration.chance(&circumstances(&composer));
        let next = State { frame: composer.frame, hidden: state.hidden };
        Prediction { next: Some(next), outcome: Outcome::Continues, confidence, source: Source::Rules }
    }

    fn disagreement(&self, state: &State, action: Action) -> f32 {
        1.0 - self.predict(state, action).confidence
    }
}
