//! Mosaic: arrows at the ends of rows and columns push all their stones on by one, and the one pushed out comes in again
//! at the other end, until the tray is like the picture beside it.
//!
//! Levels add, one after the other: columns; lines that go one way only; holes, over which a line leaps; stones that
//! are nailed down, which it leaps over too; all of it together, with few arrows.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Board, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// One level.
#[derive(Debug)]
struct Plan {
    /// The stones as they lie, and as they should: a letter a colour, a capital where it is nailed down; `_` a hole.
    start: &'static str,
    wanted: &'static str,
    /// Where arrows are, by the way they push, clockwise from up: `o` where a column or a row has one.
    arrows: [&'static str; 4],
    /// Frame cells from one stone to the next.
    pitch: i16,
    /// The frame cell in the corner of the first stone, and of the picture.
    tray: (i16, i16),
    picture: (i16, i16),
    /// Frame cells that a stone has in the picture.
    dot: i16,
}

const LEVELS: [Plan; 6] = [
    Plan {
        start: "baa bab",
        wanted: "aab bba",
        arrows: ["...", "oo", "...", "oo"],
        pitch: 12,
        tray: (14, 16),
        picture: (24, 46),
        dot: 5,
    },
    Plan {
        start: "baa aba bbc",
        wanted: "aba bcb aba",
        arrows: ["ooo", "ooo", "ooo", "ooo"],
        pitch: 10,
        tray: (27, 17),
        picture: (5, 5),
        dot: 4,
    },
    Plan {
        start: "bcad dbca bbaa",
        wanted: "abba cddc abba",
        arrows: ["....", "ooo", "oooo", "..."],
        pitch: 10,
        tray: (4, 22),
        picture: (34, 3),
        dot: 5,
    },
    Plan {
        start: "bacb a__b a__c cabc",
        wanted: "abba c__c c__c baab",
        arrows: ["oooo", "oooo", "....", "...."],
        pitch: 8,
        tray: (24, 24),
        picture: (4, 34),
        dot: 4,
    },
    Plan {
        start: "ccbca aDbDb baaab cbbaa",
        wanted: "abcba bDaDb abcba cabac",
        arrows: ["o.o.o", "oooo", ".o.o.", "...."],
        pitch: 8,
        tray: (4, 10),
        picture: (46, 46),
        dot: 3,
    },
    Plan {
        start: "caabb cEd_b daadd d_bEd cdbbc",
        wanted: "aabcc aEb_c abdbc d_bEd ddbdd",
        arrows: ["..oo.", ".o.o.", "oo..o", "o.o.o"],
        pitch: 8,
        tray: (16, 13),
        picture: (2, 2),
        dot: 2,
    },
];

const SIDE: i16 = 64;
/// Frame cells of an arrow, and of the gap between it and the stones.
const ARROW: i16 = 5;
const GAP: i16 = 2;

const BENCH: Color = Color::of(13);
const TRAY: Color = Color::of(5);
const PAPER: Color = Color::of(2);
const PUSH: Color = Color::of(1);
const PUSHED: Color = Color::of(8);
const NAIL: Color = Color::of(5);
const COLORS: [Color; 5] = [Color::of(11), Color::of(9), Color::of(14), Color::of(12), Color::of(0)];

const POINTER: Sprite = Sprite::of(&[".....", "..#..", ".###.", "#####", "....."]);

/// An arrow: the way it pushes, and which column or row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Arrow {
    dir: Dir,
    line: i16,
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Mosaic {
    level: usize,
    wanted: Map,
    stones: Board<u8>,
    /// The arrow that was clicked, while it is shown.
    pushed: Option<Arrow>,
}

fn parse(rows: &str) -> Map {
    Map::parse(&rows.replace(' ', "\n"))
}

/// The colour of a stone; `None` for a hole.
fn color(stone: u8) -> Option<Color> {
    COLORS.get(usize::from(stone.to_ascii_lowercase().checked_sub(b'a')?)).copied()
}

/// How many of these stones are not among those.
fn surplus(stones: &[u8], wanted: &[u8]) -> usize {
    let mut left = wanted.to_vec();
    let is_missing = |stone: &&u8| match left.iter().position(|other| other == *stone) {
        Some(index) => {
            left.swap_remove(index);
            false
        }
        None => true,
    };
    stones.iter().filter(is_missing).count()
}

impl Mosaic {
    fn of(level: usize) -> Mosaic {
        let plan = &LEVELS[level];
        Mosaic { level, wanted: parse(plan.wanted), stones: Board::clone(&parse(plan.start)), pushed: None }
    }

    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    fn arrows(&self) -> impl Iterator<Item = Arrow> + use<> {
        let ends = Dir::ALL.into_iter().zip(self.plan().arrows);
        ends.flat_map(|(dir, ends)| {
            let lines = (0..).zip(ends.bytes()).filter(|(_, glyph)| *glyph == b'o');
            lines.map(move |(line, _)| Arrow { dir, line })
        })
    }

