//! The built-in games, served by this process on a free port of the loopback.

use env_client::{http::Url, wire::GameInfo};
use games::{
    Entry, Variant, catalog,
    server::{self, Options, Running},
};

use super::simulator;
use crate::{
    exit::Failure,
    policy::Worlds,
    select::{Offer, select},
};

/// The built-in game that is played when nothing is said: `plan` is at human pace in most of the levels it solves.
pub(super) const FIRST: &str = "g837";

/// A server of this process; it stops when this is dropped.
#[derive(Debug)]
pub(super) struct Embedded {
    server: Running,
    /// What it offers, baselines included.
    pub(super) offers: Vec<Offer>,
    games: Vec<server::Offer>,
}

impl Embedded {
    /// Serves the games that are meant by these words, in the guise of a seed.
    pub(super) async fn start(words: &[String], seed: u64) -> Result<Embedded, Failure> {
        let options = options(words, seed)?;
        let offer = |game: &server::Offer| Offer {
            id: game.id().clone(),
            title: game.info().title.clone(),
            baselines: game.baselines().to_vec(),
        };
        let offers = options.games.iter().map(offer).collect();
        let games = options.games.clone();
        let server = server::spawn(options)
            .await
            .map_err(|error| Failure::from(error).context("cannot serve the built-in games on a port of 127.0.0.1"))?;
        Ok(Embedded { server, offers, games })
    }

    /// Where it listens.
    pub(super) fn url(&self) -> Result<Url, Failure> {
        Ok(self.server.url().parse()?)
    }

    /// The rules of what it offers.
    pub(super) fn worlds(&self) -> Worlds {
        simulator::worlds(self.games.clone())
    }
}

/// The titles that are meant, ready to be served.
pub(super) fn options(words: &[String], seed: u64) -> Result<Options, Failure> {
    let stems: Vec<String> = words.iter().map(|word| word.split('-').next().unwrap_or(word).to_owned()).collect();
    let listing: Vec<GameInfo> = catalog().iter().map(listed).collect();
    let chosen = select(&listing, &stems)?;
    let titles = catalog().iter().filter(|entry| chosen.iter().any(|offer| offer.id.as_str() == entry.about.stem));
    Options::of_titles(titles, Variant { seed })
        .map_err(|error| Failure::from(error).context(format!("the built-in games cannot be made with seed {seed}")))
}

fn listed(entry: &Entry) -> GameInfo {
    GameInfo { game_id: entry.about.stem.to_owned(), title: Some(entry.about.title.to_owned()), ..GameInfo::default() }
}
