//! What lies in the way of a piece.

use env_client::Grid;

use crate::rules::{
    law::mix,
    sprite::{Sprite, Vector, color_at},
};

/// The bit of a colour set that stands for what lies outside the frame.
pub(super) const OUTSIDE: u32 = 1 << 16;

/// The cells a piece newly covers on its way, in order.
pub(super) fn swept(sprite: &Sprite, from: Vector, by: Vector) -> Vec<Vector> {
    let (unit, count) = strides(by);
    let front: Vec<Vector> = sprite.footprint(unit).filter(|cell| !sprite.covers(Vector::ZERO, *cell)).collect();
    let mut strip = Vec::with_capacity(front.len() * count as usize);
    for step in 0..count {
        let fresh = front.iter().map(|cell| cell.plus(from).plus(unit.times(step)));
        strip.extend(fresh.filter(|cell| !sprite.covers(from, *cell)));
    }
    strip
}

/// The corners a piece goes through, each with the next one.
fn steps(from: Vector, by: Vector) -> impl Iterator<Item = (Vector, Vector)> {
    let (unit, count) = strides(by);
    let corner = move |step: i16| from.plus(unit.times(step));
    (0..count).map(move |step| (corner(step), corner(step + 1)))
}

/// A way as a step and how often it is taken. One that is neither straight nor diagonal is a jump.
fn strides(by: Vector) -> (Vector, i16) {
    let length = by.x.abs().max(by.y.abs()).max(1);
    let is_jump = by.x != 0 && by.y != 0 && by.x.abs() != by.y.abs();
    if is_jump { (by, 1) } else { (Vector::new(by.x / length, by.y / length), length) }
}

/// Whether a piece newly covers cells of another one on its way.
pub(super) fn crosses((sprite, from): (&Sprite, Vector), by: Vector, (other, at): (&Sprite, Vector)) -> bool {
    let (low, high) = (from.least(from.plus(by)), from.most(from.plus(by)).plus(sprite.size));
    is_near((low, high.minus(low)), (at, other.size))
        && steps(from, by).any(|(corner, next)| sprite.enters((from, corner, next), other, at))
}

/// Whether two rectangles, each by its corner and its size, have a cell in common.
pub(super) fn is_near(a: (Vector, Vector), b: (Vector, Vector)) -> bool {
    let overlap = |a: (i16, i16), b: (i16, i16)| a.0 < b.0 + b.1 && b.0 < a.0 + a.1;
    overlap((a.0.x, a.1.x), (b.0.x, b.1.x)) && overlap((a.0.y, a.1.y), (b.0.y, b.1.y))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perception::Scene;

    #[test]
    fn what_lies_on_the_way_is_crossed_and_what_lies_beside_it_is_not() {
        let grid: Grid = "33000\n30000\n00000".parse().unwrap();
        let scene = Scene::of(&grid);
        let piece = scene.component_at(env_client::Point::new(0, 0).unwrap()).unwrap();
        let (sprite, _) = Sprite::of(&grid, &scene, &[piece]);
        let at = |x, y| Vector::new(x, y);
        let crosses = |by, other| crosses((&sprite, at(0, 0)), by, (&sprite, other));
        assert!(crosses(at(3, 0), at(3, 0)));
        assert!(!crosses(at(3, 0), at(5, 0)), "further away");
        assert!(!crosses(at(3, 0), at(0, 2)), "beside the way");
        assert!(!crosses(at(0, 0), at(0, 0)), "it is there already");
    }
    #[test]
    fn a_piece_sweeps_what_it_did_not_cover_before_it_went() {
        let grid: Grid = "33000\n30000\n33000".parse().unwrap();
        let scene = Scene::of(&grid);
        let piece = scene.component_at(env_client::Point::new(0, 0).unwrap()).unwrap();
        let (sprite, _) = Sprite::of(&grid, &scene, &[piece]);
        let at = |x, y| Vector::new(x, y);
        let swept = |by| swept(&sprite, at(0, 0), by);
        assert_eq!(swept(at(2, 0)), [at(2, 0), at(1, 1), at(2, 2), at(3, 0), at(2, 1), at(3, 2)]);
        assert_eq!(swept(at(0, 1)), [at(1, 1), at(0, 3), at(1, 3)], "its gap, too");
        assert_eq!(swept(at(2, 1)), [at(2, 1), at(3, 1), at(2, 2), at(2, 3), at(3, 3)], "a jump sweeps where it ends");
        assert_eq!(swept(Vector::ZERO), []);
    }
}
