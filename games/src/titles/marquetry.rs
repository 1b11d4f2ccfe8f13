//! Marquetry: a click chooses a piece of veneer, the arrow keys move it over the table, the space bar turns it.
//!
//! A panel shows the outline of every piece in the colour of its wood. The level is solved the moment all pieces lie in theirs,
//! whichever of them is chosen. A chosen piece has a white rim; it stops at the end of the table, at cramps and at other pieces, and
//! turns clockwise where there is room for that. Levels add, one after the other: a second piece; turning; a third piece, and one
//! that lies where another belongs; outlines that are not hatched, two of them of the same shape; four pieces with little room.

use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// One level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plan {
    /// The outlines, each drawn with the letter of its piece.
    panel: &'static str,
    /// The cell of the table where the drawing begins; the panel is one cell wider all around.
    corner: Cell,
    /// For each piece its letter, the top left cell of the box around it, and its quarter turns clockwise from its outline.
    pieces: &'static [(u8, Cell, u8)],
    /// The top left cells of the cramps.
    cramps: &'static [Cell],
    /// Whether pieces can be turned.
    turns: bool,
    /// Whether outlines are hatched.
    is_hatched: bool,
}

const LEVELS: [Plan; 6] = [
    Plan {
        panel: "
            pp.pp
            ppppp
            .ppp.
            ..p..
        ",
        corner: Cell::at(7, 4),
        pieces: &[(b'p', Cell::at(1, 8), 0)],
        cramps: &[],
        turns: false,
        is_hatched: true,
    },
    Plan {
        panel: "
            .ppp.
            ppppp
            ..m..
            ..m..
            .mmm.
        ",
        corner: Cell::at(8, 7),
        pieces: &[(b'p', Cell::at(5, 2), 0), (b'm', Cell::at(1, 8), 0)],
        cramps: &[],
        turns: false,
        is_hatched: true,
    },
    Plan {
        panel: "
            .mm..
            mmm..
            .mmmm
            .mmm.
        ",
        corner: Cell::at(2, 4),
        pieces: &[(b'm', Cell::at(8, 8), 2)],
        cramps: &[],
        turns: true,
        is_hatched: true,
    },
    Plan {
        panel: "
            ..p..
            .ppp.
            ppppp
            ccccc
            ccacc
            ccacc
        ",
        corner: Cell::at(8, 4),
        pieces: &[(b'p', Cell::at(8, 8), 0), (b'c', Cell::at(1, 7), 0), (b'a', Cell::at(4, 12), 1)],
        cramps: &[],
        turns: true,
        is_hatched: true,
    },
    Plan {
        panel: "
            ccccca
            cmmmma
            cmmmma
            cmmmma
            caaaaa
        ",
        corner: Cell::at(7, 2),
        pieces: &[(b'c', Cell::at(8, 10), 0), (b'a', Cell::at(1, 9), 2), (b'm', Cell::at(0, 2), 0)],
        cramps: &[],
        turns: true,
        is_hatched: false,
    },
    Plan {
        panel: "
            ..mp...
            .ampp..
            aamppp.
            ..m....
            ccccccc
            .ccccc.
        ",
        corner: Cell::at(4, 4),
        pieces: &[
            (b'c', Cell::at(4, 0), 0),
            (b'p', Cell::at(0, 0), 1),
            (b'a', Cell::at(12, 0), 2),
            (b'm', Cell::at(10, 12), 1),
        ],
        cramps: &[Cell::at(0, 6), Cell::at(12, 6)],
        turns: true,
        is_hatched: false,
    },
];

/// Columns and rows of the table.
const SIDE: i16 = 15;
/// Columns and rows of a cramp.
const CRAMP: (i16, i16) = (3, 2);
/// Pixels along the side of a cell.
const TILE: i16 = 4;

const TABLE: Color = Color::of(4);
const SEAM: Color = Color::of(5);
const PANEL: Color = Color::of(5);
const STRINGING: Color = Color::of(2);
const CHOSEN: Color = Color::of(0);

