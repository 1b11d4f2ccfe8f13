//! A piece that comes after the one that arrows move.

use env_client::{Action, Grid};

use super::{ARROWS, World, ahead, cells, color, keys, put};

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
fn what_comes_after_is_foreseen() {
    let world = World { frame: MEADOW.parse().unwrap(), step: fond };
    let (right, changes) = world.play(keys(200, &ARROWS), 100);
    assert!(100 * right >= 95 * changes, "{right} of {changes}");
}
