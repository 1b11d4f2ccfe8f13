//! Meadow: flowers that a click takes one stage further, from the bud to the bloom and past it, round and round.
//!
//! A level is solved once all stand in bloom, which shows their yellow hearts. A root that joins two flowers takes the
//! other one along. Levels add, one after the other: tulips; daisies, whose round is shorter; roots; brambles, which take
//! the other one back a stage; snails, which a click sends onto a root or off it, and a root with a snail on it joins
//! nothing; water lilies, whose round is longer, and all of it together.

mod flowers;

use env_client::{ActionId, ActionSet, Color};

use self::flowers::{DAISIES, LILIES, TULIPS};
use crate::engine::{About, Cell, Dice, Family, Film, Input, Scene, Sprite, Title, Verdict, View};

/// Sorts of flowers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Tulip,
    Daisy,
    Lily,
}

/// How a root joins its flowers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Growth {
    /// Both go the same way.
    Root,
    /// The other one goes the other way.
    Bramble,
}

/// A root between two flowers, which are meant by their places in the plan.
#[derive(Clone, Copy, Debug)]
struct Root {
    ends: (usize, usize),
    growth: Growth,
    /// Logical pixels that it runs below the lower one of its flowers.
    depth: i16,
    /// Whether the snail that belongs to it sits on it at the start, where there is one.
    snail: Option<bool>,
}

/// One level.
struct Plan {
    /// Cells of the meadow along each side.
    side: i16,
    /// Rows of the sky.
    sky: i16,
    /// The corner of the pond, and its columns and rows.
    pond: Option<(Cell, i16, i16)>,
    flowers: &'static [(Sort, Cell)],
    roots: &'static [Root],
    /// Flowers that are clicked back from the bloom, while no snail sits on a root.
    back: &'static [usize],
}

const fn flower(sort: Sort, x: i16, y: i16) -> (Sort, Cell) {
    (sort, Cell::at(x, y))
}

const fn root(from: usize, to: usize, depth: i16) -> Root {
    Root { ends: (from, to), growth: Growth::Root, depth, snail: None }
}

const fn bramble(from: usize, to: usize, depth: i16) -> Root {
    Root { growth: Growth::Bramble, ..root(from, to, depth) }
}

impl Root {
    const fn with_snail(self, sits: bool) -> Root {
        Root { snail: Some(sits), ..self }
    }
}

const PLANS: [Plan; 6] = [
    Plan {
        side: 8,
        sky: 1,
        pond: None,
        flowers: &[flower(Sort::Tulip, 1, 1), flower(Sort::Tulip, 5, 4)],
        roots: &[],
        back: &[0, 1, 1],
    },
    Plan {
        side: 8,
        sky: 0,
        pond: None,
        flowers: &[
            flower(Sort::Daisy, 4, 0),
            flower(Sort::Tulip, 0, 1),
            flower(Sort::Daisy, 2, 4),
            flower(Sort::Tulip, 6, 5),
        ],
        roots: &[],
        back: &[0, 0, 1, 1, 1, 2, 3, 3],
    },
    Plan {
        side: 16,
        sky: 2,
        pond: None,
        flowers: &[
            flower(Sort::Tulip, 1, 3),
            flower(Sort::Daisy, 5, 2),
            flower(Sort::Tulip, 11, 4),
            flower(Sort::Daisy, 12, 10),
            flower(Sort::Tulip, 2, 9),
        ],
        roots: &[root(0, 1, 2), root(1, 2, 5), root(3, 4, 4)],
        back: &[0, 1, 1, 2, 3, 4, 4],
    },
    Plan {
        side: 16,
        sky: 2,
        pond: None,
        flowers: &[
            flower(Sort::Daisy, 1, 2),
            flower(Sort::Tulip, 7, 3),
            flower(Sort::Daisy, 12, 2),
            flower(Sort::Tulip, 3, 10),
            flower(Sort::Tulip, 11, 9),
        ],
        roots: &[bramble(0, 1, 4), root(1, 2, 2), bramble(3, 4, 3), bramble(0, 3, 2)],
        back: &[0, 1, 1, 1, 2, 3, 3, 4],
    },
    Plan {
        side: 16,
        sky: 1,
        pond: None,
        flowers: &[
            flower(Sort::Tulip, 2, 2),
            flower(Sort::Tulip, 11, 1),
            flower(Sort::Daisy, 1, 9),
            flower(Sort::Tulip, 7, 10),
            flower(Sort::Daisy, 12, 8),
        ],
        roots: &[root(0, 1, 3).with_snail(false), bramble(2, 3, 2), root(3, 4, 7).with_snail(true)],
        back: &[0, 1, 1, 2, 3, 3, 4, 4],
    },
    Plan {
        side: 16,
        sky: 2,
        pond: Some((Cell::at(6, 3), 10, 4)),
        flowers: &[
            flower(Sort::Daisy, 1, 2),
            flower(Sort::Lily, 7, 4),
            flower(Sort::Lily, 12, 3),
            flower(Sort::Tulip, 2, 9),
            flower(Sort::Daisy, 7, 10),
            flower(Sort::Tulip, 13, 9),
        ],
        roots: &[root(0, 1, 3).with_snail(true), bramble(1, 2, 9), bramble(3, 4, 3), root(4, 5, 7).with_snail(false)],
        back: &[0, 1, 2, 2, 2, 3, 3, 4, 5],
    },
];

