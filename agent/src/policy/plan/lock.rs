//! The skill of combination locks: keys say which of several things a click turns over, wherever it is.
//!
//! After a key, every click changes the same cells, and another click changes them back; after another key it changes
//! others. Then a level is a lock of as many switches as there are such keys, and what opens it is found by trying each
//! combination once, the nearest first: a switch more costs a key and a click. A key that moves pieces is none of them.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use env_client::{Action, ActionSet, Grid, Key, Point};
use world_model::{InterfaceMask, Outcome, Start, Transition};

use super::{
    curiosity,
    ledger::TIER,
    skill::{Move, Proposal, Skill},
};

/// What a combination scores, and an experiment that tells what a key has to do with clicks: before plans on boards, whose
/// cells do not answer where they are clicked.
const SCORE: f32 = 0.1 * TIER;
/// Cells apart of two clicks that change the same: nothing but the key tells what they do then. A guess.
const APART: u8 = 8;
/// Cells in which two changes of the same thing may differ, gauges and marks of clicks, and the least of what is turned over.
/// Guesses.
const SLACK: usize = 8;
const LEAST: usize = 16;
/// Switches at most: all combinations of more take too long.
const SWITCHES: usize = 5;
/// Clicks that did something else than they should before it is taken for no lock.
const SURPRISES: u32 = 2;

/// What clicks turn over after a key.
#[derive(Debug)]
struct Switch {
    /// The cells, and where it was clicked first.
    cells: BTreeSet<Point>,
    at: Point,
    /// Whether a click far from there did the same.
    is_free: bool,
}

impl Switch {
    /// Whether a click changed the same cells.
    fn clicked(&mut self, at: Point, cells: &BTreeSet<Point>) -> bool {
        let is_alike = self.cells.symmetric_difference(cells).count() <= SLACK;
        let apart = at.x().abs_diff(self.at.x()).max(at.y().abs_diff(self.at.y()));
        self.is_free |= is_alike && apart >= APART;
        is_alike
    }

    /// Whether a change shares more with it than gauges.
    fn shares(&self, cells: &BTreeSet<Point>) -> bool {
        self.cells.intersection(cells).count() > SLACK
    }
}

/// Learns what keys have to do with clicks.
#[derive(Debug, Default)]
pub(super) struct Lock {
    switches: BTreeMap<Key, Switch>,
    /// What clicks turn over before any key is pressed: one of the switches, nobody knows which.
    unnamed: Option<Switch>,
    /// Keys after which clicks do nothing of their own, and those that do something themselves.
    dull: BTreeSet<Key>,
    busy: BTreeSet<Key>,
    surprises: u32,
    /// The key pressed last in this attempt; the switches turned over since it began.
    key: Option<Key>,
    turned: BTreeSet<Key>,
    /// Combinations seen in this level; only looked up.
    seen: HashSet<BTreeSet<Key>>,
}

impl Lock {
    /// Whether clicks do the same wherever they are, and how many keys tell them apart.
    fn is_known(&self) -> bool {
        let is_free = self.switches.values().chain(&self.unnamed).any(|it| it.is_free);
        is_free && self.surprises < SURPRISES && self.switches.len() <= SWITCHES
    }

    /// A click after a key changed these cells.
    fn clicked(&mut self, key: Key, at: Point, cells: BTreeSet<Point>) {
        if let Some(switch) = self.switches.get_mut(&key) {
            if !switch.clicked(at, &cells) {
                self.surprises += 1;
                return;
            }
        } else if cells.len() < LEAST || self.switches.values().any(|it| it.shares(&cells)) {
            self.dull.insert(key);
            return;
        } else {
            self.switches.insert(key, Switch { cells, at, is_free: false });
        }
        if !self.turned.remove(&key) {
            self.turned.insert(key);
        }
        self.seen.insert(self.turned.clone());
    }

    /// A click before any key changed these cells.
    fn clicked_first(&mut self, at: Point, cells: BTreeSet<Point>) {
        let is_again = self.unnamed.as_mut().is_some_and(|it| it.clicked(at, &cells));
        if !is_again && cells.len() >= LEAST {
            self.unnamed = Some(Switch { cells, at, is_free: false });
        }
    }

    /// The key and the click that turn a switch over, without the key if it was pressed last.
    fn turn(&self, key: Key, at: Point) -> Vec<Action> {
        let press = (self.key != Some(key)).then_some(Action::Key(key));
        press.into_iter().chain([Action::Click(at)]).collect()
    }

    /// The switches that lead to the nearest combination never seen.
    fn nearest(&self) -> Option<Vec<Key>> {
        let keys: Vec<Key> = self.switches.keys().copied().collect();
        let combinations = (1u32..1 << keys.len()).filter_map(|bits| {
            let chosen = keys.iter().enumerate().filter(|(index, _)| bits >> index & 1 == 1);
            let chosen: BTreeSet<Key> = chosen.map(|(_, key)| *key).collect();
            let led_to: BTreeSet<Key> = self.turned.symmetric_difference(&chosen).copied().collect();
            (!self.seen.contains(&led_to)).then_some(chosen)
        });
        let nearest = combinations.min_by_key(BTreeSet::len)?;
        // A switch that can be turned without pressing its key comes first.
        let (first, rest): (Vec<Key>, Vec<Key>) = nearest.into_iter().partition(|key| self.key == Some(*key));
        Some(first.into_iter().chain(rest).collect())
    }
}

