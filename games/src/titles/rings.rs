//! Rings: arrows turn closed tracks of beads; where two tracks cross, they share a bead.
//!
//! Beads must come to the brackets of their colour; plain ones do not matter. Levels add, one after the other: more
//! colours and an arrow that turns by three places; a track that crosses the first; two arrows for each of them; a
//! third track; pairs of arrows that turn two tracks at once.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Board, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// One level.
#[derive(Debug)]
struct Plan {
    /// `.` nothing, `o` plain bead, `r` `y` `b` coloured ones, a digit a cell of that arrow, counted from 1.
    start: &'static str,
    /// Where coloured beads belong, by the same letters.
    wanted: &'static str,
    tracks: &'static [Track],
    /// What each arrow does: its first cell shows the first turn, its second cell the second one.
    arrows: &'static [&'static [Turn]],
}

/// The outline of a rectangle of cells.
#[derive(Clone, Copy, Debug)]
struct Track {
    corner: Cell,
    side: i16,
}

/// A track, by its number, and how many places its beads move on, clockwise if positive.
type Turn = (usize, i8);

const fn track(x: i16, y: i16, side: i16) -> Track {
    Track { corner: Cell::at(x, y), side }
}

const LEVELS: [Plan; 6] = [
    Plan {
        start: "
            ......
            .oooo.
            .o..r.
            .o1.o.
            .oooo.
            ......
        ",
        wanted: "
            ......
            ......
            ......
            ......
            ..r...
            ......
        ",
        tracks: &[track(1, 1, 4)],
        arrows: &[&[(0, 1)]],
    },
    Plan {
        start: "
            ..........
            ..oorooo..
            ..o....o..
            ..o.1..b..
            ..o..2.o..
            ..o....o..
            ..oyoooo..
            ..........
        ",
        wanted: "
            ..........
            ......y...
            ..........
            ..........
            ..b.......
            ..........
            .....r....
            ..........
        ",
        tracks: &[track(2, 1, 6)],
        arrows: &[&[(0, 3)], &[(0, -1)]],
    },
    Plan {
        start: "
            .........
            .oroo....
            .o1.o....
            .o.obro..
            .oobo.o..
            ...b.2o..
            ...oooo..
            .........
        ",
        wanted: "
            .........
            .b..b....
            .........
            .........
            .........
            ......r..
            .........
            .........
        ",
        tracks: &[track(1, 1, 4), track(3, 3, 4)],
        arrows: &[&[(0, 1)], &[(1, -1)]],
    },
    Plan {
        start: "
            ...........
            .yooo......
            .o12o......
            .o.oooo....
            .oroo.b....
            ...o34r....
            ...booo....
            ...........
        ",
        wanted: "
            ...........
            .r..r......
            ...........
            ...........
            ...........
            ...........
            ...b..b....
            ...........
        ",
        tracks: &[track(1, 1, 4), track(3, 3, 4)],
        arrows: &[&[(0, 3)], &[(0, -1)], &[(1, 3)], &[(1, -1)]],
    },
    Plan {
        start: "
            ...........
            .oroo.1....
            .o..o......
            .o.oooo..2.
            .oooo.o....
            ...o.oobo..
            .3.oooo.o..
            .....o..o..
            .....oorb..
            ...........
        ",
        wanted: "
            ...........
            .b..b......
            ...........
            ......r....
            ...........
            ...........
            ...r.......
            ...........
            ...........
            ...........
        ",
        tracks: &[track(1, 1, 4), track(3, 3, 4), track(5, 5, 4)],
        arrows: &[&[(0, 1)], &[(1, 1)], &[(2, 1)]],
    },
    Plan {
        start: "
            ............
            .ooor.11....
            .o..o.......
            .o.oooo..22.
            .oooo.o.....
            ...o.oobo...
            33.oooo.o...
            .....o..o...
            .....yooo...
            ............
        ",
        wanted: "
            ............
            .b..........
            ............
            ............
            ....y.......
            ............
            ............
            ............
            .....r......
            ............
        ",
        tracks: &[track(1, 1, 4), track(3, 3, 4), track(5, 5, 4)],
        arrows: &[&[(0, 1), (1, -1)], &[(1, 1), (2, -1)], &[(2, 3), (0, 1)]],
    },
];

const TABLE: Color = Color::of(13);
const HUB: Color = Color::of(5);
const RAILS: [Color; 3] = [Color::of(2), Color::of(10), Color::of(7)];

const BEAD: Sprite = Sprite::of(&[".###.", "#####", "#####", "#####", ".###."]);
const PLAIN: Sprite = Sprite::of(&[".....", ".###.", ".###.", ".###.", "....."]);
const BRACKETS: Sprite = Sprite::of(&["#...#", ".....", ".....", ".....", "#...#"]);
const CLOCKWISE: Sprite = Sprite::of(&["###.#", "#..##", "#.###", "#....", "#####"]);
const COUNTER: Sprite = Sprite::of(&["#.###", "##..#", "###.#", "....#", "#####"]);
const THRICE: Sprite = Sprite::of(&[".....", ".....", "...0.", ".0.0.", "....."]);
const THRICE_BACK: Sprite = Sprite::of(&[".....", ".....", ".0...", ".0.0.", "....."]);

