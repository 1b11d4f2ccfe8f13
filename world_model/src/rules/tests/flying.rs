//! A ball that goes on by itself when it is pushed, until something stops it.

use env_client::{Action, Grid, Key};

use super::{Rules, ahead, cells, color, put};
use crate::{Outcome, Start, Transition, WorldModel};

const UP: Action = Action::Key(Key::Key1);
const DOWN: Action = Action::Key(Key::Key2);
const LEFT: Action = Action::Key(Key::Key3);
const RIGHT: Action = Action::Key(Key::Key4);

/// A yard of nine cells by five within walls of colour 5, a pillar in it, with a piece and a ball.
fn yard(piece: (usize, usize), ball: (usize, usize)) -> Grid {
    let (wall, floor, pillar) = ("5".repeat(11), "50000000005", "50000050005");
    let mut frame: Grid = [&wall, floor, floor, floor, floor, pillar, &wall].join("\n").parse().unwrap();
    put(&mut frame, piece.0, piece.1, 3);
    put(&mut frame, ball.0, ball.1, 4);
    frame
}

/// What a step leads to: the piece takes the place of the ball that it kicks, or stays.
fn kicked(frame: &Grid, action: Action, follows: bool) -> Grid {
    let mut after = frame.clone();
    let at = cells(frame, 3)[0];
    let to = ahead(action, at, false);
    let mut ball = to;
    while color(frame, to.0, to.1) == 4 && color(frame, ahead(action, ball, false).0, ahead(action, ball, false).1) == 0
    {
        ball = ahead(action, ball, false);
    }
    if ball != to {
        put(&mut after, to.0, to.1, 0);
        put(&mut after, ball.0, ball.1, 4);
    }
    if color(frame, to.0, to.1) == 0 || (follows && ball != to) {
        put(&mut after, at.0, at.1, 0);
        put(&mut after, to.0, to.1, 3);
    }
    after
}

/// How many steps from yards to learn in, and then from others, are foreseen.
fn foreseen(lessons: &[(Grid, Action)], others: &[(Grid, Action)], follows: bool) -> usize {
    let mut rules = Rules::new();
    let mut play = |(before, action): &(Grid, Action)| {
        rules.begin(before, Start::Again);
        let after = kicked(before, *action, follows);
        let expected = rules.predict(&rules.state(before), *action).next.map(|it| it.frame);
        let layers = [after.clone()];
        rules.observe(&Transition { before, action: *action, layers: &layers, outcome: Outcome::Continues });
        expected == Some(after)
    };
    for lesson in lessons {
        play(lesson);
    }
    others.iter().filter(|it| play(it)).count()
}

#[test]
fn what_is_pushed_and_goes_on_by_itself_does_so_as_far_as_it_can() {
    let walks = [(RIGHT, (2, 2)), (DOWN, (3, 2)), (LEFT, (3, 3)), (UP, (2, 3))];
    let mut lessons: Vec<(Grid, Action)> = walks.map(|(action, at)| (yard(at, (8, 4)), action)).to_vec();
    lessons.extend([(yard((2, 2), (3, 2)), RIGHT), (yard((5, 3), (4, 3)), LEFT), (yard((3, 5), (4, 5)), RIGHT)]);
    let others = [
        (yard((5, 3), (6, 3)), RIGHT),
        (yard((2, 5), (3, 5)), RIGHT),
        (yard((8, 2), (7, 2)), LEFT),
        (yard((4, 1), (4, 2)), DOWN),
        (yard((6, 2), (6, 3)), DOWN),
        (yard((8, 3), (9, 3)), RIGHT),
    ];
    for follows in [true, false] {
        assert_eq!(foreseen(&lessons, &others, follows), others.len(), "who kicks goes along: {follows}");
    }
}

#[test]
fn what_flies_is_told_to_go_for_all_its_way() {
    let mut rules = Rules::new();
    let walks = [(RIGHT, (2, 2)), (DOWN, (3, 2)), (LEFT, (3, 3)), (UP, (2, 3))];
    let walks = walks.map(|(action, at)| (yard(at, (8, 4)), action));
    let kicks = [(yard((2, 2), (3, 2)), RIGHT), (yard((5, 3), (4, 3)), LEFT), (yard((3, 5), (4, 5)), RIGHT)];
    for (before, action) in walks.iter().chain(&kicks) {
        rules.begin(before, Start::Again);
        let layers = [kicked(before, *action, true)];
        rules.observe(&Transition { before, action: *action, layers: &layers, outcome: Outcome::Continues });
    }
    let driven = |frame: Grid, action| rules.foresee(&rules.state(&frame), action).driven;
    let kick = driven(yard((5, 3), (6, 3)), RIGHT);
    assert_eq!(kick.iter().map(|it| it.onto.len()).collect::<Vec<_>>(), [3], "as far as the wall");
    assert!(driven(yard((4, 3), (6, 3)), RIGHT).is_empty(), "nobody touches the ball");
}

/// The same where the piece stays that kicks, and tiles of colour 6 turn a ball as a mirror does that leans to the right.
fn turned(frame: &Grid, action: Action) -> Grid {
    let mut after = frame.clone();
    let at = cells(frame, 3)[0];
    let to = ahead(action, at, false);
    let mut by = (to.0 as isize - at.0 as isize, to.1 as isize - at.1 as isize);
    if color(frame, to.0, to.1) == 0 {
        put(&mut after, at.0, at.1, 0);
        put(&mut after, to.0, to.1, 3);
    } else if color(frame, to.0, to.1) == 4 {
        let mut ball = to;
        loop {
            let next = (ball.0.wrapping_add_signed(by.0), ball.1.wrapping_add_signed(by.1));
            match color(frame, next.0, next.1) {
                6 => by = (-by.1, -by.0),
                0 => {}
                _ => break,
            }
            ball = next;
        }
        put(&mut after, to.0, to.1, 0);
        put(&mut after, ball.0, ball.1, 4);
    }
    after
}

#[test]
fn what_flies_around_a_corner_one_way_does_so_from_all_sides() {
    let mirror = |piece, ball| {
        let mut frame = yard(piece, ball);
        put(&mut frame, 7, 3, 6);
        frame
    };
    let walks = [(RIGHT, (2, 2)), (DOWN, (3, 2)), (LEFT, (3, 3)), (UP, (2, 3))];
    let mut lessons: Vec<(Grid, Action)> = walks.map(|(action, at)| (mirror(at, (8, 4)), action)).to_vec();
    lessons.extend([(mirror((2, 2), (3, 2)), RIGHT), (mirror((5, 4), (4, 4)), LEFT), (mirror((3, 1), (3, 2)), DOWN)]);
    lessons.extend([(mirror((3, 4), (3, 3)), UP), (mirror((3, 3), (4, 3)), RIGHT)]);
    let mut rules = Rules::new();
    for (before, action) in &lessons {
        rules.begin(before, Start::Again);
        let layers = [turned(before, *action)];
        rules.observe(&Transition { before, action: *action, layers: &layers, outcome: Outcome::Continues });
    }
    let before = mirror((7, 1), (7, 2));
    let after = rules.predict(&rules.state(&before), DOWN).next.map(|it| it.frame);
    assert_eq!(after, Some(turned(&before, DOWN)), "from above to the left");
    let way = rules.foresee(&rules.state(&before), DOWN).driven;
    assert_eq!(way.iter().map(|it| it.onto.len()).collect::<Vec<_>>(), [7], "the corner and all of the row");
}
