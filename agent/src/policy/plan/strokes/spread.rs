//! What a click on a tile does to the tiles around it.

use std::collections::{BTreeMap, BTreeSet};

use env_client::Color;

/// Columns and rows from one tile to another.
type Offset = (i16, i16);

/// Which tiles around a clicked one take on another colour, and which one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spread {
    /// Where tiles changed, and where they did not, as seen from clicked ones.
    seen: BTreeSet<Offset>,
    spared: BTreeSet<Offset>,
    next: BTreeMap<Color, Color>,
}

impl Spread {
    /// Learns how the colours of tiles changed when one of them was clicked; those `used` before stay as they are.
    pub(super) fn learn(
        &mut self,
        clicked: usize,
        places: &[Offset],
        used: &[usize],
        before: &[Color],
        after: &[Color],
    ) {
        for tile in (0..places.len()).filter(|tile| *tile != clicked && !used.contains(tile)) {
            let offset = offset(places[clicked], places[tile]);
            let (to, from) = if before[tile] == after[tile] {
                (&mut self.spared, &mut self.seen)
            } else {
                (&mut self.seen, &mut self.spared)
            };
            to.insert(offset);
            from.remove(&offset);
            if before[tile] != after[tile] {
                self.next.insert(before[tile], after[tile]);
            }
        }
    }

    /// Whether clicks leave all other tiles as they are.
    pub(super) fn is_nothing(&self) -> bool {
        self.seen.is_empty()
    }

    /// Whether a click reaches so far: it did before, or it did the same way turned or mirrored, and nothing spoke against it.
    fn reaches(&self, (x, y): Offset) -> bool {
        let alike = [(x, y), (-x, y), (x, -y), (-x, -y), (y, x), (-y, x), (y, -x), (-y, -x)];
        !self.spared.contains(&(x, y)) && alike.iter().any(|it| self.seen.contains(it))
    }

    /// The colours of all tiles after a click on one, where they are known; those `used` stay as they are.
    pub(super) fn apply(&self, clicked: usize, places: &[Offset], used: &[usize], colors: &mut [Option<Color>]) {
        if self.is_nothing() {
            return;
        }
        for tile in (0..places.len()).filter(|tile| *tile != clicked && !used.contains(tile)) {
            if self.reaches(offset(places[clicked], places[tile])) {
                colors[tile] = colors[tile].and_then(|color| self.next.get(&color).copied());
            }
        }
    }
}

fn offset(from: Offset, to: Offset) -> Offset {
    (to.0 - from.0, to.1 - from.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: [Offset; 5] = [(1, 1), (1, 0), (0, 1), (2, 1), (1, 2)];

    fn colors(cells: [u8; 5]) -> Vec<Color> {
        cells.into_iter().map(Color::of).collect()
    }

    fn after(spread: &Spread, clicked: usize, used: &[usize], cells: [u8; 5]) -> [Option<u8>; 5] {
        let mut known: Vec<Option<Color>> = colors(cells).into_iter().map(Some).collect();
        spread.apply(clicked, &PLACES, used, &mut known);
        [0, 1, 2, 3, 4].map(|tile| known[tile].map(|color| color.index() as u8))
    }

    #[test]
    fn what_one_neighbour_does_all_do_until_one_does_not() {
        let mut spread = Spread::default();
        spread.learn(1, &PLACES, &[], &colors([1, 2, 3, 3, 1]), &colors([2, 9, 3, 3, 1]));
        assert_eq!(after(&spread, 0, &[1], [9, 9, 1, 2, 1]), [Some(9), Some(9), Some(2), None, Some(2)]);
        spread.learn(0, &PLACES, &[1], &colors([2, 9, 2, 1, 1]), &colors([9, 9, 3, 1, 2]));
        assert_eq!(after(&spread, 0, &[1], [9, 9, 1, 2, 1]), [Some(9), Some(9), Some(2), Some(2), Some(2)]);
    }

    #[test]
    fn nothing_spreads_before_it_was_seen() {
        assert_eq!(after(&Spread::default(), 0, &[], [1; 5]), [Some(1); 5]);
    }
}
