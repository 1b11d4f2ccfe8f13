//! Symmetry: how the contents of a board may be meant to mirror each other, what speaks for it, and who cannot take part.
//!
//! A picture wants to be symmetric: where things change places and no drawing says how they should lie, each may be meant to
//! be like its image. Lines drawn through the middle of a board say in which way, and so do marks on just those that are
//! like their images already.

use std::collections::BTreeMap;

use env_client::{Action, Color, Grid, Point};

use super::{
    Content, Shuffles,
    reading::{Look, Slots},
};
use crate::{Bounds, InterfaceMask, cells::Board};

/// The share of the cells on a middle line, beside the tiles, that have its colour, and the share of those on lines beside
/// it, which have another one. Guesses.
const DRAWN: f32 = 0.3;
const ELSEWHERE: f32 = 0.1;
/// Marks that tell something: one alone may be an ornament, and one on every tile is a part of them.
const MARKS: usize = 2;

/// A way in which a board may be symmetric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mirror {
    /// Left is like right.
    Across,
    /// The upper half is like the lower one.
    Down,
    /// Both.
    Both,
    /// It looks the same after half a turn.
    HalfTurn,
}

impl Mirror {
    /// Every way.
    pub const ALL: [Mirror; 4] = [Mirror::Across, Mirror::Down, Mirror::Both, Mirror::HalfTurn];

    /// Slots that should hold the same, on a board of so many columns and rows; each slot is in one group.
    pub fn groups(self, (columns, rows): (usize, usize)) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for slot in 0..columns * rows {
            let (x, y) = (slot % columns, slot / columns);
            let (over, under) = (columns - 1 - x, rows - 1 - y);
            let images = match self {
                Mirror::Across => vec![(over, y)],
                Mirror::Down => vec![(x, under)],
                Mirror::Both => vec![(over, y), (x, under), (over, under)],
                Mirror::HalfTurn => vec![(over, under)],
            };
            let first = images.into_iter().map(|(x, y)| y * columns + x).fold(slot, usize::min);
            groups.entry(first).or_default().push(slot);
        }
        groups.into_values().collect()
    }

    /// Whether it turns left to right, and whether upper to lower, about a line each.
    const fn lines(self) -> (bool, bool) {
        (matches!(self, Mirror::Across | Mirror::Both), matches!(self, Mirror::Down | Mirror::Both))
    }
}

impl Shuffles {
    /// Every way in which the board may be meant to be symmetric, the likeliest first, and whether something drawn speaks
    /// for it.
    pub fn mirrors(&self, frame: &Grid, mask: &InterfaceMask) -> Vec<(Mirror, bool)> {
        let Some((slots, now)) = self.slots.as_ref().zip(self.read(frame)) else { return Vec::new() };
        let (board, frame) = (&slots.board, self.unmarked(frame));
        let lines = (is_drawn(board, frame, mask, false), is_drawn(board, frame, mask, true));
        let marked: Vec<bool> = (0..slots.len()).map(|slot| is_marked(slots, frame, slot, lines)).collect();
        let by_lines = |mirror: &Mirror| lines != (false, false) && mirror.lines() == lines;
        let misses = |mirror: &Mirror| misses(&marked, &agreeing(*mirror, slots, &now));
        let marks = marked.iter().filter(|it| **it).count();
        let by_marks = |mirror: &Mirror| (MARKS..slots.len()).contains(&marks) && 2 * misses(mirror) < marks;
        let mut all = Mirror::ALL.to_vec();
        all.sort_by_key(|it| (!by_lines(it), misses(it)));
        all.iter().map(|it| (*it, by_lines(it) || by_marks(it))).collect()
    }

    /// Slots that should hold the same.
    pub fn groups(&self, mirror: Mirror) -> Vec<Vec<usize>> {
        self.slots.as_ref().map_or_else(Vec::new, |slots| mirror.groups(columns_and_rows(slots)))
    }

    /// Which contents seem to be held fast: drawn with another rim than most, or no tile at all.
    pub fn held(&self, frame: &Grid) -> Vec<bool> {
        self.slots.as_ref().map_or_else(Vec::new, |slots| held(slots, self.unmarked(frame)))
    }

