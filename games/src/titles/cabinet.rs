//! Cabinet: butterflies in a case have to come to lie as on the card beside it.
//!
//! Where tweezers lie ready, a click takes up a butterfly and another one exchanges it with a neighbour; a brass pin
//! turns the four around it; where a place is empty, arrows slide butterflies into it. Levels have, one after the other:
//! tweezers; pins; an empty place; a card of small dots; an empty place among pins; tweezers and few pins; all of it
//! together.

use env_client::Color;

use crate::engine::{
    ARROWS_AND_CLICKS, About, Bar, Board, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title,
    Verdict, View,
};

/// One level.
#[derive(Debug)]
struct Plan {
    /// The butterflies as they lie, and as they should: `a` `b` `c` `d`, `.` an empty place.
    start: &'static str,
    wanted: &'static str,
    /// The place left above each pin.
    pins: &'static [(i16, i16)],
    has_tweezers: bool,
    /// Whether the card shows whole butterflies.
    is_large: bool,
}

const ALL_OF_NINE: &[(i16, i16)] = &[(0, 0), (1, 0), (0, 1), (1, 1)];
const ALL_OF_TWELVE: &[(i16, i16)] = &[(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)];

const LEVELS: [Plan; 7] = [
    Plan { start: "bcc baa", wanted: "abc cba", pins: &[], has_tweezers: true, is_large: true },
    Plan { start: "baa bbc aab", wanted: "aba bcb aba", pins: ALL_OF_NINE, has_tweezers: false, is_large: true },
    Plan { start: "acb bba .ac", wanted: "aba c.c bab", pins: &[], has_tweezers: false, is_large: true },
    Plan {
        start: "abbc adba cadb",
        wanted: "abba cddc abba",
        pins: ALL_OF_TWELVE,
        has_tweezers: false,
        is_large: false,
    },
    Plan { start: "dbd .bc aac", wanted: "abc d.b cad", pins: ALL_OF_NINE, has_tweezers: false, is_large: false },
    Plan {
        start: "acba adbc babd",
        wanted: "aabb cdcd bbaa",
        pins: &[(0, 0), (2, 1)],
        has_tweezers: true,
        is_large: false,
    },
    Plan {
        start: "c.ba bcba ccaa",
        wanted: "abca c.bc abca",
        pins: &[(0, 1), (2, 0)],
        has_tweezers: true,
        is_large: false,
    },
];

/// Frame cells of a butterfly, and from one to the next.
const SIZE: i16 = 7;
const PITCH: i16 = 10;
/// The same of a dot on a small card.
const DOT: i16 = 3;
const DOTS: i16 = 4;
const SIDE: i16 = 64;
/// The first column of the case's places, and the first row of a small card.
const LEFT: i16 = 3;
const TOP: i16 = 9;

const WALL: Color = Color::of(4);
const WOOD: Color = Color::of(13);
const VELVET: Color = Color::of(5);
const PAPER: Color = Color::of(1);
const BRASS: Color = Color::of(11);
const STEEL: Color = Color::of(0);
const TAKEN: Color = Color::of(7);
/// Wings and spots of each kind.
const KINDS: [(Color, Color); 4] = [
    (Color::of(12), Color::of(8)),
    (Color::of(9), Color::of(10)),
    (Color::of(14), Color::of(3)),
    (Color::of(15), Color::of(6)),
];

