//! The skill of stacks: sort what clicks take from one stack and lay on another.
//!
//! Where tiles look alike, those of one colour belong on one stack; where each looks different, all belong on another stack
//! in the order in which they lie. A tile goes on its like; where that leads nowhere, anywhere that was not seen to refuse it.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};

use env_client::{Action, ActionId, ActionSet, Grid};
use rustc_hash::FxHashMap;
use world_model::{
    InterfaceMask, Start, Transition,
    stacks::{Layout, Stacks, Terms, Tile},
};

use super::{
    ledger::TIER,
    skill::{Move, Proposal, Skill},
};

/// A plan; where one solved a level before, it comes before all that others would try. Guesses.
const PLAN: f32 = 0.3 * TIER;
const PROVEN: f32 = 0.1 * TIER;
/// What each click of a plan counts: so little that a long way to a goal comes before what knows none. A guess.
const LENGTH: f32 = 0.02;
/// Layouts that one search looks at, and plans in one level after which the rest is left to others. Guesses.
const LAYOUTS: usize = 60_000;
const PLANS: u32 = 12;
/// How much rather a search goes on from what is nearer to the goal than from what was fewer turns away: the first search
/// finds the fewest turns, and where it looks at too much the others find some.
const GREED: [u32; 3] = [1, 4, 16];

/// What is wanted of all stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Goal {
    /// Those of one colour lie together, and alone.
    Sorted,
    /// All tiles lie on this stack, counted from the right.
    Tower(usize),
}

/// One tile goes from the top of one stack to the top of another.
type Turn = (usize, usize);

/// Understands stacks of tiles.
#[derive(Debug, Default)]
pub(super) struct Sorting {
    model: Stacks,
    /// What was proposed last, and what is left of what is under way: the layout after every second click.
    proposed: (VecDeque<Option<Layout>>, Option<Goal>),
    foreseen: VecDeque<Option<Layout>>,
    goal: Option<Goal>,
    is_surprised: bool,
    vain: Vec<Goal>,
    plans: u32,
    /// Tiles that were laid back in this level.
    returns: u32,
    proven: Option<Goal>,
    /// Where no way was found, and on what terms.
    stuck: Option<(Layout, Vec<Terms>)>,
}

impl Sorting {
    /// The goals that a layout may have, likeliest first.
    fn goals(&self, now: &Layout) -> Vec<Goal> {
        let stacks = now.len();
        let towers = (0..stacks).filter(|it| now[stacks - 1 - it].len() < tiles(now)).map(Goal::Tower);
        let all = if is_all_different(now) { towers.collect() } else { vec![Goal::Sorted] };
        let mut open: Vec<Goal> =
            all.into_iter().filter(|it| !self.vain.contains(it) && distance(now, *it) > 0).collect();
        open.sort_by_key(|it| Some(*it) != self.proven);
        open
    }

    /// The clicks of some turns, and what every second should lead to.
    fn clicks(&self, now: &Layout, turns: &[Turn]) -> Option<(VecDeque<Action>, VecDeque<Option<Layout>>)> {
        let (mut layout, mut clicks, mut foreseen) = (now.clone(), VecDeque::new(), VecDeque::new());
        for (from, to) in turns {
            clicks.push_back(self.model.click(*from, layout[*from].len())?);
            clicks.push_back(self.model.click(*to, layout[*to].len())?);
            layout = turned(&layout, (*from, *to));
            foreseen.extend([None, Some(layout.clone())]);
        }
        Some((clicks, foreseen))
    }

    fn plan(&mut self, now: &Layout) -> Option<Proposal> {
        let terms = self.model.terms();
        if self.stuck.as_ref().is_some_and(|it| it.0 == *now && it.1 == terms) {
            return None;
        }
        let goals = self.goals(now);
        let ways =
            rules(now, &terms).into_iter().flat_map(|rules| goals.iter().map(move |goal| (*goal, rules.clone())));
        let found = ways.into_iter().find_map(|(goal, rules)| Some((goal, way(now, goal, &rules)?)));
        let Some((goal, turns)) = found else {
            self.stuck = Some((now.clone(), terms));
            return None;
        };
        let (clicks, foreseen) = self.clicks(now, &turns)?;
        self.proposed = (foreseen, Some(goal));
        let score = if self.proven.is_some() { PROVEN } else { PLAN } + LENGTH * clicks.len() as f32;
        let steps = clicks.into_iter().map(|action| Move { action, expected: None }).collect();
        let text = match goal {
            Goal::Sorted => "the tiles of one colour on one stack",
            Goal::Tower(_) => "all tiles on another stack",
        };
        Some(Proposal { steps, goal: text.to_owned(), score })
    }
}

