//! The skill of two clicks: the first takes something up, the second says where it goes.
//!
//! A click that marks what it is on and nothing else may have taken it up. What did nothing before may answer then, so one
//! of each colour is clicked with something in hand. A mark that goes when something else is clicked tells that something
//! was in hand, and so does an answer where there is none with nothing in hand; where both stay marked they are lamps, and
//! this is no game for it. Where a second click was answered, the same is done from everything that can be taken up to every
//! such place, the least tried first. What puts back all that the click before it did laid something back that nobody knew to
//! be in hand; and where clicks that should take something up do something else, it is not understood how. It knows no goal:
//! what knows one comes before it.

use std::collections::{HashMap, HashSet};

use env_client::{Action, ActionSet, Color, Grid, Point};
use world_model::{Component, InterfaceMask, Outcome, Scene, Snapshot, Start, StateKey, Transition};

use super::{
    ledger::TIER,
    levers::{clicks_alone, on_rim},
    skill::{Look, Move, Proposal, Skill, look},
    surveys::is_inside,
};
use crate::policy::sprites::sprites;

// All of these are guesses.

/// Second clicks come before pressing on where a mark was seen to go, and before what was never clicked otherwise.
const PROBE: f32 = 0.36 * TIER;
const HUNCH: f32 = 1.3 * TIER;
/// Going from place to place comes right after plans to a goal, and nearer to them where it solved a level.
const PLACE: f32 = 0.33 * TIER;
const PROVEN: f32 = 0.31 * TIER;
/// Second clicks in one level on what never answered, and on what did.
const PROBES: usize = 12;
const PLACES: usize = 60;
/// Clicks in one level that should have taken something up and did something else, after which the rest is left to others.
const MISSES: u32 = 3;
/// The most columns or rows that a mark takes.
const MARK: u8 = 24;

/// What was taken up.
#[derive(Debug)]
struct Hand {
    at: Point,
    /// The frame before that, and the cells in which it is marked.
    rest: Grid,
    marks: Vec<Point>,
}

/// What a second click came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// It did nothing: the thing is in hand as before.
    Nothing,
    /// What was in hand was laid back.
    LaidBack,
    /// That is in hand instead.
    Exchanged,
    /// Both are marked.
    Marked,
    /// Something else happened.
    Placed,
}

/// Understands that things are taken up and laid down.
#[derive(Debug, Default)]
pub(super) struct Placing {
    hand: Option<Hand>,
    /// What was taken up in this game.
    takers: HashSet<Look>,
    /// How often a second click showed that something was in hand, how often that it was not, and how often a mark went
    /// where it was clicked again.
    holds: u32,
    lamps: u32,
    returns: u32,
    /// Colours that were clicked with something in hand in this game, and how often that was answered; and those clicked
    /// with nothing in hand, and whether that ever did anything.
    places: HashMap<Color, u32>,
    alone: HashMap<Color, bool>,
    /// In this level: what was done from which state, how often each place was clicked, and second clicks so far.
    tried: HashSet<(StateKey, Point, Point)>,
    visits: HashMap<Point, u32>,
    probes: usize,
    placings: usize,
    /// And clicks that should have taken something up and did something else; what the next click should take up.
    misses: u32,
    taking: Option<Point>,
    /// The frame before the last click, where that did something and took nothing up.
    earlier: Option<Grid>,
    /// Whether such clicks are under way, whether they solved a level of this game, and what was proposed last.
    at_work: bool,
    has_won: bool,
    proposed: Option<(StateKey, Point, Point)>,
}

impl Placing {
    /// A click with nothing in hand: it may have taken something up, unless it put back what the one before it did.
    fn first(&mut self, at: Point, before: &Grid, after: &Grid, mask: &InterfaceMask) {
        let (marks, earlier) = (changed(before, after, mask), self.earlier.take());
        if earlier.is_some_and(|it| changed(&it, after, mask).is_empty()) {
            return;
        }
        if let Some(color) = before.get(at) {
            *self.alone.entry(color).or_default() |= !marks.is_empty();
        }
        if is_mark(&marks, at) {
            self.hand = Some(Hand { at, rest: before.clone(), marks });
        } else if !marks.is_empty() {
            self.earlier = Some(before.clone());
        }
    }

