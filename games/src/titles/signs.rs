//! Signs: plates in sockets say what the colours of the ground mean.
//!
//! A socket gives its meaning to the colour of the plate that lies in it: the block makes a wall, the cross kills who
//! stops there, the ring is the aim, the stripes are ice on which one glides on. The ground wears the picture of
//! what it means. Plates are pushed. Levels add, one after the other: a wall to lift; an aim to set; a danger; a plate
//! to move from one socket to another; two of them; ice, which carries over danger; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` border (as all around), `@` walker, `a` `b` `c` ground in three colours, `A` `B` `C` their plates, `w` `x` `o` `i` the sockets
/// of wall, danger, aim and ice. With a plate in it from the start: `1` `2` `3` wall, `4` `5` `6` danger, `7` `8` `9` aim.
const LEVELS: [&str; 7] = [
    "
    ....a....
    .@..a..b.
    ....a..b.
    ....a....
    ..1.a####
    ....a#.8.
    ",
    "
    ....a..b.
    .@..a..b.
    ....aaaaa
    ..B......
    ....o...#
    .1.......
    ",
    "
    .....c....
    .@...c..b.
    .....cccc.
    .##......c
    ..6...w.##
    ....###8##
    ",
    "
    ....aaa...
    ....aaa...
    ..........
    .@.#......
    ...1..#...
    ...#..o...
    ..........
    ",
    "
    .....ccccc.
    .@...cbbbc.
    .....cbbbc.
    .#.#.ccccc.
    .#6#.......
    ...........
    .#.##.##.#.
    .2....o....
    .#.........
    ",
    "
    ....cccc...
    .@..cc#c.b.
    ....cccc...
    .C..#cc#...
    ....#######
    ..i.#6#.8.#
    ....#######
    ",
    "
    ....cccc.aaa
    .@..cc#c.aba
    .C..c#cc.aba
    ....cccc.aaa
    ..i.########
    .#..o....B..
    .1.#......#.
    .##...#.....
    ......#####6
    ",
];

const FLOOR: Color = Color::of(4);
const BORDER: Color = Color::of(13);
const COLORS: [Color; 3] = [Color::of(9), Color::of(14), Color::of(6)];

const WALKER: Sprite = Sprite::of(&[".000.", ".050.", "00000", "..0..", ".0.0."]);
const PLATE: Sprite = Sprite::of(&["#####", "#...#", "#...#", "#...#", "#####"]);
const SOCKET: Sprite = Sprite::of(&["22222", "2...2", "2...2", "2...2", "22222"]);

/// What a colour can mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Wall,
    Danger,
    Aim,
    Ice,
}

impl Meaning {
    const ALL: [Meaning; 4] = [Meaning::Wall, Meaning::Danger, Meaning::Aim, Meaning::Ice];

    /// The meaning of the socket in a cell.
    fn of_socket(glyph: u8) -> Option<Meaning> {
        match glyph {
            b'w' | b'1'..=b'3' => Some(Meaning::Wall),
            b'x' | b'4'..=b'6' => Some(Meaning::Danger),
            b'o' | b'7'..=b'9' => Some(Meaning::Aim),
            b'i' => Some(Meaning::Ice),
            _ => None,
        }
    }

    const fn picture(self) -> Sprite {
        Sprite::of(match self {
            Meaning::Wall => &[".....", ".###.", ".###.", ".###.", "....."],
            Meaning::Danger => &[".....", ".#.#.", "..#..", ".#.#.", "....."],
            Meaning::Aim => &[".....", ".###.", ".#.#.", ".###.", "....."],
            Meaning::Ice => &[".....", ".###.", ".....", ".###.", "....."],
        })
    }
}

/// A plate, with the index of its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Plate {
    cell: Cell,
    color: usize,
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Signs {
    map: Map,
    walker: Cell,
    /// In the order of their cells.
    plates: Vec<Plate>,
}

impl Signs {
    fn parse(text: &str) -> Signs {
        let map = Map::parse(text);
        let plate = |(cell, glyph): (Cell, &u8)| match glyph {
            b'A'..=b'C' => Some(Plate { cell, color: usize::from(glyph - b'A') }),
            b'1'..=b'9' => Some(Plate { cell, color: usize::from(glyph - b'1') % 3 }),
            _ => None,
        };
        let mut plates: Vec<Plate> = map.iter().filter_map(plate).collect();
        plates.sort_unstable();
        Signs { walker: map.the(b'@'), plates, map }
    }

    fn plate_at(&self, cell: Cell) -> Option<usize> {
        self.plates.iter().position(|plate| plate.cell == cell)
    }

    /// The colour of the ground in a cell.
    fn color(&self, cell: Cell) -> Option<usize> {
        let glyph = self.map.glyph(cell);
        matches!(glyph, b'a'..=b'c').then(|| usize::from(glyph - b'a'))
    }

