//! A piece that a key turns about one of its tiles.

use env_client::{Action, Grid, Key};

use super::{World, ahead, cells, color, keys, put};

/// A room in which a hook hangs from its joint, colour 8.
const ROOM: &str = "55555555555\n50000000005\n50000000005\n50000000005\n50000000005\n50008330005\n50003000005\n\
                    50000000005\n50000000005\n50000000005\n55555555555";
/// The same with a hook that is its own mirror image, and shows its joint by nothing.
const BENT: &str = "55555555555\n50000000005\n50000000005\n50000000005\n50000000005\n50003300005\n50003000005\n\
                    50000000005\n50000000005\n50000000005\n55555555555";
const TURN: Key = Key::Key5;

/// Arrows move the hook, and the other key turns it about its joint, where walls let it.
fn handle(frame: &Grid, action: Action) -> Grid {
    let joint = cells(frame, 8)[0];
    let to = ahead(action, joint, false);
    let rest = cells(frame, 3);
    let come = |(x, y): (usize, usize)| match action {
        Action::Key(TURN) => (joint.0 + joint.1 - y, joint.1 + x - joint.0),
        _ => (x + to.0 - joint.0, y + to.1 - joint.1),
    };
    let ends: Vec<(usize, usize)> = rest.iter().map(|at| come(*at)).collect();
    let mut after = frame.clone();
    if ends.iter().chain([&to]).any(|at| color(frame, at.0, at.1) == 5) {
        return after;
    }
    rest.iter().chain([&joint]).for_each(|at| put(&mut after, at.0, at.1, 0));
    for (x, y) in ends {
        put(&mut after, x, y, 3);
    }
    put(&mut after, to.0, to.1, 8);
    after
}

#[test]
fn a_piece_that_turns_about_one_of_its_tiles_is_known_from_one_turn() {
    let world = World { frame: ROOM.parse().unwrap(), step: handle };
    let mut actions = vec![Action::Key(Key::Key4), Action::Key(TURN)];
    actions.extend([TURN, TURN, Key::Key1, TURN, TURN, Key::Key4, TURN, Key::Key3, TURN].map(Action::Key));
    assert_eq!(world.play(actions, 9).0, 8, "all but a first way up");
}

/// The same about the cell of the hook that has two others beside it.
fn bend(frame: &Grid, action: Action) -> Grid {
    let all = cells(frame, 3);
    let is_beside = |a: &(usize, usize), b: &(usize, usize)| a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1;
    let joint = *all.iter().find(|at| all.iter().filter(|other| is_beside(at, other)).count() == 2).unwrap();
    let mut marked = frame.clone();
    put(&mut marked, joint.0, joint.1, 8);
    let mut after = handle(&marked, action);
    for (x, y) in cells(&after, 8) {
        put(&mut after, x, y, 3);
    }
    after
}

#[test]
fn what_is_its_own_mirror_image_is_turned_rather_than_mirrored() {
    let world = World { frame: BENT.parse().unwrap(), step: bend };
    let mut actions = vec![Action::Key(Key::Key4), Action::Key(TURN)];
    actions.extend([TURN; 4].map(Action::Key));
    assert_eq!(world.play(actions, 3), (3, 3), "two turns tell that it is the key alone that turns");
}

#[test]
fn a_piece_that_turns_where_walls_let_it_is_learned() {
    let world = World { frame: ROOM.parse().unwrap(), step: handle };
    let (right, changes) = world.play(keys(200, &[Key::Key1, Key::Key2, Key::Key3, Key::Key4, TURN, TURN]), 100);
    assert!(100 * right >= 97 * changes, "{right} of {changes}");
}