const SOIL: Color = Color::of(4);
const SKY: Color = Color::of(10);
const WATER: Color = Color::of(9);
const ROOT: Color = Color::of(13);
const BRAMBLE: Color = Color::of(15);
/// Logical pixels along a cell.
const TILE: i16 = 4;

/// A snail on a root, and one that is off it.
const SNAIL: Sprite = Sprite::of(&[".cc.", "c7c.", "ccc7", "7777"]);
const SHELL: Sprite = Sprite::of(&[".cc.", "c7c.", "ccc."]);

impl Sort {
    /// What it looks like stage by stage.
    const fn stages(self) -> &'static [Sprite] {
        match self {
            Sort::Tulip => TULIPS,
            Sort::Daisy => DAISIES,
            Sort::Lily => LILIES,
        }
    }

    /// The stage in which it is in bloom.
    const fn bloom(self) -> u8 {
        match self {
            Sort::Tulip | Sort::Daisy => 2,
            Sort::Lily => 3,
        }
    }

    /// Its columns and rows.
    const fn size(self) -> (i16, i16) {
        match self {
            Sort::Tulip => (2, 3),
            Sort::Daisy => (3, 3),
            Sort::Lily => (3, 2),
        }
    }
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Meadow {
    level: usize,
    /// How far each flower is.
    stages: Vec<u8>,
    /// Whether a snail sits on each root.
    parted: Vec<bool>,
}

impl Meadow {
    fn of(level: usize) -> Meadow {
        let Plan { flowers, roots, back, .. } = &PLANS[level];
        let stages = flowers.iter().map(|(sort, _)| sort.bloom()).collect();
        let mut meadow = Meadow { level, stages, parted: vec![false; roots.len()] };
        for flower in *back {
            meadow.turn_all(*flower, false);
        }
        meadow.parted = roots.iter().map(|root| root.snail == Some(true)).collect();
        meadow
    }

    fn plan(&self) -> &'static Plan {
        &PLANS[self.level]
    }

    /// Takes one flower a stage on, or back.
    fn turn(&mut self, flower: usize, onward: bool) {
        let round = self.plan().flowers[flower].0.stages().len() as u8;
        self.stages[flower] = (self.stages[flower] + if onward { 1 } else { round - 1 }) % round;
    }

    /// The flowers that a flower takes along, and whether they go the same way.
    fn joined(&self, flower: usize) -> Vec<(usize, bool)> {
        let joining = self.plan().roots.iter().zip(&self.parted).filter(|(_, parted)| !**parted);
        let others = joining.filter_map(|(Root { ends: (from, to), growth, .. }, _)| {
            let other = [(*from, *to), (*to, *from)].into_iter().find(|(end, _)| *end == flower)?.1;
            Some((other, *growth == Growth::Root))
        });
        others.collect()
    }

    fn turn_all(&mut self, flower: usize, onward: bool) {
        self.turn(flower, onward);
        for (other, alike) in self.joined(flower) {
            self.turn(other, onward == alike);
        }
    }

    fn flower_at(&self, cell: Cell) -> Option<usize> {
        self.plan().flowers.iter().position(|(sort, at)| {
            let (width, height) = sort.size();
            (at.x..at.x + width).contains(&cell.x) && (at.y..at.y + height).contains(&cell.y)
        })
    }

    fn snail_at(&self, cell: Cell) -> Option<usize> {
        self.plan().roots.iter().position(|root| self.snail(*root) == Some(cell))
    }

    fn is_in_bloom(&self) -> bool {
        self.plan().flowers.iter().zip(&self.stages).all(|((sort, _), stage)| *stage == sort.bloom())
    }

    fn click(&mut self, cell: Cell, film: &mut Film<Self>) {
        if let Some(flower) = self.flower_at(cell) {
            let mut half = self.clone();
            half.turn(flower, true);
            film.shoot(&half);
            self.turn_all(flower, true);
        } else if let Some(root) = self.snail_at(cell) {
            self.parted[root] = !self.parted[root];
        }
    }

    /// The logical pixel below the stem of a flower.
    fn foot(&self, flower: usize) -> (i16, i16) {
        let (sort, at) = self.plan().flowers[flower];
        let (width, height) = sort.size();
        (at.x * TILE + width * TILE / 2, (at.y + height) * TILE)
    }

    /// The cell of the snail that belongs to a root: in the middle of it, where it runs along the cell's lowest pixels.
    fn snail(&self, root: Root) -> Option<Cell> {
        root.snail?;
        let (from, to) = (self.foot(root.ends.0), self.foot(root.ends.1));
        Some(Cell::at(from.0.midpoint(to.0) / TILE, self.bottom(root) / TILE))
    }

    /// The row of logical pixels that a root runs along.
    fn bottom(&self, root: Root) -> i16 {
        self.foot(root.ends.0).1.max(self.foot(root.ends.1).1) + root.depth
    }

    /// A root goes down from one flower, along, and up to the other.
    fn draw_root(&self, scene: &mut Scene, root: Root, is_parted: bool) {
        let ((from, high), (to, low)) = (self.foot(root.ends.0), self.foot(root.ends.1));
        let (left, right, bottom) = (from.min(to), from.max(to), self.bottom(root));
        let color = if root.growth == Growth::Root { ROOT } else { BRAMBLE };
        let corner = Cell::at(0, 0);
        scene.rectangle(corner, (from, high), (1, bottom - high), color);
        scene.rectangle(corner, (to, low), (1, bottom - low), color);
        scene.rectangle(corner, (left, bottom), (right - left + 1, 1), color);
        if root.growth == Growth::Bramble {
            (left + 2..right).step_by(4).for_each(|x| scene.pixel(corner, (x, bottom - 1), color));
        }
        if let Some(cell) = self.snail(root) {
            if is_parted {
                scene.rectangle(cell, (-2, TILE - 1), (TILE + 4, 1), SOIL);
            }
            scene.sprite(cell, if is_parted { SNAIL } else { SHELL });
        }
    }
}

