//! Dodgems: at a fair nobody sits at the wheel; the cars are driven by the buttons of a console, and each wants to be parked.
//!
//! A click on a button drives one car or more by one tile, each in a direction of its own, which has to be found out: nothing
//! drawn tells it, and it is another one in every level. Tyres, the rim and other cars stop a car; two that want the same
//! tile, or each other's, both stay. A level is solved once every car stands in the frame of its colour.
//!
//! Levels add, one after the other: a second car, and buttons that drive both; buttons that always drive both, the one
//! a quarter turned against the other, so that only tyres set them out of step; a button that drives one car alone,
//! without which it can't be done; a third car; another console, with some buttons of each kind.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// One level.
#[derive(Debug)]
struct Plan {
    /// `#` tyres; cars are capital letters, their frames small ones.
    floor: &'static str,
    /// For each button where it drives the cars, in their order: `U`, `R`, `D`, `L`, or `.` for one that stays.
    buttons: &'static [&'static str],
    /// Frame cells from one tile to the next.
    pitch: i16,
    /// The frame cell in the corner of the first tile.
    corner: (i16, i16),
    /// Whether the buttons are at both sides of the floor, and not below it.
    is_split: bool,
}

const LEVELS: [Plan; 6] = [
    Plan {
        floor: "..A## ..#.a ..... ....#",
        buttons: &["R", "D", "U", "L"],
        pitch: 10,
        corner: (7, 5),
        is_split: false,
    },
    Plan {
        floor: "a##.#. .b..B. ..#... ..A...",
        buttons: &["D.", "RU", ".L", "LD", "UR"],
        pitch: 9,
        corner: (5, 6),
        is_split: false,
    },
    Plan {
        floor: "....a. #.B.A. ..#.#. ...... .b.##.",
        buttons: &["UR", "RD", "LU", "DL"],
        pitch: 8,
        corner: (8, 5),
        is_split: false,
    },
    Plan {
        floor: "...##.a #.#.... ..Bb..# ..#..#. .A.....",
        buttons: &["DU", ".L", "RD", "UR", "LR"],
        pitch: 8,
        corner: (4, 5),
        is_split: false,
    },
    Plan {
        floor: ".#A... ..#... B.a.c. ..#.b. #.C..#",
        buttons: &["UR.", "D.L", ".UR", "LDU", "RLD"],
        pitch: 8,
        corner: (8, 5),
        is_split: false,
    },
    Plan {
        floor: "..#.B. #....# .Ab#.. ...... .aCc.. .#.#.#",
        buttons: &["LU.", "DRL", "RDU", "UL.", "..D", ".RR"],
        pitch: 7,
        corner: (11, 11),
        is_split: true,
    },
];

const SIDE: i16 = 64;
/// Frame cells of a button, and from one to the next in a row and in a column.
const BUTTON: i16 = 7;
const ACROSS: i16 = 10;
const DOWN: i16 = 15;
/// The tiles on which a car is large enough to have a seat drawn.
const LARGE: i16 = 7;
/// The upper edge of the buttons below the floor, and the left edges and the upper one of those beside it.
const BELOW: i16 = 52;
const BESIDE: [i16; 2] = [2, 55];
const TOP: i16 = 14;

const NIGHT: Color = Color::of(15);
const RIM: Color = Color::of(12);
const FLOOR: Color = Color::of(3);
const SEAM: Color = Color::of(4);
const TYRE: Color = Color::of(5);
const HUB: Color = Color::of(2);
const SEAT: Color = Color::of(0);
const PANEL: Color = Color::of(2);
const KNOB: Color = Color::of(13);
const STUD: Color = Color::of(6);
const PRESSED: Color = Color::of(0);
const CARS: [Color; 3] = [Color::of(8), Color::of(10), Color::of(11)];

