//! Fuse: treading on a plate lights a fuse, and what it opens opens later, for a short while.
//!
//! The plates are faint, or cannot be seen before they were trodden on. The burning fuse is drawn below the world, in
//! the colour of its gates: one pip a step until they open, then white pips until they close. A step against a wall
//! passes time. Levels add, one after the other: an unseen plate; a second colour, whose fuse is longer; two fuses that
//! have to burn at once; gates that close instead of opening; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` wall, `@` walker, `X` way out, `a` and `b` faint plates, `p` and `q` unseen ones of the same two colours, `A` and
/// `B` gates that open, `M` and `N` gates that close.
const LEVELS: [&str; 6] = [
    "
    ##########
    #..#.....#
    #.@...a..#
    #..#.....#
    #####A####
    #...X....#
    ##########
    ",
    "
    ###########
    #....#....#
    #.@..q..#.#
    #.##.#..#.#
    #.#..####B#
    #.#.....#X#
    #.####..#.#
    #........##
    ###########
    ",
    "
    ###########
    #...#.....#
    #.#.#.###.#
    #.#.@.#...#
    #.#####.#B#
    #.a.A...#.#
    ###b#####.#
    #.....#.X.#
    ###########
    ",
    "
    #############
    #....#......#
    #.##...####.#
    #.#..#....#.#
    #.#.#####a#.#
    #......#....#
    ####.#.#.#..#
    #....#.#B#..#
    #.##.#.#A#.b#
    #.@....#X####
    #############
    ",
    "
    #############
    #...#########
    #..b#########
    #.@.p...M.B.#
    #...#######.#
    #####X......#
    #############
    ",
    "
    #############
    #....#......#
    #.##...####.#
    #.#..#...a#.#
    #.#.#####.#.#
    #......#.M..#
    ####.#.#.#q.#
    #....#.#B#..#
    #.##.#.#A#..#
    #..@...#X####
    #############
    ",
];

/// Steps from treading on a plate to the opening of its gates, by colour.
const FUSE: [u8; 2] = [3, 7];
/// Steps the gates stay open, by colour.
const OPEN: [u8; 2] = [3, 4];

const FLOOR: Color = Color::of(9);
const WALL: Color = Color::of(1);
const FAINT: Color = Color::of(10);
const COLORS: [Color; 2] = [Color::of(11), Color::of(6)];

const WALKER: Sprite = Sprite::of(&[".555.", "50505", ".555.", "5...5"]);
const PLATE: Sprite = Sprite::of(&["....", ".##.", ".##.", "...."]);
const GATE: Sprite = Sprite::of(&["####", "#55#", "#55#", "####"]);
const AJAR: Sprite = Sprite::of(&["####", "#..#", "#..#", "#..#"]);
const EXIT: Sprite = Sprite::of(&["eeee", "e00e", "e00e", "eeee"]);

/// What goes on with the gates of one colour, and for how many steps still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Fuse {
    Resting,
    Burning(u8),
    Open(u8),
}

impl Fuse {
    /// What it is one step later.
    fn later(self, color: usize) -> Fuse {
        match self {
            Fuse::Burning(1) => Fuse::Open(OPEN[color]),
            Fuse::Burning(steps) => Fuse::Burning(steps - 1),
            Fuse::Open(1) | Fuse::Resting => Fuse::Resting,
            Fuse::Open(steps) => Fuse::Open(steps - 1),
        }
    }
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Corridors {
    map: Map,
    walker: Cell,
    fuses: [Fuse; 2],
    /// Plates that were trodden on, in the order of their cells.
    found: Vec<Cell>,
}

impl Corridors {
    fn parse(text: &str) -> Corridors {
        let map = Map::parse(text);
        Corridors { walker: map.the(b'@'), fuses: [Fuse::Resting; 2], found: Vec::new(), map }
    }

    fn is_open(&self, cell: Cell) -> bool {
        let lifted = |color: usize| matches!(self.fuses[color], Fuse::Open(_));
        match self.map.glyph(cell) {
            b'#' => false,
            glyph @ b'A'..=b'B' => lifted(usize::from(glyph - b'A')),
            glyph @ b'M'..=b'N' => !lifted(usize::from(glyph - b'M')),
            _ => true,
        }
    }

    /// Lights the fuse of the plate under the walker, unless it burns.
    fn tread(&mut self) {
        let Some(color) = plate(self.map.glyph(self.walker)) else { return };
        if self.fuses[color] == Fuse::Resting {
            self.fuses[color] = Fuse::Burning(FUSE[color]);
        }
        if !self.found.contains(&self.walker) {
            self.found.push(self.walker);
            self.found.sort_unstable();
        }
    }

