//! What tells whether two grids, two pairs or two tasks are the same, as the published pipelines compute it.

use std::fmt;

use env_client::Grid;
use sha2::{Digest, Sha256};

use super::Pair;

/// SHA-256 of a grid or of a set of pairs; [`fmt::Display`] writes it in hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash([u8; 32]);

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash({self})")
    }
}

/// The hash of a grid: of its rows, its columns and its cells, a byte each.
pub fn grid(grid: &Grid) -> Hash {
    let mut bytes = vec![grid.height(), grid.width()];
    bytes.extend(grid.cells().iter().map(|color| u8::from(*color)));
    Hash(Sha256::digest(bytes).into())
}

/// The hash of a puzzle: of the hashes of all its pairs, whatever their order.
pub fn puzzle<'a>(pairs: impl IntoIterator<Item = &'a Pair>) -> Hash {
    let pair = |pair: &Pair| format!("{}|{}", grid(&pair.input), grid(&pair.output));
    let mut hashes: Vec<String> = pairs.into_iter().map(pair).collect();
    hashes.sort();
    Hash(Sha256::digest(hashes.join("|")).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(input: &str, output: &str) -> Pair {
        Pair { input: input.parse().unwrap(), output: output.parse().unwrap() }
    }

    /// `hashlib.sha256(bytes([2, 3, 1, 2, 3, 4, 5, 6])).hexdigest()`.
    #[test]
    fn a_grid_hashes_as_published() {
        let expected = "8a85482c8c93e41992c7fef9efca7b25d8e75bcc87bedf3e5f203700a34e9a6a";
        assert_eq!(grid(&"123\n456".parse().unwrap()).to_string(), expected);
    }

    #[test]
    fn the_order_of_pairs_does_not_matter_but_their_direction_does() {
        let (a, b) = (pair("1", "2"), pair("3", "4"));
        assert_eq!(puzzle([&a, &b]), puzzle([&b, &a]));
        assert_ne!(puzzle([&a]), puzzle([&pair("2", "1")]));
    }
}
