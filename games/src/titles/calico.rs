//! Calico: wooden blocks with several dyes print a cloth, tile by tile, until it is like the sample beside it.
//!
//! Keys move a frame over the cloth, the space bar prints there what is carved into the block in hand; where a block has no
//! dye the cloth stays as it is. A click takes a block from the shelf. Levels add, one after the other: one block; two of
//! them; prints over prints; blocks that a further click turns by a quarter; a block on white felt, which washes its own
//! dye out where that lies already; all of it on a larger cloth, with the sample below.

use env_client::{ActionSet, Color};

use crate::engine::{
    About, Bar, Board, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Title, Verdict, View,
};

/// What prints.
struct Block {
    /// Rows of dyes, `.` where it has none.
    carving: &'static str,
    /// Whether it washes out a dye where it lies already.
    washes: bool,
}

/// Where the things of a level are, in logical pixels, and how large.
struct Table {
    /// Cells along each side of the view.
    side: i16,
    cloth: (i16, i16),
    /// From tile to tile of the cloth.
    pitch: i16,
    sample: (i16, i16),
    /// Sides of a tile of the sample, and of one of a block on the shelf.
    dot: i16,
    chip: i16,
    /// The cell where the shelf begins, whether it is upright, and the cells along each side of a slot.
    shelf: Cell,
    upright: bool,
    slot: i16,
}

/// One level.
struct Plan {
    table: &'static Table,
    /// Tiles along each side of the cloth.
    tiles: i16,
    /// Whether blocks turn.
    turns: bool,
    blocks: &'static [Block],
    /// Prints that make the sample: the block, its quarter turns, and where its upper left corner is.
    sample: &'static [(usize, u8, (i16, i16))],
}

const BESIDE: Table = Table {
    side: 8,
    cloth: (2, 3),
    pitch: 4,
    sample: (21, 3),
    dot: 2,
    chip: 2,
    shelf: Cell::at(0, 6),
    upright: false,
    slot: 2,
};

const LEFT: Table = Table {
    side: 15,
    cloth: (25, 5),
    pitch: 7,
    sample: (5, 6),
    dot: 3,
    chip: 3,
    shelf: Cell::at(3, 11),
    upright: false,
    slot: 3,
};

const BELOW: Table = Table {
    side: 15,
    cloth: (4, 4),
    pitch: 6,
    sample: (14, 42),
    dot: 2,
    chip: 2,
    shelf: Cell::at(12, 1),
    upright: true,
    slot: 2,
};

const fn block(carving: &'static str) -> Block {
    Block { carving, washes: false }
}

const PLANS: [Plan; 6] = [
    Plan {
        table: &BESIDE,
        tiles: 4,
        turns: false,
        blocks: &[block("rb br")],
        sample: &[(0, 0, (0, 0)), (0, 0, (2, 2))],
    },
    Plan {
        table: &BESIDE,
        tiles: 4,
        turns: false,
        blocks: &[block("rb br"), block("yry")],
        sample: &[(0, 0, (2, 0)), (1, 0, (0, 2)), (1, 0, (1, 3))],
    },
    Plan {
        table: &BESIDE,
        tiles: 4,
        turns: false,
        blocks: &[block("yy y."), block("b r b"), block("rr")],
        sample: &[(0, 0, (2, 0)), (1, 0, (2, 1)), (2, 0, (1, 1)), (0, 0, (0, 2))],
    },
    Plan {
        table: &LEFT,
        tiles: 4,
        turns: true,
        blocks: &[block("rby")],
        sample: &[(0, 0, (0, 3)), (0, 1, (3, 0)), (0, 2, (0, 1))],
    },
    Plan {
        table: &LEFT,
        tiles: 4,
        turns: false,
        blocks: &[block("ry yr"), Block { carving: "yyy y.y", washes: true }],
        sample: &[(0, 0, (0, 0)), (0, 0, (2, 2)), (1, 0, (1, 1))],
    },
    Plan {
        table: &BELOW,
        tiles: 5,
        turns: true,
        blocks: &[block("rb y."), Block { carving: "bbb", washes: true }],
        sample: &[(0, 0, (0, 0)), (1, 0, (2, 0)), (0, 2, (3, 3)), (1, 0, (2, 4))],
    },
];

