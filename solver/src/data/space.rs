//! In which views the tasks are learned.

use std::{array, collections::HashSet};

use env_client::{Color, Grid};
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::{
    COLORS, Pair,
    augment::{Augmentation, Dihedral, Recoloring},
};

/// Draws for each augmentation wanted before a task is taken to have no more of them.
const TRIES: usize = 5;

/// Share of a task's pairs from which on a colour counts as one of its rule. (Measured on RE-ARC: see [`Colors::Free`].)
const COMMON: f64 = 0.9;

/// Which colours change places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Colors {
    /// None.
    Kept,
    /// 1 to 9: 0 is the background of most tasks. (HRM, TRM, URM)
    #[default]
    Foreground,
    /// All ten.
    All,
    /// Those that the task's rule can hardly name: not in nearly all of its pairs, and in no output whose input lacks
    /// them. Views then follow one rule, and a net learns it without being told how the colours were renamed.
    Free,
}

impl Colors {
    /// Which ones these are in a task with such pairs.
    fn of(self, pairs: &[Pair]) -> Vec<Color> {
        let all = Color::ALL[..COLORS].iter().copied();
        match self {
            Colors::Kept => Vec::new(),
            Colors::Foreground => all.skip(1).collect(),
            Colors::All => all.collect(),
            Colors::Free => {
                let bound = bound(pairs);
                all.filter(|color| !bound[color.index()]).collect()
            }
        }
    }
}

/// Which colours are in nearly all pairs, or come out of a pair without going in.
fn bound(pairs: &[Pair]) -> [bool; COLORS] {
    let mut present = [0usize; COLORS];
    let mut made = [false; COLORS];
    for pair in pairs {
        let (input, output) = (held(&pair.input), held(&pair.output));
        for color in 0..COLORS {
            present[color] += usize::from(input[color] || output[color]);
            made[color] |= output[color] && !input[color];
        }
    }
    array::from_fn(|color| made[color] || present[color] as f64 >= COMMON * pairs.len() as f64)
}

/// Which colours a grid holds.
fn held(grid: &Grid) -> [bool; COLORS] {
    array::from_fn(|color| grid.cells().contains(&Color::ALL[color]))
}

/// The `[data.augment]` section of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AugmentConfig {
    /// Chance that grids are turned or mirrored, by one of the eight symmetries that are all as likely.
    pub dihedral: f64,
    /// Which colours change places.
    pub colors: Colors,
    /// Whether grids lie anywhere on the canvas, or at its upper left corner always.
    pub translate: bool,
    /// Augmentations beside the plain task that are drawn once for each task, each with a row of the puzzle table of its
    /// own; without it every visit draws another and a task has one row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
}

/// As HRM, TRM and URM have it, but for the number of rows (1000 there): that goes with the net.
impl Default for AugmentConfig {
    fn default() -> AugmentConfig {
        AugmentConfig { dihedral: 1.0, colors: Colors::default(), translate: true, rows: None }
    }
}

impl AugmentConfig {
    /// What the augmentations of a task with such pairs are drawn from.
    pub fn space(&self, pairs: &[Pair]) -> Space {
        Space { dihedral: self.dihedral, colors: self.colors.of(pairs) }
    }
}

/// What the augmentations of one task are drawn from.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// Chance of a symmetry, `0..=1`; all eight are as likely then.
    dihedral: f64,
    /// Colours that change places among themselves.
    colors: Vec<Color>,
}

impl Space {
    /// An augmentation.
    pub fn draw(&self, rng: &mut impl Rng) -> Augmentation {
        let symmetries = if rng.random::<f64>() < self.dihedral { Dihedral::ALL.len() } else { 1 };
        let dihedral = Dihedral::ALL[rng.random_range(0..symmetries)];
        Augmentation { colors: Recoloring::random(&self.colors, rng), dihedral }
    }

    /// `count` augmentations or fewer under which these pairs differ from themselves and from each other, after the
    /// identity. As published, a task with few of them is given up after five draws for each one wanted.
    pub fn distinct(&self, pairs: &[Pair], count: usize, rng: &mut impl Rng) -> Vec<Augmentation> {
        let mut found = vec![Augmentation::identity()];
        let mut seen = HashSet::from([fingerprint(pairs, &found[0])]);
        for _ in 0..TRIES * count {
            if found.len() > count {
                break;
            }
            let augmentation = self.draw(rng);
            if seen.insert(fingerprint(pairs, &augmentation)) {
                found.push(augmentation);
            }
        }
        found
    }
}

