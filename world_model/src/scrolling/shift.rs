//! Whether the view moved from one frame to the next.

use std::cmp::Reverse;

use env_client::{Color, Grid, Point, SIDE};

use crate::Bounds;

/// Cells that a moving view changes at least, and the least side of what it shows: three eighths of a frame. Guesses.
const CHANGED: usize = 40;
const LEAST_SIDE: u8 = SIDE / 8 * 3;
/// Of what is in view at least one part of so many stays so, along the way.
const KEPT: i16 = 2;
/// The share of what would look different that must, in hundredths. The rest must lie together, in so small a part of the
/// view: the piece that it follows. Guesses.
const SAME: usize = 75;
const PIECE: usize = 6;
/// Lines in which less than this share of the fullest line moved are beside the view: a bar that ticks.
const FULL: usize = 3;
/// Cells in which something new comes in at least.
const NEW: usize = 4;
/// What comes in is what went out on the other side if so many hundredths of its cells are the same.
const WRAPPED: usize = 95;

/// The view moved once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shift {
    /// The way of what stands still in the world.
    pub(super) by: (i16, i16),
    /// Where in the frame something came from or went that way.
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
        let by = way(old, new, &changed)?;
        // What changed otherwise is beside the view, as a gauge is.
        let moved = changed.iter().filter(|at| source(old, **at, by) == Some(new[**at]));
        let area = area(moved.flat_map(|at| [Some(*at), back(*at, by)]).flatten())?;
        let is_kept = by.0.abs() * KEPT <= area.width().into() && by.1.abs() * KEPT <= area.height().into();
        if area.width().min(area.height()) < LEAST_SIDE || !is_kept {
            return None;
        }
        moves([old, new], area, by).then(|| Shift { by, area, reveals: reveals([old, new], area, by) })
    }
}

/// The rectangle of the lines in which many of these cells lie.
fn area(cells: impl Iterator<Item = Point>) -> Option<Bounds> {
    let mut counts = [[0usize; SIDE as usize]; 2];
    for at in cells {
        counts[0][usize::from(at.x())] += 1;
        counts[1][usize::from(at.y())] += 1;
    }
    let range = |counts: &[usize; SIDE as usize]| {
        let most = *counts.iter().max()?;
        let mut full = (0..SIDE).filter(|line| counts[usize::from(*line)] * FULL >= most);
        let first = full.next()?;
        Some((first, full.next_back().unwrap_or(first)))
    };
    let ((left, right), (top, bottom)) = (range(&counts[0])?, range(&counts[1])?);
    Some(Bounds { left, top, right, bottom })
}

/// The way along a row or a column that explains most changes, the shortest of several.
fn way(old: &Grid, new: &Grid, changed: &[Point]) -> Option<(i16, i16)> {
    let ways = (2..=i16::from(SIDE) / 2).flat_map(|far| [(far, 0), (-far, 0), (0, far), (0, -far)]);
    let explained = |by: (i16, i16)| changed.iter().filter(|at| source(old, **at, by) == Some(new[**at])).count();
    ways.max_by_key(|by| (explained(*by), Reverse(by.0.abs() + by.1.abs()))).filter(|by| explained(*by) > 0)
}

/// What lay where a cell came from.
fn source(old: &Grid, at: Point, by: (i16, i16)) -> Option<Color> {
    old.get(back(at, by)?)
}

fn back(at: Point, by: (i16, i16)) -> Option<Point> {
    Point::new(i16::from(at.x()) - by.0, i16::from(at.y()) - by.1).ok()
}

/// Whether what is drawn in an area moved, but for something small. Ground says nothing, which looks the same after all ways:
/// pieces that move alike leave other things where they are.
fn moves([old, new]: [&Grid; 2], area: Bounds, by: (i16, i16)) -> bool {
    let from = |at: Point| back(at, by).filter(|from| area.contains(from.x(), from.y()));
    let drawn = area.points().filter_map(|at| Some((at, from(at)?))).filter(|(at, from)| old[*at] != old[*from]);
    let (moved, left): (Vec<_>, Vec<_>) = drawn.partition(|(at, from)| new[*at] == old[*from]);
    let size = |it: Bounds| usize::from(it.width()) * usize::from(it.height());
    let piece = Bounds::around(left.iter().map(|it| it.0));
    let is_small = piece.is_some_and(|it| size(it) * PIECE <= size(area));
    is_small && moved.len() >= CHANGED && moved.len() * 100 >= (moved.len() + left.len()) * SAME
}