const COUNTER: Color = Color::of(3);
const HEM: Color = Color::of(1);
const LINEN: Color = Color::of(0);
const FRAME: Color = Color::of(5);
const WOOD: Color = Color::of(13);
const FELT: Color = Color::of(0);
const HELD: Color = Color::of(7);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Calico {
    level: usize,
    wanted: Map,
    cloth: Board<u8>,
    /// The tile under the upper left corner of the block in hand.
    at: Cell,
    held: usize,
    /// Quarter turns of each block.
    turns: Vec<u8>,
}

/// The dyes of a block after some quarter turns clockwise.
fn carved(block: &Block, turns: u8) -> Board<u8> {
    let flat = Map::parse(&block.carving.replace(' ', "\n"));
    (0..turns).fold(Board::clone(&flat), |it, _| {
        let last = it.height() - 1;
        Board::new(it.height(), it.width(), |cell| it[Cell::at(cell.y, last - cell.x)])
    })
}

/// Prints a block with its corner on a tile.
fn print(cloth: &mut Board<u8>, block: &Block, turns: u8, at: Cell) {
    for (cell, dye) in carved(block, turns).iter().filter(|(_, dye)| **dye != b'.') {
        let tile = &mut cloth[Cell::at(at.x + cell.x, at.y + cell.y)];
        *tile = if block.washes && *tile == *dye { b'.' } else { *dye };
    }
}

fn color(dye: u8) -> Color {
    match dye {
        b'r' => Color::of(8),
        b'b' => Color::of(9),
        b'y' => Color::of(12),
        _ => LINEN,
    }
}

impl Calico {
    fn of(level: usize) -> Calico {
        let Plan { tiles, blocks, sample, .. } = &PLANS[level];
        let cloth = Board::new(*tiles, *tiles, |_| b'.');
        let mut wanted = cloth.clone();
        for (index, turns, (x, y)) in *sample {
            print(&mut wanted, &blocks[*index], *turns, Cell::at(*x, *y));
        }
        Calico { level, wanted: wanted.into(), cloth, at: Cell::at(0, 0), held: 0, turns: vec![0; blocks.len()] }
    }

