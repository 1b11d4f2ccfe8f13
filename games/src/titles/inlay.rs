//! Inlay: a click picks a piece from the tray, the next one puts it where its grip shall lie.
//!
//! In the end the tray is empty and every cell of the bed has the colour of its stud, seen from above. Clicking lifts
//! a piece again. Levels add, one after the other: pieces that only fit together; colours; pieces that are turned by
//! clicking them once more; pieces that lie over others; both.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{About, Bar, Cell, Dice, Drain, Edge, Family, Film, Input, Map, Scene, Title, Verdict, View};

/// One level.
#[derive(Debug)]
struct Plan {
    /// The colour wanted in each cell of the bed; `.` is beside it.
    bed: &'static str,
    pieces: &'static [Piece],
    /// Whether pieces can be turned.
    turns: bool,
}

/// A piece as it lies in the tray: colour, and cells seen from its grip, which is the first of them.
#[derive(Debug)]
struct Piece {
    color: u8,
    cells: &'static [(i16, i16)],
}

const fn piece(color: u8, cells: &'static [(i16, i16)]) -> Piece {
    Piece { color, cells }
}

const CORNER: &[(i16, i16)] = &[(0, 0), (1, 0), (0, 1)];
const HOOK: &[(i16, i16)] = &[(0, 0), (-1, 1), (0, 1)];
const SQUARE: &[(i16, i16)] = &[(0, 0), (1, 0), (0, 1), (1, 1)];
const SNAKE: &[(i16, i16)] = &[(0, 0), (1, 0), (-1, 1), (0, 1)];
const STANDING_SNAKE: &[(i16, i16)] = &[(0, 0), (0, 1), (1, 1), (1, 2)];
const TEE: &[(i16, i16)] = &[(0, 0), (-1, 1), (0, 1), (1, 1)];
const PLUS: &[(i16, i16)] = &[(0, 0), (0, -1), (1, 0), (0, 1), (-1, 0)];
const DOMINO: &[(i16, i16)] = &[(0, 0), (0, 1)];
const POST: &[(i16, i16)] = &[(0, 0), (0, 1), (0, 2)];
const BEAM: &[(i16, i16)] = &[(0, 0), (1, 0), (2, 0)];
const LONG_POST: &[(i16, i16)] = &[(0, 0), (0, 1), (0, 2), (0, 3)];
const LONG_BEAM: &[(i16, i16)] = &[(0, 0), (1, 0), (2, 0), (3, 0)];

const LEVELS: [Plan; 7] = [
    Plan {
        bed: "
            rr..r
            r...r
            ....r
        ",
        pieces: &[piece(b'r', POST), piece(b'r', CORNER)],
        turns: false,
    },
    Plan {
        bed: "
            .rrrr
            rrrrr
            .rrr.
        ",
        pieces: &[piece(b'r', SQUARE), piece(b'r', TEE), piece(b'r', SNAKE)],
        turns: false,
    },
    Plan {
        bed: "
            rrb.
            rybg
            yygg
        ",
        pieces: &[piece(b'g', HOOK), piece(b'b', DOMINO), piece(b'r', CORNER), piece(b'y', HOOK)],
        turns: false,
    },
    Plan {
        bed: "
            rrbb
            rbbr
            yyrr
        ",
        pieces: &[piece(b'b', STANDING_SNAKE), piece(b'r', CORNER), piece(b'y', DOMINO), piece(b'r', HOOK)],
        turns: true,
    },
    Plan {
        bed: "
            .bg.
            rbgr
            yygy
            .bg.
        ",
        pieces: &[piece(b'y', LONG_BEAM), piece(b'g', LONG_POST), piece(b'b', LONG_POST), piece(b'r', LONG_BEAM)],
        turns: false,
    },
    Plan {
        bed: "
            .r.b
            rrgb
            .yyb
            .y..
        ",
        pieces: &[piece(b'b', BEAM), piece(b'g', SQUARE), piece(b'y', HOOK), piece(b'r', PLUS)],
        turns: true,
    },
    Plan {
        bed: "
            ..b..
            rrgyy
            r.g.y
            ..b..
        ",
        pieces: &[piece(b'g', TEE), piece(b'b', LONG_BEAM), piece(b'r', CORNER), piece(b'y', CORNER)],
        turns: true,
    },
];

/// The row where the tray begins.
const TRAY: i16 = 7;
/// Columns and rows of a place in the tray.
const BAY: i16 = 4;

const TABLE: Color = Color::of(12);
const BED: Color = Color::of(5);
const BOARD: Color = Color::of(13);
const CHOSEN: Color = Color::of(0);
const GRIP: Color = Color::of(0);
const HINGE: Color = Color::of(11);

