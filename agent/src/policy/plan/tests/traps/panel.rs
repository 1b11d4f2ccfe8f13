//! Panels: things to click at.

use std::{fmt, hash::Hash};

use env_client::{ActionId, ActionSet, Color};
use games::engine::{About, Board, Cell, Dice, Film, Input, Map, Scene, Sprite, Title, Verdict, View};

use super::yard::BAR;

/// What clicks do.
pub(super) trait Rule: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static {
    /// Glyphs as [`sprite`] draws them; `.` is ground.
    const MAPS: &'static [&'static str];
    /// The fewest actions that solve each.
    const OPTIMAL: &'static [u32];

    /// A click on a tile.
    fn click(panel: &mut Panel<Self>, cell: Cell);

    fn is_solved(panel: &Panel<Self>) -> bool;
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Panel<R> {
    pub(super) tiles: Board<u8>,
    /// The tile that was picked.
    pub(super) picked: Option<Cell>,
    rule: std::marker::PhantomData<R>,
}

/// How a tile is drawn.
fn sprite(glyph: u8) -> Sprite {
    Sprite::of(match glyph {
        b'o' => &[".....", ".333.", ".333.", ".333.", "....."],
        b'O' => &[".....", ".bbb.", ".bbb.", ".bbb.", "....."],
        b'a' => &[".....", "..9..", ".999.", "..9..", "....."],
        b'c' => &[".....", ".ccc.", ".c.c.", ".ccc.", "....."],
        b'e' => &[".....", ".e.e.", "..e..", ".e.e.", "....."],
        b'H' => &["2...2", ".8.8.", ".888.", ".8.8.", "2...2"],
        b'h' => &[".....", ".8.8.", ".888.", ".8.8.", "....."],
        b's' => &["2...2", ".....", ".....", ".....", "2...2"],
        b'x' => &[".....", ".66..", ".666.", "..66.", "....."],
        _ => &[],
    })
}

impl<R: Rule> Title for Panel<R> {
    const ABOUT: About = About {
        stem: "p000",
        title: "Panel",
        families: &[],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: R::OPTIMAL,
        bar: Some(BAR),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        let map = Map::parse(R::MAPS[index]);
        let tiles = Board::new(map.width(), map.height(), |cell| map.glyph(cell));
        Panel { tiles, picked: None, rule: std::marker::PhantomData }
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        if let Input::Click(cell) = input {
            R::click(self, cell);
        }
        if R::is_solved(self) { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(Color::of(1));
        self.tiles.iter().for_each(|(cell, glyph)| scene.sprite(cell, sprite(*glyph)));
        if let Some(cell) = self.picked {
            scene.sprite(cell, Sprite::of(&["0...0", ".....", ".....", ".....", "0...0"]));
        }
    }

    fn view(&self) -> View {
        View::of(self.tiles.width(), self.tiles.height(), 5)
    }

    fn inputs(&self) -> Vec<Input> {
        self.tiles.cells().map(Input::Click).collect()
    }
}
