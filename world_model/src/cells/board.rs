//! Where cells are: a lattice of equal rectangles, with or without gaps, and what is drawn in them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use env_client::{Color, Grid, Point, SIDE};

use crate::{
    Bounds, InterfaceMask, Scene,
    perception::{Lattice, LatticeFinder, edge_share},
};

/// Cells across the widest view an engine draws with at least two frame cells each.
const VIEWS: std::ops::RangeInclusive<u8> = 3..=32;
/// The smallest cell in which a colour can be told from a mark on it.
const SMALLEST: u8 = 3;
/// The largest: four cells across a frame.
const LARGEST: u8 = SIDE / 4;
/// The share of colour edges on the lines of a lattice in a level's first frame that speaks for it. Lower than for a
/// frame alone, because what clicks change has to fit too.
const SHARE: f32 = 0.6;
/// The width of what frames a cell, where there is room.
const FRAME: u8 = 3;
/// A distance is common that comes this many times less often than the one that comes most often.
const COMMON: usize = 3;
/// Tiles that make a family.
const FAMILY: usize = 4;
/// The share of a cell's pixels that must change for the cell to have changed: where the first frame shows the cells, and
/// where it does not.
const CHANGED: f32 = 0.4;
const CHANGED_WHOLLY: f32 = 0.8;

/// A lattice of equal cells, row after row.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    left: u8,
    top: u8,
    /// From one cell to the next, across and down.
    pitch: (u8, u8),
    /// Of a cell; smaller than the pitch where there are gaps.
    size: (u8, u8),
    columns: u8,
    rows: u8,
    /// Whether there is a cell at all, row after row.
    present: Vec<bool>,
    /// The share of a cell's pixels that change when it does, at least.
    changed: f32,
}

/// What is drawn in a cell beside its colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mark {
    /// Where it has other colours, as a hash; 0 for a plain cell.
    pub shape: u64,
    /// Their set, by index.
    pub colors: u16,
}

impl Board {
    /// Every board that a level's first frame might be drawn on: tiles that are seen before lattices that may be, largest
    /// cells first.
    pub(super) fn candidates(first: &Grid, mask: &InterfaceMask) -> Vec<Board> {
        let mut finder = LatticeFinder::default();
        finder.begin_level(first, mask);
        let lattices = VIEWS.map(camera).chain(finder.lattice());
        let lattices = lattices.filter(|it| (SMALLEST..=LARGEST).contains(&it.scale));
        let mut lattices: Vec<Board> = lattices.map(|it| Board::of(it, first, mask)).collect();
        let mut boards = Board::families(first, mask, SMALLEST);
        boards.sort_by_key(|it| Reverse(it.area()));
        lattices.sort_by_key(|it| Reverse(it.area()));
        boards.append(&mut lattices);
        boards.dedup();
        boards
    }

    /// Boards of tiles: components whose bounds have one size, no side shorter than `smallest`, at least four of them, at
    /// equal distances.
    pub(crate) fn families(frame: &Grid, mask: &InterfaceMask, smallest: u8) -> Vec<Board> {
        let scene = Scene::of(frame);
        let mut families: BTreeMap<(u8, u8), Vec<Bounds>> = BTreeMap::new();
        for it in scene.components() {
            let size = (it.bounds.width(), it.bounds.height());
            let fits = |side: u8| (smallest..=LARGEST).contains(&side);
            let filled = 2 * usize::from(it.area) >= usize::from(size.0) * usize::from(size.1);
            if fits(size.0) && fits(size.1) && filled && !mask.hides(it.center) {
                families.entry(size).or_default().push(it.bounds);
            }
        }
        let mut boards: Vec<Board> = families.iter().flat_map(|(size, tiles)| tiled(*size, tiles)).collect();
        for board in &mut boards {
            board.admit(frame);
        }
        boards
    }

    /// Takes places for cells that mostly have the colour of one: a mark may divide what else would be a tile.
    fn admit(&mut self, frame: &Grid) {
        let all = vec![true; self.area()];
        let colors: BTreeSet<Color> =
            (0..self.len()).filter(|cell| self.has(*cell)).map(|cell| self.color(frame, cell, &all)).collect();
        for place in 0..self.len() {
            let color = self.color(frame, place, &all);
            let cells = self.pixels(place).filter(|at| frame.get(*at) == Some(color)).count();
            self.present[place] |= colors.contains(&color) && 2 * cells > self.area();
        }
    }

