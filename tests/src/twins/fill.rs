//! The twin of `tests/games/fill`.

use env_client::{Action, ActionId, ActionSet, Color, Grid, Key};

use super::{Board, Verdict, paint};

/// How long the row is.
const LEVELS: [u8; 2] = [3, 5];

#[derive(Clone)]
pub(super) struct Fill {
    length: u8,
    filled: u8,
}

impl Board for Fill {
    const TITLE: &'static str = "Fill";
    const LEVELS: usize = LEVELS.len();
    const LISTENS: ActionSet = ActionSet::of(&[ActionId::Action5, ActionId::Action7]);

    fn level(index: usize) -> Fill {
        Fill { length: LEVELS[index], filled: 0 }
    }

    fn act(&mut self, action: Action) -> (Vec<Grid>, Verdict) {
        match action {
            Action::Key(Key::Key5) => self.filled += 1,
            Action::Key(Key::Key7) => self.filled = self.filled.saturating_sub(1),
            _ => {}
        }
        let verdict = if self.filled == self.length { Verdict::Solved } else { Verdict::Going };
        (vec![self.draw()], verdict)
    }

    fn draw(&self) -> Grid {
        paint((0..self.filled).map(|x| ((x, 0), Color::of(12))))
    }
}
