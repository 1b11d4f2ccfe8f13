//! Dispatch: the arrows drive one of several carts, a click says which, and each belongs into the bay of its colour.
//!
//! The driven cart has its lamps lit. Levels add, one after the other: walls; a third cart; carts in each other's way; a
//! gate that is open while a cart stands on a plate; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS_AND_CLICKS, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title,
    Verdict, View,
};

/// `#` wall, `1` `2` `3` carts, of which the first is driven at the start, `a` `b` `c` their bays, `p` plate, `G` gate.
const LEVELS: [&str; 6] = [
    "
    ########
    #..a...#
    #1...2.#
    #...b..#
    ########
    ",
    "
    #########
    #1..#..a#
    #.#.#.#.#
    #.#...#.#
    #.#.#.#.#
    #2..#..b#
    #########
    ",
    "
    #########
    #1..#..2#
    #.#...#.#
    #.#.#.#.#
    #c..3..a#
    ###.#.###
    ###..b###
    #########
    ",
    "
    ##########
    #...2...1#
    ###.######
    #b.....a.#
    #.######.#
    #...3...c#
    ##########
    ",
    "
    ###########
    #1...#...a#
    #.##.#.##.#
    #..p.G.p#.#
    #.##.#.##.#
    #2...#...b#
    ###########
    ",
    "
    ############
    #1.p.#..a..#
    #.##.G.#.#.#
    #2...#..p..#
    ##.####.#.##
    #3...G...b.#
    #..#.##.#c.#
    ############
    ",
];

const FLOOR: Color = Color::of(2);
const WALL: Color = Color::of(4);
const PLATE: Color = Color::of(7);
const CARTS: [Color; 3] = [Color::of(9), Color::of(14), Color::of(8)];

const PARKED: Sprite = Sprite::of(&["55.55", "#####", "#####", "#####", "55.55"]);
const DRIVEN: Sprite = Sprite::of(&["55.55", "#####", "#bbb#", "#####", "55.55"]);
const BAY: Sprite = Sprite::of(&["#...#", "#...#", "#...#", "#...#", "#####"]);
const STUD: Sprite = Sprite::of(&[".....", ".###.", ".###.", ".###.", "....."]);
const SHUT: Sprite = Sprite::of(&["#.#.#", "#.#.#", "#.#.#", "#.#.#", "#.#.#"]);
const OPEN: Sprite = Sprite::of(&["#...#", "#...#", "#...#", "#...#", "#...#"]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Depot {
    map: Map,
    /// In the order of their numbers.
    carts: Vec<Cell>,
    /// The one the arrows drive.
    driven: usize,
}

impl Depot {
    fn parse(text: &str) -> Depot {
        let map = Map::parse(text);
        Depot { carts: b"123".iter().flat_map(|cart| map.find(*cart)).collect(), driven: 0, map }
    }

    fn cart_at(&self, cell: Cell) -> Option<usize> {
        self.carts.iter().position(|cart| *cart == cell)
    }

    fn is_open(&self) -> bool {
        self.carts.iter().any(|cart| self.map.glyph(*cart) == b'p')
    }

    fn is_free(&self, cell: Cell) -> bool {
        let is_passable = match self.map.glyph(cell) {
            b'#' => false,
            b'G' => self.is_open(),
            _ => true,
        };
        is_passable && self.cart_at(cell).is_none()
    }

    fn drive(&mut self, dir: Dir) {
        let ahead = self.carts[self.driven] + dir;
        if self.is_free(ahead) {
            self.carts[self.driven] = ahead;
        }
    }

    /// Steps from each cart to its bay.
    fn ways(&self) -> impl Iterator<Item = u32> {
        self.carts.iter().zip(b"abc").map(|(cart, bay)| cart.distance(self.map.the(*bay)))
    }
}

impl Title for Depot {
    const ABOUT: About = About {
        stem: "d709",
        title: "Dispatch",
        families: &[Family::SelectThenAct, Family::Walls, Family::FarSwitch, Family::Slots],
        controls: ARROWS_AND_CLICKS,
        optimal: &[6, 21, 21, 23, 29, 34],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(6),
            empty: Color::of(1),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Depot::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        match input {
            Input::Move(dir) => self.drive(dir),
            Input::Click(cell) => self.driven = self.cart_at(cell).unwrap_or(self.driven),
            Input::Act => {}
        }
        if self.ways().all(|steps| steps == 0) { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(FLOOR);
        let gate = if self.is_open() { OPEN } else { SHUT };
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.cell(cell, WALL),
                b'p' => scene.sprite(cell, STUD.tinted(PLATE)),
                b'G' => scene.sprite(cell, gate.tinted(PLATE)),
                b'a'..=b'c' => scene.sprite(cell, BAY.tinted(CARTS[usize::from(glyph - b'a')])),
                _ => {}
            }
        }
        scene.layer(1);
        for (number, cart) in self.carts.iter().enumerate() {
            let sprite = if number == self.driven { DRIVEN } else { PARKED };
            scene.sprite(*cart, sprite.tinted(CARTS[number]));
        }
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 5).framed(WALL)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.into_iter().chain(self.carts.iter().copied().map(Input::Click)).collect()
    }

    /// Every step takes one cart one cell nearer at most, and all but the driven one must be clicked first.
    fn bound(&self) -> u32 {
        let ways = self.ways().enumerate().filter(|(_, steps)| *steps > 0);
        ways.map(|(cart, steps)| steps + u32::from(cart != self.driven)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: Input = Input::Move(Dir::Right);

    fn play(text: &str, inputs: &[Input]) -> (Depot, Verdict) {
        let mut depot = Depot::parse(text);
        let verdicts: Vec<Verdict> = inputs.iter().map(|input| depot.act(*input, &mut Film::blank())).collect();
        (depot, verdicts[verdicts.len() - 1])
    }

    #[test]
    fn arrows_drive_the_cart_that_was_clicked_last() {
        let (depot, _) = play("1.a\n2.b", &[RIGHT, Input::Click(Cell::at(0, 1)), RIGHT, RIGHT]);
        assert_eq!(depot.carts, [Cell::at(1, 0), Cell::at(2, 1)]);
    }

    #[test]
    fn a_click_beside_the_carts_changes_nothing() {
        assert_eq!(play("1.a\n2.b", &[Input::Click(Cell::at(1, 0))]).0, Depot::parse("1.a\n2.b"));
    }

    #[test]
    fn carts_do_not_pass_each_other() {
        assert_eq!(play("12ba", &[RIGHT]).0, Depot::parse("12ba"));
    }

    #[test]
    fn a_gate_is_open_while_a_cart_stands_on_a_plate() {
        let map = "1G.a\n2p.b";
        assert_eq!(play(map, &[RIGHT]).0, Depot::parse(map));
        let (depot, _) = play(map, &[Input::Click(Cell::at(0, 1)), RIGHT, Input::Click(Cell::at(0, 0)), RIGHT]);
        assert_eq!(depot.carts[0], Cell::at(1, 0));
    }

    #[test]
    fn each_cart_has_its_own_bay() {
        let swapped = ".1b\n.2a";
        assert_eq!(play(swapped, &[RIGHT, Input::Click(Cell::at(1, 1)), RIGHT]).1, Verdict::Playing);
        let own = ".1a\n.2b";
        assert_eq!(play(own, &[RIGHT, Input::Click(Cell::at(1, 1)), RIGHT]).1, Verdict::Solved);
    }
}