impl Skill for Sorting {
    fn name(&self) -> &'static str {
        "stacks"
    }

    fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.model.begin(frame, mask, start);
        self.foreseen.clear();
        if start == Start::Level {
            self.vain.clear();
            (self.plans, self.returns, self.stuck) = (0, 0, None);
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.model.observe(step, mask);
        let expected = self.foreseen.pop_front();
        if step.outcome == world_model::Outcome::Solved && self.foreseen.is_empty() && expected.is_some() {
            self.proven = self.goal.take();
        }
        self.is_surprised = expected.flatten().is_some_and(|it| self.model.layout().as_ref() != Some(&it));
    }

    fn propose(&mut self, _frame: &Grid, _mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        let may = self.model.is_understood() && actions.contains(ActionId::Action6) && self.plans < PLANS;
        if let Some(action) = self.model.lay_back().filter(|_| may && self.returns < PLANS) {
            self.proposed = (VecDeque::new(), None);
            return Some(Proposal::experiment(action, "lay back what is held".to_owned(), PLAN));
        }
        let now = self.model.layout().filter(|_| may)?;
        self.plan(&now)
    }

    fn gives_up(&self) -> bool {
        self.is_surprised
    }

    fn taken_up(&mut self) {
        (self.foreseen, self.goal) = std::mem::take(&mut self.proposed);
        self.plans += u32::from(self.goal.is_some());
        self.returns += u32::from(self.goal.is_none());
    }

    fn in_vain(&mut self) {
        self.stuck = None;
        self.vain.extend(self.goal.take());
    }
}

fn tiles(layout: &Layout) -> usize {
    layout.iter().map(Vec::len).sum()
}

/// Whether no two tiles look alike.
fn is_all_different(layout: &Layout) -> bool {
    let mut all: Vec<Tile> = layout.iter().flatten().copied().collect();
    all.sort_unstable();
    all.windows(2).all(|it| it[0] != it[1])
}

/// At least so many turns are missing to a goal; none where it is reached.
fn distance(layout: &Layout, goal: Goal) -> u32 {
    let missing = match goal {
        Goal::Tower(place) => tiles(layout) - layout[layout.len() - 1 - place].len(),
        Goal::Sorted => {
            let alike =
                layout.iter().filter_map(|it| Some((*it.first()?, it.iter().take_while(|on| *on == &it[0]).count())));
            let mut most: FxHashMap<Tile, usize> = FxHashMap::default();
            for (tile, count) in alike {
                let most = most.entry(tile).or_default();
                *most = count.max(*most);
            }
            tiles(layout) - most.values().sum::<usize>()
        }
    };
    missing as u32
}

/// The layout after a turn.
fn turned(layout: &Layout, (from, to): Turn) -> Layout {
    let mut next = layout.clone();
    let taken = next[from].pop();
    next[to].extend(taken);
    next
}

/// How many tiles each stack takes, and whether only on their like.
type Rules = Vec<(usize, bool)>;

/// What may hold of all stacks, likeliest first: those that did not show their rule are choosy, or none of them is.
fn rules(now: &Layout, terms: &[Terms]) -> Vec<Rules> {
    let rules = |is_choosy: bool| terms.iter().map(|it| (it.room, it.is_choosy.unwrap_or(is_choosy))).collect();
    if is_all_different(now) {
        return vec![vec![(usize::MAX, false); now.len()]];
    }
    let mut all: Vec<Rules> = vec![rules(true), rules(false)];
    all.dedup();
    all
}

