//! From a service by name to a client of it and the games that are meant.

use env_client::http::{Client, ClientConfig, ClientError, Refused, Url};

use super::embedded::{self, Embedded};
use crate::{
    exit::Failure,
    policy::Worlds,
    select::{Offer, select},
    settings::{Service, Target},
    talk::Loudness,
};

/// A service that answers.
#[derive(Debug)]
pub(super) struct Connection {
    /// Speaks to it.
    pub(super) client: Client,
    /// The games that are meant.
    pub(super) offers: Vec<Offer>,
    /// The embedded server, which lives as long.
    server: Option<Embedded>,
}

impl Connection {
    /// The rules of the games, where they are the built-in ones.
    pub(super) fn worlds(&self) -> Worlds {
        self.server.as_ref().map(Embedded::worlds).unwrap_or_default()
    }
}

/// Which games are played when none is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unnamed {
    /// Every one.
    All,
    /// One: the built-in one that shows most, elsewhere the first of the list.
    One,
}

/// Reaches the service and finds the games.
///
/// # Errors
/// It cannot be reached, does not take the key, or has no such game.
pub(super) async fn connect(
    service: &Service,
    words: &[String],
    unnamed: Unnamed,
    seed: u64,
    loudness: Loudness,
) -> Result<Connection, Failure> {
    let one = words.is_empty() && unnamed == Unnamed::One;
    if service.target == Target::Embedded {
        let first = [embedded::FIRST.to_owned()];
        let server = Embedded::start(if one { &first } else { words }, seed).await?;
        let client = Client::new(ClientConfig::new(server.url()?))?;
        return Ok(Connection { client, offers: server.offers.clone(), server: Some(server) });
    }
    let client = reach(service, loudness).await?;
    let listing = client.games().await.map_err(|error| explain(error, service))?;
    let mut offers = select(&listing, words)?;
    if one {
        offers.truncate(1);
    }
    Ok(Connection { client, offers, server: None })
}

/// A client of a service that is known to answer.
pub(super) async fn reach(service: &Service, loudness: Loudness) -> Result<Client, Failure> {
    let url: Url = service.name().parse()?;
    if service.exposes_key() {
        loudness.notice(format!("notice: ARC_API_KEY goes to {} unencrypted", service.name()));
    }
    let client = Client::new(ClientConfig { key: service.key.clone(), ..ClientConfig::new(url) })?;
    match client.health().await {
        // A service without this route is reachable all the same.
        Ok(()) | Err(ClientError::Refused(_)) => {}
        Err(error) => return Err(explain(error, service)),
    }
    if service.key.is_some() || !matches!(service.target, Target::Online(_)) {
        return Ok(client);
    }
    let key = client.anonymous_key().await.map_err(|error| {
        explain(error, service).context("no anonymous key").hint("set ARC_API_KEY, in the environment or in .env")
    })?;
    loudness.notice("notice: playing with an anonymous key, which opens fewer games; set ARC_API_KEY for all of them");
    Ok(client.with_key(key))
}

fn explain(error: ClientError, service: &Service) -> Failure {
    let name = service.name();
    if error.refusal().is_some_and(Refused::is_about_the_key) {
        let hint = if service.key.is_some() { "is ARC_API_KEY right?" } else { "set ARC_API_KEY" };
        return Failure::from(error).context(format!("{name} does not let us in")).hint(hint);
    }
    let hint = match service.target {
        Target::Server(_) => "is the server running, and is the port right? `arc3 serve` starts one",
        Target::Online(_) | Target::Embedded => "without --online, the built-in games are played without a network",
    };
    Failure::from(error).context(format!("no ARC-AGI-3 service answers at {name}")).hint(hint)
}
