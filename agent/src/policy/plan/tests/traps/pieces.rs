//! What obeys, and what only seems to.

use super::*;

/// A piece that looks different after every step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Chameleon(bool);

impl Trap for Chameleon {
    const MAPS: &'static [&'static str] = &[
        "
        #########
        #@......#
        #.####..#
        #....#.E#
        #########
        ",
        "
        #########
        #...#...#
        #E.....@#
        #...#...#
        #########
        ",
    ];
    const OPTIMAL: &'static [u32] = &[8, 6];

    fn set(_: &Map) -> Chameleon {
        Chameleon(false)
    }

    fn act(yard: &mut Yard<Self>, input: Input, _: &mut Film<Yard<Self>>) -> Verdict {
        let from = yard.at;
        let verdict = yard.walk(input);
        yard.trap.0 ^= yard.at != from;
        verdict
    }

    fn paint(yard: &Yard<Self>, scene: &mut Scene) {
        const OTHER: Sprite = Sprite::of(&["8e8", "888", "888"]);
        scene.sprite(yard.at, if yard.trap.0 { OTHER } else { PIECE });
    }
}

#[test]
fn a_piece_that_changes_its_colour_is_still_the_piece() {
    check::<Yard<Chameleon>>();
    let mut play = Play::of::<Yard<Chameleon>>();
    assert!(play.solves(1, 14), "{play}");
    assert_eq!(play.arrow(Key::Key4), [RIGHT], "{play}");
    assert!(play.wins(110), "{play}");
}

/// A roof under which the piece is not seen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Roof;

impl Trap for Roof {
    const MAPS: &'static [&'static str] = &[
        "
        #########
        #@.rrr..#
        ##.###.##
        #..###.E#
        #########
        ",
        "
        #########
        #@.rrr#.#
        ####rr#.#
        #E..rr..#
        #########
        ",
    ];
    const OPTIMAL: &'static [u32] = &[8, 8];

    fn set(_: &Map) -> Roof {
        Roof
    }

    fn paint(yard: &Yard<Self>, scene: &mut Scene) {
        scene.sprite(yard.at, PIECE);
        yard.mark(scene, b'r', 9);
    }
}

#[test]
fn a_piece_is_led_on_where_it_is_not_seen() {
    check::<Yard<Roof>>();
    let mut play = Play::of::<Yard<Roof>>();
    assert!(play.wins(24), "{play}");
}

/// Two pieces that walk alike, or as in a mirror; both belong onto an exit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Twin<const MIRRORED: bool>(Cell);

impl<const MIRRORED: bool> Trap for Twin<MIRRORED> {
    const MAPS: &'static [&'static str] = &[
        if MIRRORED {
            "
            #############
            #.@...#...T.#
            #.###.#.###.#
            #.###.#.###.#
            #....E#E....#
            #############
            "
        } else {
            "
            #########
            #@..#T..#
            #...#...#
            #.E.#.E.#
            #########
            "
        },
        if MIRRORED {
            "
            #############
            #E....#....E#
            #.###.#.###.#
            #.###.#.###.#
            #....@#T....#
            #############
            "
        } else {
            "
            #########
            #.@.#.T##
            #...#...#
            ##.E#..E#
            #########
            "
        },
    ];
    const OPTIMAL: &'static [u32] = if MIRRORED { &[6, 7] } else { &[3, 3] };

    fn set(map: &Map) -> Self {
        Twin(map.the(b'T'))
    }

    fn act(yard: &mut Yard<Self>, input: Input, _: &mut Film<Yard<Self>>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        yard.at = yard.ahead(yard.at, dir);
        yard.trap.0 = yard.ahead(yard.trap.0, if MIRRORED { dir.mirrored() } else { dir });
        let done = [yard.at, yard.trap.0].iter().all(|at| yard.map.glyph(*at) == b'E');
        if done { Verdict::Solved } else { Verdict::Playing }
    }

    fn paint(yard: &Yard<Self>, scene: &mut Scene) {
        scene.sprite(yard.at, PIECE);
        scene.sprite(yard.trap.0, PIECE);
    }
}

