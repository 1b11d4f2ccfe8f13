//! A piece that takes hold of what lies before it, and figures that consist of parts that do not touch.

use env_client::{Action, Grid, Key};

use super::{World, ahead, cells, color, keys, put, room, taught};
use crate::{Outcome, Start, Transition, WorldModel};

/// Side of the crab and of the block, in cells, and of the room, in sides.
const SIDE: usize = 3;
const ROOM: usize = 4;
/// The crab and its eye, which is on the side where it looks, open or holding; and the block.
const CRAB: u8 = 3;
const OPEN: u8 = 4;
const HOLDING: u8 = 6;
const BLOCK: u8 = 7;
const KEYS: [Key; 5] = [Key::Key1, Key::Key2, Key::Key3, Key::Key4, Key::Key5];

/// Where crab and block are, in sides, where the crab looks, and whether it holds.
#[derive(Clone, Copy)]
struct Shore {
    crab: (usize, usize),
    block: (usize, usize),
    facing: Action,
    holding: bool,
    /// Whether it swings what it holds around it.
    swings: bool,
}

impl Shore {
    /// What comes of these actions, one after the other.
    fn play(self, actions: &[Action]) -> Vec<Shore> {
        let mut shores = vec![self];
        for action in actions {
            shores.push(shores[shores.len() - 1].after(*action));
        }
        shores
    }

    fn read(frame: &Grid) -> Shore {
        let corner = |color: u8| {
            let cells = cells(frame, color);
            let first = |axis: fn(&(usize, usize)) -> usize| cells.iter().map(axis).min().unwrap() / SIDE;
            (first(|it| it.0), first(|it| it.1))
        };
        let (crab, block, holding) = (corner(CRAB), corner(BLOCK), !cells(frame, HOLDING).is_empty());
        let eye = cells(frame, if holding { HOLDING } else { OPEN })[0];
        let looks = |key: &&Key| ahead(Action::Key(**key), (SIDE * crab.0 + 1, SIDE * crab.1 + 1), false) == eye;
        Shore { crab, block, facing: Action::Key(*KEYS.iter().find(looks).unwrap()), holding, swings: true }
    }

    fn draw(self) -> Grid {
        let side = (SIDE * (ROOM + 2)) as u8;
        let mut frame = Grid::filled(side, side, env_client::Color::of(5));
        let mut fill = |(x, y): (usize, usize), color: u8| {
            (0..SIDE * SIDE).for_each(|it| put(&mut frame, SIDE * x + it % SIDE, SIDE * y + it / SIDE, color));
        };
        (0..ROOM * ROOM).for_each(|it| fill((1 + it % ROOM, 1 + it / ROOM), 0));
        fill(self.block, BLOCK);
        fill(self.crab, CRAB);
        let eye = ahead(self.facing, (SIDE * self.crab.0 + 1, SIDE * self.crab.1 + 1), false);
        put(&mut frame, eye.0, eye.1, if self.holding { HOLDING } else { OPEN });
        frame
    }

    fn is_room((x, y): (usize, usize)) -> bool {
        (1..=ROOM).contains(&x) && (1..=ROOM).contains(&y)
    }

    /// Pushes and pulls what it holds, or swings it around.
    fn after(mut self, action: Action) -> Shore {
        let (before, to) = (ahead(self.facing, self.crab, false), ahead(action, self.crab, false));
        if action == Action::Key(Key::Key5) {
            self.holding = !self.holding && before == self.block;
        } else if !self.holding {
            self.facing = action;
            self.crab = if Shore::is_room(to) && to != self.block { to } else { self.crab };
        } else if to == self.block || ahead(action, self.block, false) == self.crab {
            let block = ahead(action, self.block, false);
            if Shore::is_room(to) && Shore::is_room(block) {
                (self.crab, self.block) = (to, block);
            }
        } else if self.swings && Shore::is_room(to) {
            (self.block, self.facing) = (to, action);
        }
        self
    }
}

#[test]
fn what_a_piece_holds_goes_along_or_around_it() {
    let start = Shore { crab: (2, 2), block: (3, 2), facing: Action::Key(Key::Key4), holding: false, swings: true };
    let step = |frame: &Grid, action: Action| Shore::read(frame).after(action).draw();
    let (right, changes) = World { frame: start.draw(), step }.play(keys(240, &KEYS), 60);
    assert!(right * 100 >= changes * 95, "{right} of {changes}");
}

