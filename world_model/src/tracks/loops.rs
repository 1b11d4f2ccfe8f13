//! Closed tracks that slots could lie on, told from where the slots are, and the turns along them that explain presses.
//!
//! Most slots of a track hold the same, and a press shows little of where they go: one slot that moved on by one place along
//! a loop of neighbours tells of all others.

use std::{cmp::Reverse, collections::HashSet};

use env_client::{Color, Grid, Point};

use super::{Colors, turn::Turn};
use crate::{Bounds, cells::Board};

/// The shortest loop of neighbours, and the shortest line that is closed where it ends.
const LOOP: usize = 4;
const LINE: usize = 3;
/// The longest side of a rectangle whose outline may be a track.
const SIDE: usize = 8;
/// How many places one press may move on what lies on a track.
const PLACES: usize = 3;
/// Steps of the walk that looks for loops: slots that lie side by side everywhere are no tracks, and have too many of them.
const STEPS: usize = 100_000;
/// The share of a track's slots on ground of one colour that leaves no doubt that it is one.
const ALIKE: f32 = 0.7;

/// What lay in all slots before something moved on, and after it.
pub(super) type Moved<'a> = (&'a Colors, &'a Colors);

/// A turn of a track that lies on ground of this colour, by so many places, clockwise if that is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spin {
    pub(super) bed: Color,
    pub(super) by: i8,
}

/// Of turns that explain a beat: how many they explain, whether the button lies elsewhere, by how many places they go, the share of
/// their track on ground of one colour, and how long that is.
type Rank = (Reverse<usize>, bool, u8, Reverse<u32>, usize);

/// Slots in the order of a closed track, how many of them lie on ground of each colour, and whether their order goes round
/// clockwise.
#[derive(Clone, Debug)]
struct Loop {
    slots: Vec<usize>,
    on: [u16; Color::COUNT],
    /// The colour of the ground under most of it.
    bed: Color,
    clockwise: bool,
    /// A row or column: the rectangle that it fills.
    lane: Option<Bounds>,
}

/// All tracks that slots could lie on.
#[derive(Clone, Debug, Default)]
pub(super) struct Loops(Vec<Loop>);

impl Loops {
    /// Outlines of rectangles, lines of a whole board, closed where they end, and loops that no neighbours cut short.
    pub(super) fn of(board: &Board, slots: &[bool], first: &Grid) -> Loops {
        let mut known = HashSet::new();
        let all = outlines(board, slots).chain(lines(board, slots)).chain(Walk::of(board, slots));
        let new = all.filter(|slots| {
            let mut slots = slots.clone();
            slots.sort_unstable();
            known.insert(slots)
        });
        Loops(new.map(|slots| Loop::new(board, slots, first)).collect())
    }

    /// The turn along one loop that explains everything that was seen to move in one beat of a press; of several the one
    /// that explains most `beats`, the row or column at whose end the button lies, and the one that goes the fewest places and lies
    /// on ground of one colour.
    pub(super) fn fit(&self, beat: &[Moved<'_>], beats: &[Vec<Moved<'_>>], button: Point) -> Option<(Turn, Spin)> {
        // Most loops need no look at their turns: something moved beside them.
        let changes = |slot: usize| beat.iter().any(|(before, after)| before[slot] != after[slot]);
        let changes: Vec<bool> = (0..beat.first()?.0.len()).map(changes).collect();
        let all = changes.iter().filter(|it| **it).count();
        let holding = self.0.iter().filter(|it| it.slots.iter().filter(|slot| changes[**slot]).count() == all);
        let turns = holding.flat_map(|it| it.turns().map(move |(by, turn)| (it, by, turn)));
        let fitting = turns.filter(|(.., turn)| explains(turn, beat));
        let mut ranked: Vec<_> = fitting
            .map(|(it, by, turn)| {
                let explained = beats.iter().filter(|beat| explains(&turn, beat)).count();
                let bed = it.bed;
                let share = (it.share(bed) * 1000.0) as u32;
                let rank = (Reverse(explained), !it.ends_at(button), by.unsigned_abs(), Reverse(share), it.slots.len());
                (rank, (turn, Spin { bed, by: if it.clockwise { by } else { -by } }))
            })
            .collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        let mut ranked = ranked.into_iter();
        let (rank, (turn, spin)) = ranked.next()?;
        let is_told = |other: &Rank| !rank.1 && other.1 || rank.3.0 as f32 >= 1000.0 * ALIKE && other.3 != rank.3;
        let is_sure = ranked.next().is_none_or(|(other, _)| is_told(&other));
        Some((if is_sure { turn } else { turn.doubted() }, spin))
    }

    /// The turn of the one that lies on ground of a colour more than any other.
    pub(super) fn turn(&self, spin: Spin) -> Option<Turn> {
        let on = |it: &&Loop| 2 * usize::from(it.on[spin.bed.index()]) as isize - it.slots.len() as isize;
        let lying = self.0.iter().filter(|it| it.share(spin.bed) >= ALIKE);
        let it = lying.rev().max_by_key(on)?;
        let by = if it.clockwise { spin.by } else { -spin.by };
        it.turns().find(|turn| turn.0 == by).map(|(_, turn)| turn)
    }
}

