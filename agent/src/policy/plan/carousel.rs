//! The skill of buttons that move tokens round: press every button like those that do, then bring each token to the slot
//! that is framed in its colour, or to where a drawing shows it.

use std::collections::{HashMap, HashSet, VecDeque};

use env_client::{Action, ActionId, ActionSet, Color, Grid, Point};
use world_model::{InterfaceMask, Scene, Start, Transition, tracks::Tracks};

use super::{
    ledger::TIER,
    quest::Quest,
    shortest::{between, shortest},
    skill::{Look, Move, Proposal, Skill, look},
    wholes::Wholes,
};

/// A plan, and a press that should teach something.
const PLAN: f32 = 0.3 * TIER;
const EXPERIMENT: f32 = 0.35 * TIER;
/// What plans are for.
const FRAMED: &str = "every token in the slot framed in its colour";
const DRAWN: &str = "every token where a drawing shows it";
/// Presses of one button to learn what it does.
const LESSONS: usize = 3;
/// States that one search looks at.
const STATES: usize = 250_000;

/// Understands buttons that move tokens between slots.
#[derive(Debug, Default)]
pub(super) struct Carousel {
    model: Tracks,
    /// What buttons looked like, in all levels so far, and what they lay on: what is drawn on a button is none elsewhere.
    looks: HashSet<(Look, Color)>,
    pressed: HashSet<Point>,
    wholes: Wholes,
    /// Clicks by place, in this level.
    lessons: HashMap<Point, usize>,
    /// What is wanted in each slot, from what lies in them.
    quest: Quest<Vec<Option<Color>>, Vec<Color>>,
}

impl Carousel {
    /// A thing that looks like a button and was never pressed, or a button whose effect is still a guess.
    fn experiment(&self, frame: &Grid, mask: &InterfaceMask) -> Option<Point> {
        let scene = Scene::of(frame);
        let alike = scene.components().iter().filter(|it| self.looks.contains(&(look(it), it.surround)));
        let is_known = |at: Point| self.pressed.contains(&at) || self.model.has_button_at(at);
        let mut fresh =
            alike.filter(|it| !mask.hides(it.center) && !is_known(it.center) && !self.wholes.told(&scene, it));
        let taught = |at: &Point| self.lessons.get(at).copied().unwrap_or_default();
        let doubtful = || self.model.doubtful().find(|(at, presses)| (*presses).max(taught(at)) < LESSONS);
        fresh.next().map(|it| it.center).or_else(|| doubtful().map(|(at, _)| at))
    }

    /// The colour wanted in each slot: the one colour of tokens that frames it.
    fn wanted(&self, now: &[Color]) -> Vec<Option<Color>> {
        let around = self.model.frames();
        let mut moving = vec![false; now.len()];
        for (_, turn, _) in self.model.buttons() {
            turn.slots().for_each(|slot| moving[slot] = true);
        }
        let ground = around.iter().fold(u16::MAX, |set, it| set & it);
        let tokens = now.iter().zip(&moving).filter(|(_, moving)| **moving);
        let tokens = tokens.fold(0, |set, (color, _)| set | 1 << color.index()) & !ground;
        let one = |set: u16| set.is_power_of_two().then(|| Color::ALL[set.trailing_zeros() as usize]);
        around.iter().zip(moving).map(|(set, moving)| one(set & tokens).filter(|_| moving)).collect()
    }
}

