//! What may be wanted, next to what was.

use super::*;

/// A crate and a ring of its form, which means nothing: the exit alone solves a level, as it did before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Lure(Option<Cell>);

const CRATE: Sprite = Sprite::of(&["777", "7c7", "777"]);
const RING: Sprite = Sprite::of(&["222", "2.2", "222"]);

impl Trap for Lure {
    const MAPS: &'static [&'static str] = &[
        "
        #########
        #@.O....#
        #.......#
        #......E#
        #########
        ",
        "
        ############
        #@.........#
        #..........#
        #...O......#
        #.......S..#
        #.........E#
        ############
        ",
    ];
    const OPTIMAL: &'static [u32] = &[8, 13];

    fn set(map: &Map) -> Lure {
        Lure(map.find(b'O').next())
    }

    fn act(yard: &mut Yard<Self>, input: Input, _film: &mut Film<Yard<Self>>) -> Verdict {
        let Input::Move(dir) = input else { return yard.verdict() };
        let to = yard.ahead(yard.at, dir);
        if yard.trap.0 == Some(to) && to != yard.at {
            let end = yard.ahead(to, dir);
            if end == to {
                return yard.verdict();
            }
            yard.trap.0 = Some(end);
        }
        yard.at = to;
        yard.verdict()
    }

    fn paint(yard: &Yard<Self>, scene: &mut Scene) {
        yard.map.find(b'S').for_each(|cell| scene.sprite(cell, RING));
        yard.trap.0.into_iter().for_each(|cell| scene.sprite(cell, CRATE));
        scene.sprite(yard.at, PIECE);
    }
}

#[test]
fn what_solved_a_level_comes_before_what_may() {
    check::<Yard<Lure>>();
    let mut play = Play::of::<Yard<Lure>>();
    assert!(play.wins(60), "{play}");
    assert!(play.spent[1] <= 16, "{play}");
}
