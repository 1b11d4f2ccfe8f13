//! The skill of buttons that pour: press what looks like those that do, then bring into every vessel what is drawn along it.

use std::collections::{HashMap, HashSet, VecDeque};

use env_client::{Action, ActionId, ActionSet, Grid, Point};
use world_model::{
    Bounds, Component, InterfaceMask, Scene, Start, Transition,
    vessels::{Stack, Vessels},
};

use super::{
    ledger::TIER,
    quest::Quest,
    shortest::shortest,
    skill::{Look, Move, Proposal, Skill, look},
};

/// A plan, a press that should teach something, and one that may teach something now, though it did not before.
const PLAN: f32 = 0.3 * TIER;
const EXPERIMENT: f32 = 0.35 * TIER;
const AGAIN: f32 = 0.38 * TIER;
/// Presses of something that never poured.
const LESSONS: usize = 3;
/// States that one search looks at.
const STATES: usize = 100_000;

/// Understands buttons that pour from vessel to vessel.
#[derive(Debug, Default)]
pub(super) struct Pours {
    model: Vessels,
    /// What buttons looked like, in all levels so far.
    looks: HashSet<Look>,
    /// Whether anything was ever drawn along a vessel: else there is nothing to pour for.
    has_drawing: bool,
    /// What was pressed and did not pour: how often, and what the vessels held then.
    mute: HashMap<Point, (Bounds, usize, Vec<Stack>)>,
    /// What is wanted in every vessel, from what they hold.
    quest: Quest<Vec<Option<Stack>>, Vec<Stack>>,
}

impl Pours {
    /// Drawings that look like buttons and are not known to pour.
    fn doubtful(&self, scene: &Scene, mask: &InterfaceMask) -> Vec<Component> {
        let is_known =
            |it: &Component| self.model.buttons().any(|(_, bounds)| self.model.is_one_way(bounds, it.bounds));
        let all = scene.components().iter().filter(|it| self.looks.contains(&look(it)));
        all.filter(|it| !mask.hides(it.center) && !is_known(it)).cloned().collect()
    }

    /// A press that should teach something.
    fn experiment(&self, frame: &Grid, mask: &InterfaceMask) -> Option<Point> {
        let scene = Scene::of(frame);
        let is_mute = |it: &Component| self.mute.values().any(|(bounds, ..)| self.model.is_one_way(*bounds, it.bounds));
        self.doubtful(&scene, mask)
            .into_iter()
            .find(|it| !is_mute(it) && !self.mute.contains_key(&it.center))
            .map(|it| it.center)
    }

    /// A press that did not pour, where the vessels hold something else now.
    fn retrial(&self, now: &[Stack]) -> Option<Point> {
        let is_open = |(bounds, lessons, held): &(Bounds, usize, Vec<Stack>)| {
            let is_known = self.model.buttons().any(|(_, known)| self.model.is_one_way(known, *bounds));
            !is_known && *lessons < LESSONS && held != now
        };
        let open = self.mute.iter().filter(|(_, tried)| is_open(tried));
        open.min_by_key(|(at, (_, lessons, _))| (*lessons, **at)).map(|(at, _)| *at)
    }
}

impl Skill for Pours {
    fn name(&self) -> &'static str {
        "pours"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, start: Start) {
        if start == Start::Level {
            let (mut model, looks) = (std::mem::take(&mut self.model), std::mem::take(&mut self.looks));
            model.begin();
            *self = Pours { model, looks, has_drawing: self.has_drawing, ..Pours::default() };
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let Action::Click(at) = step.action else { return };
        let scene = Scene::of(step.before);
        let Some(component) = scene.component_at(at).map(|index| &scene.components()[index]) else { return };
        self.quest.learned();
        if self.model.observe(step, mask) {
            self.looks.insert(look(component));
        } else if self.looks.contains(&look(component)) {
            let lessons = self.mute.get(&at).map_or(0, |(_, lessons, _)| *lessons);
            self.mute.insert(at, (component.bounds, lessons + 1, self.model.read(step.before)));
        }
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.quest.rest();
        if !actions.contains(ActionId::Action6) || self.looks.is_empty() {
            return None;
        }
        let press = |at: Point, score| {
            Proposal::experiment(Action::Click(at), format!("see what the button at {at} pours"), score)
        };
        let (now, wanted) = (self.model.read(frame), self.model.wanted(frame));
        self.has_drawing |= wanted.iter().any(Option::is_some);
        if !self.has_drawing {
            return None;
        }
        if let Some(at) = self.experiment(frame, mask) {
            return Some(press(at, EXPERIMENT));
        }
        let is_wanted = wanted.iter().any(Option::is_some);
        let plan = is_wanted
            .then(|| self.quest.plan(now.clone(), wanted, |now, wanted| plan(&self.model, frame, now, wanted)))
            .flatten();
        plan.or_else(|| self.retrial(&now).map(|at| press(at, AGAIN)))
    }

    fn is_curious(&self) -> bool {
        true
    }

    fn recognizes(&self, expected: &Grid, seen: &Grid, _mask: &InterfaceMask) -> bool {
        self.model.read(expected) == self.model.read(seen)
    }

    fn taken_up(&mut self) {
        self.quest.taken_up();
    }

    fn in_vain(&mut self) {
        self.quest.in_vain();
    }
}