const WINGS: Sprite = Sprite::of(&["##...##", "###0###", "#.#0#.#", ".##0##.", ".##0##.", "###0###", "##...##"]);
const SPOTS: Sprite = Sprite::of(&[".......", ".......", ".#...#.", ".......", ".......", ".......", "......."]);
const PIN: Sprite = Sprite::of(&[".#.", "###", ".#."]);
const TWEEZERS: Sprite = Sprite::of(&[
    "#.......#",
    "#.......#",
    ".#.....#.",
    ".#.....#.",
    "..#...#..",
    "..#...#..",
    "...#.#...",
    "...###...",
    "....#....",
]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cabinet {
    level: usize,
    wanted: Map,
    places: Board<u8>,
    /// The butterfly that the tweezers hold.
    taken: Option<Cell>,
}

fn parse(rows: &str) -> Map {
    Map::parse(&rows.replace(' ', "\n"))
}

impl Cabinet {
    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    /// The frame cell in the corner of the first place.
    fn corner(&self) -> Cell {
        Cell::at(LEFT, (SIDE - PITCH * self.places.height() + PITCH - SIZE) / 2)
    }

    fn corner_of(&self, place: Cell) -> Cell {
        let Cell { x, y } = self.corner();
        Cell::at(x + PITCH * place.x, y + PITCH * place.y)
    }

    /// The place below a frame cell, and whether it is the gap right below and right of it.
    fn hit(&self, at: Cell) -> Option<(Cell, bool)> {
        let Cell { x, y } = self.corner();
        let (x, y) = (at.x - x, at.y - y);
        let place = Cell::at(x.div_euclid(PITCH), y.div_euclid(PITCH));
        let (in_gap, is_in) = ([x, y].map(|it| it.rem_euclid(PITCH) >= SIZE), self.places.get(place).is_some());
        (is_in && in_gap[0] == in_gap[1]).then_some((place, in_gap[0]))
    }

    /// Turns the four places around a pin clockwise.
    fn turn(&mut self, pin: Cell) {
        let around = [pin, pin + Dir::Right, pin + Dir::Right + Dir::Down, pin + Dir::Down];
        let mut held = around.map(|place| self.places[place]);
        held.rotate_right(1);
        around.into_iter().zip(held).for_each(|(place, it)| self.places[place] = it);
    }

    /// Exchanges what lies in two places.
    fn exchange(&mut self, one: Cell, other: Cell) {
        let held = self.places[one];
        self.places[one] = self.places[other];
        self.places[other] = held;
    }

    fn slide(&mut self, dir: Dir) {
        let empty = self.places.find(b'.').next();
        if let Some((empty, from)) = empty.map(|empty| (empty, empty + dir.opposite()))
            && self.places.get(from).is_some()
        {
            self.exchange(empty, from);
        }
    }

    /// Takes up what lies in a place, lays it back, or exchanges it with what is held beside it.
    fn take(&mut self, place: Cell) {
        if self.places[place] == b'.' {
            return;
        }
        match self.taken.take() {
            Some(taken) if taken.distance(place) == 1 => self.exchange(taken, place),
            Some(taken) if taken == place => {}
            _ => self.taken = Some(place),
        }
    }

    fn click(&mut self, at: Cell) {
        match self.hit(at) {
            Some((pin, true)) if self.plan().pins.contains(&(pin.x, pin.y)) => {
                self.taken = None;
                self.turn(pin);
            }
            Some((place, false)) if self.plan().has_tweezers => self.take(place),
            _ => {}
        }
    }

    fn draw_case(&self, scene: &mut Scene) {
        let Cell { x, y } = self.corner();
        let (width, height) = (PITCH * self.places.width() - 3, PITCH * self.places.height() - 3);
        scene.block(Cell::at(x - 2, y - 2), width + 4, height + 4, WOOD);
        scene.block(Cell::at(x - 1, y - 1), width + 2, height + 2, VELVET);
        for (place, kind) in self.places.iter() {
            draw_butterfly(scene, self.corner_of(place), *kind);
        }
        if let Some(Cell { x, y }) = self.taken.map(|place| self.corner_of(place)) {
            let side = SIZE + 2;
            for (dx, dy, width, height) in
                [(-1, -1, side, 1), (-1, SIZE, side, 1), (-1, 0, 1, SIZE), (SIZE, 0, 1, SIZE)]
            {
                scene.block(Cell::at(x + dx, y + dy), width, height, TAKEN);
            }
        }
        for (x, y) in self.plan().pins {
            let Cell { x, y } = self.corner_of(Cell::at(*x, *y));
            scene.sprite(Cell::at(x + SIZE, y + SIZE), PIN.tinted(BRASS));
        }
    }

    fn draw_card(&self, scene: &mut Scene) {
        let left = LEFT + PITCH * self.places.width() + 2;
        let (pitch, top) = if self.plan().is_large { (PITCH, self.corner().y) } else { (DOTS, TOP) };
        let gap = if self.plan().is_large { PITCH - SIZE } else { DOTS - DOT };
        let (width, height) = (pitch * self.places.width() - gap, pitch * self.places.height() - gap);
        scene.block(Cell::at(left - 1, top - 1), width + 2, height + 2, PAPER);
        for (place, kind) in self.wanted.iter() {
            let corner = Cell::at(left + pitch * place.x, top + pitch * place.y);
            match color(*kind) {
                Some(_) if self.plan().is_large => draw_butterfly(scene, corner, *kind),
                Some((wings, _)) => scene.block(corner, DOT, DOT, wings),
                None => {}
            }
        }
        if self.plan().has_tweezers {
            scene.sprite(Cell::at(left + 4, SIDE - 16), TWEEZERS.tinted(STEEL));
        }
    }
}

fn color(kind: u8) -> Option<(Color, Color)> {
    KINDS.get(usize::from(kind.checked_sub(b'a')?)).copied()
}

fn draw_butterfly(scene: &mut Scene, corner: Cell, kind: u8) {
    if let Some((wings, spots)) = color(kind) {
        scene.sprite(corner, WINGS.tinted(wings));
        scene.sprite(corner, SPOTS.tinted(spots));
    }
}

impl Title for Cabinet {
    const ABOUT: About = About {
        stem: "c873",
        title: "Cabinet",
        families: &[Family::Reference, Family::Slide, Family::Tracks, Family::SelectThenAct],
        controls: ARROWS_AND_CLICKS,
        optimal: &[6, 4, 10, 6, 8, 10, 13],
        bar: Some(Bar { edge: Edge::Top, thickness: 1, full: Color::of(6), empty: Color::of(2), drain: Drain::Every }),
    };

    fn level(level: usize, _: &mut Dice) -> Self {
        let plan = &LEVELS[level];
        Cabinet { level, wanted: parse(plan.wanted), places: Board::clone(&parse(plan.start)), taken: None }
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        match input {
            Input::Move(dir) => {
                self.taken = None;
                self.slide(dir);
            }
            Input::Click(at) => self.click(at),
            Input::Act => {}
        }
        if self.places.tiles() == self.wanted.tiles() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(WALL);
        self.draw_case(scene);
        self.draw_card(scene);
    }

    fn view(&self) -> View {
        View::of(SIDE, SIDE, 1)
    }

    fn inputs(&self) -> Vec<Input> {
        let plan = self.plan();
        let within = |place: Cell, by: i16| {
            let Cell { x, y } = self.corner_of(place);
            Input::Click(Cell::at(x + by, y + by))
        };
        let pins = plan.pins.iter().map(|(x, y)| within(Cell::at(*x, *y), SIZE + 1));
        let taken = self.places.cells().filter(|_| plan.has_tweezers).map(|place| within(place, SIZE / 2));
        Input::MOVES.into_iter().chain(pins).chain(taken).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(index: usize) -> Cabinet {
        Cabinet::level(index, &mut Dice::new(0, ""))
    }

    fn text(cabinet: &Cabinet) -> String {
        String::from_utf8(cabinet.places.tiles().to_vec()).unwrap()
    }

    #[test]
    fn tweezers_exchange_neighbours_alone() {
        let mut cabinet = level(0);
        cabinet.take(Cell::at(0, 0));
        cabinet.take(Cell::at(2, 0));
        assert_eq!((text(&cabinet).as_str(), cabinet.taken), ("bccbaa", Some(Cell::at(2, 0))));
        cabinet.take(Cell::at(2, 1));
        assert_eq!((text(&cabinet).as_str(), cabinet.taken), ("bcabac", None));
    }

    #[test]
    fn a_pin_turns_the_four_around_it() {
        let mut cabinet = level(1);
        let Cell { x, y } = cabinet.corner();
        cabinet.click(Cell::at(x + SIZE + 1, y + SIZE + 1));
        assert_eq!(text(&cabinet), "bbabacaab");
        let mut four = cabinet.clone();
        (0..4).for_each(|_| four.turn(Cell::at(1, 1)));
        assert_eq!(four, cabinet);
    }

    #[test]
    fn butterflies_slide_into_the_empty_place() {
        let mut cabinet = level(2);
        cabinet.slide(Dir::Right);
        assert_eq!(text(&cabinet), "acbbba.ac", "nothing lies left of it");
        cabinet.slide(Dir::Left);
        cabinet.slide(Dir::Down);
        assert_eq!(text(&cabinet), "acbb.aabc");
    }

    #[test]
    fn a_gap_without_a_pin_is_nothing_to_click() {
        let mut cabinet = level(5);
        let Cell { x, y } = cabinet.corner();
        for (dx, dy) in [(SIZE, SIZE + PITCH), (SIZE + PITCH, SIZE), (SIZE, 0), (-1, 0)] {
            cabinet.click(Cell::at(x + dx, y + dy));
        }
        assert_eq!(cabinet, level(5));
    }
}
