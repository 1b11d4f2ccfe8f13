//! Yards: a piece walks to the exit, and something is not as it seems.

use std::{fmt, hash::Hash};

use env_client::{ActionSet, Color};
use games::engine::{
    ARROWS, About, Bar, Cell, Dice, Dir, Drain, Edge, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

pub(super) const FLOOR: Color = Color::of(1);
pub(super) const PIECE: Sprite = Sprite::of(&["4e4", "444", "444"]);
const WALL: Color = Color::of(15);
const EXIT: Sprite = Sprite::of(&["bbb", "bbb", "bbb"]);
/// The bar of steps, in the last row of a frame.
pub(super) const BAR: Bar =
    Bar { edge: Edge::Bottom, thickness: 1, full: Color::of(7), empty: Color::of(13), drain: Drain::Every };

/// What is not as it seems, with whatever it has to remember.
pub(super) trait Trap: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static {
    /// `#` wall, `@` piece, `E` exit, and what the trap is made of.
    const MAPS: &'static [&'static str];
    /// The fewest actions that solve each.
    const OPTIMAL: &'static [u32];
    const CONTROLS: ActionSet = ARROWS;

    /// How a level begins.
    fn set(map: &Map) -> Self;

    fn act(yard: &mut Yard<Self>, input: Input, _film: &mut Film<Yard<Self>>) -> Verdict {
        yard.walk(input)
    }

    /// Whether what a glyph stands for lets the piece through.
    fn is_open(&self, _glyph: u8) -> bool {
        true
    }

    /// What lies on the floor, and the piece.
    fn paint(yard: &Yard<Self>, scene: &mut Scene) {
        scene.sprite(yard.at, PIECE);
    }

    /// What a solver has to try.
    fn inputs(_yard: &Yard<Self>) -> Vec<Input> {
        Input::MOVES.to_vec()
    }

    fn intro(_yard: &Yard<Self>) -> Vec<Yard<Self>> {
        Vec::new()
    }
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Yard<T> {
    pub(super) map: Map,
    pub(super) at: Cell,
    pub(super) trap: T,
}

impl<T: Trap> Yard<T> {
    /// Takes a step, if that is what is meant.
    pub(super) fn walk(&mut self, input: Input) -> Verdict {
        if let Input::Move(dir) = input {
            self.at = self.ahead(self.at, dir);
        }
        self.verdict()
    }

    /// Where a step leads.
    pub(super) fn ahead(&self, from: Cell, dir: Dir) -> Cell {
        let glyph = self.map.glyph(from + dir);
        if glyph != b'#' && self.trap.is_open(glyph) { from + dir } else { from }
    }

    pub(super) fn verdict(&self) -> Verdict {
        if self.map.glyph(self.at) == b'E' { Verdict::Solved } else { Verdict::Playing }
    }

    /// Paints every cell with this glyph.
    pub(super) fn mark(&self, scene: &mut Scene, glyph: u8, color: u8) {
        self.map.find(glyph).for_each(|cell| scene.cell(cell, Color::of(color)));
    }
}

impl<T: Trap> Title for Yard<T> {
    const ABOUT: About = About {
        stem: "y000",
        title: "Yard",
        families: &[],
        controls: T::CONTROLS,
        optimal: T::OPTIMAL,
        bar: Some(BAR),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        let map = Map::parse(T::MAPS[index]);
        Yard { at: map.the(b'@'), trap: T::set(&map), map }
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        T::act(self, input, film)
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(FLOOR);
        self.map.find(b'#').for_each(|cell| scene.cell(cell, WALL));
        self.map.find(b'E').for_each(|cell| scene.sprite(cell, EXIT));
        T::paint(self, scene);
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 3)
    }

    fn inputs(&self) -> Vec<Input> {
        T::inputs(self)
    }

    fn intro(&self) -> Vec<Self> {
        T::intro(self)
    }
}