    /// A click with something in hand.
    fn second(&mut self, hand: Hand, at: Point, before: &Grid, after: &Grid, mask: &InterfaceMask) {
        let is_own = hand.at == at || is_mark(&hand.marks, at);
        let answer = answer(&hand, at, [before, after], mask);
        self.tried.insert((Snapshot::of(&hand.rest).key(mask), hand.at, at));
        if is_own {
            self.returns += u32::from(answer == Answer::LaidBack);
            self.lamps += u32::from(answer != Answer::LaidBack && answer != Answer::Nothing);
            self.hand = Some(hand).filter(|_| answer == Answer::Nothing);
            return;
        }
        *self.visits.entry(at).or_default() += 1;
        let is_placed = answer == Answer::Placed;
        let alone = hand.rest.get(at).and_then(|color| self.alone.get(&color).copied());
        match (answer, alone) {
            (Answer::Nothing, _) | (Answer::Placed, None) => {}
            (Answer::Marked, _) | (Answer::Placed, Some(true)) => self.lamps += 1,
            (Answer::LaidBack | Answer::Exchanged, _) | (Answer::Placed, Some(false)) => self.holds += 1,
        }
        if answer != Answer::Marked {
            let scene = Scene::of(&hand.rest);
            self.takers.extend(scene.component_at(hand.at).map(|index| look(&scene.components()[index])));
            if let Some(color) = hand.rest.get(at) {
                *self.places.entry(color).or_default() += u32::from(is_placed);
            }
        }
        if is_placed {
            self.placings += 1;
        } else {
            self.probes += 1;
        }
        self.hand = match answer {
            Answer::Nothing => Some(hand),
            Answer::Exchanged => Some(Hand { at, marks: changed(&hand.rest, after, mask), ..hand }),
            _ => None,
        };
    }

    /// Whether second clicks were answered more often than not, or may be.
    fn may_hold(&self) -> bool {
        self.lamps <= self.holds && (self.holds > 0 || self.returns > 0 || self.hand.is_some())
    }

    /// How good it is to click something of this colour second: lower is better; `None` where that is known to be in vain.
    fn rate(&self, color: Color) -> Option<f32> {
        match self.places.get(&color) {
            Some(0) => None,
            Some(_) if self.placings >= PLACES || self.holds == 0 => None,
            Some(_) => Some(if self.has_won { PROVEN } else { PLACE }),
            None if self.probes >= PROBES => None,
            None if self.holds > 0 || self.returns > 0 => Some(PROBE),
            None => Some(HUNCH),
        }
    }
}

