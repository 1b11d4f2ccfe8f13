//! The tiles that men stand on: where they lie, and what is drawn on them.

use env_client::{Color, Grid};
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    InterfaceMask,
    perception::{
        Lattice,
        tiling::{cells, places},
    },
};

/// Bare tiles that a level shows at least: fewer are met by chance. A guess.
const BARE: usize = 4;
/// What covers more of a tile than this is no drawing on it but another tile.
const FIGURE: (usize, usize) = (3, 5);

/// Tiles of so many cells along a side have a rim of one cell that is seam, and at the edge of a board something else.
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

/// The tiles of a level, row after row.
#[derive(Clone, Debug)]
pub(super) struct Board {
    lattice: Lattice,
    columns: u8,
    floor: Vec<Floor>,
    /// What is drawn on tiles of ground.
    pub(super) figures: Vec<(usize, Drawing)>,
}

impl Board {
    /// Lays tiles where most of them are bare; `None` where hardly any is.
    pub(super) fn lay(frame: &Grid, mask: &InterfaceMask, ground: &Ground) -> Option<Board> {
        let scale = ground.side;
        let lattices = (0..scale).flat_map(|top| (0..scale).map(move |left| Lattice { scale, left, top }));
        let bare = |it: &Lattice| {
            let is_bare = |place: &(u8, u8)| cells(*it, *place).map(|at| frame.get(at)).eq(ground.colors());
            places(frame, *it).filter(is_bare).count()
        };
        let (most, lattice) = lattices.map(|it| (bare(&it), it)).max_by_key(|it| it.0)?;
        let (columns, _) = lattice.size(frame.width(), frame.height());
        let mut board = Board { lattice, columns, floor: Vec::new(), figures: Vec::new() };
        for place in places(frame, lattice) {
            board.see(frame, mask, ground, place);
        }
        (most >= BARE).then_some(board)
    }

    /// Takes in one more tile.
    fn see(&mut self, frame: &Grid, mask: &InterfaceMask, ground: &Ground, place: (u8, u8)) {
        let seen: Vec<Color> = cells(self.lattice, place).filter_map(|at| frame.get(at)).collect();
        let pairs = seen.iter().zip(&ground.cells).zip(0..).filter(|(_, at)| ground.is_inside(*at));
        let drawing: Drawing = pairs.filter(|((seen, bare), _)| seen != bare).map(|((it, _), at)| (at, *it)).collect();
        let inside = (0..seen.len() as u16).filter(|at| ground.is_inside(*at)).count();
        let is_figure = FIGURE.1 * drawing.len() <= FIGURE.0 * inside;
        if !is_figure || cells(self.lattice, place).any(|at| mask.hides(at)) {
            let bytes: Vec<u8> = seen.iter().map(|it| u8::from(*it)).collect();
            self.floor.push(Floor::Other(xxh3_64(&bytes)));
            return;
        }
        if !drawing.is_empty() {
            self.figures.push((self.floor.len(), drawing));
        }
        self.floor.push(Floor::Bare);
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
    pub(super) fn tile_at(&self, at: env_client::Point) -> Option<usize> {
        let (column, row) = self.lattice.cell_at(at)?;
        let tile = usize::from(row) * usize::from(self.columns) + usize::from(column);
        (column < self.columns && tile < self.len()).then_some(tile)
    }

    /// A point of a drawing on a tile, about its middle.
    pub(super) fn point(&self, tile: usize, drawing: &Drawing) -> Option<env_client::Point> {
        let (offset, _) = drawing.get(drawing.len() / 2)?;
        cells(self.lattice, self.place(tile)).nth(usize::from(*offset))
    }

    /// Whether a tile shows all of a drawing.
    pub(super) fn shows(&self, frame: &Grid, tile: usize, drawing: &Drawing) -> bool {
        let side = u16::from(self.lattice.scale);
        let bounds = self.lattice.bounds(self.place(tile));
        drawing.iter().all(|(offset, color)| {
            let (x, y) = (u16::from(bounds.left) + offset % side, u16::from(bounds.top) + offset / side);
            env_client::Point::new(x, y).ok().and_then(|at| frame.get(at)) == Some(*color)
        })
    }

    fn place(&self, tile: usize) -> (u8, u8) {
        let columns = usize::from(self.columns);
        ((tile % columns) as u8, (tile / columns) as u8)
    }
}

impl Ground {
    /// Whether a cell is not on the rim of its tile.
    fn is_inside(&self, at: u16) -> bool {
        let (side, last) = (u16::from(self.side), u16::from(self.side) - 1);
        let (x, y) = (at % side, at / side);
        self.side < RIMMED || x > 0 && y > 0 && x < last && y < last
    }

    fn colors(&self) -> impl Iterator<Item = Option<Color>> {
        self.cells.iter().copied().map(Some)
    }
}

/// The colours of a drawing, as a set of indices.
pub(super) fn colors(drawing: &Drawing) -> u16 {
    drawing.iter().fold(0, |set, (_, color)| set | 1 << color.index())
}

/// Whether a drawing is another one with cells left out.
pub(super) fn is_hollow(mark: &Drawing, whole: &Drawing) -> bool {
    mark.len() < whole.len() && mark.iter().all(|cell| whole.contains(cell))
}
