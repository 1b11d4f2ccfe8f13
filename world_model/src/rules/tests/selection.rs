//! Several pieces, of which keys move the one that is selected.

use env_client::{Action, Grid, Key, Point};

use super::{World, ahead, cells, color, keys, put};
use crate::{Outcome, Start, State, Transition, WorldModel, rules::Rules};

/// Side of a piece, in cells.
const SIDE: usize = 3;

/// A room with walls of colour 5 and pieces of these colours, a wall's width apart.
fn room(colors: &[u8]) -> Grid {
    let (width, height) = (8 * colors.len() + 2, 11);
    let mut frame = Grid::filled(width as u8, height, env_client::Color::of(0));
    for (x, y) in (0..width).flat_map(|x| (0..usize::from(height)).map(move |y| (x, y))) {
        if x == 0 || y == 0 || x + 1 == width || y + 1 == usize::from(height) {
            put(&mut frame, x, y, 5);
        }
    }
    for (index, color) in colors.iter().enumerate() {
        (0..SIDE * SIDE).for_each(|cell| put(&mut frame, 3 + 8 * index + cell % SIDE, 4 + cell / SIDE, *color));
    }
    frame
}

/// The corner of the piece of a colour.
fn corner(frame: &Grid, color: u8) -> (usize, usize) {
    let cells = cells(frame, color);
    (cells.iter().map(|it| it.0).min().unwrap(), cells.iter().map(|it| it.1).min().unwrap())
}

/// Moves a piece and all that is drawn on it by one cell where all it enters is floor.
fn go(frame: &Grid, (x, y): (usize, usize), action: Action) -> Grid {
    let to = ahead(action, (x, y), false);
    let own = |at: (usize, usize)| (x..x + SIDE).contains(&at.0) && (y..y + SIDE).contains(&at.1);
    let square = |(x, y): (usize, usize)| (0..SIDE * SIDE).map(move |cell| (x + cell % SIDE, y + cell / SIDE));
    if square(to).any(|at| !own(at) && color(frame, at.0, at.1) != 0) {
        return frame.clone();
    }
    let mut after = frame.clone();
    square((x, y)).for_each(|at| put(&mut after, at.0, at.1, 0));
    for (from, to) in square((x, y)).zip(square(to)) {
        put(&mut after, to.0, to.1, color(frame, from.0, from.1) as u8);
    }
    after
}

const SWITCH: Key = Key::Key5;
/// The dot in the middle of the piece that is selected.
const DOT: u8 = 8;

/// The pieces of a frame in the order in which a key selects them, and the selected one.
fn selected(frame: &Grid, colors: &[u8]) -> usize {
    let dot = cells(frame, DOT)[0];
    colors.iter().position(|color| corner(frame, *color) == (dot.0 - 1, dot.1 - 1)).unwrap()
}

/// Keys move the piece with the dot; where it is not, there is a hole. Another key selects the next piece.
fn switched(frame: &Grid, action: Action, colors: &[u8]) -> Grid {
    let now = selected(frame, colors);
    if action != Action::Key(SWITCH) {
        return go(frame, corner(frame, colors[now]), action);
    }
    let mut after = frame.clone();
    for (index, dot) in [(now, 0), ((now + 1) % colors.len(), DOT)] {
        let (x, y) = corner(frame, colors[index]);
        put(&mut after, x + 1, y + 1, dot);
    }
    after
}

/// Pieces of which the first one is selected, those that are not with a hole in the middle.
fn dotted(colors: &[u8]) -> Grid {
    let mut frame = room(colors);
    for (index, color) in colors.iter().enumerate() {
        let (x, y) = corner(&frame, *color);
        put(&mut frame, x + 1, y + 1, if index == 0 { DOT } else { 0 });
    }
    frame
}

#[test]
fn a_key_that_selects_the_other_piece_is_learned() {
    let colors = [3, 4];
    let step = move |frame: &Grid, action: Action| switched(frame, action, &colors);
    let choice = [Key::Key1, Key::Key2, Key::Key3, Key::Key4, SWITCH];
    let (right, changes) = World { frame: dotted(&colors), step }.play(keys(160, &choice), 80);
    assert!(right * 100 >= changes * 95, "{right} of {changes}");
}

