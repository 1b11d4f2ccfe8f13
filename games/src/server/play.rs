//! One open play: an environment, and the card its commands are billed to.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex},
    time::Instant,
};

use axum::body::Bytes;
use env_client::{Command, GameId, PlayId, Status};
use serde_json::value::RawValue;

use super::{
    Offer, Refusal,
    answer::{self, Echo},
    card::{Card, Lifetimes},
    ledger::Entry,
    lock,
};
use crate::{Environment, Shown};

/// A play. Its commands are carried out one after the other, beside those of other plays.
pub(super) struct Play {
    pub(super) guid: PlayId,
    pub(super) game: GameId,
    pub(super) card: Arc<Card>,
    state: Mutex<State>,
}

struct State {
    environment: Box<dyn Environment>,
    touched: Instant,
    /// The answer that showed the start of the level, as long as nothing was done in it. Only kept under competition
    /// rules, where a RESET at this point gets it once more.
    level_start: Option<LevelStart>,
}

struct LevelStart {
    entry: Entry,
    answer: Bytes,
}

/// A play that has begun but is on no card yet.
pub(super) struct Opening {
    environment: Box<dyn Environment>,
    shown: Shown,
}

impl Opening {
    /// Opens the game and sends it its first RESET.
    pub(super) fn of(game: &Offer) -> Result<Opening, Refusal> {
        let begin = || {
            let mut environment = game.open();
            let shown = environment.step(Command::Reset);
            Opening { environment, shown }
        };
        catch_unwind(AssertUnwindSafe(begin)).map_err(|_| Refusal::Broken(game.id().to_string()))
    }

    /// Puts the play on a card. `name` is the game as the client called it.
    pub(super) fn begin(
        self,
        name: &str,
        game: &GameId,
        guid: PlayId,
        card: Arc<Card>,
        now: Instant,
    ) -> Result<(Play, Bytes), Refusal> {
        let Opening { environment, shown } = self;
        let entry = Entry { full_reset: true, ..entry(Command::Reset, &shown) };
        let answer = encode(name, &guid, &shown, Echo::default())?;
        card.begin(game, &guid, entry, now)?;
        let mut state = State { environment, touched: now, level_start: None };
        state.remember_level_start(card.competition, entry, &answer);
        let play = Play { guid, game: game.clone(), card, state: Mutex::new(state) };
        Ok((play, answer))
    }
}

impl Play {
    /// Whether nobody has used it for too long, or its card is over. A play that is being stepped is in use.
    pub(super) fn is_over(&self, now: Instant, lifetimes: Lifetimes) -> bool {
        let idle = |state: &State| now.saturating_duration_since(state.touched) >= lifetimes.idle;
        self.state.try_lock().is_ok_and(|state| idle(&state)) || self.card.is_over(now, lifetimes)
    }

    /// Carries out a command, bills it and shows what it did.
    pub(super) fn step(&self, command: Command, reasoning: Option<&RawValue>, now: Instant) -> Result<Bytes, Refusal> {
        let mut state = lock(&self.state);
        state.touched = now;
        if let Some(start) = state.level_start.as_ref().filter(|_| command == Command::Reset) {
            return self.repeat(start, now);
        }
        let shown = catch_unwind(AssertUnwindSafe(|| state.environment.step(command)));
        let shown = shown.map_err(|_| Refusal::Broken(self.game.to_string()))?;
        if shown.layers.is_empty() {
            return Err(Refusal::NotStarted(self.game.to_string()));
        }
        let entry = entry(command, &shown);
        let echo = Echo::new(self.game.as_str(), command, reasoning);
        let answer = encode(self.game.as_str(), &self.guid, &shown, echo)?;
        self.card.enter(&self.game, &self.guid, entry, now)?;
        state.remember_level_start(self.card.competition, entry, &answer);
        Ok(answer)
    }

    /// A RESET at the start of a level, where competition rules allow no restart: the last answer is given and billed
    /// once more, exactly as the toolkit does (after an action that solved a level, as another action).
    fn repeat(&self, start: &LevelStart, now: Instant) -> Result<Bytes, Refusal> {
        self.card.enter(&self.game, &self.guid, Entry { full_reset: false, ..start.entry }, now)?;
        Ok(start.answer.clone())
    }
}

impl State {
    fn remember_level_start(&mut self, competition: bool, entry: Entry, answer: &Bytes) {
        let untouched = entry.status == Status::NotFinished && self.environment.actions_since_level_start() == 0;
        self.level_start = (competition && untouched).then(|| LevelStart { entry, answer: answer.clone() });
    }
}

fn entry(command: Command, shown: &Shown) -> Entry {
    Entry {
        command,
        full_reset: shown.full_reset,
        status: shown.status,
        levels_completed: shown.levels_completed.into(),
    }
}

fn encode(name: &str, guid: &PlayId, shown: &Shown, echo: Echo<'_>) -> Result<Bytes, Refusal> {
    let json = answer::encode(name, guid.as_str(), shown, echo);
    json.map(Bytes::from).map_err(|_| Refusal::Broken(name.to_owned()))
}
