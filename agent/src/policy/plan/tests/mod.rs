//! The planner on models of ten lines: simulators that know everything but what wins.

mod arrange;
mod drawn;
mod gather;
mod guards;
mod guise;
mod hunches;
mod imagined;
mod losses;
mod order;
mod put_back;
mod refuel;
mod restart;
mod surveys;
mod things;
mod traps;

use std::collections::HashSet;

use env_client::{Action, ActionId, ActionSet, Color, Command, Grid, Key, Point, Status, Turn};
use world_model::{Advance, InterfaceMask, Outcome, Prediction, Source, Start, State, Transition, WorldModel};

use super::{
    Plan,
    curiosity::{Curiosity, Target},
    fuel::Fuel,
    ledger::Ledger,
    likeness::Comparison,
    modes::Modes,
    records::Happening,
    search::{NodeKey, Report, Search},
    things::{Kind, Thing, Things, Touched, Under},
};
use crate::policy::{self, Forecast, Policy, Who};

const PIECE: usize = 5;
const WALL: usize = 1;
/// Stepping on it solves the level, or loses it.
const PRIZE: usize = 2;
const PIT: usize = 3;
/// What lies behind fog is not known to the model.
const FOG: usize = 4;

/// Walks a piece over a picture.
#[derive(Clone, Copy, Debug, Default)]
struct Walk {
    /// Whether the model says what solves and loses.
    knows_all: bool,
}

fn direction(action: Action) -> (i8, i8) {
    match action {
        Action::Key(Key::Key1) => (0, -1),
        Action::Key(Key::Key2) => (0, 1),
        Action::Key(Key::Key3) => (-1, 0),
        Action::Key(Key::Key4) => (1, 0),
        _ => (0, 0),
    }
}

fn piece(frame: &Grid) -> Point {
    frame.points().find(|at| frame[*at].index() == PIECE).unwrap()
}

/// The next picture, and what the piece went for.
fn walk(frame: &Grid, action: Action) -> (Grid, Option<usize>) {
    let from = piece(frame);
    let (dx, dy) = direction(action);
    let to = from.offset(dx, dy).filter(|to| *to != from && to.x() < frame.width() && to.y() < frame.height());
    let Some(to) = to else { return (frame.clone(), None) };
    let met = frame[to].index();
    let mut next = frame.clone();
    if met != WALL {
        next.set(from, Color::of(0));
        next.set(to, Color::of(PIECE as u8));
    }
    (next, Some(met))
}

impl WorldModel for Walk {
    fn begin(&mut self, _frame: &Grid, _start: Start) {}