const HATCH: Sprite = Sprite::of(&["...#", "..#.", ".#..", "#..."]);
const IRON: Sprite = Sprite::of(&[
    "111111111112",
    "122222222223",
    "124222222423",
    "122233332223",
    "122233332223",
    "124222222423",
    "122222222223",
    "233333333333",
]);

/// The colour and the look of padauk, maple, cherry and amaranth, with the grain from left to right.
fn wood(letter: u8) -> (Color, Sprite) {
    let (color, veneer) = match letter {
        b'p' => (8, Sprite::of(&["####", "#ddd", "####", "d###"])),
        b'm' => (11, Sprite::of(&["####", "#c##", "####", "###c"])),
        b'c' => (12, Sprite::of(&["####", "dd##", "####", "##dd"])),
        _ => (15, Sprite::of(&["####", "#d##", "##dd", "####"])),
    };
    (Color::of(color), veneer.tinted(Color::of(color)))
}

/// How a piece lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Lie {
    /// The top left cell of the box around it.
    corner: Cell,
    /// Quarter turns clockwise from its outline, fewer than make it lie as before.
    turns: u8,
}

/// What of a piece never changes.
#[derive(Debug, PartialEq, Eq)]
struct Piece {
    letter: u8,
    /// For each quarter turn its cells, seen from the top left one of the box around it.
    faces: Vec<Vec<Cell>>,
    /// How it lies in its outline.
    home: Lie,
}

/// What of a level never changes. As all states of a level share it, it adds nothing to their hashes.
#[derive(Debug, PartialEq, Eq)]
struct Pattern {
    plan: Plan,
    /// Columns and rows of the drawing.
    size: (i16, i16),
    pieces: Vec<Piece>,
}

impl Hash for Pattern {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// Columns and rows of the box around a face.
fn size(face: &[Cell]) -> (i16, i16) {
    let last = face.iter().fold((0, 0), |(x, y), it| (it.x.max(x), it.y.max(y)));
    (last.0 + 1, last.1 + 1)
}

/// A face after a quarter turn clockwise, row after row.
fn turned(face: &[Cell]) -> Vec<Cell> {
    let (_, height) = size(face);
    let mut cells: Vec<Cell> = face.iter().map(|it| Cell::at(height - 1 - it.y, it.x)).collect();
    cells.sort_unstable_by_key(|it| (it.y, it.x));
    cells
}

/// The cells of a face whose box begins at a corner.
fn placed(face: &[Cell], corner: Cell) -> impl Iterator<Item = Cell> + Clone {
    face.iter().map(move |it| Cell::at(corner.x + it.x, corner.y + it.y))
}

impl Piece {
    /// The piece with this letter, whose outline is drawn on a panel.
    fn of(letter: u8, panel: &Map, corner: Cell) -> Piece {
        let cells: Vec<Cell> = panel.find(letter).collect();
        let left = cells.iter().map(|it| it.x).min().unwrap_or(0);
        let top = cells.iter().map(|it| it.y).min().unwrap_or(0);
        let mut faces = vec![cells.iter().map(|it| Cell::at(it.x - left, it.y - top)).collect()];
        while let Some(next) = faces.last().map(|it: &Vec<Cell>| turned(it)).filter(|it| *it != faces[0]) {
            faces.push(next);
        }
        Piece { letter, faces, home: Lie { corner: Cell::at(corner.x + left, corner.y + top), turns: 0 } }
    }

    fn face(&self, lie: Lie) -> &[Cell] {
        &self.faces[usize::from(lie.turns)]
    }

    /// How it lies after a quarter turn about the middle, or the cell next to it: four turns are none.
    fn turned(&self, lie: Lie) -> Lie {
        let (width, height) = size(self.face(lie));
        let shift = (width - height) / 2;
        let corner = Cell::at(lie.corner.x + shift, lie.corner.y - shift);
        Lie { corner, turns: (lie.turns + 1) % self.faces.len() as u8 }
    }

