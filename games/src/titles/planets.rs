//! Planets: a ship calls at every planet, in the order of its flight plan; one that is called at out of turn undoes the flight.
//!
//! Levels add, one after the other: rocks; a plan that is drawn down the side, and planets that lie in the way; a barrier that
//! goes down at the first call; a planet that goes round; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` rocks, `@` the ship, `a` to `e` planets, `|` the barrier, `O` a sun, round which a planet beside it goes; the panel is `=`,
/// and on it `1` to `5` are the places of the plan, which follows.
const LEVELS: [(&str, &str); 6] = [
    (
        "
        =1=2=3======
        ............
        .a..........
        ........b...
        .....@......
        ............
        ..........c.
        ............
        ............
        ",
        "cab",
    ),
    (
        "
        =1=2=3=4====
        ......#.....
        .c..#.#..a..
        ....#.#.....
        #####...###.
        .....@#.....
        .b.####.d...
        ......#.....
        .........#..
        ",
        "bdac",
    ),
    (
        "
        =...........
        1.#########.
        2.#..b....#.
        3.#.####..c.
        4.#....#..##
        5.a.e#.#...@
        =.##...##.#.
        =..d...#..#.
        =..........#
        ",
        "deacb",
    ),
    (
        "
        ====1=2=3=4=
        .....#......
        .d...#...b..
        .....#......
        ..@..|......
        .....#......
        ..a..#...c..
        .....#......
        .....#......
        ",
        "acdb",
    ),
    (
        "
        ============
        =..........=
        1.@........=
        =.......Ob.=
        2.c........=
        =.....##...=
        3..#.......=
        =..#.a.....=
        =..........=
        ",
        "cba",
    ),
    (
        "
        =1=2=3=4=5==
        ....#.......
        ....#..c..d.
        ..Ob#.......
        ....####|###
        .......#....
        .a.....#..e.
        ....@..|....
        .......#....
        ",
        "abdec",
    ),
];

const SPACE: Color = Color::of(3);
const ROCK: Color = Color::of(13);
const PANEL: Color = Color::of(1);
const BARRIER: Color = Color::of(4);
const SHIP: Color = Color::of(0);
const DONE: Color = Color::of(2);
const SUN: Color = Color::of(12);
const COLORS: [Color; 5] = [Color::of(8), Color::of(11), Color::of(10), Color::of(15), Color::of(7)];

