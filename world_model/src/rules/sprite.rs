//! A picture of a piece: cells with colours, found again in a frame by comparing.

use std::cell::OnceCell;

use env_client::{Color, Grid};

use super::{
    cell_set::{CellSet, Layers},
    law::mix,
    view::View,
};
use crate::{Bounds, Scene, perception::Symmetry};

/// A place or a displacement, in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Vector {
    pub(super) x: i16,
    pub(super) y: i16,
}

impl Vector {
    pub(super) const ZERO: Vector = Vector { x: 0, y: 0 };

    pub(super) const fn new(x: i16, y: i16) -> Vector {
        Vector { x, y }
    }

    pub(super) const fn plus(self, other: Vector) -> Vector {
        Vector::new(self.x + other.x, self.y + other.y)
    }

    pub(super) const fn minus(self, other: Vector) -> Vector {
        Vector::new(self.x - other.x, self.y - other.y)
    }

    /// Whether it leads the same way as another one.
    pub(super) fn is_along(self, other: Vector) -> bool {
        (self.x.signum(), self.y.signum()) == (other.x.signum(), other.y.signum())
    }

    /// Whether it leads on along another one, across or down.
    pub(super) fn is_toward(self, other: Vector) -> bool {
        let (x, y) = (self.x.signum() * other.x.signum(), self.y.signum() * other.y.signum());
        x.max(y) > 0 && x.min(y) >= 0
    }

    pub(super) fn length(self) -> u32 {
        u32::from(self.x.unsigned_abs()) + u32::from(self.y.unsigned_abs())
    }

    /// The lesser of both coordinates, each for itself.
    pub(super) fn least(self, other: Vector) -> Vector {
        Vector::new(self.x.min(other.x), self.y.min(other.y))
    }

    /// The greater of both coordinates, each for itself.
    pub(super) fn most(self, other: Vector) -> Vector {
        Vector::new(self.x.max(other.x), self.y.max(other.y))
    }

    /// So many times as far.
    pub(super) const fn times(self, count: i16) -> Vector {
        Vector::new(self.x * count, self.y * count)
    }

    /// Half as far; both coordinates must be even.
    pub(super) const fn halved(self) -> Vector {
        Vector::new(self.x / 2, self.y / 2)
    }

    /// One cell in the same direction.
    pub(super) fn signum(self) -> Vector {
        Vector::new(self.x.signum(), self.y.signum())
    }

    /// As a number, the inverse of [`Vector::from_code`].
    pub(super) fn code(self) -> u64 {
        u64::from(self.x as u16) << 16 | u64::from(self.y as u16)
    }

    pub(super) fn from_code(code: u64) -> Vector {
        Vector::new((code >> 16) as u16 as i16, code as u16 as i16)
    }
}

/// The ways to the cells beside one.
pub(super) const SIDES: [Vector; 4] = [Vector::new(1, 0), Vector::new(-1, 0), Vector::new(0, 1), Vector::new(0, -1)];

/// The colour of a cell, or `None` outside the grid.
pub(super) fn color_at(grid: &Grid, at: Vector) -> Option<Color> {
    let inside = at.x >= 0 && at.y >= 0 && at.x < i16::from(grid.width()) && at.y < i16::from(grid.height());
    inside.then(|| grid.cells()[at.y as usize * usize::from(grid.width()) + at.x as usize])
}

/// The cells of a piece, from the corner of its bounds, row after row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sprite {
    cells: Vec<(Vector, Color)>,
    /// The cells without their colours.
    outline: CellSet,
    /// The colours of its bounds, row after row.
    picture: Vec<Option<Color>>,
    pub(super) size: Vector,
}

impl Sprite {
    /// These cells, from the corner of a rectangle of this size, row after row.
    pub(super) fn new(cells: Vec<(Vector, Color)>, size: Vector) -> Sprite {
        let outline = cells.iter().map(|(at, _)| *at).collect();
        let mut picture = vec![None; (size.x * size.y) as usize];
        for (at, color) in &cells {
            picture[(at.y * size.x + at.x) as usize] = Some(*color);
        }
        Sprite { cells, outline, picture, size }
    }

