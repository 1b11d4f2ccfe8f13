//! Places that are deadly as the world is: whoever comes there is lost, from whatever side.
//!
//! What kills need not be what a piece touches: who guards a corridor strikes from beside it. So a loss is blamed on where
//! the pieces meant to be, too, while all the rest of the frame looks as it did.

use env_client::{Grid, Point};
use world_model::{Advance, InterfaceMask};

/// Losses remembered in one level; each is compared with every step that leads to its place.
const LOSSES: usize = 32;

/// The losses of a level.
#[derive(Debug, Default)]
pub(super) struct Perils {
    losses: Vec<Loss>,
}

#[derive(Debug)]
struct Loss {
    frame: Grid,
    from: Vec<Point>,
    end: Vec<Point>,
}

impl Perils {
    /// A new level.
    pub(super) fn begin_level(&mut self) {
        self.losses.clear();
    }

    /// Pieces that meant to move so in this frame were lost.
    pub(super) fn died(&mut self, frame: &Grid, advances: &[Advance]) {
        let end = ends(advances);
        if self.losses.len() < LOSSES && !end.is_empty() {
            let from = advances.iter().flat_map(|it| it.from.iter().copied()).collect();
            self.losses.push(Loss { frame: frame.clone(), from, end });
        }
    }

    /// Whether pieces that mean to move so in this frame come to where others were lost in the same world.
    pub(super) fn is_deadly(&self, frame: &Grid, mask: &InterfaceMask, advances: &[Advance]) -> bool {
        if self.losses.is_empty() {
            return false;
        }
        let end = ends(advances);
        self.losses.iter().any(|loss| loss.end == end && loss.is_same_world(frame, mask, advances))
    }
}

impl Loss {
    /// Whether a frame differs from that of the loss only where pieces are, and in the interface.
    fn is_same_world(&self, frame: &Grid, mask: &InterfaceMask, advances: &[Advance]) -> bool {
        let is_piece = |at: Point| self.from.contains(&at) || advances.iter().any(|it| it.from.contains(&at));
        let differences = self.frame.differences(frame);
        differences.is_some_and(|mut cells| cells.all(|at| mask.hides(at) || is_piece(at)))
    }
}

/// Where pieces mean to be, cell by cell.
fn ends(advances: &[Advance]) -> Vec<Point> {
    let end = |it: &Advance| {
        let (dx, dy) = it.by;
        let moved = |at: &Point| Point::new(i16::from(at.x()) + dx, i16::from(at.y()) + dy).ok();
        it.from.iter().filter_map(moved).collect::<Vec<Point>>()
    };
    let mut ends: Vec<Point> = advances.iter().flat_map(end).collect();
    ends.sort_unstable();
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(picture: &str) -> Grid {
        picture.parse().unwrap()
    }

    /// A piece at this cell that means to go so.
    fn step(x: u8, y: u8, by: (i16, i16)) -> [Advance; 1] {
        [Advance { from: vec![Point::new(x, y).unwrap()], by, ..Advance::default() }]
    }

    #[test]
    fn a_place_is_deadly_from_every_side_while_the_world_is_the_same() {
        let (mut perils, mask) = (Perils::default(), InterfaceMask::new());
        perils.died(&frame("0008\n3000\n0000"), &step(0, 1, (1, 0)));
        assert!(perils.is_deadly(&frame("0308\n0000\n0000"), &mask, &step(1, 0, (0, 1))));
        assert!(!perils.is_deadly(&frame("0308\n0000\n0000"), &mask, &step(1, 0, (1, 0))), "another place");
        assert!(!perils.is_deadly(&frame("0300\n0008\n0000"), &mask, &step(1, 0, (0, 1))), "another world");
    }

    #[test]
    fn a_new_level_has_no_perils() {
        let mut perils = Perils::default();
        perils.died(&frame("30"), &step(0, 0, (1, 0)));
        perils.begin_level();
        assert!(!perils.is_deadly(&frame("30"), &InterfaceMask::new(), &step(0, 0, (1, 0))));
    }
}
