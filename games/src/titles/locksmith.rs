//! Locksmith: keys open doors of their colour, a hand holds one key at a time, and the green star is the way out.
//!
//! Who holds a key and steps on another one leaves the first in its place. Levels add, one after the other: several
//! colours; keys that are no good for anything; thin keys, which break when they have opened one lock; a world larger
//! than the view; locked chests, which keep the key that opens them and give out another.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` wall, `@` the smith, `*` the star, `a` to `d` keys, `w` to `z` thin keys of the same colours, `A` to `D` doors.
/// Chests, as a lock and what is inside: `1` a, b; `2` a, c; `3` b, a; `4` b, c; `5` c, a; `6` c, b.
const LEVELS: [&str; 6] = [
    "
    #########
    #@..#...#
    #...A.*.#
    #.a.#...#
    #########
    ",
    "
    #########
    #..a#..b#
    #...A...#
    #..@#...#
    ######A##
    #...#...#
    #...B...#
    #.*.#...#
    #########
    ",
    "
    #########
    #a..#...#
    #...#..*#
    #...#...#
    ##.A##B##
    #@b.#...#
    #..dAc..#
    #...#...#
    #########
    ",
    "
    ###########
    #...#..#..#
    #b..B..A..#
    #...#w.#x.#
    ##B#####A##
    #.w@#.....#
    #x..#...*.#
    ###A#######
    #.....b...#
    ###########
    ",
    "
    #############
    #@..#b..#...#
    #...A...B...#
    #...#...#...#
    ##.#######C##
    #...#...#y..#
    #.a.#...Bw*.#
    #...#y..#...#
    ##.#######A##
    #...#...#...#
    #.c.....#...#
    #...#...#...#
    #############
    ",
    "
    ##############
    #...#1...#...#
    #..a.....C.w.#
    #...#...y#...#
    ##.###########
    #...#....#...#
    #..@#5.......#
    #...#....#...#
    ##B###B####A##
    #...#y...#...#
    #...A..*.#...#
    #...#....#..4#
    ##############
    ",
];

/// Most columns and rows that are in view.
const VIEW: i16 = 11;

const FLOOR: Color = Color::of(4);
const WALL: Color = Color::of(2);
const COLORS: [Color; 4] = [Color::of(8), Color::of(10), Color::of(11), Color::of(6)];

const SMITH: Sprite = Sprite::of(&[".00..", ".00..", "0000.", ".00..", ".00.."]);
const IN_HAND: Sprite = Sprite::of(&["...##", "...##", "....#", "...##", "....."]);
const THIN_IN_HAND: Sprite = Sprite::of(&["....#", "....#", "....#", "....#", "....."]);
const KEY: Sprite = Sprite::of(&[".###.", ".#.#.", ".###.", "..#..", "..##."]);
const THIN_KEY: Sprite = Sprite::of(&["..#..", ".#.#.", "..#..", "..#..", "..#.."]);
const DOOR: Sprite = Sprite::of(&["#####", "##4##", "##4##", "##4##", "#####"]);
const CHEST: Sprite = Sprite::of(&[".ccc.", "ccccc", "cc#cc", "c###c", "ccccc"]);
const OPEN_CHEST: Sprite = Sprite::of(&["c...c", ".....", "c...c", "ccccc", "ccccc"]);
const STAR: Sprite = Sprite::of(&["..e..", ".eee.", "eeeee", ".eee.", ".e.e."]);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Key {
    color: usize,
    is_thin: bool,
}

impl Key {
    fn of(glyph: u8) -> Option<Key> {
        match glyph {
            b'a'..=b'd' => Some(Key { color: usize::from(glyph - b'a'), is_thin: false }),
            b'w'..=b'z' => Some(Key { color: usize::from(glyph - b'w'), is_thin: true }),
            _ => None,
        }
    }
}

/// What has a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lock {
    color: usize,
    /// The colour of the key in it, if it is a chest.
    content: Option<usize>,
}

impl Lock {
    fn of(glyph: u8) -> Option<Lock> {
        let chest = |color, content| Some(Lock { color, content: Some(content) });
        match glyph {
            b'A'..=b'D' => Some(Lock { color: usize::from(glyph - b'A'), content: None }),
            b'1' => chest(0, 1),
            b'2' => chest(0, 2),
            b'3' => chest(1, 0),
            b'4' => chest(1, 2),
            b'5' => chest(2, 0),
            b'6' => chest(2, 1),
            _ => None,
        }
    }
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Locksmith {
    map: Map,
    smith: Cell,
    hand: Option<Key>,
    /// Keys that lie around, in the order of their cells.
    keys: Vec<(Cell, Key)>,
    /// Doors and chests that were opened, in the order of their cells.
    opened: Vec<Cell>,
}

impl Locksmith {
    fn parse(text: &str) -> Locksmith {
        let map = Map::parse(text);
        let mut keys: Vec<_> = map.iter().filter_map(|(cell, glyph)| Some((cell, Key::of(*glyph)?))).collect();
        keys.sort_unstable();
        Locksmith { smith: map.the(b'@'), hand: None, keys, opened: Vec::new(), map }
    }

