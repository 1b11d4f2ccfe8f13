//! Specks: parts of something larger that seem to be pieces of their own.
//!
//! What turns as it goes shows its parts at ever other places, and the least of them, alike as they are, seem to go now
//! here, now there. While one is taken for a piece, the larger one is never found.

use super::Movers;
use crate::{
    perception::Lattice,
    rules::sprite::{Sprite, Vector},
};

/// A speck is at least so many times smaller than a tile. A guess.
const SHARE: usize = 4;

impl Movers {
    /// Whether what was seen to go by this is a part of something larger: it is small, and left the grid of the tiles.
    pub(super) fn is_speck(&self, sprite: &Sprite, by: Vector) -> bool {
        let is_part = |it: Lattice| {
            let side = i16::from(it.scale);
            let is_small = SHARE * sprite.cells().len() <= usize::from(it.scale).pow(2);
            is_small && (by.x % side != 0 || by.y % side != 0)
        };
        self.tiles.is_some_and(is_part)
    }
}
