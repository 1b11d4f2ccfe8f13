//! Ducklings: a duck leads her brood home through the reeds.
//!
//! Each duckling swims to where the one before it was. The level is solved when the duck sits on the nest and all ducklings are on
//! the mat around it; nobody swims over another one. Levels add, one after the other: more ducklings, so that the last bend
//! counts; narrow passages; weirs, which are swum over one way only; a gate that is open while anybody is on its plate; all of it
//! together, around more reeds.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` reeds, `@` the duck, `1` to `5` her ducklings, `N` the nest, `<` `>` `^` `v` weirs, `+` the gate, `o` its plate.
const LEVELS: [&str; 6] = [
    "
    ############
    #..........#
    #.@........#
    #.1..##....#
    #....##....#
    #........#.#
    #..#.......#
    #..##...N..#
    #..........#
    ############
    ",
    "
    ############
    #..........#
    #.@.....##.#
    #.1........#
    #.2..##....#
    #....##....#
    #.......#N.#
    #...##..#..#
    #..........#
    ############
    ",
    "
    ############
    #....#.....#
    #.@..#.....#
    #.1..#..#..#
    #.2.....#N.#
    #.3..#..#..#
    #....#.....#
    #....#.....#
    ############
    ",
    "
    ############
    #.....#....#
    #.@...<....#
    #.1...#....#
    #.2...#.N..#
    #.3...#....#
    #.....#....#
    #.....#.####
    #.....>....#
    ############
    ",
    "
    ############
    #......#...#
    #.@....#...#
    #.1....#.N.#
    #.2....+...#
    #.3....#...#
    #.4.o..#...#
    #......#...#
    ############
    ",
    "
    ############
    #...#......#
    #.@.>..##..#
    #.1.#o.##..#
    #.2.#......#
    #.3.#####+##
    #.4.#......#
    #.5.#.##...#
    #...#.##N..#
    #...#......#
    ############
    ",
];

const POND: Color = Color::of(10);
const REEDS: Color = Color::of(14);
const BANK: Color = Color::of(3);
const GATE: Color = Color::of(13);
const PLATE: Color = Color::of(2);
const WEIR: Color = Color::of(0);

