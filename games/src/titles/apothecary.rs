//! Apothecary: herbs are fetched one at a time and brought to those who are down with what they cure.
//!
//! The space bar picks the herb that the apothecary stands on, and gives it to the patient that she stands by; a pouch in the
//! corner shows what is in it. Levels add, one after the other: a second patient; hedges; a herb that grows again, for two
//! patients of one colour; a curtain that opens to who has the herb of its colour; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS_AND_SPACE, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title,
    Verdict, View,
};

/// `#` hedge, `=` wall, `P` the pouch, `@` the apothecary, `a` `b` `c` herbs, `A` `B` `C` who needs them, `x` `y` `z`
/// their curtains.
const LEVELS: [&str; 6] = [
    "
    P===========
    #..........#
    #.@..a.....#
    #..........#
    #........A.#
    #..........#
    ############
    ",
    "
    P===========
    #..A....b..#
    #..........#
    #....@.....#
    #..........#
    #.a......B.#
    ############
    ",
    "
    P===========
    #a..#......#
    #.#.#.##.A.#
    #...#.#....#
    #.###...##.#
    #@..b.#..B.#
    ############
    ",
    "
    P===========
    #.A..#...B.#
    #....#.#...#
    #..@...#.a.#
    #....#.#...#
    #.b..#...A.#
    ############
    ",
    "
    P===========
    #..b.x...A.#
    #....#.#####
    #.@..#...a.#
    #.a..###.###
    #....y...B.#
    ############
    ",
    "
    P===========
    #A...#..b..#
    #....x...A.#
    #..@.#.###.#
    #.a..#..B..#
    ############
    ",
];

const FLOOR: Color = Color::of(10);
const HEDGE: Color = Color::of(3);
const WALL: Color = Color::of(4);
const ROBE: Color = Color::of(0);
const HERBS: [Color; 3] = [Color::of(8), Color::of(11), Color::of(6)];

const HERB: Sprite = Sprite::of(&["..#..", "#.#.#", ".###.", "..#..", "..#.."]);
const BARE: Sprite = Sprite::of(&[".....", ".....", ".....", ".....", ".111."]);
const ILL: Sprite = Sprite::of(&["#####", "#222#", "#2#2#", "#222#", "#####"]);
const WELL: Sprite = Sprite::of(&["22222", "2...2", "2...2", "2...2", "22222"]);
const CURTAIN: Sprite = Sprite::of(&["#.#.#", "#.#.#", "#.#.#", "#.#.#", "#.#.#"]);
const APOTHECARY: Sprite = Sprite::of(&[".....", "..#..", ".###.", ".###.", "....."]);
const POUCH: Sprite = Sprite::of(&["44444", "4###4", "4###4", "4###4", "44444"]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ward {
    map: Map,
    at: Cell,
    /// The number of the herb in the pouch.
    pouch: Option<u8>,
    /// Patients who are ill, herbs that stand and curtains that are shut: what is of no use any more is taken off the map.
    ill: Vec<Cell>,
    herbs: Vec<Cell>,
    curtains: Vec<Cell>,
}

impl Ward {
    fn parse(text: &str) -> Ward {
        let map = Map::parse(text);
        let all = |glyphs: &[u8]| glyphs.iter().flat_map(|glyph| map.find(*glyph)).collect();
        let (ill, herbs, curtains) = (all(b"ABC"), all(b"abc"), all(b"xyz"));
        Ward { at: map.the(b'@'), pouch: None, ill, herbs, curtains, map }
    }

    /// The number of the herb that a herb, a patient or a curtain is about.
    fn number(&self, cell: Cell) -> u8 {
        match self.map.glyph(cell) {
            glyph @ b'a'..=b'c' => glyph - b'a',
            glyph @ b'A'..=b'C' => glyph - b'A',
            glyph => glyph - b'x',
        }
    }

    fn walk(&mut self, dir: Dir) {
        let to = self.at + dir;
        if self.curtains.contains(&to) {
            if self.pouch != Some(self.number(to)) {
                return;
            }
            self.curtains.retain(|it| *it != to);
        }
        if !matches!(self.map.glyph(to), b'#' | b'=' | b'P') {
            self.at = to;
        }
    }

    fn serve(&mut self) {
        let at = self.at;
        match self.pouch {
            None if self.herbs.contains(&at) => {
                self.pouch = Some(self.number(at));
                self.herbs.retain(|it| *it != at);
            }
            Some(herb) if self.ill.contains(&at) && self.number(at) == herb => {
                self.pouch = None;
                self.ill.retain(|it| *it != at);
                self.grow(herb);
            }
            _ => {}
        }
    }

    /// A herb that somebody else still needs stands again where it stood.
    fn grow(&mut self, herb: u8) {
        if self.ill.iter().any(|it| self.number(*it) == herb) {
            self.herbs.extend(self.map.find(b'a' + herb));
        }
    }
}

impl Title for Ward {
    const ABOUT: About = About {
        stem: "a926",
        title: "Apothecary",
        families: &[Family::Carry, Family::KeyDoor, Family::Walls],
        controls: ARROWS_AND_SPACE,
        optimal: &[11, 24, 38, 39, 29, 34],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(14),
            empty: Color::of(2),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Ward::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        match input {
            Input::Move(dir) => self.walk(dir),
            Input::Act => self.serve(),
            Input::Click(_) => {}
        }
        if self.ill.is_empty() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(FLOOR);
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.cell(cell, HEDGE),
                b'=' => scene.cell(cell, WALL),
                b'P' => {
                    let shown = self.pouch.map_or(Color::of(1), |herb| HERBS[usize::from(herb)]);
                    scene.sprite(cell, POUCH.tinted(shown));
                }
                b'a'..=b'c' if !self.herbs.contains(&cell) => scene.sprite(cell, BARE),
                b'A'..=b'C' if !self.ill.contains(&cell) => scene.sprite(cell, WELL),
                b'a'..=b'c' => scene.sprite(cell, HERB.tinted(self.color(cell))),
                b'A'..=b'C' => scene.sprite(cell, ILL.tinted(self.color(cell))),
                b'x'..=b'z' if self.curtains.contains(&cell) => scene.sprite(cell, CURTAIN.tinted(self.color(cell))),
                _ => {}
            }
        }
        scene.layer(1);
        scene.sprite(self.at, APOTHECARY.tinted(ROBE));
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 5).framed(WALL)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.into_iter().chain([Input::Act]).collect()
    }

    /// Each patient takes one act, and each but the one whose herb is in the pouch another one to pick it; the way to the
    /// farthest patient comes on top.
    fn bound(&self) -> u32 {
        let acts = 2 * self.ill.len() as u32 - u32::from(self.pouch.is_some() && !self.ill.is_empty());
        acts + self.ill.iter().map(|cell| cell.distance(self.at)).max().unwrap_or(0)
    }
}

