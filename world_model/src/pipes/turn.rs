//! A click that turned something: the square that looks turned by a quarter afterwards.

use env_client::{Grid, Point};

use super::tile::{Square, Tile};

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
    let (was, is) = (&before.stencil, &after.stencil);
    (before.ground == after.ground).then(|| turned(was.side(), |x, y| was.get(x, y), |x, y| is.get(x, y))).flatten()
}

/// How a drawing on a square of so many cells a side was turned by a quarter, told from where it was and where it is.
fn turned(side: u8, was: impl Fn(u8, u8) -> bool, is: impl Fn(u8, u8) -> bool) -> Option<Way> {
    let last = side - 1;
    let comes_of = |from: &dyn Fn(u8, u8) -> (u8, u8)| {
        (0..side).all(|y| {
            (0..side).all(|x| {
                let (from_x, from_y) = from(x, y);
                is(x, y) == was(from_x, from_y)
            })
        })
    };
    let alike = (comes_of(&|x, y| (y, last - x)), comes_of(&|x, y| (last - y, x)));
    let way = match alike {
        (true, true) => Way::Either,
        (true, false) => Way::Clockwise,
        (false, true) => Way::Back,
        (false, false) => return None,
    };
    (!comes_of(&|x, y| (x, y))).then_some(way)
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
            let square = |frame| Square::of(frame, (left, top), side);
            let (Some(old), Some(new)) = (square(before), square(after)) else { continue };
            let ground = old.ground();
            let shows_ground = |frame: &Grid, at: Point| frame.get(at) == Some(ground);
            let is_explained = |it: &Point| is_inside(it) || !shows_ground(before, *it) && !shows_ground(after, *it);
            let is_turned = || turned(side, |x, y| old.get(x, y) != ground, |x, y| new.get(x, y) != ground).is_some();
            if ground == new.ground() && is_turned() && changed.iter().all(is_explained) {
                turns.push(Turn { left, top, side });
            }
        }
    }
    turns
}