/// What all these pairs look like, in whatever order. Equal where the published hash of the puzzle is, but some ten times
/// faster: tables of a million rows are drawn in seconds.
fn fingerprint(pairs: &[Pair], augmentation: &Augmentation) -> u128 {
    let mut bytes = Vec::new();
    pairs.iter().fold(0, |sum: u128, pair| {
        bytes.clear();
        for grid in [&pair.input, &pair.output].map(|grid| augmentation.apply(grid)) {
            bytes.extend([grid.width(), grid.height()]);
            bytes.extend(grid.cells().iter().map(|color| u8::from(*color)));
        }
        sum.wrapping_add(xxh3_128(&bytes))
    })
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;
    use crate::data::hash;

    fn pair(input: &str, output: &str) -> Pair {
        Pair { input: input.parse().unwrap(), output: output.parse().unwrap() }
    }

    fn colors(colors: Colors, pairs: &[Pair]) -> String {
        colors.of(pairs).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn colours_that_the_rule_may_name_keep_their_places() {
        // 0 is everywhere; 1 and 2 come and go; 3 is painted without having been there; 4 to 9 never occur.
        let pairs = [pair("01", "01"), pair("02", "02"), pair("01", "03")];
        assert_eq!(colors(Colors::Free, &pairs), "12456789");
        assert_eq!(colors(Colors::Foreground, &pairs), "123456789");
        assert_eq!(colors(Colors::All, &pairs), "0123456789");
        assert_eq!(colors(Colors::Kept, &pairs), "");
    }

    #[test]
    fn only_the_chosen_colours_change_places() {
        let mut rng = StdRng::seed_from_u64(1);
        let space = Space { dihedral: 0.0, colors: vec![Color::of(2), Color::of(5)] };
        let drawn: HashSet<_> = (0..50).map(|_| space.draw(&mut rng)).collect();
        let names: HashSet<_> = drawn.iter().map(|augmentation| augmentation.name("a")).collect();
        assert_eq!(names, HashSet::from(["a".to_owned(), "a|||t0|||0153426789".to_owned()]));
    }

    #[test]
    fn grids_are_turned_as_often_as_asked() {
        let mut rng = StdRng::seed_from_u64(1);
        let mut turned = |dihedral| {
            let space = Space { dihedral, colors: Vec::new() };
            (0..4000).filter(|_| space.draw(&mut rng).dihedral != Dihedral::Identity).count()
        };
        // Seven of the eight symmetries turn: 0.4 · 7/8 = 0.35; the deviation of the count is 30.
        assert!((turned(0.4) as i64 - 1400).abs() < 120);
        assert_eq!((turned(0.0), (3400..3600).contains(&turned(1.0))), (0, true));
    }

    /// A single cell of colour 1 has no symmetry to show, and nine colours: eight views beside its own.
    #[test]
    fn views_that_look_the_same_are_drawn_once() {
        let pairs = [pair("1", "1")];
        let space = AugmentConfig::default().space(&pairs);
        let draw = |count| space.distinct(&pairs, count, &mut StdRng::seed_from_u64(1));
        let views = draw(50);
        let hashes: HashSet<_> = views.iter().map(|view| hash::puzzle([&view.pair(&pairs[0])])).collect();
        assert_eq!((views.len(), hashes.len(), views[0]), (9, 9, Augmentation::identity()));
        assert_eq!(draw(3).len(), 4);
    }

    /// Two pairs that a half turn changes into each other look the same after it.
    #[test]
    fn the_order_of_pairs_makes_no_other_view() {
        let pairs = [pair("12", "1"), pair("21", "1")];
        let space = Space { dihedral: 1.0, colors: Vec::new() };
        let views = space.distinct(&pairs, 50, &mut StdRng::seed_from_u64(1));
        let hashes: HashSet<_> =
            views.iter().map(|view| hash::puzzle(&pairs.clone().map(|pair| view.pair(&pair)))).collect();
        assert_eq!((views.len(), hashes.len()), (2, 2));
    }
}
