//! The skill of moves made by two clicks that rewrite what stands in a line: find out what they do, and make them until one
//! piece is left, or what else may be wanted.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap, HashSet, VecDeque},
};

use env_client::{ActionSet, Grid};
use world_model::{
    InterfaceMask, Outcome, Start, Transition,
    leaps::{BARE, Kind, Leap, Leaps, STRANGE, Stand},
};

use super::{
    ledger::TIER,
    levers::clicks_alone,
    quest::Quest,
    skill::{Move, Proposal, Skill},
};

/// A plan; where one solved a level before, it comes before all that others would try. Guesses.
const PLAN: f32 = 0.3 * TIER;
const PROVEN: f32 = 0.1 * TIER;
/// Two clicks to see what they do. A guess.
const RIDDLE: f32 = 0.45 * TIER;
/// Such pairs in one level before any did something, and after that; and levels without anything found after which it is left
/// to others. Guesses.
const BLIND: u32 = 12;
const PAIRS: u32 = 40;
const LEVELS: u32 = 2;
/// States that one search looks at: about 10 us each. And all searches of a decision together.
const STATES: usize = 40_000;
const ALL_STATES: usize = 100_000;

/// What may be wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Goal {
    /// One piece is left, and stands on a seat that looks unlike others.
    LastOnMark,
    /// One piece is left.
    One,
    /// All of this kind are gone.
    Gone(Kind),
    /// Something stands on every seat that looks unlike others.
    OnMarks,
}

/// What kind of goal it is: that holds in all levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    LastOnMark,
    One,
    Gone,
    OnMarks,
}

/// Understands moves that rewrite lines.
#[derive(Debug, Default)]
pub(super) struct Leaping {
    model: Leaps,
    quest: Quest<(Goal, bool), Stand>,
    lessons: u32,
    /// What each click of the proposal made last should lead to, and of the one under way.
    proposed: VecDeque<Foreseen>,
    foreseen: VecDeque<Foreseen>,
    is_surprised: bool,
    is_experiment: bool,
    /// Pairs tried in this level, and levels in which they taught nothing.
    pairs: u32,
    barren: u32,
    /// What was true of the levels that were solved.
    won: Option<BTreeSet<Class>>,
    /// How the level began, and what is known of it: where it is not worth beginning again, and how much was known then.
    first: Stand,
    dead: Option<(Stand, u32)>,
    left: usize,
    /// What the plan wants that was made last, and what came about in vain in this level.
    pursued: Option<Goal>,
    vain: Vec<Goal>,
}

/// What should come of a click: this piece is picked, or that stands there.
#[derive(Clone, Debug)]
enum Foreseen {
    Picked(usize),
    PutBack,
    Stands(Stand),
}

impl Goal {
    fn class(&self) -> Class {
        match self {
            Goal::LastOnMark => Class::LastOnMark,
            Goal::One => Class::One,
            Goal::Gone(_) => Class::Gone,
            Goal::OnMarks => Class::OnMarks,
        }
    }
}

/// What the goals are told by.
struct Look<'a> {
    model: &'a Leaps,
    marked: Vec<usize>,
}

impl Look<'_> {
    fn pieces(&self, stand: &[Kind]) -> usize {
        stand.iter().filter(|it| self.model.is_piece(**it)).count()
    }

    /// Moves that are left at least, where one takes one piece.
    fn bound(&self, goal: &Goal, stand: &[Kind]) -> usize {
        let bare = || self.marked.iter().filter(|it| !self.model.is_piece(stand[**it])).count();
        match goal {
            Goal::One => self.pieces(stand).saturating_sub(1),
            Goal::LastOnMark => {
                let is_there = self.marked.iter().any(|it| self.model.is_piece(stand[*it]));
                (self.pieces(stand).saturating_sub(1)).max(usize::from(!is_there))
            }
            Goal::Gone(kind) => stand.iter().filter(|it| *it == kind).count(),
            Goal::OnMarks => bare(),
        }
    }
}

