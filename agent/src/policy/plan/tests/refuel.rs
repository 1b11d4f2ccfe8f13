//! Filling the budget before what is wanted where it could not be filled afterwards.

use std::collections::BTreeSet;

use super::*;
use crate::policy::plan::things::Facing;

/// What is gone for in a picture with this budget, when what has the colour 6 is known to fill it.
fn wanted_first(picture: &str, fuel: &Fuel) -> Option<(u8, usize)> {
    let frame: Grid = picture.parse().unwrap();
    let state = State::seen(frame.clone());
    let mut plan = Plan::with_model(Walk::default(), 0);
    let advances = Walk::default().advances(&state, Action::Key(Key::Key1));
    let things = Things::of(&frame, &InterfaceMask::new(), &advances, Under::default());
    let fillings: BTreeSet<Thing> = things.iter().map(|(it, _)| it).filter(|it| it.kind.color.index() == 6).collect();
    plan.ledger.fillings.touched(&fillings, true);
    let found = plan.search(&state, (&things, Facing::default()), arrows(), (fuel.clone(), false)).best?;
    let found = plan.provide(found, (&state, &things), fuel.clone(), arrows());
    let Target::Touch(thing) = found.target else { return None };
    Some((thing.kind.color.index() as u8, found.path.len()))
}

#[test]
fn the_budget_is_filled_first_where_it_could_not_be_filled_afterwards() {
    let picture = "000000000000\n050000000700\n000000000000\n000000000000\n000600000000";
    assert_eq!(wanted_first(picture, &Fuel::left(20, 20)), Some((7, 8)), "it reaches there and back");
    assert_eq!(wanted_first(picture, &Fuel::left(10, 20)), Some((6, 5)));
    let far = "000000000000\n050700000000\n000000000000\n000000000000\n000000000006";
    assert_eq!(wanted_first(far, &Fuel::left(12, 20)), Some((7, 2)), "what is wanted is nearer");
}
