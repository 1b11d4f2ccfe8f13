//! The rules of a game themselves, for the player whose model is never wrong.
//!
//! Nothing that plays knows a game. Who serves the games hands their worlds over, to see how far the planner gets when
//! all it foresees comes true.

use std::{fmt, sync::Arc};

use env_client::{Command, GameId, Grid, Observation, Status};

/// A play that can be tried out.
pub trait World: Send {
    /// Carries out a command, exactly as the game that is played does.
    fn step(&mut self, command: Command) -> Answer;

    /// The same play, which from here on goes its own way.
    fn fork(&self) -> Box<dyn World>;

    /// A digest of what is shown, and one of all there is, what the play may still cost aside.
    fn digest(&self) -> (u64, u64);
}

/// What a command led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The animation, the settled frame last.
    pub layers: Vec<Grid>,
    /// Where the play stands.
    pub status: Status,
    /// Levels solved so far.
    pub levels_completed: u16,
    /// Whether the whole game was restarted.
    pub full_reset: bool,
}

impl Answer {
    /// How what the game showed differs from it; `None` where it does not.
    pub(super) fn difference(&self, seen: &Observation) -> Option<String> {
        let layers = || self.layers.iter().zip(&seen.layers).position(|(one, other)| one != other);
        let facts = [
            ("status", format!("{:?}", self.status), format!("{:?}", seen.status)),
            ("levels", self.levels_completed.to_string(), seen.levels_completed.to_string()),
            ("layers", self.layers.len().to_string(), seen.layers.len().to_string()),
        ];
        let fact = facts.into_iter().find(|(_, one, other)| one != other);
        let fact = fact.map(|(what, one, other)| format!("{what} {other}, where the simulator has {one}"));
        fact.or_else(|| layers().map(|at| format!("layer {at}, which the simulator draws differently")))
    }
}

type Open = dyn Fn(&GameId) -> Option<Box<dyn World>> + Send + Sync;

/// The worlds of the games that are played, where they are at hand.
#[derive(Clone, Default)]
pub struct Worlds(Option<Arc<Open>>);

impl Worlds {
    /// Worlds that are opened so, each as it is before the first command.
    pub fn new(open: impl Fn(&GameId) -> Option<Box<dyn World>> + Send + Sync + 'static) -> Worlds {
        Worlds(Some(Arc::new(open)))
    }

    /// The world of a game, before its first command.
    pub(super) fn open(&self, game: &GameId) -> Option<Box<dyn World>> {
        self.0.as_deref().and_then(|open| open(game))
    }
}

impl fmt::Debug for Worlds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Worlds").field(&self.0.is_some()).finish()
    }
}
