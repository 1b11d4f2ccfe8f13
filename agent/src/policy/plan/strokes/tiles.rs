//! Tiles with seams between them, and the dots that lie on them.

use std::collections::BTreeMap;

use env_client::{Color, Grid, Point};
use world_model::{Bounds, Component, Scene};

use super::{SIDES, raster::Raster};

/// Tiles of one colour of the smallest board. A guess.
const FEWEST: usize = 6;

/// All but one of so many cells of its rim belong to a dot at least: its corners may be round. A guess.
const ROUND: usize = 4;

/// Squares of one size, as far from each other as a narrow seam is wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tiles {
    side: u8,
    /// From one tile to the next.
    pitch: u8,
    /// Of most tiles.
    color: Color,
    /// The rectangle around all of them.
    hull: Bounds,
}

impl Tiles {
    /// The tiles of the commonest colour that are drawn on one lattice, and all others that lie on it.
    pub(super) fn of(scene: &Scene) -> Option<Tiles> {
        let mut squares: BTreeMap<(u8, Color), Vec<Bounds>> = BTreeMap::new();
        for (index, it) in scene.components().iter().enumerate() {
            let area = u16::from(it.bounds.width()) * u16::from(it.bounds.height());
            let is_tile = side(it.bounds).is_some_and(|side| SIDES.contains(&side)) && 2 * it.area >= area;
            if is_tile && rim(it.bounds).all(|at| scene.component_at(at) == Some(index)) {
                squares.entry((it.bounds.width(), it.color)).or_default().push(it.bounds);
            }
        }
        let boards = squares.into_iter().filter_map(|((side, color), alike)| {
            let pitch = pitch(&alike).filter(|pitch| alike.len() >= FEWEST && is_seamed(side, *pitch))?;
            Some((alike.len(), Tiles { side, pitch, color, hull: alike[0] }))
        });
        let (_, tiles) = boards.max_by_key(|(count, tiles)| (*count, tiles.side))?;
        let all = scene.components().iter().map(|it| it.bounds).filter(|it| tiles.is_tile(*it));
        Some(Tiles { hull: all.reduce(Bounds::union)?, ..tiles })
    }

    /// Whether bounds are those of a tile, whatever lies on it.
    fn is_tile(self, it: Bounds) -> bool {
        let is_on = |at: u8, tile: u8| at.abs_diff(tile).is_multiple_of(self.pitch);
        side(it) == Some(self.side) && is_on(it.left, self.hull.left) && is_on(it.top, self.hull.top)
    }

    /// Where on its tile a square lies that is smaller and filled but for holes and its corners, if it is a dot on a tile.
    pub(super) fn place_of(self, scene: &Scene, component: usize) -> Option<(u8, u8)> {
        let it: &Component = &scene.components()[component];
        let (side, corner) = (side(it.bounds)?, Point::new(it.bounds.left, it.bounds.top).ok()?);
        let place = |at: u8, first: u8| Some(at.checked_sub(first)? % self.pitch);
        let (x, y) = (place(corner.x(), self.hull.left)?, place(corner.y(), self.hull.top)?);
        let is_inside = [x, y].iter().all(|at| *at > 0 && at + side < self.side);
        let is_on_tile = self.hull.contains(corner.x(), corner.y()) && is_inside && it.surround == self.color;
        let own = || rim(it.bounds).filter(|at| scene.component_at(*at) == Some(component)).count();
        (is_on_tile && ROUND * own() >= (ROUND - 1) * rim(it.bounds).count()).then_some((x, y))
    }

    /// The tiles as squares; there are none outside.
    pub(super) fn raster(self, frame: &Grid) -> Raster {
        Raster::within(frame, self.hull, self.side, self.pitch)
    }
}

/// The cells along the sides of bounds.
fn rim(it: Bounds) -> impl Iterator<Item = Point> {
    it.points().filter(move |at| !it.surrounds(Bounds::cell(*at)))
}

/// The side of a square.
fn side(it: Bounds) -> Option<u8> {
    (it.width() == it.height()).then_some(it.width())
}

/// What divides the distances of all squares.
fn pitch(squares: &[Bounds]) -> Option<u8> {
    let all = squares.iter().copied().reduce(Bounds::union)?;
    Some(squares.iter().fold(0, |sum, it| gcd(gcd(sum, it.left - all.left), it.top - all.top)))
}

/// Whether there are seams between tiles, and narrow ones.
fn is_seamed(side: u8, pitch: u8) -> bool {
    pitch.checked_sub(side).is_some_and(|seam| (1..=side / 2).contains(&seam))
}

const fn gcd(a: u8, b: u8) -> u8 {
    if b == 0 { a } else { gcd(b, a % b) }
}
