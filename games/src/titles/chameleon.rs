//! Chameleon: it takes on the colour of every pool it comes into, and gates let through nothing but their own colour.
//!
//! The strip above the wood shows its skin, and the plates that it still has to tread on, each in the plate's colour.
//! When there are none, the door opens to its own colour. Levels add, one after the other: a second pool that dyes it
//! again; plates; a spring that washes it; puddles that are dry once they have dyed it; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// A wood, and the colour of its door `X`. `#` thicket, `@` chameleon; `a` `b` `c` pools and `w` the spring, `A` `B` `C`
/// `W` gates, `1` `2` `3` plates and `p` `q` `r` puddles of these colours.
const LEVELS: [(&str, u8); 6] = [
    (
        "
        @..#...
        ...#...
        .a.A..X
        ...#...
        ...#...
        ",
        b'a',
    ),
    (
        "
        @...#....
        ....#..b.
        .a..A....
        ....#....
        ###.#.###
        ....#.#..
        ....#...X
        ",
        b'b',
    ),
    (
        "
        @....#...
        ..a..#.b.
        .....A...
        .2...#...
        .....B...
        .1...#...
        .....#..X
        ",
        b'b',
    ),
    (
        "
        a.@#.w###
        .#.A..###
        ...#..###
        C###W####
        ...#..###
        ...#..B.X
        ...#..#..
        .b....#c.
        ",
        b'c',
    ),
    (
        "
        p..#..1..
        ...#a.2@.
        ...##q...
        ...B.....
        A###A####
        ...#.....
        r#.C....X
        ..p#....#
        ",
        b'c',
    ),
    (
        "
        q....#...
        #@...W...
        .....#2.X
        ###.###B#
        b..3.B..a
        ####C#A##
        .....#.p#
        c1.w.A...
        ",
        b'b',
    ),
];

/// The skin before anything has dyed it.
const PLAIN: u8 = b'w';

const TILE: i16 = 7;
const SOIL: Color = Color::of(4);
const STRIP: Color = Color::of(3);
const MUD: Color = Color::of(13);
const SHUT: Color = Color::of(5);

const THICKET: Sprite = Sprite::of(&["eeeeeee", "e3ee3ee", "eee3eee", "3eeeee3", "ee3e3ee", "eeeeeee", "e3ee3ee"]);
const CHAMELEON: Sprite = Sprite::of(&[".......", ".###...", "##5##.#", "#######", ".####.#", ".#..#.#", "....###"]);
const POOL: Sprite = Sprite::of(&[".#####.", "###5###", "##5####", "#######", "####5##", "###5###", ".#####."]);
const PUDDLE: Sprite = Sprite::of(&[".......", "..d##..", ".d####.", ".#####.", ".###d..", "..#d...", "......."]);
const GATE: Sprite = Sprite::of(&["#.#.#.#", "#.#.#.#", "#######", "#.#.#.#", "#######", "#.#.#.#", "#.#.#.#"]);
const PLATE: Sprite = Sprite::of(&[".......", ".22222.", ".2###2.", ".2###2.", ".2###2.", ".22222.", "......."]);
const TRODDEN: Sprite = Sprite::of(&[".......", ".22222.", ".2...2.", ".2.2.2.", ".2...2.", ".22222.", "......."]);
const DOOR: Sprite = Sprite::of(&["..###..", ".#####.", "##...##", "##...##", "##...##", "##...##", "##...##"]);

/// The colour that a glyph is about, as the letter of its pool.
fn dye(glyph: u8) -> u8 {
    match glyph {
        b'1'..=b'3' => glyph - b'1' + b'a',
        b'p'..=b'r' => glyph - b'p' + b'a',
        _ => glyph.to_ascii_lowercase(),
    }
}

