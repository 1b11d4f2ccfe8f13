//! A piece that comes after the one that arrows move.

use env_client::{Action, Grid};

use super::{ARROWS, Rules, World, ahead, cells, color, keys, put};
use crate::{Outcome, Start, Transition, WorldModel};

const MEADOW: &str = "5555555555555\n5000000000005\n5000000000005\n5000050000005\n5000000000005\n5000000020005\n\
                      5000005000005\n5000000000005\n5030000000005\n5000000000005\n5555555555555";

/// Moves a piece of a colour to a cell that is floor; whether it could.
fn go(frame: &mut Grid, own: u8, from: (usize, usize), to: (usize, usize)) -> bool {
    let is_free = color(frame, to.0, to.1) == 0;
    if is_free {
        put(frame, from.0, from.1, 0);
        put(frame, to.0, to.1, own);
    }
    is_free
}

/// From one cell to another, in steps.
fn way(from: (usize, usize), to: (usize, usize)) -> (i32, i32) {
    (to.0 as i32 - from.0 as i32, to.1 as i32 - from.1 as i32)
}

fn by(from: (usize, usize), (x, y): (i32, i32)) -> (usize, usize) {
    ((from.0 as i32 + x) as usize, (from.1 as i32 + y) as usize)
}

/// The piece of colour 3 obeys. The one of colour 2 comes, along the longer distance first, and stops beside it.
fn fond(frame: &Grid, action: Action) -> Grid {
    let mut after = frame.clone();
    let dog = cells(frame, 3)[0];
    go(&mut after, 3, dog, ahead(action, dog, false));
    let (dog, lamb) = (cells(&after, 3)[0], cells(&after, 2)[0]);
    let (x, y) = way(lamb, dog);
    let across = (x.signum(), 0);
    let down = (0, y.signum());
    let [first, other] = if x.abs() >= y.abs() { [across, down] } else { [down, across] };
    if !go(&mut after, 2, lamb, by(lamb, first)) && other != (0, 0) {
        go(&mut after, 2, lamb, by(lamb, other));
    }
    after
}

#[test]
fn what_comes_after_is_one_of_the_flock() {
    let mut world = World { frame: MEADOW.parse().unwrap(), step: fond };
    let mut rules = Rules::new();
    world.teach(&mut rules, keys(100, &ARROWS));
    let flock = rules.flock(&rules.state(&world.frame));
    let lamb = cells(&world.frame, 2)[0];
    assert_eq!(flock.iter().map(Vec::len).collect::<Vec<_>>(), [1]);
    assert_eq!((flock[0][0].x(), flock[0][0].y()), (lamb.0 as u8, lamb.1 as u8));
}

#[test]
fn what_comes_after_is_foreseen() {
    let world = World { frame: MEADOW.parse().unwrap(), step: fond };
    let (right, changes) = world.play(keys(200, &ARROWS), 100);
    assert!(100 * right >= 95 * changes, "{right} of {changes}");
}

const FIELD: &str = "55555555555555555555\n50000000000000000005\n50003000000000000005\n50000000000000000005\n\
                     50000000000000000005\n50000000000070000005\n50000000000000000005\n50000000000000000005\n\
                     50000000000000000005\n50200000000000000025\n55555555555555555555";

/// The piece of colour 3 obeys. Those of colour 2 come, along the longer distance first, and fall into what has colour 7,
/// which is filled then.
fn hunted(frame: &Grid, action: Action) -> Grid {
    let mut after = frame.clone();
    let prey = cells(frame, 3)[0];
    go(&mut after, 3, prey, ahead(action, prey, false));
    let prey = cells(&after, 3)[0];
    for hunter in cells(frame, 2) {
        let (x, y) = way(hunter, prey);
        let to = by(hunter, if x.abs() >= y.abs() { (x.signum(), 0) } else { (0, y.signum()) });
        if color(&after, to.0, to.1) == 7 {
            put(&mut after, hunter.0, hunter.1, 0);
            put(&mut after, to.0, to.1, 6);
        } else {
            go(&mut after, 2, hunter, to);
        }
    }
    after
}

/// How many of the last frames that changed are foreseen of hunts that begin again when one is over, as keys are held down
/// for so long at once.
fn hunts(held: usize, scored: usize) -> (usize, usize) {
    let first: Grid = FIELD.parse().unwrap();
    let mut rules = Rules::new();
    rules.begin(&first, Start::Level);
    let (mut frame, mut results) = (first.clone(), Vec::new());
    for action in keys(300 / held, &ARROWS).into_iter().flat_map(|key| std::iter::repeat_n(key, held)) {
        let after = hunted(&frame, action);
        let expected = rules.predict(&rules.state(&frame), action).next.map(|it| it.frame);
        results.extend((frame != after).then(|| expected.as_ref() == Some(&after)));
        let layers = [after.clone()];
        rules.observe(&Transition { before: &frame, action, layers: &layers, outcome: Outcome::Continues });
        frame = after;
        let prey = cells(&frame, 3)[0];
        let near = |at: &(usize, usize)| at.0.abs_diff(prey.0) + at.1.abs_diff(prey.1) < 2;
        if cells(&frame, 2).is_empty() || cells(&frame, 2).iter().any(near) {
            frame = first.clone();
            rules.begin(&frame, Start::Again);
        }
    }
    let late = &results[results.len() - scored..];
    (late.iter().filter(|right| **right).count(), scored)
}

#[test]
fn what_comes_after_is_told_from_what_goes_straight_on() {
    for held in [2, 4, 6] {
        let (right, changes) = hunts(held, 100);
        assert!(100 * right >= 90 * changes, "{right} of {changes}, keys held for {held} steps");
    }
}
