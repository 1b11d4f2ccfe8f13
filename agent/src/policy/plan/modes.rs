//! Ways in which pieces are selected: what is pressed or clicked and moves nothing, but after which pieces look different
//! or nobody is known to obey, may have chosen who obeys next.
//!
//! The only way to find out is an arrow, so one is pressed before anything is selected anew. Where arrows do nothing after
//! a few such changes, they are taken to mean something else. Where nobody is known to obey, a change is rather no choice,
//! and one arrow after each has to do, another one every time.

use std::collections::{BTreeMap, BTreeSet};

use env_client::ActionId;

use super::{ledger::TIER, things::Kind};

/// An arrow right after such a change: before whatever changed it is pressed again.
pub(super) const ARROW: f32 = 0.55 * TIER;
/// Different arrows pressed in vain after one change: any of them may be blocked.
const TRIES: usize = 3;
/// Changes of how pieces look after which an action is taken to select, if that is what it does mostly.
const SELECTS: u32 = 2;
/// Changes after which arrows were in vain before it is left at that.
const VAIN: u32 = 3;

/// What changed who obeys, as far as anybody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change {
    pub(super) action: ActionId,
    /// How the pieces look after it, as [`world_model::WorldModel::looks`] says.
    pub(super) looks: u64,
    /// What was clicked, where no pieces are known.
    pub(super) clicked: Option<Kind>,
}

/// What an action did in this game.
#[derive(Clone, Copy, Debug, Default)]
struct Presses {
    taken: u32,
    /// How often it changed how pieces look.
    changes: u32,
    /// How often it did so with nothing ahead of them to act on.
    free: u32,
}

/// The changes of a level, and whether an arrow was pressed after each.
#[derive(Debug, Default)]
pub(super) struct Modes {
    open: Option<Change>,
    /// Arrows pressed since it.
    tries: BTreeSet<ActionId>,
    known: BTreeSet<Change>,
    /// Changes in a row after which arrows did nothing, in this game.
    vain: u32,
    /// Whether the first arrow that did anything did so after such a change; where arrows work of themselves and nobody is
    /// known to obey, there is nothing to select.
    selected_only: Option<bool>,
    actions: BTreeMap<ActionId, Presses>,
}

impl Modes {
    /// A new level: everything may be selected anew.
    pub(super) fn begin_level(&mut self) {
        self.open = None;
        self.tries.clear();
        self.known.clear();
    }

    /// Something may have been selected.
    pub(super) fn changed(&mut self, change: Change) {
        let may_select = match change.looks {
            0 => self.selected_only.unwrap_or(true),
            _ => true,
        };
        let is_open = may_select && self.vain < VAIN && !self.known.contains(&change);
        self.open = Some(change).filter(|_| is_open);
        if change.looks != 0 {
            self.tries.clear();
        }
    }

    /// An arrow was pressed; `effect` says whether anything changed. Returns whether that told who was selected.
    pub(super) fn arrow(&mut self, action: ActionId, effect: bool) -> bool {
        if effect {
            self.selected_only.get_or_insert(self.open.is_some());
        }
        self.tries.insert(action);
        let is_nobody = self.open.is_some_and(|it| it.looks == 0);
        if !effect && self.tries.len() < TRIES && !is_nobody {
            return false;
        }
        let Some(change) = self.open.take() else { return false };
        if effect || !is_nobody {
            self.known.insert(change);
        }
        self.vain = if effect { 0 } else { self.vain + 1 };
        effect
    }

    /// An action that is no arrow was taken; `changes` says whether pieces look different, `ahead` whether something lies
    /// where they look.
    pub(super) fn pressed(&mut self, action: ActionId, changes: bool, ahead: bool) {
        let presses = self.actions.entry(action).or_default();
        presses.taken += 1;
        presses.changes += u32::from(changes);
        presses.free += u32::from(changes && !ahead);
    }

    /// Whether an action is known to do nothing but select: it does so wherever pieces are. One that takes hold of what
    /// lies ahead does not.
    pub(super) fn selects(&self, action: ActionId) -> bool {
        let selects = |it: &Presses| it.free > 0 && it.changes >= SELECTS && 2 * it.changes >= it.taken;
        self.actions.get(&action).is_some_and(selects)
    }

    /// Whether this arrow is to be pressed before anything else is selected.
    pub(super) fn wants(&self, arrow: ActionId) -> bool {
        self.open.is_some() && !self.tries.contains(&arrow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEFT: ActionId = ActionId::Action3;

    fn change(looks: u64) -> Change {
        Change { action: ActionId::Action5, looks, clicked: None }
    }

    #[test]
    fn an_arrow_is_wanted_once_after_each_change() {
        let mut modes = Modes::default();
        modes.changed(change(1));
        assert!(modes.wants(LEFT));
        modes.arrow(LEFT, true);
        modes.changed(change(1));
        assert!(!modes.wants(LEFT), "that is known");
        modes.changed(change(2));
        assert!(modes.wants(LEFT));
    }

    #[test]
    fn some_arrows_may_be_blocked_and_many_in_vain_mean_nothing() {
        let mut modes = Modes::default();
        for looks in 1..=VAIN.into() {
            modes.changed(change(looks));
            modes.arrow(LEFT, false);
            assert!(!modes.wants(LEFT) && modes.wants(ActionId::Action4));
            modes.arrow(ActionId::Action4, false);
            modes.arrow(ActionId::Action1, false);
            assert!(!modes.wants(ActionId::Action2));
        }
        modes.changed(change(9));
        assert!(!modes.wants(LEFT));
    }

    #[test]
    fn where_nobody_obeys_each_change_is_worth_another_arrow_and_a_few_changes_at_most() {
        let mut modes = Modes::default();
        for arrow in [LEFT, ActionId::Action4, ActionId::Action1] {
            modes.changed(change(0));
            assert!(modes.wants(arrow));
            modes.arrow(arrow, false);
            assert!(!modes.wants(ActionId::Action2), "one arrow is enough");
        }
        modes.changed(change(0));
        assert!(!modes.wants(ActionId::Action2));
    }

    #[test]
    fn what_mostly_changes_looks_selects() {
        let mut modes = Modes::default();
        modes.pressed(ActionId::Action5, true, false);
        assert!(!modes.selects(ActionId::Action5), "once proves nothing");
        modes.pressed(ActionId::Action5, true, true);
        assert!(modes.selects(ActionId::Action5));
        (0..3).for_each(|_| modes.pressed(ActionId::Action5, false, false));
        assert!(!modes.selects(ActionId::Action5));
    }

    #[test]
    fn what_changes_looks_only_in_front_of_something_takes_hold_of_it() {
        let mut modes = Modes::default();
        (0..4).for_each(|_| modes.pressed(ActionId::Action5, true, true));
        assert!(!modes.selects(ActionId::Action5));
    }
}