    fn observe(&mut self, _transition: &Transition<'_>) {}

    fn predict(&self, state: &State, action: Action) -> Prediction {
        let (next, met) = walk(&state.frame, action);
        let outcome = match met {
            Some(FOG) => return Prediction::UNKNOWN,
            Some(PRIZE) if self.knows_all => Outcome::Solved,
            Some(PIT) if self.knows_all => Outcome::Lost,
            _ => Outcome::Continues,
        };
        Prediction { next: Some(State::seen(next)), outcome, confidence: 1.0, source: Source::Rules }
    }

    fn advances(&self, state: &State, action: Action) -> Vec<Advance> {
        let (from, by) = (piece(&state.frame), direction(action));
        let onto = from.offset(by.0, by.1).filter(|to| *to != from);
        vec![Advance {
            from: vec![from],
            onto: onto.into_iter().collect(),
            by: (by.0.into(), by.1.into()),
            ..Advance::default()
        }]
    }

    fn disagreement(&self, _state: &State, _action: Action) -> f32 {
        0.0
    }
}

fn arrows() -> ActionSet {
    ActionSet::of(&[ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4])
}

/// What is wanted in a picture when nothing was tried, and how many actions it takes.
fn wanted(picture: &str, model: Walk, ledger: &Ledger, budget: usize) -> (Option<(Target, usize)>, usize) {
    wanted_with(picture, model, ledger, &Fuel::default(), budget)
}

/// The same with so much left of a budget of actions.
fn wanted_with(
    picture: &str,
    model: Walk,
    ledger: &Ledger,
    fuel: &Fuel,
    budget: usize,
) -> (Option<(Target, usize)>, usize) {
    let (frame, mask): (Grid, _) = (picture.parse().unwrap(), InterfaceMask::new());
    let state = State::seen(frame.clone());
    let things = Things::of(&frame, &mask, &model.advances(&state, Action::Key(Key::Key1)), Under::default());
    let (visited, failed) = (HashSet::new(), HashSet::new());
    let needs = (&Comparison::default(), fuel.is_low());
    let selected = Modes::default();
    let mut judge = Curiosity::new(&things, (ledger, &selected), needs, (&visited, &failed), arrows());
    let Report { best, expanded, .. } = Search::new(&model, &mask).fuelled(fuel.clone()).run(state, &mut judge, budget);
    (best.map(|found| (found.target, found.path.len())), expanded)
}

#[test]
fn what_solves_is_wanted_most_and_reached_the_shortest_way() {
    let picture = "00000000\n05011100\n00010200\n00000000\n00000000";
    let (found, _) = wanted(picture, Walk { knows_all: true }, &Ledger::default(), 500);
    assert_eq!(found, Some((Target::Solve, 7)), "past something to touch, round the wall");
}

#[test]
fn a_search_keeps_its_budget_and_says_what_it_spent() {
    let picture = "00000000\n05011100\n00010200\n00000000\n00000000";
    let (_, expanded) = wanted(picture, Walk { knows_all: true }, &Ledger::default(), 3);
    assert_eq!(expanded, 6, "twice as many, since something is in sight");
    let (_, expanded) = wanted("00000000\n05000000\n00000000", Walk::default(), &Ledger::default(), 1);
    assert_eq!(expanded, 1, "nothing is");
}

#[test]
fn what_is_in_sight_is_gone_for_across_an_open_field() {
    let mut rows = vec!["0".repeat(40); 40];
    rows[1].replace_range(1..2, "5");
    rows[30].replace_range(30..31, "8");
    let model = Walk { knows_all: true };
    let mut ledger = Ledger::default();
    let (found, _) = wanted(&rows.join("\n"), model, &ledger, 100);
    let Some((Target::Touch(thing), 58)) = found else { panic!("{found:?}") };
    ledger.looked_in_vain(thing);
    let (found, _) = wanted(&rows.join("\n"), model, &ledger, 100);
    assert!(!matches!(found, Some((Target::Touch(_), _))), "not while it is out of reach: {found:?}");
    ledger.changed_mode();
    assert!(!ledger.is_out_of_reach(thing), "there may be a way now");
}

#[test]
fn who_wandered_long_goes_back_to_what_may_answer_since_something_happened() {
    let learn = |wandered: u32| {
        move |ledger: &mut Ledger, near: Touched, far: Touched| {
            for touched in [&near, &far, &near, &far] {
                ledger.touched(touched, Happening::default());
            }
            ledger.changed_mode();
            ledger.went_for(Kind::ground(Color::of(0)));
            arrows().iter().for_each(|action| ledger.took(action));
            (0..wandered).for_each(|_| ledger.wander());
        }
    };
    assert_eq!(beside(&Fuel::default(), learn(0)), None, "somewhere new");
    assert_eq!(beside(&Fuel::default(), learn(60)), Some(8));
}

#[test]
fn the_unknown_is_a_target_and_no_bridge() {
    let (picture, mut ledger) = ("1111111\n5040002\n1111111", Ledger::default());
    ledger.took(ActionId::Action4);
    let (found, _) = wanted(picture, Walk { knows_all: true }, &ledger, 500);
    assert!(matches!(found, Some((Target::Touch(thing), 2)) if thing.kind.color.index() == FOG), "{found:?}");
}

#[test]
fn an_action_that_nobody_took_is_tried_where_nobody_knows_what_it_does() {
    let (found, _) = wanted("1111111\n5040002\n1111111", Walk { knows_all: true }, &Ledger::default(), 500);
    assert_eq!(found, Some((Target::Press(Action::Key(Key::Key4), None), 2)));
}

#[test]
fn what_lies_behind_a_wall_is_not_touched_by_going_for_it() {
    let frame: Grid = "50080000\n00000000\n00000000".parse().unwrap();
    let things = Things::of(&frame, &InterfaceMask::new(), &[], Under::default());
    let cells = |xs: std::ops::Range<u8>| xs.map(|x| Point::new(x, 0).unwrap()).collect();
    let advances = [Advance { from: cells(0..1), onto: cells(1..4), by: (3, 0), ..Advance::default() }];
    assert_eq!(things.touched(&advances, |_| false).things.len(), 1);
    assert_eq!(things.touched(&advances, |color| color.index() == 0).things.len(), 0, "the ground between stops it");
}

#[test]
fn a_gap_that_shows_the_floor_is_no_thing() {
    let wall = "0000000000000000\n".repeat(9);
    let floor = "2222222222222222\n".repeat(4);
    let frame: Grid =
        format!("{wall}{floor}2255522222222222\n2252522299922222\n2255522292922222\n2222222299922222").parse().unwrap();
    let from: Vec<Point> = frame.points().filter(|at| frame[*at].index() == PIECE).collect();
    let advances = [Advance { from, onto: Vec::new(), by: (3, 0), ..Advance::default() }];
    let things = Things::of(&frame, &InterfaceMask::new(), &advances, Under::default());
    let colors: Vec<usize> = things.iter().map(|(thing, _)| thing.kind.color.index()).collect();
    assert_eq!(colors, [9], "neither within the piece nor within the ring");
}

#[test]
fn no_way_leads_over_what_loses() {
    let picture = "1111111\n5030002\n1111111";
    let (found, _) = wanted(picture, Walk { knows_all: true }, &Ledger::default(), 500);
    assert!(!matches!(found, Some((Target::Solve, _))), "{found:?}");
}

#[test]
fn things_never_touched_come_before_things_touched_in_vain() {
    let picture = "00000000\n05080009\n00000000\n00000000";
    let frame: Grid = picture.parse().unwrap();
    let things = Things::of(&frame, &InterfaceMask::new(), &[], Under::default());
    let near = things.at(Point::new(3, 1).unwrap()).unwrap();
    let mut ledger = Ledger::default();
    let touched = Touched { things: [near].into(), kinds: [near.kind].into() };
    ledger.touched(&touched, Happening::default());
    let (found, _) = wanted(picture, Walk::default(), &ledger, 500);
    assert!(matches!(found, Some((Target::Touch(thing), _)) if thing.kind.color.index() == 9), "{found:?}");
}

#[test]
fn what_refused_is_touched_again_once_something_happened() {
    let refused = |ledger: &mut Ledger, near: Touched, far: Touched| {
        ledger.touched(&near, Happening { refused: true, ..Happening::default() });
        ledger.touched(&far, Happening { event: true, ..Happening::default() });
    };
    assert_eq!(beside(&Fuel::default(), refused), Some(8));
}

/// Two things at both sides of a piece: what is known of them, and how far there is left to go.
fn beside(fuel: &Fuel, learn: impl Fn(&mut Ledger, Touched, Touched)) -> Option<usize> {
    let picture = "0000000000000000\n0800050000000009\n0000000000000000";
    let frame: Grid = picture.parse().unwrap();
    let things = Things::of(&frame, &InterfaceMask::new(), &[], Under::default());
    let touched = |x: u8| {
        let thing = things.at(Point::new(x, 1).unwrap()).unwrap();
        Touched { things: [thing].into(), kinds: [thing.kind].into() }
    };
    let mut ledger = Ledger::default();
    learn(&mut ledger, touched(1), touched(15));
    let (found, _) = wanted_with(picture, Walk::default(), &ledger, fuel, 500);
    found.and_then(|(target, _)| if let Target::Touch(thing) = target { Some(thing.kind.color.index()) } else { None })
}

#[test]
fn nothing_is_wanted_that_lies_beyond_the_budget_but_by_way_of_what_fills_it() {
    let tried = |ledger: &mut Ledger, near: Touched, _| ledger.touched(&near, Happening::default());
    assert_eq!(beside(&Fuel::left(10, 12), tried), Some(9));
    assert_eq!(beside(&Fuel::left(9, 12), tried), None, "it is too far");
    let fills = |ledger: &mut Ledger, near: Touched, _| ledger.fillings.touched(&near.things, true);
    assert_eq!(beside(&Fuel::left(6, 18), fills), Some(9), "over what fills it, which is not wanted for its own sake");
    assert_eq!(beside(&Fuel::left(10, 12), fills), Some(9), "straight there");
    assert_eq!(beside(&Fuel::left(3, 12), fills), None, "it cannot be reached any more");
    assert_eq!(beside(&Fuel::left(4, 30), fills), Some(8), "little is left");
}

#[test]
fn what_changes_something_is_touched_again_when_something_refuses() {
    let learn = |refused: bool| {
        move |ledger: &mut Ledger, near: Touched, far: Touched| {
            ledger.touched(&near, Happening { event: true, ..Happening::default() });
            ledger.touched(&far, Happening { refused, ..Happening::default() });
        }
    };
    assert_eq!(beside(&Fuel::default(), learn(true)), Some(8));
    assert_eq!(beside(&Fuel::default(), learn(false)), None, "there is nothing left but to go where nobody was");
}

#[test]
fn what_changes_something_and_lies_under_a_piece_is_left_and_entered_again() {
    let (frame, mask): (Grid, _) = ("0000000\n0005000\n0000000".parse().unwrap(), InterfaceMask::new());
    let at = piece(&frame);
    let pad = Thing { kind: Kind { color: Color::of(8), shape: 1 }, at };
    let (state, model) = (State::seen(frame.clone()), Walk::default());
    let things = Things::of(&frame, &mask, &model.advances(&state, Action::Key(Key::Key1)), Under::one(at, pad));
    let (visited, failed, mut ledger) = (HashSet::new(), HashSet::new(), Ledger::default());
    let touched = Touched { things: [pad].into(), kinds: [pad.kind].into() };
    ledger.touched(&touched, Happening { event: true, ..Happening::default() });
    ledger.touched(&Touched::default(), Happening::default());
    let refusing = Thing { at: Point::default(), ..pad };
    let refused = Touched { things: [refusing].into(), ..Touched::default() };
    ledger.touched(&refused, Happening { refused: true, ..Happening::default() });
    let needs = (&Comparison::default(), false);
    let selected = Modes::default();
    let mut judge = Curiosity::new(&things, (&ledger, &selected), needs, (&visited, &failed), arrows());
    let found = Search::new(&model, &mask).run(state, &mut judge, 100).best.unwrap();
    assert_eq!((found.target, found.path.len()), (Target::Touch(pad), 2));
}

#[test]
fn what_killed_is_not_touched_again() {
    let picture = "00000000\n05080000\n00000000\n00000000";
    let frame: Grid = picture.parse().unwrap();
    let things = Things::of(&frame, &InterfaceMask::new(), &[], Under::default());
    let kind = things.what(Point::new(3, 1).unwrap()).unwrap();
    let mut ledger = Ledger::default();
    ledger.died(&Touched { kinds: [kind].into(), ..Touched::default() });
    let (found, _) = wanted(picture, Walk::default(), &ledger, 500);
    assert!(!matches!(found, Some((Target::Touch(_), _))), "{found:?}");
}

/// Plays one level whose prize has to be found out; how many actions it took.
fn solve(picture: &str, model: Walk, limit: usize) -> Option<usize> {
    let first: Grid = picture.parse().unwrap();
    let mut plan = Plan::with_model(model, 1);
    let seen = |frame: &Grid, levels| policy::tests::with(frame.clone(), Status::NotFinished, levels, arrows());
    let mut now = seen(&first, 0);
    plan.observe(None, Command::Reset, policy::Outcome::Seen(&now));
    for count in 1..=limit {
        let Turn::Play(actions) = now.turn() else { return None };
        let Command::Act(action) = plan.decide(&now, actions).command else { return None };
        let (next, met) = walk(now.settled()?, action);
        if met == Some(PRIZE) {
            return Some(count);
        }
        let after = if met == Some(PIT) { seen(&first, 0) } else { seen(&next, 0) };
        plan.observe(Some(&now), action.into(), policy::Outcome::Seen(&after));
        now = after;
    }
    None
}

#[test]
fn a_level_is_solved_by_touching_what_it_shows() {
    let picture = "0000000000\n0501111000\n0001000000\n0001002000\n0000000000\n0000000000";
    let taken = solve(picture, Walk::default(), 40);
    assert!(taken.is_some_and(|taken| taken <= 12), "{taken:?}");
}

#[test]
fn a_decision_tells_who_made_it_what_for_and_what_should_come_of_it() {
    let first: Grid = "0000000\n0500800\n0000000".parse().unwrap();
    let now = policy::tests::with(first.clone(), Status::NotFinished, 0, arrows());
    let mut plan = Plan::with_model(Walk::default(), 1);
    plan.observe(None, Command::Reset, policy::Outcome::Seen(&now));
    let decision = plan.decide(&now, arrows());
    assert_eq!((decision.who, decision.goal.as_deref()), (Who::Search, Some("touch the 8 at (4, 1)")));
    let Command::Act(action) = decision.command else { panic!("a RESET leads nowhere") };
    assert_eq!(decision.forecast, Some(Forecast { frame: walk(&first, action).0, confidence: Some(1.0) }));
    plan.observe(Some(&now), action.into(), policy::Outcome::Seen(&now));
    let surprise = plan.decide(&now, arrows()).surprise;
    assert_eq!(surprise.as_deref(), Some("2 cells are not as foreseen"), "the piece did not move");
}

const CRATE: usize = 6;
const SLOT: usize = 7;

/// Pushes crates one cell at a time; knows how, but not what for.
#[derive(Clone, Copy, Debug, Default)]
struct Push;

/// The next picture.
fn push(frame: &Grid, action: Action) -> Grid {
    let (from, (dx, dy)) = (piece(frame), direction(action));
    let within = |at: Point| Some(at).filter(|at| at.x() < frame.width() && at.y() < frame.height());
    let Some(to) = from.offset(dx, dy).and_then(within).filter(|to| *to != from) else { return frame.clone() };
    let mut next = frame.clone();
    let beyond = to.offset(dx, dy).and_then(within).filter(|at| ![WALL, CRATE].contains(&frame[*at].index()));
    match (frame[to].index(), beyond) {
        (WALL, _) | (CRATE, None) => return next,
        (CRATE, Some(beyond)) => next.set(beyond, Color::of(CRATE as u8)),
        _ => {}
    }
    next.set(from, Color::of(0));
    next.set(to, Color::of(PIECE as u8));
    next
}

impl WorldModel for Push {
    fn begin(&mut self, _frame: &Grid, _start: Start) {}

