//! Hand-made worlds of ten lines: the learner sees a play of them and must predict it.

mod arrows;
mod boards;
mod buttons;
mod compass;
mod doors;
mod dyes;
mod exchange;
mod flying;
mod ground;
mod herding;
mod holding;
mod kin;
mod lays;
mod marked;
mod patrol;
mod plates;
mod portals;
mod rays;
mod rhythms;
mod selection;
mod sinks;
mod slide;
mod turning;
mod undo;

use env_client::{Action, Color, Grid, Key};

use super::Rules;
use crate::{Outcome, Start, State, Transition, WorldModel};

/// A world by its step function.
struct World<F: Fn(&Grid, Action) -> Grid> {
    frame: Grid,
    step: F,
}

impl<F: Fn(&Grid, Action) -> Grid> World<F> {
    /// Plays actions, learning from each; how many of the last `scored` frames that changed were predicted exactly.
    fn play(mut self, actions: impl IntoIterator<Item = Action>, scored: usize) -> (usize, usize) {
        let results = self.teach(&mut Rules::new(), actions);
        let late = &results[results.len().saturating_sub(scored)..];
        (late.iter().filter(|right| **right).count(), late.len())
    }

    /// The same from a first frame on; whether each frame that changed was predicted exactly.
    fn teach(&mut self, rules: &mut Rules, actions: impl IntoIterator<Item = Action>) -> Vec<bool> {
        rules.begin(&self.frame, Start::Level);
        let mut results = Vec::new();
        for action in actions {
            let before = self.frame.clone();
            let after = (self.step)(&before, action);
            let expected = rules.predict(&rules.state(&before), action).next.map(|it| it.frame);
            results.extend((before != after).then(|| expected.as_ref() == Some(&after)));
            let layers = [after.clone()];
            let outcome = Outcome::Continues;
            rules.observe(&Transition { before: &before, action, layers: &layers, outcome });
            self.frame = after;
        }
        results
    }
}

/// A fixed walk over keys: a small linear congruential generator (Numerical Recipes, 7.1).
fn keys(count: usize, choice: &[Key]) -> Vec<Action> {
    let mut seed = 1u32;
    let mut draw = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) as usize % choice.len()
    };
    (0..count).map(|_| Action::Key(choice[draw()])).collect()
}

const ARROWS: [Key; 4] = [Key::Key1, Key::Key2, Key::Key3, Key::Key4];

/// The cells of one colour.
fn cells(frame: &Grid, color: u8) -> Vec<(usize, usize)> {
    let width = usize::from(frame.width());
    let of_color = frame.cells().iter().enumerate().filter(|(_, it)| it.index() == usize::from(color));
    of_color.map(|(index, _)| (index % width, index / width)).collect()
}

fn color(frame: &Grid, x: usize, y: usize) -> usize {
    frame.cells()[y * usize::from(frame.width()) + x].index()
}

fn put(frame: &mut Grid, x: usize, y: usize, color: u8) {
    let width = usize::from(frame.width());
    frame.cells_mut()[y * width + x] = Color::of(color);
}

fn ahead(action: Action, (x, y): (usize, usize), mirrored: bool) -> (usize, usize) {
    match (action, mirrored) {
        (Action::Key(Key::Key1), _) => (x, y - 1),
        (Action::Key(Key::Key2), _) => (x, y + 1),
        (Action::Key(Key::Key3), false) | (Action::Key(Key::Key4), true) => (x - 1, y),
        (Action::Key(Key::Key3), true) | (Action::Key(Key::Key4), false) => (x + 1, y),
        _ => (x, y),
    }
}

/// A piece of colour 3 that walks over 0 and is stopped by 5.
fn walk(frame: &Grid, action: Action) -> Grid {
    let mut after = frame.clone();
    let at = cells(frame, 3)[0];
    let to = ahead(action, at, false);
    if color(frame, to.0, to.1) == 0 {
        put(&mut after, at.0, at.1, 0);
        put(&mut after, to.0, to.1, 3);
    }
    after
}

const ROOM: &str = "555555555\n500000005\n500500005\n500530005\n500000505\n500000005\n555555555";

#[test]
fn a_piece_that_walks_and_is_stopped_by_walls_is_learned_in_thirty_actions() {
    let world = World { frame: ROOM.parse().unwrap(), step: walk };
    let (right, changes) = world.play(keys(80, &ARROWS), 40);
    assert_eq!(right, changes, "after thirty actions every move is predicted");
}