impl Ward {
    fn color(&self, cell: Cell) -> Color {
        HERBS[usize::from(self.number(cell))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: Input = Input::Move(Dir::Right);
    const LEFT: Input = Input::Move(Dir::Left);

    fn play(text: &str, inputs: &[Input]) -> (Ward, Verdict) {
        let mut ward = Ward::parse(text);
        let verdicts: Vec<Verdict> = inputs.iter().map(|input| ward.act(*input, &mut Film::blank())).collect();
        (ward, verdicts[verdicts.len() - 1])
    }

    #[test]
    fn a_herb_is_picked_and_given_where_one_stands() {
        assert_eq!(play("@aA", &[RIGHT, Input::Act, RIGHT, Input::Act]).1, Verdict::Solved);
        assert_eq!(play("@aA", &[RIGHT, RIGHT, Input::Act]).1, Verdict::Playing, "nothing in the pouch");
    }

    #[test]
    fn the_pouch_holds_one_herb_and_another_cures_nobody() {
        let (ward, _) = play("@abB", &[RIGHT, Input::Act, RIGHT, Input::Act, RIGHT, Input::Act]);
        assert_eq!((ward.pouch, ward.herbs.len(), ward.ill.len()), (Some(0), 1, 1));
    }

    #[test]
    fn a_herb_grows_again_while_somebody_needs_it() {
        let (ward, _) = play("@aAA", &[RIGHT, Input::Act, RIGHT, Input::Act]);
        assert_eq!(ward.herbs, [Cell::at(1, 0)]);
        let (ward, verdict) = play("@aA", &[RIGHT, Input::Act, RIGHT, Input::Act]);
        assert_eq!((ward.herbs.len(), verdict), (0, Verdict::Solved));
    }

    #[test]
    fn a_curtain_opens_to_the_herb_of_its_colour_and_stays_open() {
        assert_eq!(play("a@x.A", &[RIGHT]).0.at, Cell::at(1, 0));
        let (ward, _) = play("a@x.A", &[LEFT, Input::Act, RIGHT, RIGHT]);
        assert_eq!((ward.at, ward.curtains.len(), ward.pouch), (Cell::at(2, 0), 0, Some(0)));
    }
}
