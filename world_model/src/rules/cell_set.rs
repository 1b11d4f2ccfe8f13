//! A set of cells of a frame, one word a row: cheap to make for every state that a search looks at.

use env_client::{Color, Grid, SIDE};

use super::{law::mix, sprite::Vector};

const ROWS: usize = SIDE as usize;

/// A set of cells; what lies outside 64×64 is in none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellSet([u64; ROWS]);

impl CellSet {
    pub(super) const EMPTY: CellSet = CellSet([0; ROWS]);

    pub(super) fn contains(&self, at: Vector) -> bool {
        place(at).is_some_and(|(row, bit)| self.0[row] & bit != 0)
    }

    /// All its cells.
    pub(super) fn iter(&self) -> impl Iterator<Item = Vector> {
        let rows = (0..).zip(self.0).filter(|(_, row)| *row != 0);
        rows.flat_map(|(y, row)| (0..64).filter(move |x| row >> x & 1 == 1).map(move |x| Vector::new(x, y)))
    }

    /// Adds a cell; whether it is new.
    pub(super) fn insert(&mut self, at: Vector) -> bool {
        let Some((row, bit)) = place(at) else { return false };
        let is_new = self.0[row] & bit == 0;
        self.0[row] |= bit;
        is_new
    }

    /// Takes out a cell; whether it was there.
    pub(super) fn remove(&mut self, at: Vector) -> bool {
        let Some((row, bit)) = place(at).filter(|(row, bit)| self.0[*row] & bit != 0) else { return false };
        self.0[row] &= !bit;
        true
    }

    /// A row, leftmost cell lowest, moved so many columns to the right. Cells that come to lie left of the first column are
    /// cut off; 64 columns beyond the last are kept.
    pub(super) fn row(&self, y: i16, by: i16) -> u128 {
        let row = usize::try_from(y).ok().and_then(|y| self.0.get(y)).copied().map_or(0, u128::from);
        match by {
            0..=64 => row << by,
            -63..0 => row >> -by,
            _ => 0,
        }
    }
}

impl Default for CellSet {
    fn default() -> CellSet {
        CellSet::EMPTY
    }
}

impl Extend<Vector> for CellSet {
    fn extend<T: IntoIterator<Item = Vector>>(&mut self, cells: T) {
        cells.into_iter().for_each(|at| _ = self.insert(at));
    }
}

impl FromIterator<Vector> for CellSet {
    fn from_iter<T: IntoIterator<Item = Vector>>(cells: T) -> CellSet {
        let mut set = CellSet::EMPTY;
        set.extend(cells);
        set
    }
}

fn place(at: Vector) -> Option<(usize, u64)> {
    let inside = (0..ROWS as i16).contains(&at.x) && (0..ROWS as i16).contains(&at.y);
    inside.then(|| (at.y as usize, 1 << at.x))
}

/// Which cells of a frame have each colour: one pass over it, and pictures are then found in all columns of a row at once.
#[derive(Debug)]
pub(super) struct Layers {
    rows: [[u64; ROWS]; Color::COUNT],
    /// Columns and rows of the frame.
    pub(super) size: Vector,
}

impl Layers {
    /// Takes a frame apart.
    pub(super) fn of(frame: &Grid) -> Layers {
        let mut rows = [[0; ROWS]; Color::COUNT];
        for (y, row) in frame.rows().enumerate() {
            for (x, color) in row.iter().enumerate() {
                rows[color.index()][y] |= 1 << x;
            }
        }
        Layers { rows, size: Vector::new(frame.width().into(), frame.height().into()) }
    }

    /// The cells of a colour in a row, leftmost lowest.
    pub(super) fn row(&self, color: Color, y: i16) -> u64 {
        self.rows[color.index()][y as usize]
    }
}

/// The component at one cell of a frame: neighbouring cells of one colour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    pub(super) cells: CellSet,
    pub(super) color: Color,
    /// How many cells; where the fill was stopped, more than its limit.
    pub(super) area: usize,
}

impl Patch {
    /// The one at a cell of a frame.
    pub(super) fn at(frame: &Grid, at: Vector, limit: usize) -> Option<Patch> {
        let color = super::sprite::color_at(frame, at)?;
        Some(Patch::fill((at, color), frame.height(), limit, |y| bits(frame, y, |_, cell| cell == color)))
    }

    /// The same, but for what some cells hold that are no part of it.
    pub(super) fn beside(frame: &Grid, at: Vector, limit: usize, others: &CellSet) -> Option<Patch> {
        let color = super::sprite::color_at(frame, at)?;
        let row = |y: usize| bits(frame, y, |_, cell| cell == color) & !others.0[y];
        Some(Patch::fill((at, color), frame.height(), limit, row))
    }

