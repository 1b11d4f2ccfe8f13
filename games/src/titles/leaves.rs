//! Leaves: a gardener blows heaps of leaves over the lawn, each into a crate of its colour.
//!
//! A direction key turns the gardener, who then steps there unless something is in the way. The space bar blows: the nearest heap
//! straight ahead, however far, slides away over the lawn until a hedge, a statue or another heap stops it; what slides into a pond
//! is lost. Feathers do the contrary, they fly to the blower and lie down before it. The blast does not get past hedges, statues or
//! water, and nothing rests in a crate for good: it can be blown out of it again. Levels add, one after the other: statues to stop
//! at; heaps that stop each other; a second colour; ponds; feathers, together with all of it.

use env_client::Color;

use crate::engine::{
    ARROWS_AND_SPACE, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title,
    Verdict, View,
};

/// `#` hedges, `@` the gardener, `A` and `B` leaves, `C` feathers, `a` `b` `c` the crates of each, `S` statues, `~` ponds.
const LEVELS: [&str; 6] = [
    "
    #########
    #.......#
    #.......#
    #...A..a#
    #.......#
    #....@..#
    #########
    ",
    "
    ##########
    ##.......#
    #.Sa...A.#
    #..A..aS.#
    #........#
    #.@......#
    #.....#..#
    ##########
    ",
    "
    ##########
    #..#....@#
    #...Aa.A.#
    #...a....#
    ###SaA...#
    #........#
    #..#.....#
    #........#
    ##########
    ",
    "
    ##########
    #....b...#
    #....A...#
    #a...B...#
    #S.......#
    ###BA..@a#
    #..b.##..#
    ##########
    ",
    "
    ###########
    #.......b##
    #.S..~~~..#
    ###..~#~..#
    #..B.~.@..#
    #.......Aa#
    #.A##.....#
    #.a.......#
    ###########
    ",
    "
    ############
    #.#...C....#
    #...Aac.~~.#
    #.#.##..~~.#
    #...##.B...#
    #.........b#
    #.....~~.#S#
    #.....##..@#
    ############
    ",
];

/// The glyphs of the crates, in the order of [`COLORS`].
const CRATES: [u8; 3] = [b'a', b'b', b'c'];
/// Of what flies to the blower instead of away from it.
const FEATHERY: usize = 2;

const LAWN: Color = Color::of(11);
const HEDGE: Color = Color::of(14);
const DAISY: Color = Color::of(12);
const COLORS: [Color; 3] = [Color::of(8), Color::of(15), Color::of(0)];

const BUSH: Sprite = Sprite::of(&["eeeee", "e3eee", "eeee3", "ee3ee", "eeeee"]);
const STATUE: Sprite = Sprite::of(&[".111.", ".121.", ".111.", "12221", "22222"]);
const WATER: Sprite = Sprite::of(&["aaaaa", "a99aa", "aaaaa", "aaa99", "aaaaa"]);
const CRATE: Sprite = Sprite::of(&["#####", "#...#", "#...#", "#...#", "#####"]);
const LEAVES: Sprite = Sprite::of(&[".###.", "#c###", "##c##", "###c#", ".###."]);
const FEATHERS: Sprite = Sprite::of(&["..##.", ".#6##", "##6##", "##6#.", ".##.."]);
/// What lies in a crate of its kind.
const GATHERED: Sprite = Sprite::of(&[".....", ".###.", ".#c#.", ".###.", "....."]);
const BEDDED: Sprite = Sprite::of(&[".....", ".###.", ".#6#.", ".###.", "....."]);
/// Looks up; the nozzle is in front.
const GARDENER: Sprite = Sprite::of(&["..5..", "..5..", ".959.", "99799", ".979."]);

/// Leaves of the first or the second colour, or feathers: an index into [`COLORS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Heap {
    cell: Cell,
    kind: usize,
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lawn {
    map: Map,
    gardener: Cell,
    /// Where the gardener looks, and blows.
    look: Dir,
    /// In the order of their cells.
    heaps: Vec<Heap>,
}

impl Lawn {
    fn parse(text: &str) -> Lawn {
        let map = Map::parse(text);
        let of = |(glyph, kind)| map.find(glyph).map(move |cell| Heap { cell, kind });
        let mut heaps: Vec<Heap> = [(b'A', 0), (b'B', 1), (b'C', FEATHERY)].into_iter().flat_map(of).collect();
        heaps.sort_unstable();
        Lawn { gardener: map.the(b'@'), look: Dir::Down, heaps, map }
    }

    fn heap_at(&self, cell: Cell) -> Option<usize> {
        self.heaps.iter().position(|heap| heap.cell == cell)
    }

