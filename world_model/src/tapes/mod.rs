//! Recorded steps: a key, or a full reel, puts everything back, and from then on a ghost does again what was done.
//!
//! # Layout
//! - [`Tapes`] (here): what was recorded, which ghosts walk, what they hold, and what can be walked on.
//! - `walker`: the piece that arrows move. `plates`: places that hold something as long as somebody is there.
//!   `stops`: whether steps that were stopped are recorded, too.
//!
//! # The one decision
//! All is told by where the piece is: a way back to the start that is no step ends a recording, and what changes far from
//! the piece when it comes to a place, and changes back when it leaves, is held by whoever stands there. Ghosts are taken
//! to go on with every step of the piece, and where that is seen also when it is stopped, and to stay where their tape
//! ends; they have the form of the piece, and another colour. Ground is told by the whole picture below the piece, not by colours: a gate and a plate may share those.

mod plates;
mod stops;
#[cfg(test)]
mod tests;
mod walker;

use std::collections::{BTreeSet, HashMap, HashSet};

use env_client::{Action, Color, Grid, Key, Point};

use self::{
    plates::Plates,
    stops::Stops,
    walker::{Walker, resampled},
};
use crate::{InterfaceMask, Outcome, Start, Transition};

/// The upper left corner of the box around a piece, in cells of the frame.
pub type Place = (i16, i16);

/// Where a piece was after each step, from the start of the level on.
pub type Tape = Vec<Place>;

/// Steps of a level that are kept until it is known what moves.
const UNREAD: usize = 64;
/// Ghosts that were not where they should be, more than those that were, by which there are none. A guess.
const DOUBT: u32 = 3;

/// Ghosts that were seen by which there are some, and steps without any of them after which they are gone. Guesses.
const PROVEN: u32 = 3;
const GONE: u32 = 2;

/// What the ground at a place is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// The piece was on such ground.
    Free,
    /// It stopped the piece.
    Solid,
    /// Nobody knows.
    Unknown,
}

/// How a level stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stand {
    /// Where the piece is.
    pub at: Place,
    /// Where it was since it was last at the start.
    pub tape: Tape,
    /// The tapes of those that do again what was done.
    pub ghosts: Vec<Tape>,
    /// Whether there is nothing left to record.
    pub is_spent: bool,
}

/// How much is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lessons {
    grounds: usize,
    plates: usize,
    steps: usize,
    reel: Option<usize>,
    most: Option<usize>,
}

/// Learns from one play who does again what was done.
#[derive(Clone, Debug, Default)]
pub struct Tapes {
    walker: Walker,
    plates: Plates,
    /// How often the piece came onto such ground, and how often that stopped it.
    grounds: HashMap<Vec<Color>, (u32, u32)>,
    /// What plates looked like, in all levels so far, and where the piece was in this one.
    plate_looks: HashSet<Vec<Color>>,
    /// What put the piece back that came onto it.
    snares: HashSet<Vec<Color>>,
    visited: HashSet<Place>,
    /// The key that put the piece back, and how often a ghost was then seen where it should be, or not.
    rewind: Option<Key>,
    seen: u32,
    missed: u32,
    /// Steps since the last time that any ghost was seen where it should be.
    absent: u32,
    /// Whether ghosts that are on their way go on when the piece is stopped, if anybody saw.
    waits: Option<bool>,
    /// Whether the piece records that it was stopped, also where no ghost is on its way.
    stops: Stops,
    /// The first frame of the level, and the same with what lies below the piece there, as far as it is known.
    first: Option<Grid>,
    base: Option<Grid>,
    start: Option<Place>,
    stand: Option<Stand>,
    /// What was done in this level before it was known what moves.
    unread: Vec<(Grid, Key, Grid)>,
    /// Whether the level only seems to begin again: a recording ended.
    goes_on: bool,
    /// The length of a tape that ended by itself in this level, and the ghosts there were when no more could be made.
    reel: Option<usize>,
    most: Option<usize>,
}

