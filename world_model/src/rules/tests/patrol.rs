//! Pieces that go their own way whatever is done.

use std::cell::Cell;

use env_client::{Action, Grid, Key};

use super::{ARROWS, World, cells, color, keys, put, walk};
use crate::{Outcome, Start, Transition, WorldModel, rules::Rules};

/// A room for a piece of colour 3 with a corridor for a guard of colour 8 at its upper end.
const ROOM: &str = "555555555\n580000005\n500000005\n500050005\n500030005\n500000005\n555555555";

const RIGHT: Action = Action::Key(Key::Key4);

/// The piece walks, and the guard goes to and fro from wall to wall in its row; it came from the wall behind it.
fn patrol() -> impl Fn(&Grid, Action) -> Grid {
    let heading = Cell::new(1isize);
    move |frame, action| {
        let mut after = walk(frame, action);
        let (x, y) = cells(frame, 8)[0];
        let ahead = |by: isize| x.checked_add_signed(by).unwrap();
        if color(frame, ahead(heading.get()), y) == 5 {
            heading.set(-heading.get());
        }
        put(&mut after, x, y, 0);
        put(&mut after, ahead(heading.get()), y, 8);
        after
    }
}

/// A walk that never enters the guard's row.
fn below() -> Vec<Action> {
    let ways = [Key::Key3, Key::Key2, Key::Key4, Key::Key4, Key::Key1, Key::Key3, Key::Key2, Key::Key3, Key::Key1];
    ways.iter().cycle().take(45).map(|key| Action::Key(*key)).collect()
}

/// What was learned from such a walk, and the frame it ends in.
fn watched() -> (Rules, Grid) {
    let (mut rules, mut frame, step): (_, Grid, _) = (Rules::new(), ROOM.parse().unwrap(), patrol());
    rules.begin(&frame, Start::Level);
    for action in below() {
        let layers = [step(&frame, action)];
        rules.observe(&Transition { before: &frame, action, layers: &layers, outcome: Outcome::Continues });
        [frame] = layers;
    }
    (rules, frame)
}

#[test]
fn a_guard_is_foretold_whatever_is_done() {
    let world = World { frame: ROOM.parse().unwrap(), step: patrol() };
    let (right, changes) = world.play(below(), 25);
    assert_eq!((right, changes), (25, 25), "after twenty steps it has turned at both ends");
}

#[test]
fn a_guard_is_foretold_many_steps_ahead() {
    let (rules, frame) = watched();
    let mut state = rules.state(&frame);
    let columns = (0..12).map(|_| {
        state = rules.predict(&state, RIGHT).next.unwrap();
        cells(&state.frame, 8)[0].0
    });
    let columns: Vec<usize> = columns.collect();
    let turns = columns.windows(3).filter(|it| it[0] == it[2]).count();
    assert!(turns >= 2, "six cells to and fro: {columns:?}");
    assert!(columns.windows(2).all(|it| it[0].abs_diff(it[1]) == 1), "a step an action: {columns:?}");
}

#[test]
fn the_frame_is_still_without_the_guard() {
    let (rules, frame) = watched();
    let still = rules.still(&rules.state(&frame)).unwrap();
    assert_eq!((cells(&still, 8).len(), cells(&still, 3).len()), (0, 1));
    assert_eq!(cells(&still, 0).len(), cells(&frame, 0).len() + 1, "floor lies where it was");
}

#[test]
fn a_guard_that_was_deadly_to_meet_is_foretold_to_be() {
    let (mut rules, mut frame) = watched();
    let guard = cells(&frame, 8)[0];
    let next = cells(&rules.predict(&rules.state(&frame), RIGHT).next.unwrap().frame, 8)[0];
    let own = cells(&frame, 3)[0];
    put(&mut frame, own.0, own.1, 0);
    // Right below where the guard comes to.
    put(&mut frame, next.0, guard.1 + 1, 3);
    let (state, up) = (rules.state(&frame), Action::Key(Key::Key1));
    assert_eq!(rules.predict(&state, up).outcome, Outcome::Continues, "nobody knows yet");
    let lost = Transition { before: &frame, action: up, layers: &[], outcome: Outcome::Lost };
    rules.observe(&lost);
    assert_eq!(rules.predict(&state, up).outcome, Outcome::Lost);
    assert_eq!(rules.predict(&state, Action::Key(Key::Key2)).outcome, Outcome::Continues, "away from it");
}

#[test]
fn who_obeys_is_not_taken_for_one_that_goes_its_own_way() {
    let (mut rules, frame): (_, Grid) = (Rules::new(), ROOM.replace('8', "0").parse().unwrap());
    rules.begin(&frame, Start::Level);
    let mut before = frame;
    for action in keys(60, &ARROWS) {
        let layers = [walk(&before, action)];
        rules.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
        assert!(rules.still(&rules.state(&layers[0])).is_none());
        [before] = layers;
    }
}
