//! Crates: a porter pushes crates onto the marks of their colour.
//!
//! Levels add, one after the other: a second crate; colours; pits, which swallow one crate and are floor from then
//! on; grease, on which a crate glides until something stops it; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` wall, `@` porter, `A` and `B` crates, `a` and `b` their marks, `u` pit, `~` grease.
const LEVELS: [&str; 6] = [
    "
    ########
    #......#
    #.@..#.#
    #..A...#
    #....a.#
    #.#....#
    ########
    ",
    "
    ########
    #..#...#
    #.A..@.#
    #..#.A.#
    #a.....#
    #..a#..#
    ########
    ",
    "
    #########
    #...#...#
    #.A.....#
    #.....b.#
    ###.#.###
    #..B..a.#
    #.@.#...#
    #########
    ",
    "
    #########
    #...#...#
    #.A.u.a.#
    #.A.#...#
    #.A.#.a.#
    #.@.#...#
    #########
    ",
    "
    ##########
    #@...#...#
    #.A..~~~a#
    #....~...#
    ##.#.~.#.#
    #b...~.B.#
    #....~...#
    ##########
    ",
    "
    ##########
    #...#....#
    #.A.~~~b.#
    #.#.~#...#
    #...~#u###
    #.B.~..A.#
    #.@.~#...#
    #..~a#...#
    ##########
    ",
];

const FLOOR: Color = Color::of(2);
const WALL: Color = Color::of(4);
const COLORS: [Color; 2] = [Color::of(12), Color::of(9)];

const PORTER: Sprite = Sprite::of(&[".f.", "fff", "f.f"]);
const CRATE: Sprite = Sprite::of(&["###", "#0#", "###"]);
const MARK: Sprite = Sprite::of(&["#.#", "...", "#.#"]);
const PIT: Sprite = Sprite::of(&["555", "545", "555"]);
const GREASE: Sprite = Sprite::of(&["2a2", "a2a", "2a2"]);

/// A crate of the first or the second colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Crate {
    cell: Cell,
    color: usize,
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Storehouse {
    map: Map,
    porter: Cell,
    /// In the order of their cells.
    crates: Vec<Crate>,
    /// Pits that are floor by now, in the order they were filled.
    filled: Vec<Cell>,
}

impl Storehouse {
    /// Whether a crate can stand on a cell or fall into it.
    fn takes_crate(&self, cell: Cell) -> bool {
        self.map.glyph(cell) != b'#' && self.crate_at(cell).is_none()
    }

    fn crate_at(&self, cell: Cell) -> Option<usize> {
        self.crates.iter().position(|it| it.cell == cell)
    }

    fn is_pit(&self, cell: Cell) -> bool {
        self.map.glyph(cell) == b'u' && !self.filled.contains(&cell)
    }

    /// Pushes a crate: it moves one cell, and on while it is on grease.
    fn push(&mut self, index: usize, dir: Dir, film: &mut Film<Self>) {
        loop {
            let cell = self.crates[index].cell + dir;
            self.crates[index].cell = cell;
            if self.is_pit(cell) {
                self.crates.remove(index);
                self.filled.push(cell);
                self.filled.sort_unstable();
                return;
            }
            if self.map.glyph(cell) != b'~' || !self.takes_crate(cell + dir) {
                self.crates.sort_unstable();
                return;
            }
            film.shoot(self);
        }
    }

    /// Whether every mark has a crate of its colour.
    fn is_solved(&self) -> bool {
        self.marks().all(|mark| self.crates.contains(&mark))
    }

    /// Where crates belong.
    fn marks(&self) -> impl Iterator<Item = Crate> {
        let of = |glyph, color| self.map.find(glyph).map(move |cell| Crate { cell, color });
        of(b'a', 0).chain(of(b'b', 1))
    }
}

impl Title for Storehouse {
    const ABOUT: About = About {
        stem: "b210",
        title: "Crates",
        families: &[Family::Walls, Family::Push, Family::Slots],
        controls: ARROWS,
        optimal: &[6, 23, 34, 38, 17, 26],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(11),
            empty: Color::of(4),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        let map = Map::parse(LEVELS[index]);
        let of = |glyph, color| map.find(glyph).map(move |cell| Crate { cell, color });
        let mut crates: Vec<Crate> = of(b'A', 0).chain(of(b'B', 1)).collect();
        crates.sort_unstable();
        Storehouse { porter: map.the(b'@'), crates, filled: Vec::new(), map }
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        let ahead = self.porter + dir;
        if self.map.glyph(ahead) == b'#' || self.is_pit(ahead) {
            return Verdict::Playing;
        }
        if let Some(index) = self.crate_at(ahead) {
            if !self.takes_crate(ahead + dir) {
                return Verdict::Playing;
            }
            self.porter = ahead;
            self.push(index, dir, film);
        }
        self.porter = ahead;
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(FLOOR);
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.cell(cell, WALL),
                b'~' => scene.sprite(cell, GREASE),
                b'u' if self.is_pit(cell) => scene.sprite(cell, PIT),
                _ => {}
            }
        }
        for mark in self.marks() {
            scene.sprite(mark.cell, MARK.tinted(COLORS[mark.color]));
        }
        scene.layer(1);
        for it in &self.crates {
            scene.sprite(it.cell, CRATE.tinted(COLORS[it.color]));
        }
        scene.sprite(self.porter, PORTER);
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 3).framed(WALL)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }
}
