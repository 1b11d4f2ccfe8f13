//! The ARC-AGI-3 agent runtime behind the `arc3` binary.
//!
//! # Layout
//! - [`cli`] is what was typed, [`settings`] what will be done, [`commands`] does it. Start at [`run`].
//! - [`episode`] plays one game, [`session`] several on one scorecard; [`tally`] counts as a scorecard does.
//! - [`policy`] decides. Everything that thinks is below it, and knows no network, file or clock.
//! - [`events`] is what happens meanwhile, [`progress`] shows it, [`talk`] is stderr and the log.
//! - [`replay`] opens recordings and makes pictures of them.
//! - [`tui`] is the screen that shows plays.
//! - [`eval`] judges policies; [`report`] and [`table`] print.
//! - [`model`] judges the world model on recordings, and shows what it knows.
//! - [`training`] shows a net that learns, [`solve`] the tasks that it answers; [`threads`] is what they compute with.
//! - [`exit`], [`interrupt`]: how runs end.
//!
//! # The one decision
//! Async lives at the edge: `commands`, `session` and the loop of `episode`. A policy is a plain synchronous value that
//! is asked and told, so it can be tested, measured and replayed without a service. The price is that a slow decision
//! holds up a thread, which the loop announces to the runtime.

pub mod cli;
pub mod commands;
pub mod episode;
pub mod eval;
pub mod events;
pub mod exit;
pub mod interrupt;
pub mod model;
pub mod policy;
pub mod progress;
pub mod replay;
pub mod report;
pub mod select;
pub mod session;
pub mod settings;
pub mod solve;
pub mod table;
pub mod talk;
pub mod tally;
pub mod threads;
pub mod training;
pub mod tui;

use std::{ffi::OsString, panic, path::Path, process::ExitCode};

use clap::Parser;

use cli::Cli;
use exit::{Exit, Failure};
use settings::Environment;
use talk::{Loudness, say};

/// The version of the code, as results and `--version` name it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs the command line and says how it went. The only place that prints an error.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(usage) => return explain_usage(&usage),
    };
    // A panic is a defect, but a person gets an error all the same; the log has the rest.
    let done = panic::catch_unwind(|| execute(cli)).unwrap_or_else(|_| {
        Err(Failure::new("arc3 ran into a defect of its own").hint("logs/arc3.log says where; please report it"))
    });
    done.unwrap_or_else(|failure| {
        tracing::error!("{failure}");
        say(failure);
        Exit::CouldNotRun
    })
    .into()
}

fn execute(cli: Cli) -> Result<Exit, Failure> {
    let environment = Environment::load(Path::new("."))?;
    let _log = talk::start_log(&cli.talk, &environment)?;
    let loudness = Loudness::from(&cli.talk);
    commands::dispatch(cli, &environment, loudness)
}

/// Help and version are no errors; anything else is one of usage.
fn explain_usage(usage: &clap::Error) -> ExitCode {
    // When its stream is closed there is nobody left to tell.
    let _ = usage.print();
    if usage.use_stderr() { Exit::CouldNotRun.into() } else { Exit::Done.into() }
}