    /// The lock at a cell, if it is still locked.
    fn lock(&self, cell: Cell) -> Option<Lock> {
        Lock::of(self.map.glyph(cell)).filter(|_| !self.opened.contains(&cell))
    }

    fn is_chest(&self, cell: Cell) -> bool {
        Lock::of(self.map.glyph(cell)).is_some_and(|lock| lock.content.is_some())
    }

    /// Opens a lock with the key in hand, if it fits.
    fn unlock(&mut self, cell: Cell, lock: Lock) {
        let Some(key) = self.hand.filter(|key| key.color == lock.color) else { return };
        let left = (!key.is_thin).then_some(key);
        self.hand = lock.content.map_or(left, |color| Some(Key { color, is_thin: false }));
        self.opened.push(cell);
        self.opened.sort_unstable();
    }

    /// Takes the key under the smith, and leaves the one in hand in its place.
    fn take_key(&mut self) {
        let Some(index) = self.keys.iter().position(|(cell, _)| *cell == self.smith) else { return };
        let (cell, found) = self.keys.remove(index);
        self.keys.extend(self.hand.replace(found).map(|left| (cell, left)));
        self.keys.sort_unstable();
    }
}

impl Title for Locksmith {
    const ABOUT: About = About {
        stem: "k371",
        title: "Locksmith",
        families: &[Family::Walls, Family::KeyDoor, Family::Carry, Family::Scroll],
        controls: ARROWS,
        optimal: &[9, 24, 33, 38, 51, 58],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 2,
            full: Color::of(10),
            empty: Color::of(5),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Locksmith::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        let ahead = self.smith + dir;
        if let Some(lock) = self.lock(ahead) {
            self.unlock(ahead, lock);
        } else if self.map.glyph(ahead) != b'#' && !self.is_chest(ahead) {
            self.smith = ahead;
            self.take_key();
        }
        if self.map.glyph(self.smith) == b'*' { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(FLOOR);
        for (cell, glyph) in self.map.iter() {
            match (glyph, self.lock(cell)) {
                (b'#', _) => scene.cell(cell, WALL),
                (b'*', _) => scene.sprite(cell, STAR),
                (_, Some(Lock { color, content: None })) => scene.sprite(cell, DOOR.tinted(COLORS[color])),
                (_, Some(Lock { color, .. })) => scene.sprite(cell, CHEST.tinted(COLORS[color])),
                _ if self.is_chest(cell) => scene.sprite(cell, OPEN_CHEST),
                _ => {}
            }
        }
        for (cell, key) in &self.keys {
            let sprite = if key.is_thin { THIN_KEY } else { KEY };
            scene.sprite(*cell, sprite.tinted(COLORS[key.color]));
        }
        scene.layer(1);
        scene.sprite(self.smith, SMITH);
        if let Some(key) = self.hand {
            let sprite = if key.is_thin { THIN_IN_HAND } else { IN_HAND };
            scene.sprite(self.smith, sprite.tinted(COLORS[key.color]));
        }
    }

    /// The smith is in the middle, but the view stays inside the world.
    fn view(&self) -> View {
        let (width, height) = (self.map.width().min(VIEW), self.map.height().min(VIEW));
        let origin = |at: i16, size: i16, world: i16| (at - size / 2).clamp(0, world - size);
        let left = origin(self.smith.x, width, self.map.width());
        View::of(width, height, 5).scrolled_to(Cell::at(left, origin(self.smith.y, height, self.map.height())))
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engine::Dir, prover::prove};

    /// Walks right so many times.
    fn walk(text: &str, steps: usize) -> Locksmith {
        let mut state = Locksmith::parse(text);
        for _ in 0..steps {
            state.act(Input::Move(Dir::Right), &mut Film::blank());
        }
        state
    }

    #[test]
    fn a_key_opens_doors_of_its_colour_only() {
        assert_eq!(walk("@aA.A*", 6).smith.x, 4, "opening takes one action, walking through another one");
        assert_eq!(walk("@bA*", 3).smith.x, 1);
    }

    #[test]
    fn a_thin_key_breaks_in_its_lock() {
        assert_eq!(walk("@aA*", 2).hand, Key::of(b'a'));
        assert_eq!(walk("@wA*", 2).hand, None);
    }

    #[test]
    fn a_second_key_takes_the_place_of_the_first() {
        let state = walk("@ab.*", 2);
        assert_eq!((state.hand, state.keys), (Key::of(b'b'), vec![(Cell::at(2, 0), Key { color: 0, is_thin: false })]));
    }

    #[test]
    fn a_chest_gives_its_key_for_the_one_that_opens_it_and_stays_in_the_way() {
        let state = walk("@a2*", 4);
        assert_eq!((state.hand, state.smith.x), (Key::of(b'c'), 1));
    }

    #[test]
    fn no_colour_can_be_spared() {
        let without = |key: &str, text: &str| prove(&Locksmith::parse(&text.replace(key, "."))).is_err();
        assert!(without("a", LEVELS[0]) && without("a", LEVELS[1]) && without("b", LEVELS[1]));
        assert!(without("w", LEVELS[3]) && without("1", LEVELS[5]));
    }
}
