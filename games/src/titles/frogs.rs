//! Frogs: a pond of frogs that croak in an order, and want to be touched in it.
//!
//! A click on the heron lets them croak. For each frog touched in its turn a dragonfly settles on the reeds; at a wrong
//! one they all fly away. Levels add, one after the other: a frog more, and one that croaks twice; a heron that looks
//! back, and wants the last one first; frogs that swim on to the next lily whenever one was touched in its turn, and
//! back at a wrong one; a fifth frog; all of it together.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{About, Bar, Cell, Dice, Drain, Edge, Family, Film, Input, Scene, Sprite, Title, Verdict, View};

/// One level.
#[derive(Debug)]
struct Plan {
    /// The upper left cells of the lilies; each frog begins on its own.
    lilies: &'static [(i16, i16)],
    /// Who croaks, in order.
    tune: &'static [usize],
    /// Whether the heron looks back.
    looks_back: bool,
    /// Whether the frogs swim on, and can be told apart.
    swim: bool,
}

const LEVELS: [Plan; 6] = [
    Plan { lilies: &[(2, 4), (8, 2), (11, 8)], tune: &[1, 0, 2], looks_back: false, swim: false },
    Plan { lilies: &[(1, 7), (5, 2), (12, 3), (10, 9)], tune: &[3, 0, 2, 2, 1], looks_back: false, swim: false },
    Plan { lilies: &[(2, 2), (3, 9), (8, 5), (13, 2)], tune: &[2, 2, 0, 3, 1], looks_back: true, swim: false },
    Plan { lilies: &[(2, 3), (9, 1), (12, 7), (6, 9)], tune: &[0, 2, 1, 0, 3, 2], looks_back: false, swim: true },
    Plan {
        lilies: &[(1, 1), (4, 6), (9, 9), (8, 2), (13, 5)],
        tune: &[4, 1, 0, 0, 3, 2, 4, 1],
        looks_back: false,
        swim: false,
    },
    Plan {
        lilies: &[(2, 5), (6, 1), (12, 2), (11, 8), (5, 9)],
        tune: &[2, 0, 4, 1, 1, 3, 0, 2],
        looks_back: true,
        swim: true,
    },
];

/// Columns and rows of the picture, cells that a frog or the heron covers each way, and the first row of the bank.
const SIDE: i16 = 16;
const SIZE: i16 = 2;
const BANK: i16 = 12;
const HERON: Cell = Cell::at(0, BANK);

const WATER: Color = Color::of(9);
const SAND: Color = Color::of(12);
const LEAF: Color = Color::of(14);
const FEATHER: Color = Color::of(2);
const FROGS: [Color; 5] = [Color::of(11), Color::of(6), Color::of(15), Color::of(8), Color::of(0)];

const LILY: Sprite =
    Sprite::of(&["..####..", ".######.", "########", "########", "########", "########", ".######.", "..####.."]);
