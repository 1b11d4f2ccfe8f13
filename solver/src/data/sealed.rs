//! The pairs that nothing may learn from.

use std::collections::HashSet;

use super::{
    Pair,
    augment::{Augmentation, Dihedral, Recoloring},
    hash::{self, Hash},
};

/// Pairs that must not be trained on, in whatever view: an augmented copy of one would teach its answer too.
#[derive(Clone, Debug, Default)]
pub struct Sealed(HashSet<Hash>);

impl Sealed {
    /// Seals all these pairs.
    pub fn of<'a>(pairs: impl IntoIterator<Item = &'a Pair>) -> Sealed {
        let mut sealed = Sealed::default();
        pairs.into_iter().for_each(|pair| sealed.add(pair));
        sealed
    }

    fn add(&mut self, pair: &Pair) {
        let turned = |dihedral| Augmentation { dihedral, ..Augmentation::identity() }.pair(pair);
        self.0.extend(Dihedral::ALL.map(|dihedral| colorless(&turned(dihedral))));
    }

    /// Whether the pair is sealed: the same grids, or grids that an augmentation turns into them.
    pub fn contains(&self, pair: &Pair) -> bool {
        !self.0.is_empty() && self.0.contains(&colorless(pair))
    }
}

/// The published hash of the pair with its colours numbered as they appear, so that renamings have the same.
fn colorless(pair: &Pair) -> Hash {
    let renamed = Augmentation { colors: Recoloring::by_appearance(pair), ..Augmentation::identity() }.pair(pair);
    hash::puzzle([&renamed])
}

#[cfg(test)]
mod tests {
    use env_client::{Color, Grid};
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng, rngs::StdRng};

    use super::*;
    use crate::data::{AugmentConfig, COLORS, Colors};

    fn grid(rng: &mut StdRng) -> Grid {
        let mut grid = Grid::filled(rng.random_range(1..=6), rng.random_range(1..=6), Color::default());
        grid.cells_mut().iter_mut().for_each(|cell| *cell = Color::ALL[rng.random_range(0..COLORS)]);
        grid
    }

    proptest! {
        #[test]
        fn no_view_of_a_sealed_pair_gets_past(seed: u64) {
            let mut rng = StdRng::seed_from_u64(seed);
            let pair = Pair { input: grid(&mut rng), output: grid(&mut rng) };
            let sealed = Sealed::of([&pair]);
            let augment = AugmentConfig { colors: Colors::All, ..AugmentConfig::default() };
            let view = augment.space(&[]).draw(&mut rng);
            prop_assert!(sealed.contains(&view.pair(&pair)));
        }
    }

    #[test]
    fn other_pairs_are_free() {
        let pair = |input: &str, output: &str| Pair { input: input.parse().unwrap(), output: output.parse().unwrap() };
        let sealed = Sealed::of([&pair("12", "21")]);
        assert!(sealed.contains(&pair("3\n5", "5\n3")));
        assert!(!sealed.contains(&pair("12", "12")));
        assert!(!sealed.contains(&pair("11", "21")));
        assert!(!Sealed::default().contains(&pair("12", "21")));
    }
}
