//! Divers: pearls are gathered in open water and brought to the boat, on the air that a gauge at the left shows.
//!
//! Every action takes air, also one that leads nowhere; a bubble gives all of it back, once. Without air the game is over. Levels add,
//! one after the other: more to gather than the air lasts for; two bubbles, and reefs; a grate that a ring on a chain opens; currents
//! that carry on whoever swims into them; all of it together.

use env_client::Color;

use crate::engine::{ARROWS, About, Cell, Dice, Dir, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View};

/// Air, and the water: `~` the surface, `B` the boat, `@` the diver, `p` pearls, `o` bubbles, `#` reefs, `+` the grate, `k` its ring,
/// `<` `>` `^` `v` currents.
const LEVELS: [(u8, &str); 6] = [
    (
        28,
        "
        ~~~~~B~~~~~~~~~
        .....@.........
        ...............
        ...............
        .....o...p.....
        ...............
        .....p.........
        ...............
        ...............
        ...............
        ...............
        ...............
        ##.............
        ####........###
        ",
    ),
    (
        21,
        "
        ~~~~~~~B~~~~~~~
        .......@.......
        ...............
        ...............
        ...............
        ...............
        ...............
        ...............
        ............p..
        ..p............
        .......o.......
        ...............
        ###.........###
        ",
    ),
    (
        18,
        "
        ~~B~~~~~~~~~~~~
        ..@............
        ...............
        .........p.....
        ...............
        ....##.........
        ....##......o..
        ...............
        ..o.........p..
        ........##.....
        ........###....
        ...p...........
        #.............#
        ###.........###
        ",
    ),
    (
        20,
        "
        ~~~~~~~~~~~B~~~
        ...........@...
        ...............
        .#######.......
        .#.....#....p..
        .#.p...+.......
        .#....o#.......
        .#######....k..
        ...............
        .....p...o.....
        ...............
        ...............
        ##...........##
        ",
    ),
    (
        17,
        "
        ~~~~B~~~~~~~~~~
        ....@..........
        ...............
        .p.............
        ....>>>>>>>....
        ...........p...
        ...............
        ....o..........
        ...........o...
        ...<<<<<<<<....
        ..p............
        ...........p...
        ##...........##
        ",
    ),
    (
        19,
        "
        ~~~~~~~B~~~~~~~
        .......@.......
        ..........p....
        ....k......o...
        .......v.......
        .......v.......
        ..o....v...####
        .......v...#..#
        .......v...+.p#
        ...........#..#
        ...p.o.....####
        ...............
        ##...........##
        ",
    ),
];

const WATER: Color = Color::of(9);
const SURFACE: Color = Color::of(10);
const REEF: Color = Color::of(13);
const HULL: Color = Color::of(2);
const AIR: Color = Color::of(0);
const SPENT: Color = Color::of(4);
const STREAM: Color = Color::of(15);

