//! What changes by itself, whatever is done.

use std::cell::Cell;

use env_client::{Action, Grid, Key};

use super::{ARROWS, World, cells, keys, put, walk};
use crate::{Outcome, Start, Transition, WorldModel, rules::Rules};

/// A piece of colour 3 below two lanes of colour 4, in which embers of colour 8 drift that touch each other.
const LANES: &str = "\
555555555555555
544444444444445
544444444444445
500000000000005
500000030000005
500000000000005
555555555555555";

/// Where embers are in the two lanes: they come in again at the other end.
const EMBERS: [(&[usize], isize); 2] = [(&[0, 1, 4, 9, 10, 11], -1), (&[2, 3, 6, 7, 8], 1)];
const LENGTH: usize = 13;

/// Puts the embers where they are at a time; those in the second lane move every other time.
fn burn(frame: &mut Grid, time: usize) {
    for (lane, (embers, way)) in EMBERS.iter().enumerate() {
        let by = (time / (lane + 1)) as isize * way;
        (0..LENGTH).for_each(|x| put(frame, 1 + x, 1 + lane, 4));
        let places = embers.iter().map(|x| (*x as isize + by).rem_euclid(LENGTH as isize) as usize);
        places.for_each(|x| put(frame, 1 + x, 1 + lane, 8));
    }
}

/// The piece walks below the lanes, and embers drift.
fn drift() -> impl Fn(&Grid, Action) -> Grid {
    let time = Cell::new(0);
    move |frame, action| {
        let mut after = walk(frame, action);
        time.set(time.get() + 1);
        burn(&mut after, time.get());
        after
    }
}

fn lanes() -> Grid {
    let mut frame: Grid = LANES.parse().unwrap();
    burn(&mut frame, 0);
    frame
}

/// A walk to and fro in the row in which the piece begins.
fn below(count: usize) -> Vec<Action> {
    keys(count, &[Key::Key3, Key::Key4])
}

/// What was learned from such a walk, and the frame and the time it ends in.
fn watched(count: usize) -> (Rules, Grid, usize) {
    let (mut rules, mut frame, step) = (Rules::new(), lanes(), drift());
    rules.begin(&frame, Start::Level);
    let walk = below(count);
    for action in &walk {
        let layers = [step(&frame, *action)];
        rules.observe(&Transition { before: &frame, action: *action, layers: &layers, outcome: Outcome::Continues });
        [frame] = layers;
    }
    (rules, frame, walk.len())
}

#[test]
fn things_that_drift_and_touch_are_foretold() {
    let (right, changes) = World { frame: lanes(), step: drift() }.play(below(60), 30);
    assert!(right >= 28, "{right} of {changes}");
}

#[test]
fn they_are_foretold_many_steps_ahead() {
    let (rules, frame, time) = watched(40);
    let mut state = rules.state(&frame);
    for ahead in 1..=20 {
        state = rules.predict(&state, Action::Key(Key::Key3)).next.unwrap();
        let mut expected = state.frame.clone();
        burn(&mut expected, time + ahead);
        assert_eq!(state.frame, expected, "after {ahead} steps");
    }
}

#[test]
fn the_frame_is_still_without_them() {
    let (rules, frame, _) = watched(40);
    let still = rules.still(&rules.state(&frame)).unwrap();
    assert_eq!((cells(&still, 8).len(), cells(&still, 3).len()), (0, 1));
}

#[test]
fn who_was_lost_to_one_is_foretold_to_be_lost_again() {
    let (mut rules, mut frame, time) = watched(40);
    let (up, own) = (Action::Key(Key::Key1), cells(&frame, 3)[0]);
    put(&mut frame, own.0, own.1, 0);
    // Where embers of the second lane are now and after the next action, and where they are neither.
    let hot = |at: usize, x: usize| {
        let mut later = frame.clone();
        burn(&mut later, at);
        cells(&later, 8).contains(&(x, 2))
    };
    let columns = |is_hot: bool| (1..=LENGTH).filter(move |x| hot(time, *x) == is_hot && hot(time + 1, *x) == is_hot);
    let below = |x: usize| {
        let mut frame = frame.clone();
        put(&mut frame, x, 3, 3);
        frame
    };
    let (deadly, other) = (columns(true).next().unwrap(), columns(true).nth(1).unwrap());
    let outcome = |rules: &Rules, x: usize| rules.predict(&rules.state(&below(x)), up).outcome;
    assert_eq!(outcome(&rules, other), Outcome::Continues, "nobody knows yet");
    let lost = Transition { before: &below(deadly), action: up, layers: &[], outcome: Outcome::Lost };
    rules.observe(&lost);
    assert_eq!(outcome(&rules, other), Outcome::Lost);
    assert_eq!(outcome(&rules, columns(false).next().unwrap()), Outcome::Continues, "the way is free there");
}

#[test]
fn cells_that_change_by_turns_are_foretold_once_they_came_round() {
    let flare = || {
        let time = Cell::new(0);
        move |frame: &Grid, action: Action| {
            let mut after = walk(frame, action);
            time.set(time.get() + 1);
            let colors = if time.get() / 3 % 2 == 0 { [7, 6] } else { [6, 7] };
            [(2, 2), (9, 1)].iter().zip(colors).for_each(|((x, y), color)| put(&mut after, *x, *y, color));
            after
        }
    };
    let mut frame: Grid = LANES.replace('4', "5").parse().unwrap();
    put(&mut frame, 2, 2, 7);
    put(&mut frame, 9, 1, 6);
    let (right, changes) = World { frame, step: flare() }.play(keys(60, &ARROWS), 30);
    assert!(right >= 28, "{right} of {changes}");
}

/// What is foretold of two places that are seen so at the times of a second attempt, after others at the first.
fn again(first: &[[u8; 2]], second: &[[u8; 2]]) -> Vec<bool> {
    let (mut rules, room) = (Rules::new(), LANES.replace('4', "5").parse::<Grid>().unwrap());
    let frame = |own: &Grid, colors: &[u8; 2]| {
        let mut frame = own.clone();
        [(2, 2), (9, 1)].iter().zip(colors).for_each(|((x, y), color)| put(&mut frame, *x, *y, *color));
        frame
    };
    let mut right = Vec::new();
    for (attempt, start) in [(first, Start::Level), (first, Start::Again), (second, Start::Again)] {
        let mut before = frame(&room, &attempt[0]);
        rules.begin(&before, start);
        for (action, colors) in keys(attempt.len() - 1, &ARROWS).into_iter().zip(&attempt[1..]) {
            let after = frame(&walk(&before, action), colors);
            let foretold = rules.predict(&rules.state(&before), action).next;
            right.push(foretold.is_some_and(|it| it.frame == after));
            let layers = [after.clone()];
            rules.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
            before = after;
        }
    }
    right.split_off(right.len() - second.len() + 1)
}

#[test]
fn what_never_comes_round_is_foretold_at_the_next_attempt() {
    // Binary digits of pi, two a step: nothing in them comes round.
    const PI: u64 = 0x243f_6a88_85a3_08d3;
    let digits: Vec<[u8; 2]> = (0..24).map(|at| [6 + (PI >> at & 1) as u8, 6 + (PI >> (at + 31) & 1) as u8]).collect();
    let right = again(&digits, &digits).into_iter().filter(|it| *it).count();
    assert!(right >= 20, "{right} of 23");
    let other: Vec<[u8; 2]> = digits.iter().rev().copied().collect();
    let right = again(&digits, &other).into_iter().filter(|it| *it).count();
    assert!(right <= 12, "{right} of 23, where each time is another");
}
