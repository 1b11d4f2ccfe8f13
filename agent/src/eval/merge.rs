//! Parts of an evaluation into one whole.

use std::collections::BTreeSet;

use super::{Card, Judged, Measured, Pair, PlayMeasured, Results, plan::all_pairs, results::totals};
use crate::exit::Failure;

/// A whole, and what was noticed while it was put together.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// The whole.
    pub results: Results,
    /// Plays that more than one part has; the first part counts.
    pub overlaps: Vec<Pair>,
    /// Plays that no part has.
    pub gaps: Vec<Pair>,
}

/// Merges parts, each with the name of its file.
///
/// # Errors
/// No part at all, parts of different evaluations or code versions, or two parts that tell different things about the
/// same play.
pub fn merge(parts: Vec<(String, Results)>) -> Result<Merged, Failure> {
    let mut parts = parts.into_iter();
    let Some((first_name, first)) = parts.next() else { return Err(Failure::new("nothing to merge")) };
    let mut overlaps = Vec::new();
    let mut whole = Whole { plays: plays(&first), cards: first.cards.clone() };
    for (name, part) in parts {
        check_same(&first_name, &first, &name, &part)?;
        let before = whole.plays.len();
        for (play, measured) in plays(&part) {
            match whole.find(&play) {
                None => whole.plays.push((play, measured)),
                Some(known) if *known == play => overlaps.push(pair(&play)),
                Some(_) => return Err(contradiction(&name, &play)),
            }
        }
        // A part that brings nothing new was given twice, and so were its scorecards.
        if whole.plays.len() > before {
            whole.cards.extend(part.cards);
        }
    }
    let results = whole.results(first);
    let there: BTreeSet<Pair> = results.plays.iter().map(pair).collect();
    let all = all_pairs(&results.settings.games, &results.settings.seeds);
    let gaps = all.into_iter().filter(|pair| !there.contains(pair)).collect();
    Ok(Merged { results, overlaps, gaps })
}

/// What has been gathered so far.
struct Whole {
    plays: Vec<(Judged, PlayMeasured)>,
    cards: Vec<Card>,
}

impl Whole {
    fn find(&self, play: &Judged) -> Option<&Judged> {
        self.plays.iter().map(|(known, _)| known).find(|known| pair(known) == pair(play))
    }

    fn results(mut self, first: Results) -> Results {
        let order = all_pairs(&first.settings.games, &first.settings.seeds);
        self.plays.sort_by_key(|(play, _)| order.iter().position(|it| *it == pair(play)));
        self.cards.sort_by_key(|card| first.settings.seeds.iter().position(|seed| seed == card.seed));
        let (plays, measured): (Vec<_>, Vec<_>) = self.plays.into_iter().unzip();
        Results {
            totals: totals(&plays, &first.settings.budgets),
            cards: self.cards,
            plays,
            measured: Measured { plays: measured },
            shard: None,
            ..first
        }
    }
}

fn plays(results: &Results) -> Vec<(Judged, PlayMeasured)> {
    let measured = results.measured.plays.iter().cloned().chain(std::iter::repeat_with(PlayMeasured::default));
    results.plays.iter().cloned().zip(measured).collect()
}

fn pair(play: &Judged) -> Pair {
    Pair { seed: play.seed, game: play.game.clone() }
}

fn check_same(first_name: &str, first: &Results, name: &str, part: &Results) -> Result<(), Failure> {
    let (a, b) = (&first.settings, &part.settings);
    let described = [
        ("version of the code", first.version.clone(), part.version.clone()),
        ("policy", a.policy.clone(), b.policy.clone()),
        ("service", a.service.clone(), b.service.clone()),
        ("games", a.games.join(","), b.games.join(",")),
        ("seeds", a.seeds.to_string(), b.seeds.to_string()),
        ("budgets", a.budgets.to_string(), b.budgets.to_string()),
    ];
    match described.into_iter().find(|(_, there, here)| there != here) {
        None => Ok(()),
        Some((what, there, here)) => Err(Failure::new(format!(
            "{first_name} and {name} are not parts of one evaluation: {what} {there}, {here}"
        ))
        .hint("run every part with the same settings and the same build; only --shard and --out differ")),
    }
}

fn contradiction(name: &str, play: &Judged) -> Failure {
    Failure::new(format!("{name} tells otherwise about {} with seed {} than another part", play.game, play.seed))
        .hint("one of the plays was cut short or is of another game version; leave one of the files out")
}