impl Tapes {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid, start: Start) {
        if std::mem::take(&mut self.goes_on) && start == Start::Again {
            return;
        }
        if start == Start::Level {
            self.plates.begin();
            (self.reel, self.most) = (None, None);
            (self.first, self.base) = (Some(frame.clone()), Some(frame.clone()));
            self.unread.clear();
            self.visited.clear();
            if let Some((new, old)) = self.walker.settle(frame) {
                self.rescale(old, new);
            }
        }
        self.plates.leave();
        self.stops.begin();
        self.start = self.walker.find(frame, None);
        self.stand = self.start.map(|at| Stand { at, ..Stand::default() });
    }

    /// A level is drawn at another scale: so is all that the piece came onto.
    fn rescale(&mut self, old: Place, new: Place) {
        let redrawn = |it: Vec<Color>| resampled(&it, old, new);
        self.grounds = self.grounds.drain().map(|(it, counts)| (redrawn(it), counts)).collect();
        self.plate_looks = self.plate_looks.drain().map(redrawn).collect();
        self.snares = self.snares.drain().map(redrawn).collect();
    }

    /// Learns from one action.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let (Action::Key(key), Some(after)) = (step.action, step.layers.last()) else { return };
        if step.outcome != Outcome::Continues {
            return self.seems_lost(key, step.before, after);
        }
        let was_known = self.walker.is_known();
        let first = self.first.as_ref().unwrap_or(step.before);
        self.walker.observe(key, (first, step.before, after));
        if !was_known && self.unread.len() < UNREAD {
            self.unread.push((step.before.clone(), key, after.clone()));
        }
        if was_known {
            self.stepped(key, (step.before, after), mask);
        } else if self.walker.is_known() {
            let unread = std::mem::take(&mut self.unread);
            self.start = unread.first().and_then(|(first, ..)| self.walker.find(first, None));
            self.stand = self.start.map(|at| Stand { at, ..Stand::default() });
            for (before, key, after) in &unread {
                self.stepped(*key, (before, after), mask);
            }
        }
    }

    /// A level is over, or everything is as it was when it began: a recording may have ended. If not, nobody should go
    /// there again, unless that was ground as any, or a recording may end there as long as one is left.
    fn seems_lost(&mut self, key: Key, before: &Grid, after: &Grid) {
        let (Some(start), Some(from)) = (self.start, self.stand.as_ref().map(|it| it.at)) else { return };
        if from != start && self.walker.find(after, Some(start)) == Some(start) {
            self.put_back(key, before, self.walker.ahead(from, key));
            self.goes_on = true;
        } else if let Some(picture) = self.walker.ahead(from, key).and_then(|ahead| self.picture(before, ahead)) {
            let ghosts = self.stand.as_ref().map_or(0, |it| it.ghosts.len());
            let (free, solid) = self.grounds.get(&picture).copied().unwrap_or_default();
            match free {
                0 if ghosts == 0 => _ = self.grounds.insert(picture, (0, u32::MAX)),
                0 if solid == 0 => {
                    self.snares.insert(picture);
                    self.most = Some(ghosts);
                }
                _ => {}
            }
        }
    }

    /// Learns from what a key did to a piece that is known.
    fn stepped(&mut self, key: Key, (before, after): (&Grid, &Grid), mask: &InterfaceMask) {
        let (Some(start), Some(from)) = (self.start, self.stand.as_ref().map(|it| it.at)) else { return };
        let ahead = self.walker.ahead(from, key);
        let is_at = |at: &Place| self.walker.find(after, Some(*at)) == Some(*at);
        let Some(to) = [ahead, Some(from), Some(start)].into_iter().flatten().find(is_at) else {
            self.stand = None;
            return;
        };
        if to == start && from != start && (ahead != Some(start) || self.is_full()) {
            self.put_back(key, before, ahead);
        } else if to != from {
            self.went((before, after), (from, to), mask);
        } else if let Some(ahead) = ahead {
            self.learn_ground(before, ahead, false);
            self.waited(after);
        } else if self.rewind == Some(key) {
            self.rewound_in_place(from == start);
        }
    }

    /// Whether the next step ends a recording, as far as that was seen in this level.
    fn is_full(&self) -> bool {
        let is_last = |stand: &Stand| {
            let may_record = self.most.is_none_or(|most| stand.ghosts.len() < most) && !stand.is_spent;
            may_record && self.reel == Some(stand.tape.len() + 1)
        };
        self.stand.as_ref().is_some_and(is_last)
    }

    /// The piece was put back to the start: by a key, because a tape was full, or by what it came onto.
    fn put_back(&mut self, key: Key, before: &Grid, ahead: Option<Place>) {
        self.plates.leave();
        self.absent = 0;
        let picture = ahead.and_then(|ahead| self.picture(before, ahead));
        let snare = picture.filter(|it| self.grounds.get(it).is_none_or(|(free, _)| *free == 0));
        let is_snare = snare.is_some();
        self.snares.extend(snare);
        let (Some(stand), Some(start)) = (&mut self.stand, self.start) else { return };
        stand.tape.extend(ahead);
        self.stops.ends(ahead);
        match ahead {
            Some(_) if is_snare => {}
            Some(_) => self.reel = Some(stand.tape.len()),
            None => self.rewind = Some(key),
        }
        stand.ghosts.push(std::mem::take(&mut stand.tape));
        stand.at = start;
    }

    /// The piece stayed where it was: ghosts may have gone on.
    fn waited(&mut self, after: &Grid) {
        let (Some(stand), Some(start)) = (&mut self.stand, self.start) else { return };
        let clock = stand.tape.len();
        let places = stand.ghosts.iter().map(|tape| (place_of(tape, clock, start), place_of(tape, clock + 1, start)));
        let moving: Vec<(Place, Place)> = places.filter(|(now, next)| now != next).collect();
        let is_seen = |at: Place| at != stand.at && self.walker.has_double(after, at);
        if moving.iter().any(|(_, next)| is_seen(*next)) {
            self.waits = Some(true);
        } else if moving.iter().any(|(now, _)| is_seen(*now)) {
            self.waits = Some(false);
        }
        if self.stops.count() || !moving.is_empty() && self.waits == Some(true) {
            stand.tape.push(stand.at);
        }
        self.stops.went(stand.at);
        if self.stops.tell(stand, start, |at| self.walker.has_double(after, at)) {
            self.missed = 0;
        }
    }

    /// One ghost too many takes all of them away.
    fn ghosts_are_gone(&mut self) {
        self.absent = 0;
        if let Some(stand) = &mut self.stand {
            self.most = Some(stand.ghosts.len().saturating_sub(1));
            stand.ghosts.clear();
            self.stops.begin();
        }
    }

    /// The key that puts back did not move the piece: because it was at the start, or because nothing is left to record.
    fn rewound_in_place(&mut self, is_at_start: bool) {
        let Some(stand) = &mut self.stand else { return };
        if is_at_start {
            let tape = std::mem::take(&mut stand.tape);
            if !stand.is_spent {
                self.stops.ends(None);
            }
            return stand.ghosts.extend(Some(tape).filter(|tape| !tape.is_empty() && !stand.is_spent));
        }
        stand.is_spent = true;
        self.most = Some(stand.ghosts.len());
    }

    /// The piece went from one place to another.
    fn went(&mut self, (before, after): (&Grid, &Grid), (from, to): (Place, Place), mask: &InterfaceMask) {
        self.learn_ground(before, to, true);
        if let Some(stand) = &mut self.stand {
            stand.at = to;
            stand.tape.push(to);
            self.stops.went(to);
            if self.start.is_some_and(|start| self.stops.tell(stand, start, |at| self.walker.has_double(after, at))) {
                self.missed = 0;
            }
        }
        let (Some(stand), Some(start)) = (&self.stand, self.start) else { return };
        let clock = stand.tape.len();
        let haunted = |clock: usize| stand.ghosts.iter().map(move |tape| place_of(tape, clock, start));
        let expected: Vec<Place> = haunted(clock).filter(|at| *at != to && *at != start).collect();
        let there = expected.iter().filter(|at| self.walker.has_double(after, **at)).count();
        self.seen += there as u32;
        if there > 0 || self.seen < PROVEN {
            self.missed += (expected.len() - there) as u32;
            self.absent = 0;
        } else {
            self.absent += u32::from(!expected.is_empty());
        }
        let moving: Vec<Place> = haunted(clock - 1).chain(haunted(clock)).chain([from, to]).collect();
        let size = self.walker.size();
        let is_apart = |at: &Point| {
            !mask.hides(*at) && !self.plates.ticks(*at) && !moving.iter().any(|place| in_box(*place, size, *at))
        };
        let changed = before.differences(after).into_iter().flatten().filter(is_apart);
        let changed: Vec<_> = changed.map(|at| (at, before[at], after[at])).collect();
        if haunted(clock - 1).eq(haunted(clock)) {
            self.plates.came(from, to, &changed, stand.ghosts.is_empty());
        } else {
            self.plates.leave();
            self.plates.suspect(to, &changed);
            let arrived = haunted(clock).zip(haunted(clock - 1)).filter(|(now, then)| now != then).map(|(now, _)| now);
            let caught: Vec<Place> = arrived.filter(|at| self.ends_tape(*at)).collect();
            if let [at] = caught[..] {
                self.plates.hold(at, &changed);
            }
        }
        if let Some(base) = self.base.as_mut().filter(|_| from == start && stand.ghosts.is_empty()) {
            cells(from, size).filter(|at| !in_box(to, size, *at)).for_each(|at| base.set(at, after[at]));
        }
        self.visited.insert(to);
        if self.absent >= GONE {
            self.ghosts_are_gone();
        }
        if self.plates.places().any(|it| it == from) {
            let look = self.base.as_ref().and_then(|base| self.picture(base, from));
            self.plate_looks.extend(look);
        }
    }

    /// Whether the piece came onto what lies at a place, unless a ghost hides that.
    fn learn_ground(&mut self, frame: &Grid, at: Place, passed: bool) {
        let (Some(stand), Some(start), size) = (&self.stand, self.start, self.walker.size()) else { return };
        let is_covered = |it: Place| (it.0 - at.0).abs() < size.0 && (it.1 - at.1).abs() < size.1;
        let clock = stand.tape.len();
        if stand.ghosts.iter().any(|tape| is_covered(place_of(tape, clock, start))) {
            return;
        }
        if let Some(picture) = self.picture(frame, at) {
            let (free, solid) = self.grounds.entry(picture).or_default();
            let count = if passed { free } else { solid };
            *count = count.saturating_add(1);
        }
    }

    /// What lies below the piece at a place, counters aside; `None` beyond the frame.
    fn picture(&self, frame: &Grid, at: Place) -> Option<Vec<Color>> {
        let size = self.walker.size();
        let known = cells(at, size).filter(|at| !self.plates.ticks(*at)).filter_map(|at| frame.get(at));
        let mut counts = [0u16; Color::COUNT];
        known.for_each(|color| counts[color.index()] += 1);
        let commonest = Color::ALL.into_iter().max_by_key(|it| counts[it.index()])?;
        let shown = |at: Point| frame.get(at).map(|color| if self.plates.ticks(at) { commonest } else { color });
        let picture: Vec<Color> = cells(at, size).filter_map(shown).collect();
        (picture.len() == usize::try_from(size.0 * size.1).ok()?).then_some(picture)
    }

    /// Whether a ghost walks wherever a key put the piece back, for all anybody knows.
    pub fn has_ghosts(&self) -> bool {
        self.rewind.is_some() && self.missed < self.seen + DOUBT
    }

    /// Whether ghosts on their way may go on when the piece is stopped.
    pub fn may_wait(&self) -> bool {
        self.waits != Some(false)
    }

    /// Whether a step that is stopped is recorded, whoever else is on the way.
    pub fn records_stops(&self) -> bool {
        self.stops.count()
    }

    /// The key that ends a recording.
    pub fn rewind(&self) -> Option<Key> {
        self.rewind
    }

    /// How the level stands; `None` where nobody knows what moves, or where it is.
    pub fn stand(&self) -> Option<&Stand> {
        self.stand.as_ref()
    }

    /// How it stood when it began.
    pub fn start(&self) -> Option<Stand> {
        self.start.map(|at| Stand { at, ..Stand::default() })
    }

    /// Where each arrow takes the piece from a place.
    pub fn steps(&self, from: Place) -> impl Iterator<Item = (Key, Place)> {
        self.walker.steps().map(move |(key, by)| (key, (from.0 + by.0, from.1 + by.1)))
    }

    /// The places from which something is held.
    pub fn plates(&self) -> Vec<Place> {
        self.plates.places().collect()
    }

    /// Whether it is worth coming to a place to see what is held from there: it looks like a plate, and the piece never was
    /// there in this level, or something else happened when it left.
    pub fn may_be_plate(&self, at: Place) -> bool {
        let look = || self.picture(self.base.as_ref()?, at);
        let looks_so = || look().is_some_and(|it| self.plate_looks.contains(&it));
        self.plates.is_suspect(at) || !self.visited.contains(&at) && !self.plate_looks.is_empty() && looks_so()
    }

    /// Whether what lies at a place ends a recording, and nobody stays there to hold anything but ghosts.
    pub fn ends_tape(&self, at: Place) -> bool {
        let picture = || self.picture(self.base.as_ref()?, at);
        !self.snares.is_empty() && picture().is_some_and(|it| self.snares.contains(&it))
    }

    /// The steps that one tape holds, and the ghosts that there can be, where that was seen.
    pub fn limits(&self) -> (Option<usize>, Option<usize>) {
        (self.reel, self.most)
    }

    /// How much is known: where it did not change, neither did what can be planned.
    pub fn lessons(&self) -> Lessons {
        let (grounds, plates) = (self.grounds.len(), self.plates.places().count());
        Lessons { grounds, plates, steps: self.walker.steps().count(), reel: self.reel, most: self.most }
    }

    /// The ground at a place while these are held.
    pub fn ground(&self, at: Place, held: &BTreeSet<Place>) -> Ground {
        if Some(at) == self.start {
            return Ground::Free;
        }
        let Some(mut frame) = self.base.clone() else { return Ground::Unknown };
        self.plates.press(&mut frame, held.iter().copied());
        let Some(picture) = self.picture(&frame, at) else { return Ground::Solid };
        match self.grounds.get(&picture) {
            Some((free, solid)) if free >= solid => Ground::Free,
            Some(_) => Ground::Solid,
            None => Ground::Unknown,
        }
    }
}

/// Where a ghost is after so many steps.
pub fn place_of(tape: &[Place], clock: usize, start: Place) -> Place {
    match clock.min(tape.len()) {
        0 => start,
        steps => tape[steps - 1],
    }
}

fn in_box((left, top): Place, (width, height): Place, at: Point) -> bool {
    let (x, y) = (i16::from(at.x()) - left, i16::from(at.y()) - top);
    (0..width).contains(&x) && (0..height).contains(&y)
}

fn cells((left, top): Place, (width, height): Place) -> impl Iterator<Item = Point> + Clone {
    (0..height).flat_map(move |y| (0..width).filter_map(move |x| Point::new(left + x, top + y).ok()))
}