impl Skill for Placing {
    fn name(&self) -> &'static str {
        "placing"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, start: Start) {
        (self.hand, self.taking, self.earlier) = (None, None, None);
        if start == Start::Level {
            self.tried.clear();
            self.visits.clear();
            (self.probes, self.placings, self.misses) = (0, 0, 0);
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let (hand, taking) = (self.hand.take(), self.taking.take());
        self.has_won |= self.at_work && step.outcome == Outcome::Solved && hand.is_some();
        let after = step.after().filter(|_| step.outcome == Outcome::Continues);
        let (Action::Click(at), Some(after)) = (step.action, after) else { return };
        if let Some(hand) = hand {
            self.earlier = None;
            self.second(hand, at, step.before, after, mask);
            return;
        }
        self.first(at, step.before, after, mask);
        let is_missed = taking == Some(at) && self.hand.is_none() && !changed(step.before, after, mask).is_empty();
        self.misses += u32::from(is_missed);
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.at_work = false;
        if !clicks_alone(actions) || !self.may_hold() || self.misses >= MISSES {
            return None;
        }
        let rest = self.hand.as_ref().map_or(frame, |it| &it.rest);
        let (scene, key) = (Scene::of(rest), Snapshot::of(rest).key(mask));
        let shown = || scene.components().iter().filter(|it| !mask.hides(it.center));
        let held = self.hand.as_ref().map(|it| it.at);
        let from: Vec<Point> = match held {
            Some(at) => vec![at],
            None => shown().filter(|it| self.takers.contains(&look(it))).map(|it| it.center).collect(),
        };
        let drawings = sprites(&scene);
        let drawing = |part: Option<usize>| part.and_then(|part| drawings[part]);
        let are_one = |a: Option<usize>, b: Option<usize>| a == b || drawing(a).is_some() && drawing(a) == drawing(b);
        let is_open = |from: Point, to: Point| {
            !are_one(scene.component_at(from), scene.component_at(to)) && !self.tried.contains(&(key, from, to))
        };
        let best = from.iter().flat_map(|from| {
            shown().filter_map(|to| {
                let score = self.rate(to.color).filter(|_| is_open(*from, to.center))?;
                Some((score, self.rank(to, rest), *from, to.center))
            })
        });
        let (score, _, from, to) = best.min_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)))?;
        self.proposed = Some((key, from, to));
        let clicks = held.is_none().then_some(from).into_iter().chain([to]);
        let steps = clicks.map(|at| Move { action: Action::Click(at), expected: None }).collect();
        Some(Proposal { steps, goal: format!("take up what is at {from} and click {to}"), score })
    }

    fn taken_up(&mut self) {
        self.at_work = true;
        let proposed = self.proposed.take();
        self.taking = proposed.map(|it| it.1).filter(|_| self.hand.is_none());
        self.tried.extend(proposed);
    }
}

impl Placing {
    /// In which order things are clicked second: the least visited first, what can be taken up before the rest, small things
    /// before large ones, those at the rim last.
    fn rank(&self, it: &Component, frame: &Grid) -> (u32, bool, bool, u16) {
        let visits = self.visits.get(&it.center).copied().unwrap_or_default();
        (visits, on_rim(it.center, frame), !self.takers.contains(&look(it)), it.area)
    }
}

/// The cells of the world that differ.
fn changed(before: &Grid, after: &Grid, mask: &InterfaceMask) -> Vec<Point> {
    let all = before.differences(after).into_iter().flatten();
    all.filter(|at| !mask.hides(*at) && is_inside(before, *at)).collect()
}

/// Whether these cells are a mark of what was clicked there.
fn is_mark(cells: &[Point], at: Point) -> bool {
    let span = |side: fn(&Point) -> u8| {
        let all = || cells.iter().map(side);
        all().min().zip(all().max())
    };
    let (Some(columns), Some(rows)) = (span(|it| it.x()), span(|it| it.y())) else { return false };
    let is_near = |(low, high): (u8, u8), at: u8| high - low < MARK && at + 1 >= low && at <= high + 1;
    is_near(columns, at.x()) && is_near(rows, at.y())
}

/// What a click on something else came to.
fn answer(hand: &Hand, at: Point, [before, after]: [&Grid; 2], mask: &InterfaceMask) -> Answer {
    let (since, now) = (changed(&hand.rest, after, mask), changed(before, after, mask));
    let is_marked = hand.marks.iter().all(|it| before.get(*it) == after.get(*it));
    let is_back = !since.contains(&hand.at) && !hand.marks.iter().any(|it| since.contains(it));
    match () {
        () if now.is_empty() => Answer::Nothing,
        () if since.is_empty() => Answer::LaidBack,
        () if is_marked && is_mark(&now, at) => Answer::Marked,
        () if is_back && is_mark(&since, at) => Answer::Exchanged,
        () => Answer::Placed,
    }
}

#[cfg(test)]
mod tests {
    use env_client::ActionId;

    use super::*;

