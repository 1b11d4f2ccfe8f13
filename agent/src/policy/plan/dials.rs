//! The skill of dials: turn them until the lamps of all of them are on.
//!
//! Which pictures a dial has, and in which of them it is lit, is learned by turning it on; then a row of clicks is looked
//! for that lights all of them at once. Where there is none as far as it is known, what is not known is looked for: what
//! follows a picture, and what clicks do while a latch is shut that was open whenever they were made. Where there are arrows,
//! or levels were solved although not all dials were lit, the game is about something else.

use std::collections::{HashSet, VecDeque};

use env_client::{Action, ActionSet, Grid, Point};
use world_model::{
    Component, InterfaceMask, Outcome, Scene, Start, Transition,
    dials::{Dials, Pictures},
};

use super::{
    ledger::TIER,
    levers::{clicks_alone, on_rim},
    quest::Quest,
    shortest::shortest,
    skill::{Look, Move, Proposal, Skill, look},
};

/// A row that lights all dials, and a click that should teach something: before pressing on for no reason. Guesses.
const PLAN: f32 = 0.3 * TIER;
const EXPERIMENT: f32 = 0.34 * TIER;
/// How much better both are where lit dials solved a level before.
const WON: f32 = 0.2 * TIER;
/// States that one search looks at: six dials of four pictures each.
const STATES: usize = 5_000;
/// What is smaller or larger is no latch, in cells. Guesses.
const LEAST: u16 = 4;
const LARGEST: u16 = 64;
/// Experiments of one level after which the rest is left to others. A guess.
const EXPERIMENTS: usize = 60;

/// Levels solved otherwise, and none by lit dials, after which a game is taken to be about something else. A guess.
const MISSED: u32 = 2;

/// Understands dials.
#[derive(Debug, Default)]
pub(super) struct Dialing {
    model: Dials,
    quest: Quest<Pictures, Pictures>,
    /// What things look like of which a click turned a dial; and where was clicked in this level.
    looks: HashSet<Look>,
    clicked: Vec<Point>,
    experiments: usize,
    /// Levels that were solved before lit dials solved one.
    missed: u32,
}

impl Dialing {
    /// Something that looks like what turned a dial and was not clicked in this level.
    fn untried(&self, frame: &Grid, mask: &InterfaceMask) -> Option<Point> {
        let scene = Scene::of(frame);
        let is_tried = |at: Point| self.model.buttons().iter().any(|it| self.model.is_one_part(*it, at));
        let is_new = |at: &Point| !mask.hides(*at) && !self.clicked.contains(at) && !is_tried(*at);
        let alike = scene.components().iter().filter(|it| self.looks.contains(&look(it)));
        alike.map(|it| it.center).find(is_new)
    }

    /// Something else that was not clicked in this level, the largest first: there may be latches among it.
    fn strange(&self, frame: &Grid, mask: &InterfaceMask) -> Option<Proposal> {
        let scene = Scene::of(frame);
        let is_thing = |it: &&Component| (LEAST..=LARGEST).contains(&it.area) && !on_rim(it.center, frame);
        let is_tried = |at: Point| self.clicked.contains(&at) || self.model.is_one_part(at, at);
        let is_new = |it: &&Component| is_thing(it) && !mask.hides(it.center) && !is_tried(it.center);
        let all = scene.components().iter().filter(|_| self.model.is_proven());
        let at = all.filter(is_new).max_by_key(|it| it.area)?.center;
        Some(Proposal::experiment(Action::Click(at), format!("see whether {at} changes what turns"), EXPERIMENT))
    }

    /// The shortest row of clicks to one of which this holds, and that.
    fn way(&self, now: &Pictures, is_wanted: impl Fn(Point, &Pictures) -> bool) -> Option<Vec<Point>> {
        let buttons = self.model.buttons();
        let last = |state: &Pictures| buttons.iter().copied().find(|at| is_wanted(*at, state));
        if let Some(at) = last(now) {
            return Some(vec![at]);
        }
        let is_there = |state: &Pictures| last(state).is_some();
        let mut way = shortest(now.clone(), &buttons, |at, now| self.model.after(at, now), is_there, STATES)?;
        let state = way.iter().try_fold(now.clone(), |now, at| self.model.after(*at, &now))?;
        way.push(last(&state)?);
        Some(way)
    }

    /// A row of clicks with what each should lead to, as far as it is known.
    fn steps(&self, frame: &Grid, now: &Pictures, way: &[Point]) -> VecDeque<Move> {
        let mut state = Some(now.clone());
        let step = |at: &Point| {
            state = state.as_ref().and_then(|now| self.model.after(*at, now));
            let expected = state.as_ref().map(|state| self.model.draw(frame, state));
            Move { action: Action::Click(*at), expected }
        };
        way.iter().map(step).collect()
    }

    /// A row that lights all dials.
    fn plan(&mut self, frame: &Grid, now: &Pictures) -> Option<Proposal> {
        let buttons = self.model.buttons();
        let model = &self.model;
        let lit = |now: &Pictures| {
            shortest(now.clone(), &buttons, |at, now| model.after(at, now), |it| model.is_lit(it), STATES)
        };
        let way = lit(now)?;
        let wanted = way.iter().try_fold(now.clone(), |now, at| self.model.after(*at, &now))?;
        let steps = self.steps(frame, now, &way);
        let score = PLAN + steps.len() as f32;
        let plan = Proposal { steps, goal: "all dials lit".to_owned(), score };
        self.quest.plan(now.clone(), wanted, |_, _| Some(plan))
    }