    fn corner_of(&self, cell: Cell) -> Cell {
        let Plan { tray: (x, y), pitch, .. } = *self.plan();
        Cell::at(x + pitch * cell.x, y + pitch * cell.y)
    }

    /// The frame cell in the corner of an arrow, which stands where it pushes to.
    fn corner(&self, Arrow { dir, line }: Arrow) -> Cell {
        let Cell { x: left, y: top } = self.corner_of(Cell::at(0, 0));
        let Cell { x: right, y: bottom } = self.corner_of(Cell::at(self.stones.width(), self.stones.height()));
        let Cell { x, y } = self.corner_of(Cell::at(line, line));
        let inset = (self.plan().pitch - 1 - ARROW) / 2;
        match dir {
            Dir::Up => Cell::at(x + inset, top - GAP - ARROW),
            Dir::Right => Cell::at(right - 1 + GAP, y + inset),
            Dir::Down => Cell::at(x + inset, bottom - 1 + GAP),
            Dir::Left => Cell::at(left - GAP - ARROW, y + inset),
        }
    }

    fn hit(&self, at: Cell) -> Option<Arrow> {
        self.arrows().find(|arrow| {
            let Cell { x, y } = self.corner(*arrow);
            (x..x + ARROW).contains(&at.x) && (y..y + ARROW).contains(&at.y)
        })
    }

    /// The cells that an arrow pushes along, from its own end on: no holes and nothing that is nailed down.
    fn line(&self, Arrow { dir, line }: Arrow) -> Vec<Cell> {
        let is_column = matches!(dir, Dir::Up | Dir::Down);
        let cells = self.stones.iter().filter(|(cell, stone)| {
            let own = if is_column { cell.x } else { cell.y };
            own == line && stone.is_ascii_lowercase()
        });
        let mut cells: Vec<Cell> = cells.map(|(cell, _)| cell).collect();
        if matches!(dir, Dir::Right | Dir::Down) {
            cells.reverse();
        }
        cells
    }

    fn push(&mut self, arrow: Arrow) {
        let line = self.line(arrow);
        let mut stones: Vec<u8> = line.iter().map(|cell| self.stones[*cell]).collect();
        stones.rotate_left(1);
        line.into_iter().zip(stones).for_each(|(cell, stone)| self.stones[cell] = stone);
    }

    /// Stones that have to leave the worst of the lines that `line` tells apart.
    fn worst(&self, lines: i16, line: impl Fn(Cell) -> i16) -> usize {
        let of = |board: &Board<u8>, wanted: i16| -> Vec<u8> {
            board.iter().filter(|(cell, _)| line(*cell) == wanted).map(|(_, stone)| *stone).collect()
        };
        (0..lines).map(|it| surplus(&of(&self.stones, it), &of(&self.wanted, it))).max().unwrap_or_default()
    }

    fn draw_stones(&self, scene: &mut Scene) {
        let Plan { tray: (x, y), pitch, .. } = *self.plan();
        let (width, height) = (self.stones.width() * pitch + 1, self.stones.height() * pitch + 1);
        scene.block(Cell::at(x - 1, y - 1), width, height, TRAY);
        let last = pitch - 2;
        for (cell, stone) in self.stones.iter() {
            let corner = self.corner_of(cell);
            scene.block(corner, pitch - 1, pitch - 1, color(*stone).unwrap_or(BENCH));
            for offset in [(0, 0), (last, 0), (0, last), (last, last)] {
                scene.pixel(Cell::at(corner.x + offset.0, corner.y + offset.1), (0, 0), TRAY);
            }
            if stone.is_ascii_uppercase() {
                scene.block(Cell::at(corner.x + last / 2 - 1, corner.y + last / 2 - 1), 3, 3, NAIL);
            }
        }
    }

