//! Clicks that change the world far from the pieces, as one that opens a gate: steps on the way of a piece.
//!
//! A click is tried for its own sake by skills. What it changed then, and what a model foretells of it, plans can use: a
//! piece that cannot get through goes on behind the click.

use env_client::{Action, Point};

/// Switches of one level that plans use: each is one more thing to do in every state.
const MOST: usize = 4;
/// The least that a click changes which does more than mark where it was.
const LEAST: usize = 4;

/// The clicks that changed something in this level, one for all that change the same.
#[derive(Debug, Default)]
pub(super) struct Switches {
    /// Where to click, and the cells that changed.
    found: Vec<(Point, Vec<Point>)>,
}

impl Switches {
    /// A new level has others.
    pub(super) fn begin_level(&mut self) {
        self.found.clear();
    }

    /// A click changed these cells of the world.
    pub(super) fn clicked(&mut self, at: Point, changed: Vec<Point>) {
        let is_known = self.found.iter().any(|(_, cells)| are_alike(cells, &changed));
        if changed.len() >= LEAST && !is_known && self.found.len() < MOST {
            self.found.push((at, changed));
        }
    }

    /// What can be clicked.
    pub(super) fn clicks(&self) -> impl Iterator<Item = Action> {
        self.found.iter().map(|(at, _)| Action::Click(*at))
    }
}

/// Whether two changes share at least half of their cells: what is switched back is the same switch.
fn are_alike(one: &[Point], other: &[Point]) -> bool {
    let shared = one.iter().filter(|at| other.contains(at)).count();
    2 * shared >= one.len().max(other.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(row: u8, from: u8, count: u8) -> Vec<Point> {
        (from..from + count).map(|x| Point::new(x, row).unwrap()).collect()
    }

    #[test]
    fn clicks_that_change_the_same_are_one_switch() {
        let mut switches = Switches::default();
        let at = |x: u8| Point::new(x, 0).unwrap();
        switches.clicked(at(1), cells(3, 0, 9));
        switches.clicked(at(2), cells(3, 1, 9));
        switches.clicked(at(3), cells(4, 0, 9));
        switches.clicked(at(4), cells(5, 0, 2));
        assert_eq!(switches.clicks().collect::<Vec<_>>(), [Action::Click(at(1)), Action::Click(at(3))]);
        switches.begin_level();
        assert_eq!(switches.clicks().count(), 0);
    }
}
