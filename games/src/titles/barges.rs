//! Barges: boats lie crowded in a basin, and one that carries the colours of the gap in the quay has to leave by it.
//!
//! A click boards a boat, and a lantern shows which one; arrows move that boat one cell along its keel, never across. A tug,
//! one cell long, goes anywhere. Levels add, one after the other: a few boats; many; posts in the water, and a gap at the top;
//! tugs; a second boat with a gap of its own; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS_AND_CLICKS, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Title, Verdict, View,
};

/// `#` quay, `o` a post, a run of one letter a boat; `E` the gap for boat `A`, `F` that for boat `B`.
const LEVELS: [&str; 6] = [
    "
    #######
    #.ddc.#
    #...c.#
    #AAgh.E
    #..gh.#
    #.....#
    #######
    ",
    "
    ########
    #j..ccc#
    #jhh...#
    #AA.dk.E
    #.i.dk.#
    #.illk.#
    #..gg..#
    ########
    ",
    "
    ####E###
    #.ckkk.#
    #.cjj.h#
    #.go..h#
    #.g...h#
    #ll.A.o#
    #.ddAii#
    ########
    ",
    "
    ########
    #..c...#
    #..co..#
    Em.c.AA#
    #..kddd#
    #.ol..h#
    #.gg..h#
    ########
    ",
    "
    ########
    #d.B...#
    #doB...#
    #.AA...E
    #hhh..i#
    #ggc.oi#
    ###F####
    ",
    "
    ########
    #..c.o.#
    F..c.BB#
    #..k.o.#
    #hhh..i#
    #AA.d.iE
    #...d..#
    ########
    ",
];

const WATER: Color = Color::of(10);
const QUAY: Color = Color::of(4);
const EDGING: Color = Color::of(2);
const POST: Color = Color::of(13);
const LANTERN: Color = Color::of(0);
/// Boats `A` and `B`, those that lie along rows and columns, and tugs.
const LEAVING: [Color; 2] = [Color::of(6), Color::of(14)];
const ROWS: Color = Color::of(12);
const COLUMNS: Color = Color::of(7);
const TUG: Color = Color::of(11);

/// Frame cells of a cell of the basin.
const TILE: i16 = 7;

/// A boat: its letter, its upper left cell, and its columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Boat {
    letter: u8,
    at: Cell,
    size: (i16, i16),
}

impl Boat {
    fn read(map: &Map, letter: u8) -> Option<Boat> {
        let at = map.find(letter).next()?;
        let end = map.find(letter).last()?;
        Some(Boat { letter, at, size: (end.x - at.x + 1, end.y - at.y + 1) })
    }

    fn cells(self) -> impl Iterator<Item = Cell> {
        let (at, (width, height)) = (self.at, self.size);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell::at(at.x + x, at.y + y)))
    }

    /// Whether it can move that way at all.
    fn goes(self, dir: Dir) -> bool {
        let is_sideways = matches!(dir, Dir::Left | Dir::Right);
        let (width, height) = self.size;
        width == height || (width > height) == is_sideways
    }

    /// The glyph of the gap that it has to leave by.
    fn gap(self) -> Option<u8> {
        match self.letter {
            b'A' => Some(b'E'),
            b'B' => Some(b'F'),
            _ => None,
        }
    }

    fn color(self) -> Color {
        match (self.letter, self.size) {
            (b'A', _) => LEAVING[0],
            (b'B', _) => LEAVING[1],
            (_, (1, 1)) => TUG,
            (_, (2.., _)) => ROWS,
            _ => COLUMNS,
        }
    }
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Basin {
    map: Map,
    boats: Vec<Boat>,
    /// The letter of the boat that was boarded.
    boarded: Option<u8>,
}

impl Basin {
    fn parse(text: &str) -> Basin {
        let map = Map::parse(text);
        let letters = [b'A', b'B'].into_iter().chain(b'a'..=b'n');
        let boats = letters.filter_map(|letter| Boat::read(&map, letter)).collect();
        Basin { map, boats, boarded: None }
    }

    fn boat_at(&self, cell: Cell) -> Option<Boat> {
        self.boats.iter().copied().find(|boat| boat.cells().any(|it| it == cell))
    }

    fn is_water(&self, cell: Cell) -> bool {
        !matches!(self.map.glyph(cell), b'#' | b'o' | b'E' | b'F')
    }

    fn sail(&mut self, dir: Dir) {
        let Some(index) = self.boats.iter().position(|boat| Some(boat.letter) == self.boarded && boat.goes(dir)) else {
            return;
        };
        let boat = self.boats[index];
        let next = Boat { at: boat.at + dir, ..boat };
        if next.cells().any(|cell| boat.gap() == Some(self.map.glyph(cell))) {
            self.boats.remove(index);
            self.boarded = None;
            return;
        }
        let is_free = |cell: Cell| self.is_water(cell) && self.boat_at(cell).is_none_or(|it| it == boat);
        if next.cells().all(is_free) {
            self.boats[index] = next;
        }
    }

    /// Boats that still have to leave, with the gap of each.
    fn leaving(&self) -> impl Iterator<Item = (Boat, Cell)> {
        self.boats.iter().filter_map(|boat| Some((*boat, self.map.find(boat.gap()?).next()?)))
    }
}

