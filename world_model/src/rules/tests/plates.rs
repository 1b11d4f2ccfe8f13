//! A yard with a plate that opens a gate elsewhere as long as the walker or a crate lies on it.

use env_client::{Action, Color, Grid, Key};

use super::{Rules, put};
use crate::{Outcome, Start, Transition, WorldModel};

const STEP: usize = 4;
const TILES: usize = 8;
const WALKER: u8 = 1;
const RIGHT: Action = Action::Key(Key::Key4);
const LEFT: Action = Action::Key(Key::Key3);

/// Two rows of tiles: one with a walker, a crate and a plate, and one with a gate at its end.
#[derive(Clone)]
struct Yard {
    walker: usize,
    krate: usize,
    plate: usize,
}

impl Yard {
    fn draw(&self) -> Grid {
        let mut frame = Grid::filled((STEP * (TILES + 2)) as u8, (STEP * 4) as u8, Color::of(5));
        let mut tile = |(column, row): (usize, usize), picture: [&str; STEP], color: u8| {
            for (y, line) in picture.iter().enumerate() {
                let inked = line.bytes().enumerate().filter(|(_, cell)| *cell == b'#');
                inked.for_each(|(x, _)| put(&mut frame, STEP * (column + 1) + x, STEP * row + y, color));
            }
        };
        (0..TILES).for_each(|column| tile((column, 1), ["####"; STEP], 0));
        tile((self.plate, 1), ["....", ".##.", ".##.", "...."], 9);
        tile((self.krate, 1), ["####"; STEP], 12);
        tile((self.krate, 1), ["....", ".##.", ".##.", "...."], 4);
        tile((self.walker, 1), ["##..", "####", "####", "##.."], WALKER);
        let is_down = [self.walker, self.krate].contains(&self.plate);
        tile((6, 2), ["....", "####", "####", "...."], if is_down { 11 } else { 2 });
        frame
    }

    /// The walker pushes the crate, which nothing stops but the rim.
    fn after(&self, action: Action) -> Yard {
        let by = |at: usize| if action == RIGHT { Some(at + 1).filter(|it| *it < TILES) } else { at.checked_sub(1) };
        let mut next = self.clone();
        match by(self.walker) {
            Some(to) if to == self.krate => {
                if let Some(beyond) = by(to) {
                    (next.walker, next.krate) = (to, beyond);
                }
            }
            Some(to) => next.walker = to,
            None => {}
        }
        next
    }
}

fn show(rules: &mut Rules, mut yard: Yard, actions: &[Action]) -> Yard {
    rules.begin(&yard.draw(), Start::Level);
    for action in actions {
        let next = yard.after(*action);
        let (before, layers) = (yard.draw(), [next.draw()]);
        rules.observe(&Transition { before: &before, action: *action, layers: &layers, outcome: Outcome::Continues });
        yard = next;
    }
    yard
}

#[test]
fn a_crate_on_a_plate_holds_what_the_walker_on_it_held() {
    let mut rules = Rules::new();
    // The walker goes onto the plate and off it, several times; then a crate is pushed onto another one and left there.
    let pace = [RIGHT, RIGHT, LEFT, RIGHT, LEFT, LEFT, RIGHT, RIGHT, RIGHT, LEFT, LEFT];
    show(&mut rules, Yard { walker: 1, krate: 7, plate: 3 }, &pace);
    show(&mut rules, Yard { walker: 0, krate: 2, plate: 4 }, &[RIGHT, RIGHT, RIGHT, LEFT, LEFT, RIGHT, RIGHT, RIGHT]);
    let yard = show(&mut rules, Yard { walker: 1, krate: 3, plate: 6 }, &[RIGHT, RIGHT, RIGHT]);
    assert_eq!((yard.walker, yard.krate), (4, 5));
    let onto = yard.after(RIGHT);
    let predict = |yard: &Yard, action| rules.predict(&rules.state(&yard.draw()), action).next.map(|it| it.frame);
    assert_eq!(predict(&yard, RIGHT), Some(onto.draw()), "the gate opens");
    assert_eq!(predict(&onto, LEFT), Some(onto.after(LEFT).draw()), "and stays open while the walker goes away");
}
