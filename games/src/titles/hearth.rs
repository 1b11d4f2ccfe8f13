//! Hearth: a cricket gathers crumbs where embers drift, sparks walk their rounds and vents flare up by turns.
//!
//! Everything that is hot goes its own way, one step an action, also when the cricket stays where it is since a stone is in its way.
//! Embers drift along a groove and come in again at its other end. Levels add, one after the other: grooves that lie side by
//! side, one of them half as fast; sparks on closed rounds; vents; vents between grooves; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// One level: `#` stone, `@` the cricket, `o` crumbs, `v` and `w` vents that flare in turn, and the sparks as digits.
#[derive(Debug)]
struct Plan {
    map: &'static str,
    grooves: &'static [Groove],
    /// The rounds of the sparks `1`, `2`, ...: `u` `r` `d` `l`, steps that lead back to the start.
    rounds: &'static [&'static str],
}

/// A row of the map, from its second to its last cell but one, along which embers drift.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Groove {
    row: i16,
    /// Where embers, `x`, are at first, cell by cell.
    embers: &'static str,
    way: Dir,
    /// Actions that a step takes.
    pace: usize,
}

const LEVELS: [Plan; 6] = [
    Plan {
        map: "
            ##############
            #.....o......#
            #............#
            #.....@......#
            ##############
        ",
        grooves: &[Groove { row: 2, embers: "x..xx...xx..", way: Dir::Right, pace: 1 }],
        rounds: &[],
    },
    Plan {
        map: "
            ##############
            #..o......o..#
            #............#
            #............#
            ###..####.####
            #............#
            #......@.....#
            ##############
        ",
        grooves: &[
            Groove { row: 2, embers: "xx..xx..x...", way: Dir::Left, pace: 1 },
            Groove { row: 3, embers: "xx...xxx....", way: Dir::Right, pace: 1 },
            Groove { row: 5, embers: "xx..xx...x..", way: Dir::Right, pace: 2 },
        ],
        rounds: &[],
    },
    Plan {
        map: "
            ##############
            #o....#......#
            #.1...#...2..#
            #............#
            #.....#....o.#
            ##.#####.#####
            #.....#......#
            #.3...#..@...#
            #o...........#
            #.....#......#
            ##############
        ",
        grooves: &[],
        rounds: &["rrrlll", "dlur", "rrddlluu"],
    },
    Plan {
        map: "
            ##############
            #o.v.#...w..o#
            #..v.#...w...#
            #..v.v...w...#
            ####.####.####
            #............#
            #..1.#....#..#
            ##v######w####
            #....#.......#
            #.@..w....o..#
            ##############
        ",
        grooves: &[],
        rounds: &["rlrl"],
    },
    Plan {
        map: "
            ##############
            #o....v.....o#
            #............#
            #............#
            #####w##v#####
            #............#
            #............#
            ##v######w####
            #......@.....#
            ##############
        ",
        grooves: &[
            Groove { row: 2, embers: "xx..xx..xx..", way: Dir::Right, pace: 1 },
            Groove { row: 3, embers: "xxx...xxx...", way: Dir::Left, pace: 1 },
            Groove { row: 5, embers: "xx....xx....", way: Dir::Left, pace: 2 },
            Groove { row: 6, embers: "x...xx...x..", way: Dir::Right, pace: 1 },
        ],
        rounds: &[],
    },
    Plan {
        map: "
            ##############
            #o...v....1.o#
            #....#.......#
            #............#
            #............#
            ##w######v####
            #.2..#....3..#
            #..........o.#
            ###.##..######
            #............#
            #............#
            #..o....@....#
            ##############
        ",
        grooves: &[
            Groove { row: 3, embers: "xx..xx..x...", way: Dir::Left, pace: 1 },
            Groove { row: 4, embers: "xx...xx.....", way: Dir::Right, pace: 2 },
            Groove { row: 9, embers: "xxx...xx..x.", way: Dir::Right, pace: 1 },
            Groove { row: 10, embers: "x..xx..xx...", way: Dir::Left, pace: 1 },
        ],
        rounds: &["dlur", "drul", "llrr"],
    },
];

