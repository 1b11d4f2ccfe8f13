//! Walls of tiles that a click turns by a quarter, with pipes, wires or ways drawn on them that are to meet.
//!
//! # Layout
//! - [`Pipes`] (here): watches clicks, finds the wall, and says which tiles turn, and which way. Start here.
//! - [`Wall`]: where the tiles are. [`Tile`]: what is drawn on one; [`Stencil`]: its form, and what of it meets the sides.
//! - `turn`: the square that a click turned, of all `Square`s of a frame around it.
//!
//! # The one decision
//! Nothing is read off a frame before a click turned something: then all squares as far apart are tiles on which the like
//! is drawn, in whatever colours, so that what flows through them, and shows it, hides nothing. The price is a first click
//! in each game that somebody else has to make.

mod tile;
mod turn;
mod wall;

use std::collections::{HashMap, HashSet};

use env_client::{Action, Color, Grid, Point};

use self::turn::Way;
pub use self::{
    tile::{Openings, Stencil, Tile},
    wall::Wall,
};
use crate::{InterfaceMask, Start, Transition};

/// The share of a frame's side that its rim takes, where gauges are: four cells of 64.
const RIM: u8 = 16;

/// Learns what turns.
#[derive(Clone, Debug, Default)]
pub struct Pipes {
    wall: Option<Wall>,
    /// The wall of an earlier level, and the forms of tiles seen in this game.
    known: Option<Wall>,
    forms: HashSet<u64>,
    /// How much more often tiles turned clockwise than back.
    clockwise: i32,
    /// Whether tiles of a form, and those with such marks, ever turned when they were clicked.
    turning: HashMap<u64, bool>,
    signs: HashMap<(Color, u64), bool>,
    /// Tiles of this level that did not.
    stuck: HashSet<usize>,
    /// Colours that were seen at the openings of what turned, as a set of indices.
    plain: u16,
}

impl Pipes {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid, start: Start) {
        if start == Start::Level {
            self.stuck.clear();
            self.wall = self.known.as_ref().and_then(|known| known.like(frame, &self.forms));
            self.learn_forms(frame);
        }
    }

    /// Learns from one action.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let (Action::Click(at), Some(after)) = (step.action, step.after()) else { return };
        let Some(cells) = step.before.differences(after) else { return };
        let changed: Vec<Point> = cells.filter(|at| !mask.hides(*at)).collect();
        let index = self.wall.as_ref().and_then(|wall| wall.at(at));
        if !index.is_some_and(|index| self.answered(step.before, after, index)) && !changed.is_empty() {
            self.look(step.before, after, at, &changed);
        }
    }

    /// The wall, once something turned.
    pub fn wall(&self) -> Option<&Wall> {
        self.wall.as_ref()
    }

    /// Whether a click turns a tile, if one of its form was seen to answer or not to.
    pub fn turns(&self, index: usize, tile: &Tile) -> Option<bool> {
        let is_marked = || self.sign(tile) == Some(false);
        let by_form = self.turning.get(&tile.stencil.form()).copied().filter(|turns| !turns || !is_marked());
        if self.stuck.contains(&index) { Some(false) } else { by_form }
    }

    /// The same, if that is known of tiles that are marked alike.
    pub fn turns_by_sign(&self, index: usize, tile: &Tile) -> Option<bool> {
        self.turns(index, tile).or_else(|| self.sign(tile))
    }

    fn sign(&self, tile: &Tile) -> Option<bool> {
        self.signs.get(&tile.sign(self.plain | tile.arms())).copied()
    }

    /// Whether tiles turn clockwise.
    pub fn is_clockwise(&self) -> bool {
        self.clockwise >= 0
    }

    /// Looks for a tile that a click turned.
    fn look(&mut self, before: &Grid, after: &Grid, at: Point, changed: &[Point]) {
        let rim = |at: Point| {
            let (x, y) = (before.width() / RIM, before.height() / RIM);
            at.x() < x || at.y() < y || at.x() + x >= before.width() || at.y() + y >= before.height()
        };
        let changed: Vec<Point> = changed.iter().copied().filter(|at| !rim(*at)).collect();
        let turns = turn::find(before, after, at, &changed);
        let Some(wall) = Wall::around(before, &turns) else { return };
        let Some(index) = wall.at(at) else { return };
        if self.wall.as_ref() != Some(&wall) {
            self.stuck.clear();
        }
        self.wall = Some(wall);
        self.answered(before, after, index);
        self.learn_forms(before);
    }

    /// Learns from a click on a tile; whether it did what a click on a tile may do.
    fn answered(&mut self, before: &Grid, after: &Grid, index: usize) -> bool {
        let tile = |frame| self.wall.as_ref().and_then(|wall| wall.tile(frame, index));
        let (Some(old), Some(new)) = (tile(before), tile(after)) else { return false };
        let way = turn::way(&old, &new);
        self.clockwise += match way {
            Some(Way::Clockwise) => 1,
            Some(Way::Back) => -1,
            Some(Way::Either) | None => 0,
        };
        if way.is_none() && old.stencil != new.stencil {
            return false;
        }
        // What looks the same however it is turned tells nothing.
        if way.is_none() && old.stencil.turned() == old.stencil {
            return true;
        }
        if way.is_some() {
            self.plain |= old.arms() | new.arms();
        }
        let (form, sign) = (old.stencil.form(), old.sign(self.plain | old.arms()));
        *self.turning.entry(form).or_default() |= way.is_some();
        *self.signs.entry(sign).or_default() |= way.is_some();
        if way.is_none() {
            self.stuck.insert(index);
        }
        true
    }

    /// Keeps the forms of this level's tiles.
    fn learn_forms(&mut self, frame: &Grid) {
        if let Some(wall) = &self.wall {
            self.forms.extend(wall.forms(frame));
            self.known = self.wall.clone();
        }
    }
}

#[cfg(test)]
mod tests;
