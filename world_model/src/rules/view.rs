//! A frame as mechanisms look at it when they predict.

use env_client::{Action, Color, Grid, Point};

use super::{
    buttons::is_button,
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
    number: u64,
    pub(super) canvas: &'a Canvas,
    /// What was done before.
    pub(super) deeds: Deeds,
    /// How the pieces look that are painted over when they are selected, in one number.
    pub(super) company: u64,
    /// Which keys are arrows.
    pub(super) arrows: Arrows,
    /// What moved last.
    motions: &'a [Motion],
    /// What lies under pieces where it is not what was seen there last.
    pub(super) under: &'a [(Point, Color)],
}

impl<'a> View<'a> {
    /// A frame in a state of which this is known.
    pub(super) fn new(frame: &'a Grid, action: Action, canvas: &'a Canvas, hidden: &'a Hidden) -> View<'a> {
        View {
            frame,
            action,
            number: u64::from(action.id().number()),
            canvas,
            deeds: hidden.deeds,
            company: 0,
            arrows: Arrows::default(),
            motions: &hidden.motions,
            under: &hidden.under,
        }
    }

    /// How a piece came to where it is, if it was seen to move.
    pub(super) fn motion(&self, piece: Instance) -> Option<Motion> {
        let at = (piece.at.x, piece.at.y);
        self.motions.iter().find(|it| usize::from(it.class) == piece.class && it.at == at).copied()
    }

    /// What lies under a piece here, where it is not what was seen here last.
    pub(super) fn under(&self, at: Vector) -> Option<Color> {
        let is_here = |cell: &Point| at == Vector::new(i16::from(cell.x()), i16::from(cell.y()));
        self.under.iter().find(|(cell, _)| is_here(cell)).map(|(_, color)| *color)
    }

    /// The same with these looks of pieces, and these keys as arrows.
    pub(super) const fn in_company(self, company: u64, arrows: Arrows) -> View<'a> {
        View { company, arrows, ..self }
    }

    /// The same with this number of the action, that of a button that it clicks.
    pub(super) const fn numbered(self, number: u64) -> View<'a> {
        View { number, ..self }
    }

    /// The number of the action in the protocol, or of the button that it clicks.
    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// Whether it is a key that is an arrow, or a button.
    pub(super) fn is_arrow(&self) -> bool {
        self.arrows.contains(self.number())
    }

    /// Where it clicks, unless on a button.
    pub(super) fn click(&self) -> Option<Vector> {
        self.action
            .point()
            .filter(|_| !is_button(self.number))
            .map(|at| Vector::new(i16::from(at.x()), i16::from(at.y())))
    }
}
