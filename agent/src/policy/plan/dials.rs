//! The skill of dials: turn them until the lamps of all of them are on.
//!
//! Which pictures a dial has, and in which of them it is lit, is learned by turning it on; then a row of clicks is looked
//! for that lights all of them at once. Where there is none as far as it is known, what is not known is looked for: what
//! follows a picture, and what clicks do while a latch is shut that was open whenever they were made. Where there are arrows,
//! or levels were solved without any of this, the game is about something else.

use std::collections::{HashSet, VecDeque};

use env_client::{Action, ActionSet, Grid, Point};
use world_model::{
    InterfaceMask, Outcome, Scene, Start, Transition,
    dials::{Dials, Pictures},
};

use super::{
    ledger::TIER,
    levers::clicks_alone,
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
    /// Whether a row of clicks is being carried out, whether one ever solved a level, and how many levels others solved.
    at_work: bool,
    has_won: bool,
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
        if !(self.model.are_known() || self.model.is_proven() && self.has_won) {
            return None;
        }
        let now = self.model.read(frame);
        let learn = self.experiment(frame, &now, |at, now| self.model.teaches(at, now));
        let plan = learn.or_else(|| self.plan(frame, &now));
        let unknown = plan.or_else(|| self.experiment(frame, &now, |at, now| self.model.after(at, now).is_none()));
        unknown.or_else(|| self.experiment(frame, &now, |at, now| self.model.is_news(at, now)))
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
        if step.outcome == Outcome::Solved {
            self.has_won |= self.at_work;
            self.missed += u32::from(!self.at_work);
        }
        let has_turned = self.model.observe(step, mask);
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
        self.at_work = false;
        let is_elsewhere = !self.has_won && self.missed >= MISSED;
        if !clicks_alone(actions) || is_elsewhere || self.experiments >= EXPERIMENTS {
            return None;
        }
        let proposal = self.next(frame, mask)?;
        let score = if self.has_won { proposal.score - WON } else { proposal.score };
        Some(Proposal { score, ..proposal })
    }

    fn recognizes(&self, expected: &Grid, seen: &Grid, _mask: &InterfaceMask) -> bool {
        self.model.is_same(expected, seen)
    }

    fn taken_up(&mut self) {
        self.quest.taken_up();
        self.experiments += 1;
        self.at_work = true;
    }

    fn in_vain(&mut self) {
        self.quest.in_vain();
    }
}