    fn of(lattice: Lattice, frame: &Grid, mask: &InterfaceMask) -> Board {
        let (columns, rows) = lattice.size(frame.width(), frame.height());
        let (pitch, present) = ((lattice.scale, lattice.scale), vec![true; usize::from(columns) * usize::from(rows)]);
        let changed = if edge_share(frame, mask, lattice) >= SHARE { CHANGED } else { CHANGED_WHOLLY };
        Board { left: lattice.left, top: lattice.top, pitch, size: pitch, columns, rows, present, changed }
    }

    /// Columns and rows.
    pub fn size(&self) -> (u8, u8) {
        (self.columns, self.rows)
    }

    /// How many cells there are, missing ones included.
    pub fn len(&self) -> usize {
        self.present.len()
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        !self.present.contains(&true)
    }

    /// Whether there is a cell at this place.
    pub fn has(&self, cell: usize) -> bool {
        self.present[cell]
    }

    /// Whether cells have one size and distance on both.
    pub(super) fn is_like(&self, other: &Board) -> bool {
        (self.pitch, self.size) == (other.pitch, other.size)
    }

    /// Takes out cells that are mostly interface.
    pub(super) fn hide(&mut self, mask: &InterfaceMask) {
        for cell in 0..self.len() {
            self.present[cell] &= 2 * self.pixels(cell).filter(|point| mask.hides(*point)).count() < self.area();
        }
    }

    fn area(&self) -> usize {
        usize::from(self.size.0) * usize::from(self.size.1)
    }

    fn bounds(&self, cell: usize) -> Bounds {
        let (column, row) = (cell as u8 % self.columns, (cell / usize::from(self.columns)) as u8);
        let (left, top) = (self.left + column * self.pitch.0, self.top + row * self.pitch.1);
        Bounds { left, top, right: left + self.size.0 - 1, bottom: top + self.size.1 - 1 }
    }

    /// Where to click a cell.
    pub fn middle(&self, cell: usize) -> Point {
        let Bounds { left, top, right, bottom } = self.bounds(cell);
        Point::new(left.midpoint(right), top.midpoint(bottom)).unwrap_or_default()
    }

    /// The cell at a point.
    pub fn cell_at(&self, point: Point) -> Option<usize> {
        let column = point.x().checked_sub(self.left)? / self.pitch.0;
        let row = point.y().checked_sub(self.top)? / self.pitch.1;
        if column >= self.columns || row >= self.rows {
            return None;
        }
        let cell = usize::from(row) * usize::from(self.columns) + usize::from(column);
        (self.present[cell] && self.bounds(cell).contains(point.x(), point.y())).then_some(cell)
    }

    /// The colours in the middle of all cells, missing ones included.
    pub(crate) fn middles(&self, frame: &Grid) -> Vec<Color> {
        (0..self.len()).map(|cell| frame.get(self.middle(cell)).unwrap_or_default()).collect()
    }

    /// City-block distance in cells.
    pub(crate) fn distance(&self, a: usize, b: usize) -> u32 {
        let columns = usize::from(self.columns);
        ((a % columns).abs_diff(b % columns) + (a / columns).abs_diff(b / columns)) as u32
    }

    /// The colours of frames around a cell, as a set of indices: drawn at all four corners, at one distance.
    pub(crate) fn frames(&self, picture: &Grid, cell: usize) -> u16 {
        let Bounds { left, top, right, bottom } = self.bounds(cell);
        let gap = (self.pitch.0 - self.size.0).min(self.pitch.1 - self.size.1).min(FRAME);
        let frame = |by: u8| {
            let [left, top] = [left, top].map(|side| i64::from(side) - i64::from(by));
            let [right, bottom] = [right, bottom].map(|side| i64::from(side + by));
            let corners = [(left, top), (right, top), (left, bottom), (right, bottom)];
            let colors = corners.map(|(x, y)| Point::new(x, y).ok().and_then(|point| picture.get(point)));
            colors[0].filter(|_| colors.iter().all(|color| *color == colors[0]))
        };
        (1..=gap).filter_map(frame).fold(0, |set, color| set | 1 << color.index())
    }

