//! Lodge: a beaver pushes logs into the water, and walks over them to its lodge.
//!
//! What is pushed into water lies there as a footbridge, over which everything goes. Levels add, one after the other: a
//! second log; a stream two tiles wide; a log that goes around a corner; a log that nobody can bring to the water; all of
//! it. A log on a mossy spot has moss on it while it lies there, which means nothing.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` stump, `~` water, `@` beaver, `^` its lodge, `L` log, `m` mossy spot.
const LEVELS: [&str; 6] = [
    "
    ....~...
    ....~...
    .@L.~.^.
    ....~...
    ....~...
    ....~...
    ",
    "
    ...~....~..
    ...~....~..
    .@L~....~.^
    ...~..Lm~..
    ...~....~..
    ...~....~..
    ",
    "
    .....~~...
    .....~~...
    .@.Lm~~.^.
    .....~~...
    ..L..~~...
    .....~~...
    ",
    "
    ...#..~...
    .L.#..~.#.
    ...#..~..^
    .@.#..~.#.
    ...m..~...
    ...#.#~...
    ...#..~...
    ",
    "
    ..#...~~...
    .L....~~.^.
    ..#.#.~~...
    .@#m#.~~...
    ......~~...
    ...#...~...
    .L...#.~#..
    ",
    "
    ..#..~~.....
    .L...~~.L~..
    ..#.#~~..~.^
    .@..m~~.#~..
    .....~~..~~~
    ..L.#~~#.~..
    L....~~..~..
    ",
];

const BANK: Color = Color::of(11);
const WOOD: Color = Color::of(14);

