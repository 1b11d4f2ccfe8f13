//! A frame as mechanisms look at it when they predict.

use env_client::{Action, Grid};

use super::{
    canvas::Canvas,
    hidden::{Deeds, Hidden},
    mover::{Arrows, Instance},
    sprite::Vector,
};
use crate::Motion;

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
    /// Which keys are arrows.
    pub(super) arrows: Arrows,
    /// What moved last.
    motions: &'a [Motion],
}

impl<'a> View<'a> {
    /// A frame in a state of which this is known.
    pub(super) fn new(frame: &'a Grid, action: Action, canvas: &'a Canvas, hidden: &'a Hidden) -> View<'a> {
        View {
            frame,
            action,
            canvas,
            deeds: hidden.deeds,
            company: 0,
            arrows: Arrows::default(),
            motions: &hidden.motions,
        }
    }

    /// How a piece came to where it is, if it was seen to move.
    pub(super) fn motion(&self, piece: Instance) -> Option<Motion> {
        let at = (piece.at.x, piece.at.y);
        self.motions.iter().find(|it| usize::from(it.class) == piece.class && it.at == at).copied()
    }

    /// The same with these looks of pieces, and these keys as arrows.
    pub(super) const fn in_company(self, company: u64, arrows: Arrows) -> View<'a> {
        View { company, arrows, ..self }
    }

    /// The number of the action in the protocol.
    pub(super) fn number(&self) -> u64 {
        u64::from(self.action.id().number())
    }

    /// Whether it is a key that is an arrow.
    pub(super) fn is_arrow(&self) -> bool {
        self.arrows.contains(self.number())
    }

    /// Where it clicks.
    pub(super) fn click(&self) -> Option<Vector> {
        self.action.point().map(|at| Vector::new(i16::from(at.x()), i16::from(at.y())))
    }
}