impl Title for Meadow {
    const ABOUT: About = About {
        stem: "m748",
        title: "Meadow",
        families: &[Family::ColorCycle, Family::FarSwitch, Family::Toggle, Family::LightsOut],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[3, 8, 7, 6, 7, 9],
        bar: None,
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Meadow::of(index)
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        if let Input::Click(cell) = input {
            self.click(cell, film);
        }
        if self.is_in_bloom() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        let Plan { side, sky, pond, flowers, roots, .. } = self.plan();
        scene.fill(SOIL);
        scene.block(Cell::at(0, 0), *side, *sky, SKY);
        if let Some((corner, width, height)) = pond {
            scene.block(*corner, *width, *height, WATER);
        }
        for (root, parted) in roots.iter().zip(&self.parted) {
            self.draw_root(scene, *root, *parted);
        }
        scene.layer(1);
        for ((sort, at), stage) in flowers.iter().zip(&self.stages) {
            scene.sprite(*at, sort.stages()[usize::from(*stage)]);
        }
    }

    fn view(&self) -> View {
        View::of(self.plan().side, self.plan().side, TILE).framed(SOIL)
    }

    fn inputs(&self) -> Vec<Input> {
        let flowers = self.plan().flowers.iter().map(|(_, at)| *at);
        let snails = self.plan().roots.iter().filter_map(|root| self.snail(*root));
        flowers.chain(snails).map(Input::Click).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn click(meadow: &mut Meadow, cell: Cell) -> Verdict {
        meadow.act(Input::Click(cell), &mut Film::blank())
    }

    #[test]
    fn a_flower_goes_round_and_its_whole_picture_is_clicked() {
        let mut meadow = Meadow::of(0);
        meadow.stages = vec![2, 3];
        let stages: Vec<u8> = (0..4)
            .map(|_| {
                click(&mut meadow, Cell::at(6, 6));
                meadow.stages[1]
            })
            .collect();
        assert_eq!(stages, [0, 1, 2, 3]);
        assert_eq!(click(&mut meadow, Cell::at(0, 0)), Verdict::Playing, "the sky is not a flower");
    }

    #[test]
    fn a_root_takes_along_and_a_bramble_takes_back() {
        let mut meadow = Meadow::of(3);
        meadow.stages = vec![0; 5];
        click(&mut meadow, PLANS[3].flowers[1].1);
        assert_eq!(meadow.stages, [2, 1, 1, 0, 0]);
        click(&mut meadow, PLANS[3].flowers[2].1);
        assert_eq!(meadow.stages, [2, 2, 2, 0, 0], "it goes no farther than one root");
    }

    #[test]
    fn a_root_with_a_snail_on_it_joins_nothing() {
        let mut meadow = Meadow::of(4);
        meadow.stages = vec![0; 5];
        let root = PLANS[4].roots[2];
        assert_eq!((meadow.parted[2], meadow.joined(4)), (true, vec![]));
        let snail = meadow.snail(root).unwrap();
        click(&mut meadow, snail);
        assert_eq!((meadow.parted[2], meadow.joined(4)), (false, vec![(3, true)]));
    }

    #[test]
    fn only_full_bloom_solves() {
        let mut meadow = Meadow::of(0);
        assert_eq!(click(&mut meadow, Cell::at(1, 1)), Verdict::Playing);
        assert_eq!(click(&mut meadow, Cell::at(5, 4)), Verdict::Playing);
        assert_eq!(click(&mut meadow, Cell::at(5, 4)), Verdict::Solved);
    }
}
