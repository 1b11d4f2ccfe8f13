//! One open scorecard: whose it is, what it was opened with, and its counters.

use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

use env_client::{ApiKey, CardId, GameId, PlayId, scorecard::OpenScorecard};

use super::{
    Refusal,
    ledger::{Entry, Ledger},
    lock,
};

/// How long things live without being used, and at most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lifetimes {
    pub(super) idle: Duration,
    pub(super) open: Duration,
}

/// A scorecard from opening to closing.
#[derive(Debug)]
pub(super) struct Card {
    pub(super) id: CardId,
    pub(super) key: ApiKey,
    pub(super) competition: bool,
    pub(super) about: OpenScorecard,
    opened: Instant,
    /// `None` once the card is closed: whoever still holds the card can enter nothing more.
    record: Mutex<Option<Record>>,
}

#[derive(Debug)]
struct Record {
    ledger: Ledger,
    touched: Instant,
}

impl Card {
    pub(super) fn new(id: CardId, key: ApiKey, competition: bool, about: OpenScorecard, now: Instant) -> Card {
        let record = Mutex::new(Some(Record { ledger: Ledger::default(), touched: now }));
        Card { id, key, competition, about, opened: now, record }
    }

    /// Whether nobody has used it for too long, or it has been open for too long, or it is closed.
    pub(super) fn is_over(&self, now: Instant, lifetimes: Lifetimes) -> bool {
        let aged = |since: Instant, limit| now.saturating_duration_since(since) >= limit;
        let idle = lock(&self.record).as_ref().is_none_or(|record| aged(record.touched, lifetimes.idle));
        idle || aged(self.opened, lifetimes.open)
    }

    /// Enters the start of a play.
    pub(super) fn begin(&self, game: &GameId, guid: &PlayId, entry: Entry, now: Instant) -> Result<(), Refusal> {
        self.record(game, now, |ledger| {
            if self.competition && ledger.has(game) {
                return Err(not_found(game, "a competition card plays each game once"));
            }
            ledger.enter(game, guid, entry);
            Ok(())
        })
    }

    /// Enters the answer to a command.
    pub(super) fn enter(&self, game: &GameId, guid: &PlayId, entry: Entry, now: Instant) -> Result<(), Refusal> {
        self.record(game, now, |ledger| {
            ledger.enter(game, guid, entry);
            Ok(())
        })
    }

    fn record(
        &self,
        game: &GameId,
        now: Instant,
        write: impl FnOnce(&mut Ledger) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut record = lock(&self.record);
        let record = record.as_mut().ok_or_else(|| not_found(game, "its scorecard was closed"))?;
        write(&mut record.ledger)?;
        record.touched = now;
        Ok(())
    }

    /// Looks at the counters of an open card.
    pub(super) fn read<T>(&self, read: impl FnOnce(&Ledger) -> T) -> Option<T> {
        lock(&self.record).as_ref().map(|record| read(&record.ledger))
    }

    /// Closes it and takes the counters out; the second to try gets nothing.
    pub(super) fn close(&self) -> Option<Ledger> {
        lock(&self.record).take().map(|record| record.ledger)
    }
}

fn not_found(game: &GameId, why: &'static str) -> Refusal {
    Refusal::GameNotFound { game: game.to_string(), why }
}
