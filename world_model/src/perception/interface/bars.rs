//! Strips that drain.

use env_client::{Color, Grid, Point};

use super::{
    change::{Cell, Change, RIM},
    patches::{Patch, is_on_strip},
};
use crate::perception::Bounds;

/// The widest side across which a bar drains, in cells; the widest seen in public games is 2.
const THICKNESS: u8 = 4;
/// The most cells one tick takes.
const TICK_CELLS: usize = 16;
/// The widest gap between two ticks of one bar: bars of separate pips.
const GAP: u8 = 3;
/// Ticks it takes to believe in a bar, and distinct commands among them unless it was drawn as a strip before.
const TICKS: u32 = 3;
const COMMANDS: u32 = 2;
/// Strips followed at once; the oldest goes first.
const STRIPS: usize = 32;

/// The strips that may turn out to be bars.
#[derive(Clone, Debug, Default)]
pub(super) struct Drains {
    strips: Vec<Strip>,
    steps: u32,
}

/// A strip of cells that went from one colour to another, tick by tick, each once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strip {
    pub(super) from: Color,
    pub(super) to: Color,
    bounds: Bounds,
    ticks: u32,
    tick_cells: usize,
    commands: u64,
    /// Whether every tick was taken off a thin strip of one colour.
    drawn: bool,
    /// Cells lost, since which step.
    lost: usize,
    since: u32,
}

impl Drains {
    /// Steps taken in so far.
    pub(super) const fn steps(&self) -> u32 {
        self.steps
    }

    /// Takes in one step; the strips that ticked and have proved to be bars.
    pub(super) fn advance(&mut self, change: &Change, before: &Grid, first: Option<&Grid>) -> Vec<Strip> {
        self.steps += 1;
        self.strips.retain(|strip| !change.cells.iter().any(|cell| strip.is_undone_by(*cell)));
        let mut grown = Vec::new();
        for tick in ticks(change, before, first, self.steps) {
            match self.strips.iter_mut().find(|strip| strip.continues_with(&tick, change)) {
                Some(strip) => {
                    strip.extend(&tick);
                    grown.extend(strip.is_proven().then_some(*strip));
                }
                None => self.strips.push(tick),
            }
        }
        let surplus = self.strips.len().saturating_sub(STRIPS);
        self.strips.drain(..surplus);
        grown
    }
}

impl Strip {
    /// A drained cell that changes again belongs to something that moves.
    fn is_undone_by(&self, cell: Cell) -> bool {
        cell.from == self.to && self.bounds.contains(cell.at.x(), cell.at.y())
    }

    fn continues_with(&self, tick: &Strip, change: &Change) -> bool {
        let union = self.bounds.union(tick.bounds);
        let gap = |low: Bounds, high: Bounds| {
            let across = high.left.saturating_sub(low.right + 1);
            across.max(high.top.saturating_sub(low.bottom + 1))
        };
        (self.from, self.to) == (tick.from, tick.to)
            && aligned(self.bounds, tick.bounds)
            && gap(self.bounds, tick.bounds).max(gap(tick.bounds, self.bounds)) <= GAP
            && hugs_rim(union, change)
    }

    fn is_proven(&self) -> bool {
        self.ticks >= TICKS && (self.drawn || self.commands.count_ones() >= COMMANDS)
    }

    fn extend(&mut self, tick: &Strip) {
        self.bounds = self.bounds.union(tick.bounds);
        self.ticks += 1;
        self.tick_cells = self.tick_cells.max(tick.tick_cells);
        self.commands |= tick.commands;
        self.drawn &= tick.drawn;
        self.lost += tick.lost;
    }

    /// Cells lost so far, and in how many steps.
    pub(super) const fn loss(&self, now: u32) -> (usize, u32) {
        (self.lost, now + 1 - self.since)
    }

    pub(super) fn largest_tick(&self) -> usize {
        self.tick_cells
    }

    /// The whole bar: a drawn strip prolonged along itself over what is left of it now and was there when the level
    /// began. What fills up over plain ground reaches no further than was seen.
    pub(super) fn extended(&self, grid: &Grid, first: Option<&Grid>) -> Bounds {
        let mut bounds = self.bounds;
        let is_full = |at: Point| [Some(grid), first].into_iter().flatten().any(|it| it.get(at) == Some(self.from));
        let of_bar = |x: u8, y: u8| self.drawn && Point::new(x, y).is_ok_and(is_full);
        if bounds.width() >= bounds.height() {
            let column = |x: u8| (bounds.top..=bounds.bottom).all(|y| of_bar(x, y));
            let left = (0..bounds.left).rev().take_while(|x| column(*x)).last();
            let right = (bounds.right + 1..grid.width()).take_while(|x| column(*x)).last();
            (bounds.left, bounds.right) = (left.unwrap_or(bounds.left), right.unwrap_or(bounds.right));
        } else {
            let row = |y: u8| (bounds.left..=bounds.right).all(|x| of_bar(x, y));
            let top = (0..bounds.top).rev().take_while(|y| row(*y)).last();
            let bottom = (bounds.bottom + 1..grid.height()).take_while(|y| row(*y)).last();
            (bounds.top, bounds.bottom) = (top.unwrap_or(bounds.top), bottom.unwrap_or(bounds.bottom));
        }
        bounds
    }
}

/// Whether two rectangles are pieces of one strip, lying in the same rows or the same columns.
fn aligned(a: Bounds, b: Bounds) -> bool {
    (a.top, a.bottom) == (b.top, b.bottom) || (a.left, a.right) == (b.left, b.right)
}

/// Whether all of it is thin and lies near one edge of the frame, or of what is drawn in it.
fn hugs_rim(bounds: Bounds, change: &Change) -> bool {
    let thin = bounds.width().min(bounds.height()) <= THICKNESS;
    let Bounds { left, top, right, bottom } = change.content;
    let near = bounds.right < left + RIM
        || bounds.bottom < top + RIM
        || bounds.left + RIM > right
        || bounds.top + RIM > bottom;
    thin && near
}

/// The solid little rectangles of one colour turned into another in this step: what a tick of a bar looks like. Nothing
/// else changes beside it, nothing moved there, and nobody clicked there.
fn ticks(change: &Change, before: &Grid, first: Option<&Grid>, step: u32) -> Vec<Strip> {
    let untouched = |patch: &Patch| {
        let Bounds { left, top, right, bottom } = patch.bounds;
        let mut points = (top..=bottom).flat_map(|y| (left..=right).map(move |x| Point::new(x, y)));
        first.is_none_or(|first| points.all(|point| point.is_ok_and(|point| first.get(point) == Some(patch.from))))
    };
    let fits = |patch: &&Patch| {
        patch.alone
            && !patch.moved
            && patch.is_solid()
            && patch.cells <= TICK_CELLS
            && hugs_rim(patch.bounds, change)
            && !change.clicked_near(patch.bounds, 2)
            && untouched(patch)
    };
    let strip = |patch: &Patch| Strip {
        from: patch.from,
        to: patch.to,
        bounds: patch.bounds,
        ticks: 1,
        tick_cells: patch.cells,
        commands: change.command_bit(),
        drawn: is_on_strip(patch, before),
        lost: patch.cells,
        since: step,
    };
    change.patches.iter().filter(fits).map(strip).collect()
}
