//! A piece that a key turns about one of its tiles.

use env_client::{Action, Color, Grid, Key};

use super::{ARROWS, Rules, World, ahead, cells, color, keys, put};
use crate::{Outcome, Start, Transition, WorldModel};

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

/// Squares of three cells around a hall: a lamp of colour 3 on rails of colour 2, which shines inwards from whichever side.
const WIDE: i16 = 9;
const HIGH: i16 = 9;
const START: (i16, i16) = (4, 0);

fn shine((at_x, at_y): (i16, i16)) -> Grid {
    let mut frame = Grid::filled(3 * WIDE as u8, 3 * HIGH as u8, Color::of(2));
    let mut square = |(x, y): (i16, i16), color: u8, nose: (i16, i16)| {
        for (dx, dy) in (0..9).map(|cell| (cell % 3, cell / 3)) {
            let color = if (dx - 1, dy - 1) == nose { 4 } else { color };
            put(&mut frame, (3 * x + dx) as usize, (3 * y + dy) as usize, color);
        }
    };
    for y in 1..HIGH - 1 {
        (1..WIDE - 1).for_each(|x| square((x, y), 5, (9, 9)));
    }
    let inwards = match (at_x, at_y) {
        (_, 0) => (0, 1),
        (_, y) if y == HIGH - 1 => (0, -1),
        (0, _) => (1, 0),
        _ => (-1, 0),
    };
    square((at_x, at_y), 3, inwards);
    frame
}

/// Where an arrow takes the lamp: along the rails.
fn ride((x, y): (i16, i16), key: Key) -> (i16, i16) {
    let ways = [(0, -1), (0, 1), (-1, 0), (1, 0)];
    let by = ARROWS.iter().position(|arrow| *arrow == key).map_or((0, 0), |index| ways[index]);
    let (to_x, to_y) = (x + by.0, y + by.1);
    let is_inside = (0..WIDE).contains(&to_x) && (0..HIGH).contains(&to_y);
    let is_rail = to_x == 0 || to_y == 0 || to_x == WIDE - 1 || to_y == HIGH - 1;
    if is_inside && is_rail { (to_x, to_y) } else { (x, y) }
}

#[test]
fn what_turns_where_it_comes_to_does_not_turn_where_it_stays() {
    let mut rules = Rules::new();
    let mut at = START;
    rules.begin(&shine(at), Start::Level);
    // Along the rails and back from where it begins, at times against what stops it.
    let rides = [
        "44424232222222434333344441111111",
        "43333322222222444433331111111222222211111111444444442",
        "424442222232224333",
    ];
    for ride_keys in rides {
        at = START;
        for digit in ride_keys.bytes() {
            let key = ARROWS[usize::from(digit - b'1')];
            let (before, action) = (shine(at), Action::Key(key));
            at = ride(at, key);
            let layers = [shine(at)];
            rules.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
        }
    }
    let next = rules.predict(&rules.state(&shine(at)), Action::Key(ARROWS[0])).next.expect("known").frame;
    assert_eq!(next, shine(at), "{next}");
}

/// A knight of six cells that looks left in one colour and right in another; a key flips it, arrows take it by one cell.
fn flip(frame: &Grid, action: Action) -> Grid {
    const SHAPE: [(usize, usize); 6] = [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (1, 2)];
    let left = cells(frame, 3);
    let (own, is_left) = if left.is_empty() { (cells(frame, 4), false) } else { (left, true) };
    let (x, y) = (own.iter().map(|it| it.0).min().unwrap(), own.iter().map(|it| it.1).min().unwrap());
    let flips = action == Action::Key(Key::Key5);
    let to = if flips { (x, y) } else { ahead(action, (x, y), false) };
    let looks_left = is_left != flips;
    let drawn = SHAPE.map(|(dx, dy)| (to.0 + if looks_left { dx } else { 2 - dx }, to.1 + dy));
    if drawn.iter().any(|at| color(frame, at.0, at.1) == 5) {
        return frame.clone();
    }
    let mut after = frame.clone();
    for (x, y) in own {
        put(&mut after, x, y, 0);
    }
    for (x, y) in drawn {
        put(&mut after, x, y, if looks_left { 3 } else { 4 });
    }
    after
}

#[test]
fn what_is_mirrored_in_another_color_where_it_is_did_not_go_anywhere() {
    let frame: Grid =
        "55555555555\n50000000005\n50000000005\n50033300005\n50030000005\n50033000005\n50000000005\n55555555555"
            .parse()
            .unwrap();
    let choice = [Key::Key1, Key::Key2, Key::Key3, Key::Key4, Key::Key5];
    let (right, changes) = World { frame, step: flip }.play(keys(120, &choice), 50);
    assert_eq!(right, changes);
}
