//! What was done in a state, found by the state's key.

use std::collections::HashMap;

use env_client::Action;

use super::log::Log;
use crate::StateKey;

/// What came of an action in a state, and how often.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// The latest step of the log that ended so.
    step: u32,
    count: u32,
}

/// The commonest outcome of an action in a state; of two equally common ones the later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The latest step of the log that ended so.
    pub(super) step: u32,
    count: u32,
    total: u32,
}

impl Found {
    /// Whether other outcomes were seen too.
    pub(super) fn is_mixed(self) -> bool {
        self.count < self.total
    }

    /// Whether it was seen more often than all others together.
    pub(super) fn has_majority(self) -> bool {
        2 * self.count > self.total
    }

    /// How often it was the outcome, from 0 to 1.
    pub(super) fn share(self) -> f32 {
        self.count as f32 / self.total as f32
    }

    /// 0 for seen once, 1 for twice, 2 for more.
    pub(super) fn support(self) -> usize {
        (self.count as usize).clamp(1, 3) - 1
    }
}

/// What was done in every state. Only looked up, never walked over, so that its order cannot matter.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    records: HashMap<(StateKey, Action), Vec<Record>>,
}

impl Table {
    /// Takes in a step of the log, by its number; every step once and in order.
    pub(super) fn learn(&mut self, log: &Log, number: usize) {
        let step = &log.steps()[number];
        let records = self.records.entry((log.key(step.before), step.action)).or_default();
        let same = records.iter_mut().find(|record| log.same_outcome(log.step(record.step), step));
        match same {
            Some(record) => *record = Record { step: number as u32, count: record.count + 1 },
            None => records.push(Record { step: number as u32, count: 1 }),
        }
    }

    pub(super) fn find(&self, key: StateKey, action: Action) -> Option<Found> {
        let records = self.records.get(&(key, action))?;
        let best = records.iter().max_by_key(|record| (record.count, record.step))?;
        let total = records.iter().map(|record| record.count).sum();
        Some(Found { step: best.step, count: best.count, total })
    }

    /// The latest step of each outcome with how often it was seen, most often first.
    pub(super) fn outcomes(&self, key: StateKey, action: Action) -> Vec<(u32, u32)> {
        let records = self.records.get(&(key, action)).into_iter().flatten();
        let mut outcomes: Vec<(u32, u32)> = records.map(|record| (record.step, record.count)).collect();
        outcomes.sort_by_key(|(step, count)| (std::cmp::Reverse(*count), *step));
        outcomes
    }
}
