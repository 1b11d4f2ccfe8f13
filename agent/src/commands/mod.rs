//! The subcommands, one file each. Start at `dispatch`.
//!
//! This is the only part of the agent that may know `games`: serving them is a command, playing them is not. What
//! is measured against their rules (`simulator`) is handed them as something that can be tried out.

mod ablate;
mod completions;
mod connect;
mod embedded;
mod eval;
mod games;
mod model;
mod nets;
mod play;
mod pretrain;
mod replay;
mod serve;
mod simulator;
mod solve;
mod watch;

use tokio::runtime::Runtime;

use crate::{
    cli::{Cli, Command},
    exit::{Exit, Failure},
    settings::Environment,
    talk::Loudness,
};

/// Runs what was typed.
pub(crate) fn dispatch(cli: Cli, environment: &Environment, loudness: Loudness) -> Result<Exit, Failure> {
    let runtime = Runtime::new().map_err(|error| Failure::from(error).context("cannot start the runtime"))?;
    match cli.command {
        Command::Play(args) => runtime.block_on(play::run(&args, environment, loudness)),
        Command::Games(args) => runtime.block_on(games::run(&args, environment, loudness)),
        Command::Serve(args) => runtime.block_on(serve::run(&args, loudness)),
        Command::Eval(args) => runtime.block_on(eval::run(&args, environment, loudness)),
        Command::Replay(args) => runtime.block_on(async { replay::run(&args, environment, loudness) }),
        Command::Model(args) => runtime.block_on(async { model::run(&args, loudness) }),
        Command::Pretrain(args) => runtime.block_on(async { pretrain::run(&args, loudness) }),
        Command::Solve(args) => runtime.block_on(async { solve::run(&args, environment, loudness) }),
        Command::Completions(args) => completions::run(&args),
    }
}