#[test]
fn a_key_that_selects_one_piece_after_the_other_is_learned() {
    let colors = [3, 4, 6];
    let step = move |frame: &Grid, action: Action| switched(frame, action, &colors);
    let choice = [Key::Key1, Key::Key2, Key::Key3, Key::Key4, SWITCH];
    let (right, changes) = World { frame: dotted(&colors), step }.play(keys(240, &choice), 80);
    assert!(right * 100 >= changes * 95, "{right} of {changes}");
}

#[test]
fn a_key_pressed_before_anything_moved_does_not_make_pieces_of_the_marks() {
    let colors = [3, 4];
    let step = move |frame: &Grid, action: Action| switched(frame, action, &colors);
    let first = [SWITCH; 3].map(Action::Key);
    let choice = [Key::Key1, Key::Key2, Key::Key3, Key::Key4, SWITCH];
    let actions = first.into_iter().chain(keys(160, &choice));
    let (right, changes) = World { frame: dotted(&colors), step }.play(actions, 80);
    assert!(right * 100 >= changes * 95, "{right} of {changes}");
}

/// A play of clicks on pieces in turn, each followed by some arrows: how many of the last `scored` changes were foreseen.
/// `draw` shows the pieces at their corners, of which one may be selected.
/// Returns the rules and the last frame, too.
fn clicked(draw: impl Fn(&[(usize, usize)], Option<usize>) -> Grid, scored: usize) -> ((usize, usize), Rules, Grid) {
    let mut corners: Vec<(usize, usize)> = (0..3).map(|index| (3 + 8 * index, 4)).collect();
    let (mut picked, mut rules, mut results) = (None, Rules::new(), Vec::new());
    rules.begin(&draw(&corners, picked), Start::Level);
    for (turn, key) in keys(240, &[Key::Key1, Key::Key2, Key::Key3, Key::Key4]).into_iter().enumerate() {
        let before = draw(&corners, picked);
        let chosen = turn / 6 % corners.len();
        let action = if turn % 6 == 0 {
            picked = Some(chosen);
            Action::Click(Point::new(corners[chosen].0 as u8 + 1, corners[chosen].1 as u8 + 1).unwrap())
        } else {
            let to = ahead(key, corners[chosen], false);
            let apart = |other: &(usize, usize)| other.0.abs_diff(to.0).max(other.1.abs_diff(to.1)) > SIDE + 1;
            let others = corners.iter().enumerate().filter(|(index, _)| *index != chosen);
            if (2..24).contains(&to.0) && (2..7).contains(&to.1) && others.into_iter().all(|(_, other)| apart(other)) {
                corners[chosen] = to;
            }
            key
        };
        let after = draw(&corners, picked);
        let expected = rules.predict(&State::seen(before.clone()), action).next;
        results.extend((before != after).then(|| expected.is_some_and(|it| it.frame == after)));
        let (layers, outcome) = ([after], Outcome::Continues);
        rules.observe(&Transition { before: &before, action, layers: &layers, outcome });
    }
    let late = &results[results.len() - scored..];
    let right = late.iter().filter(|right| **right).count();
    ((right, late.len()), rules, draw(&corners, picked))
}

fn square(frame: &mut Grid, (x, y): (usize, usize), side: usize, color: u8) {
    (0..side * side).for_each(|cell| put(frame, x + cell % side, y + cell / side, color));
}

#[test]
fn a_click_that_selects_a_piece_by_painting_it_is_learned() {
    let draw = |corners: &[(usize, usize)], picked: Option<usize>| {
        let mut frame = room(&[0; 3]);
        let color = |index| if picked == Some(index) { DOT } else { 3 };
        corners.iter().enumerate().for_each(|(index, at)| square(&mut frame, *at, SIDE, color(index)));
        frame
    };
    let ((right, changes), rules, last) = clicked(draw, 80);
    assert!(right * 100 >= 95 * changes, "{right} of {changes}");
    let choices = rules.choices(&State::seen(last.clone()));
    let clicks: Vec<usize> = choices.iter().map(|it| last[it.point().unwrap()].index()).collect();
    assert_eq!(clicks, [3, 3], "the two pieces that are not selected can be chosen");
}

#[test]
fn a_click_that_selects_a_piece_by_a_frame_around_it_is_learned() {
    let draw = |corners: &[(usize, usize)], picked: Option<usize>| {
        let mut frame = room(&[0; 3]);
        if let Some((x, y)) = picked.map(|index| corners[index]) {
            square(&mut frame, (x - 1, y - 1), SIDE + 2, DOT);
        }
        corners.iter().zip([3, 4, 6]).for_each(|(at, color)| square(&mut frame, *at, SIDE, color));
        frame
    };
    let ((right, changes), ..) = clicked(draw, 80);
    assert!(right * 100 >= 95 * changes, "{right} of {changes}");
}

