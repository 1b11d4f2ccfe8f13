//! All games, open cards and open plays of one server. Time comes in as an argument; nothing here waits.

use std::{
    collections::HashMap,
    str::FromStr,
    sync::{Arc, Mutex},
    time::Instant,
};

use axum::body::Bytes;
use env_client::{
    ActionId, ApiKey, CardId, IdError, PlayId,
    scorecard::{OpenScorecard, Scorecard},
};
use uuid::Uuid;

use super::{
    Limits, Offer, Options, Refusal,
    card::{Card, Lifetimes},
    ledger::Ledger,
    lock,
    play::{Opening, Play},
    request::{CommandBody, OpenBody},
    summary::{self, Yardstick},
};

/// What every request works on.
///
/// Locks are taken in the order tables, play, card, and the one on the tables is never held while a game is stepped.
pub(super) struct Arcade {
    games: Vec<Offer>,
    competition: bool,
    limits: Limits,
    lifetimes: Lifetimes,
    tables: Mutex<Tables>,
}

#[derive(Default)]
struct Tables {
    cards: HashMap<CardId, Arc<Card>>,
    plays: HashMap<PlayId, Arc<Play>>,
    /// Whether the one card of a competition server was handed out, be it closed by now.
    competed: bool,
}

impl Arcade {
    pub(super) fn new(options: Options) -> Arcade {
        let Options { games, competition, limits, idle, open } = options;
        let lifetimes = Lifetimes { idle, open };
        Arcade { games, competition, limits, lifetimes, tables: Mutex::default() }
    }

    pub(super) fn games(&self) -> &[Offer] {
        &self.games
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// The game that answers to an id or a stem.
    pub(super) fn game(&self, name: &str) -> Option<&Offer> {
        self.games.iter().find(|game| game.answers_to(name))
    }

    /// Forgets cards and plays that nobody uses any more.
    pub(super) fn sweep(&self, now: Instant) {
        lock(&self.tables).sweep(now, self.lifetimes);
    }
}

/// Scorecards.
impl Arcade {
    pub(super) fn open(&self, key: ApiKey, body: OpenBody, now: Instant) -> Result<CardId, Refusal> {
        let opaque = body.opaque()?;
        let tags = with_agent(body.tags.unwrap_or_default());
        let competition = self.competition || body.competition_mode.is_some();
        let about = OpenScorecard { source_url: body.source_url, tags, opaque, competition_mode: None };
        let mut tables = lock(&self.tables);
        if self.competition && tables.competed {
            return Err(Refusal::SecondCard);
        }
        tables.sweep(now, self.lifetimes);
        let held = tables.cards.values().map(|card| &card.key);
        expect_room("cards", held, &key, self.limits.cards_per_key, self.limits.cards)?;
        let card = Card::new(fresh_id()?, key, competition, about, now);
        let id = card.id.clone();
        tables.competed = true;
        tables.cards.insert(id.clone(), Arc::new(card));
        Ok(id)
    }

    /// The summary of an open card.
    pub(super) fn summary(&self, key: &ApiKey, id: &str, now: Instant) -> Result<Scorecard, Refusal> {
        let card = self.readable_card(key, id, now)?;
        card.read(|ledger| self.score(&card, ledger)).ok_or_else(|| Refusal::CardNotFound(id.to_owned()))
    }

    /// The raw counters of one game on an open card, as JSON.
    pub(super) fn counters(&self, key: &ApiKey, id: &str, game: &str, now: Instant) -> Result<Vec<u8>, Refusal> {
        let card = self.readable_card(key, id, now)?;
        let counters = card.read(|ledger| serde_json::to_vec(&ledger.counters(game)));
        counters.and_then(Result::ok).ok_or_else(|| Refusal::CardNotFound(id.to_owned()))
    }

    /// Closes a card with all its plays. Under competition rules every game of the server is on it then.
    pub(super) fn close(&self, key: &ApiKey, id: &str, now: Instant) -> Result<Scorecard, Refusal> {
        let not_open = || Refusal::CardNotOpen(id.to_owned());
        let card = self.card(key, id, now).ok_or_else(not_open)?;
        let mut ledger = card.close().ok_or_else(not_open)?;
        lock(&self.tables).remove(&card);
        if card.competition {
            self.begin_unplayed(&mut ledger)?;
        }
        Ok(self.score(&card, &ledger))
    }

    fn begin_unplayed(&self, ledger: &mut Ledger) -> Result<(), Refusal> {
        for game in &self.games {
            if !ledger.has(game.id()) {
                ledger.begin(game.id(), &fresh_id()?);
            }
        }
        Ok(())
    }

    fn score(&self, card: &Card, ledger: &Ledger) -> Scorecard {
        let yardstick = |game| {
            let (game, tags, baselines) = (Offer::id(game), game.tags(), game.baselines());
            Yardstick { game, tags, baselines }
        };
        let yardsticks: Vec<Yardstick<'_>> = self.games.iter().map(yardstick).collect();
        let about = card.about.clone();
        Scorecard {
            card_id: card.id.to_string(),
            source_url: about.source_url,
            tags: Some(about.tags),
            opaque: about.opaque,
            competition_mode: card.competition.then_some(true),
            ..summary::score(ledger, &yardsticks)
        }
    }

