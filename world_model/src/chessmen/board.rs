//! The tiles that men stand on: where they lie, and what is drawn on them.

use env_client::{Color, Grid, Point};
use xxhash_rust::xxh3::xxh3_64;

use crate::InterfaceMask;

/// Bare tiles that a level shows at least: fewer are met by chance. A guess.
const BARE: usize = 4;
/// What covers more of a tile than this is no drawing on it but another tile. A guess.
const FIGURE: (usize, usize) = (3, 5);
/// A hollow drawing keeps one cell in so many at least. A guess.
const HOLLOW: usize = 3;
/// Tiles of so many cells along a side have a rim of one cell that is seam, and at the edge of a board something else, or
/// beyond the frame.
const RIMMED: u8 = 5;

/// Cells by their place within a tile, row by row.
pub(super) type Drawing = Vec<(u16, Color)>;

/// What a bare tile looks like.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ground {
    /// Cells along its side.
    pub(super) side: u8,
    /// Its cells, row by row.
    pub(super) cells: Vec<Color>,
}

/// What a tile is, whatever stands on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Floor {
    Bare,
    /// Another one, which looks so.
    Other(u64),
}

/// The tiles of a level, row after row, without their rims.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// The first cell, from one tile to the next, and how many cells of a tile count, each way.
    start: (u8, u8),
    side: u8,
    inner: u8,
    columns: u8,
    floor: Vec<Floor>,
    /// What is drawn on tiles of ground.
    pub(super) figures: Vec<(usize, Drawing)>,
}

impl Board {
    /// Lays tiles where most of them are bare; `None` where hardly any is.
    pub(super) fn lay(frame: &Grid, mask: &InterfaceMask, ground: &Ground) -> Option<Board> {
        let starts = (0..ground.side).flat_map(|top| (0..ground.side).map(move |left| (left, top)));
        let boards = starts.map(|start| Board::at(start, frame, ground));
        let bare = |board: &Board| (0..board.floor.len()).filter(|it| board.is_bare(frame, *it, ground)).count();
        let (most, mut board) = boards.map(|it| (bare(&it), it)).max_by_key(|it| it.0)?;
        (0..board.len()).for_each(|tile| board.see(frame, mask, ground, tile));
        (most >= BARE).then_some(board)
    }

    /// Tiles that begin here, as many as there is room for.
    fn at(start: (u8, u8), frame: &Grid, ground: &Ground) -> Board {
        let (side, inner) = (ground.side, ground.side - 2 * ground.rim());
        let count = |length: u8, start: u8| (length + side).saturating_sub(start + inner) / side;
        let (columns, rows) = (count(frame.width(), start.0), count(frame.height(), start.1));
        let floor = vec![Floor::Bare; usize::from(columns) * usize::from(rows)];
        Board { start, side, inner, columns, floor, figures: Vec::new() }
    }

    /// The cells of a tile, row by row.
    fn cells(&self, tile: usize) -> impl Iterator<Item = Point> + use<> {
        let (left, top) = self.corner(tile);
        let inner = self.inner;
        (top..top + inner).flat_map(move |y| (left..left + inner).filter_map(move |x| Point::new(x, y).ok()))
    }

    fn corner(&self, tile: usize) -> (u8, u8) {
        let columns = usize::from(self.columns);
        let along = |start: u8, at: usize| start + at as u8 * self.side;
        (along(self.start.0, tile % columns), along(self.start.1, tile / columns))
    }

    /// Whether a tile is a bare one, with its rim as far as that is in the frame.
    fn is_bare(&self, frame: &Grid, tile: usize, ground: &Ground) -> bool {
        let (side, rim) = (i16::from(self.side), i16::from(ground.rim()));
        let corner = self.corner(tile);
        let (left, top) = (i16::from(corner.0) - rim, i16::from(corner.1) - rim);
        let cells = (top..top + side).flat_map(|y| (left..left + side).map(move |x| Point::new(x, y).ok()));
        let seen = cells.map(|at| at.and_then(|at| frame.get(at)));
        seen.zip(&ground.cells).all(|(seen, bare)| seen.is_none_or(|it| it == *bare))
    }

