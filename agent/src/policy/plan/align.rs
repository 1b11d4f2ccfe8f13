//! The skill of buttons that shift things along one axis: try what looks like those that do, then bring everything that
//! moves level with what has its colour and never did.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap, HashSet},
};

use env_client::{Action, ActionId, ActionSet, Grid, Point};
use world_model::{
    Component, InterfaceMask, Outcome, Scene, Start, Transition,
    sliders::{Levels, Rider, Sliders, added},
};

use super::{
    ledger::TIER,
    skill::{Look, Proposal, Skill, look},
    wholes::Wholes,
};

/// A press on the way, and one that should teach something, on the scale of the other skills of buttons. Guesses.
const PLAN: f32 = 0.3 * TIER;
const EXPERIMENT: f32 = 0.35 * TIER;
/// How much better both are where such a press solved a level before: before all that other skills would like to know
/// (measured: 35 instead of 47 actions for the third level of a public game).
const WON: f32 = 0.2 * TIER;
/// Presses of one level after which the rest is left to others. A guess.
const PRESSES: usize = 120;
/// States that one search looks at. A guess: fifty thousand, breadth first, found no row of seventeen presses.
const STATES: usize = 10_000;
/// How much what is missing counts against presses made: a row that is found is better than the shortest. A guess, as in
/// [`super::reach`].
const WEIGHT: u32 = 2;
/// Ways to be level with a mark: with its first cell, with its last one.
const WAYS: usize = 2;

/// Understands buttons that shift things.
#[derive(Debug, Default)]
pub(super) struct Align {
    model: Sliders,
    /// What buttons looked like, in all levels so far.
    looks: HashSet<Look>,
    /// What was pressed in this level.
    tried: HashSet<Point>,
    wholes: Wholes,
    /// Whether some button was seen to do the same again, in this game.
    is_proven: bool,
    /// Whether anything that moved ever had a mark: else there is nothing to learn buttons for.
    has_mark: bool,
    /// What was proposed last, and whether it ever solved a level.
    offer: Option<Point>,
    has_won: bool,
    /// Ways to be level that came about in vain in this level.
    vain: usize,
}

impl Align {
    /// Something that looks like a button and was not pressed in this level.
    fn untried(&self, scene: &Scene, mask: &InterfaceMask) -> Option<Point> {
        let is_new = |it: &&Component| {
            let bounds = it.bounds;
            self.looks.contains(&look(it))
                && !mask.hides(it.center)
                && !self.tried.iter().any(|at| bounds.contains(at.x(), at.y()))
                && !self.wholes.told(scene, it)
        };
        scene.components().iter().find(is_new).map(|it| it.center)
    }

    /// What each lane should come to, from where it is: what rides there level with the only thing of its colour that stays.
    fn wanted(&self, scene: &Scene, mask: &InterfaceMask, now: &Levels) -> BTreeMap<usize, i16> {
        let riders = self.model.riders(scene);
        let is_alone = |it: &&Rider| riders.iter().filter(|other| other.color == it.color).count() == 1;
        let goal = |it: &Rider| {
            let marks = self.model.marks(scene, it.color, mask);
            let [(first, last)] = marks.as_slice() else { return None };
            let ways = [(*first, it.span.0), (*last, it.span.1)];
            let (to, from) = ways[self.vain.min(WAYS - 1)];
            Some((it.lane, now[it.lane] + i16::from(to) - i16::from(from)))
        };
        riders.iter().filter(is_alone).filter_map(goal).collect()
    }

    /// A press, as good as it is by itself or, where such a press won before, better.
    fn propose_press(&mut self, at: Point, goal: String, score: f32) -> Proposal {
        self.offer = Some(at);
        Proposal::experiment(Action::Click(at), goal, if self.has_won { score - WON } else { score })
    }

    /// The first press of a short row that leads to what is wanted, and how long the row is: weighted A* (Pohl, 1970) over the
    /// presses that are missing in all lanes together.
    fn press(&self, now: &Levels, wanted: &BTreeMap<usize, i16>) -> Option<(Point, usize)> {
        let buttons = self.model.buttons();
        let missing = |levels: &Levels| {
            let lane = |(lane, to): (&usize, &i16)| {
                let most = buttons.values().map(|step| step[*lane].unsigned_abs()).max().unwrap_or_default();
                u32::from((to - levels[*lane]).unsigned_abs().div_ceil(most.max(1)))
            };
            wanted.iter().map(lane).sum::<u32>()
        };
        let mut known = HashSet::from([now.clone()]);
        let mut open = BinaryHeap::from([Reverse((WEIGHT * missing(now), 0, now.clone(), None))]);
        while let Some(Reverse((_, length, levels, first))) = open.pop().filter(|_| known.len() < STATES) {
            if is_level(&levels, wanted) {
                return Some((first?, length as usize));
            }
            for (at, step) in &buttons {
                let next = added(&levels, step);
                if !self.model.is_stuck(*at, step, &levels) && known.insert(next.clone()) {
                    open.push(Reverse((length + 1 + WEIGHT * missing(&next), length + 1, next, first.or(Some(*at)))));
                }
            }
        }
        None
    }
}

