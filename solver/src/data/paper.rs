//! What examples are written on, whichever a net reads.

use env_client::Grid;
use rand::{Rng, RngExt};

use super::{
    Batch, Canvas, Example, MAX_SIDE, Offset, Pair,
    image::{Image, MARGIN, shrunk},
};

/// A canvas of tokens, or an image of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// A token a cell. (HRM, TRM, URM)
    Tokens(Canvas),
    /// Cells enlarged to squares of pixels. (Loop-ViT)
    Pixels(Image),
}

impl From<Canvas> for Paper {
    fn from(canvas: Canvas) -> Paper {
        Paper::Tokens(canvas)
    }
}

impl From<Image> for Paper {
    fn from(image: Image) -> Paper {
        Paper::Pixels(image)
    }
}

impl Paper {
    /// Tokens or pixels of one example.
    pub const fn places(self) -> usize {
        match self {
            Paper::Tokens(canvas) => canvas.tokens(),
            Paper::Pixels(image) => image.pixels(),
        }
    }

    /// The longest side of a grid that it holds.
    pub const fn longest(self) -> u8 {
        match self {
            Paper::Tokens(canvas) => canvas.side(),
            Paper::Pixels(image) => image.side() - MARGIN,
        }
    }

    /// Whether both grids lie on it.
    pub(super) fn fits(self, pair: &Pair) -> bool {
        [&pair.input, &pair.output].iter().all(|grid| grid.width().max(grid.height()) <= self.longest())
    }

    /// Where the grids of an example lie, and how large its cells are: anywhere and at any scale with equal chances, or as
    /// [`Paper::ask`] has it.
    pub(super) fn place(self, example: &Example, anywhere: bool, rng: &mut impl Rng) -> (Offset, u8) {
        let grids = [Some(&example.input), example.output.as_ref()].into_iter().flatten();
        match self {
            Paper::Tokens(canvas) if anywhere => {
                let room = canvas.room(grids);
                (Offset { row: rng.random_range(0..=room.row), column: rng.random_range(0..=room.column) }, 1)
            }
            Paper::Pixels(image) if anywhere => {
                image.place(grids, rng).map_or(self.corner(), |place| (place.at, place.scale))
            }
            Paper::Tokens(_) | Paper::Pixels(_) => self.corner(),
        }
    }

    /// The examples as they are asked when nothing is learned, a row each, wherever they say they lie.
    pub fn ask(self, examples: &[Example]) -> Batch {
        let (at, scale) = self.corner();
        let placed: Vec<(Example, u8)> =
            examples.iter().map(|example| (Example { at, ..example.clone() }, scale)).collect();
        self.batch(examples.len(), &placed)
    }

    /// The answer to a row of [`Paper::ask`]; `None` when there is no grid.
    ///
    /// # Shapes
    /// `answer` is `[places]`.
    pub fn read(self, answer: &[u8]) -> Option<Grid> {
        match self {
            Paper::Tokens(canvas) => canvas.read(answer),
            Paper::Pixels(image) => {
                let (at, scale) = self.corner();
                Some(shrunk(&image.read(answer, at)?, scale))
            }
        }
    }

    /// Where grids lie and how large their cells are when nothing is learned: at the upper left corner, two pixels a cell
    /// on an image that holds every grid so (Loop-ViT), else one.
    fn corner(self) -> (Offset, u8) {
        match self {
            Paper::Tokens(_) => (Offset::default(), 1),
            Paper::Pixels(_) => (Offset { row: 1, column: 1 }, (self.longest() / MAX_SIDE).clamp(1, 2)),
        }
    }

    /// The part of the paper that these examples need; an image is never cut.
    pub(super) fn cut_to(self, examples: &[(Example, u8)]) -> Paper {
        let Paper::Tokens(canvas) = self else { return self };
        let reach = examples.iter().map(|(example, _)| example.reach()).max().unwrap_or_default();
        Canvas::new(reach.min(canvas.side())).map_or(self, Paper::Tokens)
    }

    /// The examples, each at its scale, in a batch of so many rows.
    pub(super) fn batch(self, rows: usize, examples: &[(Example, u8)]) -> Batch {
        match self {
            Paper::Tokens(canvas) => Batch::of(canvas, rows, examples.iter().map(|(example, _)| example)),
            Paper::Pixels(image) => image.batch(rows, examples),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::View;

    /// The answers themselves are read: labels where there are some, else the end of a grid.
    #[test]
    fn what_is_asked_is_read_back_from_either_paper() {
        let grid = |text: &str| text.parse::<Grid>().unwrap();
        let (input, output) = (grid("12"), Some(grid("34\n56\n78")));
        let example = Example { input, output, at: Offset { row: 9, column: 9 }, puzzle: 1, view: View::default() };
        let image = |side| Paper::from(Image::new(side).unwrap());
        for paper in [Paper::from(Canvas::new(30).unwrap()), image(64), image(14)] {
            let batch = paper.ask(std::slice::from_ref(&example));
            assert_eq!((batch.rows, batch.len), (1, paper.places()));
            assert_eq!(paper.read(&batch.labels), example.output, "{paper:?}");
        }
        // Two pixels a cell: the question of 2×4 pixels begins in row 1, column 1.
        let question = image(64).ask(&[example]).inputs;
        assert_eq!(question[64..70], [10, 1, 1, 2, 2, 10]);
    }
}
