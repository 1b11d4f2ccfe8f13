//! A piece that takes on another colour where it steps is the same piece.

use env_client::{Action, Grid, Key};

use super::{Rules, put};
use crate::{Outcome, Start, Transition, WorldModel};

const ARROWS: [(Key, (i16, i16)); 4] =
    [(Key::Key4, (3, 0)), (Key::Key2, (0, 3)), (Key::Key3, (-3, 0)), (Key::Key1, (0, -3))];

/// A hall of five tiles by three within walls of colour 5, and a piece of three by three cells with an eye.
fn hall((x, y): (i16, i16), color: u8) -> Grid {
    let (wall, floor) = ("5".repeat(17), format!("5{}5", "0".repeat(15)));
    let mut rows = vec![wall.as_str()];
    rows.extend([floor.as_str(); 9]);
    rows.push(&wall);
    let mut frame: Grid = rows.join("\n").parse().unwrap();
    for (dx, dy) in (0..3).flat_map(|dy| (0..3).map(move |dx| (dx, dy))) {
        let color = if (dx, dy) == (1, 1) { 8 } else { color };
        put(&mut frame, (x + dx) as usize, (y + dy) as usize, color);
    }
    frame
}

/// Shows a step.
fn step(rules: &mut Rules, before: &Grid, key: Key, after: Grid) {
    let layers = [after];
    rules.observe(&Transition { before, action: Action::Key(key), layers: &layers, outcome: Outcome::Continues });
}

#[test]
fn a_piece_that_is_dyed_goes_on_as_before() {
    let (mut rules, mut at) = (Rules::new(), (4, 4));
    rules.begin(&hall(at, 3), Start::Level);
    for (key, (dx, dy)) in ARROWS {
        let to = (at.0 + dx, at.1 + dy);
        step(&mut rules, &hall(at, 3), key, hall(to, 3));
        at = to;
    }
    step(&mut rules, &hall(at, 3), Key::Key4, hall((at.0 + 3, at.1), 6));
    at.0 += 3;
    for (key, (dx, dy)) in ARROWS {
        let to = (at.0 + dx, at.1 + dy);
        let frame = hall(at, 6);
        let ways: Vec<_> = rules.advances(&rules.state(&frame), Action::Key(key)).iter().map(|it| it.by).collect();
        assert_eq!(ways, [(dx, dy)], "{key:?} after it was dyed");
        step(&mut rules, &frame, key, hall(to, 6));
        at = to;
    }
}
