//! Answering tasks with a trained net.
//!
//! # Layout
//! - [`Solver`]: a trained net that answers tasks; start here. Views are asked in `predict`, new tasks learned in `tune`.
//! - [`Settings`]: how much is spent on a task; [`Solved`]: its answers, and [`How`] they came about.
//! - [`Ballot`]: many answers to one test input, ranked.
//! - [`Submission`]: Kaggle's format. [`Score`]: pass@K and exact counts.

mod open;
mod predict;
mod score;
mod settings;
mod solver;
mod submission;
mod tune;
mod vote;

use std::time::Duration;

use serde::Serialize;

pub use score::{Score, TaskScore};
pub use settings::{Scope, Settings, Stage, Tuning};
pub use solver::{SolveError, Solver, Watch};
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
mod tests;