fn is_level(levels: &Levels, wanted: &BTreeMap<usize, i16>) -> bool {
    wanted.iter().all(|(lane, to)| levels[*lane] == *to)
}

impl Skill for Align {
    fn name(&self) -> &'static str {
        "align"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, start: Start) {
        if start == Start::Again {
            return self.model.begin_again();
        }
        self.model.begin();
        self.tried.clear();
        self.wholes.begin();
        self.vain = 0;
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let Action::Click(at) = step.action else { return };
        self.has_won |= self.offer.take() == Some(at) && step.outcome == Outcome::Solved;
        self.model.observe(step, mask);
        self.wholes.observe(step, mask);
        self.tried.insert(at);
        self.is_proven |= self.model.is_proven();
        if self.model.buttons().contains_key(&at) {
            let scene = Scene::of(step.before);
            self.looks.extend(scene.component_at(at).map(|index| look(&scene.components()[index])));
        }
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        if !actions.contains(ActionId::Action6) || !self.is_proven || self.model.count() >= PRESSES {
            return None;
        }
        let (scene, now) = (Scene::of(frame), self.model.now());
        self.has_mark |= !self.wanted(&scene, mask, &now).is_empty();
        if !self.has_mark {
            return None;
        }
        if let Some(at) = self.untried(&scene, mask) {
            let goal = format!("see what the button at {at} shifts");
            return Some(self.propose_press(at, goal, EXPERIMENT));
        }
        while self.vain < WAYS {
            let wanted = self.wanted(&scene, mask, &now);
            if wanted.is_empty() {
                return None;
            }
            if !is_level(&now, &wanted) {
                let (at, length) = self.press(&now, &wanted)?;
                let goal = format!("level with their marks, {} more", length - 1);
                return Some(self.propose_press(at, goal, PLAN + length as f32));
            }
            self.vain += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use env_client::Color;

    use super::*;

    /// Knobs of 6 and 7 on rails of 4, at these places; marks of their colours below; two buttons of 9, the upper one of
    /// which shifts the first knob right and the second one left, the lower one back.
    fn drawn([first, second]: [usize; 2]) -> Grid {
        let mut rows = vec![vec![0u8; 20]; 16];
        for (top, knob, color, mark) in [(1, first, 6, 9), (7, second, 7, 4)] {
            rows[top + 1][1..15].fill(4);
            (0..3).for_each(|y| rows[top + y][knob..knob + 2].fill(color));
            rows[top + 4][mark..mark + 2].fill(color);
        }
        for row in [2, 3, 10, 11] {
            rows[row][17..19].fill(9);
        }
        Grid::from_rows(rows.into_iter().map(|row| row.into_iter().map(Color::of).collect::<Vec<_>>())).unwrap()
    }

    /// Where a press leads: no knob leaves its rail.
    fn pressed([first, second]: [usize; 2], at: Point) -> [usize; 2] {
        match at.y() < 8 {
            true if first < 12 && second > 2 => [first + 2, second - 2],
            false if first > 2 && second < 12 => [first - 2, second + 2],
            _ => [first, second],
        }
    }

    #[test]
    fn knobs_come_to_the_marks_of_their_colours() {
        let (mut skill, mask, clicks) = (Align::default(), InterfaceMask::new(), ActionSet::of(&[ActionId::Action6]));
        let mut knobs = [5, 8];
        skill.begin(&drawn(knobs), &mask, Start::Level);
        let mut press = |skill: &mut Align, at: Point| {
            let before = drawn(knobs);
            knobs = pressed(knobs, at);
            let layers = [drawn(knobs)];
            let (action, outcome) = (Action::Click(at), Outcome::Continues);
            skill.observe(&Transition { before: &before, action, layers: &layers, outcome }, &mask);
            (layers[0].clone(), knobs)
        };
        let down = Point::new(17, 10).unwrap();
        press(&mut skill, down);
        let (mut frame, mut now) = press(&mut skill, down);
        assert_eq!(now, [1, 12]);
        let mut rows = 0;
        while now != [9, 4] && rows < 5 {
            let proposal = skill.propose(&frame, &mask, clicks).unwrap();
            (frame, now) = press(&mut skill, proposal.steps[0].action.point().unwrap());
            rows += 1;
        }
        assert_eq!((now, rows), ([9, 4], 4));
    }

    #[test]
    fn nothing_is_proposed_before_a_button_did_the_same_twice() {
        let (mut skill, mask, clicks) = (Align::default(), InterfaceMask::new(), ActionSet::of(&[ActionId::Action6]));
        skill.begin(&drawn([5, 8]), &mask, Start::Level);
        let (before, layers) = (drawn([5, 8]), [drawn([7, 6])]);
        let (action, outcome) = (Action::Click(Point::new(17, 2).unwrap()), Outcome::Continues);
        skill.observe(&Transition { before: &before, action, layers: &layers, outcome }, &mask);
        assert_eq!(skill.propose(&layers[0], &mask, clicks), None);
    }
}