    fn draw_fuses(&self, scene: &mut Scene) {
        let below = Cell::at(0, self.map.height());
        scene.block(below, self.map.width(), 1, Color::of(5));
        for (color, row) in [0, 1].into_iter().zip([0, 2]) {
            let (steps, pip) = match self.fuses[color] {
                Fuse::Resting => (0, COLORS[color]),
                Fuse::Burning(steps) => (steps, COLORS[color]),
                Fuse::Open(steps) => (steps, Color::of(0)),
            };
            (0..i16::from(steps)).for_each(|at| scene.rectangle(below, (1 + 3 * at, row), (2, 2), pip));
        }
    }

    fn draw_cell(&self, scene: &mut Scene, cell: Cell, glyph: u8) {
        match glyph {
            b'#' => scene.cell(cell, WALL),
            b'X' => scene.sprite(cell, EXIT),
            b'A' | b'B' | b'M' | b'N' => {
                let color = COLORS[usize::from(matches!(glyph, b'B' | b'N'))];
                let gate = if self.is_open(cell) { AJAR } else { GATE };
                scene.sprite(cell, gate.tinted(color));
            }
            _ => {}
        }
        match plate(glyph) {
            Some(color) if self.found.contains(&cell) => scene.sprite(cell, PLATE.tinted(COLORS[color])),
            Some(_) if glyph.is_ascii_lowercase() && glyph < b'p' => scene.pixel(cell, (1, 1), FAINT),
            _ => {}
        }
    }
}

/// The colour of a plate.
fn plate(glyph: u8) -> Option<usize> {
    match glyph {
        b'a' | b'p' => Some(0),
        b'b' | b'q' => Some(1),
        _ => None,
    }
}

impl Title for Corridors {
    const ABOUT: About = About {
        stem: "h264",
        title: "Fuse",
        families: &[Family::Walls, Family::HiddenSwitch, Family::FarSwitch],
        controls: ARROWS,
        optimal: &[10, 12, 26, 36, 21, 32],
        bar: Some(Bar {
            edge: Edge::Left,
            thickness: 2,
            full: Color::of(12),
            empty: Color::of(3),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Corridors::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        let ahead = self.walker + dir;
        let moves = self.is_open(ahead);
        for color in [0, 1] {
            self.fuses[color] = self.fuses[color].later(color);
        }
        if moves {
            self.walker = ahead;
            self.tread();
        }
        if self.map.glyph(self.walker) == b'X' { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(FLOOR);
        self.map.iter().for_each(|(cell, glyph)| self.draw_cell(scene, cell, *glyph));
        self.draw_fuses(scene);
        scene.sprite(self.walker, WALKER);
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height() + 1, 4).framed(Color::of(5))
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engine::Dir, prover::prove};

    fn walked(text: &str, path: &str) -> Corridors {
        let mut corridors = Corridors::parse(text);
        for step in path.chars() {
            let dir = if step == 'r' { Dir::Right } else { Dir::Left };
            corridors.act(Input::Move(dir), &mut Film::blank());
        }
        corridors
    }

    #[test]
    fn a_gate_opens_when_its_fuse_is_burnt_and_closes_again() {
        let gate = Cell::at(4, 0);
        let open: Vec<bool> =
            (0..8).map(|waits| walked("@a..A", &format!("r{}", "l".repeat(waits))).is_open(gate)).collect();
        assert_eq!(open, [false, false, false, true, true, true, false, false]);
        let closing = walked("@a..M", "rlll");
        assert!(!closing.is_open(gate));
    }

    #[test]
    fn a_plate_does_nothing_while_its_fuse_burns() {
        assert_eq!(walked("@a..A", "rlr").fuses[0], Fuse::Burning(1));
    }

    #[test]
    fn an_unseen_plate_is_seen_once_it_was_trodden_on() {
        let drawn = |corridors: &Corridors| {
            let mut scene = Scene::new(corridors.view());
            corridors.draw(&mut scene);
            scene.logical()
        };
        assert_eq!(drawn(&Corridors::parse("@.p..A")), drawn(&Corridors::parse("@....A")));
        assert_eq!(walked("@p..A", "rr").found, [Cell::at(1, 0)]);
    }

    /// The fewest actions in a level without one kind of plate.
    fn without(level: usize, plate: char) -> u32 {
        prove(&Corridors::parse(&LEVELS[level].replace(plate, "."))).map_or(u32::MAX, |proof| proof.optimal())
    }

    #[test]
    fn plates_whose_gates_open_are_needed() {
        for (level, (map, fewest)) in LEVELS.iter().zip(Corridors::ABOUT.optimal).enumerate() {
            for (plate, gate) in [('a', 'A'), ('p', 'A'), ('b', 'B'), ('q', 'B')] {
                if map.contains(plate) && map.contains(gate) {
                    assert!(without(level, plate) > *fewest, "level {}, plate {plate}", level + 1);
                }
            }
        }
    }

    #[test]
    fn a_plate_whose_gate_closes_is_in_the_way() {
        assert!(without(4, 'p') < Corridors::ABOUT.optimal[4]);
    }
}