    fn pixels(&self, cell: usize) -> impl Iterator<Item = Point> + use<> {
        let Bounds { left, top, right, bottom } = self.bounds(cell);
        (top..=bottom).flat_map(move |y| (left..=right).filter_map(move |x| Point::new(x, y).ok()))
    }

    /// The colour of each cell: that of most of the pixels which clicks paint.
    pub(super) fn read(&self, frame: &Grid, paint: &[bool]) -> Vec<Color> {
        (0..self.len()).map(|cell| self.color(frame, cell, paint)).collect()
    }

    fn color(&self, frame: &Grid, cell: usize, paint: &[bool]) -> Color {
        let mut counts = [0u16; Color::COUNT];
        for (point, _) in self.pixels(cell).zip(paint).filter(|(_, paint)| **paint) {
            counts[frame.get(point).map_or(0, Color::index)] += 1;
        }
        let most = (0..Color::COUNT).max_by_key(|index| (counts[*index], Color::COUNT - index));
        Color::ALL[most.unwrap_or_default()]
    }

    /// What else than its colour a cell shows.
    pub(super) fn mark(&self, frame: &Grid, cell: usize, color: Color) -> Mark {
        let mut mark = Mark::default();
        for (offset, point) in self.pixels(cell).enumerate() {
            if let Some(other) = frame.get(point).filter(|other| *other != color) {
                mark.colors |= 1 << other.index();
                mark.shape = (mark.shape ^ (offset as u64 + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
            }
        }
        mark
    }

    /// The frame with some cells in other colours.
    pub(super) fn paint(&self, frame: &Grid, before: &[Color], after: &[Color]) -> Grid {
        let mut painted = frame.clone();
        for cell in (0..self.len()).filter(|cell| before[*cell] != after[*cell]) {
            for point in self.pixels(cell).filter(|point| frame.get(*point) == Some(before[cell])) {
                painted.set(point, after[cell]);
            }
        }
        painted
    }

    /// How many of the pixels that changed belong to cells that changed as a whole.
    pub(super) fn explained(&self, before: &Grid, after: &Grid) -> usize {
        let counts = (0..self.len()).filter(|cell| self.present[*cell]).map(|cell| self.changes(cell, before, after));
        counts.filter(|count| *count as f32 >= self.changed * self.area() as f32).sum()
    }

    /// The colours of so many blocks along each side of a place, row after row; `None` unless each has one colour.
    pub(super) fn blocks(&self, frame: &Grid, place: usize, side: u8) -> Option<Vec<Color>> {
        let (width, height) = (self.size.0 / side, self.size.1 / side);
        if (width * side, height * side) != self.size || width == 0 || height == 0 {
            return None;
        }
        let Bounds { left, top, .. } = self.bounds(place);
        let block = |index: u8| {
            let (left, top) = (left + index % side * width, top + index / side * height);
            let mut cells = (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y)));
            let color = |(x, y): (u8, u8)| Point::new(x, y).ok().and_then(|at| frame.get(at));
            let first = color((left, top))?;
            cells.all(|at| color(at) == Some(first)).then_some(first)
        };
        (0..side * side).map(block).collect()
    }

    fn changes(&self, cell: usize, before: &Grid, after: &Grid) -> usize {
        self.pixels(cell).filter(|point| before.get(*point) != after.get(*point)).count()
    }

    /// The pixels of a cell that change with its colour: those that did in most of the cells that changed; all but the
    /// middle where nothing changed yet.
    pub(super) fn paint_of<'a>(&self, clicks: impl Iterator<Item = (&'a Grid, &'a Grid)>) -> Vec<bool> {
        let (mut counts, mut cells) = (vec![0usize; self.area()], 0);
        for (before, after) in clicks {
            let threshold = self.changed * self.area() as f32;
            let changed = (0..self.len()).filter(|cell| self.changes(*cell, before, after) as f32 >= threshold);
            for cell in changed.filter(|cell| self.present[*cell]) {
                cells += 1;
                for (count, point) in counts.iter_mut().zip(self.pixels(cell)) {
                    *count += usize::from(before.get(point) != after.get(point));
                }
            }
        }
        counts.iter().map(|count| cells == 0 || 2 * count >= cells).collect()
    }
}

