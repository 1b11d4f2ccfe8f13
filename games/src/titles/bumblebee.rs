//! Bumblebee: a heavy flier that keeps its speed on its way home to the hive.
//!
//! An arrow adds one cell a turn to the speed that way, to at most two a turn along a row and two along a column, and then
//! the bee flies on by its speed, as it does with every turn. Dots behind it tell how fast it is. A hedge stops it dead:
//! it stays before the hedge, and the speed towards that is gone. All else matters only where a turn ends, since it flies
//! over what lies on the way. In the end it has to be on the hive. Levels add, one after the other: hedges; flowers,
//! and a gate that opens once all of them were visited; sundews, which eat it; stones, on which it comes to rest;
//! all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` hedges, `@` the bee, `H` the hive, `o` flowers, `+` the gate, `%` sundews, `*` stones to rest on.
const LEVELS: [&str; 6] = [
    "
    ##########
    #........#
    #........#
    #........#
    #@.....H.#
    #........#
    #........#
    #........#
    #........#
    ##########
    ",
    "
    ############
    #@..#......#
    #...#......#
    #...#..H...#
    #...#......#
    #...#..#####
    #...#......#
    #...#......#
    #...####...#
    #..........#
    #..........#
    ############
    ",
    "
    ############
    #......#...#
    #..o...#.H.#
    #......#...#
    #......##+##
    #..........#
    #..........#
    #####......#
    #..........#
    #.@......o.#
    #..........#
    ############
    ",
    "
    ############
    #....%.....#
    #..o.......#
    #..........#
    #...%......#
    #%...@%...##
    #...%......#
    #.%.....o..#
    #.o.%..%...#
    #######+####
    #.......%.H#
    ############
    ",
    "
    ############
    #@*....%...#
    #...#%%....#
    #.%.#o.....#
    #...#.....*#
    #..o#...o..#
    #...#......#
    #...%......#
    #..*...###+#
    #......#...#
    #%..%..#.H.#
    ############
    ",
    "
    ############
    #..o#.%....#
    #..%#o.....#
    #...#%.....#
    #..%.......#
    #.....%%...#
    #%....##...#
    #@....##+###
    #....o#....#
    #....*#.*..#
    #.....#...H#
    ############
    ",
];

/// Cells a turn along a row or a column, at most.
const FASTEST: i16 = 2;

const GRASS: Color = Color::of(14);
const HEDGE: Color = Color::of(4);
const DOT: Color = Color::of(0);