#[test]
fn what_lay_under_a_piece_is_seen_again() {
    let frame: Grid = "5555555\n5000005\n5022205\n5030005\n5555555".parse().unwrap();
    let floor: Grid = "5555555\n5000005\n5022205\n5000005\n5555555".parse().unwrap();
    let step = move |frame: &Grid, action: Action| {
        let mut after = frame.clone();
        let at = cells(frame, 3)[0];
        let to = ahead(action, at, false);
        if color(frame, to.0, to.1) != 5 {
            put(&mut after, at.0, at.1, color(&floor, at.0, at.1) as u8);
            put(&mut after, to.0, to.1, 3);
        }
        after
    };
    let (right, changes) = World { frame, step }.play(keys(120, &ARROWS), 60);
    assert_eq!(right, changes);
}

#[test]
fn tiles_that_a_piece_covers_and_bares_are_no_pieces() {
    let picture: Vec<&str> = (0..12).map(|y| if y % 4 == 0 { "00000000000000" } else { "02220222022200" }).collect();
    let mut frame: Grid = picture.join("\n").parse().unwrap();
    // A piece with an eye on the tile in the middle.
    let draw = |frame: &mut Grid, (x, y): (usize, usize), color: u8, eye: u8| {
        (0..9).for_each(|cell| put(frame, x + cell % 3, y + cell / 3, if cell == 1 { eye } else { color }));
    };
    let mut at = (5, 5);
    draw(&mut frame, at, 3, 4);
    let mut rules = Rules::new();
    rules.begin(&frame, Start::Level);
    for (key, by) in [(Key::Key4, (4, 0)), (Key::Key1, (0, -4)), (Key::Key3, (-4, 0)), (Key::Key3, (-4, 0))] {
        let (action, before) = (Action::Key(key), frame.clone());
        draw(&mut frame, at, 2, 2);
        at = (at.0.checked_add_signed(by.0).unwrap(), at.1.checked_add_signed(by.1).unwrap());
        draw(&mut frame, at, 3, 4);
        let layers = [frame.clone()];
        rules.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
        let pieces = rules.advances(&rules.state(&frame), action).len();
        assert_eq!(pieces, 1, "one piece answers, no tile does");
    }
}

#[test]
fn what_jumps_by_steps_that_do_not_fit_those_of_who_obeys_is_no_piece() {
    let mut frame = Grid::filled(24, 24, Color::of(0));
    let draw = |frame: &mut Grid, (x, y): (usize, usize), color: u8| {
        (0..4).for_each(|cell| put(frame, x + cell % 2, y + cell / 2, color));
    };
    let (mut at, mut lamp) = ((2, 2), 2);
    draw(&mut frame, at, 3);
    put(&mut frame, lamp, 20, 6);
    let mut rules = Rules::new();
    rules.begin(&frame, Start::Level);
    let steps = [(Key::Key4, (2, 0), false), (Key::Key2, (0, 2), false), (Key::Key4, (2, 0), false)];
    let jumps = [(Key::Key4, (2, 0), true), (Key::Key2, (0, 2), false), (Key::Key4, (2, 0), true)];
    for (key, by, jumps) in steps.into_iter().chain(jumps) {
        let (action, before) = (Action::Key(key), frame.clone());
        draw(&mut frame, at, 0);
        at = (at.0.checked_add_signed(by.0).unwrap(), at.1.checked_add_signed(by.1).unwrap());
        draw(&mut frame, at, 3);
        if jumps {
            put(&mut frame, lamp, 20, 0);
            lamp += 3;
            put(&mut frame, lamp, 20, 6);
        }
        let layers = [frame.clone()];
        rules.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
    }
    let right = Action::Key(Key::Key4);
    let pieces: Vec<_> = rules.advances(&rules.state(&frame), right).into_iter().map(|it| it.by).collect();
    assert_eq!(pieces, [(2, 0)], "the lamp jumped by three as foretold, and yet");
}

#[test]
fn a_crate_is_pushed_where_there_is_room() {
    let frame: Grid = "555555555\n500000005\n500000005\n500430005\n500000005\n500000005\n555555555".parse().unwrap();
    let step = |frame: &Grid, action: Action| {
        let mut after = frame.clone();
        let at = cells(frame, 3)[0];
        let to = ahead(action, at, false);
        let beyond = if color(frame, to.0, to.1) == 4 { ahead(action, to, false) } else { to };
        if color(frame, beyond.0, beyond.1) == 0 {
            put(&mut after, at.0, at.1, 0);
            if beyond != to {
                put(&mut after, beyond.0, beyond.1, 4);
            }
            put(&mut after, to.0, to.1, 3);
        }
        after
    };
    let (right, changes) = World { frame, step }.play(keys(300, &ARROWS), 100);
    assert!(right * 100 >= changes * 97, "{right} of {changes}");
}

