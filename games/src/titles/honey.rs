//! Honey: a tray with drops of honey, which the arrows tilt.
//!
//! All drops slide at once, each as far as it can, the foremost first, until the rim, a peg or another drop stops it. Two drops of one
//! kind that meet run together into one of the next kind, which is larger and darker, and takes no more in while the tray is tilted
//! that way. A level is solved once everything lies still and each hollow has a drop of its own kind: its corners have the
//! colour of that drop, its bottom the size. Levels have, one after the other: one drop alone; pegs in the tray; two drops of
//! different kinds, which stop each other; two of the same kind that have to run together; four that have to become
//! one; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Board, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict,
    View,
};

/// `A` to `C` drops from the small kind to the large one, `a` to `c` their hollows, `=` where the rim bulges in, `#` pegs.
const LEVELS: [&str; 6] = [
    "
    ..=..
    ...A.
    .....
    =...a
    ==...
    ",
    "
    ...#..
    .#a...
    ......
    ..#...
    ....#.
    .....A
    ",
    "
    ......
    .##...
    ..A.#.
    ..#...
    .....B
    ..#ba.
    ",
    "
    A....#
    ..#..A
    ......
    ......
    #.....
    ..b#..
    ",
    "
    ..A...
    A..#.A
    #.....
    #.....
    ......
    .c..#A
    ",
    "
    ca.#A.
    .#....
    ..#...
    #...#A
    ....B.
    ....A.
    ",
];

const SIDE: i16 = 64;
/// Frame cells from one place of the tray to the next.
const PITCH: i16 = 8;

const CLOTH: Color = Color::of(14);
const RIM: Color = Color::of(0);
const EDGE: Color = Color::of(2);
const FLOOR: Color = Color::of(9);
const HOLLOW: Color = Color::of(5);

const PEG: Sprite =
    Sprite::of(&["........", ".000000.", ".011112.", ".011112.", ".011112.", ".011112.", ".022222.", "........"]);
const CORNERS: Sprite =
    Sprite::of(&["##....##", "#......#", "........", "........", "........", "........", "#......#", "##....##"]);

/// What is drawn for a kind of honey, and its colour.
const KINDS: [(Sprite, Color); 3] = [
    (Sprite::of(&["........", "........", "...##...", "..####..", "..####..", "...##..."]), Color::of(11)),
    (Sprite::of(&["........", "..####..", ".######.", ".######.", ".######.", ".######.", "..####.."]), Color::of(12)),
    (
        Sprite::of(&["..####..", ".######.", "########", "########", "########", "########", ".######.", "..####.."]),
        Color::of(13),
    ),
];
/// Where a drop glistens, by its kind.
const GLOSS: [(i16, i16); 3] = [(3, 3), (3, 2), (2, 2)];

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tray {
    map: Map,
    /// Where drops are, by their kind.
    drops: Board<Option<u8>>,
}

impl Tray {
    fn parse(text: &str) -> Tray {
        let map = Map::parse(text);
        let drop = |cell| kind(map.glyph(cell), b'A');
        Tray { drops: Board::new(map.width(), map.height(), drop), map }
    }

    /// The places in such an order that none is in the way of one before it.
    fn front_first(&self, dir: Dir) -> Vec<Cell> {
        let mut cells: Vec<Cell> = self.drops.cells().collect();
        if matches!(dir, Dir::Right | Dir::Down) {
            cells.reverse();
        }
        cells
    }

    /// Slides all drops at the same time until each was stopped.
    fn tilt(&mut self, dir: Dir, film: &mut Film<Self>) {
        let order = self.front_first(dir);
        let mut merged = Vec::new();
        loop {
            let before = self.drops.clone();
            for cell in &order {
                self.step(*cell, dir, &mut merged);
            }
            if self.drops == before {
                return;
            }
            film.shoot(self);
        }
    }

    /// Moves what is at a place on by one, into a drop of its kind if one lies there; `merged` is where drops ran together.
    fn step(&mut self, cell: Cell, dir: Dir, merged: &mut Vec<Cell>) {
        let Some(drop) = self.drops[cell] else { return };
        let ahead = cell + dir;
        if matches!(self.map.glyph(ahead), b'#' | b'=') || merged.contains(&cell) {
            return;
        }
        match self.drops[ahead] {
            None => self.drops[ahead] = Some(drop),
            Some(other) if other == drop && usize::from(drop) + 1 < KINDS.len() && !merged.contains(&ahead) => {
                self.drops[ahead] = Some(drop + 1);
                merged.push(ahead);
            }
            Some(_) => return,
        }
        self.drops[cell] = None;
    }

