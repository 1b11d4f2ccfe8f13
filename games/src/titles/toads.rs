//! Toads: a ladybird drinks all drops of dew and must not stop where something leaps at it.
//!
//! What preys on it sits still until it stops at the one place that is watched, and leaps there: a toad watches the
//! second place before its mouth, a lizard the one diagonally before it, at the side its head points to. Bushes and
//! mushrooms are harmless. Levels add, one after the other: toads that look to all sides; bushes as green as
//! they are; lizards, right- and left-handed; a seed that makes the thorns wither, and both kinds at once, with a way
//! through that is watched; all of it.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` hedge, `@` the ladybird, `o` dew, `s` seeds, `g` thorns, `b` bush, `m` mushroom, `u` `r` `d` `l` toads by where
/// they look; lizards look up, right, down or left and watch their left (`1` to `4`) or their right (`5` to `8`).
const LEVELS: [&str; 6] = [
    "
    ############
    #..........#
    #....d.....#
    #..........#
    #.@......o.#
    #..........#
    #..........#
    ############
    ",
    "
    ############
    #@...#....o#
    #....#.....#
    #.r....#...#
    #..........#
    ####..####.#
    #..o.....l.#
    #...u......#
    #o.........#
    ############
    ",
    "
    ############
    #o..#..b..o#
    #...#......#
    #.b...d....#
    #..........#
    #@.........#
    ####.#####.#
    #..l.....o.#
    #....b.....#
    #o.m..u....#
    ############
    ",
    "
    ############
    #@...#....o#
    #....#.....#
    #..3.....1.#
    #..........#
    #....#.....#
    ##.####.####
    #.......7..#
    #.o..5.....#
    #.........o#
    ############
    ",
    "
    ############
    #s...#....o#
    #....#...b.#
    #.u....l...#
    #....#.....#
    ##.####.####
    #.....6....#
    #.@......###
    #....b...go#
    #........###
    ############
    ",
    "
    ############
    #...d..#..s#
    #......#...#
    #.b......2.#
    #...#..#...#
    ##.###.#####
    #o..#......#
    #.r......m.#
    #...#.3..###
    #@..#....go#
    ############
    ",
];

const SOIL: Color = Color::of(13);
const HEDGE: Color = Color::of(3);

const HEDGES: Sprite = Sprite::of(&["33333", "32333", "33333", "33323", "33333"]);
const LADYBIRD: Sprite = Sprite::of(&[".888.", "85858", "88588", "85858", ".888."]);
const DEW: Sprite = Sprite::of(&["..a..", ".aaa.", ".a0a.", ".aaa.", "....."]);
const SEED: Sprite = Sprite::of(&[".....", ".cc..", ".ccc.", "..cc.", "....."]);
const THORNS: Sprite = Sprite::of(&["6.6.6", ".6.6.", "6.6.6", ".6.6.", "6.6.6"]);
const BUSH: Sprite = Sprite::of(&[".eee.", "eeeee", "eeeee", "eeeee", ".eee."]);
const MUSHROOM: Sprite = Sprite::of(&[".777.", "77077", "77777", "..0..", "..0.."]);
/// Looks up, with its mouth open.
const TOAD: Sprite = Sprite::of(&["e...e", "e...e", "ee.ee", "eeeee", ".eee."]);
/// Look up, to the left and to the right.
const LIZARDS: [Sprite; 2] = [
    Sprite::of(&["bb...", "bbb..", "..bb.", "...b.", "...bb"]),
    Sprite::of(&["...bb", "..bbb", ".bb..", ".b...", "bb..."]),
];

/// Something that sits still and leaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Hunter {
    cell: Cell,
    looks: Dir,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Toad,
    /// It watches its left, or else its right.
    Lizard {
        left: bool,
    },
}

impl Hunter {
    fn of(cell: Cell, glyph: u8) -> Option<Hunter> {
        let (kind, looks) = match glyph {
            b'u' => (Kind::Toad, Dir::Up),
            b'r' => (Kind::Toad, Dir::Right),
            b'd' => (Kind::Toad, Dir::Down),
            b'l' => (Kind::Toad, Dir::Left),
            b'1'..=b'8' => {
                let index = usize::from(glyph - b'1');
                (Kind::Lizard { left: index < 4 }, Dir::ALL[index % 4])
            }
            _ => return None,
        };
        Some(Hunter { cell, looks, kind })
    }

    /// The place it passes over when it leaps, and the one it watches.
    fn leap(self) -> [Cell; 2] {
        let ahead = self.cell + self.looks;
        let on = match self.kind {
            Kind::Toad => self.looks,
            Kind::Lizard { left: true } => self.looks.clockwise().opposite(),
            Kind::Lizard { left: false } => self.looks.clockwise(),
        };
        [ahead, ahead + on]
    }

    fn sprite(self) -> Sprite {
        let sprite = match self.kind {
            Kind::Toad => TOAD,
            Kind::Lizard { left } => LIZARDS[usize::from(!left)],
        };
        sprite.turned(self.looks.quarter_turns())
    }
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Toads {
    map: Map,
    ladybird: Cell,
    /// Drops still to drink, row after row.
    dew: Vec<Cell>,
    /// Seeds still to find, row after row.
    seeds: Vec<Cell>,
    /// The home of who leaps, and where that is now.
    leaping: Option<(Cell, Cell)>,
}

impl Toads {
    fn parse(text: &str) -> Toads {
        let map = Map::parse(text);
        let (dew, seeds) = (map.find(b'o').collect(), map.find(b's').collect());
        Toads { ladybird: map.the(b'@'), dew, seeds, leaping: None, map }
    }

    fn hunters(&self) -> impl Iterator<Item = Hunter> {
        self.map.iter().filter_map(|(cell, glyph)| Hunter::of(cell, *glyph))
    }

