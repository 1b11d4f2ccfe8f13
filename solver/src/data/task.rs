//! One ARC task.

use std::fmt;

use env_client::{Color, Grid};
use serde::Deserialize;

/// Longest side of an ARC grid (the ARC-AGI-1 data format).
pub const MAX_SIDE: u8 = 30;

/// Colours of an ARC grid, `0..COLORS`; the environments of ARC-AGI-3 have more.
pub const COLORS: usize = 10;

/// A demonstration: what goes in and what comes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The question.
    pub input: Grid,
    /// Its answer.
    pub output: Grid,
}

/// A test input, with its answer where the data set tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The question.
    pub input: Grid,
    /// Its answer, for scoring and never for training.
    pub output: Option<Grid>,
}

/// A rule to be found from demonstrations and applied to the queries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The data set's name of it.
    pub id: String,
    /// Demonstrations, at least one.
    pub train: Vec<Pair>,
    /// Test inputs, at least one.
    pub test: Vec<Query>,
}

/// Why something that reads as a task is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaskError {
    /// No demonstrations, or nothing to answer.
    #[error("no {0} pairs, expected at least one")]
    Empty(&'static str),
    /// A side above [`MAX_SIDE`].
    #[error("{place} is {width}x{height}, expected at most {MAX_SIDE}x{MAX_SIDE}")]
    Size {
        /// Which grid, such as `train[2].output`.
        place: String,
        /// Its columns.
        width: u8,
        /// Its rows.
        height: u8,
    },
    /// A colour of [`COLORS`] or above.
    #[error("{place} holds colour {found}, expected 0 to 9")]
    Color {
        /// Which grid.
        place: String,
        /// The colour that came.
        found: Color,
    },
    /// A demonstration without its answer.
    #[error("{0} is missing")]
    Unanswered(String),
    /// As many answers as queries were due.
    #[error("{answers} solutions for {queries} test inputs")]
    Solutions {
        /// Answers that came.
        answers: usize,
        /// Queries of the task.
        queries: usize,
    },
}

/// A task as the files write it: the same shape in every layout.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct RawTask {
    pub(super) train: Vec<RawPair>,
    pub(super) test: Vec<RawPair>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct RawPair {
    pub(super) input: Grid,
    #[serde(default)]
    pub(super) output: Option<Grid>,
}

impl Task {
    /// Checks sizes, colours and completeness.
    pub(super) fn new(id: String, raw: RawTask) -> Result<Task, TaskError> {
        let (train, test) = (raw.train.into_iter().enumerate(), raw.test.into_iter().enumerate());
        let train = train
            .map(|(index, pair)| Pair::checked(pair, format_args!("train[{index}]")))
            .collect::<Result<Vec<_>, _>>()?;
        let test = test.map(|(index, pair)| query(index, pair)).collect::<Result<Vec<_>, _>>()?;
        match (train.is_empty(), test.is_empty()) {
            (true, _) => Err(TaskError::Empty("train")),
            (_, true) => Err(TaskError::Empty("test")),
            _ => Ok(Task { id, train, test }),
        }
    }
}

impl Pair {
    /// A demonstration at a place such as `train[2]`.
    pub(super) fn checked(raw: RawPair, place: impl fmt::Display) -> Result<Pair, TaskError> {
        let output = raw.output.ok_or_else(|| TaskError::Unanswered(format!("{place}.output")))?;
        Ok(Pair {
            input: checked(raw.input, || format!("{place}.input"))?,
            output: checked(output, || format!("{place}.output"))?,
        })
    }
}

fn query(index: usize, pair: RawPair) -> Result<Query, TaskError> {
    let output = pair.output.map(|grid| checked(grid, || format!("test[{index}].output"))).transpose()?;
    Ok(Query { input: checked(pair.input, || format!("test[{index}].input"))?, output })
}

fn checked(grid: Grid, place: impl Fn() -> String) -> Result<Grid, TaskError> {
    let (width, height) = (grid.width(), grid.height());
    if width > MAX_SIDE || height > MAX_SIDE {
        return Err(TaskError::Size { place: place(), width, height });
    }
    match grid.cells().iter().find(|color| color.index() >= COLORS) {
        Some(&found) => Err(TaskError::Color { place: place(), found }),
        None => Ok(grid),
    }
}