/// Where a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Lie {
    /// The cell of the bed under its grip; `None` in the tray.
    grip: Option<Cell>,
    /// Quarter turns clockwise.
    turns: u8,
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Inlay {
    level: usize,
    bed: Map,
    /// How each piece lies.
    lies: Vec<Lie>,
    /// The pieces on the bed, lowest first; among those that do not touch, by number.
    pile: Vec<usize>,
    /// The piece picked, which is in the tray.
    held: Option<usize>,
}

impl Inlay {
    fn of(level: usize) -> Inlay {
        let plan = &LEVELS[level];
        let lies = vec![Lie { grip: None, turns: 0 }; plan.pieces.len()];
        Inlay { level, bed: Map::parse(plan.bed), lies, pile: Vec::new(), held: None }
    }

    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    /// The cells of a piece, were its grip at `grip`.
    fn cells(&self, index: usize, grip: Cell) -> impl Iterator<Item = Cell> + use<> {
        let turns = self.lies[index].turns;
        let turned = move |(x, y): (i16, i16)| (0..turns).fold((x, y), |(x, y), _| (-y, x));
        let place = move |(x, y)| Cell::at(grip.x + x, grip.y + y);
        self.plan().pieces[index].cells.iter().map(move |cell| place(turned(*cell)))
    }

    /// The cells of the bed that a piece lies on.
    fn covered(&self, index: usize) -> impl Iterator<Item = Cell> + use<> {
        let grip = self.lies[index].grip;
        grip.map(|grip| self.cells(index, grip)).into_iter().flatten()
    }

    fn is_bed(&self, cell: Cell) -> bool {
        self.bed.get(cell).is_some_and(|glyph| *glyph != b'.')
    }

    /// The topmost piece on a cell.
    fn top(&self, cell: Cell) -> Option<usize> {
        self.pile.iter().rev().copied().find(|index| self.covered(*index).any(|covered| covered == cell))
    }

    /// Picks a piece in the tray, or turns it if it is picked already.
    fn pick(&mut self, index: usize) {
        if self.held != Some(index) {
            self.held = Some(index);
        } else if self.plan().turns {
            self.lies[index].turns = (self.lies[index].turns + 1) % 4;
        }
    }

    /// Puts the piece that is held down, if all of it comes to lie on the bed.
    fn put(&mut self, index: usize, grip: Cell) {
        if self.cells(index, grip).all(|cell| self.is_bed(cell)) {
            self.lies[index].grip = Some(grip);
            self.held = None;
            let cells: Vec<Cell> = self.covered(index).collect();
            let sinks = |other: &&usize| **other > index && self.covered(**other).all(|cell| !cells.contains(&cell));
            let above = self.pile.iter().rev().take_while(sinks).count();
            self.pile.insert(self.pile.len() - above, index);
        }
    }

    /// Takes a piece from the bed into the hand.
    fn lift(&mut self, index: usize) {
        self.lies[index].grip = None;
        self.pile.retain(|other| *other != index);
        self.held = Some(index);
    }

    fn click(&mut self, cell: Cell) {
        let bay = (0..self.lies.len()).find(|index| {
            let corner = bay(*index);
            (corner.x..corner.x + BAY).contains(&cell.x) && (corner.y..corner.y + BAY).contains(&cell.y)
        });
        let place = Cell::at(cell.x - self.corner().x, cell.y - self.corner().y);
        match (bay, self.held) {
            (Some(index), _) if self.lies[index].grip.is_none() => self.pick(index),
            (None, Some(held)) if self.is_bed(place) => self.put(held, place),
            (None, None) => {
                if let Some(top) = self.top(place) {
                    self.lift(top);
                }
            }
            _ => {}
        }
    }

    /// The colour seen at a cell of the bed.
    fn seen(&self, cell: Cell) -> Option<u8> {
        self.top(cell).map(|index| self.plan().pieces[index].color)
    }

    fn is_solved(&self) -> bool {
        let fits = |(cell, wanted): (Cell, &u8)| *wanted == b'.' || self.seen(cell) == Some(*wanted);
        self.pile.len() == self.lies.len() && self.bed.iter().all(fits)
    }

    /// The view's cell of the top left corner of the bed.
    fn corner(&self) -> Cell {
        Cell::at((4 * BAY - self.bed.width()) / 2, (TRAY - self.bed.height()) / 2)
    }

    fn draw_bed(&self, scene: &mut Scene) {
        let corner = self.corner();
        for cell in self.bed.cells().filter(|cell| self.is_bed(*cell)) {
            let place = Cell::at(corner.x + cell.x, corner.y + cell.y);
            scene.cell(place, BED);
            scene.cell(place, self.seen(cell).map_or(BED, color));
            scene.inset(place, 1, color(self.bed[cell]));
        }
        for grip in self.lies.iter().filter_map(|lie| lie.grip).filter(|grip| self.is_on_top(*grip)) {
            scene.pixel(Cell::at(corner.x + grip.x, corner.y + grip.y), (0, 0), GRIP);
        }
    }

