//! Pictures drawn where a cell might be: three by three blocks, one for each place around it.

use env_client::{Color, Grid};

use super::{Board, Level};

/// Blocks along a side.
pub(super) const SIDE: u8 = 3;
/// The block in the middle, which stands for the place of the picture itself.
const MIDDLE: usize = 4;

/// A picture of blocks at a place of the board where there is no cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clue {
    /// Its place on the board.
    pub place: usize,
    /// Row after row.
    blocks: [Color; 9],
}

impl Clue {
    /// Every such picture.
    pub(super) fn all(frame: &Grid, board: &Board) -> Vec<Clue> {
        let places = (0..board.len()).filter(|place| !board.has(*place));
        let clue = |place| Some(Clue { place, blocks: board.blocks(frame, place, SIDE)?.try_into().ok()? });
        places.filter_map(clue).filter(|clue| clue.blocks.iter().any(|it| *it != clue.blocks[0])).collect()
    }

    /// The colour in its middle.
    pub fn middle(&self) -> Color {
        self.blocks[MIDDLE]
    }

    /// The cells around it, each with the block that stands for it.
    pub fn around<'a>(&'a self, level: &'a Level) -> impl Iterator<Item = (usize, Color)> + 'a {
        let (columns, rows) = (i16::from(level.columns), i16::from(level.rows));
        let (x, y) = (self.place as i16 % columns, self.place as i16 / columns);
        let side = i16::from(SIDE);
        self.blocks.iter().enumerate().filter(|(block, _)| *block != MIDDLE).filter_map(move |(block, color)| {
            let (x, y) = (x + block as i16 % side - 1, y + block as i16 / side - 1);
            let inside = (0..columns).contains(&x) && (0..rows).contains(&y);
            let cell = inside.then_some((y * columns + x) as usize)?;
            level.present[cell].then_some((cell, *color))
        })
    }
}
