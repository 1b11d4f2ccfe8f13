//! A corridor to test the engine, the prover and the contract with.

use env_client::{ActionSet, Color};

use super::{About, Bar, Board, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Scene, Title, Verdict, View};

/// Walk to the right end. Left walks back, up is deadly, a click jumps to its column; space does nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Corridor {
    pub(crate) length: i16,
    pub(crate) at: i16,
    /// Whether the right end can be entered.
    pub(crate) open: bool,
}

impl Title for Corridor {
    const ABOUT: About = About {
        stem: "c000",
        title: "Corridor",
        families: &[Family::Walls],
        controls: ActionSet::ALL,
        optimal: &[2, 2],
        bar: Some(Bar { edge: Edge::Top, thickness: 1, full: Color::of(1), empty: Color::of(2), drain: Drain::Every }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Corridor { length: 8 + index as i16, at: 0, open: true }
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let last = self.length - 1;
        match input {
            Input::Move(Dir::Up) => return Verdict::Lost,
            Input::Move(Dir::Left) if self.at > 0 => self.at -= 1,
            Input::Move(Dir::Right) if self.open || self.at + 1 < last => self.at += 1,
            // The last column is out of reach of a jump.
            Input::Click(cell) if cell.x < last => {
                while self.at != cell.x {
                    self.at += (cell.x - self.at).signum();
                    film.shoot(self);
                }
            }
            _ => {}
        }
        if self.at == last { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.cell(Cell::at(self.at, 0), Color::of(9));
    }

    fn view(&self) -> View {
        View::of(self.length, 2, 1)
    }

    fn inputs(&self) -> Vec<Input> {
        let clicks = Board::new(self.length, 1, Input::Click);
        Input::MOVES.iter().chain(clicks.tiles()).copied().collect()
    }

    fn intro(&self) -> Vec<Self> {
        vec![Corridor { at: self.length - 1, ..*self }; self.length as usize - 8]
    }
}
