//! Two results side by side.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::{Checkpoint, Judged, Results};
use crate::exit::Failure;

/// Draws of the bootstrap: enough that the bounds move by less than a hundredth of their distance.
const RESAMPLES: usize = 10_000;

/// The bootstrap is part of a report that has to come out the same every time.
const SEED: u64 = 0;

/// How much of the bootstrap distribution lies below the interval, and above it.
const TAIL: f64 = 0.025;

/// A and B on the plays that both have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The budget in actions at which they are compared.
    pub budget: u32,
    /// By game.
    pub games: Vec<GamePair>,
    /// Plays that both have.
    pub plays: usize,
    /// Plays that only A has.
    pub only_a: usize,
    /// Plays that only B has.
    pub only_b: usize,
    /// Mean RHAE over games.
    pub rhae: Difference,
    /// Mean levels a play.
    pub levels: Difference,
}

/// A game in both results, each value the mean over the shared seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GamePair {
    /// By label.
    pub game: String,
    /// In A.
    pub a: Standing,
    /// In B.
    pub b: Standing,
}

/// A game in one result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Standing {
    /// Levels solved.
    pub levels: f64,
    /// Actions spent.
    pub actions: f64,
    /// RHAE in percent.
    pub score: f64,
}

/// A mean in A and in B, and where the difference B − A lies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// In A.
    pub a: f64,
    /// In B.
    pub b: f64,
    /// Lower end of the 95 % interval of B − A, by a paired bootstrap over games.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Compares at the largest budget both were judged at.
///
/// # Errors
/// They share no budget or no play.
pub fn compare(a: &Results, b: &Results) -> Result<Comparison, Failure> {
    let shared = a.settings.budgets.iter().filter(|budget| b.settings.budgets.iter().any(|other| other == *budget));
    let budget = shared.max().ok_or_else(|| {
        let (a, b) = (&a.settings.budgets, &b.settings.budgets);
        Failure::new(format!("the results share no budget: {a} and {b}"))
            .hint("evaluate again with --budgets in common")
    })?;
    let (in_a, in_b) = (checkpoints(a, budget), checkpoints(b, budget));
    let plays: Vec<_> = in_a.iter().filter_map(|(key, a)| Some((key.0, *a, *in_b.get(key)?))).collect();
    if plays.is_empty() {
        return Err(Failure::new("the results share no play, that is no game with the same seed"));
    }
    let games = games(&plays);
    Ok(Comparison {
        budget,
        plays: plays.len(),
        only_a: in_a.len() - plays.len(),
        only_b: in_b.len() - plays.len(),
        rhae: difference(&games, |standing| standing.score),
        levels: difference(&games, |standing| standing.levels),
        games,
    })
}

type Key<'a> = (&'a str, u64);

fn checkpoints(results: &Results, budget: u32) -> BTreeMap<Key<'_>, Checkpoint> {
    let at = |play: &Judged| play.checkpoints.iter().find(|it| it.budget == budget).copied();
    results.plays.iter().filter_map(|play| Some(((play.game.as_str(), play.seed), at(play)?))).collect()
}

fn games(plays: &[(&str, Checkpoint, Checkpoint)]) -> Vec<GamePair> {
    let mut by_game: BTreeMap<&str, Vec<(Checkpoint, Checkpoint)>> = BTreeMap::new();
    for (game, a, b) in plays {
        by_game.entry(game).or_default().push((*a, *b));
    }
    let pair = |(game, plays): (&str, Vec<(Checkpoint, Checkpoint)>)| GamePair {
        game: game.to_owned(),
        a: Standing::mean(&plays, |(a, _)| *a),
        b: Standing::mean(&plays, |(_, b)| *b),
    };
    by_game.into_iter().map(pair).collect()
}

impl Standing {
    fn mean<Play>(plays: &[Play], side: fn(&Play) -> Checkpoint) -> Standing {
        let mean_of = |value: fn(Checkpoint) -> f64| mean(plays.iter().map(|play| value(side(play))));
        Standing {
            levels: mean_of(|play| f64::from(play.levels_completed)),
            actions: mean_of(|play| f64::from(play.actions)),
            score: mean_of(|play| play.score),
        }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0usize), |(sum, count), value| (sum + value, count + 1));
    sum / count.max(1) as f64
}

/// Games are drawn with replacement, both results of a game together, so that easy and hard games cancel out.
fn difference(games: &[GamePair], value: fn(&Standing) -> f64) -> Difference {
    let differences: Vec<f64> = games.iter().map(|game| value(&game.b) - value(&game.a)).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut draw = || mean((0..differences.len()).map(|_| differences[rng.random_range(0..differences.len())]));
    let mut means: Vec<f64> = (0..RESAMPLES).map(|_| draw()).collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| means[((share * RESAMPLES as f64) as usize).min(RESAMPLES - 1)];
    Difference {
        a: mean(games.iter().map(|game| value(&game.a))),
        b: mean(games.iter().map(|game| value(&game.b))),
        low: at(TAIL),
        high: at(1.0 - TAIL),
    }
}
