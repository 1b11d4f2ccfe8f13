//! The skill of men on a board: find out how each kind goes, then bring all to their marks.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, VecDeque},
};

use env_client::{Action, ActionId, ActionSet, Grid};
use world_model::{
    InterfaceMask, Start, Transition,
    chessmen::{Chessmen, Position},
};

use super::{
    ledger::TIER,
    skill::{Move, Proposal, Skill},
};

/// A plan, and a key that should teach something.
const PLAN: f32 = 0.3 * TIER;
const EXPERIMENT: f32 = 0.35 * TIER;
/// Positions that one search looks at. A guess, as are the two below.
const POSITIONS: usize = 150_000;
/// Plans in one level after which the rest is left to others, and such as all came true in vain.
const PLANS: u32 = 24;
const IN_VAIN: u32 = 2;

/// Understands men that are picked by clicks and moved by keys.
#[derive(Debug, Default)]
pub(super) struct Men {
    model: Chessmen,
    /// What the proposal made last should lead to, step by step, and the same of the one under way.
    proposed: VecDeque<Position>,
    foreseen: VecDeque<Position>,
    is_surprised: bool,
    /// Whether what is under way should bring all men to their marks.
    is_plan: bool,
    plans: u32,
    in_vain: u32,
    /// A position from which no way was found, and how much was known then.
    exhausted: Option<(Position, u32)>,
}

impl Men {
    /// The fewest actions that bring all men to their marks.
    fn plan(&mut self, now: Position) -> Option<Proposal> {
        let known = (now, self.model.lessons());
        if self.exhausted == Some(known) {
            return None;
        }
        let way = [false, true].into_iter().find_map(|dares| cheapest(&self.model, now, dares));
        let Some(way) = way else {
            self.exhausted = Some(known);
            return None;
        };
        self.proposed = way.iter().map(|it| it.1).collect();
        let steps: VecDeque<Move> = way.into_iter().map(|it| Move { action: it.0, expected: None }).collect();
        let score = PLAN + steps.len() as f32;
        Some(Proposal { steps, goal: "every piece on the mark of its kind".to_owned(), score })
    }

    fn experiment(&self, now: &Position, is_any_key: bool) -> Option<Proposal> {
        let action = self.model.experiment(now, is_any_key)?;
        Some(Proposal::experiment(action, "see how such a piece moves".to_owned(), EXPERIMENT))
    }
}

impl Skill for Men {
    fn name(&self) -> &'static str {
        "men"
    }

    fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.model.begin(frame, mask, start);
        self.foreseen.clear();
        if start == Start::Level {
            (self.plans, self.in_vain, self.exhausted) = (0, 0, None);
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.model.observe(step, mask);
        let seen = step.after().and_then(|after| self.model.read(after));
        self.is_surprised = self.foreseen.pop_front().is_some_and(|it| seen != Some(it));
    }

    fn propose(&mut self, frame: &Grid, _mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.proposed.clear();
        let is_given_up = self.plans >= PLANS || self.in_vain >= IN_VAIN;
        if is_given_up || !actions.contains(ActionId::Action6) || !self.model.is_understood() {
            return None;
        }
        let now = self.model.read(frame).filter(|it| !self.model.is_done(it))?;
        self.experiment(&now, false).or_else(|| self.plan(now)).or_else(|| self.experiment(&now, true))
    }

    fn gives_up(&self) -> bool {
        self.is_surprised
    }

    fn taken_up(&mut self) {
        self.foreseen = std::mem::take(&mut self.proposed);
        self.is_plan = !self.foreseen.is_empty();
        self.plans += u32::from(self.is_plan);
    }

    fn in_vain(&mut self) {
        self.in_vain += u32::from(self.is_plan);
    }
}

/// A position, the actions that led there, and the one before it with the last of them.
type Reached = (Position, u32, Option<(usize, Action)>);

/// The actions from a position to one where all men are on their marks, as few as are found, and what each leads to: by
/// actions so far and those left at least.
fn cheapest(model: &Chessmen, start: Position, dares: bool) -> Option<Vec<(Action, Position)>> {
    let mut reached: Vec<Reached> = vec![(start, 0, None)];
    let mut best = HashMap::from([(start, 0)]);
    let mut open = BinaryHeap::from([(Reverse(model.bound(&start)), 0, Reverse(0))]);
    while let Some((_, _, Reverse(index))) = open.pop() {
        let (position, actions, _) = reached[index];
        if model.is_done(&position) {
            return Some(path(&reached, index));
        }
        if reached.len() >= POSITIONS || best[&position] < actions {
            continue;
        }
        for (action, next) in model.moves(&position, dares) {
            let known = best.entry(next).or_insert(u32::MAX);
            if actions + 1 < *known {
                *known = actions + 1;
                open.push((Reverse(actions + 1 + model.bound(&next)), actions + 1, Reverse(reached.len())));
                reached.push((next, actions + 1, Some((index, action))));
            }
        }
    }
    None
}

