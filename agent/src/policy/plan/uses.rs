//! What each action was seen to do in this game, wherever it was taken.

use std::collections::{BTreeMap, BTreeSet};

use env_client::ActionId;

/// How often actions were taken, those that moved pieces, and those that put everything back.
#[derive(Debug, Default)]
pub(super) struct Uses {
    taken: BTreeMap<ActionId, u32>,
    moving: BTreeSet<ActionId>,
    putting_back: BTreeSet<ActionId>,
}

impl Uses {
    /// An action was taken.
    pub(super) fn took(&mut self, action: ActionId) {
        *self.taken.entry(action).or_default() += 1;
    }

    /// Whether an action was ever taken.
    pub(super) fn is_taken(&self, action: ActionId) -> bool {
        self.times(action) > 0
    }

    /// How often it was.
    pub(super) fn times(&self, action: ActionId) -> u32 {
        self.taken.get(&action).copied().unwrap_or_default()
    }

    /// An action moved pieces to where they meant to go.
    pub(super) fn moved(&mut self, action: ActionId) {
        self.moving.insert(action);
    }

    /// Whether an action was ever seen to move pieces.
    pub(super) fn moves(&self, action: ActionId) -> bool {
        self.moving.contains(&action)
    }

    /// How many actions were.
    pub(super) fn movers(&self) -> usize {
        self.moving.len()
    }

    /// An action that moves nothing put everything back as it was when the level began.
    pub(super) fn put_back(&mut self, action: ActionId) {
        self.putting_back.insert(action);
    }

    /// Whether an action was seen to put everything back: no way leads on behind it.
    pub(super) fn puts_back(&self, action: ActionId) -> bool {
        self.putting_back.contains(&action)
    }
}
