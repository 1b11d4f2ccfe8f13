//! What costs although it does nothing.

use env_client::{ActionId, ActionSet};

use super::*;

/// Nothing but walls; walking into one costs as much as a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Walls;

impl Trap for Walls {
    const MAPS: &'static [&'static str] = &[
        "
        #########
        #@......#
        #.#####.#
        #.....#E#
        #########
        ",
        "
        ##########
        #@.#...#.#
        ##.#.#.#.#
        #....#..E#
        #.####.#.#
        #......#.#
        ##########
        ",
    ];
    const OPTIMAL: &'static [u32] = &[8, 13];

    fn set(_: &Map) -> Walls {
        Walls
    }
}

#[test]
fn walls_are_not_walked_into_to_find_out_that_they_stop() {
    check::<Yard<Walls>>();
    let mut play = Play::of::<Yard<Walls>>();
    assert!(play.wins(30), "{play}");
    assert!(play.idle <= 3, "{play}");
}

/// The same walls; the space bar and clicks do nothing and cost as much as a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Idle;

impl Trap for Idle {
    const MAPS: &'static [&'static str] = Walls::MAPS;
    const OPTIMAL: &'static [u32] = Walls::OPTIMAL;
    const CONTROLS: ActionSet = ActionSet::of(&[
        ActionId::Action1,
        ActionId::Action2,
        ActionId::Action3,
        ActionId::Action4,
        ActionId::Action5,
        ActionId::Action6,
    ]);

    fn set(_: &Map) -> Idle {
        Idle
    }
}

#[test]
fn what_does_nothing_is_tried_and_left() {
    check::<Yard<Idle>>();
    let mut play = Play::of::<Yard<Idle>>();
    assert!(play.wins(36), "{play}");
    assert!(play.idle <= 8, "{play}");
}
