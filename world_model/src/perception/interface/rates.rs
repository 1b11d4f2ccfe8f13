//! Lines and cells that change too often to mean anything.

use env_client::{Point, SIDE};

use super::{change::Change, patches::Patch};
use crate::perception::{Bounds, InterfaceMask};

/// How many rows and columns at each edge are watched as whole lines.
const LINES: u8 = 4;
/// A line is busy when it changes in 2 of 5 steps, over at least this many steps (public explorers mask edge lines
/// from that rate on)...
const LINE_STEPS: u32 = 12;
/// ...under this many distinct commands while nothing further inside changed, and always when nothing did: what waits
/// for an action to do something tells what was done.
const LINE_COMMANDS: u32 = 3;
/// The most cells of one change in a busy line.
const LINE_CELLS: usize = 16;
/// A cell blinks when it changes in 4 of 5 steps, over at least this many steps...
const CELL_STEPS: u32 = 20;
/// ...under this many distinct commands.
const CELL_COMMANDS: u32 = 4;
/// How near a click may be for a change to count as its effect: of the rest of what changes then, such as cells further
/// away on a board, nobody knows whether it is one too.
const CLICK_MARGIN: u8 = 8;

/// How often a cell changed, and under which commands (one bit each).
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    changes: u32,
    commands: u64,
    /// Whether a click marked it, and nothing has changed it since: a mark goes where something else is clicked.
    is_marked: bool,
}

/// The same for a row or column, with what of it changed.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    changes: u32,
    /// Only those of quiet steps.
    commands: u64,
    /// Quiet steps in which it did not change.
    misses: u32,
    hull: Option<Bounds>,
}

/// Counts since the level began.
#[derive(Clone, Debug)]
pub(super) struct Rates {
    steps: u32,
    /// Those of them in which no click did anything where it fell.
    idle_steps: u32,
    cells: Box<[Tally]>,
    /// Top, bottom, left and right edge, outermost line first.
    lines: [[Line; LINES as usize]; 4],
}

impl Default for Rates {
    fn default() -> Self {
        let cells = vec![Tally::default(); usize::from(SIDE) * usize::from(SIDE)].into_boxed_slice();
        Rates { steps: 0, idle_steps: 0, cells, lines: Default::default() }
    }
}

impl Rates {
    /// Counts one step and hides what has become too busy.
    pub(super) fn count(&mut self, change: &Change, mask: &mut InterfaceMask) {
        self.steps += 1;
        if change.patches.iter().any(|patch| change.clicked_near(patch.bounds, CLICK_MARGIN)) {
            self.mark_cells(change);
        } else {
            self.idle_steps += 1;
            self.count_cells(change, mask);
        }
        self.count_lines(change, mask);
    }

    /// Notes what a click changed where it fell.
    fn mark_cells(&mut self, change: &Change) {
        for cell in change.near_click(CLICK_MARGIN) {
            self.cells[index(cell.at)].is_marked ^= true;
        }
    }

    fn count_cells(&mut self, change: &Change, mask: &mut InterfaceMask) {
        let bit = change.command_bit();
        for cell in change.in_place() {
            let tally = &mut self.cells[index(cell.at)];
            if std::mem::take(&mut tally.is_marked) {
                continue;
            }
            tally.changes += 1;
            tally.commands |= bit;
            let often = self.idle_steps >= CELL_STEPS && tally.changes * 5 >= self.idle_steps * 4;
            if often && tally.commands.count_ones() >= CELL_COMMANDS {
                mask.hide(cell.at);
            }
        }
    }

    fn count_lines(&mut self, change: &Change, mask: &mut InterfaceMask) {
        let quiet = change.cells.iter().all(|cell| change.depth(cell.at) < LINES || mask.hides(cell.at));
        let touched = touched_lines(change, mask);
        for (line, touched) in self.lines.iter_mut().flatten().zip(touched.into_iter().flatten()) {
            let Some(bounds) = touched else {
                line.misses += u32::from(quiet);
                continue;
            };
            line.changes += 1;
            line.hull = Some(line.hull.map_or(bounds, |hull| hull.union(bounds)));
            if quiet && !change.clicked_near(bounds, CLICK_MARGIN) {
                line.commands |= change.command_bit();
            }
            let often = self.steps >= LINE_STEPS && line.changes * 5 >= self.steps * 2;
            if often && line.misses == 0 && line.commands.count_ones() >= LINE_COMMANDS {
                line.hull.into_iter().for_each(|hull| mask.hide_all(hull));
            }
        }
    }
}

fn index(at: Point) -> usize {
    usize::from(at.y()) * usize::from(SIDE) + usize::from(at.x())
}

/// What changed in each watched line: small patches that lie in the watched lines whole, and did not move.
fn touched_lines(change: &Change, mask: &InterfaceMask) -> [[Option<Bounds>; LINES as usize]; 4] {
    let mut touched = [[None; LINES as usize]; 4];
    let small = |patch: &&Patch| !patch.moved && patch.cells <= LINE_CELLS;
    for bounds in change.patches.iter().filter(small).map(|patch| patch.bounds) {
        let points = (bounds.top..=bounds.bottom).flat_map(|y| (bounds.left..=bounds.right).map(move |x| (x, y)));
        let points: Vec<Point> = points.filter_map(|(x, y)| Point::new(x, y).ok()).collect();
        if points.iter().any(|at| change.depth(*at) >= LINES || mask.hides(*at)) {
            continue;
        }
        for at in points {
            for (edge, depth) in edges(at, change) {
                let spot = Bounds::cell(at);
                let line: &mut Option<Bounds> = &mut touched[edge][depth];
                *line = Some(line.map_or(spot, |bounds| bounds.union(spot)));
            }
        }
    }
    touched
}

/// The watched lines through a cell.
fn edges(at: Point, change: &Change) -> impl Iterator<Item = (usize, usize)> {
    let depths = [at.y(), change.height - 1 - at.y(), at.x(), change.width - 1 - at.x()];
    depths.into_iter().enumerate().filter(|(_, depth)| *depth < LINES).map(|(edge, depth)| (edge, usize::from(depth)))
}
