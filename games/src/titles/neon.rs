//! Neon: a wall of glass tubes, through which gas glows from its bottle to every letter.
//!
//! A click turns a plate with a piece of tube by a quarter. Gas goes wherever openings meet, and glows; two gases in one
//! tube do not. A level is solved once every letter glows in the colour that its spot shows. Levels add, one after the
//! other: straight tubes; bends; two letters, and tubes that branch; plates that are riveted to the wall; a second gas; all
//! of it on a large wall.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Board, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Title, Verdict, View,
};

/// One level.
struct Plan {
    /// A hexadecimal digit a plate: 1 for an opening above, 2 on the right, 4 below, 8 on the left; none where it is 0.
    tubes: &'static str,
    /// `.` a plate that turns, `#` one that is riveted, `a` and `b` bottles, `A` and `B` letters for their gas.
    roles: &'static str,
}

const PLANS: [Plan; 6] = [
    Plan { tubes: "5a5a 2558 555a", roles: ".... A..a ...." },
    Plan { tubes: "c5566 c6523 a4ac5 9565a c6aac", roles: "..... ...a. .A... ..... ....." },
    Plan { tubes: "3b98c5 6aea6c 55b0c8 a96a79 389bd9", roles: "...a.. ...... .....A ...... .A...." },
    Plan {
        tubes: "d9a3999 7a3c5a8 5a96dcd 97a8e9c ca5653d 29c66da",
        roles: "....... .....#A ....... .##A... ..##.## a#.....",
    },
    Plan {
        tubes: "5d6aa84 69a56ac 59a555e 60c3546 bb9aa5e 076a156 3e63ace",
        roles: ".....Ba ....... ....... .....b. ....... ....A.. .......",
    },
    Plan {
        tubes: "35a98666 07a5c958 9b93456c 5696d9c0 7505e9ec 5785005a 65290a6e 39aa585c",
        roles: "....B#.. ..###..A ....a... .#...#.. ........ ..B..... ..A#.#.. ...#.b..",
    },
];

/// Logical pixels from plate to plate, along a plate and across a tube.
const PITCH: i16 = 7;
const PLATE: i16 = 6;
const BORE: i16 = 2;

const WALL: Color = Color::of(13);
const METAL: Color = Color::of(4);
const GLASS: Color = Color::of(1);
const RIVET: Color = Color::of(5);
const LETTER: Color = Color::of(0);
const GASES: [(u8, Color); 2] = [(b'a', Color::of(7)), (b'b', Color::of(10))];

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Neon {
    /// Who stays where it is, and why.
    roles: Map,
    /// The openings of each plate, a bit for each direction in the order of [`Dir::ALL`].
    tubes: Board<u8>,
}

/// Openings after a quarter turn clockwise.
fn turned(openings: u8) -> u8 {
    openings << 1 & 0b1111 | openings >> 3
}

/// The bit of an opening in this direction.
fn opening(dir: Dir) -> u8 {
    1 << dir.quarter_turns()
}

/// What a tube looks like that gases reach: the colour of one, or of glass where there is none, or more than one.
fn glow(gases: u8) -> Color {
    (0..GASES.len()).find(|index| gases == 1 << index).map_or(GLASS, |index| GASES[index].1)
}

impl Neon {
    fn of(tubes: &str, roles: &str) -> Neon {
        let tubes = Map::parse(&tubes.replace(' ', "\n"));
        let digit = |cell: Cell| char::from(tubes[cell]).to_digit(16).map_or(0, |it| it as u8);
        Neon { roles: Map::parse(&roles.replace(' ', "\n")), tubes: Board::new(tubes.width(), tubes.height(), digit) }
    }

    fn turns(&self, cell: Cell) -> bool {
        self.roles.get(cell) == Some(&b'.') && !matches!(self.tubes[cell], 0 | 0b1111)
    }

    fn is_open(&self, cell: Cell, dir: Dir) -> bool {
        self.tubes.get(cell).is_some_and(|it| it & opening(dir) != 0)
    }

