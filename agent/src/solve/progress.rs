//! What a person sees while tasks are solved: a bar on a terminal, a line a while elsewhere.

use std::{
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use solver::solve::Stage;

use crate::talk::{Loudness, say};

/// How often a line is written where there is no bar.
const SIGN_OF_LIFE: Duration = Duration::from_secs(20);

/// Shows how far a run is, on stderr.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// Where there is no bar but somebody listens: when the last line was written.
    last_line: Option<Instant>,
}

impl Progress {
    /// A run over so many tasks.
    pub fn new(tasks: usize, loudness: Loudness) -> Progress {
        let speaks = loudness != Loudness::Quiet;
        let terminal = io::stderr().is_terminal();
        let bar = if speaks && terminal { ProgressBar::new(tasks as u64) } else { ProgressBar::hidden() };
        bar.set_length(tasks as u64);
        let template = "{bar:24.cyan/dim} {pos}/{len} tasks  {eta} left  {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━━─"));
        }
        Progress { bar, last_line: (speaks && !terminal).then(Instant::now) }
    }

    /// What is being done to the task at hand.
    pub fn stage(&mut self, task: &str, stage: Stage) {
        let text = match stage {
            Stage::Tuning { step, steps, loss } => format!("{task}: training {step}/{steps}, loss {loss:.3}"),
            Stage::Predicting { row, rows } => format!("{task}: view {row}/{rows}"),
        };
        if let Some(last_line) = self.last_line.as_mut().filter(|last| last.elapsed() >= SIGN_OF_LIFE) {
            *last_line = Instant::now();
            say(format_args!("{}/{} tasks, {text}", self.bar.position(), self.bar.length().unwrap_or_default()));
        }
        self.bar.set_message(text);
    }

    /// Makes room for something to be printed meanwhile.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// The task at hand is done.
    pub fn done(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
