//! Tongs: a crab takes hold of the block before it, then pushes and pulls it to the brackets of its colour.
//!
//! The space bar closes and opens the tongs. Levels add, one after the other: a second block; colours; studded blocks,
//! too heavy to be pulled; narrow corridors; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS_AND_SPACE, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title,
    Verdict, View,
};

/// `#` wall, `@` the crab, `A` and `B` blocks, `X` and `Y` heavy ones of the same colours, `a` and `b` their brackets.
const LEVELS: [&str; 6] = [
    "
    #######
    ##A####
    #.....#
    #@a...#
    #.....#
    #######
    ",
    "
    ########
    #A..##.#
    #..@#.##
    #.A....#
    #..a...#
    #.#...a#
    ########
    ",
    "
    ########
    #@.A...#
    #..##..#
    #.B....#
    #...a..#
    #.#..b##
    ########
    ",
    "
    #########
    #...#.b.#
    #.@X...##
    #.Y..#..#
    #...#...#
    #a......#
    #########
    ",
    "
    ##########
    ##..#....#
    #..@.AB#.#
    #..#.#...#
    #..a#....#
    #.#.##...#
    #.....##b#
    ##########
    ",
    "
    ##########
    #@..##...#
    #..A...#.#
    #.B.##...#
    #..a#..Yb#
    #.#....b.#
    #......#.#
    ##########
    ",
];

const FLOOR: Color = Color::of(5);
const WALL: Color = Color::of(13);
const SAND: Color = Color::of(4);
const COLORS: [Color; 2] = [Color::of(7), Color::of(14)];

