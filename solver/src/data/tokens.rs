//! Grids as token sequences: a square canvas, row after row.
//!
//! The grid lies at an offset, closed by [`EOS`] in the row below it and the column beside it as far as these are on the
//! canvas; all else, the corner between the two included, is [`PAD`]. (HRM, TRM and URM, with a canvas of 30.)

use env_client::{Color, Grid};

use super::{COLORS, MAX_SIDE};

/// Token of an empty place.
pub const PAD: u8 = 0;

/// Token that closes a grid, below and beside it.
pub const EOS: u8 = 1;

/// Token of colour 0; the others follow.
const FIRST_COLOR: u8 = 2;

/// Number of tokens: [`PAD`], [`EOS`] and the ten colours.
pub const VOCABULARY: usize = 2 + COLORS;

/// Longest side of a canvas: no [`Grid`] is larger.
const MAX_CANVAS: u8 = 64;

/// A square of `side × side` tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canvas(u8);

/// A side that no canvas has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a canvas of side {0}, expected 1 to {MAX_CANVAS}")]
pub struct CanvasError(pub u8);

/// Where the upper left cell of a grid lies on the canvas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offset {
    /// Rows from the top.
    pub row: u8,
    /// Columns from the left.
    pub column: u8,
}

impl Canvas {
    /// As HRM, TRM and URM have it: the largest grid of ARC fills it.
    pub const PUBLISHED: Canvas = Canvas(MAX_SIDE);

    /// The canvas with this side, `1..=64`.
    pub fn new(side: u8) -> Result<Canvas, CanvasError> {
        if (1..=MAX_CANVAS).contains(&side) { Ok(Canvas(side)) } else { Err(CanvasError(side)) }
    }

    /// Its rows, and its columns.
    pub const fn side(self) -> u8 {
        self.0
    }

    /// Tokens of one sequence.
    pub const fn tokens(self) -> usize {
        self.0 as usize * self.0 as usize
    }

    /// Whether the grid lies on the canvas.
    pub fn fits(self, grid: &Grid) -> bool {
        grid.width() <= self.0 && grid.height() <= self.0
    }

    /// The offsets at which all these grids fit: `0..=row`, `0..=column`.
    pub fn room<'a>(self, grids: impl IntoIterator<Item = &'a Grid>) -> Offset {
        let whole = Offset { row: self.0, column: self.0 };
        grids.into_iter().fold(whole, |room, grid| Offset {
            row: room.row.min(self.0.saturating_sub(grid.height())),
            column: room.column.min(self.0.saturating_sub(grid.width())),
        })
    }

    /// Writes a grid into the [`PAD`] tokens of one sequence.
    ///
    /// # Shapes
    /// `tokens` is `[side * side]`; cells beyond the canvas are left out.
    pub fn write(self, grid: &Grid, at: Offset, tokens: &mut [u8]) {
        let side = usize::from(self.0);
        let (top, left) = (usize::from(at.row), usize::from(at.column));
        let below = top + usize::from(grid.height());
        let beside = left + usize::from(grid.width());
        let columns = left.min(side)..beside.min(side);
        for (row, cells) in tokens.chunks_exact_mut(side).skip(top).zip(grid.rows()) {
            for (token, color) in row[columns.clone()].iter_mut().zip(cells) {
                *token = FIRST_COLOR + u8::from(*color);
            }
            if let Some(token) = row.get_mut(beside) {
                *token = EOS;
            }
        }
        if let Some(row) = tokens.chunks_exact_mut(side).nth(below) {
            row[columns].fill(EOS);
        }
    }

    /// The grid at the origin of a sequence: the rectangle of colours with the largest area, among equals the one with
    /// the fewest rows. `None` when the first token is no colour.
    ///
    /// # Shapes
    /// `tokens` is `[side * side]`.
    pub fn read(self, tokens: &[u8]) -> Option<Grid> {
        let (width, height) = self.extent(tokens);
        let rows = tokens.chunks_exact(usize::from(self.0)).take(height);
        Grid::from_rows(rows.map(|row| row[..width].iter().filter_map(|token| color(*token)).collect::<Vec<_>>())).ok()
    }

    /// Columns and rows of the largest rectangle of colours at the origin.
    fn extent(self, tokens: &[u8]) -> (usize, usize) {
        let mut width = usize::from(self.0);
        let mut best = (0, 0);
        for (index, row) in tokens.chunks_exact(usize::from(self.0)).enumerate() {
            width = row.iter().take(width).take_while(|token| color(**token).is_some()).count();
            let height = index + 1;
            if width * height > best.0 * best.1 {
                best = (width, height);
            }
        }
        best
    }
}