    /// Whether it is lawn, with a crate in it or not, whatever lies there.
    fn is_lawn(&self, cell: Cell) -> bool {
        !matches!(self.map.glyph(cell), b'#' | b'S' | b'~')
    }

    /// Whether it is lawn without a heap; the gardener may stand there.
    fn is_free(&self, cell: Cell) -> bool {
        self.is_lawn(cell) && self.heap_at(cell).is_none()
    }

    /// Turns, and goes on where nothing is in the way.
    fn walk(&mut self, dir: Dir) {
        self.look = dir;
        if self.is_free(self.gardener + dir) {
            self.gardener = self.gardener + dir;
        }
    }

    /// The nearest heap straight ahead, with nothing but lawn before it.
    fn target(&self) -> Option<usize> {
        let mut cell = self.gardener + self.look;
        while self.is_free(cell) {
            cell = cell + self.look;
        }
        self.heap_at(cell)
    }

    /// Blows the nearest heap away, or feathers to the gardener; false when it is lost in a pond.
    fn blow(&mut self, film: &mut Film<Self>) -> bool {
        let Some(index) = self.target() else { return true };
        let way = if self.heaps[index].kind == FEATHERY { self.look.opposite() } else { self.look };
        loop {
            let ahead = self.heaps[index].cell + way;
            let sinks = self.map.glyph(ahead) == b'~';
            if ahead == self.gardener || !sinks && !self.is_free(ahead) {
                return true;
            }
            film.shoot(self);
            self.heaps[index].cell = ahead;
            if sinks {
                return false;
            }
        }
    }

    /// The kind of the crate at a cell.
    fn crate_at(&self, cell: Cell) -> Option<usize> {
        CRATES.iter().position(|glyph| *glyph == self.map.glyph(cell))
    }

    /// How many crates have no heap of their kind.
    fn wanting(&self) -> usize {
        let crates = self.map.cells().filter_map(|cell| Some(Heap { cell, kind: self.crate_at(cell)? }));
        crates.filter(|wanted| !self.heaps.contains(wanted)).count()
    }

    fn draw_ground(&self, scene: &mut Scene) {
        scene.fill(LAWN);
        for (cell, glyph) in self.map.iter() {
            match (glyph, self.crate_at(cell)) {
                (b'#', _) => scene.sprite(cell, BUSH),
                (b'S', _) => scene.sprite(cell, STATUE),
                (b'~', _) => scene.sprite(cell, WATER),
                (_, Some(kind)) => scene.sprite(cell, CRATE.tinted(COLORS[kind])),
                _ if (5 * cell.x + 3 * cell.y) % 13 == 6 => scene.pixel(cell, (3, 1), DAISY),
                _ => {}
            }
        }
    }

    fn draw_heap(&self, scene: &mut Scene, heap: Heap) {
        let is_in = self.crate_at(heap.cell) == Some(heap.kind);
        let sprite = match (heap.kind == FEATHERY, is_in) {
            (false, false) => LEAVES,
            (false, true) => GATHERED,
            (true, false) => FEATHERS,
            (true, true) => BEDDED,
        };
        scene.sprite(heap.cell, sprite.tinted(COLORS[heap.kind]));
    }
}

impl Title for Lawn {
    const ABOUT: About = About {
        stem: "w417",
        title: "Leaves",
        families: &[Family::Walls, Family::Slide, Family::Kick, Family::Pull, Family::Slots],
        controls: ARROWS_AND_SPACE,
        optimal: &[6, 15, 15, 25, 26, 30],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(7),
            empty: Color::of(4),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Lawn::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let is_kept = match input {
            Input::Move(dir) => {
                self.walk(dir);
                true
            }
            Input::Act => self.blow(film),
            Input::Click(_) => true,
        };
        self.heaps.sort_unstable();
        match (is_kept, self.wanting()) {
            (false, _) => Verdict::Lost,
            (true, 0) => Verdict::Solved,
            (true, _) => Verdict::Playing,
        }
    }

