//! What is pressed again, at what, and what is not.

use env_client::{Color, Point};

use super::*;

const SPACE: ActionId = ActionId::Action5;

fn thing(color: u8, x: u8) -> Thing {
    Thing { kind: Kind { color: Color::of(color), shape: 7 }, at: Point::new(x, 0).unwrap() }
}

fn on(thing: Thing) -> Surroundings {
    Surroundings { here: [thing].into(), ..Surroundings::default() }
}

#[test]
fn what_did_something_is_done_again_and_at_its_like() {
    let mut presses = Presses::default();
    presses.pressed(SPACE, &on(thing(3, 0)), Effect::Event, 0);
    let again = presses.interest(SPACE, &on(thing(3, 0)), 1);
    let alike = presses.interest(SPACE, &on(thing(3, 9)), 1);
    assert_eq!((again, alike), (Some(TIER * EFFECTIVE), Some(TIER * EFFECTIVE)));
    presses.pressed(SPACE, &on(thing(3, 0)), Effect::Nothing, 1);
    assert_eq!(presses.interest(SPACE, &on(thing(3, 0)), 1), None, "until something happens elsewhere");
    assert!(presses.interest(SPACE, &on(thing(3, 0)), 2) > Some(TIER));
}

#[test]
fn what_changed_how_pieces_look_is_not_undone_at_once_but_done_at_its_like() {
    let mut presses = Presses::default();
    presses.pressed(SPACE, &on(thing(3, 0)), Effect::Mode, 0);
    assert!(presses.interest(SPACE, &on(thing(3, 0)), 1) > Some(TIER), "pressing again lets go");
    assert_eq!(presses.interest(SPACE, &on(thing(3, 9)), 1), Some(TIER * EFFECTIVE));
    presses.pressed(SPACE, &on(thing(3, 9)), Effect::Nothing, 1);
    assert!(presses.interest(SPACE, &on(thing(3, 5)), 1) > Some(TIER), "what it does is known by now");
}

#[test]
fn what_does_as_was_foreseen_need_not_be_tried_at_everything() {
    let mut presses = Presses::default();
    presses.pressed(SPACE, &on(thing(3, 0)), Effect::Mode, 0);
    let new = |presses: &Presses| presses.interest(SPACE, &on(thing(4, 9)), 1);
    for _ in 0..FORESEEN {
        assert_eq!(new(&presses), Some(TIER * HERE));
        presses.pressed(SPACE, &Surroundings::default(), Effect::Foreseen, 1);
    }
    assert_eq!(new(&presses), Some(TIER * UNDERSTOOD));
    presses.pressed(SPACE, &on(thing(5, 5)), Effect::Event, 1);
    assert_eq!(new(&presses), Some(TIER * HERE), "there is more to it");
}

#[test]
fn what_is_in_line_is_tried_while_nobody_knows_what_the_action_is_for() {
    let mut presses = Presses::default();
    let aligned = |color: u8| Surroundings { aligned: [thing(color, 20)].into(), ..Surroundings::default() };
    presses.pressed(SPACE, &aligned(4), Effect::Nothing, 0);
    assert_eq!(presses.interest(SPACE, &aligned(4), 0), None, "it did nothing");
    assert_eq!(presses.interest(SPACE, &aligned(6), 0), Some(TIER * AFAR));
    presses.pressed(SPACE, &on(thing(3, 0)), Effect::Event, 0);
    assert_eq!(presses.interest(SPACE, &aligned(7), 1), None, "it is for what pieces stand on");
}

#[test]
fn what_did_nothing_is_not_tried_at_its_like() {
    let mut presses = Presses::default();
    presses.pressed(SPACE, &on(thing(3, 0)), Effect::Nothing, 0);
    assert_eq!(presses.interest(SPACE, &on(thing(3, 9)), 0), None);
    assert_eq!(presses.interest(SPACE, &on(thing(4, 9)), 0), Some(TIER * HERE));
    assert_eq!(presses.interest(SPACE, &Surroundings::default(), 0), None);
}

#[test]
fn what_did_nothing_is_held_for_a_while_when_nothing_else_is_left() {
    let mut presses = Presses::default();
    for _ in 0..HOLDS {
        assert!(presses.interest(SPACE, &on(thing(3, 0)), 0).is_some());
        presses.pressed(SPACE, &on(thing(3, 0)), Effect::Nothing, 0);
    }
    assert_eq!(presses.interest(SPACE, &on(thing(3, 0)), 0), None);
}

#[test]
fn an_arrow_that_did_nothing_may_have_been_blocked_unless_there_are_arrows_enough() {
    let mut presses = Presses::default();
    assert!(!presses.is_idle(SPACE, false), "it was never pressed");
    for action in [SPACE, ActionId::Action2] {
        presses.pressed(action, &on(thing(3, 0)), Effect::Nothing, 0);
    }
    assert!(presses.is_idle(SPACE, false) && !presses.is_idle(ActionId::Action2, false));
    assert!(presses.is_idle(ActionId::Action2, true));
    presses.pressed(SPACE, &on(thing(4, 5)), Effect::Event, 1);
    assert!(!presses.is_idle(SPACE, true));
}

#[test]
fn what_is_known_to_do_something_elsewhere_or_steers_is_not_held() {
    let mut presses = Presses::default();
    presses.pressed(SPACE, &on(thing(4, 5)), Effect::Event, 0);
    presses.pressed(SPACE, &on(thing(3, 0)), Effect::Nothing, 1);
    assert_eq!(presses.interest(SPACE, &on(thing(3, 0)), 1), None);
    presses.pressed(ActionId::Action2, &on(thing(3, 0)), Effect::Nothing, 1);
    assert_eq!(presses.interest(ActionId::Action2, &on(thing(3, 0)), 1), None);
}

