//! What of a frame is a thing, and which of them come first.

use super::*;
use crate::policy::plan::dyes::Worn;

#[test]
fn things_of_a_colour_that_pieces_took_on_are_touched_again_and_first() {
    let colored =
        |color: u8| Worn { colors: [Color::of(5), Color::of(color)].into(), fresh: [Color::of(color)].into() };
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
    arrows().iter().for_each(|action| ledger.moved(action));
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
