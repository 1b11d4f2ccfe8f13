//! A cursor: a mark that keys move over a board, on which another key then acts.
//!
//! Told from frames: a drawing in one colour that a key moved as a whole, along an axis and with nothing else. What it
//! covers is remembered from when it was elsewhere, so that every frame can be had without it; the key that changes something
//! else while it stays is the one that acts, and acts like a click on its middle. What that changes below it is guessed from
//! what lies around, and is in doubt until it is elsewhere, or somebody foresaw it.

use std::collections::BTreeMap;

use env_client::{Action, Color, Grid, Key, Point};

use crate::{InterfaceMask, Transition};

/// The most cells that a cursor is drawn with: a frame around a tile of ten cells has less. A guess.
const LARGEST: usize = 64;

/// A place or a way, in cells of the frame.
type Place = (i16, i16);

/// How a cursor is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shape {
    color: Color,
    /// Its cells, from its corner, row after row.
    cells: Vec<Place>,
}

impl Shape {
    fn at(&self, corner: Place) -> impl Iterator<Item = Place> {
        self.cells.iter().map(move |(x, y)| (corner.0 + x, corner.1 + y))
    }

    fn is_at(&self, frame: &Grid, corner: Place) -> bool {
        self.at(corner).all(|cell| color_at(frame, cell) == Some(self.color))
    }
}

/// Learns what keys move, and which key acts there.
#[derive(Clone, Debug, Default)]
pub struct Cursor {
    shape: Option<Shape>,
    /// By how much each key moves it.
    steps: BTreeMap<Key, Place>,
    acts: Option<Key>,
    /// Its corner in the newest frame.
    corner: Option<Place>,
    /// The newest frame without it.
    board: Option<Grid>,
    /// Covered cells whose guess may be wrong.
    doubtful: Vec<Place>,
    /// Whether a guess of what lay below it was wrong before.
    has_erred: bool,
}

