//! Trample: every tile that the walker steps onto takes its next colour, and a small drawing beside the board shows what
//! is wanted.
//!
//! The tile that is stood on at the start stays as it is. Levels add, one after the other: tiles to step onto twice;
//! walls; three colours in turn; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Board, Cell, Dice, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// One level, as two maps of one size: colours, and `#` for walls.
struct Plan {
    /// How many colours there are.
    colors: u8,
    /// Where the walker begins.
    walker: (i16, i16),
    start: &'static str,
    wanted: &'static str,
}

const PLANS: [Plan; 5] = [
    Plan { colors: 2, walker: (1, 1), start: "000 000 000", wanted: "111 101 111" },
    Plan { colors: 2, walker: (0, 3), start: "0000 0000 0000 0000", wanted: "1001 0110 0110 1001" },
    Plan { colors: 2, walker: (0, 0), start: "0001# 00#00 010#0 #0000", wanted: "1001# 01#11 100#0 #0111" },
    Plan { colors: 3, walker: (1, 2), start: "0000 0000 0000", wanted: "1221 0110 1221" },
    Plan { colors: 3, walker: (0, 0), start: "00#00 00000 00#00", wanted: "12#21 01110 12#21" },
];

/// Logical pixels a tile is wide, and one of the drawing.
const TILE: i16 = 7;
const SMALL: i16 = 3;

const GROUND: Color = Color::of(12);
const WALL: Color = Color::of(5);
const MAT: Color = Color::of(5);
const COLORS: [Color; 3] = [Color::of(0), Color::of(9), Color::of(13)];

const WALKER: Sprite = Sprite::of(&[".......", "..bbb..", "..b5b..", ".bbbbb.", "..bbb..", "..b.b.."]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Trample {
    wanted: Map,
    colors: u8,
    walker: Cell,
    /// Colours as digits, and `#`.
    board: Board<u8>,
}

fn color(glyph: u8) -> Color {
    if glyph == b'#' { WALL } else { COLORS[usize::from(glyph - b'0')] }
}

impl Trample {
    fn of(plan: &Plan) -> Trample {
        let map = |rows: &str| Map::parse(&rows.replace(' ', "\n"));
        Trample {
            wanted: map(plan.wanted),
            colors: plan.colors,
            walker: Cell::at(plan.walker.0, plan.walker.1),
            board: Board::clone(&map(plan.start)),
        }
    }

    /// Steps onto a tile until it is as wanted.
    fn missing(&self, cell: Cell) -> u32 {
        let (glyph, wanted) = (self.board[cell], self.wanted[cell]);
        u32::from((wanted + self.colors - glyph) % self.colors)
    }

    /// Columns of tiles that the drawing and its mat take.
    fn beside(&self) -> i16 {
        (self.board.width() * SMALL + 2 + TILE - 1) / TILE
    }

    fn draw_wanted(&self, scene: &mut Scene) {
        let corner = Cell::at(self.board.width() + 1, 0);
        scene.rectangle(corner, (0, 0), (self.board.width() * SMALL + 2, self.board.height() * SMALL + 2), MAT);
        for (cell, glyph) in self.wanted.iter() {
            scene.rectangle(corner, (1 + cell.x * SMALL, 1 + cell.y * SMALL), (SMALL, SMALL), color(*glyph));
        }
    }
}

impl Title for Trample {
    const ABOUT: About = About {
        stem: "u362",
        title: "Trample",
        families: &[Family::Walls, Family::Paint, Family::Reference, Family::ColorCycle],
        controls: ARROWS,
        optimal: &[8, 16, 19, 14, 24],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 2,
            full: Color::of(6),
            empty: Color::of(1),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Trample::of(&PLANS[index])
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        let ahead = self.walker + dir;
        if let Some(glyph @ b'0'..) = self.board.get_mut(ahead) {
            *glyph = b'0' + (*glyph - b'0' + 1) % self.colors;
            self.walker = ahead;
        }
        if self.board == *self.wanted { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(GROUND);
        for (cell, glyph) in self.board.iter() {
            scene.rectangle(cell, (0, 0), (TILE - 1, TILE - 1), color(*glyph));
        }
        self.draw_wanted(scene);
        scene.sprite(self.walker, WALKER);
    }

    fn view(&self) -> View {
        View::of(self.board.width() + 1 + self.beside(), self.board.height(), TILE).framed(GROUND)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }

    /// Tiles are stepped onto by turns as on a chessboard: a light one after a dark one.
    fn bound(&self) -> u32 {
        let parity = |cell: Cell| (cell.x + cell.y) % 2;
        let next = 1 - parity(self.walker);
        let (mut now, mut then) = (0, 0);
        for cell in self.board.cells() {
            let missing = if parity(cell) == next { &mut now } else { &mut then };
            *missing += self.missing(cell);
        }
        (now + then).max((2 * now).saturating_sub(1)).max(2 * then)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engine::Dir, prover::prove};

    fn play(plan: &Plan, dirs: &[Dir]) -> (Trample, Verdict) {
        let mut trample = Trample::of(plan);
        let act = |_, dir: &Dir| trample.act(Input::Move(*dir), &mut Film::blank());
        let verdict = dirs.iter().fold(Verdict::Playing, act);
        (trample, verdict)
    }

    #[test]
    fn the_levels_take_as_many_inputs_as_is_written() {
        let optimal: Vec<u32> =
            PLANS.iter().map(|plan| prove(&Trample::of(plan)).map_or(0, |it| it.optimal())).collect();
        assert_eq!(optimal, Trample::ABOUT.optimal);
    }

    #[test]
    fn steps_paint_and_what_is_equal_to_the_drawing_is_solved() {
        let plan = Plan { colors: 2, walker: (0, 0), start: "000", wanted: "011" };
        assert_eq!(play(&plan, &[Dir::Right]).1, Verdict::Playing);
        assert_eq!(play(&plan, &[Dir::Right, Dir::Right]).1, Verdict::Solved);
        assert_eq!(
            play(&plan, &[Dir::Right, Dir::Left, Dir::Right]).0.board,
            Trample::of(&Plan { start: "100", ..plan }).board
        );
    }

    #[test]
    fn nobody_walks_through_walls_or_off_the_board() {
        let plan = Plan { colors: 2, walker: (0, 0), start: "0#0", wanted: "1#1" };
        assert_eq!(play(&plan, &[Dir::Right, Dir::Up, Dir::Left, Dir::Down]).0, Trample::of(&plan));
    }

    #[test]
    fn three_colors_come_in_turn() {
        let plan = Plan { colors: 3, walker: (0, 0), start: "00", wanted: "22" };
        let steps = [Dir::Right, Dir::Left, Dir::Right, Dir::Left];
        assert_eq!(play(&plan, &steps[..3]).1, Verdict::Playing);
        assert_eq!(play(&plan, &steps).1, Verdict::Solved);
    }
}
