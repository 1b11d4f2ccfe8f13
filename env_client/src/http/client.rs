//! Games, keys and scorecards.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{
    ClientConfig, ClientError, Play, RetryBudget, Traffic,
    answer::Answer,
    transport::{Call, Effect, Session, Transport},
};
use crate::{
    ApiKey, CardId, GameId,
    scorecard::{OpenScorecard, Scorecard},
    wire::GameInfo,
};

/// A connection to one service. Clones share connections, cookies of card requests, pace and counts.
#[derive(Clone)]
pub struct Client {
    transport: Arc<Transport>,
    session: Arc<Session>,
    key: Option<ApiKey>,
}

/// The raw counters of one game on an open card.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameCounters {
    /// Games of the card that were won.
    #[serde(default)]
    pub won: u32,
    /// Games of the card that were played.
    #[serde(default)]
    pub played: u32,
    /// Actions on the card.
    #[serde(default)]
    pub total_actions: u32,
    /// Levels solved on the card.
    #[serde(default, alias = "score")]
    pub levels_completed: u32,
    /// The plays of the game, by game id; services differ in what they keep.
    #[serde(default)]
    pub cards: serde_json::Map<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct Opened {
    card_id: CardId,
}

#[derive(Deserialize)]
struct IssuedKey {
    api_key: ApiKey,
}

impl Client {
    /// A client; nothing is sent yet.
    pub fn new(config: ClientConfig) -> Result<Client, ClientError> {
        let transport = Arc::new(Transport::new(&config)?);
        Ok(Client { transport, session: Arc::default(), key: config.key })
    }

    /// The same connection with another key.
    pub fn with_key(&self, key: ApiKey) -> Client {
        Client { key: Some(key), ..self.clone() }
    }

    /// `GET /api/games`
    pub async fn games(&self) -> Result<Vec<GameInfo>, ClientError> {
        self.get(&["api", "games"], "a list of games").await
    }

    /// `GET /api/games/{id}`: one game by its full id or its stem.
    pub async fn game(&self, id: &str) -> Result<GameInfo, ClientError> {
        self.get(&["api", "games", id], "a game").await
    }

    /// `GET /api/games/anonkey`: a key that opens fewer games. The live service alone hands them out.
    pub async fn anonymous_key(&self) -> Result<ApiKey, ClientError> {
        let issued: IssuedKey = self.get(&["api", "games", "anonkey"], "an object with an `api_key`").await?;
        Ok(issued.api_key)
    }

    /// `POST /api/scorecard/open`
    pub async fn open_scorecard(&self, open: &OpenScorecard) -> Result<CardId, ClientError> {
        let opened: Opened = self.post(&["api", "scorecard", "open"], open, "an object with a `card_id`").await?;
        Ok(opened.card_id)
    }

    /// `POST /api/scorecard/close`: what makes the result count, so it must happen however a run ends.
    pub async fn close_scorecard(&self, card: &CardId) -> Result<Scorecard, ClientError> {
        let body = serde_json::json!({ "card_id": card });
        self.post(&["api", "scorecard", "close"], &body, "a scorecard").await
    }

    /// `GET /api/scorecard/{card}`: the summary so far of an open card; competition cards cannot be read.
    pub async fn scorecard(&self, card: &CardId) -> Result<Scorecard, ClientError> {
        self.get(&["api", "scorecard", card.as_str()], "a scorecard").await
    }

    /// `GET /api/scorecard/{card}/{game}`
    pub async fn scorecard_game(&self, card: &CardId, game: &GameId) -> Result<GameCounters, ClientError> {
        self.get(&["api", "scorecard", card.as_str(), game.as_str()], "the counters of a game").await
    }

    /// `GET /api/healthcheck`: whether the service answers now. It is asked once, so that a wrong address is known
    /// at once.
    pub async fn health(&self) -> Result<(), ClientError> {
        let call = self.transport.call(Effect::Repeatable, &["api", "healthcheck"], None);
        let answer = self.answer_within(&call, &RetryBudget::ONCE).await?;
        answer.refusal().map_or(Ok(()), |refused| Err(ClientError::Refused(refused)))
    }

    /// A play of a game on a card. It begins with a RESET.
    pub fn play(&self, game: GameId, card: CardId) -> Play {
        Play::new(self.transport.clone(), self.session.branch(), self.key.clone(), game, card)
    }

    /// What the requests above cost; plays count their own.
    pub fn traffic(&self) -> Traffic {
        self.session.traffic()
    }

    async fn get<T: DeserializeOwned>(&self, route: &[&str], expected: &'static str) -> Result<T, ClientError> {
        self.answer(&self.transport.call(Effect::Repeatable, route, None)).await?.json(expected)
    }

    async fn post<T: DeserializeOwned>(
        &self,
        route: &[&str],
        body: &impl Serialize,
        expected: &'static str,
    ) -> Result<T, ClientError> {
        let body = serde_json::to_vec(body).map_err(|error| ClientError::Setup(error.to_string()))?;
        self.answer(&self.transport.call(Effect::Repeatable, route, Some(body))).await?.json(expected)
    }

    async fn answer(&self, call: &Call) -> Result<Answer, ClientError> {
        self.answer_within(call, &self.transport.budget).await
    }

    async fn answer_within(&self, call: &Call, budget: &RetryBudget) -> Result<Answer, ClientError> {
        self.transport.exchange(call, self.key.as_ref(), &self.session, budget).await
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("traffic", &self.traffic()).finish_non_exhaustive()
    }
}
