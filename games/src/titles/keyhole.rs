//! Keyhole: a bent key is moved and turned until it lies in its outline.
//!
//! Levels add, one after the other: an outline that lies another way; walls; gaps that it fits through one way only; an
//! outline that is its mirror image, which no turn makes it fit; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS_AND_SPACE, About, Bar, Cell, Dice, Drain, Edge, Family, Film, Input, Map, Scene, Title, Verdict, View,
};

/// One level: `#` wall, `@` the corner of the key's bounds, `o` that of its outline, `x` that of an outline of its mirror
/// image.
struct Plan {
    key: &'static [(i16, i16)],
    /// Quarter turns of the outlines; the key begins with none.
    turns: u8,
    map: &'static str,
}

const HOOK: &[(i16, i16)] = &[(0, 0), (0, 1), (0, 2), (1, 2)];
const CROSSBAR: &[(i16, i16)] = &[(0, 0), (1, 0), (2, 0), (1, 1)];
const CRANK: &[(i16, i16)] = &[(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1)];

const PLANS: [Plan; 6] = [
    Plan {
        key: HOOK,
        turns: 0,
        map: "
            ##########
            #........#
            #.@......#
            #........#
            #........#
            #.....o..#
            #........#
            #........#
            #........#
            ##########
        ",
    },
    Plan {
        key: HOOK,
        turns: 1,
        map: "
            ##########
            #........#
            #.....o..#
            #........#
            #........#
            #........#
            #.@......#
            #........#
            #........#
            ##########
        ",
    },
    Plan {
        key: CROSSBAR,
        turns: 2,
        map: "
            ############
            #..........#
            #.@...#....#
            #.....#....#
            #.....#....#
            #.......o..#
            #..........#
            #.....#....#
            ############
        ",
    },
    Plan {
        key: CRANK,
        turns: 3,
        map: "
            #############
            #.....#.....#
            #.@...#.o...#
            #.....#.....#
            #...........#
            #...........#
            #.....#.....#
            #.....#.....#
            #############
        ",
    },
    Plan {
        key: HOOK,
        turns: 2,
        map: "
            ############
            #......#...#
            #.@....#.x.#
            #..........#
            #..........#
            #......#...#
            ####...#.o.#
            #..........#
            #..........#
            ############
        ",
    },
    Plan {
        key: CRANK,
        turns: 1,
        map: "
            ##############
            #.@...#......#
            #.....#..x...#
            #............#
            #............#
            #.....#......#
            ##...###..####
            #......#.....#
            #..o.........#
            #............#
            #............#
            ##############
        ",
    },
];

const FLOOR: Color = Color::of(1);
const WALL: Color = Color::of(10);
const OUTLINE: Color = Color::of(3);
const KEY: Color = Color::of(15);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Keyhole {
    map: Map,
    key: &'static [(i16, i16)],
    /// Quarter turns of the outline.
    wanted: u8,
    corner: Cell,
    turns: u8,
}

/// Cells turned clockwise, or mirrored first, from the corner of their bounds.
fn posed(cells: &[(i16, i16)], turns: u8, is_mirrored: bool) -> Vec<(i16, i16)> {
    let mirrored = cells.iter().map(|(x, y)| if is_mirrored { (-x, *y) } else { (*x, *y) });
    let turned = mirrored.map(|cell| (0..turns).fold(cell, |(x, y), _| (-y, x)));
    let all: Vec<(i16, i16)> = turned.collect();
    let left = all.iter().map(|(x, _)| *x).min().unwrap_or_default();
    let top = all.iter().map(|(_, y)| *y).min().unwrap_or_default();
    let mut all: Vec<(i16, i16)> = all.into_iter().map(|(x, y)| (x - left, y - top)).collect();
    all.sort_unstable();
    all
}

impl Keyhole {
    fn lies(&self, corner: Cell, turns: u8) -> impl Iterator<Item = Cell> {
        posed(self.key, turns, false).into_iter().map(move |(x, y)| Cell::at(corner.x + x, corner.y + y))
    }

    fn fits(&self, corner: Cell, turns: u8) -> bool {
        self.lies(corner, turns).all(|cell| self.map.glyph(cell) != b'#')
    }
}

impl Title for Keyhole {
    const ABOUT: About = About {
        stem: "k926",
        title: "Keyhole",
        families: &[Family::Walls, Family::Slots, Family::Reference],
        controls: ARROWS_AND_SPACE,
        optimal: &[7, 9, 11, 13, 13, 9],
        bar: Some(Bar { edge: Edge::Top, thickness: 1, full: Color::of(9), empty: Color::of(2), drain: Drain::Every }),
    };

    fn level(number: usize, _: &mut Dice) -> Self {
        let Plan { key, turns, map } = PLANS[number];
        let map = Map::parse(map);
        Keyhole { corner: map.the(b'@'), key, wanted: turns, turns: 0, map }
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        let (corner, turns) = match input {
            Input::Move(dir) => (self.corner + dir, self.turns),
            Input::Act => (self.corner, (self.turns + 1) % 4),
            Input::Click(_) => (self.corner, self.turns),
        };
        if self.fits(corner, turns) {
            (self.corner, self.turns) = (corner, turns);
        }
        let is_solved = self.corner == self.map.the(b'o') && self.turns == self.wanted;
        if is_solved { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(FLOOR);
        self.map.find(b'#').for_each(|cell| scene.cell(cell, WALL));
        for (glyph, is_mirrored) in [(b'o', false), (b'x', true)] {
            for corner in self.map.find(glyph) {
                let drawn = posed(self.key, self.wanted, is_mirrored);
                for (x, y) in drawn {
                    scene.cell(Cell::at(corner.x + x, corner.y + y), OUTLINE);
                }
            }
        }
        scene.layer(1);
        self.lies(self.corner, self.turns).for_each(|cell| scene.cell(cell, KEY));
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 4).framed(WALL)
    }

    fn inputs(&self) -> Vec<Input> {
        [Input::MOVES.as_slice(), &[Input::Act]].concat()
    }
}
