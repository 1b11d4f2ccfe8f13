//! What a frame shows of a bed of marked tiles and of the pieces that lie beside it.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Color, Grid, Point};
use world_model::{Bounds, Component, InterfaceMask, Scene};

/// Tiles and pieces of a bed at least and at most; the most is what bits of a number hold.
const FEWEST: usize = 4;
pub(super) const MOST: usize = 128;
/// Pieces beside it at most.
const PIECES: usize = 10;

/// A square whose middle shows what colour is wanted there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    /// Column and row among the tiles.
    pub(super) at: (i16, i16),
    /// A cell of its middle.
    pub(super) middle: Point,
    pub(super) wanted: Color,
    bounds: Bounds,
    mark: Bounds,
}

/// Tiles of one size and colour on one lattice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bed {
    pub(super) tiles: Vec<Tile>,
    pub(super) color: Color,
}

/// A piece beside the bed, as a figure of squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) color: Color,
    pub(super) figure: Figure,
    bounds: Bounds,
    /// A cell to click it at.
    pub(super) grab: Point,
}

/// Squares, from the corner of the rectangle around them, and the one that is marked, if one is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Figure {
    pub(super) cells: Vec<(i16, i16)>,
    pub(super) grip: Option<(i16, i16)>,
}

impl Bed {
    /// The largest bed that is drawn in a frame.
    pub(super) fn find(frame: &Grid) -> Option<Bed> {
        let scene = Scene::of(frame);
        let mut groups: BTreeMap<(u8, Color), Vec<&Component>> = BTreeMap::new();
        for it in scene.components().iter().filter(|it| is_square(it)) {
            groups.entry((it.bounds.width(), it.surround)).or_default().push(it);
        }
        let beds = groups.into_iter().filter_map(|((side, color), marks)| bed(frame, side, color, &marks));
        beds.max_by_key(|bed| bed.tiles.len())
    }

    /// The colour of each tile around its middle, most cells of it.
    pub(super) fn look(&self, frame: &Grid) -> Vec<Color> {
        let ring = |it: &Tile| commonest(frame, around(it.bounds, it.mark)).unwrap_or(self.color);
        self.tiles.iter().map(ring).collect()
    }

    /// The number of the tile at a cell.
    pub(super) fn tile_at(&self, at: Point) -> Option<usize> {
        self.tiles.iter().position(|it| it.bounds.contains(at.x(), at.y()))
    }

    /// The number of the tile at these coordinates.
    pub(super) fn number(&self, at: (i16, i16)) -> Option<usize> {
        self.tiles.iter().position(|it| it.at == at)
    }
}

fn is_square(it: &Component) -> bool {
    it.bounds.width() == it.bounds.height() && usize::from(it.area) == usize::from(it.bounds.width()).pow(2)
}

/// The bed whose marks these are, if each lies in the middle of a square of one colour and all squares fit one lattice.
fn bed(frame: &Grid, side: u8, color: Color, marks: &[&Component]) -> Option<Bed> {
    if !(FEWEST..=MOST).contains(&marks.len()) {
        return None;
    }
    let (left, top) = (marks.iter().map(|it| it.bounds.left).min()?, marks.iter().map(|it| it.bounds.top).min()?);
    let pitch = marks.iter().fold(0, |sum, it| gcd(gcd(sum, it.bounds.left - left), it.bounds.top - top));
    let margin = pitch.checked_sub(side).filter(|it| *it > 0 && it % 2 == 0)? / 2;
    let tiles = marks.iter().map(|it| {
        let mark = it.bounds;
        let bounds = Bounds {
            left: mark.left.checked_sub(margin)?,
            top: mark.top.checked_sub(margin)?,
            right: mark.right + margin,
            bottom: mark.bottom + margin,
        };
        let is_drawn = around(bounds, mark).all(|at| frame.get(at) == Some(color));
        let at = (i16::from((mark.left - left) / pitch), i16::from((mark.top - top) / pitch));
        is_drawn.then_some(Tile { at, middle: it.center, wanted: it.color, bounds, mark })
    });
    Some(Bed { tiles: tiles.collect::<Option<_>>()?, color })
}

/// The cells within bounds and not within others.
fn around(bounds: Bounds, hole: Bounds) -> impl Iterator<Item = Point> {
    bounds.points().filter(move |at| !hole.contains(at.x(), at.y()))
}

fn commonest(frame: &Grid, cells: impl Iterator<Item = Point>) -> Option<Color> {
    let mut counts: BTreeMap<Color, usize> = BTreeMap::new();
    cells.filter_map(|at| frame.get(at)).for_each(|color| *counts.entry(color).or_default() += 1);
    counts.into_iter().max_by_key(|it| it.1).map(|it| it.0)
}

