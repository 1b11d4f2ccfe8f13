//! Grids as images of pixels, as Loop-ViT sees them.
//!
//! Every cell becomes a square of pixels, as large as the [`Placement`] says. Around a question lies [`BACKGROUND`]; an
//! answer is closed by a line of [`BORDER`] on its right and below it, the corner between the two included, and what lies
//! beyond is not asked for.

use env_client::{Color, Grid};
use rand::{Rng, RngExt};

use super::{Batch, COLORS, Example, IGNORED, Offset, View};

/// Pixel outside a question.
pub const BACKGROUND: u8 = 10;

/// Pixel that closes an answer.
pub const BORDER: u8 = 11;

/// Values of a pixel: ten colours, [`BACKGROUND`] and [`BORDER`].
pub const VALUES: usize = 2 + COLORS;

/// Longest side of an image: no [`Grid`] is larger.
const MAX_SIDE: u8 = 64;

/// Pixels along a side where no grid begins or ends: one before the grid, one for the border.
pub(super) const MARGIN: u8 = 2;

/// A square of `side × side` pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image(u8);

/// A side that no image has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an image of side {0}, expected 3 to {MAX_SIDE}")]
pub struct ImageError(pub u8);

/// How both grids of a pair lie on an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Pixels along the side of a cell, at least 1.
    pub scale: u8,
    /// Pixels above and left of the grid, at least 1 each.
    pub at: Offset,
}

impl Image {
    /// The image with this side.
    pub fn new(side: u8) -> Result<Image, ImageError> {
        if (1 + MARGIN..=MAX_SIDE).contains(&side) { Ok(Image(side)) } else { Err(ImageError(side)) }
    }

    /// Its rows, and its columns.
    pub const fn side(self) -> u8 {
        self.0
    }

    /// Pixels in all.
    pub const fn pixels(self) -> usize {
        self.0 as usize * self.0 as usize
    }

    /// A scale and an offset at which the grids fit, each with equal chances; `None` if they are too large.
    pub fn place<'a>(self, grids: impl IntoIterator<Item = &'a Grid>, rng: &mut impl Rng) -> Option<Placement> {
        let extent = |(width, height): (u8, u8), grid: &Grid| (width.max(grid.width()), height.max(grid.height()));
        let (width, height) = grids.into_iter().fold((1, 1), extent);
        let inner = self.0 - MARGIN;
        let most = inner / width.max(height);
        if most == 0 {
            return None;
        }
        let scale = rng.random_range(1..=most);
        let mut offset = |length: u8| rng.random_range(1..=(inner - length * scale).max(1));
        let column = offset(width);
        Some(Placement { scale, at: Offset { row: offset(height), column } })
    }

    /// Paints a question on [`BACKGROUND`].
    ///
    /// # Shapes
    /// `pixels` is `[side * side]`; what would lie beyond is left out.
    pub fn write_question(self, grid: &Grid, place: Placement, pixels: &mut [u8]) {
        let (width, height) = place.extent(grid);
        self.paint(place.at, (width, height), pixels, |row, column| place.cell(grid, row, column));
    }

    /// Paints an answer and its border on [`IGNORED`].
    ///
    /// # Shapes
    /// `labels` is `[side * side]`; what would lie beyond is left out.
    pub fn write_answer(self, grid: &Grid, place: Placement, labels: &mut [u8]) {
        let (width, height) = place.extent(grid);
        self.paint(place.at, (width + 1, height + 1), labels, |row, column| {
            if row == height || column == width { BORDER } else { place.cell(grid, row, column) }
        });
    }

    fn paint(self, at: Offset, extent: (usize, usize), pixels: &mut [u8], value: impl Fn(usize, usize) -> u8) {
        let side = usize::from(self.0);
        let (left, (width, height)) = (usize::from(at.column), extent);
        for (row, line) in pixels.chunks_exact_mut(side).skip(usize::from(at.row)).take(height).enumerate() {
            let line = line.iter_mut().skip(left).take(width);
            line.enumerate().for_each(|(column, pixel)| *pixel = value(row, column));
        }
    }

    /// The answer that begins at the offset, still enlarged: as wide and as high as the first [`BORDER`] along its upper
    /// and its left edge says, or the image. `None` when that is nothing. To be turned back before it is [`shrunk`], since
    /// a wrong answer need not consist of whole squares.
    ///
    /// # Shapes
    /// `pixels` is `[side * side]`.
    pub fn read(self, pixels: &[u8], at: Offset) -> Option<Grid> {
        let side = usize::from(self.0);
        let (top, left) = (usize::from(at.row), usize::from(at.column));
        let rows: Vec<&[u8]> = pixels.chunks_exact(side).skip(top).filter_map(|row| row.get(left..)).collect();
        let inside = |pixel: &u8| *pixel != BORDER;
        let width = rows.first()?.iter().take_while(|pixel| inside(pixel)).count();
        let height = rows.iter().take_while(|row| row.first().is_some_and(inside)).count();
        let color = |pixel: &u8| Color::try_from(u64::from(*pixel)).ok();
        let rows = rows[..height].iter().map(|row| row[..width].iter().map(color).collect());
        Grid::from_rows(rows.collect::<Option<Vec<Vec<Color>>>>()?).ok()
    }

    /// The examples as images, each at its scale, followed by rows that ask nothing up to `rows` in all. Examples past
    /// `rows` are left out.
    pub fn batch(self, rows: usize, examples: &[(Example, u8)]) -> Batch {
        let len = self.pixels();
        let mut batch = Batch {
            rows,
            len,
            inputs: vec![BACKGROUND; rows * len],
            labels: vec![IGNORED; rows * len],
            puzzles: vec![0; rows],
            views: vec![View::default(); rows],
        };
        for (row, (example, scale)) in examples.iter().take(rows).enumerate() {
            let (pixels, place) = (row * len..(row + 1) * len, Placement { scale: *scale, at: example.at });
            self.write_question(&example.input, place, &mut batch.inputs[pixels.clone()]);
            if let Some(output) = &example.output {
                self.write_answer(output, place, &mut batch.labels[pixels]);
            }
            (batch.puzzles[row], batch.views[row]) = (example.puzzle, example.view);
        }
        batch
    }
}

