//! Otters: what a river brings is met by an otter that swims across it, up and down, while everything drifts on.
//!
//! Every action lets the river flow by one column, so the space bar is for waiting. What went past comes again some time later.
//! On the bank is shown what is wanted. Levels add, one after the other: more fish than one can meet; logs, each of which makes
//! the otter drop its last catch; rocks, which turn aside what drifts against them; crayfish, wanted as well as fish; all of it
//! together.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// A river as it begins, one row a lane: `@` the otter, `a` fish, `b` crayfish, `o` logs, `#` rocks. Only the first [`SEEN`]
/// columns are on the screen. And how many fish and crayfish are wanted.
const LEVELS: [(&str, [usize; 2]); 6] = [
    (
        "
        ..................
        .......a..........
        .@................
        ............a.....
        .................a
        ",
        [3, 0],
    ),
    (
        "
        .........a..........a...
        ....a..........a........
        .........a.........a....
        .@....a.......a.........
        ...........a..........a.
        .......a.........a......
        ",
        [7, 0],
    ),
    (
        "
        ....o....a...o...o....
        ......o......a..o.....
        .@..a..o...o......a...
        .......o.o.....a..o...
        ....o......a.o........
        ",
        [5, 0],
    ),
    (
        "
        ............a.....a.....
        ......#.............a...
        .@........a...a.........
        ....#...#...............
        .......#..a....o..a.....
        .....................o..
        ",
        [6, 0],
    ),
    (
        "
        .....b......a.......b...
        .......a.......b........
        ....................a...
        .@....b....a......a.....
        .........b.......b......
        .....a.......b..........
        ",
        [3, 4],
    ),
    (
        "
        ......a.......o.....b...
        .....#.....b......a.....
        ..........a...o.........
        .@....#........b....a...
        .......b..o.......o.....
        ....#........a..b.......
        ..........o.........a...
        ",
        [4, 3],
    ),
];

/// Columns on the screen.
const SEEN: i16 = 12;
/// The column that the otter keeps to.
const POST: i16 = 1;

const WATER: Color = Color::of(9);
const BANK: Color = Color::of(14);
const FUR: Color = Color::of(13);
const ROCK: Color = Color::of(2);
const WOOD: Color = Color::of(4);
const PREY: [Color; 2] = [Color::of(12), Color::of(0)];

const OTTER: Sprite = Sprite::of(&["#...#", "#####", "#.#.#", ".###.", "....."]);
const FISH: Sprite = Sprite::of(&[".....", "..#.#", ".####", "..#.#", "....."]);
const CRAYFISH: Sprite = Sprite::of(&[".....", ".#.#.", ".###.", ".#.#.", "....."]);
const LOG: Sprite = Sprite::of(&[".....", ".....", ".####", ".####", "....."]);
const BOULDER: Sprite = Sprite::of(&[".....", ".###.", "#####", "#####", "....."]);
const WANTED: Sprite = Sprite::of(&[".....", ".###.", ".#.#.", ".###.", "....."]);
const CAUGHT: Sprite = Sprite::of(&[".....", ".###.", ".###.", ".###.", "....."]);

/// Something that drifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Drifting {
    /// Its glyph.
    kind: u8,
    at: Cell,
    /// The lane in which it comes.
    lane: i16,
    /// Whether it was met, and is out of the water until it comes again.
    met: bool,
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct River {
    /// Columns after which everything comes again, and lanes.
    length: i16,
    lanes: i16,
    rocks: Vec<Cell>,
    wanted: [usize; 2],
    otter: i16,
    drifting: Vec<Drifting>,
    /// What the otter has, in the order of its catching.
    caught: Vec<u8>,
}

impl River {
    fn parse(text: &str, wanted: [usize; 2]) -> River {
        let map = Map::parse(text);
        let drifting = map
            .iter()
            .filter(|(_, glyph)| matches!(glyph, b'a' | b'b' | b'o'))
            .map(|(at, glyph)| Drifting { kind: *glyph, at, lane: at.y, met: false })
            .collect();
        River {
            length: map.width(),
            lanes: map.height(),
            rocks: map.find(b'#').collect(),
            wanted,
            otter: map.the(b'@').y,
            drifting,
            caught: Vec::new(),
        }
    }

    /// How many of a kind the otter has.
    fn count(&self, kind: u8) -> usize {
        self.caught.iter().map(|it| usize::from(*it == kind)).sum()
    }

    /// Whether more of a kind is wanted.
    fn is_wanted(&self, kind: u8) -> bool {
        self.count(kind) < self.wanted[usize::from(kind - b'a')]
    }

    /// The otter meets what is where it is: it catches what is wanted, and drops its last catch for a log.
    fn meet(&mut self) {
        let here = Cell::at(POST, self.otter);
        for index in 0..self.drifting.len() {
            let it = self.drifting[index];
            if it.met || it.at != here {
                continue;
            }
            if it.kind == b'o' {
                self.caught.pop();
            } else if self.is_wanted(it.kind) {
                self.caught.push(it.kind);
            } else {
                continue;
            }
            self.drifting[index].met = true;
        }
    }

