//! Views of a task that keep its rule: the eight symmetries of the square and renamings of the colours.
//!
//! Numbering and inverses follow the published data pipelines of HRM, TRM and URM, so that checkpoints and votes agree.

use std::{collections::HashSet, fmt, str::FromStr};

use env_client::{Color, Grid};
use rand::{Rng, seq::SliceRandom};

use super::{COLORS, Pair, Query, Task};

/// Between the parts of an augmentation's name.
const SEPARATOR: &str = "|||";

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
        let (right, bottom) = (usize::from(width) - 1, usize::from(height) - 1);
        let turned =
            matches!(self, Dihedral::Rotate90 | Dihedral::Rotate270 | Dihedral::Transpose | Dihedral::AntiTranspose);
        let (new_width, new_height) = if turned { (height, width) } else { (width, height) };
        let source = |x: usize, y: usize| match self {
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
        for (y, row) in out.cells_mut().chunks_exact_mut(usize::from(new_width)).enumerate() {
            for (x, cell) in row.iter_mut().enumerate() {
                let (from_x, from_y) = source(x, y);
                *cell = grid.cells()[from_y * usize::from(width) + from_x];
            }
        }
        out
    }
}

/// A renaming of the ten colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Recoloring([Color; COLORS]);

/// Digits that do not name each colour once.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no permutation of the digits 0 to 9")]
pub struct RecoloringError(String);

impl Recoloring {
    /// Every colour as it is.
    pub fn identity() -> Recoloring {
        Recoloring(std::array::from_fn(|index| Color::ALL[index]))
    }

    /// A uniform permutation of these colours among themselves.
    pub fn random(colors: &[Color], rng: &mut impl Rng) -> Recoloring {
        let mut shuffled = colors.to_vec();
        shuffled.shuffle(rng);
        let mut drawn = Self::identity();
        for (old, new) in colors.iter().zip(shuffled) {
            drawn.0[old.index()] = new;
        }
        drawn
    }

    /// The new colour of each old one.
    pub fn palette(&self) -> [u8; COLORS] {
        self.0.map(u8::from)
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

/// The new colour of each old one as a digit.
impl fmt::Display for Recoloring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|color| write!(f, "{color}"))
    }
}

impl FromStr for Recoloring {
    type Err = RecoloringError;

    fn from_str(digits: &str) -> Result<Recoloring, RecoloringError> {
        let error = || RecoloringError(digits.to_owned());
        let color = |digit: char| Color::ALL[..COLORS].get(digit.to_digit(10)? as usize).copied();
        let new: Option<Vec<Color>> = digits.chars().map(color).collect();
        let new = new.and_then(|new| <[Color; COLORS]>::try_from(new).ok()).ok_or_else(error)?;
        if new.iter().collect::<HashSet<_>>().len() == COLORS { Ok(Recoloring(new)) } else { Err(error()) }
    }
}

/// First the colours, then the symmetry; the same for every grid of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

    /// The published name of a task seen so: `<task>|||t<symmetry>|||<colours>`, or the task's own name when nothing is
    /// changed.
    pub fn name(&self, task: &str) -> String {
        if *self == Self::identity() {
            return task.to_owned();
        }
        format!("{task}{SEPARATOR}t{}{SEPARATOR}{}", self.dihedral as u8, self.colors)
    }

    /// Takes a name apart into task and augmentation.
    pub fn parse(name: &str) -> Result<(&str, Augmentation), NameError> {
        let Some((rest, colors)) = name.rsplit_once(SEPARATOR) else {
            return Ok((name, Self::identity()));
        };
        let symmetry = |(task, number): (&'_ str, &str)| {
            let number = number.strip_prefix('t')?.parse::<usize>().ok()?;
            Some((task.len(), *Dihedral::ALL.get(number)?))
        };
        let (task, dihedral) =
            rest.rsplit_once(SEPARATOR).and_then(symmetry).ok_or_else(|| NameError::Symmetry(name.to_owned()))?;
        let colors = colors.parse().map_err(|error| NameError::Colors { name: name.to_owned(), error })?;
        Ok((&name[..task], Augmentation { colors, dihedral }))
    }

    /// The grid seen through it.
    pub fn apply(&self, grid: &Grid) -> Grid {
        self.dihedral.apply(&self.colors.apply(grid))
    }

    /// The grid that [`Augmentation::apply`] would turn into this one.
    pub fn undo(&self, grid: &Grid) -> Grid {
        self.colors.inverse().apply(&self.dihedral.inverse().apply(grid))
    }

    /// Both grids of a pair seen through it.
    pub fn pair(&self, pair: &Pair) -> Pair {
        Pair { input: self.apply(&pair.input), output: self.apply(&pair.output) }
    }

    /// The whole task seen through it.
    pub fn task(&self, task: &Task) -> Task {
        let query = |query: &Query| Query {
            input: self.apply(&query.input),
            output: query.output.as_ref().map(|output| self.apply(output)),
        };
        Task {
            id: task.id.clone(),
            train: task.train.iter().map(|pair| self.pair(pair)).collect(),
            test: task.test.iter().map(query).collect(),
        }
    }
}

/// A name that [`Augmentation::name`] does not write.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// No symmetry where one is due.
    #[error("'{0}' names no symmetry, expected <task>|||t0 to t7|||<ten digits>")]
    Symmetry(String),
    /// No renaming of the colours at the end.
    #[error("in '{name}': {error}")]
    Colors {
        /// The whole name.
        name: String,
        /// What is wrong with its end.
        error: RecoloringError,
    },
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng, rngs::StdRng};

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
            let dihedral = Dihedral::ALL[rng.random_range(0..8)];
            let augmentation = Augmentation { colors: Recoloring::random(&Color::ALL[..COLORS], &mut rng), dihedral };
            let name = augmentation.name("a|||t1");
            prop_assert_eq!(Augmentation::parse(&name), Ok(("a|||t1", augmentation)));
            prop_assert_eq!(augmentation.undo(&augmentation.apply(&grid)), grid);
        }
    }

    /// Seen through `abcd1234|||t3|||0591273846`: first 123/456 becomes 591/273, then it is turned.
    #[test]
    fn a_published_name_tells_the_augmentation() {
        let (task, augmentation) = Augmentation::parse("abcd1234|||t3|||0591273846").unwrap();
        let grid: Grid = "123\n456".parse().unwrap();
        assert_eq!((task, augmentation.apply(&grid).to_string()), ("abcd1234", "25\n79\n31\n".to_owned()));
        assert_eq!(Augmentation::identity().name("abcd1234"), "abcd1234");
    }

    #[test]
    fn a_name_that_is_none_is_refused() {
        let error = |name: &str| Augmentation::parse(name).unwrap_err().to_string();
        assert!(error("a|||t8|||0123456789").contains("names no symmetry"));
        assert!(error("a|||0123456789").contains("names no symmetry"));
        assert!(error("a|||t1|||0123456788").contains("no permutation"));
        assert!(error("a|||t1|||012345678").contains("no permutation"));
    }
}
