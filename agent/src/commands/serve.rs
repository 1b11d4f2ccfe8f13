//! `arc3 serve`

use std::io;

use games::server;

use super::embedded;
use crate::{
    cli::ServeArgs,
    exit::{Exit, Failure},
    interrupt::Interrupt,
    talk::{Loudness, print},
};

pub(super) async fn run(args: &ServeArgs, loudness: Loudness) -> Result<Exit, Failure> {
    let mut interrupt = Interrupt::of_process();
    let mut options = embedded::options(&[], args.seed)?;
    options.competition = args.competition;
    let games = options.games.len();
    let bound = server::bind((args.host, args.port).into(), options).await.map_err(|error| explain(error, args))?;
    if !args.host.is_loopback() {
        loudness.notice("notice: other machines can reach this server");
    }
    print(format_args!("serving {games} games on {}\n", bound.url()))?;
    let served = bound.serve(async move { interrupt.wait().await }).await;
    served.map_err(|error| Failure::from(error).context("the server failed"))?;
    // Being interrupted is how a server ends.
    Ok(Exit::Done)
}

fn explain(error: io::Error, args: &ServeArgs) -> Failure {
    let hint = match error.kind() {
        io::ErrorKind::AddrInUse => "choose another port with --port; 0 takes any that is free",
        io::ErrorKind::PermissionDenied => "ports below 1024 need privileges; choose another with --port",
        _ => "--host takes an address of this machine, such as 127.0.0.1",
    };
    Failure::from(error).context(format!("cannot listen on {}:{}", args.host, args.port)).hint(hint)
}
