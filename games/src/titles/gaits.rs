//! Gaits: a click picks one of several pieces, the keys move it, each piece in the way its shape tells.
//!
//! Every piece must come to the mark of its shape. Levels add, one after the other: a second walker to go around; a
//! piece that moves diagonally; one that leaps; one that glides until something stops it; water, over which only
//! leaps go; all of them.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` wall, `~` water; pieces are capital letters (`W` walks, `D` diagonally, `L` leaps, `G` glides), their marks
/// small ones.
const LEVELS: [&str; 7] = [
    "
    .....
    .W#..
    ..#w.
    .....
    ",
    "
    W.#.w
    ..#..
    W...w
    #.#.#
    ",
    "
    ...#...
    .D.#.w.
    ...#...
    #.....#
    ...#...
    .d.#.W.
    ...#...
    ",
    "
    ..##....
    ..#..##.
    .L#.##l.
    ....#...
    ..W.#.w.
    .....#..
    ..#.....
    ",
    "
    .....#..
    .G......
    ...#....
    ......W.
    .#..g...
    ...w....
    #......#
    ",
    "
    ...~....
    L..~..G.
    ...~....
    .D.~.g..
    ...~....
    ..#~....
    d..~.l..
    ",
    "
    w.l.#...g
    ....#....
    .G....D..
    ~~~.~.~~~
    #..W..~..
    ...#..~L.
    ..d#..~..
    ",
];

const GROUND: Color = Color::of(4);
const SEAM: Color = Color::of(5);
const WALL: Color = Color::of(2);
const WATER: Color = Color::of(10);
const HALO: Color = Color::of(0);

/// How a piece moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Gait {
    /// One step.
    Walk,
    /// One step, turned clockwise by an eighth: up is up and right.
    Diagonal,
    /// Two steps and one to the right of them, over anything.
    Leap,
    /// As far as it goes.
    Glide,
}

impl Gait {
    const ALL: [(Gait, u8); 4] = [(Gait::Walk, b'W'), (Gait::Diagonal, b'D'), (Gait::Leap, b'L'), (Gait::Glide, b'G')];

    /// The cell one stride away.
    fn stride(self, cell: Cell, dir: Dir) -> Cell {
        let side = dir.clockwise();
        match self {
            Gait::Walk | Gait::Glide => cell + dir,
            Gait::Diagonal => cell + dir + side,
            Gait::Leap => cell + dir + dir + side,
        }
    }

    /// Strides between two cells, at least.
    fn strides(self, from: Cell, to: Cell) -> u32 {
        let (dx, dy) = (u32::from(from.x.abs_diff(to.x)), u32::from(from.y.abs_diff(to.y)));
        match self {
            Gait::Walk => dx + dy,
            Gait::Diagonal => dx.max(dy),
            Gait::Leap => (dx + dy).div_ceil(3),
            Gait::Glide => u32::from(dx > 0) + u32::from(dy > 0),
        }
    }

    fn sprite(self) -> Sprite {
        match self {
            Gait::Walk => Sprite::of(&["..8..", "..8..", "88888", "..8..", "..8.."]),
            Gait::Diagonal => Sprite::of(&["f...f", ".f.f.", "..f..", ".f.f.", "f...f"]),
            Gait::Leap => Sprite::of(&[".cc..", ".c...", ".c...", ".c...", ".ccc."]),
            Gait::Glide => Sprite::of(&["..9..", ".999.", "99599", ".999.", "..9.."]),
        }
    }

