//! Where cells are: a lattice of equal rectangles, with or without gaps, and what is drawn in them.

mod tiles;

use std::{cmp::Reverse, ops::Range};

use env_client::{Color, Grid, Point, SIDE};

pub(super) use self::tiles::apart_from;
use super::{clue, picture::blocks};
use crate::{
    Bounds, InterfaceMask,
    perception::{Lattice, LatticeFinder, edge_share},
};

/// Cells across the widest view an engine draws with at least two frame cells each.
const VIEWS: std::ops::RangeInclusive<u8> = 3..=32;
/// The smallest cell in which a colour can be told from a mark on it.
pub(super) const SMALLEST: u8 = 3;
/// The largest: three cells across a frame.
const LARGEST: u8 = SIDE / 3;
/// The share of colour edges on the lines of a lattice in a level's first frame that speaks for it. Lower than for a
/// frame alone, because what clicks change has to fit too.
const SHARE: f32 = 0.6;
/// The width of what frames a cell, where there is room.
const FRAME: u8 = 3;
/// The share of a cell's pixels that must change for the cell to have changed: where the first frame shows the cells, and
/// where it does not: more than three of four parts, which may be cells themselves.
const CHANGED: f32 = 0.4;
const CHANGED_WHOLLY: f32 = 0.76;

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
    /// The same of colours that no cell takes: what tells one kind of cell from another, whatever is wanted of it.
    pub sign: u64,
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

    /// Takes out places where no colour prevails: a picture, or a piece of something else.
    fn dismiss_motley(&mut self, frame: &Grid) {
        let all = vec![true; self.area()];
        for place in 0..self.len() {
            let color = self.color(frame, place, &all);
            let cells = self.pixels(place).filter(|at| frame.get(*at) == Some(color)).count();
            self.present[place] &= 2 * cells > self.area();
        }
    }

    /// Takes out pictures of blocks in a colour that no plain tile has: they are no tiles, though one colour may prevail.
    fn dismiss_pictures(&mut self, frame: &Grid) {
        let colors = |place: usize| {
            let pixels = self.pixels(place).filter_map(|at| frame.get(at));
            pixels.fold(0u16, |set, color| set | 1 << color.index())
        };
        let places: Vec<usize> = (0..self.len()).filter(|place| self.has(*place)).collect();
        let plain = places.iter().map(|it| colors(*it)).filter(|it| it.is_power_of_two()).fold(0, |set, it| set | it);
        let all = vec![true; self.area()];
        let is_strange = |place: usize| plain != 0 && plain & 1 << self.color(frame, place, &all).index() == 0;
        let is_picture = |place: usize| is_strange(place) && self.blocks(frame, place, clue::SIDE).is_some();
        let pictures: Vec<usize> = places.into_iter().filter(|place| is_picture(*place)).collect();
        for place in pictures {
            self.present[place] = false;
        }
    }

    /// How many cells there are.
    fn cells(&self) -> usize {
        self.present.iter().filter(|present| **present).count()
    }

    /// Whether the cells of both lie on one lattice.
    fn is_in_phase(&self, other: &Board) -> bool {
        let phase = |board: &Board| (board.left % board.pitch.0, board.top % board.pitch.1);
        self.is_like(other) && phase(self) == phase(other)
    }

    /// Takes places for cells that mostly have the colour of one, or one of those that cells are known to take, a set of
    /// indices: a mark may divide what else would be a tile.
    pub(super) fn admit(&mut self, frame: &Grid, taken: u16) {
        let all = vec![true; self.area()];
        let cells = (0..self.len()).filter(|cell| self.has(*cell));
        let colors = cells.fold(taken, |set, cell| set | 1 << self.color(frame, cell, &all).index());
        for place in 0..self.len() {
            let color = self.color(frame, place, &all);
            let cells = self.pixels(place).filter(|at| frame.get(*at) == Some(color)).count();
            self.present[place] |= colors & 1 << color.index() != 0 && 2 * cells > self.area();
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

    /// From one cell to the next, across and down.
    pub fn pitch(&self) -> (u8, u8) {
        self.pitch
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
    pub(crate) fn is_like(&self, other: &Board) -> bool {
        (self.pitch, self.size) == (other.pitch, other.size)
    }

    /// Takes out cells that are mostly interface.
    pub(super) fn hide(&mut self, mask: &InterfaceMask) {
        for cell in 0..self.len() {
            self.present[cell] &= 2 * self.pixels(cell).filter(|point| mask.hides(*point)).count() < self.area();
        }
    }

    /// The pixels of a cell.
    pub(crate) fn area(&self) -> usize {
        usize::from(self.size.0) * usize::from(self.size.1)
    }

    /// The rectangle of a cell, present or not.
    pub fn bounds(&self, cell: usize) -> Bounds {
        let (column, row) = (cell as u8 % self.columns, (cell / usize::from(self.columns)) as u8);
        let (left, top) = (self.left + column * self.pitch.0, self.top + row * self.pitch.1);
        Bounds { left, top, right: left + self.size.0 - 1, bottom: top + self.size.1 - 1 }
    }

    /// The rectangle of a cell with half of the gaps around it.
    pub(crate) fn room(&self, cell: usize) -> Bounds {
        let Bounds { left, top, right, bottom } = self.bounds(cell);
        let (across, down) = ((self.pitch.0 - self.size.0) / 2, (self.pitch.1 - self.size.1) / 2);
        Bounds {
            left: left.saturating_sub(across),
            top: top.saturating_sub(down),
            right: (right + across).min(SIDE - 1),
            bottom: (bottom + down).min(SIDE - 1),
        }
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

    /// The place a point falls to, as if the lattice had no gaps and all its places had cells.
    pub(crate) fn place_of(&self, point: Point) -> Option<usize> {
        let column = point.x().checked_sub(self.left)? / self.pitch.0;
        let row = point.y().checked_sub(self.top)? / self.pitch.1;
        let is_inside = column < self.columns && row < self.rows;
        is_inside.then_some(usize::from(row) * usize::from(self.columns) + usize::from(column))
    }

    /// The parts of a board between rows and columns without any cell; none where it is in one piece.
    pub(crate) fn parts(&self) -> Vec<Board> {
        let row = |y: u8| (0..self.columns).any(|x| self.present[self.index(x, y)]);
        let column = |x: u8| (0..self.rows).any(|y| self.present[self.index(x, y)]);
        let (columns, rows) = (runs(self.columns, column), runs(self.rows, row));
        if columns.len() * rows.len() < 2 {
            return Vec::new();
        }
        let part = |across: &Range<u8>, down: &Range<u8>| {
            let places = down.clone().flat_map(|y| across.clone().map(move |x| (x, y)));
            Board {
                left: self.left + across.start * self.pitch.0,
                top: self.top + down.start * self.pitch.1,
                columns: across.len() as u8,
                rows: down.len() as u8,
                present: places.map(|(x, y)| self.present[self.index(x, y)]).collect(),
                ..self.clone()
            }
        };
        let parts = rows.iter().flat_map(|down| columns.iter().map(move |across| part(across, down)));
        parts.filter(|it| !it.is_empty()).collect()
    }

    fn index(&self, column: u8, row: u8) -> usize {
        usize::from(row) * usize::from(self.columns) + usize::from(column)
    }

    /// Whether a point lies in the room of a cell.
    pub(crate) fn is_near(&self, point: Point) -> bool {
        self.cell_near(point).is_some()
    }

    /// The cell in whose room a point lies.
    pub(super) fn cell_near(&self, point: Point) -> Option<usize> {
        let is_near = |cell: &usize| self.present[*cell] && self.room(*cell).contains(point.x(), point.y());
        (0..self.len()).find(is_near)
    }

    /// Whether two points lie in one place of the lattice, if it went on in all directions.
    pub(crate) fn is_one_place(&self, a: Point, b: Point) -> bool {
        let place = |at: u8, start: u8, pitch: u8, size: u8| {
            (i16::from(at) - i16::from(start) + i16::from((pitch - size) / 2)).div_euclid(i16::from(pitch))
        };
        let across = |at: Point| place(at.x(), self.left, self.pitch.0, self.size.0);
        let down = |at: Point| place(at.y(), self.top, self.pitch.1, self.size.1);
        (across(a), down(a)) == (across(b), down(b))
    }

    /// The room of the place at a point, if the lattice went on in all directions; `None` where that leaves the frame.
    pub(crate) fn room_at(&self, point: Point) -> Option<Bounds> {
        let span = |at: u8, start: u8, pitch: u8, size: u8| {
            let gap = (pitch - size) / 2;
            let first = i16::from(start) - i16::from(gap);
            let low = first + (i16::from(at) - first).div_euclid(i16::from(pitch)) * i16::from(pitch);
            let high = low + i16::from(size + 2 * gap) - 1;
            (low >= 0 && high < i16::from(SIDE)).then_some((low as u8, high as u8))
        };
        let (left, right) = span(point.x(), self.left, self.pitch.0, self.size.0)?;
        let (top, bottom) = span(point.y(), self.top, self.pitch.1, self.size.1)?;
        Some(Bounds { left, top, right, bottom })
    }

    /// The colours in the middle of all cells, missing ones included.
    pub(crate) fn middles(&self, frame: &Grid) -> Vec<Color> {
        (0..self.len()).map(|cell| frame.get(self.middle(cell)).unwrap_or_default()).collect()
    }

    /// The colours that most pixels of all cells have, missing ones included.
    pub(crate) fn prevailing(&self, frame: &Grid) -> Vec<Color> {
        self.read(frame, &vec![true; self.area()])
    }

    /// The colour that prevails in the core of a cell: a quarter of its sides is left out all around.
    pub(crate) fn core(&self, frame: &Grid, cell: usize) -> Color {
        let (across, down) = (self.size.0 / 4, self.size.1 / 4);
        let is_inside = |at: u8, size: u8, by: u8| at >= by && at < size - by;
        let places = (0..self.size.1).flat_map(|y| (0..self.size.0).map(move |x| (x, y)));
        let core: Vec<bool> =
            places.map(|(x, y)| is_inside(x, self.size.0, across) && is_inside(y, self.size.1, down)).collect();
        self.color(frame, cell, &core)
    }

    /// City-block distance in cells.
    pub(crate) fn distance(&self, a: usize, b: usize) -> u32 {
        let columns = usize::from(self.columns);
        ((a % columns).abs_diff(b % columns) + (a / columns).abs_diff(b / columns)) as u32
    }

    /// The colours of frames around a cell, as a set of indices: drawn at all four corners, at one distance; or on its own
    /// corners, where they have another colour than its middle.
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
        let corners = frame(0).filter(|color| Some(*color) != picture.get(self.middle(cell)));
        corners.into_iter().chain((1..=gap).filter_map(frame)).fold(0, |set, color| set | 1 << color.index())
    }

    pub(crate) fn pixels(&self, cell: usize) -> impl Iterator<Item = Point> + use<> {
        let Bounds { left, top, right, bottom } = self.bounds(cell);
        (top..=bottom).flat_map(move |y| (left..=right).filter_map(move |x| Point::new(x, y).ok()))
    }

    /// The colour of each cell: that of most of the pixels which clicks paint.
    pub(super) fn read(&self, frame: &Grid, paint: &[bool]) -> Vec<Color> {
        (0..self.len()).map(|cell| self.color(frame, cell, paint)).collect()
    }

    fn color(&self, frame: &Grid, cell: usize, paint: &[bool]) -> Color {
        let Bounds { left, top, right, bottom } = self.bounds(cell);
        let (across, down) = (usize::from(left)..usize::from(right) + 1, usize::from(top)..usize::from(bottom) + 1);
        let mut counts = [0u16; Color::COUNT];
        for (row, paint) in frame.rows().take(down.end).skip(down.start).zip(paint.chunks(across.len())) {
            let cells = row.iter().take(across.end).skip(across.start);
            for (color, _) in cells.zip(paint).filter(|(_, paint)| **paint) {
                counts[color.index()] += 1;
            }
        }
        let most = (0..Color::COUNT).max_by_key(|index| (counts[*index], Color::COUNT - index));
        Color::ALL[most.unwrap_or_default()]
    }

    /// What else than its colour a cell shows; `taken` is the set of colours that cells take, by index.
    pub(super) fn mark(&self, frame: &Grid, cell: usize, color: Color, taken: u16) -> Mark {
        let mut mark = Mark::default();
        let mix =
            |hash: u64, offset: usize| (hash ^ (offset as u64 + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        for (offset, point) in self.pixels(cell).enumerate() {
            if let Some(other) = frame.get(point).filter(|other| *other != color) {
                let bit = 1 << other.index();
                mark.colors |= bit;
                mark.shape = mix(mark.shape, offset);
                mark.sign = if taken & bit == 0 { mix(mark.sign, offset) } else { mark.sign };
            }
        }
        mark
    }

    /// The frame with some cells in other colours, those of their pixels that can be painted.
    pub(super) fn paint(&self, frame: &Grid, ink: &[bool], before: &[Color], after: &[Color]) -> Grid {
        let mut painted = frame.clone();
        for cell in (0..self.len()).filter(|cell| before[*cell] != after[*cell]) {
            let inked = self.pixels(cell).zip(ink).filter(|(_, ink)| **ink).map(|(point, _)| point);
            for point in inked.filter(|point| frame.get(*point) == Some(before[cell])) {
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
        blocks(frame, self.bounds(place), (side, side))
    }

    fn changes(&self, cell: usize, before: &Grid, after: &Grid) -> usize {
        self.pixels(cell).filter(|point| before.get(*point) != after.get(*point)).count()
    }

    /// The pixels of a cell that change with its colour: those that did in most of the cells that changed; all where nothing
    /// changed yet.
    pub(super) fn paint_of<'a>(&self, clicks: impl Iterator<Item = (&'a Grid, &'a Grid)>) -> Vec<bool> {
        let (counts, cells) = self.painted(clicks);
        counts.iter().map(|count| 2 * count >= cells).collect()
    }

    /// The pixels of a cell that changed with it anywhere, which leaves out rivets even where they have its colour; `None`
    /// where nothing changed yet.
    pub(super) fn ink_of<'a>(&self, clicks: impl Iterator<Item = (&'a Grid, &'a Grid)>) -> Option<Vec<bool>> {
        let (counts, cells) = self.painted(clicks);
        (cells > 0).then(|| counts.iter().map(|count| *count > 0).collect())
    }

    /// How often each pixel of a cell changed with it, and how many cells changed.
    fn painted<'a>(&self, clicks: impl Iterator<Item = (&'a Grid, &'a Grid)>) -> (Vec<usize>, usize) {
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
        (counts, cells)
    }
}

/// The lattice that an engine draws on when its view is so many cells across: scaled as far as it fits, and centred.
fn camera(view: u8) -> Lattice {
    let scale = SIDE / view;
    let start = (SIDE - view * scale) / 2 % scale;
    Lattice { scale, left: start, top: start }
}

/// The runs of numbers below `end` for which this holds.
fn runs(end: u8, holds: impl Fn(u8) -> bool) -> Vec<Range<u8>> {
    let mut runs: Vec<Range<u8>> = Vec::new();
    for at in (0..end).filter(|at| holds(*at)) {
        match runs.last_mut() {
            Some(run) if run.end == at => run.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) const TILES: &str = "\
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
    fn a_mark_is_told_by_place_and_by_color() {
        let frame: Grid = TILES.replacen("22202220", "22202520", 1).parse().unwrap();
        let board = Board::families(&TILES.parse().unwrap(), &InterfaceMask::new(), SMALLEST).remove(0);
        let marks: Vec<Mark> =
            (0..8).map(|cell| board.mark(&frame, cell, board.read(&frame, &[true; 9])[cell], 0)).collect();
        assert_eq!(marks.iter().filter(|mark| mark.shape != 0).count(), 1);
        assert_eq!(marks.iter().map(|mark| mark.colors).max(), Some(1 << 5));
        let marked = marks.iter().position(|mark| mark.sign != 0).unwrap();
        assert_eq!(board.mark(&frame, marked, Color::of(2), 1 << 5).sign, 0, "a colour that cells take is no sign");
    }
}
