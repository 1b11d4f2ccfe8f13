//! Lines and cells that change too often to mean anything.

use env_client::{Point, SIDE};

use super::change::Change;
use crate::perception::{Bounds, InterfaceMask};

/// How many rows and columns at each edge are watched as whole lines.
const LINES: u8 = 4;
/// A line is busy when it changes in 2 of 5 steps, over at least this many steps (public explorers mask edge lines
/// from that rate on)...
const LINE_STEPS: u32 = 12;
/// ...under this many distinct commands while nothing further inside changed.
const LINE_COMMANDS: u32 = 3;
/// A cell blinks when it changes in 4 of 5 steps, over at least this many steps...
const CELL_STEPS: u32 = 20;
/// ...under this many distinct commands.
const CELL_COMMANDS: u32 = 4;
/// How near a click may be for a change to count as its effect.
const CLICK_MARGIN: u8 = 8;

/// How often something changed, and under which commands (one bit each).
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    changes: u32,
    commands: u64,
}

/// Counts since the level began.
#[derive(Clone, Debug)]
pub(super) struct Rates {
    steps: u32,
    cells: Box<[Tally]>,
    /// Top, bottom, left and right edge, outermost line first. `commands` holds only those of quiet steps.
    lines: [[Tally; LINES as usize]; 4],
}

impl Default for Rates {
    fn default() -> Self {
        let cells = vec![Tally::default(); usize::from(SIDE) * usize::from(SIDE)].into_boxed_slice();
        Rates { steps: 0, cells, lines: Default::default() }
    }
}

impl Rates {
    /// Counts one step and hides what has become too busy.
    pub(super) fn count(&mut self, change: &Change, mask: &mut InterfaceMask) {
        self.steps += 1;
        self.count_cells(change, mask);
        self.count_lines(change, mask);
    }

    fn count_cells(&mut self, change: &Change, mask: &mut InterfaceMask) {
        let bit = change.command_bit();
        for cell in &change.cells {
            let tally = &mut self.cells[usize::from(cell.at.y()) * usize::from(SIDE) + usize::from(cell.at.x())];
            tally.changes += 1;
            tally.commands |= bit;
            let often = self.steps >= CELL_STEPS && tally.changes * 5 >= self.steps * 4;
            if often && tally.commands.count_ones() >= CELL_COMMANDS {
                mask.hide(cell.at);
            }
        }
    }

    fn count_lines(&mut self, change: &Change, mask: &mut InterfaceMask) {
        let quiet = change.cells.iter().all(|cell| change.depth(cell.at) < LINES || mask.hides(cell.at));
        let mut touched = [[None; LINES as usize]; 4];
        for cell in change.cells.iter().filter(|cell| change.depth(cell.at) < LINES && !mask.hides(cell.at)) {
            for (edge, depth) in edges(cell.at, change) {
                let (x, y) = (cell.at.x(), cell.at.y());
                let spot = Bounds { left: x, top: y, right: x, bottom: y };
                let line: &mut Option<Bounds> = &mut touched[edge][depth];
                *line = Some(line.map_or(spot, |bounds| bounds.union(spot)));
            }
        }
        for (edge, depth) in (0..4).flat_map(|edge| (0..usize::from(LINES)).map(move |depth| (edge, depth))) {
            let Some(bounds) = touched[edge][depth] else { continue };
            let tally = &mut self.lines[edge][depth];
            tally.changes += 1;
            if quiet && !change.clicked_near(bounds, CLICK_MARGIN) {
                tally.commands |= change.command_bit();
            }
            let often = self.steps >= LINE_STEPS && tally.changes * 5 >= self.steps * 2;
            if often && tally.commands.count_ones() >= LINE_COMMANDS {
                hide_line(edge, depth as u8, change, mask);
            }
        }
    }
}

/// The watched lines through a cell.
fn edges(at: Point, change: &Change) -> impl Iterator<Item = (usize, usize)> {
    let depths = [at.y(), change.height - 1 - at.y(), at.x(), change.width - 1 - at.x()];
    depths.into_iter().enumerate().filter(|(_, depth)| *depth < LINES).map(|(edge, depth)| (edge, usize::from(depth)))
}

fn hide_line(edge: usize, depth: u8, change: &Change, mask: &mut InterfaceMask) {
    let horizontal = edge < 2;
    let fixed = match edge {
        0 | 2 => depth,
        1 => change.height - 1 - depth,
        _ => change.width - 1 - depth,
    };
    for along in 0..if horizontal { change.width } else { change.height } {
        let (x, y) = if horizontal { (along, fixed) } else { (fixed, along) };
        if let Ok(point) = Point::new(x, y) {
            mask.hide(point);
        }
    }
}
