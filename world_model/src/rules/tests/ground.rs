//! What pieces stand on: plates that stay lit, mud that holds what slides, ground that a twin knows.

use env_client::{Action, Grid, Key};

use super::{ARROWS, Rules, World, ahead, cells, color, keys, put};
use crate::{Outcome, Start, Transition, WorldModel};

/// Where a piece of four cells in a square has its upper left one.
fn corner(frame: &Grid, piece: u8) -> (usize, usize) {
    cells(frame, piece)[0]
}

fn block(frame: &mut Grid, (x, y): (usize, usize), color: u8) {
    (0..4).for_each(|cell| put(frame, x + cell % 2, y + cell / 2, color));
}

/// A hall of tiles of two cells, given by one character each.
fn hall(tiles: &[&str]) -> Grid {
    let wide = |row: &str| row.chars().flat_map(|tile| [tile, tile]).collect::<String>();
    let rows: Vec<String> = tiles.iter().flat_map(|row| [wide(row), wide(row)]).collect();
    rows.join("\n").parse().unwrap()
}

/// The tile after the one with this corner.
fn next(action: Action, at: (usize, usize)) -> (usize, usize) {
    ahead(action, ahead(action, at, false), false)
}

#[test]
fn a_plate_that_someone_stood_on_stays_lit() {
    // Plates of colour 2 lie in the hall, and light up in colour 4 when the piece goes on; elsewhere the floor is bared.
    let start = hall(&["5555555555", "5000200205", "5020000005", "5000002005", "5302000205", "5555555555"]);
    let mut floor = start.clone();
    block(&mut floor, corner(&start, 3), 0);
    let ground = std::cell::RefCell::new(floor);
    let step = move |frame: &Grid, action: Action| {
        let (mut after, at) = (frame.clone(), corner(frame, 3));
        let to = next(action, at);
        if color(frame, to.0, to.1) != 5 {
            let left = color(&ground.borrow(), at.0, at.1);
            let left = if left == 2 { 4 } else { left as u8 };
            block(&mut ground.borrow_mut(), at, left);
            block(&mut after, at, left);
            block(&mut after, to, 3);
        }
        after
    };
    let (right, changes) = World { frame: start, step }.play(keys(160, &ARROWS), 80);
    assert_eq!(right, changes);
}

/// A slide over tiles of two cells to a wall of colour 5, or onto mud of colour 2, which is seen again when it goes on.
fn slid(floor: &Grid, frame: &Grid, action: Action) -> Grid {
    let (mut after, start) = (frame.clone(), corner(frame, 3));
    let mut at = start;
    while color(floor, next(action, at).0, next(action, at).1) != 5 {
        at = next(action, at);
        if color(floor, at.0, at.1) == 2 {
            break;
        }
    }
    block(&mut after, start, color(floor, start.0, start.1) as u8);
    block(&mut after, at, 3);
    after
}

#[test]
fn mud_holds_what_slides_onto_it_and_lets_it_go_again() {
    let floor = hall(&["555555555", "500020005", "500000005", "502000205", "500000005", "500020005", "555555555"]);
    let mut start = floor.clone();
    block(&mut start, (2, 2), 3);
    let world = World { frame: start, step: |frame: &Grid, action| slid(&floor, frame, action) };
    let (right, changes) = world.play(keys(120, &ARROWS), 60);
    assert_eq!(right, changes);
}

/// A slide over thin ice, which has a crack of colour 2 in its last cell and is water of colour 4 afterwards.
fn slid_over_thin_ice(floor: &mut Grid, frame: &Grid, action: Action) -> Grid {
    let (before, mut at) = (floor.clone(), corner(frame, 3));
    let mut after = slid(&before, frame, action);
    while at != corner(&after, 3) {
        if color(&before, at.0 + 1, at.1 + 1) == 2 {
            block(floor, at, 4);
            block(&mut after, at, 4);
        }
        at = next(action, at);
    }
    after
}