/// Whether it is foreseen what the last of these actions does, after all the others were seen.
fn is_foreseen<const ACTIONS: usize, const FRAMES: usize>(start: Shore, actions: [Action; ACTIONS]) -> bool {
    let shores = start.play(&actions);
    let frames: Vec<String> = shores.iter().map(|it| it.draw().to_string()).collect();
    let frames: [&str; FRAMES] = std::array::from_fn(|index| frames[index].as_str());
    let (rules, grids) = taught(frames, &actions[..ACTIONS - 1]);
    let expected = rules.predict(&rules.state(&grids[FRAMES - 1]), actions[ACTIONS - 1]).next.map(|it| it.frame);
    expected == Some(shores[ACTIONS].draw())
}

#[test]
fn what_takes_hold_to_one_side_is_expected_to_do_so_to_the_others() {
    let [up, down, _, right, grip] = KEYS.map(Action::Key);
    let start = Shore { crab: (2, 2), block: (4, 2), facing: down, holding: false, swings: true };
    assert!(is_foreseen::<8, 8>(start, [right, grip, grip, down, right, right, up, grip]), "below the block");
}

#[test]
fn what_holds_a_block_to_one_side_goes_as_little_across_it_as_to_the_others() {
    let [up, down, left, right, grip] = KEYS.map(Action::Key);
    let start = Shore { crab: (1, 2), block: (3, 2), facing: down, holding: false, swings: false };
    let beside = [left, right, right, grip, up, down, right, up, down, left, up, down, grip, down, right, up, grip];
    let actions: [Action; 18] = std::array::from_fn(|index| beside.get(index).copied().unwrap_or(right));
    let shores = start.play(&actions);
    assert!(shores[17].holding && shores[17].facing == up);
    assert!(is_foreseen::<18, 18>(start, actions), "below the block");
}

#[test]
fn what_cannot_swing_a_block_around_does_not_turn() {
    let [up, down, left, right, grip] = KEYS.map(Action::Key);
    let start = Shore { crab: (2, 2), block: (4, 2), facing: down, holding: false, swings: true };
    let actions = [left, right, right, grip, up, right, left, down, right, left, up, left];
    let shores = start.play(&actions);
    assert_eq!(shores[11].draw(), shores[12].draw(), "a wall is beside it");
    assert!(is_foreseen::<12, 12>(start, actions));
}

#[test]
fn what_is_pulled_in_one_color_is_pulled_in_any() {
    let row = |row: &str| format!("0000000000\n{row}\n0000000000");
    let right = ["0800300700", "0800030700", "0800003700", "0800000370"];
    let left = ["0800003700", "0800037000", "0800370000", "0803700000", "0837000000", "8370000000"];
    let rows: [String; 10] = std::array::from_fn(|index| row(right.get(index).unwrap_or_else(|| &left[index - 4])));
    let keys: [Action; 9] = std::array::from_fn(|index| Action::Key(if index < 3 { Key::Key4 } else { Key::Key3 }));
    let (rules, frames) = taught(rows.each_ref().map(String::as_str), &keys);
    let expected = rules.predict(&rules.state(&frames[9]), Action::Key(Key::Key4)).next.map(|it| it.frame);
    assert_eq!(expected.as_ref(), Some(&frames[8]), "8 was pushed, but never pulled");
}

/// A figure so far from the left, on a floor of 0.
fn floor(figure: &[&str], left: usize) -> String {
    let row = |row: &str| format!("{}{row}{}", "0".repeat(left), "0".repeat(20 - left - row.len()));
    let rows: Vec<String> = ["", ""].iter().chain(figure).chain(&["", ""]).map(|it| row(it)).collect();
    rows.join("\n")
}

/// How many cells each piece has that is known after a figure was seen at these places, and whether it is expected at the
/// last one.
fn seen(figure: &[&str], places: [usize; 4], key: Key) -> (Vec<usize>, bool) {
    let pictures = places.map(|left| floor(figure, left));
    let (rules, frames) = taught(pictures.each_ref().map(String::as_str), &[Action::Key(key); 2]);
    let state = rules.state(&frames[2]);
    let pieces = rules.advances(&state, Action::Key(key));
    let next = rules.predict(&state, Action::Key(key)).next.map(|it| it.frame);
    (pieces.iter().map(|it| it.from.len()).collect(), next.as_ref() == Some(&frames[3]))
}

#[test]
fn feet_that_do_not_touch_the_body_go_with_it() {
    assert_eq!(seen(&["66666", "00600", "06060"], [12, 9, 6, 3], Key::Key3), (vec![8], true));
}

