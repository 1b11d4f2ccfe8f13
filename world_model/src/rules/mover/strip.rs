//! What lies in the way of a piece.

use env_client::Grid;

use crate::rules::{
    law::mix,
    sprite::{Sprite, Vector, color_at},
};

/// The bit of a colour set that stands for what lies outside the frame.
pub(super) const OUTSIDE: u32 = 1 << 16;

/// The cells a piece newly covers on its way, in order. A way that is neither straight nor diagonal is a jump.
pub(super) fn swept(sprite: &Sprite, from: Vector, by: Vector) -> Vec<Vector> {
    let steps = by.x.abs().max(by.y.abs()).max(1);
    let is_jump = by.x != 0 && by.y != 0 && by.x.abs() != by.y.abs();
    let unit = if is_jump { by } else { Vector::new(by.x / steps, by.y / steps) };
    let mut corner = from;
    let mut strip = Vec::new();
    for _ in 0..if is_jump { 1 } else { steps } {
        let next = corner.plus(unit);
        let fresh = |cell: &Vector| !sprite.covers(corner, *cell) && !sprite.covers(from, *cell);
        strip.extend(sprite.footprint(next).filter(fresh));
        corner = next;
    }
    strip
}

/// The set of colours in these cells.
pub(super) fn colors(frame: &Grid, cells: &[Vector]) -> u32 {
    cells.iter().fold(0, |set, at| set | color_at(frame, *at).map_or(OUTSIDE, |color| 1 << color.index()))
}

/// The picture in these cells, relative to a corner.
pub(super) fn picture(frame: &Grid, cells: &[Vector], corner: Vector) -> u64 {
    cells.iter().fold(0, |hash, at| {
        let color = color_at(frame, *at).map_or(16, |color| color.index() as u64);
        mix(hash ^ at.minus(corner).code() << 8 ^ color)
    })
}
