//! Glide: stones slide over ice until something stops them, and must come to rest on the brackets of their colour.
//!
//! Levels add, one after the other: more ice; mud, which stops whatever slides onto it; thin ice, which bears one
//! passage and is deadly water from then on; a second stone that slides at the same time; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` rock, `A` and `B` stones, `a` and `b` where they belong, `~` mud, `%` thin ice.
const LEVELS: [&str; 6] = [
    "
    ########
    #A#a...#
    #......#
    #......#
    #......#
    #......#
    ########
    ",
    "
    ############
    #.a........#
    #..........#
    #..........#
    #..........#
    #.....#....#
    ##.........#
    #......#...#
    #.....#A...#
    ############
    ",
    "
    ############
    #A.........#
    ##.~.......#
    #.a........#
    #~#.~.....##
    #..........#
    #..........#
    #...~......#
    #..........#
    #..........#
    #..#..~..~.#
    ############
    ",
    "
    #############
    #....#......#
    #....a...%..#
    #......#....#
    #...#.%....##
    #...........#
    #.......#...#
    #.....#....##
    #.....A.%...#
    #......#....#
    #############
    ",
    "
    ###########
    #.......#.#
    #.........#
    #b........#
    ##........#
    #.....#BA.#
    #.........#
    #.#.......#
    ##.#......#
    #.a....#..#
    ###########
    ",
    "
    ############
    #..Bb..a...#
    #%..~......#
    #.......#..#
    #..........#
    #......~~..#
    #..........#
    #.........##
    #...~...%..#
    #.~.......%#
    #.....~.~.A#
    ############
    ",
];

const ICE: Color = Color::of(10);
const ROCK: Color = Color::of(9);
const COLORS: [Color; 2] = [Color::of(8), Color::of(11)];

const STONE: Sprite = Sprite::of(&[".##.", "##0#", "####", ".##."]);
const BRACKETS: Sprite = Sprite::of(&["#.##", "#...", "...#", "##.#"]);
const BOULDER: Sprite = Sprite::of(&["9999", "9a99", "9999", "9999"]);
const MUD: Sprite = Sprite::of(&["d.d.", ".d.d", "d.d.", ".d.d"]);
const THIN: Sprite = Sprite::of(&["0.0a", ".0..", "0.00", "a0.."]);
const WATER: Sprite = Sprite::of(&["5555", "5955", "5595", "5555"]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rink {
    map: Map,
    /// One or two stones; the first belongs to `a`, the second to `b`.
    stones: Vec<Cell>,
    /// Thin ice that is water by now, in the order of the cells.
    water: Vec<Cell>,
}

/// What became of a stone that was to go on by one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Slid,
    Stopped,
    Drowned,
}

impl Rink {
    fn parse(text: &str) -> Rink {
        let map = Map::parse(text);
        let stones = map.find(b'A').chain(map.find(b'B')).collect();
        Rink { stones, water: Vec::new(), map }
    }

    /// Slides all stones at the same time until each was stopped; false when one has drowned.
    fn slide(&mut self, dir: Dir, film: &mut Film<Self>) -> bool {
        let mut sliding = self.front_first(dir);
        while !sliding.is_empty() {
            let mut rest = Vec::new();
            for stone in sliding {
                match self.step(stone, dir) {
                    Step::Slid if self.map.glyph(self.stones[stone]) != b'~' => rest.push(stone),
                    Step::Slid | Step::Stopped => {}
                    Step::Drowned => return false,
                }
            }
            sliding = rest;
            if !sliding.is_empty() {
                film.shoot(self);
            }
        }
        true
    }

    /// The stones in such an order that none is in the way of one before it.
    fn front_first(&self, dir: Dir) -> Vec<usize> {
        let (dx, dy) = dir.delta();
        let mut order: Vec<usize> = (0..self.stones.len()).collect();
        order.sort_by_key(|stone| -(self.stones[*stone].x * dx + self.stones[*stone].y * dy));
        order
    }

