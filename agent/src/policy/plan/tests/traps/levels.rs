//! Where levels begin and end.

use super::*;

/// The next level begins two steps from where the last one was solved: in the last layer of the same answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Switch;

impl Trap for Switch {
    const MAPS: &'static [&'static str] = &[
        "
        #########
        #@...#..#
        #.##.#..#
        #.....E.#
        #########
        ",
        "
        #########
        #..E.#..#
        #.##.#..#
        #......@#
        #########
        ",
        "
        #########
        #.@..#..#
        #.##.#..#
        #...E...#
        #########
        ",
    ];
    const OPTIMAL: &'static [u32] = &[7, 6, 4];

    fn set(_: &Map) -> Switch {
        Switch
    }
}

#[test]
fn the_frame_of_the_next_level_is_no_effect_of_the_winning_step() {
    check::<Yard<Switch>>();
    let mut play = Play::of::<Yard<Switch>>();
    for level in 1..3 {
        assert!(play.solves(level, 14), "{play}");
        assert_eq!(play.plan().first.as_ref(), play.now.layers.last());
        assert_eq!(play.arrow(Key::Key4), [RIGHT], "{play}");
        assert_eq!(play.arrow(Key::Key3), [(-6, 0)], "{play}");
    }
    assert!(play.wins(10), "{play}");
}

/// A level begins with the piece walking in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Entrance;

impl Trap for Entrance {
    const MAPS: &'static [&'static str] = Switch::MAPS;
    const OPTIMAL: &'static [u32] = Switch::OPTIMAL;

    fn set(_: &Map) -> Entrance {
        Entrance
    }

    fn intro(yard: &Yard<Self>) -> Vec<Yard<Self>> {
        (1..yard.map.width()).map(|x| Yard { at: Cell::at(x, 3), ..yard.clone() }).collect()
    }
}

#[test]
fn a_level_begins_when_its_animation_has_ended() {
    check::<Yard<Entrance>>();
    let mut play = Play::of::<Yard<Entrance>>();
    for level in 1..3 {
        assert!(play.solves(level, 14), "{play}");
        assert_eq!(play.plan().first.as_ref(), play.now.layers.last());
        assert_eq!(play.arrow(Key::Key4), [RIGHT], "{play}");
    }
    assert!(play.wins(40), "{play}");
}

/// The floor breaks behind the piece: the wrong way ends where nothing but a RESET is left.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Brittle(Vec<Cell>);

impl Trap for Brittle {
    const MAPS: &'static [&'static str] = &[
        "
        #########
        #...#...#
        #.#...#.#
        #..#@#..#
        #.##.##E#
        #########
        ",
        "
        #########
        #@....#.#
        #.###...#
        #...#.#.#
        #.#...#E#
        #########
        ",
    ];
    const OPTIMAL: &'static [u32] = &[8, 9];

    fn set(_: &Map) -> Brittle {
        Brittle(Vec::new())
    }

    fn act(yard: &mut Yard<Self>, input: Input, _: &mut Film<Yard<Self>>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        let to = yard.ahead(yard.at, dir);
        if to != yard.at && !yard.trap.0.contains(&to) {
            yard.trap.0.push(yard.at);
            yard.trap.0.sort_unstable();
            yard.at = to;
        }
        yard.verdict()
    }

    fn paint(yard: &Yard<Self>, scene: &mut Scene) {
        yard.trap.0.iter().for_each(|cell| scene.cell(*cell, env_client::Color::of(5)));
        scene.sprite(yard.at, PIECE);
    }
}

#[test]
fn a_level_is_reset_where_nothing_else_is_left_and_never_twice() {
    check::<Yard<Brittle>>();
    let mut play = Play::of::<Yard<Brittle>>();
    assert!(play.wins(40), "{play}");
    assert!((1..=3).contains(&play.resets), "{play}");
}