    /// All plates that gas reaches from a cell.
    fn reach(&self, from: Cell) -> Vec<Cell> {
        let mut reached = vec![from];
        let mut next = 0;
        while let Some(cell) = reached.get(next).copied() {
            let open = Dir::ALL.into_iter().filter(|dir| self.is_open(cell, *dir));
            for at in open.filter(|dir| self.is_open(cell + *dir, dir.opposite())).map(|dir| cell + dir) {
                if !reached.contains(&at) {
                    reached.push(at);
                }
            }
            next += 1;
        }
        reached
    }

    /// The gases that reach each plate, a bit for each.
    fn gases(&self) -> Board<u8> {
        let mut gases = Board::new(self.tubes.width(), self.tubes.height(), |_| 0);
        for (index, (bottle, _)) in GASES.iter().enumerate() {
            for cell in self.roles.find(*bottle).flat_map(|bottle| self.reach(bottle)) {
                gases[cell] |= 1 << index;
            }
        }
        gases
    }

    /// The letters for a gas that do not glow in it.
    fn dark(&self) -> impl Iterator<Item = (usize, Cell)> {
        let gases = self.gases();
        let letters = (0..GASES.len()).flat_map(|gas| {
            let glyph = GASES[gas].0.to_ascii_uppercase();
            self.roles.find(glyph).map(move |cell| (gas, cell))
        });
        letters.filter(move |(gas, cell)| gases[*cell] != 1 << gas)
    }

    /// Quarter turns until a plate is open on all these sides; none may do.
    fn cost(&self, cell: Cell, sides: u8) -> Option<u32> {
        let poses = std::iter::successors(Some(self.tubes[cell]), |it| Some(turned(*it)));
        let mut poses = poses.take(if self.turns(cell) { 4 } else { 1 });
        poses.position(|it| it & sides == sides).map(|it| it as u32)
    }

    /// The fewest quarter turns after which some way leads from a bottle to a letter, whatever else they cut.
    fn nearest(&self, gas: usize, letter: Cell) -> u32 {
        let bottle = self.roles.the(GASES[gas].0);
        let out = Dir::ALL.into_iter().filter(|dir| self.is_open(bottle, *dir));
        let mut open: Vec<(u32, Cell, Dir)> = out.map(|dir| (0, bottle + dir, dir)).collect();
        let mut known: Vec<(Cell, Dir)> = Vec::new();
        while let Some(best) = (0..open.len()).min_by_key(|index| open[*index].0) {
            let (cost, cell, heading) = open.swap_remove(best);
            let into = opening(heading.opposite());
            if known.contains(&(cell, heading)) || self.tubes.get(cell).is_none() {
                continue;
            }
            known.push((cell, heading));
            match self.roles[cell] {
                _ if cell == letter && self.tubes[cell] & into != 0 => return cost,
                b'.' | b'#' => {
                    let ways = Dir::ALL.into_iter().filter(|dir| *dir != heading.opposite());
                    let ways = ways.filter_map(|dir| Some((cost + self.cost(cell, into | opening(dir))?, dir)));
                    open.extend(ways.map(|(cost, dir)| (cost, cell + dir, dir)));
                }
                _ => {}
            }
        }
        0
    }

    fn draw_tube(&self, scene: &mut Scene, cell: Cell, color: Color) {
        let (from, arm) = ((PLATE - BORE) / 2, PLATE.midpoint(BORE));
        for dir in Dir::ALL.into_iter().filter(|dir| self.is_open(cell, *dir)) {
            let (offset, size) = match dir {
                Dir::Up => ((from, 0), (BORE, arm)),
                Dir::Right => ((from, from), (arm, BORE)),
                Dir::Down => ((from, from), (BORE, arm)),
                Dir::Left => ((0, from), (arm, BORE)),
            };
            scene.rectangle(cell, offset, size, color);
        }
    }

