//! Whether the view moved from one frame to the next.

use std::cmp::Reverse;

use env_client::{Color, Grid, Point, SIDE};

use crate::Bounds;

/// Cells that a moving view changes at least, and the least side of what it shows: a quarter of a frame. Guesses.
const CHANGED: usize = 40;
const LEAST_SIDE: u8 = SIDE / 4;
/// The share of what it shows that must be the same at its new place, in hundredths: the piece it follows and what moves
/// in the world make up the rest.
const SAME: usize = 90;
/// Lines in which less than this share of the fullest line changed are beside the view: a bar that ticks.
const FULL: usize = 5;
/// Cells in which something new comes in at least.
const NEW: usize = 4;
/// What comes in is what went out on the other side if so many hundredths of its cells are the same.
const WRAPPED: usize = 95;

/// The view moved once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shift {
    /// The way of what stands still in the world.
    pub(super) by: (i16, i16),
    /// Where in the frame something changed.
    pub(super) area: Bounds,
    /// Whether something came in at the rim that was not seen before, and that did not just go out on the other side.
    pub(super) reveals: bool,
}

impl Shift {
    /// Whether nearly all of an area moved by the same way from one frame to the next while some of it stayed: the piece
    /// that the view follows.
    pub(super) fn between(old: &Grid, new: &Grid) -> Option<Shift> {
        let changed: Vec<Point> = old.differences(new)?.collect();
        if changed.len() < CHANGED {
            return None;
        }
        let area = area(&changed)?;
        if area.width().min(area.height()) < LEAST_SIDE {
            return None;
        }
        let by = way(old, new, changed.iter().copied().filter(|at| area.contains(at.x(), at.y())))?;
        let [same, stays, of] = agreement([old, new], area, by);
        let moves = same < of && same * 100 >= of * SAME && same > stays;
        moves.then(|| Shift { by, area, reveals: reveals([old, new], area, by) })
    }
}

/// The rectangle of the lines in which much changed.
fn area(changed: &[Point]) -> Option<Bounds> {
    let range = |along: fn(&Point) -> u8| {
        let mut counts = [0usize; SIDE as usize];
        changed.iter().for_each(|at| counts[usize::from(along(at))] += 1);
        let most = *counts.iter().max()?;
        let mut full = (0..SIDE).filter(|line| counts[usize::from(*line)] * FULL >= most);
        let first = full.next()?;
        Some((first, full.next_back().unwrap_or(first)))
    };
    let ((left, right), (top, bottom)) = (range(|at| at.x())?, range(|at| at.y())?);
    Some(Bounds { left, top, right, bottom })
}

/// The way along a row or a column that explains most changes, the shortest of several.
fn way(old: &Grid, new: &Grid, changed: impl Iterator<Item = Point>) -> Option<(i16, i16)> {
    let changed: Vec<(Point, Color)> = changed.map(|at| (at, new[at])).collect();
    let ways = (2..=i16::from(SIDE) / 2).flat_map(|far| [(far, 0), (-far, 0), (0, far), (0, -far)]);
    let explained = |by: (i16, i16)| changed.iter().filter(|(at, color)| source(old, *at, by) == Some(*color)).count();
    ways.max_by_key(|by| (explained(*by), Reverse(by.0.abs() + by.1.abs()))).filter(|by| explained(*by) > 0)
}

/// What lay where a cell came from.
fn source(old: &Grid, at: Point, by: (i16, i16)) -> Option<Color> {
    old.get(back(at, by)?)
}

fn back(at: Point, by: (i16, i16)) -> Option<Point> {
    Point::new(i16::from(at.x()) - by.0, i16::from(at.y()) - by.1).ok()
}

/// Cells of an area that show what lay where they came from, that show what they showed, and all that came from within.
fn agreement([old, new]: [&Grid; 2], area: Bounds, by: (i16, i16)) -> [usize; 3] {
    let from = |at: Point| back(at, by).filter(|from| area.contains(from.x(), from.y()));
    area.points().filter_map(|at| Some((at, from(at)?))).fold([0; 3], |[same, stays, of], (at, from)| {
        [same + usize::from(old[from] == new[at]), stays + usize::from(old[at] == new[at]), of + 1]
    })
}

/// Whether something new came in at the rim.
fn reveals([old, new]: [&Grid; 2], area: Bounds, by: (i16, i16)) -> bool {
    let is_inside = |at: Point| area.contains(at.x(), at.y());
    let strip: Vec<Point> = area.points().filter(|at| !back(*at, by).is_some_and(is_inside)).collect();
    let mut counts = [0usize; Color::COUNT];
    strip.iter().for_each(|at| counts[new[*at].index()] += 1);
    let ground = (0..Color::COUNT).max_by_key(|color| counts[*color]);
    let is_new = |at: &&Point| old[**at] != new[**at] && Some(new[**at].index()) != ground;
    let size = (i16::from(area.width()) * by.0.signum(), i16::from(area.height()) * by.1.signum());
    let around = |at: Point| source(old, at, (by.0 - size.0, by.1 - size.1));
    let wrapped = strip.iter().filter(|at| around(**at) == Some(new[**at])).count();
    strip.iter().filter(is_new).count() >= NEW && wrapped * 100 < strip.len() * WRAPPED
}