    /// Turns and steps from one lie to its home where nothing is in the way.
    fn way(&self, lie: Lie) -> u32 {
        let (mut lie, mut turns) = (lie, 0);
        while lie.turns != self.home.turns {
            (lie, turns) = (self.turned(lie), turns + 1);
        }
        turns + lie.corner.distance(self.home.corner)
    }
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Marquetry {
    pattern: Arc<Pattern>,
    /// How each piece lies.
    lies: Vec<Lie>,
    chosen: Option<usize>,
}

impl Marquetry {
    fn of(plan: Plan) -> Marquetry {
        let panel = Map::parse(plan.panel);
        let lies = plan.pieces.iter().map(|(_, corner, turns)| Lie { corner: *corner, turns: *turns }).collect();
        let pieces = plan.pieces.iter().map(|(letter, ..)| Piece::of(*letter, &panel, plan.corner)).collect();
        let pattern = Pattern { plan, size: (panel.width(), panel.height()), pieces };
        Marquetry { pattern: Arc::new(pattern), lies, chosen: None }
    }

    /// The cells under a piece, were it to lie so.
    fn cells(&self, index: usize, lie: Lie) -> impl Iterator<Item = Cell> + Clone {
        placed(self.pattern.pieces[index].face(lie), lie.corner)
    }

    fn piece_at(&self, cell: Cell) -> Option<usize> {
        (0..self.lies.len()).find(|index| self.cells(*index, self.lies[*index]).any(|it| it == cell))
    }

    /// Whether it is a cell of the table without a cramp.
    fn is_open(&self, cell: Cell) -> bool {
        let is_in = |cramp: &Cell| {
            (cramp.x..cramp.x + CRAMP.0).contains(&cell.x) && (cramp.y..cramp.y + CRAMP.1).contains(&cell.y)
        };
        let on_table = (0..SIDE).contains(&cell.x) && (0..SIDE).contains(&cell.y);
        on_table && !self.pattern.plan.cramps.iter().any(is_in)
    }

    /// Lays a piece so, if there is room.
    fn lay(&mut self, index: usize, lie: Lie) {
        let has_room = |cell| self.is_open(cell) && self.piece_at(cell).is_none_or(|other| other == index);
        if self.cells(index, lie).all(has_room) {
            self.lies[index] = lie;
        }
    }

    /// The lies of the pieces that do not lie in their outlines, by their numbers.
    fn astray(&self) -> impl Iterator<Item = (usize, Lie)> {
        let lies = self.lies.iter().copied().enumerate();
        lies.filter(|(index, lie)| *lie != self.pattern.pieces[*index].home)
    }

    fn draw_table(&self, scene: &mut Scene) {
        scene.fill(TABLE);
        for y in (0..SIDE).step_by(3) {
            scene.rectangle(Cell::at(0, y), (0, TILE - 1), (SIDE * TILE, 1), SEAM);
        }
        let Pattern { plan: Plan { corner, cramps, .. }, size: (width, height), .. } = *self.pattern;
        for (margin, color) in [(TILE, PANEL), (TILE - 1, STRINGING), (TILE - 2, PANEL)] {
            let size = (width * TILE + 2 * margin, height * TILE + 2 * margin);
            scene.rectangle(corner, (-margin, -margin), size, color);
        }
        for cramp in cramps {
            scene.sprite(*cramp, IRON);
        }
    }