/// Whether a tile may lie on another one: on its like, or where all look different on what is no narrower.
fn may_lie(tile: Tile, on: Option<&Tile>, all_different: bool, is_choosy: bool) -> bool {
    on.is_none_or(|on| if all_different { tile.width <= on.width } else { !is_choosy || tile == *on })
}

/// The turns that lead to a goal, if some are found.
fn way(now: &Layout, goal: Goal, rules: &Rules) -> Option<Vec<Turn>> {
    GREED.into_iter().find_map(|greed| search(now, goal, rules, greed))
}

fn search(now: &Layout, goal: Goal, rules: &Rules, greed: u32) -> Option<Vec<Turn>> {
    let all_different = is_all_different(now);
    // Of sorted stacks with the same rules it does not matter which one is which.
    let key = |layout: &Layout| {
        let mut key: Vec<((usize, bool), Vec<Tile>)> = rules.iter().copied().zip(layout.iter().cloned()).collect();
        if goal == Goal::Sorted {
            key.sort_unstable();
        }
        key
    };
    let mut reached: Vec<(Layout, Option<(usize, Turn)>)> = vec![(now.clone(), None)];
    let mut turns = FxHashMap::from_iter([(key(now), 0u32)]);
    let mut open = BinaryHeap::from([Reverse((greed * distance(now, goal), 0u32, 0usize))]);
    while let Some(Reverse((_, made, index))) = open.pop() {
        let layout = reached[index].0.clone();
        if distance(&layout, goal) == 0 {
            let steps = std::iter::successors(reached[index].1, |it| reached[it.0].1).map(|it| it.1);
            let mut steps: Vec<Turn> = steps.collect();
            steps.reverse();
            return Some(steps);
        }
        if reached.len() > LAYOUTS {
            return None;
        }
        let pairs = (0..layout.len()).flat_map(|from| (0..layout.len()).map(move |to| (from, to)));
        for (from, to) in pairs.filter(|it| it.0 != it.1) {
            let Some(tile) = layout[from].last() else { continue };
            let (room, is_choosy) = rules[to];
            if layout[to].len() >= room || !may_lie(*tile, layout[to].last(), all_different, is_choosy) {
                continue;
            }
            let next = turned(&layout, (from, to));
            let known = turns.entry(key(&next)).or_insert(u32::MAX);
            if made + 1 < *known {
                *known = made + 1;
                open.push(Reverse((made + 1 + greed * distance(&next, goal), made + 1, reached.len())));
                reached.push((next, Some((index, (from, to)))));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use env_client::{Color, Point};
    use world_model::Outcome;

    use super::*;

    /// Stacks of tiles four cells high and of any width, twenty apart, on a pole of colour 3.
    struct Poles {
        stacks: Vec<Vec<(u8, i16)>>,
        held: Option<usize>,
    }

    impl Poles {
        fn frame(&self) -> Grid {
            let mut frame = Grid::filled(64, 44, Color::of(0));
            let mut fill = |x: i16, y: i16, (width, height): (i16, i16), color: u8| {
                let cells = (y..y + height).flat_map(|y| (x..x + width).map(move |x| (x, y)));
                cells.for_each(|(x, y)| frame.set(Point::new(x, y).unwrap(), Color::of(color)));
            };
            for (index, stack) in self.stacks.iter().enumerate() {
                let x = 10 + 20 * index as i16;
                fill(x, 16, (1, 24), 3);
                for (place, (color, width)) in stack.iter().enumerate() {
                    let is_held = self.held == Some(index) && place + 1 == stack.len();
                    let y = if is_held { 4 } else { 36 - 4 * place as i16 };
                    fill(x - width / 2, y, (*width, 4), *color);
                }
            }
            frame
        }

        fn click(&mut self, at: Point) {
            let stack =
                (0..self.stacks.len()).min_by_key(|it| (i16::from(at.x()) - 10 - 20 * *it as i16).abs()).unwrap();
            match self.held.take() {
                None if !self.stacks[stack].is_empty() => self.held = Some(stack),
                Some(from) => {
                    let tile = *self.stacks[from].last().unwrap();
                    if self.stacks[stack].last().is_none_or(|it| tile.1 < it.1) {
                        self.stacks[from].pop();
                        self.stacks[stack].push(tile);
                    }
                }
                None => {}
            }
        }
    }

    #[test]
    fn a_tower_is_moved_to_another_pole() {
        let (mut skill, mask) = (Sorting::default(), InterfaceMask::new());
        let mut poles = Poles { stacks: vec![vec![(8, 13), (9, 9), (11, 5)], vec![], vec![]], held: None };
        skill.begin(&poles.frame(), &mask, Start::Level);
        let mut act = |skill: &mut Sorting, action: Action| {
            let (before, Action::Click(at)) = (poles.frame(), action) else { panic!() };
            poles.click(at);
            let layers = [poles.frame()];
            skill.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues }, &mask);
            poles.stacks.iter().map(Vec::len).collect::<Vec<_>>()
        };
        let click = |x: u8| Action::Click(Point::new(x, 38).unwrap());
        assert!(skill.propose(&Grid::filled(1, 1, Color::of(0)), &mask, ActionSet::ALL).is_none());
        act(&mut skill, click(10));
        act(&mut skill, click(30));
        let proposal =
            skill.propose(&Grid::filled(1, 1, Color::of(0)), &mask, ActionSet::ALL).expect("stacks are understood");
        skill.taken_up();
        let led: Vec<Vec<usize>> = proposal.steps.iter().map(|step| act(&mut skill, step.action)).collect();
        assert_eq!(led.last().unwrap(), &[0, 0, 3], "{:?}", proposal.steps);
        assert!(!skill.gives_up());
        skill.in_vain();
        assert_eq!(skill.goals(&skill.model.layout().unwrap()), [Goal::Tower(1), Goal::Tower(2)]);
    }

    /// Tubes of colour 3 with room for three round beads, ten apart.
    struct Tubes {
        stacks: Vec<Vec<u8>>,
        held: Option<usize>,
    }

    impl Tubes {
        fn frame(&self) -> Grid {
            let mut frame = Grid::filled(64, 44, Color::of(0));
            let mut fill = |x: usize, y: usize, (width, height): (usize, usize), color: u8| {
                let cells = (y..y + height).flat_map(|y| (x..x + width).map(move |x| (x as u8, y as u8)));
                cells.for_each(|(x, y)| frame.set(Point::new(x, y).unwrap(), Color::of(color)));
            };
            for (index, stack) in self.stacks.iter().enumerate() {
                let x = 4 + 10 * index;
                fill(x, 16, (8, 23), 3);
                fill(x + 1, 16, (6, 22), 0);
                for (place, color) in stack.iter().enumerate() {
                    let is_held = self.held == Some(index) && place + 1 == stack.len();
                    let y = if is_held { 8 } else { 31 - 7 * place };
                    fill(x + 2, y, (4, 6), *color);
                    fill(x + 1, y + 1, (6, 4), *color);
                    fill(x + 2, y + 1, (2, 1), 0);
                }
            }
            frame
        }

        fn click(&mut self, at: Point) {
            let stack = usize::from(at.x() - 3) / 10;
            match self.held.take() {
                None => self.held = Some(stack).filter(|it| !self.stacks[*it].is_empty()),
                Some(from) => {
                    let (bead, on) = (self.stacks[from].last().copied(), self.stacks[stack].last());
                    if self.stacks[stack].len() < 3 && on.is_none_or(|on| bead == Some(*on)) {
                        self.stacks[from].pop();
                        self.stacks[stack].extend(bead);
                    }
                }
            }
        }
    }

    #[test]
    fn round_beads_are_sorted_into_tubes_and_that_comes_before_what_knows_no_goal() {
        let (mut skill, mask) = (Sorting::default(), InterfaceMask::new());
        let mut tubes = Tubes { stacks: vec![vec![9, 8, 8], vec![8, 9, 9], vec![]], held: None };
        skill.begin(&tubes.frame(), &mask, Start::Level);
        let mut act = |skill: &mut Sorting, action: Action| {
            let (before, Action::Click(at)) = (tubes.frame(), action) else { panic!() };
            tubes.click(at);
            let layers = [tubes.frame()];
            skill.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues }, &mask);
            tubes.stacks.clone()
        };
        let click = |x: u8| Action::Click(Point::new(x, 34).unwrap());
        act(&mut skill, click(8));
        act(&mut skill, click(28));
        let proposal = skill.propose(&Grid::filled(1, 1, Color::of(0)), &mask, ActionSet::ALL);
        let proposal = proposal.expect("tubes are understood");
        assert!(proposal.score < PLAN + 0.01 * TIER, "{}", proposal.score);
        skill.taken_up();
        let led: Vec<Vec<Vec<u8>>> = proposal.steps.iter().map(|step| act(&mut skill, step.action)).collect();
        let last = led.last().unwrap();
        let is_sorted = last.iter().all(|it| it.windows(2).all(|it| it[0] == it[1]));
        assert!(is_sorted && last.iter().filter(|it| !it.is_empty()).count() == 2, "{last:?}");
        assert!(!skill.gives_up());
    }

    fn layout(stacks: &[&str]) -> Layout {
        let tile = |it: u8| Tile { color: Color::of(it - b'0'), width: 4, form: 0 };
        stacks.iter().map(|it| it.bytes().map(tile).collect()).collect()
    }

    #[test]
    fn tiles_of_a_colour_come_together_with_no_more_of_them_than_there_is_room_for() {
        let first = layout(&["1212", "2121", ""]);
        let turns = way(&first, Goal::Sorted, &vec![(4, true); 3]).unwrap();
        let last = turns.iter().fold(first, |layout, turn| {
            let next = turned(&layout, *turn);
            assert!(next.iter().all(|it| it.len() <= 4));
            next
        });
        assert_eq!(distance(&last, Goal::Sorted), 0, "{last:?}");
        assert_eq!(turns.len(), 10, "there is no shorter way");
    }

    #[test]
    fn where_like_on_like_leads_nowhere_a_tile_goes_on_any_that_was_not_seen_to_refuse_one() {
        let now = layout(&["12", "21", "3"]);
        let mut terms = [Terms { room: 3, is_choosy: None }; 3];
        let ways =
            |terms: &[Terms]| rules(&now, terms).iter().map(|it| way(&now, Goal::Sorted, it)).collect::<Vec<_>>();
        let found = ways(&terms);
        assert_eq!((found.len(), &found[0], found[1].as_ref().map(Vec::len)), (2, &None, Some(3)));
        terms[2].is_choosy = Some(true);
        let turns = ways(&terms)[1].clone().expect("there is a longer way");
        turns.iter().fold(now.clone(), |layout, turn| {
            let tile = layout[turn.0].last();
            assert!(turn.1 != 2 || layout[2].is_empty() || layout[2].last() == tile, "{turns:?}");
            turned(&layout, *turn)
        });
        assert_eq!(ways(&[Terms { room: 3, is_choosy: Some(true) }; 3]), [None]);
    }

    #[test]
    fn a_way_is_found_however_full_all_are_and_whichever_color_comes_first() {
        let rules = vec![(4, false), (3, false), (4, false), (5, false)];
        for colors in ["123", "132", "213", "231", "312", "321"] {
            let paint = |it: u8| char::from(colors.as_bytes()[usize::from(it - b'1')]);
            let stacks = ["1232", "331", "213", "2"].map(|it| it.bytes().map(paint).collect::<String>());
            let now = layout(&stacks.each_ref().map(String::as_str));
            let turns = way(&now, Goal::Sorted, &rules).unwrap_or_else(|| panic!("no way for {stacks:?}"));
            let last = turns.iter().fold(now, |layout, turn| turned(&layout, *turn));
            assert_eq!(distance(&last, Goal::Sorted), 0);
        }
    }

    #[test]
    fn each_tile_above_another_kind_and_each_beside_more_of_its_kind_has_to_go() {
        assert_eq!(distance(&layout(&["122", "11", "2"]), Goal::Sorted), 3);
        assert_eq!(distance(&layout(&["11", "1", "2"]), Goal::Sorted), 1);
        assert_eq!(distance(&layout(&["11", "", "2"]), Goal::Sorted), 0);
    }

    #[test]
    fn what_cannot_be_sorted_is_left() {
        assert_eq!(way(&layout(&["12", "21"]), Goal::Sorted, &vec![(2, true); 2]), None);
    }
}
