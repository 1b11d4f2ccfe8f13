//! Specks: parts of something larger that seem to be pieces of their own.
//!
//! What turns as it goes shows its parts at ever other places, and the least of them, alike as they are, seem to go now
//! here, now there. While one is taken for a piece, the larger one is never found.

use env_client::Grid;

use super::Movers;
use crate::{
    perception::Lattice,
    rules::sprite::{Sprite, Vector, color_at},
};

/// A speck is at least so many times smaller than a tile. A guess.
const SHARE: usize = 4;
/// What is so long and so high and goes by whole sides of itself lies on tiles of its own, whatever the level seems to be
/// drawn of. A guess.
const TILE: i16 = 3;

impl Movers {
    /// Whether what was seen to go by this is a part of something larger: it is small, has more of its colours around, and
    /// left the grid of the tiles.
    pub(super) fn is_speck(&self, frame: &Grid, sprite: &Sprite, at: Vector, by: Vector) -> bool {
        let cells = sprite.cells().len();
        let is_part = |tiles: Lattice| {
            let side = i16::from(tiles.scale);
            let is_small = SHARE * cells <= usize::from(tiles.scale).pow(2);
            let is_off = by.x % side != 0 || by.y % side != 0;
            is_small && is_off && !is_tile(sprite, by) && around(frame, sprite, at, side) > cells
        };
        self.tiles.is_some_and(is_part)
    }
}

/// Whether a picture goes by whole sides of itself, and is no less than a tile may be.
fn is_tile(sprite: &Sprite, by: Vector) -> bool {
    let size = sprite.size;
    size.x >= TILE && size.y >= TILE && by.x % size.x == 0 && by.y % size.y == 0
}

/// How many cells of a piece's colours are seen no further than this from its corner.
fn around(frame: &Grid, sprite: &Sprite, at: Vector, side: i16) -> usize {
    let offsets = (-side..=side).flat_map(|y| (-side..=side).map(move |x| Vector::new(x, y)));
    let seen = offsets.filter_map(|offset| color_at(frame, at.plus(offset)));
    seen.filter(|color| sprite.colors() >> color.index() & 1 == 1).count()
}