impl Cursor {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid) {
        self.corner = self.shape.as_ref().and_then(|shape| only_place(shape, frame));
        self.uncover(frame);
        self.doubtful = if self.has_erred { self.covered().collect() } else { Vec::new() };
    }

    /// Takes a frame for the first one that was seen: what the cursor covers there is taken to be like what lies around it.
    fn uncover(&mut self, frame: &Grid) {
        self.board = Some(frame.clone());
        let covered: Vec<Place> = self.covered().collect();
        let around = commonest(neighbours(&covered).filter_map(|cell| color_at(frame, cell)));
        if let (Some(board), Some(color)) = (&mut self.board, around) {
            for cell in covered {
                set(board, cell, color);
            }
        }
    }

    /// Learns from one action.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let (Action::Key(key), Some(after)) = (step.action, step.after()) else { return };
        if let Some((shape, from, to)) = moved(step.before, after, mask) {
            if self.shape.as_ref() != Some(&shape) {
                let has_erred = self.has_erred;
                *self = Cursor { shape: Some(shape), corner: Some(from), has_erred, ..Cursor::default() };
                self.uncover(step.before);
            }
            self.steps.insert(key, (to.0 - from.0, to.1 - from.1));
            self.corner = Some(to);
        } else if !self.steps.contains_key(&key) && self.stays(after) && differs(step.before, after, mask) {
            self.acts = self.acts.or(Some(key));
        }
        self.see(after);
    }

    /// Whether keys are known to move it, another one acts, and it is seen.
    pub fn is_known(&self) -> bool {
        self.acts.is_some() && self.corner.is_some()
    }

    /// The key that acts.
    pub fn acts(&self) -> Option<Key> {
        self.acts
    }

    /// Its middle in the newest frame.
    pub fn middle(&self) -> Option<Point> {
        let covered = || self.covered();
        let middle = |low: Option<i16>, high: Option<i16>| Some(low?.midpoint(high?));
        let x = middle(covered().map(|(x, _)| x).min(), covered().map(|(x, _)| x).max())?;
        let y = middle(covered().map(|(_, y)| y).min(), covered().map(|(_, y)| y).max())?;
        Point::new(x, y).ok()
    }

    /// Whether what lies below it may be otherwise than in [`Cursor::board`].
    pub fn is_in_doubt(&self) -> bool {
        !self.doubtful.is_empty()
    }

    /// What is in doubt is as was foreseen, until it is seen.
    pub fn believe(&mut self, foreseen: &Grid) {
        let Some(board) = &mut self.board else { return };
        for cell in self.doubtful.drain(..) {
            if let Some(color) = color_at(foreseen, cell) {
                set(board, cell, color);
            }
        }
    }

    /// A key that brings it elsewhere within the frame.
    pub fn aside(&self) -> Option<Key> {
        let middle = self.middle()?;
        self.steps.keys().copied().find(|key| self.leads(middle, *key).is_some())
    }

    /// The newest frame without it.
    pub fn board(&self) -> Option<&Grid> {
        self.board.as_ref()
    }

    /// Where a key brings the middle from a point; `None` where that is not known, or is beyond the frame.
    pub fn leads(&self, from: Point, key: Key) -> Option<Point> {
        let (dx, dy) = self.step(key)?;
        Point::new(i16::from(from.x()) + dx, i16::from(from.y()) + dy).ok()
    }

    /// The keys that bring the middle as near as they can to a point; `None` where a key is not known that it takes.
    pub fn way(&self, from: Point, to: Point) -> Option<Vec<Key>> {
        let across = self.along(i16::from(to.x()) - i16::from(from.x()), |step| (step.0, step.1))?;
        let down = self.along(i16::from(to.y()) - i16::from(from.y()), |step| (step.1, step.0))?;
        Some(across.chain(down).collect())
    }

    /// One key, as often as brings it by `distance` along an axis, give or take half a step.
    fn along(&self, distance: i16, axis: impl Fn(Place) -> Place) -> Option<impl Iterator<Item = Key>> {
        let steps = Key::ALL.into_iter().filter_map(|key| Some((key, axis(self.step(key)?))));
        let step =
            steps.filter(|(_, (by, aside))| *aside == 0 && by * distance.signum() > 0).min_by_key(|it| it.1.0.abs());
        let (key, count) = match step {
            Some((key, (by, _))) => (key, (2 * distance.abs() + by.abs() - 1) / (2 * by.abs())),
            None if self.is_still(distance, &axis) => (Key::Key1, 0),
            None => return None,
        };
        Some(std::iter::repeat_n(key, count.unsigned_abs().into()))
    }

    /// Whether a distance is at most half of any step along an axis, or there is none where no step is known.
    fn is_still(&self, distance: i16, axis: &impl Fn(Place) -> Place) -> bool {
        let shortest = self.steps.values().map(|step| axis(*step).0.abs()).filter(|by| *by > 0).min();
        2 * distance.abs() <= shortest.unwrap_or(0)
    }

    /// By how much a key moves it, or its opposite moves it back.
    fn step(&self, key: Key) -> Option<Place> {
        let back = || self.steps.get(&key.opposite()?).map(|(x, y)| (-x, -y));
        self.steps.get(&key).copied().or_else(|| back().filter(|_| self.acts != Some(key)))
    }

    /// Whether it is seen where it was.
    fn stays(&self, after: &Grid) -> bool {
        self.shape.as_ref().zip(self.corner).is_some_and(|(shape, corner)| shape.is_at(after, corner))
    }

    fn covered(&self) -> impl Iterator<Item = Place> {
        self.shape.iter().zip(self.corner).flat_map(|(shape, corner)| shape.at(corner))
    }

    /// Looks at the newest frame: finds it, and what is not below it.
    fn see(&mut self, frame: &Grid) {
        let Some(shape) = &self.shape else { return };
        let here = self.corner.filter(|corner| shape.is_at(frame, *corner));
        self.corner = here.or_else(|| only_place(shape, frame));
        let Some(board) = self.board.as_ref().filter(|it| (it.width(), it.height()) == (frame.width(), frame.height()))
        else {
            return self.uncover(frame);
        };
        let covered: Vec<Place> = self.covered().collect();
        let mut doubtful: Vec<Place> = self.doubtful.iter().copied().filter(|cell| covered.contains(cell)).collect();
        let errs = |cell: &Place| !covered.contains(cell) && differs_at(board, frame, *cell);
        self.has_erred |= self.doubtful.iter().any(errs);
        let mut next = frame.clone();
        for cell in &covered {
            let Some(was) = color_at(board, *cell) else { continue };
            let turned = turned(was, &covered, board, frame);
            set(&mut next, *cell, turned.unwrap_or(was));
            let is_beside_change =
                || neighbours(&[*cell]).any(|at| !covered.contains(&at) && differs_at(board, frame, at));
            if here.is_some() && turned.is_none() && is_beside_change() {
                doubtful.push(*cell);
            }
        }
        (self.board, self.doubtful) = (Some(next), doubtful);
    }
}