    /// Takes in what a tile is and what is drawn on it.
    fn see(&mut self, frame: &Grid, mask: &InterfaceMask, ground: &Ground, tile: usize) {
        let seen: Vec<Color> = self.cells(tile).filter_map(|at| frame.get(at)).collect();
        let pairs = seen.iter().zip(ground.inside()).zip(0..);
        let drawing: Drawing = pairs.filter(|((seen, bare), _)| *seen != bare).map(|((it, _), at)| (at, *it)).collect();
        let is_figure = FIGURE.1 * drawing.len() <= FIGURE.0 * seen.len();
        if !is_figure || self.cells(tile).any(|at| mask.hides(at)) {
            let bytes: Vec<u8> = seen.iter().map(|it| u8::from(*it)).collect();
            self.floor[tile] = Floor::Other(xxh3_64(&bytes));
        } else if !drawing.is_empty() {
            self.figures.push((tile, drawing));
        }
    }

    pub(super) fn floor(&self, tile: usize) -> Floor {
        self.floor[tile]
    }

    /// How many tiles there are.
    pub(super) fn len(&self) -> usize {
        self.floor.len()
    }

    /// The tile that lies so many columns and rows away.
    pub(super) fn beside(&self, tile: usize, by: (i8, i8)) -> Option<usize> {
        let columns = isize::from(self.columns);
        let (x, y) = (tile as isize % columns + isize::from(by.0), tile as isize / columns + isize::from(by.1));
        let next = usize::try_from(y * columns + x).ok()?;
        ((0..columns).contains(&x) && next < self.len()).then_some(next)
    }

    /// Columns and rows from one tile to another.
    pub(super) fn way(&self, from: usize, to: usize) -> (i8, i8) {
        let columns = usize::from(self.columns);
        let along = |from: usize, to: usize| to as i8 - from as i8;
        (along(from % columns, to % columns), along(from / columns, to / columns))
    }

    /// The tile at a point.
    pub(super) fn tile_at(&self, at: Point) -> Option<usize> {
        let rim = (self.side - self.inner) / 2;
        let along = |at: u8, start: u8| Some((at + rim).checked_sub(start)? / self.side);
        let (column, row) = (along(at.x(), self.start.0)?, along(at.y(), self.start.1)?);
        let tile = usize::from(row) * usize::from(self.columns) + usize::from(column);
        (column < self.columns && tile < self.len()).then_some(tile)
    }

    /// A point of a drawing on a tile, about its middle.
    pub(super) fn point(&self, tile: usize, drawing: &Drawing) -> Option<Point> {
        let (offset, _) = drawing.get(drawing.len() / 2)?;
        self.cells(tile).nth(usize::from(*offset))
    }

    /// Whether a tile shows all of a drawing.
    pub(super) fn shows(&self, frame: &Grid, tile: usize, drawing: &Drawing) -> bool {
        let (inner, (left, top)) = (u16::from(self.inner), self.corner(tile));
        drawing.iter().all(|(offset, color)| {
            let at = Point::new(u16::from(left) + offset % inner, u16::from(top) + offset / inner);
            at.ok().and_then(|at| frame.get(at)) == Some(*color)
        })
    }
}

impl Ground {
    /// The width of the rim of a tile that does not count.
    fn rim(&self) -> u8 {
        u8::from(self.side >= RIMMED)
    }

    /// The cells within the rim, row by row.
    fn inside(&self) -> impl Iterator<Item = Color> {
        let (side, rim) = (usize::from(self.side), usize::from(self.rim()));
        self.cells.chunks(side).skip(rim).take(side - 2 * rim).flat_map(move |row| row[rim..side - rim].iter().copied())
    }
}

/// The colours of a drawing, as a set of indices.
pub(super) fn colors(drawing: &Drawing) -> u16 {
    drawing.iter().fold(0, |set, (_, color)| set | 1 << color.index())
}

/// Whether a drawing is another one with cells left out, yet no mere dot of it.
pub(super) fn is_hollow(mark: &Drawing, whole: &Drawing) -> bool {
    mark.len() < whole.len() && HOLLOW * mark.len() >= whole.len() && mark.iter().all(|cell| whole.contains(cell))
}
