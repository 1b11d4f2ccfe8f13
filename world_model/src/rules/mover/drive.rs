//! How a driven piece lies to the one that drives it.

use crate::rules::sprite::Vector;

/// How a piece lies to one that answers to actions: in its way, so that it may be pushed, behind it, so that it may be
/// pulled, within the rectangle around it, so that it may be carried, beside it, so that it may be held, or in one row or
/// column with it, so that it may be reached from afar.
pub(super) const AHEAD: u64 = 1;
pub(super) const BEHIND: u64 = 2;
pub(super) const WITHIN: u64 = 3;
pub(super) const BESIDE: u64 = 4;
pub(super) const ALIGNED: u64 = 5;

/// How a driven piece lies to the one that drives, and where that one goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Drive {
    /// 0 apart, [`AHEAD`], [`BEHIND`], [`WITHIN`], [`BESIDE`] or [`ALIGNED`].
    pub(super) relation: u64,
    /// Where that one goes; of one that is [`ALIGNED`], one cell towards it.
    pub(super) by: Vector,
    /// Where the piece gets if it goes around the one that drives to where that means to go; nowhere where that went itself.
    pub(super) around: Vector,
    /// What the one that drives looks like, whichever way it is turned, and whether it looks at the piece: who holds
    /// something may look different.
    pub(super) look: u64,
    /// The colours between them where they are [`ALIGNED`].
    pub(super) between: u32,
    /// The colours of the ground that the one that drives has entered: what is no wall to it is none to what it takes along,
    /// as long as nothing else was seen.
    pub(super) trodden: u32,
}

impl Drive {
    /// Whether it has nothing to do with the piece, or stands beside it and does not go anywhere.
    pub(super) fn is_idle(&self) -> bool {
        let rests = self.by == Vector::ZERO && self.around == Vector::ZERO;
        self.relation == 0 || self.relation == BESIDE && rests
    }

    /// Whether a piece that is pushed so and goes by this goes on where the push ends.
    pub(super) fn is_outrun(&self, by: Vector) -> bool {
        self.relation == AHEAD && self.by.is_along(by) && by.length() > self.by.length()
    }

    /// Whether a piece that is pushed so and goes by this turned on its way.
    pub(super) fn is_turned(&self, by: Vector) -> bool {
        let along = Vector::new(by.x * self.by.x.abs().min(1), by.y * self.by.y.abs().min(1));
        self.relation == AHEAD && by.x != 0 && by.y != 0 && self.by.is_along(along)
    }
}
