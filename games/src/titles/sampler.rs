//! Sampler: a hoop is moved over a cloth, and stitches what lies in it in the next thread, until the cloth is like the
//! pattern beside it.
//!
//! Levels add, one after the other: a larger cloth; a third thread; stitches two tiles wide; stitches across; all of it
//! together.

use env_client::Color;

use crate::engine::{
    ARROWS_AND_SPACE, About, Bar, Board, Cell, Dice, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title,
    Verdict, View,
};

/// One level.
struct Plan {
    /// How often each tile has to be stitched to make the pattern.
    stitches: &'static str,
    threads: u8,
    /// Which tiles one stitch reaches, from the one in the hoop.
    reach: &'static [(i16, i16)],
}

const ONE: &[(i16, i16)] = &[(0, 0)];
const WIDE: &[(i16, i16)] = &[(0, 0), (1, 0)];
const ACROSS: &[(i16, i16)] = &[(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)];

const PLANS: [Plan; 6] = [
    Plan { stitches: "..1 ... .1.", threads: 2, reach: ONE },
    Plan { stitches: ".1.1 1... ..1.", threads: 2, reach: ONE },
    Plan { stitches: "1.. .2. 2.1", threads: 3, reach: ONE },
    Plan { stitches: "1... ..1. .1..", threads: 2, reach: WIDE },
    Plan { stitches: "... 1.. ..1", threads: 2, reach: ACROSS },
    Plan { stitches: "..1. .... 2...", threads: 3, reach: ACROSS },
];

const TABLE: Color = Color::of(3);
const HOOP: Color = Color::of(8);
const THREADS: [Color; 3] = [Color::of(0), Color::of(14), Color::of(9)];

const RING: Sprite = Sprite::of(&["######", "#....#", "#....#", "#....#", "#....#", "######"]);
/// Logical pixels of a tile of the pattern.
const SMALL: i16 = 3;

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sampler {
    /// As in [`PLANS`].
    number: usize,
    pattern: Board<u8>,
    cloth: Board<u8>,
    hoop: Cell,
}

/// Stitches around a tile.
fn stitch(cloth: &mut Board<u8>, at: Cell, plan: &Plan) {
    for (dx, dy) in plan.reach {
        if let Some(thread) = cloth.get_mut(Cell::at(at.x + dx, at.y + dy)) {
            *thread = (*thread + 1) % plan.threads;
        }
    }
}

impl Title for Sampler {
    const ABOUT: About = About {
        stem: "s583",
        title: "Sampler",
        families: &[Family::Paint, Family::Reference, Family::LightsOut, Family::ColorCycle],
        controls: ARROWS_AND_SPACE,
        optimal: &[7, 12, 12, 8, 6, 9],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(12),
            empty: Color::of(2),
            drain: Drain::Every,
        }),
    };

    fn level(number: usize, _: &mut Dice) -> Self {
        let plan = &PLANS[number];
        let stitches = Map::parse(&plan.stitches.replace(' ', "\n"));
        let cloth = Board::new(stitches.width(), stitches.height(), |_| 0);
        let mut pattern = cloth.clone();
        for (cell, glyph) in stitches.iter().filter(|(_, glyph)| **glyph != b'.') {
            (b'0'..*glyph).for_each(|_| stitch(&mut pattern, cell, plan));
        }
        Sampler { number, pattern, cloth, hoop: Cell::at(0, 0) }
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        match input {
            Input::Move(dir) if self.cloth.get(self.hoop + dir).is_some() => self.hoop = self.hoop + dir,
            Input::Act => stitch(&mut self.cloth, self.hoop, &PLANS[self.number]),
            _ => {}
        }
        if self.cloth == self.pattern { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(TABLE);
        let beside = Cell::at(self.cloth.width() + 1, 0);
        for (cell, thread) in self.cloth.iter() {
            scene.inset(cell, 1, THREADS[usize::from(*thread)]);
            let small = THREADS[usize::from(self.pattern[cell])];
            scene.rectangle(beside, (SMALL * cell.x, SMALL * cell.y), (SMALL, SMALL), small);
        }
        scene.sprite(self.hoop, RING.tinted(HOOP));
    }

    fn view(&self) -> View {
        View::of(self.cloth.width() + 3, self.cloth.height(), 6).framed(TABLE)
    }

    fn inputs(&self) -> Vec<Input> {
        [Input::MOVES.as_slice(), &[Input::Act]].concat()
    }
}
