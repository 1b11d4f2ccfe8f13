//! What a skill keeps in mind of the plans it made in a level, so that none is made again in vain.

use super::skill::Proposal;

/// Plans taken up in one level before the rest is left to others: a model that is right needs few. A guess.
const PLANS: u32 = 12;
/// Different things wanted from one place in vain before nothing else is looked for from there: each look costs a search. A
/// guess.
const LOOKS: usize = 4;

/// Times that one thing is gone for from one place: what it led to otherwise was not what was foreseen. A guess.
const BEGINNINGS: u32 = 2;

/// Plans for what is `W`anted, made where things are as in a `S`tate.
#[derive(Debug)]
pub(super) struct Quest<W, S> {
    plans: u32,
    /// What was gone for, from where, and how often: at most as many as there are plans.
    begun: Vec<(S, W, u32)>,
    /// The newest plan that was made: from where, and for what; and once it is under way which of those it is.
    made: Option<(S, W)>,
    pursued: Option<usize>,
    /// What was wanted, came about and did not solve the level.
    refuted: Vec<W>,
    /// Where no way was found, and to what, unless something was learned since.
    exhausted: Option<(S, Vec<W>)>,
}

impl<W, S> Default for Quest<W, S> {
    fn default() -> Self {
        Quest { plans: 0, begun: Vec::new(), made: None, pursued: None, refuted: Vec::new(), exhausted: None }
    }
}

impl<W: PartialEq, S: PartialEq> Quest<W, S> {
    /// Something was learned: there may be a way now.
    pub(super) fn learned(&mut self) {
        self.exhausted = None;
    }

    /// No plan is under way.
    pub(super) fn rest(&mut self) {
        (self.made, self.pursued) = (None, None);
    }

    /// The plan that `find` makes, unless what is wanted came about in vain before, or no way to it was found from here.
    pub(super) fn plan(
        &mut self,
        now: S,
        wanted: W,
        find: impl FnOnce(&S, &W) -> Option<Proposal>,
    ) -> Option<Proposal> {
        if !self.is_open(&now, &wanted) {
            return None;
        }
        let plan = find(&now, &wanted);
        match (&plan, &mut self.exhausted) {
            (Some(_), _) => self.made = Some((now, wanted)),
            (None, Some((place, in_vain))) if *place == now => in_vain.push(wanted),
            (None, exhausted) => *exhausted = Some((now, vec![wanted])),
        }
        plan
    }

    /// Whether a way to this may be looked for from here.
    pub(super) fn is_open(&self, now: &S, wanted: &W) -> bool {
        let is_worn = || self.begun.iter().any(|(from, to, times)| *times >= BEGINNINGS && (from, to) == (now, wanted));
        self.plans < PLANS && !self.is_exhausted(now, wanted) && !self.refuted.contains(wanted) && !is_worn()
    }

    /// Whether no way to this was found from here, or to too many other things.
    fn is_exhausted(&self, now: &S, wanted: &W) -> bool {
        let here = self.exhausted.as_ref().filter(|(place, _)| place == now);
        here.is_some_and(|(_, in_vain)| in_vain.len() >= LOOKS || in_vain.contains(wanted))
    }

    /// The plan that was made is what will be done next.
    pub(super) fn taken_up(&mut self) {
        let Some((now, wanted)) = self.made.take() else { return };
        self.plans += 1;
        let known = self.begun.iter().position(|(from, to, _)| *from == now && *to == wanted);
        let index = known.unwrap_or(self.begun.len());
        match known {
            Some(known) => self.begun[known].2 += 1,
            None => self.begun.push((now, wanted, 1)),
        }
        self.pursued = Some(index);
    }

    /// All went as planned, yet the level goes on.
    pub(super) fn in_vain(&mut self) {
        let wanted = self.pursued.take().map(|it| self.begun.swap_remove(it).1);
        self.refuted.extend(wanted);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use env_client::{Action, Point};

    use super::*;

    fn press() -> Proposal {
        Proposal::experiment(Action::Click(Point::default()), String::new(), 0.0)
    }

    #[test]
    fn no_way_is_looked_for_twice_from_the_same_place_unless_something_was_learned() {
        let (mut quest, searches) = (Quest::default(), Cell::new(0));
        let look = |quest: &mut Quest<u8, u8>, now| {
            quest.plan(now, 7, |_, _| {
                searches.set(searches.get() + 1);
                None
            })
        };
        for now in [1, 1, 2, 2] {
            assert_eq!(look(&mut quest, now), None);
        }
        assert_eq!(searches.get(), 2);
        quest.learned();
        look(&mut quest, 2);
        assert_eq!(searches.get(), 3);
    }

    #[test]
    fn what_is_out_of_reach_leaves_the_rest_open_up_to_a_few() {
        let mut quest: Quest<u8, u8> = Quest::default();
        assert!(quest.plan(1, 7, |_, _| None).is_none());
        assert!(quest.plan(1, 8, |_, _| Some(press())).is_some());
        assert!(quest.plan(1, 7, |_, _| Some(press())).is_none(), "nothing was learned");
        assert_eq!([(1, 7), (1, 8), (2, 7)].map(|(now, wanted)| quest.is_open(&now, &wanted)), [false, true, true]);
        assert!(quest.plan(2, 7, |_, _| Some(press())).is_some(), "from elsewhere");
        (10..10 + LOOKS as u8).for_each(|wanted| assert!(quest.plan(1, wanted, |_, _| None).is_none()));
        assert!(quest.plan(1, 9, |_, _| Some(press())).is_none());
    }

    #[test]
    fn what_came_about_in_vain_is_wanted_no_more_and_surprises_end_it() {
        let mut quest: Quest<u8, u8> = Quest::default();
        assert!(quest.plan(1, 7, |_, _| Some(press())).is_some());
        quest.taken_up();
        quest.in_vain();
        assert!(quest.plan(1, 7, |_, _| Some(press())).is_none());
        for now in 1..PLANS as u8 {
            assert!(quest.plan(now, 8, |_, _| Some(press())).is_some());
            quest.taken_up();
            quest.rest();
        }
        assert!(quest.plan(99, 8, |_, _| Some(press())).is_none());
    }

    #[test]
    fn plans_that_are_not_taken_up_leave_no_trace() {
        let mut quest: Quest<u8, u8> = Quest::default();
        (0..100).for_each(|now| assert!(quest.plan(now, 7, |_, _| Some(press())).is_some()));
        assert!(quest.begun.is_empty());
    }

    #[test]
    fn what_led_elsewhere_from_a_place_again_and_again_is_gone_for_from_other_places() {
        let mut quest: Quest<u8, u8> = Quest::default();
        for _ in 0..BEGINNINGS {
            assert!(quest.plan(1, 7, |_, _| Some(press())).is_some());
            quest.taken_up();
            quest.rest();
        }
        assert!(quest.plan(1, 7, |_, _| Some(press())).is_none());
        assert!(quest.plan(2, 7, |_, _| Some(press())).is_some() && quest.plan(1, 8, |_, _| Some(press())).is_some());
    }
}
