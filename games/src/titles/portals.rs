//! Portals: who steps into a ring comes out of another one; the spark must get to the star, and crates to the frames.
//!
//! The heart of a ring has the colour of the ring it leads to. Levels add, one after the other: several pairs; rings
//! without a heart, which only let out; three rings that lead elsewhere after each use; crates that are pushed through;
//! crates and rings that change together.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` wall, `@` the spark, `*` the star, `O` crate, `o` its frame; rings: `a` to `d` in pairs, `i` leads to `j`,
/// and `1` to `3` lead to each other in turn.
const LEVELS: [&str; 6] = [
    "
    #########
    #@..#...#
    #...#.*.#
    #..a#a..#
    #########
    ",
    "
    ###########
    #..a#b..#a#
    #...#...#.#
    #.b.#..c#.#
    #####...#.#
    #c..#####.#
    #...#..@#d#
    #.*.#d..#.#
    ###########
    ",
    "
    ############
    #..*#a..#b.#
    #...#...#..#
    #j..#...#..#
    #####..b#..#
    #c..######.#
    #...#a..#..#
    #..i#.c.#@.#
    ############
    ",
    "
    ############
    #..b#b..#..#
    #...#...#..#
    #3..#...#..#
    ######1#####
    #..2#...#a.#
    #...#...#..#
    #@..#a..#.*#
    ############
    ",
    "
    ###########
    #...#.....#
    #O..#*...b#
    #b..#.a..o#
    #...#..o..#
    #..O#######
    #..a#######
    #.@.#######
    #...#######
    ###########
    ",
    "
    ############
    #....#....1#
    #b.O.#.....#
    #.2..#..a..#
    #@...#.*...#
    ######..####
    #....#.....#
    #Ob..#.....#
    #ao..#..o.3#
    ############
    ",
];

const FLOOR: Color = Color::of(0);
const WALL: Color = Color::of(4);

