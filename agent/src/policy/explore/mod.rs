//! Graph exploration: the fallback that understands nothing and still gets somewhere.

use std::collections::BTreeMap;

use env_client::{Action, ActionId, ActionSet, Command, Key, Observation, Point};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Decision, Outcome, Policy};

/// Prefers what was tried least.
#[derive(Debug)]
pub struct Explore {
    rng: ChaCha8Rng,
    tries: BTreeMap<Command, u32>,
}

impl Explore {
    /// A player whose draws follow from `seed` alone.
    pub fn new(seed: u64) -> Explore {
        Explore { rng: ChaCha8Rng::seed_from_u64(seed), tries: BTreeMap::new() }
    }

    fn candidate(&mut self, id: ActionId) -> Action {
        let point = Point::new(self.rng.random_range(0..64u8), self.rng.random_range(0..64u8)).unwrap_or_default();
        Key::from_id(id).map_or(Action::Click(point), Action::Key)
    }
}

impl Policy for Explore {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn decide(&mut self, _now: &Observation, actions: ActionSet) -> Decision {
        let candidates: Vec<Command> = actions.iter().map(|id| self.candidate(id).into()).collect();
        let tries = |command: &Command| self.tries.get(command).copied().unwrap_or(0);
        let command = candidates.into_iter().min_by_key(tries).unwrap_or(Command::Reset);
        Decision { command, why: "tried least".to_owned() }
    }

    fn observe(&mut self, _before: Option<&Observation>, command: Command, _outcome: Outcome<'_>) {
        *self.tries.entry(command).or_default() += 1;
    }
}
