//! A canal with crates: what is pushed into water becomes a bridge, and what is pushed onto a mark lights up there.

use env_client::{Action, Color, Grid, Key};

use super::{Rules, put};
use crate::{Outcome, Start, State, Transition, WorldModel};

const STEP: usize = 4;
const RIGHT: Action = Action::Key(Key::Key4);
const DOWN: Action = Action::Key(Key::Key2);
const UP: Action = Action::Key(Key::Key1);
const LEFT: Action = Action::Key(Key::Key3);

/// Rows of tiles: `@` walks, `C` is a crate, `w` water, `b` a bridge, `m` a mark, `#` a wall.
#[derive(Clone)]
struct Canal {
    ground: Vec<Vec<u8>>,
    crates: Vec<(usize, usize)>,
    walker: (usize, usize),
}

impl Canal {
    fn new(rows: &[&str]) -> Canal {
        let mut canal = Canal { ground: Vec::new(), crates: Vec::new(), walker: (0, 0) };
        for (y, row) in rows.iter().enumerate() {
            for (x, tile) in row.bytes().enumerate() {
                match tile {
                    b'@' => canal.walker = (x, y),
                    b'C' => canal.crates.push((x, y)),
                    _ => {}
                }
            }
            canal.ground.push(row.bytes().map(|it| if b"@C".contains(&it) { b'.' } else { it }).collect());
        }
        canal
    }

    fn draw(&self) -> Grid {
        let (columns, rows) = (self.ground[0].len(), self.ground.len());
        let mut frame = Grid::filled((STEP * columns) as u8, (STEP * rows) as u8, Color::of(0));
        let mut tile = |(x, y): (usize, usize), picture: [&str; STEP]| {
            for (dy, row) in picture.iter().enumerate() {
                for (dx, cell) in row.chars().enumerate().filter(|(_, cell)| *cell != ' ') {
                    put(&mut frame, STEP * x + dx, STEP * y + dy, cell.to_digit(16).unwrap() as u8);
                }
            }
        };
        for (y, row) in self.ground.iter().enumerate() {
            for (x, kind) in row.iter().enumerate() {
                let picture = match kind {
                    b'w' => ["9999", "99a9", "9999", "9999"],
                    b'b' => ["9cc9", "dccd", "dccd", "9cc9"],
                    b'm' => ["    ", " 77 ", " 77 ", "    "],
                    b'#' => ["5555"; STEP],
                    _ => ["0000"; STEP],
                };
                tile((x, y), picture);
            }
        }
        for at in &self.crates {
            let is_placed = self.ground[at.1][at.0] == b'm';
            tile(*at, if is_placed { ["eeee", "effe", "effe", "eeee"] } else { ["cccc", "cbbc", "cbbc", "cccc"] });
        }
        tile(self.walker, [" 66 ", "6666", "6666", " 66 "]);
        frame
    }

    fn at(&self, (x, y): (usize, usize)) -> u8 {
        self.ground.get(y).and_then(|row| row.get(x)).copied().unwrap_or(b'#')
    }

    fn after(&self, action: Action) -> Canal {
        let ahead = |(x, y): (usize, usize)| match action {
            RIGHT => (x + 1, y),
            LEFT => (x.wrapping_sub(1), y),
            UP => (x, y.wrapping_sub(1)),
            _ => (x, y + 1),
        };
        let (mut next, to) = (self.clone(), ahead(self.walker));
        if let Some(index) = self.crates.iter().position(|it| *it == to) {
            let end = ahead(to);
            match self.at(end) {
                b'#' => return next,
                b'w' => {
                    next.crates.remove(index);
                    next.ground[end.1][end.0] = b'b';
                }
                _ => next.crates[index] = end,
            }
            next.walker = to;
        } else if !b"#w".contains(&self.at(to)) {
            next.walker = to;
        }
        next
    }
}

/// Shows rules a canal and what these actions do there.
fn show(rules: &mut Rules, mut canal: Canal, actions: &[Action]) {
    rules.begin(&canal.draw(), Start::Level);
    for action in actions {
        let next = canal.after(*action);
        let (before, layers) = (canal.draw(), [next.draw()]);
        rules.observe(&Transition { before: &before, action: *action, layers: &layers, outcome: Outcome::Continues });
        canal = next;
    }
}

/// Whether rules foresee all that these actions do, one after the other.
fn foresees(rules: &Rules, mut canal: Canal, actions: &[Action]) -> bool {
    let mut state = rules.state(&canal.draw());
    actions.iter().all(|action| {
        canal = canal.after(*action);
        let next = rules.predict(&state, *action).next;
        state = next.unwrap_or_else(|| State::seen(Grid::filled(1, 1, Color::of(0))));
        state.frame == canal.draw()
    })
}

#[test]
fn what_is_pushed_into_water_becomes_a_bridge() {
    let mut rules = Rules::new();
    show(&mut rules, Canal::new(&["@.C.w...", "........"]), &[DOWN, RIGHT]);
    show(&mut rules, Canal::new(&["@.C.w...", "........"]), &[RIGHT; 7]);
    let next = Canal::new(&["@C..w.", "......"]);
    rules.begin(&next.draw(), Start::Level);
    assert!(foresees(&rules, next, &[RIGHT; 5]), "the crate, the bridge, and the way over it");
}

#[test]
fn what_is_pushed_onto_a_mark_looks_as_it_did_on_another_one() {
    let mut rules = Rules::new();
    show(&mut rules, Canal::new(&["@.C..m...", "........."]), &[RIGHT; 7]);
    let next = Canal::new(&["@C...m..", "........"]);
    rules.begin(&next.draw(), Start::Level);
    assert!(foresees(&rules, next, &[RIGHT; 4]), "on the mark");
}

#[test]
fn what_goes_over_a_bridge_looks_as_it_does_elsewhere_and_the_bridge_stays() {
    let mut rules = Rules::new();
    show(&mut rules, Canal::new(&["@.C.w...", "........"]), &[DOWN, RIGHT, UP, LEFT]);
    show(&mut rules, Canal::new(&["@.C.w...", "........"]), &[RIGHT; 7]);
    let next = Canal::new(&["@C.ww..", ".......", ".C.....", "......."]);
    rules.begin(&next.draw(), Start::Level);
    let second = [RIGHT, RIGHT, DOWN, DOWN, DOWN, LEFT, UP, UP, LEFT, UP, RIGHT, RIGHT, RIGHT, RIGHT, LEFT, LEFT];
    assert!(foresees(&rules, next, &second), "over the first bridge, into the water behind it, and back");
}
