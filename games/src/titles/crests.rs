//! Crests: a herald changes the crest on the banner, and halls open to their own crest alone.
//!
//! The banner hangs large in a corner, each hall shows its crest small over the gate; a knock at the wrong one is
//! refused. Levels add, one after the other: a crest to be turned three times; a vat that dyes it; a second hall; a mirror; all
//! of it together, for three halls.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` hedge, `@` the herald, `=` the banner, two cells by two, `r` the wheel that turns the crest, `m` the mirror, `d` the vat;
/// `A` `B` `C` halls, and by which of these each crest comes from the one on the banner.
const LEVELS: [(&str, &[&str]); 6] = [
    (
        "
        #########
        #@...r.==
        #.##.#.==
        #....#..#
        #.##.##.#
        #...A...#
        #########
        ",
        &["r"],
    ),
    (
        "
        #########
        #==.....#
        #==.###.#
        #...#r..#
        #.#.###.#
        #@#..A..#
        #########
        ",
        &["rrr"],
    ),
    (
        "
        #########
        #@....==#
        #.##r.==#
        #.#..#..#
        #...d#.A#
        #.#.....#
        #########
        ",
        &["rrdd"],
    ),
    (
        "
        #########
        #A..#..B#
        #.#...#.#
        #.#r#d#.#
        #.......#
        #==.@...#
        #==######
        ",
        &["rd", "rrr"],
    ),
    (
        "
        #########
        #A.m..#B#
        #.##.#..#
        #..#.#.r#
        ##...@..#
        #==.###.#
        #==.....#
        #########
        ",
        &["m", "mr"],
    ),
    (
        "
        #########
        #A.r.d.B#
        #.#####.#
        #...@...#
        #.##m##.#
        #==...C.#
        #==######
        #########
        ",
        &["mdr", "m", "mdrrd"],
    ),
];

const TILE: i16 = 7;
const LAWN: Color = Color::of(14);
const HEDGE: Color = Color::of(3);
const CLOTH: Color = Color::of(0);
const REFUSED: Color = Color::of(8);
const OPEN: Color = Color::of(2);
const DYES: [Color; 3] = [Color::of(9), Color::of(15), Color::of(12)];

const HERALD: Sprite = Sprite::of(&[".......", "..bbb..", "..b0b..", ".bbbbb.", "...b...", "..b.b..", "......."]);
const WHEEL: Sprite = Sprite::of(&[".......", "..555..", ".5.5.5.", ".55555.", ".5.5.5.", "..555..", "......."]);
const MIRROR: Sprite = Sprite::of(&[".......", ".66.66.", ".66.66.", ".66.66.", ".66.66.", ".66.66.", "......."]);
const VAT: Sprite = Sprite::of(&[".......", ".4...4.", ".47774.", ".47774.", ".47774.", ".44444.", "......."]);

/// Side of a crest, in its own cells.
const SIDE: usize = 3;

/// What is on a banner: which of its cells are dyed, row after row, and in which dye.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Crest {
    cells: [bool; SIDE * SIDE],
    dye: usize,
}

impl Crest {
    /// The crest that hangs on the banner when a level begins. Its eight poses all differ.
    const FIRST: Crest = Crest { cells: [true, false, true, true, true, false, false, false, false], dye: 0 };

    /// The crest whose cell in a column and row is what the other had where `from` says.
    fn moved(self, from: impl Fn(usize, usize) -> (usize, usize)) -> Crest {
        let cell = |index: usize| {
            let (x, y) = from(index % SIDE, index / SIDE);
            self.cells[y * SIDE + x]
        };
        Crest { cells: std::array::from_fn(cell), ..self }
    }

    /// What a pad makes of it.
    fn after(self, pad: u8) -> Crest {
        match pad {
            b'r' => self.moved(|x, y| (y, SIDE - 1 - x)),
            b'm' => self.moved(|x, y| (SIDE - 1 - x, y)),
            b'd' => Crest { dye: (self.dye + 1) % DYES.len(), ..self },
            _ => self,
        }
    }

