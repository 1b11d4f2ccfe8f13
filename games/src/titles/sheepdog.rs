//! Sheepdog: a dog drives its sheep into the fold, brings in the lambs that come after it, and is hunted by a fox.
//!
//! Nobody is moved but the dog; all others heed where it is. A sheep shies straight away from a dog that is near in its row or
//! column. A lamb comes after the dog, or after a sheep that is nearer. The fox comes after the dog with every second action, and
//! whomever it touches is lost. They all act after each action, also when the dog stays where it is since a wall is in its way; who
//! stands in the fold of its kind stays there. Levels add, one after the other: a second sheep; a lamb, and walls that it does not
//! understand; the fox; a sheep and a lamb together; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` walls, `@` the dog, `s` sheep, `l` lambs, `f` the fox, `S` and `L` the folds of sheep and of lambs.
const LEVELS: [&str; 6] = [
    "
    ############
    #..........#
    #.........S#
    #..s......S#
    #.........S#
    #.@........#
    ############
    ",
    "
    ############
    #..........#
    #.@s.......#
    #..........#
    #...s......#
    #..........#
    #..........#
    #....SSS...#
    ############
    ",
    "
    ############
    #....#...@.#
    #....#.....#
    #.##....#..#
    #..#....#..#
    #.l#.####..#
    #..........#
    #.###..##..#
    #L..#......#
    ############
    ",
    "
    ############
    #....##....#
    #........@.#
    #..#....#..#
    #.s........#
    #..#....#..#
    #..........#
    #....##....#
    #.f.SSSS...#
    ############
    ",
    "
    ############
    #..........#
    #..#..#..#.#
    #...s......#
    #.#..#..#..#
    #..........#
    #@.#..#..#.#
    #..........#
    #SS..l...LL#
    ############
    ",
    "
    ############
    #..........#
    #.#......#.#
    #.#..l...#.#
    #...f......#
    #S..####s.L#
    #S.......@L#
    #..s.......#
    #.###..###.#
    #..........#
    ############
    ",
];

const MEADOW: Color = Color::of(14);
const MORTAR: Color = Color::of(3);
const DANDELION: Color = Color::of(11);
const FLEECE: Color = Color::of(0);
const DOWN: Color = Color::of(7);

const WALL: Sprite = Sprite::of(&["22322", "22322", "33333", "32222", "33333"]);
const FOLD: Sprite = Sprite::of(&[".....", ".###.", ".#.#.", ".###.", "....."]);
const DOG: Sprite = Sprite::of(&["5...5", "55555", "5a5a5", "55055", ".000."]);
const SHEEP: Sprite = Sprite::of(&[".##..", "####5", "####5", "####.", "5..5."]);
const LAMB: Sprite = Sprite::of(&[".....", "..#5.", "###5.", "###..", "5.5.."]);
const FOX: Sprite = Sprite::of(&["c...c", "ccccc", "c5c5c", ".c0c.", "..5.."]);
const RESTING_FOX: Sprite = Sprite::of(&[".....", "c...c", "ccccc", "ccccc", ".c0c."]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Flock {
    map: Map,
    dog: Cell,
    /// Like the lambs row after row, so that it does not count which of them is where.
    sheep: Vec<Cell>,
    lambs: Vec<Cell>,
    fox: Option<Fox>,
}

/// It rests every second action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Fox {
    cell: Cell,
    rests: bool,
}

/// The steps that lead nearer to a goal: first the one along the longer distance, and the one along the row if both are as long.
fn nearer(from: Cell, goal: Cell) -> impl Iterator<Item = Dir> {
    let (dx, dy) = (goal.x - from.x, goal.y - from.y);
    let across = (dx != 0).then_some(if dx > 0 { Dir::Right } else { Dir::Left });
    let along = (dy != 0).then_some(if dy > 0 { Dir::Down } else { Dir::Up });
    let steps = if dx.abs() >= dy.abs() { [across, along] } else { [along, across] };
    steps.into_iter().flatten()
}

impl Flock {
    fn parse(text: &str) -> Flock {
        let map = Map::parse(text);
        let all = |glyph| map.find(glyph).collect();
        let (sheep, lambs): (Vec<Cell>, Vec<Cell>) = (all(b's'), all(b'l'));
        let fox = map.find(b'f').next().map(|cell| Fox { cell, rests: true });
        Flock { dog: map.the(b'@'), sheep, lambs, fox, map }
    }

    /// Whether it is a cell of the fold of that kind.
    fn is_in(&self, kind: u8, cell: Cell) -> bool {
        self.map.glyph(cell) == kind
    }