impl Leaping {
    fn look(&self) -> Look<'_> {
        Look { model: &self.model, marked: self.model.marked() }
    }

    /// What may be wanted here, the likeliest first: what was true of all levels that were solved comes before all else.
    fn goals(&self, stand: &[Kind]) -> Vec<Goal> {
        let look = self.look();
        let mut counts: Vec<(usize, Kind)> = Vec::new();
        for kind in stand.iter().filter(|it| **it != BARE && **it != STRANGE && self.model.is_piece(**it)) {
            match counts.iter_mut().find(|it| it.1 == *kind) {
                Some(count) => count.0 += 1,
                None => counts.push((1, *kind)),
            }
        }
        counts.sort_unstable();
        let mut goals = if look.marked.is_empty() { Vec::new() } else { vec![Goal::LastOnMark] };
        goals.push(Goal::One);
        goals.extend(counts.iter().filter(|_| counts.len() > 1).map(|it| Goal::Gone(it.1)));
        goals.extend((!look.marked.is_empty()).then_some(Goal::OnMarks));
        let has_won = |it: &Goal| self.won.as_ref().is_some_and(|won| won.contains(&it.class()));
        goals.sort_by_key(|it| !has_won(it));
        goals.retain(|it| look.bound(it, stand) > 0 && !self.vain.contains(it));
        goals
    }

    /// The moves to what may be wanted.
    fn way(&mut self, stand: &Stand) -> Option<(Goal, Vec<(Leap, Stand)>)> {
        for goal in self.goals(stand) {
            for dares in [false, true] {
                let budget = STATES.min(self.left);
                let search = way(&self.look(), &goal, stand, dares, budget);
                self.left = self.left.saturating_sub(search.1);
                if let Some(way) = search.0 {
                    return Some((goal, way));
                }
            }
        }
        None
    }

    fn plan(&mut self, stand: &Stand) -> Option<Proposal> {
        for goal in self.goals(stand) {
            for dares in [false, true] {
                let (model, left) = (&self.model, &mut self.left);
                let look = Look { model, marked: model.marked() };
                let mut leaps = Vec::new();
                let plan = self.quest.plan(stand.clone(), (goal.clone(), dares), |stand, (goal, dares)| {
                    let (way, states) = way(&look, goal, stand, *dares, STATES.min(*left));
                    *left = left.saturating_sub(states);
                    leaps = way?;
                    let actions = 2 * leaps.len();
                    Some(Proposal { goal: name(goal).to_owned(), score: actions as f32, ..Proposal::default() })
                });
                if let Some(plan) = plan {
                    self.pursued = Some(goal);
                    return Some(self.proposal(plan, &leaps));
                }
            }
        }
        None
    }

    /// The clicks that make these moves.
    fn proposal(&mut self, plan: Proposal, leaps: &[(Leap, Stand)]) -> Proposal {
        let mut steps = VecDeque::new();
        self.proposed.clear();
        for (index, (leap, after)) in leaps.iter().enumerate() {
            let clicks = if index == 0 { self.model.clicks(*leap) } else { self.model.clicks_of(*leap) };
            let foreseen = [Foreseen::PutBack, Foreseen::Picked(leap.0), Foreseen::Stands(after.clone())];
            self.proposed.extend(foreseen.into_iter().skip(3 - clicks.len().min(3)));
            steps.extend(clicks.into_iter().map(|action| Move { action, expected: None }));
        }
        let score = if self.won.is_some() { PROVEN } else { PLAN };
        Proposal { steps, score: score + plan.score, ..plan }
    }

    fn experiment(&mut self) -> Option<Proposal> {
        let most = if self.model.is_understood() { PAIRS } else { BLIND };
        if self.pairs >= most || !self.model.is_understood() && self.barren >= LEVELS {
            return None;
        }
        let clicks = self.model.clicks(self.model.experiment()?);
        self.is_experiment = true;
        let steps = clicks.into_iter().map(|action| Move { action, expected: None }).collect();
        Some(Proposal { steps, goal: "see what two clicks do to what lies in a line".to_owned(), score: RIDDLE })
    }

    /// What is true of a level that is solved.
    fn has_won(&mut self, stand: &[Kind]) {
        let look = self.look();
        let goals = [Goal::LastOnMark, Goal::One, Goal::OnMarks];
        let is_told = |it: &Goal| !look.marked.is_empty() || *it == Goal::One;
        let met = goals.into_iter().filter(|it| is_told(it) && look.bound(it, stand) == 0);
        let mut met: BTreeSet<Class> = met.map(|it| it.class()).collect();
        let is_gone = |kind: &Kind| self.model.is_piece(*kind) && !stand.contains(kind);
        met.extend(self.first.iter().any(is_gone).then_some(Class::Gone));
        self.won = Some(match self.won.take() {
            Some(won) if won.intersection(&met).next().is_some() => won.intersection(&met).copied().collect(),
            _ => met,
        });
    }
}

fn name(goal: &Goal) -> &'static str {
    match goal {
        Goal::LastOnMark => "the last piece on the marked seat",
        Goal::One => "one piece is left",
        Goal::Gone(_) => "all of a kind are gone",
        Goal::OnMarks => "a piece on every marked seat",
    }
}