/// Actions after which every groove, round and vent is as it was: 12 steps of two actions, rounds of 4, 6 and 8.
const CYCLE: usize = 24;
/// Actions for which a vent flares, and as many for which it does not.
const FLARE: usize = 3;

const ASH: Color = Color::of(1);
const STONE: Color = Color::of(13);
const GROOVE: Color = Color::of(4);
const GRATE: Color = Color::of(3);

const CRICKET: Sprite = Sprite::of(&["b..b", ".bb.", "bbbb", "b..b"]);
const CRUMB: Sprite = Sprite::of(&[".ff.", "ff0f", ".fff", "...."]);
const EMBER: Sprite = Sprite::of(&[".cc.", "c8cc", "cc8c", ".cc."]);
const SPARK: Sprite = Sprite::of(&["6..6", ".66.", ".66.", "6..6"]);
const JET: Sprite = Sprite::of(&["7.77", "77.7", ".777", "7777"]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hearth {
    map: Map,
    grooves: &'static [Groove],
    rounds: &'static [&'static str],
    cricket: Cell,
    /// Crumbs still to be gathered, row after row.
    crumbs: Vec<Cell>,
    /// Actions so far, modulo the [`CYCLE`].
    clock: usize,
}

impl Groove {
    /// Where its embers are after so many actions.
    fn hot(&self, clock: usize) -> impl Iterator<Item = Cell> {
        let (steps, length) = ((clock / self.pace) as i16, self.embers.len() as i16);
        let by = if self.way == Dir::Right { steps } else { -steps };
        let embers = (0..length).zip(self.embers.bytes()).filter(|it| it.1 == b'x');
        embers.map(move |(at, _)| Cell::at(1 + (at + by).rem_euclid(length), self.row))
    }
}

/// The direction of a step of a round.
fn dir(step: u8) -> Dir {
    match step {
        b'u' => Dir::Up,
        b'r' => Dir::Right,
        b'd' => Dir::Down,
        _ => Dir::Left,
    }
}

/// Where who walks such a round is after so many actions.
fn walked(start: Cell, round: &str, clock: usize) -> Cell {
    round.bytes().take(clock % round.len()).fold(start, |at, step| at + dir(step))
}

impl Hearth {
    fn parse(plan: &'static Plan) -> Hearth {
        let map = Map::parse(plan.map);
        let (cricket, crumbs) = (map.the(b'@'), map.find(b'o').collect());
        Hearth { map, grooves: plan.grooves, rounds: plan.rounds, cricket, crumbs, clock: 0 }
    }

    fn sparks(&self) -> impl Iterator<Item = Cell> {
        let starts = self.rounds.iter().zip(b'1'..);
        starts.map(|(round, name)| walked(self.map.the(name), round, self.clock))
    }

    fn embers(&self) -> impl Iterator<Item = Cell> {
        self.grooves.iter().flat_map(|it| it.hot(self.clock))
    }

    fn flares(&self, cell: Cell) -> bool {
        let is_first = (self.clock / FLARE).is_multiple_of(2);
        match self.map.glyph(cell) {
            b'v' => is_first,
            b'w' => !is_first,
            _ => false,
        }
    }

    fn is_burnt(&self) -> bool {
        let is_here = |it: Cell| it == self.cricket;
        self.flares(self.cricket) || self.sparks().any(is_here) || self.embers().any(is_here)
    }
}

