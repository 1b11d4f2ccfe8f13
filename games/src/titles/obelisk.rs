//! Obelisk: a stone three cells long is tipped over its edges until it covers its bed, no more and no less.
//!
//! An arrow tips the stone over the edge on that side: it stands, or lies along one axis, in turn, and rolls over its long
//! side where it lies across. Walls stop it. Levels add, one after the other: a stone to stand on a bed of one cell; walls;
//! sand, in which it sinks where it stands and is hauled back to where it began; a bed of three cells, to lie in; a pad
//! that raises a gate for good once the stone stands on it; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Title, Verdict, View,
};

/// `#` wall, `@` the stone, `o` its bed, `~` sand, `p` a pad, `g` the gate.
const LEVELS: [&str; 6] = [
    "
    #############
    #...........#
    #.@.........#
    #...........#
    #........o..#
    #...........#
    #...........#
    #############
    ",
    "
    #############
    #....#......#
    #.@..#..#...#
    #....#..#...#
    #....#..#...#
    #.......#.o.#
    #...........#
    #..#....#...#
    #############
    ",
    "
    ##############
    #...~~~~.....#
    #...~~~~.....#
    #.@.~~~~..o..#
    #...~~~~.....#
    #...~~~~.....#
    ##..####...###
    ##..####..####
    ##############
    ",
    "
    ##############
    #.....#......#
    #.@...#......#
    #............#
    #..#.....ooo.#
    #..#.........#
    #......#.....#
    #......#.....#
    ##############
    ",
    "
    ##############
    #......#.....#
    #.@....#.....#
    #......#...o.#
    #......g.....#
    #......g.....#
    #....p.g.....#
    #......#.....#
    ##############
    ",
    "
    ##############
    #....~~#...o.#
    #.@..~~#...o.#
    #....~~#...o.#
    #....~~g...~~#
    #......g...~~#
    #..p.#.g.....#
    #....#.#.....#
    ##############
    ",
];

const COURT: Color = Color::of(2);
const JOINT: Color = Color::of(3);
const WALL: Color = Color::of(13);
const SAND: Color = Color::of(11);
const BED: Color = Color::of(9);
const PAD: Color = Color::of(14);
const GATE: Color = Color::of(6);
const TOP: Color = Color::of(0);
const SIDE: Color = Color::of(12);
const SHADE: Color = Color::of(5);

/// Cells of the stone, and frame cells of one of the court.
const LENGTH: i16 = 3;
const TILE: i16 = 4;

/// A stone: the cell of its upper left end, and how it lies; `None` while it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Stone {
    at: Cell,
    lies: Option<Axis>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Axis {
    Row,
    Column,
}

impl Axis {
    fn of(dir: Dir) -> Axis {
        if matches!(dir, Dir::Left | Dir::Right) { Axis::Row } else { Axis::Column }
    }
}

impl Stone {
    /// Columns and rows.
    fn size(self) -> (i16, i16) {
        match self.lies {
            None => (1, 1),
            Some(Axis::Row) => (LENGTH, 1),
            Some(Axis::Column) => (1, LENGTH),
        }
    }

    fn cells(self) -> impl Iterator<Item = Cell> {
        let (width, height) = self.size();
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell::at(self.at.x + x, self.at.y + y)))
    }

    /// Where it comes to lie or stand once it is tipped over its edge on that side.
    fn tipped(self, dir: Dir) -> Stone {
        let lies = match self.lies {
            None => Some(Axis::of(dir)),
            Some(axis) if axis == Axis::of(dir) => None,
            across => across,
        };
        let (size, next) = (self.size(), Stone { lies, ..self }.size());
        let at = match dir {
            Dir::Up => Cell::at(self.at.x, self.at.y - next.1),
            Dir::Left => Cell::at(self.at.x - next.0, self.at.y),
            Dir::Down => Cell::at(self.at.x, self.at.y + size.1),
            Dir::Right => Cell::at(self.at.x + size.0, self.at.y),
        };
        Stone { at, lies }
    }
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Court {
    map: Map,
    stone: Stone,
    is_open: bool,
}

impl Court {
    fn parse(text: &str) -> Court {
        let map = Map::parse(text);
        Court { stone: Stone { at: map.the(b'@'), lies: None }, is_open: false, map }
    }

    fn stops(&self, cell: Cell) -> bool {
        match self.map.glyph(cell) {
            b'#' => true,
            b'g' => !self.is_open,
            _ => false,
        }
    }

    /// Whether the stone stands on such a cell.
    fn stands_on(&self, glyph: u8) -> bool {
        self.stone.lies.is_none() && self.map.glyph(self.stone.at) == glyph
    }

    fn tip(&mut self, dir: Dir, film: &mut Film<Self>) {
        let next = self.stone.tipped(dir);
        if next.cells().any(|cell| self.stops(cell)) {
            return;
        }
        self.stone = next;
        self.is_open |= self.stands_on(b'p');
        if self.stands_on(b'~') {
            film.shoot(self);
            self.stone = Stone { at: self.map.the(b'@'), lies: None };
        }
    }

