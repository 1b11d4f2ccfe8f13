//! Twins: one key moves everybody, but each in his own way, and all must come to stand on a mark.
//!
//! Levels add, one after the other: a twin who moves mirrored left to right; walls that bring the two out of step;
//! gates, opened and shut by a click on one of their colour; a second colour, open at first; pits, which end the game;
//! a third twin, who does the opposite.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` wall, `1` `2` `3` the twins, `o` mark, `u` pit, `A` `B` gates that are shut at first, `a` `b` open ones.
const LEVELS: [&str; 6] = [
    "
    ###########
    #....#....#
    #.1..#..2.#
    #....#....#
    #...o#o...#
    #....#....#
    ###########
    ",
    "
    ###########
    #....#....#
    #.1..#.2..#
    #..#.#....#
    #.o..#..#.#
    #....#.o..#
    ###########
    ",
    "
    ###########
    #...A..#..#
    #.1.#..#2.#
    ##A##..#..#
    #.o.#..A..#
    #...#o.#..#
    ###########
    ",
    "
    ###########
    #.a..#.A..#
    #1##.#.##2#
    #.##.#.##.#
    #.##o#.##.#
    #.B..#.b.o#
    ###########
    ",
    "
    ###########
    #1...#...2#
    #.u..#..u.#
    #..u.A....#
    #....#.u..#
    #u.o.#...o#
    ###########
    ",
    "
    ###########
    #1.A.#..2.#
    #.##o#.##.#
    #...##....#
    #.u.A..u.o#
    ##B####a###
    #...#..####
    #.3.B..o###
    ###########
    ",
];

const FLOOR: Color = Color::of(1);
const WALL: Color = Color::of(15);
/// Gates of the two colours.
const GATES: [Color; 2] = [Color::of(8), Color::of(14)];
const TWINS: [Color; 3] = [Color::of(9), Color::of(6), Color::of(12)];

const TWIN: Sprite = Sprite::of(&[".###.", "#0#0#", "#####", ".###.", ".#.#."]);
const MARK: Sprite = Sprite::of(&["bb.bb", "b...b", ".....", "b...b", "bb.bb"]);
const PIT: Sprite = Sprite::of(&[".555.", "55555", "55555", "55555", ".555."]);
const SHUT: Sprite = Sprite::of(&["#.#.#", "#####", "#.#.#", "#####", "#.#.#"]);
const OPEN: Sprite = Sprite::of(&["#...#", ".....", ".....", ".....", "#...#"]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rooms {
    map: Map,
    /// Where they stand, in the order of their numbers.
    twins: Vec<Cell>,
    /// Whether the gates of each colour are no more as drawn.
    turned: [bool; 2],
}

/// The way a twin goes when the first one goes `dir`.
fn way(twin: usize, dir: Dir) -> Dir {
    match twin {
        0 => dir,
        1 => dir.mirrored(),
        _ => dir.opposite(),
    }
}

/// The colour of a gate, or `None` for another glyph.
fn gate_color(glyph: u8) -> Option<usize> {
    match glyph.to_ascii_uppercase() {
        b'A' => Some(0),
        b'B' => Some(1),
        _ => None,
    }
}

impl Rooms {
    fn is_shut(&self, cell: Cell) -> bool {
        let glyph = self.map.glyph(cell);
        gate_color(glyph).is_some_and(|color| glyph.is_ascii_uppercase() != self.turned[color])
    }

    fn is_free(&self, cell: Cell) -> bool {
        self.map.glyph(cell) != b'#' && !self.is_shut(cell) && !self.twins.contains(&cell)
    }

    /// Everybody takes a step, the first one first.
    fn walk(&mut self, dir: Dir) {
        for twin in 0..self.twins.len() {
            let ahead = self.twins[twin] + way(twin, dir);
            if self.is_free(ahead) {
                self.twins[twin] = ahead;
            }
        }
    }

    /// Opens or shuts all gates of a colour, unless somebody stands in one.
    fn turn_gates(&mut self, cell: Cell) {
        let color_at = |cell: Cell| gate_color(self.map.glyph(cell));
        let Some(color) = color_at(cell) else { return };
        if self.twins.iter().all(|twin| color_at(*twin) != Some(color)) {
            self.turned[color] = !self.turned[color];
        }
    }

    fn verdict(&self) -> Verdict {
        let stand_on = |glyph| move |twin: &Cell| self.map.glyph(*twin) == glyph;
        if self.twins.iter().any(stand_on(b'u')) {
            Verdict::Lost
        } else if self.twins.iter().all(stand_on(b'o')) {
            Verdict::Solved
        } else {
            Verdict::Playing
        }
    }
}

impl Title for Rooms {
    const ABOUT: About = About {
        stem: "t220",
        title: "Twins",
        families: &[Family::Twins, Family::Mirror, Family::FarSwitch, Family::Undo],
        controls: ActionSet::of(&[
            ActionId::Action1,
            ActionId::Action2,
            ActionId::Action3,
            ActionId::Action4,
            ActionId::Action6,
            ActionId::Action7,
        ]),
        optimal: &[4, 5, 7, 9, 15, 15],
        bar: Some(Bar { edge: Edge::Top, thickness: 2, full: Color::of(10), empty: Color::of(3), drain: Drain::Every }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        let map = Map::parse(LEVELS[index]);
        let twins = b"123".iter().flat_map(|twin| map.find(*twin)).collect();
        Rooms { twins, turned: [false; 2], map }
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        match input {
            Input::Move(dir) => self.walk(dir),
            Input::Click(cell) => self.turn_gates(cell),
            Input::Act => {}
        }
        self.verdict()
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(FLOOR);
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.cell(cell, WALL),
                b'o' => scene.sprite(cell, MARK),
                b'u' => scene.sprite(cell, PIT),
                _ => {}
            }
            if let Some(color) = gate_color(*glyph) {
                let gate = if self.is_shut(cell) { SHUT } else { OPEN };
                scene.sprite(cell, gate.tinted(GATES[color]));
            }
        }
        for (twin, color) in self.twins.iter().zip(TWINS) {
            scene.sprite(*twin, TWIN.tinted(color));
        }
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 5).framed(WALL)
    }

    fn inputs(&self) -> Vec<Input> {
        let a_gate = |color| self.map.iter().find(move |(_, glyph)| gate_color(**glyph) == Some(color));
        let clicks = [0, 1].into_iter().filter_map(a_gate).map(|(cell, _)| Input::Click(cell));
        Input::MOVES.into_iter().chain(clicks).collect()
    }
}