const LEAVES: Sprite = Sprite::of(&["44444", "43444", "44434", "34444", "44344"]);
const BEE: Sprite = Sprite::of(&[".0.0.", ".0.0.", "b5b5b", "b5b5b", ".b5b."]);
const HIVE: Sprite = Sprite::of(&[".ccc.", "ddddd", "cc5cc", "ddddd", "ccccc"]);
const FLOWER: Sprite = Sprite::of(&[".7.7.", "77777", ".7b7.", "77777", ".7.7."]);
const GATE: Sprite = Sprite::of(&["0.0.0", "00000", "0.0.0", "00000", "0.0.0"]);
const SUNDEW: Sprite = Sprite::of(&["8...8", ".8.8.", "..d..", ".8.8.", "8...8"]);
const EATEN: Sprite = Sprite::of(&[".888.", "8bbb8", "8b5b8", "8bbb8", ".888."]);
const STONE: Sprite = Sprite::of(&[".111.", "11111", "11211", "11111", ".111."]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bee {
    map: Map,
    at: Cell,
    /// Cells a turn, along rows and along columns.
    speed: (i16, i16),
    /// Flowers that were visited, in the order of their cells.
    visited: Vec<Cell>,
}

impl Bee {
    fn parse(text: &str) -> Bee {
        let map = Map::parse(text);
        Bee { at: map.the(b'@'), speed: (0, 0), visited: Vec::new(), map }
    }

    fn is_gate_open(&self) -> bool {
        self.visited.len() == self.map.find(b'o').count()
    }

    fn is_free(&self, cell: Cell) -> bool {
        match self.map.glyph(cell) {
            b'#' => false,
            b'+' => self.is_gate_open(),
            _ => true,
        }
    }

    fn speed_up(&mut self, dir: Dir) {
        let (dx, dy) = dir.delta();
        let add = |speed: i16, more: i16| (speed + more).clamp(-FASTEST, FASTEST);
        self.speed = (add(self.speed.0, dx), add(self.speed.1, dy));
    }

    /// Flies on by the speed, at most one cell along each axis at a time.
    fn fly(&mut self, film: &mut Film<Self>) {
        for done in 0..FASTEST {
            let part = |speed: i16| if speed.abs() > done { speed.signum() } else { 0 };
            let (dx, dy) = (part(self.speed.0), part(self.speed.1));
            if (dx, dy) == (0, 0) {
                return;
            }
            if done > 0 {
                film.shoot(self);
            }
            self.advance(dx, dy);
        }
    }

    /// Flies to a neighbouring cell, or along a hedge that is in the way, or not at all.
    fn advance(&mut self, dx: i16, dy: i16) {
        let Cell { x, y } = self.at;
        let ahead = [Cell::at(x + dx, y + dy), Cell::at(x + dx, y), Cell::at(x, y + dy)];
        let [through, along_row, along_column] = ahead.map(|cell| cell != self.at && self.is_free(cell));
        if through {
            self.at = ahead[0];
        } else if along_row && !along_column {
            (self.at, self.speed.1) = (ahead[1], 0);
        } else if along_column && !along_row {
            (self.at, self.speed.0) = (ahead[2], 0);
        } else {
            let stop = |speed: i16, step: i16| if step == 0 { speed } else { 0 };
            self.speed = (stop(self.speed.0, dx), stop(self.speed.1, dy));
        }
    }

    /// What comes of the place where a turn has ended.
    fn land(&mut self) -> Verdict {
        match self.map.glyph(self.at) {
            b'%' => return Verdict::Lost,
            b'H' if self.is_gate_open() => return Verdict::Solved,
            b'*' => self.speed = (0, 0),
            b'o' if !self.visited.contains(&self.at) => {
                self.visited.push(self.at);
                self.visited.sort_unstable();
            }
            _ => {}
        }
        Verdict::Playing
    }

    /// The dots lie where the bee came from, as many as its speed has cells.
    fn draw_dots(&self, scene: &mut Scene, tile: i16) {
        let (vx, vy) = self.speed;
        for dot in (1..=FASTEST).filter(|_| self.speed != (0, 0)) {
            let back = |speed: i16| tile / 2 - tile * speed * dot / FASTEST;
            scene.pixel(self.at, (back(vx), back(vy)), DOT);
        }
    }
}

impl Title for Bee {
    const ABOUT: About = About {
        stem: "b581",
        title: "Bumblebee",
        families: &[Family::Walls, Family::Counter, Family::KeyDoor],
        controls: ARROWS,
        optimal: &[4, 13, 17, 20, 20, 24],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 2,
            full: Color::of(11),
            empty: Color::of(5),
            drain: Drain::Effective,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Bee::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        self.speed_up(dir);
        self.fly(film);
        self.land()
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(GRASS);
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.sprite(cell, LEAVES),
                b'H' => scene.sprite(cell, HIVE),
                b'o' if !self.visited.contains(&cell) => scene.sprite(cell, FLOWER),
                b'+' if !self.is_gate_open() => scene.sprite(cell, GATE),
                b'%' => scene.sprite(cell, SUNDEW),
                b'*' => scene.sprite(cell, STONE),
                _ => {}
            }
        }
        scene.layer(1);
        self.draw_dots(scene, self.view().tile);
        let is_eaten = self.map.glyph(self.at) == b'%';
        scene.sprite(self.at, if is_eaten { EATEN } else { BEE });
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 5).framed(HEDGE)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::prove;

    /// Where the bee is after these keys, its speed, and what the last of them led to.
    fn after(text: &str, dirs: &[Dir]) -> ((i16, i16), (i16, i16), Verdict) {
        let mut bee = Bee::parse(text);
        let verdict = dirs.iter().map(|dir| bee.act(Input::Move(*dir), &mut Film::blank())).last();
        ((bee.at.x, bee.at.y), bee.speed, verdict.unwrap())
    }

    #[test]
    fn speed_stays_and_has_an_end() {
        use Dir::{Down, Left, Right};
        let meadow = "@.......\n........\n........\n........";
        assert_eq!(after(meadow, &[Right]), ((1, 0), (1, 0), Verdict::Playing));
        assert_eq!(after(meadow, &[Right, Right, Right]), ((5, 0), (2, 0), Verdict::Playing));
        assert_eq!(after(meadow, &[Right, Right, Down]), ((5, 1), (2, 1), Verdict::Playing));
        assert_eq!(after(meadow, &[Right, Right, Left, Left]), ((4, 0), (0, 0), Verdict::Playing));
    }

    #[test]
    fn a_hedge_takes_the_speed_towards_it_alone() {
        use Dir::{Down, Right};
        assert_eq!(after("@.#", &[Right, Right]), ((1, 0), (0, 0), Verdict::Playing));
        assert_eq!(after("@#.\n...\n...", &[Down, Right, Down]), ((2, 2), (1, 0), Verdict::Playing));
        assert_eq!(after("@.....\n######", &[Right, Down]), ((2, 0), (1, 0), Verdict::Playing));
        assert_eq!(after("@..\n..#\n...", &[Right, Down]), ((1, 0), (0, 0), Verdict::Playing), "the corner of a hedge");
    }

    #[test]
    fn it_flies_over_what_lies_on_the_way() {
        use Dir::{Left, Right};
        assert_eq!(after("@.%.", &[Right, Right]), ((3, 0), (2, 0), Verdict::Playing));
        assert_eq!(after("@..%", &[Right, Right]).2, Verdict::Lost);
        assert_eq!(after("@.H..", &[Right, Right]).2, Verdict::Playing);
        assert_eq!(after("@...H.", &[Right, Right, Left]).2, Verdict::Solved);
        assert_eq!(after("@..*", &[Right, Right]).1, (0, 0));
        assert_eq!(after("@o+H", &[Right, Right]).2, Verdict::Solved);
        assert_eq!(after("@.+H.o", &[Right, Right]), ((1, 0), (0, 0), Verdict::Playing));
    }

    #[test]
    fn what_levels_add_matters() {
        let optimal = |text: &str| prove(&Bee::parse(text)).map_or(0, |proof| proof.optimal());
        let without = |level: usize, glyph: &str| optimal(&LEVELS[level].replace(glyph, "."));
        let written = Bee::ABOUT.optimal;
        assert!(without(1, "#") < written[1], "hedges force a detour");
        assert!(without(2, "o") < written[2], "flowers force a detour");
        for level in [3, 4, 5] {
            assert!(without(level, "%") < written[level], "sundews force a detour");
        }
        for level in [4, 5] {
            assert!(without(level, "*") > written[level], "stones help");
        }
    }
}
