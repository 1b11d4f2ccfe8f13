//! What is interface: found by watching which cells change regardless of what is done.
//!
//! Four kinds of evidence, each of which hides cells for good:
//! - a [`Bar`]: a thin strip near the rim drains cell by cell, under different commands, never where it is clicked;
//! - a busy line: one of the outer rows or columns keeps changing in places, also when nothing else does;
//! - a blinking cell: it changes nearly always, whatever is done;
//! - what a restart of the level does not restore: lives, a count of attempts.
//!
//! What came from one place and went to another moved, and is never evidence: it may be what the player controls.

mod bars;
mod change;
mod patches;
mod rates;

use env_client::{Color, Command, Grid, Point};

use self::{
    bars::Drains,
    change::{Change, RIM, near_rim},
    rates::Rates,
};
use crate::perception::{Bounds, InterfaceMask};

/// How many cells may differ between a level's first frame and its restart for the difference to be a counter; a
/// level that is generated anew differs in more.
const COUNTER_CELLS: usize = 64;

/// When a bar drains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Whatever is done, blocked moves and dead clicks included.
    AnyAction,
    /// Only when something else changes too, so that a tick tells an action that did something.
    EffectiveActions,
}

/// A strip that drains: the budget of steps that most games show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Where it can drain.
    pub bounds: Bounds,
    /// The colour of what is left.
    pub full: Color,
    /// The colour of what is gone.
    pub drained: Color,
    /// The most cells it lost in one step.
    tick: usize,
    /// Cells lost in this level, and the steps in which it could lose some.
    lost: usize,
    steps: u32,
    /// Steps in which nothing else changed and it did, and did not.
    quiet: (u32, u32),
}

impl Bar {
    /// Cells that are left.
    pub fn remaining(&self, grid: &Grid) -> usize {
        self.cells_of(self.full, grid)
    }

    /// Whether a frame shows it: some of it is left, and at least half of where it drains has one of its colours.
    fn is_drawn_in(&self, grid: &Grid) -> bool {
        let cells = usize::from(self.bounds.width()) * usize::from(self.bounds.height());
        let (left, gone) = (self.remaining(grid), self.cells_of(self.drained, grid));
        left > 0 && 2 * (left + gone) >= cells
    }

    fn cells_of(&self, color: Color, grid: &Grid) -> usize {
        let Bounds { left, top, right, bottom } = self.bounds;
        let row =
            |y: u8| grid.rows().nth(usize::from(y)).and_then(|row| row.get(usize::from(left)..=usize::from(right)));
        let cells = (top..=bottom).filter_map(row).flatten();
        cells.filter(|it| **it == color).count()
    }

    /// Whether the next tick or the one after it takes the rest.
    pub fn nearly_empty(&self, grid: &Grid) -> bool {
        self.remaining(grid) <= 2 * self.tick
    }

    /// Cells along and across it.
    pub fn size(&self) -> (u8, u8) {
        let (width, height) = (self.bounds.width(), self.bounds.height());
        (width.max(height), width.min(height))
    }

    /// Cells it loses with an action that drains it, on average; `None` while it has lost none in this level.
    pub fn drain(&self) -> Option<f32> {
        (self.lost > 0).then(|| self.lost as f32 / self.steps.max(1) as f32)
    }

    /// How many more actions that drain it what is left allows.
    pub fn actions_left(&self, grid: &Grid) -> Option<u32> {
        self.drain().map(|drain| (self.remaining(grid) as f32 / drain) as u32)
    }

    /// The bar with what is known of it already; one that drains another way now is taken anew.
    fn joined(self, known: Bar) -> Bar {
        if (known.full, known.drained) != (self.full, self.drained) {
            return self;
        }
        let (bounds, tick) = (self.bounds.union(known.bounds), self.tick.max(known.tick));
        Bar { bounds, tick, ..known }
    }

    /// When it drains, once that was seen.
    pub fn pace(&self) -> Option<Pace> {
        match self.quiet {
            (1.., _) => Some(Pace::AnyAction),
            (0, 3..) => Some(Pace::EffectiveActions),
            _ => None,
        }
    }
}

/// What one step changed, seen through the mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// How many cells of the world changed.
    pub world: usize,
    /// Whether the mask grew, so that keys computed before no longer hold.
    pub mask_grew: bool,
}

/// Watches a play and tells its interface from its world. Feed it every step.
#[derive(Clone, Debug)]
pub struct InterfaceDetector {
    mask: InterfaceMask,
    bars: Vec<Bar>,
    drains: Drains,
    rates: Rates,
    first: Option<Grid>,
}

impl Default for InterfaceDetector {
    fn default() -> Self {
        InterfaceDetector::new()
    }
}

impl InterfaceDetector {
    /// Knows nothing yet.
    pub fn new() -> InterfaceDetector {
        let (mask, bars, first) = (InterfaceMask::new(), Vec::new(), None);
        InterfaceDetector { mask, bars, drains: Drains::default(), rates: Rates::default(), first }
    }

