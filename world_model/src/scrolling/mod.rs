//! Views that scroll: a world larger than what is seen of it at once, and a camera that follows a piece.
//!
//! # Layout
//! - [`Scrolling`]: watches a play until it is sure that its view moves. Start here.
//! - [`Atlas`]: then shows every frame as one in which nothing scrolls: the whole world in the place of the view.
//! - [`shift`]: whether the view moved from one frame to the next; [`lens`]: how the world is shown; [`chart`]: what was
//!   seen of it, and where the view is.
//!
//! # The one decision
//! A frame of what is known of the world replaces the frame that was seen, before anything else looks at it. Of each tile
//! only some lines are shown, so that the world is no larger than the view is, and interface stays where it is. Nothing
//! else needs to know that views scroll: walls out of view are walls, one place is one state from wherever it is seen, and
//! what was not seen yet is ground of a colour of its own that no piece entered. The price is fine drawing.
//!
//! What a step brings into view is shown in the frame before it, too: it was there, and is no effect of the step.

mod atlas;
mod chart;
mod lens;
mod shift;
#[cfg(test)]
mod tests;

use env_client::Grid;

pub use self::atlas::Atlas;
use self::{lens::Lens, shift::Shift};
use crate::{Bounds, divisor::divisor};

/// A place in tiles, or a way between two.
type At = (i16, i16);

/// Steps on which the view moved before it is believed, and how many of them brought something new into view.
const SHIFTS: usize = 3;
const REVEALED: usize = 1;
/// Frames of an animation that are compared, at most.
const LAYERS: usize = 16;

/// What speaks for a view that moves.
#[derive(Debug, Default)]
pub struct Scrolling {
    /// How often it moved, and how often that brought something new into view.
    shifts: usize,
    revealed: usize,
    first: Option<(i16, i16)>,
    /// Whether it moved by another way than at first.
    turns: bool,
    /// The greatest step that all its ways are made of, in cells.
    stride: i16,
    /// Where in the frame anything was seen to move with it.
    area: Option<Bounds>,
}

impl Scrolling {
    /// A key led from a frame to others, within one level.
    pub fn watch(&mut self, before: &Grid, layers: &[Grid]) {
        let Some(last) = layers.last() else { return };
        if let Some(shift) = Shift::between(before, last) {
            return self.add(shift);
        }
        if (2..=LAYERS).contains(&layers.len()) {
            let frames: Vec<&Grid> = std::iter::once(before).chain(layers).collect();
            frames.windows(2).filter_map(|it| Shift::between(it[0], it[1])).for_each(|shift| self.add(shift));
        }
    }

    fn add(&mut self, shift: Shift) {
        self.shifts += 1;
        self.revealed += usize::from(shift.reveals);
        self.turns |= *self.first.get_or_insert(shift.by) != shift.by;
        self.stride = divisor(self.stride, shift.by.0 + shift.by.1);
        self.area = Some(self.area.map_or(shift.area, |area| area.union(shift.area)));
    }

    /// Whether the view is sure to move, and as keys are pressed: what only ever goes one way drifts by itself.
    pub fn is_proven(&self) -> bool {
        self.turns && self.shifts >= SHIFTS && self.revealed >= REVEALED
    }

    /// What of the frame is sure to be in view, as far as was seen: where all is alike at its rim, less than it is.
    pub fn view(&self) -> Option<Bounds> {
        self.area.filter(|_| self.is_proven())
    }

    /// An atlas for such a view; `None` where it has no tiles.
    pub fn atlas<'a>(&self, frames: impl IntoIterator<Item = &'a Grid>) -> Option<Atlas> {
        let frames: Vec<&Grid> = frames.into_iter().collect();
        Lens::find(self.area?, self.stride, &frames).map(Atlas::new)
    }
}
