//! What is wrong with a data set, and what becomes of it.

use std::{io, path::PathBuf};

use serde::{Deserialize, Serialize};

use super::Kind;
use crate::data::TaskError;

/// Faults whose text is kept; of further ones only the number is.
const KEPT: usize = 20;

/// Something that cannot be read. Its place is a file, with what is known inside it: zip entry, line, task, pair.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file or folder cannot be opened, or ends too early.
    #[error("cannot read {place}: {error}")]
    Io {
        /// Where.
        place: String,
        /// What the system says.
        error: io::Error,
    },
    /// The text means something else. Line and column of the reason count from the beginning of the innermost place.
    #[error("{place} is no ARC data: {error}")]
    Json {
        /// Where.
        place: String,
        /// What was expected and where.
        error: serde_json::Error,
    },
    /// It reads as a task or a pair and is none.
    #[error("{place}: {error}")]
    Task {
        /// Where.
        place: String,
        /// What is wrong with it.
        error: TaskError,
    },
    /// A line that cannot be a task.
    #[error("{place} is longer than {most} bytes")]
    Line {
        /// Where.
        place: String,
        /// The longest line that is read.
        most: u64,
    },
    /// Data, but nothing of what was chosen.
    #[error("{root} holds no pair to learn from: sources = {sources:?}, and none of them has one that fits")]
    Nothing {
        /// Which folder.
        root: PathBuf,
        /// What was chosen.
        sources: Vec<Kind>,
    },
    /// Nothing to read.
    #[error("{0} holds no ARC data")]
    Empty(PathBuf),
}

/// What becomes of a bad file, line, task or pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnFault {
    /// It is left out, counted and told.
    #[default]
    Skip,
    /// It is an error.
    Fail,
}

/// The faults met so far, and the rule for the next.
#[derive(Debug)]
pub struct Faults {
    rule: OnFault,
    count: usize,
    first: Vec<LoadError>,
}

impl Faults {
    /// None so far.
    pub fn new(rule: OnFault) -> Faults {
        Faults { rule, count: 0, first: Vec::new() }
    }

    /// How many were skipped.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The first of those skipped.
    pub fn first(&self) -> &[LoadError] {
        &self.first
    }

    /// What was read; `None` when it is to be skipped.
    pub(super) fn pass<T>(&mut self, read: Result<T, LoadError>) -> Result<Option<T>, LoadError> {
        match (read, self.rule) {
            (Ok(value), _) => Ok(Some(value)),
            (Err(error), OnFault::Fail) => Err(error),
            (Err(error), OnFault::Skip) => {
                self.count += 1;
                if self.first.len() < KEPT {
                    self.first.push(error);
                }
                Ok(None)
            }
        }
    }
}
