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
    /// The ground of slots, where it was seen.
    ground: BTreeMap<(usize, Pixel), Color>,
}

impl Beds {
    /// Learns from a press that did this, by the pixels that presses change.
    pub(super) fn learn(&mut self, board: &Board, turn: &Turn, ink: &BTreeSet<Pixel>, (before, after): (&Grid, &Grid)) {
        for (to, from) in turn.sources() {
            let Some(content) = before.get(board.middle(from)) else { continue };
            let differs = |pixel: &&Pixel| seen(board, before, from, **pixel) != seen(board, after, to, **pixel);
            self.clear.extend(ink.iter().filter(differs).map(|pixel| (content, *pixel)));
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

    /// The colour of a pixel in one slot after what lies in another one came there.
    pub(super) fn after(&self, board: &Board, frame: &Grid, (to, from): (usize, usize), pixel: Pixel) -> Option<Color> {
        let (color, content) = (seen(board, frame, from, pixel)?, frame.get(board.middle(from))?);
        let is_clear = self.clear.contains(&(content, pixel)) || self.ground.get(&(from, pixel)) == Some(&color);
        let ground = self.ground.get(&(to, pixel)).filter(|_| is_clear);
        Some(*ground.unwrap_or(&color))
    }
}

/// The colour of a pixel in the room of a slot.
fn seen(board: &Board, frame: &Grid, slot: usize, (x, y): Pixel) -> Option<Color> {
    let room = board.room(slot);
    frame.get(Point::new(room.left.checked_add(x)?, room.top.checked_add(y)?).ok()?)
}