    /// A click that may be the second of a pair, where the first one marked the tile that it was made on, and nobody knows yet
    /// whether two clicks exchange anything: on the same place of a tile of another kind that seems not to be held, and that
    /// is a neighbour or not.
    pub fn second(&self, near: bool) -> Option<Action> {
        let (chosen, frame) = (self.chosen.as_ref()?, self.frame.as_ref()?);
        let is_open = |slots: &&Slots| slots.look() == Look::Core && slots.is_within(chosen.at);
        let slots = self.candidates.iter().filter(|_| !self.rule.is_known()).find(is_open)?;
        let (board, first) = (&slots.board, slots.slot_at(chosen.at)?);
        let room = board.room(first);
        let (marks, beside): (Vec<Point>, Vec<Point>) =
            chosen.before.differences(frame)?.partition(|at| room.contains(at.x(), at.y()));
        let is_mark = !marks.is_empty() && !beside.iter().any(|at| board.is_near(*at));
        let (now, held) = (slots.read(&chosen.before), held(slots, &chosen.before));
        let is_other = |it: &usize| !held[*it] && now[*it] != now[first] && near == (board.distance(first, *it) == 1);
        let other = (0..slots.len()).filter(is_other).min_by_key(|it| board.distance(first, *it))?;
        let stays = board.core(frame, first) == board.core(&chosen.before, first);
        let at = slots.point(other, slots.inset(chosen.at));
        (is_mark && stays && !held[first]).then_some(Action::Click(at))
    }

    /// The frame without the mark of the first click of a pair.
    fn unmarked<'a>(&'a self, frame: &'a Grid) -> &'a Grid {
        self.chosen.as_ref().map_or(frame, |it| &it.before)
    }
}

fn columns_and_rows(slots: &Slots) -> (usize, usize) {
    let (columns, rows) = slots.board.size();
    (columns.into(), rows.into())
}

/// Which slots hold the same as all of their images.
fn agreeing(mirror: Mirror, slots: &Slots, now: &[Content]) -> Vec<bool> {
    let mut agreeing = vec![false; now.len()];
    for group in mirror.groups(columns_and_rows(slots)) {
        let is_like = group.iter().all(|slot| now[*slot] == now[group[0]]);
        for slot in group {
            agreeing[slot] = is_like;
        }
    }
    agreeing
}

/// How many slots are marked though they do not agree with their images, or the other way round.
fn misses(marked: &[bool], agreeing: &[bool]) -> usize {
    marked.iter().zip(agreeing).filter(|(marked, agrees)| marked != agrees).count()
}

/// Whether something is drawn in the middle of a tile, and not just a middle line.
fn is_marked(slots: &Slots, frame: &Grid, slot: usize, lines: (bool, bool)) -> bool {
    let board = &slots.board;
    let ((columns, rows), at) = (columns_and_rows(slots), board.middle(slot));
    let is_crossed = (lines.0 && 2 * (slot % columns) + 1 == columns) || (lines.1 && 2 * (slot / columns) + 1 == rows);
    let beside =
        [(-1, 0), (0, -1), (1, 0), (0, 1)].map(|(dx, dy)| Point::new(i16::from(at.x()) + dx, i16::from(at.y()) + dy));
    let is_line = |color: Option<Color>| beside.iter().any(|it| it.ok().and_then(|it| frame.get(it)) == color);
    let color = frame.get(at);
    color != Some(board.core(frame, slot)) && !(is_crossed && is_line(color))
}

/// Whether a line is drawn through the middle of a board, from the top down or across it: beside the tiles, a colour lies
/// there that does not one tile further.
fn is_drawn(board: &Board, frame: &Grid, mask: &InterfaceMask, level: bool) -> bool {
    let Some(around) = (0..board.len()).map(|cell| board.bounds(cell)).reduce(Bounds::union) else { return false };
    let pitch = board.pitch();
    // The middle is that of an even number of cells, or the cell before it.
    let (middle, from, to, beside, margin) = if level {
        (around.top.midpoint(around.bottom), around.left, around.right, pitch.1, pitch.0)
    } else {
        (around.left.midpoint(around.right), around.top, around.bottom, pitch.0, pitch.1)
    };
    let along = i16::from(from) - i16::from(margin)..=i16::from(to) + i16::from(margin);
    let cells = |by: i16| {
        let line = i16::from(middle) + by;
        let place = |it: i16| if level { Point::new(it, line) } else { Point::new(line, it) };
        let places = along.clone().filter_map(|it| place(it).ok());
        let is_tile = |at: &Point| board.place_of(*at).is_some_and(|it| board.bounds(it).contains(at.x(), at.y()));
        let free = places.filter(|at| !mask.hides(*at) && !is_tile(at));
        free.filter_map(|at| frame.get(at)).collect::<Vec<Color>>()
    };
    let share = |cells: &[Color], color: Color| {
        cells.iter().filter(|it| **it == color).count() as f32 / cells.len().max(1) as f32
    };
    let (here, beside) = (cells(0), [cells(-i16::from(beside)), cells(i16::from(beside))]);
    let is_line =
        |color: &Color| share(&here, *color) >= DRAWN && beside.iter().all(|cells| share(cells, *color) < ELSEWHERE);
    Color::ALL.iter().any(is_line)
}

