//! What a piece covers and what it bares when it goes from tile to tile.

use super::CROWD;
use crate::rules::{
    cell_set::{CellSet, Layers},
    sprite::{Sprite, Vector},
};

/// A piece and where it seems to go.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) sprite: Sprite,
    pub(super) at: Vector,
    by: Vector,
}

impl Way {
    pub(super) fn new((sprite, at): (Sprite, Vector), by: Vector) -> Way {
        Way { sprite, at, by }
    }

    /// Whether this only seems to go where another piece came from, which came to where it was: of things of which there
    /// are more, as of tiles that a piece walks over, one is covered then and another one bared.
    pub(super) fn is_bared_by(&self, other: &Way, layers: &Layers) -> bool {
        let end = |it: &Way| it.at.plus(it.by);
        let within = |corner: Vector, hull: Vector| {
            let hull: CellSet = other.sprite.square(hull).collect();
            self.sprite.footprint(corner).all(|at| hull.contains(at))
        };
        let copies = |it: &Way| it.sprite.find(layers, CROWD).len();
        self.by != Vector::ZERO
            && other.by != Vector::ZERO
            && within(self.at, end(other))
            && within(end(self), other.at)
            && copies(self) > copies(other)
    }
}
