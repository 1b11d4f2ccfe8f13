//! Clicks that lay planks on what stops a piece, beside it alone, and take them up again.

use env_client::{Action, Color, Grid, Key, Point};

use super::{ahead, cells, color, put};
use crate::{Outcome, Start, Transition, WorldModel, rules::Rules};

/// Side of a tile, in cells; the piece fills one.
const SIDE: usize = 3;
/// Colours.
const PIECE: u8 = 3;
const LAND: u8 = 0;
const WATER: u8 = 9;
const PLANK: u8 = 6;

/// Two islands and what lies between them, a letter a tile: `.` land, `~` water, `@` the piece on land.
fn sea() -> Grid {
    let map = ["~~~~~~", "~@~.~~", "~.~.~~", "~..~~~", "~~~~~~"];
    let mut frame = Grid::filled((map[0].len() * SIDE) as u8, (map.len() * SIDE) as u8, Color::of(WATER));
    for (y, row) in map.iter().enumerate() {
        for (x, letter) in row.chars().enumerate().filter(|(_, letter)| *letter != '~') {
            fill(&mut frame, (x, y), if letter == '@' { PIECE } else { LAND });
        }
    }
    frame
}

fn fill(frame: &mut Grid, (x, y): (usize, usize), color: u8) {
    (0..SIDE * SIDE).for_each(|cell| put(frame, x * SIDE + cell % SIDE, y * SIDE + cell / SIDE, color));
}

/// The tile of the piece.
fn piece(frame: &Grid) -> (usize, usize) {
    let at = cells(frame, PIECE)[0];
    (at.0 / SIDE, at.1 / SIDE)
}

/// The planks left and what lies under the piece.
struct Sea {
    frame: Grid,
    planks: u32,
    under: u8,
    rules: Rules,
}

impl Sea {
    fn new(planks: u32) -> Sea {
        let (frame, mut rules) = (sea(), Rules::new());
        rules.begin(&frame, Start::Level);
        Sea { frame, planks, under: LAND, rules }
    }

    /// Acts, and learns from it.
    fn act(&mut self, action: Action) {
        let mut after = self.frame.clone();
        let at = piece(&self.frame);
        let seen = |tile: (usize, usize)| color(&self.frame, tile.0 * SIDE, tile.1 * SIDE) as u8;
        match action {
            Action::Click(click) => {
                let tile = (usize::from(click.x()) / SIDE, usize::from(click.y()) / SIDE);
                let is_beside = at.0.abs_diff(tile.0) + at.1.abs_diff(tile.1) == 1;
                match seen(tile) {
                    WATER if is_beside && self.planks > 0 => {
                        self.planks -= 1;
                        fill(&mut after, tile, PLANK);
                    }
                    PLANK if is_beside => {
                        self.planks += 1;
                        fill(&mut after, tile, WATER);
                    }
                    _ => {}
                }
            }
            key @ Action::Key(_) => {
                let to = ahead(key, at, false);
                if seen(to) != WATER {
                    fill(&mut after, at, self.under);
                    self.under = seen(to);
                    fill(&mut after, to, PIECE);
                }
            }
        }
        let (layers, outcome) = ([after], Outcome::Continues);
        self.rules.observe(&Transition { before: &self.frame, action, layers: &layers, outcome });
        [self.frame] = layers;
    }

    /// What is expected of a click on a tile, if that changes anything.
    fn expected(&self, tile: (usize, usize)) -> Option<Grid> {
        let next = self.rules.predict(&self.rules.state(&self.frame), click(tile)).next?;
        (next.frame != self.frame).then_some(next.frame)
    }

    /// The same after a plank is laid there.
    fn laid(&self, tile: (usize, usize)) -> Grid {
        let mut frame = self.frame.clone();
        fill(&mut frame, tile, PLANK);
        frame
    }
}

fn click((x, y): (usize, usize)) -> Action {
    Action::Click(Point::new((x * SIDE + 1) as u8, (y * SIDE + 1) as u8).unwrap())
}

/// Walks down and to the right and back up, from where a click lays a plank above.
fn shown(planks: u32) -> Sea {
    let mut sea = Sea::new(planks);
    for key in [Key::Key2, Key::Key1, Key::Key2, Key::Key2, Key::Key4, Key::Key3, Key::Key1, Key::Key1] {
        sea.act(Action::Key(key));
    }
    sea.act(click((4, 2)));
    sea.act(click((1, 0)));
    sea
}

#[test]
fn what_a_click_lays_beside_a_piece_is_expected_on_every_side_of_it_wherever_it_goes() {
    let mut sea = shown(3);
    assert_eq!(sea.expected((0, 1)), Some(sea.laid((0, 1))));
    assert_eq!(sea.expected((4, 2)), None, "from afar it does nothing");
    sea.act(Action::Key(Key::Key2));
    assert_eq!(sea.expected((2, 2)), Some(sea.laid((2, 2))));
    let choices = sea.rules.choices(&sea.rules.state(&sea.frame));
    assert_eq!(choices, [click((2, 2)), click((0, 2))], "both sides of it that are water");
}

#[test]
fn what_is_spent_is_not_expected_until_some_is_taken_up() {
    let mut sea = shown(1);
    sea.act(click((0, 1)));
    sea.act(click((2, 1)));
    assert_eq!(sea.expected((0, 1)), None);
    sea.act(click((1, 0)));
    assert_eq!(sea.expected((0, 1)), Some(sea.laid((0, 1))));
}
