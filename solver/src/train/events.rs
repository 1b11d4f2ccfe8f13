//! What a training tells while it runs, in plain numbers.

use std::{path::PathBuf, time::Duration};

use serde::Serialize;

/// Follows a training, and may end it.
pub trait Observer: Send {
    /// Something happened.
    fn on(&mut self, event: &Event);

    /// Whether to save and end now.
    fn stops(&self) -> bool;
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Everything is read and built.
    Begun(Begun),
    /// Something of the data cannot be read and was skipped; the text names the place.
    Fault(String),
    /// A step was made.
    Stepped(Stepped),
    /// The net was judged.
    Evaluated(Evaluation),
    /// A checkpoint was written.
    Saved(PathBuf),
}

/// What a training starts from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Begun {
    /// Steps that were done before.
    pub step: u64,
    /// Steps in all.
    pub steps: u64,
    /// Numbers in all trained tensors.
    pub parameters: usize,
    /// Rows of the puzzle table.
    pub rows: usize,
    /// Tasks that are learned.
    pub tasks: usize,
    /// Pairs that are learned.
    pub pairs: usize,
    /// Pairs that are held out to judge the net.
    pub held_out: usize,
}

/// A step of the optimiser, as it was before the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stepped {
    /// Steps done.
    pub step: u64,
    /// Loss of a token.
    pub loss: f64,
    /// Share of the sequences in which every token was right.
    pub exact: f64,
    /// Steps of this run, and how long they took, evaluations included.
    pub run: (u64, Duration),
}

/// How well the net answers pairs it never learned from, each asked once, as it stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// Steps done.
    pub step: u64,
    /// Pairs asked.
    pub pairs: usize,
    /// Share of exact grids.
    pub exact: f64,
    /// Share of right tokens.
    pub tokens: f64,
    /// Share of exact grids when the input is the answer.
    pub copied: f64,
    /// Share of exact grids by the loops that the net was given.
    pub by_loops: Vec<LoopScore>,
    /// The same by task.
    pub tasks: Vec<TaskScore>,
}

/// What some loops achieve in an [`Evaluation`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LoopScore {
    /// Loops from the question to the answer, over all steps.
    pub loops: usize,
    /// Share of exact grids.
    pub exact: f64,
}

/// One task of an [`Evaluation`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskScore {
    /// Its name.
    pub task: String,
    /// Pairs asked.
    pub pairs: usize,
    /// Exact grids.
    pub exact: usize,
    /// Exact grids when the input is the answer.
    pub copied: usize,
}

/// How a training ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// All steps are done.
    Done,
    /// The time that the configuration allows is over.
    OutOfTime,
    /// Somebody asked it to stop.
    Interrupted,
}
