//! Strips that drain.

use env_client::{Color, Grid};

use super::change::{Cell, Change, RIM};
use crate::perception::Bounds;

/// The widest side across which a bar drains, in cells; the widest seen in public games is 2.
const THICKNESS: u8 = 4;
/// The most cells one tick takes.
const TICK_CELLS: usize = 16;
/// The widest gap between two ticks of one bar: bars of separate pips.
const GAP: u8 = 3;
/// Ticks it takes to believe in a bar, and distinct commands among them.
const TICKS: u32 = 3;
const COMMANDS: u32 = 2;
/// Strips followed at once; the oldest goes first.
const STRIPS: usize = 32;

/// The strips that may turn out to be bars.
#[derive(Clone, Debug, Default)]
pub(super) struct Drains {
    strips: Vec<Strip>,
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
}

impl Drains {
    /// Takes in one step; the strips that have now proved to be bars.
    pub(super) fn advance(&mut self, change: &Change, first: Option<&Grid>) -> Vec<Strip> {
        self.strips.retain(|strip| !change.cells.iter().any(|cell| strip.is_undone_by(*cell)));
        for tick in ticks(change, first) {
            match self.strips.iter_mut().find(|strip| strip.continues_with(&tick, change)) {
                Some(strip) => strip.extend(&tick),
                None => self.strips.push(tick),
            }
        }
        let surplus = self.strips.len().saturating_sub(STRIPS);
        self.strips.drain(..surplus);
        let proven = |strip: &Strip| strip.ticks >= TICKS && strip.commands.count_ones() >= COMMANDS;
        let bars = self.strips.iter().copied().filter(proven).collect();
        self.strips.retain(|strip| !proven(strip));
        bars
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

    fn extend(&mut self, tick: &Strip) {
        self.bounds = self.bounds.union(tick.bounds);
        self.ticks += 1;
        self.tick_cells = self.tick_cells.max(tick.tick_cells);
        self.commands |= tick.commands;
    }

    pub(super) fn largest_tick(&self) -> usize {
        self.tick_cells
    }

    /// The whole bar: the strip prolonged along itself over cells of its two colours.
    pub(super) fn extended(&self, grid: &Grid) -> Bounds {
        let mut bounds = self.bounds;
        let rows: Vec<&[Color]> = grid.rows().collect();
        let of_bar = |x: u8, y: u8| {
            let color = rows.get(usize::from(y)).and_then(|row| row.get(usize::from(x)));
            color.is_some_and(|color| *color == self.from || *color == self.to)
        };
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

/// Whether all of it is thin and lies near one edge.
fn hugs_rim(bounds: Bounds, change: &Change) -> bool {
    let thin = bounds.width().min(bounds.height()) <= THICKNESS;
    let near = bounds.right < RIM
        || bounds.bottom < RIM
        || bounds.left + RIM >= change.width
        || bounds.top + RIM >= change.height;
    thin && near
}

/// The solid little rectangles of one colour turned into another in this step: what a tick of a bar looks like.
fn ticks(change: &Change, first: Option<&Grid>) -> Vec<Strip> {
    let mut ticks: Vec<Strip> = Vec::new();
    let mut rest: Vec<Cell> = change.cells.iter().copied().filter(|cell| change.depth(cell.at) < RIM).collect();
    while let Some(cell) = rest.first().copied() {
        let (alike, others) = rest.into_iter().partition(|it| (it.from, it.to) == (cell.from, cell.to));
        rest = others;
        ticks.extend(clusters(alike).into_iter().filter_map(|cluster| tick(&cluster, change, first)));
    }
    ticks
}

/// Splits cells into groups whose members touch; nothing when they are too many to be a tick.
fn clusters(mut cells: Vec<Cell>) -> Vec<Vec<Cell>> {
    let mut clusters = Vec::new();
    if cells.len() > 2 * TICK_CELLS {
        return clusters;
    }
    while let Some(seed) = cells.pop() {
        let (mut cluster, mut next) = (vec![seed], 0);
        while let Some(cell) = cluster.get(next).copied() {
            let touches = |it: &Cell| it.at.x().abs_diff(cell.at.x()).max(it.at.y().abs_diff(cell.at.y())) <= 1;
            let (near, far): (Vec<Cell>, Vec<Cell>) = cells.into_iter().partition(touches);
            cluster.extend(near);
            cells = far;
            next += 1;
        }
        clusters.push(cluster);
    }
    clusters
}

fn tick(cells: &[Cell], change: &Change, first: Option<&Grid>) -> Option<Strip> {
    let spot = |cell: &Cell| {
        let (x, y) = (cell.at.x(), cell.at.y());
        Bounds { left: x, top: y, right: x, bottom: y }
    };
    let bounds = cells.iter().map(spot).reduce(Bounds::union)?;
    let solid = cells.len() == usize::from(bounds.width()) * usize::from(bounds.height());
    let untouched = cells.iter().all(|cell| first.is_none_or(|first| first.get(cell.at) == Some(cell.from)));
    let fits = solid && untouched && cells.len() <= TICK_CELLS && hugs_rim(bounds, change);
    (fits && !change.clicked_near(bounds, 2)).then(|| Strip {
        from: cells[0].from,
        to: cells[0].to,
        bounds,
        ticks: 1,
        tick_cells: cells.len(),
        commands: change.command_bit(),
    })
}
