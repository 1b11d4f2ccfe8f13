//! What is gathered: what answers then, waits for it, and is gathered anew.

use std::collections::BTreeSet;

use super::*;
use crate::policy::plan::ledger::TIER;

#[test]
fn what_did_nothing_before_may_answer_once_all_of_a_kind_is_gathered() {
    let gathers = |times: u8| {
        move |ledger: &mut Ledger, _: Touched, far: Touched| {
            ledger.touched(&far, Happening::default());
            let pearl = Thing { kind: Kind { color: Color::of(3), shape: 1 }, at: Point::default() };
            (0..times).for_each(|x| ledger.was_taken(Thing { at: Point::new(x, 0).unwrap(), ..pearl }));
            ledger.gathered(pearl.kind);
        }
    };
    assert_eq!(beside(&Fuel::default(), gathers(1)), Some(8), "a key, perhaps");
    assert_eq!(beside(&Fuel::default(), gathers(2)), Some(9), "it may open now");
}

#[test]
fn an_exit_that_did_nothing_waits_for_what_was_always_gathered() {
    let frame: Grid = "00000000\n05080009\n00000000\n00000000".parse().unwrap();
    let things = Things::of(&frame, &InterfaceMask::new(), &[], Under::default());
    let [exit, pearl] = [3, 7].map(|x| things.at(Point::new(x, 1).unwrap()).unwrap());
    let score = |solved: u32| {
        let (mut ledger, modes, nothing) = (Ledger::default(), Modes::default(), (&HashSet::new(), &HashSet::new()));
        let touched = Touched { things: [exit].into(), kinds: [exit.kind].into() };
        ledger.won(&touched);
        (0..solved).for_each(|_| ledger.leftovers.solved(&[pearl.kind].into(), &BTreeSet::new()));
        ledger.touched(&touched, Happening::default());
        ledger.restart();
        let judge = Curiosity::new(&things, (&ledger, &modes), (&Comparison::default(), false), nothing, arrows());
        judge.score(exit).unwrap()
    };
    assert!(score(2) > score(1) + TIER, "two levels were solved with none of them left");
}

#[test]
fn what_was_taken_before_a_level_began_again_is_gathered_anew_at_first() {
    let learn = |is_taken: bool| {
        move |ledger: &mut Ledger, pearl: Touched, _: Touched| {
            ledger.touched(&pearl, Happening::default());
            pearl.things.iter().filter(|_| is_taken).for_each(|it| ledger.was_taken(*it));
            ledger.restart();
        }
    };
    assert_eq!(beside(&Fuel::default(), learn(true)), Some(8));
    assert_eq!(beside(&Fuel::default(), learn(false)), Some(9), "it was touched in vain");
}

#[test]
fn many_things_that_pieces_pass_over_and_never_take_are_a_pattern() {
    let row = |dots: &str| format!("{dots:0<28}");
    let dots = "0".to_string() + &"03".repeat(13);
    let frame: Grid = [row(""), row(&dots), row(""), row("")].join("\n").parse().unwrap();
    let things = Things::of(&frame, &InterfaceMask::new(), &[], Under::default());
    let dot = things.at(Point::new(2, 1).unwrap()).unwrap();
    let score = |kept: u32, is_taken: bool| {
        let (mut ledger, modes, nothing) = (Ledger::default(), Modes::default(), (&HashSet::new(), &HashSet::new()));
        (0..kept).for_each(|_| ledger.was_kept(dot));
        if is_taken {
            ledger.was_taken(dot);
        }
        let judge = Curiosity::new(&things, (&ledger, &modes), (&Comparison::default(), false), nothing, arrows());
        judge.score(dot).unwrap()
    };
    assert!(score(0, false) < 4.0 * TIER, "pearls, perhaps");
    assert!(score(4, false) > 6.0 * TIER, "after all that nobody knows");
    assert!(score(4, true) < 4.0 * TIER, "one was taken");
}

#[test]
fn what_solved_a_level_and_came_up_since_this_one_began_comes_before_what_helped() {
    let learn = |is_there_at_first: bool| {
        move |ledger: &mut Ledger, near: Touched, far: Touched| {
            ledger.touched(&near, Happening { event: true, ..Happening::default() });
            ledger.won(&far);
            ledger.begin_level();
            let at_first = if is_there_at_first { &near.kinds | &far.kinds } else { near.kinds };
            ledger.arrivals.begin(at_first);
        }
    };
    assert_eq!(beside(&Fuel::default(), learn(true)), Some(8), "what helped, before what may want it");
    assert_eq!(beside(&Fuel::default(), learn(false)), Some(9), "it is open");
}
