//! Lanes: rows or columns of a frame along which everything drifts, by so much every so many actions, whatever is done.

use env_client::{Color, Grid};

use super::{commonest, timeline::Moment};
use crate::rules::sprite::Vector;

/// Steps in which a lane must have moved before it is believed. A guess.
const MOVED: usize = 2;
/// A lane moves at least once in so many actions. A guess.
const SLOWEST: u16 = 4;
/// What goes farther at once is rather gone here and come there. A guess.
const FARTHEST: i16 = 8;
/// The shortest lane, in cells: in a shorter one everything looks like everything else.
const SHORTEST: i16 = 4;

/// Which way lanes lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Rows,
    Columns,
}

impl Axis {
    const ALL: [Axis; 2] = [Axis::Rows, Axis::Columns];

    /// The cell so far along the lane with this number.
    fn cell(self, number: i16, along: i16) -> Vector {
        match self {
            Axis::Rows => Vector::new(along, number),
            Axis::Columns => Vector::new(number, along),
        }
    }

    /// How many lanes a frame has room for, and how long they are.
    fn size(self, frame: &Grid) -> (i16, i16) {
        let (width, height) = (i16::from(frame.width()), i16::from(frame.height()));
        match self {
            Axis::Rows => (height, width),
            Axis::Columns => (width, height),
        }
    }
}

/// Cells in a row along which colours drift.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lane {
    axis: Axis,
    number: i16,
    from: i16,
    length: i16,
    /// Whether what leaves it at one end comes in again at the other.
    wraps: bool,
    /// What lies in it where nothing drifts: its commonest colour.
    pub(super) ground: Color,
    /// By how many cells it moves, whenever the time is this one modulo the pace.
    by: i16,
    pace: u16,
    phase: u16,
}

impl Lane {
    /// Every lane in successive moments, of which the last came at this time. `is_restless` tells which cells were seen to
    /// change by themselves.
    pub(super) fn all(moments: &[Moment], time: u16, is_restless: impl Fn(Vector) -> bool) -> Vec<Lane> {
        let Some(newest) = moments.last() else { return Vec::new() };
        let mut lanes = Vec::new();
        for axis in Axis::ALL {
            let (count, length) = axis.size(&newest.frame);
            for number in 0..count {
                let restless: Vec<bool> = (0..length).map(|along| is_restless(axis.cell(number, along))).collect();
                if !restless.contains(&true) {
                    continue;
                }
                let runs = runs(axis, number, &restless, moments).into_iter();
                lanes.extend(runs.filter_map(|run| Lane::read((axis, number), run, moments, time)));
            }
        }
        lanes
    }

    /// The lane that a stretch of a row is, if it moves as one; rather one in which what leaves comes in again.
    fn read((axis, number): (Axis, i16), (from, length): (i16, i16), moments: &[Moment], time: u16) -> Option<Lane> {
        let row = |it: &Moment| (from..from + length).map(|along| it.get(axis.cell(number, along))).collect();
        let seen: Vec<Vec<Option<Color>>> = moments.iter().map(row).collect();
        let motion = |wraps: bool| Some((wraps, motion(&seen, time, wraps)?));
        let (wraps, (by, pace, phase)) = motion(true).or_else(|| motion(false))?;
        let ground = commonest(seen.iter().flatten().flatten().copied())?;
        Some(Lane { axis, number, from, length, wraps, ground, by, pace, phase })
    }

    /// Its cells.
    pub(super) fn cells(&self) -> impl Iterator<Item = Vector> {
        (self.from..self.from + self.length).map(|along| self.axis.cell(self.number, along))
    }

    /// What its cells show after an action at this time, where they show this now; what comes from where nobody sees it, or
    /// from beyond an end where nothing comes in again, is taken for ground.
    pub(super) fn later(&self, time: u16, now: impl Fn(Vector) -> Option<Color>) -> Vec<(Vector, Color)> {
        let by = if time.wrapping_add(1) % self.pace == self.phase { self.by } else { 0 };
        let color = |along: i16| {
            let source = source(along, by, self.length, self.wraps)?;
            now(self.axis.cell(self.number, self.from + source))
        };
        let cells = (0..self.length).zip(self.cells());
        cells.map(|(along, at)| (at, color(along).unwrap_or(self.ground))).collect()
    }
}

/// Where in a lane comes from what is so far along it after a step.
fn source(along: i16, by: i16, length: i16, wraps: bool) -> Option<i16> {
    let from = along - by;
    if wraps { Some(from.rem_euclid(length)) } else { (0..length).contains(&from).then_some(from) }
}

/// The stretches of a row in which something changes by itself, each as far as the colours of what changes reach.
fn runs(axis: Axis, number: i16, restless: &[bool], moments: &[Moment]) -> Vec<(i16, i16)> {
    let colors = |along: i16| {
        let seen = moments.iter().filter_map(|it| it.get(axis.cell(number, along)));
        seen.fold(0u16, |set, color| set | 1 << color.index())
    };
    let sets: Vec<u16> = (0..restless.len() as i16).map(colors).collect();
    let changing = restless.iter().zip(&sets).filter(|(restless, _)| **restless).fold(0, |all, (_, set)| all | set);
    let mut runs = Vec::new();
    let mut from = 0;
    while from < sets.len() {
        let length = sets[from..].iter().take_while(|set| **set & !changing == 0).count();
        let is_restless = restless[from..from + length].contains(&true);
        runs.extend((is_restless && length as i16 >= SHORTEST).then_some((from as i16, length as i16)));
        from += length.max(1);
    }
    runs
}

/// By how much a lane moves and when, the plainest first: at this time it was last seen, row after row.
fn motion(seen: &[Vec<Option<Color>>], time: u16, wraps: bool) -> Option<(i16, u16, u16)> {
    let length = seen.first()?.len() as i16;
    let steps: Vec<&[Vec<Option<Color>>]> = seen.windows(2).collect();
    let first = time.checked_sub(steps.len() as u16)? + 1;
    let moves_by = |step: &[Vec<Option<Color>>], by: i16| {
        (0..length).all(|along| {
            let before = source(along, by, length, wraps).and_then(|from| step[0][from as usize]);
            let after = step[1][along as usize];
            before.is_none() || after.is_none() || before == after
        })
    };
    let farthest = FARTHEST.min(length / 2);
    (1..=SLOWEST).find_map(|pace| {
        (0..pace).find_map(|phase| {
            let at = |index: &usize| (first + *index as u16) % pace == phase;
            let (moving, resting): (Vec<usize>, Vec<usize>) = (0..steps.len()).partition(|index| at(index));
            let rests = resting.iter().all(|index| moves_by(steps[*index], 0));
            if moving.len() < MOVED || !rests || moving.iter().all(|index| moves_by(steps[*index], 0)) {
                return None;
            }
            let mut ways = (1..=farthest).flat_map(|by| [by, -by]);
            let by = ways.find(|by| moving.iter().all(|index| moves_by(steps[*index], *by)))?;
            Some((by, pace, phase))
        })
    })
}
