//! What a net sees in one step, still on the host.

use env_client::Grid;
use serde::{Deserialize, Serialize};

use super::{COLORS, Canvas, Offset, PAD, Pair, augment::Augmentation};

/// Label of a place where no loss is taken (the published code has -100).
pub const IGNORED: u8 = u8::MAX;

/// How a row was augmented, for nets that are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// Number of the symmetry, `0..8`.
    pub dihedral: u8,
    /// The new colour of each old one.
    pub palette: [u8; COLORS],
}

impl Default for View {
    fn default() -> View {
        View::from(&Augmentation::identity())
    }
}

impl From<&Augmentation> for View {
    fn from(augmentation: &Augmentation) -> View {
        View { dihedral: augmentation.dihedral as u8, palette: augmentation.colors.palette() }
    }
}

/// One question, with the answer where it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The question, augmented.
    pub input: Grid,
    /// Its answer, augmented; without one the row has no labels.
    pub output: Option<Grid>,
    /// Where both lie on the canvas.
    pub at: Offset,
    /// Row of the puzzle table.
    pub puzzle: u32,
    /// How the grids were augmented.
    pub view: View,
}

impl Example {
    /// A pair seen through an augmentation, at the corner of the canvas.
    pub fn new(pair: &Pair, augmentation: &Augmentation, puzzle: u32) -> Example {
        let Pair { input, output } = augmentation.pair(pair);
        Example { input, output: Some(output), at: Offset::default(), puzzle, view: augmentation.into() }
    }

    /// Side of the smallest square from the origin that holds both grids where they lie, and what closes them.
    pub(super) fn reach(&self) -> u8 {
        let grids = [Some(&self.input), self.output.as_ref()].into_iter().flatten();
        let end = |grid: &Grid| (self.at.row + grid.height()).max(self.at.column + grid.width());
        grids.map(end).max().unwrap_or_default() + 1
    }
}

/// Token sequences with their puzzles.
///
/// # Shapes
/// `inputs` and `labels` are `[rows, len]`, row-major; `puzzles` and `views` are `[rows]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// Number of sequences.
    pub rows: usize,
    /// Tokens of one sequence.
    pub len: usize,
    /// Tokens of the questions.
    pub inputs: Vec<u8>,
    /// Tokens of the answers, [`IGNORED`] in place of [`PAD`].
    pub labels: Vec<u8>,
    /// Rows of the puzzle table; 0 stands for no puzzle.
    pub puzzles: Vec<u32>,
    /// How each row was augmented.
    pub views: Vec<View>,
}

impl Batch {
    /// The examples as tokens, followed by rows that ask nothing up to `rows` in all: no tokens, no labels, no puzzle.
    /// Examples past `rows` are left out.
    pub fn of<'a>(canvas: Canvas, rows: usize, examples: impl IntoIterator<Item = &'a Example>) -> Batch {
        let mut batch = Batch::blank(rows, canvas.tokens());
        for (row, example) in examples.into_iter().take(rows).enumerate() {
            batch.fill(canvas, row, example);
        }
        batch
    }

    /// All examples in their order, so many in a batch; the last one is filled up with rows that ask nothing.
    pub fn all(canvas: Canvas, rows: usize, examples: &[Example]) -> impl Iterator<Item = Batch> {
        examples.chunks(rows.max(1)).map(move |examples| Batch::of(canvas, rows, examples))
    }

    /// Rows that ask nothing: no tokens, no labels, no puzzle.
    pub fn blank(rows: usize, len: usize) -> Batch {
        Batch {
            rows,
            len,
            inputs: vec![PAD; rows * len],
            labels: vec![IGNORED; rows * len],
            puzzles: vec![0; rows],
            views: vec![View::default(); rows],
        }
    }

    /// Row `row` becomes that of another batch of the same shape.
    pub fn copy_row(&mut self, other: &Batch, row: usize) {
        let place = row * self.len..(row + 1) * self.len;
        self.inputs[place.clone()].copy_from_slice(&other.inputs[place.clone()]);
        self.labels[place.clone()].copy_from_slice(&other.labels[place]);
        self.puzzles[row] = other.puzzles[row];
        self.views[row] = other.views[row];
    }

    /// The same rows in their order, in so many batches of equal size; rows that are left over belong to none.
    pub fn split(&self, parts: usize) -> Vec<Batch> {
        let (rows, len) = (self.rows / parts, self.len);
        let part = |first: usize| Batch {
            rows,
            len,
            inputs: self.inputs[first * len..(first + rows) * len].to_vec(),
            labels: self.labels[first * len..(first + rows) * len].to_vec(),
            puzzles: self.puzzles[first..first + rows].to_vec(),
            views: self.views[first..first + rows].to_vec(),
        };
        (0..parts).map(|index| part(index * rows)).collect()
    }

    fn fill(&mut self, canvas: Canvas, row: usize, example: &Example) {
        let place = row * self.len..(row + 1) * self.len;
        canvas.write(&example.input, example.at, &mut self.inputs[place.clone()]);
        if let Some(output) = &example.output {
            let labels = &mut self.labels[place];
            labels.fill(PAD);
            canvas.write(output, example.at, labels);
            labels.iter_mut().filter(|label| **label == PAD).for_each(|label| *label = IGNORED);
        }
        self.puzzles[row] = example.puzzle;
        self.views[row] = example.view;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loss_is_taken_on_colours_and_ends_and_blank_rows_follow() {
        let example = Example {
            input: "1".parse().unwrap(),
            output: Some("23".parse().unwrap()),
            at: Offset::default(),
            puzzle: 7,
            view: View::default(),
        };
        let question = Example { output: None, ..example.clone() };
        let batch = Batch::of(Canvas::new(3).unwrap(), 3, &[example, question]);
        let rows = |tokens: &[u8]| tokens.chunks(9).map(<[u8]>::to_vec).collect::<Vec<_>>();
        let (asked, none) = ([3, 1, 0, 1, 0, 0, 0, 0, 0], [IGNORED; 9]);
        assert_eq!(rows(&batch.inputs), [asked, asked, [PAD; 9]]);
        assert_eq!(rows(&batch.labels), [[4, 5, 1, 1, 1, 255, 255, 255, 255], none, none]);
        assert_eq!((batch.rows, batch.len, batch.puzzles), (3, 9, vec![7, 7, 0]));
    }

    #[test]
    fn parts_of_a_batch_hold_its_rows_in_their_order() {
        let batch = Batch { inputs: (0..8).collect(), puzzles: vec![5, 6, 7, 8], ..Batch::blank(4, 2) };
        let parts = batch.split(2);
        let held: Vec<_> = parts.iter().map(|part| (part.rows, part.inputs.clone(), part.puzzles.clone())).collect();
        assert_eq!(held, [(2, vec![0, 1, 2, 3], vec![5, 6]), (2, vec![4, 5, 6, 7], vec![7, 8])]);
    }
}
