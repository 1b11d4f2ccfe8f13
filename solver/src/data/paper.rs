//! What examples are written on, whichever a net reads.

use rand::{Rng, RngExt};

use super::{
    Batch, Canvas, Example, Offset, Pair,
    image::{Image, MARGIN},
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

    /// Where the grids of an example lie, and how large its cells are: anywhere and at any scale with equal chances, or at
    /// the upper left corner as they are.
    pub(super) fn place(self, example: &Example, anywhere: bool, rng: &mut impl Rng) -> (Offset, u8) {
        let grids = [Some(&example.input), example.output.as_ref()].into_iter().flatten();
        match self {
            Paper::Tokens(canvas) if anywhere => {
                let room = canvas.room(grids);
                (Offset { row: rng.random_range(0..=room.row), column: rng.random_range(0..=room.column) }, 1)
            }
            Paper::Tokens(_) => (Offset::default(), 1),
            Paper::Pixels(image) => {
                let placement = image.place(grids, rng).filter(|_| anywhere);
                placement.map_or((Offset { row: 1, column: 1 }, 1), |place| (place.at, place.scale))
            }
        }
    }

    /// The examples, each at its scale, in a batch of so many rows.
    pub(super) fn batch(self, rows: usize, examples: &[(Example, u8)]) -> Batch {
        match self {
            Paper::Tokens(canvas) => Batch::of(canvas, rows, examples.iter().map(|(example, _)| example)),
            Paper::Pixels(image) => image.batch(rows, examples),
        }
    }
}
