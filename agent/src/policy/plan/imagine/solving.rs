//! The ARC solver as an imagination: a row of its own for the level, learned from the examples, and a vote over views.

use std::ops::ControlFlow;

use env_client::Grid;
use solver::{
    Pair, Query, Task,
    solve::{Scope, Settings, Solver, Tuning},
};

use super::Imagination;

/// Multiplications that one answer may take, learning included: about a second on one core at the 20 thousand millions a
/// second that the small net was measured at beside other work. A count and not a clock, so that every machine has the
/// same answer.
const WORK: u64 = 20_000_000_000;
/// Views that vote.
const VIEWS: usize = 8;
/// Steps of test-time training: fewer teach a row nothing, more were not found to teach it more.
const FEWEST: u32 = 4;
const MOST: u32 = 64;
/// A net answers the same to the same.
const SEED: u64 = 0;

/// Imagines by solving.
#[derive(Debug)]
pub struct Solving {
    solver: Solver,
    settings: Settings,
}

/// A net that would have a decision wait too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the net is too large to be asked within a decision: an answer takes {work} multiplications, expected at most {WORK}"
)]
pub struct TooLarge {
    work: u64,
}

impl Solving {
    /// Asks this net, for as many steps of test-time training as a decision has time for.
    ///
    /// # Errors
    /// It has time for hardly any.
    pub fn new(solver: Solver) -> Result<Solving, TooLarge> {
        let affordable = (FEWEST..=MOST).rev().map(settings).find(|settings| solver.work(settings) <= WORK);
        let settings = affordable.ok_or_else(|| TooLarge { work: solver.work(&settings(FEWEST)) })?;
        Ok(Solving { solver, settings })
    }
}

fn settings(steps: u32) -> Settings {
    let tuning = Tuning { steps, time: None, scope: Scope::Rows };
    Settings { views: VIEWS, tuning, steps: None, loops: None, seed: SEED }
}

impl Imagination for Solving {
    fn longest(&self) -> u8 {
        self.solver.longest()
    }

    fn imagine(&self, examples: &[(Grid, Grid)], question: &Grid) -> Option<(Grid, f32)> {
        let pair = |(input, output): &(Grid, Grid)| Pair { input: input.clone(), output: output.clone() };
        let query = Query { input: question.clone(), output: None };
        let task = Task { id: "a level".to_owned(), train: examples.iter().map(pair).collect(), test: vec![query] };
        let solved = self.solver.solve(&task, &self.settings, &mut |_| ControlFlow::Continue(()));
        // A net that cannot compute an answer has none; the play goes on and the log says so.
        let solved = solved.inspect_err(|error| tracing::warn!(%error, "the solver could not imagine a level"));
        let ranking = solved.ok()??.rankings.pop()?;
        let votes: u32 = ranking.iter().map(|it| it.votes).sum();
        let best = ranking.into_iter().next()?;
        Some((best.answer?, best.votes as f32 / votes as f32))
    }
}