    /// What these components look like together, and where their corner lies. There must be one at least.
    pub(super) fn of(grid: &Grid, scene: &Scene, parts: &[usize]) -> (Sprite, Vector) {
        let bounds = parts.iter().map(|part| scene.components()[*part].bounds);
        let bounds = bounds.reduce(Bounds::union).unwrap_or(Bounds { left: 0, top: 0, right: 0, bottom: 0 });
        let corner = Vector::new(i16::from(bounds.left), i16::from(bounds.top));
        let of_parts = |point| scene.component_at(point).is_some_and(|it| parts.contains(&it));
        let inside = grid.points().filter(|point| bounds.contains(point.x(), point.y()) && of_parts(*point));
        let cells =
            inside.map(|point| (Vector::new(i16::from(point.x()), i16::from(point.y())).minus(corner), grid[point]));
        let size = Vector::new(i16::from(bounds.width()), i16::from(bounds.height()));
        (Sprite::new(cells.collect(), size), corner)
    }

    /// What lies in a rectangle of a frame.
    pub(super) fn cut(grid: &Grid, corner: Vector, size: Vector) -> Sprite {
        let offsets = (0..size.y).flat_map(|y| (0..size.x).map(move |x| Vector::new(x, y)));
        let cells = offsets.filter_map(|offset| Some((offset, color_at(grid, corner.plus(offset))?)));
        Sprite::new(cells.collect(), size)
    }

    /// What these cells look like, and where their corner lies; nothing where there are none.
    pub(super) fn covering(grid: &Grid, cells: &CellSet) -> Option<(Sprite, Vector)> {
        let low = cells.iter().reduce(Vector::least)?;
        let high = cells.iter().reduce(Vector::most)?;
        let size = high.minus(low).plus(Vector::new(1, 1));
        Some((Sprite::cut(grid, low, size).within(low, cells), low))
    }

    /// Its cells among these, with its corner here.
    pub(super) fn within(mut self, corner: Vector, cells: &CellSet) -> Sprite {
        self.cells.retain(|(at, _)| cells.contains(corner.plus(*at)));
        Sprite::new(self.cells, self.size)
    }

    /// Its cells of some colours.
    pub(super) fn only(mut self, colors: u16) -> Sprite {
        self.cells.retain(|(_, color)| colors >> color.index() & 1 == 1);
        Sprite::new(self.cells, self.size)
    }

    pub(super) fn cells(&self) -> &[(Vector, Color)] {
        &self.cells
    }

    /// The same picture, turned or mirrored.
    pub(super) fn turned(&self, symmetry: Symmetry) -> Sprite {
        let (width, height) = (self.size.x as u8, self.size.y as u8);
        let turn = |(at, color): &(Vector, Color)| {
            let (x, y) = symmetry.apply((at.x as u8, at.y as u8), (width, height));
            (Vector::new(x.into(), y.into()), *color)
        };
        let mut cells: Vec<(Vector, Color)> = self.cells.iter().map(turn).collect();
        cells.sort_unstable_by_key(|(at, _)| (at.y, at.x));
        let (width, height) = symmetry.size(width, height);
        Sprite::new(cells, Vector::new(width.into(), height.into()))
    }

    /// The same picture, turned or mirrored within a square part of its own square, from one coordinate to before another:
    /// a tile may have a margin on one side.
    pub(super) fn turned_within(&self, symmetry: Symmetry, (low, high): (i16, i16)) -> Sprite {
        let (corner, side) = (Vector::new(low, low), (high - low) as u8);
        let turn = |(at, color): &(Vector, Color)| {
            let at = at.minus(corner);
            let (x, y) = symmetry.apply((at.x as u8, at.y as u8), (side, side));
            (Vector::new(x.into(), y.into()).plus(corner), *color)
        };
        let mut cells: Vec<(Vector, Color)> = self.cells.iter().map(turn).collect();
        cells.sort_unstable_by_key(|(at, _)| (at.y, at.x));
        Sprite::new(cells, self.size)
    }