#[test]
fn what_only_a_gauge_answers_is_held_at_once_and_in_the_next_level() {
    let mut presses = Presses::default();
    presses.pressed(SPACE, &on(thing(3, 0)), Effect::Signal, 0);
    assert_eq!(presses.interest(SPACE, &on(thing(3, 0)), 0), Some(TIER * COUNTS));
    assert_eq!(presses.hold(SPACE, thing(3, 0)), HOLDS);
    presses.begin_level();
    assert_eq!(presses.interest(SPACE, &on(thing(3, 9)), 0), Some(TIER * EFFECTIVE));
    assert_eq!(presses.hold(SPACE, thing(3, 9)), HOLDS + 1);
    presses.pressed(SPACE, &on(thing(3, 7)), Effect::Refusal, 0);
    assert_eq!(presses.interest(SPACE, &on(thing(3, 7)), 0), None, "it is not there any more");
    presses.pressed(SPACE, &on(thing(3, 9)), Effect::Signal, 0);
    (0..HOLDS).for_each(|_| presses.pressed(SPACE, &on(thing(3, 9)), Effect::Nothing, 0));
    assert_eq!(presses.hold(SPACE, thing(3, 5)), 1, "it was in vain");
}

#[test]
fn an_arrow_that_never_does_anything_is_not_pressed_at_everything() {
    let mut presses = Presses::default();
    let down = ActionId::Action2;
    (0..BLOCKED as u8).for_each(|x| presses.pressed(down, &on(thing(3, x)), Effect::Nothing, 0));
    assert_eq!(presses.interest(down, &on(thing(4, 9)), 0), None);
    (0..BLOCKED as u8).for_each(|x| presses.pressed(SPACE, &on(thing(3, x)), Effect::Nothing, 0));
    assert!(presses.interest(SPACE, &on(thing(4, 9)), 0).is_some(), "it is no arrow");
}

#[test]
fn what_did_something_under_a_piece_is_not_expected_to_do_so_beside_it() {
    let mut presses = Presses::default();
    presses.pressed(SPACE, &on(thing(3, 0)), Effect::Event, 0);
    let beside = Surroundings { beside: [thing(3, 9)].into(), ..Surroundings::default() };
    assert!(presses.interest(SPACE, &beside, 0) > Some(TIER));
}

#[test]
fn a_thing_that_a_piece_just_went_for_is_tried_before_one_it_happens_to_lie_beside() {
    let presses = Presses::default();
    let ahead = Surroundings { ahead: [thing(3, 0)].into(), ..Surroundings::default() };
    let beside = Surroundings { beside: [thing(3, 0)].into(), ..Surroundings::default() };
    assert!(presses.interest(SPACE, &ahead, 0) < presses.interest(SPACE, &beside, 0));
}

#[test]
fn what_had_to_be_held_is_held_in_the_next_level() {
    let mut presses = Presses::default();
    for count in 1..=6 {
        presses.took(SPACE);
        let effect = if count == 6 { Effect::Event } else { Effect::Nothing };
        presses.pressed(SPACE, &on(thing(3, 0)), effect, 0);
    }
    presses.begin_level();
    presses.pressed(SPACE, &on(thing(3, 9)), Effect::Nothing, 0);
    assert_eq!(presses.interest(SPACE, &on(thing(3, 9)), 0), Some(TIER * EFFECTIVE));
    assert_eq!(presses.hold(SPACE, thing(3, 9)), 11, "twice as long as the six that it took");
}

#[test]
fn what_would_lose_the_level_is_not_held_on() {
    let mut presses = Presses::default();
    presses.pressed(SPACE, &on(thing(3, 0)), Effect::Nothing, 0);
    assert!(presses.interest(SPACE, &on(thing(3, 0)), 0).is_some());
    presses.let_go(SPACE, thing(3, 0));
    assert_eq!(presses.interest(SPACE, &on(thing(3, 0)), 0), None);
}

#[test]
fn what_did_something_does_so_in_the_next_level() {
    let mut presses = Presses::default();
    presses.pressed(SPACE, &on(thing(3, 0)), Effect::Event, 0);
    presses.begin_level();
    let larger = Thing { kind: Kind { shape: 8, ..thing(3, 0).kind }, ..thing(3, 5) };
    assert_eq!(presses.interest(SPACE, &on(larger), 0), Some(TIER * EFFECTIVE));
}

#[test]
fn what_is_gone_where_it_was_to_be_pressed_at_had_its_turn() {
    let mut presses = Presses::default();
    presses.pressed(SPACE, &on(thing(3, 0)), Effect::Event, 0);
    let dot = thing(3, 9);
    assert_eq!(presses.interest(SPACE, &on(dot), 1), Some(TIER * EFFECTIVE));
    presses.pressed(SPACE, &Surroundings::default(), Effect::Event, 1);
    presses.missed(SPACE, dot, 2);
    assert_eq!(presses.interest(SPACE, &on(dot), 2), None, "until something happens elsewhere");
    assert!(presses.interest(SPACE, &on(dot), 3) > Some(TIER));
    let there = thing(3, 5);
    presses.pressed(SPACE, &on(there), Effect::Event, 3);
    presses.missed(SPACE, there, 4);
    assert_eq!(presses.interest(SPACE, &on(there), 4), Some(TIER * EFFECTIVE), "it was there");
}
