//! Drawn keys: pairs of tiles that tell which colour stands for which.

use std::collections::BTreeMap;

use env_client::{Color, Grid};

use crate::{Bounds, InterfaceMask, Scene};

/// The shortest side of a tile.
const SIDE: u8 = 2;
/// Pairs that make a key.
const PAIRS: usize = 2;

/// What each colour stands for, as tiles of one size tell that lie pair by pair beside a board, which takes the rectangle
/// `taken`: all pairs alike, each tile nearer to its partner than to any other. What lies left or above comes first.
pub(super) fn key(frame: &Grid, mask: &InterfaceMask, taken: Bounds) -> BTreeMap<Color, Color> {
    let mut families: BTreeMap<(u8, u8), Vec<(Bounds, Color)>> = BTreeMap::new();
    for it in Scene::of(frame).components() {
        let (width, height) = (it.bounds.width(), it.bounds.height());
        let is_full = u16::from(width) * u16::from(height) == it.area;
        if is_full && width.min(height) >= SIDE && it.bounds.overlap(taken) == 0 && !mask.hides(it.center) {
            families.entry((width, height)).or_default().push((it.bounds, it.color));
        }
    }
    families.into_values().find_map(|tiles| paired(&tiles)).unwrap_or_default()
}

fn paired(tiles: &[(Bounds, Color)]) -> Option<BTreeMap<Color, Color>> {
    let partners: Vec<usize> = (0..tiles.len()).map(|tile| partner(tiles, tile)).collect::<Option<_>>()?;
    let place = |tile: usize| (i16::from(tiles[tile].0.left), i16::from(tiles[tile].0.top));
    let firsts = (0..tiles.len()).filter(|tile| place(*tile) < place(partners[*tile]));
    let pairs: Vec<(usize, usize)> = firsts.map(|tile| (tile, partners[tile])).collect();
    let apart = |(a, b): (usize, usize)| (place(b).0 - place(a).0, place(b).1 - place(a).1);
    let is_mutual = pairs.iter().all(|(a, b)| partners[*b] == *a) && 2 * pairs.len() == tiles.len();
    let is_even = pairs.iter().all(|pair| apart(*pair) == apart(pairs[0]));
    let key: BTreeMap<Color, Color> = pairs.iter().map(|(a, b)| (tiles[*a].1, tiles[*b].1)).collect();
    let mut meanings: Vec<Color> = key.values().copied().collect();
    meanings.sort();
    meanings.dedup();
    let is_one_to_one = key.len() == pairs.len() && meanings.len() == pairs.len();
    (pairs.len() >= PAIRS && is_mutual && is_even && is_one_to_one).then_some(key)
}

/// The nearest other tile, if one alone is.
fn partner(tiles: &[(Bounds, Color)], tile: usize) -> Option<usize> {
    let distance = |other: usize| {
        let (a, b) = (tiles[tile].0, tiles[other].0);
        u16::from(a.left.abs_diff(b.left)) + u16::from(a.top.abs_diff(b.top))
    };
    let others = || (0..tiles.len()).filter(|other| *other != tile);
    let nearest = others().min_by_key(|other| distance(*other))?;
    (others().filter(|other| distance(*other) == distance(nearest)).count() == 1).then_some(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(usize, usize)> {
        let taken = Bounds { left: 0, top: 0, right: 1, bottom: 1 };
        let key = key(&text.parse().unwrap(), &InterfaceMask::new(), taken);
        key.into_iter().map(|(from, to)| (from.index(), to.index())).collect()
    }

    #[test]
    fn pairs_of_tiles_are_a_key() {
        assert_eq!(read("33000000000000000\n33055077000770550\n00055077000770550"), [(5, 7), (7, 5)]);
        let below = "330000000\n330550077\n000550077\n000000000\n000660055\n000660055";
        assert_eq!(read(below), [(5, 6), (7, 5)], "one above the other");
    }

    #[test]
    fn tiles_that_are_no_pairs_are_none() {
        assert!(read("33000000000000\n33055077066055\n00055077066055").is_empty(), "at equal distances");
        assert!(read("330000000000000000\n330550770005500770\n000550770005500770").is_empty(), "in unequal ones");
        assert!(read("33000000000000000\n33055077000550770\n00055077000550770").is_empty(), "twice the same");
    }
}