    fn draw_outline(&self, scene: &mut Scene, piece: &Piece) {
        let (color, _) = wood(piece.letter);
        let cells = placed(piece.face(piece.home), piece.home.corner);
        if self.pattern.plan.is_hatched {
            cells.clone().for_each(|it| scene.sprite(it, HATCH.tinted(color)));
        }
        draw_rim(scene, cells, color);
    }
}

/// Draws along the edge of a piece.
fn draw_rim(scene: &mut Scene, cells: impl Iterator<Item = Cell> + Clone, color: Color) {
    let all = cells.clone();
    for cell in cells {
        for dir in Dir::ALL.into_iter().filter(|dir| all.clone().all(|it| it != cell + *dir)) {
            let (offset, size) = match dir {
                Dir::Up => ((0, 0), (TILE, 1)),
                Dir::Right => ((TILE - 1, 0), (1, TILE)),
                Dir::Down => ((0, TILE - 1), (TILE, 1)),
                Dir::Left => ((0, 0), (1, TILE)),
            };
            scene.rectangle(cell, offset, size, color);
        }
    }
}

impl Title for Marquetry {
    const ABOUT: About = About {
        stem: "m264",
        title: "Marquetry",
        families: &[Family::SelectThenAct, Family::Slots, Family::Walls, Family::Reference],
        controls: ActionSet::of(&[
            ActionId::Action1,
            ActionId::Action2,
            ActionId::Action3,
            ActionId::Action4,
            ActionId::Action5,
            ActionId::Action6,
        ]),
        optimal: &[11, 19, 13, 25, 41, 54],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 2,
            full: Color::of(10),
            empty: Color::of(3),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Marquetry::of(LEVELS[index])
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        match (input, self.chosen) {
            (Input::Click(cell), _) => self.chosen = self.piece_at(cell).or(self.chosen),
            (Input::Move(dir), Some(index)) => {
                let Lie { corner, turns } = self.lies[index];
                self.lay(index, Lie { corner: corner + dir, turns });
            }
            (Input::Act, Some(index)) if self.pattern.plan.turns => {
                self.lay(index, self.pattern.pieces[index].turned(self.lies[index]));
            }
            _ => {}
        }
        if self.astray().next().is_none() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        self.draw_table(scene);
        self.pattern.pieces.iter().for_each(|it| self.draw_outline(scene, it));
        scene.layer(1);
        for (index, lie) in self.lies.iter().enumerate() {
            let (_, veneer) = wood(self.pattern.pieces[index].letter);
            self.cells(index, *lie).for_each(|it| scene.sprite(it, veneer.turned(lie.turns)));
            if self.chosen == Some(index) {
                draw_rim(scene, self.cells(index, *lie), CHOSEN);
            }
        }
    }

    fn view(&self) -> View {
        View::of(SIDE, SIDE, TILE).framed(PANEL)
    }

    fn inputs(&self) -> Vec<Input> {
        let others = (0..self.lies.len()).filter(|index| self.chosen != Some(*index));
        let clicks = others.filter_map(|index| self.cells(index, self.lies[index]).next()).map(Input::Click);
        let keys = Input::MOVES.into_iter().chain(self.pattern.plan.turns.then_some(Input::Act));
        keys.filter(|_| self.chosen.is_some()).chain(clicks).collect()
    }

