//! Hamster: it walks about in a box, the space bar turns the box by a quarter about its middle, and what is loose falls.
//!
//! The hamster goes left and right alone, and wants to come to its nest, into which it may fall as well. Levels add,
//! one after the other: a larger box; a marble, which falls too and can be stood on; a cup, without a marble in which
//! the nest stays shut; meshes, through which the hamster slips and a marble does not; two cups.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// Square boxes as they stand at first: `#` board, `@` hamster, `^` nest, `o` marble, `u` cup, `=` mesh.
const LEVELS: [&str; 6] = [
    "
    ..#..
    ..#^.
    ..##.
    .....
    .@..#
    ",
    "
    .#...#.
    .#...#.
    ^###...
    ....#..
    .......
    .#.....
    .#...#@
    ",
    "
    .#......
    .#..#...
    .####...
    .#....#.
    .###..#.
    ....^##.
    ........
    ....o@..
    ",
    "
    @...###.
    ###.....
    ........
    ........
    ...^..#.
    ###...#.
    ..o...#.
    ..##.u..
    ",
    "
    ...##....
    ........#
    ........=
    ...o.#...
    #####...#
    ^..#..u..
    @..#.....
    ##....=#.
    ##.......
    ",
    "
    u.......=.
    #.........
    #....o#..u
    .^...###..
    ..#...###.
    ........##
    .........#
    .....=....
    #....###o.
    #@......##
    ",
];

const TILE: i16 = 6;
const AIR: Color = Color::of(7);
const TABLE: Color = Color::of(3);

const BOARD: Sprite = Sprite::of(&["ffffff", "f666ff", "ffffff", "ffffff", "ff666f", "ffffff"]);
const HAMSTER: Sprite = Sprite::of(&[".c..c.", "cccccc", "c5cc5c", "cc00cc", "c0000c", ".c..c."]);
const MARBLE: Sprite = Sprite::of(&[".9999.", "9aa999", "9a9999", "999999", "999999", ".9999."]);
const CUP: Sprite = Sprite::of(&["9....9", "......", "......", "......", "......", "9....9"]);
const MESH: Sprite = Sprite::of(&["2.2.2.", ".2.2.2", "2.2.2.", ".2.2.2", "2.2.2.", ".2.2.2"]);
const NEST: Sprite = Sprite::of(&["b.bb.b", ".d..d.", "b.00.b", "b.00.b", ".d..d.", "b.bb.b"]);
const SHUT_NEST: Sprite = Sprite::of(&["b.bb.b", ".dddd.", "bdbbdb", "bdbbdb", ".dddd.", "b.bb.b"]);

/// The state of a level. All cells and directions in it are those of the box as it stood at first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hutch {
    map: Map,
    /// Quarters clockwise that the box is turned by.
    turns: u8,
    hamster: Cell,
    /// In the order of their cells.
    marbles: Vec<Cell>,
}

impl Hutch {
    fn parse(text: &str) -> Hutch {
        let map = Map::parse(text);
        let mut marbles: Vec<Cell> = map.find(b'o').collect();
        marbles.sort_unstable();
        Hutch { turns: 0, hamster: map.the(b'@'), marbles, map }
    }

    /// The direction in the box that is seen as this one.
    fn within(&self, seen: Dir) -> Dir {
        (self.turns..4).fold(seen, |dir, _| dir.clockwise())
    }

    /// Where a cell of the box is seen.
    fn seen(&self, cell: Cell) -> Cell {
        let last = self.map.width() - 1;
        (0..self.turns).fold(cell, |cell, _| Cell::at(last - cell.y, cell.x))
    }

    fn is_open(&self) -> bool {
        self.map.find(b'u').all(|cup| self.marbles.contains(&cup))
    }

    fn is_home(&self) -> bool {
        self.map.glyph(self.hamster) == b'^' && self.is_open()
    }

    /// Whether nothing is in a cell that keeps the hamster out of it.
    fn takes_hamster(&self, cell: Cell) -> bool {
        self.map.glyph(cell) != b'#' && !self.marbles.contains(&cell)
    }

    fn takes_marble(&self, cell: Cell) -> bool {
        !matches!(self.map.glyph(cell), b'#' | b'^' | b'=') && cell != self.hamster && !self.marbles.contains(&cell)
    }

    /// Lets all that has nothing below it fall by one cell; whether anything does.
    fn sink(&mut self) -> bool {
        let pull = self.within(Dir::Down);
        let (dx, dy) = pull.delta();
        let mut loose = self.marbles.clone();
        loose.push(self.hamster);
        loose.sort_unstable_by_key(|cell| -(dx * cell.x + dy * cell.y));
        let mut sinks = false;
        for cell in loose {
            let below = cell + pull;
            match self.marbles.iter().position(|marble| *marble == cell) {
                Some(index) if self.takes_marble(below) => self.marbles[index] = below,
                None if self.takes_hamster(below) => self.hamster = below,
                _ => continue,
            }
            sinks = true;
        }
        self.marbles.sort_unstable();
        sinks
    }

    /// Lets everything fall until it lies, or the hamster is in its nest.
    fn settle(&mut self, film: &mut Film<Self>) -> Verdict {
        while !self.is_home() {
            let before = self.clone();
            if !self.sink() {
                return Verdict::Playing;
            }
            film.shoot(&before);
        }
        Verdict::Solved
    }
}