/// What was done on the way to a position, and what it led to.
fn path(reached: &[Reached], mut index: usize) -> Vec<(Action, Position)> {
    let mut path = Vec::new();
    while let (position, _, Some((from, action))) = reached[index] {
        path.push((action, position));
        index = from;
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use env_client::{Color, Key, Point};
    use world_model::Outcome;

    use super::*;

    const CROSS: [(usize, usize); 5] = [(1, 0), (0, 1), (2, 1), (1, 2), (1, 1)];
    const SALTIRE: [(usize, usize); 5] = [(0, 0), (2, 0), (0, 2), (2, 2), (1, 1)];
    /// The tiles of both marks, each the drawing of a man without its middle.
    const MARKS: [(usize, usize); 2] = [(4, 3), (0, 0)];

    /// Five by four tiles of five cells, two men of other forms that each key takes one tile on, and who is picked, on a tile of another colour,
    /// seams included.
    #[derive(Clone, Copy)]
    struct Game {
        men: [(usize, usize); 2],
        picked: Option<usize>,
    }

    impl Game {
        fn frame(self) -> Grid {
            let mut frame = vec![vec![2u8; 40]; 40];
            for (x, y) in (0..4).flat_map(|y| (0..5).map(move |x| (x, y))) {
                (0..5).for_each(|dy| frame[6 + 5 * y + dy][6 + 5 * x..][..5].fill(5));
                (0..4).for_each(|dy| frame[6 + 5 * y + dy][6 + 5 * x..][..4].fill(4));
            }
            if let Some((x, y)) = self.picked.map(|man| self.men[man]) {
                (0..5).for_each(|dy| frame[5 + 5 * y + dy][5 + 5 * x..][..5].fill(0));
            }
            let mut put = |(x, y): (usize, usize), cells: &[(usize, usize)], color: u8| {
                for (dx, dy) in cells {
                    frame[6 + 5 * y + dy][6 + 5 * x + dx] = color;
                }
            };
            for ((mark, man), (form, color)) in MARKS.into_iter().zip(self.men).zip([(CROSS, 8), (SALTIRE, 9)]) {
                put(mark, &form[..4], color);
                put(man, &form, color);
            }
            Grid::from_rows(frame.into_iter().map(|row| row.into_iter().map(Color::of).collect::<Vec<_>>())).unwrap()
        }

        fn after(mut self, action: Action) -> Game {
            let tile = |at: Point| (usize::from(at.x() - 6) / 5, usize::from(at.y() - 6) / 5);
            match (action, self.picked) {
                (Action::Click(at), _) => self.picked = self.men.iter().position(|it| *it == tile(at)).or(self.picked),
                (Action::Key(key), Some(man)) => {
                    let (x, y) = self.men[man];
                    let to = match key {
                        Key::Key1 => (x, y.saturating_sub(1)),
                        Key::Key2 => (x, (y + 1).min(3)),
                        Key::Key3 => (x.saturating_sub(1), y),
                        _ => ((x + 1).min(4), y),
                    };
                    self.men[man] = if self.men.contains(&to) { (x, y) } else { to };
                }
                _ => {}
            }
            self
        }
    }

    #[test]
    fn two_men_are_brought_to_their_marks_once_one_was_seen_to_go() {
        let (mut skill, mask) = (Men::default(), InterfaceMask::new());
        let arrows = [ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4];
        let all = ActionSet::of(&[arrows.as_slice(), &[ActionId::Action6]].concat());
        let mut game = Game { men: [(1, 1), (3, 1)], picked: None };
        skill.begin(&game.frame(), &mask, Start::Level);
        let mut act = |skill: &mut Men, action: Action| {
            let before = game.frame();
            game = game.after(action);
            let layers = [game.frame()];
            skill.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues }, &mask);
            game
        };
        let click = Action::Click(Point::new(6 + 5 + 1, 6 + 5 + 1).unwrap());
        for action in [Action::Key(Key::Key1), click, Action::Key(Key::Key1)] {
            is_not_understood(&mut skill, &mask, all);
            act(&mut skill, action);
        }
        let mut now = act(&mut skill, Action::Key(Key::Key2));
        assert_eq!(skill.propose(&now.frame(), &mask, ActionSet::of(&arrows)), None, "nobody can be picked");
        let mut actions = 0;
        while now.men != MARKS {
            let proposal = skill.propose(&now.frame(), &mask, all).expect("a way is known or to be found out");
            skill.taken_up();
            for step in proposal.steps {
                now = act(&mut skill, step.action);
                actions += 1;
                if skill.gives_up() {
                    break;
                }
            }
            assert!(actions < 30, "{:?}", now.men);
        }
        assert_eq!(skill.propose(&now.frame(), &mask, all), None, "all is done");
    }

    fn is_not_understood(skill: &mut Men, mask: &InterfaceMask, all: ActionSet) {
        let frame = Game { men: [(1, 1), (3, 1)], picked: None }.frame();
        assert_eq!(skill.propose(&frame, mask, all), None, "nobody was seen to go");
    }
}
