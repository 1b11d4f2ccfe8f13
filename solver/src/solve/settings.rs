//! How much is spent on a task.

use std::time::Duration;

/// How tasks are answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Views under which a test input is answered, the plain one first. Each is a vote.
    pub views: usize,
    /// What is learned from the demonstrations of a task that the net does not know.
    pub tuning: Tuning,
    /// Steps an answer takes; those of the net's configuration when nothing is said.
    pub steps: Option<u32>,
    /// Loops of a step; those of the net's configuration when nothing is said.
    pub loops: Option<usize>,
    /// Where views and test-time training draw their chance from.
    pub seed: u64,
}

/// Test-time training: a row of its own for a new task, and what it is learned with.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuning {
    /// Steps of the optimiser; 0 for none, in which case a new task gets the average of all rows.
    pub steps: u32,
    /// Ends it earlier. (What can be done in a time differs from run to run, and so do the answers.)
    pub time: Option<Duration>,
    /// What is trained.
    pub scope: Scope,
}

/// What test-time training trains. The next task finds the net as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The rows of the task alone.
    Rows,
    /// The rows, and all weights.
    Net,
}

/// How far the work on a task is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stage {
    /// Test-time training.
    Tuning {
        /// Steps done.
        step: u32,
        /// Steps to be done.
        steps: u32,
        /// Loss of the last one, a row.
        loss: f64,
    },
    /// Answering.
    Predicting {
        /// Views done.
        row: usize,
        /// Views to be done.
        rows: usize,
    },
}
