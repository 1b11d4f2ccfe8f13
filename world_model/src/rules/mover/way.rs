//! What a piece covers and what it bares when it goes from tile to tile.

use env_client::Grid;

use super::CROWD;
use crate::rules::{
    cell_set::{CellSet, Layers},
    sprite::{Sprite, Vector},
};

/// Where a piece was seen on its way in the layers of an answer, relative to where it began; nothing where it went straight.
pub(super) fn path(sprite: &Sprite, from: Vector, came: Vector, layers: &[Grid]) -> Vec<Vector> {
    let Some((_, layers)) = layers.split_last().filter(|_| came.x != 0 && came.y != 0) else { return Vec::new() };
    let mut at = from;
    let mut path = Vec::new();
    for layer in layers {
        let seen = sprite.find(&Layers::of(layer), CROWD);
        let Some(next) = seen.into_iter().min_by_key(|place| place.minus(at).length()) else { return Vec::new() };
        at = next;
        path.push(at.minus(from));
    }
    path
}

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
