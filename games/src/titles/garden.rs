//! Garden: every bed has to flower as the signposts between the beds say. A title of our own.
//!
//! A signpost is a picture of three by three blocks: the middle one is a flower, each of the others speaks of the bed
//! that lies that way: the same flower, another one, or nothing. A click puts the next flower into a bed. Levels add,
//! one after the other: a garden beside the first one that is right already; posts with a bed in common; larger beds;
//! a third flower, so that two posts that only deny tell more than one; vines, along which a click runs on to the
//! beds next to it; vines that run into each other. What it teaches is to read a goal from drawn clues, colours that
//! run in turn, and clicks on a neighbourhood.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Board, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Title, Verdict, View,
};

/// One level.
#[derive(Debug)]
struct Plan {
    /// Beds `0`, `1`, `2` by their flower, beds `p`, `q` of a garden that only shows how it is done, posts `a`, `b`, …,
    /// and what is no part of any garden: lawn `.`, tufts `,`, ponds `~` and fences `#`.
    garden: &'static str,
    /// The blocks of each post: the flower in the middle, `=` for the same, `x` for another, `.` for nothing.
    posts: &'static [&'static str],
    /// Beds with a vine: to the beds beside it `-`, above and below `|`, or all four `+`.
    vines: &'static str,
    /// How many flowers a bed goes through.
    flowers: u8,
    /// Logical pixels from one bed to the next.
    pitch: i16,
    /// Logical pixels a bed and a post are wide: three blocks.
    side: i16,
    season: Season,
}

/// The colours of a level.
#[derive(Debug)]
struct Season {
    lawn: Color,
    tuft: Color,
    soil: Color,
    flowers: [Color; 3],
}

const fn season(lawn: u8, tuft: u8, soil: u8, flowers: [u8; 3]) -> Season {
    let [first, second, third] = flowers;
    let flowers = [Color::of(first), Color::of(second), Color::of(third)];
    Season { lawn: Color::of(lawn), tuft: Color::of(tuft), soil: Color::of(soil), flowers }
}

const LEVELS: [Plan; 6] = [
    Plan {
        garden: "
            ,.....,
            pqp#011
            qaq#1c0
            ppq#.0.
            qbp#0d1
            qqp#101
            ,.....,
        ",
        posts: &["=x= x0x ==x", "xx= =1x =.x", "=x= =1x .x.", ".=. x0= ==x"],
        vines: "",
        flowers: 2,
        pitch: 8,
        side: 6,
        season: season(14, 11, 13, [8, 9, 6]),
    },
    Plan {
        garden: "
            ,..1..,
            ..1a1..
            .11001.
            0b1~1c0
            .01000.
            ..1d0..
            ,..1..,
        ",
        posts: &[".=. =0x ==x", ".=x x1x .=x", "xx. x0= ==.", "x.x x1. .x."],
        vines: "",
        flowers: 2,
        pitch: 9,
        side: 6,
        season: season(12, 13, 4, [11, 6, 8]),
    },
    Plan {
        garden: "
            ,1001.
            00a101
            0011b1
            1c0011
            101d10
            .1111,
        ",
        posts: &["x=x =1= =xx", "x== =0x =x=", ".x. =0= ==x", "xx= =1= =.x"],
        vines: "",
        flowers: 2,
        pitch: 10,
        side: 9,
        season: season(1, 10, 13, [9, 15, 8]),
    },
    Plan {
        garden: "
            ,.100.,
            .0a1b1.
            1212021
            2c0d1e0
            1112000
            .0f1g2.
            ,.022.,
        ",
        posts: &[
            ".=x =0x .x.",
            "xx. =1x xxx",
            "x=. x2= ==.",
            "x=x x0= xx=",
            "xx= x1x x=x",
            "=== x2. .x=",
            ".=x x0= xx.",
        ],
        vines: "",
        flowers: 3,
        pitch: 8,
        side: 6,
        season: season(14, 10, 4, [6, 11, 8]),
    },
    Plan {
        garden: "
            ,.121.,
            .1a0b0.
            021~022
            2c2~0d0
            020~011
            .1e2f2.
            ,.012.,
        ",
        posts: &[".=x =2x xx.", "x=. x0= .=x", "xx. =1= xx=", "x=x x1x xx=", "=x. x2x .xx", ".== =0x x=."],
        vines: "
            .......
            ...+...
            .......
            ..|....
            .......
            ...-...
            .......
        ",
        flowers: 3,
        pitch: 9,
        side: 6,
        season: season(10, 14, 13, [12, 15, 7]),
    },
    Plan {
        garden: "
            ,002120,
            12a20b10
            12200002
            1c0~~0d1
            1e2~~1f1
            01221210
            22g21h02
            ,101021,
        ",
        posts: &[
            "x== .0= x.x",
            "x=x x2x xxx",
            "x== =1x =.x",
            "==. x0x x.=",
            "x.= x2x x==",
            "..= .1x xxx",
            "=== =2. =x=",
            "=x= x0x x==",
        ],
        vines: "
            ........
            ........
            ..+.....
            ........
            ..|..|..
            .....+..
            ........
            ........
        ",
        flowers: 3,
        pitch: 8,
        side: 6,
        season: season(13, 12, 4, [10, 14, 7]),
    },
];

