//! Cells, directions, and boards of cells.

use std::{
    hash::{Hash, Hasher},
    ops::{Add, Deref, Index, IndexMut},
    sync::Arc,
};

/// A cell of a title's world: `x` is the column, `y` the row. It may lie outside of every board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// Column, growing to the right.
    pub x: i16,
    /// Row, growing downwards.
    pub y: i16,
}

impl Cell {
    /// The cell at column `x`, row `y`.
    pub const fn at(x: i16, y: i16) -> Cell {
        Cell { x, y }
    }

    /// Steps between two cells for something that moves in the four directions.
    pub fn distance(self, other: Cell) -> u32 {
        u32::from(self.x.abs_diff(other.x)) + u32::from(self.y.abs_diff(other.y))
    }
}

impl Add<Dir> for Cell {
    type Output = Cell;

    /// The neighbour in that direction.
    fn add(self, dir: Dir) -> Cell {
        let (dx, dy) = dir.delta();
        Cell::at(self.x + dx, self.y + dy)
    }
}

/// One of the four directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dir {
    /// Towards row 0.
    Up,
    /// Towards the last column.
    Right,
    /// Towards the last row.
    Down,
    /// Towards column 0.
    Left,
}

impl Dir {
    /// All four, clockwise from up.
    pub const ALL: [Dir; 4] = [Dir::Up, Dir::Right, Dir::Down, Dir::Left];

    /// Columns and rows of one step.
    pub const fn delta(self) -> (i16, i16) {
        match self {
            Dir::Up => (0, -1),
            Dir::Right => (1, 0),
            Dir::Down => (0, 1),
            Dir::Left => (-1, 0),
        }
    }

    /// Quarter turns clockwise from up, `0..4`.
    pub const fn quarter_turns(self) -> u8 {
        self as u8
    }

    /// The direction after a quarter turn clockwise.
    pub const fn clockwise(self) -> Dir {
        Dir::ALL[(self as usize + 1) % 4]
    }

    /// The direction back.
    pub const fn opposite(self) -> Dir {
        self.clockwise().clockwise()
    }

    /// Left and right exchanged: what a twin behind a standing mirror does.
    pub const fn mirrored(self) -> Dir {
        match self {
            Dir::Left => Dir::Right,
            Dir::Right => Dir::Left,
            vertical => vertical,
        }
    }
}

/// A rectangle of tiles that can change during a level: part of a title's state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board<Tile> {
    width: i16,
    tiles: Vec<Tile>,
}

impl<Tile> Board<Tile> {
    /// A board whose tiles are computed from their cells.
    pub fn new(width: i16, height: i16, tile: impl FnMut(Cell) -> Tile) -> Board<Tile> {
        Board { width, tiles: cells(width, height).map(tile).collect() }
    }

    /// Columns.
    pub fn width(&self) -> i16 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> i16 {
        self.tiles.len() as i16 / self.width
    }

    /// Its cells, row after row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<Tile> {
        cells(self.width, self.height())
    }

    /// Its cells with their tiles, row after row.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, &Tile)> {
        self.cells().zip(&self.tiles)
    }

    /// Its tiles, row after row.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// The tile at a cell, or `None` outside the board.
    pub fn get(&self, cell: Cell) -> Option<&Tile> {
        self.offset(cell).map(|offset| &self.tiles[offset])
    }

    /// The tile at a cell to change, or `None` outside the board.
    pub fn get_mut(&mut self, cell: Cell) -> Option<&mut Tile> {
        self.offset(cell).map(|offset| &mut self.tiles[offset])
    }

    /// The cells whose tile is `wanted`, row after row.
    pub fn find(&self, wanted: Tile) -> impl Iterator<Item = Cell>
    where
        Tile: PartialEq,
    {
        self.iter().filter(move |(_, tile)| **tile == wanted).map(|(cell, _)| cell)
    }

    fn offset(&self, cell: Cell) -> Option<usize> {
        let inside = (0..self.width).contains(&cell.x) && (0..self.height()).contains(&cell.y);
        inside.then(|| cell.y as usize * self.width as usize + cell.x as usize)
    }
}

/// # Panics
/// When the cell lies outside the board.
impl<Tile> Index<Cell> for Board<Tile> {
    type Output = Tile;

    fn index(&self, cell: Cell) -> &Tile {
        self.get(cell).expect("the cell lies on the board")
    }
}

/// # Panics
/// When the cell lies outside the board.
impl<Tile> IndexMut<Cell> for Board<Tile> {
    fn index_mut(&mut self, cell: Cell) -> &mut Tile {
        self.get_mut(cell).expect("the cell lies on the board")
    }
}

/// The part of a level that never changes, drawn in ASCII: one glyph a cell.
///
/// Cheap to clone. It adds nothing to the hash of a state, because all states of one level share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map(Arc<Board<u8>>);

impl Map {
    /// Reads a map; lines are trimmed and empty ones skipped, so it can be indented. Short rows are filled with spaces.
    pub fn parse(text: &str) -> Map {
        let rows: Vec<&[u8]> = text.lines().map(|line| line.trim().as_bytes()).filter(|row| !row.is_empty()).collect();
        let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let glyph = |cell: Cell| *rows[cell.y as usize].get(cell.x as usize).unwrap_or(&b' ');
        Map::from(Board::new(width as i16, rows.len() as i16, glyph))
    }

    /// The glyph at a cell; a `#` outside the map, so that every map is walled in.
    pub fn glyph(&self, cell: Cell) -> u8 {
        self.get(cell).copied().unwrap_or(b'#')
    }

    /// The first cell with this glyph, row after row.
    ///
    /// # Panics
    /// When the map has none: the title's own drawing is wrong.
    pub fn the(&self, glyph: u8) -> Cell {
        self.find(glyph).next().unwrap_or_else(|| panic!("the map has a '{}'", char::from(glyph)))
    }
}

impl From<Board<u8>> for Map {
    fn from(board: Board<u8>) -> Map {
        Map(Arc::new(board))
    }
}

impl Deref for Map {
    type Target = Board<u8>;

    fn deref(&self) -> &Board<u8> {
        &self.0
    }
}

impl Hash for Map {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

fn cells(width: i16, height: i16) -> impl Iterator<Item = Cell> {
    (0..height).flat_map(move |y| (0..width).map(move |x| Cell::at(x, y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_read_as_drawn() {
        let map = Map::parse(
            "
            #@.
            ##
            ",
        );
        assert_eq!((map.width(), map.height()), (3, 2));
        assert_eq!(map.the(b'@'), Cell::at(1, 0));
        assert_eq!(map.find(b'#').count(), 3);
        assert_eq!(
            (map.glyph(Cell::at(2, 1)), map.glyph(Cell::at(-1, 0)), map.glyph(Cell::at(0, 2))),
            (b' ', b'#', b'#')
        );
    }

    #[test]
    fn directions_turn_and_come_back() {
        for dir in Dir::ALL {
            assert_eq!(Cell::at(5, 5) + dir + dir.opposite(), Cell::at(5, 5));
            assert_eq!(dir.mirrored().mirrored(), dir);
            assert_eq!(dir.clockwise().quarter_turns(), (dir.quarter_turns() + 1) % 4);
        }
    }
}
