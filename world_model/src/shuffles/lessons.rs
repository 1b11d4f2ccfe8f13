//! What was seen to change places, and the rule behind it.

use std::collections::BTreeMap;

use env_client::{Action, Grid, Key, Point};

use super::{
    Content,
    reading::{Inset, Slots},
    turns::{Fitting, Turns, Ways, fit, stride, turned},
};
use crate::cells::Way;

/// Lessons that a rule is fitted to.
const NEWEST: usize = 24;

/// Something that changes places may be done so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    Key(Key),
    /// A click on a slot.
    Click(usize),
    /// A click on the fitting at a slot, which has this turn.
    Turn(usize, usize),
    /// A click on one slot, then on another.
    Pair(usize, usize),
    /// The second click of a pair.
    Second(usize, usize),
}

impl Deed {
    pub(super) fn actions(self, slots: &Slots, rule: &Rule) -> Vec<Action> {
        let click = |slot: usize| Action::Click(slots.point(slot, None));
        match self {
            Deed::Key(key) => vec![Action::Key(key)],
            Deed::Click(slot) => vec![Action::Click(slots.point(slot, rule.inset))],
            Deed::Turn(slot, turn) => vec![Action::Click(slots.point(slot, Some(rule.turns.inset(turn))))],
            Deed::Pair(first, second) => vec![click(first), click(second)],
            Deed::Second(_, second) => vec![click(second)],
        }
    }
}

/// Contents that changed places.
#[derive(Clone, Debug)]
pub(super) struct Lesson {
    action: Action,
    /// The slot that was clicked before, if that only marked it.
    chosen: Option<usize>,
    /// What was clicked, if that is a fitting between the slots.
    pub(super) fitting: Option<Fitting>,
    pub(super) before: Vec<Content>,
    pub(super) after: Vec<Content>,
    /// The slots that hold something else now; at least two.
    pub(super) changed: Vec<usize>,
}

impl Lesson {
    /// What an action taught; `None` unless what lies in at least two slots changed places, and nothing came or went.
    pub(super) fn of(
        slots: &Slots,
        action: (Action, Option<Fitting>),
        chosen: Option<usize>,
        before: Vec<Content>,
        after: Vec<Content>,
    ) -> Option<Lesson> {
        let (action, fitting) = action;
        let changed: Vec<usize> = (0..slots.len()).filter(|slot| before[*slot] != after[*slot]).collect();
        let sorted = |contents: &[Content]| {
            let mut sorted: Vec<Content> = changed.iter().map(|slot| contents[*slot]).collect();
            sorted.sort_unstable();
            sorted
        };
        let is_exchange = changed.len() >= 2 && sorted(&before) == sorted(&after);
        is_exchange.then_some(Lesson { action, chosen, fitting, before, after, changed })
    }

    /// The two slots that were exchanged, if two were.
    fn two(&self) -> Option<(usize, usize)> {
        match self.changed[..] {
            [a, b] => Some((a, b)),
            _ => None,
        }
    }

    pub(super) fn point(&self) -> Option<Point> {
        self.action.point()
    }

    pub(super) fn clicked(&self, slots: &Slots) -> Option<usize> {
        slots.slot_at(self.point()?)
    }

    /// Whether what was clicked one after the other was exchanged.
    pub(super) fn is_pair(&self, slots: &Slots) -> bool {
        let (Some((a, b)), Some(first), Some(second)) = (self.two(), self.chosen, self.clicked(slots)) else {
            return false;
        };
        (a, b) == (first.min(second), first.max(second))
    }
}

/// Which exchanges there are, as far as it is known. It holds in all levels.
#[derive(Clone, Debug, Default)]
pub(super) struct Rule {
    /// What everything else changes places with.
    hole: Option<Content>,
    /// Where the hole goes with a key.
    keys: BTreeMap<Key, Way>,
    /// Whether a click beside the hole sends the tile there.
    taps: bool,
    /// Whether two clicks exchange what was clicked, and whether that was ever seen of slots that are no neighbours.
    pairs: Option<bool>,
    /// Whether such a pair of slots that are no neighbours was refused: until then any two may be hoped to change places.
    refused: bool,
    /// Where around a clicked slot comes what from where, and where in a slot's room was clicked.
    around: Ways,
    inset: Option<Inset>,
    /// What fittings between the slots turn: nothing does where there is none.
    pub(super) turns: Turns,
}

impl Rule {
    pub(super) fn is_known(&self) -> bool {
        self.turns_things() || self.pairs.is_some() || (self.hole.is_some() && (self.taps || !self.keys.is_empty()))
    }