/// A bound for states from which no way leads on: more than any level takes.
const DEAD: u32 = 200;

const SAME: Color = Color::of(0);
const OTHER: Color = Color::of(5);
const WOOD: Color = Color::of(2);
const VINE: Color = Color::of(3);
/// The ground of a garden that only shows how it is done.
const GRAVEL: Color = Color::of(4);

/// Where the blades of a tuft grow and the waves of a pond begin, in logical pixels.
const TUFTS: [(i16, i16); 3] = [(1, 4), (3, 2), (5, 5)];
const WAVES: [(i16, i16); 3] = [(1, 1), (4, 3), (2, 5)];

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Garden {
    level: usize,
    /// The flowers that suit each bed, one bit a flower.
    suited: Map,
    vines: Map,
    /// Beds with their flowers, and all that never changes.
    beds: Board<u8>,
}

impl Garden {
    fn of(level: usize) -> Garden {
        let plan = &LEVELS[level];
        let beds = Board::clone(&Map::parse(plan.garden));
        Garden { level, suited: Map::from(suited(plan, &beds)), vines: Map::parse(plan.vines), beds }
    }

    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    /// Beds that a click changes.
    fn open(&self) -> impl Iterator<Item = Cell> {
        self.beds.iter().filter(|(_, glyph)| matches!(glyph, b'0'..=b'2')).map(|(cell, _)| cell)
    }

