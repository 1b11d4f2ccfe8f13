//! The skill of clicks that shift the world step by step: press on while a press leads to something new.
//!
//! A lift that is raised by one button and lowered by another one shows a state after each press that was never seen
//! before, and what it is for is found out by pressing on, not by clicking what never answered. Where clicks are all there
//! is, this skill keeps the graph of what they led to, and goes for a state in which a click that answers was not yet tried:
//! a near one, or one far from the first; there what was just clicked comes first. It knows no goal: what knows one, and experiments that promise
//! more, come before it.

use std::collections::{HashMap, HashSet, VecDeque};

use env_client::{Action, ActionId, ActionSet, Color, Grid, Point};
use world_model::{InterfaceMask, Outcome, Scene, Snapshot, Start, StateKey, Transition};

use super::{
    ledger::TIER,
    skill::{Look, Move, Proposal, Skill, look},
    wholes::Wholes,
};

// All of these are guesses but for two that were measured on titles of clicks: with no detour `vc33` took 177 instead of
// 102 actions for two levels, and without an end to pressing on a bar that only its own clicks drain took a hundred.

/// What is left to try comes before experiments without a promise, after all others; while nothing else solved a level it
/// comes before these, too, where it solved one, and pressing on where that led further more often than back.
const PRESS: f32 = 1.45 * TIER;
const ON: f32 = 0.37 * TIER;
/// What is left to try behind something that happened once comes before experiments, and after plans.
const BEYOND: f32 = 0.95 * TIER;
/// What a state is worth that is one click farther from the first one, in clicks: progress is made there, if anywhere.
const DETOUR: f32 = 1.5;
/// The same for one behind something that happened once and was shown in more pictures than what its button does.
const EVENT: f32 = 20.0;
/// More things that answer than this are a board, and so are more than a few where pressing on does not pay.
const MOST: usize = 8;
const FEW: usize = 4;
/// Clicks of one level since something happened once after which all was in vain, and those before which what solved a level before comes first.
const PRESSES: usize = 100;
const SURE: usize = 40;
/// What leads on for longer than this is no lever but a counter.
const LONGEST: usize = 12;
/// Where clicks lost a level so often it takes the right ones, not all of them.
const LOST: u32 = 2;

/// The share of a frame's side that its rim takes: four cells of 64.
const RIM: u8 = 16;

/// One click of this level.
#[derive(Debug)]
struct Press {
    before: Snapshot,
    at: Point,
    look: Look,
    after: Snapshot,
    /// Pictures that showed what it did.
    pictures: usize,
}

/// Presses what answers, in every state it leads to.
#[derive(Debug, Default)]
pub(super) struct Levers {
    /// What answered in this game.
    looks: HashSet<Look>,
    /// The clicks of this level, oldest first, and what they mean seen through a mask that hides so many cells.
    presses: Vec<Press>,
    graph: Graph,
    wholes: Wholes,
    hidden: usize,
    /// How often pressing once more what had led to something new led to something new again, and how often not.
    further: u32,
    back: u32,
    /// Whether pressing on solved a level of this game, whether anything else did, and how often one was lost.
    has_won: bool,
    others_won: bool,
    lost: u32,
    /// What was proposed last, and what is left of it to do where that was taken up.
    offer: VecDeque<Point>,
    pending: VecDeque<Point>,
}

/// What clicks led to.
#[derive(Debug, Default)]
struct Graph {
    steps: HashMap<(StateKey, Point), StateKey>,
    /// What answered, in order, and what never did.
    live: Vec<Point>,
    dead: HashSet<Point>,
    /// The first state, how many things that happen once lie before each state, as it was first seen; in how many pictures
    /// each button showed what it does; and what led to the present one if nobody had seen that.
    first: Option<StateKey>,
    events: HashMap<StateKey, u32>,
    pictures: HashMap<Point, usize>,
    fresh: Option<Point>,
    /// Presses so far, and those up to the last time that something happened once.
    presses: usize,
    eventful: usize,
}