/// The colour a token stands for.
fn color(token: u8) -> Option<Color> {
    let index = usize::from(token.checked_sub(FIRST_COLOR)?);
    Color::ALL[..COLORS].get(index).copied()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn grid(text: &str) -> Grid {
        text.parse().unwrap()
    }

    /// The tokens of a sequence in base 12, one line a row.
    fn drawn(canvas: Canvas, grid: &Grid, at: Offset) -> Vec<String> {
        let mut tokens = vec![PAD; canvas.tokens()];
        canvas.write(grid, at, &mut tokens);
        let digit = |token: &u8| char::from_digit(u32::from(*token), 12).unwrap();
        tokens.chunks(usize::from(canvas.side())).map(|row| row.iter().map(digit).collect()).collect()
    }

    #[test]
    fn a_grid_is_closed_below_and_beside_but_not_at_the_corner() {
        let canvas = Canvas::new(5).unwrap();
        let at = Offset { row: 1, column: 1 };
        assert_eq!(drawn(canvas, &grid("12\n34\n00"), at), ["00000", "03410", "05610", "02210", "01100"]);
        assert_eq!(drawn(canvas, &grid("123\n456"), Offset::default())[..3], ["34510", "67810", "11100"]);
    }

    #[test]
    fn a_grid_as_large_as_its_canvas_is_not_closed() {
        let canvas = Canvas::new(2).unwrap();
        assert_eq!(drawn(canvas, &grid("99\n99"), Offset::default()), ["bb", "bb"]);
        assert_eq!(drawn(canvas, &grid("99"), Offset { row: 1, column: 0 }), ["00", "bb"]);
    }

    /// The published crop on rows `666600 666100 666600 660000`: 3×3 beats 1×4 and 4×2.
    #[test]
    fn a_ragged_answer_is_cut_to_its_largest_rectangle() {
        let canvas = Canvas::new(6).unwrap();
        let rows = [[6, 6, 6, 6, 0, 0], [6, 6, 6, 1, 0, 0], [6, 6, 6, 6, 0, 0], [6, 6, 0, 0, 0, 0]];
        let mut tokens = rows.concat();
        tokens.resize(canvas.tokens(), PAD);
        assert_eq!(canvas.read(&tokens), Some(grid("444\n444\n444")));
    }

    #[test]
    fn the_flatter_of_two_equal_rectangles_is_taken() {
        let canvas = Canvas::new(3).unwrap();
        assert_eq!(canvas.read(&[2, 2, 0, 2, 0, 0, 0, 0, 0]), Some(grid("00")));
    }

    #[test]
    fn an_answer_that_begins_with_no_colour_is_empty() {
        let canvas = Canvas::new(2).unwrap();
        assert_eq!(canvas.read(&[EOS, 2, 2, 2]), None);
        assert_eq!(canvas.read(&[PAD; 4]), None);
        assert_eq!(canvas.read(&[12; 4]), None);
    }

    #[test]
    fn only_sides_of_1_to_64_make_a_canvas() {
        assert_eq!(Canvas::new(0), Err(CanvasError(0)));
        assert_eq!(Canvas::new(65), Err(CanvasError(65)));
        assert_eq!(Canvas::new(64).map(Canvas::tokens), Ok(4096));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            (side, width, height, down, right) in (1u8..=40).prop_flat_map(|side| {
                (Just(side), 1..=side, 1..=side).prop_flat_map(|(side, width, height)| {
                    (Just(side), Just(width), Just(height), 0..=side - height, 0..=side - width)
                })
            }),
            colors in prop::collection::vec(0u8..10, 40 * 40),
        ) {
            let canvas = Canvas::new(side).unwrap();
            let mut grid = Grid::filled(width, height, Color::default());
            grid.cells_mut().iter_mut().zip(colors).for_each(|(cell, color)| *cell = Color::of(color));
            let mut tokens = vec![PAD; canvas.tokens()];
            canvas.write(&grid, Offset { row: down, column: right }, &mut tokens);
            // Moved back to the origin: what lies before the offset is PAD, and PAD is what comes in behind.
            tokens.rotate_left(usize::from(down) * usize::from(side) + usize::from(right));
            prop_assert_eq!(canvas.read(&tokens), Some(grid));
        }

        #[test]
        fn any_tokens_can_be_read(side in 1u8..=12, tokens in prop::collection::vec(0u8.., 144)) {
            let canvas = Canvas::new(side).unwrap();
            let grid = canvas.read(&tokens[..canvas.tokens()]);
            prop_assert_eq!(grid.is_some(), (2..12).contains(&tokens[0]));
        }
    }
}
