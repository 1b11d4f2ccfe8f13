//! What each action was seen to do in this game, wherever it was taken.

use std::collections::{BTreeMap, BTreeSet};

use env_client::ActionId;

use super::presses::ARROWS;

/// What is no arrow is taken to move pieces if it moved some in more than this share of at least so many times: else it rather
/// does something else that moves one now and then. The same numbers as those by which the world model tells so of a class of
/// pieces. Guesses.
const SELDOM: u32 = 4;
const TRIED: u32 = 6;

/// How often actions were taken, and moved pieces, and those that put everything back.
#[derive(Debug, Default)]
pub(super) struct Uses {
    taken: BTreeMap<ActionId, u32>,
    moving: BTreeMap<ActionId, u32>,
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
        *self.moving.entry(action).or_default() += 1;
    }

    /// Whether an action was seen to move pieces, and not only now and then.
    pub(super) fn moves(&self, action: ActionId) -> bool {
        let (moved, taken) = (self.moving.get(&action).copied().unwrap_or_default(), self.times(action));
        moved > 0 && (ARROWS.contains(&action) || taken < TRIED || SELDOM * moved > taken)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_a_piece_now_and_then_is_a_press_unless_it_is_an_arrow() {
        let mut uses = Uses::default();
        for action in [ActionId::Action1, ActionId::Action5] {
            uses.moved(action);
            (1..TRIED).for_each(|_| uses.took(action));
            assert!(uses.moves(action), "{action:?}: too few tries to tell");
            (0..TRIED).for_each(|_| uses.took(action));
        }
        assert!(uses.moves(ActionId::Action1), "walls stopped it");
        assert!(!uses.moves(ActionId::Action5));
        (0..TRIED).for_each(|_| uses.moved(ActionId::Action5));
        assert!(uses.moves(ActionId::Action5));
    }
}
