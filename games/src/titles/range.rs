//! Range: a rover has to be home before its tank is empty.
//!
//! The gauge above the world is the tank; driving burns it, and a rover that stops on the way is lost. Levels add, one
//! after the other: a pump that fills the tank; sand, on which a step burns twice as much; canisters, which fill the
//! tank once; samples that have to be brought home, each of which makes every step burn one more; all of it together.

use env_client::Color;

use crate::engine::{ARROWS, About, Cell, Dice, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View};

/// Size of the tank, and the world: `#` rock, `@` rover, `H` home, `P` pump, `c` canister, `:` sand, `s` sample.
const LEVELS: [(u8, &str); 7] = [
    (
        9,
        "
        ########
        #......#
        #.@.#H.#
        #...#..#
        #.#.#.##
        #......#
        ########
        ",
    ),
    (
        18,
        "
        ############
        #@..#......#
        #.#.#.####.#
        #.#...#..#.#
        #.###.#P.#.#
        #...#....#.#
        ###.####.#.#
        #P.......#H#
        ############
        ",
    ),
    (
        9,
        "
        ############
        #....::....#
        #.##.::.##.#
        #.#P.::.P#.#
        #.##.::.##.#
        #@...::...H#
        ####.::.####
        #......#...#
        #.####.::#.#
        #......::..#
        ############
        ",
    ),
    (
        12,
        "
        ############
        #@....#....#
        #.###...##.#
        #...#c#.#..#
        ###.###.#.##
        #c..::..#.c#
        #.#.::#...##
        #.#..c#.#..#
        #.###.#.##.#
        #.....#...H#
        ############
        ",
    ),
    (
        32,
        "
        ##########
        #...##..s#
        #.s.#..#.#
        #..#..##.#
        #.##.....#
        #....H.#.#
        #.##..##P#
        #...#....#
        ##########
        ",
    ),
    (
        30,
        "
        ##############
        #....::..#...#
        ####.::.##.#.#
        #..#.........#
        #.c###.#.#.###
        #s.....#H#...#
        #.####.#.#.#.#
        #.::...#.#.#.#
        #.::.#...P.#s#
        ##############
        ",
    ),
    (
        43,
        "
        ################
        #@..:..#...#..s#
        #.#.:.##.#...#.#
        #.#.:....#.#.#.#
        #P#.####.#.#c#.#
        ###....#.#.###.#
        #s..##::.......#
        #.#.##::.#.###.#
        #.#......#c#H#.#
        #.####.#.#.#.#.#
        #....c.#....s..#
        ################
        ",
    ),
];

const GROUND: Color = Color::of(12);
const ROCK: Color = Color::of(13);
const BURNT: Color = Color::of(5);
const LEFT: Color = Color::of(10);

const ROCKS: Sprite = Sprite::of(&["dddd", "d8dd", "dddd", "dd8d"]);
const SAND: Sprite = Sprite::of(&["cbcb", "bcbc", "cbcb", "bcbc"]);
const ROVER: Sprite = Sprite::of(&[".00.", "0##0", "0000", "5..5"]);
const HOME: Sprite = Sprite::of(&["e00e", "0550", "0550", "e55e"]);
const PUMP: Sprite = Sprite::of(&["555.", "5a55", "5a5.", "5555"]);
const CANISTER: Sprite = Sprite::of(&["....", ".55.", ".aa.", ".aa."]);
const SAMPLE: Sprite = Sprite::of(&["....", ".#..", "###.", ".#.."]);
const ORE: Color = Color::of(6);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Range {
    map: Map,
    rover: Cell,
    tank: u8,
    fuel: u8,
    /// Samples on board.
    load: u8,
    /// Canisters and samples that were taken, in the order of their cells.
    taken: Vec<Cell>,
}

impl Range {
    fn parse(tank: u8, text: &str) -> Range {
        let map = Map::parse(text);
        let rover = map.find(b'@').chain(map.find(b'H')).next().unwrap_or_default();
        Range { map, rover, tank, fuel: tank, load: 0, taken: Vec::new() }
    }

    /// What is on a cell by now.
    fn glyph(&self, cell: Cell) -> u8 {
        if self.taken.contains(&cell) { b'.' } else { self.map.glyph(cell) }
    }

    /// What one step onto a cell burns.
    fn cost(&self, cell: Cell) -> u8 {
        let ground = if self.glyph(cell) == b':' { 2 } else { 1 };
        ground * (1 + self.load)
    }

    /// Does what the cell under the rover is for.
    fn visit(&mut self, film: &mut Film<Self>) {
        match self.glyph(self.rover) {
            b'P' => self.refuel(film),
            b'c' => {
                self.take();
                self.refuel(film);
            }
            b's' => {
                self.take();
                self.load += 1;
            }
            b'H' => self.load = 0,
            _ => {}
        }
    }