    const CLICKS: &[ActionId] = &[ActionId::Action6];
    /// Middles of a weight, of another one, and of two hooks.
    const WEIGHTS: [(u8, u8); 2] = [(8, 24), (16, 24)];
    const HOOKS: [(u8, u8); 2] = [(10, 6), (20, 6)];

    fn at((x, y): (u8, u8)) -> Point {
        Point::new(x, y).unwrap()
    }

    /// Weights of 9, in the tray or on hooks of 5, and a frame of 4 around some of them.
    fn scene(weights: [(u8, u8); 2], marked: &[(u8, u8)]) -> Grid {
        let mut frame = Grid::filled(32, 32, Color::of(0));
        let mut square = |(x, y): (u8, u8), reach: u8, color: u8| {
            for (x, y) in (y - reach..=y + reach).flat_map(|y| (x - reach..=x + reach).map(move |x| (x, y))) {
                frame.set(at((x, y)), Color::of(color));
            }
        };
        let all = HOOKS.iter().map(|it| (*it, 0, 5));
        let all = all.chain(marked.iter().map(|it| (*it, 2, 4))).chain(weights.iter().map(|it| (*it, 1, 9)));
        for (middle, reach, color) in all {
            square(middle, reach, color);
        }
        frame
    }

    /// A skill that saw clicks on these places, from one frame to the next.
    fn taught(frames: &[Grid], clicks: &[(u8, u8)]) -> Placing {
        let (mut skill, mask) = (Placing::default(), InterfaceMask::new());
        skill.begin(&frames[0], &mask, Start::Level);
        for (index, click) in clicks.iter().enumerate() {
            let (action, layers) = (Action::Click(at(*click)), std::slice::from_ref(&frames[index + 1]));
            let step = Transition { before: &frames[index], action, layers, outcome: Outcome::Continues };
            skill.observe(&step, &mask);
        }
        skill
    }

    fn proposed(skill: &mut Placing, frame: &Grid) -> Option<Vec<Point>> {
        let proposal = skill.propose(frame, &InterfaceMask::new(), ActionSet::of(CLICKS))?;
        skill.taken_up();
        Some(proposal.steps.iter().filter_map(|step| step.action.point()).collect())
    }

    #[test]
    fn with_something_in_hand_one_of_each_colour_is_clicked_once() {
        let frames = [scene(WEIGHTS, &[]), scene(WEIGHTS, &[WEIGHTS[0]])];
        let mut skill = taught(&frames, &[WEIGHTS[0]]);
        let first = proposed(&mut skill, &frames[1]).unwrap();
        assert_eq!(first, [at(HOOKS[0])], "small things first");
        let refused = [frames[0].clone(), frames[1].clone(), frames[0].clone()];
        let mut skill = taught(&refused, &[WEIGHTS[0], HOOKS[0]]);
        let next = proposed(&mut skill, &frames[0]).unwrap();
        assert_eq!(next[0], at(WEIGHTS[0]), "it was laid back and is taken up again");
        assert!(!HOOKS.map(at).contains(&next[1]), "no hook takes it");
    }

    #[test]
    fn where_something_was_placed_it_is_brought_to_the_other_places() {
        let hung = [HOOKS[0], WEIGHTS[1]];
        let rest = || scene(WEIGHTS, &[]);
        let frames = [rest(), rest(), scene(WEIGHTS, &[WEIGHTS[0]]), scene(hung, &[])];
        let mut skill = taught(&frames, &[HOOKS[1], WEIGHTS[0], HOOKS[0]]);
        let clicks: Vec<Vec<Point>> = (0..2).filter_map(|_| proposed(&mut skill, &frames[3])).collect();
        assert!(clicks.iter().all(|it| it.len() == 2 && it[1] == at(HOOKS[1])), "the free hook: {clicks:?}");
        assert_ne!(clicks[0][0], clicks[1][0], "from both of those that can be taken up");
    }

    #[test]
    fn lamps_that_all_stay_lit_are_not_taken_up() {
        let both = scene(WEIGHTS, &WEIGHTS);
        let frames = [scene(WEIGHTS, &[]), scene(WEIGHTS, &[WEIGHTS[0]]), both.clone()];
        assert_eq!(proposed(&mut taught(&frames, &WEIGHTS), &both), None);
    }

