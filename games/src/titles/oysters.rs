//! Oysters: shells that hide what is in them, and snap shut unless they match.
//!
//! A click opens a shell. Two shells in a level of pairs, or three in a level of threes, that hide the same stay open; shells that
//! hide different things shut again. Crabs that hold up as many claws as belong together sit at the bottom. Levels add, one after
//! the other: more shells; what is told apart by its form, seen from nearer; shells that shut at once; one that hides nothing;
//! threes.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{About, Bar, Cell, Dice, Drain, Edge, Family, Film, Input, Scene, Sprite, Title, Verdict, View};

/// One level.
#[derive(Debug)]
struct Plan {
    /// Logical pixels of the sea's side.
    side: i16,
    /// The corner of every shell, and what it hides: a letter of [`treasure`].
    shells: &'static [(i16, i16, u8)],
    /// How many belong together.
    count: usize,
    /// Whether shells that do not match shut at once, and not at the next click.
    snaps: bool,
}

const LEVELS: [Plan; 6] = [
    Plan { side: 32, shells: &[(3, 4, b'r'), (18, 3, b'y'), (6, 16, b'y'), (21, 14, b'r')], count: 2, snaps: false },
    Plan {
        side: 32,
        shells: &[(1, 2, b'y'), (12, 4, b'p'), (22, 1, b'r'), (3, 14, b'p'), (13, 16, b'y'), (23, 12, b'r')],
        count: 2,
        snaps: false,
    },
    Plan {
        side: 64,
        shells: &[
            (4, 8, b'r'),
            (18, 5, b's'),
            (33, 9, b'y'),
            (50, 6, b'x'),
            (9, 30, b'x'),
            (24, 27, b'r'),
            (40, 31, b's'),
            (53, 24, b'y'),
        ],
        count: 2,
        snaps: false,
    },
    Plan {
        side: 64,
        shells: &[
            (3, 4, b'p'),
            (20, 8, b'y'),
            (38, 3, b's'),
            (54, 9, b'r'),
            (10, 22, b'r'),
            (29, 20, b'x'),
            (47, 25, b'p'),
            (4, 38, b's'),
            (22, 36, b'y'),
            (42, 41, b'x'),
        ],
        count: 2,
        snaps: true,
    },
    Plan {
        side: 64,
        shells: &[
            (2, 6, b'x'),
            (16, 3, b'r'),
            (31, 7, b'.'),
            (45, 4, b's'),
            (9, 18, b'z'),
            (24, 21, b'y'),
            (39, 19, b'p'),
            (54, 16, b'x'),
            (3, 33, b'p'),
            (18, 36, b's'),
            (33, 34, b'z'),
            (48, 31, b'y'),
            (26, 48, b'r'),
        ],
        count: 2,
        snaps: true,
    },
    Plan {
        side: 64,
        shells: &[
            (5, 3, b'y'),
            (22, 6, b'x'),
            (40, 2, b'r'),
            (54, 8, b'y'),
            (12, 19, b'r'),
            (30, 22, b'y'),
            (47, 20, b'x'),
            (3, 35, b'x'),
            (20, 38, b'r'),
        ],
        count: 3,
        snaps: true,
    },
];

const SEA: Color = Color::of(9);
const SAND: Color = Color::of(11);
const SHELL: Color = Color::of(2);
const GOLD: Color = Color::of(12);
const CRAB: Color = Color::of(8);
const WEED: Color = Color::of(14);

/// The width and the height of a shell.
const SIZE: (i16, i16) = (8, 7);
const SHUT: Sprite = Sprite::of(&["..2222..", ".232232.", "23232232", "23232232", ".232232.", "..2222..", "...55..."]);
const OPEN: Sprite = Sprite::of(&["..####..", ".#5555#.", "#555555#", "#555555#", "#555555#", ".#5555#.", "..####.."]);
const CRAB_SHAPE: Sprite = Sprite::of(&["#.#", ".#.", "###"]);

