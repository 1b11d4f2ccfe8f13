//! What each part of a policy is worth: the whole beside itself without the part, on the same plays.

use serde::Serialize;

use super::{
    Results, Total,
    compare::{Comparison, Difference, compare},
};
use crate::exit::Failure;

/// A policy and what it is held against, at equal budgets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ablation {
    /// Version of the code that played.
    pub version: String,
    /// The budget in actions at which they are compared.
    pub budget: u32,
    /// The whole first.
    pub arms: Vec<Arm>,
}

/// One of the policies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Arm {
    /// By name.
    pub policy: String,
    /// All its plays at the budget.
    pub total: Total,
    /// How it differs from the whole; `None` for the whole itself.
    pub against: Option<Against>,
}

/// A is the whole, B the arm.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Against {
    /// Mean levels a play.
    pub levels: Difference,
    /// Mean RHAE over games.
    pub rhae: Difference,
}

/// Holds arms against the whole, each on the plays that both have.
///
/// # Errors
/// An arm shares no budget or no play with the whole.
pub fn ablation(whole: &Results, arms: &[Results]) -> Result<Ablation, Failure> {
    let mut all = vec![Arm::new(whole, None)];
    for arm in arms {
        let Comparison { levels, rhae, .. } = compare(whole, arm)?;
        all.push(Arm::new(arm, Some(Against { levels, rhae })));
    }
    Ok(Ablation { version: whole.version.clone(), budget: whole.settings.budgets.largest(), arms: all })
}

impl Arm {
    fn new(results: &Results, against: Option<Against>) -> Arm {
        let total = results.totals.last().copied().unwrap_or_default();
        Arm { policy: results.settings.policy.clone(), total, against }
    }
}