impl Graph {
    /// What a press led to, and whether it answered.
    fn add(&mut self, press: &Press, mask: &InterfaceMask) -> bool {
        let (before, after) = (press.before.key(mask), press.after.key(mask));
        self.steps.insert((before, press.at), after);
        let usual =
            *self.pictures.entry(press.at).and_modify(|it| *it = press.pictures.min(*it)).or_insert(press.pictures);
        self.first = self.first.or(Some(before));
        let events = *self.events.entry(before).or_default();
        let is_new = !self.events.contains_key(&after);
        let is_event = is_new && press.pictures > usual;
        self.presses += 1;
        self.eventful = if is_event { self.presses } else { self.eventful };
        self.events.entry(after).or_insert(events + u32::from(is_event));
        self.fresh = is_new.then_some(press.at);
        let answers = before != after;
        if answers && !self.live.contains(&press.at) {
            self.live.push(press.at);
        }
        if answers {
            self.dead.remove(&press.at);
        } else if !self.live.contains(&press.at) {
            self.dead.insert(press.at);
        }
        answers
    }

    /// A row of clicks at `points` whose last one was never tried where it is made: the shortest, but for states far from
    /// the first one, which are worth a detour.
    fn way(&self, from: StateKey, points: &[Point]) -> Option<Vec<Point>> {
        let depths = self.depths();
        let mut known = HashSet::from([from]);
        let mut queue = VecDeque::from([(from, Vec::new())]);
        let mut best: Option<(f32, Vec<Point>)> = None;
        while let Some((state, path)) = queue.pop_front() {
            let depth = depths.get(&state).copied().unwrap_or_default();
            let cost = path.len() as f32 - DETOUR * depth as f32 - EVENT * self.happened(state) as f32;
            for at in points {
                let mut path = path.clone();
                path.push(*at);
                match self.steps.get(&(state, *at)) {
                    None if best.as_ref().is_none_or(|(least, _)| cost < *least) => best = Some((cost, path)),
                    Some(next) if known.insert(*next) => queue.push_back((*next, path)),
                    _ => {}
                }
            }
        }
        best.map(|(_, path)| path)
    }

    /// How many clicks each state is away from the first one.
    fn depths(&self) -> HashMap<StateKey, u32> {
        let mut next: HashMap<StateKey, Vec<StateKey>> = HashMap::new();
        self.steps.iter().for_each(|((from, _), to)| next.entry(*from).or_default().push(*to));
        let mut depths: HashMap<StateKey, u32> = self.first.map(|first| (first, 0)).into_iter().collect();
        let mut queue: VecDeque<StateKey> = self.first.into_iter().collect();
        while let Some(state) = queue.pop_front() {
            for to in next.get(&state).into_iter().flatten() {
                if !depths.contains_key(to) {
                    depths.insert(*to, depths[&state] + 1);
                    queue.push_back(*to);
                }
            }
        }
        depths
    }

    /// How many things that happen once lie before a state.
    fn happened(&self, state: StateKey) -> u32 {
        self.events.get(&state).copied().unwrap_or_default()
    }

    /// Whether the last click of a row is made in a state behind something that happened once.
    fn leads_beyond_an_event(&self, from: StateKey, way: &[Point]) -> bool {
        let known = &way[..way.len() - 1];
        let last = known.iter().try_fold(from, |state, at| self.steps.get(&(state, *at)).copied());
        last.is_some_and(|state| self.happened(state) > 0)
    }
}

impl Levers {
    /// Takes what clicks did for what it is through this mask.
    fn look_through(&mut self, mask: &InterfaceMask) {
        if self.hidden != mask.len() {
            self.hidden = mask.len();
            self.graph = Graph::default();
            self.presses.iter().for_each(|press| _ = self.graph.add(press, mask));
            self.looks.retain(|look| {
                let mut alike = self.presses.iter().filter(|it| it.look == *look).peekable();
                alike.peek().is_none() || alike.any(|it| it.before.key(mask) != it.after.key(mask))
            });
        }
    }

    /// Whether pressing on led further more often than back, or was never done.
    fn pays(&self) -> bool {
        self.further > self.back || self.back == 0
    }

    /// Whether enough was pressed here, or one thing for too long, or a wrong click is too dear.
    fn is_pointless(&self) -> bool {
        let run = self.presses.iter().rev().take_while(|it| Some(it.at) == self.graph.fresh).count();
        self.lost >= LOST || self.presses.len() >= self.graph.eventful + PRESSES || run >= LONGEST
    }

    /// What to press, what was pressed last first: what answered, and what looks like it and was never pressed.
    fn points(&self, frame: &Grid, mask: &InterfaceMask) -> Vec<Point> {
        let last = self.presses.last().map(|it| it.at);
        let mut points = self.graph.live.clone();
        points.sort_by_key(|at| Some(*at) != last);
        let scene = Scene::of(frame);
        let alike = scene.components().iter().filter(|it| self.looks.contains(&look(it)) && !mask.hides(it.center));
        let is_known = |at: &Point| points.contains(at) || self.graph.dead.contains(at);
        let fresh: Vec<Point> = alike.map(|it| it.center).filter(|at| !is_known(at)).collect();
        points.extend(fresh);
        self.wholes.one_each(&scene, &mut points);
        points
    }
}

