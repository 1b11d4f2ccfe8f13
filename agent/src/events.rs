//! What happens during plays: one stream for progress, log and viewer.
//!
//! A listener is called by the play itself, between two commands, so it has to be quick.

use std::{fmt, sync::Arc};

use env_client::{Command, GameId, Observation, PlayId};
use serde_json::Value;

use crate::{episode::Ended, tally::Tally};

/// Something that happened in a play.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// The game that is played.
    pub game: &'a GameId,
    /// The policy's seed, which tells plays of one game apart.
    pub seed: u64,
    /// The counts after it happened.
    pub tally: &'a Tally,
    /// What it was.
    pub what: What<'a>,
}

/// What can happen.
#[derive(Clone, Copy, Debug)]
pub enum What<'a> {
    /// The play was opened and shows its first frame.
    Opened {
        /// Its guid.
        play: &'a PlayId,
        /// Actions it may spend.
        budget: u32,
        /// Human actions by level, where the service tells.
        baselines: &'a [u32],
        /// The first frame.
        observation: &'a Observation,
    },
    /// A command was answered.
    Seen {
        /// What was sent.
        command: Command,
        /// Why.
        why: &'a str,
        /// All that was thought, as it was sent along.
        reasoning: &'a Value,
        /// What came back.
        observation: &'a Observation,
        /// Whether it solved a level.
        level_up: bool,
    },
    /// The answer to a command was lost; it may or may not have been carried out.
    Unknown {
        /// What was sent.
        command: Command,
        /// How the answer was lost.
        cause: &'a str,
    },
    /// The play is over.
    Ended(&'a Ended),
}

/// Something that follows plays.
pub trait Listener: Send + Sync {
    /// Called for every event, in order within a play, from several plays at once.
    fn on(&self, event: &Event<'_>);
}

/// Everybody who listens.
#[derive(Clone, Default)]
pub struct Bus(Arc<[Box<dyn Listener>]>);

impl Bus {
    /// A bus to these.
    pub fn new(listeners: Vec<Box<dyn Listener>>) -> Bus {
        Bus(listeners.into())
    }

    /// Tells everybody.
    pub fn send(&self, event: &Event<'_>) {
        self.0.iter().for_each(|listener| listener.on(event));
    }
}

impl fmt::Debug for Bus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Bus").field(&self.0.len()).finish()
    }
}

/// Writes events to the log.
#[derive(Clone, Copy, Debug)]
pub struct Log;

impl Listener for Log {
    fn on(&self, event: &Event<'_>) {
        let Event { game, seed, tally, what } = *event;
        let actions = tally.actions;
        match what {
            What::Opened { play, budget, .. } => tracing::info!(%game, seed, %play, budget, "opened"),
            What::Seen { level_up: true, .. } => {
                tracing::info!(%game, seed, actions, levels = tally.levels_completed, "level solved");
            }
            What::Seen { command, why, observation, .. } => {
                let (status, layers) = (observation.status, observation.layers.len());
                tracing::debug!(%game, seed, actions, %command, why, %status, layers, "seen");
            }
            What::Unknown { command, cause } => tracing::warn!(%game, seed, actions, %command, cause, "unknown"),
            What::Ended(ended) => {
                let levels = tally.levels_completed;
                tracing::info!(%game, seed, actions, levels, stop = %ended.stop, detail = ended.detail, "ended");
            }
        }
    }
}