    fn plan(&self) -> &'static Plan {
        &PLANS[self.level]
    }

    /// Columns and rows of the block in hand.
    fn size(&self) -> (i16, i16) {
        let block = carved(&self.plan().blocks[self.held], self.turns[self.held]);
        (block.width(), block.height())
    }

    /// Moves the frame, which stays on the cloth.
    fn shift(&mut self, dir: Dir) {
        self.at = self.at + dir;
        self.fit();
    }

    fn fit(&mut self) {
        let (width, height) = self.size();
        let tiles = self.plan().tiles;
        self.at = Cell::at(self.at.x.clamp(0, tiles - width), self.at.y.clamp(0, tiles - height));
    }

    /// Takes a block, or turns the one in hand.
    fn take(&mut self, index: usize) {
        if index != self.held {
            self.held = index;
        } else if self.plan().turns {
            self.turns[index] = (self.turns[index] + 1) % 4;
        }
        self.fit();
    }

    /// The cell of the view in the upper left corner of a slot.
    fn slot(&self, index: usize) -> Cell {
        let Table { shelf, upright, slot, .. } = self.plan().table;
        let along = index as i16 * (slot + 1);
        if *upright { Cell::at(shelf.x, shelf.y + along) } else { Cell::at(shelf.x + along, shelf.y) }
    }

    fn block_at(&self, cell: Cell) -> Option<usize> {
        let side = self.plan().table.slot;
        (0..self.turns.len()).find(|index| {
            let slot = self.slot(*index);
            (0..side).contains(&(cell.x - slot.x)) && (0..side).contains(&(cell.y - slot.y))
        })
    }

    /// Tiles that are not as the sample wants them.
    fn wrong(&self) -> impl Iterator<Item = Cell> {
        self.wanted.iter().filter(|(cell, dye)| self.cloth[*cell] != **dye).map(|(cell, _)| cell)
    }

    fn draw_cloth(&self, scene: &mut Scene) {
        let Table { cloth: (left, top), pitch, sample: (x, y), dot, .. } = self.plan().table;
        let (corner, tiles) = (Cell::at(0, 0), self.plan().tiles);
        scene.rectangle(corner, (left - 1, top - 1), (tiles * pitch + 1, tiles * pitch + 1), HEM);
        scene.rectangle(corner, (x - 1, y - 1), (tiles * dot + 2, tiles * dot + 2), HEM);
        let ((width, height), at) = (self.size(), self.at);
        let frame = (left + at.x * pitch - 1, top + at.y * pitch - 1);
        scene.rectangle(corner, frame, (width * pitch + 1, height * pitch + 1), FRAME);
        for (cell, dye) in self.cloth.iter() {
            let is_framed = (0..width).contains(&(cell.x - at.x)) && (0..height).contains(&(cell.y - at.y));
            let offset = (left + cell.x * pitch, top + cell.y * pitch);
            if is_framed {
                let (right, bottom) = (cell.x - at.x + 1 < width, cell.y - at.y + 1 < height);
                let size = (pitch - i16::from(!right), pitch - i16::from(!bottom));
                scene.rectangle(corner, offset, size, HEM);
            }
            scene.rectangle(corner, offset, (pitch - 1, pitch - 1), color(*dye));
            scene.rectangle(corner, (x + cell.x * dot, y + cell.y * dot), (*dot, *dot), color(self.wanted[cell]));
        }
    }

    fn draw_shelf(&self, scene: &mut Scene) {
        let Table { slot, chip, .. } = self.plan().table;
        for (index, block) in self.plan().blocks.iter().enumerate() {
            let (corner, side) = (self.slot(index), slot * TILE);
            let carved = carved(block, self.turns[index]);
            scene.rectangle(corner, (0, 0), (side, side), if index == self.held { HELD } else { COUNTER });
            scene.rectangle(corner, (1, 1), (side - 2, side - 2), if block.washes { FELT } else { WOOD });
            let (left, top) = ((side - carved.width() * chip) / 2, (side - carved.height() * chip) / 2);
            for (cell, dye) in carved.iter().filter(|(_, dye)| **dye != b'.') {
                scene.rectangle(corner, (left + cell.x * chip, top + cell.y * chip), (*chip, *chip), color(*dye));
            }
        }
    }
}

/// Logical pixels along a cell of the view.
const TILE: i16 = 4;