    /// Paints it at a scale, so many pixels from the corner of a cell.
    fn draw(self, scene: &mut Scene, corner: Cell, offset: i16, scale: i16) {
        for index in (0..SIDE * SIDE).filter(|index| self.cells[*index]) {
            let (x, y) = ((index % SIDE) as i16, (index / SIDE) as i16);
            scene.rectangle(corner, (offset + x * scale, offset + y * scale), (scale, scale), DYES[self.dye]);
        }
    }
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Herald {
    map: Map,
    cell: Cell,
    crest: Crest,
    /// Halls that are closed, and what they want.
    halls: Vec<(Cell, Crest)>,
    /// The hall that refuses, while it does.
    refusing: Option<Cell>,
}

impl Herald {
    fn parse(text: &str, crests: &[&str]) -> Herald {
        let map = Map::parse(text);
        let wants = |pads: &&str| pads.bytes().fold(Crest::FIRST, Crest::after);
        let halls = (b'A'..).zip(crests).map(|(glyph, pads)| (map.the(glyph), wants(pads))).collect();
        Herald { cell: map.the(b'@'), crest: Crest::FIRST, halls, refusing: None, map }
    }

    /// The corner of the banner.
    fn banner(&self) -> Option<Cell> {
        self.map.iter().find(|(_, glyph)| **glyph == b'=').map(|(cell, _)| cell)
    }

    /// Whether one may go to a cell; a hall that opens is open from then on.
    fn enters(&mut self, ahead: Cell, film: &mut Film<Self>) -> bool {
        let Some(hall) = self.halls.iter().position(|(cell, _)| *cell == ahead) else {
            return !matches!(self.map.glyph(ahead), b'#' | b'=');
        };
        if self.halls[hall].1 != self.crest {
            self.refusing = Some(ahead);
            film.shoot(self);
            self.refusing = None;
            return false;
        }
        self.halls.remove(hall);
        true
    }
}

impl Title for Herald {
    const ABOUT: About = About {
        stem: "c418",
        title: "Crests",
        families: &[Family::Walls, Family::FarSwitch, Family::Reference],
        controls: ARROWS,
        optimal: &[9, 24, 15, 27, 19, 24],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(13),
            empty: Color::of(1),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        let (text, crests) = LEVELS[index];
        Herald::parse(text, crests)
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        if let Input::Move(dir) = input
            && self.enters(self.cell + dir, film)
        {
            self.cell = self.cell + dir;
            self.crest = self.crest.after(self.map.glyph(self.cell));
        }
        if self.halls.is_empty() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(LAWN);
        for (cell, &glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.cell(cell, HEDGE),
                b'r' => scene.sprite(cell, WHEEL),
                b'm' => scene.sprite(cell, MIRROR),
                b'd' => scene.sprite(cell, VAT),
                b'A'..=b'C' => scene.inset(cell, 1, OPEN),
                _ => {}
            }
        }
        for (cell, crest) in &self.halls {
            scene.cell(*cell, if self.refusing == Some(*cell) { REFUSED } else { CLOTH });
            crest.draw(scene, *cell, 2, 1);
        }
        if let Some(corner) = self.banner() {
            scene.block(corner, 2, 2, CLOTH);
            self.crest.draw(scene, corner, 2, 3);
        }
        scene.layer(1);
        scene.sprite(self.cell, HERALD);
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), TILE).framed(LAWN)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::engine::Dir;

    fn walk(text: &str, crests: &[&str], way: &[Dir]) -> (Herald, Verdict) {
        let mut herald = Herald::parse(text, crests);
        let verdicts: Vec<Verdict> = way.iter().map(|dir| herald.act(Input::Move(*dir), &mut Film::blank())).collect();
        (herald, verdicts.last().copied().unwrap_or(Verdict::Playing))
    }

    #[test]
    fn a_hall_opens_to_its_crest_alone() {
        use Dir::Right;
        assert_eq!(walk("@A", &["r"], &[Right]).0.cell, Cell::at(0, 0), "it is refused");
        assert_eq!(walk("@rA", &["r"], &[Right, Right]).1, Verdict::Solved);
        assert_eq!(walk("@rdA", &["r"], &[Right; 3]).1, Verdict::Playing, "in another colour it is another crest");
    }

    #[test]
    fn four_turns_two_mirrors_or_three_dyes_change_nothing_and_all_poses_differ() {
        for pads in ["rrrr", "mm", "ddd"] {
            assert_eq!(pads.bytes().fold(Crest::FIRST, Crest::after), Crest::FIRST, "{pads}");
        }
        let poses = ["", "r", "rr", "rrr", "m", "mr", "mrr", "mrrr"];
        let poses: BTreeSet<[bool; 9]> =
            poses.iter().map(|pads| pads.bytes().fold(Crest::FIRST, Crest::after).cells).collect();
        assert_eq!(poses.len(), 8);
    }
}
