//! Parts of an evaluation, for machines that play one each.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// The part `index` of `count`, counted from 0 as Kubernetes indexed jobs and most Slurm arrays do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    index: u32,
    count: u32,
}

/// What was asked for: a part by its number, or the one that the scheduler gave this task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardChoice {
    /// `3/16`
    Named(Shard),
    /// `auto` or `auto/16`: index and count from the scheduler, or the index alone.
    Auto {
        /// How many parts there are, where it was said.
        count: Option<u32>,
    },
}

/// A part that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// Not the right shape.
    #[error("'{0}' is no part, expected INDEX/COUNT such as 3/16, auto or auto/16")]
    Shape(String),
    /// Past the end.
    #[error("part {index} of {count} does not exist: parts are counted from 0, expected 0/{count} to {last}/{count}", last = count.saturating_sub(1))]
    Range {
        /// Which part.
        index: u32,
        /// Of how many.
        count: u32,
    },
    /// No scheduler, or one that does not say enough.
    #[error("{0}")]
    NoScheduler(&'static str),
}

impl Shard {
    /// The part `index` of `count`.
    pub fn new(index: u32, count: u32) -> Result<Shard, ShardError> {
        if index < count { Ok(Shard { index, count }) } else { Err(ShardError::Range { index, count }) }
    }

    /// Which items of a list belong to this part: every `count`-th, so that the parts are of one size.
    pub fn of<T>(self, items: Vec<T>) -> Vec<T> {
        items.into_iter().skip(self.index as usize).step_by(self.count as usize).collect()
    }

    /// As it stands in file names: `3-of-16`.
    pub fn suffix(self) -> String {
        format!("{}-of-{}", self.index, self.count)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for ShardChoice {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<ShardChoice, ShardError> {
        let shape = || ShardError::Shape(text.to_owned());
        let (index, count) = match text.split_once('/') {
            Some((index, count)) => (index, Some(count.parse::<u32>().map_err(|_| shape())?)),
            None => (text, None),
        };
        match (index, count) {
            ("auto", Some(0)) => Err(shape()),
            ("auto", count) => Ok(ShardChoice::Auto { count }),
            (index, Some(count)) => Shard::new(index.parse().map_err(|_| shape())?, count).map(ShardChoice::Named),
            (_, None) => Err(shape()),
        }
    }
}

impl ShardChoice {
    /// The part, asking the scheduler's variables where the choice is left to it.
    ///
    /// Slurm tells a task its id, the smallest id, the step between ids and their number (`SLURM_ARRAY_TASK_ID`,
    /// `_MIN`, `_STEP`, `_COUNT`); Kubernetes tells the index alone (`JOB_COMPLETION_INDEX`, from 0).
    pub fn resolve<'a>(self, variable: impl Fn(&str) -> Option<&'a str>) -> Result<Shard, ShardError> {
        let count = match self {
            ShardChoice::Named(shard) => return Ok(shard),
            ShardChoice::Auto { count } => count,
        };
        let number = |name: &str| variable(name).and_then(|text| text.parse::<u32>().ok());
        let (index, counted) = if let Some(id) = number("SLURM_ARRAY_TASK_ID") {
            let step = number("SLURM_ARRAY_TASK_STEP").unwrap_or(1).max(1);
            let first = number("SLURM_ARRAY_TASK_MIN").unwrap_or(0);
            (id.saturating_sub(first) / step, number("SLURM_ARRAY_TASK_COUNT"))
        } else if let Some(index) = number("JOB_COMPLETION_INDEX") {
            (index, None)
        } else {
            return Err(ShardError::NoScheduler(
                "--shard auto needs SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX, and neither is set to a number",
            ));
        };
        let unknown =
            ShardError::NoScheduler("the scheduler does not say how many parts there are, expected auto/COUNT");
        Shard::new(index, count.or(counted).ok_or(unknown)?)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn resolve(text: &str, variables: &[(&str, &'static str)]) -> Result<String, String> {
        let variables: BTreeMap<&str, &str> = variables.iter().copied().collect();
        let choice = text.parse::<ShardChoice>().map_err(|error| error.to_string())?;
        choice.resolve(|name| variables.get(name).copied()).map(|it| it.to_string()).map_err(|it| it.to_string())
    }

    #[test]
    fn a_part_is_named_or_found_in_the_schedulers_variables() {
        assert_eq!(resolve("3/16", &[]), Ok("3/16".into()));
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "7"),
            ("SLURM_ARRAY_TASK_MIN", "1"),
            ("SLURM_ARRAY_TASK_STEP", "2"),
            ("SLURM_ARRAY_TASK_COUNT", "4"),
        ];
        assert_eq!(resolve("auto", &slurm), Ok("3/4".into()));
        let kubernetes = [("JOB_COMPLETION_INDEX", "5")];
        assert_eq!(resolve("auto/16", &kubernetes), Ok("5/16".into()));
        assert!(resolve("auto", &kubernetes).unwrap_err().contains("expected auto/COUNT"));
        assert!(resolve("auto", &[]).unwrap_err().contains("SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX"));
    }

    #[test]
    fn what_is_no_part_is_told_what_one_is() {
        for text in ["", "3", "/", "a/2", "1/b", "-1/2", "1/2/3", "auto/0", "auto/x"] {
            assert!(resolve(text, &[]).unwrap_err().contains("expected INDEX/COUNT such as 3/16"), "{text}");
        }
        assert!(resolve("16/16", &[]).unwrap_err().contains("counted from 0, expected 0/16 to 15/16"));
    }

    proptest! {
        #[test]
        fn the_parts_make_the_whole_and_share_nothing(items in 0usize..200, count in 1u32..20) {
            let list: Vec<usize> = (0..items).collect();
            let parts: Vec<Vec<usize>> =
                (0..count).map(|index| Shard::new(index, count).unwrap().of(list.clone())).collect();
            let sizes: Vec<usize> = parts.iter().map(Vec::len).collect();
            prop_assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
            let mut union: Vec<usize> = parts.into_iter().flatten().collect();
            union.sort_unstable();
            prop_assert_eq!(union, list);
        }
    }
}
