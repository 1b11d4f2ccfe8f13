//! Drawbridge: plates and levers move bridges of their colour, however far away; water is deadly; the flag is the way
//! out.
//!
//! A plate works while something lies on it, a lever turns whenever something comes onto it. Levels add, one after the
//! other: a crate that holds a plate; bridges that the same switch pulls in; plates and a lever that need each other;
//! three colours that interlock; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `.` land, `~` water, `#` rock, `@` the walker, `*` the flag, `O` crate; by colour: `a` `b` `c` plates, `x` `y` `z`
/// levers, `A` `B` `C` bridges that are in at first, `L` `M` `N` bridges that are out at first.
const LEVELS: [&str; 6] = [
    "
    ###########
    #...~~~...#
    #.@.AAA.*.#
    #..x~~~...#
    ###########
    ",
    "
    ###########
    #....~~...#
    #.O..~~...#
    #..a.AA...#
    #....~~...#
    #...@~~*..#
    ###########
    ",
    "
    #############
    #..x~~...~..#
    #...LB...A..#
    #...~~..y~*.#
    #...~~...~..#
    #...AB.@.~..#
    #.y.~~...A..#
    #############
    ",
    "
    #############
    #..a.~.*..~.#
    #....B....B.#
    #..O.~....~.#
    #....~~~~~~~#
    #....~...~@.#
    #....A..x~..#
    #O...~b..L..#
    #############
    ",
    "
    ##############
    #..*~~...~...#
    #...AM...N.y.#
    #...~~...~...#
    #~L~~~~B~~~C~#
    #...~~..x~.@.#
    #...AA...L...#
    #.z.~~z..~...#
    ##############
    ",
    "
    ###########
    #@..~~..x.#
    #...LM....#
    #a..~~.O..#
    #~A~~~~A~~#
    #.*.~~..Ob#
    #...AL....#
    #...~~.y..#
    ###########
    ",
];

/// The bridges by their glyphs; three colours each.
const BRIDGES: [u8; 6] = *b"ABCLMN";

const LAND: Color = Color::of(14);
const ROCK: Color = Color::of(3);
const SEA: Color = Color::of(9);
const COLORS: [Color; 3] = [Color::of(8), Color::of(11), Color::of(15)];

