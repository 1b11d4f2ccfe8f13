//! Beacons: a wanderer visits every beacon, in any order, and lights those of its own colour.
//!
//! Levels add, one after the other: several beacons; gates that are passed one way only; pads that recolour the
//! wanderer; thin walls between two cells; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` wall, `@` the wanderer (red), `a` `b` `c` beacons, `A` `B` `C` the pads of their colours, `^` `>` `v` `<` gates,
/// and thin walls: `]` right of its cell, `_` below it, `J` both.
const LEVELS: [&str; 6] = [
    "
    #######
    #@..#.#
    ###.#.#
    #...#.#
    #.###.#
    #....a#
    #######
    ",
    "
    ##########
    #a..#...a#
    #.#.#.##.#
    #.#....#.#
    #.####.#.#
    #....#...#
    ####.#.###
    #..#.@...#
    #a...###a#
    ##########
    ",
    "
    ###########
    #.a..#....#
    #.##.#.##.#
    #.#.....#.#
    #.#.###.#.#
    #...#@#.v.#
    #.#.#.#.#.#
    #.#.#.a.#.#
    #.#.###.#.#
    #..a...^.a#
    ###########
    ",
    "
    ###########
    #a..#..b.a#
    #.#.#.###.#
    #.#...#...#
    #.###.#.#.#
    #..B#.@.#.#
    ##.####.#.#
    #b......#A#
    ###########
    ",
    "
    ############
    #@.].]..b..#
    #_._.._]__.#
    #.].B]...].#
    #._.]__.].]#
    #a].].A]_._#
    #_].]._.]..#
    #.._]]._]]b#
    #._....].._#
    #..]_].a]..#
    ############
    ",
    "
    ############
    #.._.#.###.#
    #.##_A...###
    #.###.##.###
    ###_>.B.##.#
    #.#].##..###
    #a.....#.b.#
    ##.c#......#
    #...v_...#@#
    #b.#C_.#..##
    ############
    ",
];

/// Side of a cell: four pixels for what is in it, and one for thin walls.
const TILE: i16 = 5;
const FLOOR: Color = Color::of(1);
const WALL: Color = Color::of(15);
const GATE: Color = Color::of(3);
const COLORS: [Color; 3] = [Color::of(8), Color::of(9), Color::of(14)];