const fn gcd(a: u8, b: u8) -> u8 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The pieces beside a bed, row by row, and the side of their squares in cells: that of all of them, or the one that is
/// known.
pub(super) fn pieces(frame: &Grid, mask: &InterfaceMask, bed: &Bed, side: Option<u8>) -> Option<(Vec<Piece>, u8)> {
    let scene = Scene::of(frame);
    let colors: BTreeSet<Color> = bed.tiles.iter().map(|it| it.wanted).collect();
    let is_beside = |it: &Component| bed.tiles.iter().all(|tile| tile.bounds.overlap(it.bounds) == 0);
    let candidates = scene.components().iter().enumerate();
    let candidates = candidates.filter(|(_, it)| colors.contains(&it.color) && !mask.hides(it.center) && is_beside(it));
    let mut drawn: Vec<(&Component, Drawing)> =
        candidates.map(|(index, it)| (it, Drawing::of(&scene, index, it.bounds))).collect();
    if drawn.iter().any(|it| it.1.has_hole()) {
        drawn.retain(|it| it.1.has_hole());
    }
    if drawn.len() > PIECES {
        return None;
    }
    let side = side.unwrap_or_else(|| drawn.iter().fold(0, |sum, it| it.1.runs(sum)));
    let pieces = drawn.into_iter().map(|(it, drawing)| {
        Some(Piece { color: it.color, figure: drawing.figure(side)?, bounds: it.bounds, grab: it.center })
    });
    let mut pieces = pieces.collect::<Option<Vec<Piece>>>()?;
    pieces.sort_by_key(|it| (it.bounds.top, it.bounds.left));
    Some((pieces, side))
}

impl Piece {
    /// How far a cell is from the rectangle around it, in cells.
    pub(super) fn distance(&self, at: Point) -> u8 {
        let beyond = |low: u8, high: u8, at: u8| low.saturating_sub(at).max(at.saturating_sub(high));
        let Bounds { left, top, right, bottom } = self.bounds;
        beyond(left, right, at.x()).max(beyond(top, bottom, at.y()))
    }
}

/// Which cells of a rectangle belong to a component, or lie in a hole of it.
struct Drawing {
    width: usize,
    own: Vec<bool>,
    hole: Vec<bool>,
}

impl Drawing {
    fn of(scene: &Scene, index: usize, bounds: Bounds) -> Drawing {
        let (width, height) = (usize::from(bounds.width()), usize::from(bounds.height()));
        let at = |x: usize, y: usize| Point::new(bounds.left + x as u8, bounds.top + y as u8).ok();
        let is_own = |x, y| at(x, y).is_some_and(|at| scene.component_at(at) == Some(index));
        let cells = || (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let own: Vec<bool> = cells().map(|(x, y)| is_own(x, y)).collect();
        let is_hole = |x: usize, y: usize| {
            let inside = x > 0 && y > 0 && x + 1 < width && y + 1 < height;
            let around =
                || [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)].into_iter().all(|(x, y)| own[y * width + x]);
            inside && !own[y * width + x] && around()
        };
        let hole = cells().map(|(x, y)| is_hole(x, y)).collect();
        Drawing { width, own, hole }
    }

    fn has_hole(&self) -> bool {
        self.hole.contains(&true)
    }

    fn is_filled(&self, x: usize, y: usize) -> bool {
        self.own[y * self.width + x] || self.hole[y * self.width + x]
    }

    /// What divides the lengths of all straight runs of cells, and a number.
    fn runs(&self, start: u8) -> u8 {
        let height = self.own.len() / self.width;
        let rows = (0..height).map(|y| (0..self.width).map(|x| self.is_filled(x, y)).collect::<Vec<bool>>());
        let columns = (0..self.width).map(|x| (0..height).map(|y| self.is_filled(x, y)).collect::<Vec<bool>>());
        let lines: Vec<Vec<bool>> = rows.chain(columns).collect();
        let runs = lines.iter().flat_map(|line| line.split(|it| !it)).map(|run| run.len() as u8);
        runs.fold(start, gcd)
    }

    /// The same in squares of a side; `None` where they do not fit.
    fn figure(&self, side: u8) -> Option<Figure> {
        let (side, height) = (usize::from(side), self.own.len() / self.width);
        if side == 0 || !self.width.is_multiple_of(side) || !height.is_multiple_of(side) {
            return None;
        }
        let mut figure = Figure { cells: Vec::new(), grip: None };
        for (x, y) in (0..height / side).flat_map(|y| (0..self.width / side).map(move |x| (x, y))) {
            let inside = || (0..side).flat_map(|dy| (0..side).map(move |dx| (x * side + dx, y * side + dy)));
            let count = inside().filter(|(x, y)| self.is_filled(*x, *y)).count();
            if count == side * side {
                figure.cells.push((x as i16, y as i16));
            } else if count > 0 {
                return None;
            }
            if inside().any(|(x, y)| self.hole[y * self.width + x]) {
                figure.grip = Some((x as i16, y as i16));
            }
        }
        Some(figure)
    }
}