    /// Whether the grip that lies on a cell can be seen.
    fn is_on_top(&self, grip: Cell) -> bool {
        self.top(grip).is_some_and(|top| self.lies[top].grip == Some(grip))
    }

    fn draw_bay(&self, scene: &mut Scene, index: usize) {
        let corner = bay(index);
        let board = if self.held == Some(index) { CHOSEN } else { BOARD };
        scene.rectangle(corner, (0, 0), (BAY * 4 - 1, BAY * 4 - 1), board);
        scene.rectangle(corner, (1, 1), (BAY * 4 - 3, BAY * 4 - 3), BOARD);
        if self.plan().turns {
            scene.rectangle(corner, (BAY * 4 - 4, 1), (2, 2), HINGE);
        }
        if self.lies[index].grip.is_some() {
            return;
        }
        let cells: Vec<Cell> = self.cells(index, Cell::at(0, 0)).collect();
        let left = cells.iter().map(|cell| cell.x).min().unwrap_or(0);
        let top = cells.iter().map(|cell| cell.y).min().unwrap_or(0);
        for cell in &cells {
            let offset = (2 + (cell.x - left) * 3, 2 + (cell.y - top) * 3);
            scene.rectangle(corner, offset, (3, 3), color(self.plan().pieces[index].color));
        }
        scene.rectangle(corner, (3 - left * 3, 3 - top * 3), (1, 1), GRIP);
    }
}

/// The top left cell of a piece's place in the tray.
fn bay(index: usize) -> Cell {
    Cell::at(index as i16 * BAY, TRAY)
}

fn color(letter: u8) -> Color {
    Color::of(match letter {
        b'r' => 8,
        b'y' => 11,
        b'g' => 14,
        _ => 9,
    })
}

impl Title for Inlay {
    const ABOUT: About = About {
        stem: "i391",
        title: "Inlay",
        families: &[Family::Slots, Family::SelectThenAct, Family::Reference],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[4, 6, 8, 10, 8, 11, 12],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 2,
            full: Color::of(10),
            empty: Color::of(4),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Inlay::of(index)
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        if let Input::Click(cell) = input {
            self.click(cell);
        }
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(TABLE);
        self.draw_bed(scene);
        (0..self.lies.len()).for_each(|index| self.draw_bay(scene, index));
    }

    fn view(&self) -> View {
        View::of(4 * BAY, TRAY + BAY, 4).framed(TABLE)
    }

    fn inputs(&self) -> Vec<Input> {
        let corner = self.corner();
        let bed = self.bed.cells().filter(|cell| self.is_bed(*cell));
        let places = bed.map(|cell| Cell::at(corner.x + cell.x, corner.y + cell.y));
        (0..self.lies.len()).map(bay).chain(places).map(Input::Click).collect()
    }

    /// Every piece in the tray has to be picked and put.
    fn bound(&self) -> u32 {
        2 * (self.lies.len() - self.pile.len()) as u32 - u32::from(self.held.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn click(inlay: &mut Inlay, x: i16, y: i16) {
        inlay.click(Cell::at(x, y));
    }

    /// Clicks a cell of the bed.
    fn click_bed(inlay: &mut Inlay, x: i16, y: i16) {
        let corner = inlay.corner();
        click(inlay, corner.x + x, corner.y + y);
    }

    #[test]
    fn a_piece_that_does_not_fit_stays_in_the_hand() {
        let mut inlay = Inlay::of(0);
        click(&mut inlay, 0, TRAY);
        click_bed(&mut inlay, 0, 0);
        assert_eq!((inlay.held, inlay.pile.len()), (Some(0), 0));
        click_bed(&mut inlay, 4, 0);
        assert_eq!((inlay.held, inlay.pile.len()), (None, 1));
    }

    #[test]
    fn four_turns_are_none() {
        let mut inlay = Inlay::of(3);
        click(&mut inlay, 0, TRAY);
        let picked = inlay.clone();
        for _ in 0..3 {
            click(&mut inlay, 0, TRAY);
            assert_ne!(inlay, picked);
        }
        click(&mut inlay, 0, TRAY);
        assert_eq!(inlay, picked);
    }

    #[test]
    fn the_topmost_piece_is_seen_and_lifted() {
        let mut inlay = Inlay::of(4);
        click(&mut inlay, 3 * BAY, TRAY);
        click_bed(&mut inlay, 0, 1);
        click(&mut inlay, 2 * BAY, TRAY);
        click_bed(&mut inlay, 1, 0);
        assert_eq!(inlay.seen(Cell::at(1, 1)), Some(b'b'));
        click_bed(&mut inlay, 1, 1);
        assert_eq!((inlay.held, inlay.seen(Cell::at(1, 1))), (Some(2), Some(b'r')));
    }
}
