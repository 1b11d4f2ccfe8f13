//! What changes by itself, whatever is done: lanes along which things drift, and cells that change by turns.
//!
//! Things that go their own way are followed one by one elsewhere ([`super::mover`]), as long as each can be told from its
//! neighbours. Here nothing is told apart: a lane is a row of colours that moves on as a whole, and a cell that changes by
//! turns has a colour for each time. So it does not matter how many things there are, nor whether they touch.
//!
//! # Layout
//! - [`Rhythms`] (here): what is expected of such cells, whether it can be trusted, and what is deadly there.
//! - `lane`: rows and columns that drift. `timeline`: what was seen at each time of a level, over all attempts.
//!
//! # The one decision
//! It speaks only where everything else together foretells little without it, and then before all others but one's own
//! pieces: who can be followed one by one is better known than by the places where somebody passes.

mod lane;
mod timeline;

use std::collections::VecDeque;

use env_client::{Color, Grid};

use self::{
    lane::Lane,
    timeline::{Moment, Timeline},
};
use super::{
    cell_set::CellSet,
    claim::Claim,
    sprite::{Vector, color_at},
};

/// It speaks once it foretold so many steps, and so many times more than others did, more than it missed. Guesses.
const LEAD: u32 = 3;
const TIMES: u32 = 2;
/// Steps that count before older ones fade. A guess.
const STEPS_COUNTED: u32 = 32;
/// The number of this mechanism.
const RHYTHMS: u64 = 0x7a11;
/// The newest steps that lanes are read from. A guess.
const STEPS: usize = 12;

/// The colours that pieces came onto, as sets of indices: those that were there before, and those that came there.
type Met = [u16; 2];

/// How often pieces that met each colour lived, and were lost.
#[derive(Clone, Copy, Debug, Default)]
struct Toll {
    lived: [u32; Color::COUNT],
    lost: [u32; Color::COUNT],
}

impl Toll {
    fn count(&mut self, met: u16, is_lost: bool) {
        let counts = if is_lost { &mut self.lost } else { &mut self.lived };
        counts.iter_mut().enumerate().for_each(|(index, count)| *count += u32::from(met >> index & 1));
    }

    fn is_deadly(&self, met: u16) -> bool {
        (0..Color::COUNT).any(|index| met >> index & 1 == 1 && self.lost[index] > self.lived[index])
    }
}

/// How often this and others foretold what it speaks of.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    right: u32,
    wrong: u32,
    others: u32,
}

impl Score {
    fn count(&mut self, is_right: bool, are_others: bool) {
        if self.right + self.wrong >= STEPS_COUNTED {
            *self = Score { right: self.right / 2, wrong: self.wrong / 2, others: self.others / 2 };
        }
        self.right += u32::from(is_right);
        self.wrong += u32::from(!is_right);
        self.others += u32::from(are_others);
    }

    fn is_ahead(self) -> bool {
        self.right >= LEAD + TIMES * self.others && self.right >= self.wrong
    }
}

/// What changes by itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Rhythms {
    /// Actions since the level began.
    pub(super) time: u16,
    timeline: Timeline,
    /// The newest moments of this attempt.
    recent: VecDeque<Moment>,
    /// How much was known of what pieces look like when these were read.
    looks: usize,
    lanes: Vec<Lane>,
    /// Cells of lanes.
    laned: CellSet,
    score: Score,
    /// What came of meeting what was there before, and what came there.
    tolls: [Toll; 2],
}

impl Rhythms {
    /// A level begins.
    pub(super) fn begin(&mut self, is_again: bool) {
        self.time = 0;
        self.recent.clear();
        if !is_again {
            self.timeline.clear();
            (self.lanes, self.laned) = (Vec::new(), CellSet::EMPTY);
        }
    }

    /// The first frame of an attempt, or the one after an action. `hidden` tells which cells of a frame pieces or the interface
    /// cover, as far as these `looks` of them are known.
    pub(super) fn see(&mut self, frame: &Grid, looks: usize, hidden: impl Fn(&Grid) -> CellSet) {
        if std::mem::replace(&mut self.looks, looks) != looks {
            self.recent.iter_mut().for_each(|it| it.hide(&hidden(&it.frame)));
            self.timeline.hide(&hidden);
        }
        let moment = Moment::new(frame, &hidden(frame));
        self.timeline.see(self.time.into(), &moment);
        if self.recent.len() > STEPS {
            self.recent.pop_front();
        }
        self.recent.push_back(moment);
        self.lanes = Lane::all(self.recent.make_contiguous(), self.time, |at| self.timeline.is_restless(at));
        self.laned = self.lanes.iter().flat_map(Lane::cells).collect();
    }

