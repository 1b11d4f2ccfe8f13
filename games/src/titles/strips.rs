//! Strips: tiles are clicked in the order that the strip at the top tells; a wrong one sends the player to its start.
//!
//! From the second level on, each tile has to touch the one before it. Levels add, one after the other: that chain;
//! a strip of shapes; a strip of counts, where dots tell how many dots the tile has; tiles that take the next colour
//! when a neighbour is clicked; a strip of all three kinds; the chain as a knight's moves.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Board, Cell, Dice, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// One level, as maps of one size.
#[derive(Debug)]
struct Plan {
    /// What each position of the strip asks for: a colour `r` `y` `g`, a shape `O` `X` `T`, or a count `1` to `4`.
    strip: &'static str,
    colors: &'static str,
    /// Shape of each tile; `.` where there is none and it is a plain one.
    shapes: &'static str,
    /// How a tile may follow another.
    chain: Chain,
    /// Whether a click gives the tiles around it their next colour.
    spreads: bool,
}

/// Which tiles may follow a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chain {
    /// Any.
    Loose,
    /// Those that touch it.
    Touching,
    /// Those a knight's move away.
    Knight,
}

const LEVELS: [Plan; 7] = [
    Plan {
        strip: "rgyg",
        colors: "
            yg
            gr
        ",
        shapes: "",
        chain: Chain::Loose,
        spreads: false,
    },
    Plan {
        strip: "yrgrgr",
        colors: "
            gryr
            ygry
            rygr
        ",
        shapes: "",
        chain: Chain::Touching,
        spreads: false,
    },
    Plan {
        strip: "TXOXOXX",
        colors: "
            rygr
            gyrg
            ryyr
        ",
        shapes: "
            XOXT
            TXOX
            OXTO
        ",
        chain: Chain::Touching,
        spreads: false,
    },
    Plan {
        strip: "23124143",
        colors: "
            gyrg
            ryyr
            rgyg
        ",
        shapes: "
            1432
            4213
            1342
        ",
        chain: Chain::Touching,
        spreads: false,
    },
    Plan {
        strip: "yrygyrgyg",
        colors: "
            ryrg
            gryy
            yggr
        ",
        shapes: "",
        chain: Chain::Touching,
        spreads: true,
    },
    Plan {
        strip: "rX1rgyr23y",
        colors: "
            gryrg
            ygrgy
            rygry
            gyryg
        ",
        shapes: "
            X1T3O
            2O1X2
            T3XO1
            O2T1X
        ",
        chain: Chain::Touching,
        spreads: true,
    },
    Plan {
        strip: "gry3Xrr1OO",
        colors: "
            gryrg
            ygrgy
            rygry
            gyryg
        ",
        shapes: "
            X1T3O
            2O1X2
            T3XO1
            O2T1X
        ",
        chain: Chain::Knight,
        spreads: false,
    },
];

const GROUND: Color = Color::of(5);
const RAIL: Color = Color::of(3);
const DONE: Color = Color::of(0);
const INK: Color = Color::of(5);
const GRAY: Color = Color::of(2);
const USED: Color = Color::of(4);
const CYCLE: [u8; 3] = *b"ryg";

/// Rows of the strip and the gap below it.
const TOP: i16 = 3;

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Strips {
    level: usize,
    colors: Board<u8>,
    shapes: Map,
    /// The tiles clicked so far, in order.
    path: Vec<Cell>,
}

impl Strips {
    fn of(level: usize) -> Strips {
        let plan = &LEVELS[level];
        Strips {
            level,
            colors: Board::clone(&Map::parse(plan.colors)),
            shapes: Map::parse(plan.shapes),
            path: Vec::new(),
        }
    }

    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    /// Whether a tile is the right one to click.
    fn is_next(&self, cell: Cell) -> bool {
        let asked = self.plan().strip.as_bytes().get(self.path.len());
        let fits = asked == self.colors.get(cell) || asked == self.shapes.get(cell);
        fits && !self.path.contains(&cell) && self.follows(cell)
    }

    /// Whether the chain allows a tile after the latest one.
    fn follows(&self, cell: Cell) -> bool {
        let Some(last) = self.path.last() else { return true };
        let (dx, dy) = (cell.x.abs_diff(last.x), cell.y.abs_diff(last.y));
        match self.plan().chain {
            Chain::Loose => true,
            Chain::Touching => dx + dy == 1,
            Chain::Knight => dx * dy == 2,
        }
    }

    /// Gives the unused tiles around a cell their next colour.
    fn spread(&mut self, cell: Cell) {
        let near = |other: &Cell| other.distance(cell) == 1 && !self.path.contains(other);
        let around: Vec<Cell> = self.colors.cells().filter(near).collect();
        for other in around {
            self.colors[other] = next(self.colors[other]);
        }
    }

    fn click(&mut self, cell: Cell) {
        if !self.is_next(cell) {
            *self = Strips::of(self.level);
            return;
        }
        self.path.push(cell);
        if self.plan().spreads {
            self.spread(cell);
        }
    }