    /// The sheep and the lambs that are not in yet.
    fn astray(&self) -> impl Iterator<Item = Cell> {
        let sheep = self.sheep.iter().filter(|it| !self.is_in(b'S', **it));
        sheep.chain(self.lambs.iter().filter(|it| !self.is_in(b'L', **it))).copied()
    }

    /// Whether there is neither a wall nor anybody of the flock.
    fn is_open(&self, cell: Cell) -> bool {
        self.map.glyph(cell) != b'#' && !self.sheep.contains(&cell) && !self.lambs.contains(&cell)
    }

    /// Whether a sheep or a lamb may step there.
    fn is_free(&self, cell: Cell) -> bool {
        self.is_open(cell) && cell != self.dog && self.fox.is_none_or(|fox| fox.cell != cell)
    }

    /// Where a sheep goes: straight away from a dog that is beside it, or that it sees one cell farther.
    fn shied(&self, sheep: Cell) -> Cell {
        let is_near = |way: &Dir| {
            let beside = sheep + way.opposite();
            beside == self.dog || self.is_free(beside) && beside + way.opposite() == self.dog
        };
        let away = Dir::ALL.into_iter().find(is_near).map(|way| sheep + way);
        away.filter(|it| self.is_free(*it)).unwrap_or(sheep)
    }

    /// Where a lamb goes: after the dog, or a sheep that is astray and nearer.
    fn followed(&self, lamb: Cell) -> Cell {
        let astray = self.sheep.iter().copied().filter(|it| !self.is_in(b'S', *it));
        // Of those that are as near, the dog comes first.
        let goal = std::iter::once(self.dog).chain(astray).min_by_key(|it| lamb.distance(*it)).unwrap_or(self.dog);
        nearer(lamb, goal).map(|way| lamb + way).find(|it| self.is_free(*it)).unwrap_or(lamb)
    }

    /// Where the fox goes: after the dog, through whoever is astray; who is in a fold is out of its reach.
    fn hunted(&self, fox: Cell) -> Cell {
        let is_prey = |cell: Cell| self.is_open(cell) || self.astray().any(|it| it == cell);
        nearer(fox, self.dog).map(|way| fox + way).find(|it| is_prey(*it)).unwrap_or(fox)
    }

    /// The sheep act first, then the lambs, then the fox.
    fn heed(&mut self) {
        for index in 0..self.sheep.len() {
            let sheep = self.sheep[index];
            self.sheep[index] = if self.is_in(b'S', sheep) { sheep } else { self.shied(sheep) };
        }
        for index in 0..self.lambs.len() {
            let lamb = self.lambs[index];
            self.lambs[index] = if self.is_in(b'L', lamb) { lamb } else { self.followed(lamb) };
        }
        self.fox = self
            .fox
            .map(|Fox { cell, rests }| Fox { cell: if rests { cell } else { self.hunted(cell) }, rests: !rests });
    }

    /// Whether the fox has got somebody.
    fn is_caught(&self) -> bool {
        self.fox.is_some_and(|fox| fox.cell == self.dog || self.astray().any(|it| it == fox.cell))
    }
}