    fn draw_picture(&self, scene: &mut Scene) {
        let Plan { picture: (x, y), dot, .. } = *self.plan();
        let (width, height) = (self.wanted.width() * dot, self.wanted.height() * dot);
        scene.block(Cell::at(x - 1, y - 1), width + 2, height + 2, PAPER);
        for (cell, stone) in self.wanted.iter() {
            let corner = Cell::at(x + dot * cell.x, y + dot * cell.y);
            scene.block(corner, dot, dot, color(*stone).unwrap_or(BENCH));
        }
    }
}

impl Title for Mosaic {
    const ABOUT: About = About {
        stem: "m816",
        title: "Mosaic",
        families: &[Family::Tracks, Family::Reference],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[2, 4, 6, 6, 6, 8],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 2,
            full: Color::of(10),
            empty: Color::of(4),
            drain: Drain::Effective,
        }),
    };

    fn level(level: usize, _: &mut Dice) -> Self {
        Mosaic::of(level)
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        if let Input::Click(at) = input
            && let Some(arrow) = self.hit(at)
        {
            self.pushed = Some(arrow);
            film.shoot(self);
            self.pushed = None;
            self.push(arrow);
        }
        if self.stones == *self.wanted { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(BENCH);
        self.draw_stones(scene);
        self.draw_picture(scene);
        for arrow in self.arrows() {
            let tint = if self.pushed == Some(arrow) { PUSHED } else { PUSH };
            scene.sprite(self.corner(arrow), POINTER.tinted(tint).turned(arrow.dir.quarter_turns()));
        }
    }

    fn view(&self) -> View {
        View::of(SIDE, SIDE, 1)
    }

    fn inputs(&self) -> Vec<Input> {
        let middle = |Cell { x, y }| Cell::at(x + ARROW / 2, y + ARROW / 2);
        self.arrows().map(|arrow| Input::Click(middle(self.corner(arrow)))).collect()
    }

    /// One push of a row takes no more than one stone out of any column, and none out of a row; and the other way round.
    fn bound(&self) -> u32 {
        let columns = self.worst(self.stones.width(), |cell| cell.x);
        let rows = self.worst(self.stones.height(), |cell| cell.y);
        (columns + rows) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::prove;

    fn text(mosaic: &Mosaic) -> String {
        String::from_utf8(mosaic.stones.tiles().to_vec()).unwrap()
    }

    fn after(level: usize, dir: Dir, line: i16) -> String {
        let mut mosaic = Mosaic::of(level);
        mosaic.push(Arrow { dir, line });
        text(&mosaic)
    }

    #[test]
    fn the_levels_take_as_many_clicks_as_is_written() {
        let optimal: Vec<u32> =
            (0..LEVELS.len()).map(|it| prove(&Mosaic::of(it)).map_or(0, |it| it.optimal())).collect();
        assert_eq!(optimal, Mosaic::ABOUT.optimal);
    }

    #[test]
    fn what_is_pushed_out_comes_in_at_the_other_end() {
        assert_eq!(text(&Mosaic::of(1)), "baaababbc");
        assert_eq!(after(1, Dir::Left, 2), "baaababcb");
        assert_eq!(after(1, Dir::Right, 2), "baaabacbb");
        assert_eq!(after(1, Dir::Up, 2), "baaabcbba");
        assert_eq!(after(1, Dir::Down, 2), "bacababba");
    }

    #[test]
    fn lines_leap_over_holes_and_what_is_nailed_down() {
        assert_eq!(text(&Mosaic::of(3)), "bacba__ba__ccabc");
        assert_eq!(after(3, Dir::Right, 1), "bacbb__aa__ccabc");
        assert_eq!(text(&Mosaic::of(4)), "ccbcaaDbDbbaaabcbbaa");
        assert_eq!(after(4, Dir::Right, 1), "ccbcabDaDbbaaabcbbaa");
        assert_eq!(after(4, Dir::Down, 1), "cbbcaaDbDbbcaabcabaa");
    }

    #[test]
    fn each_arrow_is_on_the_screen_and_hit_in_its_own_place_alone() {
        for mosaic in (0..LEVELS.len()).map(Mosaic::of) {
            let cells = Board::new(SIDE, SIDE, |at| mosaic.hit(at));
            for arrow in mosaic.arrows() {
                let count = cells.tiles().iter().filter(|hit| **hit == Some(arrow)).count();
                assert_eq!(count, (ARROW * ARROW) as usize, "{arrow:?}");
                assert!(mosaic.line(arrow).len() > 1, "{arrow:?}");
            }
        }
    }
}
