//! Truffles: a hog sniffs them out in the wood, and a click digs up what it smelt.
//!
//! The space bar shows, for good, what lies hidden within two cells of the hog. A click on what is shown digs it up; a click on bare
//! grass breaks a spade, and without spades the game is over. Above the wood hang a truffle for each that is still to be dug up, and
//! the spades that are left. Levels add, one after the other: more truffles; trees in rows; toadstools, which smell too and
//! break a spade; a white truffle that opens a gate; all of it together.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{About, Cell, Dice, Dir, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View};

/// `=` the board, `#` trees, `@` the hog, `t` truffles, `w` the white one, `m` toadstools, `+` the gate.
const LEVELS: [&str; 6] = [
    "
    ==========
    ##########
    #........#
    #.@....t.#
    #....#...#
    #...##...#
    #.....t..#
    #........#
    ##########
    ",
    "
    ===========
    ###########
    #...t.....#
    #......#..#
    #.#.......#
    #.##..@...#
    #......#..#
    #.t....#..#
    #........t#
    ###########
    ",
    "
    =============
    #############
    #.t..#......#
    #....#......#
    #..@.#..t...#
    #...........#
    ##.######.###
    #....#......#
    #....#....t.#
    #..t.....t..#
    #....#......#
    #############
    ",
    "
    ============
    ############
    #.m.......##
    #....#..t..#
    #.@..#.....#
    #....#..m..#
    #..........#
    #####...####
    #..t......m#
    #...t...t..#
    ############
    ",
    "
    =============
    #############
    #......#....#
    #.w....#..t.#
    #......#....#
    #...@..+....#
    #......#...t#
    #.....##....#
    #.t....#.t..#
    #......#....#
    #############
    ",
    "
    ==============
    ##############
    #.....#......#
    #..t..#..m...#
    #.m...#...t..#
    #.....+......#
    ###.#####.####
    #.....#......#
    #..@..#.t....#
    #......m#..t.#
    #...w..#.....#
    ##############
    ",
];

/// How far the hog smells, in cells, and how many spades there are in a level.
const NOSE: i16 = 2;
const SPADES: u8 = 3;

const CONTROLS: ActionSet = ActionSet::of(&[
    ActionId::Action1,
    ActionId::Action2,
    ActionId::Action3,
    ActionId::Action4,
    ActionId::Action5,
    ActionId::Action6,
]);

const GRASS: Color = Color::of(12);
const TREE: Color = Color::of(3);
const BOARD: Color = Color::of(1);
const GATE: Color = Color::of(0);
const BLACK: Color = Color::of(5);
const WHITE: Color = Color::of(0);

const CROWN: Sprite = Sprite::of(&[".##.", "####", "####", ".##."]);
const HOG: Sprite = Sprite::of(&["....", "777.", "7776", "7.7."]);
const TRUFFLE: Sprite = Sprite::of(&["....", ".##.", "####", ".##."]);
const TOADSTOOL: Sprite = Sprite::of(&[".88.", "8888", ".00.", ".00."]);
const HOLE: Sprite = Sprite::of(&["....", "....", "d..d", ".dd."]);
const SPADE: Sprite = Sprite::of(&[".d..", ".d..", "999.", ".9.."]);
const BARS: Sprite = Sprite::of(&["#.#.", "####", "#.#.", "####"]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Wood {
    map: Map,
    hog: Cell,
    spades: u8,
    /// What was smelt and is still there, and what was dug up, in the order of the cells.
    shown: Vec<Cell>,
    dug: Vec<Cell>,
}

impl Wood {
    fn parse(text: &str) -> Wood {
        let map = Map::parse(text);
        Wood { hog: map.the(b'@'), spades: SPADES, shown: Vec::new(), dug: Vec::new(), map }
    }

    /// What is still to be dug up.
    fn left(&self) -> impl Iterator<Item = Cell> + '_ {
        self.map.iter().filter(|(cell, glyph)| matches!(glyph, b't' | b'w') && !self.dug.contains(cell)).map(|it| it.0)
    }

    fn is_open(&self) -> bool {
        self.left().all(|cell| self.map.glyph(cell) != b'w')
    }

    fn walk(&mut self, dir: Dir) {
        let to = self.hog + dir;
        let is_barred = match self.map.glyph(to) {
            b'#' | b'=' => true,
            b'+' => !self.is_open(),
            _ => false,
        };
        if !is_barred {
            self.hog = to;
        }
    }

    /// Shows what lies near the hog.
    fn sniff(&mut self) {
        let is_near = |cell: Cell| (cell.x - self.hog.x).abs() <= NOSE && (cell.y - self.hog.y).abs() <= NOSE;
        let smells = |glyph: u8| matches!(glyph, b't' | b'w' | b'm');
        let is_new = |cell: Cell| !self.shown.contains(&cell) && !self.dug.contains(&cell);
        let smelt = self.map.iter().filter(|(cell, glyph)| smells(**glyph) && is_near(*cell) && is_new(*cell));
        let smelt: Vec<Cell> = smelt.map(|it| it.0).collect();
        self.shown.extend(smelt);
        self.shown.sort_unstable();
    }

    /// Whether a click on a cell breaks a spade.
    fn is_wrong(&self, cell: Cell) -> bool {
        let is_ground = !matches!(self.map.glyph(cell), b'#' | b'=' | b'+') && cell != self.hog;
        let is_toadstool = self.map.glyph(cell) == b'm';
        is_ground && !self.dug.contains(&cell) && (is_toadstool || !self.shown.contains(&cell))
    }

    fn dig(&mut self, cell: Cell) {
        if self.is_wrong(cell) {
            self.spades -= 1;
        } else if self.shown.contains(&cell) && self.map.glyph(cell) != b'm' {
            self.shown.retain(|it| *it != cell);
            self.dug.push(cell);
            self.dug.sort_unstable();
        }
    }

    /// What hangs on the board: truffles from the left, spades from the right.
    fn draw_board(&self, scene: &mut Scene) {
        let (last, rest) = (self.map.width() - 1, self.left().count() as i16);
        scene.block(Cell::at(0, 0), self.map.width(), 1, BOARD);
        (0..rest).for_each(|x| scene.sprite(Cell::at(x, 0), TRUFFLE.tinted(BLACK)));
        (0..i16::from(self.spades)).for_each(|x| scene.sprite(Cell::at(last - x, 0), SPADE));
    }
}