    fn turns_things(&self) -> bool {
        !self.around.is_empty() || !self.turns.is_empty()
    }

    /// Whether slots that hold this may be those of this rule: where it asks for a hole, and knows of nothing that can be
    /// done without, one of them has it.
    pub(super) fn fits(&self, now: &[Content]) -> bool {
        let needs_hole = self.pairs.is_none() && !self.turns_things();
        self.hole.is_none_or(|hole| !needs_hole || count(now, hole) == 1)
    }

    /// Whether an action should have changed something.
    pub(super) fn should_answer(&self, slots: &Slots, frame: &Grid, action: Action) -> bool {
        let now = slots.read(frame);
        let changes = |deed: Deed| self.after(slots, &now, deed).is_some_and(|after| after != now);
        let turns =
            |at: usize| self.turns.on(slots, frame).iter().any(|it| it.0 == at && changes(Deed::Turn(at, it.1)));
        match action {
            Action::Key(key) => self.after(slots, &now, Deed::Key(key)).is_some(),
            Action::Click(at) => slots.slot_at(at).is_some_and(|slot| {
                self.is_of_pair(slots, action) || changes(Deed::Click(slot)) || (!slots.is_within(at) && turns(slot))
            }),
        }
    }

    /// Whether an action may be the first click of a pair.
    pub(super) fn is_of_pair(&self, slots: &Slots, action: Action) -> bool {
        let is_on_slot = |at: Point| slots.slot_at(at).is_some() && (self.turns.is_empty() || slots.is_within(at));
        self.pairs.is_some() && action.point().is_some_and(is_on_slot)
    }

    /// Whether only neighbours are exchanged.
    pub(super) fn is_stepwise(&self) -> bool {
        self.hole.is_some() || self.pairs == Some(false)
    }

    /// Whether any two may be exchanged, as far as it is known: none that are far from each other were ever refused.
    pub(super) fn may_reach_far(&self) -> bool {
        self.pairs.is_some() && !self.refused
    }

    /// Learns from two clicks that exchanged nothing; whether that is news.
    pub(super) fn refuse(&mut self, slots: &Slots, now: &[Content], a: usize, b: usize) -> bool {
        let is_news = self.may_reach_far() && now[a] != now[b] && slots.distance(a, b) > 1;
        self.refused |= is_news;
        is_news
    }

    /// How many steps all contents together go with one click at most, where nothing is done but turning.
    pub(super) fn stride(&self) -> Option<u32> {
        let only_turns = self.turns_things() && self.hole.is_none() && self.pairs.is_none();
        only_turns.then(|| self.turns.stride().max(stride(&self.around)))
    }

    /// Learns from everything that changed places in a level.
    pub(super) fn learn(&mut self, slots: &Slots, lessons: &[Lesson]) {
        let newest = &lessons[lessons.len().saturating_sub(NEWEST)..];
        let (pairs, others): (Vec<&Lesson>, Vec<&Lesson>) = newest.iter().partition(|it| it.is_pair(slots));
        let far = |it: &&Lesson| it.two().is_some_and(|(a, b)| slots.distance(a, b) > 1);
        if !pairs.is_empty() {
            self.pairs = Some(self.pairs == Some(true) || pairs.iter().any(far));
        }
        let (fitted, others): (Vec<&Lesson>, Vec<&Lesson>) = others.into_iter().partition(|it| it.fitting.is_some());
        self.turns.learn(slots, &fitted);
        if others.is_empty() {
            return;
        }
        self.hole = hole(slots, &others, self.hole);
        match self.hole {
            Some(hole) => self.learn_hole(slots, &others, hole),
            None => self.learn_around(slots, &others),
        }
    }

    fn learn_hole(&mut self, slots: &Slots, lessons: &[&Lesson], hole: Content) {
        if lessons.iter().any(|it| it.action.point().is_some()) {
            self.around.clear();
        }
        for lesson in lessons {
            let Some((a, b)) = lesson.two() else { continue };
            let (from, to) = if lesson.before[a] == hole { (a, b) } else { (b, a) };
            match lesson.action {
                Action::Key(key) => _ = self.keys.insert(key, slots.way(from, to)),
                Action::Click(_) => self.taps |= lesson.clicked(slots) == Some(to),
            }
        }
    }

