//! Concierge: keys that each light and darken some windows of a house, and a postcard of how it should look.
//!
//! A click on a key changes its windows: what was lit is dark, what was dark is lit. Where a postcard hangs beside the house, it shows
//! at half the size which windows are to be lit; where none does, all are. Levels add, one after the other: more windows and
//! keys; lamps that burn from the beginning; a house without a postcard; a large one.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{About, Bar, Cell, Dice, Drain, Edge, Family, Film, Input, Scene, Sprite, Title, Verdict, View};

/// One level: sets of windows are bits, row after row.
#[derive(Debug)]
struct Plan {
    columns: i16,
    rows: i16,
    /// The windows that each key changes.
    keys: &'static [u32],
    /// What is lit at first.
    lit: u32,
    /// What the postcard shows.
    wanted: Option<u32>,
}

const LEVELS: [Plan; 6] = [
    Plan { columns: 3, rows: 2, keys: &[0x11, 0x19, 0x2A], lit: 0x0, wanted: Some(0x8) },
    Plan { columns: 3, rows: 3, keys: &[0x4F, 0x142, 0xA8, 0x16A], lit: 0x142, wanted: Some(0xE7) },
    Plan { columns: 4, rows: 3, keys: &[0x195, 0x52C, 0x149, 0xEA9, 0x88], lit: 0x195, wanted: Some(0x465) },
    Plan {
        columns: 4,
        rows: 4,
        keys: &[0xA12, 0x8E90, 0xD28, 0xC640, 0x1F68, 0x7AA4],
        lit: 0xA12,
        wanted: Some(0x57B8),
    },
    Plan { columns: 4, rows: 3, keys: &[0x5C8, 0x462, 0x823, 0x240, 0x1EE, 0x1A2], lit: 0x7D4, wanted: None },
    Plan {
        columns: 5,
        rows: 4,
        keys: &[0x45808, 0x10400, 0x39544, 0x92F4B, 0x1D1, 0x4BCE9, 0x14D8, 0x10900],
        lit: 0x1D1,
        wanted: Some(0xC837A),
    },
];

const NIGHT: Color = Color::of(5);
const WALL: Color = Color::of(13);
const ROOF: Color = Color::of(8);
const DARK: Color = Color::of(9);
const LIT: Color = Color::of(11);
const BOARD: Color = Color::of(2);
const BRASS: Color = Color::of(12);

/// Pixels of a window's side, and from one to the next.
const WINDOW: i16 = 4;
const PITCH: i16 = 6;
/// Where the house and the postcard are, and the first key with the way to the next.
const HOUSE: (i16, i16) = (3, 9);
const CARD: (i16, i16) = (43, 9);
const HOOK: (i16, i16) = (3, 48);
const NEXT: i16 = 7;
const PLATE: (i16, i16) = (5, 8);
const SIDE: i16 = 64;

const KEY: Sprite = Sprite::of(&["###", "#.#", "###", ".#.", ".##", ".#.", ".##"]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct House {
    level: usize,
    lit: u32,
}

impl House {
    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    fn wanted(&self) -> u32 {
        let plan = self.plan();
        plan.wanted.unwrap_or((1 << (plan.columns * plan.rows)) - 1)
    }

    /// Draws windows in a wall at this scale: 2 for the house, 1 for the postcard.
    fn draw_front(&self, scene: &mut Scene, (left, top): (i16, i16), scale: i16, lit: u32) {
        let plan = self.plan();
        let length = |count: i16| (count * PITCH + PITCH - WINDOW) * scale / 2;
        scene.block(Cell::at(left, top), length(plan.columns), length(plan.rows), WALL);
        let windows = (0..plan.rows).flat_map(|y| (0..plan.columns).map(move |x| (x, y)));
        for (index, (x, y)) in windows.enumerate() {
            let at = |it: i16| (it * PITCH + PITCH - WINDOW) * scale / 2;
            let corner = Cell::at(left + at(x), top + at(y));
            let side = WINDOW * scale / 2;
            scene.block(corner, side, side, if lit >> index & 1 == 1 { LIT } else { DARK });
        }
    }
}

/// The corner of a key.
fn hook(index: i16) -> Cell {
    Cell::at(HOOK.0 + NEXT * index, HOOK.1)
}

impl Title for House {
    const ABOUT: About = About {
        stem: "h927",
        title: "Concierge",
        families: &[Family::FarSwitch, Family::Toggle, Family::Reference],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[2, 3, 3, 4, 4, 5],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(14),
            empty: Color::of(4),
            drain: Drain::Every,
        }),
    };

    fn level(level: usize, _: &mut Dice) -> Self {
        House { level, lit: LEVELS[level].lit }
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        if let Input::Click(at) = input {
            let is_in = |(index, _): &(i16, &u32)| {
                let corner = hook(*index);
                (corner.x..corner.x + PLATE.0).contains(&at.x) && (corner.y..corner.y + PLATE.1).contains(&at.y)
            };
            if let Some((_, windows)) = (0..).zip(self.plan().keys).find(is_in) {
                self.lit ^= windows;
            }
        }
        if self.lit == self.wanted() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(NIGHT);
        let plan = self.plan();
        scene.block(Cell::at(HOUSE.0 + 2, HOUSE.1 - 4), plan.columns * PITCH - 2, 2, ROOF);
        self.draw_front(scene, HOUSE, 2, self.lit);
        if let Some(wanted) = plan.wanted {
            self.draw_front(scene, CARD, 1, wanted);
        }
        for index in 0..plan.keys.len() as i16 {
            let Cell { x, y } = hook(index);
            scene.block(Cell::at(x, y), PLATE.0, PLATE.1, BOARD);
            scene.sprite(Cell::at(x + 1, y), KEY.tinted(BRASS));
        }
    }

    fn view(&self) -> View {
        View::of(SIDE, SIDE, 1)
    }

    fn inputs(&self) -> Vec<Input> {
        let keys = 0..self.plan().keys.len() as i16;
        keys.map(hook).map(|Cell { x, y }| Input::Click(Cell::at(x + 2, y + 4))).collect()
    }

    fn bound(&self) -> u32 {
        u32::from(self.lit != self.wanted())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_used_twice_changes_nothing() {
        for level in 0..LEVELS.len() {
            let mut house = House::level(level, &mut Dice::new(0, ""));
            let first = house.clone();
            for input in house.inputs().into_iter().take(2) {
                house.act(input, &mut Film::blank());
                assert_ne!(house, first);
                house.act(input, &mut Film::blank());
                assert_eq!(house, first);
            }
        }
    }

    #[test]
    fn everything_lies_in_the_picture() {
        for plan in &LEVELS {
            assert!(HOUSE.0 + plan.columns * PITCH + 2 < CARD.0 && HOUSE.1 + plan.rows * PITCH + 2 < HOOK.1);
            assert!(HOOK.0 + NEXT * plan.keys.len() as i16 <= SIDE);
            assert!(plan.keys.iter().all(|it| *it > 0 && *it < 1 << (plan.columns * plan.rows)));
        }
    }
}