impl Track {
    /// Its cells, clockwise.
    fn cells(self) -> Vec<Cell> {
        let mut cell = self.corner;
        let mut cells = Vec::new();
        for dir in [Dir::Right, Dir::Down, Dir::Left, Dir::Up] {
            for _ in 1..self.side {
                cells.push(cell);
                cell = cell + dir;
            }
        }
        cells
    }
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rings {
    level: usize,
    wanted: Map,
    beads: Board<u8>,
}

impl Rings {
    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    /// Moves all beads of a track by one place.
    fn step(&mut self, track: Track, clockwise: bool) {
        let cells = track.cells();
        let mut beads: Vec<u8> = cells.iter().map(|cell| self.beads[*cell]).collect();
        if clockwise {
            beads.rotate_right(1);
        } else {
            beads.rotate_left(1);
        }
        for (cell, bead) in cells.into_iter().zip(beads) {
            self.beads[cell] = bead;
        }
    }

    /// Carries out the turns of an arrow, one place after the other.
    fn turn(&mut self, turns: &[Turn], film: &mut Film<Self>) {
        let places = |(track, places): &Turn| vec![(*track, *places > 0); usize::from(places.unsigned_abs())];
        for (index, (track, clockwise)) in turns.iter().flat_map(places).enumerate() {
            if index > 0 {
                film.shoot(self);
            }
            self.step(self.plan().tracks[track], clockwise);
        }
    }

    fn is_solved(&self) -> bool {
        self.marks().all(|(cell, wanted)| self.beads[cell] == wanted)
    }

    fn marks(&self) -> impl Iterator<Item = (Cell, u8)> {
        self.wanted.iter().filter(|(_, glyph)| **glyph != b'.').map(|(cell, glyph)| (cell, *glyph))
    }

    fn draw_arrow(&self, scene: &mut Scene, index: usize) {
        let glyph = b'1' + index as u8;
        for (cell, (track, places)) in self.beads.find(glyph).zip(self.plan().arrows[index]) {
            scene.cell(cell, HUB);
            let arrow = if *places > 0 { CLOCKWISE } else { COUNTER };
            scene.sprite(cell, arrow.tinted(RAILS[*track]));
            match places {
                3 => scene.sprite(cell, THRICE),
                -3 => scene.sprite(cell, THRICE_BACK),
                _ => {}
            }
        }
    }
}

fn color(bead: u8) -> Color {
    Color::of(match bead {
        b'r' => 8,
        b'y' => 11,
        b'b' => 9,
        _ => 4,
    })
}

impl Title for Rings {
    const ABOUT: About = About {
        stem: "r704",
        title: "Rings",
        families: &[Family::Tracks],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[4, 6, 17, 11, 25, 15],
        bar: Some(Bar {
            edge: Edge::Left,
            thickness: 1,
            full: Color::of(0),
            empty: Color::of(4),
            drain: Drain::Effective,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        let plan = &LEVELS[index];
        Rings { level: index, wanted: Map::parse(plan.wanted), beads: Board::clone(&Map::parse(plan.start)) }
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Click(cell) = input else { return Verdict::Playing };
        let arrow = self.beads.get(cell).and_then(|glyph| glyph.checked_sub(b'1'));
        if let Some(turns) = arrow.and_then(|index| self.plan().arrows.get(usize::from(index))) {
            self.turn(turns, film);
        }
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(TABLE);
        for (track, rail) in self.plan().tracks.iter().zip(RAILS) {
            track.cells().into_iter().for_each(|cell| scene.cell(cell, rail));
        }
        for (cell, bead) in self.beads.iter().filter(|(_, bead)| bead.is_ascii_lowercase()) {
            let sprite = if *bead == b'o' { PLAIN } else { BEAD };
            scene.sprite(cell, sprite.tinted(color(*bead)));
        }
        for (cell, wanted) in self.marks() {
            scene.sprite(cell, BRACKETS.tinted(color(wanted)));
        }
        (0..self.plan().arrows.len()).for_each(|index| self.draw_arrow(scene, index));
    }

    fn view(&self) -> View {
        View::of(self.beads.width(), self.beads.height(), 5).framed(TABLE)
    }

    fn inputs(&self) -> Vec<Input> {
        let first = |index| self.beads.find(b'1' + index as u8).next();
        (0..self.plan().arrows.len()).filter_map(first).map(Input::Click).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(index: usize) -> Rings {
        Rings::level(index, &mut Dice::new(0, ""))
    }

    #[test]
    fn an_arrow_and_its_mirror_undo_each_other() {
        let start = level(1);
        let mut rings = start.clone();
        rings.turn(&[(0, 3)], &mut Film::blank());
        assert_ne!(rings, start);
        rings.turn(&[(0, -3)], &mut Film::blank());
        assert_eq!(rings, start);
    }

    #[test]
    fn a_bead_changes_tracks_at_a_crossing() {
        let mut rings = level(2);
        let crossing = Cell::at(4, 3);
        let bead = rings.beads[crossing];
        rings.turn(&[(0, 1)], &mut Film::blank());
        assert_eq!(rings.beads[crossing + Dir::Down], bead);
        let mut rings = level(2);
        rings.turn(&[(1, 1)], &mut Film::blank());
        assert_eq!(rings.beads[crossing + Dir::Right], bead);
    }
}
