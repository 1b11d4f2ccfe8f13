//! What one step changed, gathered into patches: cells side by side that went from one colour to another.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Color, Grid, SIDE};

use super::change::Cell;
use crate::perception::{Bounds, form::mix};

const SIDE_CELLS: usize = SIDE as usize;
/// A row of cells with a rim around the frame, so that every cell has eight neighbours.
const RIMMED: usize = SIDE_CELLS + 2;
/// The way to each of them.
const NEIGHBOURS: [usize; 8] = [0, 1, 2, RIMMED, RIMMED + 2, 2 * RIMMED, 2 * RIMMED + 1, 2 * RIMMED + 2];

/// Changed cells that touch, corners included, and share both colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Patch {
    pub(super) from: Color,
    pub(super) to: Color,
    pub(super) bounds: Bounds,
    pub(super) cells: usize,
    /// Whether the like of it came or went elsewhere in the same step: a piece that moved left one patch and made
    /// another, of one outline.
    pub(super) moved: bool,
    /// Whether nothing else changed beside it.
    pub(super) alone: bool,
    outline: u64,
}

impl Patch {
    /// Whether it fills its bounds.
    pub(super) fn is_solid(&self) -> bool {
        self.cells == usize::from(self.bounds.width()) * usize::from(self.bounds.height())
    }

    /// The patches of a step, by their first cells, and for each cell its patch.
    pub(super) fn gather(cells: &[Cell]) -> (Vec<Patch>, Vec<u16>) {
        let mut places = vec![NOBODY; RIMMED * RIMMED];
        for (index, cell) in cells.iter().enumerate() {
            places[place(*cell)] = index as u16;
        }
        let mut owners = vec![NOBODY; cells.len()];
        let mut patches: Vec<Patch> = Vec::new();
        for seed in 0..cells.len() {
            if owners[seed] == NOBODY {
                let patch = flood(cells, &places, &mut owners, seed, patches.len() as u16);
                patches.push(patch);
            }
        }
        for (cell, owner) in cells.iter().zip(&owners) {
            let patch = &mut patches[usize::from(*owner)];
            let offset = u64::from(cell.at.y() - patch.bounds.top) << 8 | u64::from(cell.at.x() - patch.bounds.left);
            patch.outline = patch.outline.wrapping_add(mix(offset + 1));
        }
        mark_moved(&mut patches);
        (patches, owners)
    }
}

/// The most pairs of patches compared within one group.
const PAIRS: usize = 4096;
/// No cell, or no patch.
const NOBODY: u16 = u16::MAX;

/// Where a cell lies with the rim counted in.
fn place(cell: Cell) -> usize {
    (usize::from(cell.at.y()) + 1) * RIMMED + usize::from(cell.at.x()) + 1
}

/// Gives everything connected to a cell its patch.
fn flood(cells: &[Cell], places: &[u16], owners: &mut [u16], seed: usize, name: u16) -> Patch {
    let Cell { at, from, to } = cells[seed];
    let bounds = Bounds::cell(at);
    let mut patch = Patch { from, to, bounds, cells: 0, moved: false, alone: true, outline: 0 };
    let mut open = vec![seed];
    owners[seed] = name;
    while let Some(index) = open.pop() {
        let at = cells[index].at;
        patch.cells += 1;
        patch.bounds = patch.bounds.union(Bounds::cell(at));
        let corner = place(cells[index]) - RIMMED - 1;
        for found in NEIGHBOURS.map(|way| places[corner + way]) {
            let Some(other) = cells.get(usize::from(found)) else { continue };
            if (other.from, other.to) != (from, to) {
                patch.alone = false;
            } else if owners[usize::from(found)] == NOBODY {
                owners[usize::from(found)] = name;
                open.push(usize::from(found));
            }
        }
    }
    patch
}

/// Pairs patches of one outline where a colour left with those where it came, nearest first.
fn mark_moved(patches: &mut [Patch]) {
    let mut groups: BTreeMap<(u64, Color), (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (index, patch) in patches.iter().enumerate() {
        groups.entry((patch.outline, patch.from)).or_default().0.push(index);
        groups.entry((patch.outline, patch.to)).or_default().1.push(index);
    }
    for (left, came) in groups.into_values().filter(|(left, came)| !left.is_empty() && !came.is_empty()) {
        // Distance, old and new in one number, which sorts fast.
        let mut pairs: Vec<u64> = Vec::new();
        for old in &left {
            // Of very many alike each is only compared with a few; what matters here is that they moved.
            let few = came.iter().take(PAIRS / left.len() + 1);
            let distance = |new: &usize| u64::from(patches[*old].bounds.distance(patches[*new].bounds));
            pairs.extend(few.map(|new| distance(new) << 32 | (*old as u64) << 16 | *new as u64));
        }
        pairs.sort_unstable();
        let mut paired: BTreeSet<usize> = BTreeSet::new();
        for (old, new) in pairs.into_iter().map(|pair| ((pair >> 16 & 0xffff) as usize, (pair & 0xffff) as usize)) {
            if !paired.contains(&old) && !paired.contains(&new) {
                paired.extend([old, new]);
                (patches[old].moved, patches[new].moved) = (true, true);
            }
        }
    }
}

/// Whether cells of this colour around the patch make a strip as thick as the patch: at least three times as long as
/// thick, with none of the colour on either side.
pub(super) fn is_on_strip(patch: &Patch, grid: &Grid) -> bool {
    let rows: Vec<&[Color]> = grid.rows().collect();
    let is = |x: usize, y: usize| rows.get(y).and_then(|row| row.get(x)) == Some(&patch.from);
    let Bounds { left, top, right, bottom } = patch.bounds;
    along((left, right), (top, bottom), is) || along((top, bottom), (left, right), |x, y| is(y, x))
}

/// The same with the strip lying along the first axis.
fn along(length: (u8, u8), thickness: (u8, u8), is: impl Fn(usize, usize) -> bool) -> bool {
    let (low, high) = (usize::from(thickness.0), usize::from(thickness.1));
    let full = |at: &usize| (low..=high).all(|side| is(*at, side));
    let (mut first, mut last) = (usize::from(length.0), usize::from(length.1));
    first = (0..first).rev().take_while(full).last().unwrap_or(first);
    last = (last + 1..SIDE_CELLS).take_while(full).last().unwrap_or(last);
    let beside = |at: usize| low.checked_sub(1).is_some_and(|side| is(at, side)) || is(at, high + 1);
    last - first + 1 >= 3 * (high - low + 1) && !(first..=last).any(beside)
}