    fn is_solved(&self) -> bool {
        self.path.len() == self.plan().strip.len()
    }

    /// The view's cell of a tile.
    fn place(&self, cell: Cell) -> Cell {
        Cell::at(cell.x + (self.view().width - self.colors.width()) / 2, cell.y + TOP)
    }

    fn draw_strip(&self, scene: &mut Scene) {
        scene.block(Cell::at(0, 0), self.view().width, 2, RAIL);
        for (index, asked) in (0i16..).zip(self.plan().strip.bytes()) {
            let place = Cell::at(index, 0);
            draw_tile(scene, place, color(asked).unwrap_or(GRAY), asked);
            if (index as usize) < self.path.len() {
                scene.rectangle(place, (0, 6), (5, 3), DONE);
            }
        }
    }

    fn draw_board(&self, scene: &mut Scene) {
        for (cell, letter) in self.colors.iter() {
            let place = self.place(cell);
            let is_used = self.path.contains(&cell);
            let face = if is_used { USED } else { color(*letter).unwrap_or(GRAY) };
            if self.path.last() == Some(&cell) {
                scene.rectangle(place, (-1, -1), (7, 7), DONE);
            }
            draw_tile(scene, place, face, self.shapes.get(cell).copied().unwrap_or(b'.'));
            if !is_used && !self.path.is_empty() && self.follows(cell) {
                for corner in [(0, 0), (4, 0), (0, 4), (4, 4)] {
                    scene.pixel(place, corner, DONE);
                }
            }
        }
    }
}

fn draw_tile(scene: &mut Scene, place: Cell, face: Color, letter: u8) {
    scene.rectangle(place, (0, 0), (5, 5), face);
    scene.sprite(place, sign(letter).tinted(INK));
}

/// What a letter of a map looks like on a tile.
fn sign(letter: u8) -> Sprite {
    Sprite::of(match letter {
        b'O' => &[".....", ".###.", ".#.#.", ".###.", "....."],
        b'X' => &[".....", ".#.#.", "..#..", ".#.#.", "....."],
        b'T' => &[".....", ".###.", "..#..", "..#..", "....."],
        b'1' => &[".....", ".....", "..#..", ".....", "....."],
        b'2' => &[".....", ".....", ".#.#.", ".....", "....."],
        b'3' => &[".....", ".#.#.", ".....", "..#..", "....."],
        b'4' => &[".....", ".#.#.", ".....", ".#.#.", "....."],
        _ => &[],
    })
}

/// The colour after a colour.
fn next(color: u8) -> u8 {
    let at = CYCLE.iter().position(|it| *it == color).unwrap_or(0);
    CYCLE[(at + 1) % CYCLE.len()]
}

fn color(letter: u8) -> Option<Color> {
    match letter {
        b'r' => Some(Color::of(6)),
        b'y' => Some(Color::of(11)),
        b'g' => Some(Color::of(10)),
        _ => None,
    }
}

impl Title for Strips {
    const ABOUT: About = About {
        stem: "s268",
        title: "Strips",
        families: &[Family::Sequence, Family::Glyphs, Family::ColorCycle],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[4, 6, 7, 8, 9, 10, 10],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(12),
            empty: Color::of(3),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Strips::of(index)
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        if let Input::Click(cell) = input {
            let corner = self.place(Cell::at(0, 0));
            let tile = Cell::at(cell.x - corner.x, cell.y - corner.y);
            if self.colors.get(tile).is_some() {
                self.click(tile);
            }
        }
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(GROUND);
        self.draw_strip(scene);
        self.draw_board(scene);
    }

    fn view(&self) -> View {
        let width = self.colors.width().max(self.plan().strip.len() as i16);
        View::of(width, self.colors.height() + TOP + 1, 6).framed(GROUND)
    }

    fn inputs(&self) -> Vec<Input> {
        self.colors.cells().map(|cell| Input::Click(self.place(cell))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_tile_clears_the_strip() {
        let mut strips = Strips::of(1);
        strips.click(Cell::at(3, 1));
        strips.click(Cell::at(3, 2));
        assert_eq!(strips.path.len(), 2);
        strips.click(Cell::at(0, 0));
        assert_eq!(strips, Strips::of(1));
    }

    #[test]
    fn a_chain_is_broken_by_a_tile_that_does_not_touch() {
        let mut strips = Strips::of(1);
        strips.click(Cell::at(3, 1));
        assert!(strips.is_next(Cell::at(3, 2)));
        assert!(!strips.is_next(Cell::at(1, 0)), "the right colour, but elsewhere");
    }

    #[test]
    fn a_click_changes_the_tiles_around_it_but_no_used_one() {
        let mut strips = Strips::of(4);
        strips.click(Cell::at(3, 1));
        strips.click(Cell::at(3, 0));
        assert_eq!(strips.colors[Cell::at(3, 1)], b'y');
        assert_eq!(strips.colors[Cell::at(2, 0)], next(b'r'));
        assert_eq!(strips.colors[Cell::at(2, 1)], next(b'y'));
    }
}
