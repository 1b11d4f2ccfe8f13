//! What lies beneath what moves along tracks: the ground of each slot, told from presses.
//!
//! A track may be drawn on a bed of its own colour, and slots may bear marks. What moves on takes only what it is drawn with
//! along; where it lets the ground be seen, that of the slot it comes to is seen next. A pixel that came to another slot in
//! another colour tells so: both colours are ground, and what moved there is clear at that pixel.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Color, Grid, Point};

use super::turn::Turn;
use crate::cells::Board;

/// A pixel of a slot's room, from its corner.
type Pixel = (u8, u8);

/// The ground of slots.
#[derive(Clone, Debug, Default)]
pub(super) struct Beds {
    /// Where what has this colour in its middle lets the ground be seen.
    clear: BTreeSet<(Color, Pixel)>,
    /// Where it took a colour along that was not there before.
    solid: BTreeSet<(Color, Pixel)>,
    /// The ground of slots, where it was seen.
    ground: BTreeMap<(usize, Pixel), Color>,
}

impl Beds {
    /// A level begins, drawn like the one before: its ground is another one.
    pub(super) fn begin(&mut self) {
        self.ground.clear();
    }

    /// Learns from a press that did this, by the pixels that presses change.
    pub(super) fn learn(&mut self, board: &Board, turn: &Turn, ink: &BTreeSet<Pixel>, (before, after): (&Grid, &Grid)) {
        for (to, from) in turn.sources() {
            let Some(content) = before.get(board.middle(from)) else { continue };
            let differs = |pixel: &&Pixel| seen(board, before, from, **pixel) != seen(board, after, to, **pixel);
            self.clear.extend(ink.iter().filter(differs).map(|pixel| (content, *pixel)));
            let covered = before.get(board.middle(to));
            let came = |pixel: &&Pixel| {
                let (was, is) = (seen(board, before, to, **pixel), seen(board, after, to, **pixel));
                was != is && was != covered && is == seen(board, before, from, **pixel)
            };
            self.solid.extend(ink.iter().filter(came).map(|pixel| (content, *pixel)));
        }
        for frame in [before, after] {
            self.look(board, frame);
        }
    }

    /// Notes the ground that is to be seen in a frame.
    fn look(&mut self, board: &Board, frame: &Grid) {
        for slot in 0..board.len() {
            let content = frame.get(board.middle(slot));
            for (_, pixel) in self.clear.iter().filter(|(color, _)| Some(*color) == content) {
                if let Some(color) = seen(board, frame, slot, *pixel) {
                    self.ground.insert((slot, *pixel), color);
                }
            }
        }
    }

    /// The colour of a pixel in one slot after what lies in another one came there. Where nobody saw the ground yet, pixels around
    /// a slot show it that have a colour which frames it, as the set `frames` tells, and not that of its middle.
    pub(super) fn after(
        &self,
        board: &Board,
        frame: &Grid,
        (to, from): (usize, usize),
        (pixel, frames): (Pixel, &impl Fn(usize) -> u16),
    ) -> Option<Color> {
        let (color, content) = (seen(board, frame, from, pixel)?, frame.get(board.middle(from))?);
        let is_clear = match self.ground.get(&(from, pixel)) {
            _ if self.clear.contains(&(content, pixel)) => true,
            Some(ground) => *ground == color,
            None if self.solid.contains(&(content, pixel)) => false,
            None => is_around(board, pixel) && frames(from) >> color.index() & 1 == 1,
        };
        let known = || self.ground.get(&(to, pixel)).copied();
        let covered = frame.get(board.middle(to));
        let shown = || seen(board, frame, to, pixel).filter(|it| is_around(board, pixel) && Some(*it) != covered);
        Some(if is_clear { known().or_else(shown).unwrap_or(color) } else { color })
    }
}

/// Whether a pixel of a slot's room lies around it.
fn is_around(board: &Board, (x, y): Pixel) -> bool {
    let (room, slot) = (board.room(0), board.bounds(0));
    !slot.contains(room.left + x, room.top + y)
}

/// The colour of a pixel in the room of a slot.
fn seen(board: &Board, frame: &Grid, slot: usize, (x, y): Pixel) -> Option<Color> {
    let room = board.room(slot);
    frame.get(Point::new(room.left.checked_add(x)?, room.top.checked_add(y)?).ok()?)
}