#[test]
fn feet_as_far_apart_as_the_figure_goes_take_one_anothers_places() {
    assert_eq!(seen(&["0660", "6006"], [1, 4, 7, 10], Key::Key4), (vec![4], true));
}

#[test]
fn ground_that_a_piece_cuts_off_does_not_go_along() {
    let pictures = ["0300000", "0030000", "0003000"].map(room);
    let right = Action::Key(Key::Key4);
    let (rules, frames) = taught(pictures.each_ref().map(String::as_str), &[right; 2]);
    let pieces = rules.advances(&rules.state(&frames[2]), right);
    assert_eq!(pieces.iter().map(|it| it.from.len()).collect::<Vec<_>>(), [1]);
    assert_eq!(color(&frames[2], 4, 2), 3);
}

/// A shore whose block has a stud of another colour in the middle.
fn studded(shore: Shore) -> Grid {
    let mut frame = shore.draw();
    put(&mut frame, SIDE * shore.block.0 + 1, SIDE * shore.block.1 + 1, 9);
    frame
}

#[test]
fn what_moved_a_block_moves_one_that_looks_different_but_for_its_outline() {
    let [up, down, left, right, _] = KEYS.map(Action::Key);
    let plain = Shore { crab: (1, 2), block: (3, 2), facing: up, holding: false, swings: false };
    let deeds: [Action; 120] = keys(120, &KEYS).try_into().unwrap();
    let shores = plain.play(&deeds);
    let frames: [String; 121] = std::array::from_fn(|index| shores[index].draw().to_string());
    let (mut rules, _) = taught(frames.each_ref().map(String::as_str), &deeds);
    let new = Shore { crab: (1, 2), block: (2, 2), facing: right, holding: true, swings: false };
    let pushed = new.after(right);
    rules.begin(&studded(new), Start::Level);
    let (before, layers) = (studded(new), [studded(pushed)]);
    rules.observe(&Transition { before: &before, action: right, layers: &layers, outcome: Outcome::Continues });
    let foreseen = |shore: Shore, action: Action| {
        let frame = studded(shore);
        rules.predict(&rules.state(&frame), action).next.map(|it| it.frame) == Some(studded(shore.after(action)))
    };
    for (crab, facing) in [((2, 2), right), ((4, 2), left), ((3, 3), up), ((3, 1), down)] {
        let beside = Shore { crab, block: (3, 2), facing, holding: false, swings: false };
        assert!(foreseen(beside, facing), "nothing is pushed that is not held");
    }
    assert!(foreseen(pushed, left), "what is held is pulled");
}

/// A room of tiles of six cells between walls, a block in one colour and its mark in the same, and a crab of claws and legs
/// of one colour that is seen from above.
fn beach((x, y): (usize, usize), facing: usize) -> Grid {
    const CRAB: [&str; 5] = ["b...b", "b...b", ".bbb.", ".bbb.", "b.b.b"];
    const TILE: usize = 6;
    let mut frame = Grid::filled(60, 60, env_client::Color::of(13));
    let mut fill = |(x, y): (usize, usize), width: usize, height: usize, color: u8| {
        (0..width * height).for_each(|it| put(&mut frame, x + it % width, y + it / width, color));
    };
    fill((TILE * 2, TILE * 2), TILE * 5, TILE * 3, 3);
    fill((TILE * 4, TILE), 5, 5, 11);
    fill((TILE * 4, TILE * 3), 5, 5, 8);
    for (row, column) in (0..5).flat_map(|row| (0..5).map(move |column| (row, column))) {
        let (column_before, row_before) = (0..facing).fold((column, row), |(x, y), _| (y, 4 - x));
        if CRAB[row_before].as_bytes()[column_before] == b'b' {
            put(&mut frame, TILE * (2 + x) + column, TILE * (2 + y) + row, 2);
        }
    }
    frame
}

#[test]
fn what_turns_as_it_goes_is_one_piece_and_not_its_claws() {
    let [up, down, left, right, _] = KEYS.map(Action::Key);
    let places = [((0, 1), 1), ((0, 1), 3), ((0, 2), 2), ((1, 2), 1), ((1, 1), 0), ((0, 1), 3)];
    let frames = places.map(|(at, facing)| beach(at, facing).to_string());
    let (rules, grids) = taught(frames.each_ref().map(String::as_str), &[left, down, right, up, left]);
    let advances = rules.advances(&rules.state(&grids[5]), right);
    assert_eq!(advances.iter().map(|it| it.from.len()).collect::<Vec<_>>(), [13]);
}