    fn draw_role(&self, scene: &mut Scene, cell: Cell, glow: Color) {
        let role = self.roles[cell];
        let gas = GASES.iter().find(|(glyph, _)| glyph.eq_ignore_ascii_case(&role));
        match (role, gas) {
            (b'#', _) => {
                let corners = [(0, 0), (PLATE - 1, 0), (0, PLATE - 1), (PLATE - 1, PLATE - 1)];
                for at in corners {
                    scene.pixel(cell, at, RIVET);
                }
            }
            (b'a' | b'b', Some((_, color))) => scene.rectangle(cell, (1, 1), (PLATE - 2, PLATE - 2), *color),
            (_, Some((_, color))) => {
                let lit = if glow == *color { glow } else { LETTER };
                scene.rectangle(cell, (1, 1), (PLATE - 2, PLATE - 2), lit);
                scene.rectangle(cell, (2, 2), (BORE, BORE), *color);
            }
            _ => {}
        }
    }
}

impl Title for Neon {
    const ABOUT: About = About {
        stem: "n348",
        title: "Neon",
        families: &[Family::Toggle, Family::Fill, Family::Slots],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[2, 7, 8, 10, 11, 13],
        bar: Some(Bar {
            edge: Edge::Top,
            thickness: 1,
            full: Color::of(14),
            empty: Color::of(2),
            drain: Drain::Effective,
        }),
    };

    fn level(level: usize, _: &mut Dice) -> Self {
        Neon::of(PLANS[level].tubes, PLANS[level].roles)
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        match input {
            Input::Click(cell) if self.turns(cell) => self.tubes[cell] = turned(self.tubes[cell]),
            _ => {}
        }
        if self.dark().next().is_none() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(WALL);
        for (cell, gases) in self.gases().iter().filter(|(cell, _)| self.tubes[*cell] != 0) {
            let glow = glow(*gases);
            scene.rectangle(cell, (0, 0), (PLATE, PLATE), METAL);
            self.draw_tube(scene, cell, glow);
            self.draw_role(scene, cell, glow);
        }
    }

    fn view(&self) -> View {
        View::of(self.tubes.width(), self.tubes.height(), PITCH).framed(WALL)
    }

    fn inputs(&self) -> Vec<Input> {
        self.tubes.cells().filter(|cell| self.turns(*cell)).map(Input::Click).collect()
    }

    /// For each gas what its farthest letter costs: no plate carries two gases.
    fn bound(&self) -> u32 {
        let mut most = [0; GASES.len()];
        for (gas, letter) in self.dark() {
            most[gas] = most[gas].max(self.nearest(gas, letter));
        }
        most.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn click(neon: &mut Neon, x: i16, y: i16) -> Verdict {
        neon.act(Input::Click(Cell::at(x, y)), &mut Film::blank())
    }

    #[test]
    fn gas_goes_where_openings_meet() {
        let mut neon = Neon::of("2558", "a..A");
        assert_eq!(neon.bound(), 2);
        assert_eq!(click(&mut neon, 1, 0), Verdict::Playing);
        assert_eq!(neon.reach(Cell::at(0, 0)).len(), 2);
        assert_eq!(click(&mut neon, 2, 0), Verdict::Solved);
    }

    #[test]
    fn riveted_plates_bottles_and_letters_stay() {
        let start = Neon::of("2548", "a#.A");
        let mut neon = start.clone();
        for x in [0, 1, 3] {
            click(&mut neon, x, 0);
        }
        assert_eq!(neon, start);
    }

    #[test]
    fn two_gases_in_one_tube_do_not_glow() {
        let mut neon = Neon::of("2a58 0070 2518", "a..A .... b..B");
        neon.tubes[Cell::at(1, 2)] = 0b1010;
        neon.tubes[Cell::at(2, 2)] = 0b1101;
        neon.tubes[Cell::at(2, 0)] = 0b1110;
        assert_eq!(neon.gases()[Cell::at(0, 0)], 0b11);
        assert_eq!(glow(0b11), GLASS);
        assert_eq!(neon.dark().count(), 2, "the second letter is cut off");
    }

    #[test]
    fn a_letter_wants_its_own_gas() {
        let neon = Neon::of("28", "aB");
        let gases = Neon::of("28 28", "aB bA");
        assert_eq!((neon.dark().count(), gases.dark().count()), (1, 2));
    }
}
