//! A map of tiles: a number for each.

use env_client::{Color, Grid, Point};

/// The numbers of the kinds of a frame's tiles, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileMap {
    width: u8,
    height: u8,
    kinds: Vec<u8>,
}

impl TileMap {
    /// A map whose tiles are all of one kind.
    pub fn filled(width: u8, height: u8, kind: u8) -> TileMap {
        TileMap { width, height, kinds: vec![kind; usize::from(width) * usize::from(height)] }
    }

    /// Every cell as a tile, whose kind is its colour.
    pub fn of_cells(frame: &Grid) -> TileMap {
        let kinds = frame.cells().iter().map(|cell| u8::from(*cell)).collect();
        TileMap { width: frame.width(), height: frame.height(), kinds }
    }

    /// A frame with a cell for each tile; kinds beyond the sixteenth look like the sixteenth.
    pub fn drawn(&self) -> Grid {
        let mut grid = Grid::filled(self.width, self.height, Color::ALL[0]);
        for (cell, kind) in grid.cells_mut().iter_mut().zip(&self.kinds) {
            *cell = Color::ALL[usize::from(*kind).min(Color::COUNT - 1)];
        }
        grid
    }

    /// Tiles in a row.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Rows of tiles.
    pub fn height(&self) -> u8 {
        self.height
    }

    /// All kinds, row by row.
    pub fn kinds(&self) -> &[u8] {
        &self.kinds
    }

    /// The same, to be changed.
    pub fn kinds_mut(&mut self) -> &mut [u8] {
        &mut self.kinds
    }

    /// The kind at a place that is on the map.
    pub fn get(&self, at: Point) -> Option<u8> {
        self.index(i16::from(at.x()), i16::from(at.y())).map(|index| self.kinds[index])
    }

    /// Where a place stands in [`TileMap::kinds`].
    pub fn index(&self, x: i16, y: i16) -> Option<usize> {
        let inside = (0..i16::from(self.width)).contains(&x) && (0..i16::from(self.height)).contains(&y);
        inside.then(|| y as usize * usize::from(self.width) + x as usize)
    }

    /// Column and row of what stands there in [`TileMap::kinds`].
    pub fn place(&self, index: usize) -> (i16, i16) {
        let width = usize::from(self.width);
        ((index % width) as i16, (index / width) as i16)
    }

    /// The places where two maps of one size differ, as they stand in [`TileMap::kinds`]; `None` for other sizes.
    pub fn differences<'a>(&'a self, other: &'a TileMap) -> Option<impl Iterator<Item = usize> + 'a> {
        let pairs = self.kinds.iter().zip(&other.kinds).enumerate();
        let same_size = (self.width, self.height) == (other.width, other.height);
        same_size.then(|| pairs.filter(|(_, (a, b))| a != b).map(|(index, _)| index))
    }
}