    /// What is known to be interface.
    pub fn mask(&self) -> &InterfaceMask {
        &self.mask
    }

    /// The bars found so far.
    pub fn bars(&self) -> &[Bar] {
        &self.bars
    }

    /// Whether some bar is about to run out in this frame.
    pub fn nearly_empty(&self, grid: &Grid) -> bool {
        self.bars.iter().any(|bar| bar.nearly_empty(grid))
    }

    /// Whether a bar shows more than it did, by more than it loses at a time.
    pub fn is_filled(&self, before: &Grid, after: &Grid) -> bool {
        self.bars.iter().any(|bar| bar.remaining(after) > bar.remaining(before) + bar.tick)
    }

    /// A level begins with this frame. What was found stays found, but for bars that are not drawn there any more, as when
    /// levels have scales of their own; rates are counted anew.
    pub fn begin_level(&mut self, first: &Grid) {
        self.drains = Drains::default();
        self.rates = Rates::default();
        self.drop_bars_gone_from(first);
        for bar in &mut self.bars {
            (bar.lost, bar.steps) = (0, 0);
        }
        self.first = Some(first.clone());
    }

    /// The level was restarted: what differs near the rim from its first frame was not restored, so it counts
    /// something beyond the level. Whether the mask grew.
    pub fn restarted(&mut self, now: &Grid) -> bool {
        self.drains = Drains::default();
        let grew = self.hide_differences(now);
        self.first = Some(now.clone());
        grew
    }

    /// One action was played.
    pub fn acted(&mut self, before: &Grid, command: Command, after: &Grid) -> Seen {
        let Some(change) = Change::between(before, command, after) else { return Seen::default() };
        let hidden = self.mask.len();
        self.track_bars(&change, before, after);
        self.rates.count(&change, &mut self.mask);
        if self.refilled(before, after) {
            self.hide_differences(after);
        }
        let world = change.cells.iter().filter(|cell| !self.mask.hides(cell.at)).count();
        self.pace_bars(&change, world);
        Seen { world, mask_grew: self.mask.len() > hidden }
    }

    fn drop_bars_gone_from(&mut self, first: &Grid) {
        for bar in self.bars.extract_if(.., |bar| !bar.is_drawn_in(first)) {
            self.mask.show_all(bar.bounds);
        }
    }

    fn track_bars(&mut self, change: &Change, before: &Grid, after: &Grid) {
        for strip in self.drains.advance(change, before, self.first.as_ref()) {
            let bounds = strip.extended(after, self.first.as_ref());
            self.mask.hide_all(bounds);
            let (lost, steps) = strip.loss(self.drains.steps());
            let (full, drained, tick) = (strip.from, strip.to, strip.largest_tick());
            let bar = Bar { bounds, full, drained, tick, lost, steps, quiet: (0, 0) };
            let (same, others): (Vec<Bar>, Vec<Bar>) =
                self.bars.drain(..).partition(|known| known.bounds.overlap(bounds) > 0);
            self.bars = others;
            self.bars.push(same.into_iter().fold(bar, Bar::joined));
        }
    }

    fn pace_bars(&mut self, change: &Change, world: usize) {
        for bar in &mut self.bars {
            let inside = |at: Point| bar.bounds.contains(at.x(), at.y());
            let ticked = change.cells.iter().filter(|cell| inside(cell.at) && cell.to == bar.drained).count();
            if world == 0 && ticked > 0 {
                bar.quiet.0 += 1;
            } else if world == 0 {
                bar.quiet.1 += 1;
            }
            bar.lost += ticked;
            bar.steps += u32::from(world > 0 || ticked > 0 || bar.pace() == Some(Pace::AnyAction));
        }
    }

    /// A bar was about to run out and is full again, and the frame is nearly the level's first one: the game itself
    /// restarted the level.
    fn refilled(&self, before: &Grid, after: &Grid) -> bool {
        let refilled = |bar: &Bar| bar.nearly_empty(before) && bar.remaining(after) > 4 * bar.tick;
        self.bars.iter().any(refilled)
    }

    /// Hides what is not as it was when the level began, if that is little and near the rim. What is elsewhere moved.
    fn hide_differences(&mut self, now: &Grid) -> bool {
        let first = self.first.as_ref();
        let Some(change) = first.and_then(|first| Change::between(first, Command::Reset, now)) else { return false };
        let fresh: Vec<Point> = change.cells.iter().map(|cell| cell.at).filter(|at| !self.mask.hides(*at)).collect();
        let counter = fresh.len() <= COUNTER_CELLS && fresh.iter().all(|point| near_rim(*point, now, RIM));
        let still: Vec<Point> = change.in_place().map(|cell| cell.at).collect();
        counter && still.into_iter().filter(|point| self.mask.hide(*point)).count() > 0
    }
}

#[cfg(test)]
mod tests;
