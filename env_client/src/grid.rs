//! A rectangle of coloured cells, and the points in it.

use std::{fmt, ops::Index, str::FromStr};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error as _, SeqAccess, Visitor},
};

use crate::{Color, ColorError};

/// The side of a frame in cells, and the bound on a click's coordinates.
pub const SIDE: u8 = 64;

/// A cell of a frame: `x` is the column, `y` the row, both counted from the top left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "RawPoint")]
pub struct Point {
    /// Column, `0..64`.
    x: u8,
    /// Row, `0..64`.
    y: u8,
}

#[derive(Deserialize)]
struct RawPoint {
    x: i64,
    y: i64,
}

/// Coordinates outside the 64×64 frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("point ({x}, {y}) lies outside the frame, expected 0 to 63 each")]
pub struct PointError {
    /// The column that came.
    pub x: i64,
    /// The row that came.
    pub y: i64,
}

impl Point {
    /// The point at column `x`, row `y`.
    #[inline]
    pub fn new(x: impl Into<i64>, y: impl Into<i64>) -> Result<Point, PointError> {
        let (x, y) = (x.into(), y.into());
        let inside = |value: i64| u8::try_from(value).ok().filter(|value| *value < SIDE);
        match (inside(x), inside(y)) {
            (Some(x), Some(y)) => Ok(Point { x, y }),
            _ => Err(PointError { x, y }),
        }
    }

    /// Column, `0..64`.
    #[inline]
    pub const fn x(self) -> u8 {
        self.x
    }

    /// Row, `0..64`.
    #[inline]
    pub const fn y(self) -> u8 {
        self.y
    }

    /// The point `dx` columns and `dy` rows away, if it is still in the frame.
    #[inline]
    pub fn offset(self, dx: i8, dy: i8) -> Option<Point> {
        Point::new(i64::from(self.x) + i64::from(dx), i64::from(self.y) + i64::from(dy)).ok()
    }
}

impl TryFrom<RawPoint> for Point {
    type Error = PointError;

    fn try_from(raw: RawPoint) -> Result<Self, PointError> {
        Point::new(raw.x, raw.y)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// A frame or a part of one: at least 1×1, at most 64×64 cells, row-major.
#[derive(Clone, Eq, Hash)]
#[expect(
    clippy::derived_hash_with_manual_eq,
    reason = "grids are equal when all fields are, it is only found out faster"
)]
pub struct Grid {
    width: u8,
    height: u8,
    cells: Box<[Color]>,
}

impl PartialEq for Grid {
    /// A row's worth of cells at a time: searches compare frames for every action they think of.
    fn eq(&self, other: &Grid) -> bool {
        let mut rows = self.cells.chunks(SIDE.into()).zip(other.cells.chunks(SIDE.into()));
        (self.width, self.height) == (other.width, other.height) && !rows.any(|(a, b)| differ(a, b))
    }
}

/// Whether cells differ anywhere, found out without a branch, which the compiler turns into a few wide instructions.
fn differ(a: &[Color], b: &[Color]) -> bool {
    a.iter().zip(b).fold(0, |differ, (a, b)| differ | (u8::from(*a) ^ u8::from(*b))) != 0
}

/// Rows that do not make a grid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// No rows, or more than 64.
    #[error("a grid of {0} rows, expected 1 to 64")]
    Height(usize),
    /// A row without cells, or with more than 64.
    #[error("row {row} has {width} cells, expected 1 to 64")]
    Width {
        /// Which row, from 0.
        row: usize,
        /// Its number of cells.
        width: usize,
    },
    /// Rows of different lengths.
    #[error("row {row} has {width} cells where the first row has {expected}")]
    Ragged {
        /// Which row, from 0.
        row: usize,
        /// Its number of cells.
        width: usize,
        /// The number of cells of row 0.
        expected: usize,
    },
    /// A cell that is no colour.
    #[error("row {row}: {error}")]
    Color {
        /// Which row, from 0.
        row: usize,
        /// What came.
        error: ColorError,
    },
    /// A character that is no hexadecimal digit, in the textual form.
    #[error("row {row}: '{found}' is no hexadecimal digit")]
    Digit {
        /// Which row, from 0.
        row: usize,
        /// What came.
        found: char,
    },
}