    fn observe(&mut self, _transition: &Transition<'_>) {}

    fn predict(&self, state: &State, action: Action) -> Prediction {
        let next = Some(State::seen(push(&state.frame, action)));
        Prediction { next, confidence: 1.0, source: Source::Rules, ..Prediction::UNKNOWN }
    }

    fn advances(&self, state: &State, action: Action) -> Vec<Advance> {
        Walk::default().advances(state, action)
    }

    fn driven(&self, state: &State, action: Action) -> Vec<Advance> {
        let (next, (dx, dy)) = (push(&state.frame, action), direction(action));
        let crates: Vec<Point> = state.frame.points().filter(|at| state.frame[*at].index() == CRATE).collect();
        let pushed = crates.into_iter().filter(|at| next[*at].index() == PIECE);
        let to = |at: Point| at.offset(dx, dy).into_iter().collect();
        pushed
            .map(|at| Advance { from: vec![at], onto: to(at), by: (dx.into(), dy.into()), ..Advance::default() })
            .collect()
    }

    fn disagreement(&self, _state: &State, _action: Action) -> f32 {
        0.0
    }
}

/// Plays one level that wants a crate on a slot and is put back by a step on a pit: the actions it took, and how often it
/// was put back.
fn arrange(picture: &str, limit: usize) -> Option<(usize, usize)> {
    let first: Grid = picture.parse().unwrap();
    let (is_slot, is_pit) = (|at: &Point| first[*at].index() == SLOT, |at: Point| first[at].index() == PIT);
    let slot = first.points().find(is_slot).unwrap();
    let mut plan = Plan::with_model(Push, 1);
    let mut now = policy::tests::with(first.clone(), Status::NotFinished, 0, arrows());
    plan.observe(None, Command::Reset, policy::Outcome::Seen(&now));
    let mut put_back = 0;
    for count in 1..=limit {
        let Command::Act(action) = plan.decide(&now, arrows()).command else { return None };
        let mut next = push(now.settled().unwrap(), action);
        if is_pit(piece(&next)) {
            (next, put_back) = (first.clone(), put_back + 1);
        }
        let solved = next[slot].index() == CRATE;
        let after = policy::tests::with(next, Status::NotFinished, u16::from(solved), arrows());
        plan.observe(Some(&now), action.into(), policy::Outcome::Seen(&after));
        if solved {
            return Some((count, put_back));
        }
        now = after;
    }
    None
}

#[test]
fn what_was_pushed_once_is_pushed_onto_its_slot() {
    let solved = arrange("0000000000\n0501111000\n0001006000\n0000000000\n0000070000\n0000000000", 60);
    assert!(solved.is_some());
}

#[test]
fn what_puts_a_piece_back_costs_no_arrangement_and_is_met_once() {
    let solved = arrange("00000000\n00333300\n05600000\n00000000\n00070000\n00000000", 40);
    assert!(matches!(solved, Some((_, 1))), "{solved:?}");
}

#[test]
fn of_ways_that_are_as_long_one_that_pushes_nothing_is_taken() {
    let (frame, mask): (Grid, _) = ("56000\n00000\n00008".parse().unwrap(), InterfaceMask::new());
    let state = State::seen(frame.clone());
    let things = Things::of(&frame, &mask, &Push.advances(&state, Action::Key(Key::Key1)), Under::default());
    let [pushed, wanted] = [(1, 0), (4, 2)].map(|(x, y)| things.at(Point::new(x, y).unwrap()).unwrap());
    let (visited, failed, mut ledger, modes) = (HashSet::new(), HashSet::new(), Ledger::default(), Modes::default());
    ledger.touched(&Touched { things: [pushed].into(), kinds: [pushed.kind].into() }, Happening::default());
    let needs = (&Comparison::default(), false);
    let mut judge = Curiosity::new(&things, (&ledger, &modes), needs, (&visited, &failed), arrows());
    let found = Search::new(&Push, &mask).run(state, &mut judge, 200).best.unwrap();
    assert_eq!((&found.target, found.path.len()), (&Target::Touch(wanted), 6));
    assert_eq!(found.path[0].action, Action::Key(Key::Key2), "down, past the crate");
    assert!((found.score - found.base - 6.0).abs() < 1e-3, "{} {}", found.score, found.base);
}

#[test]
fn places_that_look_alike_are_told_apart_by_what_lies_under_something() {
    let (frame, mask): (Grid, _) = ("000\n080\n000".parse().unwrap(), InterfaceMask::new());
    let open = State::seen(frame);
    let (left, right) = (State { unseen: 1, ..open.clone() }, State { unseen: 2, ..open.clone() });
    assert_ne!(NodeKey::of(&left, &mask), NodeKey::of(&right, &mask));
    let later = State { hidden: 7, ..open.clone() };
    assert_eq!(NodeKey::of(&open, &mask), NodeKey::of(&later, &mask), "what only counts steps is no place");
}
