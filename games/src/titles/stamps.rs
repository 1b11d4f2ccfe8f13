//! Stamps: keys move a stamp over a canvas, the space bar prints it in the chosen colour, over what was there.
//!
//! The canvas has to become the small picture beside it, and every pot holds only so many prints. Clicks choose pots
//! and stamps. Levels add, one after the other: colours, of which the later one covers; two stamps; prints that
//! overlap on both sides; stamps of three shapes; a canvas that is painted already.

use env_client::{ActionSet, Color};

use crate::engine::{
    About, Bar, Board, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Title, Verdict, View,
};

/// The cells of a stamp, seen from its top left corner.
type Stamp = &'static [(i16, i16)];

/// One level.
#[derive(Debug)]
struct Plan {
    /// The canvas at the start; `.` is bare.
    start: &'static str,
    wanted: &'static str,
    stamps: &'static [Stamp],
    /// The colour of each pot, and the prints it holds.
    pots: &'static [(u8, u8)],
}

const HALF: Stamp = &[(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (3, 1)];
const ROW: Stamp = &[(0, 0), (1, 0), (2, 0), (3, 0)];
const COLUMN: Stamp = &[(0, 0), (0, 1), (0, 2), (0, 3)];
const BLOCK: Stamp = &[(0, 0), (1, 0), (0, 1), (1, 1)];
const CORNER: Stamp = &[(0, 0), (1, 0), (0, 1)];

const BARE: &str = "
    ....
    ....
    ....
    ....
";

const LEVELS: [Plan; 7] = [
    Plan {
        start: BARE,
        wanted: "
            ....
            ....
            rrrr
            rrrr
        ",
        stamps: &[HALF],
        pots: &[(b'r', 1)],
    },
    Plan {
        start: BARE,
        wanted: "
            rrrr
            yyyy
            yyyy
            bbbb
        ",
        stamps: &[HALF],
        pots: &[(b'r', 1), (b'y', 1), (b'b', 1)],
    },
    Plan {
        start: BARE,
        wanted: "
            ..b.
            rrbr
            ..b.
            yyyy
        ",
        stamps: &[ROW, COLUMN],
        pots: &[(b'b', 1), (b'r', 1), (b'y', 1)],
    },
    Plan {
        start: BARE,
        wanted: "
            rrrr
            rbbr
            .byy
            ..yy
        ",
        stamps: &[BLOCK],
        pots: &[(b'y', 1), (b'r', 2), (b'b', 1)],
    },
    Plan {
        start: BARE,
        wanted: "
            yy..
            yrr.
            bryy
            bbyb
        ",
        stamps: &[CORNER, BLOCK, HALF],
        pots: &[(b'r', 1), (b'y', 2), (b'b', 1)],
    },
    Plan {
        start: "
            r..r
            .rr.
            .rr.
            r..r
        ",
        wanted: "
            rb.r
            bbbb
            yyrr
            rbrr
        ",
        stamps: &[ROW, COLUMN, CORNER],
        pots: &[(b'b', 2), (b'y', 1), (b'r', 1)],
    },
    Plan {
        start: "
            yyyy
            y..y
            y..y
            yyyy
        ",
        wanted: "
            yrrr
            rrbb
            rrbr
            yybr
        ",
        stamps: &[BLOCK, COLUMN, CORNER],
        pots: &[(b'b', 2), (b'r', 3)],
    },
];

/// A bound for states from which no way leads on: more than any level takes.
const DEAD: u32 = 200;

const TABLE: Color = Color::of(15);
const PAPER: Color = Color::of(0);
const FRAME: Color = Color::of(5);
const CHOSEN: Color = Color::of(0);
const BRUSH: Color = Color::of(5);
const SHELF: Color = Color::of(4);

/// The cell of the view where the canvas begins.
const CANVAS: Cell = Cell::at(1, 1);
/// Where the small picture is.
const PICTURE: Cell = Cell::at(7, 1);
/// The row of the stamps, and that of the pots.
const STAMPS: i16 = 6;
const POTS: i16 = 8;
/// Logical pixels a cell is wide.
const TILE: i16 = 6;

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stamps {
    level: usize,
    wanted: Map,
    canvas: Board<u8>,
    /// The cell of the canvas under the top left corner of the stamp.
    at: Cell,
    stamp: usize,
    pot: usize,
    /// Prints left in each pot.
    prints: Vec<u8>,
}

impl Stamps {
    fn of(level: usize) -> Stamps {
        let plan = &LEVELS[level];
        Stamps {
            level,
            wanted: Map::parse(plan.wanted),
            canvas: Board::clone(&Map::parse(plan.start)),
            at: Cell::at(0, 0),
            stamp: 0,
            pot: 0,
            prints: plan.pots.iter().map(|(_, prints)| *prints).collect(),
        }
    }

    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    /// The cells that a print would cover, were the stamp at a cell.
    fn footprint(&self, at: Cell) -> impl Iterator<Item = Cell> + use<> {
        self.plan().stamps[self.stamp].iter().map(move |(x, y)| Cell::at(at.x + x, at.y + y))
    }

    fn fits(&self, at: Cell) -> bool {
        self.footprint(at).all(|cell| self.canvas.get(cell).is_some())
    }

    fn shift(&mut self, dir: Dir) {
        if self.fits(self.at + dir) {
            self.at = self.at + dir;
        }
    }

    fn print(&mut self) {
        if self.prints[self.pot] > 0 {
            self.prints[self.pot] -= 1;
            for cell in self.footprint(self.at) {
                self.canvas[cell] = self.plan().pots[self.pot].0;
            }
        }
    }

    /// Chooses a stamp or a pot.
    fn choose(&mut self, cell: Cell) {
        let index = (cell.x - 1) as usize / 2;
        let is_slot = cell.x % 2 == 1;
        match cell.y {
            STAMPS if is_slot && index < self.plan().stamps.len() => self.take(index),
            POTS if is_slot && index < self.prints.len() => self.pot = index,
            _ => {}
        }
    }

    /// Takes another stamp, and moves it onto the canvas where it reaches beyond.
    fn take(&mut self, stamp: usize) {
        self.stamp = stamp;
        while !self.fits(self.at) {
            let is_wide = self.footprint(self.at).any(|cell| cell.x >= self.canvas.width());
            self.at = self.at + if is_wide { Dir::Left } else { Dir::Up };
        }
    }

    fn is_solved(&self) -> bool {
        self.canvas == *self.wanted
    }

    /// Cells that still have to be printed in a colour.
    fn missing(&self, color: u8) -> usize {
        let pairs = self.wanted.iter().zip(self.canvas.tiles());
        pairs.filter(|((_, wanted), seen)| **wanted == color && **seen != color).count()
    }

    fn draw_canvas(&self, scene: &mut Scene) {
        let side = self.canvas.width();
        scene.rectangle(CANVAS, (-1, -1), (side * TILE + 2, side * TILE + 2), FRAME);
        scene.rectangle(PICTURE, (-1, -1), (side * 3 + 2, side * 3 + 2), FRAME);
        for (cell, seen) in self.canvas.iter() {
            scene.cell(Cell::at(CANVAS.x + cell.x, CANVAS.y + cell.y), color(*seen));
            scene.rectangle(PICTURE, (cell.x * 3, cell.y * 3), (3, 3), color(self.wanted[cell]));
        }
        for cell in self.footprint(self.at) {
            let place = Cell::at(CANVAS.x + cell.x, CANVAS.y + cell.y);
            let under = color(self.canvas[cell]);
            scene.inset(place, 1, BRUSH);
            scene.inset(place, 2, under);
        }
    }

    fn draw_stamps(&self, scene: &mut Scene) {
        for (index, stamp) in self.plan().stamps.iter().enumerate() {
            let slot = Cell::at(1 + 2 * index as i16, STAMPS);
            draw_slot(scene, slot, index == self.stamp);
            for (x, y) in *stamp {
                scene.pixel(slot, (1 + x, 1 + y), CHOSEN);
            }
        }
    }

    fn draw_pots(&self, scene: &mut Scene) {
        for (index, (letter, _)) in self.plan().pots.iter().enumerate() {
            let slot = Cell::at(1 + 2 * index as i16, POTS);
            draw_slot(scene, slot, index == self.pot);
            scene.inset(slot, 1, color(*letter));
            for print in 0..i16::from(self.prints[index]) {
                scene.rectangle(slot + Dir::Down, (print * 2, 1), (1, 3), color(*letter));
            }
        }
    }
}

/// A slot of the shelf, with a rim when it is chosen.
fn draw_slot(scene: &mut Scene, slot: Cell, is_chosen: bool) {
    if is_chosen {
        scene.rectangle(slot, (-1, -1), (TILE + 2, TILE + 2), CHOSEN);
    }
    scene.cell(slot, SHELF);
}

fn color(letter: u8) -> Color {
    match letter {
        b'r' => Color::of(8),
        b'y' => Color::of(11),
        b'b' => Color::of(9),
        _ => PAPER,
    }
}

impl Title for Stamps {
    const ABOUT: About = About {
        stem: "c157",
        title: "Stamps",
        families: &[Family::Paint, Family::Reference, Family::SelectThenAct, Family::Undo],
        controls: ActionSet::ALL,
        optimal: &[3, 8, 14, 13, 16, 14, 18],
        bar: Some(Bar {
            edge: Edge::Left,
            thickness: 2,
            full: Color::of(12),
            empty: Color::of(13),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Stamps::of(index)
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        match input {
            Input::Move(dir) => self.shift(dir),
            Input::Act => self.print(),
            Input::Click(cell) => self.choose(cell),
        }
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(TABLE);
        self.draw_canvas(scene);
        self.draw_stamps(scene);
        self.draw_pots(scene);
    }

    fn view(&self) -> View {
        View::of(10, 10, TILE).framed(TABLE)
    }

    fn inputs(&self) -> Vec<Input> {
        let slots = |count: usize, row| (0..count as i16).map(move |index| Input::Click(Cell::at(1 + 2 * index, row)));
        let clicks = slots(self.plan().stamps.len(), STAMPS).chain(slots(self.prints.len(), POTS));
        Input::MOVES.into_iter().chain([Input::Act]).chain(clicks).collect()
    }

    /// Every colour has to be printed as often as its cells need, and to be chosen first.
    fn bound(&self) -> u32 {
        let largest = self.plan().stamps.iter().map(|stamp| stamp.len()).max().unwrap_or(1);
        let mut cost = 0;
        for (index, (letter, _)) in self.plan().pots.iter().enumerate() {
            let prints = self.missing(*letter).div_ceil(largest);
            if prints > usize::from(self.prints[index]) {
                return DEAD;
            }
            cost += prints as u32 + u32::from(prints > 0 && index != self.pot);
        }
        if self.missing(b'.') > 0 { DEAD } else { cost }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_later_print_covers_and_an_empty_pot_prints_nothing() {
        let mut stamps = Stamps::of(1);
        stamps.print();
        stamps.shift(Dir::Down);
        stamps.pot = 1;
        stamps.print();
        let column = |stamps: &Stamps| (0..4).map(|y| stamps.canvas[Cell::at(0, y)]).collect::<Vec<_>>();
        assert_eq!(column(&stamps), b"ryy.");
        stamps.shift(Dir::Down);
        stamps.print();
        assert_eq!(column(&stamps), b"ryy.");
    }

    #[test]
    fn a_stamp_stays_on_the_canvas() {
        let mut stamps = Stamps::of(2);
        stamps.shift(Dir::Right);
        assert_eq!(stamps.at, Cell::at(0, 0), "a row is as wide as the canvas");
        (0..9).for_each(|_| stamps.shift(Dir::Down));
        assert_eq!(stamps.at, Cell::at(0, 3));
        stamps.take(1);
        assert_eq!(stamps.at, Cell::at(0, 0), "a column is as high as the canvas");
    }

    #[test]
    fn a_level_is_lost_once_a_pot_is_wasted() {
        let mut stamps = Stamps::of(0);
        stamps.print();
        assert_eq!(stamps.bound(), DEAD);
    }
}