fn color(dye: u8) -> Color {
    match dye {
        b'a' => Color::of(8),
        b'b' => Color::of(10),
        b'c' => Color::of(11),
        _ => Color::of(0),
    }
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Wood {
    map: Map,
    /// What the door wants.
    door: u8,
    cell: Cell,
    skin: u8,
    /// Plates that are still to be trodden on, and puddles that are not dry; both row after row.
    plates: Vec<Cell>,
    puddles: Vec<Cell>,
}

impl Wood {
    fn parse(text: &str, door: u8) -> Wood {
        let map = Map::parse(text);
        let all = |glyphs: &[u8]| map.iter().filter(|(_, it)| glyphs.contains(it)).map(|(cell, _)| cell).collect();
        Wood { cell: map.the(b'@'), skin: PLAIN, plates: all(b"123"), puddles: all(b"pqr"), door, map }
    }

    fn lets_in(&self, cell: Cell) -> bool {
        match self.map.glyph(cell) {
            b'#' => false,
            b'X' => self.plates.is_empty() && self.skin == self.door,
            gate @ (b'A'..=b'C' | b'W') => self.skin == dye(gate),
            _ => true,
        }
    }

    /// What comes of being on a cell.
    fn arrive(&mut self) {
        let (cell, glyph) = (self.cell, self.map.glyph(self.cell));
        match glyph {
            b'a'..=b'c' | PLAIN => self.skin = glyph,
            b'p'..=b'r' if self.puddles.contains(&cell) => {
                self.skin = dye(glyph);
                self.puddles.retain(|puddle| *puddle != cell);
            }
            b'1'..=b'3' if self.skin == dye(glyph) => self.plates.retain(|plate| *plate != cell),
            _ => {}
        }
    }

    fn draw_tile(&self, scene: &mut Scene, cell: Cell, glyph: u8) {
        let tint = color(dye(glyph));
        match glyph {
            b'#' => scene.sprite(cell, THICKET),
            b'a'..=b'c' | PLAIN => scene.sprite(cell, POOL.tinted(tint)),
            b'p'..=b'r' => scene.sprite(cell, PUDDLE.tinted(if self.puddles.contains(&cell) { tint } else { MUD })),
            b'A'..=b'C' | b'W' => scene.sprite(cell, GATE.tinted(tint)),
            b'1'..=b'3' if self.plates.contains(&cell) => scene.sprite(cell, PLATE.tinted(tint)),
            b'1'..=b'3' => scene.sprite(cell, TRODDEN),
            b'X' => {
                if !self.plates.is_empty() {
                    scene.rectangle(cell, (2, 2), (3, 5), SHUT);
                }
                scene.sprite(cell, DOOR.tinted(color(self.door)));
            }
            _ => {}
        }
    }

    fn draw_strip(&self, scene: &mut Scene) {
        let strip = Cell::at(0, -1);
        scene.block(strip, self.map.width(), 1, STRIP);
        scene.rectangle(strip, (1, 2), (3 * TILE - 2, 3), color(self.skin));
        for (place, plate) in (1..).zip(&self.plates) {
            let cell = Cell::at(self.map.width() - place, -1);
            scene.inset(cell, 2, color(dye(self.map[*plate])));
        }
    }
}

impl Title for Wood {
    const ABOUT: About = About {
        stem: "c309",
        title: "Chameleon",
        families: &[Family::Walls, Family::KeyDoor, Family::Counter],
        controls: ARROWS,
        optimal: &[8, 20, 38, 33, 38, 50],
        bar: Some(Bar {
            edge: Edge::Right,
            thickness: 1,
            full: Color::of(15),
            empty: Color::of(2),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        let (text, door) = LEVELS[index];
        Wood::parse(text, door)
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        if let Input::Move(dir) = input
            && self.lets_in(self.cell + dir)
        {
            self.cell = self.cell + dir;
            self.arrive();
        }
        if self.map.glyph(self.cell) == b'X' { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(SOIL);
        self.map.iter().for_each(|(cell, glyph)| self.draw_tile(scene, cell, *glyph));
        self.draw_strip(scene);
        scene.sprite(self.cell, CHAMELEON.tinted(color(self.skin)));
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height() + 1, TILE).scrolled_to(Cell::at(0, -1)).framed(STRIP)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }

    fn bound(&self) -> u32 {
        self.cell.distance(self.map.the(b'X'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::Dir,
        prover::{ProofError, prove},
    };

    /// The chameleon of a wood after it was told to go right this often.
    fn after(text: &str, steps: usize) -> (Wood, Verdict) {
        let mut wood = Wood::parse(text, b'a');
        let verdicts: Vec<Verdict> =
            (0..steps).map(|_| wood.act(Input::Move(Dir::Right), &mut Film::blank())).collect();
        (wood, verdicts.last().copied().unwrap_or(Verdict::Playing))
    }

    fn fewest(level: usize, from: &str, to: &str) -> Result<u32, ProofError> {
        let (text, door) = LEVELS[level];
        prove(&Wood::parse(&text.replacen(from, to, 1), door)).map(|proof| proof.optimal())
    }

    #[test]
    fn gates_and_doors_let_in_their_own_colour_alone() {
        assert_eq!(after("@A.X", 3).0.cell, Cell::at(0, 0));
        assert_eq!(after("@aBX", 3).0.cell, Cell::at(1, 0));
        assert_eq!(after("@bBX", 3).0.cell, Cell::at(2, 0));
        assert_eq!(after("@aAX", 3).1, Verdict::Solved);
        assert_eq!(after("@awWX", 4).0.cell, Cell::at(3, 0));
    }

    #[test]
    fn plates_want_their_colour_and_the_door_wants_all_plates() {
        assert_eq!(after("@1aX", 3).0.plates, [Cell::at(1, 0)]);
        assert_eq!(after("@1aX", 3).1, Verdict::Playing);
        assert_eq!(after("@a1X", 3).1, Verdict::Solved);
    }

    #[test]
    fn a_puddle_dyes_once_and_a_pool_always() {
        let back = |text| {
            let mut wood = after(text, 3).0;
            for _ in 0..2 {
                wood.act(Input::Move(Dir::Left), &mut Film::blank());
            }
            (wood.skin, wood.cell, wood.puddles.len())
        };
        assert_eq!(back("@pw.X"), (PLAIN, Cell::at(1, 0), 0));
        assert_eq!(back("@aw.X"), (b'a', Cell::at(1, 0), 0));
    }

    #[test]
    fn what_dyes_and_what_washes_is_needed() {
        for (level, pool) in [(1, "a"), (1, "b"), (2, "a"), (2, "b"), (3, "w"), (4, "r"), (5, "a"), (5, "b"), (5, "c")]
        {
            let proof = fewest(level, pool, ".");
            assert!(matches!(proof, Err(ProofError::Unsolvable { .. })), "{pool} in level {level}");
        }
    }
}
