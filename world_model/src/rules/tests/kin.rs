//! What is drawn like a known piece in other colours does what that one does, until it does not.

use env_client::{Action, Grid, Key};

use super::{Rules, put, taught};
use crate::{Outcome, Start, Transition, WorldModel};

const LEFT: Action = Action::Key(Key::Key3);
const RIGHT: Action = Action::Key(Key::Key4);
/// Side of a walker and of a crate, in cells.
const SIDE: usize = 3;
const WALKER: u8 = 3;

/// A corridor between walls of colour 5, with a walker, and crates of these colours with an eye of colour 8, each by
/// its column of tiles.
fn corridor(walker: usize, crates: &[(usize, u8)]) -> Grid {
    let (wall, floor) = ("5".repeat(26), format!("5{}5", "0".repeat(24)));
    let rows = [wall.as_str(), &floor, &floor, &floor, &floor, &floor, &wall];
    let mut frame: Grid = rows.join("\n").parse().unwrap();
    let mut fill = |column: usize, color: u8, eye: u8| {
        for cell in 0..SIDE * SIDE {
            let (x, y) = (cell % SIDE, cell / SIDE);
            put(&mut frame, 1 + SIDE * column + x, 2 + y, if (x, y) == (1, 1) { eye } else { color });
        }
    };
    fill(walker, WALKER, WALKER);
    for (column, color) in crates {
        fill(*column, *color, 8);
    }
    frame
}

/// Rules that saw a crate of colour 6 pushed, and then a level that begins like this.
fn met(level: &Grid) -> Rules {
    let pushes: [String; 5] = std::array::from_fn(|it| corridor(it, &[((it + 1).max(3), 6)]).to_string());
    let (mut rules, _) = taught(pushes.each_ref().map(String::as_str), &[RIGHT; 4]);
    rules.begin(level, Start::Level);
    rules
}

fn next(rules: &Rules, frame: &Grid) -> Option<Grid> {
    rules.predict(&rules.state(frame), RIGHT).next.map(|it| it.frame)
}

#[test]
fn a_crate_in_another_color_is_expected_to_be_pushed() {
    let level = corridor(1, &[(2, 7)]);
    let rules = met(&level);
    assert_eq!(next(&rules, &level), Some(corridor(2, &[(3, 7)])));
    assert_eq!(rules.kin(&rules.state(&level)).iter().map(Vec::len).collect::<Vec<_>>(), [SIDE * SIDE]);
}

#[test]
fn what_only_looks_like_a_crate_is_found_out_at_once() {
    let level = corridor(1, &[(2, 7)]);
    let mut rules = met(&level);
    let layers = [level.clone()];
    rules.observe(&Transition { before: &level, action: RIGHT, layers: &layers, outcome: Outcome::Continues });
    assert_eq!(rules.kin(&rules.state(&level)), Vec::<Vec<_>>::new());
    rules.begin(&level, Start::Again);
    assert_eq!(rules.kin(&rules.state(&level)), Vec::<Vec<_>>::new(), "nor is it believed again");
    assert_ne!(next(&rules, &level), Some(corridor(2, &[(3, 7)])));
}

#[test]
fn what_is_left_behind_once_while_all_else_is_as_foreseen_is_kin_still() {
    let steps = [(1, 4), (2, 4), (3, 4), (4, 5), (3, 4), (2, 3), (1, 2)];
    let steps = steps.map(|(walker, pulled)| corridor(walker, &[(pulled, 6)]).to_string());
    let keys = [RIGHT, RIGHT, RIGHT, LEFT, LEFT, LEFT];
    let (mut rules, _) = taught(steps.each_ref().map(String::as_str), &keys);
    let level = corridor(5, &[(6, 7)]);
    let layers = [corridor(4, &[(6, 7)])];
    rules.begin(&level, Start::Level);
    assert_eq!(rules.predict(&rules.state(&level), LEFT).next.map(|it| it.frame), Some(corridor(4, &[(5, 7)])));
    assert!(!rules.kin(&rules.state(&level)).is_empty());
    rules.observe(&Transition { before: &level, action: LEFT, layers: &layers, outcome: Outcome::Continues });
    rules.begin(&level, Start::Again);
    assert!(!rules.kin(&rules.state(&level)).is_empty(), "it may have been misunderstood what takes others along");
    for _ in 0..2 {
        rules.observe(&Transition { before: &level, action: LEFT, layers: &layers, outcome: Outcome::Continues });
        rules.begin(&level, Start::Again);
    }
    let expected = rules.predict(&rules.state(&level), LEFT).next.map(|it| it.frame);
    assert_eq!(expected.as_ref(), Some(&layers[0]), "though not for long");
}

#[test]
fn what_shares_no_color_with_a_crate_is_none_of_its_kin() {
    let mut level = corridor(1, &[(2, 7)]);
    put(&mut level, 8, 3, 9);
    let rules = met(&level);
    assert!(rules.kin(&rules.state(&level)).is_empty());
}

/// A corridor with a walker, crates of these plain colours and an L of each of these colours, as marks are.
fn plain(walker: usize, crates: &[(usize, u8)], marks: &[(usize, u8)]) -> Grid {
    let mut frame = corridor(walker, crates);
    for (column, color) in crates {
        put(&mut frame, 2 + SIDE * column, 3, *color);
    }
    for (column, color) in marks {
        for (x, y) in [(0, 0), (1, 0), (0, 1)] {
            put(&mut frame, 2 + SIDE * column + x, 2 + y, *color);
        }
    }
    frame
}

/// Rules that saw a plain crate of colour 6 pushed beside a mark of its colour, and then a level that begins like this.
fn met_plain(level: &Grid) -> Rules {
    let pushes: [String; 5] = std::array::from_fn(|it| plain(it, &[((it + 1).max(3), 6)], &[(7, 6)]).to_string());
    let (mut rules, _) = taught(pushes.each_ref().map(String::as_str), &[RIGHT; 4]);
    rules.begin(level, Start::Level);
    rules
}

#[test]
fn a_plain_crate_whose_mark_is_drawn_in_its_color_is_expected_to_be_pushed() {
    let level = plain(1, &[(2, 7)], &[(7, 7)]);
    assert_eq!(next(&met_plain(&level), &level), Some(plain(2, &[(3, 7)], &[(7, 7)])));
}

#[test]
fn a_plain_thing_without_a_mark_in_its_color_is_no_crate() {
    let level = plain(1, &[(2, 7)], &[(7, 6)]);
    let rules = met_plain(&level);
    assert!(rules.kin(&rules.state(&level)).is_empty());
}