/// A room of six tiles by five, two cells a side, with walls of colour 5 around.
fn tiled() -> Grid {
    let row = |inside: &str| format!("55{inside}55");
    let wall = || ["5".repeat(16), "5".repeat(16)];
    let rows = [row("330000000000"), row("300000000000"), row("000000000000"), row("000000040000")];
    let empty = (0..6).map(|_| row("000000000000"));
    wall().into_iter().chain(rows).chain(empty).chain(wall()).collect::<Vec<_>>().join("\n").parse().unwrap()
}

#[test]
fn what_lies_in_a_hole_of_a_piece_is_carried_along() {
    let step = |frame: &Grid, action: Action| {
        let mut after = frame.clone();
        let (x, y) = cells(frame, 3)[0];
        let way = ahead(action, (x, y), false);
        let to = (2 * way.0 - x, 2 * way.1 - y);
        if color(frame, to.0, to.1) != 5 {
            let carried = color(frame, x + 1, y + 1);
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                put(&mut after, x + dx, y + dy, 0);
            }
            for (dx, dy) in [(0, 0), (1, 0), (0, 1)] {
                put(&mut after, to.0 + dx, to.1 + dy, 3);
            }
            if carried == 4 {
                put(&mut after, to.0 + 1, to.1 + 1, 4);
            }
        }
        after
    };
    let (right, changes) = World { frame: tiled(), step }.play(keys(160, &ARROWS), 60);
    assert_eq!(right, changes);
}

#[test]
fn twins_of_one_color_that_mirror_each_other_are_told_apart() {
    let frame: Grid = "55555555555\n50000500005\n50030500305\n50000500005\n55555555555".parse().unwrap();
    let step = |frame: &Grid, action: Action| {
        let mut after = frame.clone();
        let twins = cells(frame, 3);
        for (at, mirrored) in twins.iter().map(|at| (*at, at.0 > 5)) {
            let to = ahead(action, at, mirrored);
            if color(frame, to.0, to.1) == 0 {
                put(&mut after, at.0, at.1, 0);
                put(&mut after, to.0, to.1, 3);
            }
        }
        after
    };
    let (right, changes) = World { frame, step }.play(keys(200, &ARROWS), 100);
    assert!(right * 100 >= changes * 97, "{right} of {changes}");
}

#[test]
fn a_click_that_toggles_lamps_around_is_learned_from_a_few_clicks() {
    let mut frame = Grid::filled(15, 15, Color::of(0));
    let lamps: Vec<(usize, usize)> = (0..4).flat_map(|y| (0..4).map(move |x| (1 + 3 * x, 1 + 3 * y))).collect();
    for (x, y) in &lamps {
        (0..4).for_each(|cell| put(&mut frame, x + cell % 2, y + cell / 2, 2));
    }
    let targets = lamps.clone();
    let step = move |frame: &Grid, action: Action| {
        let mut after = frame.clone();
        let Some(point) = action.point() else { return after };
        let (cx, cy) = (usize::from(point.x()), usize::from(point.y()));
        for (x, y) in &targets {
            if x.abs_diff(cx - 1) + y.abs_diff(cy - 1) <= 3 {
                let next = if color(frame, *x, *y) == 2 { 7 } else { 2 };
                (0..4).for_each(|cell| put(&mut after, x + cell % 2, y + cell / 2, next));
            }
        }
        after
    };
    let clicks = (0..60).map(|turn| {
        let (x, y) = lamps[turn * 7 % 16];
        Action::Click(env_client::Point::new(x as u8 + 1, y as u8 + 1).unwrap())
    });
    let (right, changes) = World { frame, step }.play(clicks, 30);
    assert_eq!(right, changes);
}

#[test]
fn the_next_tick_of_a_bar_is_expected() {
    let mut frame: Grid = ROOM.parse().unwrap();
    let mut tall = Grid::filled(24, 12, Color::of(5));
    for (x, y) in (0..9).flat_map(|x| (0..7).map(move |y| (x, y))) {
        put(&mut tall, x, y, color(&frame, x, y) as u8);
    }
    std::mem::swap(&mut frame, &mut tall);
    (0..24).for_each(|x| put(&mut frame, x, 11, 8));
    let step = |frame: &Grid, action: Action| {
        let mut after = walk(frame, action);
        if let Some((x, y)) = cells(frame, 8).last().copied() {
            put(&mut after, x, y, 1);
        }
        after
    };
    let (right, changes) = World { frame, step }.play(keys(23, &ARROWS), 8);
    assert!(right >= changes - 1, "{right} of {changes}");
}