/// Two carts with wheels, of which the driven one has lamps, go by steps of their size; each has a bay of its colour.
#[derive(Clone, Debug)]
struct Depot {
    carts: [(usize, usize); 2],
    driven: usize,
}

impl Depot {
    const SPRITE: [&str; 5] = ["55.55", "#####", "#LLL#", "#####", "55.55"];
    const BAY: [&str; 5] = ["#...#", "#...#", "#...#", "#...#", "#####"];

    fn stamp(frame: &mut Grid, picture: [&str; 5], (column, row): (usize, usize), body: u8, lamps: u8) {
        for (y, line) in picture.iter().enumerate() {
            for (x, glyph) in line.bytes().enumerate().filter(|it| it.1 != b'.') {
                let color = match glyph {
                    b'#' => body,
                    b'L' => lamps,
                    _ => 5,
                };
                put(frame, 17 + 5 * column + x, 24 + 5 * row + y, color);
            }
        }
    }

    fn draw(&self) -> Grid {
        let mut frame = Grid::filled(64, 64, env_client::Color::of(4));
        for (x, y) in (17..47).flat_map(|x| (24..39).map(move |y| (x, y))) {
            put(&mut frame, x, y, 2);
        }
        Depot::stamp(&mut frame, Depot::BAY, (2, 0), 9, 9);
        Depot::stamp(&mut frame, Depot::BAY, (3, 2), 14, 14);
        for (index, body) in [9, 14].into_iter().enumerate() {
            let lamps = if index == self.driven { 11 } else { body };
            Depot::stamp(&mut frame, Depot::SPRITE, self.carts[index], body, lamps);
        }
        frame
    }

    fn act(&mut self, action: Action) {
        let at = self.carts[self.driven];
        let to = match action {
            Action::Click(point) => {
                let cell = (usize::from(point.x()).wrapping_sub(17) / 5, usize::from(point.y()).wrapping_sub(24) / 5);
                self.driven = self.carts.iter().position(|it| *it == cell).unwrap_or(self.driven);
                return;
            }
            key @ Action::Key(_) => ahead(key, at, false),
        };
        if to.0 < 6 && to.1 < 3 && !self.carts.contains(&to) {
            self.carts[self.driven] = to;
        }
    }
}

fn deeds(text: &str) -> Vec<Action> {
    let deed = |word: &str| match word.split_once(',') {
        Some((x, y)) => Action::Click(Point::new(x.parse::<u8>().unwrap(), y.parse::<u8>().unwrap()).unwrap()),
        None => Action::Key([Key::Key1, Key::Key2, Key::Key3, Key::Key4][word.parse::<usize>().unwrap() - 1]),
    };
    text.split_whitespace().map(deed).collect()
}

/// What is learned from these deeds, which are done.
fn seen(depot: &mut Depot, play: &str) -> Rules {
    let mut rules = Rules::new();
    rules.begin(&depot.draw(), Start::Level);
    for action in deeds(play) {
        let before = depot.draw();
        depot.act(action);
        let layers = [depot.draw()];
        rules.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
    }
    rules
}

#[test]
fn what_is_pressed_while_a_piece_is_asleep_was_not_tried_on_it() {
    let mut depot = Depot { carts: [(0, 1), (4, 1)], driven: 0 };
    let play = "4 4 1 4 4 2 4 2 3 2 3 3 37,29 4 32,38 4 2 4 1 42,33 4 2 3 39,31 39,30 44,36 3 1 37,33 39,36 3 1 4 3 4 3 1 \
                3 2 2 4 39,31 29,36 39,31 4";
    let rules = seen(&mut depot, play);
    for key in [Key::Key1, Key::Key2, Key::Key3, Key::Key4].map(Action::Key) {
        let mut after = depot.clone();
        after.act(key);
        let said = rules.predict(&State::seen(depot.draw()), key).next.map(|it| it.frame);
        assert_eq!(said, Some(after.draw()), "{key}: the second cart never went up or down, yet was seldom awake");
    }
}

