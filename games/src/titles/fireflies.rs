//! Fireflies: one of them glows and flies, the space bar hands the glow on, and each belongs into the ring of its colour.
//!
//! The glow, which is drawn along the border of who has it, goes round in an order that never changes. Levels add, one
//! after the other: leaves in the way; a third firefly; narrow places, where they have to make room for each other;
//! more of these, and rings in the wrong order behind them.

use env_client::Color;

use crate::engine::{
    ARROWS_AND_SPACE, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title,
    Verdict, View,
};

/// `#` leaves, `1` `2` `3` fireflies, of which the first glows at the start, `a` `b` `c` their rings.
const LEVELS: [&str; 6] = [
    "
    ......
    .1.a..
    ......
    .2.b..
    ......
    ",
    "
    .1#...
    ..#.b.
    ......
    ..#.a.
    .2#...
    ",
    "
    1.#...
    ...#b.
    2.....
    ..#.a.
    3..c..
    ",
    "
    ..#1..
    2..3..
    ..##a#
    ###.c.
    ###..b
    ",
    "
    ..####
    ..a...
    .b#.##
    ###...
    2.#.##
    13...c
    ..####
    ",
    "
    ...#...
    ...1.c.
    ...#.b.
    ##.####
    #..3.a2
    ",
];

const DUSK: Color = Color::of(9);
const LEAF: Color = Color::of(4);
const COLORS: [Color; 3] = [Color::of(6), Color::of(14), Color::of(12)];

const LEAVES: Sprite =
    Sprite::of(&["44444444", "44344444", "43344434", "44444334", "44444444", "43444344", "44334433", "44444444"]);
const DARK: Sprite =
    Sprite::of(&["........", ".######.", ".#0##0#.", ".#0550#.", ".##55##.", ".#0##0#.", ".######.", "........"]);
const GLOWING: Sprite =
    Sprite::of(&["........", ".bbbbbb.", ".b0##0b.", ".b0550b.", ".b#55#b.", ".b0##0b.", ".bbbbbb.", "........"]);
const RING: Sprite =
    Sprite::of(&["........", ".######.", ".#....#.", ".#....#.", ".#....#.", ".#....#.", ".######.", "........"]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Evening {
    map: Map,
    /// In the order in which the glow goes round.
    fireflies: Vec<Cell>,
    /// The one that glows.
    glowing: usize,
}

impl Evening {
    fn parse(text: &str) -> Evening {
        let map = Map::parse(text);
        Evening { fireflies: b"123".iter().flat_map(|it| map.find(*it)).collect(), glowing: 0, map }
    }

    fn is_free(&self, cell: Cell) -> bool {
        self.map.glyph(cell) != b'#' && !self.fireflies.contains(&cell)
    }

    fn fly(&mut self, dir: Dir) {
        let ahead = self.fireflies[self.glowing] + dir;
        if self.is_free(ahead) {
            self.fireflies[self.glowing] = ahead;
        }
    }

    /// Steps from each firefly to its ring.
    fn ways(&self) -> impl Iterator<Item = u32> {
        self.fireflies.iter().zip(b"abc").map(|(it, ring)| it.distance(self.map.the(*ring)))
    }
}

impl Title for Evening {
    const ABOUT: About = About {
        stem: "f581",
        title: "Fireflies",
        families: &[Family::SelectThenAct, Family::Walls, Family::Slots],
        controls: ARROWS_AND_SPACE,
        optimal: &[5, 13, 17, 22, 29, 33],
        bar: Some(Bar {
            edge: Edge::Right,
            thickness: 2,
            full: Color::of(10),
            empty: Color::of(1),
            drain: Drain::Effective,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Evening::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        match input {
            Input::Move(dir) => self.fly(dir),
            Input::Act => self.glowing = (self.glowing + 1) % self.fireflies.len(),
            Input::Click(_) => {}
        }
        if self.ways().all(|steps| steps == 0) { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(DUSK);
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.sprite(cell, LEAVES),
                b'a'..=b'c' => scene.sprite(cell, RING.tinted(COLORS[usize::from(glyph - b'a')])),
                _ => {}
            }
        }
        for (number, cell) in self.fireflies.iter().enumerate() {
            let sprite = if number == self.glowing { GLOWING } else { DARK };
            scene.sprite(*cell, sprite.tinted(COLORS[number]));
        }
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 8).framed(LEAF)
    }

    fn inputs(&self) -> Vec<Input> {
        [Input::MOVES.as_slice(), &[Input::Act]].concat()
    }

    /// Every step takes one firefly one cell nearer at most, and the last of them that is to fly must get the glow.
    fn bound(&self) -> u32 {
        let count = self.fireflies.len();
        let turns = |number: usize| ((number + count - self.glowing) % count) as u32;
        let waiting = self.ways().enumerate().filter(|(_, steps)| *steps > 0).map(|(number, _)| turns(number));
        self.ways().sum::<u32>() + waiting.max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::prove;

    const RIGHT: Input = Input::Move(Dir::Right);

    fn play(text: &str, inputs: &[Input]) -> (Evening, Verdict) {
        let mut evening = Evening::parse(text);
        let verdicts: Vec<Verdict> = inputs.iter().map(|input| evening.act(*input, &mut Film::blank())).collect();
        (evening, verdicts[verdicts.len() - 1])
    }

    #[test]
    fn arrows_move_who_glows_and_the_glow_goes_round() {
        let rows = "1..a\n2..b\n3..c";
        let (evening, _) = play(rows, &[RIGHT, Input::Act, RIGHT, RIGHT, Input::Act, Input::Act, RIGHT]);
        assert_eq!(evening.fireflies, [Cell::at(2, 0), Cell::at(2, 1), Cell::at(0, 2)]);
        assert_eq!(evening.glowing, 0);
    }

    #[test]
    fn fireflies_and_leaves_are_in_the_way() {
        for text in ["12ba", "1#ab2"] {
            assert_eq!(play(text, &[RIGHT]).0, Evening::parse(text));
        }
    }

    #[test]
    fn all_have_to_rest_in_their_own_rings_at_once() {
        let inputs = [RIGHT, Input::Act, RIGHT];
        assert_eq!(play("1a\n2b", &inputs).1, Verdict::Solved);
        assert_eq!(play("1b\n2a", &inputs).1, Verdict::Playing);
        assert_eq!(play("1a.\n2b.", &[RIGHT, RIGHT, Input::Act, RIGHT]).1, Verdict::Playing);
    }

    #[test]
    fn the_glow_goes_round_more_than_once_where_room_has_to_be_made() {
        let handed = |text: &&str| {
            let proof = prove(&Evening::parse(text)).expect("the level can be solved");
            proof.solution.into_iter().filter(|input| *input == Input::Act).count()
        };
        assert!(LEVELS[..3].iter().map(handed).all(|times| times < 3));
        assert!(LEVELS[3..].iter().map(handed).all(|times| times > 3));
    }
}