    /// Each piece that is astray has to be chosen, turned and moved.
    fn bound(&self) -> u32 {
        let ways = self
            .astray()
            .map(|(index, lie)| u32::from(self.chosen != Some(index)) + self.pattern.pieces[index].way(lie));
        ways.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UP: Input = Input::Move(Dir::Up);
    const RIGHT: Input = Input::Move(Dir::Right);
    const DOWN: Input = Input::Move(Dir::Down);
    const LEFT: Input = Input::Move(Dir::Left);

    /// Plays a level of turning whose panel begins in the corner of the table; a cramp is in the way below (3, 3).
    fn play(panel: &'static str, pieces: &[(u8, Cell, u8)], inputs: &[Input]) -> (Marquetry, Verdict) {
        let (pieces, cramps, corner) = (pieces.to_vec().leak(), [Cell::at(3, 4)].to_vec().leak(), Cell::at(0, 0));
        let plan = Plan { panel, corner, pieces, cramps, turns: true, is_hatched: true };
        let mut marquetry = Marquetry::of(plan);
        let verdicts: Vec<Verdict> = inputs.iter().map(|input| marquetry.act(*input, &mut Film::blank())).collect();
        (marquetry, verdicts.last().copied().unwrap_or(Verdict::Playing))
    }

    fn click(x: i16, y: i16) -> Input {
        Input::Click(Cell::at(x, y))
    }

    #[test]
    fn keys_move_the_piece_that_was_clicked_last() {
        let pieces = &[(b'p', Cell::at(0, 0), 0), (b'm', Cell::at(0, 1), 0)];
        let expect = |inputs: &[Input], columns: [i16; 2]| {
            let (marquetry, _) = play("....p\n....m", pieces, inputs);
            assert!(marquetry.lies.iter().map(|it| it.corner.x).eq(columns), "{inputs:?}: {:?}", marquetry.lies);
        };
        expect(&[RIGHT], [0, 0]);
        expect(&[click(0, 0), RIGHT, RIGHT], [2, 0]);
        expect(&[click(0, 0), RIGHT, click(0, 1), RIGHT, RIGHT], [1, 2]);
        expect(&[click(0, 0), click(9, 9), RIGHT], [1, 0]);
    }

    #[test]
    fn a_piece_stops_at_others_at_cramps_and_at_the_end_of_the_table() {
        let pieces = &[(b'p', Cell::at(0, 3), 0), (b'm', Cell::at(6, 2), 0)];
        let corner =
            |inputs: &[Input]| play("pp...m\np....m", pieces, &[&[click(0, 3)], inputs].concat()).0.lies[0].corner;
        assert_eq!(corner(&[LEFT]), Cell::at(0, 3), "there the table ends");
        assert_eq!(corner(&[RIGHT; 3]), Cell::at(2, 3), "a cramp is below");
        assert_eq!(corner(&[UP, RIGHT, RIGHT, RIGHT, RIGHT, RIGHT]), Cell::at(4, 2), "another one is there");
    }

    #[test]
    fn a_piece_turns_where_there_is_room_and_four_turns_are_none() {
        let lie = |pieces: &[(u8, Cell, u8)], acts| {
            play("p..\np.m\npp.", pieces, &[vec![click(0, 6)], vec![Input::Act; acts]].concat()).0.lies[0]
        };
        let beside = [(b'p', Cell::at(0, 6), 0), (b'm', Cell::at(2, 6), 0)];
        let free = &beside[..1];
        assert_eq!([0, 1, 2, 3, 4].map(|acts| lie(free, acts).turns), [0, 1, 2, 3, 0]);
        assert_eq!(lie(free, 4), lie(free, 0));
        assert_eq!(lie(&beside, 1), lie(free, 0), "another one is in the way");
    }

    #[test]
    fn a_piece_that_looks_the_same_lies_the_same() {
        let pieces = &[(b'p', Cell::at(0, 3), 1)];
        let way = [click(0, 3), Input::Act, Input::Act, Input::Act, UP, UP, UP, LEFT];
        let (marquetry, verdict) = play("p\np\np", pieces, &way);
        assert_eq!((marquetry.pattern.pieces[0].faces.len(), verdict), (2, Verdict::Solved), "{:?}", marquetry.lies);
    }

    #[test]
    fn an_outline_wants_the_piece_of_its_colour() {
        let pieces = &[(b'p', Cell::at(0, 1), 0), (b'm', Cell::at(1, 0), 0)];
        let swapped = [click(0, 1), DOWN, click(1, 0), LEFT, DOWN, click(0, 2), RIGHT, UP, UP];
        let verdict = |panel| play(panel, pieces, &swapped).1;
        assert_eq!([verdict(".m\np."), verdict(".p\nm.")], [Verdict::Playing, Verdict::Solved]);
    }

    #[test]
    fn pieces_turn_from_the_third_level_on() {
        for (plan, level) in LEVELS.into_iter().zip(1..) {
            let mut marquetry = Marquetry::of(plan);
            marquetry.chosen = Some(0);
            let start = marquetry.clone();
            marquetry.act(Input::Act, &mut Film::blank());
            assert!(level >= 3 || marquetry == start, "level {level}");
            assert_eq!(start.inputs().contains(&Input::Act), level >= 3, "level {level}");
        }
    }
}
