//! `arc3 eval`

use super::connect::{Unnamed, connect};
use crate::{
    cli::EvalArgs,
    exit::{Exit, Failure},
    settings::{Environment, Eval},
    talk::{Loudness, print},
};

/// Lists the plays that the settings ask for.
pub(super) async fn run(args: &EvalArgs, environment: &Environment, loudness: Loudness) -> Result<Exit, Failure> {
    let settings = Eval::resolve(args, environment)?;
    for seed in settings.seeds.iter() {
        let connection = connect(&settings.service, &settings.games, Unnamed::All, seed, loudness).await?;
        connection.offers.iter().try_for_each(|offer| print(format_args!("{} seed {seed}\n", offer.id)))?;
    }
    Ok(Exit::Done)
}
