//! Answering tasks with a trained net.
//!
//! # Layout
//! - [`Settings`]: how much is spent on a task; [`Solved`]: its answers, and [`How`] they came about.
//! - [`Ballot`]: many answers to one test input, ranked.
//! - [`Submission`]: Kaggle's format. [`Score`]: pass@K and exact counts.

mod score;
mod settings;
mod submission;
mod vote;

use std::time::Duration;

use serde::Serialize;

pub use score::{Score, TaskScore};
pub use settings::{Scope, Settings, Stage, Tuning};
pub use submission::{Attempts, Submission};
pub use vote::{Answer, Ballot, Candidate};

/// A task with its answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// Its name.
    pub task: String,
    /// The candidates for every test input, best first; none where the input does not fit on the net's canvas.
    pub rankings: Vec<Vec<Candidate>>,
    /// What the net knew of the task.
    pub how: How,
    /// What it took.
    pub time: Duration,
}

/// What a net knew of a task when it answered it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "rows")]
pub enum How {
    /// It was trained on the task before.
    Known,
    /// It was trained on its demonstrations just now.
    Tuned {
        /// For so many steps.
        steps: u32,
    },
    /// Nothing: the average of all rows stood for it.
    Average,
    /// No test input fits on its canvas.
    TooLarge,
}

#[cfg(test)]
mod tests {
    use crate::data::{Pair, Query, Task};

    /// A task that asks for something about these one-row grids.
    pub(crate) fn task(id: &str, inputs: &[&str]) -> Task {
        let query = |text: &&str| Query { input: text.parse().unwrap(), output: None };
        let pair = Pair { input: "1".parse().unwrap(), output: "2".parse().unwrap() };
        Task { id: id.to_owned(), train: vec![pair], test: inputs.iter().map(query).collect() }
    }
}
