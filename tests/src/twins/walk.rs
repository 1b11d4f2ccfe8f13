//! The twin of `tests/games/walk`.

use env_client::{Action, ActionId, ActionSet, Color, Grid, Key};

use super::{Board, Cell, Verdict, paint};

/// Player, goal and pit.
const LEVELS: [(Cell, Cell, Cell); 3] = [((1, 1), (4, 1), (2, 3)), ((6, 6), (6, 2), (5, 5)), ((0, 0), (7, 7), (1, 0))];

#[derive(Clone)]
pub(super) struct Walk {
    player: Cell,
    goal: Cell,
    pit: Cell,
}

impl Board for Walk {
    const TITLE: &'static str = "Walk";
    const LEVELS: usize = LEVELS.len();
    const LISTENS: ActionSet =
        ActionSet::of(&[ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4, ActionId::Action5]);

    fn level(index: usize) -> Walk {
        let (player, goal, pit) = LEVELS[index];
        Walk { player, goal, pit }
    }

    fn act(&mut self, action: Action) -> (Vec<Grid>, Verdict) {
        let mut layers = Vec::new();
        let (x, y) = self.player;
        match action {
            Action::Key(Key::Key1) => self.player = (x, y.saturating_sub(1)),
            Action::Key(Key::Key2) => self.player = (x, (y + 1).min(7)),
            Action::Key(Key::Key3) => self.player = (x.saturating_sub(1), y),
            Action::Key(Key::Key4) => self.player = ((x + 1).min(7), y),
            Action::Key(Key::Key5) => layers.push(self.draw_player(Color::of(11))),
            _ => {}
        }
        layers.push(self.draw());
        let verdict = match self.player {
            at if at == self.goal => Verdict::Solved,
            at if at == self.pit => Verdict::Lost,
            _ => Verdict::Going,
        };
        (layers, verdict)
    }

    fn draw(&self) -> Grid {
        self.draw_player(Color::of(9))
    }
}

impl Walk {
    fn draw_player(&self, color: Color) -> Grid {
        paint([(self.pit, Color::of(8)), (self.goal, Color::of(14)), (self.player, color)])
    }
}
