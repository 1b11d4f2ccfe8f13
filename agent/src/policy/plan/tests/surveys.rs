//! Where a key is pressed that brings to light what is hidden.

use super::*;
use crate::policy::plan::{surveys::Sight, things::Facing};

const SPACE: Action = Action::Key(Key::Key5);

/// What is wanted in a room of so many floor tiles to a side, in rock, where what a key showed three cells off solved a level
/// and the key shows nothing where the piece is.
fn wanted_in(room: u8) -> Option<Target> {
    let mut frame = Grid::filled(48, 48, Color::of(WALL as u8));
    let floor = |at: &Point| (2..2 + room).contains(&at.x()) && (2..2 + room).contains(&at.y());
    frame.clone().points().filter(floor).for_each(|at| frame.set(at, Color::of(0)));
    frame.set(Point::new(4, 4).unwrap(), Color::of(PIECE as u8));
    let (state, mut plan) = (State::seen(frame.clone()), Plan::with_model(Walk::default(), 0));
    let advances = Walk::default().advances(&state, SPACE);
    let lit = Point::new(7, 4).unwrap();
    arrows().iter().for_each(|action| plan.ledger.uses.moved(action));
    let surveys = &mut plan.ledger.surveys;
    surveys.pressed(SPACE.id(), &advances, Sight { lit: vec![(lit, Color::of(7))], ..Sight::default() });
    surveys.won([lit]);
    surveys.begin_level();
    surveys.pressed(SPACE.id(), &advances, Sight { idle: true, ..Sight::default() });
    let things = Things::of(&frame, &InterfaceMask::new(), &advances, Under::default());
    let actions =
        ActionSet::of(&[ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4, SPACE.id()]);
    plan.search(&state, (&things, Facing::default()), actions, (Fuel::default(), false)).best.map(|it| it.target)
}

#[test]
fn nobody_looks_for_what_is_hidden_beyond_the_walls() {
    let small = wanted_in(5);
    assert!(!matches!(small, Some(Target::Look(_))), "all of the room was seen: {small:?}");
    let large = wanted_in(40);
    assert!(matches!(large, Some(Target::Look(SPACE) | Target::Press(SPACE, _))), "there is more: {large:?}");
}
