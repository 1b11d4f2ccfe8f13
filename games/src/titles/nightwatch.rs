//! Night watch: a thief collects all gems and must not meet a guard.
//!
//! Guards walk closed rounds, one step an action, whatever the thief does; the space bar waits. Whoever is caught has
//! lost. Levels add, one after the other: several rounds of different length; gates that stand open while a guard is on
//! a plate; guards with a lantern, whose beam is deadly up to the next wall; all of it together, twice.

use env_client::Color;

use crate::engine::{
    ARROWS_AND_SPACE, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title,
    Verdict, View,
};

/// One level: `#` wall, `@` the thief, `o` gems, `p` plates, `g` gates, and the guards as digits.
#[derive(Debug)]
struct Plan {
    map: &'static str,
    /// The rounds of the guards `1`, `2`, ...: `u` `r` `d` `l`, two to six steps that lead back to the start. Capitals
    /// are steps of a guard with a lantern.
    rounds: &'static [&'static str],
}

const LEVELS: [Plan; 6] = [
    Plan {
        map: "
            #########
            ####1####
            ##@....o#
            ####.####
            ####.####
            #########
        ",
        rounds: &["ddduuu"],
    },
    Plan {
        map: "
            ############
            #..1#o.#...#
            #..........#
            #..o#..#...#
            ##.###.###.#
            #3.#2...#..#
            #...@##....#
            #..#....#..#
            ############
        ",
        rounds: &["dduu", "rrll", "rdlu"],
    },
    Plan {
        map: "
            ##############
            #3...#..#....#
            #....#.......#
            #...o#..#....#
            ##.###.##g####
            #....#..#1...#
            #@......#2.p.#
            #....g..#.o..#
            ##############
        ",
        rounds: &["dduu", "rrrlll", "rdlu"],
    },
    Plan {
        map: "
            ##############
            #o..........o#
            #.##.###.##..#
            #.##2#.....#@#
            #....#.###.#.#
            #.##...###...#
            #..#.#.....#.#
            ##.#.###.###.#
            #3.....1..o..#
            ##############
        ",
        rounds: &["RRRLLL", "DDUU", "rrll"],
    },
    Plan {
        map: "
            ################
            #.1..#...g.....#
            #.2.....4#.....#
            #..p.#...#@....#
            ##.####g########
            #....#..o#.....#
            #....#3......o.#
            #o...g...#.....#
            ################
        ",
        rounds: &["DDUU", "RDLU", "rrll", "LLLRRR"],
    },
    Plan {
        map: "
            ##################
            #2.1.....#....5..#
            #....g.......#...#
            #....#...#..@#...#
            #######g#####.#..#
            #....#..o#...##g##
            #....g...#..o....#
            #.o...p.4#3......#
            ##################
        ",
        rounds: &["DDUU", "RDLU", "RRLL", "LLLRRR", "dduu"],
    },
];

/// Every length of a round, 2 to 6, divides it.
const LONGEST_CYCLE: usize = 60;

const FLOOR: Color = Color::of(4);
const WALL: Color = Color::of(5);
const PATH: Color = Color::of(3);
const BEAM: Color = Color::of(11);

const THIEF: Sprite = Sprite::of(&[".e.", "eee", "e.e"]);
const GUARD: Sprite = Sprite::of(&["080", "888", "8.8"]);
const GEM: Sprite = Sprite::of(&[".a.", "a0a", ".a."]);
const PLATE: Sprite = Sprite::of(&["ccc", "c3c", "ccc"]);
const GATE: Sprite = Sprite::of(&["c.c", "c.c", "c.c"]);
const OPEN_GATE: Sprite = Sprite::of(&["c.c", "...", "c.c"]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Night {
    map: Map,
    rounds: &'static [&'static str],
    thief: Cell,
    /// Gems still to be found, row after row.
    gems: Vec<Cell>,
    /// Actions so far, modulo the [`Night::cycle`].
    clock: usize,
}

/// A guard at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Guard {
    cell: Cell,
    /// Where the next step goes.
    facing: Dir,
    has_lantern: bool,
}

impl Night {
    fn parse(map: &str, rounds: &'static [&'static str]) -> Night {
        let map = Map::parse(map);
        Night { thief: map.the(b'@'), gems: map.find(b'o').collect(), rounds, clock: 0, map }
    }

    fn guards(&self) -> impl Iterator<Item = Guard> {
        self.walks().map(|(start, round)| {
            let at = self.clock % round.len();
            let cell = places(start, round).nth(at).unwrap_or(start);
            Guard { cell, facing: dir(round[at]), has_lantern: round[at].is_ascii_uppercase() }
        })
    }

    /// Where each guard begins, and its round.
    fn walks(&self) -> impl Iterator<Item = (Cell, &'static [u8])> {
        self.rounds.iter().zip(b'1'..).map(|(round, name)| (self.map.the(name), round.as_bytes()))
    }

    /// Actions after which all guards are where they began.
    fn cycle(&self) -> usize {
        let is_common = |time: &usize| self.rounds.iter().all(|round| time.is_multiple_of(round.len()));
        (1..LONGEST_CYCLE).find(is_common).unwrap_or(LONGEST_CYCLE)
    }

    fn gates_are_open(&self) -> bool {
        self.guards().any(|guard| self.map.glyph(guard.cell) == b'p')
    }

    fn is_blocked(&self, cell: Cell) -> bool {
        match self.map.glyph(cell) {
            b'#' => true,
            b'g' => !self.gates_are_open(),
            _ => false,
        }
    }

    /// The cells in the light of a guard.
    fn beam(&self, guard: Guard) -> impl Iterator<Item = Cell> {
        let cells = std::iter::successors(Some(guard.cell + guard.facing), move |cell| Some(*cell + guard.facing));
        cells.take_while(move |cell| guard.has_lantern && !self.is_blocked(*cell))
    }

    fn is_caught(&self) -> bool {
        self.guards().any(|guard| guard.cell == self.thief || self.beam(guard).any(|cell| cell == self.thief))
    }
}

