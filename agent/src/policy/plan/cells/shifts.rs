//! Clicks and keys that move the whole board, on the way to wanted colours.
//!
//! Where each click reaches its own cell alone, what counts is which colour ends in which cell: a walk of the board decides
//! that, and every colour can be clicked on wherever the walk takes it, so that cells which do not answer can be filled too.

use env_client::{Color, Key};
use world_model::{
    Cells,
    cells::{Pane, Way},
};

use super::solve::{TURNS, Task, Turn, Wanted};

/// Keys in one walk, at most.
const STEPS: usize = 5;
/// Cells of a board that is walked: every walk looks at each.
const CELLS: usize = 64;

/// Keys in a row, and where the board is after none, one, two, … of them.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    keys: Vec<Key>,
    stops: Vec<Way>,
}

/// Every walk of the board that does not go back on itself at once, shortest first; none where no key moves it or it is
/// large.
pub(super) fn walks(model: &Cells) -> Vec<Walk> {
    let is_small = model.pane().is_some_and(|pane| pane.area() <= CELLS);
    let shifts: Vec<(Key, Way)> = model.shifts().filter(|_| is_small).collect();
    let mut walks = vec![Walk { keys: Vec::new(), stops: vec![(0, 0)] }];
    let mut newest = 0;
    for _ in 0..STEPS {
        let end = walks.len();
        for index in newest..end {
            for (key, (dx, dy)) in &shifts {
                let mut walk = walks[index].clone();
                let (x, y) = walk.stops[walk.stops.len() - 1];
                let to = (x + dx, y + dy);
                if walk.stops.iter().rev().nth(1) != Some(&to) {
                    walk.keys.push(*key);
                    walk.stops.push(to);
                    walks.push(walk);
                }
            }
        }
        newest = end;
    }
    if shifts.is_empty() { Vec::new() } else { walks }
}

impl Task<'_> {
    /// The fewest keys and clicks along one of these walks, fewer than `limit`.
    pub(super) fn along(&self, walks: &[Walk], wanted: &Wanted, limit: usize) -> Option<Vec<Turn>> {
        let (alone, pane) = (self.alone(), self.model.pane()?);
        let mut best: Option<Vec<Turn>> = None;
        for walk in walks {
            let limit = best.as_ref().map_or(limit, Vec::len);
            if walk.keys.len() < limit {
                best = self.through((walk, pane), wanted, &alone, limit).or(best);
            }
        }
        best
    }

    /// Which cells a click turns without turning others.
    fn alone(&self) -> Vec<bool> {
        let reach = |cell| self.model.law()?.reach(self.model.level(), self.now, cell);
        (0..self.now.len()).map(|cell| reach(cell).is_some_and(|it| it == [cell])).collect()
    }

    /// The keys of a walk, and between them the clicks that turn every colour to what is wanted where the walk ends; `None`
    /// where that takes as many as `limit`.
    fn through(&self, (walk, pane): (&Walk, Pane), wanted: &Wanted, alone: &[bool], limit: usize) -> Option<Vec<Turn>> {
        let at = |cell: usize, stop: &Way| pane.target(cell, *stop).unwrap_or(cell);
        let mut clicks: Vec<Vec<usize>> = vec![Vec::new(); walk.stops.len()];
        let mut left = limit.checked_sub(walk.keys.len() + 1)?;
        for cell in 0..self.now.len() {
            let turns = self.turns_between(cell, at(cell, walk.stops.last()?), wanted)?;
            left = left.checked_sub(turns)?;
            if turns > 0 {
                let stop = walk.stops.iter().position(|stop| alone[at(cell, stop)])?;
                clicks[stop].extend(std::iter::repeat_n(at(cell, &walk.stops[stop]), turns));
            }
        }
        let keys = walk.keys.iter().map(|key| Some(Turn::Key(*key))).chain([None]);
        let turns = clicks.into_iter().zip(keys);
        Some(turns.flat_map(|(clicks, key)| clicks.into_iter().map(Turn::Click).chain(key)).collect())
    }

    /// How often the colour of one cell has to be turned to be what is wanted in another.
    fn turns_between(&self, cell: usize, end: usize, wanted: &Wanted) -> Option<usize> {
        let Some(wanted) = wanted[end] else { return Some(0) };
        let next = |color: &Color| self.model.law()?.next(self.model.level(), end, *color);
        std::iter::successors(Some(self.now[cell]), next).take(TURNS).position(|color| color == wanted)
    }
}
