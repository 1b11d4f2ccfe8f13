//! Carry: a loader lifts what is in front of it and puts it down on the mark of its colour.
//!
//! A held piece sits in front of the loader: together they are two cells long, go forwards and backwards, and swing
//! around the loader when it turns, if there is room. Levels add, one after the other: a second colour; gaps too
//! narrow to swing in; hatches, which only pieces pass; pieces with a notch, which turn with the loader and have to
//! lie as their mark is drawn; all of it together.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` wall, `@` loader, `A` and `B` pieces, `a` and `b` their marks, `=` hatch; `^` `>` `v` `<` pieces with their
/// notch on that side, `u` `r` `d` `l` their marks.
const LEVELS: [&str; 7] = [
    "
    ########
    #......#
    #.@.A..#
    #......#
    #....a.#
    ########
    ",
    "
    #########
    #.A.#...#
    #...#.b.#
    #.@.....#
    #...#.a.#
    #.B.#...#
    #########
    ",
    "
    ##########
    #...#.#..#
    #........#
    #...#....#
    ##.###.###
    #..#...@.#
    #A.a#....#
    ##########
    ",
    "
    ###########
    #....#a...#
    #....=.@..#
    #..A.#....#
    #....#....#
    ##.#####.##
    ##.......##
    ###########
    ",
    "
    ########
    #......#
    #@...#.#
    #....#^#
    #...d..#
    ########
    ",
    "
    ##########
    #A...#..@#
    #.......a#
    #....#u..#
    ####>#####
    ##.....###
    ##########
    ",
    "
    #########
    #...#A..#
    #...=.d.#
    #.>.#..a#
    #...#...#
    #.#####.#
    #...@...#
    #########
    ",
];

const FLOOR: Color = Color::of(11);
const WALL: Color = Color::of(3);
/// Of the two plain kinds of pieces, and of those with a notch.
const COLORS: [Color; 3] = [Color::of(8), Color::of(9), Color::of(15)];
const NOTCHED: usize = 2;

const WALLS: Sprite = Sprite::of(&["33333", "32222", "33333", "22232", "33333"]);
const LOADER: Sprite = Sprite::of(&["4...4", "4#.#4", ".444.", ".4e4.", ".444."]);
const PIECE: Sprite = Sprite::of(&["#####", "#0#0#", "##0##", "#0#0#", "#####"]);
const MARK: Sprite = Sprite::of(&["##.##", "#...#", ".....", "#...#", "##.##"]);
const NOTCHED_PIECE: Sprite = Sprite::of(&["##0##", "##0##", "#####", "#####", "#####"]);
const NOTCHED_MARK: Sprite = Sprite::of(&["#.0.#", "..0..", "#...#", ".....", "#.#.#"]);
const HATCH: Sprite = Sprite::of(&["3c3c3", "cbbbc", "3bbb3", "cbbbc", "3c3c3"]);

/// What can be carried, or the mark where it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Piece {
    cell: Cell,
    color: usize,
    /// Where its notch is; pieces without one keep theirs up.
    notch: Dir,
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Yard {
    map: Map,
    loader: Cell,
    facing: Dir,
    /// Whether the piece in front is held.
    holds: bool,
    /// In the order of their cells.
    pieces: Vec<Piece>,
}

impl Yard {
    fn parse(text: &str) -> Yard {
        let map = Map::parse(text);
        let mut pieces: Vec<Piece> = listed(&map, *b"AB^>v<").collect();
        pieces.sort_unstable();
        Yard { loader: map.the(b'@'), facing: Dir::Down, holds: false, pieces, map }
    }

    fn marks(&self) -> impl Iterator<Item = Piece> {
        listed(&self.map, *b"aburdl")
    }

    fn front(&self) -> Cell {
        self.loader + self.facing
    }

    fn piece_at(&self, cell: Cell) -> Option<usize> {
        self.pieces.iter().position(|piece| piece.cell == cell)
    }

    /// Whether a piece can be in a cell.
    fn takes_piece(&self, cell: Cell) -> bool {
        self.map.glyph(cell) != b'#' && self.piece_at(cell).is_none()
    }

    /// Whether the loader can be in a cell, which may be that of the piece it holds.
    fn takes_loader(&self, cell: Cell) -> bool {
        let own = self.holds && cell == self.front();
        !matches!(self.map.glyph(cell), b'#' | b'=') && (own || self.piece_at(cell).is_none())
    }

    /// Turns to a side and goes there.
    fn walk(&mut self, dir: Dir) {
        self.facing = dir;
        if self.takes_loader(self.front()) {
            self.loader = self.front();
        }
    }

    /// Goes forwards or backwards with a piece, or swings it to a side, where there is room.
    fn haul(&mut self, held: usize, dir: Dir) {
        let cell = self.pieces[held].cell;
        if dir == self.facing {
            if self.takes_piece(cell + dir) && self.takes_loader(cell) {
                self.loader = cell;
            }
        } else if dir == self.facing.opposite() {
            if self.takes_loader(self.loader + dir) {
                self.loader = self.loader + dir;
            }
        } else if self.takes_piece(cell + dir) && self.takes_piece(self.loader + dir) {
            self.swing(held, dir);
        }
        self.pieces[held].cell = self.front();
        self.pieces.sort_unstable();
    }

