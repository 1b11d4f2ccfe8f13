//! The twin of `tests/games/taps`.

use env_client::{Action, ActionId, ActionSet, Color, Grid};

use super::{Board, Cell, Verdict, cell, paint};

/// Where the lamps are.
const LEVELS: [&[Cell]; 3] = [&[(3, 3)], &[(1, 1), (6, 1)], &[(0, 7), (3, 4), (7, 0)]];

/// Actions a level allows.
const MOST_ACTIONS: u32 = 8;

#[derive(Clone)]
pub(super) struct Taps {
    lamps: Vec<(Cell, bool)>,
    taken: u32,
}

impl Board for Taps {
    const TITLE: &'static str = "Taps";
    const LEVELS: usize = LEVELS.len();
    const LISTENS: ActionSet = ActionSet::of(&[ActionId::Action6]);

    fn level(index: usize) -> Taps {
        Taps { lamps: LEVELS[index].iter().map(|at| (*at, false)).collect(), taken: 0 }
    }

    fn act(&mut self, action: Action) -> (Vec<Grid>, Verdict) {
        self.taken += 1;
        let hit = action.point().map(cell);
        for (at, lit) in &mut self.lamps {
            *lit ^= Some(*at) == hit;
        }
        let verdict = match () {
            () if self.lamps.iter().all(|(_, lit)| *lit) => Verdict::Solved,
            () if self.taken > MOST_ACTIONS => Verdict::Lost,
            () => Verdict::Going,
        };
        (vec![self.draw()], verdict)
    }

    fn draw(&self) -> Grid {
        paint(self.lamps.iter().map(|(at, lit)| (*at, Color::of(if *lit { 11 } else { 3 }))))
    }
}
