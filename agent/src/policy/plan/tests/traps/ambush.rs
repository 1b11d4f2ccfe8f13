//! What kills from where it stands.

use games::engine::Dir;

use super::*;

/// Beasts lie in the walls and leap onto who stops two cells before them. One has leapt, and lies where it struck.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Ambush(Option<Cell>);

impl Ambush {
    fn way(glyph: u8) -> Option<Dir> {
        match glyph {
            b'^' => Some(Dir::Up),
            b'>' => Some(Dir::Right),
            b'v' => Some(Dir::Down),
            b'<' => Some(Dir::Left),
            _ => None,
        }
    }

    /// The beasts, each with its way.
    fn beasts(map: &Map) -> impl Iterator<Item = (Cell, Dir)> {
        let found = [b'^', b'>', b'v', b'<'].into_iter().flat_map(|glyph| map.find(glyph).map(move |at| (at, glyph)));
        found.filter_map(|(at, glyph)| Some((at, Ambush::way(glyph)?)))
    }
}

impl Trap for Ambush {
    const MAPS: &'static [&'static str] = &[
        "
        #####v###v###
        #...........#
        #@.........E#
        #...........#
        #######^#####
        ",
        "
        #####
        #.@.#
        #...#
        >...#
        #...<
        #...#
        #.E.#
        #####
        ",
    ];
    const OPTIMAL: &'static [u32] = &[12, 7];

    fn set(_: &Map) -> Ambush {
        Ambush(None)
    }

    fn act(yard: &mut Yard<Self>, input: Input, film: &mut Film<Yard<Self>>) -> Verdict {
        let verdict = yard.walk(input);
        let struck = Ambush::beasts(&yard.map).find(|(at, way)| *at + *way + *way == yard.at);
        let Some((beast, _)) = struck else { return verdict };
        film.shoot(yard);
        yard.trap.0 = Some(beast);
        Verdict::Lost
    }

    fn is_open(&self, glyph: u8) -> bool {
        Ambush::way(glyph).is_none()
    }

    fn paint(yard: &Yard<Self>, scene: &mut Scene) {
        scene.sprite(yard.at, PIECE);
        for (at, way) in Ambush::beasts(&yard.map) {
            let looks = match way {
                Dir::Up => Sprite::of(&["9.9", "999", ".9."]),
                Dir::Right => Sprite::of(&[".99", "99.", ".99"]),
                Dir::Down => Sprite::of(&[".9.", "999", "9.9"]),
                Dir::Left => Sprite::of(&["99.", ".99", "99."]),
            };
            scene.sprite(if yard.trap.0 == Some(at) { yard.at } else { at }, looks);
        }
    }
}

#[test]
fn one_loss_teaches_where_all_of_its_like_strike() {
    check::<Yard<Ambush>>();
    let mut play = Play::of::<Yard<Ambush>>();
    assert!(play.wins(48), "{play}");
    assert_eq!(play.resets, 1, "{play}");
}
