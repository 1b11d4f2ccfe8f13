//! What is walked over is painted.

use std::collections::BTreeSet;

use super::*;

/// Tiles that are painted for good by who walks over them, and that have to look like the picture behind the wall.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Canvas(BTreeSet<Cell>);

const TILE: Sprite = Sprite::of(&["88.", "88.", "..."]);
const PAINTED: Sprite = Sprite::of(&["99.", "99.", "..."]);
/// From a tile to what is drawn of it.
const ASIDE: i16 = 4;

impl Trap for Canvas {
    const MAPS: &'static [&'static str] = &[
        "
        #########
        #@tt#wpp#
        #ttt#wwp#
        #ttt#wpp#
        #########
        ",
        "
        #########
        #@tt#wpw#
        #ttt#ppp#
        #ttt#wpw#
        #########
        ",
    ];
    const OPTIMAL: &'static [u32] = &[5, 7];

    fn set(_: &Map) -> Canvas {
        Canvas(BTreeSet::new())
    }

    fn act(yard: &mut Yard<Self>, input: Input, _: &mut Film<Yard<Self>>) -> Verdict {
        yard.walk(input);
        if yard.map.glyph(yard.at) == b't' {
            yard.trap.0.insert(yard.at);
        }
        let drawn = |tile: &Cell| yard.map.glyph(Cell::at(tile.x + ASIDE, tile.y)) == b'p';
        let is_like = yard.map.find(b't').all(|tile| yard.trap.0.contains(&tile) == drawn(&tile));
        if is_like { Verdict::Solved } else { Verdict::Playing }
    }

    fn is_open(&self, glyph: u8) -> bool {
        b"@t".contains(&glyph)
    }

    fn paint(yard: &Yard<Self>, scene: &mut Scene) {
        yard.mark(scene, b'w', 8);
        yard.mark(scene, b'p', 9);
        yard.map.find(b't').for_each(|tile| scene.sprite(tile, TILE));
        yard.trap.0.iter().for_each(|tile| scene.sprite(*tile, PAINTED));
        scene.sprite(yard.at, PIECE);
    }
}

#[test]
fn tiles_are_painted_as_the_picture_beside_them_shows() {
    check::<Yard<Canvas>>();
    let mut play = Play::of::<Yard<Canvas>>();
    assert!(play.solves(1, 80), "{play}");
    let before = play.log.len();
    assert!(play.wins(12), "what solved a level is wanted at once: {play}");
    assert!(play.log[before..].iter().all(|(_, why)| why.contains("every tile as it is drawn")), "{play}");
}