    /// The places of the hollows, and the kinds that they want.
    fn hollows(&self) -> impl Iterator<Item = (Cell, u8)> {
        self.map.iter().filter_map(|(cell, glyph)| Some((cell, kind(*glyph, b'a')?)))
    }

    fn is_solved(&self) -> bool {
        self.hollows().all(|(cell, kind)| self.drops[cell] == Some(kind))
    }

    /// The frame cell in the corner of a place.
    fn corner(&self, Cell { x, y }: Cell) -> Cell {
        let margin = |places: i16| (SIDE - PITCH * places) / 2;
        Cell::at(margin(self.map.width()) + PITCH * x, margin(self.map.height()) + PITCH * y)
    }

    fn draw_tray(&self, scene: &mut Scene) {
        let Cell { x, y } = self.corner(Cell::at(0, 0));
        let (width, height) = (PITCH * self.map.width(), PITCH * self.map.height());
        scene.block(Cell::at(x - 2, y - 2), width + 4, height + 4, EDGE);
        scene.block(Cell::at(x - 2, y - 2), width + 3, height + 3, RIM);
        scene.block(Cell::at(x, y), width, height, FLOOR);
    }
}

/// The kind that a letter means, of those from `first` on.
fn kind(letter: u8, first: u8) -> Option<u8> {
    letter.checked_sub(first).filter(|kind| usize::from(*kind) < KINDS.len())
}

impl Title for Tray {
    const ABOUT: About = About {
        stem: "q472",
        title: "Honey",
        families: &[Family::Slide, Family::Slots, Family::Twins],
        controls: ARROWS,
        optimal: &[5, 6, 7, 8, 9, 10],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(15),
            empty: Color::of(3),
            drain: Drain::Effective,
        }),
    };

    fn level(level: usize, _: &mut Dice) -> Self {
        Tray::parse(LEVELS[level])
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        if let Input::Move(dir) = input {
            self.tilt(dir, film);
        }
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(CLOTH);
        self.draw_tray(scene);
        for cell in self.map.find(b'=') {
            scene.block(self.corner(cell), PITCH, PITCH, RIM);
        }
        for cell in self.map.find(b'#') {
            scene.sprite(self.corner(cell), PEG);
        }
        for (cell, kind) in self.hollows() {
            let (shape, color) = KINDS[usize::from(kind)];
            scene.sprite(self.corner(cell), CORNERS.tinted(color));
            scene.sprite(self.corner(cell), shape.tinted(HOLLOW));
        }
        for (cell, drop) in self.drops.iter() {
            if let Some(kind) = drop.map(usize::from) {
                let (shape, color) = KINDS[kind];
                scene.sprite(self.corner(cell), shape.tinted(color));
                scene.pixel(self.corner(cell), GLOSS[kind], RIM);
            }
        }
    }

    fn view(&self) -> View {
        View::of(SIDE, SIDE, 1)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tilts a row to the right: the drops then, and how many layers showed them on the way.
    fn tilted(row: &str) -> (String, usize) {
        let (mut tray, mut film) = (Tray::parse(row), Film::loaded());
        tray.tilt(Dir::Right, &mut film);
        let letter = |drop: &Option<u8>| drop.map_or('.', |kind| char::from(b'A' + kind));
        (tray.drops.tiles().iter().map(letter).collect(), film.shots().len())
    }

    #[test]
    fn drops_slide_until_something_stops_them() {
        assert_eq!(tilted("A...#."), ("...A..".into(), 3));
        assert_eq!(tilted("A.a..."), (".....A".into(), 5));
        assert_eq!(tilted("A.B..."), ("....AB".into(), 4));
        assert_eq!(tilted("AB#A.B"), ("AB..AB".into(), 1));
    }

    #[test]
    fn two_of_a_kind_run_together_and_take_no_more_in() {
        assert_eq!(tilted("A..A.."), (".....B".into(), 5));
        assert_eq!(tilted("A..AAA").0, "....BB");
        assert_eq!(tilted("A.A..B").0, "....BB");
        assert_eq!(tilted("..AAA.").0, "....AB");
        assert_eq!(tilted("C....C").0, "....CC");
    }

    /// A drop is worth two of the kind below it, and no kind is wanted twice: so no two run together that ought not.
    #[test]
    fn all_honey_of_a_level_has_its_hollow() {
        for tray in LEVELS.map(Tray::parse) {
            let held: u32 = tray.drops.tiles().iter().flatten().map(|kind| 1 << kind).sum();
            let wanted = tray.hollows().fold(0, |kinds, (_, kind)| kinds | 1 << kind);
            assert_eq!(held, wanted);
        }
    }
}