    #[test]
    fn what_answers_with_nothing_in_hand_too_is_no_place_for_it() {
        let hung = [HOOKS[0], WEIGHTS[1]];
        let frames =
            [scene(WEIGHTS, &[]), scene(WEIGHTS, &[HOOKS[1]]), scene(WEIGHTS, &[]), scene(WEIGHTS, &[WEIGHTS[0]])];
        let frames = [&frames[..], &[scene(hung, &[])]].concat();
        let mut skill = taught(&frames, &[HOOKS[1], HOOKS[1], WEIGHTS[0], HOOKS[0]]);
        assert_eq!(proposed(&mut skill, &frames[4]), None);
    }

    #[test]
    fn nothing_is_placed_on_a_part_of_itself() {
        let dotted = |marked: &[(u8, u8)]| {
            let mut frame = scene(WEIGHTS, marked);
            frame.set(at(WEIGHTS[0]), Color::of(7));
            frame
        };
        let corner = (WEIGHTS[0].0 - 1, WEIGHTS[0].1);
        let frames = [dotted(&[]), dotted(&[WEIGHTS[0]])];
        let mut skill = taught(&frames, &[corner]);
        let clicks: Vec<Point> = (0..8).filter_map(|_| proposed(&mut skill, &frames[1])).flatten().collect();
        assert!(!clicks.is_empty() && !clicks.contains(&at(WEIGHTS[0])), "{clicks:?}");
    }

    #[test]
    fn what_a_click_does_far_away_takes_nothing_up() {
        let moved = scene([WEIGHTS[0], HOOKS[1]], &[]);
        let frames = [scene(WEIGHTS, &[]), moved.clone()];
        assert_eq!(proposed(&mut taught(&frames, &[WEIGHTS[0]]), &moved), None);
    }

    #[test]
    fn what_puts_back_what_the_click_before_did_takes_nothing_up() {
        let lifted = (WEIGHTS[0].0, WEIGHTS[0].1 - 10);
        let below = (WEIGHTS[0].0, WEIGHTS[0].1 + 6);
        let (down, up) = (scene(WEIGHTS, &[]), scene([lifted, WEIGHTS[1]], &[]));
        let frames = [down.clone(), up.clone(), down.clone(), up.clone()];
        assert_eq!(proposed(&mut taught(&frames[..3], &[below, lifted]), &down), None, "it was laid back");
        let clicks = proposed(&mut taught(&frames, &[below, lifted, WEIGHTS[0]]), &up);
        assert_eq!(clicks.map(|it| it.len()), Some(1), "it was taken up again, with something next to the click");
    }

    #[test]
    fn where_the_first_click_often_does_something_else_the_rest_is_left_to_others() {
        let hung = [HOOKS[0], WEIGHTS[1]];
        let rest = || scene(WEIGHTS, &[]);
        let frames = [rest(), rest(), scene(WEIGHTS, &[WEIGHTS[0]]), scene(hung, &[])];
        let mut skill = taught(&frames, &[HOOKS[1], WEIGHTS[0], HOOKS[0]]);
        let mut frame = scene(hung, &[]);
        let misses = (1..8).take_while(|color| {
            let Some(clicks) = proposed(&mut skill, &frame) else { return false };
            let before = frame.clone();
            frame.set(at((26, 26)), Color::of(*color));
            let (action, layers) = (Action::Click(clicks[0]), std::slice::from_ref(&frame));
            let step = Transition { before: &before, action, layers, outcome: Outcome::Continues };
            skill.observe(&step, &InterfaceMask::new());
            true
        });
        assert_eq!(misses.count(), MISSES as usize);
        skill.begin(&frame, &InterfaceMask::new(), Start::Level);
        assert!(proposed(&mut skill, &frame).is_some(), "another level, another try");
    }
}