    /// Whether the ground in a cell means that.
    fn means(&self, cell: Cell, meaning: Meaning) -> bool {
        let says = |plate: &Plate| Meaning::of_socket(self.map.glyph(plate.cell)) == Some(meaning);
        self.color(cell).is_some_and(|color| self.plates.iter().any(|plate| plate.color == color && says(plate)))
    }

    /// Whether neither border, wall nor plate is in a cell.
    fn is_free(&self, cell: Cell) -> bool {
        self.map.glyph(cell) != b'#' && !self.means(cell, Meaning::Wall) && self.plate_at(cell).is_none()
    }

    /// Pushes the plate in a cell, if there is one and room behind it.
    fn push(&mut self, cell: Cell, dir: Dir) {
        if let Some(index) = self.plate_at(cell)
            && self.is_free(cell + dir)
        {
            self.plates[index].cell = cell + dir;
            self.plates.sort_unstable();
        }
    }
}

impl Title for Signs {
    const ABOUT: About = About {
        stem: "s159",
        title: "Signs",
        families: &[Family::Walls, Family::Push, Family::Glyphs],
        controls: ARROWS,
        optimal: &[11, 18, 15, 14, 20, 14, 46],
        bar: Some(Bar {
            edge: Edge::Right,
            thickness: 1,
            full: Color::of(7),
            empty: Color::of(5),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Signs::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        self.push(self.walker + dir, dir);
        if !self.is_free(self.walker + dir) {
            return Verdict::Playing;
        }
        self.walker = self.walker + dir;
        while self.means(self.walker, Meaning::Ice) && self.is_free(self.walker + dir) {
            film.shoot(self);
            self.walker = self.walker + dir;
        }
        match (self.means(self.walker, Meaning::Danger), self.means(self.walker, Meaning::Aim)) {
            (true, _) => Verdict::Lost,
            (false, true) => Verdict::Solved,
            (false, false) => Verdict::Playing,
        }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(FLOOR);
        for (cell, glyph) in self.map.iter() {
            if *glyph == b'#' {
                scene.cell(cell, BORDER);
            }
            if let Some(meaning) = Meaning::of_socket(*glyph) {
                scene.sprite(cell, SOCKET);
                scene.sprite(cell, meaning.picture().tinted(Color::of(0)));
            }
            if let Some(color) = self.color(cell) {
                scene.cell(cell, COLORS[color]);
                for meaning in Meaning::ALL.into_iter().filter(|meaning| self.means(cell, *meaning)) {
                    scene.sprite(cell, meaning.picture().tinted(Color::of(5)));
                }
            }
        }
        for plate in &self.plates {
            scene.sprite(plate.cell, PLATE.tinted(COLORS[plate.color]));
        }
        scene.sprite(self.walker, WALKER);
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 5).framed(BORDER)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::prove;

    fn walked(text: &str, dirs: &[Dir]) -> (Signs, Verdict) {
        let mut signs = Signs::parse(text);
        let act = |_, dir: &Dir| signs.act(Input::Move(*dir), &mut Film::blank());
        let verdict = dirs.iter().fold(Verdict::Playing, act);
        (signs, verdict)
    }

    #[test]
    fn a_rule_holds_while_its_plate_lies_in_the_socket() {
        assert_eq!(walked("a@1.", &[Dir::Left]).0.walker, Cell::at(1, 0));
        assert_eq!(walked("a@1.", &[Dir::Right, Dir::Left, Dir::Left]).0.walker, Cell::at(0, 0));
        assert_eq!(walked("a@Ao", &[Dir::Right, Dir::Left, Dir::Left]).1, Verdict::Solved);
    }

    #[test]
    fn a_rule_can_begin_under_the_walker() {
        assert_eq!(walked("@aAx", &[Dir::Right, Dir::Right]).1, Verdict::Playing);
        assert_eq!(walked("@.aaAx", &[Dir::Right, Dir::Right, Dir::Right, Dir::Right, Dir::Left]).1, Verdict::Lost);
    }

    #[test]
    fn gliding_over_danger_harms_only_who_stops_there() {
        let map = "
            @ccc.
            #6#Ci
        ";
        let mut signs = Signs::parse(map);
        signs.plates.iter_mut().filter(|plate| plate.cell.x == 3).for_each(|plate| plate.cell.x = 4);
        let mut blocked = Signs { map: Map::parse(&map.replace("c.", "c#")), ..signs.clone() };
        assert_eq!(signs.act(Input::Move(Dir::Right), &mut Film::blank()), Verdict::Playing);
        assert_eq!(signs.walker, Cell::at(4, 0));
        assert_eq!(blocked.act(Input::Move(Dir::Right), &mut Film::blank()), Verdict::Lost);
    }

    #[test]
    fn what_a_level_brings_is_needed() {
        let without = |level: usize, socket: &str| prove(&Signs::parse(&LEVELS[level].replace(socket, ".")));
        assert!(without(1, "o").is_err());
        assert!(without(3, "o").is_err());
        assert!(without(5, "i").is_err());
        assert!(without(6, "i").is_err());
        assert!(without(6, "B").is_err());
    }
}