impl Title for Flock {
    const ABOUT: About = About {
        stem: "s847",
        title: "Sheepdog",
        families: &[Family::Walls, Family::Push, Family::Slots],
        controls: ARROWS,
        optimal: &[8, 16, 22, 18, 26, 30],
        bar: Some(Bar { edge: Edge::Top, thickness: 2, full: Color::of(10), empty: Color::of(4), drain: Drain::Every }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Flock::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        let Input::Move(way) = input else { return Verdict::Playing };
        if self.is_open(self.dog + way) {
            self.dog = self.dog + way;
        }
        let runs_into_fox = self.is_caught();
        if !runs_into_fox {
            self.heed();
        }
        match (runs_into_fox || self.is_caught(), self.astray().next()) {
            (true, _) => Verdict::Lost,
            (false, None) => Verdict::Solved,
            (false, Some(_)) => Verdict::Playing,
        }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(MEADOW);
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.sprite(cell, WALL),
                b'S' => scene.sprite(cell, FOLD.tinted(FLEECE)),
                b'L' => scene.sprite(cell, FOLD.tinted(DOWN)),
                _ if (3 * cell.x + 5 * cell.y) % 11 == 4 => scene.pixel(cell, (1, 3), DANDELION),
                _ => {}
            }
        }
        scene.layer(1);
        self.sheep.iter().for_each(|it| scene.sprite(*it, SHEEP.tinted(FLEECE)));
        self.lambs.iter().for_each(|it| scene.sprite(*it, LAMB.tinted(DOWN)));
        scene.sprite(self.dog, DOG);
        if let Some(fox) = self.fox {
            scene.sprite(fox.cell, if fox.rests { RESTING_FOX } else { FOX });
        }
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 5).framed(MORTAR)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }

    /// With an action everybody steps one cell at most, so that the one farthest from its fold counts.
    fn bound(&self) -> u32 {
        let way = |from: &Cell, fold| self.map.find(fold).map(|it| it.distance(*from)).min().unwrap_or(0);
        let (sheep, lambs) = (self.sheep.iter().map(|it| way(it, b'S')), self.lambs.iter().map(|it| way(it, b'L')));
        sheep.chain(lambs).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::prove;

    const UP: Input = Input::Move(Dir::Up);
    const RIGHT: Input = Input::Move(Dir::Right);
    const LEFT: Input = Input::Move(Dir::Left);

    fn play(text: &str, inputs: &[Input]) -> (Flock, Verdict) {
        let mut flock = Flock::parse(text);
        let verdicts: Vec<Verdict> = inputs.iter().map(|input| flock.act(*input, &mut Film::blank())).collect();
        (flock, verdicts[verdicts.len() - 1])
    }

    #[test]
    fn a_sheep_shies_straight_away_from_a_dog_that_is_near() {
        let sheep = |text, input| play(text, &[input]).0.sheep[0];
        assert_eq!(sheep("@...s..S", RIGHT), Cell::at(4, 0), "two cells are between");
        assert_eq!(sheep("@..s...S", RIGHT), Cell::at(4, 0));
        assert_eq!(sheep("@s.....S", LEFT), Cell::at(2, 0), "the dog need not step for that");
        assert_eq!(sheep("@.s#...S", RIGHT), Cell::at(2, 0), "a wall is in its way");
        assert_eq!(sheep(".@#s...S", RIGHT), Cell::at(3, 0), "it does not see the dog");
        assert_eq!(sheep("...s..\n.@...S", RIGHT), Cell::at(3, 0), "aslant is not near");
    }

    #[test]
    fn who_is_in_the_fold_stays_there() {
        let (flock, verdict) = play("s.....S\n@.sS...", &[RIGHT, LEFT, RIGHT, RIGHT]);
        assert_eq!((flock.sheep[1], verdict), (Cell::at(3, 1), Verdict::Playing));
        assert_eq!(play("@.sS", &[RIGHT]).1, Verdict::Solved);
        assert_eq!(play("@.sL.S", &[RIGHT]).1, Verdict::Playing, "it is the fold of the lambs");
    }

    #[test]
    fn a_lamb_comes_after_the_dog_or_a_sheep_that_is_nearer() {
        let lamb = |text| play(text, &[RIGHT]).0.lambs[0];
        assert_eq!(lamb("l..@.L"), Cell::at(1, 0));
        assert_eq!(lamb("@....#\n......\n......\n.l...L"), Cell::at(1, 2), "along the longer distance");
        assert_eq!(lamb("@....#\n......\n.##...\n.l...L"), Cell::at(1, 3), "a wall is in its way");
        assert_eq!(lamb("@.....\n......\n......\n.l...L\n......\n.s...S"), Cell::at(1, 4), "its mother is nearer");
    }

    #[test]
    fn the_fox_comes_with_every_second_action() {
        let fox = |actions: usize| play("f....@.s..S", &vec![LEFT; actions]).0.fox.map(|it| it.cell.x);
        assert_eq!([1, 2, 3].map(fox), [Some(0), Some(1), Some(1)]);
        let verdict = |actions: usize| play("f....@.s..S", &vec![LEFT; actions]).1;
        assert_eq!([2, 3].map(verdict), [Verdict::Playing, Verdict::Playing]);
        assert_eq!(verdict(4), Verdict::Lost, "the dog runs into it, or it into the dog");
    }

    #[test]
    fn the_fox_gets_who_is_astray_but_not_who_is_in_a_fold() {
        let astray = "#f.#\n.s..\n....\n....\n@..S";
        assert_eq!(play(astray, &[UP, UP]).1, Verdict::Lost);
        let (flock, verdict) = play("f.lL@....#s.S", &[RIGHT; 8]);
        assert_eq!((flock.fox.map(|it| it.cell.x), verdict), (Some(2), Verdict::Playing), "the lamb bars its way");
    }

    #[test]
    fn the_fox_costs_actions() {
        for text in LEVELS.into_iter().filter(|it| it.contains('f')) {
            let flock = Flock::parse(text);
            let safe = Flock { fox: None, ..flock.clone() };
            let actions = |it: &Flock| prove(it).expect("it can be solved").optimal();
            assert!(actions(&safe) < actions(&flock), "{text}");
        }
    }
}