impl Title for Calico {
    const ABOUT: About = About {
        stem: "c736",
        title: "Calico",
        families: &[Family::Paint, Family::Reference, Family::SelectThenAct, Family::Toggle, Family::Undo],
        controls: ActionSet::ALL,
        optimal: &[6, 11, 13, 14, 9, 16],
        bar: Some(Bar { edge: Edge::Top, thickness: 1, full: Color::of(10), empty: Color::of(4), drain: Drain::Every }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Calico::of(index)
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        match input {
            Input::Move(dir) => self.shift(dir),
            Input::Act => {
                let block = &self.plan().blocks[self.held];
                print(&mut self.cloth, block, self.turns[self.held], self.at);
            }
            Input::Click(cell) => {
                if let Some(index) = self.block_at(cell) {
                    self.take(index);
                }
            }
        }
        if self.wrong().next().is_none() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(COUNTER);
        self.draw_cloth(scene);
        self.draw_shelf(scene);
    }

    fn view(&self) -> View {
        let side = self.plan().table.side;
        View::of(side, side, TILE).framed(COUNTER)
    }

    fn inputs(&self) -> Vec<Input> {
        let slots = (0..self.turns.len()).map(|index| Input::Click(self.slot(index)));
        Input::MOVES.into_iter().chain([Input::Act]).chain(slots).collect()
    }

    /// Every wrong tile has to be printed, a block that has its dye to be in hand, and the frame to come to it.
    fn bound(&self) -> u32 {
        let boards: Vec<Board<u8>> = self.plan().blocks.iter().map(|block| carved(block, 0)).collect();
        let dyes = |it: &Board<u8>| it.tiles().iter().filter(|dye| **dye != b'.').count();
        let most = boards.iter().map(dyes).max().unwrap_or(1);
        let reach = boards.iter().flat_map(|it| [it.width(), it.height()]).max().unwrap_or(1);
        let wrong: Vec<Cell> = self.wrong().collect();
        let lacks =
            |cell: &Cell| self.wanted[*cell] != b'.' && !boards[self.held].tiles().contains(&self.wanted[*cell]);
        let way = |at: i16, places: &mut dyn Iterator<Item = i16>| {
            // A block that turns near the hem is drawn back by it, at no cost.
            let (first, last) = (at.min(self.plan().tiles - reach), at + reach - 1);
            let (mut back, mut on) = (0, 0);
            places.for_each(|place| (back, on) = (back.max(first - place), on.max(place - last)));
            back + on + back.min(on)
        };
        let ways = way(self.at.x, &mut wrong.iter().map(|it| it.x)) + way(self.at.y, &mut wrong.iter().map(|it| it.y));
        (wrong.len().div_ceil(most) + ways as usize + usize::from(wrong.iter().any(lacks))) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(board: &Board<u8>) -> Vec<String> {
        let row = |y| (0..board.width()).map(|x| char::from(board[Cell::at(x, y)])).collect();
        (0..board.height()).map(row).collect()
    }

    #[test]
    fn a_block_turns_clockwise() {
        let corner = block("rb y.");
        assert_eq!(rows(&carved(&corner, 1)), ["yr", ".b"]);
        assert_eq!(rows(&carved(&block("rby"), 1)), ["r", "b", "y"]);
        assert_eq!(rows(&carved(&block("rby"), 2)), ["ybr"]);
    }

    #[test]
    fn a_hole_prints_nothing_and_felt_washes_its_own_dye_out() {
        let mut cloth = Board::clone(&Map::parse("rr\nbr"));
        print(&mut cloth, &block("b. .y"), 0, Cell::at(0, 0));
        assert_eq!(rows(&cloth), ["br", "by"]);
        print(&mut cloth, &Block { carving: "bb", washes: true }, 0, Cell::at(0, 0));
        assert_eq!(rows(&cloth), [".b", "by"]);
    }

    #[test]
    fn the_frame_stays_on_the_cloth() {
        let mut calico = Calico::of(3);
        (0..9).for_each(|_| calico.shift(Dir::Down));
        assert_eq!(calico.at, Cell::at(0, 3));
        calico.take(0);
        assert_eq!((calico.turns[0], calico.at), (1, Cell::at(0, 1)));
    }

    #[test]
    fn a_click_takes_another_block_and_turns_the_one_in_hand() {
        let mut calico = Calico::of(5);
        let click = |calico: &mut Calico, index| {
            let cell = calico.slot(index);
            calico.act(Input::Click(Cell::at(cell.x + 1, cell.y + 1)), &mut Film::blank());
        };
        click(&mut calico, 1);
        assert_eq!((calico.held, calico.turns.clone()), (1, vec![0, 0]));
        click(&mut calico, 1);
        assert_eq!((calico.held, calico.turns), (1, vec![0, 1]));
    }
}