const BEAVER: Sprite = Sprite::of(&[".4.4.", "44444", "40404", "44044", ".555."]);
const HOME: Sprite = Sprite::of(&["..8..", ".888.", "88888", "86668", "86668"]);
const LOG: Sprite = Sprite::of(&["ddddd", "dcccd", "dcdcd", "dcccd", "ddddd"]);
const MOSSY_LOG: Sprite = Sprite::of(&["deded", "ecccd", "dcdce", "ecccd", "deded"]);
const BRIDGE: Sprite = Sprite::of(&["9d9d9", "ccccc", "9d9d9", "ccccc", "9d9d9"]);
const WATER: Sprite = Sprite::of(&["99999", "9aa99", "99999", "999aa", "99999"]);
const STUMP: Sprite = Sprite::of(&[".222.", "23332", "23232", "23332", ".222."]);
const MOSS: Sprite = Sprite::of(&[".e.e.", "e.e..", ".e.ee", "..e..", ".e.e."]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stream {
    map: Map,
    beaver: Cell,
    /// In the order of their cells.
    logs: Vec<Cell>,
    /// Water that a log lies in by now, in the order of the cells.
    bridges: Vec<Cell>,
}

impl Stream {
    fn parse(text: &str) -> Stream {
        let map = Map::parse(text);
        let mut logs: Vec<Cell> = map.find(b'L').collect();
        logs.sort_unstable();
        Stream { beaver: map.the(b'@'), logs, bridges: Vec::new(), map }
    }

    fn is_water(&self, cell: Cell) -> bool {
        self.map.glyph(cell) == b'~' && !self.bridges.contains(&cell)
    }

    /// Whether a log can be pushed onto a cell or into the water there.
    fn takes_log(&self, cell: Cell) -> bool {
        !matches!(self.map.glyph(cell), b'#' | b'^') && !self.logs.contains(&cell)
    }

    /// Pushes a log one cell; whether it can go there. In water it becomes a bridge.
    fn push(&mut self, index: usize, dir: Dir) -> bool {
        let cell = self.logs[index] + dir;
        if !self.takes_log(cell) {
            return false;
        }
        if self.is_water(cell) {
            self.logs.remove(index);
            self.bridges.push(cell);
            self.bridges.sort_unstable();
        } else {
            self.logs[index] = cell;
            self.logs.sort_unstable();
        }
        true
    }

    /// Takes a step, if nothing is in the way that cannot be pushed.
    fn walk(&mut self, dir: Dir) {
        let ahead = self.beaver + dir;
        if self.map.glyph(ahead) == b'#' || self.is_water(ahead) {
            return;
        }
        let log = self.logs.iter().position(|log| *log == ahead);
        if log.is_none_or(|index| self.push(index, dir)) {
            self.beaver = ahead;
        }
    }
}

impl Title for Stream {
    const ABOUT: About = About {
        stem: "l617",
        title: "Lodge",
        families: &[Family::Walls, Family::Push],
        controls: ARROWS,
        optimal: &[5, 11, 19, 21, 24, 33],
        bar: Some(Bar { edge: Edge::Left, thickness: 2, full: Color::of(6), empty: Color::of(3), drain: Drain::Every }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Stream::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        if let Input::Move(dir) = input {
            self.walk(dir);
        }
        if self.map.glyph(self.beaver) == b'^' { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(BANK);
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.sprite(cell, STUMP),
                b'~' if self.is_water(cell) => scene.sprite(cell, WATER),
                b'~' => scene.sprite(cell, BRIDGE),
                b'^' => scene.sprite(cell, HOME),
                b'm' => scene.sprite(cell, MOSS),
                _ => {}
            }
        }
        for log in &self.logs {
            let is_mossy = self.map.glyph(*log) == b'm';
            scene.sprite(*log, if is_mossy { MOSSY_LOG } else { LOG });
        }
        scene.sprite(self.beaver, BEAVER);
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 5).framed(WOOD)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }

    fn bound(&self) -> u32 {
        self.beaver.distance(self.map.the(b'^'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::{ProofError, prove};

    /// The beaver of a map after it was told to go right this often.
    fn after(text: &str, steps: usize) -> Stream {
        let mut stream = Stream::parse(text);
        for _ in 0..steps {
            stream.act(Input::Move(Dir::Right), &mut Film::blank());
        }
        stream
    }

    fn fewest(text: &str) -> Result<u32, ProofError> {
        prove(&Stream::parse(text)).map(|proof| proof.optimal())
    }

    #[test]
    fn water_stops_the_beaver_and_a_log_in_it_does_not() {
        assert_eq!(after("@.~.^", 3).beaver, Cell::at(1, 0));
        let crossed = after("@L~.^", 3);
        assert_eq!((crossed.beaver, crossed.bridges), (Cell::at(3, 0), vec![Cell::at(2, 0)]));
        assert_eq!(fewest("@L~.^"), Ok(4));
    }

    #[test]
    fn logs_go_over_bridges_and_not_over_logs_stumps_or_the_lodge() {
        let bridges = vec![Cell::at(3, 0)];
        let mut stream = Stream { bridges, ..Stream::parse("@.L~~^") };
        stream.act(Input::Move(Dir::Right), &mut Film::blank());
        stream.act(Input::Move(Dir::Right), &mut Film::blank());
        assert_eq!(stream.logs, [Cell::at(3, 0)]);
        stream.act(Input::Move(Dir::Right), &mut Film::blank());
        assert_eq!((stream.logs, stream.bridges), (Vec::new(), vec![Cell::at(3, 0), Cell::at(4, 0)]));
        for blocked in ["@LL.^", "@L#.^", "@L^"] {
            assert_eq!(after(blocked, 1), Stream::parse(blocked));
        }
    }

    #[test]
    fn a_log_has_moss_on_it_while_it_lies_on_moss() {
        let look = |steps| {
            let stream = after("@L.m.^", steps);
            let mut scene = Scene::new(stream.view());
            stream.draw(&mut scene);
            let log = stream.logs[0];
            let is_green = |x: usize| scene.logical().cells()[x] == WOOD;
            (log.x, (log.x as usize * 5..log.x as usize * 5 + 5).filter(|x| is_green(*x)).count())
        };
        assert_eq!([0, 1, 2, 3].map(look), [(1, 0), (2, 0), (3, 2), (4, 0)]);
    }

    #[test]
    fn the_log_in_the_corner_is_of_no_use_and_the_other_one_is() {
        let without = |from, to| fewest(&LEVELS[4].replacen(from, to, 1));
        assert_eq!(without(".L...#", ".....#"), Ok(24));
        assert!(matches!(without(".L....", "......"), Err(ProofError::Unsolvable { .. })));
    }
}
