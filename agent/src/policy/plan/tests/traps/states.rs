//! Where a frame is not a state.

use env_client::Color;

use super::*;

/// A row of lights at the rim shows the number of actions in binary digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Counter(u8);

impl Trap for Counter {
    const MAPS: &'static [&'static str] = &[
        "
        ##########
        #@..#....#
        #.#...##.#
        #...#....#
        ##.###.###
        #...#....#
        #.#...##.#
        #...#....#
        #.#...##E#
        ##########
        ",
        "
        ##########
        #E.....#.#
        ##.#.#...#
        #....#.#@#
        ##########
        #..#...#.#
        ##.#.#...#
        #....#.#.#
        ##########
        ##########
        ",
    ];
    const OPTIMAL: &'static [u32] = &[14, 9];

    fn set(_: &Map) -> Counter {
        Counter(0)
    }

    fn act(yard: &mut Yard<Self>, input: Input, _: &mut Film<Yard<Self>>) -> Verdict {
        yard.trap.0 = yard.trap.0.wrapping_add(1);
        yard.walk(input)
    }

    fn paint(yard: &Yard<Self>, scene: &mut Scene) {
        for bit in 0..8 {
            let color = if yard.trap.0 >> bit & 1 == 1 { 12 } else { 2 };
            scene.pixel(Cell::at(8 - bit, 0), (1, 0), Color::of(color));
        }
        scene.sprite(yard.at, PIECE);
    }
}

#[test]
fn a_counter_makes_no_new_states() {
    check::<Yard<Counter>>();
    let mut play = Play::of::<Yard<Counter>>();
    assert!(play.wins(45), "{play}");
}

/// A gate that opens at the third touch of a switch, of which nothing is seen before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Latch(u8);

impl Trap for Latch {
    const MAPS: &'static [&'static str] = &[
        "
        #########
        #@.s#..E#
        #...D...#
        #...#...#
        #########
        ",
        "
        #########
        #E..#...#
        #...D..s#
        #...#..@#
        #########
        ",
    ];
    const OPTIMAL: &'static [u32] = &[12, 12];

    fn set(_: &Map) -> Latch {
        Latch(0)
    }

    fn act(yard: &mut Yard<Self>, input: Input, _: &mut Film<Yard<Self>>) -> Verdict {
        let from = yard.at;
        let verdict = yard.walk(input);
        let touched = yard.at != from && yard.map.glyph(yard.at) == b's';
        yard.trap.0 = (yard.trap.0 + u8::from(touched)).min(3);
        verdict
    }

    fn is_open(&self, glyph: u8) -> bool {
        glyph != b'D' || self.0 == 3
    }

    fn paint(yard: &Yard<Self>, scene: &mut Scene) {
        yard.mark(scene, b's', 14);
        if yard.trap.0 < 3 {
            yard.mark(scene, b'D', 8);
        }
        scene.sprite(yard.at, PIECE);
    }
}

#[test]
fn a_switch_that_did_nothing_is_touched_again() {
    check::<Yard<Latch>>();
    let mut play = Play::of::<Yard<Latch>>();
    assert!(play.wins(60), "{play}");
}

/// Steps by which the ghost is late.
const LATE: usize = 4;

/// A ghost walks where the piece walked; the gate opens when it comes to the plate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Ghost {
    /// Where the piece was, oldest first.
    trail: Vec<Cell>,
    open: bool,
}

impl Trap for Ghost {
    const MAPS: &'static [&'static str] = &[
        "
        ###########
        #@.p...D.E#
        #.##..#####
        #.....#####
        ###########
        ",
        "
        ###########
        #......@..#
        #E.D...p..#
        ####......#
        ###########
        ",
    ];
    const OPTIMAL: &'static [u32] = &[9, 7];

    fn set(map: &Map) -> Ghost {
        Ghost { trail: vec![map.the(b'@'); LATE], open: false }
    }

    fn act(yard: &mut Yard<Self>, input: Input, _: &mut Film<Yard<Self>>) -> Verdict {
        yard.trap.trail.push(yard.at);
        yard.trap.trail.remove(0);
        let verdict = yard.walk(input);
        yard.trap.open |= yard.map.glyph(yard.trap.trail[0]) == b'p';
        verdict
    }

    fn is_open(&self, glyph: u8) -> bool {
        glyph != b'D' || self.open
    }

    fn paint(yard: &Yard<Self>, scene: &mut Scene) {
        const GHOST: Sprite = Sprite::of(&[".2.", "222", "2.2"]);
        yard.mark(scene, b'p', 14);
        if !yard.trap.open {
            yard.mark(scene, b'D', 8);
        }
        scene.sprite(yard.trap.trail[0], GHOST);
        scene.sprite(yard.at, PIECE);
    }
}

#[test]
fn a_ghost_that_repeats_what_was_done_is_no_piece() {
    check::<Yard<Ghost>>();
    let mut play = Play::of::<Yard<Ghost>>();
    assert!(play.solves(1, 20), "{play}");
    assert_eq!(play.pieces(), [4, 14], "{play}");
    assert!(play.wins(20), "{play}");
}