/// The cells of a round, from where it begins.
fn places(start: Cell, round: &[u8]) -> impl Iterator<Item = Cell> {
    round.iter().scan(start, |next, step| {
        let here = *next;
        *next = here + dir(*step);
        Some(here)
    })
}

/// The direction a step of a round goes.
fn dir(step: u8) -> Dir {
    match step.to_ascii_lowercase() {
        b'u' => Dir::Up,
        b'r' => Dir::Right,
        b'd' => Dir::Down,
        _ => Dir::Left,
    }
}

impl Title for Night {
    const ABOUT: About = About {
        stem: "n759",
        title: "Night watch",
        families: &[Family::Walls, Family::Patrol, Family::FarSwitch, Family::Counter],
        controls: ARROWS_AND_SPACE,
        optimal: &[6, 30, 34, 41, 47, 51],
        bar: Some(Bar {
            edge: Edge::Left,
            thickness: 2,
            full: Color::of(10),
            empty: Color::of(4),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        let Plan { map, rounds } = LEVELS[index];
        Night::parse(map, rounds)
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        if let Input::Move(dir) = input
            && !self.is_blocked(self.thief + dir)
        {
            self.thief = self.thief + dir;
            self.gems.retain(|gem| *gem != self.thief);
            film.shoot(self);
        }
        let runs_into_guard = self.guards().any(|guard| guard.cell == self.thief);
        self.clock = (self.clock + 1) % self.cycle();
        match (runs_into_guard || self.is_caught(), self.gems.is_empty()) {
            (true, _) => Verdict::Lost,
            (false, true) => Verdict::Solved,
            (false, false) => Verdict::Playing,
        }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(FLOOR);
        let are_open = self.gates_are_open();
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.cell(cell, WALL),
                b'p' => scene.sprite(cell, PLATE),
                b'g' => scene.sprite(cell, if are_open { OPEN_GATE } else { GATE }),
                _ => {}
            }
        }
        for cell in self.walks().flat_map(|(start, round)| places(start, round)) {
            scene.pixel(cell, (1, 1), PATH);
        }
        scene.layer(1);
        for guard in self.guards() {
            self.beam(guard).for_each(|cell| scene.inset(cell, 1, BEAM));
        }
        scene.layer(2);
        for gem in &self.gems {
            scene.sprite(*gem, GEM);
        }
        for guard in self.guards() {
            scene.sprite(guard.cell, GUARD);
        }
        scene.sprite(self.thief, THIEF);
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 3).framed(FLOOR)
    }

    fn inputs(&self) -> Vec<Input> {
        [Input::MOVES.as_slice(), &[Input::Act]].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::prove;

    const RIGHT: Input = Input::Move(Dir::Right);

    fn play(night: &Night, inputs: &[Input]) -> (Night, Verdict) {
        let mut night = night.clone();
        let verdicts: Vec<Verdict> = inputs.iter().map(|input| night.act(*input, &mut Film::blank())).collect();
        (night, verdicts[verdicts.len() - 1])
    }

    #[test]
    fn every_round_is_closed_short_and_free_of_walls() {
        for Plan { map, rounds } in &LEVELS {
            let night = Night::parse(map, rounds);
            for (start, round) in night.walks() {
                let end = round.iter().fold(start, |cell, step| cell + dir(*step));
                assert!(end == start && (2..=6).contains(&round.len()), "{round:?}");
                assert!(places(start, round).all(|cell| !b"#g".contains(&night.map.glyph(cell))), "{round:?}");
            }
        }
    }

    #[test]
    fn the_first_guard_catches_who_does_not_wait() {
        let night = Night::parse(LEVELS[0].map, LEVELS[0].rounds);
        assert_eq!(play(&night, &[RIGHT, RIGHT]).1, Verdict::Lost);
        assert_eq!(play(&night, &[Input::Act, RIGHT, RIGHT]).1, Verdict::Playing);
    }

    #[test]
    fn nobody_slips_past_a_guard() {
        assert_eq!(play(&Night::parse("@1.o", &["lr"]), &[RIGHT]).1, Verdict::Lost);
    }

    #[test]
    fn a_gate_is_open_while_a_guard_is_on_a_plate() {
        let night = Night::parse("@go\n1p.", &["rl"]);
        assert_eq!(play(&night, &[RIGHT]).0.thief, Cell::at(0, 0));
        assert_eq!(play(&night, &[RIGHT, RIGHT]).0.thief, Cell::at(1, 0));
    }

    #[test]
    fn a_beam_ends_at_a_wall_or_a_closed_gate() {
        let lit = |text| {
            let night = Night::parse(text, &["RL"]);
            let guard = night.guards().next().unwrap();
            night.beam(guard).count()
        };
        assert_eq!([lit("1..#..@o"), lit("1.g...@o"), lit("1.....@o")], [2, 1, 7]);
    }

    #[test]
    fn gates_cannot_be_passed_without_guards() {
        for level in [2, 4, 5] {
            assert!(prove(&Night::parse(LEVELS[level].map, &[])).is_err(), "level {}", level + 1);
        }
    }
}