impl Skill for Leaping {
    fn name(&self) -> &'static str {
        "leaps"
    }

    fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.model.begin(frame, mask, start);
        self.foreseen.clear();
        if start == Start::Level {
            self.barren += u32::from(self.pairs > 0 && !self.model.is_understood());
            (self.pairs, self.quest, self.dead) = (0, Quest::default(), None);
            self.vain.clear();
        }
        self.first = self.model.stand();
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.model.observe(step, mask);
        let expected = self.foreseen.pop_front();
        if let (Outcome::Solved, Some(Foreseen::Stands(stand))) = (step.outcome, &expected) {
            self.has_won(stand);
        }
        self.is_surprised = match expected {
            None => false,
            Some(Foreseen::PutBack) => self.model.held().is_some(),
            Some(Foreseen::Picked(seat)) => self.model.held() != Some(seat),
            Some(Foreseen::Stands(stand)) => self.model.stand() != stand,
        };
        if std::mem::replace(&mut self.lessons, self.model.lessons()) != self.lessons {
            self.quest.learned();
        }
        if self.first.is_empty() {
            self.first = self.model.stand();
        }
    }

    fn propose(&mut self, _frame: &Grid, _mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.quest.rest();
        self.proposed.clear();
        (self.is_experiment, self.left) = (false, ALL_STATES);
        if !clicks_alone(actions) || self.model.is_hopeless() || !self.model.has_board() {
            return None;
        }
        let stand = self.model.stand();
        let plan = if self.model.is_understood() { self.plan(&stand) } else { None };
        plan.or_else(|| self.experiment())
    }

    fn starts_over(&mut self) -> bool {
        let stand = self.model.stand();
        let known = (stand.clone(), self.lessons);
        let is_asked = self.model.has_board() && self.model.is_understood() && !self.model.is_hopeless();
        if !is_asked || self.dead.as_ref() == Some(&known) || stand == self.first {
            return false;
        }
        self.left = ALL_STATES;
        let first = self.first.clone();
        let leads = self.way(&stand).is_none() && self.model.experiment().is_none() && self.way(&first).is_some();
        self.dead = (!leads).then_some(known);
        leads
    }

    fn gives_up(&self) -> bool {
        self.is_surprised
    }

    fn taken_up(&mut self) {
        self.foreseen = std::mem::take(&mut self.proposed);
        self.pairs += u32::from(self.is_experiment);
        if !self.is_experiment {
            self.quest.taken_up();
        }
    }

    fn in_vain(&mut self) {
        if !self.is_experiment {
            self.quest.in_vain();
            self.vain.extend(self.pursued.take());
        }
    }
}

/// A stand, and the one before it with the move from there.
type Reached = (Stand, Option<(usize, Leap)>);

/// Moves to a goal, few where several ways are as good, with what each leads to; and how many stands were looked at.
fn way(look: &Look<'_>, goal: &Goal, start: &Stand, dares: bool, most: usize) -> (Option<Vec<(Leap, Stand)>>, usize) {
    let mut memo = look.model.memo(dares);
    let mut reached: Vec<Reached> = vec![(start.clone(), None)];
    let mut seen = HashSet::from([start.clone()]);
    let mut open = BinaryHeap::from([(Reverse(look.bound(goal, start)), 0, Reverse(0))]);
    let mut looked_at = 0;
    while let Some((_, moves, Reverse(index))) = open.pop() {
        let stand = reached[index].0.clone();
        if look.bound(goal, &stand) == 0 {
            return (Some(path(&reached, index)), looked_at);
        }
        looked_at += 1;
        if looked_at >= most {
            break;
        }
        for (leap, next) in look.model.moves(&stand, &mut memo) {
            if seen.insert(next.clone()) {
                open.push((Reverse(moves + 1 + look.bound(goal, &next)), moves + 1, Reverse(reached.len())));
                reached.push((next, Some((index, leap))));
            }
        }
    }
    (None, looked_at)
}

