//! What cannot be had, however it is gone for.

use std::collections::BTreeSet;

use games::engine::Dir;

use super::*;

/// Ground that is trodden is gone, so that no two ways lead to the same state. What looks like the exit and lies nearer is lost
/// whoever comes beside it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Mirage(BTreeSet<Cell>);

const BESIDE: [Dir; 4] = [Dir::Up, Dir::Down, Dir::Left, Dir::Right];

impl Trap for Mirage {
    const MAPS: &'static [&'static str] = &[
        "
        #########
        #@......#
        #.......#
        #......E#
        #########
        ",
        "
        ###############
        #.............#
        #.............#
        #..F...@.....E#
        #.............#
        #.............#
        ###############
        ",
    ];
    const OPTIMAL: &'static [u32] = &[8, 6];

    fn set(_: &Map) -> Mirage {
        Mirage(BTreeSet::new())
    }

    fn act(yard: &mut Yard<Self>, input: Input, _film: &mut Film<Yard<Self>>) -> Verdict {
        let Input::Move(dir) = input else { return yard.verdict() };
        let to = yard.ahead(yard.at, dir);
        if to == yard.at || yard.trap.0.contains(&to) {
            return yard.verdict();
        }
        yard.trap.0.insert(yard.at);
        yard.at = to;
        let is_lost = BESIDE.iter().any(|side| yard.map.glyph(to + *side) == b'F');
        if is_lost { Verdict::Lost } else { yard.verdict() }
    }

    fn paint(yard: &Yard<Self>, scene: &mut Scene) {
        yard.mark(scene, b'F', 11);
        yard.trap.0.iter().for_each(|cell| scene.cell(*cell, env_client::Color::of(0)));
        scene.sprite(yard.at, PIECE);
    }
}

#[test]
fn what_was_lost_on_the_way_twice_comes_after_its_like() {
    check::<Yard<Mirage>>();
    let mut play = Play::of::<Yard<Mirage>>();
    assert!(play.wins(60), "{play}");
    assert!(play.resets <= 2, "{play}");
}
