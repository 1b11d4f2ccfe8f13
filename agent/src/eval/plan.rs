//! Which plays an evaluation consists of.

use std::collections::BTreeSet;

use super::{Seeds, Shard};
use crate::select::Offer;

/// One play: a game and a seed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The seed of the policy and of the built-in games' variation.
    pub seed: u64,
    /// The game by its label.
    pub game: String,
}

/// All plays, and those of this part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The chosen games by label, sorted.
    pub games: Vec<String>,
    /// The plays of this part, seed by seed.
    pub pairs: Vec<Pair>,
}

impl Plan {
    /// Every game once a seed; of these, what belongs to the part.
    pub fn new(offers: &[Offer], seeds: &Seeds, shard: Option<Shard>) -> Plan {
        let mut games = labels(offers);
        games.sort();
        let all = all_pairs(&games, seeds);
        let pairs = shard.map_or_else(|| all.clone(), |shard| shard.of(all.clone()));
        Plan { games, pairs }
    }

    /// The games of one seed that are still to be played, by label.
    pub fn pending(&self, seed: u64, finished: &BTreeSet<Pair>) -> Vec<&str> {
        let mine = self.pairs.iter().filter(|pair| pair.seed == seed && !finished.contains(pair));
        mine.map(|pair| pair.game.as_str()).collect()
    }
}

/// Every game once a seed, in the order of results.
pub(super) fn all_pairs(games: &[String], seeds: &Seeds) -> Vec<Pair> {
    seeds.iter().flat_map(|seed| games.iter().map(move |game| Pair { seed, game: game.clone() })).collect()
}

/// What games are called in results: the stem, which outlives versions, or the id where two share a stem.
pub fn labels(offers: &[Offer]) -> Vec<String> {
    let twins = |stem: &str| offers.iter().filter(|offer| offer.id.stem() == stem).count() > 1;
    let label = |offer: &Offer| if twins(offer.id.stem()) { offer.id.as_str() } else { offer.id.stem() }.to_owned();
    offers.iter().map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::ShardChoice;

    fn offers(ids: &[&str]) -> Vec<Offer> {
        let offer = |id: &&str| Offer { id: id.parse().unwrap(), title: None, baselines: Vec::new() };
        ids.iter().map(offer).collect()
    }

    #[test]
    fn games_are_called_by_their_stem_unless_two_share_it() {
        assert_eq!(labels(&offers(&["b-2", "a-1", "b-1"])), ["b-2", "a", "b-1"]);
    }

    #[test]
    fn parts_and_finished_plays_are_left_out() {
        let seeds: Seeds = "0..2".parse().unwrap();
        let shard = match "1/2".parse().unwrap() {
            ShardChoice::Named(shard) => shard,
            ShardChoice::Auto { .. } => unreachable!(),
        };
        let plan = Plan::new(&offers(&["c-1", "a-1", "b-1"]), &seeds, Some(shard));
        assert_eq!(plan.games, ["a", "b", "c"]);
        assert_eq!((plan.pending(0, &BTreeSet::new()), plan.pending(1, &BTreeSet::new())), (vec!["b"], vec!["a", "c"]));
        let finished = BTreeSet::from([Pair { seed: 1, game: "a".into() }]);
        assert_eq!(plan.pending(1, &finished), ["c"]);
    }
}