    /// Whether it foretells what others do not.
    pub(super) fn is_proven(&self) -> bool {
        self.score.is_ahead()
    }

    /// Whether anything is known to change by itself in a cell.
    pub(super) fn covers(&self, at: Vector) -> bool {
        self.laned.contains(at) || self.timeline.covers(at)
    }

    /// What cells that change by themselves will show after an action at a time, in a frame of which `covered` is covered by
    /// one's own pieces.
    pub(super) fn next(&self, frame: &Grid, time: u16, covered: impl Fn(Vector) -> bool) -> Vec<(Vector, Color)> {
        let now = |at: Vector| color_at(frame, at).filter(|_| !covered(at));
        let mut drawn = CellSet::EMPTY;
        let lanes = self.lanes.iter().flat_map(|lane| lane.later(time, now));
        let turns = self.timeline.at(usize::from(time) + 1);
        lanes.chain(turns).filter(|(at, _)| drawn.insert(*at)).collect()
    }

    /// The same as a claim, but for where pieces will be.
    pub(super) fn claim(next: &[(Vector, Color)], taken: &CellSet) -> Claim {
        let mut claim = Claim::by(RHYTHMS);
        claim.edits.extend(next.iter().filter(|(at, _)| !taken.contains(*at)));
        claim
    }

    /// A frame with what lies in these cells where nothing comes by.
    pub(super) fn quieten(&self, frame: &mut Grid, covered: impl Fn(Vector) -> bool) {
        let lanes = self.lanes.iter().flat_map(|lane| lane.cells().map(|at| (at, lane.ground)));
        let width = usize::from(frame.width());
        let mut drawn = CellSet::EMPTY;
        for (at, color) in lanes.chain(self.timeline.quiet()) {
            if !covered(at) && drawn.insert(at) && color_at(frame, at).is_some() {
                frame.cells_mut()[at.y as usize * width + at.x as usize] = color;
            }
        }
    }

    /// Learns whether it foretold what came, and others did without it: `None` where they said nothing. A step in which nothing
    /// changed, nor was to, tells nothing.
    pub(super) fn compare(
        &mut self,
        next: &[(Vector, Color)],
        (before, after): (&Grid, &Grid),
        others: Option<&Grid>,
        taken: impl Fn(Vector) -> bool,
    ) {
        let (mut is_change, mut right, mut others_right) = (false, true, others.is_some());
        for (at, color) in next.iter().filter(|(at, _)| !taken(*at)) {
            let (was, seen) = (color_at(before, *at), color_at(after, *at));
            is_change |= was != seen || was != Some(*color);
            right &= seen == Some(*color);
            others_right &= others.is_some_and(|it| color_at(it, *at) == seen);
        }
        if is_change {
            self.score.count(right, others_right);
        }
    }

    /// The colours that pieces that come to these cells meet.
    fn met(&self, frame: &Grid, next: &[(Vector, Color)], own: &CellSet, ends: &CellSet) -> Met {
        let set = |colors: &mut dyn Iterator<Item = Color>| colors.fold(0, |set, it| set | 1 << it.index());
        let here = ends.iter().filter(|at| self.covers(*at) && !own.contains(*at));
        let before = set(&mut here.filter_map(|at| color_at(frame, at)));
        [before, set(&mut next.iter().filter(|(at, _)| ends.contains(*at)).map(|(_, color)| *color))]
    }

    /// Pieces that covered `own` came to `ends`, or should have and were lost.
    pub(super) fn learn_toll(
        &mut self,
        is_lost: bool,
        (frame, next): (&Grid, &[(Vector, Color)]),
        (own, ends): (&CellSet, &CellSet),
    ) {
        let met = self.met(frame, next, own, ends);
        self.tolls.iter_mut().zip(met).for_each(|(toll, met)| toll.count(met, is_lost));
    }

    /// Whether pieces that cover `own` are lost when they come to `ends`: they meet what they were lost to more often than they
    /// lived.
    pub(super) fn kills(&self, frame: &Grid, next: &[(Vector, Color)], own: &CellSet, ends: &CellSet) -> bool {
        let met = self.met(frame, next, own, ends);
        self.tolls.iter().zip(met).any(|(toll, met)| toll.is_deadly(met))
    }
}

/// The colour that comes most often; `None` where none comes.
fn commonest(colors: impl Iterator<Item = Color>) -> Option<Color> {
    let mut counts = [0usize; Color::COUNT];
    colors.for_each(|color| counts[color.index()] += 1);
    let most = (0..Color::COUNT).max_by_key(|index| counts[*index]).filter(|most| counts[*most] > 0);
    most.map(|index| Color::ALL[index])
}
