//! Keys in another order than the usual one.

use env_client::{Action, Grid, Key};

use super::{room, taught};
use crate::{WorldModel, rules::Rules};

const KEYS: [Key; 5] = [Key::Key1, Key::Key2, Key::Key3, Key::Key4, Key::Key5];

/// A room of three rows with the piece in one of them.
fn place(x: usize, y: usize) -> String {
    let empty = room("00000");
    let mut rows: Vec<String> = empty.lines().map(str::to_owned).collect();
    rows[1 + y].replace_range(1 + x..2 + x, "3");
    rows.join("\n")
}

fn foreseen(rules: &Rules, frame: &Grid, action: Action) -> Option<Grid> {
    rules.predict(&rules.state(frame), action).next.map(|it| it.frame)
}

/// What is known after a piece that the third key takes right was stopped by a wall above, where the second one takes it.
fn stopped_above() -> (Rules, [Grid; 4]) {
    let [_, up, right, ..] = KEYS.map(Action::Key);
    let places = [(0, 0), (1, 0), (2, 0), (2, 0)].map(|(x, y)| place(x, y));
    taught(places.each_ref().map(String::as_str), &[right, right, up])
}

#[test]
fn where_one_key_goes_elsewhere_no_other_is_guessed_to_be_as_usual() {
    let [down, up, right, left, _] = KEYS.map(Action::Key);
    let (rules, frames) = stopped_above();
    assert_eq!(foreseen(&rules, &frames[3], down), None, "up is no better a guess than down");
    assert_eq!(foreseen(&rules, &frames[3], up), None);
    assert_eq!(foreseen(&rules, &frames[3], left).as_ref(), Some(&frames[1]), "back");
    assert_eq!(foreseen(&rules, &frames[0], right).as_ref(), Some(&frames[1]));
}

#[test]
fn what_stops_a_piece_on_a_way_that_nobody_knows_is_no_wall_elsewhere() {
    let [down, up, right, ..] = KEYS.map(Action::Key);
    let places = [(0, 0), (1, 0), (2, 0), (2, 0), (2, 1)].map(|(x, y)| place(x, y));
    let (rules, frames) = taught(places.each_ref().map(String::as_str), &[right, right, up, down]);
    let next: Grid = place(2, 2).parse().unwrap();
    assert_eq!(foreseen(&rules, &frames[4], down), Some(next));
    assert_eq!(foreseen(&rules, &frames[4], up).as_ref(), Some(&frames[3]), "back");
}

#[test]
fn the_fifth_key_is_an_arrow_where_it_goes_one() {
    let [up, act, right, left, down] = KEYS.map(Action::Key);
    let places = [(0, 2), (1, 2), (1, 1), (0, 1), (0, 2), (0, 2)].map(|(x, y)| place(x, y));
    let (rules, frames) = taught(places.each_ref().map(String::as_str), &[right, up, left, down, act]);
    assert_eq!(KEYS.map(Action::Key).map(|key| rules.is_arrow(key)), [true, false, true, true, true]);
    assert_eq!(foreseen(&rules, &frames[2], down).as_ref(), Some(&frames[1]));
}

/// A hall of ten columns with the piece in one of them, in the second of three rows, and a lamp in this colour.
fn lit(x: usize, lamp: usize) -> String {
    let mut rows = ["0".repeat(12), "0".repeat(12), "0".repeat(12), "0".repeat(12), "0".repeat(12)];
    rows[1].replace_range(1 + x..2 + x, "3");
    rows[4].replace_range(11..12, ["6", "7"][lamp % 2]);
    rows.join("\n")
}

#[test]
fn a_press_that_moved_a_piece_once_and_else_does_something_else_is_no_step() {
    let [.., right, act] = KEYS.map(Action::Key);
    // Steps to the right, and presses that light the lamp or put it out, but for one that moves the piece.
    let places = [0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 7, 8, 8, 8, 8, 8];
    let lit_so_far = |at: usize| (1..=at).filter(|it| places[*it] == places[it - 1]).count();
    let keys = [right, right, act, right, act, right, act, right, act, act, right, act, act, act, act];
    let places: [(usize, usize); 16] = std::array::from_fn(|at| (places[at], lit_so_far(at)));
    let pictures = places.map(|(x, lamp)| lit(x, lamp));
    let (rules, _) = taught(pictures.each_ref().map(String::as_str), &keys);
    let frame: Grid = lit(2, 4).parse().unwrap();
    let by: Vec<_> = rules.advances(&rules.state(&frame), act).iter().map(|it| it.by).collect();
    assert_eq!(by, [(0, 0)]);
    assert_eq!(rules.advances(&rules.state(&frame), right)[0].by, (1, 0));
}