    /// The same picture, this far from the corner of bounds of this size.
    pub(super) fn laid(&self, shift: Vector, size: Vector) -> Sprite {
        Sprite::new(self.cells.iter().map(|(at, color)| (at.plus(shift), *color)).collect(), size)
    }

    /// A picture of nothing.
    pub(super) fn nothing() -> Sprite {
        Sprite::new(Vec::new(), Vector::ZERO)
    }

    /// The same picture, each colour turned into the one that is named for it.
    pub(super) fn dyed(&self, dye: &[Color; Color::COUNT]) -> Sprite {
        let cells = self.cells.iter().map(|(at, color)| (*at, dye[color.index()]));
        Sprite::new(cells.collect(), self.size)
    }

    /// A number that is equal for equal pictures.
    pub(super) fn key(&self) -> u64 {
        self.cells.iter().fold(0, |hash, (at, color)| mix(hash ^ at.code() << 8 ^ color.index() as u64))
    }

    /// A number that is equal for pictures that cover the same cells, whatever their colours.
    pub(super) fn outline_key(&self) -> u64 {
        self.cells.iter().fold(1, |hash, (at, _)| mix(hash ^ at.code()))
    }

    /// Whether another picture covers the same cells.
    pub(super) fn is_outlined_like(&self, other: &Sprite) -> bool {
        (self.size, self.outline) == (other.size, other.outline)
    }

    /// The set of its colours, one bit each.
    pub(super) fn colors(&self) -> u16 {
        self.cells.iter().fold(0, |set, (_, color)| set | 1 << color.index())
    }

    /// The cells it covers when its corner lies here.
    pub(super) fn footprint(&self, corner: Vector) -> impl Iterator<Item = Vector> {
        self.cells.iter().map(move |(offset, _)| corner.plus(*offset))
    }

    /// The cells of its bounds, holes included, when its corner lies here.
    pub(super) fn square(&self, corner: Vector) -> impl Iterator<Item = Vector> + use<> {
        let size = self.size;
        (0..size.y).flat_map(move |y| (0..size.x).map(move |x| corner.plus(Vector::new(x, y))))
    }

    /// The colours that are seen in its bounds and are not the ground there: its own, and those of what it takes along.
    pub(super) fn shown(&self, view: &View<'_>, corner: Vector) -> u32 {
        let seen = self.square(corner).filter_map(|at| {
            let color = color_at(view.frame, at)?;
            (view.canvas.get(at) != Some(color)).then_some(color)
        });
        seen.fold(0, |set, color| set | 1 << color.index())
    }

    /// The cells of its bounds if it fills half of them, else those it covers: what lies in the holes of a compact piece goes
    /// along with it rather than being ground.
    pub(super) fn hull(&self, corner: Vector) -> impl Iterator<Item = Vector> {
        let is_compact = 2 * self.cells.len() >= usize::from((self.size.x * self.size.y).unsigned_abs());
        self.square(corner).filter(move |at| is_compact || self.covers(corner, *at))
    }

    /// Those of its cells with its corner here at which it is seen.
    pub(super) fn seen_at(&self, grid: &Grid, corner: Vector) -> impl Iterator<Item = Vector> {
        let places = self.cells.iter().map(move |(offset, color)| (corner.plus(*offset), *color));
        places.filter(|(at, color)| color_at(grid, *at) == Some(*color)).map(|(at, _)| at)
    }

    pub(super) fn covers(&self, corner: Vector, cell: Vector) -> bool {
        self.outline.contains(cell.minus(corner))
    }

    /// Whether it is seen with its corner here.
    pub(super) fn is_at(&self, grid: &Grid, corner: Vector) -> bool {
        self.cells.iter().all(|(offset, color)| color_at(grid, corner.plus(*offset)) == Some(*color))
    }

    /// Every corner where it is seen, row after row; at most one more than `limit` of them.
    pub(super) fn find(&self, layers: &Layers, limit: usize) -> Vec<Vector> {
        self.find_where(layers, limit, |_, corners| corners)
    }