const WAVES: Sprite = Sprite::of(&["9999", "9a99", "99a9", "9999"]);
const MOORING: Sprite = Sprite::of(&["9999", "9##9", "9##9", "9999"]);
const PLANK: Sprite = Sprite::of(&["c#cc", "c#cc", "c#cc", "c#cc"]);
const PLATE: Sprite = Sprite::of(&[".##.", "#00#", "#00#", ".##."]);
const LEVER: Sprite = Sprite::of(&["#...", ".#..", "..#.", "3333"]);
const TURNED_LEVER: Sprite = Sprite::of(&["...#", "..#.", ".#..", "3333"]);
const CRATE: Sprite = Sprite::of(&["dddd", "dccd", "dccd", "dddd"]);
const WALKER: Sprite = Sprite::of(&[".00.", "0000", ".00.", ".00."]);
const FLAG: Sprite = Sprite::of(&[".566", ".566", ".5..", ".5.."]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Canal {
    map: Map,
    walker: Cell,
    /// In the order of their cells.
    crates: Vec<Cell>,
    /// Which colours of levers are turned.
    turned: [bool; 3],
    /// How many planks of each bridge are out: at rest none or all.
    out: [usize; BRIDGES.len()],
}

impl Canal {
    fn parse(text: &str) -> Canal {
        let map = Map::parse(text);
        let (walker, crates) = (map.the(b'@'), map.find(b'O').collect());
        let mut canal = Canal { walker, crates, turned: [false; 3], out: [0; BRIDGES.len()], map };
        canal.settle(&mut Film::blank());
        canal
    }

    fn is_loaded(&self, cell: Cell) -> bool {
        self.walker == cell || self.crates.contains(&cell)
    }

    /// Whether the switches of a colour are on.
    fn is_on(&self, color: usize) -> bool {
        let plate = b'a' + color as u8;
        self.turned[color] != self.map.find(plate).any(|cell| self.is_loaded(cell))
    }

    /// How many planks of a bridge should be out.
    fn wanted(&self, bridge: usize) -> usize {
        let is_out = self.is_on(bridge % 3) == (bridge < 3);
        if is_out { self.map.find(BRIDGES[bridge]).count() } else { 0 }
    }

    /// Moves all bridges plank by plank until they are where they should be.
    fn settle(&mut self, film: &mut Film<Self>) {
        let wanted: [usize; BRIDGES.len()] = std::array::from_fn(|bridge| self.wanted(bridge));
        while self.out != wanted {
            for (out, wanted) in self.out.iter_mut().zip(wanted) {
                *out = if *out < wanted { *out + 1 } else { wanted.max(out.saturating_sub(1)) };
            }
            film.shoot(self);
        }
    }

    /// The colour of the bridge at a cell, and whether its plank there is out.
    fn plank(&self, cell: Cell) -> Option<(usize, bool)> {
        let glyph = self.map.glyph(cell);
        let bridge = BRIDGES.iter().position(|it| *it == glyph)?;
        let place = self.map.find(glyph).position(|plank| plank == cell)?;
        Some((bridge % 3, place < self.out[bridge]))
    }

    fn is_water(&self, cell: Cell) -> bool {
        self.map.glyph(cell) == b'~' || self.plank(cell).is_some_and(|(_, is_out)| !is_out)
    }

    /// Goes to a cell and pushes what is there; false if it does not give way.
    fn walk(&mut self, ahead: Cell, behind: Cell) -> bool {
        let is_blocked = |cell| self.map.glyph(cell) == b'#';
        let pushed = self.crates.iter().position(|it| *it == ahead);
        if is_blocked(ahead) || pushed.is_some() && (is_blocked(behind) || self.crates.contains(&behind)) {
            return false;
        }
        self.walker = ahead;
        self.turn_lever(ahead);
        if let Some(index) = pushed {
            self.crates[index] = behind;
            self.turn_lever(behind);
        }
        true
    }

    /// Turns the lever at a cell, if there is one.
    fn turn_lever(&mut self, cell: Cell) {
        let glyph = self.map.glyph(cell);
        if (b'x'..=b'z').contains(&glyph) {
            self.turned[usize::from(glyph - b'x')] ^= true;
        }
    }

    /// Crates in the water are gone.
    fn sink(&mut self) {
        let mut crates = std::mem::take(&mut self.crates);
        crates.retain(|it| !self.is_water(*it));
        crates.sort_unstable();
        self.crates = crates;
    }

    fn draw_ground(&self, scene: &mut Scene, cell: Cell, glyph: u8) {
        let tint = |sprite: Sprite, first: u8| sprite.tinted(COLORS[usize::from(glyph - first)]);
        match glyph {
            b'#' => scene.cell(cell, ROCK),
            b'~' => scene.sprite(cell, WAVES),
            b'*' => scene.sprite(cell, FLAG),
            b'a'..=b'c' => scene.sprite(cell, tint(PLATE, b'a')),
            b'x'..=b'z' if self.turned[usize::from(glyph - b'x')] => scene.sprite(cell, tint(TURNED_LEVER, b'x')),
            b'x'..=b'z' => scene.sprite(cell, tint(LEVER, b'x')),
            _ => {}
        }
        if let Some((color, is_out)) = self.plank(cell) {
            scene.sprite(cell, if is_out { PLANK } else { MOORING }.tinted(COLORS[color]));
        }
    }
}

impl Title for Canal {
    const ABOUT: About = About {
        stem: "d528",
        title: "Drawbridge",
        families: &[Family::FarSwitch, Family::Walls, Family::Push],
        controls: ARROWS,
        optimal: &[8, 17, 25, 43, 48, 39],
        bar: Some(Bar {
            edge: Edge::Top,
            thickness: 2,
            full: Color::of(11),
            empty: Color::of(13),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Canal::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        let ahead = self.walker + dir;
        if !self.walk(ahead, ahead + dir) {
            return Verdict::Playing;
        }
        self.settle(film);
        self.sink();
        if self.is_water(self.walker) {
            return Verdict::Lost;
        }
        if self.map.glyph(self.walker) == b'*' { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(LAND);
        for (cell, glyph) in self.map.iter() {
            self.draw_ground(scene, cell, *glyph);
        }
        scene.layer(1);
        for it in &self.crates {
            scene.sprite(*it, CRATE);
        }
        scene.sprite(self.walker, WALKER);
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 4).framed(SEA)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engine::Dir, prover::prove};

    /// Walks `r`ight and `l`eft.
    fn walk(text: &str, way: &str) -> (Canal, Verdict) {
        let mut canal = Canal::parse(text);
        let mut verdict = Verdict::Playing;
        for step in way.bytes() {
            let dir = if step == b'r' { Dir::Right } else { Dir::Left };
            verdict = canal.act(Input::Move(dir), &mut Film::blank());
        }
        (canal, verdict)
    }

    #[test]
    fn a_plate_works_only_while_it_is_loaded() {
        assert_eq!(walk("@a.AA*", "r").0.out, [2, 0, 0, 0, 0, 0]);
        assert_eq!(walk("@a.AA*", "rrr").1, Verdict::Lost);
        assert_eq!(walk("@Oa.LL", "r").0.out, [0; 6]);
    }

    #[test]
    fn a_lever_turns_with_everything_that_comes() {
        assert_eq!(walk("@x.MMAA", "r").0.out, [2, 0, 0, 0, 2, 0]);
        assert_eq!(walk("@x.MMAA", "rrl").0.out, [0, 0, 0, 0, 2, 0]);
        assert!(walk("@Ox..*", "r").0.turned[0] && !walk("@Ox..*", "rr").0.turned[0]);
    }

    #[test]
    fn water_swallows_crates_and_kills_the_walker() {
        assert_eq!(walk("@O~.*", "r").0.crates, []);
        assert_eq!(walk("@O~.*", "rr").1, Verdict::Lost);
    }

    #[test]
    fn a_bridge_moves_plank_by_plank() {
        let mut film = Film::loaded();
        Canal::parse("@x.AAA*").act(Input::Move(Dir::Right), &mut film);
        assert_eq!(film.shots().iter().map(|canal| canal.out[0]).collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn no_crate_plate_or_lever_can_be_spared() {
        let is_lost = |text: &str, glyphs: &str| prove(&Canal::parse(&text.replace(glyphs, "."))).is_err();
        assert!(is_lost(LEVELS[1], "O") && is_lost(LEVELS[3], "O"), "crates");
        assert!(is_lost(LEVELS[1], "a") && is_lost(LEVELS[5], "a"), "plates");
        assert!(is_lost(LEVELS[0], "x") && is_lost(LEVELS[4], "y"), "levers");
    }
}
