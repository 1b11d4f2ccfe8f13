//! A click that turned something: the square that looks turned by a quarter afterwards.

use env_client::{Grid, Point};

use super::tile::Tile;

/// Sides of squares that turn, in cells. Guesses.
const SMALLEST: u8 = 3;
const LARGEST: u8 = 24;
/// Squares that may be meant, at most.
const MOST: usize = 8;

/// What may have turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) left: u8,
    pub(super) top: u8,
    pub(super) side: u8,
}

/// How something turned by a quarter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Clockwise,
    Back,
    /// It looks the same either way.
    Either,
}

/// How a tile was turned by a quarter, if it was, whatever colours its drawing took on.
pub(super) fn way(before: &Tile, after: &Tile) -> Option<Way> {
    if before.ground != after.ground || before.stencil == after.stencil {
        return None;
    }
    let [_, one, _, three] = before.stencil.poses();
    match (one == after.stencil, three == after.stencil) {
        (true, true) => Some(Way::Either),
        (true, false) => Some(Way::Clockwise),
        (false, true) => Some(Way::Back),
        (false, false) => None,
    }
}

/// Squares around a click that turned, the smallest around each middle, if everything else that changed only took on another
/// colour: no ground of that square came or went there.
pub(super) fn find(before: &Grid, after: &Grid, at: Point, changed: &[Point]) -> Vec<Turn> {
    let (width, height) = (before.width(), before.height());
    let starts = |at: u8, side: u8, length: u8| (at + 1).saturating_sub(side)..=at.min(length.saturating_sub(side));
    let mut turns: Vec<Turn> = Vec::new();
    for side in SMALLEST..=LARGEST.min(width).min(height) {
        for (left, top) in
            starts(at.y(), side, height).flat_map(|top| starts(at.x(), side, width).map(move |it| (it, top)))
        {
            let is_inside = |it: &Point| (left..left + side).contains(&it.x()) && (top..top + side).contains(&it.y());
            let middle = |left: u8, top: u8, side: u8| (2 * left + side, 2 * top + side);
            let is_known = |it: &Turn| middle(it.left, it.top, it.side) == middle(left, top, side);
            if turns.len() == MOST || turns.iter().any(is_known) || !changed.iter().any(is_inside) {
                continue;
            }
            let read = |frame| Tile::read(frame, left, top, side);
            let (Some(old), Some(new)) = (read(before), read(after)) else { continue };
            let shows_ground = |frame: &Grid, at: Point| frame.get(at) == Some(old.ground);
            let is_explained = |it: &Point| is_inside(it) || !shows_ground(before, *it) && !shows_ground(after, *it);
            if way(&old, &new).is_some() && changed.iter().all(is_explained) {
                turns.push(Turn { left, top, side });
            }
        }
    }
    turns
}
