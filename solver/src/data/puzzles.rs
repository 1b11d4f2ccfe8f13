//! Which row of a puzzle table stands for what: a row for each task, or one for each augmentation of it.
//!
//! Ids depend on the order in which rows were added, so they belong to the weights: a checkpoint keeps the names in the
//! order of their ids and reads them back, as the published `identifiers.json` does.

use indexmap::{IndexMap, IndexSet};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    AugmentConfig, Lesson,
    augment::{Augmentation, NameError},
};
use crate::nn::stream;

/// Name of row 0, which stands for no puzzle.
const BLANK: &str = "<blank>";

/// The puzzles of a table by their ids: 0 for none, then 1, 2, ….
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Puzzles {
    /// The ids of each task, in the order in which they were added.
    tasks: IndexMap<String, Vec<u32>>,
    /// What id `index + 1` stands for: the place of its task, and how that is seen.
    rows: IndexSet<(usize, Augmentation)>,
}

/// Names that make no table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleError {
    /// Row 0 stands for something.
    #[error("the first puzzle is {0:?}, expected {BLANK:?}")]
    Blank(Option<String>),
    /// Two rows for the same.
    #[error("puzzle {id} has the name of puzzle {first}: '{name}'")]
    Twice {
        /// The later one.
        id: u32,
        /// The earlier one.
        first: u32,
        /// Their name.
        name: String,
    },
    /// A name of no augmentation.
    #[error("puzzle {id}: {error}")]
    Name {
        /// Which row.
        id: u32,
        /// What is wrong with it.
        error: NameError,
    },
}

impl Puzzles {
    /// Rows of the table, the blank one included.
    pub fn rows(&self) -> usize {
        self.rows.len() + 1
    }

    /// The ids of a task: none when the table does not know it.
    pub fn of(&self, task: &str) -> &[u32] {
        self.tasks.get(task).map_or(&[], Vec::as_slice)
    }

    /// Under which augmentation a row sees its task; `None` for the blank row and past the end.
    pub fn augmentation(&self, id: u32) -> Option<Augmentation> {
        Some(self.row(id)?.1)
    }

    /// The published name of a row, or `None` past the end.
    pub fn name(&self, id: u32) -> Option<String> {
        if id == 0 {
            return Some(BLANK.to_owned());
        }
        let (task, augmentation) = self.row(id)?;
        let (task, _) = self.tasks.get_index(task)?;
        Some(augmentation.name(task))
    }

    fn row(&self, id: u32) -> Option<(usize, Augmentation)> {
        self.rows.get_index((id as usize).checked_sub(1)?).copied()
    }

    /// The row of a task seen so, a new one if need be.
    pub fn add(&mut self, task: &str, augmentation: Augmentation) -> u32 {
        self.insert(task, augmentation).0
    }

    /// Rows for all lessons in their order: one for each, or, where the configuration gives views rows of their own, one
    /// for each of its augmentations after the plain one.
    pub fn add_lessons(&mut self, lessons: &[Lesson], augment: &AugmentConfig, seed: u64) {
        let views = |lesson: &Lesson| {
            let mut rng = stream(seed, &format!("views of {}", lesson.id));
            augment.space(&lesson.train).distinct(&lesson.train, augment.rows.unwrap_or(0), &mut rng)
        };
        let views: Vec<_> = lessons.par_iter().map(views).collect();
        for (lesson, views) in lessons.iter().zip(views) {
            for view in views {
                self.add(&lesson.id, view);
            }
        }
    }

    /// The row, and whether it is new.
    fn insert(&mut self, task: &str, augmentation: Augmentation) -> (u32, bool) {
        let known = self.tasks.get_index_of(task);
        let place = known.unwrap_or_else(|| self.tasks.insert_full(task.to_owned(), Vec::new()).0);
        let (index, new) = self.rows.insert_full((place, augmentation));
        let id = index as u32 + 1;
        if new {
            self.tasks[place].push(id);
        }
        (id, new)
    }
}

impl From<Puzzles> for Vec<String> {
    fn from(puzzles: Puzzles) -> Vec<String> {
        (0..).map_while(|id| puzzles.name(id)).collect()
    }
}

impl TryFrom<Vec<String>> for Puzzles {
    type Error = PuzzleError;

    fn try_from(names: Vec<String>) -> Result<Puzzles, PuzzleError> {
        let mut names = names.into_iter();
        match names.next() {
            Some(first) if first == BLANK => {}
            other => return Err(PuzzleError::Blank(other)),
        }
        let mut puzzles = Puzzles::default();
        for (id, name) in (1..).zip(names) {
            let (task, augmentation) = Augmentation::parse(&name).map_err(|error| PuzzleError::Name { id, error })?;
            let (first, new) = puzzles.insert(task, augmentation);
            if !new {
                return Err(PuzzleError::Twice { id, first, name });
            }
        }
        Ok(puzzles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURNED: &str = "b|||t1|||0123456789";

    fn read(names: &[&str]) -> Result<Puzzles, PuzzleError> {
        Puzzles::try_from(names.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn names_come_back_in_the_order_of_their_ids() {
        let names = ["<blank>", "b", "a", TURNED];
        let mut puzzles = read(&names).unwrap();
        assert_eq!((puzzles.of("b"), puzzles.of("a"), puzzles.of("c")), (&[1, 3][..], &[2][..], &[][..]));
        assert_eq!(puzzles.add("a", Augmentation::identity()), 2);
        assert_eq!(puzzles.add("c", Augmentation::identity()), 4);
        assert_eq!((puzzles.rows(), puzzles.name(3).as_deref(), puzzles.name(5)), (5, Some(TURNED), None));
        assert_eq!(Vec::from(puzzles)[..4], names);
    }

    #[test]
    fn json_keeps_a_table() {
        let puzzles = read(&["<blank>", "b", TURNED]).unwrap();
        let text = serde_json::to_string(&puzzles).unwrap();
        assert_eq!(text, format!(r#"["<blank>","b","{TURNED}"]"#));
        assert_eq!(serde_json::from_str::<Puzzles>(&text).unwrap(), puzzles);
    }

    #[test]
    fn names_that_make_no_table_are_refused() {
        assert_eq!(read(&[]), Err(PuzzleError::Blank(None)));
        assert_eq!(read(&["a"]), Err(PuzzleError::Blank(Some("a".to_owned()))));
        let twice = read(&["<blank>", "a", "b", "a|||t0|||0123456789"]).unwrap_err();
        assert_eq!(twice.to_string(), "puzzle 3 has the name of puzzle 1: 'a|||t0|||0123456789'");
        assert!(read(&["<blank>", "a|||x"]).unwrap_err().to_string().starts_with("puzzle 1: "));
    }
}