    fn readable_card(&self, key: &ApiKey, id: &str, now: Instant) -> Result<Arc<Card>, Refusal> {
        let card = self.card(key, id, now).ok_or_else(|| Refusal::CardNotFound(id.to_owned()))?;
        if card.competition { Err(Refusal::CompetitionCard) } else { Ok(card) }
    }

    fn card(&self, key: &ApiKey, id: &str, now: Instant) -> Option<Arc<Card>> {
        let id = id.parse().ok()?;
        let card = lock(&self.tables).cards.get(&id).cloned();
        card.filter(|card| card.key == *key && !card.is_over(now, self.lifetimes))
    }
}

/// Plays.
impl Arcade {
    /// Carries out `POST /api/cmd/…`: a RESET without an id, else this action.
    pub(super) fn command(
        &self,
        key: &ApiKey,
        body: &CommandBody,
        id: Option<ActionId>,
        now: Instant,
    ) -> Result<Bytes, Refusal> {
        let (name, command, reasoning) = (body.game()?, body.command(id)?, body.reasoning()?);
        let Some(play) = self.play(name, body.guid(), now) else { return self.start(key, body, id, now) };
        if play.card.key != *key {
            return Err(Refusal::ForeignPlay { game: name.to_owned(), guid: play.guid.to_string() });
        }
        let answer = play.step(command, reasoning, now);
        if matches!(answer, Err(Refusal::Broken(_))) {
            lock(&self.tables).plays.remove(&play.guid);
        }
        answer
    }

    /// The open play with this guid, if it is one of the game with exactly this id.
    fn play(&self, game: &str, guid: Option<&str>, now: Instant) -> Option<Arc<Play>> {
        let guid = guid?.parse().ok()?;
        let play = lock(&self.tables).plays.get(&guid).cloned()?;
        (play.game.as_str() == game && !play.is_over(now, self.lifetimes)).then_some(play)
    }

    /// Begins a play, under the guid that the client names if it names one.
    fn start(&self, key: &ApiKey, body: &CommandBody, id: Option<ActionId>, now: Instant) -> Result<Bytes, Refusal> {
        let name = body.game()?;
        let not_found = |why| Refusal::GameNotFound { game: name.to_owned(), why };
        let card =
            body.card_id.as_deref().ok_or_else(|| not_found("no open play has this guid, and no card_id came"))?;
        let card =
            self.card(key, card, now).ok_or_else(|| not_found("this key has no open scorecard of this card_id"))?;
        let game = self.game(name).ok_or_else(|| not_found("this server does not offer it"))?;
        match (id, body.guid()) {
            (Some(_), None) => return Err(Refusal::MissingGuid),
            (Some(_), Some(_)) => return Err(not_found("no open play has this guid")),
            (None, _) => {}
        }
        let guid: PlayId = body.guid().map_or_else(fresh_id, parse_id)?;
        let opening = Opening::of(game)?;
        let mut tables = lock(&self.tables);
        tables.sweep(now, self.lifetimes);
        if tables.plays.contains_key(&guid) {
            return Err(not_found("a play of another game has this guid"));
        }
        let held = tables.plays.values().map(|play| &play.card.key);
        expect_room("plays", held, key, self.limits.plays_per_key, self.limits.plays)?;
        let (play, answer) = opening.begin(name, game.id(), guid, card, now)?;
        tables.plays.insert(play.guid.clone(), Arc::new(play));
        Ok(answer)
    }
}

impl Tables {
    fn sweep(&mut self, now: Instant, lifetimes: Lifetimes) {
        self.cards.retain(|_, card| !card.is_over(now, lifetimes));
        self.plays.retain(|_, play| !play.is_over(now, lifetimes));
    }

    fn remove(&mut self, card: &Arc<Card>) {
        self.cards.remove(&card.id);
        self.plays.retain(|_, play| !Arc::ptr_eq(&play.card, card));
    }
}

/// Refuses one more when a key, or all keys together, hold as many as they may.
fn expect_room<'a>(
    what: &'static str,
    held: impl Iterator<Item = &'a ApiKey>,
    key: &ApiKey,
    per_key: usize,
    total: usize,
) -> Result<(), Refusal> {
    let (mut all, mut own) = (0, 0);
    for holder in held {
        all += 1;
        own += usize::from(holder == key);
    }
    match () {
        () if own >= per_key => Err(Refusal::KeyLimit { what, limit: per_key }),
        () if all >= total => Err(Refusal::ServerLimit { what, limit: total }),
        () => Ok(()),
    }
}

/// A card is an agent's or a person's; one that does not say is an agent's.
fn with_agent(mut tags: Vec<String>) -> Vec<String> {
    if !tags.iter().any(|tag| tag == "human" || tag == "agent") {
        tags.push("agent".to_owned());
    }
    tags
}

/// A random identifier.
fn fresh_id<Id: FromStr<Err = IdError>>() -> Result<Id, Refusal> {
    parse_id(&Uuid::new_v4().to_string())
}

fn parse_id<Id: FromStr<Err = IdError>>(text: &str) -> Result<Id, Refusal> {
    text.parse().map_err(|error: IdError| Refusal::Invalid(error.to_string()))
}