    /// Moves a stone by one cell.
    fn step(&mut self, stone: usize, dir: Dir) -> Step {
        let (here, ahead) = (self.stones[stone], self.stones[stone] + dir);
        if self.map.glyph(ahead) == b'#' || self.stones.contains(&ahead) {
            return Step::Stopped;
        }
        if self.map.glyph(here) == b'%' {
            self.water.push(here);
            self.water.sort_unstable();
        }
        self.stones[stone] = ahead;
        if self.water.contains(&ahead) { Step::Drowned } else { Step::Slid }
    }

    fn is_solved(&self) -> bool {
        self.stones.iter().zip(b'a'..).all(|(stone, mark)| self.map.glyph(*stone) == mark)
    }
}

impl Title for Rink {
    const ABOUT: About = About {
        stem: "g284",
        title: "Glide",
        families: &[Family::Slide, Family::Twins],
        controls: ARROWS,
        optimal: &[4, 12, 18, 20, 21, 33],
        bar: Some(Bar {
            edge: Edge::Right,
            thickness: 2,
            full: Color::of(14),
            empty: Color::of(3),
            drain: Drain::Effective,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Rink::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        if !self.slide(dir, film) {
            return Verdict::Lost;
        }
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(ICE);
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.sprite(cell, BOULDER),
                b'~' => scene.sprite(cell, MUD),
                b'%' if self.water.contains(&cell) => scene.sprite(cell, WATER),
                b'%' => scene.sprite(cell, THIN),
                b'a' | b'b' => scene.sprite(cell, BRACKETS.tinted(COLORS[usize::from(glyph - b'a')])),
                _ => {}
            }
        }
        scene.layer(1);
        for (stone, color) in self.stones.iter().zip(COLORS) {
            scene.sprite(*stone, STONE.tinted(color));
        }
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 4).framed(ROCK)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slides right once: the verdict, where the stones are then, and how many layers showed them on the way.
    fn slide(text: &str) -> (Verdict, Vec<i16>, usize) {
        let mut film = Film::loaded();
        let mut rink = Rink::parse(text);
        let verdict = rink.act(Input::Move(Dir::Right), &mut film);
        (verdict, rink.stones.iter().map(|stone| stone.x).collect(), film.shots().len())
    }

    #[test]
    fn a_stone_stops_before_rock_and_on_mud_but_not_on_its_brackets() {
        assert_eq!(slide("A...#.a"), (Verdict::Playing, vec![3], 3));
        assert_eq!(slide("A.~..a"), (Verdict::Playing, vec![2], 1));
        assert_eq!(slide("A.a..."), (Verdict::Playing, vec![5], 5));
        assert_eq!(slide("A....a").0, Verdict::Solved);
    }

    #[test]
    fn thin_ice_bears_one_passage() {
        let mut rink = Rink::parse("A.%.#a");
        let mut go = |dir| rink.act(Input::Move(dir), &mut Film::blank());
        assert_eq!(go(Dir::Right), Verdict::Playing);
        assert_eq!(go(Dir::Left), Verdict::Lost);
        assert_eq!(rink.water, [Cell::at(2, 0)]);
    }

    #[test]
    fn stones_slide_together_and_stop_each_other() {
        assert_eq!(slide("A.B...ab").1, [6, 7]);
        assert_eq!(slide("B.A...ba").1, [7, 6]);
        assert_eq!(slide("A..B~.ab").1, [3, 4]);
    }

    #[test]
    fn mud_and_thin_ice_matter() {
        let optimal = |text: &str| crate::prover::prove(&Rink::parse(text)).map_or(0, |proof| proof.optimal());
        assert_eq!(optimal(&LEVELS[2].replace('~', ".")), 0, "without mud there is no solution");
        assert!(optimal(&LEVELS[3].replace('%', ".")) < optimal(LEVELS[3]), "thin ice forces a detour");
        assert!(optimal(&LEVELS[5].replace('%', ".")) < optimal(LEVELS[5]), "thin ice forces a detour");
    }
}