const WANDERER: Sprite = Sprite::of(&[".##.", "#5#5", "####", "#..#"]);
const BEACON: Sprite = Sprite::of(&["####", "#11#", "#11#", "####"]);
const LIT: Sprite = Sprite::of(&["####", "#00#", "#00#", "####"]);
const PAD: Sprite = Sprite::of(&["#.#.", ".#.#", "#.#.", ".#.#"]);
const ARROW: Sprite = Sprite::of(&[".##.", "####", "#..#", "...."]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Wanderer {
    map: Map,
    cell: Cell,
    color: usize,
    /// Beacons that are not lit yet, row after row.
    dark: Vec<Cell>,
}

impl Wanderer {
    fn parse(text: &str) -> Wanderer {
        let map = Map::parse(text);
        let dark = map.iter().filter(|(_, glyph)| (b'a'..=b'c').contains(glyph)).map(|(cell, _)| cell).collect();
        Wanderer { cell: map.the(b'@'), color: 0, dark, map }
    }

    /// Whether one can step from here to the neighbour in a direction.
    fn is_open(&self, dir: Dir) -> bool {
        let ahead = self.cell + dir;
        let gates = [self.map.glyph(self.cell), self.map.glyph(ahead)].map(gate);
        self.map.glyph(ahead) != b'#'
            && gates.into_iter().flatten().all(|way| way == dir)
            && !self.is_fenced(self.cell.min(ahead), dir)
    }

    /// Whether a thin wall on the far side of a cell stops a step along the axis of `dir`.
    fn is_fenced(&self, cell: Cell, dir: Dir) -> bool {
        let fence = if matches!(dir, Dir::Left | Dir::Right) { b']' } else { b'_' };
        [fence, b'J'].contains(&self.map.glyph(cell))
    }

    /// What the floor under the wanderer does to it, and it to the floor.
    fn arrive(&mut self) {
        match self.map.glyph(self.cell) {
            pad @ b'A'..=b'C' => self.color = usize::from(pad - b'A'),
            beacon @ b'a'..=b'c' if usize::from(beacon - b'a') == self.color => {
                self.dark.retain(|cell| *cell != self.cell);
            }
            _ => {}
        }
    }
}

/// The direction in which a gate is passed.
fn gate(glyph: u8) -> Option<Dir> {
    Some(Dir::ALL[b"^>v<".iter().position(|it| *it == glyph)?])
}

impl Title for Wanderer {
    const ABOUT: About = About {
        stem: "b137",
        title: "Beacons",
        families: &[Family::Walls, Family::Counter],
        controls: ARROWS,
        optimal: &[12, 36, 48, 45, 41, 60],
        bar: Some(Bar { edge: Edge::Top, thickness: 1, full: Color::of(15), empty: Color::of(0), drain: Drain::Every }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Wanderer::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        if let Input::Move(dir) = input
            && self.is_open(dir)
        {
            self.cell = self.cell + dir;
            self.arrive();
        }
        if self.dark.is_empty() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(FLOOR);
        for (cell, &glyph) in self.map.iter() {
            let tinted = |sprite: Sprite, first: u8| sprite.tinted(COLORS[usize::from(glyph - first)]);
            match glyph {
                b'#' => scene.cell(cell, WALL),
                b'A'..=b'C' => scene.sprite(cell, tinted(PAD, b'A')),
                b'a'..=b'c' if self.dark.contains(&cell) => scene.sprite(cell, tinted(BEACON, b'a')),
                b'a'..=b'c' => scene.sprite(cell, tinted(LIT, b'a')),
                _ => {}
            }
            if let Some(way) = gate(glyph) {
                scene.sprite(cell, ARROW.tinted(GATE).turned(way.quarter_turns()));
            }
            if matches!(glyph, b']' | b'J') {
                scene.rectangle(cell, (TILE - 1, -1), (1, TILE + 1), WALL);
            }
            if matches!(glyph, b'_' | b'J') {
                scene.rectangle(cell, (-1, TILE - 1), (TILE + 1, 1), WALL);
            }
        }
        scene.layer(1);
        scene.sprite(self.cell, WANDERER.tinted(COLORS[self.color]));
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), TILE).framed(FLOOR)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::prove;

    fn walk(text: &str, way: &str) -> (Wanderer, Verdict) {
        let mut wanderer = Wanderer::parse(text);
        let mut verdict = Verdict::Playing;
        for step in way.bytes().filter_map(gate) {
            verdict = wanderer.act(Input::Move(step), &mut Film::blank());
        }
        (wanderer, verdict)
    }

    #[test]
    fn a_beacon_is_lit_only_in_its_colour() {
        assert_eq!(walk("@bBa", ">>>").0.dark.len(), 2);
        assert_eq!(walk("@bBA", ">><").1, Verdict::Solved);
    }

    #[test]
    fn a_gate_is_entered_and_left_its_way_only() {
        assert_eq!(walk("@>a", ">>").1, Verdict::Solved);
        assert_eq!(walk("@<a", ">").0.cell, Cell::at(0, 0));
        assert_eq!(walk("@>a", "><").0.cell, Cell::at(1, 0));
    }

    #[test]
    fn a_thin_wall_stops_from_both_sides() {
        for (text, way) in [("@]a", ">>"), ("a]@", "<"), ("@\n_\na", "vv"), ("a\n_\n@", "^^")] {
            let (wanderer, verdict) = walk(text, way);
            let walls = [b']', b'_'].contains(&wanderer.map.glyph(wanderer.cell));
            assert_eq!((verdict, walls), (Verdict::Playing, text.starts_with('@')), "{text}");
        }
    }

    #[test]
    fn gates_and_thin_walls_make_their_levels_longer() {
        let optimal = |text: &str| prove(&Wanderer::parse(text)).map_or(u32::MAX, |proof| proof.optimal());
        let open = |text: &str, glyphs: &[char]| text.replace(glyphs, ".");
        assert!(optimal(&open(LEVELS[2], &['^', '>', 'v', '<'])) < optimal(LEVELS[2]));
        assert!(optimal(&open(LEVELS[4], &[']', '_', 'J'])) < optimal(LEVELS[4]));
    }
}
