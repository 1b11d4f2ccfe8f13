//! What a person sees while recordings are judged: a bar on a terminal, a line a while elsewhere.

use std::{
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::trial::News;
use crate::talk::{Loudness, say};

/// Work that is done sooner needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often a line is written where there is no bar.
const SIGN_OF_LIFE: Duration = Duration::from_secs(20);

/// Shows how far a run is, on stderr.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    loudness: Loudness,
    started: Instant,
    last_line: Instant,
    transitions: usize,
}

impl Progress {
    /// A run over so many recordings.
    pub fn new(recordings: usize, loudness: Loudness) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(recordings as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{bar:24.cyan/dim} {pos}/{len} recordings  {eta} left  {msg}") {
            bar.set_style(style.progress_chars("━━─"));
        }
        let now = Instant::now();
        Progress { bar, loudness, started: now, last_line: now, transitions: 0 }
    }

    /// Takes in what happened.
    pub fn hear(&mut self, news: News) {
        match news {
            News::Transitions(more) => self.transitions += more,
            News::Done => self.bar.inc(1),
            News::Fault(fault) => self.bar.suspend(|| self.loudness.notice(format_args!("warning: {fault}"))),
        }
        if self.loudness == Loudness::Quiet || self.started.elapsed() < PATIENCE {
            return;
        }
        self.bar.set_message(format!("{} transitions", self.transitions));
        if !io::stderr().is_terminal() {
            self.sign_of_life();
        } else if self.bar.is_hidden() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    fn sign_of_life(&mut self) {
        if self.last_line.elapsed() >= SIGN_OF_LIFE {
            self.last_line = Instant::now();
            let (done, all) = (self.bar.position(), self.bar.length().unwrap_or_default());
            say(format_args!("{done}/{all} recordings, {} transitions", self.transitions));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
