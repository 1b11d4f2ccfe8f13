//! Which tasks are kept where not all are.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::Pair;

/// What comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Rank {
    /// The tasks with the most pairs.
    #[default]
    MostPairs,
    /// The tasks with the smallest grids: cells of question and answer together, the mean of all pairs. Tasks with fewer
    /// pairs than this come last.
    SmallestGrids {
        /// Pairs that a rule can be learned from.
        pairs: usize,
    },
}

/// A place in a ranking: less comes first.
pub(super) type Place = (bool, Reverse<usize>, u64);

impl Rank {
    /// The place of a task with such pairs.
    pub(super) fn of<'a>(self, pairs: impl ExactSizeIterator<Item = &'a Pair>) -> Place {
        let count = pairs.len();
        match self {
            Rank::MostPairs => (false, Reverse(count), 0),
            Rank::SmallestGrids { pairs: least } => {
                let cells: usize = pairs.map(|pair| pair.input.cells().len() + pair.output.cells().len()).sum();
                // In thousandths, so that places have an order.
                (count < least, Reverse(0), 1000 * cells as u64 / count.max(1) as u64)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_pairs_come_first_or_smallest_grids_of_tasks_with_enough_of_them() {
        let pair = |text: &str| Pair { input: text.parse().unwrap(), output: text.parse().unwrap() };
        let (many, few, one) = (vec![pair("12\n34"); 5], vec![pair("1\n2"); 4], vec![pair("1")]);
        let first = |rank: Rank| {
            let tasks = [("many", &many), ("few", &few), ("one", &one)];
            let mut ranked: Vec<_> = tasks.iter().map(|(name, pairs)| (rank.of(pairs.iter()), *name)).collect();
            ranked.sort_unstable();
            ranked.into_iter().map(|(_, name)| name).collect::<Vec<_>>()
        };
        assert_eq!(first(Rank::MostPairs), ["many", "few", "one"]);
        assert_eq!(first(Rank::SmallestGrids { pairs: 2 }), ["few", "many", "one"]);
    }
}