/// What is drawn for what a shell hides, and its colour.
fn treasure(letter: u8) -> Option<(Sprite, Color)> {
    const PEARL: Sprite = Sprite::of(&[".##.", "####", ".##."]);
    const STAR: Sprite = Sprite::of(&["#..#", ".##.", "#..#"]);
    const RING: Sprite = Sprite::of(&["####", "#..#", "####"]);
    match letter {
        b'r' => Some((PEARL, Color::of(6))),
        b'y' => Some((PEARL, Color::of(10))),
        b'p' => Some((RING, Color::of(10))),
        b's' => Some((STAR, Color::of(6))),
        b'x' => Some((STAR, Color::of(0))),
        b'z' => Some((RING, Color::of(0))),
        _ => None,
    }
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Reef {
    level: usize,
    /// Which shells are open for good, in the order of the plan.
    found: Vec<bool>,
    /// Which others are open.
    open: Vec<usize>,
}

impl Reef {
    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    fn shell_at(&self, cell: Cell) -> Option<usize> {
        let is_in =
            |(x, y, _): &(i16, i16, u8)| (*x..x + SIZE.0).contains(&cell.x) && (*y..y + SIZE.1).contains(&cell.y);
        self.plan().shells.iter().position(is_in)
    }

    fn hidden(&self, shell: usize) -> u8 {
        self.plan().shells[shell].2
    }

    /// Whether the open ones do not match, so that they shut.
    fn is_mismatch(&self) -> bool {
        self.open.iter().any(|it| self.hidden(*it) != self.hidden(self.open[0]))
    }

    fn click(&mut self, shell: usize, film: &mut Film<Self>) {
        if self.found[shell] {
            return;
        }
        if self.is_mismatch() {
            self.open.clear();
        }
        if self.open.contains(&shell) {
            return;
        }
        self.open.push(shell);
        if self.is_mismatch() {
            if self.plan().snaps {
                film.shoot(self);
                self.open.clear();
            }
        } else if self.open.len() == self.plan().count {
            for shell in std::mem::take(&mut self.open) {
                self.found[shell] = true;
            }
        }
    }

    /// Shells that hide something and are not open for good.
    fn missing(&self) -> usize {
        (0..self.found.len()).filter(|it| !self.found[*it] && self.hidden(*it) != b'.').count()
    }
}

impl Title for Reef {
    const ABOUT: About = About {
        stem: "o633",
        title: "Oysters",
        families: &[Family::SelectThenAct],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[4, 6, 8, 10, 12, 9],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(15),
            empty: Color::of(4),
            drain: Drain::Effective,
        }),
    };

    fn level(level: usize, _: &mut Dice) -> Self {
        Reef { level, found: vec![false; LEVELS[level].shells.len()], open: Vec::new() }
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        if let Input::Click(at) = input
            && let Some(shell) = self.shell_at(at)
        {
            self.click(shell, film);
        }
        if self.missing() == 0 { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(SEA);
        let side = self.plan().side;
        scene.block(Cell::at(0, side - 6), side, 6, SAND);
        for index in 0..self.plan().count as i16 {
            scene.sprite(Cell::at(2 + 4 * index, side - 5), CRAB_SHAPE.tinted(CRAB));
        }
        scene.block(Cell::at(side - 4, side - 12), 1, 8, WEED);
        for (index, (x, y, letter)) in self.plan().shells.iter().enumerate() {
            let is_open = self.open.contains(&index);
            if !is_open && !self.found[index] {
                scene.sprite(Cell::at(*x, *y), SHUT);
                continue;
            }
            scene.sprite(Cell::at(*x, *y), OPEN.tinted(if is_open { SHELL } else { GOLD }));
            if let Some((shape, color)) = treasure(*letter) {
                scene.sprite(Cell::at(x + 2, y + 2), shape.tinted(color));
            }
        }
    }

    fn view(&self) -> View {
        View::of(self.plan().side, self.plan().side, 1)
    }

    fn inputs(&self) -> Vec<Input> {
        let shut = (0..self.found.len()).filter(|it| !self.found[*it]);
        shut.map(|it| self.plan().shells[it]).map(|(x, y, _)| Input::Click(Cell::at(x + 4, y + 3))).collect()
    }

    /// Each that is still shut takes a click.
    fn bound(&self) -> u32 {
        let is_of_use = |it: &&usize| self.hidden(**it) != b'.';
        let open = if self.is_mismatch() { 0 } else { self.open.iter().filter(is_of_use).count() };
        (self.missing() - open) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(level: usize, shells: &[usize]) -> (Reef, usize) {
        let (mut reef, mut film) = (Reef::level(level, &mut Dice::new(0, "")), Film::loaded());
        for shell in shells {
            reef.click(*shell, &mut film);
        }
        let shots = film.shots().len();
        (reef, shots)
    }

    #[test]
    fn what_matches_stays_open_and_the_rest_shuts() {
        let (reef, _) = play(0, &[0, 3, 1]);
        assert_eq!((reef.found.as_slice(), reef.open.as_slice()), (&[true, false, false, true][..], &[1][..]));
        assert_eq!(play(0, &[0, 1]).0.open, [0, 1], "to be seen until the next click");
        assert_eq!(play(0, &[0, 1, 2]).0.open, [2]);
        assert_eq!(play(0, &[0, 1, 0]).0.open, [0], "which may be one of them");
    }

    #[test]
    fn some_shut_at_once_but_are_shown() {
        let (reef, shots) = play(3, &[0, 1]);
        assert_eq!((reef.open.len(), shots), (0, 1));
    }

    #[test]
    fn threes_are_three() {
        let (reef, _) = play(5, &[0, 3]);
        assert_eq!((reef.open.len(), reef.missing()), (2, 9));
        assert_eq!(play(5, &[0, 3, 5]).0.missing(), 6);
        assert_eq!(play(5, &[0, 3, 1]).0.open.len(), 0);
    }

    #[test]
    fn all_but_what_is_empty_has_its_like_and_room() {
        for plan in &LEVELS {
            for (index, (x, y, letter)) in plan.shells.iter().enumerate() {
                let like = plan.shells.iter().filter(|it| it.2 == *letter).count();
                assert_eq!(like, if *letter == b'.' { 1 } else { plan.count });
                assert!(*x > 0 && *y > 0 && x + SIZE.0 < plan.side && y + SIZE.1 <= plan.side - 7);
                let is_apart = |it: &(i16, i16, u8)| (it.0 - x).abs() > SIZE.0 || (it.1 - y).abs() > SIZE.1;
                assert!(plan.shells[index + 1..].iter().all(is_apart));
            }
        }
    }
}