    /// Everything drifts on by one column: below a rock that is in its way, and back to the spring in the end.
    fn flow(&mut self) {
        for it in &mut self.drifting {
            it.at = it.at + Dir::Left;
            if it.at.x < 0 {
                (it.at, it.met) = (Cell::at(self.length - 1, it.lane), false);
            }
            if self.rocks.contains(&it.at) {
                it.at = it.at + Dir::Down;
            }
        }
    }

    fn is_fed(&self) -> bool {
        b"ab".iter().all(|kind| !self.is_wanted(*kind))
    }
}

impl Title for River {
    const ABOUT: About = About {
        stem: "o395",
        title: "Otters",
        families: &[Family::Gravity, Family::Counter],
        controls: ActionSet::of(&[ActionId::Action1, ActionId::Action2, ActionId::Action5]),
        optimal: &[16, 18, 17, 33, 17, 29],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(11),
            empty: Color::of(3),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        let (text, wanted) = LEVELS[index];
        River::parse(text, wanted)
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        let by = match input {
            Input::Move(dir) => dir.delta().1,
            Input::Act | Input::Click(_) => 0,
        };
        self.otter = (self.otter + by).clamp(0, self.lanes - 1);
        self.meet();
        self.flow();
        self.meet();
        if self.is_fed() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(WATER);
        scene.block(Cell::at(0, 0), SEEN, 1, BANK);
        scene.block(Cell::at(0, self.lanes + 1), SEEN, 1, BANK);
        let kinds =
            b"ab".iter().flat_map(|kind| (0..self.wanted[usize::from(kind - b'a')]).map(move |nth| (*kind, nth)));
        for ((kind, nth), column) in kinds.zip(1..) {
            let mark = if nth < self.count(kind) { CAUGHT } else { WANTED };
            scene.sprite(Cell::at(column, 0), mark.tinted(PREY[usize::from(kind - b'a')]));
        }
        let afloat = |it: Cell| it + Dir::Down;
        self.rocks.iter().for_each(|rock| scene.sprite(afloat(*rock), BOULDER.tinted(ROCK)));
        for it in self.drifting.iter().filter(|it| !it.met) {
            scene.sprite(afloat(it.at), sprite(it.kind));
        }
        scene.layer(1);
        scene.sprite(afloat(Cell::at(POST, self.otter)), OTTER.tinted(FUR));
    }

    fn view(&self) -> View {
        View::of(SEEN, self.lanes + 2, 5).framed(BANK)
    }

    fn inputs(&self) -> Vec<Input> {
        vec![Input::Move(Dir::Up), Input::Move(Dir::Down), Input::Act]
    }
}

/// What a glyph looks like.
fn sprite(kind: u8) -> Sprite {
    match kind {
        b'a' => FISH.tinted(PREY[0]),
        b'b' => CRAYFISH.tinted(PREY[1]),
        _ => LOG.tinted(WOOD),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UP: Input = Input::Move(Dir::Up);
    const DOWN: Input = Input::Move(Dir::Down);

    fn play(text: &str, wanted: [usize; 2], inputs: &[Input]) -> (River, Verdict) {
        let mut river = River::parse(text, wanted);
        let verdicts: Vec<Verdict> = inputs.iter().map(|input| river.act(*input, &mut Film::blank())).collect();
        (river, verdicts[verdicts.len() - 1])
    }

    #[test]
    fn what_drifts_is_met_in_its_lane() {
        assert_eq!(play(".@..\n...a", [1, 0], &[Input::Act, DOWN]).1, Verdict::Solved);
        assert_eq!(play(".@..\n...a", [1, 0], &[Input::Act, Input::Act, DOWN]).1, Verdict::Solved, "still beside it");
        assert_eq!(play(".@..\n...a", [1, 0], &[DOWN, UP]).1, Verdict::Playing);
    }

    #[test]
    fn what_went_past_comes_again() {
        let (river, verdict) = play(".@..\n...a", [1, 0], &[Input::Act; 4]);
        assert_eq!((river.drifting[0].at, verdict), (Cell::at(3, 1), Verdict::Playing));
    }

    #[test]
    fn a_log_takes_the_last_catch_and_what_is_not_wanted_passes() {
        let (river, _) = play(".@abo.", [2, 1], &[Input::Act, Input::Act]);
        assert_eq!(river.caught, b"ab");
        assert_eq!(play(".@abo.", [2, 1], &[Input::Act; 3]).0.caught, b"a");
        let (river, _) = play(".@ba..", [2, 0], &[Input::Act]);
        assert_eq!((river.caught.len(), river.drifting[0].met), (0, false));
    }

    #[test]
    fn a_rock_turns_aside_what_drifts_against_it() {
        let (river, _) = play(".@.#a\n.....", [1, 0], &[Input::Act]);
        assert_eq!(river.drifting[0].at, Cell::at(3, 1));
    }

    #[test]
    fn rocks_leave_everything_in_the_river() {
        for (text, wanted) in LEVELS {
            let mut river = River::parse(text, wanted);
            for _ in 0..river.length {
                river.act(Input::Act, &mut Film::blank());
                let is_afloat = |it: &Drifting| it.at.y < river.lanes && !river.rocks.contains(&it.at);
                assert!(river.drifting.iter().all(is_afloat), "{text}");
            }
        }
    }
}