impl Grid {
    /// A grid of one colour.
    ///
    /// # Panics
    /// When a side is 0 or above 64.
    pub fn filled(width: u8, height: u8, color: Color) -> Grid {
        assert!((1..=SIDE).contains(&width) && (1..=SIDE).contains(&height), "a grid is 1x1 to 64x64");
        Grid { width, height, cells: vec![color; usize::from(width) * usize::from(height)].into() }
    }

    /// A grid from its rows, top to bottom.
    pub fn from_rows<Row: AsRef<[Color]>>(rows: impl IntoIterator<Item = Row>) -> Result<Grid, GridError> {
        let mut builder = Builder::default();
        for row in rows {
            builder.cells.extend_from_slice(row.as_ref());
            builder.end_row()?;
        }
        builder.finish()
    }

    /// Columns, `1..=64`.
    #[inline]
    pub const fn width(&self) -> u8 {
        self.width
    }

    /// Rows, `1..=64`.
    #[inline]
    pub const fn height(&self) -> u8 {
        self.height
    }

    /// All cells, row after row.
    #[inline]
    pub fn cells(&self) -> &[Color] {
        &self.cells
    }

    /// The rows, top to bottom.
    #[inline]
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Color]> {
        self.cells.chunks_exact(usize::from(self.width))
    }

    /// The points of the grid in the order of [`Grid::cells`].
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let width = self.width;
        (0..self.height).flat_map(move |y| (0..width).map(move |x| Point { x, y }))
    }

    /// The colour at a point, or `None` outside the grid.
    #[inline]
    pub fn get(&self, point: Point) -> Option<Color> {
        self.offset_of(point).map(|offset| self.cells[offset])
    }

    /// Paints one cell.
    ///
    /// # Panics
    /// When the point lies outside the grid.
    pub fn set(&mut self, point: Point, color: Color) {
        let offset = self.offset_of(point).expect("the point lies in the grid");
        self.cells[offset] = color;
    }

    /// All cells, row after row, to paint many at once.
    #[inline]
    pub fn cells_mut(&mut self) -> &mut [Color] {
        &mut self.cells
    }

    /// The cells in which two grids of one size differ, or `None` when their sizes differ.
    pub fn differences(&self, other: &Grid) -> Option<impl Iterator<Item = Point>> {
        (self.width == other.width && self.height == other.height).then(|| {
            let rows = (0..).zip(self.rows().zip(other.rows())).filter(|(_, (a, b))| differ(a, b));
            rows.flat_map(|(y, (a, b))| {
                let cells = (0..).zip(a.iter().zip(b)).filter(|(_, (a, b))| a != b);
                cells.map(move |(x, _)| Point { x, y })
            })
        })
    }

    #[inline]
    fn offset_of(&self, point: Point) -> Option<usize> {
        (point.x < self.width && point.y < self.height)
            .then(|| usize::from(point.y) * usize::from(self.width) + usize::from(point.x))
    }
}

impl Index<Point> for Grid {
    type Output = Color;

    /// # Panics
    /// When the point lies outside the grid.
    fn index(&self, point: Point) -> &Color {
        &self.cells[self.offset_of(point).expect("the point lies in the grid")]
    }
}

/// One line a row, one hexadecimal digit a cell; [`FromStr`] reads it back.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.rows() {
            for color in row {
                write!(f, "{color}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Grid {}x{}", self.width, self.height)?;
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Grid {
    type Err = GridError;

    fn from_str(text: &str) -> Result<Self, GridError> {
        let mut builder = Builder::default();
        for (row, line) in text.lines().map(str::trim).filter(|line| !line.is_empty()).enumerate() {
            for digit in line.chars() {
                let value = digit.to_digit(16).ok_or(GridError::Digit { row, found: digit })?;
                builder.cells.push(Color::of(value as u8));
            }
            builder.end_row()?;
        }
        builder.finish()
    }
}

/// Cells on their way to a grid: the one place where sizes are checked.
#[derive(Default)]
struct Builder {
    width: usize,
    height: usize,
    cells: Vec<Color>,
}

impl Builder {
    fn end_row(&mut self) -> Result<(), GridError> {
        let width = self.cells.len() - self.width * self.height;
        let row = self.height;
        if row == 0 {
            self.width = width;
        }
        if width == 0 || width > usize::from(SIDE) {
            return Err(GridError::Width { row, width });
        }
        if width != self.width {
            return Err(GridError::Ragged { row, width, expected: self.width });
        }
        self.height += 1;
        if self.height > usize::from(SIDE) { Err(GridError::Height(self.height)) } else { Ok(()) }
    }

    fn finish(self) -> Result<Grid, GridError> {
        if self.height == 0 {
            return Err(GridError::Height(0));
        }
        Ok(Grid { width: self.width as u8, height: self.height as u8, cells: self.cells.into() })
    }
}

/// As the protocol writes it: a list of rows of numbers.
impl Serialize for Grid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows())
    }
}

