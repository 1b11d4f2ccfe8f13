//! How a run ends: the exit code, and the one place that prints an error.

use std::{fmt, process::ExitCode};

/// What the shell is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything that was asked for was done. A play that ends at its action budget counts as done.
    Done,
    /// It ran, but not to the end: a play was cut short, a merge has gaps, two scores disagree.
    Short,
    /// Nothing could be run: bad settings, no server, no such game.
    CouldNotRun,
    /// Stopped by Ctrl-C or SIGTERM, after the scorecard was closed.
    Interrupted,
}

impl Exit {
    /// The number: 0, 1, 2, and 130 as shells report an interrupt (128 + SIGINT).
    pub const fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Short => 1,
            Exit::CouldNotRun => 2,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// Why a command could not run: an error with its causes, and what to do about it.
///
/// It is no `std::error::Error`, so that `?` turns every error into one.
#[derive(Debug)]
pub struct Failure {
    error: anyhow::Error,
    hint: Option<String>,
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure { error: error.into(), hint: None }
    }
}

impl Failure {
    /// A failure that says what happened, without a cause.
    pub fn new(message: impl fmt::Display) -> Failure {
        Failure { error: anyhow::anyhow!("{message}"), hint: None }
    }

    /// Adds what the person can do.
    pub fn hint(mut self, hint: impl fmt::Display) -> Failure {
        self.hint = Some(hint.to_string());
        self
    }

    /// Puts what was being done in front of the causes.
    pub fn context(self, doing: impl fmt::Display) -> Failure {
        Failure { error: self.error.context(doing.to_string()), hint: self.hint }
    }
}

/// `error:`, then the causes from the outside in, then the hint.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.error)?;
        let mut last = self.error.to_string();
        for cause in self.error.chain().skip(1).map(ToString::to_string) {
            // Many libraries repeat their source in their own text.
            if !last.ends_with(&cause) {
                write!(f, "\n  caused by: {cause}")?;
            }
            last = cause;
        }
        match &self.hint {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_what_the_help_says() {
        let all = [Exit::Done, Exit::Short, Exit::CouldNotRun, Exit::Interrupted];
        assert_eq!(all.map(Exit::code), [0, 1, 2, 130]);
    }

    #[test]
    fn a_failure_reads_from_the_outside_in_and_ends_with_advice() {
        let cause = std::io::Error::other("disk on fire");
        let failure = Failure::from(cause).context("cannot read configs/play.toml").hint("put it out");
        insta::assert_snapshot!(failure, @r"
        error: cannot read configs/play.toml
          caused by: disk on fire
          hint: put it out
        ");
    }

    #[test]
    fn a_cause_that_is_quoted_already_is_not_repeated() {
        let failure = Failure::from(anyhow::anyhow!("no route").context("cannot reach it: no route"));
        assert_eq!(failure.to_string(), "error: cannot reach it: no route");
    }
}