impl Placement {
    /// Columns and rows of a grid in pixels.
    fn extent(self, grid: &Grid) -> (usize, usize) {
        let scale = usize::from(self.scale);
        (scale * usize::from(grid.width()), scale * usize::from(grid.height()))
    }

    fn cell(self, grid: &Grid, row: usize, column: usize) -> u8 {
        let scale = usize::from(self.scale);
        grid.cells()[row / scale * usize::from(grid.width()) + column / scale].into()
    }
}

/// The grid with a cell for each square of `scale × scale` pixels: the commonest colour in it, among equals the first.
/// Squares that the edge cuts count as far as they go.
pub fn shrunk(pixels: &Grid, scale: u8) -> Grid {
    let step = usize::from(scale.max(1));
    let rows: Vec<&[Color]> = pixels.rows().collect();
    let cell = |band: &[&[Color]], left: usize| {
        let square = band.iter().flat_map(|row| row.iter().skip(left).take(step));
        commonest(square.copied())
    };
    let band = |band: &[&[Color]]| (0..band[0].len()).step_by(step).map(|left| cell(band, left)).collect::<Vec<_>>();
    Grid::from_rows(rows.chunks(step).map(band)).unwrap_or_else(|_| pixels.clone())
}

fn commonest(colors: impl Iterator<Item = Color>) -> Color {
    let mut counts = [0u32; Color::ALL.len()];
    colors.for_each(|color| counts[color.index()] += 1);
    let best = counts.iter().max().copied();
    Color::ALL.into_iter().find(|color| Some(counts[color.index()]) == best).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::nn::stream;

    fn grid(text: &str) -> Grid {
        text.parse().unwrap()
    }

    fn place(scale: u8, row: u8, column: u8) -> Placement {
        Placement { scale, at: Offset { row, column } }
    }

    /// A 6×6 image as text, `.` where no loss is taken.
    fn picture(pixels: &[u8]) -> Vec<String> {
        let letter = |value: &u8| match *value {
            IGNORED => '.',
            value => char::from_digit(value.into(), 16).unwrap(),
        };
        pixels.chunks(6).map(|row| row.iter().map(letter).collect()).collect()
    }

    #[test]
    fn a_question_lies_on_background_and_an_answer_within_its_border() {
        let example = |output| Example {
            input: grid("12"),
            output,
            at: Offset { row: 1, column: 1 },
            puzzle: 4,
            view: View::default(),
        };
        let batch = Image::new(6).unwrap().batch(3, &[(example(Some(grid("3\n4"))), 2), (example(None), 1)]);
        let rows = |pixels: &[u8]| pixels.chunks(36).map(picture).collect::<Vec<_>>();
        assert_eq!(rows(&batch.inputs)[0], ["aaaaaa", "a1122a", "a1122a", "aaaaaa", "aaaaaa", "aaaaaa"]);
        assert_eq!(rows(&batch.labels)[0], ["......", ".33b..", ".33b..", ".44b..", ".44b..", ".bbb.."]);
        assert_eq!(rows(&batch.inputs)[1], ["aaaaaa", "a12aaa", "aaaaaa", "aaaaaa", "aaaaaa", "aaaaaa"]);
        assert!(batch.labels[36..].iter().all(|label| *label == IGNORED));
        assert!(batch.inputs[72..].iter().all(|pixel| *pixel == BACKGROUND));
        assert_eq!(batch.puzzles, [4, 4, 0]);
    }

    #[test]
    fn an_answer_is_read_back_at_every_scale() {
        let (image, answer) = (Image::new(64).unwrap(), grid("123\n450"));
        for scale in 1..=20 {
            let place = place(scale, 1, 2);
            let mut pixels = vec![BACKGROUND; image.pixels()];
            image.write_answer(&answer, place, &mut pixels);
            let large = image.read(&pixels, place.at).unwrap();
            assert_eq!((large.width(), large.height()), (3 * scale, 2 * scale));
            assert_eq!(shrunk(&large, scale), answer);
        }
    }

    #[test]
    fn an_answer_ends_at_the_first_border_or_with_the_image() {
        let image = Image::new(4).unwrap();
        let at = Offset { row: 1, column: 1 };
        let read = |rows: [[u8; 4]; 4]| image.read(&rows.concat(), at);
        let open = [[0; 4], [0, 1, 2, 3], [0, 4, BORDER, 5], [0, 6, 7, 8]];
        assert_eq!(read(open), Some(grid("123\n4b5\n678")));
        let closed = [[0; 4], [0, 1, BORDER, 3], [0, 4, 5, 5], [0, BORDER, 7, 8]];
        assert_eq!(read(closed), Some(grid("1\n4")));
        assert_eq!(read([[BORDER; 4]; 4]), None);
    }

    #[test]
    fn a_square_becomes_its_commonest_colour_and_cut_squares_count() {
        let pixels = grid("11223\n10223\n55443");
        assert_eq!(shrunk(&pixels, 2), grid("123\n543"));
        // Two of each: the smaller colour.
        assert_eq!(shrunk(&grid("21\n12"), 2), grid("1"));
        assert_eq!(shrunk(&pixels, 1), pixels);
    }

    /// 64 pixels leave 62 for a grid: at most 62 / 10 = 6 pixels a cell, then offsets 1..=62 - 10·scale along the longer
    /// side.
    #[test]
    fn places_are_drawn_from_all_that_fit() {
        let (image, mut rng) = (Image::new(64).unwrap(), stream(1, "places"));
        let (input, output) = (grid("1111111111"), grid("2\n2\n2"));
        let drawn: Vec<Placement> = (0..4000).map(|_| image.place([&input, &output], &mut rng).unwrap()).collect();
        let scales: HashSet<u8> = drawn.iter().map(|place| place.scale).collect();
        assert_eq!(scales, (1..=6).collect());
        let columns = |scale| -> HashSet<u8> {
            drawn.iter().filter(|place| place.scale == scale).map(|place| place.at.column).collect()
        };
        assert_eq!(columns(6), HashSet::from([1, 2]));
        assert_eq!(columns(5), (1..=12).collect());
        let lowest = drawn.iter().filter(|place| place.scale == 6).map(|place| place.at.row).max();
        assert_eq!(lowest, Some(62 - 18));
    }

    #[test]
    fn a_grid_that_leaves_no_room_lies_at_one_and_a_larger_one_nowhere() {
        let (image, mut rng) = (Image::new(4).unwrap(), stream(1, "places"));
        assert_eq!(image.place([&grid("11\n11")], &mut rng), Some(place(1, 1, 1)));
        assert_eq!(image.place([&grid("111")], &mut rng), None);
        assert_eq!(Image::new(65).unwrap_err().to_string(), "an image of side 65, expected 3 to 64");
    }
}