/// Rules that saw these pictures follow one another, each with the action that led to it.
fn taught<const N: usize>(pictures: [&str; N], actions: &[Action]) -> (Rules, [Grid; N]) {
    let frames = pictures.map(|picture| picture.parse::<Grid>().unwrap());
    let mut rules = Rules::new();
    rules.begin(&frames[0], Start::Level);
    for (pair, action) in frames.windows(2).zip(actions) {
        let outcome = Outcome::Continues;
        rules.observe(&Transition { before: &pair[0], action: *action, layers: &pair[1..], outcome });
    }
    (rules, frames)
}

#[test]
fn a_piece_says_what_it_goes_for() {
    let right = Action::Key(Key::Key4);
    let pictures = ["000000\n050020\n000000", "000000\n005020\n000000", "000000\n000520\n000000"];
    let (rules, frames) = taught(pictures, &[right; 2]);
    let advances = rules.advances(&State::seen(frames[2].clone()), right);
    let [piece] = advances.as_slice() else { panic!("{advances:?}") };
    let at = |x| vec![env_client::Point::new(x, 1).unwrap()];
    assert_eq!((&piece.from, &piece.onto, piece.by), (&at(3), &at(4), (1, 0)));
}

#[test]
fn ground_of_a_color_never_entered_is_expected_to_stop_a_piece_and_a_thing_is_not() {
    let right = Action::Key(Key::Key4);
    let row = |row: &str| format!("00000000044444\n{row}\n00000000044444");
    let (rules, _) = taught([&row("05000000044444"), &row("00500000044444")], &[right]);
    let next = |before: &str| {
        let frame: Grid = row(before).parse().unwrap();
        rules.predict(&State::seen(frame), right).next.unwrap().frame
    };
    assert_eq!(next("00005000044444"), row("00000500044444").parse().unwrap(), "over ground it knows");
    assert_eq!(next("00000000544444"), row("00000000544444").parse().unwrap(), "a wall");
    assert_eq!(next("00005300044444"), row("00000500044444").parse().unwrap(), "a thing");
}

#[test]
fn what_goes_the_same_way_whatever_is_done_is_foreseen_and_obeys_nobody() {
    let pictures = ["0700000000", "0070000000", "0007000000", "0000700000", "0000070000"];
    let actions = keys(4, &ARROWS);
    assert!(actions.iter().collect::<std::collections::BTreeSet<_>>().len() > 2);
    let (rules, frames) = taught(pictures, &actions);
    let state = State::seen(frames[4].clone());
    assert_eq!(rules.predict(&state, actions[0]).next.unwrap().frame, "0000007000".parse().unwrap());
    assert_eq!(rules.advances(&state, actions[0]), []);
}

#[test]
fn a_piece_that_goes_under_something_is_still_where_it_went() {
    let right = Action::Key(Key::Key4);
    let (rules, frames) = taught(["0300077000", "0030077000", "0003077000", "0000377000", "0000077000"], &[right; 4]);
    let state = rules.state(&frames[4]);
    let under = |state: &State| rules.advances(state, right)[0].from.clone();
    assert_eq!(under(&state), [env_client::Point::new(5, 0).unwrap()]);
    let further = rules.predict(&state, right).next.unwrap();
    assert_eq!(further.frame, frames[4], "there is more of it to cross");
    assert_eq!(under(&further), [env_client::Point::new(6, 0).unwrap()]);
    assert_eq!(rules.predict(&further, right).next.unwrap().frame, "0000077300".parse().unwrap());
}

#[test]
fn keys_that_are_answered_one_step_late_are_learned() {
    let mut frame: Grid = ROOM.parse().unwrap();
    let mut rules = Rules::new();
    rules.begin(&frame, Start::Level);
    let mut results = Vec::new();
    for pair in keys(160, &ARROWS).windows(2) {
        let after = walk(&frame, pair[0]);
        let expected = rules.predict(&rules.state(&frame), pair[1]).next.map(|it| it.frame);
        results.extend((frame != after).then(|| expected.as_ref() == Some(&after)));
        let layers = [after.clone()];
        rules.observe(&Transition { before: &frame, action: pair[1], layers: &layers, outcome: Outcome::Continues });
        frame = after;
    }
    let late = &results[results.len() - 20..];
    assert!(late.iter().filter(|right| **right).count() >= 19, "{late:?}");
    let [up, down] =
        [Key::Key1, Key::Key2].map(|key| rules.predict(&rules.state(&frame), Action::Key(key)).next.unwrap());
    assert_eq!(up.frame, down.frame, "neither is answered yet");
    assert_ne!(up.unseen, down.unseen, "so they are two places");
}

