//! Canvases whose tiles lie apart, as in a grate: squares of one colour each, as far from each other along as across.

use std::collections::HashSet;

use env_client::Grid;
use world_model::{Bounds, Scene};

/// The fewest squares along a side, and the fewest cells along a square.
const SQUARES: u8 = 3;
const LEAST: u8 = 2;
/// The share of the squares that has to be seen, in quarters: a cursor may lie on some.
const SEEN: usize = 3;

/// The upper left corner of a square.
type Corner = (u8, u8);

/// All canvases of such tiles in a frame, and the cells from one tile to the next. A canvas ends with the gap after its last
/// tile.
pub(super) fn canvases(frame: &Grid) -> Vec<(Bounds, u8)> {
    let scene = Scene::of(frame);
    let bounds = scene.components().iter().filter(|it| {
        let (width, height) = (it.bounds.width(), it.bounds.height());
        width == height && width >= LEAST && usize::from(it.area) == usize::from(width) * usize::from(height)
    });
    let squares: Vec<(Corner, u8)> = bounds.map(|it| ((it.bounds.left, it.bounds.top), it.bounds.width())).collect();
    let mut found = Vec::new();
    let mut known = HashSet::new();
    for (corner, side) in &squares {
        let alike: HashSet<Corner> = squares.iter().filter(|it| it.1 == *side).map(|it| it.0).collect();
        let pitches = (side + 1..=2 * side).filter(|pitch| alike.contains(&(corner.0 + pitch, corner.1)));
        let Some(pitch) = pitches.min().filter(|pitch| !known.contains(&(*corner, *pitch))) else { continue };
        let lattice = lattice(*corner, pitch, &alike);
        known.extend(lattice.iter().map(|it| (*it, pitch)));
        found.extend(canvas(&lattice, pitch).map(|it| (it, pitch)));
    }
    found
}

/// All squares that steps of the same length lead to from one.
fn lattice(from: Corner, pitch: u8, alike: &HashSet<Corner>) -> HashSet<Corner> {
    let (mut lattice, mut open) = (HashSet::from([from]), vec![from]);
    while let Some((x, y)) = open.pop() {
        let beside = [
            (Some(x + pitch), Some(y)),
            (x.checked_sub(pitch), Some(y)),
            (Some(x), Some(y + pitch)),
            (Some(x), y.checked_sub(pitch)),
        ];
        let corners = beside.into_iter().filter_map(|(x, y)| Some((x?, y?)));
        open.extend(corners.filter(|it| alike.contains(it) && lattice.insert(*it)));
    }
    lattice
}

/// The canvas that these squares are, if there are enough of them and few are missing.
fn canvas(lattice: &HashSet<Corner>, pitch: u8) -> Option<Bounds> {
    let (columns, rows) = (lattice.iter().map(|it| it.0), lattice.iter().map(|it| it.1));
    let (left, top) = (columns.clone().min()?, rows.clone().min()?);
    let (width, height) = (columns.max()? - left + pitch, rows.max()? - top + pitch);
    let all = usize::from(width / pitch) * usize::from(height / pitch);
    let is_large = width / pitch >= SQUARES && height / pitch >= SQUARES && 4 * lattice.len() >= SEEN * all;
    let is_inside = left + width <= env_client::SIDE && top + height <= env_client::SIDE;
    (is_large && is_inside).then(|| Bounds { left, top, right: left + width - 1, bottom: top + height - 1 })
}

#[cfg(test)]
mod tests {
    use env_client::{Color, Point};

    use super::*;

    #[test]
    fn tiles_that_lie_apart_are_one_canvas_although_a_cursor_hides_one() {
        let mut frame = Grid::filled(40, 40, Color::of(2));
        for (x, y) in (0..4).flat_map(|y| (0..3).map(move |x| (x, y))) {
            for (dx, dy) in (0..4).flat_map(|y| (0..4).map(move |x| (x, y))) {
                frame.set(Point::new(5 + 6 * x + dx, 3 + 6 * y + dy).unwrap(), Color::of((x + y) as u8 % 2 * 3));
            }
        }
        let canvas = Bounds { left: 5, top: 3, right: 22, bottom: 26 };
        assert_eq!(canvases(&frame), [(canvas, 6)]);
        frame.set(Point::new(12, 10).unwrap(), Color::of(9));
        assert_eq!(canvases(&frame), [(canvas, 6)]);
    }
}
