//! Contents that change places: tiles that slide into a hole, two that are exchanged, a few that turn around a click.
//!
//! - [`Shuffles`]: watches keys and clicks, and says which exchanges they make. Start here.
//! - `reading`: slots, and what lies in them.
//! - `lessons`: what was seen to change places, and the rule behind it.
//!
//! Every rule is relative: a key moves the hole by a step, a click exchanges a tile with the hole beside it, two clicks
//! exchange what was clicked, or a click turns what lies around it. So one look at a rule serves all places of a board, and
//! all levels. Buttons that always move the same slots are [`crate::tracks`].

mod lessons;
mod reading;

use env_client::{Action, Grid, Point};

pub use self::reading::Content;
use self::{
    lessons::{Deed, Lesson, Rule},
    reading::Slots,
};
use crate::{InterfaceMask, Start, Transition};

/// Some actions, and what lies in the slots after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// At least one.
    pub actions: Vec<Action>,
    /// Slot by slot.
    pub after: Vec<Content>,
}

/// Learns how contents change places.
#[derive(Clone, Debug, Default)]
pub struct Shuffles {
    /// What the slots of this level may be, and what they are since something changed places on them.
    candidates: Vec<Slots>,
    /// Those of them that did not do what the rule says of them.
    refuted: Vec<Slots>,
    slots: Option<Slots>,
    rule: Rule,
    lessons: Vec<Lesson>,
    /// The last click, if it only marked something.
    chosen: Option<Chosen>,
}

/// A click that may be the first of a pair.
#[derive(Clone, Debug)]
struct Chosen {
    at: Point,
    /// The frame without its mark.
    before: Grid,
}

impl Shuffles {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.chosen = None;
        if start == Start::Level {
            self.candidates = Slots::candidates(frame, mask);
            if let Some(last) = self.slots.take() {
                self.candidates.sort_by_key(|it| !it.is_like(&last));
            }
            self.refuted.clear();
            self.slots = self.suppose(frame);
            self.lessons.clear();
        }
    }

    /// What the slots of a frame should be, by the rule.
    fn suppose(&self, frame: &Grid) -> Option<Slots> {
        let mut open = self.candidates.iter().filter(|it| self.rule.is_known() && !self.refuted.contains(it));
        open.find(|slots| self.rule.fits(&slots.read(frame))).cloned()
    }

    /// Learns from one action; whether anything changed places.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) -> bool {
        let chosen = self.chosen.take();
        let Some(after) = step.after() else { return false };
        let fits = |slots: &Slots| {
            let before = chosen.as_ref().map_or(step.before, |it| &it.before);
            let first = chosen.as_ref().and_then(|it| slots.slot_at(it.at));
            Lesson::of(slots, step.action, first, slots.read(before), slots.read(after))
        };
        let known = self.slots.as_ref();
        let found = known.and_then(|slots| Some((slots.clone(), fits(slots)?)));
        let anew = || {
            let all = self.candidates.iter().filter_map(|slots| Some((slots.clone(), fits(slots)?)));
            all.min_by_key(|(slots, _)| (slots.is_by_middle(), slots.len()))
        };
        let Some((slots, lesson)) = found.or_else(anew) else {
            self.miss(step, after, chosen, mask);
            return false;
        };
        if self.slots.as_ref() != Some(&slots) {
            self.lessons.clear();
        }
        self.lessons.push(lesson);
        self.rule.learn(&slots, &self.lessons);
        self.slots = Some(slots);
        true
    }

    /// Learns from an action that exchanged nothing: it may have marked what was clicked, and it may be that the slots are
    /// others.
    fn miss(&mut self, step: &Transition<'_>, after: &Grid, chosen: Option<Chosen>, mask: &InterfaceMask) {
        let is_quiet = step.before.differences(after).is_none_or(|mut cells| cells.all(|at| mask.hides(at)));
        if let (false, Action::Click(at)) = (is_quiet, step.action) {
            let before = chosen.map_or_else(|| step.before.clone(), |it| it.before);
            let is_undone = before.differences(after).is_some_and(|mut cells| cells.all(|at| mask.hides(at)));
            self.chosen = (!is_undone).then_some(Chosen { at, before });
        } else if is_quiet {
            self.chosen = chosen;
            let should = |slots: &Slots| self.rule.should_answer(slots, &slots.read(step.before), step.action);
            if self.slots.as_ref().is_some_and(should) {
                self.refuted.extend(self.slots.take());
                self.slots = self.suppose(after);
            }
        }
    }

    /// What lies in the slots of a frame; `None` before anything changed places.
    pub fn read(&self, frame: &Grid) -> Option<Vec<Content>> {
        let unmarked = self.chosen.as_ref().map_or(frame, |it| &it.before);
        Some(self.slots.as_ref()?.read(unmarked))
    }

    /// Every exchange that can be made where the slots hold this; `first` where the next action is meant, which may end a
    /// pair of clicks.
    pub fn exchanges(&self, now: &[Content], first: bool) -> Vec<Exchange> {
        let Some(slots) = &self.slots else { return Vec::new() };
        let chosen = self.chosen.as_ref().filter(|_| first).and_then(|it| slots.slot_at(it.at));
        let made = |deed: Deed| {
            Some(Exchange { after: self.rule.after(slots, now, deed)?, actions: deed.actions(slots, &self.rule) })
        };
        self.rule.deeds(slots, now, chosen).into_iter().filter_map(made).collect()
    }

    /// Whether the tile in a slot has to go through the slots between to come to another one: what is exchanged are
    /// neighbours.
    pub fn is_stepwise(&self) -> bool {
        self.rule.is_stepwise()
    }

    /// Steps between two slots, across and down.
    pub fn distance(&self, a: usize, b: usize) -> u32 {
        self.slots.as_ref().map_or(0, |slots| slots.distance(a, b))
    }

    /// Everything that drawings beside the board tell of what should lie in the slots, where nothing is said of some.
    pub fn wanted(&self, frame: &Grid, mask: &InterfaceMask) -> Vec<Vec<Option<Content>>> {
        let Some((slots, now)) = self.slots.as_ref().zip(self.read(frame)) else { return Vec::new() };
        slots.drawn(frame, mask, &now)
    }

    /// The frame with this in the slots.
    pub fn draw(&self, frame: &Grid, after: &[Content]) -> Option<Grid> {
        Some(self.slots.as_ref()?.draw(frame, after))
    }
}

#[cfg(test)]
mod tests;