const ROUND: Sprite = Sprite::of(&["..###..", ".#####.", "#######", "#######", "#######", ".#####.", "..###.."]);
const DIAMOND: Sprite = Sprite::of(&["...#...", "..###..", ".#####.", "#######", ".#####.", "..###..", "...#..."]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Dodgems {
    level: usize,
    map: Map,
    cars: Vec<Cell>,
    /// The button that was clicked, while it is shown.
    pressed: Option<usize>,
}

/// Where a car is driven.
fn heading(letter: u8) -> Option<Dir> {
    match letter {
        b'U' => Some(Dir::Up),
        b'R' => Some(Dir::Right),
        b'D' => Some(Dir::Down),
        b'L' => Some(Dir::Left),
        _ => None,
    }
}

/// Where the cars stand after a button that drives them so.
fn driven(map: &Map, cars: &[Cell], button: &str) -> Vec<Cell> {
    let aim = |(car, letter): (&Cell, u8)| {
        let aim = heading(letter).map(|dir| *car + dir);
        aim.filter(|cell| map.glyph(*cell) != b'#').unwrap_or(*car)
    };
    let mut aims: Vec<Cell> = cars.iter().zip(button.bytes()).map(aim).collect();
    loop {
        let is_stopped = |own: &usize| {
            let meets =
                |other: usize| aims[other] == aims[*own] || (aims[other] == cars[*own] && aims[*own] == cars[other]);
            aims[*own] != cars[*own] && (0..cars.len()).any(|other| other != *own && meets(other))
        };
        let stopped: Vec<usize> = (0..cars.len()).filter(is_stopped).collect();
        if stopped.is_empty() {
            return aims;
        }
        for own in stopped {
            aims[own] = cars[own];
        }
    }
}

impl Dodgems {
    fn of(level: usize) -> Dodgems {
        let map = Map::parse(&LEVELS[level].floor.replace(' ', "\n"));
        let cars = (b'A'..=b'C').flat_map(|letter| map.find(letter)).collect();
        Dodgems { level, map, cars, pressed: None }
    }

    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    /// The cars with the frames they belong into.
    fn pairs(&self) -> impl Iterator<Item = (Cell, Cell)> {
        let frames = (b'a'..=b'c').flat_map(|letter| self.map.find(letter));
        self.cars.iter().copied().zip(frames)
    }

    /// The frame cell in the corner of a tile.
    fn corner(&self, cell: Cell) -> Cell {
        let Plan { pitch, corner: (x, y), .. } = *self.plan();
        Cell::at(x + pitch * cell.x, y + pitch * cell.y)
    }

    /// The frame cell in the corner of a button.
    fn spot(&self, button: usize) -> Cell {
        let (count, at) = (self.plan().buttons.len() as i16, button as i16);
        if self.plan().is_split {
            return Cell::at(BESIDE[button % 2], TOP + DOWN * (at / 2));
        }
        let wide = ACROSS * count - (ACROSS - BUTTON);
        Cell::at((SIDE - wide) / 2 + ACROSS * at, BELOW)
    }

    fn hit(&self, at: Cell) -> Option<usize> {
        (0..self.plan().buttons.len()).find(|button| {
            let Cell { x, y } = self.spot(*button);
            (x..x + BUTTON).contains(&at.x) && (y..y + BUTTON).contains(&at.y)
        })
    }

    fn draw_floor(&self, scene: &mut Scene) {
        let (Cell { x, y }, pitch) = (self.corner(Cell::at(0, 0)), self.plan().pitch);
        let (width, height) = (self.map.width() * pitch, self.map.height() * pitch);
        scene.block(Cell::at(x - 2, y - 2), width + 3, height + 3, RIM);
        scene.block(Cell::at(x - 1, y - 1), width + 1, height + 1, SEAM);
        for (cell, glyph) in self.map.iter() {
            let (Cell { x, y }, size) = (self.corner(cell), pitch - 1);
            scene.block(Cell::at(x, y), size, size, FLOOR);
            if *glyph == b'#' {
                disc(scene, Cell::at(x, y), size, TYRE);
                let hub = if size % 2 == 0 { 2 } else { 3 };
                scene.block(Cell::at(x + (size - hub) / 2, y + (size - hub) / 2), hub, hub, HUB);
            }
        }
    }

    fn draw_cars(&self, scene: &mut Scene) {
        let size = self.plan().pitch - 1;
        for ((_, frame), color) in self.pairs().zip(CARS) {
            let Cell { x, y } = self.corner(frame);
            scene.block(Cell::at(x, y), size, size, color);
            scene.block(Cell::at(x + 1, y + 1), size - 2, size - 2, FLOOR);
        }
        for ((car, _), color) in self.pairs().zip(CARS) {
            let Cell { x, y } = self.corner(car);
            if size < LARGE {
                scene.block(Cell::at(x + 1, y + 1), size - 2, size - 2, color);
                continue;
            }
            disc(scene, Cell::at(x + 1, y + 1), size - 2, color);
            let seat = if size % 2 == 0 { 2 } else { 1 };
            scene.block(Cell::at(x + (size - seat) / 2, y + (size - seat) / 2), seat, seat, SEAT);
        }
    }

    fn draw_console(&self, scene: &mut Scene) {
        let Plan { buttons, is_split, .. } = *self.plan();
        let (first, last) = (self.spot(0), self.spot(buttons.len() - 1));
        let tall = last.y - first.y + BUTTON + 2;
        if is_split {
            for x in BESIDE {
                scene.block(Cell::at(x - 1, TOP - 1), BUTTON + 2, tall, PANEL);
            }
        } else {
            scene.block(Cell::at(first.x - 2, first.y - 1), last.x - first.x + BUTTON + 4, tall, PANEL);
        }
        let (sprite, color) = if is_split { (DIAMOND, STUD) } else { (ROUND, KNOB) };
        for button in 0..buttons.len() {
            let tint = if self.pressed == Some(button) { PRESSED } else { color };
            scene.sprite(self.spot(button), sprite.tinted(tint));
        }
    }
}

/// A square without its corners.
fn disc(scene: &mut Scene, Cell { x, y }: Cell, size: i16, color: Color) {
    scene.block(Cell::at(x + 1, y), size - 2, size, color);
    scene.block(Cell::at(x, y + 1), size, size - 2, color);
}

impl Title for Dodgems {
    const ABOUT: About = About {
        stem: "d643",
        title: "Dodgems",
        families: &[Family::Twins, Family::Walls],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[7, 9, 10, 11, 12, 13],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 2,
            full: Color::of(14),
            empty: Color::of(4),
            drain: Drain::Effective,
        }),
    };

    fn level(level: usize, _: &mut Dice) -> Self {
        Dodgems::of(level)
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        if let Input::Click(at) = input
            && let Some(button) = self.hit(at)
        {
            self.pressed = Some(button);
            film.shoot(self);
            self.pressed = None;
            self.cars = driven(&self.map, &self.cars, self.plan().buttons[button]);
        }
        if self.pairs().all(|(car, frame)| car == frame) { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(NIGHT);
        self.draw_floor(scene);
        self.draw_cars(scene);
        self.draw_console(scene);
    }

    fn view(&self) -> View {
        View::of(SIDE, SIDE, 1)
    }

    fn inputs(&self) -> Vec<Input> {
        let middle = |Cell { x, y }| Cell::at(x + BUTTON / 2, y + BUTTON / 2);
        (0..self.plan().buttons.len()).map(|button| Input::Click(middle(self.spot(button)))).collect()
    }

    /// No button drives a car by more than a tile.
    fn bound(&self) -> u32 {
        self.pairs().map(|(car, frame)| car.distance(frame)).max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::engine::Board;

    /// Where cars in one row stand after a button.
    fn row(row: &str, cars: &[i16], button: &str) -> Vec<i16> {
        let cars: Vec<Cell> = cars.iter().map(|x| Cell::at(*x, 0)).collect();
        driven(&Map::parse(row), &cars, button).iter().map(|car| car.x).collect()
    }

    /// Whether some of the buttons of a level solve it.
    fn is_solved_by(level: usize, buttons: &[&str]) -> bool {
        let Dodgems { map, cars, .. } = Dodgems::of(level);
        let (mut seen, mut open) = (BTreeSet::from([cars.clone()]), vec![cars]);
        while let Some(cars) = open.pop() {
            let next = buttons.iter().map(|button| driven(&map, &cars, button));
            open.extend(next.filter(|cars| seen.insert(cars.clone())));
        }
        let frames: Vec<Cell> = Dodgems::of(level).pairs().map(|(_, frame)| frame).collect();
        seen.contains(&frames)
    }

    #[test]
    fn cars_are_stopped_by_tyres_the_rim_and_each_other() {
        assert_eq!(row(".#..", &[0, 2], "RL"), [0, 2]);
        assert_eq!(row("....", &[0, 3], "LR"), [0, 3]);
        assert_eq!(row("....", &[1, 2], "R."), [1, 2], "a car that stays is in the way");
        assert_eq!(row("....", &[1, 2], "RR"), [2, 3], "one that drives on is not");
        assert_eq!(row("....", &[2, 3], "RR"), [2, 3], "unless it is stopped itself");
        assert_eq!(row("....", &[1, 2], "RL"), [1, 2], "cars do not pass through each other");
        assert_eq!(row("....", &[1, 3], "RL"), [1, 3], "nobody gets what both want");
        assert_eq!(row("....#", &[0, 1, 3], "RRL"), [0, 1, 3], "and who comes behind stays as well");
    }

    #[test]
    fn on_an_open_floor_the_cars_of_the_third_level_keep_in_step() {
        for button in LEVELS[2].buttons {
            let dirs: Vec<Dir> = button.bytes().filter_map(heading).collect();
            assert_eq!(dirs[1], dirs[0].clockwise());
        }
        let way = |(car, frame): (Cell, Cell)| (frame.x - car.x, frame.y - car.y);
        let ways: Vec<(i16, i16)> = Dodgems::of(2).pairs().map(way).collect();
        assert_ne!(ways[1], (-ways[0].1, ways[0].0), "it would do without tyres");
    }

    #[test]
    fn the_fourth_level_needs_the_button_that_drives_one_car_alone() {
        let buttons = LEVELS[3].buttons;
        let (alone, both): (Vec<_>, Vec<_>) = buttons.iter().copied().partition(|button| button.contains('.'));
        assert_eq!(alone.len(), 1);
        assert!(is_solved_by(3, buttons) && !is_solved_by(3, &both));
    }

    #[test]
    fn every_button_drives_another_way_and_is_hit_in_its_own_place_alone() {
        for dodgems in (0..LEVELS.len()).map(Dodgems::of) {
            let buttons = dodgems.plan().buttons;
            assert_eq!(BTreeSet::from_iter(buttons).len(), buttons.len());
            let cells = Board::new(SIDE, SIDE, |at| dodgems.hit(at));
            for (button, drives) in buttons.iter().enumerate() {
                assert_eq!(cells.find(Some(button)).count(), (BUTTON * BUTTON) as usize);
                assert_eq!(drives.len(), dodgems.cars.len());
            }
        }
    }
}
