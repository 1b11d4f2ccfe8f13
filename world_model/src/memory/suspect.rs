//! States in which the same action had several outcomes.

use std::{collections::BTreeMap, fmt};

use env_client::{Action, Grid};

use super::{
    log::{Log, Step},
    table::Table,
};
use crate::{InterfaceMask, Outcome, StateKey};

/// A state in which an action had several outcomes: something matters there that the frame does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspect {
    /// The state as it looked when the action was last taken.
    pub frame: Grid,
    /// The action.
    pub action: Action,
    /// What came of it, the commonest first.
    pub outcomes: Vec<SeenOutcome>,
    /// What tells the outcomes apart.
    pub cause: Cause,
}

/// One of several outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenOutcome {
    /// How often it was seen.
    pub count: u32,
    /// How many cells of the world changed.
    pub changed: usize,
    /// What it did to the level.
    pub outcome: Outcome,
}

/// What tells several outcomes of one action in one state apart, in all that was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The action taken just before.
    ActionBefore,
    /// The state just before.
    StateBefore,
    /// Nothing that was looked at, or too little was seen to say.
    Unknown,
}

impl fmt::Display for Suspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in one and the same view: ", self.action)?;
        for (number, seen) in self.outcomes.iter().enumerate() {
            write!(f, "{}{seen}", if number == 0 { "" } else { ", " })?;
        }
        write!(f, "; {}", self.cause)
    }
}

impl fmt::Display for SeenOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = if self.count == 1 { "once".to_owned() } else { format!("{} times", self.count) };
        match (self.outcome, self.changed) {
            (Outcome::Solved, _) => write!(f, "{times} it solved the level"),
            (Outcome::Lost, _) => write!(f, "{times} it lost the level"),
            (Outcome::Continues, 0) => write!(f, "{times} nothing changed"),
            (Outcome::Continues, 1) => write!(f, "{times} 1 cell changed"),
            (Outcome::Continues, changed) => write!(f, "{times} {changed} cells changed"),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::ActionBefore => "the action before tells which",
            Cause::StateBefore => "the state before tells which",
            Cause::Unknown => "nothing seen tells which",
        })
    }
}

/// Every suspect, the most often visited first.
pub(super) fn all(log: &Log, table: &Table, mask: &InterfaceMask) -> Vec<Suspect> {
    let mut places: BTreeMap<(StateKey, Action), Vec<usize>> = BTreeMap::new();
    for (number, step) in log.steps().iter().enumerate() {
        places.entry((log.key(step.before), step.action)).or_default().push(number);
    }
    let mut suspects: Vec<(usize, Suspect)> = Vec::new();
    for ((key, action), numbers) in places {
        let outcomes = table.outcomes(key, action);
        if let (2.., Some(latest)) = (outcomes.len(), numbers.last()) {
            suspects.push((numbers.len(), suspect(log, mask, &numbers, &outcomes, &log.steps()[*latest])));
        }
    }
    // Stable, so that equally visited ones stay in the order of their keys.
    suspects.sort_by_key(|(visits, _)| std::cmp::Reverse(*visits));
    suspects.into_iter().map(|(_, suspect)| suspect).collect()
}

fn suspect(log: &Log, mask: &InterfaceMask, numbers: &[usize], outcomes: &[(u32, u32)], latest: &Step) -> Suspect {
    let seen = |(step, count): &(u32, u32)| {
        let step = log.step(*step);
        SeenOutcome { count: *count, changed: changed(log, mask, step), outcome: step.outcome }
    };
    Suspect {
        frame: log.frame(latest.before).grid(),
        action: latest.action,
        outcomes: outcomes.iter().map(seen).collect(),
        cause: cause(log, numbers, outcomes),
    }
}

/// Cells of the world that a step changed.
fn changed(log: &Log, mask: &InterfaceMask, step: &Step) -> usize {
    let (before, after) = (log.frame(step.before).grid(), log.frame(step.after).grid());
    before.differences(&after).map_or(after.cells().len(), |points| points.filter(|at| !mask.hides(*at)).count())
}

fn cause(log: &Log, numbers: &[usize], outcomes: &[(u32, u32)]) -> Cause {
    let which =
        |number: usize| outcomes.iter().position(|(step, _)| log.same_outcome(log.step(*step), &log.steps()[number]));
    let before = |number: usize| {
        let step = &log.steps()[number];
        step.follows.then(|| number.checked_sub(1).map(|number| &log.steps()[number])).flatten()
    };
    let action = |number| before(number).map(|step| step.action);
    let state = |number| before(number).map(|step| log.key(step.before));
    if tells_apart(numbers, action, which) {
        Cause::ActionBefore
    } else if tells_apart(numbers, state, which) {
        Cause::StateBefore
    } else {
        Cause::Unknown
    }
}

/// Whether a feature of the steps decides their outcome, and was put to the test: some value of it came up again.
fn tells_apart<Feature: Ord>(
    numbers: &[usize],
    feature: impl Fn(usize) -> Feature,
    outcome: impl Fn(usize) -> Option<usize>,
) -> bool {
    let mut first: BTreeMap<Feature, Option<usize>> = BTreeMap::new();
    let consistent = numbers.iter().all(|number| {
        let outcome = outcome(*number);
        *first.entry(feature(*number)).or_insert(outcome) == outcome
    });
    consistent && first.len() < numbers.len()
}