/// The lattice that an engine draws on when its view is so many cells across: scaled as far as it fits, and centred.
fn camera(view: u8) -> Lattice {
    let scale = SIDE / view;
    let start = (SIDE - view * scale) / 2 % scale;
    Lattice { scale, left: start, top: start }
}

/// The boards of tiles of one size: they have one distance, and each its own phase.
fn tiled(size: (u8, u8), tiles: &[Bounds]) -> Vec<Board> {
    let across = spacing(tiles, size.0, |it| it.left, |it| it.top);
    let down = spacing(tiles, size.1, |it| it.top, |it| it.left);
    let Some(pitch) = across.or(down).map(|either| (across.unwrap_or(either), down.unwrap_or(either))) else {
        return Vec::new();
    };
    let mut phases: BTreeMap<(u8, u8), Vec<Bounds>> = BTreeMap::new();
    for it in tiles {
        phases.entry((it.left % pitch.0, it.top % pitch.1)).or_default().push(*it);
    }
    let boards = phases.values().filter(|tiles| tiles.len() >= FAMILY);
    boards.filter_map(|tiles| in_phase(size, pitch, tiles)).collect()
}

fn in_phase(size: (u8, u8), pitch: (u8, u8), tiles: &[Bounds]) -> Option<Board> {
    let (left, top) = (tiles.iter().map(|it| it.left).min()?, tiles.iter().map(|it| it.top).min()?);
    let (right, bottom) = (tiles.iter().map(|it| it.left).max()?, tiles.iter().map(|it| it.top).max()?);
    let (columns, rows) = ((right - left) / pitch.0 + 1, (bottom - top) / pitch.1 + 1);
    let mut present = vec![false; usize::from(columns) * usize::from(rows)];
    for it in tiles {
        let (column, row) = ((it.left - left) / pitch.0, (it.top - top) / pitch.1);
        present[usize::from(row) * usize::from(columns) + usize::from(column)] = true;
    }
    Some(Board { left, top, pitch, size, columns, rows, present, changed: CHANGED })
}

/// The smallest distance that is common between tiles of one line that follow each other.
fn spacing(tiles: &[Bounds], size: u8, along: impl Fn(&Bounds) -> u8, line: impl Fn(&Bounds) -> u8) -> Option<u8> {
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    for it in tiles {
        let others = tiles.iter().filter(|other| line(other) == line(it));
        let distances = others.filter_map(|other| along(other).checked_sub(along(it)));
        if let Some(next) = distances.filter(|distance| *distance >= size).min() {
            *counts.entry(next).or_default() += 1;
        }
    }
    let most = counts.values().copied().max()?;
    counts.into_iter().find(|(_, count)| COMMON * count >= most).map(|(distance, _)| distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TILES: &str = "\
000000000000000000
011101110222011100
011101110222011100
011101110222011100
000000000000000000
022202220222011100
022202220222011100
022202220222011100
000000000000000000";

    #[test]
    fn tiles_with_gaps_make_a_board() {
        let frame: Grid = TILES.parse().unwrap();
        let board = &Board::families(&frame, &InterfaceMask::new(), SMALLEST)[0];
        assert_eq!((board.size(), board.pitch), ((4, 2), (4, 4)));
        let colors: Vec<usize> = board.read(&frame, &[true; 9]).iter().map(|it| it.index()).collect();
        assert_eq!(colors, [1, 1, 2, 1, 2, 2, 2, 1]);
        assert_eq!(board.cell_at(Point::new(4, 2).unwrap()), None, "a gap");
        assert_eq!(board.cell_at(board.middle(6)), Some(6));
    }

    #[test]
    fn a_mark_is_told_by_place_and_by_color() {
        let frame: Grid = TILES.replacen("22202220", "22202520", 1).parse().unwrap();
        let board = Board::families(&TILES.parse().unwrap(), &InterfaceMask::new(), SMALLEST).remove(0);
        let marks: Vec<Mark> =
            (0..8).map(|cell| board.mark(&frame, cell, board.read(&frame, &[true; 9])[cell])).collect();
        assert_eq!(marks.iter().filter(|mark| mark.shape != 0).count(), 1);
        assert_eq!(marks.iter().map(|mark| mark.colors).max(), Some(1 << 5));
    }
}
