//! Trained nets that the planner may ask.

use std::sync::Arc;

use world_model::net::Net;

use super::{Imagination, Kind, Part};

/// Nets whose checkpoints somebody named, shared by all plays. Without any the planner is what it is without them.
#[derive(Clone, Debug, Default)]
pub struct Nets {
    /// Imagines winning frames: the ARC solver.
    pub imagination: Option<Arc<dyn Imagination>>,
    /// Foresees frames where rules are silent. Each play learns with a copy of its own.
    pub foresight: Option<Arc<Net>>,
}

impl Nets {
    /// Whether a policy can be played: it is no other one where the part that it leaves out is not there.
    pub fn have(&self, kind: Kind) -> bool {
        match kind {
            Kind::PlanWithout(Part::Solver) => self.imagination.is_some(),
            Kind::PlanWithout(Part::Net) => self.foresight.is_some(),
            _ => true,
        }
    }

    /// A net for one play, fresh from its checkpoint.
    pub(super) fn foresight(&self, seed: u64) -> Option<Net> {
        // It was copied once when it was loaded; a play that cannot have its copy goes without, and the log says so.
        let net = self.foresight.as_deref()?.afresh(seed);
        net.inspect_err(|error| tracing::warn!(%error, "a play goes without its net")).ok()
    }

    /// All but the one that a part of the planner is.
    pub(super) fn without(mut self, part: Part) -> Nets {
        match part {
            Part::Solver => self.imagination = None,
            Part::Net => self.foresight = None,
            _ => {}
        }
        self
    }
}