impl Skill for Lock {
    fn name(&self) -> &'static str {
        "lock"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, start: Start) {
        (self.key, self.turned) = (None, BTreeSet::new());
        if start == Start::Level {
            self.seen = HashSet::from([BTreeSet::new()]);
        }
    }

    fn observe(&mut self, step: &Transition<'_>, _mask: &InterfaceMask) {
        // Cells that are turned over often may be taken for interface by now.
        let cells = step.after().and_then(|after| step.before.differences(after)).map(BTreeSet::from_iter);
        match (step.action, cells) {
            (Action::Key(key), Some(cells)) if cells.len() <= SLACK => self.key = Some(key),
            (Action::Key(key), _) => {
                self.busy.insert(key);
                self.key = None;
            }
            (Action::Click(at), Some(cells)) if step.outcome == Outcome::Continues => match self.key {
                Some(key) => self.clicked(key, at, cells),
                None => self.clicked_first(at, cells),
            },
            _ => {}
        }
    }

    fn propose(&mut self, _frame: &Grid, _mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        if !self.is_known() {
            return None;
        }
        let at = self.switches.values().chain(&self.unnamed).next()?.at;
        let keys = curiosity::keys(actions).into_iter();
        let keys = keys.filter_map(|it| if let Action::Key(key) = it { Some(key) } else { None });
        let is_tried = |key: &Key| self.dull.contains(key) || self.switches.contains_key(key);
        let mut open = keys.filter(|key| !is_tried(key) && !self.busy.contains(key));
        let (keys, goal) = match open.next() {
            Some(key) => (vec![key], format!("see what a click turns over after {}", Action::Key(key))),
            None if self.switches.len() > 1 => (self.nearest()?, "another combination".to_owned()),
            None => return None,
        };
        let steps = keys.iter().flat_map(|key| self.turn(*key, at)).map(|action| Move { action, expected: None });
        Some(Proposal { steps: steps.collect(), goal, score: SCORE })
    }

    fn gives_up(&self) -> bool {
        !self.is_known()
    }
}

#[cfg(test)]
mod tests {
    use env_client::{ActionId, Color};

    use super::*;

    /// A lock of three rows: a key picks one, a click anywhere turns it over.
    struct World {
        rows: [bool; 3],
        picked: usize,
        wanted: [bool; 3],
    }

    impl World {
        fn frame(&self) -> Grid {
            let mut frame = Grid::filled(20, 20, Color::of(0));
            frame.set(Point::new(self.picked as u8, 19).unwrap(), Color::of(9));
            for (row, on) in self.rows.into_iter().enumerate() {
                (0..20).for_each(|x| frame.set(Point::new(x, 3 * row as u8).unwrap(), Color::of(1 + u8::from(on))));
            }
            frame
        }

        fn act(&mut self, action: Action) {
            match action {
                Action::Key(Key::Key1) => self.picked = 0,
                Action::Key(Key::Key2) => self.picked = 1,
                Action::Key(Key::Key3) => self.picked = 2,
                _ => self.rows[self.picked] ^= true,
            }
        }
    }

    #[test]
    fn all_combinations_of_what_clicks_turn_over_after_keys_are_tried() {
        let mut world = World { rows: [false; 3], picked: 0, wanted: [true, false, true] };
        let (mut lock, mask) = (Lock::default(), InterfaceMask::new());
        let actions = ActionSet::of(&[ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action6]);
        lock.begin(&world.frame(), &mask, Start::Level);
        let at = |x: u8| Action::Click(Point::new(x, 9).unwrap());
        let teach = [at(1), at(15)];
        let mut rows: Vec<Action> = teach.into();
        for count in 0..20 {
            assert!(count < 12, "it takes too long");
            for action in std::mem::take(&mut rows) {
                let before = world.frame();
                world.act(action);
                let layers = [world.frame()];
                lock.observe(
                    &Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues },
                    &mask,
                );
            }
            if world.rows == world.wanted {
                return;
            }
            let proposal = lock.propose(&world.frame(), &mask, actions).expect("more to try");
            rows = proposal.steps.into_iter().map(|it| it.action).collect();
        }
    }

    #[test]
    fn clicks_that_do_something_else_elsewhere_are_no_lock() {
        let (mut lock, mask) = (Lock::default(), InterfaceMask::new());
        let before = Grid::filled(20, 20, Color::of(0));
        lock.begin(&before, &mask, Start::Level);
        lock.key = Some(Key::Key1);
        for row in [2, 12, 2] {
            let mut after = before.clone();
            (0..20).for_each(|x| after.set(Point::new(x, row).unwrap(), Color::of(1)));
            let (action, layers) = (Action::Click(Point::new(3, row).unwrap()), [after]);
            lock.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues }, &mask);
        }
        assert!(!lock.is_known());
    }

    #[test]
    fn a_key_that_moves_something_is_no_switch() {
        let (mut lock, mask) = (Lock::default(), InterfaceMask::new());
        let before = Grid::filled(20, 20, Color::of(0));
        lock.begin(&before, &mask, Start::Level);
        let mut see = |action: Action, row: u8| {
            let mut after = before.clone();
            (0..20).for_each(|x| after.set(Point::new(x, row).unwrap(), Color::of(1)));
            let layers = [after];
            lock.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues }, &mask);
        };
        for x in [1, 15] {
            see(Action::Click(Point::new(x, 9).unwrap()), 3);
        }
        see(Action::Key(Key::Key1), 5);
        let proposal = |lock: &mut Lock, keys: &[ActionId]| lock.propose(&before, &mask, ActionSet::of(keys));
        assert_eq!(proposal(&mut lock, &[ActionId::Action1, ActionId::Action6]), None);
        assert!(
            proposal(&mut lock, &[ActionId::Action2, ActionId::Action6]).is_some(),
            "nobody saw what this one does"
        );
    }
}