impl Loop {
    fn new(board: &Board, slots: Vec<usize>, first: &Grid) -> Loop {
        let mut on = [0; Color::COUNT];
        for slot in &slots {
            let frames = board.frames(first, *slot);
            on.iter_mut().enumerate().for_each(|(color, count)| *count += frames >> color & 1);
        }
        let columns = usize::from(board.size().0);
        let place = |slot: usize| ((slot % columns) as i32, (slot / columns) as i32);
        let sides = slots.iter().zip(slots.iter().cycle().skip(1)).map(|(a, b)| (place(*a), place(*b)));
        let area: i32 = sides.map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum();
        let bed = Color::ALL.into_iter().max_by_key(|color| (on[color.index()], Reverse(*color))).unwrap_or_default();
        let is_line = area == 0 && slots.len() >= LINE;
        let lane = slots.iter().map(|slot| board.room(*slot)).reduce(Bounds::union).filter(|_| is_line);
        Loop { slots, on, bed, clockwise: area >= 0, lane }
    }

    /// Whether it is a row or column, and something lies beyond an end of it.
    fn ends_at(&self, button: Point) -> bool {
        let Some(lane) = self.lane else { return false };
        let across = (lane.left..=lane.right).contains(&button.x());
        let down = (lane.top..=lane.bottom).contains(&button.y());
        let is_row = lane.width() > lane.height();
        across != down && down == is_row
    }

    /// The share of it that lies on ground of a colour.
    fn share(&self, bed: Color) -> f32 {
        f32::from(self.on[bed.index()]) / self.slots.len() as f32
    }

    /// The turns by up to so many places, both ways: negative against the order of its slots.
    fn turns(&self) -> impl Iterator<Item = (i8, Turn)> {
        let count = self.slots.len();
        (1..=PLACES.min(count / 2)).flat_map(move |places| {
            [(places as i8, places), (-(places as i8), count - places)].map(|(way, by)| {
                let sources = (0..count).map(|index| (self.slots[(index + by) % count], self.slots[index]));
                (way, sources.collect())
            })
        })
    }
}

