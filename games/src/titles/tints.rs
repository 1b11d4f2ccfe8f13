//! Tints: a clicked tile and those its glyph points at go on to the next of three tints.
//!
//! A tile is done when it has the tint of its four rivets. Levels add, one after the other: rows and columns; crosses;
//! diagonals; several glyphs on one board; tiles that cannot be clicked; a board whose edges are joined.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Board, Cell, Dice, Drain, Edge, Family, Film, Input, Map, Scene, Title, Verdict, View,
};

/// One level, as three maps of one size; `_` is a gap in the board.
#[derive(Debug)]
struct Plan {
    /// The glyph of each tile: `-` row, `|` column, `+` cross, `x` diagonals, `o` none.
    glyphs: &'static str,
    /// The tints at the start, `0` to `2`.
    start: &'static str,
    /// The tints wanted.
    wanted: &'static str,
    /// Whether what leaves the board on one side comes back on the other.
    joined: bool,
}

const LEVELS: [Plan; 7] = [
    Plan { glyphs: "---", start: "012", wanted: "222", joined: false },
    Plan {
        glyphs: "
            -||-
            |--|
        ",
        start: "
            0200
            2102
        ",
        wanted: "
            0000
            2222
        ",
        joined: false,
    },
    Plan {
        glyphs: "
            _+_
            +++
            _+_
        ",
        start: "
            _2_
            010
            _0_
        ",
        wanted: "
            _0_
            202
            _0_
        ",
        joined: false,
    },
    Plan {
        glyphs: "
            xxx
            xxx
            xxx
        ",
        start: "
            011
            002
            012
        ",
        wanted: "
            212
            121
            212
        ",
        joined: false,
    },
    Plan {
        glyphs: "
            -x|-
            |__x
            +-x|
        ",
        start: "
            2102
            0__0
            2101
        ",
        wanted: "
            0000
            1__1
            2222
        ",
        joined: false,
    },
    Plan {
        glyphs: "
            _+o+_
            o_|_o
            x-+-x
        ",
        start: "
            _000_
            2_2_2
            11002
        ",
        wanted: "
            _111_
            2_0_2
            01110
        ",
        joined: false,
    },
    Plan {
        glyphs: "
            +o+x
            x+o+
            o-x|
        ",
        start: "
            1000
            2101
            2122
        ",
        wanted: "
            0120
            1201
            2012
        ",
        joined: true,
    },
];

/// Logical pixels a tile is wide.
const TILE: i16 = 9;

const GROUND: Color = Color::of(0);
const WALL: Color = Color::of(2);
const OPEN: Color = Color::of(10);
const INK: Color = Color::of(5);
const TINTS: [Color; 3] = [Color::of(15), Color::of(12), Color::of(14)];

/// Where a glyph points, as columns and rows away.
fn reach(glyph: u8) -> &'static [(i16, i16)] {
    match glyph {
        b'-' => &[(-1, 0), (1, 0)],
        b'|' => &[(0, -1), (0, 1)],
        b'+' => &[(-1, 0), (1, 0), (0, -1), (0, 1)],
        b'x' => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        _ => &[],
    }
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tints {
    glyphs: Map,
    wanted: Map,
    joined: bool,
    board: Board<u8>,
}

impl Tints {
    fn of(plan: &Plan) -> Tints {
        Tints {
            glyphs: Map::parse(plan.glyphs),
            wanted: Map::parse(plan.wanted),
            joined: plan.joined,
            board: Board::clone(&Map::parse(plan.start)),
        }
    }

    /// Puts the next tint on a tile, if there is one.
    fn advance(&mut self, cell: Cell) {
        if let Some(tint @ b'0'..=b'2') = self.board.get_mut(cell) {
            *tint = b'0' + (*tint - b'0' + 1) % 3;
        }
    }

    /// The cell some columns and rows away, around the edges where they are joined.
    fn neighbour(&self, cell: Cell, (dx, dy): (i16, i16)) -> Cell {
        let Cell { x, y } = Cell::at(cell.x + dx, cell.y + dy);
        if self.joined {
            Cell::at(x.rem_euclid(self.board.width()), y.rem_euclid(self.board.height()))
        } else {
            Cell::at(x, y)
        }
    }

