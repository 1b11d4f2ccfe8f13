//! What of a frame is a thing, and which of them come first.

use super::*;
use std::collections::BTreeSet;

use crate::policy::plan::{
    counts,
    dyes::{Dyes, Worn},
    parts::NoRules,
    presses::Effect,
    things::{Facing, Kind, Surroundings},
};

#[test]
fn things_of_a_colour_that_pieces_took_on_are_touched_again_and_first() {
    let colored = |color: u8| {
        let color = Color::of(color);
        Worn { colors: [Color::of(5), color].into(), fresh: [color].into(), ..Worn::default() }
    };
    let learn = move |dyes: &[u8]| {
        let dyes = dyes.to_vec();
        move |ledger: &mut Ledger, near: Touched, far: Touched| {
            ledger.wear(colored(7));
            ledger.touched(&near, Happening::default());
            ledger.touched(&far, Happening::default());
            for color in &dyes {
                ledger.wear(colored(*color));
            }
        }
    };
    assert_eq!(beside(&Fuel::default(), learn(&[9])), Some(9), "the far one");
    assert_eq!(beside(&Fuel::default(), learn(&[8])), Some(8));
    assert_eq!(beside(&Fuel::default(), learn(&[9, 6])), None, "no longer of that colour");
    assert_eq!(beside(&Fuel::default(), learn(&[9, 7, 9, 7, 9])), None, "a flicker");
}

#[test]
fn what_pieces_came_onto_and_then_goes_along_was_picked_up() {
    let set = |colors: &[u8]| -> BTreeSet<Color> { colors.iter().map(|it| Color::of(*it)).collect() };
    let suits = |onto: &[u8], then: &[u8]| {
        let mut dyes = Dyes::default();
        dyes.wear(Worn { colors: set(&[5]), ..Worn::default() });
        dyes.wear(Worn { colors: set(&[5]), met: set(onto), ..Worn::default() });
        dyes.wear(Worn { colors: set(then), ..Worn::default() });
        dyes.suits(Thing { kind: Kind { color: Color::of(8), shape: 1 }, at: Point::new(9, 9).unwrap() })
    };
    assert!(suits(&[8], &[5, 8]));
    assert!(!suits(&[8], &[5]), "it was ground");
    assert!(!suits(&[], &[5, 8]), "it was there before");
}