/// Which slots have another rim than most: their corners have another colour, which is not that of the content either; or
/// hold nothing that any tile is.
pub(super) fn held(slots: &Slots, frame: &Grid) -> Vec<bool> {
    let corner = |slot: usize| {
        let Bounds { left, top, right, bottom } = slots.board.bounds(slot);
        let corners = [(left, top), (right, top), (left, bottom), (right, bottom)];
        let colors = corners.map(|(x, y)| Point::new(x, y).ok().and_then(|at| frame.get(at)));
        let is_rim =
            |it: &Color| colors.iter().all(|color| *color == Some(*it)) && *it != slots.board.core(frame, slot);
        colors[0].filter(is_rim)
    };
    let corners: Vec<Option<Color>> = (0..slots.len()).map(corner).collect();
    let count = |it: &Option<Color>| corners.iter().filter(|other| *other == it).count();
    let usual = corners.iter().max_by_key(|it| count(it)).copied().flatten();
    let is_strange = |slot: usize| corners[slot].is_some() && corners[slot] != usual;
    let now = slots.read(frame);
    let is_bare = |slot: usize| !slots.has(slot) && (0..now.len()).all(|it| !slots.has(it) || now[it] != now[slot]);
    (0..slots.len()).map(|slot| is_strange(slot) || is_bare(slot)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcome, Start, Transition};

    const ACROSS: [&str; 3] = ["1221", "2112", "1331"];

    /// Tiles seven cells wide, two apart, on ground 0 at (11, 11); `more` draws on it.
    fn drawn(rows: &[&str], more: &[(u8, u8, u8, u8, u8)]) -> Grid {
        let mut grid = Grid::filled(64, 64, Color::of(0));
        let mut block = |left: u8, top: u8, width: u8, height: u8, color: u8| {
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                grid.set(Point::new(left + x, top + y).unwrap(), Color::of(color));
            }
        };
        for (y, row) in rows.iter().enumerate() {
            row.bytes().enumerate().for_each(|(x, tile)| block(11 + 9 * x as u8, 11 + 9 * y as u8, 7, 7, tile - b'0'));
        }
        for (left, top, width, height, color) in more {
            block(*left, *top, *width, *height, *color);
        }
        grid
    }

    /// A dot in the middle of a tile.
    fn dot(x: u8, y: u8) -> (u8, u8, u8, u8, u8) {
        (14 + 9 * x, 14 + 9 * y, 1, 1, 9)
    }

    fn middle(x: u8, y: u8) -> Action {
        Action::Click(Point::new(14 + 9 * x, 14 + 9 * y).unwrap())
    }

    fn of(frame: &Grid) -> Shuffles {
        let slots = Slots::candidates(frame, &InterfaceMask::new()).into_iter();
        let slots = slots.filter(|it| it.look() == Look::Core).max_by_key(Slots::len);
        Shuffles { slots, ..Shuffles::default() }
    }

    fn show(model: &mut Shuffles, before: &Grid, action: Action, after: &Grid) -> bool {
        let layers = std::slice::from_ref(after);
        model.observe(&Transition { before, action, layers, outcome: Outcome::Continues }, &InterfaceMask::new())
    }

    #[test]
    fn slots_are_grouped_with_their_images() {
        assert_eq!(Mirror::Across.groups((3, 2)), [vec![0, 2], vec![1], vec![3, 5], vec![4]]);
        assert_eq!(Mirror::Down.groups((3, 2)), [vec![0, 3], vec![1, 4], vec![2, 5]]);
        assert_eq!(Mirror::Both.groups((3, 2)), [vec![0, 2, 3, 5], vec![1, 4]]);
        assert_eq!(Mirror::HalfTurn.groups((3, 2)), [vec![0, 5], vec![1, 4], vec![2, 3]]);
    }

    #[test]
    fn lines_through_the_middle_tell_the_symmetry() {
        let rows = ["1232", "3112", "2213"];
        let likeliest = |more: &[(u8, u8, u8, u8, u8)]| {
            let frame = drawn(&rows, more);
            of(&frame).mirrors(&frame, &InterfaceMask::new())[0]
        };
        let (upright, level) = ((27, 5, 2, 38, 8), (5, 23, 46, 1, 8));
        assert_eq!(likeliest(&[upright]), (Mirror::Across, true));
        assert_eq!(likeliest(&[level]).0, Mirror::Down, "through tiles");
        assert_eq!(likeliest(&[upright, level]), (Mirror::Both, true));
        assert!(!likeliest(&[]).1);
        assert!(!likeliest(&[(18, 5, 2, 38, 8), upright, (36, 5, 2, 38, 8)]).1, "bars between all tiles");
    }

    #[test]
    fn marks_on_what_is_like_its_image_tell_the_symmetry() {
        let rows = ["1232", "3112", "2213"];
        let dots = [dot(1, 1), dot(2, 1), dot(1, 0), dot(1, 2), dot(2, 0), dot(2, 2)];
        let likeliest = |dots| {
            let frame = drawn(&rows, dots);
            of(&frame).mirrors(&frame, &InterfaceMask::new())[0]
        };
        assert_eq!(likeliest(&dots[..2]), (Mirror::Across, true));
        assert!(!likeliest(&[dot(0, 0), dot(3, 0)]).1, "on others");
    }

    #[test]
    fn contents_change_places_though_their_marks_come_and_go() {
        let frames = [
            drawn(&["1221", "1122"], &[dot(0, 0), dot(3, 0), dot(1, 0), dot(2, 0)]),
            drawn(&["1221", "1122"], &[dot(0, 0), dot(3, 0), dot(1, 0), dot(2, 0), (11, 10, 7, 1, 8)]),
            drawn(&["2221", "1112"], &[]),
        ];
        let mut model = Shuffles::default();
        model.begin(&frames[0], &InterfaceMask::new(), Start::Level);
        assert!(!show(&mut model, &frames[0], middle(0, 0), &frames[1]));
        assert_eq!(model.second(false), Some(middle(2, 0)), "the next one of another kind that is no neighbour");
        assert_eq!(model.second(true), Some(middle(1, 0)));
        assert!(show(&mut model, &frames[1], middle(2, 1), &frames[2]));
        assert_eq!(model.read(&frames[2]), Some(vec![2, 2, 2, 1, 1, 1, 1, 2]));
        assert_eq!(model.second(false), None, "it is known");
    }

    #[test]
    fn what_has_another_rim_is_held() {
        let rim = [(20, 20, 7, 7, 4), (21, 21, 5, 5, 1)];
        let frame = drawn(&ACROSS, &rim);
        let held = of(&frame).held(&frame);
        assert_eq!(held.iter().position(|it| *it), Some(5));
        assert_eq!(held.iter().filter(|it| **it).count(), 1);
        let sign: Vec<(u8, u8, u8, u8, u8)> = [0, 2, 4, 6].map(|y| (20, 20 + y, 7, 1, 8)).into();
        let frame = drawn(&ACROSS, &sign);
        assert!(of(&frame).held(&frame)[5], "nothing but the sign is to be seen");
        let frame = drawn(&ACROSS, &sign[1..3]);
        assert!(!of(&frame).held(&frame)[5], "something is drawn over the tile");
    }

    #[test]
    fn pairs_far_from_each_other_may_change_places_until_they_are_refused() {
        let rows = |rows: [&str; 3], marked: bool| drawn(&rows, if marked { &[(11, 10, 7, 1, 8)] } else { &[] });
        let frames = [(ACROSS, false), (ACROSS, true), (["2121", "2112", "1331"], false)].map(|it| rows(it.0, it.1));
        let mut model = Shuffles::default();
        model.begin(&frames[0], &InterfaceMask::new(), Start::Level);
        show(&mut model, &frames[0], middle(0, 0), &frames[1]);
        assert!(show(&mut model, &frames[1], middle(1, 0), &frames[2]));
        let now = model.read(&frames[2]).unwrap();
        assert!(model.is_free());
        let near = model.exchanges(&now, false);
        assert!(model.hoped(&now, false).len() > near.len());
        let marked = rows(["2121", "2112", "1331"], true);
        show(&mut model, &frames[2], middle(0, 0), &marked);
        assert!(show(&mut model, &marked, middle(3, 0), &frames[2]), "it is news");
        assert!(!model.is_free());
        assert_eq!(model.hoped(&now, false), near);
    }
}
