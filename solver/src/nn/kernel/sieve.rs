//! Numbers left out by their place: the same ones whenever they are asked for, so that none must be kept.

/// Leaves out numbers at a rate and scales the others up, so that the expectation stays.
#[derive(Clone, Copy, Debug)]
pub struct Sieve {
    seed: u32,
    /// Hashes below it fall through.
    holes: u32,
    kept: f32,
}

impl Sieve {
    /// `rate` from 0 to less than 1.
    pub(crate) fn new(rate: f32, seed: u32) -> Sieve {
        Sieve { seed, holes: (f64::from(rate) * 2f64.powi(32)) as u32, kept: 1.0 / (1.0 - rate) }
    }

    /// What becomes of the numbers in the `index`-th row.
    pub(crate) fn apply(&self, index: usize, row: &mut [f32]) {
        let Sieve { seed, holes, kept } = *self;
        let first = mixed(seed ^ mixed(index as u32));
        super::simd(
            #[inline(always)]
            || {
                for (column, value) in row.iter_mut().enumerate() {
                    let hash = mixed(first.wrapping_add((column as u32).wrapping_mul(0x9e37_79b9)));
                    *value *= if hash < holes { 0.0 } else { kept };
                }
            },
        );
    }
}

/// The finaliser of `MurmurHash3`: every bit that goes in moves every bit that comes out.
#[inline(always)]
fn mixed(mut bits: u32) -> u32 {
    bits = (bits ^ (bits >> 16)).wrapping_mul(0x85eb_ca6b);
    bits = (bits ^ (bits >> 13)).wrapping_mul(0xc2b2_ae35);
    bits ^ (bits >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sieved_alike_again_and_unlike_each_other() {
        let sieve = Sieve::new(0.2, 3);
        let row = |index| {
            let mut row = vec![1.0; 10_000];
            sieve.apply(index, &mut row);
            row
        };
        let first = row(0);
        assert_eq!(first, row(0));
        assert!(first.iter().all(|value| [0.0, 1.25].contains(value)));
        let holes = |row: &[f32]| row.iter().filter(|value| **value == 0.0).count();
        assert!((1900..2100).contains(&holes(&first)), "{}", holes(&first));
        let both = first.iter().zip(row(1)).filter(|(a, b)| **a == 0.0 && *b == 0.0).count();
        assert!((330..470).contains(&both), "as independent rows do: {both} of 400");
    }
}