    /// Whether a click on a tile does something.
    fn is_button(&self, cell: Cell) -> bool {
        matches!(self.glyphs.glyph(cell), b'-' | b'|' | b'+' | b'x')
    }

    fn is_solved(&self) -> bool {
        self.board == *self.wanted
    }

    fn draw_tile(&self, scene: &mut Scene, cell: Cell, tint: u8) {
        let of = |tint: u8| TINTS[usize::from(tint - b'0')];
        scene.inset(cell, 1, of(tint));
        for (x, y) in [(1, 1), (6, 1), (1, 6), (6, 6)] {
            scene.rectangle(cell, (x, y), (2, 2), of(self.wanted[cell]));
        }
        if self.is_button(cell) {
            scene.pixel(cell, (4, 4), INK);
            for (dx, dy) in reach(self.glyphs[cell]) {
                scene.pixel(cell, (4 + dx, 4 + dy), INK);
            }
        }
    }

    /// The rim of the board: a wall, or a dashed line where the edges are joined.
    fn draw_rim(&self, scene: &mut Scene) {
        let (width, height) = (self.board.width(), self.board.height());
        let rim = if self.joined { OPEN } else { WALL };
        scene.block(Cell::at(-1, -1), width + 2, height + 2, GROUND);
        scene.rectangle(Cell::at(0, 0), (-3, -3), (width * TILE + 6, height * TILE + 6), rim);
        if self.joined {
            (0..width).for_each(|x| scene.rectangle(Cell::at(x, -1), (3, 0), (3, (height + 2) * TILE), GROUND));
            (0..height).for_each(|y| scene.rectangle(Cell::at(-1, y), (0, 3), ((width + 2) * TILE, 3), GROUND));
        }
        scene.block(Cell::at(0, 0), width, height, GROUND);
    }
}

impl Title for Tints {
    const ABOUT: About = About {
        stem: "t316",
        title: "Tints",
        families: &[Family::LightsOut, Family::ColorCycle, Family::Glyphs],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[4, 7, 5, 8, 12, 12, 15],
        bar: Some(Bar { edge: Edge::Top, thickness: 1, full: Color::of(13), empty: Color::of(1), drain: Drain::Every }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Tints::of(&LEVELS[index])
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Click(cell) = input else { return Verdict::Playing };
        if !self.is_button(cell) {
            return Verdict::Playing;
        }
        self.advance(cell);
        film.shoot(self);
        for away in reach(self.glyphs[cell]) {
            self.advance(self.neighbour(cell, *away));
        }
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        self.draw_rim(scene);
        for (cell, tint) in self.board.iter().filter(|(_, tint)| tint.is_ascii_digit()) {
            self.draw_tile(scene, cell, *tint);
        }
    }

    fn view(&self) -> View {
        let (width, height) = (self.board.width() + 2, self.board.height() + 2);
        View::of(width, height, TILE).scrolled_to(Cell::at(-1, -1)).framed(GROUND)
    }

    fn inputs(&self) -> Vec<Input> {
        self.board.cells().filter(|cell| self.is_button(*cell)).map(Input::Click).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::{ProofError, prove};

    fn click(tints: &mut Tints, x: i16, y: i16) {
        tints.act(Input::Click(Cell::at(x, y)), &mut Film::blank());
    }

    #[test]
    fn three_clicks_on_one_tile_change_nothing() {
        let start = Tints::of(&LEVELS[4]);
        let mut tints = start.clone();
        click(&mut tints, 1, 0);
        assert_ne!(tints, start);
        click(&mut tints, 1, 0);
        click(&mut tints, 1, 0);
        assert_eq!(tints, start);
    }

    #[test]
    fn a_blank_tile_changes_but_cannot_be_clicked() {
        let start = Tints::of(&LEVELS[5]);
        let mut tints = start.clone();
        click(&mut tints, 2, 0);
        assert_eq!(tints, start);
        click(&mut tints, 1, 0);
        assert_ne!(tints.board[Cell::at(2, 0)], start.board[Cell::at(2, 0)]);
    }

    #[test]
    fn the_last_level_needs_its_joined_edges() {
        let torn = Tints { joined: false, ..Tints::of(&LEVELS[6]) };
        let proof = prove(&torn).map(|proof| proof.optimal());
        assert!(matches!(proof, Err(ProofError::Unsolvable { .. })), "{proof:?}");
    }
}