const OPEN: Sprite = Sprite::of(&["b...b", "b...b", ".bbb.", ".bbb.", "b.b.b"]);
const CLOSED: Sprite = Sprite::of(&[".b.b.", "b...b", ".bbb.", ".bbb.", "b.b.b"]);
const BLOCK: Sprite = Sprite::of(&["#####", "#####", "#####", "#####", "#####"]);
const HEAVY: Sprite = Sprite::of(&["#####", "#3#3#", "#####", "#3#3#", "#####"]);
const BRACKETS: Sprite = Sprite::of(&["##.##", "#...#", ".....", "#...#", "##.##"]);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Block {
    cell: Cell,
    color: usize,
    is_heavy: bool,
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Quay {
    map: Map,
    crab: Cell,
    facing: Dir,
    /// Whether the tongs hold the block before the crab.
    is_holding: bool,
    /// In the order of their cells.
    blocks: Vec<Block>,
}

impl Quay {
    fn parse(text: &str) -> Quay {
        let map = Map::parse(text);
        let kinds = [(b'A', 0, false), (b'B', 1, false), (b'X', 0, true), (b'Y', 1, true)];
        let of = |(glyph, color, is_heavy)| map.find(glyph).map(move |cell| Block { cell, color, is_heavy });
        let mut blocks: Vec<Block> = kinds.into_iter().flat_map(of).collect();
        blocks.sort_unstable();
        Quay { crab: map.the(b'@'), facing: Dir::Up, is_holding: false, blocks, map }
    }

    fn block_at(&self, cell: Cell) -> Option<usize> {
        self.blocks.iter().position(|block| block.cell == cell)
    }

    fn is_free(&self, cell: Cell) -> bool {
        self.map.glyph(cell) != b'#' && self.block_at(cell).is_none()
    }

    /// Opens the tongs, or closes them around what is before them.
    fn grab(&mut self) {
        self.is_holding = !self.is_holding && self.block_at(self.crab + self.facing).is_some();
    }

    /// Turns, and goes on where nothing is in the way.
    fn walk(&mut self, dir: Dir) {
        self.facing = dir;
        if self.is_free(self.crab + dir) {
            self.crab = self.crab + dir;
        }
    }

    /// Moves the crab and what it holds along the line through both.
    fn haul(&mut self, dir: Dir) {
        let held = self.crab + self.facing;
        let Some(block) = self.block_at(held) else { return };
        let can_move = if dir == self.facing {
            self.is_free(held + dir)
        } else {
            dir == self.facing.opposite() && self.is_free(self.crab + dir) && !self.blocks[block].is_heavy
        };
        if can_move {
            self.crab = self.crab + dir;
            self.blocks[block].cell = held + dir;
            self.blocks.sort_unstable();
        }
    }

    /// Brackets, as a place and a colour.
    fn brackets(&self) -> impl Iterator<Item = (Cell, usize)> {
        let of = |glyph, color| self.map.find(glyph).map(move |cell| (cell, color));
        of(b'a', 0).chain(of(b'b', 1))
    }

    /// Steps from brackets to the nearest block of their colour.
    fn distance(&self, (cell, color): (Cell, usize)) -> u32 {
        let matching = self.blocks.iter().filter(|block| block.color == color);
        matching.map(|block| block.cell.distance(cell)).min().unwrap_or_default()
    }
}

impl Title for Quay {
    const ABOUT: About = About {
        stem: "t463",
        title: "Tongs",
        families: &[Family::Walls, Family::Push, Family::Pull, Family::Slots],
        controls: ARROWS_AND_SPACE,
        optimal: &[5, 35, 39, 47, 58, 39],
        bar: Some(Bar {
            edge: Edge::Left,
            thickness: 1,
            full: Color::of(12),
            empty: Color::of(5),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Quay::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        match input {
            Input::Act => self.grab(),
            Input::Move(dir) if self.is_holding => self.haul(dir),
            Input::Move(dir) => self.walk(dir),
            Input::Click(_) => {}
        }
        if self.bound() == 0 { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(FLOOR);
        for cell in self.map.find(b'#') {
            scene.cell(cell, WALL);
        }
        for (cell, color) in self.brackets() {
            scene.cell(cell, SAND);
            scene.sprite(cell, BRACKETS.tinted(COLORS[color]));
        }
        scene.layer(1);
        for block in &self.blocks {
            let sprite = if block.is_heavy { HEAVY } else { BLOCK };
            scene.sprite(block.cell, sprite.tinted(COLORS[block.color]));
        }
        let crab = if self.is_holding { CLOSED } else { OPEN };
        scene.sprite(self.crab, crab.turned(self.facing.quarter_turns()));
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 6).framed(WALL)
    }

    fn inputs(&self) -> Vec<Input> {
        [Input::MOVES.as_slice(), &[Input::Act]].concat()
    }

    /// Every action moves one block by one cell at most.
    fn bound(&self) -> u32 {
        self.brackets().map(|bracket| self.distance(bracket)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: Input = Input::Move(Dir::Right);
    const LEFT: Input = Input::Move(Dir::Left);

    fn play(text: &str, inputs: &[Input]) -> (Quay, Verdict) {
        let mut quay = Quay::parse(text);
        let verdicts: Vec<Verdict> = inputs.iter().map(|input| quay.act(*input, &mut Film::blank())).collect();
        (quay, verdicts[verdicts.len() - 1])
    }

    #[test]
    fn a_block_moves_only_while_it_is_held() {
        assert_eq!(play(".@A.a", &[RIGHT, RIGHT, RIGHT]).0.blocks[0].cell.x, 2);
        assert_eq!(play(".@A.a", &[RIGHT, Input::Act, RIGHT, RIGHT]).1, Verdict::Solved);
        assert_eq!(play("a.@A.", &[RIGHT, Input::Act, LEFT, LEFT]).0.blocks[0].cell.x, 1);
        assert_eq!(play("..@A.a", &[RIGHT, Input::Act, Input::Act, LEFT]).0.blocks[0].cell.x, 3);
    }

    #[test]
    fn a_heavy_block_is_pushed_but_not_pulled() {
        assert_eq!(play(".@X.a", &[RIGHT, Input::Act, RIGHT, RIGHT]).1, Verdict::Solved);
        assert_eq!(play("a.@X.", &[RIGHT, Input::Act, LEFT]).0, play("a.@X.", &[RIGHT, Input::Act]).0);
    }

    #[test]
    fn nothing_moves_across_the_line_of_crab_and_block() {
        let held = play("...\n@Aa\n...", &[RIGHT, Input::Act]).0;
        for dir in [Dir::Up, Dir::Down] {
            let mut quay = held.clone();
            quay.act(Input::Move(dir), &mut Film::blank());
            assert_eq!(quay, held);
        }
    }

    #[test]
    fn brackets_want_their_colour() {
        assert_eq!(play(".@B.ab", &[RIGHT, Input::Act, RIGHT, RIGHT]).1, Verdict::Playing);
    }
}