    /// Where the vine on a bed leads.
    fn vine(&self, bed: Cell) -> &'static [Dir] {
        match self.vines.get(bed) {
            Some(b'+') => &Dir::ALL,
            Some(b'-') => &[Dir::Right, Dir::Left],
            Some(b'|') => &[Dir::Up, Dir::Down],
            _ => &[],
        }
    }

    /// Puts the next flower into a bed, if it is one that changes.
    fn turn(&mut self, cell: Cell) {
        let flowers = self.plan().flowers;
        if let Some(glyph @ b'0'..=b'2') = self.beds.get_mut(cell) {
            *glyph = b'0' + (*glyph - b'0' + 1) % flowers;
        }
    }

    fn click(&mut self, bed: Cell, film: &mut Film<Self>) {
        self.turn(bed);
        let vine = self.vine(bed);
        if !vine.is_empty() {
            film.shoot(self);
        }
        for dir in vine {
            self.turn(bed + *dir);
        }
    }

    /// Turns until a bed suits all posts that speak of it, if any number is enough.
    fn missing(&self, bed: Cell, flower: u8) -> Option<u32> {
        let flowers = self.plan().flowers;
        let suits = |turns: &u8| self.suited[bed] >> ((flower + turns) % flowers) & 1 == 1;
        (0..flowers).find(suits).map(u32::from)
    }

    /// The turns missing at every bed that a click changes or that is only shown.
    fn turns(&self) -> impl Iterator<Item = (Cell, Option<u32>)> {
        self.beds.iter().filter_map(|(bed, glyph)| Some((bed, self.missing(bed, flower(*glyph)?))))
    }

    fn is_solved(&self) -> bool {
        self.turns().all(|(_, turns)| turns == Some(0))
    }

    /// The fewest clicks that solve the level, none of them on a vine.
    fn clicks_beside_vines(&self) -> Option<u32> {
        let clicks = |(bed, turns): (Cell, Option<u32>)| turns.filter(|turns| *turns == 0 || self.vine(bed).is_empty());
        self.turns().map(clicks).sum()
    }

    /// The fewest clicks that solve the level, where only these vines are clicked. The order of clicks never matters.
    fn clicks(&self, vines: &[Cell]) -> Option<u32> {
        let Some((vine, others)) = vines.split_first() else { return self.clicks_beside_vines() };
        let mut turned = self.clone();
        let with_turns = |turns: u8| {
            let clicks = turned.clicks(others).map(|clicks| clicks + u32::from(turns));
            turned.click(*vine, &mut Film::blank());
            clicks
        };
        (0..self.plan().flowers).filter_map(with_turns).min()
    }

    /// Logical pixels from the corner of a cell to that of its bed.
    fn margin(&self) -> i16 {
        (self.plan().pitch - self.plan().side) / 2
    }

    /// Soil under beds and posts, and what grows or stands beside them.
    fn draw_ground(&self, scene: &mut Scene) {
        let Plan { pitch, season, .. } = self.plan();
        for (cell, glyph) in self.beds.iter() {
            match glyph {
                b',' => TUFTS.into_iter().for_each(|at| scene.pixel(cell, at, season.tuft)),
                b'~' => WAVES.into_iter().for_each(|at| scene.rectangle(cell, at, (3, 1), season.tuft)),
                b'#' => scene.rectangle(cell, (pitch / 2 - 1, 1), (2, pitch - 1), WOOD),
                b'.' => {}
                _ => scene.rectangle(cell, (-1, -1), (pitch + 2, pitch + 2), self.soil(cell)),
            }
        }
    }

    /// Gravel in the columns of the garden that is only shown, up to its fence.
    fn soil(&self, cell: Cell) -> Color {
        let is_shown = self.beds.find(b'#').any(|fence| cell.x < fence.x);
        if is_shown { GRAVEL } else { self.plan().season.soil }
    }

    fn draw_bed(&self, scene: &mut Scene, bed: Cell, flower: u8) {
        let (side, block) = (self.plan().side, self.plan().side / 3);
        let margin = self.margin();
        scene.rectangle(bed, (margin, margin), (side, side), self.plan().season.flowers[usize::from(flower)]);
        for dir in self.vine(bed) {
            let (left, top, width, height) = match dir {
                Dir::Up => (block, 1, block, 1),
                Dir::Right => (side - 2, block, 1, block),
                Dir::Down => (block, side - 2, block, 1),
                Dir::Left => (1, block, 1, block),
            };
            scene.rectangle(bed, (margin + left, margin + top), (width, height), VINE);
        }
    }

    fn draw_post(&self, scene: &mut Scene, cell: Cell, post: &[u8]) {
        let block = self.plan().side / 3;
        for (place, glyph) in blocks(post) {
            let color = match glyph {
                b'=' => SAME,
                b'x' => OTHER,
                b'.' => WOOD,
                _ => self.plan().season.flowers[usize::from(glyph - b'0')],
            };
            let offset = (self.margin() + (place.x + 1) * block, self.margin() + (place.y + 1) * block);
            scene.rectangle(cell, offset, (block, block), color);
        }
    }
}

/// The flower of a bed; `None` for everything else.
fn flower(glyph: u8) -> Option<u8> {
    match glyph {
        b'0'..=b'2' => Some(glyph - b'0'),
        b'p' | b'q' => Some(glyph - b'p'),
        _ => None,
    }
}

/// The blocks of the post that a glyph stands for.
fn post(plan: &Plan, glyph: u8) -> Option<&'static [u8]> {
    let index = glyph.checked_sub(b'a')?;
    plan.posts.get(usize::from(index)).map(|post| post.as_bytes())
}

/// The blocks of a post, as seen from its middle.
fn blocks(post: &[u8]) -> impl Iterator<Item = (Cell, u8)> {
    let rows = post.split(|glyph| *glyph == b' ').zip(-1i16..);
    rows.flat_map(|(row, y)| row.iter().zip(-1i16..).map(move |(glyph, x)| (Cell::at(x, y), *glyph)))
}

