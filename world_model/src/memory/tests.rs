use env_client::{Key, Point};

use super::*;

const RIGHT: Action = Action::Key(Key::Key4);
const LEFT: Action = Action::Key(Key::Key3);

fn grid(picture: &str) -> Grid {
    picture.parse().unwrap()
}

fn observe(memory: &mut ExactMemory, before: &str, action: Action, after: &str) {
    let layers = [grid(after)];
    memory.observe(&Transition { before: &grid(before), action, layers: &layers, outcome: Outcome::Continues });
}

fn predicted(memory: &ExactMemory, frame: &str, action: Action) -> Option<Grid> {
    memory.predict(&State::seen(grid(frame)), action).next.map(|state| state.frame)
}

#[test]
fn what_was_seen_is_expected_again_and_nothing_else() {
    let mut memory = ExactMemory::new();
    memory.begin(&grid("100"), Start::Level);
    observe(&mut memory, "100", RIGHT, "010");
    assert_eq!(predicted(&memory, "100", RIGHT), Some(grid("010")));
    assert_eq!(predicted(&memory, "100", LEFT), None);
    assert_eq!(predicted(&memory, "010", RIGHT), None);
    assert!(memory.knows(&grid("100"), RIGHT) && !memory.knows(&grid("100"), LEFT));
}

#[test]
fn clicks_are_told_apart_by_their_point() {
    let mut memory = ExactMemory::new();
    let [here, there] = [0, 1].map(|x| Action::Click(Point::new(x, 0).unwrap()));
    observe(&mut memory, "11", here, "21");
    assert_eq!(predicted(&memory, "11", here), Some(grid("21")));
    assert_eq!(predicted(&memory, "11", there), None);
}

#[test]
fn the_end_of_a_level_is_an_outcome_without_a_frame() {
    let mut memory = ExactMemory::new();
    let (before, next) = (grid("10"), [grid("77")]);
    memory.observe(&Transition { before: &before, action: RIGHT, layers: &next, outcome: Outcome::Solved });
    let prediction = memory.predict(&State::seen(before.clone()), RIGHT);
    assert_eq!((prediction.outcome, prediction.next), (Outcome::Solved, Some(State::seen(before))));
}

#[test]
fn a_contradiction_is_counted_and_its_state_suspected() {
    let mut memory = ExactMemory::new();
    for after in ["010", "010", "100"] {
        observe(&mut memory, "100", RIGHT, after);
    }
    assert_eq!(memory.contradictions(), 1);
    let prediction = memory.predict(&State::seen(grid("100")), RIGHT);
    assert_eq!(prediction.next, Some(State::seen(grid("010"))));
    assert!(prediction.confidence <= 2.0 / 3.0, "{}", prediction.confidence);
    insta::assert_snapshot!(
        memory.suspects()[0],
        @"ACTION4 in one and the same view: 2 times 2 cells changed, once nothing changed; nothing seen tells which"
    );
}

#[test]
fn without_a_majority_nothing_is_known() {
    let mut memory = ExactMemory::new();
    observe(&mut memory, "100", RIGHT, "010");
    observe(&mut memory, "100", RIGHT, "100");
    assert_eq!(predicted(&memory, "100", RIGHT), None);
    assert!((memory.disagreement(&State::seen(grid("100")), RIGHT) - 0.5).abs() < 1e-6);
}

#[test]
fn the_action_before_can_be_what_matters() {
    let mut memory = ExactMemory::new();
    // A turn that is not seen: after LEFT the next RIGHT does nothing.
    for _ in 0..2 {
        observe(&mut memory, "100", LEFT, "100");
        observe(&mut memory, "100", RIGHT, "100");
        observe(&mut memory, "100", RIGHT, "010");
        observe(&mut memory, "010", LEFT, "100");
    }
    let suspects = memory.suspects();
    assert_eq!(suspects.len(), 1);
    assert_eq!((suspects[0].action, suspects[0].cause), (RIGHT, Cause::ActionBefore));
}

/// A mover in the middle of a frame and a bar at its bottom that loses a cell a step.
fn ticking(step: u8, at: u8) -> Grid {
    let mut grid = grid(&["0".repeat(16).as_str(); 16].join("\n"));
    let color = env_client::Color::of(3);
    (step..16).for_each(|x| grid.set(Point::new(x, 15).unwrap(), color));
    grid.set(Point::new(at, 8).unwrap(), color);
    grid
}

#[test]
fn a_bar_does_not_keep_states_apart_once_it_is_found() {
    let mut memory = ExactMemory::new();
    memory.begin(&ticking(0, 5), Start::Level);
    for step in 0..12u8 {
        let (at, action) = if step % 2 == 0 { (5, RIGHT) } else { (6, LEFT) };
        let (before, layers) = (ticking(step, at), [ticking(step + 1, 11 - at)]);
        memory.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
    }
    assert!(!memory.mask().is_empty(), "the bar was found");
    let now = ticking(14, 5);
    let next = memory.predict(&State::seen(now), RIGHT).next.expect("the same was done under another bar").frame;
    assert_eq!(next, ticking(14, 6), "the mover moves; memory leaves the bar as it is");
}

#[test]
fn a_full_log_forgets_the_older_half_and_stays_right() {
    let mut memory = ExactMemory::new();
    memory.log = Log::new(8);
    for at in 0..9 {
        let (before, after) = (ticking(0, at), [ticking(0, at + 1)]);
        memory.observe(&Transition { before: &before, action: RIGHT, layers: &after, outcome: Outcome::Continues });
    }
    assert!(memory.frames() <= 8, "{}", memory.frames());
    let next = |at| memory.predict(&State::seen(ticking(0, at)), RIGHT).next.map(|state| state.frame);
    assert_eq!(next(8), Some(ticking(0, 9)));
    assert_eq!(next(0), None);
}