/// Straight from the numbers into cells: frames are most of what a play reads.
impl<'de> Deserialize<'de> for Grid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(GridVisitor)
    }
}

struct GridVisitor;

impl<'de> Visitor<'de> for GridVisitor {
    type Value = Grid;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a grid: 1 to 64 rows of 1 to 64 colours")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<Grid, A::Error> {
        let mut builder =
            Builder { cells: Vec::with_capacity(usize::from(SIDE) * usize::from(SIDE)), ..Builder::default() };
        while rows.next_element_seed(RowSeed(&mut builder))?.is_some() {
            builder.end_row().map_err(A::Error::custom)?;
        }
        builder.finish().map_err(A::Error::custom)
    }
}

/// Appends one row to a builder.
struct RowSeed<'a>(&'a mut Builder);

impl<'de> serde::de::DeserializeSeed<'de> for RowSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for RowSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {} of a grid: 1 to 64 colours", self.0.height)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut cells: A) -> Result<(), A::Error> {
        let row = self.0.height;
        let start = self.0.cells.len();
        while let Some(value) = cells.next_element::<u64>()? {
            let color = Color::try_from(value).map_err(|error| A::Error::custom(GridError::Color { row, error }))?;
            self.0.cells.push(color);
            if self.0.cells.len() - start > usize::from(SIDE) {
                let width = self.0.cells.len() - start;
                return Err(A::Error::custom(GridError::Width { row, width }));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    prop_compose! {
        fn any_grid()(width in 1u8..=64, height in 1u8..=64)
            (width in Just(width), height in Just(height),
             cells in prop::collection::vec(0u8..16, usize::from(width) * usize::from(height)))
            -> Grid {
            Grid { width, height, cells: cells.into_iter().map(Color::of).collect() }
        }
    }

    proptest! {
        #[test]
        fn text_and_json_round_trip(grid in any_grid()) {
            prop_assert_eq!(&grid.to_string().parse::<Grid>().unwrap(), &grid);
            let json = serde_json::to_string(&grid).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Grid>(&json).unwrap(), &grid);
        }

        #[test]
        fn any_text_is_read_or_explained(text in ".{0,200}") {
            let _ = text.parse::<Grid>();
            let _ = serde_json::from_str::<Grid>(&text);
        }
    }

    #[test]
    fn a_bad_grid_says_what_is_wrong_and_where() {
        let error = |json: &str| serde_json::from_str::<Grid>(json).unwrap_err().to_string();
        assert!(error("[]").starts_with("a grid of 0 rows, expected 1 to 64"));
        assert!(error("[[1,2],[3]]").starts_with("row 1 has 1 cells where the first row has 2"));
        assert!(error("[[1,2],[3,16]]").starts_with("row 1: colour 16 does not exist, expected 0 to 15"));
        assert!(error("[[]]").starts_with("row 0 has 0 cells"));
        let tall = format!("[{}]", vec!["[1]"; 65].join(","));
        assert!(error(&tall).starts_with("a grid of 65 rows"));
        let wide = format!("[[{}]]", vec!["1"; 65].join(","));
        assert!(error(&wide).starts_with("row 0 has 65 cells"));
    }

    #[test]
    fn differences_name_the_cells() {
        let a: Grid = "012\n345".parse().unwrap();
        let b: Grid = "012\n3f5".parse().unwrap();
        assert_eq!(a.differences(&b).unwrap().collect::<Vec<_>>(), [Point { x: 1, y: 1 }]);
        assert!(a.differences(&"0".parse().unwrap()).is_none());
    }
}