    /// Turns with a piece, and the notch turns along.
    fn swing(&mut self, held: usize, dir: Dir) {
        let piece = &mut self.pieces[held];
        if piece.color == NOTCHED {
            let turned = piece.notch.clockwise();
            piece.notch = if dir == self.facing.clockwise() { turned } else { turned.opposite() };
        }
        self.facing = dir;
    }

    fn is_solved(&self) -> bool {
        !self.holds && self.marks().all(|mark| self.pieces.contains(&mark))
    }
}

/// What a map shows with six glyphs: two plain colours, then the notched one for each side.
fn listed(map: &Map, glyphs: [u8; 6]) -> impl Iterator<Item = Piece> {
    let kinds = [(0, Dir::Up), (1, Dir::Up)].into_iter().chain(Dir::ALL.map(|notch| (NOTCHED, notch)));
    glyphs
        .into_iter()
        .zip(kinds)
        .flat_map(move |(glyph, (color, notch))| map.find(glyph).map(move |cell| Piece { cell, color, notch }))
}

impl Title for Yard {
    const ABOUT: About = About {
        stem: "c592",
        title: "Carry",
        families: &[Family::Walls, Family::Carry, Family::Slots, Family::Undo],
        controls: ActionSet::of(&[
            ActionId::Action1,
            ActionId::Action2,
            ActionId::Action3,
            ActionId::Action4,
            ActionId::Action5,
            ActionId::Action7,
        ]),
        optimal: &[7, 24, 31, 45, 26, 36, 42],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 2,
            full: Color::of(12),
            empty: Color::of(5),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Yard::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        let ahead = self.piece_at(self.front());
        match (input, ahead) {
            (Input::Move(dir), Some(held)) if self.holds => self.haul(held, dir),
            (Input::Move(dir), _) => self.walk(dir),
            (Input::Act, Some(_)) => self.holds = !self.holds,
            _ => {}
        }
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(FLOOR);
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.sprite(cell, WALLS),
                b'=' => scene.sprite(cell, HATCH),
                _ => {}
            }
        }
        for mark in self.marks() {
            scene.sprite(mark.cell, picture(mark, MARK, NOTCHED_MARK));
        }
        for piece in &self.pieces {
            scene.sprite(piece.cell, picture(*piece, PIECE, NOTCHED_PIECE));
        }
        let grip = if self.holds { Color::of(8) } else { Color::of(14) };
        scene.sprite(self.loader, LOADER.tinted(grip).turned(self.facing.quarter_turns()));
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 5).framed(WALL)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.into_iter().chain([Input::Act]).collect()
    }

    /// A swing brings a piece two steps nearer, everything else one at most.
    fn bound(&self) -> u32 {
        let nearest = |piece: &Piece| {
            let marks = self.marks().filter(|mark| mark.color == piece.color);
            marks.map(|mark| mark.cell.distance(piece.cell)).min().unwrap_or(0)
        };
        self.pieces.iter().map(nearest).sum::<u32>().div_ceil(2)
    }
}

/// A piece or mark in its colour, turned as it lies.
fn picture(piece: Piece, plain: Sprite, notched: Sprite) -> Sprite {
    let sprite = if piece.color == NOTCHED { notched } else { plain };
    sprite.tinted(COLORS[piece.color]).turned(piece.notch.quarter_turns())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::prove;

    const ACT: Input = Input::Act;
    const UP: Input = Input::Move(Dir::Up);
    const RIGHT: Input = Input::Move(Dir::Right);
    const LEFT: Input = Input::Move(Dir::Left);

    fn after(text: &str, inputs: &[Input]) -> Yard {
        let mut yard = Yard::parse(text);
        for input in inputs {
            yard.act(*input, &mut Film::blank());
        }
        yard
    }

    #[test]
    fn a_held_piece_goes_along_forwards_and_backwards() {
        let yard = after("..@A.", &[RIGHT, ACT, RIGHT, LEFT, LEFT]);
        assert_eq!((yard.loader, yard.facing, yard.pieces[0].cell), (Cell::at(1, 0), Dir::Right, Cell::at(2, 0)));
        let dropped = after("..@A.", &[RIGHT, ACT, LEFT, ACT, LEFT]);
        assert_eq!((dropped.loader, dropped.pieces[0].cell), (Cell::at(0, 0), Cell::at(2, 0)));
    }

    #[test]
    fn a_swing_needs_room_and_turns_the_notch() {
        let open = after("..\n@>", &[RIGHT, ACT, UP]);
        assert_eq!(open.pieces[0], Piece { cell: Cell::at(0, 0), color: NOTCHED, notch: Dir::Up });
        let tight = after(".#\n@>", &[RIGHT, ACT, UP]);
        assert_eq!((tight.facing, tight.pieces[0].notch), (Dir::Right, Dir::Right));
    }

    #[test]
    fn only_pieces_pass_a_hatch() {
        let yard = after("@A=.", &[RIGHT, ACT, RIGHT, RIGHT]);
        assert_eq!((yard.loader, yard.pieces[0].cell), (Cell::at(1, 0), Cell::at(2, 0)));
        assert_eq!(after("@=.", &[RIGHT]).loader, Cell::at(0, 0));
    }

    #[test]
    fn hatches_are_needed_where_they_appear() {
        for level in [3, 6] {
            assert!(prove(&Yard::parse(&LEVELS[level].replace('=', "#"))).is_err(), "level {}", level + 1);
        }
    }
}
