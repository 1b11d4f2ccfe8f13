//! Things are touched in the order that a drawing tells, and none is walked over out of turn.

use super::*;
use crate::policy::plan::sequence::Sequence;

/// A level that tells the order 8, 12, 11 above a wall, and lies below it.
fn level(rows: &str) -> Grid {
    format!("800c00b\n0000000\n1111111\n{rows}").parse().unwrap()
}

/// What is wanted there, and the actions it takes.
fn ordered(frame: &Grid, ledger: &Ledger) -> Option<(Target, usize)> {
    let (mask, model, state) = (InterfaceMask::new(), Walk::default(), State::seen(frame.clone()));
    let things = Things::of(frame, &mask, &model.advances(&state, Action::Key(Key::Key1)), Under::default());
    let (visited, failed, selected) = (HashSet::new(), HashSet::new(), Modes::default());
    let needs = (&Comparison::default(), false);
    let judge = Curiosity::new(&things, (ledger, &selected), needs, (&visited, &failed), arrows());
    let mut judge = judge.in_order(Sequence::read(frame).as_ref(), frame);
    let best = Search::new(&model, &mask).run(state, &mut judge, 500).best;
    best.map(|found| (found.target, found.path.len()))
}

#[test]
fn the_next_is_gone_for_round_those_that_come_later() {
    let frame = level("50b0080\n0000000\n00c0000");
    let found = ordered(&frame, &Ledger::default());
    assert!(matches!(found, Some((Target::Touch(thing), 7)) if thing.kind.color.index() == 8), "{found:?}");
}

#[test]
fn where_no_way_leads_round_them_one_leads_over_them() {
    let frame = level("50b0080\n1111111\n00c0000");
    let mut ledger = Ledger::default();
    let is_next =
        |it: &Option<(Target, usize)>| matches!(it, Some((Target::Touch(it), 5)) if it.kind.color.index() == 8);
    assert!(!is_next(&ordered(&frame, &ledger)), "it is not in reach");
    let things = Things::of(&frame, &InterfaceMask::new(), &[], Under::default());
    ledger.looked_in_vain(things.at(Point::new(5, 3).unwrap()).unwrap());
    assert!(is_next(&ordered(&frame, &ledger)));
}

#[test]
fn the_next_is_gone_for_where_it_goes_its_own_way() {
    let frame = level("50b0080\n0000000\n00c0000");
    let (mask, model, state) = (InterfaceMask::new(), Walk::default(), State::seen(frame.clone()));
    let still = level("50b0000\n0000000\n00c0000");
    let things = Things::of(&still, &mask, &model.advances(&state, Action::Key(Key::Key1)), Under::default());
    let (visited, failed, selected, ledger) = (HashSet::new(), HashSet::new(), Modes::default(), Ledger::default());
    let needs = (&Comparison::default(), false);
    let judge = Curiosity::new(&things, (&ledger, &selected), needs, (&visited, &failed), arrows());
    let mut judge = judge.in_order(Sequence::read(&frame).as_ref(), &frame);
    let found = Search::new(&model, &mask).run(state, &mut judge, 500).best.unwrap();
    assert!(matches!(found.target, Target::Touch(thing) if thing.kind.color.index() == 8), "{:?}", found.target);
    assert_eq!(found.path.len(), 7, "round those that come later");
}
