//! A click that turned something: the square that looks turned by a quarter afterwards.

use env_client::{Grid, Point};

use super::tile::Tile;

/// Sides of squares that turn, in cells. Guesses.
const SMALLEST: u8 = 3;
const LARGEST: u8 = 24;

/// What turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) left: u8,
    pub(super) top: u8,
    pub(super) side: u8,
    /// Which way; `None` where that cannot be told.
    pub(super) clockwise: Option<bool>,
}

/// Which way a tile was turned by a quarter, if it was, whatever colours its drawing took on.
pub(super) fn way(before: &Tile, after: &Tile) -> Option<Option<bool>> {
    if before.ground != after.ground || before.stencil == after.stencil {
        return None;
    }
    let [_, one, _, three] = before.stencil.poses();
    match (one == after.stencil, three == after.stencil) {
        (true, true) => Some(None),
        (false, false) => None,
        (clockwise, _) => Some(Some(clockwise)),
    }
}

/// The smallest square around a click that turned, if everything else that changed only took on another colour: no ground
/// of that square came or went there.
pub(super) fn find(before: &Grid, after: &Grid, at: Point, changed: &[Point]) -> Option<Turn> {
    let (width, height) = (before.width(), before.height());
    let starts = |at: u8, side: u8, length: u8| (at + 1).saturating_sub(side)..=at.min(length.saturating_sub(side));
    for side in SMALLEST..=LARGEST.min(width).min(height) {
        for top in starts(at.y(), side, height) {
            for left in starts(at.x(), side, width) {
                let is_inside =
                    |it: &Point| (left..left + side).contains(&it.x()) && (top..top + side).contains(&it.y());
                if !changed.iter().any(is_inside) {
                    continue;
                }
                let (Some(old), Some(new)) = (Tile::read(before, left, top, side), Tile::read(after, left, top, side))
                else {
                    continue;
                };
                let is_recoloured =
                    |it: &Point| before.get(*it) != Some(old.ground) && after.get(*it) != Some(old.ground);
                let Some(clockwise) = way(&old, &new) else { continue };
                if changed.iter().all(|it| is_inside(it) || is_recoloured(it)) {
                    return Some(Turn { left, top, side, clockwise });
                }
            }
        }
    }
    None
}