/// Whether a cell lies in the rim of a frame.
pub(super) fn on_rim(at: Point, frame: &Grid) -> bool {
    let rim = |at: u8, side: u8| at < side / RIM || at >= side - side / RIM;
    rim(at.x(), frame.width()) || rim(at.y(), frame.height())
}

/// A frame without its rim, where bars tick with every click before anybody knows that they are bars.
fn inside(frame: &Grid) -> Snapshot {
    let mut inside = frame.clone();
    frame.points().filter(|at| on_rim(*at, frame)).for_each(|at| inside.set(at, Color::default()));
    Snapshot::of(&inside)
}

/// Whether clicks are all there is.
pub(super) fn clicks_alone(actions: ActionSet) -> bool {
    let keys = [ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4];
    actions.contains(ActionId::Action6) && !keys.into_iter().any(|key| actions.contains(key))
}

impl Skill for Levers {
    fn name(&self) -> &'static str {
        "levers"
    }

    fn is_curious(&self) -> bool {
        true
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, start: Start) {
        if start == Start::Level {
            self.presses.clear();
            self.wholes.begin();
            self.graph = Graph::default();
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let is_own = step.action.point().is_some() && self.pending.pop_front() == step.action.point();
        if !is_own {
            self.pending.clear();
        }
        if step.outcome == Outcome::Solved {
            self.has_won |= is_own;
            self.others_won |= !is_own;
        }
        self.lost += u32::from(step.outcome == Outcome::Lost);
        let (Action::Click(at), Some(after), Outcome::Continues) = (step.action, step.after(), step.outcome) else {
            return;
        };
        let scene = Scene::of(step.before);
        let Some(thing) = scene.component_at(at).map(|index| &scene.components()[index]) else { return };
        self.look_through(mask);
        self.wholes.observe(step, mask);
        let press = Press {
            before: inside(step.before),
            at,
            look: look(thing),
            after: inside(after),
            pictures: step.layers.len(),
        };
        let presses_on = self.graph.fresh == Some(at);
        if self.graph.add(&press, mask) {
            self.looks.insert(press.look);
        }
        if presses_on {
            let leads_on = self.graph.fresh.is_some();
            self.further += u32::from(leads_on);
            self.back += u32::from(!leads_on);
        }
        self.presses.push(press);
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        if !clicks_alone(actions) || self.is_pointless() {
            return None;
        }
        self.look_through(mask);
        let points = self.points(frame, mask);
        if points.len() > if self.pays() { MOST } else { FEW } {
            return None;
        }
        let way = self.graph.way(inside(frame).key(mask), &points)?;
        let presses_on = self.graph.fresh.is_some_and(|at| way == [at]);
        let is_proven = self.has_won && self.presses.len() < SURE;
        let leads_on = self.graph.leads_beyond_an_event(inside(frame).key(mask), &way);
        let comes_first = !self.others_won && (is_proven || (presses_on && self.pays()));
        let score = match comes_first {
            true => ON,
            false if leads_on => BEYOND,
            false => PRESS,
        };
        let score = score + way.len() as f32;
        let goal = format!("press on at {}", way.last()?);
        self.offer = way.iter().copied().collect();
        let steps = way.into_iter().map(|at| Move { action: Action::Click(at), expected: None }).collect();
        Some(Proposal { steps, goal, score })
    }

    fn taken_up(&mut self) {
        self.pending = std::mem::take(&mut self.offer);
    }
}

#[cfg(test)]
mod tests {
    use env_client::Key;

    use super::*;

    /// A lift at this height, over two buttons that raise and lower it, beside a tile that does nothing.
    fn lift(height: u8) -> Grid {
        let mut frame: Grid = "0000000\n0000000\n0000000\n0000000\n0000000\n0205060".parse().unwrap();
        frame.set(Point::new(6, i16::from(4 - height)).unwrap(), Color::of(9));
        frame
    }

    const CLICKS: &[ActionId] = &[ActionId::Action6];

