//! A piece that takes on another colour where it steps is the same piece.

use env_client::{Action, Grid, Key};

use super::{Rules, keys, put};
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

/// Tiles of three cells: `@` is where a hero with an eye begins, and digits are wells of that colour, which dye it in another one.
const WELLS: [&str; 3] = ["@.6..7", "..7...", "6....."];

/// A hero in this colour on a tile, and how the wells look beside it.
fn wells((x, y): (usize, usize), color: u8) -> Grid {
    let mut frame = Grid::filled(18, 9, env_client::Color::of(0));
    for (row, column) in (0..3).flat_map(|row| (0..6).map(move |column| (row, column))) {
        let well = WELLS[row].as_bytes()[column];
        for cell in 0..9 {
            let (dx, dy) = (cell % 3, cell / 3);
            let own = if (dx, dy) == (1, 1) { 8 } else { color };
            let ground = if well.is_ascii_digit() { well - b'0' } else { 0 };
            put(&mut frame, 3 * column + dx, 3 * row + dy, if (column, row) == (x, y) { own } else { ground });
        }
    }
    frame
}

/// Where a key leads, and in which colour.
fn dyed(((x, y), color): ((usize, usize), u8), key: Key) -> ((usize, usize), u8) {
    let (_, (dx, dy)) = ARROWS.into_iter().find(|it| it.0 == key).unwrap();
    let to = (x as i16 + dx / 3, y as i16 + dy / 3);
    if !(0..6).contains(&to.0) || !(0..3).contains(&to.1) {
        return ((x, y), color);
    }
    let to = (to.0 as usize, to.1 as usize);
    let well = WELLS[to.1].as_bytes()[to.0];
    (to, if well.is_ascii_digit() { well - b'0' + 4 } else { color })
}

#[test]
fn what_dyes_a_piece_does_so_wherever_it_lies() {
    let (mut rules, mut now) = (Rules::new(), ((0, 0), 3));
    rules.begin(&wells(now.0, now.1), Start::Level);
    let [right, _, _, up] = ARROWS.map(|it| it.0);
    for action in keys(160, &ARROWS.map(|it| it.0)) {
        let Action::Key(key) = action else { continue };
        let next = dyed(now, key);
        step(&mut rules, &wells(now.0, now.1), key, wells(next.0, next.1));
        now = next;
    }
    for (from, color, key) in [((5, 1), 10, up), ((4, 0), 10, right), ((1, 1), 10, right), ((4, 0), 11, right)] {
        let (at, after) = dyed((from, color), key);
        let frame = wells(from, color);
        let next = rules.predict(&rules.state(&frame), Action::Key(key)).next.map(|it| it.frame);
        assert_eq!(next, Some(wells(at, after)), "{from:?} in {color}, {key:?}");
    }
}
