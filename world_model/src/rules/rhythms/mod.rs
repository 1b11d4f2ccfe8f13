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

/// What cells will show.
type Cells = Vec<(Vector, Color)>;

/// What is foretold, by lanes and by what was seen at each time, each cell by one of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Foretold {
    lanes: Cells,
    turns: Cells,
}

impl Foretold {
    fn cells(&self) -> impl Iterator<Item = &(Vector, Color)> {
        self.lanes.iter().chain(&self.turns)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lanes.is_empty() && self.turns.is_empty()
    }
}

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

    /// Whether it was right as often as wrong.
    fn is_sound(self) -> bool {
        self.right >= self.wrong
    }

    fn is_ahead(self) -> bool {
        self.right >= LEAD + TIMES * self.others && self.is_sound()
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
    /// How often lanes were right, and what was seen at each time.
    by_lanes: Score,
    by_turns: Score,
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
        self.by_lanes.is_ahead() || self.by_turns.is_ahead()
    }

    /// Whether anything is known to change by itself in a cell.
    fn covers(&self, at: Vector) -> bool {
        self.laned.contains(at) || self.timeline.covers(at)
    }

    /// Whether that can be trusted.
    pub(super) fn foretells(&self, at: Vector) -> bool {
        self.by_lanes.is_ahead() && self.laned.contains(at) || self.by_turns.is_ahead() && self.timeline.covers(at)
    }

    /// What cells that change by themselves will show after an action at a time, in a frame of which `covered` is covered by
    /// one's own pieces. Lanes come first unless they were wrong more often than right: what turns back now and then looks
    /// like one until it does.
    pub(super) fn next(&self, frame: &Grid, time: u16, covered: impl Fn(Vector) -> bool) -> Foretold {
        let now = |at: Vector| color_at(frame, at).filter(|_| !covered(at));
        let mut drawn = CellSet::EMPTY;
        let mut free = |cells: Cells| -> Cells { cells.into_iter().filter(|(at, _)| drawn.insert(*at)).collect() };
        let lanes = || self.lanes.iter().flat_map(|lane| lane.later(time, now)).collect();
        let turns = || self.timeline.at(usize::from(time) + 1);
        if self.by_lanes.is_sound() {
            Foretold { lanes: free(lanes()), turns: free(turns()) }
        } else {
            Foretold { turns: free(turns()), lanes: free(lanes()) }
        }
    }

    /// The part of it that can be trusted.
    pub(super) fn trusted(&self, next: Foretold) -> Foretold {
        let of = |score: Score, cells: Cells| if score.is_ahead() { cells } else { Cells::new() };
        Foretold { lanes: of(self.by_lanes, next.lanes), turns: of(self.by_turns, next.turns) }
    }

    /// The same as a claim, but for where pieces will be.
    pub(super) fn claim(next: &Foretold, taken: &CellSet) -> Claim {
        let mut claim = Claim::by(RHYTHMS);
        claim.edits.extend(next.cells().filter(|(at, _)| !taken.contains(*at)));
        claim
    }

    /// A frame with what lies in these cells where nothing comes by.
    pub(super) fn quieten(&self, frame: &mut Grid, covered: impl Fn(Vector) -> bool) {
        let lanes = self.lanes.iter().flat_map(|lane| lane.cells().map(|at| (at, lane.ground)));
        let (is_laned, is_turning) = (self.by_lanes.is_ahead(), self.by_turns.is_ahead());
        let turns = self.timeline.quiet().filter(|_| is_turning);
        let width = usize::from(frame.width());
        let mut drawn = CellSet::EMPTY;
        for (at, color) in lanes.filter(|_| is_laned).chain(turns) {
            if !covered(at) && drawn.insert(at) && color_at(frame, at).is_some() {
                frame.cells_mut()[at.y as usize * width + at.x as usize] = color;
            }
        }
    }

    /// Learns whether it foretold what came, and others did without it: `None` where they said nothing. A step in which nothing
    /// changed, nor was to, tells nothing.
    pub(super) fn compare(
        &mut self,
        next: &Foretold,
        (before, after): (&Grid, &Grid),
        others: Option<&Grid>,
        taken: impl Fn(Vector) -> bool,
    ) {
        for (cells, score) in [(&next.lanes, &mut self.by_lanes), (&next.turns, &mut self.by_turns)] {
            let (mut is_change, mut right, mut others_right) = (false, true, others.is_some());
            for (at, color) in cells.iter().filter(|(at, _)| !taken(*at)) {
                let (was, seen) = (color_at(before, *at), color_at(after, *at));
                is_change |= was != seen || was != Some(*color);
                right &= seen == Some(*color);
                others_right &= others.is_some_and(|it| color_at(it, *at) == seen);
            }
            if is_change {
                score.count(right, others_right);
            }
        }
    }

    /// The colours that pieces that come to these cells meet.
    fn met(&self, frame: &Grid, next: &Foretold, own: &CellSet, ends: &CellSet) -> Met {
        let set = |colors: &mut dyn Iterator<Item = Color>| colors.fold(0, |set, it| set | 1 << it.index());
        let here = ends.iter().filter(|at| self.covers(*at) && !own.contains(*at));
        let before = set(&mut here.filter_map(|at| color_at(frame, at)));
        [before, set(&mut next.cells().filter(|(at, _)| ends.contains(*at)).map(|(_, color)| *color))]
    }

    /// Pieces that covered `own` came to `ends`, or should have and were lost.
    pub(super) fn learn_toll(
        &mut self,
        is_lost: bool,
        (frame, next): (&Grid, &Foretold),
        (own, ends): (&CellSet, &CellSet),
    ) {
        let met = self.met(frame, next, own, ends);
        self.tolls.iter_mut().zip(met).for_each(|(toll, met)| toll.count(met, is_lost));
    }

    /// Whether pieces that cover `own` are lost when they come to `ends`: they meet what they were lost to more often than they
    /// lived.
    pub(super) fn kills(&self, frame: &Grid, next: &Foretold, own: &CellSet, ends: &CellSet) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Walkers that go to and fro, each in a row of its own and as far as no other, after so many actions.
    fn walkers(time: i16) -> Grid {
        let mut frame = Grid::filled(16, 8, Color::of(0));
        for row in 0..4i16 {
            let far = 3 + row;
            let along = (far - (time.rem_euclid(2 * far) - far).abs()) + 2;
            frame.cells_mut()[(2 * row * 16 + along) as usize] = Color::of(6);
        }
        frame
    }

    #[test]
    fn what_turns_back_now_and_then_is_told_by_the_time_and_not_by_the_lane_it_seemed_to_be() {
        let mut rhythms = Rhythms::default();
        let (mut right, mut steps) = (0, 0);
        for attempt in 0..6 {
            rhythms.begin(attempt > 0);
            rhythms.see(&walkers(0), 0, |_| CellSet::EMPTY);
            for time in 0..9 {
                let (before, after) = (walkers(time), walkers(time + 1));
                let next = rhythms.next(&before, time as u16, |_| false);
                let trusted = rhythms.trusted(next.clone());
                if attempt >= 3 {
                    let mut foretold = before.clone();
                    trusted.cells().for_each(|(at, color)| foretold.cells_mut()[(at.y * 16 + at.x) as usize] = *color);
                    (right, steps) = (right + u32::from(foretold == after), steps + 1);
                }
                rhythms.compare(&next, (&before, &after), None, |_| false);
                rhythms.time += 1;
                rhythms.see(&after, 0, |_| CellSet::EMPTY);
            }
        }
        assert_eq!(right, steps, "by then each time was seen");
    }
}
