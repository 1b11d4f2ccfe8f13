//! Stacks of tiles: a click takes the uppermost tile of one, and a second click lays it on another.
//!
//! # Layout
//! - [`Stacks`] (here): which tile was taken and laid where. Start here.
//! - `lanes`: where stacks stand, and what lies in them.
//!
//! # The one decision
//! How a tile looks while it is held is nobody's business: a frame before the one click is compared with the frame after the
//! other. Where exactly one tile went from the top of one stack to the top of another, there are stacks; its measures tell
//! where they stand.

mod lanes;
#[cfg(test)]
mod tests;

use env_client::{Action, Color, Grid, Point};

use self::lanes::{Lanes, Manner, Shift};
use crate::{InterfaceMask, Outcome, Start, Transition};

/// One tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tile {
    /// What it looks like.
    pub color: Color,
    /// In cells.
    pub width: u8,
}

/// What lies in every stack, from the left to the right, the lowest tile first.
pub type Layout = Vec<Vec<Tile>>;

/// Learns where stacks stand.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    /// What tiles of this game measure, and where they stand in this level.
    manner: Option<Manner>,
    lanes: Option<Lanes>,
    /// The most tiles that lay in one stack when the level began.
    room: usize,
    /// The first click of two, and the frame before it.
    held: Option<(Point, Grid)>,
    now: Option<Grid>,
    /// Tiles that were taken from one stack and laid on another.
    moves: u32,
}

impl Stacks {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        (self.held, self.now) = (None, Some(frame.clone()));
        if start == Start::Level {
            self.lanes = self.manner.and_then(|manner| Lanes::find_again(frame, mask, manner));
            self.room = self.layout().map_or(0, |all| deepest(&all));
        }
    }

    /// Learns from one action.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let held = self.held.take();
        let Some(after) = step.after().filter(|_| step.outcome == Outcome::Continues) else { return };
        self.now = Some(after.clone());
        let Action::Click(at) = step.action else { return };
        let rest = held.as_ref().map_or(step.before, |it| &it.1).clone();
        if let Some(is_move) = self.lanes.as_ref().and_then(|lanes| lanes.is_move(&rest, after)) {
            self.moves += u32::from(is_move);
            return;
        }
        if rest.differences(after).is_none_or(|mut cells| cells.all(|at| mask.hides(at))) {
            return; // Nothing was taken, or it was laid back.
        }
        let shift = held.and_then(|(from, rest)| Shift::between([&rest, after], mask, [from, at]));
        if !shift.is_some_and(|shift| self.learn([&rest, after], mask, shift)) {
            self.held = Some((at, rest));
        }
    }

    /// A tile may have gone from one stack to another, which tells where all of them stand; whether it did.
    fn learn(&mut self, [rest, after]: [&Grid; 2], mask: &InterfaceMask, shift: Shift) -> bool {
        let lanes = Lanes::find(rest, mask, shift.manner(), &shift.centers());
        let Some(lanes) = lanes.filter(|it| it.is_move(rest, after) == Some(true)) else { return false };
        self.room = self.room.max(deepest(&lanes.read(rest)));
        (self.manner, self.lanes) = (Some(lanes.manner(rest)), Some(lanes));
        self.moves += 1;
        true
    }

    /// Whether tiles were seen to be taken and laid.
    pub fn is_understood(&self) -> bool {
        self.moves > 0
    }

    /// What lies in every stack; `None` where none are known, or while a tile is held.
    pub fn layout(&self) -> Option<Layout> {
        let frame = self.now.as_ref().filter(|_| self.held.is_none())?;
        Some(self.lanes.as_ref()?.read(frame))
    }

    /// The most tiles of one stack, as far as was seen.
    pub fn room(&self) -> usize {
        self.room
    }

    /// The click that lays back what is held.
    pub fn lay_back(&self) -> Option<Action> {
        self.held.as_ref().map(|it| Action::Click(it.0))
    }

    /// The click on a stack that holds so many tiles.
    pub fn click(&self, stack: usize, tiles: usize) -> Option<Action> {
        self.lanes.as_ref()?.point(stack, tiles).map(Action::Click)
    }
}

fn deepest(layout: &Layout) -> usize {
    layout.iter().map(Vec::len).max().unwrap_or_default()
}
