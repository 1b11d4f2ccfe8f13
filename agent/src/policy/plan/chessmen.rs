//! The skill of men on a board: find out how each kind goes, then bring all to their marks.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, VecDeque},
};

use env_client::{Action, ActionId, ActionSet, Grid};
use world_model::{
    InterfaceMask, Start, Transition,
    chessmen::{Chessmen, Position},
};

use super::{
    ledger::TIER,
    skill::{Move, Proposal, Skill},
};

/// A plan, and a key that should teach something.
const PLAN: f32 = 0.3 * TIER;
const EXPERIMENT: f32 = 0.35 * TIER;
/// Positions that one search looks at. A guess, as are the two below.
const POSITIONS: usize = 150_000;
/// Plans in one level after which the rest is left to others, and such as all came true in vain.
const PLANS: u32 = 24;
const IN_VAIN: u32 = 2;

/// Understands men that are picked by clicks and moved by keys.
#[derive(Debug, Default)]
pub(super) struct Men {
    model: Chessmen,
    /// What the proposal made last should lead to, step by step, and the same of the one under way.
    proposed: VecDeque<Position>,
    foreseen: VecDeque<Position>,
    is_surprised: bool,
    /// Whether what is under way should bring all men to their marks.
    is_plan: bool,
    plans: u32,
    in_vain: u32,
    /// A position from which no way was found, and how much was known then.
    exhausted: Option<(Position, u32)>,
}

impl Men {
    /// The fewest actions that bring all men to their marks.
    fn plan(&mut self, now: Position) -> Option<Proposal> {
        let known = (now, self.model.lessons());
        if self.exhausted == Some(known) {
            return None;
        }
        let way = [false, true].into_iter().find_map(|dares| cheapest(&self.model, now, dares));
        let Some(way) = way else {
            self.exhausted = Some(known);
            return None;
        };
        self.proposed = way.iter().map(|it| it.1).collect();
        let steps: VecDeque<Move> = way.into_iter().map(|it| Move { action: it.0, expected: None }).collect();
        let score = PLAN + steps.len() as f32;
        Some(Proposal { steps, goal: "every piece on the mark of its kind".to_owned(), score })
    }

    fn experiment(&self, now: &Position, is_any_key: bool) -> Option<Proposal> {
        let action = self.model.experiment(now, is_any_key)?;
        Some(Proposal::experiment(action, "see how such a piece moves".to_owned(), EXPERIMENT))
    }
}

impl Skill for Men {
    fn name(&self) -> &'static str {
        "men"
    }

    fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.model.begin(frame, mask, start);
        self.foreseen.clear();
        if start == Start::Level {
            (self.plans, self.in_vain, self.exhausted) = (0, 0, None);
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.model.observe(step, mask);
        let seen = step.after().and_then(|after| self.model.read(after));
        self.is_surprised = self.foreseen.pop_front().is_some_and(|it| seen != Some(it));
    }

    fn propose(&mut self, frame: &Grid, _mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.proposed.clear();
        let is_given_up = self.plans >= PLANS || self.in_vain >= IN_VAIN;
        if is_given_up || !actions.contains(ActionId::Action6) || !self.model.is_understood() {
            return None;
        }
        let now = self.model.read(frame).filter(|it| !self.model.is_done(it))?;
        self.experiment(&now, false).or_else(|| self.plan(now)).or_else(|| self.experiment(&now, true))
    }

    fn gives_up(&self) -> bool {
        self.is_surprised
    }

    fn taken_up(&mut self) {
        self.foreseen = std::mem::take(&mut self.proposed);
        self.is_plan = !self.foreseen.is_empty();
        self.plans += u32::from(self.is_plan);
    }

    fn in_vain(&mut self) {
        self.in_vain += u32::from(self.is_plan);
    }
}

/// A position, the actions that led there, and the one before it with the last of them.
type Reached = (Position, u32, Option<(usize, Action)>);

/// The actions from a position to one where all men are on their marks, as few as are found, and what each leads to: by
/// actions so far and those left at least.
fn cheapest(model: &Chessmen, start: Position, dares: bool) -> Option<Vec<(Action, Position)>> {
    let mut reached: Vec<Reached> = vec![(start, 0, None)];
    let mut best = HashMap::from([(start, 0)]);
    let mut open = BinaryHeap::from([(Reverse(model.bound(&start)), 0, Reverse(0))]);
    while let Some((_, _, Reverse(index))) = open.pop() {
        let (position, actions, _) = reached[index];
        if model.is_done(&position) {
            return Some(path(&reached, index));
        }
        if reached.len() >= POSITIONS || best[&position] < actions {
            continue;
        }
        for (action, next) in model.moves(&position, dares) {
            let known = best.entry(next).or_insert(u32::MAX);
            if actions + 1 < *known {
                *known = actions + 1;
                open.push((Reverse(actions + 1 + model.bound(&next)), actions + 1, Reverse(reached.len())));
                reached.push((next, actions + 1, Some((index, action))));
            }
        }
    }
    None
}

/// What was done on the way to a position, and what it led to.
fn path(reached: &[Reached], mut index: usize) -> Vec<(Action, Position)> {
    let mut path = Vec::new();
    while let (position, _, Some((from, action))) = reached[index] {
        path.push((action, position));
        index = from;
    }
    path.reverse();
    path
}