#[test]
fn a_piece_with_an_eye_that_faces_the_way_it_walks_is_one_piece() {
    let mut frame = Grid::filled(11, 11, Color::of(5));
    (0..9).for_each(|cell| put(&mut frame, 4 + cell % 3, 4 + cell / 3, if cell == 1 { 4 } else { 3 }));
    let step = |frame: &Grid, action: Action| {
        let body: Vec<_> = [cells(frame, 3), cells(frame, 4)].concat();
        let (left, top) = (body.iter().map(|it| it.0).min().unwrap(), body.iter().map(|it| it.1).min().unwrap());
        let to = ahead(action, (left, top), false);
        let mut after = Grid::filled(frame.width(), frame.height(), Color::of(5));
        let (x, y) = if (1..8).contains(&to.0) && (1..8).contains(&to.1) { to } else { (left, top) };
        (0..9).for_each(|cell| put(&mut after, x + cell % 3, y + cell / 3, 3));
        let eye = ahead(action, (x + 1, y + 1), false);
        put(&mut after, eye.0, eye.1, 4);
        after
    };
    let (right, changes) = World { frame, step }.play(keys(60, &ARROWS), 30);
    assert!(right * 100 >= changes * 90, "{right} of {changes}");
}

/// A room with walls of colour 5, floor 0 and these cells in its middle row.
fn room(cells: &str) -> String {
    let (wall, floor) = ("5".repeat(cells.len() + 2), "0".repeat(cells.len()));
    format!("{wall}\n5{floor}5\n5{cells}5\n5{floor}5\n{wall}")
}

#[test]
fn a_crate_that_cannot_go_on_stops_who_pushes_it() {
    let pictures = ["3060000", "0360000", "0036000", "0003600", "0000360", "0000036"].map(room);
    let right = Action::Key(Key::Key4);
    let (rules, frames) = taught(pictures.each_ref().map(String::as_str), &[right; 5]);
    let expected = rules.predict(&rules.state(&frames[5]), right).next.map(|it| it.frame);
    assert_eq!(expected.as_ref(), Some(&frames[5]), "nobody ever saw a push against a wall");
}

#[test]
fn a_crate_that_was_left_behind_is_still_pushed_onto_something_new() {
    let pictures = ["3060700", "0360700", "0036700", "0306700", "0036700"].map(room);
    let (left, right) = (Action::Key(Key::Key3), Action::Key(Key::Key4));
    let (rules, frames) = taught(pictures.each_ref().map(String::as_str), &[right, right, left, right]);
    let expected = rules.predict(&rules.state(&frames[4]), right).next.map(|it| it.frame);
    assert_eq!(expected, Some(room("0003600").parse().unwrap()));
}

#[test]
fn pieces_alike_that_lie_side_by_side_do_not_change_places() {
    let pictures = ["3060000066", "0360000066", "0036000066", "0003600066", "0000360066"].map(room);
    let right = Action::Key(Key::Key4);
    let (rules, frames) = taught(pictures.each_ref().map(String::as_str), &[right; 4]);
    let pieces = rules.advances(&rules.state(&frames[4]), right);
    let [walker] = pieces.as_slice() else { panic!("only one goes by itself: {pieces:?}") };
    assert_eq!(walker.from, [env_client::Point::new(5, 2).unwrap()]);
}

#[test]
fn a_key_never_pressed_takes_each_twin_back_where_the_opposite_key_took_it() {
    let pictures = ["0300030", "0030300"].map(room);
    let (left, right) = (Action::Key(Key::Key3), Action::Key(Key::Key4));
    let (rules, frames) = taught(pictures.each_ref().map(String::as_str), &[right]);
    let expected = rules.predict(&rules.state(&frames[1]), left).next.map(|it| it.frame);
    assert_eq!(expected.as_ref(), Some(&frames[0]), "the right one is mirrored");
}

#[test]
fn dots_within_a_piece_go_along_though_each_takes_the_place_of_another() {
    let room = |rows: [&str; 3]| {
        format!("{0}\n{0}\n{1}\n{0}\n{0}", "1".repeat(14), rows.map(|row| format!("1{row:1<13}")).join("\n"))
    };
    let frames = [room(["22222", "28282", "22222"]), room(["1122222", "1128282", "1122222"])];
    let frames = frames.each_ref().map(String::as_str);
    let right = Action::Key(Key::Key4);
    let (rules, frames) = taught(frames, &[right]);
    let pieces = rules.advances(&rules.state(&frames[0]), right);
    assert_eq!(pieces.iter().map(|it| it.from.len()).collect::<Vec<_>>(), [15], "one piece, dots and all: {pieces:?}");
}