fn explains(turn: &Turn, beat: &[Moved<'_>]) -> bool {
    beat.iter().all(|(before, after)| turn.leads(before, after))
}

/// The outlines of rectangles of slots.
fn outlines(board: &Board, slots: &[bool]) -> impl Iterator<Item = Vec<usize>> {
    let (columns, rows) = size(board);
    let sides = move |length: usize| {
        (0..length).flat_map(move |from| (from + 1..length.min(from + SIDE)).map(move |to| (from, to)))
    };
    let outline = move |(left, right): (usize, usize), (top, bottom): (usize, usize)| -> Vec<usize> {
        let over = (left..right).map(|x| (x, top)).chain((top..bottom).map(|y| (right, y)));
        let back = (left + 1..=right).rev().map(|x| (x, bottom)).chain((top + 1..=bottom).rev().map(|y| (left, y)));
        over.chain(back).map(|(x, y)| y * columns + x).collect()
    };
    let all = sides(columns).flat_map(move |across| sides(rows).map(move |down| outline(across, down)));
    all.filter(|outline| outline.iter().all(|slot| slots[*slot]))
}

/// The rows and columns of a board without gaps.
fn lines(board: &Board, slots: &[bool]) -> impl Iterator<Item = Vec<usize>> {
    let (columns, rows) = size(board);
    let across = (0..rows).map(move |y| (0..columns).map(|x| y * columns + x).collect());
    let down = (0..columns).map(move |x| (0..rows).map(|y| y * columns + x).collect());
    let is_whole = slots.iter().all(|is_slot| *is_slot);
    across.chain(down).filter(move |line: &Vec<usize>| is_whole && line.len() >= LINE)
}

fn size(board: &Board) -> (usize, usize) {
    let (columns, rows) = board.size();
    (usize::from(columns), usize::from(rows))
}

/// Looks for loops of neighbours, none of which is a neighbour of another one but those before and after it.
struct Walk {
    neighbours: Vec<Vec<usize>>,
    found: Vec<Vec<usize>>,
    steps: usize,
}

impl Walk {
    /// The loops; none where they are too many to look at.
    fn of(board: &Board, slots: &[bool]) -> Vec<Vec<usize>> {
        let near = |a: usize| (0..slots.len()).filter(move |b| slots[*b] && board.distance(a, *b) == 1).collect();
        let neighbours = (0..slots.len()).map(|slot| if slots[slot] { near(slot) } else { Vec::new() }).collect();
        let mut walk = Walk { neighbours, found: Vec::new(), steps: 0 };
        (0..slots.len()).filter(|slot| slots[*slot]).for_each(|slot| walk.go_on(&mut vec![slot]));
        if walk.steps > STEPS { Vec::new() } else { walk.found }
    }

    /// Every way on from the end of a path, whose first slot is the lowest of the loops looked for.
    fn go_on(&mut self, path: &mut Vec<usize>) {
        self.steps += 1;
        let last = path.len() - 1;
        for next in self.neighbours[path[last]].clone() {
            if self.steps > STEPS || next <= path[0] || path.contains(&next) {
                continue;
            }
            let touches = |it: &usize| self.neighbours[next].contains(it);
            if path[1.min(last)..last].iter().any(touches) {
                continue;
            }
            path.push(next);
            if last == 0 || !self.neighbours[next].contains(&path[0]) {
                self.go_on(path);
            } else if path.len() >= LOOP && path[1] < next {
                self.found.push(path.clone());
            }
            path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use env_client::Color;

    use super::*;
    use crate::InterfaceMask;

    /// Slots of three by three cells, five cells apart; `o` is a plain one, a blank none, other letters are colours.
    fn drawn(rows: &[&str]) -> Grid {
        let mut grid = Grid::filled(5 * rows[0].len() as u8 + 2, 5 * rows.len() as u8 + 2, Color::of(0));
        for (y, row) in rows.iter().enumerate() {
            for (x, glyph) in row.bytes().enumerate().filter(|(_, glyph)| *glyph != b' ') {
                for (dx, dy) in (0..3).flat_map(|dy| (0..3).map(move |dx| (dx, dy))) {
                    let at = env_client::Point::new(5 * x as u8 + 2 + dx, 5 * y as u8 + 2 + dy).unwrap();
                    grid.set(at, Color::of(if glyph == b'o' { 4 } else { glyph - b'0' }));
                }
            }
        }
        grid
    }

    fn board(grid: &Grid) -> (Board, Vec<bool>) {
        let board = Board::families(grid, &InterfaceMask::new(), 2).into_iter().max_by_key(Board::len).unwrap();
        let slots = (0..board.len()).map(|slot| board.has(slot)).collect();
        (board, slots)
    }

    const CROSSING: [&str; 6] = ["oooo  ", "o  o  ", "o oooo", "oooo o", "  o  o", "  oooo"];

    #[test]
    fn two_tracks_that_cross_are_among_the_loops() {
        let grid = drawn(&CROSSING);
        let (board, slots) = board(&grid);
        let loops = Loops::of(&board, &slots, &grid);
        let outline = |left: usize, top: usize| -> Vec<usize> {
            let all = (0..16).map(|at| (at % 4, at / 4)).filter(|(x, y)| x % 3 == 0 || y % 3 == 0);
            all.map(|(x, y)| (top + y) * 6 + left + x).collect()
        };
        let has = |outline: &[usize]| {
            loops
                .0
                .iter()
                .any(|it| it.slots.len() == outline.len() && outline.iter().all(|slot| it.slots.contains(slot)))
        };
        assert!(has(&outline(0, 0)) && has(&outline(2, 2)));
    }

    #[test]
    fn what_moved_on_by_one_place_tells_where_all_others_go() {
        let (before, after) = (["ooo3", "o  o", "o  o", "oooo"], ["oooo", "o  3", "o  o", "oooo"]);
        let (board, slots) = board(&drawn(&before));
        let loops = Loops::of(&board, &slots, &drawn(&before));
        let [before, after] = [before, after].map(|rows| board.middles(&drawn(&rows)));
        let beat = vec![(&before, &after)];
        let (turn, spin) = loops.fit(&beat, std::slice::from_ref(&beat), Point::default()).unwrap();
        assert_eq!(loops.turn(spin).as_ref(), Some(&turn), "the track of its ground, the same way round");
        assert!(!turn.is_doubtful());
        assert_eq!(turn.slots().count(), 12);
        let twelve = (0..12).fold(before.clone(), |colors, _| turn.apply(&colors));
        assert_eq!(twelve, before);
    }

    #[test]
    fn a_button_at_the_end_of_a_row_turns_that_row() {
        let (before, after) = (["5o3o", "oooo", "oooo"], ["o5o3", "oooo", "oooo"]);
        let (board, slots) = board(&drawn(&before));
        let loops = Loops::of(&board, &slots, &drawn(&before));
        let [before, after] = [before, after].map(|rows| board.middles(&drawn(&rows)));
        let beat = vec![(&before, &after)];
        let turned = |x: u8, y: u8| {
            let (turn, _) = loops.fit(&beat, std::slice::from_ref(&beat), Point::new(x, y).unwrap()).unwrap();
            (turn.slots().collect::<Vec<_>>(), turn.is_doubtful())
        };
        assert_eq!(turned(0, 3), (vec![0, 1, 2, 3], false));
        assert!(turned(0, 13).1, "a button beside another row tells nothing");
    }

    #[test]
    fn slots_side_by_side_everywhere_have_no_other_loops_than_outlines_and_lines() {
        let grid = drawn(&["oooooooo"; 8]);
        let (board, slots) = board(&grid);
        assert!(Walk::of(&board, &slots).is_empty());
    }
}