    fn is_bedded(&self) -> bool {
        let bed = self.map.find(b'o').count();
        let covered = self.stone.cells().filter(|cell| self.map.glyph(*cell) == b'o').count();
        covered == bed && covered == self.stone.cells().count()
    }
}

impl Title for Court {
    const ABOUT: About = About {
        stem: "r263",
        title: "Obelisk",
        families: &[Family::Walls, Family::Slots, Family::FarSwitch],
        controls: ARROWS,
        optimal: &[9, 11, 16, 11, 14, 14],
        bar: Some(Bar { edge: Edge::Top, thickness: 1, full: Color::of(10), empty: Color::of(4), drain: Drain::Every }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Court::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        if let Input::Move(dir) = input {
            self.tip(dir, film);
        }
        if self.is_bedded() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(COURT);
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.cell(cell, WALL),
                b'~' => scene.cell(cell, SAND),
                b'o' => scene.cell(cell, BED),
                b'p' => scene.inset(cell, 1, PAD),
                b'g' if !self.is_open => {
                    scene.cell(cell, GATE);
                    scene.inset(cell, 1, PAD);
                }
                _ => scene.pixel(cell, (0, 0), JOINT),
            }
        }
        scene.layer(1);
        self.draw_stone(scene);
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), TILE).framed(WALL)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }

    /// A tip takes the stone no farther than its length and back by its end.
    fn bound(&self) -> u32 {
        let steps = self.map.find(b'o').map(|cell| cell.distance(self.stone.at).saturating_sub(2)).min();
        steps.unwrap_or_default().div_ceil(LENGTH as u32)
    }
}

impl Court {
    /// Bright on top, with a shaded rim below and on the right where it lies; the end alone is seen where it stands.
    fn draw_stone(&self, scene: &mut Scene) {
        let (Stone { at, lies }, (width, height)) = (self.stone, self.stone.size());
        let (width, height) = (TILE * width, TILE * height);
        if lies.is_none() {
            scene.rectangle(at, (0, 0), (width, height), SIDE);
            scene.rectangle(at, (1, 1), (width - 2, height - 2), TOP);
        } else {
            scene.rectangle(at, (0, 0), (width, height), SHADE);
            scene.rectangle(at, (0, 0), (width - 1, height - 1), SIDE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UP: Input = Input::Move(Dir::Up);
    const RIGHT: Input = Input::Move(Dir::Right);
    const DOWN: Input = Input::Move(Dir::Down);
    const LEFT: Input = Input::Move(Dir::Left);

    fn play(text: &str, inputs: &[Input]) -> (Court, Verdict) {
        let mut court = Court::parse(text);
        let verdicts: Vec<Verdict> = inputs.iter().map(|input| court.act(*input, &mut Film::blank())).collect();
        (court, verdicts[verdicts.len() - 1])
    }

    fn stone(x: i16, y: i16, lies: Option<Axis>) -> Stone {
        Stone { at: Cell::at(x, y), lies }
    }

    #[test]
    fn the_stone_lies_down_rolls_and_stands_up_again() {
        let room = "........\n........\n...@....\n........";
        assert_eq!(play(room, &[RIGHT]).0.stone, stone(4, 2, Some(Axis::Row)));
        assert_eq!(play(room, &[RIGHT, UP]).0.stone, stone(4, 1, Some(Axis::Row)));
        assert_eq!(play(room, &[RIGHT, UP, RIGHT]).0.stone, stone(7, 1, None));
        assert_eq!(play(room, &[LEFT]).0.stone, stone(0, 2, Some(Axis::Row)));
        assert_eq!(play(room, &[LEFT, RIGHT]).0.stone, stone(3, 2, None), "the way back");
        assert_eq!(play(room, &[RIGHT, DOWN, LEFT]).0.stone, stone(3, 3, None));
        assert_eq!(play(room, &[DOWN]).0.stone, stone(3, 2, None), "there is no room to lie");
    }

    #[test]
    fn the_bed_wants_to_be_covered_no_more_and_no_less() {
        assert_eq!(play("@...o", &[RIGHT, RIGHT]).1, Verdict::Solved);
        assert_eq!(play("@.o..", &[RIGHT]).1, Verdict::Playing, "lies across it");
        assert_eq!(play("@ooo.", &[RIGHT]).1, Verdict::Solved);
        assert_eq!(play("@..ooo", &[RIGHT, RIGHT]).1, Verdict::Playing);
    }

    #[test]
    fn sand_bears_the_stone_while_it_lies() {
        assert_eq!(play("@~~~..", &[RIGHT]).0.stone, stone(1, 0, Some(Axis::Row)));
        assert_eq!(play("@...~o", &[RIGHT, RIGHT]).0.stone, stone(0, 0, None), "back to where it began");
    }

    #[test]
    fn a_pad_opens_the_gate_for_good_under_a_stone_that_stands() {
        assert!(!play("@..p..go", &[RIGHT]).0.is_open);
        let (court, _) = play("@...p.go", &[RIGHT, RIGHT, RIGHT]);
        assert_eq!((court.is_open, court.stone), (true, stone(5, 0, Some(Axis::Row))));
        assert_eq!(play("@..g", &[RIGHT]).0.stone, stone(0, 0, None));
    }
}
