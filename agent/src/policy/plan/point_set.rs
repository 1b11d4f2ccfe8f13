//! Cells of a frame as bits: searches ask about the same few of them in every state.

use env_client::{Point, SIDE};

/// A set of cells, a word a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PointSet {
    rows: Vec<u64>,
    len: usize,
}

impl PointSet {
    pub(super) fn contains(&self, at: Point) -> bool {
        self.rows.get(usize::from(at.y())).is_some_and(|row| row >> at.x() & 1 == 1)
    }

    /// How many cells.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All of them, row after row.
    pub(super) fn iter(&self) -> impl Iterator<Item = Point> {
        let cells = (0..SIDE).flat_map(|y| (0..SIDE).filter_map(move |x| Point::new(x, y).ok()));
        cells.filter(|at| self.contains(*at)).take(self.len)
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<T: IntoIterator<Item = Point>>(points: T) -> PointSet {
        let mut set = PointSet::default();
        for at in points {
            set.rows.resize(usize::from(SIDE), 0);
            let row = &mut set.rows[usize::from(at.y())];
            set.len += usize::from(*row >> at.x() & 1 == 0);
            *row |= 1 << at.x();
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_holds_what_a_tree_holds(cells in proptest::collection::vec((0u8..64, 0u8..64), 0..40)) {
            let points = || cells.iter().map(|(x, y)| Point::new(*x, *y).unwrap());
            let (set, tree): (PointSet, BTreeSet<Point>) = (points().collect(), points().collect());
            prop_assert_eq!((set.len(), set.is_empty()), (tree.len(), tree.is_empty()));
            prop_assert_eq!(set.iter().collect::<BTreeSet<Point>>(), tree.clone());
            let mut all = (0..64).flat_map(|y| (0..64).map(move |x| Point::new(x, y).unwrap()));
            prop_assert!(all.all(|at| set.contains(at) == tree.contains(&at)));
        }
    }
}