    /// Whether nobody can walk there.
    fn is_blocked(&self, cell: Cell) -> bool {
        match self.map.glyph(cell) {
            b'g' => !self.seeds.is_empty(),
            b'#' | b'b' | b'm' => true,
            glyph => Hunter::of(cell, glyph).is_some(),
        }
    }

    /// Who watches where the ladybird is leaps onto it; whether somebody did.
    fn is_caught(&mut self, film: &mut Film<Self>) -> bool {
        let Some(hunter) = self.hunters().find(|it| it.leap()[1] == self.ladybird) else { return false };
        for place in hunter.leap() {
            film.shoot(self);
            self.leaping = Some((hunter.cell, place));
        }
        true
    }
}

impl Title for Toads {
    const ABOUT: About = About {
        stem: "t871",
        title: "Toads",
        families: &[Family::Walls, Family::HiddenSwitch, Family::KeyDoor, Family::Counter],
        controls: ARROWS,
        optimal: &[9, 31, 42, 39, 36, 35],
        bar: Some(Bar {
            edge: Edge::Right,
            thickness: 1,
            full: Color::of(11),
            empty: Color::of(2),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Toads::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        let ahead = self.ladybird + dir;
        if self.is_blocked(ahead) {
            return Verdict::Playing;
        }
        self.ladybird = ahead;
        self.dew.retain(|drop| *drop != ahead);
        self.seeds.retain(|seed| *seed != ahead);
        match (self.is_caught(film), self.dew.is_empty()) {
            (true, _) => Verdict::Lost,
            (false, true) => Verdict::Solved,
            (false, false) => Verdict::Playing,
        }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(SOIL);
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.sprite(cell, HEDGES),
                b'b' => scene.sprite(cell, BUSH),
                b'm' => scene.sprite(cell, MUSHROOM),
                b'g' if !self.seeds.is_empty() => scene.sprite(cell, THORNS),
                _ => {}
            }
        }
        self.dew.iter().for_each(|drop| scene.sprite(*drop, DEW));
        self.seeds.iter().for_each(|seed| scene.sprite(*seed, SEED));
        if self.leaping.is_none_or(|(_, place)| place != self.ladybird) {
            scene.sprite(self.ladybird, LADYBIRD);
        }
        for hunter in self.hunters() {
            let leap = self.leaping.filter(|(home, _)| *home == hunter.cell);
            scene.sprite(leap.map_or(hunter.cell, |(_, place)| place), hunter.sprite());
        }
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

    /// The only place in a field of five by five that is watched by who sits in its middle.
    fn watched(glyph: char) -> Cell {
        let field = format!(".....\n.....\n..{glyph}..\n.....\n@...o");
        let all = Toads::parse(&field);
        let is_caught = |cell: &Cell| Toads { ladybird: *cell, ..all.clone() }.is_caught(&mut Film::blank());
        let caught: Vec<Cell> = all.map.cells().filter(is_caught).collect();
        assert_eq!(caught.len(), 1, "{glyph}");
        caught[0]
    }

    #[test]
    fn toads_watch_the_second_place_and_lizards_a_diagonal_one() {
        let toads = [(2, 0), (4, 2), (2, 4), (0, 2)];
        assert_eq!(['u', 'r', 'd', 'l'].map(watched), toads.map(|(x, y)| Cell::at(x, y)));
        let lizards = [(1, 1), (3, 1), (3, 3), (1, 3)].map(|(x, y)| Cell::at(x, y));
        assert_eq!(['1', '2', '3', '4'].map(watched), lizards);
        assert_eq!(['8', '5', '6', '7'].map(watched), lizards);
    }

    #[test]
    fn who_stops_there_is_leapt_at_and_who_stops_nearer_is_not() {
        let go = |text, dir| {
            let (mut toads, mut film) = (Toads::parse(text), Film::loaded());
            let verdict = toads.act(Input::Move(dir), &mut film);
            (verdict, film.shots().len(), toads.leaping)
        };
        let home = Cell::at(0, 0);
        assert_eq!(go("r..@\n...o", Dir::Left), (Verdict::Lost, 2, Some((home, Cell::at(2, 0)))));
        assert_eq!(go("r..o\n.@..", Dir::Up), (Verdict::Playing, 0, None));
    }

    #[test]
    fn nothing_lies_in_the_way_of_a_leap_and_nothing_wanted_where_it_ends() {
        for (level, text) in (1..).zip(LEVELS) {
            let toads = Toads::parse(text);
            for [over, place] in toads.hunters().map(Hunter::leap) {
                assert!(!matches!(toads.map.glyph(place), b'#' | b'b' | b'm' | b'@' | b'o' | b's'), "level {level}");
                assert_eq!(toads.map.glyph(over), b'.', "level {level}");
            }
        }
    }

    #[test]
    fn thorns_wither_when_the_seed_is_found() {
        let mut toads = Toads::parse("go\n@s");
        toads.act(Input::Move(Dir::Up), &mut Film::blank());
        assert_eq!(toads.ladybird, Cell::at(0, 1));
        for dir in [Dir::Right, Dir::Left, Dir::Up] {
            toads.act(Input::Move(dir), &mut Film::blank());
        }
        assert_eq!(toads.ladybird, Cell::at(0, 0));
    }

    #[test]
    fn the_shortest_way_would_be_caught() {
        let tame = |text: &str| text.replace(['u', 'r', 'd', 'l', '1', '2', '3', '4', '5', '6', '7', '8'], "m");
        for (level, text) in (1..).zip(LEVELS) {
            let fewest = |text: &str| prove(&Toads::parse(text)).map_or(u32::MAX, |proof| proof.optimal());
            assert!(fewest(&tame(text)) < fewest(text), "level {level}");
        }
    }
}