impl Title for Basin {
    const ABOUT: About = About {
        stem: "b648",
        title: "Barges",
        families: &[Family::SelectThenAct, Family::Walls, Family::Tracks],
        controls: ARROWS_AND_CLICKS,
        optimal: &[9, 18, 23, 18, 19, 31],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(15),
            empty: Color::of(5),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Basin::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        match input {
            Input::Move(dir) => self.sail(dir),
            Input::Click(cell) => self.boarded = self.boat_at(cell).map(|it| it.letter).or(self.boarded),
            Input::Act => {}
        }
        if self.leaving().next().is_none() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(WATER);
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => {
                    scene.cell(cell, QUAY);
                    scene.inset(cell, 3, EDGING);
                }
                b'o' => scene.inset(cell, 2, POST),
                b'E' => self.draw_flags(scene, cell, LEAVING[0]),
                b'F' => self.draw_flags(scene, cell, LEAVING[1]),
                _ => {}
            }
        }
        scene.layer(1);
        for boat in &self.boats {
            let (width, height) = (TILE * boat.size.0, TILE * boat.size.1);
            scene.rectangle(boat.at, (1, 1), (width - 2, height - 2), boat.color());
            if self.boarded == Some(boat.letter) {
                scene.rectangle(boat.at, (width / 2 - 1, height / 2 - 1), (3, 3), LANTERN);
            }
        }
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), TILE).framed(QUAY)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.into_iter().chain(self.boats.iter().map(|boat| Input::Click(boat.at))).collect()
    }

    /// Every boat that has to leave is boarded, unless it is already, and taken to its gap.
    fn bound(&self) -> u32 {
        let way = |(boat, gap): (Boat, Cell)| {
            let steps = boat.cells().map(|cell| cell.distance(gap)).min().unwrap_or_default();
            steps + u32::from(self.boarded != Some(boat.letter))
        };
        self.leaving().map(way).sum()
    }
}

impl Basin {
    /// The quay on both sides of a gap shows the colours of the boat that may leave by it.
    fn draw_flags(&self, scene: &mut Scene, gap: Cell, color: Color) {
        for beside in Dir::ALL.map(|dir| gap + dir).into_iter().filter(|it| self.map.get(*it) == Some(&b'#')) {
            scene.layer(1);
            scene.inset(beside, 2, color);
            scene.layer(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: Input = Input::Move(Dir::Right);
    const DOWN: Input = Input::Move(Dir::Down);
    const UP: Input = Input::Move(Dir::Up);

    fn click(x: i16, y: i16) -> Input {
        Input::Click(Cell::at(x, y))
    }

    fn play(text: &str, inputs: &[Input]) -> (Basin, Verdict) {
        let mut basin = Basin::parse(text);
        let verdicts: Vec<Verdict> = inputs.iter().map(|input| basin.act(*input, &mut Film::blank())).collect();
        (basin, verdicts[verdicts.len() - 1])
    }

    fn at(basin: &Basin, letter: u8) -> Option<Cell> {
        basin.boats.iter().find(|boat| boat.letter == letter).map(|boat| boat.at)
    }

    #[test]
    fn only_who_is_boarded_moves_and_along_its_keel_alone() {
        let harbour = "AA..E\n.....\ncc...";
        assert_eq!(at(&play(harbour, &[RIGHT]).0, b'A'), Some(Cell::at(0, 0)));
        let (basin, _) = play(harbour, &[click(1, 2), RIGHT, UP, click(4, 1)]);
        assert_eq!((at(&basin, b'c'), basin.boarded), (Some(Cell::at(1, 2)), Some(b'c')), "water boards nothing");
    }

    #[test]
    fn boats_posts_and_the_gap_of_another_one_stop_a_boat() {
        assert_eq!(at(&play("AA.ccE", &[click(0, 0), RIGHT, RIGHT]).0, b'A'), Some(Cell::at(1, 0)));
        assert_eq!(at(&play("AAo.E", &[click(0, 0), RIGHT]).0, b'A'), Some(Cell::at(0, 0)));
        assert_eq!(at(&play("ccE\nAA.", &[click(0, 0), RIGHT]).0, b'c'), Some(Cell::at(0, 0)));
    }

    #[test]
    fn a_tug_goes_anywhere() {
        let (basin, _) = play("AAE\nc..\n...", &[click(0, 1), RIGHT, DOWN]);
        assert_eq!(at(&basin, b'c'), Some(Cell::at(1, 2)));
    }

    #[test]
    fn all_that_have_a_gap_have_to_leave() {
        assert_eq!(play("AA.E", &[click(0, 0), RIGHT, RIGHT]).1, Verdict::Solved);
        let both = "AAE\nBBF";
        let (basin, verdict) = play(both, &[click(0, 0), RIGHT]);
        assert_eq!((basin.boats.len(), basin.boarded, verdict), (1, None, Verdict::Playing));
        assert_eq!(play(both, &[click(0, 0), RIGHT, click(0, 1), RIGHT]).1, Verdict::Solved);
    }
}
