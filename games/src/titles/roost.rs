//! Roost: birds that cannot stand each other, and one golden nest.
//!
//! A click wakes a bird, and another one on an empty nest sends it there, if that lies two nests away in a line and between them
//! is something to be cleared away: another bird flies off, an egg rolls down. In the end one bird is left, in the golden nest.
//! Nests stand in rows of which each is shifted by half a nest, so that every one has six neighbours. Levels add, one after the
//! other: a wider tree; larger nests seen from nearer; eggs, that do not hop themselves; a hole where no nest is.

use std::collections::BTreeMap;

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{About, Bar, Cell, Dice, Drain, Edge, Family, Film, Input, Scene, Sprite, Title, Verdict, View};

/// One level.
#[derive(Debug)]
struct Plan {
    /// Logical pixels of the tree's side.
    side: i16,
    /// Rows of nests: where the first one's corner lies, and what is in each: `o` a bird, `e` an egg, `.` nothing, `*` nothing,
    /// and it is golden; a blank is no nest.
    rows: &'static [(i16, i16, &'static str)],
}

const LEVELS: [Plan; 6] = [
    Plan { side: 32, rows: &[(4, 5, ".oo"), (0, 12, ".oo."), (4, 19, "..*")] },
    Plan { side: 32, rows: &[(12, 2, "o"), (8, 9, ".."), (4, 16, ".o*"), (0, 23, "oo.o")] },
    Plan {
        side: 64,
        rows: &[(12, 10, ".o.oo"), (8, 17, ".oo..o"), (4, 24, ".....o."), (8, 31, "..*..o"), (12, 38, ".....")],
    },
    Plan {
        side: 64,
        rows: &[
            (4, 8, ".o....."),
            (8, 15, ".e.o.."),
            (12, 22, ".o..."),
            (16, 29, ".o.."),
            (12, 36, "eoe.."),
            (8, 43, "*.o..."),
            (4, 50, "......."),
        ],
    },
    Plan {
        side: 64,
        rows: &[
            (24, 3, "."),
            (20, 10, ".."),
            (0, 17, "........"),
            (4, 24, "......."),
            (8, 31, "..e.eo"),
            (4, 38, "....oo."),
            (0, 45, "oo.oe.e*"),
            (20, 52, ".o"),
        ],
    },
    Plan {
        side: 64,
        rows: &[
            (16, 6, "oo.."),
            (12, 13, ".o.eo"),
            (8, 20, ".....o"),
            (4, 27, ".o. .o."),
            (8, 34, "oe.oe."),
            (12, 41, "..ee."),
            (16, 48, "...*"),
        ],
    },
];

/// From one nest to the next in its row; half of it, and one row.
const PITCH: i16 = 8;
const ROW: i16 = 7;
/// From a nest to its neighbours.
const WAYS: [(i16, i16); 6] =
    [(PITCH, 0), (-PITCH, 0), (PITCH / 2, ROW), (-PITCH / 2, ROW), (PITCH / 2, -ROW), (-PITCH / 2, -ROW)];

const SKY: Color = Color::of(10);
const LEAF: Color = Color::of(14);
const TWIG: Color = Color::of(13);
const BARE: Color = Color::of(5);
const GOLD: Color = Color::of(11);
const FEATHER: Color = Color::of(6);
const AWAKE: Color = Color::of(8);
const SHELL: Color = Color::of(0);

/// The rim of a nest lies over what is in it.
const NEST: Sprite = Sprite::of(&["..###..", ".##.##.", "##...##", "#.....#", "##...##", ".##.##.", "..###.."]);
const BIRD: Sprite = Sprite::of(&["..#..", ".##..", "####4", ".###.", "..#.."]);
const EGG: Sprite = Sprite::of(&["..#..", ".###.", ".###.", ".###.", "....."]);
const HOLLOW: Sprite = Sprite::of(&[".###.", "#####", "#####", "#####", ".###."]);