/// The shortest row of presses that brings into every vessel what is wanted there.
fn search(model: &Vessels, now: &[Stack], wanted: &[Option<Stack>]) -> Option<Vec<Point>> {
    let is_done = |stacks: &Vec<Stack>| {
        wanted.iter().zip(stacks).all(|(wanted, it)| wanted.as_ref().is_none_or(|wanted| wanted == it))
    };
    let buttons: Vec<Point> = model.buttons().map(|(at, _)| at).collect();
    shortest(now.to_vec(), &buttons, |at, stacks| model.press(at, stacks), is_done, STATES)
}

/// That row of presses, with what each should lead to.
fn plan(model: &Vessels, frame: &Grid, now: &[Stack], wanted: &[Option<Stack>]) -> Option<Proposal> {
    let presses = search(model, now, wanted)?;
    let mut stacks = now.to_vec();
    let step = |at: Point| {
        stacks = model.press(at, &stacks)?;
        Some(Move { action: Action::Click(at), expected: Some(model.draw(frame, &stacks)) })
    };
    let steps: VecDeque<Move> = presses.into_iter().map(step).collect::<Option<_>>()?;
    let score = PLAN + steps.len() as f32;
    Some(Proposal { steps, goal: "in every vessel what is drawn along it".to_owned(), score })
}

#[cfg(test)]
mod tests {
    use env_client::Color;
    use world_model::Outcome;

    use super::*;

    /// Two vessels of four units, framed in 2, with bed 1; the lower one should hold what is drawn in `wanted` below it, where
    /// 5 is nothing. Arrows of 9 between them, to the right.
    fn drawn([upper, lower]: [usize; 2], wanted: usize) -> Grid {
        let mut rows = vec![vec![4u8; 20]; 16];
        for (top, units) in [(1, upper), (8, lower)] {
            (0..4).for_each(|y| rows[top + y][1..11].fill(2));
            (1..3).for_each(|y| rows[top + y][2..10].fill(1));
            (1..3).for_each(|y| rows[top + y][2..2 + 2 * units].fill(6));
        }
        rows[12][2..10].fill(5);
        rows[12][2..2 + 2 * wanted].fill(6);
        for x in [12, 16] {
            (0..2).for_each(|dy| rows[5 + dy][x..x + 2].fill(9));
        }
        Grid::from_rows(rows.into_iter().map(|row| row.into_iter().map(Color::of).collect::<Vec<_>>())).unwrap()
    }

    #[test]
    fn a_vessel_is_filled_as_it_is_drawn_by_what_looks_like_a_button_that_poured() {
        let (mut skill, mask, clicks) = (Pours::default(), InterfaceMask::new(), ActionSet::of(&[ActionId::Action6]));
        let mut held = [2, 2];
        skill.begin(&drawn(held, 3), &mask, Start::Level);
        assert_eq!(skill.propose(&drawn(held, 3), &mask, clicks), None, "nothing is known to pour");
        let mut press = |skill: &mut Pours, at: Point| {
            let before = drawn(held, 3);
            // The one to the left pours down one unit, the other one up all that there is.
            let units = if at.x() < 15 { 1.min(held[0]) } else { held[1].min(4 - held[0]) };
            held = if at.x() < 15 { [held[0] - units, held[1] + units] } else { [held[0] + units, held[1] - units] };
            let layers = [drawn(held, 3)];
            let (action, outcome) = (Action::Click(at), Outcome::Continues);
            skill.observe(&Transition { before: &before, action, layers: &layers, outcome }, &mask);
            (layers[0].clone(), held)
        };
        let (mut frame, mut now) = press(&mut skill, Point::new(16, 5).unwrap());
        assert_eq!(now, [4, 0]);
        for _ in 0..6 {
            let Some(proposal) = skill.propose(&frame, &mask, clicks) else { break };
            let at = proposal.steps[0].action.point().unwrap();
            (frame, now) = press(&mut skill, at);
            if now[1] == 3 {
                return;
            }
        }
        panic!("{now:?}");
    }
}