#[test]
fn what_touched_another_when_it_first_went_is_more_than_was_seen_of_it() {
    let mut depot = Depot { carts: [(0, 1), (4, 1)], driven: 0 };
    let rules = seen(&mut depot, "4 2 1 3 4 2 4 4 4 39,31 1 3 2 3 4 1 2 3 4 1 2");
    for key in [Key::Key1, Key::Key3].map(Action::Key) {
        let mut after = depot.clone();
        after.act(key);
        let said = rules.predict(&State::seen(depot.draw()), key).next.map(|it| it.frame);
        assert_eq!(said, Some(after.draw()), "{key}: the wheels that touched those of the other cart go along");
    }
    let pieces = rules.movers.instances(&depot.draw()).len();
    assert_eq!(pieces, 2, "the wheels that touched those of the other cart are a part of it");
}

#[test]
fn what_looks_like_a_part_of_a_piece_that_is_whole_elsewhere_does_not_break_it_up() {
    let mut depot = Depot { carts: [(0, 1), (4, 1)], driven: 0 };
    let mut rules = seen(&mut depot, "4 2 1 3 4 2 4 4");
    let with_stray = |x: usize| {
        let mut frame = depot.draw();
        (0..2).for_each(|part| put(&mut frame, x + part, 26, 5));
        frame
    };
    let (before, after) = (with_stray(37), [with_stray(42)]);
    let action = Action::Key(Key::Key2);
    rules.observe(&Transition { before: &before, action, layers: &after, outcome: Outcome::Continues });
    let pieces = |frame: &Grid| rules.movers.instances(frame).len();
    assert_eq!(
        (pieces(&depot.draw()), pieces(&after[0])),
        (5, 6),
        "the cart, the wheels of the other, and what looks like them"
    );
}

/// Pieces on a floor, of which the selected one has a rim of another colour, and a hollow slot of its colour beside each.
#[derive(Clone)]
struct Rimmed {
    corners: [(usize, usize); 3],
    chosen: usize,
}

impl Rimmed {
    const SIDE: usize = 4;
    const COLORS: [u8; 3] = [3, 4, 6];

    fn draw(&self) -> Grid {
        let mut frame = Grid::filled(28, 20, env_client::Color::of(5));
        (4..24).flat_map(|x| (4..16).map(move |y| (x, y))).for_each(|(x, y)| put(&mut frame, x, y, 0));
        for (at, color) in [(12, 4), (8, 12), (20, 8)].into_iter().zip(Rimmed::COLORS) {
            square(&mut frame, at, Rimmed::SIDE, color);
            square(&mut frame, (at.0 + 1, at.1 + 1), 2, 0);
        }
        for (index, (at, color)) in self.corners.iter().zip(Rimmed::COLORS).enumerate() {
            square(&mut frame, *at, Rimmed::SIDE, if index == self.chosen { DOT } else { color });
            square(&mut frame, (at.0 + 1, at.1 + 1), 2, color);
        }
        frame
    }

    fn act(&mut self, action: Action) {
        if action == Action::Key(SWITCH) {
            self.chosen = (self.chosen + 1) % self.corners.len();
            return;
        }
        let (x, y) = self.corners[self.chosen];
        let (dx, dy) = ahead(action, (1, 1), false);
        let to = (x + 4 * dx - 4, y + 4 * dy - 4);
        if (4..24).contains(&to.0) && (4..16).contains(&to.1) && !self.corners.contains(&to) {
            self.corners[self.chosen] = to;
        }
    }
}

#[test]
fn a_rim_that_goes_from_piece_to_piece_selects_and_is_no_piece() {
    let mut world = Rimmed { corners: [(4, 4), (12, 8), (16, 12)], chosen: 0 };
    let choice = [Key::Key1, Key::Key2, Key::Key3, Key::Key4, SWITCH];
    let first = [Key::Key4, SWITCH, Key::Key4].map(Action::Key);
    let (mut rules, mut results) = (Rules::new(), Vec::new());
    rules.begin(&world.draw(), Start::Level);
    for action in first.into_iter().chain(keys(157, &choice)) {
        let before = world.draw();
        world.act(action);
        let after = world.draw();
        let expected = rules.predict(&State::seen(before.clone()), action).next.map(|it| it.frame);
        results.extend((before != after).then(|| expected.as_ref() == Some(&after)));
        let layers = [after];
        rules.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
    }
    let late = &results[80..];
    let right = late.iter().filter(|it| **it).count();
    assert!(right * 100 >= late.len() * 80, "{right} of {}", late.len());
}