impl Title for Hearth {
    const ABOUT: About = About {
        stem: "v528",
        title: "Hearth",
        families: &[Family::Walls, Family::Patrol, Family::Counter],
        controls: ARROWS,
        optimal: &[5, 16, 29, 39, 44, 48],
        bar: Some(Bar {
            edge: Edge::Right,
            thickness: 2,
            full: Color::of(9),
            empty: Color::of(5),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Hearth::parse(&LEVELS[index])
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        if let Input::Move(dir) = input
            && self.map.glyph(self.cricket + dir) != b'#'
        {
            self.cricket = self.cricket + dir;
            self.crumbs.retain(|it| *it != self.cricket);
        }
        let runs_into = self.sparks().chain(self.embers()).any(|it| it == self.cricket);
        self.clock = (self.clock + 1) % CYCLE;
        match (runs_into || self.is_burnt(), self.crumbs.is_empty()) {
            (true, _) => Verdict::Lost,
            (false, true) => Verdict::Solved,
            (false, false) => Verdict::Playing,
        }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(ASH);
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.cell(cell, STONE),
                b'v' | b'w' => scene.inset(cell, 1, GRATE),
                _ => {}
            }
        }
        for groove in self.grooves {
            (0..groove.embers.len() as i16).for_each(|x| scene.cell(Cell::at(1 + x, groove.row), GROOVE));
        }
        for (cell, _) in self.map.iter().filter(|it| self.flares(it.0)) {
            scene.sprite(cell, JET);
        }
        self.crumbs.iter().for_each(|it| scene.sprite(*it, CRUMB));
        self.embers().for_each(|it| scene.sprite(it, EMBER));
        self.sparks().for_each(|it| scene.sprite(it, SPARK));
        scene.sprite(self.cricket, CRICKET);
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 4).framed(ASH)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::prove;

    static NARROW: Plan = Plan {
        map: "
            #####
            #.o.#
            #...#
            #.@.#
            #####
        ",
        grooves: &[Groove { row: 2, embers: "x..", way: Dir::Right, pace: 1 }],
        rounds: &[],
    };

    fn play(hearth: &Hearth, ways: &[Dir]) -> Verdict {
        let mut hearth = hearth.clone();
        let verdicts: Vec<Verdict> = ways.iter().map(|it| hearth.act(Input::Move(*it), &mut Film::blank())).collect();
        verdicts[verdicts.len() - 1]
    }

    #[test]
    fn embers_come_in_again_at_the_other_end() {
        let groove = &NARROW.grooves[0];
        let places: Vec<Cell> = (0..4).flat_map(|clock| groove.hot(clock)).collect();
        assert_eq!(places, [1, 2, 3, 1].map(|x| Cell::at(x, 2)));
    }

    #[test]
    fn who_waits_at_a_stone_gets_across() {
        let hearth = Hearth::parse(&NARROW);
        assert_eq!(play(&hearth, &[Dir::Up]), Verdict::Lost);
        assert_eq!(play(&hearth, &[Dir::Down, Dir::Down, Dir::Up, Dir::Up]), Verdict::Solved);
    }

    #[test]
    fn everything_comes_round_within_a_cycle() {
        assert!(CYCLE.is_multiple_of(2 * FLARE));
        for plan in &LEVELS {
            let hearth = Hearth::parse(plan);
            assert!(plan.grooves.iter().all(|it| CYCLE.is_multiple_of(it.embers.len() * it.pace)));
            assert!(plan.grooves.iter().all(|it| it.embers.len() as i16 + 2 == hearth.map.width()));
            for (round, name) in plan.rounds.iter().zip(b'1'..) {
                let start = hearth.map.the(name);
                let end = round.bytes().fold(start, |at, step| at + dir(step));
                assert!(end == start && CYCLE.is_multiple_of(round.len()), "{round}");
                assert!((0..CYCLE).all(|it| hearth.map.glyph(walked(start, round, it)) != b'#'), "{round}");
            }
        }
    }

    #[test]
    fn vents_flare_by_turns() {
        let hearth = Hearth::parse(&LEVELS[3]);
        let flares = |glyph, clock| {
            let now = Hearth { clock, ..hearth.clone() };
            now.map.find(glyph).next().is_some_and(|it| now.flares(it))
        };
        assert_eq!([0, 2, 3, 5, 6].map(|it| flares(b'v', it)), [true, true, false, false, true]);
        assert!((0..CYCLE).all(|it| flares(b'v', it) != flares(b'w', it)));
    }

    #[test]
    fn what_is_hot_costs_actions_wherever_embers_drift() {
        for plan in LEVELS.iter().filter(|it| !it.grooves.is_empty()) {
            let hearth = Hearth::parse(plan);
            let cold = Hearth { grooves: &[], rounds: &[], ..hearth.clone() };
            let actions = |it: &Hearth| prove(it).expect("it can be solved").optimal();
            assert!(actions(&cold) < actions(&hearth), "{}", plan.map);
        }
    }
}