#[test]
fn gauges_are_nothing_to_press_at() {
    let around = |picture: &str| {
        let frame: Grid = picture.parse().unwrap();
        let from: Vec<Point> = frame.points().filter(|at| frame[*at] == Color::of(5)).collect();
        let advances = [Advance { from, ..Advance::default() }];
        Things::of(&frame, &InterfaceMask::new(), &advances, Under::default())
            .around(&advances, Facing::default())
            .first()
    };
    let room = |rows: [&str; 3]| {
        let rows = rows.map(|row| format!("{row:0<12}"));
        let below = vec!["0".repeat(12); 9];
        rows.into_iter().chain(below).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(around(&room(["00800", "00550", "00550"])), None);
    assert_eq!(around(&room(["00880", "00550", "00550"])).map(|it| it.kind.color), Some(Color::of(8)));
}

#[test]
fn what_lies_in_a_row_or_column_with_a_piece_is_aligned_with_it() {
    let room = [
        "000000000000",
        "006000700000",
        "000000000000",
        "000000000000",
        "000000800000",
        "005080009000",
        "000000000000",
        "000000000000",
        "000000000000",
        "000000000000",
        "000000000000",
        "000000000000",
    ];
    let frame: Grid = room.join("\n").parse().unwrap();
    let from = vec![Point::new(2, 5).unwrap()];
    let advances = [Advance { from, ..Advance::default() }];
    let things = Things::of(&frame, &InterfaceMask::new(), &advances, Under::default());
    let around = things.around(&advances, Facing::default());
    let colors: Vec<usize> = around.aligned.iter().map(|it| it.kind.color.index()).collect();
    assert_eq!(colors, [6, 8], "the first above and the first to the right, not what lies behind or elsewhere");
}

#[test]
fn what_lies_within_a_step_of_a_piece_is_beside_it_or_ahead() {
    let mut frame = Grid::filled(16, 16, Color::of(0));
    for (x, y, color) in [(3, 3, 5), (3, 6, 8), (5, 3, 7), (12, 3, 6)] {
        frame.set(Point::new(x, y).unwrap(), Color::of(color));
    }
    let advances = |by| [Advance { from: vec![Point::new(3, 3).unwrap()], by, ..Advance::default() }];
    let things = Things::of(&frame, &InterfaceMask::new(), &advances((0, 0)), Under::default());
    let around = things.around(&advances((0, 0)), Facing::of(&advances((0, 4))));
    let colors = |things: &BTreeSet<Thing>| things.iter().map(|it| it.kind.color.index()).collect::<Vec<_>>();
    assert_eq!([&around.ahead, &around.beside, &around.aligned].map(colors), [vec![8], vec![7], vec![6]]);
}

#[test]
fn borders_are_ground_and_interface_is_nothing_at_all() {
    let frame: Grid = "3333333\n3000003\n3050003\n3008003\n3000003\n3333333\n4444444".parse().unwrap();
    let mut mask = InterfaceMask::new();
    (0..7).for_each(|x| _ = mask.hide(Point::new(x, 6).unwrap()));
    let border: Grid = frame.to_string().replace('4', "3").parse().unwrap();
    let of = |frame: &Grid| Things::of(frame, &mask, &[], Under::default());
    let kinds = |frame: &Grid| of(frame).all().iter().map(|it| it.kind.color.index()).collect::<Vec<_>>();
    assert_eq!(kinds(&border), [5, 8], "the border is none");
    let at = |x, y| Point::new(x, y).unwrap();
    assert_eq!(of(&border).what(at(0, 0)), Some(Kind::ground(Color::of(3))));
    assert_eq!(of(&frame).what(at(3, 6)), None);
}

#[test]
fn where_arrows_did_nothing_the_others_come_after_the_first_clicks() {
    let (frame, mask): (Grid, _) = ("00000\n00000\n00000".parse().unwrap(), InterfaceMask::new());
    let things = Things::of(&frame, &mask, &[], Under::default());
    let score = |tried: &[ActionId], offered: &[ActionId]| {
        let mut ledger = Ledger::default();
        for action in tried {
            ledger.took(*action);
            ledger.pressed(*action, &Surroundings::default(), Effect::Nothing);
        }
        let (visited, failed, modes) = (HashSet::new(), HashSet::new(), Modes::default());
        let (needs, past) = ((&Comparison::default(), false), (&visited, &failed));
        let judge = Curiosity::new(&things, (&ledger, &modes), needs, past, ActionSet::of(offered));
        let mut judge = judge.steering(|key| NoRules.is_arrow(key));
        Search::new(&NoRules, &mask).run(State::seen(frame.clone()), &mut judge, 1).best.map(|found| found.score)
    };
    let [up, down, left, click] = [ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action6];
    let arrows_only = score(&[up, down], &[up, down, left]);
    assert_eq!(score(&[up], &[up, down, left, click]), arrows_only, "one may be blocked");
    assert!(score(&[up, down], &[up, down, left, click]) > arrows_only);
}

#[test]
fn what_turned_up_under_a_piece_is_nothing_new() {
    let learn = |turns_up: bool| {
        move |ledger: &mut Ledger, near: Touched, _: Touched| {
            near.things.iter().filter(|_| turns_up).for_each(|thing| ledger.turned_up(*thing));
        }
    };
    assert_eq!(beside(&Fuel::default(), learn(false)), Some(8));
    assert_eq!(beside(&Fuel::default(), learn(true)), Some(9));
}

#[test]
fn what_is_seen_of_a_thing_beside_a_piece_on_it_is_no_other_thing() {
    let (before, after): (Grid, Grid) =
        ("0000000000\n5088880000\n0000000000".parse().unwrap(), "0000000000\n0085880000\n0000000000".parse().unwrap());
    let (mask, model) = (InterfaceMask::new(), Walk::default());
    let advances = |frame: &Grid| model.advances(&State::seen(frame.clone()), Action::Key(Key::Key4));
    let things = Things::of(&before, &mask, &advances(&before), Under::default());
    let bar = things.at(Point::new(2, 1).unwrap()).unwrap();
    let under = things.under(&advances(&after));
    assert_eq!(under.things().collect::<Vec<_>>(), [bar]);
    let later = Things::of(&after, &mask, &advances(&after), under);
    assert_eq!(later.all(), [bar].into());
    let unknown = Things::of(&after, &mask, &advances(&after), Under::default());
    assert_eq!(unknown.all().len(), 2, "two bars, as far as anybody knows");
}

#[test]
fn a_room_of_the_same_floor_is_gone_to_once() {
    let (hall, room) = ("0".repeat(12), "1".repeat(5));
    let mut rows = vec![format!("{hall}1000{room}"); 4];
    rows[1].replace_range(1..2, "5");
    rows.extend(vec!["1".repeat(21); 8]);
    let frame: Grid = rows.join("\n").parse().unwrap();
    let (mask, model) = (InterfaceMask::new(), Walk::default());
    let advances = model.advances(&State::seen(frame.clone()), Action::Key(Key::Key4));
    let things = Things::of(&frame, &mask, &advances, Under::default());
    let room = things.at(Point::new(14, 1).unwrap()).unwrap();
    assert!(things.is_room(room));
    let score = |ledger: &Ledger| {
        let (visited, failed, selected) = (HashSet::new(), HashSet::new(), Modes::default());
        let needs = (&Comparison::default(), false);
        Curiosity::new(&things, (ledger, &selected), needs, (&visited, &failed), arrows()).score(room).unwrap()
    };
    let mut ledger = Ledger::default();
    let new = score(&ledger);
    let touched = Touched { things: [room].into(), kinds: [room.kind].into() };
    ledger.touched(&touched, Happening::default());
    ledger.changed_mode();
    assert!(new < 400.0 && score(&ledger) > 400.0, "before and after going where nobody was");
}

#[test]
fn an_arrow_that_moves_pieces_is_not_pressed_at_things() {
    let (frame, mask): (Grid, _) = ("00000\n00800\n00500\n00000".parse().unwrap(), InterfaceMask::new());
    let state = State::seen(frame.clone());
    let things =
        Things::of(&frame, &mask, &[Advance { from: vec![piece(&frame)], ..Advance::default() }], Under::default());
    let press = |ledger: &Ledger| {
        let (visited, failed, modes) = (HashSet::new(), HashSet::new(), Modes::default());
        let needs = (&Comparison::default(), false);
        let mut judge = Curiosity::new(&things, (ledger, &modes), needs, (&visited, &failed), arrows());
        Search::new(&Stuck, &mask).run(state.clone(), &mut judge, 1).best.map(|found| found.target)
    };
    let mut ledger = Ledger::default();
    assert!(matches!(press(&ledger), Some(Target::Press(_, Some(_)))));
    arrows().iter().for_each(|action| ledger.uses.moved(action));
    assert!(!matches!(press(&ledger), Some(Target::Press(..))));
}

/// A world in which nothing moves.
struct Stuck;

impl WorldModel for Stuck {
    fn begin(&mut self, _frame: &Grid, _start: Start) {}

    fn observe(&mut self, _transition: &Transition<'_>) {}

    fn predict(&self, state: &State, _action: Action) -> Prediction {
        Prediction { next: Some(state.clone()), confidence: 1.0, source: Source::Rules, ..Prediction::UNKNOWN }
    }

    fn advances(&self, state: &State, _action: Action) -> Vec<Advance> {
        vec![Advance { from: vec![piece(&state.frame)], ..Advance::default() }]
    }

    fn disagreement(&self, _state: &State, _action: Action) -> f32 {
        0.0
    }
}

#[test]
fn what_a_gauge_counts_is_gone_for_though_the_like_of_it_did_nothing_else() {
    let (old, mut new) = (Grid::filled(64, 64, Color::of(0)), Grid::filled(64, 64, Color::of(0)));
    new.set(Point::new(9, 62).unwrap(), Color::of(4));
    let tick = move || counts::ticks(&old, &new, |_| false);
    let learn = |counted: bool| {
        let tick = tick.clone();
        move |ledger: &mut Ledger, near: Touched, _: Touched| {
            let none = std::collections::BTreeSet::new();
            (0..3).for_each(|_| _ = ledger.counts.stepped(&none, Facing::default(), &none_ticked()));
            let like = Thing { at: Point::new(40, 40).unwrap(), ..*near.things.first().unwrap() };
            ledger.touched(&Touched { things: [like].into(), ..near.clone() }, Happening::default());
            let ticked = if counted { tick() } else { none_ticked() };
            for like in [like, Thing { at: Point::new(44, 44).unwrap(), ..like }] {
                ledger.counts.stepped(&[like].into(), Facing::default(), &ticked);
            }
        }
    };
    assert_eq!(beside(&Fuel::default(), learn(true)), Some(8));
    assert_eq!(beside(&Fuel::default(), learn(false)), Some(9));
}

/// No tick of any gauge.
fn none_ticked() -> BTreeSet<counts::Tick> {
    BTreeSet::new()
}

#[test]
fn what_looks_like_one_thing_is_as_many_as_it_has_tiles_of_a_pieces_size() {
    let rows = ["000000000000", "055077777700", "055077777700", "000077000000", "000077000000", "000000000000"];
    let frame: Grid = [&rows[..], &["000000000000"; 6]].concat().join("\n").parse().unwrap();
    let from: Vec<Point> = frame.points().filter(|at| frame[*at] == Color::of(5)).collect();
    let advances = [Advance { from, by: (2, 0), ..Advance::default() }];
    let of = |frame: &Grid| Things::of(frame, &InterfaceMask::new(), &advances, Under::default());
    let piece = world_model::Bounds { left: 1, top: 1, right: 2, bottom: 2 };
    let things = of(&frame).in_tiles(piece, |color| color == Color::of(7));
    let at = |x, y| Point::new(x, y).unwrap();
    let corners: BTreeSet<Point> = things.all().into_iter().map(|it| it.at).collect();
    assert_eq!(corners, [at(4, 1), at(6, 1), at(8, 1), at(4, 3)].into());
    assert_eq!(things.at(at(7, 2)).map(|it| it.at), Some(at(6, 1)));
    let kinds: BTreeSet<Kind> = things.all().into_iter().map(|it| it.kind).collect();
    let mut single = Grid::filled(12, 12, Color::of(0));
    for (x, y) in [(9, 1), (10, 1), (9, 2), (10, 2)] {
        single.set(at(x, y), Color::of(7));
    }
    assert_eq!(kinds, of(&single).all().into_iter().map(|it| it.kind).collect(), "each as if it were alone");
    assert_eq!(of(&frame).in_tiles(piece, |_| false).all().len(), 1, "nobody counts them");
    let mut odd = frame.clone();
    odd.set(at(6, 3), Color::of(7));
    assert_eq!(of(&odd).in_tiles(piece, |_| true).all().len(), 1, "it is not made of tiles");
}

/// A lamp in the corner that a key lights and puts out, as was seen.
struct Lamp;

impl WorldModel for Lamp {
    fn begin(&mut self, _frame: &Grid, _start: Start) {}

    fn observe(&mut self, _transition: &Transition<'_>) {}

    fn predict(&self, state: &State, action: Action) -> Prediction {
        let mut next = state.frame.clone();
        if action == Action::Key(Key::Key5) {
            next.set(Point::default(), Color::of(9 - next[Point::default()].index() as u8));
        }
        Prediction { next: Some(State::seen(next)), confidence: 1.0, source: Source::Memory, ..Prediction::UNKNOWN }
    }

    fn advances(&self, state: &State, _action: Action) -> Vec<Advance> {
        vec![Advance { from: vec![piece(&state.frame)], ..Advance::default() }]
    }

    fn disagreement(&self, _state: &State, _action: Action) -> f32 {
        0.0
    }
}

#[test]
fn what_was_pressed_here_and_led_to_where_somebody_was_is_not_pressed_again() {
    let (frame, mask): (Grid, _) = ("20000\n00800\n00500\n00000".parse().unwrap(), InterfaceMask::new());
    let (state, space) = (State::seen(frame.clone()), Action::Key(Key::Key5));
    let advances = Lamp.advances(&state, space);
    let things = Things::of(&frame, &mask, &advances, Under::default());
    let lit = Lamp.predict(&state, space).next.unwrap();
    let (failed, modes, mut ledger) = (HashSet::new(), Modes::default(), Ledger::default());
    arrows().iter().for_each(|action| ledger.uses.moved(action));
    let wanted = |visited: &[&State]| {
        let visited = visited.iter().map(|it| NodeKey::of(it, &mask)).collect();
        let needs = (&Comparison::default(), false);
        let actions = ActionSet::of(&[ActionId::Action5]);
        let mut judge = Curiosity::new(&things, (&ledger, &modes), needs, (&visited, &failed), actions);
        Search::new(&Lamp, &mask).run(state.clone(), &mut judge, 1).best.map(|found| found.target)
    };
    assert!(matches!(wanted(&[&state]), Some(Target::Press(_, Some(_)))), "{:?}", wanted(&[&state]));
    assert!(!matches!(wanted(&[&state, &lit]), Some(Target::Press(..))), "{:?}", wanted(&[&state, &lit]));
}

#[test]
fn what_only_ever_stopped_pieces_is_rather_a_wall_than_a_thing() {
    let mut rows = vec!["0".repeat(24); 12];
    rows[1].replace_range(1..2, "5");
    for (index, row) in [3, 5, 7].into_iter().enumerate() {
        rows[row] = format!("{}{}", "0".repeat(index), "80000000".repeat(3))[..24].to_owned();
    }
    let frame: Grid = rows.join("\n").parse().unwrap();
    let (mask, model) = (InterfaceMask::new(), Walk::default());
    let advances = model.advances(&State::seen(frame.clone()), Action::Key(Key::Key4));
    let things = Things::of(&frame, &mask, &advances, Under::default());
    let all: Vec<Thing> = things.all().into_iter().collect();
    let score = |touched: usize, event: bool| {
        let mut ledger = Ledger::default();
        for thing in &all[..touched] {
            let touched = Touched { things: [*thing].into(), kinds: [thing.kind].into() };
            ledger.passed(&touched.kinds, false);
            ledger.touched(&touched, Happening { event, ..Happening::default() });
        }
        let (visited, failed, selected) = (HashSet::new(), HashSet::new(), Modes::default());
        let needs = (&Comparison::default(), false);
        let judge = Curiosity::new(&things, (&ledger, &selected), needs, (&visited, &failed), arrows());
        judge.score(all[8]).unwrap()
    };
    assert!(score(8, false) > 650.0, "after states that nobody was in");
    assert!(score(7, false) < score(8, false), "too few were touched");
    assert!(score(8, true) < 650.0, "they did something");
}
