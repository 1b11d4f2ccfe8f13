//! The lists an evaluation runs over, as they are written: seeds and budgets.

use std::{fmt, ops::RangeInclusive, str::FromStr};

use serde::{Deserialize, Serialize};

/// Most seeds of one run: more is a slip of the finger, not a plan.
const MAX_SEEDS: u64 = 10_000;

/// Seeds without repetition, in the order they were written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seeds(Vec<u64>);

/// Action counts at which plays are judged: ascending, none twice, none 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Budgets(Vec<u32>);

/// A list that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{found}' is no list of {kind}, expected {expected}")]
pub struct ListError {
    kind: &'static str,
    expected: &'static str,
    found: String,
}

impl Seeds {
    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        self.0.iter().copied()
    }
}

/// One play a game.
impl Default for Seeds {
    fn default() -> Seeds {
        Seeds(vec![0])
    }
}

impl FromStr for Seeds {
    type Err = ListError;

    fn from_str(text: &str) -> Result<Seeds, ListError> {
        let expected = "0..3 (that is 0, 1, 2), 0..=2 or 1,5,7, at most 10000 of them";
        let error = || ListError { kind: "seeds", expected, found: text.to_owned() };
        let mut seeds = Vec::new();
        for part in text.split(',') {
            let range = range(part.trim()).ok_or_else(error)?;
            let fits = range.end().checked_sub(*range.start()).is_some_and(|span| span < MAX_SEEDS);
            fits.then(|| seeds.extend(range)).ok_or_else(error)?;
        }
        let mut seen = std::collections::BTreeSet::new();
        seeds.retain(|seed| seen.insert(*seed));
        if seeds.len() as u64 <= MAX_SEEDS { Ok(Seeds(seeds)) } else { Err(error()) }
    }
}

fn range(text: &str) -> Option<RangeInclusive<u64>> {
    if let Some((first, last)) = text.split_once("..=") {
        return Some(first.parse().ok()?..=last.parse().ok()?);
    }
    if let Some((first, end)) = text.split_once("..") {
        let end: u64 = end.parse().ok()?;
        return Some(first.parse().ok()?..=end.checked_sub(1)?);
    }
    let one = text.parse().ok()?;
    Some(one..=one)
}

impl Budgets {
    /// Ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().copied()
    }

    /// The one that ends a play.
    pub fn largest(&self) -> u32 {
        self.0.last().copied().unwrap_or(1)
    }
}

/// A thousand actions: the budget that published graph explorers are compared at.
impl Default for Budgets {
    fn default() -> Budgets {
        Budgets(vec![1000])
    }
}

impl FromStr for Budgets {
    type Err = ListError;

    fn from_str(text: &str) -> Result<Budgets, ListError> {
        let parse = |part: &str| part.trim().replace('_', "").parse().ok().filter(|budget| *budget > 0);
        let budgets: Option<Vec<u32>> = text.split(',').map(parse).collect();
        let expected = "positive action counts such as 500,1000";
        let mut budgets = budgets.ok_or_else(|| ListError { kind: "budgets", expected, found: text.to_owned() })?;
        budgets.sort_unstable();
        budgets.dedup();
        Ok(Budgets(budgets))
    }
}

impl fmt::Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        join(f, &self.0)
    }
}

impl fmt::Display for Budgets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        join(f, &self.0)
    }
}

fn join(f: &mut fmt::Formatter<'_>, items: &[impl fmt::Display]) -> fmt::Result {
    let texts: Vec<String> = items.iter().map(ToString::to_string).collect();
    f.write_str(&texts.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_ranges_and_lists_without_repetition() {
        let seeds = |text: &str| text.parse::<Seeds>().map(|seeds| seeds.0);
        assert_eq!(seeds("0..3"), Ok(vec![0, 1, 2]));
        assert_eq!(seeds("0..=2"), Ok(vec![0, 1, 2]));
        assert_eq!(seeds("7, 1..3, 2"), Ok(vec![7, 1, 2]));
        for text in ["", "3..3", "3..1", "..", "a", "-1", "0..99999999999", "1,,2"] {
            let error = seeds(text).unwrap_err().to_string();
            assert!(error.contains("expected 0..3 (that is 0, 1, 2)"), "{error}");
        }
    }

    #[test]
    fn budgets_ascend_and_none_is_zero() {
        let budgets = |text: &str| text.parse::<Budgets>().map(|budgets| budgets.0);
        assert_eq!(budgets("1_000,500,500"), Ok(vec![500, 1000]));
        assert_eq!("5".parse::<Budgets>().unwrap().largest(), 5);
        for text in ["", "0", "10,0", "1e3", "-5"] {
            assert!(budgets(text).is_err(), "{text}");
        }
    }
}