/// Corners of nests.
type At = (i16, i16);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Content {
    Bird,
    Egg,
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Roost {
    level: usize,
    /// What is in nests that are not empty.
    full: BTreeMap<At, Content>,
    awake: Option<At>,
}

impl Plan {
    /// Every nest with its letter.
    fn nests(&self) -> impl Iterator<Item = (At, u8)> {
        let row = |(x, y, row): &(i16, i16, &'static str)| {
            let (x, y) = (*x, *y);
            row.bytes().zip(0..).map(move |(it, index)| ((x + PITCH * index, y), it)).filter(|it| it.1 != b' ')
        };
        self.rows.iter().flat_map(row)
    }

    fn nest_at(&self, cell: Cell) -> Option<At> {
        let is_in = |(x, y): At| (x..x + 7).contains(&cell.x) && (y..y + 7).contains(&cell.y);
        self.nests().map(|it| it.0).find(|it| is_in(*it))
    }

    fn gold(&self) -> Option<At> {
        self.nests().find(|it| it.1 == b'*').map(|it| it.0)
    }
}

impl Roost {
    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    /// Wakes a bird, sends the one that is awake to an empty nest, or lets it sleep again.
    fn click(&mut self, nest: At) {
        let awake = self.awake.take();
        match (self.full.get(&nest), awake) {
            (Some(Content::Bird), _) => self.awake = Some(nest).filter(|_| awake != Some(nest)),
            (None, Some(from)) => self.hop(from, nest),
            _ => {}
        }
    }

    fn hop(&mut self, from: At, to: At) {
        let between = |(x, y): (i16, i16)| (from.0 + x, from.1 + y);
        let way = WAYS.into_iter().find(|(x, y)| (from.0 + 2 * x, from.1 + 2 * y) == to);
        if let Some(over) = way.map(between).filter(|it| self.full.contains_key(it)) {
            self.full.remove(&over);
            self.full.remove(&from);
            self.full.insert(to, Content::Bird);
        }
    }

    fn is_solved(&self) -> bool {
        self.full.len() == 1 && self.plan().gold().is_some_and(|it| self.full.contains_key(&it))
    }
}

impl Title for Roost {
    const ABOUT: About = About {
        stem: "r518",
        title: "Roost",
        families: &[Family::SelectThenAct],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[6, 8, 14, 16, 20, 26],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(12),
            empty: Color::of(3),
            drain: Drain::Effective,
        }),
    };

    fn level(level: usize, _: &mut Dice) -> Self {
        let content = |(at, letter): (At, u8)| match letter {
            b'o' => Some((at, Content::Bird)),
            b'e' => Some((at, Content::Egg)),
            _ => None,
        };
        Roost { level, full: LEVELS[level].nests().filter_map(content).collect(), awake: None }
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        if let Input::Click(at) = input
            && let Some(nest) = self.plan().nest_at(at)
        {
            self.click(nest);
        }
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(SKY);
        let side = self.plan().side;
        for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
            if (5 * x + 3 * y) % 17 == 0 {
                scene.cell(Cell::at(x, y), LEAF);
            }
        }
        for (at, letter) in self.plan().nests() {
            let (corner, inside) = (Cell::at(at.0, at.1), Cell::at(at.0 + 1, at.1 + 1));
            scene.sprite(
                inside,
                HOLLOW.tinted(if letter == b'*' && !self.full.contains_key(&at) { GOLD } else { BARE }),
            );
            match self.full.get(&at) {
                Some(Content::Bird) => {
                    scene.sprite(inside, BIRD.tinted(if self.awake == Some(at) { AWAKE } else { FEATHER }));
                }
                Some(Content::Egg) => scene.sprite(inside, EGG.tinted(SHELL)),
                None => {}
            }
            scene.sprite(corner, NEST.tinted(TWIG));
        }
    }

    fn view(&self) -> View {
        View::of(self.plan().side, self.plan().side, 1)
    }

    fn inputs(&self) -> Vec<Input> {
        let is_use = |at: &At| match self.full.get(at) {
            Some(Content::Bird) => self.awake != Some(*at),
            Some(Content::Egg) => false,
            None => self.awake.is_some(),
        };
        let nests = self.plan().nests().map(|it| it.0).filter(is_use);
        nests.map(|(x, y)| Input::Click(Cell::at(x + 3, y + 3))).collect()
    }

    /// Each hop takes two clicks, and all but one have to go.
    fn bound(&self) -> u32 {
        (2 * (self.full.len() as u32 - 1)).saturating_sub(u32::from(self.awake.is_some()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(index: usize, clicks: &[At]) -> Roost {
        let mut roost = Roost::level(index, &mut Dice::new(0, ""));
        for nest in clicks {
            roost.click(*nest);
        }
        roost
    }

    #[test]
    fn a_bird_hops_over_a_neighbour_which_flies_off() {
        let after = play(0, &[(20, 5), (4, 5)]);
        assert_eq!((after.full.len(), after.full.get(&(12, 5)), after.awake), (3, None, None));
        assert_eq!(play(0, &[(20, 5), (24, 12)]).full.len(), 4, "one nest away is too near");
        assert_eq!(play(0, &[(12, 5), (20, 19)]).full.len(), 3, "and along the slanting rows");
        assert_eq!(play(0, &[(16, 12), (4, 12)]).full.len(), 4, "not in a line of nests");
    }

    #[test]
    fn an_egg_is_taken_and_does_not_hop() {
        assert_eq!(play(3, &[(16, 15), (16, 8)]).awake, None);
        let after = play(3, &[(20, 36), (36, 36)]);
        assert_eq!((after.full.get(&(28, 36)), after.full.get(&(36, 36))), (None, Some(&Content::Bird)));
    }

    #[test]
    fn the_last_one_has_to_be_in_the_golden_nest() {
        let mut roost = play(0, &[]);
        roost.full = BTreeMap::from([((4, 5), Content::Bird)]);
        assert!(!roost.is_solved());
        roost.full = BTreeMap::from([((20, 19), Content::Bird)]);
        assert!(roost.is_solved());
    }

    #[test]
    fn nests_lie_in_the_tree_and_apart() {
        for plan in &LEVELS {
            let nests: Vec<At> = plan.nests().map(|it| it.0).collect();
            for (index, (x, y)) in nests.iter().enumerate() {
                assert!(*x >= 0 && *y >= 0 && x + 7 <= plan.side && y + 7 < plan.side);
                let is_apart = |other: &At| (other.0 - x).abs() >= 7 || (other.1 - y).abs() >= 7;
                assert!(nests[index + 1..].iter().all(is_apart));
            }
        }
    }
}