/// The moves that led to a stand.
fn path(reached: &[Reached], mut index: usize) -> Vec<(Leap, Stand)> {
    let mut path = Vec::new();
    while let (stand, Some((from, leap))) = &reached[index] {
        path.push((*leap, stand.clone()));
        index = *from;
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use env_client::{Action, ActionId, Color, Key, Point};

    use super::*;

    const PEG: u8 = 9;
    const NEST: u8 = 2;
    const GOLD: u8 = 11;

    /// Squares in slanting rows; a peg hops over another one, which is gone, into a nest.
    struct Game {
        stand: [u8; 10],
        picked: Option<usize>,
    }

    const PLACES: [(u8, u8); 10] =
        [(0, 0), (8, 0), (16, 0), (4, 7), (12, 7), (20, 7), (0, 14), (8, 14), (16, 14), (24, 14)];

    impl Game {
        fn frame(&self) -> Grid {
            let mut frame = Grid::filled(32, 32, Color::of(5));
            for (seat, (left, top)) in PLACES.into_iter().enumerate() {
                let color = if self.picked == Some(seat) { 10 } else { self.stand[seat] };
                for (x, y) in (0..5).flat_map(|y| (0..5).map(move |x| (x, y))) {
                    frame.set(Point::new(left + x + 1, top + y + 1).unwrap(), Color::of(color));
                }
            }
            frame
        }

        fn click(&mut self, at: Point) {
            let is_on =
                |(left, top): &(u8, u8)| (left + 1..left + 6).contains(&at.x()) && (top + 1..top + 6).contains(&at.y());
            let Some(seat) = PLACES.iter().position(is_on) else { return };
            let picked = self.picked.take();
            if self.stand[seat] == PEG {
                self.picked = Some(seat).filter(|_| picked != Some(seat));
            } else if let Some(from) = picked {
                let sum = |it: (u8, u8), other: (u8, u8)| (it.0 + other.0, it.1 + other.1);
                let over = PLACES.iter().position(|it| sum(*it, *it) == sum(PLACES[from], PLACES[seat]));
                if let Some(over) = over.filter(|it| self.stand[*it] == PEG) {
                    (self.stand[from], self.stand[over], self.stand[seat]) = (NEST, NEST, PEG);
                }
            }
        }

        fn act(&mut self, skill: &mut Leaping, action: Action) {
            let (before, Action::Click(at)) = (self.frame(), action) else { panic!() };
            self.click(at);
            let layers = [self.frame()];
            let step = Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues };
            skill.observe(&step, &InterfaceMask::new());
        }

        /// Lets the skill play until `is_done`; how many clicks that took.
        fn play(&mut self, skill: &mut Leaping, is_done: impl Fn(&Game) -> bool) -> Option<usize> {
            let (mut clicks, only) = (0, ActionSet::of(&[ActionId::Action6]));
            while !is_done(self) && clicks < 60 {
                let proposal = skill.propose(&self.frame(), &InterfaceMask::new(), only)?;
                skill.taken_up();
                for step in proposal.steps {
                    self.act(skill, step.action);
                    clicks += 1;
                    if skill.gives_up() || is_done(self) {
                        break;
                    }
                }
            }
            is_done(self).then_some(clicks)
        }
    }

    /// A game, and who saw one peg of it picked.
    fn begun(stand: [u8; 10]) -> (Game, Leaping) {
        let (mut game, mut skill) = (Game { stand, picked: None }, Leaping::default());
        skill.begin(&game.frame(), &InterfaceMask::new(), Start::Level);
        let (x, y) = PLACES[stand.iter().position(|it| *it == PEG).unwrap()];
        game.act(&mut skill, Action::Click(Point::new(x + 3, y + 3).unwrap()));
        (game, skill)
    }

    #[test]
    fn hops_are_found_out_and_made_until_one_is_left() {
        let (mut game, mut skill) = begun([PEG, PEG, NEST, NEST, PEG, NEST, NEST, NEST, PEG, NEST]);
        let pegs = |game: &Game| game.stand.iter().filter(|it| **it == PEG).count();
        let clicks = game.play(&mut skill, |game| pegs(game) == 1);
        assert!(clicks.is_some_and(|it| it < 30), "{clicks:?}, {:?}", game.stand);
    }

    #[test]
    fn the_last_one_is_to_stand_on_the_seat_that_is_marked() {
        let (mut game, mut skill) = begun([PEG, PEG, NEST, NEST, PEG, NEST, NEST, GOLD, NEST, NEST]);
        let clicks = game.play(&mut skill, |game| game.stand[7] == PEG);
        assert!(clicks.is_some(), "{:?}", game.stand);
    }

    #[test]
    fn a_level_is_begun_again_where_nothing_leads_on_from_here() {
        let (mut game, mut skill) = begun([PEG, PEG, NEST, NEST, PEG, NEST, NEST, GOLD, NEST, NEST]);
        game.play(&mut skill, |_| false);
        skill.model = Leaps::default();
        assert!(!skill.starts_over(), "nothing is known");
    }

    #[test]
    fn where_keys_move_things_it_is_left_to_others() {
        let (game, mut skill) = begun([PEG, PEG, NEST, NEST, PEG, NEST, NEST, NEST, NEST, NEST]);
        let keys = ActionSet::of(&[ActionId::Action6, Action::Key(Key::Key1).id()]);
        assert_eq!(skill.propose(&game.frame(), &InterfaceMask::new(), keys), None);
    }
}