/// The way round a sun, clockwise.
const ORBIT: [(i16, i16); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

const PLANET: Sprite = Sprite::of(&[".###.", "#####", "#####", "#####", ".###."]);
const CALL: Sprite = Sprite::of(&[".....", ".###.", ".###.", ".###.", "....."]);
const BEAM: Sprite = Sprite::of(&["#.#.#", "#####", "#.#.#", "#####", "#.#.#"]);
const STONES: Sprite = Sprite::of(&["##.##", "#####", ".###.", "#####", "##.##"]);
const ROCKET: Sprite = Sprite::of(&["..#..", ".###.", ".#.#.", "#####", "#...#"]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Flight {
    map: Map,
    /// The glyphs of the planets, in the order of the plan.
    plan: &'static str,
    ship: Cell,
    /// Calls made, as planned.
    done: usize,
    /// Steps round the sun.
    round: usize,
}

impl Flight {
    fn parse(text: &str, plan: &'static str) -> Flight {
        let map = Map::parse(text);
        Flight { plan, ship: map.the(b'@'), done: 0, round: 0, map }
    }

    /// Where a planet is that begins at a cell: elsewhere if it goes round a sun.
    fn planet(&self, start: Cell) -> Cell {
        let Some(sun) = self.map.find(b'O').next() else { return start };
        let place = |(x, y): (i16, i16)| Cell::at(sun.x + x, sun.y + y);
        let first = ORBIT.iter().position(|it| place(*it) == start);
        first.map_or(start, |first| place(ORBIT[(first + self.round) % ORBIT.len()]))
    }

    /// Planets: where they are and their places in the plan.
    fn planets(&self) -> impl Iterator<Item = (Cell, usize)> {
        let starts = self.plan.bytes().map(|glyph| self.map.the(glyph));
        starts.map(|start| self.planet(start)).zip(0..)
    }

    /// The colour of a place in the plan.
    fn color(&self, place: usize) -> Color {
        if place < self.done { DONE } else { COLORS[usize::from(self.plan.as_bytes()[place] - b'a')] }
    }

    fn is_barred(&self, cell: Cell) -> bool {
        match self.map.glyph(cell) {
            b'|' => self.done == 0,
            glyph => matches!(glyph, b'#' | b'O' | b'=' | b'1'..=b'5'),
        }
    }

    /// The ship calls at the planet where it is.
    fn call(&mut self) {
        let here = self.planets().find(|it| it.0 == self.ship);
        match here.map(|it| it.1) {
            Some(place) if place == self.done => self.done += 1,
            Some(place) if place > self.done => self.done = 0,
            _ => {}
        }
    }
}

impl Title for Flight {
    const ABOUT: About = About {
        stem: "p824",
        title: "Planets",
        families: &[Family::Walls, Family::Sequence, Family::Reference, Family::FarSwitch],
        controls: ARROWS,
        optimal: &[28, 37, 39, 37, 16, 39],
        bar: Some(Bar {
            edge: Edge::Right,
            thickness: 1,
            full: Color::of(9),
            empty: Color::of(5),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        let (text, plan) = LEVELS[index];
        Flight::parse(text, plan)
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        if let Input::Move(dir) = input
            && !self.is_barred(self.ship + dir)
        {
            self.ship = self.ship + dir;
            self.call();
        }
        if self.map.find(b'O').next().is_some() {
            self.round = (self.round + 1) % ORBIT.len();
            self.call();
        }
        if self.done == self.plan.len() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(SPACE);
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.sprite(cell, STONES.tinted(ROCK)),
                b'O' => scene.sprite(cell, STONES.tinted(SUN)),
                b'|' if self.done == 0 => scene.sprite(cell, BEAM.tinted(BARRIER)),
                b'=' => scene.cell(cell, PANEL),
                b'1'..=b'5' => {
                    scene.cell(cell, PANEL);
                    scene.sprite(cell, CALL.tinted(self.color(usize::from(glyph - b'1'))));
                }
                _ => {}
            }
        }
        for (cell, place) in self.planets() {
            scene.sprite(cell, PLANET.tinted(self.color(place)));
        }
        scene.layer(1);
        scene.sprite(self.ship, ROCKET.tinted(SHIP));
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 5).framed(PANEL)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Dir;

    const RIGHT: Input = Input::Move(Dir::Right);
    const LEFT: Input = Input::Move(Dir::Left);
    const UP: Input = Input::Move(Dir::Up);

    fn play(text: &str, plan: &'static str, inputs: &[Input]) -> (Flight, Verdict) {
        let mut flight = Flight::parse(text, plan);
        let verdicts: Vec<Verdict> = inputs.iter().map(|input| flight.act(*input, &mut Film::blank())).collect();
        (flight, verdicts[verdicts.len() - 1])
    }

    #[test]
    fn planets_are_called_at_in_the_order_of_the_plan() {
        assert_eq!(play("@ab", "ab", &[RIGHT, RIGHT]).1, Verdict::Solved);
        assert_eq!(play("@ab", "ba", &[RIGHT, RIGHT]).0.done, 1);
        assert_eq!(play("@ab", "ba", &[RIGHT, RIGHT, LEFT]).1, Verdict::Solved);
    }

    #[test]
    fn a_call_out_of_turn_undoes_the_flight_and_a_second_one_does_nothing() {
        assert_eq!(play("c@ab", "acb", &[RIGHT, LEFT, RIGHT]).0.done, 1);
        assert_eq!(play("c@ab", "acb", &[RIGHT, RIGHT]).0.done, 0);
    }

    #[test]
    fn a_barrier_goes_down_at_the_first_call_and_comes_back() {
        assert_eq!(play("a@|.", "a", &[RIGHT]).0.ship, Cell::at(1, 0));
        assert_eq!(play("a@|b", "ab", &[LEFT, RIGHT, RIGHT, RIGHT]).1, Verdict::Solved);
        assert!(play("cab@|.", "bac", &[LEFT, LEFT]).0.done == 2);
        assert!(play("cb@a|.", "acb", &[RIGHT, LEFT, LEFT]).0.is_barred(Cell::at(4, 0)));
    }

    #[test]
    fn a_planet_that_goes_round_is_met_where_it_comes() {
        let (flight, _) = play("...\n.Oa\n..@", "a", &[LEFT, LEFT, UP, UP]);
        assert_eq!((flight.planet(Cell::at(2, 1)), flight.done), (Cell::at(0, 1), 0));
        assert_eq!(play("...\n.Oa\n..@", "a", &[Input::Move(Dir::Down)]).1, Verdict::Solved, "it comes to the ship");
    }
}