#[test]
fn twins_are_led_to_their_exits_together() {
    check::<Yard<Twin<false>>>();
    let mut play = Play::of::<Yard<Twin<false>>>();
    assert!(play.solves(1, 8), "{play}");
    assert_eq!(play.arrow(Key::Key4), [RIGHT; 2], "{play}");
    assert!(play.wins(8), "{play}");
}

#[test]
fn a_mirrored_twin_is_known_to_go_the_other_way() {
    check::<Yard<Twin<true>>>();
    let mut play = Play::of::<Yard<Twin<true>>>();
    assert!(play.wins(24), "{play}");
    assert_eq!(play.arrow(Key::Key4), [(3, 0), (-3, 0)], "{play}");
}

/// Something goes round whatever is done, right, down, left and up, and something blinks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Patrol(u8);

impl Trap for Patrol {
    const MAPS: &'static [&'static str] = &[
        "
        ##########
        #@...#...#
        #.##.#.p.#
        #....#...#
        ##.###b###
        #......E##
        ##########
        ",
        "
        ##########
        #...#....#
        #.p.#.##.#
        #...#@#..#
        ###b###.##
        #.E......#
        ##########
        ",
    ];
    const OPTIMAL: &'static [u32] = &[10, 15];

    fn set(_: &Map) -> Patrol {
        Patrol(0)
    }

    fn act(yard: &mut Yard<Self>, input: Input, _: &mut Film<Yard<Self>>) -> Verdict {
        yard.trap.0 = (yard.trap.0 + 1) % 4;
        yard.walk(input)
    }

    fn paint(yard: &Yard<Self>, scene: &mut Scene) {
        const GUARD: Sprite = Sprite::of(&["8.8", "888", ".8."]);
        let (x, y) = [(0, 0), (1, 0), (1, 1), (0, 1)][usize::from(yard.trap.0)];
        let corner = yard.map.the(b'p');
        scene.sprite(Cell::at(corner.x + x, corner.y + y), GUARD);
        yard.mark(scene, b'b', if yard.trap.0.is_multiple_of(2) { 10 } else { 14 });
        scene.sprite(yard.at, PIECE);
    }
}

#[test]
fn what_goes_its_round_is_not_taken_for_the_piece() {
    check::<Yard<Patrol>>();
    let mut play = Play::of::<Yard<Patrol>>();
    assert!(play.solves(1, 22), "{play}");
    assert_eq!(play.pieces(), [4, 14], "{play}");
    assert!(play.wins(26), "{play}");
}

/// Who falls into a pit is back where the level began, with the twin.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Fall(Cell);

impl Trap for Fall {
    const MAPS: &'static [&'static str] = &[
        "
        #########
        #@..u..E#
        #.......#
        ####.####
        #T......#
        #.......#
        #########
        ",
        "
        #########
        #...u..E#
        #.u...u.#
        #@##.##.#
        #T......#
        #.......#
        #########
        ",
    ];
    const OPTIMAL: &'static [u32] = &[8, 10];

    fn set(map: &Map) -> Fall {
        Fall(map.the(b'T'))
    }

    fn act(yard: &mut Yard<Self>, input: Input, _: &mut Film<Yard<Self>>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        (yard.at, yard.trap.0) = (yard.ahead(yard.at, dir), yard.ahead(yard.trap.0, dir));
        if yard.map.glyph(yard.at) == b'u' {
            (yard.at, yard.trap.0) = (yard.map.the(b'@'), yard.map.the(b'T'));
        }
        yard.verdict()
    }

    fn paint(yard: &Yard<Self>, scene: &mut Scene) {
        yard.mark(scene, b'u', 8);
        scene.sprite(yard.at, PIECE);
        scene.sprite(yard.trap.0, PIECE);
    }
}

#[test]
fn a_lost_life_teaches_no_arrow() {
    check::<Yard<Fall>>();
    let mut play = Play::of::<Yard<Fall>>();
    assert!(play.solves(1, 22), "{play}");
    assert_eq!(play.arrow(Key::Key4), [RIGHT; 2], "{play}");
    assert!(play.wins(32), "{play}");
}