const REED: Sprite = Sprite::of(&["#.#.#", "#####", "#.###", "###.#", "#####"]);
const DUCK: Sprite = Sprite::of(&["..dd.", "..d5c", "ddddd", "dddd.", ".dd.."]);
const DUCKLING: Sprite = Sprite::of(&[".....", ".bb..", ".b5c.", "bbb..", ".bb.."]);
const NEST: Sprite = Sprite::of(&[".....", "4...4", "44.44", ".444.", "....."]);
const MAT: Sprite = Sprite::of(&["9...9", ".....", "..9..", ".....", "9...9"]);
const BARS: Sprite = Sprite::of(&["#.#.#", "#.#.#", "#.#.#", "#.#.#", "#.#.#"]);
const POSTS: Sprite = Sprite::of(&["#...#", ".....", ".....", ".....", "#...#"]);
const STONE: Sprite = Sprite::of(&[".....", ".###.", ".###.", ".###.", "....."]);
const FALL: Sprite = Sprite::of(&["..#..", ".#.#.", "#...#", "..#..", ".#.#."]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Brood {
    map: Map,
    /// The duck, and her ducklings behind her.
    train: Vec<Cell>,
}

impl Brood {
    fn parse(text: &str) -> Brood {
        let map = Map::parse(text);
        Brood { train: b"@12345".iter().flat_map(|glyph| map.find(*glyph)).collect(), map }
    }

    /// Whether the duck may swim onto a cell on a way.
    fn lets(&self, to: Cell, way: Dir) -> bool {
        let is_free = match self.map.glyph(to) {
            b'#' => false,
            b'+' => self.is_open(),
            b'^' => way == Dir::Up,
            b'>' => way == Dir::Right,
            b'v' => way == Dir::Down,
            b'<' => way == Dir::Left,
            _ => true,
        };
        is_free && !self.train.contains(&to)
    }

    /// Whether somebody holds the gate open.
    fn is_open(&self) -> bool {
        self.train.iter().any(|cell| self.map.glyph(*cell) == b'o')
    }

    /// Whether a cell belongs to the mat around the nest.
    fn is_mat(&self, cell: Cell) -> bool {
        self.map.find(b'N').any(|nest| (cell.x - nest.x).abs() <= 1 && (cell.y - nest.y).abs() <= 1)
    }

    fn is_solved(&self) -> bool {
        self.map.glyph(self.train[0]) == b'N' && self.train.iter().all(|cell| self.is_mat(*cell))
    }
}

impl Title for Brood {
    const ABOUT: About = About {
        stem: "d382",
        title: "Ducklings",
        families: &[Family::Walls, Family::Twins, Family::FarSwitch],
        controls: ARROWS,
        optimal: &[11, 11, 15, 18, 16, 18],
        bar: Some(Bar {
            edge: Edge::Right,
            thickness: 1,
            full: Color::of(15),
            empty: Color::of(4),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Brood::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        let Input::Move(way) = input else { return Verdict::Playing };
        let to = self.train[0] + way;
        if self.lets(to, way) {
            self.train.rotate_right(1);
            self.train[0] = to;
        }
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(POND);
        for (cell, glyph) in self.map.iter() {
            let fall = |turns| FALL.tinted(WEIR).turned(turns);
            match glyph {
                b'#' => scene.sprite(cell, REED.tinted(REEDS)),
                b'N' => scene.sprite(cell, NEST),
                b'o' => scene.sprite(cell, STONE.tinted(PLATE)),
                b'+' => scene.sprite(cell, if self.is_open() { POSTS } else { BARS }.tinted(GATE)),
                b'^' => scene.sprite(cell, fall(0)),
                b'>' => scene.sprite(cell, fall(1)),
                b'v' => scene.sprite(cell, fall(2)),
                b'<' => scene.sprite(cell, fall(3)),
                _ if self.is_mat(cell) => scene.sprite(cell, MAT),
                _ => {}
            }
        }
        scene.layer(1);
        for (cell, index) in self.train.iter().zip(0..) {
            scene.sprite(*cell, if index == 0 { DUCK } else { DUCKLING });
        }
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 5).framed(BANK)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }

    /// The duck still has to get to the nest.
    fn bound(&self) -> u32 {
        self.map.the(b'N').distance(self.train[0])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, VecDeque};

    use super::*;

    const UP: Input = Input::Move(Dir::Up);
    const RIGHT: Input = Input::Move(Dir::Right);
    const DOWN: Input = Input::Move(Dir::Down);
    const LEFT: Input = Input::Move(Dir::Left);

    fn play(text: &str, inputs: &[Input]) -> (Brood, Verdict) {
        let mut brood = Brood::parse(text);
        let verdicts: Vec<Verdict> = inputs.iter().map(|input| brood.act(*input, &mut Film::blank())).collect();
        (brood, verdicts[verdicts.len() - 1])
    }

    #[test]
    fn each_duckling_takes_the_place_of_the_one_before() {
        let (brood, _) = play("21@.N\n.....", &[DOWN]);
        assert_eq!(brood.train, [Cell::at(2, 1), Cell::at(2, 0), Cell::at(1, 0)]);
        assert_eq!(play("21@#N", &[RIGHT, LEFT]).0, Brood::parse("21@#N"), "reeds and ducklings are in the way");
    }

    #[test]
    fn the_nest_wants_all_of_them_on_its_mat() {
        assert_eq!(play("21@N", &[RIGHT]).1, Verdict::Playing);
        assert_eq!(play("1@N.", &[RIGHT]).1, Verdict::Solved);
        assert_eq!(play("2..\n1@.\n.N.", &[DOWN]).1, Verdict::Solved, "around a corner");
        assert_eq!(play("21@.\n..N.", &[RIGHT, DOWN, LEFT]).1, Verdict::Solved);
    }

    #[test]
    fn a_weir_is_swum_over_one_way() {
        assert_eq!(play("1@>..N", &[RIGHT, RIGHT]).0.train[0], Cell::at(3, 0));
        assert_eq!(play("1@<..N", &[RIGHT]).0.train[0], Cell::at(1, 0));
        assert_eq!(play("N.\n.>\n1@", &[UP]).0.train[0], Cell::at(1, 2), "not across it");
    }

    #[test]
    fn the_gate_is_open_while_anybody_is_on_its_plate() {
        assert_eq!(play("1@+.N", &[RIGHT]).0.train[0], Cell::at(1, 0));
        assert_eq!(play("21@o+.N", &[RIGHT, RIGHT]).0.train[0], Cell::at(4, 0));
        assert_eq!(play("1@o..+.N", &[RIGHT, RIGHT, RIGHT, RIGHT]).0.train[0], Cell::at(4, 0), "too late");
    }

    /// Whether the level is solved when the duck gets to the nest by a shortest way: what may come of that.
    fn straight(brood: Brood) -> BTreeSet<bool> {
        let mut ends = BTreeSet::new();
        let mut seen = BTreeSet::from([brood.train.clone()]);
        let mut open = VecDeque::from([(brood, 0)]);
        let mut shortest = usize::MAX;
        while let Some((brood, depth)) = open.pop_front() {
            for input in Input::MOVES {
                let mut next = brood.clone();
                let verdict = next.act(input, &mut Film::blank());
                if next.map.glyph(next.train[0]) == b'N' && depth <= shortest {
                    shortest = depth;
                    ends.insert(verdict == Verdict::Solved);
                } else if depth < shortest && seen.insert(next.train.clone()) {
                    open.push_back((next, depth + 1));
                }
            }
        }
        ends
    }

    #[test]
    fn from_the_third_level_on_a_shortest_way_is_not_enough() {
        for text in LEVELS.into_iter().skip(2) {
            assert_eq!(straight(Brood::parse(text)), BTreeSet::from([false]), "{text}");
        }
    }
}
