//! Bars that drain: when the next tick comes, and which cells it takes.

use env_client::{Command, Grid};

use super::{
    claim::Claim,
    law::Law,
    sprite::{Vector, color_at},
    view::View,
};
use crate::{Bar, Bounds, InterfaceDetector, InterfaceMask};

/// Steps counted since a tick; games with a slower clock look as if it stood.
const LONGEST: u64 = 63;

/// What is known beyond the frame: how the last ticks came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    /// Steps since the last tick.
    since: u64,
    /// Steps between the last three ticks, six bits each: a bar of 64 cells for 45 steps ticks unevenly.
    intervals: u64,
    /// Cells taken in the last three steps, four bits each.
    amounts: u64,
}

impl Clock {
    /// Bits of its code.
    pub(super) const BITS: u32 = 30;

    /// As a part of a state.
    pub(super) fn code(self) -> u64 {
        self.since | self.intervals << 6 | self.amounts << 18
    }

    pub(super) fn from_code(code: u64) -> Clock {
        Clock { since: code & 0x3f, intervals: code >> 6 & 0xfff, amounts: code >> 18 & 0xfff }
    }

    /// The clock after a step that took so many cells.
    pub(super) fn advanced(self, taken: usize) -> Clock {
        let since = (self.since + 1).min(LONGEST);
        let amounts = (self.amounts << 4 | (taken as u64).min(15)) & 0xfff;
        if taken == 0 {
            Clock { since, amounts, ..self }
        } else {
            Clock { since: 0, amounts, intervals: (self.intervals << 6 | since) & 0xfff }
        }
    }
}

/// The bars of the interface and when they tick. One clock serves all of them: several bars of one game were only seen
/// to tick together.
#[derive(Clone, Debug)]
pub(super) struct Bars {
    detector: InterfaceDetector,
    law: Law<6>,
    /// Whether ticks take the cells with the larger coordinates first.
    from_end: bool,
    pub(super) clock: Clock,
}

impl Default for Bars {
    fn default() -> Self {
        Bars { detector: InterfaceDetector::new(), law: Law::new(2), from_end: true, clock: Clock::default() }
    }
}

impl Bars {
    /// What is interface so far.
    pub(super) fn mask(&self) -> &InterfaceMask {
        self.detector.mask()
    }

    /// A level begins.
    pub(super) fn begin(&mut self, frame: &Grid) {
        self.detector.begin_level(frame);
        self.clock = Clock::default();
    }

    /// What this step takes from the bars, and how much. `moves` says whether the world changes.
    pub(super) fn expect(&self, view: &View<'_>, clock: Clock, moves: bool) -> (Option<Claim>, usize) {
        let Some(bar) = self.detector.bars().first() else { return (None, 0) };
        let mut claim = Claim::by(2);
        let features = case(bar, view, clock, moves);
        let Some(verdict) = self.law.ask(|index| features[index]) else { return (None, 0) };
        claim.rests_on(&verdict);
        let cells = next_cells(bar, view.frame, verdict.outcome as usize, self.from_end);
        claim.edits.extend(cells.into_iter().map(|at| (at, bar.drained)));
        (Some(claim), verdict.outcome as usize)
    }

    /// Learns from a step.
    pub(super) fn learn(&mut self, view: &View<'_>, after: &Grid) {
        let mut count = 0;
        if let Some(bar) = self.detector.bars().first() {
            let outside = |at: Vector| !bar.bounds.contains(at.x as u8, at.y as u8);
            let moves = changed(view.frame, after).into_iter().any(outside);
            let taken = taken_cells(bar, view.frame, after);
            count = taken.len();
            if count > 0 {
                self.from_end = takes_from_end(bar, after, &taken).unwrap_or(self.from_end);
            }
            self.law.learn(&case(bar, view, self.clock, moves), taken.len() as u64);
        }
        self.clock = self.clock.advanced(count);
        self.detector.acted(view.frame, Command::Act(view.action), after);
    }

    /// Whether a cell belongs to a bar.
    pub(super) fn covers(&self, at: Vector) -> bool {
        self.detector.bars().iter().any(|bar| bar.bounds.contains(at.x as u8, at.y as u8))
    }

    /// What is known, in words.
    pub(super) fn sentences(&self) -> Vec<String> {
        let sentence = |bar: &Bar| {
            let Bounds { left, top, .. } = bar.bounds;
            let (width, height) = (bar.bounds.width(), bar.bounds.height());
            format!("The {width}x{height} bar at ({left}, {top}) drains from colour {} to {}", bar.full, bar.drained)
        };
        self.detector.bars().iter().map(sentence).collect()
    }
}

fn case(bar: &Bar, view: &View<'_>, clock: Clock, moves: bool) -> [u64; 6] {
    [u64::from(moves), clock.since, clock.intervals, bar.remaining(view.frame) as u64, view.number(), clock.amounts]
}

fn changed(before: &Grid, after: &Grid) -> Vec<Vector> {
    let points = before.differences(after).into_iter().flatten();
    points.map(|at| Vector::new(i16::from(at.x()), i16::from(at.y()))).collect()
}

/// The cells that a step took from a bar.
fn taken_cells(bar: &Bar, before: &Grid, after: &Grid) -> Vec<Vector> {
    let inside = |at: &Vector| bar.bounds.contains(at.x as u8, at.y as u8);
    let taken = |at: &Vector| color_at(before, *at) == Some(bar.full) && color_at(after, *at) == Some(bar.drained);
    changed(before, after).into_iter().filter(|at| inside(at) && taken(at)).collect()
}

/// The place of a cell along a bar.
fn along(bar: &Bar, at: Vector) -> i16 {
    if bar.bounds.width() >= bar.bounds.height() { at.x } else { at.y }
}

/// Whether what was taken lay beyond what is left; unknown when nothing is.
fn takes_from_end(bar: &Bar, after: &Grid, taken: &[Vector]) -> Option<bool> {
    let left = full_cells(bar, after).into_iter().map(|at| along(bar, at)).max()?;
    taken.iter().map(|at| along(bar, *at) > left).next()
}

fn full_cells(bar: &Bar, frame: &Grid) -> Vec<Vector> {
    let Bounds { left, top, right, bottom } = bar.bounds;
    let rows = i16::from(top)..=i16::from(bottom);
    let cells = rows.flat_map(|y| (i16::from(left)..=i16::from(right)).map(move |x| Vector::new(x, y)));
    cells.filter(|at| color_at(frame, *at) == Some(bar.full)).collect()
}

/// The next cells to be taken, from the end that drains.
fn next_cells(bar: &Bar, frame: &Grid, count: usize, from_end: bool) -> Vec<Vector> {
    let mut cells = full_cells(bar, frame);
    cells.sort_by_key(|at| if from_end { -along(bar, *at) } else { along(bar, *at) });
    cells.truncate(count);
    cells
}
