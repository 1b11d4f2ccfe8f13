//! Mice: a house of rooms, in which doors have to stand so that all mice come to cheese and no cat comes to a mouse.
//!
//! A key chooses one of four bells, and a click, wherever it is, rings it: each door of the bell's colour that is shut
//! opens, and each that is open shuts. The doors are in the same places in every house; walls, animals and how the doors
//! stand differ. Levels add, one after the other: one bell; a second one; two mice, and a third bell; a cat; two
//! cheeses; two cats, and every bell.

use env_client::Color;

use crate::engine::{
    ARROWS_AND_CLICKS, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title,
    Verdict, View,
};

/// Rooms where row and column are even, doorways and walls between them: `m` mouse, `o` cheese, `k` cat, `#` wall, `.` no
/// door, `a` to `d` a door that is shut, `A` to `D` one that is open.
const LEVELS: [&str; 6] = [
    "
    .d.#.a.
    B#.#.#D
    .#.d.B.
    C#.###c
    m#.A...
    ##b###A
    .C....o
    ",
    "
    .d.#.a.
    b#.#.#d
    o#.D.bm
    c#.###C
    .#.A.#.
    ##B#.#A
    .c.....
    ",
    "
    .d.#.a.
    B###.#d
    ...D.bm
    C#.###c
    m#.A.#.
    .#b#.#a
    .c.#.#o
    ",
    "
    .D.#.a.
    B#####d
    ...d.bo
    c###.#c
    ..ma.#.
    ##b#.#A
    .Ck#...
    ",
    "
    md..oA.
    b#####d
    .#mDkBo
    c#.#.#C
    .#.a...
    .#b#.#a
    .c.#...
    ",
    "
    mD...ao
    b#.###d
    m..DkB.
    c#####C
    .#.A.#k
    ##b###A
    .C...#.
    ",
];

/// Cells of the picture each way, and logical pixels a cell is wide.
const SIDE: i16 = 16;
const TILE: i16 = 4;
/// Cells of the house each way, and where its corner is.
const HOUSE: i16 = 13;
const CORNER: i16 = 1;

const SKY: Color = Color::of(10);
const GROUND: Color = Color::of(4);
const WALL: Color = Color::of(13);
const FLOOR: Color = Color::of(1);
/// Of bells and doors.
const COLORS: [Color; 4] = [Color::of(8), Color::of(9), Color::of(14), Color::of(15)];
const MARK: Color = Color::of(0);

const BELL: Sprite = Sprite::of(&[".##.", ".##.", "####", ".##."]);
const MOUSE: Sprite =
    Sprite::of(&["........", ".33..33.", ".373373.", "..3333..", "..5335..", "...33...", "...77...", "........"]);
const CHEESE: Sprite =
    Sprite::of(&["........", "......bb", "....bbbb", "..bbbbbb", "bbbbbccb", "bccbbccb", "bccbbbbb", "........"]);
