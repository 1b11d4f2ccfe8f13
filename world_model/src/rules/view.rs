//! A frame as mechanisms look at it when they predict.

use env_client::{Action, Grid};

use super::{canvas::Canvas, hidden::Deeds, sprite::Vector};

/// A frame, what is done, and what is known beyond it.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub(super) frame: &'a Grid,
    pub(super) action: Action,
    pub(super) canvas: &'a Canvas,
    /// What was done before.
    pub(super) deeds: Deeds,
    /// How the pieces look that are painted over when they are selected, in one number.
    pub(super) company: u64,
}

impl<'a> View<'a> {
    pub(super) const fn new(frame: &'a Grid, action: Action, canvas: &'a Canvas, deeds: Deeds) -> View<'a> {
        View { frame, action, canvas, deeds, company: 0 }
    }

    /// The same with these looks of pieces.
    pub(super) const fn in_company(self, company: u64) -> View<'a> {
        View { company, ..self }
    }

    /// The number of the action in the protocol.
    pub(super) fn number(&self) -> u64 {
        u64::from(self.action.id().number())
    }

    /// Whether it is one of the four keys that the official player binds to arrows.
    pub(super) fn is_arrow(&self) -> bool {
        (1..=4).contains(&self.number())
    }

    /// Where it clicks.
    pub(super) fn click(&self) -> Option<Vector> {
        self.action.point().map(|at| Vector::new(i16::from(at.x()), i16::from(at.y())))
    }
}