    /// A click that shows something new, or the way to one.
    fn experiment(
        &self,
        frame: &Grid,
        now: &Pictures,
        is_wanted: impl Fn(Point, &Pictures) -> bool,
    ) -> Option<Proposal> {
        let way = self.way(now, is_wanted)?;
        let steps = self.steps(frame, now, &way);
        let score = EXPERIMENT + steps.len() as f32;
        Some(Proposal { steps, goal: format!("see what turns with {}", way.last()?), score })
    }

    fn next(&mut self, frame: &Grid, mask: &InterfaceMask) -> Option<Proposal> {
        if self.model.is_proven()
            && let Some(at) = self.untried(frame, mask)
        {
            let goal = format!("see what turns with {at}");
            return Some(Proposal::experiment(Action::Click(at), goal, EXPERIMENT));
        }
        if !self.model.is_proven() && !self.model.are_known() {
            return None;
        }
        let now = self.model.read(frame);
        let learn = self.experiment(frame, &now, |at, now| self.model.teaches(at, now));
        let plan = learn.or_else(|| self.plan(frame, &now));
        let is_open = |at: Point, now: &Pictures| self.model.after(at, now).is_none();
        let spared = |at: Point, now: &Pictures| is_open(at, now) && !self.model.spoils(at, now);
        let length = |it: &Proposal| it.steps.len();
        let unknown = plan.or_else(|| {
            let open = self.experiment(frame, &now, is_open);
            let spared = self.experiment(frame, &now, spared);
            spared.into_iter().chain(open).min_by_key(length)
        });
        let news = unknown.or_else(|| self.experiment(frame, &now, |at, now| self.model.is_news(at, now)));
        news.or_else(|| self.strange(frame, mask))
    }
}

impl Skill for Dialing {
    fn name(&self) -> &'static str {
        "dials"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, start: Start) {
        self.model.begin(start);
        if start == Start::Level {
            self.quest = Quest::default();
            self.clicked.clear();
            self.experiments = 0;
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let has_turned = self.model.observe(step, mask);
        self.missed += u32::from(step.outcome == Outcome::Solved && !self.model.is_proven());
        let Action::Click(at) = step.action else { return };
        self.clicked.push(at);
        if has_turned {
            self.quest.learned();
            let scene = Scene::of(step.before);
            self.looks.extend(scene.component_at(at).map(|index| look(&scene.components()[index])));
        }
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.quest.rest();
        let is_elsewhere = !self.model.is_proven() && self.missed >= MISSED;
        if !clicks_alone(actions) || is_elsewhere || self.experiments >= EXPERIMENTS {
            return None;
        }
        let proposal = self.next(frame, mask)?;
        let score = if self.model.is_proven() { proposal.score - WON } else { proposal.score };
        Some(Proposal { score, ..proposal })
    }

    fn recognizes(&self, expected: &Grid, seen: &Grid, _mask: &InterfaceMask) -> bool {
        self.model.is_same(expected, seen)
    }

    fn taken_up(&mut self) {
        self.quest.taken_up();
        self.experiments += 1;
    }

    fn in_vain(&mut self) {
        self.quest.in_vain();
    }
}

#[cfg(test)]
mod tests {
    use env_client::{ActionId, Color};

    use super::*;

    /// Two dials of three pictures, a pointer of 7 and a lamp that is 3 in the last one and 8 else, in a frame of 64 cells.
    fn frame(shown: [u8; 2]) -> Grid {
        let mut frame = Grid::filled(64, 64, Color::of(0));
        let mut block = |left: u8, top: u8, color: u8| {
            for (x, y) in (0..3).flat_map(|y| (0..3).map(move |x| (x, y))) {
                frame.set(Point::new(left + x, top + y).unwrap(), Color::of(color));
            }
        };
        for (picture, left) in shown.into_iter().zip([10, 40]) {
            (0..3).for_each(|x| block(left + 3 * x, 10, if x == picture { 7 } else { 2 }));
            block(left + 3, 14, if picture == 2 { 3 } else { 8 });
        }
        frame
    }

    #[test]
    fn dials_are_turned_on_until_all_their_lamps_are() {
        let (mut skill, mask, mut shown) = (Dialing::default(), InterfaceMask::new(), [0, 1]);
        skill.begin(&frame(shown), &mask, Start::Level);
        let mut clicks = VecDeque::from([14, 14, 44, 44].map(|x| Point::new(x, 11).unwrap()));
        let mut made = 0;
        while shown != [2, 2] || made < 4 {
            let now = frame(shown);
            let at = clicks.pop_front().unwrap_or_else(|| {
                let proposal =
                    skill.propose(&now, &mask, ActionSet::of(&[ActionId::Action6])).expect("lamps are known");
                proposal.steps[0].action.point().unwrap()
            });
            let dial = usize::from(at.x() > 30);
            shown[dial] = (shown[dial] + 1) % 3;
            let layers = [frame(shown)];
            let action = Action::Click(at);
            skill.observe(&Transition { before: &now, action, layers: &layers, outcome: Outcome::Continues }, &mask);
            made += 1;
            assert!(made < 7, "{shown:?}");
        }
        let (now, clicks) = (frame([0, 0]), ActionSet::of(&[ActionId::Action6]));
        assert!(skill.propose(&now, &mask, clicks).is_some());
        let with_arrows = ActionSet::of(&[ActionId::Action1, ActionId::Action6]);
        assert_eq!(skill.propose(&now, &mask, with_arrows), None);
        skill.missed = MISSED;
        assert_eq!(skill.propose(&now, &mask, clicks), None, "the game is about something else");
    }
}