fn differs_at(before: &Grid, after: &Grid, cell: Place) -> bool {
    color_at(before, cell) != color_at(after, cell)
}

/// What a covered colour became, if all of it that is seen around turned into one other colour.
fn turned(was: Color, covered: &[Place], before: &Grid, after: &Grid) -> Option<Color> {
    let around = neighbours(covered).filter(|cell| color_at(before, *cell) == Some(was));
    let mut colors = around.filter_map(|cell| color_at(after, cell));
    let first = colors.next()?;
    colors.all(|it| it == first).then_some(first)
}

/// The cells right around some cells; some may come several times.
fn neighbours(cells: &[Place]) -> impl Iterator<Item = Place> {
    let around = |(x, y): Place| (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
    cells.iter().flat_map(move |cell| around(*cell)).filter(|cell| !cells.contains(cell))
}

fn commonest(colors: impl Iterator<Item = Color>) -> Option<Color> {
    let mut counts = [0usize; Color::ALL.len()];
    colors.for_each(|color| counts[color.index()] += 1);
    let most = (0..counts.len()).max_by_key(|index| counts[*index])?;
    (counts[most] > 0).then_some(Color::ALL[most])
}

fn color_at(frame: &Grid, (x, y): Place) -> Option<Color> {
    frame.get(Point::new(x, y).ok()?)
}

fn set(frame: &mut Grid, (x, y): Place, color: Color) {
    if let Ok(at) = Point::new(x, y) {
        frame.set(at, color);
    }
}

/// The cells in which two frames differ, without the interface.
fn differing(before: &Grid, after: &Grid, mask: &InterfaceMask) -> Option<Vec<Point>> {
    Some(before.differences(after)?.filter(|at| !mask.hides(*at)).collect())
}

fn differs(before: &Grid, after: &Grid, mask: &InterfaceMask) -> bool {
    differing(before, after, mask).is_some_and(|cells| !cells.is_empty())
}

/// The one place where a shape is drawn, with nothing of its colour right around it.
fn only_place(shape: &Shape, frame: &Grid) -> Option<Place> {
    let corners = frame.points().map(|at| (i16::from(at.x()), i16::from(at.y())));
    let is_apart = |corner: Place| {
        let cells: Vec<Place> = shape.at(corner).collect();
        neighbours(&cells).all(|cell| color_at(frame, cell) != Some(shape.color))
    };
    let mut places = corners.filter(|corner| shape.is_at(frame, *corner) && is_apart(*corner));
    let first = places.next()?;
    places.next().is_none().then_some(first)
}

/// A drawing in one colour that moved along an axis, if that is all that changed: its shape, where it was, and where it is.
/// Of two that could have, such as a mark and the rest of a tile that it left, the smaller one.
fn moved(before: &Grid, after: &Grid, mask: &InterfaceMask) -> Option<(Shape, Place, Place)> {
    let changed = differing(before, after, mask)?;
    if changed.is_empty() || changed.len() > 2 * LARGEST {
        return None;
    }
    let of = |frame: &Grid, color: Color| -> Vec<Place> {
        let seeds = changed.iter().filter(|at| frame.get(**at) == Some(color));
        connected(frame, color, seeds.map(|at| (i16::from(at.x()), i16::from(at.y()))).collect())
    };
    let is_move = |color: Color| {
        let (old, new) = (of(before, color), of(after, color));
        let (from, to) = (corner(&old)?, corner(&new)?);
        let cells = |all: &[Place], at: Place| all.iter().map(|(x, y)| (x - at.0, y - at.1)).collect::<Vec<_>>();
        let shape = Shape { color, cells: cells(&old, from) };
        let accounts = changed.iter().all(|at| {
            let at = (i16::from(at.x()), i16::from(at.y()));
            old.contains(&at) || new.contains(&at)
        });
        let is_along_axis = (from.0 == to.0) != (from.1 == to.1);
        let is_one = old.len() <= LARGEST && accounts && is_along_axis && cells(&new, to) == shape.cells;
        is_one.then_some((shape, from, to))
    };
    Color::ALL.into_iter().filter_map(is_move).min_by_key(|(shape, ..)| shape.cells.len())
}

/// All cells of a colour that hang together with some of them, row after row.
fn connected(frame: &Grid, color: Color, mut open: Vec<Place>) -> Vec<Place> {
    let mut found: Vec<Place> = Vec::new();
    while let Some(cell) = open.pop() {
        if found.len() > LARGEST || found.contains(&cell) || color_at(frame, cell) != Some(color) {
            continue;
        }
        found.push(cell);
        open.extend(neighbours(&[cell]));
    }
    found.sort_unstable_by_key(|(x, y)| (*y, *x));
    found
}

fn corner(cells: &[Place]) -> Option<Place> {
    Some((cells.iter().map(|(x, _)| *x).min()?, cells.iter().map(|(_, y)| *y).min()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    const RIGHT: Action = Action::Key(Key::Key4);
    const SPACE: Action = Action::Key(Key::Key5);

    /// Three lamps of three by three cells, the one given by a frame of 8 around it; `1` is lit.
    fn lamps(lit: &str, at: i16) -> Grid {
        let mut grid = Grid::filled(20, 8, Color::of(5));
        for (index, lamp) in lit.bytes().enumerate() {
            let left = 2 + 6 * index as i16;
            let ring = (0..5).flat_map(|y| (0..5).map(move |x| (x, y))).filter(|(x, y)| x % 4 == 0 || y % 4 == 0);
            if index as i16 == at {
                ring.for_each(|(x, y)| set(&mut grid, (left - 1 + x, 1 + y), Color::of(8)));
            }
            let inside = (0..3).flat_map(|y| (0..3).map(move |x| (x, y)));
            inside.for_each(|(x, y)| set(&mut grid, (left + x, 2 + y), Color::of(if lamp == b'1' { 11 } else { 1 })));
        }
        grid
    }

    fn taught(steps: &[(Action, Grid, Grid)]) -> Cursor {
        let (mut cursor, mask) = (Cursor::default(), InterfaceMask::new());
        cursor.begin(&steps[0].1);
        for (action, before, after) in steps {
            let layers = [after.clone()];
            let step = Transition { before, action: *action, layers: &layers, outcome: Outcome::Continues };
            cursor.observe(&step, &mask);
        }
        cursor
    }

    #[test]
    fn a_frame_that_a_key_moves_is_a_cursor_and_leads_back_as_well() {
        let cursor = taught(&[(RIGHT, lamps("000", 0), lamps("000", 1)), (SPACE, lamps("000", 1), lamps("010", 1))]);
        assert!(cursor.is_known());
        assert_eq!((cursor.acts(), cursor.middle()), (Some(Key::Key5), Point::new(9, 3).ok()));
        assert_eq!(cursor.board(), Some(&lamps("010", -1)), "without it");
        let [first, last] = [Point::new(3, 3).unwrap(), Point::new(16, 3).unwrap()];
        assert_eq!(cursor.way(cursor.middle().unwrap(), last), Some(vec![Key::Key4]));
        assert_eq!(cursor.way(last, first), Some(vec![Key::Key3; 2]), "left was never pressed");
        assert_eq!(cursor.way(first, Point::new(3, 12).unwrap()), None, "nothing is known of up and down");
    }

    #[test]
    fn what_becomes_of_the_tile_below_a_mark_is_told_from_its_rest() {
        let dotted = |lit: &str, at: i16| {
            let mut grid = lamps(lit, -1);
            set(&mut grid, (3 + 6 * at, 3), Color::of(15));
            grid
        };
        let cursor =
            taught(&[(RIGHT, dotted("000", 0), dotted("000", 1)), (SPACE, dotted("000", 1), dotted("010", 1))]);
        assert_eq!(cursor.board(), Some(&lamps("010", -1)));
    }

    #[test]
    fn it_is_found_again_in_the_next_level() {
        let mut cursor =
            taught(&[(RIGHT, lamps("000", 0), lamps("000", 1)), (SPACE, lamps("000", 1), lamps("010", 1))]);
        cursor.begin(&lamps("101", 2));
        assert_eq!((cursor.middle(), cursor.board()), (Point::new(15, 3).ok(), Some(&lamps("101", -1))));
    }

    #[test]
    fn what_changes_elsewhere_as_well_is_no_cursor() {
        assert!(taught(&[(RIGHT, lamps("000", 0), lamps("001", 1))]).middle().is_none());
        assert!(taught(&[(SPACE, lamps("000", 0), lamps("100", 0))]).middle().is_none());
    }

    #[test]
    fn a_key_that_may_move_it_does_not_act() {
        let down = Action::Key(Key::Key2);
        let trodden = taught(&[(RIGHT, lamps("000", 0), lamps("000", 1)), (down, lamps("000", 1), lamps("010", 2))]);
        assert_eq!(trodden.acts(), None, "it went elsewhere");
    }

    #[test]
    fn any_key_may_act() {
        let left = Action::Key(Key::Key3);
        let cursor = taught(&[(RIGHT, lamps("000", 0), lamps("000", 1)), (left, lamps("000", 1), lamps("010", 1))]);
        assert_eq!(cursor.acts(), Some(Key::Key3));
        let [first, last] = [Point::new(3, 3).unwrap(), Point::new(9, 3).unwrap()];
        assert_eq!(cursor.way(last, first), None, "so it leads nowhere");
    }

    /// Two tiles of five by five cells with a bar on each, upright or lying; a frame of 8 over the rim of one of them.
    fn bars(lying: [bool; 2], at: usize) -> Grid {
        let mut grid = Grid::filled(14, 7, Color::of(5));
        for (tile, is_lying) in lying.into_iter().enumerate() {
            let left = 1 + 6 * tile as i16;
            for (x, y) in (0..5).flat_map(|y| (0..5).map(move |x| (x, y))) {
                let is_rim = x % 4 == 0 || y % 4 == 0;
                let is_bar = if is_lying { y == 2 } else { x == 2 };
                let color = if is_rim && tile == at { 8 } else { 1 + u8::from(is_bar) };
                set(&mut grid, (left + x, 1 + y), Color::of(color));
            }
        }
        grid
    }

    #[test]
    fn what_it_covers_is_in_doubt_until_it_is_elsewhere_or_foreseen() {
        let upright = [false, false];
        let pressed = [(RIGHT, bars(upright, 0), bars(upright, 1)), (SPACE, bars(upright, 1), bars([false, true], 1))];
        let mut cursor = taught(&pressed);
        assert!(cursor.is_known() && cursor.is_in_doubt(), "the ends of the bar are below it");
        let mut told = cursor.clone();
        told.believe(&bars([false, true], 2));
        assert!(!told.is_in_doubt());
        assert_eq!(told.board(), Some(&bars([false, true], 2)));
        let (before, layers) = (bars([false, true], 1), [bars([false, true], 0)]);
        let back = Transition {
            before: &before,
            action: Action::Key(cursor.aside().expect("a way")),
            layers: &layers,
            outcome: Outcome::Continues,
        };
        cursor.observe(&back, &InterfaceMask::new());
        assert!(!cursor.is_in_doubt());
        assert_eq!(cursor.board(), Some(&bars([false, true], 2)));
        cursor.begin(&bars(upright, 1));
        assert!(cursor.is_in_doubt(), "a guess was wrong before");
    }
}