    /// The hollow form of its sprite.
    fn mark(self) -> Sprite {
        match self {
            Gait::Walk => Sprite::of(&["..8..", ".....", "8...8", ".....", "..8.."]),
            Gait::Diagonal => Sprite::of(&["f...f", ".....", ".....", ".....", "f...f"]),
            Gait::Leap => Sprite::of(&[".cc..", ".....", ".c...", ".....", ".c.c."]),
            Gait::Glide => Sprite::of(&["..9..", ".9.9.", "9...9", ".9.9.", "..9.."]),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Piece {
    gait: Gait,
    cell: Cell,
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Gaits {
    map: Map,
    /// In order, because two of one gait are the same.
    pieces: Vec<Piece>,
    /// The cell of the piece that the keys move.
    picked: Option<Cell>,
}

impl Gaits {
    fn of(text: &str) -> Gaits {
        let map = Map::parse(text);
        Gaits { pieces: placed(&map, |letter| letter), map, picked: None }
    }

    fn piece_at(&self, cell: Cell) -> Option<usize> {
        self.pieces.iter().position(|piece| piece.cell == cell)
    }

    fn is_free(&self, cell: Cell) -> bool {
        !matches!(self.map.glyph(cell), b'#' | b'~') && self.piece_at(cell).is_none()
    }

    /// Moves the piece on a cell by its gait.
    fn go(&mut self, index: usize, dir: Dir, film: &mut Film<Self>) {
        let gait = self.pieces[index].gait;
        while self.is_free(gait.stride(self.pieces[index].cell, dir)) {
            self.pieces[index].cell = gait.stride(self.pieces[index].cell, dir);
            self.picked = Some(self.pieces[index].cell);
            if gait != Gait::Glide {
                break;
            }
            film.shoot(self);
        }
        self.pieces.sort_unstable();
    }

    fn is_solved(&self) -> bool {
        self.marks() == self.pieces
    }

    /// Where pieces belong.
    fn marks(&self) -> Vec<Piece> {
        placed(&self.map, |letter| letter.to_ascii_lowercase())
    }
}

/// The pieces of a map, by the glyph that stands for each letter.
fn placed(map: &Map, glyph: impl Fn(u8) -> u8) -> Vec<Piece> {
    let of = |(gait, letter)| map.find(glyph(letter)).map(move |cell| Piece { gait, cell });
    Gait::ALL.into_iter().flat_map(of).collect()
}

impl Title for Gaits {
    const ABOUT: About = About {
        stem: "g529",
        title: "Gaits",
        families: &[Family::SelectThenAct, Family::Walls, Family::Slide, Family::Undo],
        controls: ActionSet::of(&[
            ActionId::Action1,
            ActionId::Action2,
            ActionId::Action3,
            ActionId::Action4,
            ActionId::Action6,
            ActionId::Action7,
        ]),
        optimal: &[6, 14, 10, 13, 11, 17, 23],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 2,
            full: Color::of(11),
            empty: Color::of(3),
            drain: Drain::Effective,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Gaits::of(LEVELS[index])
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        match input {
            Input::Click(cell) if self.piece_at(cell).is_some() => self.picked = Some(cell),
            Input::Move(dir) => {
                if let Some(index) = self.picked.and_then(|cell| self.piece_at(cell)) {
                    self.go(index, dir, film);
                }
            }
            _ => {}
        }
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        for (cell, glyph) in self.map.iter() {
            scene.cell(cell, SEAM);
            let color = match glyph {
                b'#' => WALL,
                b'~' => WATER,
                _ => GROUND,
            };
            scene.rectangle(cell, (0, 0), (6, 6), color);
        }
        for mark in self.marks() {
            scene.sprite(mark.cell, mark.gait.mark());
        }
        if let Some(cell) = self.picked {
            scene.rectangle(cell, (-1, -1), (7, 7), HALO);
        }
        for piece in &self.pieces {
            scene.sprite(piece.cell, piece.gait.sprite());
        }
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 7).framed(WALL)
    }

    fn inputs(&self) -> Vec<Input> {
        let others = self.pieces.iter().map(|piece| piece.cell).filter(|cell| Some(*cell) != self.picked);
        Input::MOVES.into_iter().chain(others.map(Input::Click)).collect()
    }

    /// Every piece that is not on a mark has to be picked and to come to one.
    fn bound(&self) -> u32 {
        let marks = self.marks();
        let strides = |piece: &Piece| {
            let own = marks.iter().filter(|mark| mark.gait == piece.gait);
            own.map(|mark| piece.gait.strides(piece.cell, mark.cell)).min().unwrap_or(0)
        };
        let cost = |piece: &Piece| match strides(piece) {
            0 => 0,
            strides => strides + u32::from(self.picked != Some(piece.cell)),
        };
        self.pieces.iter().map(cost).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::{ProofError, prove};

    /// Where the only piece of a map is after one key.
    fn moved(map: &str, dir: Dir) -> Cell {
        let mut gaits = Gaits::of(map);
        let cell = gaits.pieces[0].cell;
        gaits.act(Input::Click(cell), &mut Film::blank());
        gaits.act(Input::Move(dir), &mut Film::blank());
        gaits.pieces[0].cell
    }

    #[test]
    fn every_gait_has_its_stride() {
        let map = |letter| format!(".....\n.....\n..{letter}..\n.....\n.....");
        assert_eq!(moved(&map('W'), Dir::Up), Cell::at(2, 1));
        assert_eq!(moved(&map('D'), Dir::Right), Cell::at(3, 3));
        assert_eq!(moved(&map('L'), Dir::Down), Cell::at(1, 4));
        assert_eq!(moved(&map('G'), Dir::Left), Cell::at(0, 2));
    }

    #[test]
    fn only_a_leap_crosses_water() {
        assert_eq!(moved("L~..\n....", Dir::Right), Cell::at(2, 1));
        assert_eq!(moved("G.~.", Dir::Right), Cell::at(1, 0));
        assert_eq!(moved("D..\n.~.", Dir::Right), Cell::at(0, 0));
    }

    #[test]
    fn a_glider_needs_the_leaper_to_stop_at() {
        let alone = Gaits::of(&LEVELS[5].replace(['L', 'l'], "."));
        assert!(matches!(prove(&alone), Err(ProofError::Unsolvable { .. })));
    }

    #[test]
    fn nothing_moves_before_it_is_picked() {
        let start = Gaits::of(LEVELS[0]);
        let mut gaits = start.clone();
        gaits.act(Input::Move(Dir::Down), &mut Film::blank());
        assert_eq!(gaits, start);
    }
}