const RING: Sprite = Sprite::of(&[".###.", "#...#", "#...#", "#...#", ".###."]);
const HEART: Sprite = Sprite::of(&[".....", ".###.", ".###.", ".###.", "....."]);
const SPARK: Sprite = Sprite::of(&["..5..", ".555.", "55b55", ".555.", "..5.."]);
const STAR: Sprite = Sprite::of(&["b.b.b", ".bbb.", "bb.bb", ".bbb.", "b.b.b"]);
const CRATE: Sprite = Sprite::of(&["ddddd", "dcccd", "dcdcd", "dcccd", "ddddd"]);
const FRAME: Sprite = Sprite::of(&["dd.dd", "d...d", ".....", "d...d", "dd.dd"]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Maze {
    map: Map,
    spark: Cell,
    /// In the order of their cells.
    crates: Vec<Cell>,
    /// How far ahead the numbered rings lead: 1 or 2 places.
    turn: u8,
}

impl Maze {
    fn parse(text: &str) -> Maze {
        let map = Map::parse(text);
        Maze { spark: map.the(b'@'), crates: map.find(b'O').collect(), turn: 1, map }
    }

    /// Where a ring leads; nothing else leads anywhere.
    fn exit(&self, ring: Cell) -> Option<Cell> {
        match self.map.glyph(ring) {
            b'i' => Some(self.map.the(b'j')),
            pair @ b'a'..=b'd' => self.map.find(pair).find(|cell| *cell != ring),
            number @ b'1'..=b'3' => Some(self.map.the(b'1' + (number - b'1' + self.turn) % 3)),
            _ => None,
        }
    }

    fn is_free(&self, cell: Cell) -> bool {
        self.map.glyph(cell) != b'#' && !self.crates.contains(&cell)
    }

    /// Numbered rings lead to the other one after each use.
    fn count_use(&mut self, ring: Cell) {
        if self.map.glyph(ring).is_ascii_digit() {
            self.turn = 3 - self.turn;
        }
    }

    /// Pushes a crate on by one cell and through the ring there; false if it does not give way.
    fn push(&mut self, index: usize, dir: Dir, film: &mut Film<Self>) -> bool {
        let here = self.crates[index];
        let ahead = here + dir;
        let exit = self.exit(ahead).filter(|exit| self.is_free(*exit));
        if !self.is_free(ahead) {
            return false;
        }
        self.crates[index] = ahead;
        if let Some(exit) = exit {
            film.shoot(self);
            self.crates[index] = exit;
            self.count_use(ahead);
        }
        self.crates.sort_unstable();
        true
    }

    /// Goes to a cell and through the ring there, unless a crate lies on its exit.
    fn walk(&mut self, ahead: Cell, film: &mut Film<Self>) {
        self.spark = ahead;
        if let Some(exit) = self.exit(ahead).filter(|exit| self.is_free(*exit)) {
            film.shoot(self);
            self.spark = exit;
            self.count_use(ahead);
        }
    }

    fn is_solved(&self) -> bool {
        let crates_are_home = self.map.find(b'o').all(|frame| self.crates.contains(&frame));
        crates_are_home && self.map.glyph(self.spark) == b'*'
    }
}

/// The colour of a ring.
fn color(ring: u8) -> Option<Color> {
    Some(match ring {
        b'a' => Color::of(9),
        b'b' => Color::of(14),
        b'c' => Color::of(6),
        b'd' => Color::of(12),
        b'i' | b'j' => Color::of(15),
        b'1' => Color::of(8),
        b'2' => Color::of(10),
        b'3' => Color::of(13),
        _ => return None,
    })
}

impl Title for Maze {
    const ABOUT: About = About {
        stem: "p642",
        title: "Portals",
        families: &[Family::Walls, Family::Teleport, Family::Push, Family::Parity],
        controls: ARROWS,
        optimal: &[6, 18, 23, 21, 40, 47],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(8),
            empty: Color::of(2),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Maze::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        let ahead = self.spark + dir;
        let gives_way = match self.crates.iter().position(|it| *it == ahead) {
            Some(index) => self.push(index, dir, film),
            None => self.is_free(ahead),
        };
        if gives_way && self.is_free(ahead) {
            self.walk(ahead, film);
        }
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(FLOOR);
        for (cell, &glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.cell(cell, WALL),
                b'*' => scene.sprite(cell, STAR),
                b'o' => scene.sprite(cell, FRAME),
                _ => {}
            }
            if let Some(rim) = color(glyph) {
                scene.sprite(cell, RING.tinted(rim));
            }
            if let Some(heart) = self.exit(cell).and_then(|exit| color(self.map.glyph(exit))) {
                scene.sprite(cell, HEART.tinted(heart));
            }
        }
        scene.layer(1);
        for it in &self.crates {
            scene.sprite(*it, CRATE);
        }
        scene.sprite(self.spark, SPARK);
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 5).framed(WALL)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::prove;

    /// Walks right so many times.
    fn walk(text: &str, steps: usize) -> Maze {
        let mut maze = Maze::parse(text);
        for _ in 0..steps {
            maze.act(Input::Move(Dir::Right), &mut Film::blank());
        }
        maze
    }

    #[test]
    fn a_ring_leads_to_its_partner_and_the_way_in_is_shown() {
        assert_eq!(walk("@a#a.*", 2).spark.x, 4);
        let mut film = Film::loaded();
        Maze::parse("@a#a.*").act(Input::Move(Dir::Right), &mut film);
        assert_eq!(film.shots()[0].spark.x, 1);
    }

    #[test]
    fn a_ring_without_a_heart_leads_nowhere() {
        assert_eq!(walk("@j.#i*", 2).spark.x, 2);
        assert_eq!(walk("@i.#j*", 1).spark.x, 4);
    }

    #[test]
    fn numbered_rings_lead_elsewhere_after_each_use() {
        let mut maze = walk("@1#2.#3*", 1);
        assert_eq!((maze.spark.x, maze.turn), (3, 2));
        maze.spark = Cell::at(0, 0);
        maze.act(Input::Move(Dir::Right), &mut Film::blank());
        assert_eq!((maze.spark.x, maze.turn), (6, 1));
    }

    #[test]
    fn a_crate_goes_through_a_ring_unless_its_exit_is_taken() {
        assert_eq!(walk("@Oa.#a.*", 1).crates, [Cell::at(5, 0)]);
        let mut maze = Maze::parse("@Oa.#a.*");
        maze.crates.push(Cell::at(5, 0));
        maze.act(Input::Move(Dir::Right), &mut Film::blank());
        assert_eq!(maze.crates, [Cell::at(2, 0), Cell::at(5, 0)]);
    }

    #[test]
    fn no_kind_of_ring_can_be_spared() {
        let is_lost = |text: &str, glyphs: &[char]| prove(&Maze::parse(&text.replace(glyphs, "."))).is_err();
        assert!(is_lost(LEVELS[1], &['a']) && is_lost(LEVELS[1], &['d']));
        assert!(is_lost(LEVELS[2], &['i', 'j']) && is_lost(LEVELS[3], &['1', '2', '3']));
        assert!(is_lost(LEVELS[4], &['a']) && is_lost(LEVELS[4], &['b']));
        assert!(is_lost(LEVELS[5], &['a']) && is_lost(LEVELS[5], &['1', '2', '3']));
    }
}
