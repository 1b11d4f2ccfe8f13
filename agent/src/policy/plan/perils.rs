//! Places that are deadly as the world is: whoever comes there is lost, from whatever side.
//!
//! What kills need not be what a piece touches: who guards a corridor strikes from beside it. So a loss is blamed on where
//! the pieces meant to be, too, while all the rest of the frame looks as it did.
//!
//! And colours: those that pieces never came onto and lived are deadly when they alone can be to blame for losses, whatever
//! shapes they have. What was seen to strike is blamed alone ([`super::strikers`]).

use std::collections::BTreeMap;

use env_client::{Color, Grid, Point};
use world_model::{Advance, InterfaceMask};

use super::strikers::Strikers;

/// Losses remembered in one level; each is compared with every step that leads to its place.
const LOSSES: usize = 32;

/// Losses for which the same colours alone can be to blame, until they are taken for deadly.
const CERTAIN: u32 = 2;

/// The losses of a level, and of a game by colours.
#[derive(Debug, Default)]
pub(super) struct Perils {
    losses: Vec<Loss>,
    /// The colours that pieces came onto and lived, a set of indices.
    endured: u16,
    /// How often pieces were lost that came onto such colours.
    fatal: BTreeMap<u16, u32>,
    strikers: Strikers,
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

    /// A piece that meant to move so in this frame did, and lives.
    pub(super) fn lived(&mut self, frame: &Grid, advance: &Advance) {
        self.endured |= colors(frame, std::slice::from_ref(advance));
        self.strikers.lived(frame, advance);
    }

    /// Pieces that meant to move so in this frame were lost, as these layers show; whether something struck them, which then
    /// is to blame for it.
    pub(super) fn struck(&mut self, frame: &Grid, layers: &[Grid], advances: &[Advance]) -> bool {
        self.strikers.struck(frame, layers, advances)
    }

    /// Pieces that meant to move so in this frame were lost.
    pub(super) fn died(&mut self, frame: &Grid, advances: &[Advance]) {
        *self.fatal.entry(colors(frame, advances)).or_default() += 1;
        let end = ends(advances);
        if self.losses.len() < LOSSES && !end.is_empty() {
            let from = advances.iter().flat_map(|it| it.from.iter().copied()).collect();
            self.losses.push(Loss { frame: frame.clone(), from, end });
        }
    }

    /// Whether pieces that mean to move so in this frame come to where others were lost in the same world, or onto colours
    /// that are deadly.
    pub(super) fn is_deadly(&self, frame: &Grid, mask: &InterfaceMask, advances: &[Advance]) -> bool {
        let by_color = !self.fatal.is_empty() && self.are_fatal(colors(frame, advances));
        if by_color || self.strikers.are_deadly(frame, advances) {
            return true;
        }
        if self.losses.is_empty() {
            return false;
        }
        let end = ends(advances);
        self.losses.iter().any(|loss| loss.end == end && loss.is_same_world(frame, mask, advances))
    }
}

impl Perils {
    /// Whether pieces were lost often enough that came onto these colours, or some of them, and onto no other suspects.
    fn are_fatal(&self, met: u16) -> bool {
        let suspects = self.fatal.iter().map(|(colors, losses)| (colors & !self.endured, losses));
        let losses = suspects.filter(|(colors, _)| *colors != 0 && colors & !met == 0).map(|(_, losses)| losses);
        losses.sum::<u32>() >= CERTAIN
    }
}

/// The colours that pieces come onto, as a set of indices.
fn colors(frame: &Grid, advances: &[Advance]) -> u16 {
    let onto = advances.iter().flat_map(|it| &it.onto).filter_map(|at| frame.get(*at));
    onto.fold(0, |set, color: Color| set | 1 << color.index())
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

    /// A piece that means to go right onto the next cell.
    fn right(x: u8, y: u8) -> [Advance; 1] {
        let [advance] = step(x, y, (1, 0));
        [Advance { onto: vec![Point::new(x + 1, y).unwrap()], ..advance }]
    }

    #[test]
    fn what_alone_can_be_to_blame_twice_is_deadly_until_somebody_lives_on_it() {
        let (mut perils, mask) = (Perils::default(), InterfaceMask::new());
        let (first, second, other) = (frame("38\n00"), frame("388\n000"), frame("38\n88"));
        perils.died(&first, &right(0, 0));
        assert!(!perils.is_deadly(&other, &mask, &right(0, 0)), "one loss could have another reason");
        perils.died(&second, &right(0, 0));
        perils.begin_level();
        assert!(perils.is_deadly(&other, &mask, &right(0, 0)), "in any shape, in any level");
        perils.lived(&other, &right(0, 0)[0]);
        assert!(!perils.is_deadly(&other, &mask, &right(0, 0)));
    }

    #[test]
    fn two_colors_that_may_be_to_blame_are_so_together() {
        let (mut perils, mask, two) = (Perils::default(), InterfaceMask::new(), frame("38\n37"));
        let both = [right(0, 0), right(0, 1)].concat();
        perils.died(&two, &both);
        perils.died(&two, &both);
        perils.begin_level();
        assert!(perils.is_deadly(&two, &mask, &both), "water and its waves");
        assert!(!perils.is_deadly(&two, &mask, &right(0, 0)));
        perils.lived(&two, &right(0, 1)[0]);
        assert!(perils.is_deadly(&two, &mask, &right(0, 0)), "now it is the only one");
    }

    #[test]
    fn a_new_level_has_no_perils() {
        let mut perils = Perils::default();
        perils.died(&frame("30"), &step(0, 0, (1, 0)));
        perils.begin_level();
        assert!(!perils.is_deadly(&frame("30"), &InterfaceMask::new(), &step(0, 0, (1, 0))));
    }
}