const CAT: Sprite =
    Sprite::of(&[".5....5.", ".55..55.", ".555555.", ".5b55b5.", ".555555.", "5.5775.5", "..5555..", "........"]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct House {
    map: Map,
    /// Which doors, by colour, stand the other way round than at the start.
    turned: [bool; 4],
    /// The bell that is chosen.
    bell: usize,
    /// The rooms of the mice.
    mice: Vec<Cell>,
}

/// The colour of a door, as an index, and whether it is open at the start.
fn door(glyph: u8) -> Option<(usize, bool)> {
    match glyph {
        b'a'..=b'd' => Some((usize::from(glyph - b'a'), false)),
        b'A'..=b'D' => Some((usize::from(glyph - b'A'), true)),
        _ => None,
    }
}

impl House {
    fn parse(text: &str) -> House {
        let map = Map::parse(text);
        House { turned: [false; 4], bell: 0, mice: map.find(b'm').collect(), map }
    }

    /// Whether one can go through a doorway.
    fn is_open(&self, doorway: Cell) -> bool {
        match self.map.get(doorway) {
            Some(b'.') => true,
            Some(glyph) => door(*glyph).is_some_and(|(color, open)| open != self.turned[color]),
            None => false,
        }
    }

    /// The rooms one can go to from a room, the nearest first, each with the index of the one before.
    fn reach(&self, from: Cell) -> Vec<(Cell, usize)> {
        let mut reached = vec![(from, 0)];
        let mut next = 0;
        while let Some((room, _)) = reached.get(next).copied() {
            for dir in Dir::ALL {
                let there = room + dir + dir;
                if self.is_open(room + dir) && reached.iter().all(|(seen, _)| *seen != there) {
                    reached.push((there, next));
                }
            }
            next += 1;
        }
        reached
    }

    /// The rooms a mouse passes on its way to the nearest cheese; `None` if it has no way, or a cat has one to it.
    fn way(&self, mouse: Cell) -> Option<Vec<Cell>> {
        let reached = self.reach(mouse);
        if reached.iter().any(|(room, _)| self.map.glyph(*room) == b'k') {
            return None;
        }
        let mut at = reached.iter().position(|(room, _)| self.map.glyph(*room) == b'o')?;
        let mut way = Vec::new();
        while at > 0 {
            way.push(reached[at].0);
            at = reached[at].1;
        }
        way.reverse();
        Some(way)
    }

    /// All mice go, one after the other, if all of them can.
    fn feed(&mut self, film: &mut Film<Self>) -> Verdict {
        let ways: Option<Vec<Vec<Cell>>> = self.mice.iter().map(|mouse| self.way(*mouse)).collect();
        let Some(ways) = ways else { return Verdict::Playing };
        for (mouse, way) in ways.into_iter().enumerate() {
            for room in way {
                film.shoot(self);
                self.mice[mouse] = room;
            }
        }
        Verdict::Solved
    }

    fn draw_door(&self, scene: &mut Scene, at: Cell, color: usize) {
        let ((corner, width, height), color) = (spot(at), COLORS[color]);
        if !self.is_open(at) {
            return scene.block(corner, width, height, color);
        }
        // Of an open one only the posts are seen, at both ends of the doorway.
        let (across, along) = (TILE, TILE / 2);
        let (size, far) = if width > height {
            ((along, across), (width * TILE - along, 0))
        } else {
            ((across, along), (0, height * TILE - along))
        };
        scene.rectangle(corner, (0, 0), size, color);
        scene.rectangle(corner, far, size, color);
    }

    fn draw_bells(&self, scene: &mut Scene) {
        scene.block(Cell::at(0, CORNER + HOUSE), SIDE, 2, GROUND);
        for (bell, column) in (2..).step_by(3).enumerate().take(COLORS.len()) {
            scene.sprite(Cell::at(column, SIDE - 1), BELL.tinted(COLORS[bell]));
            if bell == self.bell {
                scene.rectangle(Cell::at(column, SIDE - 2), (1, 1), (1, 3), MARK);
            }
        }
    }
}

/// Where a room or a doorway is drawn: its corner, width and height in cells of the picture.
fn spot(at: Cell) -> (Cell, i16, i16) {
    let place = |v: i16| if v % 2 == 0 { (3 * v / 2 + 1, 2) } else { (3 * (v + 1) / 2, 1) };
    let ((x, width), (y, height)) = (place(at.x), place(at.y));
    (Cell::at(CORNER + x, CORNER + y), width, height)
}

impl Title for House {
    const ABOUT: About = About {
        stem: "m582",
        title: "Mice",
        families: &[Family::SelectThenAct, Family::Toggle, Family::FarSwitch, Family::Parity],
        controls: ARROWS_AND_CLICKS,
        optimal: &[2, 4, 5, 4, 6, 7],
        bar: Some(Bar { edge: Edge::Top, thickness: 1, full: Color::of(12), empty: Color::of(2), drain: Drain::Every }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        House::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        match input {
            Input::Move(dir) => self.bell = usize::from(dir.quarter_turns()),
            Input::Click(_) => {
                self.turned[self.bell] ^= true;
                return self.feed(film);
            }
            Input::Act => {}
        }
        Verdict::Playing
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(SKY);
        self.draw_bells(scene);
        scene.block(Cell::at(CORNER, CORNER), HOUSE, HOUSE, WALL);
        for (at, glyph) in self.map.iter().filter(|(_, glyph)| **glyph != b'#') {
            let (corner, width, height) = spot(at);
            scene.block(corner, width, height, FLOOR);
            match (*glyph, door(*glyph)) {
                (_, Some((color, _))) => self.draw_door(scene, at, color),
                (b'o', _) => scene.sprite(corner, CHEESE),
                (b'k', _) => scene.sprite(corner, CAT),
                _ => {}
            }
        }
        self.mice.iter().for_each(|mouse| scene.sprite(spot(*mouse).0, MOUSE));
    }

    fn view(&self) -> View {
        View::of(SIDE, SIDE, TILE).framed(SKY)
    }

    /// The keys, and a click, of which it does not matter where it is.
    fn inputs(&self) -> Vec<Input> {
        [Input::MOVES.as_slice(), &[Input::Click(Cell::at(0, 0))]].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLICK: Input = Input::Click(Cell::at(3, 3));

    /// Whether a level is solved once the bells in these bits were rung.
    fn is_solved(text: &str, bits: usize) -> bool {
        let mut house = House::parse(text);
        house.turned = [0, 1, 2, 3].map(|bell| bits >> bell & 1 == 1);
        house.mice.iter().all(|mouse| house.way(*mouse).is_some())
    }

    #[test]
    fn a_click_turns_all_doors_of_the_chosen_colour_over_wherever_it_is() {
        let mut house = House::parse("ma.b.\n#####\n.A.B.");
        let doors = [(1, 0), (3, 0), (1, 2), (3, 2)].map(|(x, y)| Cell::at(x, y));
        let mut film = Film::blank();
        let mut stand = |inputs: &[Input]| {
            for input in inputs {
                assert_eq!(house.act(*input, &mut film), Verdict::Playing);
            }
            doors.map(|door| house.is_open(door))
        };
        assert_eq!(stand(&[CLICK]), [true, false, false, true]);
        assert_eq!(stand(&[Input::Move(Dir::Right), Input::Click(Cell::at(9, 0))]), [true, true, false, false]);
        assert_eq!(stand(&[CLICK, Input::Move(Dir::Up), CLICK]), [false, false, true, true]);
    }

    #[test]
    fn mice_go_when_all_of_them_can_and_no_cat_can_come() {
        let ring = |text| {
            let (mut house, mut film) = (House::parse(text), Film::loaded());
            (house.act(CLICK, &mut film), film.shots().len())
        };
        assert_eq!(ring("ma..o"), (Verdict::Solved, 2));
        assert_eq!(ring("mAo.m"), (Verdict::Playing, 0));
        assert_eq!(ring("maoak"), (Verdict::Playing, 0));
        assert_eq!(ring("maoAk"), (Verdict::Solved, 1));
    }

    #[test]
    fn doors_are_in_the_same_places_in_every_house() {
        let places = |text: &str| -> Vec<(Cell, usize)> {
            let map = Map::parse(text);
            map.iter().filter_map(|(at, glyph)| door(*glyph).map(|(color, _)| (at, color))).collect()
        };
        assert_eq!(places(LEVELS[0]).len(), 12);
        assert!(LEVELS.iter().all(|text| places(text) == places(LEVELS[0])));
    }

    #[test]
    fn one_combination_solves_a_level_and_cats_rule_others_out() {
        for (level, text) in (1..).zip(LEVELS) {
            let count = |text: &str| (0..16).filter(|bits| is_solved(text, *bits)).count();
            assert_eq!(count(text), 1, "level {level}");
            assert!(!text.contains('k') || count(&text.replace('k', ".")) > 2, "level {level}");
        }
    }
}