#[test]
fn thin_ice_is_water_wherever_a_piece_slid_over_it() {
    let mut floor = hall(&["555555555", "500000005", "500000005", "500000005", "500000005", "500000005", "555555555"]);
    for at in [(6, 2), (8, 4), (12, 6), (4, 8), (10, 10), (2, 6), (14, 4), (6, 10), (14, 10), (4, 2)] {
        put(&mut floor, at.0 + 1, at.1 + 1, 2);
    }
    let mut level = floor.clone();
    block(&mut level, (2, 2), 3);
    let (mut rules, mut frame, mut melting) = (Rules::new(), level.clone(), floor.clone());
    rules.begin(&frame, Start::Level);
    for action in keys(40, &ARROWS) {
        let layers = [slid_over_thin_ice(&mut melting, &frame, action)];
        rules.observe(&Transition { before: &frame, action, layers: &layers, outcome: Outcome::Continues });
        [frame] = layers;
    }
    rules.begin(&level, Start::Level);
    for action in [Action::Key(Key::Key4), Action::Key(Key::Key2)] {
        let after = slid_over_thin_ice(&mut floor.clone(), &level, action);
        assert_eq!(rules.predict(&rules.state(&level), action).next.map(|it| it.frame), Some(after), "{action}");
    }
}

#[test]
fn what_one_twin_entered_is_no_wall_to_the_other() {
    // Each has a yard of its own, half of it grass of colour 2; colour 5 stops both. The left one enters grass first.
    let yards = |left: usize, right: usize| {
        let (wall, rows) = ("5".repeat(18), ["500022225000022225"; 3]);
        let mut frame: Grid = format!("{wall}\n{}\n{wall}", rows.join("\n")).parse().unwrap();
        put(&mut frame, left, 2, 3);
        put(&mut frame, right, 2, 4);
        frame
    };
    let (right, left) = (Action::Key(Key::Key4), Action::Key(Key::Key3));
    let mut rules = Rules::new();
    let mut at = yards(1, 9);
    rules.begin(&at, Start::Level);
    for (action, step) in [(right, 1), (left, 0), (right, 1), (right, 2), (left, 1), (right, 2), (right, 3)] {
        let layers = [yards(1 + step, 9 + step)];
        rules.observe(&Transition { before: &at, action, layers: &layers, outcome: Outcome::Continues });
        [at] = layers;
    }
    let next = rules.predict(&rules.state(&at), right).next.expect("both are known");
    assert_eq!(cells(&next.frame, 4), [(13, 2)]);
}

#[test]
fn a_block_of_the_colour_of_the_walls_is_a_wall_however_small_unless_one_hopes() {
    // Small things of several colours are entered; the next one, of colour 5, stands alone, but walls have that colour.
    let first = hall_of(&["55555555555", "50000000005", "50020406005", "50000000005", "55555555555"]);
    let second = hall_of(&["555555555", "500000005", "500050005", "500000005", "555555555"]);
    for (mut rules, end) in [(Rules::new(), 3), (Rules::hopeful(), 4)] {
        steps_to_the_right(&mut rules, &first, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 9]);
        let last = steps_to_the_right(&mut rules, &second, &[1, 2, 3]);
        let next = rules.predict(&rules.state(&last), Action::Key(Key::Key4)).next.expect("it is known");
        assert_eq!(cells(&next.frame, 3), [(end, 2)]);
    }
}

/// A frame of these rows.
fn hall_of(rows: &[&str]) -> Grid {
    rows.join("\n").parse().unwrap()
}

/// Shows how a piece of colour 3 comes by steps to the right to these columns of the third row; the last frame.
fn steps_to_the_right(rules: &mut Rules, level: &Grid, columns: &[usize]) -> Grid {
    let frames: Vec<Grid> = columns
        .iter()
        .map(|column| {
            let mut frame = level.clone();
            put(&mut frame, *column, 2, 3);
            frame
        })
        .collect();
    rules.begin(&frames[0], Start::Level);
    for pair in frames.windows(2) {
        let (before, layers) = (&pair[0], &pair[1..]);
        let action = Action::Key(Key::Key4);
        rules.observe(&Transition { before, action, layers, outcome: Outcome::Continues });
    }
    frames.last().unwrap().clone()
}