/// Whether something new came in at the rim, which is not what went out on the other side. The rim may lie further out
/// than what was seen to move tells, by a step on either side: what comes in there must reach along more than a step of
/// it, which a gauge beside the view does not.
fn reveals([old, new]: [&Grid; 2], area: Bounds, by: (i16, i16)) -> bool {
    let is_inside = |at: Point| area.contains(at.x(), at.y());
    let within: Vec<Point> = area.points().filter(|at| !back(*at, by).is_some_and(is_inside)).collect();
    let outer = beyond(area, by);
    let beyond: Vec<Point> = outer.points().filter(|at| !is_inside(*at) && old[*at] != new[*at]).collect();
    let is_long = extent(&beyond, by).is_some_and(|it| it > step(by));
    brings([old, new], (area, area), by, &within) || is_long && brings([old, new], (area, outer), by, &beyond)
}

/// Whether these cells at the rim of an area that lies within an `outer` one show something new, which is not what went out
/// on the other side. Ground is nothing new, nor what lies around: both are seen where something went away.
fn brings([old, new]: [&Grid; 2], (area, outer): (Bounds, Bounds), by: (i16, i16), strip: &[Point]) -> bool {
    let is_inside = |at: &Point| outer.contains(at.x(), at.y());
    let ground = commonest(area.points().map(|at| new[at]));
    let around = commonest(beyond(outer, by).points().filter(|at| !is_inside(at)).map(|at| new[at]));
    let comes_from = |at: Point, by: (i16, i16)| source(old, at, by) == Some(new[at]);
    let is_bare = |at: Point| [ground, around].contains(&Some(new[at]));
    let is_new = |at: &&Point| old[**at] != new[**at] && !is_bare(**at) && !comes_from(**at, by);
    let (width, height) = (i16::from(area.width()), i16::from(area.height()));
    let came_round = |wider: i16| {
        let size = ((width + wider) * by.0.signum(), (height + wider) * by.1.signum());
        strip.iter().filter(|at| comes_from(**at, (by.0 - size.0, by.1 - size.1))).count()
    };
    let is_wrapped = || (0..=2 * step(by)).any(|wider| came_round(wider) * 100 >= strip.len() * WRAPPED);
    strip.iter().filter(is_new).count() >= NEW && !is_wrapped()
}

/// The colour that is seen most.
fn commonest(colors: impl Iterator<Item = Color>) -> Option<Color> {
    let mut counts = [0usize; Color::COUNT];
    colors.for_each(|it| counts[it.index()] += 1);
    Color::ALL.into_iter().max_by_key(|it| counts[it.index()]).filter(|it| counts[it.index()] > 0)
}

/// An area and a step beyond it on the side where something comes in.
fn beyond(area: Bounds, by: (i16, i16)) -> Bounds {
    let less = |from: u8, by: i16| (i16::from(from) - by.max(0)).max(0) as u8;
    let more = |to: u8, by: i16| (i16::from(to) - by.min(0)).min(i16::from(SIDE) - 1) as u8;
    Bounds {
        left: less(area.left, by.0),
        top: less(area.top, by.1),
        right: more(area.right, by.0),
        bottom: more(area.bottom, by.1),
    }
}

/// How far cells reach across a way.
fn extent(cells: &[Point], by: (i16, i16)) -> Option<i16> {
    let across = || cells.iter().map(|at| i16::from(if by.0 == 0 { at.x() } else { at.y() }));
    Some(across().max()? - across().min()? + 1)
}

/// The length of a way along a row or a column.
fn step(by: (i16, i16)) -> i16 {
    by.0.abs() + by.1.abs()
}
