//! What the model adds to a decision, whoever made it: what should come of it, and where the last forecast was wrong.

use env_client::{Command, Grid};
use world_model::{Outcome, Prediction, WorldModel};

use super::Plan;
use crate::policy::{Decision, Forecast, Who};

/// A forecast that is more likely than this and does not come true is a surprise.
pub(super) const LIKELY: f32 = 0.5;

impl<M: WorldModel> Plan<M> {
    /// A decision on seeing `frame`, with what the model has to say about both.
    pub(super) fn explain(&mut self, frame: &Grid, mut decision: Decision) -> Decision {
        decision.looked_at = self.effort.looked_at();
        decision.surprise = self.foreseen.take().and_then(|foreseen| self.surprise(&foreseen, frame));
        if let (Who::Imagine, Some(image)) = (decision.who, self.imagery.now()) {
            decision.why = format!("{}; {:.0} % of views agree", decision.why, 100.0 * image.confidence);
        }
        decision.forecast = decision.forecast.or_else(|| self.forecast(frame, decision.command));
        self.foreseen.clone_from(&decision.forecast);
        decision
    }

    fn forecast(&mut self, frame: &Grid, command: Command) -> Option<Forecast> {
        let Command::Act(action) = command else { return None };
        let prediction = self.model.predict(&self.state(frame), action);
        if let Some(hunches) = &mut self.hunches {
            hunches.expect(frame, &prediction, self.detector.mask());
        }
        let Prediction { next, outcome, confidence, .. } = prediction;
        let next = next.filter(|_| outcome == Outcome::Continues)?;
        Some(Forecast { frame: next.frame, confidence: Some(confidence) })
    }

    /// How a frame differs from what was foreseen of it, where that was more likely than not.
    fn surprise(&self, foreseen: &Forecast, frame: &Grid) -> Option<String> {
        foreseen.confidence.filter(|confidence| *confidence > LIKELY)?;
        let mask = self.detector.mask();
        let cells = foreseen.frame.differences(frame)?.filter(|at| !mask.hides(*at)).count();
        (cells > 0).then(|| format!("{cells} cells are not as foreseen"))
    }
}
