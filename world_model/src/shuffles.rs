//! Contents that change places: tiles that slide into a hole, two that are exchanged, a few that turn around a click.
//!
//! - [`Shuffles`]: watches keys and clicks, and says which exchanges they make. Start here.
//! - `reading`: slots, and what lies in them.
//! - [`mirrors`]: the symmetry that a board may be meant to have, and who cannot take part in it.
//! - `lessons`: what was seen to change places, and the rule behind it; `turns`: that of fittings between slots.
//!
//! Every rule is relative: a key moves the hole by a step, a click exchanges a tile with the hole beside it, two clicks
//! exchange what was clicked, or a click turns what lies around it, be it on a slot or on a fitting between slots. So one
//! look at a rule serves all places of a board, and all levels; several rules may hold side by side. Buttons that always
//! move the same slots are [`crate::tracks`].

mod lessons;
pub mod mirrors;
mod reading;
mod turns;

use std::collections::BTreeMap;

use env_client::{Action, Grid, Key, Point};

pub use self::reading::Content;
use self::{
    lessons::{Deed, Lesson, Rule},
    reading::Slots,
};
use crate::{InterfaceMask, Start, Transition};

/// Slots that were taken for others in one level before nothing more is supposed of them until something changes places.
/// A guess.
const MISTAKES: usize = 2;
/// Clicks on a strange fitting that told nothing of it before it is taken for none: one may turn what looks alike. A guess.
const IN_VAIN: u32 = 3;

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
    /// Those of the last level in which anything changed places.
    last: Option<Slots>,
    rule: Rule,
    lessons: Vec<Lesson>,
    /// The last click, if it only marked something.
    chosen: Option<Chosen>,
    /// Whether the first click of a pair did nothing in this level, where other things can be done.
    no_pairs: bool,
    /// Keys pressed in this level, and how often clicks did nothing where they fell, or left it strange.
    pressed: Vec<Key>,
    vain: BTreeMap<Point, u32>,
    /// How the frame looked last, and the slots with fittings in it, each with what that turns.
    frame: Option<Grid>,
    fitted: Vec<(usize, usize)>,
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
        self.frame = Some(frame.clone());
        if start == Start::Level {
            self.no_pairs = false;
            self.pressed.clear();
            self.vain.clear();
            self.candidates = Slots::candidates(frame, mask);
            self.last = self.slots.take().or(self.last.take());
            if let Some(last) = &self.last {
                self.candidates.sort_by_key(|it| (!it.is_like(last), it.away(last)));
            }
            self.refuted.clear();
            self.slots = self.suppose(frame);
            self.lessons.clear();
        }
        self.find_fitted();
    }

    /// Looks for fittings in the newest frame.
    fn find_fitted(&mut self) {
        let seen = self.slots.as_ref().zip(self.frame.as_ref());
        self.fitted = seen.map_or_else(Vec::new, |(slots, frame)| self.rule.turns.on(slots, frame));
    }

    /// What the slots of a frame should be, by the rule.
    fn suppose(&self, frame: &Grid) -> Option<Slots> {
        let is_open = |it: &&Slots| self.refuted.len() < MISTAKES && !self.refuted.contains(it);
        let mut open = self.candidates.iter().filter(|it| self.rule.is_known() && is_open(it));
        open.find(|slots| self.rule.fits(&slots.read(frame))).cloned()
    }

    /// Learns from one action; whether anything changed places.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) -> bool {
        let at = step.action.point();
        let was_strange = at.is_some_and(|at| self.is_strange(at));
        let has_learned = self.learn(step, mask);
        self.find_fitted();
        let Some((at, after)) = at.zip(step.after()) else { return has_learned };
        let is_quiet = step.before.differences(after).is_none_or(|mut cells| cells.all(|at| mask.hides(at)));
        if is_quiet || was_strange && (self.slots.is_none() || self.is_strange(at)) {
            *self.vain.entry(at).or_default() += 1;
        }
        has_learned
    }

    fn learn(&mut self, step: &Transition<'_>, mask: &InterfaceMask) -> bool {
        let chosen = self.chosen.take();
        let Some(after) = step.after() else { return false };
        self.frame = Some(after.clone());
        if let Action::Key(key) = step.action {
            self.pressed.push(key);
        }
        let fits = |slots: &Slots| {
            let before = chosen.as_ref().map_or(step.before, |it| &it.before);
            let first = chosen.as_ref().and_then(|it| slots.slot_at(it.at));
            let fitting = step.action.point().and_then(|at| slots.fitting(at, before, after));
            Lesson::of(slots, (step.action, fitting), first, slots.read(before), slots.read(after))
        };
        let known = self.slots.as_ref();
        let found = known.and_then(|slots| Some((slots.clone(), fits(slots)?)));
        let anew = || {
            let all = self.candidates.iter().filter_map(|slots| Some((slots.clone(), fits(slots)?)));
            let is_new = |slots: &Slots| self.last.as_ref().is_some_and(|last| !slots.is_like(last));
            all.min_by_key(|(slots, _)| (is_new(slots), slots.look(), slots.len()))
        };
        let Some((slots, lesson)) = found.or_else(anew) else {
            let is_refused = self.refuse(step.action, chosen.as_ref());
            self.miss(step, after, chosen, mask);
            return is_refused;
        };
        if self.slots.as_ref() != Some(&slots) {
            self.lessons.clear();
        }
        self.no_pairs &= !lesson.is_pair(&slots);
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
            let is_settled = self.slots.as_ref().is_none_or(|slots| self.is_no_surprise(slots, step));
            if !is_settled && !self.does_without_pairs(step.action, after) {
                self.no_pairs = false;
                self.refuted.extend(self.slots.take());
                self.slots = self.suppose(after);
                self.lessons.clear();
            }
        }
    }

    /// Learns from two clicks on slots that exchanged nothing; whether that is news.
    fn refuse(&mut self, action: Action, chosen: Option<&Chosen>) -> bool {
        let Some(((slots, first), at)) = self.slots.as_ref().zip(chosen).zip(action.point()) else { return false };
        let Some((a, b)) = slots.slot_at(first.at).zip(slots.slot_at(at)) else { return false };
        let held = mirrors::held(slots, &first.before);
        let is_open = slots.is_within(first.at) && slots.is_within(at) && !held[a] && !held[b];
        is_open && self.rule.refuse(slots, &slots.read(&first.before), a, b)
    }

    /// Whether nothing had to come of an action.
    fn is_no_surprise(&self, slots: &Slots, step: &Transition<'_>) -> bool {
        let is_of_pair = self.rule.is_of_pair(slots, step.action);
        let is_held =
            || step.action.point().and_then(|at| slots.slot_at(at)).is_some_and(|it| self.held(step.before)[it]);
        let is_left_out = is_of_pair && (self.no_pairs || is_held());
        is_left_out || !self.rule.should_answer(slots, step.before, step.action)
    }

    /// Leaves pairs out where the first click of one did nothing, and something else can be done.
    fn does_without_pairs(&mut self, action: Action, frame: &Grid) -> bool {
        self.no_pairs = self.slots.as_ref().is_some_and(|slots| self.rule.is_of_pair(slots, action));
        let now = self.read(frame).unwrap_or_default();
        self.no_pairs && !self.exchanges(&now, false).is_empty()
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
        let is_there = |deed: &Deed| match deed {
            Deed::Pair(..) | Deed::Second(..) => !self.no_pairs,
            Deed::Click(_) | Deed::Turn(..) | Deed::Key(_) => true,
        };
        self.rule.deeds(slots, now, (chosen, &self.fitted)).into_iter().filter(is_there).filter_map(made).collect()
    }

    /// The same with every pair that may be hoped to change places: what was seen of neighbours may hold of any two.
    pub fn hoped(&self, now: &[Content], first: bool) -> Vec<Exchange> {
        let far = self.rule.may_reach_far() && self.rule.is_stepwise() && !self.no_pairs;
        let Some(slots) = self.slots.as_ref().filter(|_| far) else { return self.exchanges(now, first) };
        let chosen = self.chosen.as_ref().filter(|_| first).and_then(|it| slots.slot_at(it.at));
        let all = 0..slots.len();
        let pairs = all.clone().flat_map(|a| all.clone().map(move |b| (a, b)));
        let open = pairs.filter(|(a, b)| now[*a] != now[*b] && chosen.map_or(a < b, |it| it == *a));
        let made = |(a, b): (usize, usize)| {
            let deed = if chosen.is_some() { Deed::Second(a, b) } else { Deed::Pair(a, b) };
            let mut after = now.to_vec();
            after.swap(a, b);
            Exchange { actions: deed.actions(slots, &self.rule), after }
        };
        open.map(made).collect()
    }

    /// Whether tiles need not go through the slots between, or may be hoped not to.
    pub fn is_free(&self) -> bool {
        self.stride().is_none() && (!self.is_stepwise() || self.rule.may_reach_far())
    }

    /// An arrow that may move a hole, and was not pressed in this level: one slot alone is bare.
    pub fn untried(&self) -> Option<Key> {
        let slots = self.slots.as_ref().or(self.candidates.first()).filter(|_| self.rule.is_known())?;
        let bare = (0..slots.len()).filter(|slot| !slots.has(*slot)).count();
        let is_open =
            |key: &Key| key.opposite().is_some() && self.rule.way(*key).is_none() && !self.pressed.contains(key);
        Key::ALL.into_iter().find(is_open).filter(|_| bare == 1)
    }

    /// How often slots were taken for others in this level: what was foreseen before means nothing then.
    pub fn mistakes(&self) -> usize {
        self.refuted.len()
    }

    /// A click that changed more than anybody understands, and should be seen again.
    pub fn riddle(&self) -> Option<Action> {
        self.rule.riddle(&self.lessons)
    }

    /// A click on a fitting of which nobody knows in what way it turns, unless that was in vain.
    pub fn strange(&self) -> Option<Action> {
        let is_open = |at: &Point| self.vain.get(at).is_none_or(|clicks| *clicks < IN_VAIN);
        self.all_strange().into_iter().find(is_open).map(Action::Click)
    }

    /// Where fittings are clicked of which nobody knows in what way they turn.
    fn all_strange(&self) -> Vec<Point> {
        let Some((slots, frame)) = self.slots.as_ref().zip(self.frame.as_ref()) else { return Vec::new() };
        let all = self.rule.turns.strange(slots, frame).into_iter();
        all.map(|(slot, inset)| slots.point(slot, Some(inset))).collect()
    }

    fn is_strange(&self, at: Point) -> bool {
        self.all_strange().contains(&at)
    }

    /// Whether the tile in a slot has to go through the slots between to come to another one: what is exchanged are
    /// neighbours.
    pub fn is_stepwise(&self) -> bool {
        self.rule.is_stepwise()
    }

    /// How many steps all contents together go with one click at most, where nothing is done but turning what lies around it.
    pub fn stride(&self) -> Option<u32> {
        self.rule.stride()
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
