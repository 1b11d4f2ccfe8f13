//! The pairs that nothing may learn from.

use std::collections::HashSet;

use env_client::Color;
use xxhash_rust::xxh3::xxh3_128;

use super::{Pair, augment::Dihedral};

/// Pairs that must not be trained on, in whatever view: an augmented copy of one would teach its answer too.
#[derive(Clone, Debug, Default)]
pub struct Sealed(HashSet<u128>);

impl Sealed {
    /// Seals all these pairs.
    pub fn of<'a>(pairs: impl IntoIterator<Item = &'a Pair>) -> Sealed {
        Sealed(pairs.into_iter().map(class).collect())
    }

    /// Whether the pair is sealed: the same grids, or grids that an augmentation turns into them.
    pub fn contains(&self, pair: &Pair) -> bool {
        !self.0.is_empty() && self.0.contains(&class(pair))
    }
}

/// What all views of a pair have in common and other pairs have not: the smallest of its fingerprints under the eight
/// symmetries, with its colours numbered as they appear.
pub(super) fn class(pair: &Pair) -> u128 {
    Dihedral::ALL.map(|dihedral| colorless(pair, dihedral)).into_iter().fold(u128::MAX, u128::min)
}

fn colorless(pair: &Pair, dihedral: Dihedral) -> u128 {
    let mut bytes = Vec::new();
    let mut numbers = [0u8; Color::COUNT];
    let mut known = 0;
    for grid in [&pair.input, &pair.output].map(|grid| dihedral.apply(grid)) {
        bytes.extend([grid.width(), grid.height()]);
        for color in grid.cells() {
            let number = &mut numbers[color.index()];
            if *number == 0 {
                known += 1;
                *number = known;
            }
            bytes.push(*number);
        }
    }
    xxh3_128(&bytes)
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
