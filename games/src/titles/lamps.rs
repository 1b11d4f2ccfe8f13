//! Lamps: a board of lamps that all have to shine. A click switches the lamps that the sign on the clicked one points
//! at, itself included; how the board is scrambled depends on the seed.
//!
//! Levels add, one after the other: holes and lamps without a switch; diagonal signs; signs that reach along the whole
//! row or column; lamps that shine in three steps; all of it together.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Board, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// One level: `+` and `x` switch their straight or diagonal neighbours, `-` and `|` all lamps beside or above and below
/// them up to a hole, `o` has no switch, `.` is a hole.
struct Plan {
    lamps: &'static str,
    /// Steps a lamp shines in; each switch is one step, and after the brightest comes the dark.
    steps: u8,
    /// Lamps that are clicked to scramble the board.
    clicks: usize,
}

const PLANS: [Plan; 6] = [
    Plan { lamps: "+++ +++ +++", steps: 2, clicks: 2 },
    Plan { lamps: "++.+ o+++ ++o+", steps: 2, clicks: 4 },
    Plan { lamps: "x+.x +xx+ xo+x", steps: 2, clicks: 5 },
    Plan { lamps: "o|o- -oxo |o.| ox-o", steps: 2, clicks: 6 },
    Plan { lamps: "+o+ o+o +x+", steps: 3, clicks: 4 },
    Plan { lamps: "|o.x o+o- .x-o", steps: 3, clicks: 5 },
];

const GROUND: Color = Color::of(5);
/// From dark to bright, for lamps of two and of three steps.
const SHINE: [&[Color]; 2] = [&[Color::of(13), Color::of(11)], &[Color::of(13), Color::of(12), Color::of(11)]];

const BULB: Sprite = Sprite::of(&[".####.", "######", "######", "######", "######", ".####."]);

/// The sign of a lamp, drawn dark on its bulb.
fn sign(glyph: u8) -> Sprite {
    Sprite::of(match glyph {
        b'+' => &["......", "..55..", ".5555.", ".5555.", "..55.."],
        b'x' => &["......", ".5..5.", "..55..", "..55..", ".5..5."],
        b'-' => &["......", "......", "555555", "555555"],
        b'|' => &["..55..", "..55..", "..55..", "..55..", "..55..", "..55.."],
        _ => &[],
    })
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lamps {
    map: Map,
    steps: u8,
    /// How far each lamp is from dark, in steps; holes stay at 0.
    shine: Board<u8>,
}

impl Lamps {
    fn is_lamp(&self, cell: Cell) -> bool {
        self.map.get(cell).is_some_and(|glyph| *glyph != b'.')
    }

    /// The other lamps that the sign on a lamp points at.
    fn reach(&self, cell: Cell) -> Vec<Cell> {
        let ray = |dir: Dir| std::iter::successors(Some(cell + dir), move |at| Some(*at + dir));
        let rays = |dirs: [Dir; 2]| dirs.into_iter().flat_map(|dir| ray(dir).take_while(|at| self.is_lamp(*at)));
        let around = |turned: bool| {
            let corner = move |dir: Dir| if turned { cell + dir + dir.clockwise() } else { cell + dir };
            Dir::ALL.into_iter().map(corner).filter(|at| self.is_lamp(*at)).collect()
        };
        match self.map[cell] {
            b'+' => around(false),
            b'x' => around(true),
            b'-' => rays([Dir::Left, Dir::Right]).collect(),
            _ => rays([Dir::Up, Dir::Down]).collect(),
        }
    }

    fn has_switch(&self, cell: Cell) -> bool {
        self.is_lamp(cell) && self.map[cell] != b'o'
    }

    fn switches(&self) -> impl Iterator<Item = Cell> {
        self.map.cells().filter(|cell| self.has_switch(*cell))
    }

    fn switch(&mut self, cell: Cell) {
        self.shine[cell] = (self.shine[cell] + 1) % self.steps;
    }

    fn click(&mut self, cell: Cell, film: &mut Film<Self>) {
        self.switch(cell);
        film.shoot(self);
        self.reach(cell).into_iter().for_each(|lamp| self.switch(lamp));
    }

    /// Steps missing over all lamps.
    fn missing(&self) -> u32 {
        let lamps = self.shine.iter().filter(|(cell, _)| self.is_lamp(*cell));
        lamps.map(|(_, shine)| u32::from(self.steps - 1 - shine)).sum()
    }
}

impl Title for Lamps {
    const ABOUT: About = About {
        stem: "l340",
        title: "Lamps",
        families: &[Family::LightsOut, Family::ColorCycle, Family::Glyphs, Family::Toggle],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[2, 4, 5, 6, 8, 10],
        bar: Some(Bar {
            edge: Edge::Left,
            thickness: 2,
            full: Color::of(10),
            empty: Color::of(3),
            drain: Drain::Effective,
        }),
    };

    fn level(index: usize, dice: &mut Dice) -> Self {
        let Plan { lamps, steps, clicks } = PLANS[index];
        let map = Map::parse(&lamps.replace(' ', "\n"));
        let bright = |glyph: u8| if glyph == b'.' { 0 } else { steps - 1 };
        let shine = Board::new(map.width(), map.height(), |cell| bright(map[cell]));
        let mut level = Lamps { map, steps, shine };
        let mut switches: Vec<Cell> = level.switches().collect();
        while level.missing() == 0 {
            dice.shuffle(&mut switches);
            switches.iter().take(clicks).for_each(|cell| level.click(*cell, &mut Film::blank()));
        }
        level
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        match input {
            Input::Click(cell) if self.has_switch(cell) => self.click(cell, film),
            _ => {}
        }
        if self.missing() == 0 { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(GROUND);
        let shades = SHINE[usize::from(self.steps) - 2];
        for (cell, glyph) in self.map.iter().filter(|(_, glyph)| **glyph != b'.') {
            scene.sprite(cell, BULB.tinted(shades[usize::from(self.shine[cell])]));
            scene.sprite(cell, sign(*glyph));
        }
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 7).framed(GROUND)
    }

    fn inputs(&self) -> Vec<Input> {
        self.switches().map(Input::Click).collect()
    }

    /// No sign reaches more lamps than the five of a cross or the longest line.
    fn bound(&self) -> u32 {
        self.missing().div_ceil(5)
    }
}