const FROG: Sprite = Sprite::of(&["........", ".##..##.", ".##..##.", "..####..", ".######.", ".######.", ".#.##.#."]);
const THROAT: Sprite = Sprite::of(&["........", "........", "........", "..4444..", ".444444.", "..4444.."]);
const LOOKING: Sprite = Sprite::of(&[
    "...##...", "..#5#ccc", "...##...", "...##...", "..####..", ".######.", ".######.", "..####..", "..c..c..",
    "..c..c..",
]);
const LOOKING_BACK: Sprite = Sprite::of(&[
    "...##...", "ccc#5#..", "...##...", "...##...", "..####..", ".######.", ".######.", "..####..", "..c..c..",
    "..c..c..",
]);
const REED: Sprite = Sprite::of(&[".#..", ".#..", ".#..", ".#.."]);
const DRAGONFLY: Sprite = Sprite::of(&[".a..", "aaa.", ".a..", ".a.."]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Frogs {
    level: usize,
    /// How many were touched in their turn.
    done: usize,
    croaking: Option<usize>,
}

impl Frogs {
    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    /// Where a frog is.
    fn place(&self, frog: usize) -> Cell {
        let lilies = self.plan().lilies;
        let by = if self.plan().swim { self.done } else { 0 };
        let (x, y) = lilies[(frog + by) % lilies.len()];
        Cell::at(x, y)
    }

    fn frogs(&self) -> impl Iterator<Item = usize> + use<> {
        0..self.plan().lilies.len()
    }

    /// Whose turn it is.
    fn wanted(&self) -> Option<usize> {
        let Plan { tune, looks_back, .. } = self.plan();
        let index = if *looks_back { tune.len().checked_sub(self.done + 1)? } else { self.done };
        tune.get(index).copied()
    }

    fn croak(&mut self, frog: usize, film: &mut Film<Self>) {
        self.croaking = Some(frog);
        film.shoot(self);
        self.croaking = None;
    }

    fn sing(&mut self, film: &mut Film<Self>) {
        for frog in self.plan().tune {
            self.croak(*frog, film);
            film.shoot(self);
        }
    }

    fn touch(&mut self, frog: usize, film: &mut Film<Self>) {
        self.croak(frog, film);
        self.done = if self.wanted() == Some(frog) { self.done + 1 } else { 0 };
    }

    fn draw_bank(&self, scene: &mut Scene) {
        scene.block(Cell::at(0, BANK), SIDE, SIDE - BANK, SAND);
        let heron = if self.plan().looks_back { LOOKING_BACK } else { LOOKING };
        scene.sprite(HERON, heron.tinted(FEATHER));
        for (index, x) in (0..self.plan().tune.len()).zip(4..) {
            scene.sprite(Cell::at(x, BANK + 2), REED.tinted(LEAF));
            if index < self.done {
                scene.sprite(Cell::at(x, BANK + 1), DRAGONFLY);
            }
        }
    }
}

/// Whether what begins at `corner` covers a cell.
fn covers(corner: Cell, cell: Cell) -> bool {
    (corner.x..corner.x + SIZE).contains(&cell.x) && (corner.y..corner.y + SIZE).contains(&cell.y)
}

impl Title for Frogs {
    const ABOUT: About = About {
        stem: "y253",
        title: "Frogs",
        families: &[Family::Sequence, Family::Counter, Family::Tracks],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[3, 5, 5, 6, 8, 8],
        bar: Some(Bar {
            edge: Edge::Right,
            thickness: 1,
            full: Color::of(13),
            empty: Color::of(1),
            drain: Drain::Every,
        }),
    };

    fn level(level: usize, _: &mut Dice) -> Self {
        Frogs { level, done: 0, croaking: None }
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Click(cell) = input else { return Verdict::Playing };
        if covers(HERON, cell) {
            self.sing(film);
        } else if let Some(frog) = self.frogs().find(|frog| covers(self.place(*frog), cell)) {
            self.touch(frog, film);
        }
        if self.wanted().is_none() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(WATER);
        self.draw_bank(scene);
        for frog in self.frogs() {
            let color = if self.plan().swim { FROGS[frog] } else { FROGS[0] };
            scene.sprite(self.place(frog), LILY.tinted(LEAF));
            scene.sprite(self.place(frog), FROG.tinted(color));
            if self.croaking == Some(frog) {
                scene.sprite(self.place(frog), THROAT);
            }
        }
    }

    fn view(&self) -> View {
        View::of(SIDE, SIDE, 4)
    }

    fn inputs(&self) -> Vec<Input> {
        self.frogs().map(|frog| Input::Click(self.place(frog))).collect()
    }

    fn bound(&self) -> u32 {
        (self.plan().tune.len() - self.done) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(level: usize, frogs: &[usize]) -> (Frogs, Verdict) {
        let mut pond = Frogs::level(level, &mut Dice::new(0, ""));
        let mut verdict = Verdict::Playing;
        for frog in frogs {
            verdict = pond.act(Input::Click(pond.place(*frog)), &mut Film::blank());
        }
        (pond, verdict)
    }

    #[test]
    fn frogs_are_touched_in_the_order_of_their_tune() {
        assert_eq!(touched(0, &[1, 0, 2]).1, Verdict::Solved);
        assert_eq!(touched(0, &[1, 0]).0.done, 2);
        assert_eq!(touched(0, &[1, 0, 1]).0.done, 0, "the dragonflies fly away");
    }

    #[test]
    fn a_heron_that_looks_back_wants_the_last_one_first() {
        assert_eq!(touched(2, &[1, 3, 0, 2, 2]).1, Verdict::Solved);
        assert_eq!(touched(2, &[2]).0.done, 0);
    }

    #[test]
    fn frogs_swim_on_at_every_right_touch_and_back_at_a_wrong_one() {
        let lilies = LEVELS[3].lilies;
        let (pond, _) = touched(3, &[0]);
        assert_eq!(pond.place(0), Cell::at(lilies[1].0, lilies[1].1));
        let (pond, _) = touched(3, &[0, 1]);
        assert_eq!(pond.place(0), Cell::at(lilies[0].0, lilies[0].1));
    }

    #[test]
    fn the_heron_lets_them_croak_one_after_the_other() {
        let mut film = Film::loaded();
        let mut pond = Frogs::level(1, &mut Dice::new(0, ""));
        pond.act(Input::Click(HERON), &mut film);
        let heard: Vec<usize> = film.shots().iter().filter_map(|it| it.croaking).collect();
        assert_eq!(heard, LEVELS[1].tune);
        assert_eq!(pond, Frogs::level(1, &mut Dice::new(0, "")));
    }
}