/// The flowers that suit each cell, one bit a flower: all that no post excludes.
fn suited(plan: &Plan, beds: &Board<u8>) -> Board<u8> {
    let all = (1 << plan.flowers) - 1;
    let mut suited = Board::new(beds.width(), beds.height(), |_| all);
    for (at, post) in beds.iter().filter_map(|(cell, glyph)| Some((cell, post(plan, *glyph)?))) {
        let middle = blocks(post).find_map(|(_, glyph)| flower(glyph)).map_or(0, |flower| 1 << flower);
        for (place, glyph) in blocks(post) {
            let wanted = match glyph {
                b'=' => middle,
                b'x' => all & !middle,
                _ => all,
            };
            if let Some(flowers) = suited.get_mut(Cell::at(at.x + place.x, at.y + place.y)) {
                *flowers &= wanted;
            }
        }
    }
    suited
}

impl Title for Garden {
    const ABOUT: About = About {
        stem: "g837",
        title: "Garden",
        families: &[Family::Reference, Family::Glyphs, Family::ColorCycle, Family::Toggle, Family::LightsOut],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[5, 9, 11, 18, 19, 24],
        bar: Some(Bar {
            edge: Edge::Right,
            thickness: 1,
            full: Color::of(15),
            empty: Color::of(3),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Garden::of(index)
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        match input {
            Input::Click(cell) if self.open().any(|bed| bed == cell) => self.click(cell, film),
            _ => {}
        }
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(self.plan().season.lawn);
        self.draw_ground(scene);
        for (cell, glyph) in self.beds.iter() {
            if let Some(flower) = flower(*glyph) {
                self.draw_bed(scene, cell, flower);
            } else if let Some(post) = post(self.plan(), *glyph) {
                self.draw_post(scene, cell, post);
            }
        }
    }

    fn view(&self) -> View {
        View::of(self.beds.width(), self.beds.height(), self.plan().pitch).framed(self.plan().season.lawn)
    }

    fn inputs(&self) -> Vec<Input> {
        self.open().map(Input::Click).collect()
    }

    /// The cheapest clicks on vines together with those that then remain.
    fn bound(&self) -> u32 {
        let vines: Vec<Cell> = self.open().filter(|bed| !self.vine(*bed).is_empty()).collect();
        self.clicks(&vines).unwrap_or(DEAD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(garden: &Garden) -> Vec<Cell> {
        garden.turns().filter(|(_, turns)| *turns != Some(0)).map(|(bed, _)| bed).collect()
    }

    #[test]
    fn posts_agree_and_speak_of_beds_alone() {
        for (level, plan) in LEVELS.iter().enumerate() {
            let garden = Garden::of(level);
            assert!(garden.suited.tiles().iter().all(|flowers| *flowers != 0), "posts of level {level} contradict");
            let posts = garden.beds.iter().filter_map(|(cell, glyph)| Some((cell, post(plan, *glyph)?)));
            for (at, post) in posts {
                let spoken = blocks(post).filter(|(_, glyph)| matches!(glyph, b'=' | b'x'));
                let mut places = spoken.map(|(place, _)| Cell::at(at.x + place.x, at.y + place.y));
                assert!(places.all(|bed| garden.beds.get(bed).and_then(|glyph| flower(*glyph)).is_some()));
            }
        }
    }

    #[test]
    fn the_garden_that_is_shown_is_right_and_stays() {
        let mut garden = Garden::of(0);
        assert!(wrong(&garden).iter().all(|bed| bed.x > 3));
        assert_eq!(wrong(&garden).len(), 5);
        garden.act(Input::Click(Cell::at(0, 1)), &mut Film::blank());
        assert_eq!(garden, Garden::of(0));
    }

    #[test]
    fn two_posts_that_deny_leave_the_third_flower() {
        let garden = Garden::of(3);
        let bits = |x, y| garden.suited[Cell::at(x, y)];
        assert_eq!([bits(3, 0), bits(3, 1), bits(2, 2)], [0b100, 0b010, 0b110]);
    }

    #[test]
    fn a_click_runs_along_a_vine_and_comes_back_after_as_many_as_there_are_flowers() {
        let mut garden = Garden::of(4);
        let vine = Cell::at(2, 3);
        let mut click = || {
            garden.click(vine, &mut Film::blank());
            [Cell::at(2, 2), vine, Cell::at(2, 4), Cell::at(3, 3)].map(|bed| char::from(garden.beds[bed]))
        };
        assert_eq!(click(), ['2', '0', '1', '~']);
        click();
        click();
        assert_eq!(garden, Garden::of(4));
    }
}