    /// The same where none of its cells has a neighbour of the same colour beside it.
    pub(super) fn find_apart(&self, layers: &Layers, limit: usize) -> Vec<Vector> {
        let low = self.extent().map_or(0, |(low, _)| low.x);
        let rim = OnceCell::new();
        self.find_where(layers, limit, |y, corners| match corners {
            0 => 0,
            _ => apart(rim.get_or_init(|| self.rim()), layers, corners, (low, y)),
        })
    }

    /// The same at those corners of row after row, a bit each, that are kept.
    fn find_where(&self, layers: &Layers, limit: usize, keep: impl Fn(i16, u64) -> u64) -> Vec<Vector> {
        let mut found = Vec::new();
        let Some((low, high)) = self.extent() else { return found };
        let room = layers.size.minus(high.minus(low)).minus(Vector::new(1, 1));
        if room.x < 0 {
            return found;
        }
        let columns = u64::MAX >> (63 - room.x);
        for y in -low.y..=room.y - low.y {
            let mut corners = keep(y, self.corners(layers, columns, (low.x, y)));
            while corners != 0 && found.len() <= limit {
                found.push(Vector::new(corners.trailing_zeros() as i16 - low.x, y));
                corners &= corners - 1;
            }
        }
        found
    }

    /// The least and the greatest coordinates of its cells.
    fn extent(&self) -> Option<(Vector, Vector)> {
        let cells = || self.cells.iter().map(|(at, _)| *at);
        Some((cells().reduce(Vector::least)?, cells().reduce(Vector::most)?))
    }

    /// Of these columns, a bit each, those in which its first one, `low` from its corner, is seen with its corner in row `y`.
    fn corners(&self, layers: &Layers, mut columns: u64, (low, y): (i16, i16)) -> u64 {
        for (at, color) in &self.cells {
            columns &= layers.row(*color, y + at.y) >> (at.x - low);
            if columns == 0 {
                break;
            }
        }
        columns
    }

    /// The places beside its cells that are none of its own, each with the colour of its neighbour.
    fn rim(&self) -> Vec<(Vector, Color)> {
        let beside = |(at, color): &(Vector, Color)| SIDES.map(|side| (at.plus(side), *color));
        self.cells.iter().flat_map(beside).filter(|(at, _)| self.color(*at).is_none()).collect()
    }

    /// Whether this picture occurs within another.
    pub(super) fn is_part_of(&self, other: &Sprite) -> bool {
        let Some((first, color)) = self.cells.first().copied() else { return true };
        other.cells.len() > self.cells.len()
            && other.cells.iter().filter(|(_, it)| *it == color).any(|(anchor, _)| {
                let shift = anchor.minus(first);
                self.cells.iter().all(|(at, color)| other.color(at.plus(shift)) == Some(*color))
            })
    }

    /// Its colour at an offset from its corner.
    pub(super) fn color(&self, offset: Vector) -> Option<Color> {
        let is_inside = (0..self.size.x).contains(&offset.x) && (0..self.size.y).contains(&offset.y);
        is_inside.then(|| self.picture[(offset.y * self.size.x + offset.x) as usize]).flatten()
    }

    /// Whether it covers, with its corner at `to`, a cell of another sprite that it covers neither from `from` nor `start`.
    pub(super) fn enters(&self, (start, from, to): (Vector, Vector, Vector), other: &Sprite, at: Vector) -> bool {
        let reach = |corner: Vector, y: i16| self.outline.row(y - corner.y, corner.x);
        (0..other.size.y).any(|row| {
            let y = at.y + row;
            reach(to, y) & !reach(from, y) & !reach(start, y) & other.outline.row(row, at.x) != 0
        })
    }
}

/// Of these corners in row `y`, a bit each, those where no place of a rim has the colour of its neighbour; the first bit is
/// column `low`.
fn apart(rim: &[(Vector, Color)], layers: &Layers, mut corners: u64, (low, y): (i16, i16)) -> u64 {
    for (at, color) in rim {
        let row = if (0..layers.size.y).contains(&(y + at.y)) { layers.row(*color, y + at.y) } else { 0 };
        let column = at.x - low;
        let same = if column < 0 { row << 1 } else { row.checked_shr(column as u32).unwrap_or(0) };
        corners &= !same;
        if corners == 0 {
            break;
        }
    }
    corners
}