    /// Fills from a cell of a colour, row words at a time, until there is nothing more to fill or more than `limit` cells
    /// are. `row` tells where one of the `height` rows has that colour.
    pub(super) fn fill((at, color): (Vector, Color), height: u8, limit: usize, row: impl Fn(usize) -> u64) -> Patch {
        let mut rows = [None; ROWS];
        let mut row_of = |y: usize| *rows[y].get_or_insert_with(|| row(y));
        let (mut open, mut todo) = ([0u64; ROWS], 1u64 << at.y);
        let mut patch = Patch { cells: CellSet::EMPTY, color, area: 0 };
        open[at.y as usize] = 1 << at.x;
        while todo != 0 && patch.area <= limit {
            let y = todo.trailing_zeros() as usize;
            todo &= todo - 1;
            let fresh = spread(std::mem::take(&mut open[y]), row_of(y)) & !patch.cells.0[y];
            patch.cells.0[y] |= fresh;
            patch.area += fresh.count_ones() as usize;
            for next in [y.wrapping_sub(1), y + 1] {
                if next < usize::from(height) {
                    open[next] |= fresh & row_of(next) & !patch.cells.0[next];
                    todo |= u64::from(open[next] != 0) << next;
                }
            }
        }
        patch
    }

    /// The corner of its bounds.
    pub(super) fn corner(&self) -> Vector {
        let top = self.cells.0.iter().position(|row| *row != 0).unwrap_or(0);
        Vector::new(self.left(), top as i16)
    }

    /// A number that is equal for patches of one form and colour.
    pub(super) fn kind(&self) -> u64 {
        self.hash(mix(self.color.index() as u64 + 1))
    }

    /// A number that is equal for patches of one form.
    pub(super) fn form(&self) -> u64 {
        self.hash(0)
    }

    fn hash(&self, seed: u64) -> u64 {
        let left = self.left();
        let rows = self.cells.0.iter().filter(|row| **row != 0);
        rows.fold(seed, |hash, row| mix(hash ^ row >> left))
    }

    fn left(&self) -> i16 {
        self.cells.0.iter().fold(0, |all, row| all | row).trailing_zeros() as i16 % ROWS as i16
    }
}

/// Where a row has colours that are meant, given each column and its colour.
pub(super) fn bits(frame: &Grid, y: usize, is_meant: impl Fn(usize, Color) -> bool) -> u64 {
    let width = usize::from(frame.width());
    let row = frame.cells()[y * width..(y + 1) * width].iter().enumerate();
    row.rev().fold(0, |bits, (x, cell)| bits << 1 | u64::from(is_meant(x, *cell)))
}

/// The runs of `row` that some bit of `seeds` lies in (Kogge and Stone's parallel prefix, both ways).
fn spread(seeds: u64, row: u64) -> u64 {
    let (mut up, mut down, mut free_up, mut free_down) = (seeds & row, seeds & row, row, row);
    for step in [1, 2, 4, 8, 16, 32] {
        up |= free_up & up << step;
        free_up &= free_up << step;
        down |= free_down & down >> step;
        free_down &= free_down >> step;
    }
    up | down
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Scene;

    fn at(x: i16, y: i16) -> Vector {
        Vector::new(x, y)
    }

    #[test]
    fn a_patch_winds_through_rows_both_ways() {
        let spiral: Grid = "11111\n00001\n11101\n10001\n11111".parse().unwrap();
        let patch = Patch::at(&spiral, at(2, 2), 100).unwrap();
        assert_eq!((patch.area, patch.corner()), (17, at(0, 0)));
        assert!(Patch::at(&spiral, at(2, 2), 5).unwrap().area > 5, "stopped early");
        assert!(Patch::at(&spiral, at(5, 0), 5).is_none());
    }

    #[test]
    fn kinds_are_equal_anywhere_and_only_for_equal_forms() {
        let frame: Grid = "1100220\n1000020\n0000000\n0110100\n0100110".parse().unwrap();
        let [ell, turned, same, other] =
            [at(0, 0), at(4, 0), at(1, 3), at(4, 3)].map(|at| Patch::at(&frame, at, 9).unwrap().kind());
        assert_eq!(ell, same);
        assert!(ell != turned && ell != other);
    }

    proptest! {
        #[test]
        fn a_patch_is_the_component_of_the_scene(cells in proptest::collection::vec(0u8..3, 64 * 9), x in 0i16..64, y in 0i16..9) {
            let rows = cells.chunks(64).map(|row| row.iter().map(|cell| Color::of(*cell)).collect::<Vec<_>>());
            let frame = Grid::from_rows(rows).unwrap();
            let patch = Patch::at(&frame, at(x, y), 4096).unwrap();
            let scene = Scene::of(&frame);
            let index = scene.component_at(env_client::Point::new(x, y).unwrap()).unwrap();
            prop_assert_eq!(patch.area, usize::from(scene.components()[index].area));
            let inside = |point: &env_client::Point| patch.cells.contains(at(point.x().into(), point.y().into()));
            prop_assert!(frame.points().all(|point| inside(&point) == (scene.component_at(point) == Some(index))));
        }
    }
}