    /// Fits what comes from where around clicks, if one way explains all of them. What is known stays while it does.
    fn learn_around(&mut self, slots: &Slots, lessons: &[&Lesson]) {
        let clicks: Vec<(&Lesson, usize)> = lessons.iter().filter_map(|it| Some((*it, it.clicked(slots)?))).collect();
        let is_known =
            |(it, at): &(&Lesson, usize)| turned(slots, &it.before, *at, &self.around).as_ref() == Some(&it.after);
        if !clicks.iter().all(is_known) {
            self.around = fit(slots, lessons);
            self.inset = clicks.first().and_then(|(it, _)| slots.inset(it.point()?));
        }
    }

    /// The last click of a level, if it turned something and nobody knows yet how.
    pub(super) fn riddle(&self, lessons: &[Lesson]) -> Option<Action> {
        let last = lessons.last().filter(|it| it.fitting.is_some_and(|fitting| !self.turns.knows(fitting)))?;
        Some(last.action)
    }

    /// Everything that may be done where the slots hold this, and some have fittings. After the first click of a pair there is only the second.
    pub(super) fn deeds(
        &self,
        slots: &Slots,
        now: &[Content],
        (chosen, fitted): (Option<usize>, &[(usize, usize)]),
    ) -> Vec<Deed> {
        let all = 0..slots.len();
        if let (Some(first), Some(_)) = (chosen, self.pairs) {
            return all.filter(|it| *it != first).map(|second| Deed::Second(first, second)).collect();
        }
        let mut deeds: Vec<Deed> = Key::ALL.into_iter().filter(|key| self.way(*key).is_some()).map(Deed::Key).collect();
        if self.taps || !self.around.is_empty() {
            deeds.extend(all.clone().map(Deed::Click));
        }
        deeds.extend(fitted.iter().map(|(slot, turn)| Deed::Turn(*slot, *turn)));
        if self.pairs.is_some() {
            deeds.extend(
                all.clone().flat_map(|first| (first + 1..slots.len()).map(move |second| Deed::Pair(first, second))),
            );
        }
        deeds.retain(|deed| self.after(slots, now, *deed).is_some_and(|after| after != now));
        deeds
    }

    /// What the slots hold after something was done; `None` where it exchanges nothing, or nobody knows what.
    pub(super) fn after(&self, slots: &Slots, now: &[Content], deed: Deed) -> Option<Vec<Content>> {
        let hole = || now.iter().position(|it| Some(*it) == self.hole);
        let are_near = |a: usize, b: usize| slots.distance(a, b) == 1;
        let (a, b, is_open) = match deed {
            Deed::Key(key) => {
                let hole = hole()?;
                (hole, slots.beside(hole, self.way(key)?)?, true)
            }
            Deed::Turn(at, turn) => return self.turns.after(slots, now, at, turn),
            Deed::Click(at) if !self.around.is_empty() => return turned(slots, now, at, &self.around),
            Deed::Click(at) => {
                let hole = hole()?;
                (hole, at, are_near(hole, at))
            }
            Deed::Pair(a, b) | Deed::Second(a, b) => (a, b, self.pairs == Some(true) || are_near(a, b)),
        };
        let mut after = now.to_vec();
        after.swap(a, b);
        is_open.then_some(after)
    }

    /// Where the hole goes with a key: as it was seen to, or else against the way it goes with the opposite arrow.
    pub(super) fn way(&self, key: Key) -> Option<Way> {
        let against = |other: Key| self.keys.get(&other).map(|(dx, dy)| (-dx, -dy));
        self.keys.get(&key).copied().or_else(|| against(key.opposite()?))
    }
}

/// What took part in every exchange of two, each time in one slot only; of several the one that is known for it, or that no
/// tile was seen for.
fn hole(slots: &Slots, lessons: &[&Lesson], known: Option<Content>) -> Option<Content> {
    let first = lessons.first()?;
    let (a, b) = first.two()?;
    let takes_part = |content: Content| {
        let mut ends = lessons.iter().map(|it| it.two().map(|(a, b)| (it, [it.before[a], it.before[b]])));
        ends.all(|it| it.is_some_and(|(it, ends)| ends.contains(&content) && count(&it.before, content) == 1))
    };
    let suspects: Vec<Content> = [first.before[a], first.before[b]].into_iter().filter(|it| takes_part(*it)).collect();
    let unseen = || {
        let bare = [a, b].into_iter().find(|slot| !slots.has(*slot))?;
        Some(first.before[bare]).filter(|it| suspects.contains(it))
    };
    match suspects[..] {
        [only] if lessons.len() > 1 => Some(only),
        _ => known.filter(|it| suspects.contains(it)).or_else(unseen),
    }
}

fn count(contents: &[Content], content: Content) -> usize {
    contents.iter().filter(|it| **it == content).count()
}
