//! What keys do to a whole board: all colours move the same way, and what leaves on one side comes back on the other.

use std::collections::BTreeMap;

use env_client::{Color, Key};

use super::Level;

/// Cells across and down.
pub type Way = (i8, i8);

/// The ways in which a key may move a board.
const WAYS: [Way; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// A key that was pressed, and the colours before and after.
pub(super) struct Press {
    pub(super) key: Key,
    pub(super) before: Vec<Color>,
    pub(super) after: Vec<Color>,
}

/// The keys that move all colours of a board, and which way each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shifts {
    ways: BTreeMap<Key, Way>,
}

impl Shifts {
    /// Learns from what was pressed in a level: a key keeps its way until it does something else. Where several ways
    /// explain what it did, it is taken for the one that arrows have nearly everywhere.
    pub(super) fn learn(&mut self, level: &Level, presses: &[Press]) {
        let Some(pane) = Pane::of(level) else { return };
        let mut candidates: BTreeMap<Key, Vec<Way>> = BTreeMap::new();
        for press in presses {
            let ways = candidates.entry(press.key).or_insert_with(|| WAYS.to_vec());
            ways.retain(|way| pane.shifted(&press.before, *way) == press.after);
        }
        for (key, ways) in candidates {
            match ways[..] {
                [way] => _ = self.ways.insert(key, way),
                [] => _ = self.ways.remove(&key),
                _ if self.ways.get(&key).is_some_and(|way| ways.contains(way)) => {}
                _ => match usual(key).filter(|way| ways.contains(way)) {
                    Some(way) => _ = self.ways.insert(key, way),
                    None => _ = self.ways.remove(&key),
                },
            }
        }
    }

    /// Every key that moves the board of a level, and which way; none where its cells make no rectangle.
    pub(super) fn of(&self, level: &Level) -> impl Iterator<Item = (Key, Way)> {
        let known = Some(&self.ways).filter(|ways| !ways.is_empty());
        let ways = known.filter(|_| Pane::of(level).is_some());
        ways.into_iter().flatten().map(|(key, way)| (*key, *way))
    }

    /// The colours after a key; `None` where it is not known to move them.
    pub(super) fn apply(&self, level: &Level, now: &[Color], key: Key) -> Option<Vec<Color>> {
        Some(Pane::of(level)?.shifted(now, *self.ways.get(&key)?))
    }
}

/// Up, down, left and right, as the protocol names the first four keys.
fn usual(key: Key) -> Option<Way> {
    match key {
        Key::Key1 => Some((0, -1)),
        Key::Key2 => Some((0, 1)),
        Key::Key3 => Some((-1, 0)),
        Key::Key4 => Some((1, 0)),
        _ => None,
    }
}

/// The rectangle of cells in play, whose colours keys may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pane {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    columns: usize,
}

impl Pane {
    pub(super) fn of(level: &Level) -> Option<Pane> {
        let columns = usize::from(level.columns);
        let live = || (0..level.panels.len()).filter(|cell| level.panels[*cell] != 0);
        let (left, right) = (live().map(|it| it % columns).min()?, live().map(|it| it % columns).max()?);
        let (top, bottom) = (live().next()? / columns, live().next_back()? / columns);
        let pane = Pane { left, top, width: right - left + 1, height: bottom - top + 1, columns };
        (pane.width > 1 && pane.height > 1 && pane.cells().all(|cell| level.present[cell])).then_some(pane)
    }

    /// How many cells it has.
    pub fn area(self) -> usize {
        self.width * self.height
    }

    /// Its cells, row after row.
    pub fn cells(self) -> impl Iterator<Item = usize> {
        let first = self.top * self.columns + self.left;
        (0..self.height).flat_map(move |y| (0..self.width).map(move |x| first + y * self.columns + x))
    }

    /// Where the colour of a cell is after the board was moved so far; `None` where it does not move.
    pub fn target(self, cell: usize, (dx, dy): Way) -> Option<usize> {
        let along = |at: usize, start: usize, length: usize, by: i8| {
            let inset = at.checked_sub(start).filter(|inset| *inset < length)?;
            Some(start + (inset as i64 + i64::from(by)).rem_euclid(length as i64) as usize)
        };
        let x = along(cell % self.columns, self.left, self.width, dx)?;
        let y = along(cell / self.columns, self.top, self.height, dy)?;
        Some(y * self.columns + x)
    }

    fn shifted(self, now: &[Color], way: Way) -> Vec<Color> {
        let mut after = now.to_vec();
        for cell in self.cells() {
            if let Some(to) = self.target(cell, way) {
                after[to] = now[cell];
            }
        }
        after
    }
}
