//! What a scorecard counts: pure bookkeeping, no clock, no lock.
//!
//! The rules are those of the official toolkit (`arc-agi` 0.9.9), where they surprise too: a full restart opens a new
//! play, perhaps under the guid of the old one, and is not billed; a play keeps saying `GAME_OVER` after a RESET brought
//! it back; `actions_by_level` grows whenever the number of solved levels changes.

use std::collections::BTreeMap;

use env_client::{Command, GameId, PlayId, Status};
use serde::Serialize;

/// One answered command, as far as the counters care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// What was sent.
    pub(super) command: Command,
    /// Whether it restarted the whole game.
    pub(super) full_reset: bool,
    /// Where the play stands after it.
    pub(super) status: Status,
    /// Levels solved after it.
    pub(super) levels_completed: u32,
}

/// The counters of one play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlayCount {
    /// The play.
    pub(super) guid: PlayId,
    /// Levels solved.
    pub(super) levels_completed: u32,
    /// The last end it met, else `NOT_FINISHED`.
    pub(super) state: Status,
    /// Actions, RESETs included.
    pub(super) actions: u32,
    /// Level RESETs.
    pub(super) resets: u32,
    /// `(levels solved, actions so far)` at each change of the former.
    pub(super) changes: Vec<(u32, u32)>,
}

impl PlayCount {
    fn new(guid: PlayId) -> PlayCount {
        let state = Status::NotFinished;
        PlayCount { guid, levels_completed: 0, state, actions: 0, resets: 0, changes: Vec::new() }
    }

    fn enter(&mut self, entry: Entry) {
        if !entry.full_reset {
            self.actions += 1;
            self.resets += u32::from(entry.command == Command::Reset);
        }
        if matches!(entry.status, Status::Win | Status::GameOver) {
            self.state = entry.status;
        }
        if self.levels_completed != entry.levels_completed {
            self.levels_completed = entry.levels_completed;
            self.changes.push((entry.levels_completed, self.actions));
        }
    }
}

/// The plays of one game, in the order they began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameCount {
    /// The game.
    pub(super) game: GameId,
    /// At least one play.
    pub(super) plays: Vec<PlayCount>,
}

/// The counters of a card, its games in the order they were first played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ledger {
    games: Vec<GameCount>,
}

impl Ledger {
    /// The games that were played.
    pub(super) fn games(&self) -> &[GameCount] {
        &self.games
    }

    /// Whether the game was played.
    pub(super) fn has(&self, game: &GameId) -> bool {
        self.games.iter().any(|count| count.game == *game)
    }

    /// Begins a play. That costs nothing.
    pub(super) fn begin(&mut self, game: &GameId, guid: &PlayId) {
        let play = PlayCount::new(guid.clone());
        match self.games.iter_mut().find(|count| count.game == *game) {
            Some(count) => count.plays.push(play),
            None => self.games.push(GameCount { game: game.clone(), plays: vec![play] }),
        }
    }

    /// Enters an answered command into the latest play with this guid. A full restart begins that play.
    pub(super) fn enter(&mut self, game: &GameId, guid: &PlayId, entry: Entry) {
        if entry.full_reset {
            self.begin(game, guid);
        }
        let plays = self.games.iter_mut().find(|count| count.game == *game).map(|count| &mut count.plays);
        if let Some(play) = plays.and_then(|plays| plays.iter_mut().rfind(|play| play.guid == *guid)) {
            play.enter(entry);
        }
    }

    /// What `GET /api/scorecard/{card}/{game}` answers; `cards` is empty for a game that was not played.
    pub(super) fn counters(&self, game: &str) -> Counters<'_> {
        let furthest = |count: &GameCount| count.plays.iter().map(|play| play.levels_completed).max().unwrap_or(0);
        let won = |count: &&GameCount| count.plays.iter().any(|play| play.state == Status::Win);
        let asked = self.games.iter().filter(|count| count.game.as_str() == game);
        Counters {
            won: self.games.iter().filter(won).count(),
            played: self.games.len(),
            total_actions: self.games.iter().flat_map(|count| &count.plays).map(|play| play.actions).sum(),
            levels_completed: self.games.iter().map(furthest).sum(),
            cards: asked.map(|count| (count.game.as_str(), GameCounters::from(count))).collect(),
        }
    }
}

/// The raw counters of a card, before any scoring.
#[derive(Debug, Serialize)]
pub(super) struct Counters<'a> {
    won: usize,
    played: usize,
    total_actions: u32,
    levels_completed: u32,
    cards: BTreeMap<&'a str, GameCounters<'a>>,
}

/// One game's counters, one entry a play in each list.
#[derive(Debug, Serialize)]
struct GameCounters<'a> {
    game_id: &'a GameId,
    total_plays: usize,
    guids: Vec<&'a PlayId>,
    levels_completed: Vec<u32>,
    states: Vec<Status>,
    actions: Vec<u32>,
    actions_by_level: Vec<&'a [(u32, u32)]>,
    resets: Vec<u32>,
    total_actions: u32,
}

impl<'a> From<&'a GameCount> for GameCounters<'a> {
    fn from(count: &'a GameCount) -> GameCounters<'a> {
        let plays = || count.plays.iter();
        GameCounters {
            game_id: &count.game,
            total_plays: count.plays.len(),
            guids: plays().map(|play| &play.guid).collect(),
            levels_completed: plays().map(|play| play.levels_completed).collect(),
            states: plays().map(|play| play.state).collect(),
            actions: plays().map(|play| play.actions).collect(),
            actions_by_level: plays().map(|play| play.changes.as_slice()).collect(),
            resets: plays().map(|play| play.resets).collect(),
            total_actions: plays().map(|play| play.actions).sum(),
        }
    }
}
