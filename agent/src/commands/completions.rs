//! `arc3 completions`

use clap::CommandFactory;

use crate::{
    cli::{Cli, CompletionsArgs},
    exit::{Exit, Failure},
    talk::print,
};

pub(super) fn run(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "arc3", &mut script);
    print(String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