const WAVE: Sprite = Sprite::of(&["####", "####", ".#.#", "#.#."]);
const BOAT: Sprite = Sprite::of(&["..8.", "..8.", "cccc", ".cc."]);
const DIVER: Sprite = Sprite::of(&[".e..", "eee.", ".eee", "e..e"]);
const PEARL: Sprite = Sprite::of(&["....", ".66.", "6776", ".66."]);
const BUBBLE: Sprite = Sprite::of(&[".00.", "0..0", "0..0", ".00."]);
const GRATE: Sprite = Sprite::of(&["#.#.", "####", "#.#.", "####"]);
const RING: Sprite = Sprite::of(&["..b.", ".b.b", "..b.", ".b.."]);
const FLOW: Sprite = Sprite::of(&["....", ".#..", "..#.", ".#.."]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Water {
    map: Map,
    diver: Cell,
    tank: u8,
    air: u8,
    /// Pearls, bubbles and the ring that were taken, in the order of their cells.
    taken: Vec<Cell>,
}

impl Water {
    fn parse(tank: u8, text: &str) -> Water {
        let map = Map::parse(text);
        Water { diver: map.the(b'@'), tank, air: tank, taken: Vec::new(), map }
    }

    /// What is on a cell by now.
    fn glyph(&self, cell: Cell) -> u8 {
        let glyph = self.map.glyph(cell);
        let is_gone = self.taken.contains(&cell) || (glyph == b'+' && self.left(b'k') == 0);
        if is_gone { b'.' } else { glyph }
    }

    /// How many of these things were not taken yet.
    fn left(&self, glyph: u8) -> usize {
        self.map.find(glyph).filter(|cell| !self.taken.contains(cell)).count()
    }

    fn is_barred(&self, cell: Cell) -> bool {
        matches!(self.glyph(cell), b'#' | b'~' | b'+')
    }

    /// Where the current on a cell flows.
    fn current(&self, cell: Cell) -> Option<Dir> {
        match self.glyph(cell) {
            b'^' => Some(Dir::Up),
            b'>' => Some(Dir::Right),
            b'v' => Some(Dir::Down),
            b'<' => Some(Dir::Left),
            _ => None,
        }
    }

    /// A stroke, and where it leads into a current, all the way down that; the current is seen at work.
    fn swim(&mut self, stroke: Dir, film: &mut Film<Self>) {
        let mut onward = Some(stroke);
        while let Some(dir) = onward.filter(|dir| !self.is_barred(self.diver + *dir)) {
            self.diver = self.diver + dir;
            onward = self.current(self.diver);
            if onward.is_some() {
                film.shoot(self);
            }
        }
    }

    /// Takes what is where the diver is.
    fn take(&mut self) {
        let glyph = self.glyph(self.diver);
        if matches!(glyph, b'p' | b'o' | b'k') {
            self.taken.push(self.diver);
            self.taken.sort_unstable();
        }
        if glyph == b'o' {
            self.air = self.tank;
        }
    }

    fn is_solved(&self) -> bool {
        self.glyph(self.diver) == b'B' && self.left(b'p') == 0
    }

    /// The air that is left, two pixels each, down the left edge.
    fn draw_gauge(&self, scene: &mut Scene) {
        let top = Cell::at(-1, 0);
        let (tank, spent) = (2 * i16::from(self.tank), 2 * i16::from(self.tank - self.air));
        scene.block(top, 1, self.map.height(), HULL);
        scene.rectangle(top, (0, 0), (2, tank), AIR);
        scene.rectangle(top, (0, 0), (2, spent), SPENT);
    }
}

impl Title for Water {
    const ABOUT: About = About {
        stem: "d214",
        title: "Divers",
        families: &[Family::Fuel, Family::Counter, Family::KeyDoor, Family::Slide],
        controls: ARROWS,
        optimal: &[19, 39, 41, 43, 32, 41],
        bar: None,
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        let (tank, map) = LEVELS[index];
        Water::parse(tank, map)
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        self.swim(dir, film);
        self.air -= 1;
        self.take();
        match (self.is_solved(), self.air) {
            (true, _) => Verdict::Solved,
            (false, 0) => Verdict::Lost,
            (false, _) => Verdict::Playing,
        }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(WATER);
        self.draw_gauge(scene);
        for cell in self.map.cells() {
            match self.glyph(cell) {
                b'#' => scene.cell(cell, REEF),
                b'~' => scene.sprite(cell, WAVE.tinted(SURFACE)),
                b'B' => scene.sprite(cell, BOAT),
                b'p' => scene.sprite(cell, PEARL),
                b'o' => scene.sprite(cell, BUBBLE),
                b'+' => scene.sprite(cell, GRATE.tinted(Color::of(11))),
                b'k' => scene.sprite(cell, RING),
                _ => {}
            }
            if let Some(dir) = self.current(cell) {
                scene.sprite(cell, FLOW.tinted(STREAM).turned((dir.quarter_turns() + 3) % 4));
            }
        }
        scene.layer(1);
        scene.sprite(self.diver, DIVER);
    }

    fn view(&self) -> View {
        View::of(self.map.width() + 1, self.map.height(), 4).scrolled_to(Cell::at(-1, 0)).framed(HULL)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, VecDeque};

    use super::*;
    use crate::prover::prove;

    const RIGHT: Input = Input::Move(Dir::Right);
    const LEFT: Input = Input::Move(Dir::Left);

    fn play(air: u8, text: &str, inputs: &[Input]) -> (Water, Verdict) {
        let mut water = Water::parse(air, text);
        let verdicts: Vec<Verdict> = inputs.iter().map(|input| water.act(*input, &mut Film::blank())).collect();
        (water, verdicts[verdicts.len() - 1])
    }

    #[test]
    fn every_action_takes_air_and_a_bubble_gives_it_back_once() {
        assert_eq!(play(9, "#@.", &[LEFT, RIGHT]).0.air, 7);
        assert_eq!(play(9, ".@o", &[LEFT, RIGHT, RIGHT]).0.air, 9);
        assert_eq!(play(9, ".@o", &[RIGHT, LEFT, RIGHT]).0.air, 7);
    }

    #[test]
    fn without_air_the_game_is_over_unless_the_boat_is_reached_with_all_pearls() {
        assert_eq!(play(2, "@..", &[RIGHT, RIGHT]).1, Verdict::Lost);
        assert_eq!(play(2, "@pB", &[RIGHT, RIGHT]).1, Verdict::Solved);
        assert_eq!(play(3, "p@B", &[RIGHT]).1, Verdict::Playing);
    }

    #[test]
    fn a_current_carries_on_for_the_air_of_one_action() {
        let (water, _) = play(9, "@>>>p#", &[RIGHT]);
        assert_eq!((water.diver, water.air, water.left(b'p')), (Cell::at(4, 0), 8, 0));
        assert_eq!(play(9, "@.<", &[RIGHT, RIGHT]).0.diver, Cell::at(1, 0), "against it there is no way");
        assert_eq!(play(9, "@>>#", &[RIGHT]).0.diver, Cell::at(2, 0), "a reef stops who is carried");
    }

    #[test]
    fn the_ring_opens_the_grate() {
        assert_eq!(play(9, "k@+p", &[RIGHT]).0.diver, Cell::at(1, 0));
        assert_eq!(play(9, "k@+p", &[LEFT, RIGHT, RIGHT]).0.diver, Cell::at(2, 0));
    }

    #[test]
    fn the_gauge_shows_all_the_air() {
        for (air, text) in LEVELS {
            assert!(2 * i16::from(air) <= 4 * Map::parse(text).height(), "{text}");
        }
    }

    /// A shortest way to the nearest of some cells, whatever air it takes.
    fn way(from: &Water, to: &BTreeSet<Cell>) -> Option<Vec<Input>> {
        let mut seen = BTreeSet::from([from.diver]);
        let mut open = VecDeque::from([(from.clone(), Vec::new())]);
        while let Some((water, way)) = open.pop_front() {
            if to.contains(&water.diver) {
                return Some(way);
            }
            for input in Input::MOVES {
                let mut next = Water { air: u8::MAX, ..water.clone() };
                next.act(input, &mut Film::blank());
                if seen.insert(next.diver) {
                    open.push_back((next, way.iter().copied().chain([input]).collect()));
                }
            }
        }
        None
    }

    /// What becomes of a diver who swims to the nearest pearl (for want of one, to the ring, then the boat) whatever the gauge shows.
    fn greedy(mut water: Water) -> Verdict {
        loop {
            let left = |glyph| water.map.find(glyph).filter(|it| water.glyph(*it) == glyph).collect();
            let way = [b'p', b'k', b'B'].into_iter().find_map(|glyph| way(&water, &left(glyph)));
            for input in way.unwrap_or_default() {
                let verdict = water.act(input, &mut Film::blank());
                if verdict != Verdict::Playing {
                    return verdict;
                }
            }
        }
    }

    #[test]
    fn from_the_second_level_on_air_has_to_be_taken_in_time() {
        for (air, text) in LEVELS.into_iter().skip(1) {
            assert!(prove(&Water::parse(air, &text.replace('o', "."))).is_err(), "without bubbles: {text}");
            assert_eq!(greedy(Water::parse(air, text)), Verdict::Lost, "{text}");
        }
    }
}