impl Title for Hutch {
    const ABOUT: About = About {
        stem: "h493",
        title: "Hamster",
        families: &[Family::Gravity, Family::Walls, Family::FarSwitch],
        controls: ActionSet::of(&[ActionId::Action3, ActionId::Action4, ActionId::Action5]),
        optimal: &[5, 13, 14, 20, 23, 33],
        bar: Some(Bar {
            edge: Edge::Left,
            thickness: 1,
            full: Color::of(14),
            empty: Color::of(5),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Hutch::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        match input {
            Input::Move(dir @ (Dir::Left | Dir::Right)) => {
                let ahead = self.hamster + self.within(dir);
                if self.takes_hamster(ahead) {
                    self.hamster = ahead;
                }
            }
            Input::Act => self.turns = (self.turns + 1) % 4,
            _ => {}
        }
        self.settle(film)
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(AIR);
        let nest = if self.is_open() { NEST } else { SHUT_NEST };
        for (cell, glyph) in self.map.iter() {
            let sprite = match glyph {
                b'#' => BOARD,
                b'^' => nest,
                b'u' => CUP,
                b'=' => MESH,
                _ => continue,
            };
            scene.sprite(self.seen(cell), sprite.turned(self.turns));
        }
        scene.layer(1);
        self.marbles.iter().for_each(|marble| scene.sprite(self.seen(*marble), MARBLE));
        scene.sprite(self.seen(self.hamster), HAMSTER);
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), TILE).framed(TABLE)
    }

    fn inputs(&self) -> Vec<Input> {
        vec![Input::Move(Dir::Left), Input::Move(Dir::Right), Input::Act]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::{ProofError, prove};

    const LEFT: Input = Input::Move(Dir::Left);
    const RIGHT: Input = Input::Move(Dir::Right);

    /// The box of a map after these inputs, and what came of the last one.
    fn after(text: &str, inputs: &[Input]) -> (Hutch, Verdict) {
        let mut hutch = Hutch::parse(text);
        let verdicts: Vec<Verdict> = inputs.iter().map(|input| hutch.act(*input, &mut Film::blank())).collect();
        (hutch, verdicts.last().copied().unwrap_or(Verdict::Playing))
    }

    #[test]
    fn everything_lies_when_a_level_begins_and_boxes_are_square() {
        for text in LEVELS {
            let mut hutch = Hutch::parse(text);
            assert_eq!(hutch.map.width(), hutch.map.height());
            assert!(!hutch.sink(), "{text}");
        }
    }

    #[test]
    fn four_turns_bring_the_box_back_and_each_lets_the_hamster_fall() {
        let room = "...\n.^.\n@..";
        let corners: Vec<Cell> = (0..5).map(|turns| after(room, &[Input::Act].repeat(turns)).0.hamster).collect();
        let expected = [(0, 2), (2, 2), (2, 0), (0, 0), (0, 2)].map(|(x, y)| Cell::at(x, y));
        assert_eq!(corners, expected);
        assert_eq!(after("...\n...\n@.^", &[Input::Act]).1, Verdict::Solved, "it falls into the nest");
    }

    #[test]
    fn the_keys_are_left_and_right_of_the_screen() {
        let walked = after("...\n^..\n@..", &[RIGHT, Input::Act, LEFT]).0;
        assert_eq!((walked.hamster, walked.seen(walked.hamster)), (Cell::at(2, 2), Cell::at(0, 2)));
        let walked = after("...\n^..\n@..", &[RIGHT, Input::Act, RIGHT]).0;
        assert_eq!((walked.hamster, walked.seen(walked.hamster)), (Cell::at(2, 1), Cell::at(1, 2)));
    }

    #[test]
    fn marbles_bear_the_hamster_and_stop_at_meshes_and_at_the_nest() {
        let text = "^...\n....\n....\n@o..";
        let (hutch, _) = after(text, &[RIGHT]);
        assert_eq!(hutch, Hutch::parse(text), "it does not push");
        let (hutch, _) = after(text, &[Input::Act]);
        assert_eq!((hutch.hamster, hutch.marbles), (Cell::at(2, 3), vec![Cell::at(3, 3)]));
        let (hutch, _) = after("^...\n....\n.@..\no=..", &[Input::Act]);
        assert_eq!((hutch.hamster, hutch.marbles), (Cell::at(3, 2), vec![Cell::at(0, 3)]));
    }

    #[test]
    fn a_nest_is_shut_while_a_cup_is_empty() {
        let (hutch, verdict) = after("#..\no.u\n@.^", &[Input::Act]);
        assert_eq!((hutch.hamster, verdict), (Cell::at(2, 2), Verdict::Solved));
        let (hutch, verdict) = after("ou.\n##.\n@.^", &[Input::Act]);
        assert_eq!((hutch.hamster, verdict), (Cell::at(2, 2), Verdict::Playing));
    }

    #[test]
    fn marbles_are_needed_where_there_are_any() {
        for text in &LEVELS[2..] {
            let proof = prove(&Hutch::parse(&text.replacen('o', ".", 1)));
            assert!(matches!(proof, Err(ProofError::Unsolvable { .. })), "{text}");
        }
    }
}