/// A walker of colour 3 on a lane of tiles of two cells, with a crate of colour 6 and wide ground of colour 7 behind it.
#[test]
fn ground_that_its_driver_entered_is_no_wall_to_a_crate() {
    let push = |frame: &Grid, action: Action| {
        let (mut after, at) = (frame.clone(), corner(frame, 3));
        let to = next(action, at);
        let beyond = next(action, to);
        let is_crate = color(frame, to.0, to.1) == 6;
        let last = if is_crate { beyond } else { to };
        if color(frame, last.0, last.1) != 5 {
            block(&mut after, at, if at.0 >= 20 { 7 } else { 0 });
            block(&mut after, last, 6);
            block(&mut after, to, 3);
        }
        after
    };
    let mut rules = Rules::new();
    let [left, right, up, down] = [Key::Key3, Key::Key4, Key::Key1, Key::Key2].map(Action::Key);
    let mut frame =
        hall(&["5555555555555555", "5000000000777775", "5306000000777775", "5000000000777775", "5555555555555555"]);
    rules.begin(&frame, Start::Level);
    let act = |rules: &mut Rules, frame: &mut Grid, action: Action| {
        let after = push(frame, action);
        let layers = [after.clone()];
        rules.observe(&Transition { before: frame, action, layers: &layers, outcome: Outcome::Continues });
        *frame = after;
    };
    let foreseen = |rules: &Rules, frame: &Grid| rules.predict(&rules.state(frame), right).next.unwrap().frame;
    // The crate is pushed up to the other ground, which nobody entered yet, and left alone.
    for action in [right, right, right, right, right, right, right] {
        act(&mut rules, &mut frame, action);
    }
    assert_eq!(corner(&frame, 6), (20 - 2, 4));
    assert_eq!(foreseen(&rules, &frame), frame, "wide ground that was never met is a wall");
    for action in [up, right, right, right, left, left, left, down] {
        act(&mut rules, &mut frame, action);
    }
    assert_eq!(foreseen(&rules, &frame), push(&frame, right));
}

/// A plain piece of colour 3 goes by tiles of six cells, of which two have a frame of its colour.
fn over_frames(frame: &Grid, action: Action) -> Grid {
    let is_piece = |(x, y): (usize, usize)| color(frame, x + 1, y + 1) == 3 && color(frame, x + 4, y + 4) == 3;
    let tiles = || (1..9usize).flat_map(|x| (1..5usize).map(move |y| (6 * x, 6 * y)));
    let at = tiles().find(|it| is_piece(*it)).unwrap();
    let to = ahead(action, (at.0 / 6, at.1 / 6), false);
    let to = if (1..9).contains(&to.0) && (1..5).contains(&to.1) { (6 * to.0, 6 * to.1) } else { at };
    let mut after = frame.clone();
    let fill = |after: &mut Grid, (x, y): (usize, usize), color: u8| {
        (0..16).for_each(|cell| put(after, x + 1 + cell % 4, y + 1 + cell / 4, color));
    };
    fill(&mut after, at, 0);
    fill(&mut after, to, 3);
    after
}

#[test]
fn a_plain_piece_in_a_frame_of_its_colour_lies_in_the_middle_of_it() {
    let mut start = Grid::filled(60, 36, env_client::Color::of(0));
    for (x, y) in [(12, 12), (42, 18)] {
        for (right, down) in (0..6).flat_map(|side| [(side, 0), (side, 5), (0, side), (5, side)]) {
            put(&mut start, x + right, y + down, 3);
        }
    }
    (0..16).for_each(|cell| put(&mut start, 7 + cell % 4, 13 + cell / 4, 3));
    let (right, changes) = World { frame: start, step: over_frames }.play(keys(240, &ARROWS), 120);
    assert_eq!(right, changes);
}