    fn take(&mut self) {
        self.taken.push(self.rover);
        self.taken.sort_unstable();
    }

    /// Fills the tank; the gauge is seen rising.
    fn refuel(&mut self, film: &mut Film<Self>) {
        while self.fuel < self.tank {
            film.shoot(self);
            self.fuel = (self.fuel + 3).min(self.tank);
        }
    }

    fn is_solved(&self) -> bool {
        let all_taken = self.map.find(b's').all(|sample| self.taken.contains(&sample));
        self.glyph(self.rover) == b'H' && all_taken
    }

    fn draw_gauge(&self, scene: &mut Scene) {
        let gauge = Cell::at(0, -1);
        scene.block(gauge, self.map.width(), 1, Color::of(4));
        scene.rectangle(gauge, (1, 1), (i16::from(self.tank), 2), BURNT);
        scene.rectangle(gauge, (1, 1), (i16::from(self.fuel), 2), LEFT);
    }
}

impl Title for Range {
    const ABOUT: About = About {
        stem: "f346",
        title: "Range",
        families: &[Family::Walls, Family::Fuel, Family::Counter],
        controls: ARROWS,
        optimal: &[5, 29, 17, 23, 34, 48, 56],
        bar: None,
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        let (tank, map) = LEVELS[index];
        Range::parse(tank, map)
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        let ahead = self.rover + dir;
        if self.map.glyph(ahead) == b'#' {
            return Verdict::Playing;
        }
        let cost = self.cost(ahead);
        let enough = cost <= self.fuel;
        self.rover = ahead;
        self.fuel = self.fuel.saturating_sub(cost);
        if enough {
            self.visit(film);
        }
        match (enough && self.is_solved(), self.fuel) {
            (true, _) => Verdict::Solved,
            (false, 0) => Verdict::Lost,
            (false, _) => Verdict::Playing,
        }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(GROUND);
        self.draw_gauge(scene);
        for cell in self.map.cells() {
            match self.glyph(cell) {
                b'#' => scene.sprite(cell, ROCKS),
                b':' => scene.sprite(cell, SAND),
                b'H' => scene.sprite(cell, HOME),
                b'P' => scene.sprite(cell, PUMP),
                b'c' => scene.sprite(cell, CANISTER),
                b's' => scene.sprite(cell, SAMPLE.tinted(ORE)),
                _ => {}
            }
        }
        let cargo = if self.load > 0 { ORE } else { Color::of(9) };
        scene.sprite(self.rover, ROVER.tinted(cargo));
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height() + 1, 4).scrolled_to(Cell::at(0, -1)).framed(ROCK)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::Dir,
        prover::{ProofError, prove},
    };

    fn drive(range: &mut Range, path: &str) -> Verdict {
        let dirs = path.chars().map(|step| match step {
            'u' => Dir::Up,
            'd' => Dir::Down,
            'l' => Dir::Left,
            _ => Dir::Right,
        });
        dirs.fold(Verdict::Playing, |_, dir| range.act(Input::Move(dir), &mut Film::blank()))
    }

    /// The levels of which nothing is left of one kind of thing.
    fn without(level: usize, thing: &str) -> Result<u32, ProofError> {
        let (tank, map) = LEVELS[level];
        prove(&Range::parse(tank, &map.replace(thing, "."))).map(|proof| proof.optimal())
    }

    #[test]
    fn a_step_onto_sand_burns_double_and_each_sample_adds_to_it() {
        let mut range = Range::parse(20, "@:s:.H");
        drive(&mut range, "rr");
        assert_eq!((range.fuel, range.load), (17, 1));
        drive(&mut range, "rr");
        assert_eq!(range.fuel, 17 - 4 - 2);
        assert_eq!(drive(&mut range, "r"), Verdict::Solved);
    }

    #[test]
    fn an_empty_tank_ends_the_game_unless_the_rover_has_arrived() {
        assert_eq!(drive(&mut Range::parse(2, "@..H"), "rr"), Verdict::Lost);
        assert_eq!(drive(&mut Range::parse(2, "@.P.H"), "rr"), Verdict::Playing);
        assert_eq!(drive(&mut Range::parse(2, "@.H"), "rr"), Verdict::Solved);
        assert_eq!(drive(&mut Range::parse(2, "@.:H"), "rr"), Verdict::Lost);
    }

    #[test]
    fn a_canister_fills_the_tank_once() {
        let mut range = Range::parse(3, "@c...H");
        drive(&mut range, "rlr");
        assert_eq!(range.fuel, 1);
    }

    #[test]
    fn what_a_level_brings_is_needed() {
        assert!(without(1, "P").is_err());
        assert!(without(3, "c").is_err());
        assert!(without(5, "c").is_err());
    }
}