impl Title for Wood {
    const ABOUT: About = About {
        stem: "h605",
        title: "Truffles",
        families: &[Family::Walls, Family::Counter, Family::HiddenSwitch, Family::KeyDoor],
        controls: CONTROLS,
        optimal: &[8, 15, 24, 16, 17, 20],
        bar: None,
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Wood::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        match input {
            Input::Move(dir) => self.walk(dir),
            Input::Act => self.sniff(),
            Input::Click(cell) => self.dig(cell),
        }
        match (self.left().next(), self.spades) {
            (None, _) => Verdict::Solved,
            (_, 0) => Verdict::Lost,
            _ => Verdict::Playing,
        }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(GRASS);
        self.draw_board(scene);
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.sprite(cell, CROWN.tinted(TREE)),
                b'+' if !self.is_open() => scene.sprite(cell, BARS.tinted(GATE)),
                _ if self.dug.contains(&cell) => scene.sprite(cell, HOLE),
                _ if !self.shown.contains(&cell) => {}
                b't' => scene.sprite(cell, TRUFFLE.tinted(BLACK)),
                b'w' => scene.sprite(cell, TRUFFLE.tinted(WHITE)),
                _ => scene.sprite(cell, TOADSTOOL),
            }
        }
        scene.layer(1);
        scene.sprite(self.hog, HOG);
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 4).framed(TREE)
    }

    /// A click on whatever is shown, and one that breaks a spade: all of these are the same.
    fn inputs(&self) -> Vec<Input> {
        let wrong = self.map.cells().find(|cell| self.is_wrong(*cell));
        let clicks = self.shown.iter().copied().chain(wrong).map(Input::Click);
        Input::MOVES.into_iter().chain([Input::Act]).chain(clicks).collect()
    }

    /// Each truffle takes a click, those that are hidden a sniff and the way to the farthest of them.
    fn bound(&self) -> u32 {
        let hidden = self.left().filter(|cell| !self.shown.contains(cell));
        let far = |cell: Cell| {
            let short = |gap: i16| (gap.abs() - NOSE).max(0) as u32;
            short(cell.x - self.hog.x) + short(cell.y - self.hog.y) + 1
        };
        self.left().count() as u32 + hidden.map(far).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: Input = Input::Move(Dir::Right);

    fn click(x: i16) -> Input {
        Input::Click(Cell::at(x, 0))
    }

    fn play(text: &str, inputs: &[Input]) -> (Wood, Verdict) {
        let mut wood = Wood::parse(text);
        let verdicts: Vec<Verdict> = inputs.iter().map(|input| wood.act(*input, &mut Film::blank())).collect();
        (wood, verdicts[verdicts.len() - 1])
    }

    #[test]
    fn a_sniff_shows_what_lies_within_two_cells_for_good() {
        let (wood, _) = play("@..tm", &[Input::Act]);
        assert_eq!(wood.shown, []);
        let (wood, _) = play("@..tm", &[RIGHT, Input::Act, Input::Move(Dir::Left)]);
        assert_eq!(wood.shown, [Cell::at(3, 0)]);
    }

    #[test]
    fn what_is_shown_is_dug_up_from_afar() {
        assert_eq!(play("@t.t", &[Input::Act, click(1)]).1, Verdict::Playing);
        let under = [Input::Act, RIGHT, Input::Act, click(1), click(3)];
        assert_eq!(play("@t.t", &under).1, Verdict::Solved, "also from under the hog");
        let inputs = [RIGHT, Input::Act, Input::Move(Dir::Left), click(3), click(1)];
        assert_eq!(play("@t.t", &inputs).1, Verdict::Solved);
    }

    #[test]
    fn clicks_on_grass_and_toadstools_break_a_spade_and_the_third_one_ends_the_game() {
        let (wood, verdict) = play("@.mt", &[click(1), click(2), click(0)]);
        assert_eq!((wood.spades, verdict), (1, Verdict::Playing));
        let (wood, verdict) = play("@m.t#", &[Input::Act, click(4), click(1), click(1), click(3)]);
        assert_eq!((wood.spades, verdict), (0, Verdict::Lost), "nobody digs for what was not smelt");
    }

    #[test]
    fn the_white_truffle_opens_the_gate() {
        assert_eq!(play("w@+t", &[RIGHT]).0.hog, Cell::at(1, 0));
        assert_eq!(play("w@+t", &[Input::Act, click(0), RIGHT]).0.hog, Cell::at(2, 0));
    }
}
