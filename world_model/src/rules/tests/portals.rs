//! Edges of the frame that lead round.

use env_client::{Action, Color, Grid, Key};

use super::{Rules, put};
use crate::{Outcome, Start, Transition, WorldModel};

const UP: Action = Action::Key(Key::Key1);
const DOWN: Action = Action::Key(Key::Key2);
const LEFT: Action = Action::Key(Key::Key3);
const RIGHT: Action = Action::Key(Key::Key4);

/// Squares of two cells on bare ground: their corners and colours.
type Squares = Vec<((usize, usize), u8)>;

fn frame(squares: &Squares) -> Grid {
    let mut frame = Grid::filled(16, 12, Color::of(0));
    for ((x, y), color) in squares {
        (0..4).for_each(|cell| put(&mut frame, x + cell % 2, y + cell / 2, *color));
    }
    frame
}

/// A play that is told what comes of each action.
struct Told {
    rules: Rules,
    now: Grid,
}

impl Told {
    fn begin(squares: &Squares) -> Told {
        let (mut rules, now) = (Rules::new(), frame(squares));
        rules.begin(&now, Start::Level);
        Told { rules, now }
    }

    fn foreseen(&self, action: Action) -> Option<Grid> {
        self.rules.predict(&self.rules.state(&self.now), action).next.map(|it| it.frame)
    }

    fn went(&mut self, action: Action, squares: &Squares) {
        let layers = [frame(squares)];
        let step = Transition { before: &self.now, action, layers: &layers, outcome: Outcome::Continues };
        self.rules.observe(&step);
        self.now = layers[0].clone();
    }
}

#[test]
fn who_left_the_frame_in_one_row_comes_back_in_at_the_other_side_in_all() {
    let world = |walker: (usize, usize)| vec![((6, 10), 5), (walker, 3)];
    let mut play = Told::begin(&world((2, 2)));
    for x in [4, 6, 8, 10, 12, 14, 0, 2] {
        play.went(RIGHT, &world((x, 2)));
    }
    for y in [4, 6] {
        play.went(DOWN, &world((2, y)));
    }
    play.went(LEFT, &world((0, 6)));
    assert_eq!(play.foreseen(LEFT), Some(frame(&world((14, 6)))), "the other way, in another row");
    play.went(LEFT, &world((14, 6)));
    play.went(UP, &world((14, 4)));
    assert_eq!(play.foreseen(RIGHT), Some(frame(&world((0, 4)))));
}