    /// The heights that the skill brings the lift to, which goes from 0 to 4, after a first click on the button to the left.
    fn heights(count: usize) -> Vec<u8> {
        let (mut skill, mask, mut height) = (Levers::default(), InterfaceMask::new(), 2u8);
        skill.begin(&lift(height), &mask, Start::Level);
        let mut clicks = VecDeque::from([Point::new(1, 5).unwrap()]);
        let mut heights = Vec::new();
        while heights.len() < count {
            let Some(at) = clicks.pop_front() else {
                let proposal = skill.propose(&lift(height), &mask, ActionSet::of(CLICKS)).unwrap();
                clicks.extend(proposal.steps.iter().filter_map(|step| step.action.point()));
                continue;
            };
            let before = lift(height);
            height = if at.x() == 1 { (height + 1).min(4) } else { height.saturating_sub(1) };
            let layers = [lift(height)];
            let (action, outcome) = (Action::Click(at), Outcome::Continues);
            skill.observe(&Transition { before: &before, action, layers: &layers, outcome }, &mask);
            heights.push(height);
        }
        heights
    }

    #[test]
    fn what_leads_to_something_new_is_pressed_on() {
        assert_eq!(heights(3), [3, 4, 4], "up as far as it goes");
    }

    /// What the skill thinks of a click that is not the last one again, in the level after one that pressing on solved, or
    /// something else.
    fn score_after_a_win(is_own: bool) -> f32 {
        let (mut skill, mask, clicks) = (Levers::default(), InterfaceMask::new(), ActionSet::of(CLICKS));
        let (up, down) = (Point::new(1, 5).unwrap(), Point::new(5, 5).unwrap());
        let click = |skill: &mut Levers, at, from, to, outcome| {
            let (before, layers) = (lift(from), [lift(to)]);
            skill.observe(&Transition { before: &before, action: Action::Click(at), layers: &layers, outcome }, &mask);
        };
        skill.begin(&lift(0), &mask, Start::Level);
        click(&mut skill, up, 0, 1, Outcome::Continues);
        assert!(skill.propose(&lift(1), &mask, clicks).is_some());
        if is_own {
            skill.taken_up();
        }
        click(&mut skill, up, 1, 2, Outcome::Solved);
        skill.begin(&lift(2), &mask, Start::Level);
        click(&mut skill, up, 2, 3, Outcome::Continues);
        click(&mut skill, down, 3, 2, Outcome::Continues);
        skill.propose(&lift(2), &mask, clicks).unwrap().score
    }

    #[test]
    fn what_solved_a_level_comes_first_in_the_next_one() {
        assert!(score_after_a_win(true) < 0.4 * TIER);
        assert!(score_after_a_win(false) > TIER);
    }

    /// Where the skill would press, of two buttons, from the ground, from which one brought the lift up to 4 over 2 and 3 and
    /// the other one to 1, shown in so many pictures.
    fn way_after(pictures: usize) -> Vec<Point> {
        let (up, other, mask) = (Point::new(1, 5).unwrap(), Point::new(5, 5).unwrap(), InterfaceMask::new());
        let mut graph = Graph::default();
        for (from, at, to, pictures) in
            [(0, up, 2, 1), (2, up, 3, 1), (3, up, 4, 1), (4, other, 3, 1), (0, other, 1, pictures)]
        {
            let look = (Color::of(2), 0);
            let press = Press { before: inside(&lift(from)), at, look, after: inside(&lift(to)), pictures };
            assert!(graph.add(&press, &mask));
        }
        graph.way(inside(&lift(0)).key(&mask), &[up, other]).unwrap()
    }

    #[test]
    fn what_lies_behind_something_that_happened_once_comes_before_what_lies_far() {
        let (up, other) = (Point::new(1, 5).unwrap(), Point::new(5, 5).unwrap());
        assert_eq!(way_after(1), [up, up, up, up], "as far as it goes");
        assert_eq!(way_after(2), [other, up], "more was shown than that button does");
    }

    #[test]
    fn nothing_is_pressed_that_never_answered_and_nothing_where_keys_are() {
        let (mut skill, mask) = (Levers::default(), InterfaceMask::new());
        skill.begin(&lift(0), &mask, Start::Level);
        assert_eq!(skill.propose(&lift(0), &mask, ActionSet::of(CLICKS)), None);
        let (before, layers, action) = (lift(0), [lift(1)], Action::Click(Point::new(1, 5).unwrap()));
        skill.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues }, &mask);
        assert!(skill.propose(&lift(1), &mask, ActionSet::of(CLICKS)).is_some());
        let keys = ActionSet::of(&[ActionId::Action6, Action::Key(Key::Key1).id()]);
        assert_eq!(skill.propose(&lift(1), &mask, keys), None);
    }
}