    fn draw(&self, scene: &mut Scene) {
        self.draw_ground(scene);
        scene.layer(1);
        self.heaps.iter().for_each(|heap| self.draw_heap(scene, *heap));
        scene.sprite(self.gardener, GARDENER.turned(self.look.quarter_turns()));
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 5).framed(HEDGE)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.into_iter().chain([Input::Act]).collect()
    }

    /// No blast moves more than one heap.
    fn bound(&self) -> u32 {
        self.wanting() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::prove;

    const UP: Input = Input::Move(Dir::Up);
    const RIGHT: Input = Input::Move(Dir::Right);
    const LEFT: Input = Input::Move(Dir::Left);

    fn play(text: &str, inputs: &[Input]) -> (Lawn, Verdict) {
        let mut lawn = Lawn::parse(text);
        let verdicts: Vec<Verdict> = inputs.iter().map(|input| lawn.act(*input, &mut Film::blank())).collect();
        (lawn, verdicts[verdicts.len() - 1])
    }

    /// Turns right, so that the gardener is at 1 if nothing is there, and blows: the columns of all heaps.
    fn blown(text: &str) -> Vec<i16> {
        play(text, &[RIGHT, Input::Act]).0.heaps.iter().map(|heap| heap.cell.x).collect()
    }

    fn fewest(text: &str) -> Option<u32> {
        prove(&Lawn::parse(text)).ok().map(|proof| proof.optimal())
    }

    #[test]
    fn the_gardener_turns_and_then_steps_where_nothing_is() {
        let at = |text, dir| {
            let (lawn, _) = play(text, &[Input::Move(dir)]);
            (lawn.gardener.x, lawn.look)
        };
        assert_eq!(at("..@..", Dir::Right), (3, Dir::Right));
        assert_eq!(at("..@..", Dir::Up), (2, Dir::Up));
        for text in ["..@A.", "..@C.", "..@S.", "..@~.", "..@#."] {
            assert_eq!(at(text, Dir::Right), (2, Dir::Right), "{text}");
        }
        assert_eq!(at("..@a.", Dir::Right), (3, Dir::Right), "a crate is no obstacle");
    }

    #[test]
    fn the_nearest_heap_slides_until_something_stops_it() {
        assert_eq!(blown("@.A...#"), [5]);
        assert_eq!(blown("@A...."), [5], "the lawn ends");
        assert_eq!(blown("@...A..S."), [6]);
        assert_eq!(blown("@..A..B.."), [5, 6]);
        assert_eq!(blown("@..A.a..."), [8], "a crate does not stop it");
        assert_eq!(blown("@..AB...."), [3, 4], "it has no room, and does not push");
    }

    #[test]
    fn the_blast_gets_no_farther_than_what_stops_it() {
        for text in ["@..#.A..", "@..S.A..", "@..~.A.."] {
            assert_eq!(blown(text), [5], "{text}");
        }
        let (lawn, _) = play("A.....\n@.....", &[RIGHT, LEFT, Input::Act]);
        assert_eq!(lawn.heaps[0].cell, Cell::at(0, 0), "it is not in the line");
    }

    #[test]
    fn feathers_fly_to_the_blower() {
        assert_eq!(blown("@....C.."), [2]);
        assert_eq!(blown("@C......"), [1], "they lie before it");
        assert_eq!(blown("@...A.C."), [5, 6], "leaves are nearer");
        assert_eq!(play("@.c..C", &[RIGHT, Input::Act]).1, Verdict::Solved);
    }

    #[test]
    fn a_crate_wants_its_kind_and_does_not_hold_it() {
        assert_eq!(play("@.A..a", &[RIGHT, Input::Act]).1, Verdict::Solved);
        assert_eq!(play("@.A..b", &[RIGHT, Input::Act]).1, Verdict::Playing);
        let (lawn, verdict) = play("@.A..a\n......\n.B...b", &[RIGHT, Input::Act]);
        assert_eq!((lawn.wanting(), verdict), (1, Verdict::Playing), "the other one is not in yet");
    }

    #[test]
    fn what_slides_into_a_pond_is_lost() {
        let (lawn, verdict) = play("@.A.~.a", &[RIGHT, Input::Act]);
        assert_eq!((lawn.heaps[0].cell.x, verdict), (4, Verdict::Lost));
        assert_eq!(play("@.A.~\na....", &[RIGHT, UP, Input::Act]).1, Verdict::Playing);
    }

    #[test]
    fn every_slide_is_shown_cell_by_cell() {
        let mut film = Film::loaded();
        let mut lawn = Lawn::parse("@A...#");
        lawn.look = Dir::Right;
        lawn.act(Input::Act, &mut film);
        assert_eq!(film.shots().len(), 3);
    }

    #[test]
    fn what_a_level_adds_matters() {
        assert_eq!(fewest(&LEVELS[1].replace('S', ".")), None, "nothing else stops the heaps there");
        for level in [4, 5] {
            let dry = fewest(&LEVELS[level].replace('~', "#"));
            assert!(
                dry.is_some_and(|it| it < Lawn::ABOUT.optimal[level]),
                "ponds force a detour in level {}",
                level + 1
            );
        }
        let drab = fewest(&LEVELS[3].replace('B', "A").replace('b', "a"));
        assert!(drab.is_some_and(|it| it < Lawn::ABOUT.optimal[3]), "colours force a detour");
    }
}
