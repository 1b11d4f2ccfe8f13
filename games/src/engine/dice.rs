//! Chance that is the same every time.

use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use xxhash_rust::xxh3::xxh3_64;

/// A stream of chance for one purpose, say "level 3 of this title under this seed".
///
/// Streams of different purposes are independent: what one of them draws never shifts another.
#[derive(Clone, Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The stream with this seed for this purpose.
    pub fn new(seed: u64, purpose: &str) -> Dice {
        let mut key = seed.to_le_bytes().to_vec();
        key.extend_from_slice(purpose.as_bytes());
        Dice(ChaCha8Rng::seed_from_u64(xxh3_64(&key)))
    }

    /// A number in `0..bound`.
    ///
    /// # Panics
    /// When `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.random_range(0..bound)
    }

    /// One of the items.
    ///
    /// # Panics
    /// When there are none.
    pub fn pick<Item: Copy>(&mut self, items: &[Item]) -> Item {
        items[self.below(items.len())]
    }

    /// Brings the items into a random order.
    pub fn shuffle<Item>(&mut self, items: &mut [Item]) {
        items.shuffle(&mut self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_depends_on_seed_and_purpose_alone() {
        let draw = |seed, purpose| {
            let mut dice = Dice::new(seed, purpose);
            [0; 8].map(|_| dice.below(1000))
        };
        assert_eq!(draw(1, "a"), draw(1, "a"));
        assert_ne!(draw(1, "a"), draw(2, "a"));
        assert_ne!(draw(1, "a"), draw(1, "b"));
    }
}
