//! Exactness many steps ahead: a model runs freely from a true frame under the actions that were really taken.

use env_client::{Action, Grid};

use super::View;
use crate::{InterfaceMask, WorldModel};

/// The steps at which exactness is reported.
pub const HORIZONS: [usize; 6] = [1, 2, 3, 5, 10, 20];

/// The furthest step that is looked at.
pub const FURTHEST: usize = 20;

/// One free run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rollout {
    /// Transitions learned before it.
    pub at: usize,
    /// For each step that the recording has, at most [`FURTHEST`]: whether the frame was right in every cell, raw and
    /// masked; and of the cells that differ from the frame it started from, how many there are and were right.
    pub steps: Vec<RolloutStep>,
}

/// One step of a free run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RolloutStep {
    /// Right in every cell, on all cells and under the mask.
    pub exact: [bool; 2],
    /// Cells of the world that differ from the frame it started from.
    pub changed: u16,
    /// How many of them were right.
    pub hits: u16,
}

/// Runs a model from `start` under actions whose true outcomes are known.
pub fn run(
    model: &(impl WorldModel + ?Sized),
    start: &Grid,
    truth: &[(Action, &Grid)],
    mask: &InterfaceMask,
) -> Vec<RolloutStep> {
    let mut state = Some(model.state(start));
    let mut steps = Vec::with_capacity(truth.len());
    for (action, truth) in truth {
        state = state.and_then(|state| model.predict(&state, *action).next);
        let frame = state.as_ref().map(|state| &state.frame);
        let [raw, masked] = [None, Some(mask)].map(|mask| super::FrameScore::of(start, truth, frame, mask));
        steps.push(RolloutStep { exact: [raw.exact, masked.exact], changed: masked.changed, hits: masked.hits });
    }
    steps
}

/// How often runs were exact, `k` steps ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon {
    /// How many steps ahead.
    pub steps: usize,
    /// Runs that long.
    pub runs: usize,
    /// Share of them that were exact at this step.
    pub exact: f64,
    /// What it would be if errors were independent and final: exactness at one step to the power of `k`.
    pub independent: f64,
    /// Of the cells that differ from the start, the share that was right.
    pub changed_cells: Option<f64>,
}

/// Exactness at each of the [`HORIZONS`] that some run reaches.
pub fn horizons(runs: &[&Rollout], view: View) -> Vec<Horizon> {
    HORIZONS.iter().filter_map(|steps| horizon(runs, view, *steps)).collect()
}

fn horizon(runs: &[&Rollout], view: View, steps: usize) -> Option<Horizon> {
    let long: Vec<&Rollout> = runs.iter().copied().filter(|run| run.steps.len() >= steps).collect();
    let exact = |step: usize| {
        long.iter().filter(|run| run.steps[step - 1].exact[view as usize]).count() as f64 / long.len() as f64
    };
    let count = |of: fn(&RolloutStep) -> u16| long.iter().map(|run| u64::from(of(&run.steps[steps - 1]))).sum::<u64>();
    let (changed, hits) = (count(|step| step.changed), count(|step| step.hits));
    (!long.is_empty()).then(|| Horizon {
        steps,
        runs: long.len(),
        exact: exact(steps),
        independent: exact(1).powi(steps as i32),
        changed_cells: (changed > 0).then(|| hits as f64 / changed as f64),
    })
}

/// The mean number of steps before the first error, over runs of full length; a run without one counts [`FURTHEST`].
pub fn first_error(runs: &[&Rollout], view: View) -> Option<f64> {
    let full = runs.iter().filter(|run| run.steps.len() == FURTHEST);
    let right = |run: &&&Rollout| run.steps.iter().take_while(|step| step.exact[view as usize]).count() as f64;
    let steps: Vec<f64> = full.map(|run| right(&run)).collect();
    (!steps.is_empty()).then(|| steps.iter().sum::<f64>() / steps.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rollout(exact: &[u8]) -> Rollout {
        let step = |exact: &u8| RolloutStep { exact: [*exact == 1; 2], changed: 4, hits: 2 + 2 * u16::from(*exact) };
        Rollout { at: 0, steps: exact.iter().map(step).collect() }
    }

    /// By hand: at one step 3 of 4 runs are exact, at two 1 of 3, of which the third run recovered.
    #[test]
    fn exactness_ahead_stands_next_to_independent_errors() {
        let runs = [rollout(&[1, 0]), rollout(&[1, 0]), rollout(&[0, 1]), rollout(&[1])];
        let runs: Vec<&Rollout> = runs.iter().collect();
        let found = horizons(&runs, View::Raw);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].runs, found[0].exact.to_bits()), (4, 0.75f64.to_bits()));
        assert!((found[1].exact - 1.0 / 3.0).abs() < 1e-12);
        // Of the three runs that are long enough two were exact at the first step.
        assert!((found[1].independent - 4.0 / 9.0).abs() < 1e-12);
        assert!((found[1].changed_cells.unwrap() - (2.0 + 2.0 + 4.0) / 12.0).abs() < 1e-12);
    }

    #[test]
    fn the_first_error_is_counted_in_right_steps() {
        let mut late = vec![1; FURTHEST];
        late[4] = 0;
        let runs = [rollout(&late), rollout(&[1; FURTHEST]), rollout(&[0])];
        let runs: Vec<&Rollout> = runs.iter().collect();
        assert_eq!(first_error(&runs, View::Masked), Some(12.0));
        assert_eq!(first_error(&runs[2..], View::Masked), None);
    }
}
