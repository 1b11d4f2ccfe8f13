//! Views of a task that keep its rule: the eight symmetries of the square and renamings of the colours.
//!
//! Numbering and inverses follow the published data pipelines of HRM, TRM and URM, so that checkpoints and votes agree.

use env_client::{Color, Grid, Point};
use rand::{Rng, RngExt, seq::SliceRandom};

use crate::{COLORS, Pair, Query, Task};

/// A symmetry of the square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Dihedral {
    /// 0
    Identity,
    /// 1: a quarter turn counter-clockwise.
    Rotate90,
    /// 2: a half turn.
    Rotate180,
    /// 3: three quarter turns counter-clockwise.
    Rotate270,
    /// 4: left and right swapped.
    FlipHorizontal,
    /// 5: up and down swapped.
    FlipVertical,
    /// 6: rows become columns.
    Transpose,
    /// 7: mirrored at the other diagonal.
    AntiTranspose,
}

impl Dihedral {
    /// All eight, by number.
    pub const ALL: [Dihedral; 8] = {
        use Dihedral::{
            AntiTranspose, FlipHorizontal, FlipVertical, Identity, Rotate90, Rotate180, Rotate270, Transpose,
        };
        [Identity, Rotate90, Rotate180, Rotate270, FlipHorizontal, FlipVertical, Transpose, AntiTranspose]
    };

    /// The symmetry that undoes it.
    pub fn inverse(self) -> Dihedral {
        match self {
            Dihedral::Rotate90 => Dihedral::Rotate270,
            Dihedral::Rotate270 => Dihedral::Rotate90,
            own => own,
        }
    }

    /// The grid seen through it.
    pub fn apply(self, grid: &Grid) -> Grid {
        let (width, height) = (grid.width(), grid.height());
        let (right, bottom) = (width - 1, height - 1);
        let turned =
            matches!(self, Dihedral::Rotate90 | Dihedral::Rotate270 | Dihedral::Transpose | Dihedral::AntiTranspose);
        let (new_width, new_height) = if turned { (height, width) } else { (width, height) };
        let source = |x: u8, y: u8| match self {
            Dihedral::Identity => (x, y),
            Dihedral::Rotate90 => (right - y, x),
            Dihedral::Rotate180 => (right - x, bottom - y),
            Dihedral::Rotate270 => (y, bottom - x),
            Dihedral::FlipHorizontal => (right - x, y),
            Dihedral::FlipVertical => (x, bottom - y),
            Dihedral::Transpose => (y, x),
            Dihedral::AntiTranspose => (right - y, bottom - x),
        };
        let mut out = Grid::filled(new_width, new_height, Color::default());
        for point in out.points() {
            let (x, y) = source(point.x(), point.y());
            let from = Point::new(x, y).expect("a symmetry stays in the grid");
            out.set(point, grid[from]);
        }
        out
    }
}

/// A renaming of the ten colours that keeps 0, the background of most tasks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recoloring([Color; COLORS]);

impl Recoloring {
    /// Every colour as it is.
    pub fn identity() -> Recoloring {
        Recoloring(std::array::from_fn(|index| Color::ALL[index]))
    }

    /// A uniform permutation of colours 1 to 9.
    pub fn random(rng: &mut impl Rng) -> Recoloring {
        let mut colors = Self::identity();
        colors.0[1..].shuffle(rng);
        colors
    }

    /// The renaming that undoes it.
    pub fn inverse(&self) -> Recoloring {
        let mut inverse = Self::identity();
        for (old, new) in self.0.iter().enumerate() {
            inverse.0[new.index()] = Color::ALL[old];
        }
        inverse
    }

    /// The grid with its colours renamed; colours that ARC does not have stay.
    pub fn apply(&self, grid: &Grid) -> Grid {
        let mut out = grid.clone();
        for cell in out.cells_mut() {
            *cell = self.0.get(cell.index()).copied().unwrap_or(*cell);
        }
        out
    }
}

/// First the colours, then the symmetry; the same for every grid of a task.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Augmentation {
    /// The renaming.
    pub colors: Recoloring,
    /// The symmetry.
    pub dihedral: Dihedral,
}

impl Augmentation {
    /// The task as it is.
    pub fn identity() -> Augmentation {
        Augmentation { colors: Recoloring::identity(), dihedral: Dihedral::Identity }
    }

    /// A uniform symmetry and a uniform renaming.
    pub fn random(rng: &mut impl Rng) -> Augmentation {
        let dihedral = Dihedral::ALL[rng.random_range(0..Dihedral::ALL.len())];
        Augmentation { colors: Recoloring::random(rng), dihedral }
    }

    /// The grid seen through it.
    pub fn apply(&self, grid: &Grid) -> Grid {
        self.dihedral.apply(&self.colors.apply(grid))
    }

    /// The grid that [`Augmentation::apply`] would turn into this one.
    pub fn undo(&self, grid: &Grid) -> Grid {
        self.colors.inverse().apply(&self.dihedral.inverse().apply(grid))
    }

    /// The whole task seen through it.
    pub fn task(&self, task: &Task) -> Task {
        let pair = |pair: &Pair| Pair { input: self.apply(&pair.input), output: self.apply(&pair.output) };
        let query = |query: &Query| Query {
            input: self.apply(&query.input),
            output: query.output.as_ref().map(|output| self.apply(output)),
        };
        Task {
            id: task.id.clone(),
            train: task.train.iter().map(pair).collect(),
            test: task.test.iter().map(query).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    /// `numpy` on `[[1, 2, 3], [4, 5, 6]]`: `rot90(a, k)` for 1 to 3, `fliplr`, `flipud`, `.T`, `fliplr(rot90(a))`.
    #[test]
    fn every_symmetry_is_the_published_one() {
        let grid: Grid = "123\n456".parse().unwrap();
        let seen = Dihedral::ALL.map(|it| it.apply(&grid).to_string().trim().replace('\n', " "));
        let expected = ["123 456", "36 25 14", "654 321", "41 52 63", "321 654", "456 123", "14 25 36", "63 52 41"];
        assert_eq!(seen, expected);
    }

    proptest! {
        #[test]
        fn an_augmentation_is_undone_exactly(seed: u64, width in 1u8..=30, height in 1u8..=30) {
            let mut rng = StdRng::seed_from_u64(seed);
            let mut grid = Grid::filled(width, height, Color::default());
            grid.cells_mut().iter_mut().for_each(|cell| *cell = Color::ALL[rng.random_range(0..COLORS)]);
            let augmentation = Augmentation::random(&mut rng);
            prop_assert_eq!(augmentation.undo(&augmentation.apply(&grid)), grid);
        }
    }

    #[test]
    fn the_background_keeps_its_colour() {
        let mut rng = StdRng::seed_from_u64(1);
        let grid: Grid = "0".parse().unwrap();
        assert!((0..50).all(|_| Recoloring::random(&mut rng).apply(&grid) == grid));
    }
}