impl Skill for Carousel {
    fn name(&self) -> &'static str {
        "carousel"
    }

    fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.model.begin(frame, mask, start);
        if start == Start::Level {
            self.pressed.clear();
            self.wholes.begin();
            self.lessons.clear();
            self.quest = Quest::default();
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let Action::Click(at) = step.action else { return };
        let known = self.model.buttons().count();
        *self.lessons.entry(at).or_default() += 1;
        self.model.observe(step);
        self.wholes.observe(step, mask);
        self.quest.learned();
        let scene = Scene::of(step.before);
        if let Some(index) = scene.component_at(at) {
            let it = &scene.components()[index];
            self.pressed.insert(it.center);
            if self.model.buttons().count() > known {
                self.looks.insert((look(it), it.surround));
            }
        }
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.quest.rest();
        if !actions.contains(ActionId::Action6) || (self.looks.is_empty() && self.model.buttons().next().is_none()) {
            return None;
        }
        if let Some(at) = self.experiment(frame, mask) {
            return Some(Proposal::experiment(
                Action::Click(at),
                format!("see what the button at {at} moves"),
                EXPERIMENT,
            ));
        }
        let now = self.model.read(frame)?;
        let framed = Some(self.wanted(&now)).filter(|it| it.iter().any(Option::is_some));
        let drawn = self.model.drawings().iter().map(|it| it.iter().copied().map(Some).collect());
        let wishes = framed.into_iter().map(|it| (it, FRAMED)).chain(drawn.map(|it| (it, DRAWN)));
        wishes.filter(|(wanted, _)| !is_done(wanted, &now)).find_map(|(wanted, goal)| {
            self.quest.plan(now.clone(), wanted, |now, wanted| plan(&self.model, frame, now, (wanted, goal)))
        })
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

fn is_done(wanted: &[Option<Color>], now: &[Color]) -> bool {
    wanted.iter().zip(now).all(|(wanted, color)| wanted.is_none_or(|it| it == *color))
}

/// The shortest row of presses that fills every framed slot. What lies in the slots matters only where its colour is
/// wanted somewhere. Where one is wanted in every slot that moves, it is looked for from both ends.
fn search(model: &Tracks, now: &[Color], wanted: &[Option<Color>]) -> Option<Vec<Point>> {
    let matters: HashSet<Color> = wanted.iter().flatten().copied().collect();
    let plain = |color: &Color| if matters.contains(color) { *color } else { Color::default() };
    let now: Vec<Color> = now.iter().map(plain).collect();
    let buttons: Vec<Point> = model.buttons().map(|(at, ..)| at).collect();
    let after = |at: Point, colors: &Vec<Color>| Some(model.turn_at(at)?.apply(colors));
    let Some(end) = end(model, &now, wanted) else {
        return shortest(now, &buttons, after, |colors| is_done(wanted, colors), STATES);
    };
    let before = |at: Point, colors: &Vec<Color>| Some(model.turn_at(at)?.undo(colors));
    if are_alike(&now, &end) { between(now, end, &buttons, after, before, STATES) } else { None }
}

/// What lies in the slots in the end, where that is told of all that move.
fn end(model: &Tracks, now: &[Color], wanted: &[Option<Color>]) -> Option<Vec<Color>> {
    let moving: HashSet<usize> = model.buttons().flat_map(|(_, turn, _)| turn.slots()).collect();
    let lies = |slot: usize| if moving.contains(&slot) { wanted[slot] } else { Some(now[slot]) };
    (0..now.len()).map(lies).collect()
}

/// Whether some colours are others in another order.
fn are_alike(one: &[Color], other: &[Color]) -> bool {
    let sorted = |colors: &[Color]| {
        let mut colors = colors.to_vec();
        colors.sort_unstable();
        colors
    };
    sorted(one) == sorted(other)
}

/// That row of presses, with what each should lead to.
fn plan(model: &Tracks, frame: &Grid, now: &[Color], (wanted, goal): (&[Option<Color>], &str)) -> Option<Proposal> {
    let presses = search(model, now, wanted)?;
    let mut colors = now.to_vec();
    let step = |at: Point| {
        colors = model.turn_at(at)?.apply(&colors);
        Some(Move { action: Action::Click(at), expected: Some(model.draw(frame, &colors)?) })
    };
    let steps: VecDeque<Move> = presses.into_iter().map(step).collect::<Option<_>>()?;
    let score = PLAN + steps.len() as f32;
    Some(Proposal { steps, goal: goal.to_owned(), score })
}

#[cfg(test)]
mod tests {
    use world_model::Outcome;

    use super::*;

    const PLACES: [(u8, u8); 8] = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)];

    /// A button on the left, a closed track of eight tokens, and a frame of colour 7 at the fifth slot.
    fn drawn(tokens: [u8; 8]) -> Grid {
        let mut grid = Grid::filled(32, 20, Color::of(0));
        let mut block = |left: u8, top: u8, color: u8| {
            for (x, y) in (0..3).flat_map(|y| (0..3).map(move |x| (x, y))) {
                grid.set(Point::new(left + x, top + y).unwrap(), Color::of(color));
            }
        };
        PLACES.into_iter().zip(tokens).for_each(|((x, y), token)| block(10 + 5 * x, 2 + 5 * y, token));
        block(2, 7, 9);
        for (x, y) in [(19, 11), (23, 11), (19, 15), (23, 15)] {
            grid.set(Point::new(x, y).unwrap(), Color::of(7));
        }
        grid
    }

    #[test]
    fn a_token_is_brought_to_the_slot_framed_in_its_color_by_a_button_pressed_once_before() {
        let (mut skill, mask) = (Carousel::default(), InterfaceMask::new());
        let (mut tokens, actions) = ([7, 1, 2, 3, 4, 5, 6, 8], ActionSet::of(&[ActionId::Action6]));
        skill.begin(&drawn(tokens), &mask, Start::Level);
        let button = Point::new(3, 8).unwrap();
        for presses in 1..=4 {
            let before = drawn(tokens);
            tokens.rotate_right(1);
            let (action, layers) = (Action::Click(button), [drawn(tokens)]);
            skill.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues }, &mask);
            let proposal = skill.propose(&layers[0], &mask, actions);
            let planned = proposal.map(|it| (it.steps.len(), it.steps[0].action));
            assert_eq!(planned, (presses < 4).then_some((4 - presses, action)), "after {presses} presses");
        }
    }

    /// A board of three by three tiles with an arrow at both ends of each row, and a drawing of it.
    fn arrows(tiles: [[u8; 3]; 3], drawing: [[u8; 3]; 3]) -> Grid {
        let mut grid = Grid::filled(64, 64, Color::of(2));
        let mut block = |(left, top): (usize, usize), side: usize, color: u8| {
            for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
                grid.set(Point::new((left + x) as u8, (top + y) as u8).unwrap(), Color::of(color));
            }
        };
        block((32, 19), 25, 5);
        block((1, 24), 15, 0);
        block((2, 25), 13, 5);
        for (x, y) in (0..3).flat_map(|y| (0..3).map(move |x| (x, y))) {
            block((33 + 8 * x, 20 + 8 * y), 7, tiles[y][x]);
            block((3 + 4 * x, 26 + 4 * y), 3, drawing[y][x]);
        }
        for row in 0..3 {
            let y = 22 + 8 * row;
            let left = [(27, y + 1), (28, y), (28, y + 1), (28, y + 2)];
            for at in left.into_iter().chain([(60, y + 1), (59, y), (59, y + 1), (59, y + 2)]) {
                block(at, 1, 11);
            }
        }
        grid
    }

    #[test]
    fn a_button_is_pressed_again_as_long_as_nothing_explains_what_it_did() {
        let (mut skill, mask, drawing) = (Carousel::default(), InterfaceMask::new(), [[8, 4, 4], [4, 4, 4], [4, 4, 4]]);
        let (mut tiles, actions) = ([[1, 4, 8]; 3], ActionSet::of(&[ActionId::Action6]));
        skill.begin(&arrows(tiles, drawing), &mask, Start::Level);
        let arrow = |x: u8, row: u8| Point::new(x, 23 + 8 * row).unwrap();
        let all = [0, 2, 1].map(|row| [59, 28].map(|x| arrow(x, row)));
        for at in all.into_iter().flatten() {
            let before = arrows(tiles, drawing);
            // The arrows of the second row exchange what lies at its ends, those of the others turn theirs.
            match ((at.y() - 20) / 8, at.x() < 32) {
                (1, _) => tiles[1].swap(0, 2),
                (row, true) => tiles[usize::from(row)].rotate_left(1),
                (row, false) => tiles[usize::from(row)].rotate_right(1),
            }
            let (action, layers) = (Action::Click(at), [arrows(tiles, drawing)]);
            skill.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues }, &mask);
        }
        let proposal = skill.propose(&arrows(tiles, drawing), &mask, actions).unwrap();
        assert_eq!(proposal.steps[0].action, Action::Click(arrow(59, 1)));
    }

    #[test]
    fn rows_that_arrows_turn_are_turned_until_all_lies_as_drawn() {
        let (mut skill, mask, drawing) = (Carousel::default(), InterfaceMask::new(), [[8, 4, 4], [4, 4, 4], [4, 4, 4]]);
        let (mut tiles, actions) = ([[4, 4, 8], [4, 4, 4], [4, 4, 4]], ActionSet::of(&[ActionId::Action6]));
        skill.begin(&arrows(tiles, drawing), &mask, Start::Level);
        let act = |skill: &mut Carousel, tiles: &mut [[u8; 3]; 3], at: Point| {
            let before = arrows(*tiles, drawing);
            let row = (usize::from(at.y()) - 20) / 8;
            if at.x() < 32 {
                tiles[row].rotate_left(1);
            } else {
                tiles[row].rotate_right(1);
            }
            let (action, layers) = (Action::Click(at), [arrows(*tiles, drawing)]);
            skill.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues }, &mask);
        };
        let arrow = |x: u8, row: u8| Point::new(x, 23 + 8 * row).unwrap();
        for at in (0..3).flat_map(|row| [arrow(59, row), arrow(28, row)]) {
            (0..3).for_each(|_| act(&mut skill, &mut tiles, at));
        }
        assert_eq!(tiles[0], [4, 4, 8]);
        let proposal = skill.propose(&arrows(tiles, drawing), &mask, actions).unwrap();
        let steps: Vec<Action> = proposal.steps.iter().map(|it| it.action).collect();
        assert_eq!((proposal.goal.as_str(), steps), (DRAWN, vec![Action::Click(arrow(59, 0))]));
    }
}
