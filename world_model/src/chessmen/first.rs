//! The first man: what was picked goes by a key, and shows how large tiles are and what they look like.

use env_client::{Color, Grid, Point};

use super::board::Ground;
use crate::{Bounds, InterfaceMask, Transition, divisor::divisor};

/// The largest tile: three across a frame.
const LARGEST: i16 = 21;
/// Cells of a man at least; fewer are specks. A guess.
const SMALLEST: usize = 3;
/// Cells next to the rim of a frame that do not count: interface gathers there. A guess.
const RIM: u8 = 3;

/// What a man's move tells.
#[derive(Debug, PartialEq)]
pub(super) struct First {
    /// What he bared.
    pub(super) ground: Ground,
    /// The middle of where he was.
    pub(super) from: Point,
}

/// What the move of a man tells who was picked before, if by a key he moved and nothing else did: he lies in a rectangle
/// that changed when he was picked.
pub(super) fn first_move(step: &Transition<'_>, picked: Bounds, mask: &InterfaceMask) -> Option<First> {
    let after = step.after()?;
    let parts = parts(step.before, picked);
    let moved = |it: &&Vec<Point>| Some((shift(step.before, after, it)?, it.len()));
    let (by, _) = parts.iter().filter_map(|it| moved(&it)).max_by_key(|(_, cells)| *cells)?;
    let along: Vec<&Vec<Point>> = parts.iter().filter(|it| shift(step.before, after, it) == Some(by)).collect();
    let (x, y, right, bottom) = along.iter().copied().flatten().fold((i16::MAX, i16::MAX, 0, 0), |box_, at| {
        let (x, y) = (i16::from(at.x()), i16::from(at.y()));
        (x.min(box_.0), y.min(box_.1), x.max(box_.2), y.max(box_.3))
    });
    let (width, height) = (right - x + 1, bottom - y + 1);
    let layers = step.layers.iter().flat_map(|layer| along.iter().filter_map(|it| shift(step.before, layer, it)));
    let side = layers.fold(divisor(by.0, by.1), |side, by| divisor(side, divisor(by.0, by.1)));
    if along.iter().map(|it| it.len()).sum::<usize>() < SMALLEST || side < width.max(height) || side > LARGEST {
        return None;
    }
    let (left, top) = (x - (side - width) / 2, y - (side - height) / 2);
    let spans = |at: i16, start: i16, by: i16| (start + by.min(0) - side..start + by.max(0) + 2 * side).contains(&at);
    let is_near = |at: Point| spans(at.x().into(), left, by.0) && spans(at.y().into(), top, by.1);
    if changes(step, mask)?.any(|at| !is_near(at)) {
        return None;
    }
    let tile = (top..top + side).flat_map(|y| (left..left + side).map(move |x| Point::new(x, y)));
    let cells = tile.map(|at| after.get(at.ok()?)).collect::<Option<Vec<Color>>>()?;
    let from = Point::new(left + side / 2, top + side / 2).ok()?;
    Some(First { ground: Ground { side: side as u8, cells }, from })
}

/// The rectangle around the cells that a click changed in one piece, nearest to where it was; `None` where that is larger
/// than a tile.
pub(super) fn answer(step: &Transition<'_>, at: Point, mask: &InterfaceMask) -> Option<Bounds> {
    let changed: Vec<Point> = changes(step, mask)?.collect();
    let far = |it: &&Point| it.x().abs_diff(at.x()).max(it.y().abs_diff(at.y()));
    let nearest = *changed.iter().min_by_key(far)?;
    let patch = patch(nearest, |it| changed.contains(&it));
    let start = Bounds::cell(nearest);
    let bounds = patch.iter().fold(start, |it, at| Bounds {
        left: it.left.min(at.x()),
        top: it.top.min(at.y()),
        right: it.right.max(at.x()),
        bottom: it.bottom.max(at.y()),
    });
    (i16::from(bounds.width().max(bounds.height())) <= LARGEST).then_some(bounds)
}

/// Cells of the world that changed, but for what is next to the rim.
pub(super) fn changes(step: &Transition<'_>, mask: &InterfaceMask) -> Option<impl Iterator<Item = Point>> {
    let (width, height) = (step.before.width(), step.before.height());
    let is_inside = move |at: &Point| {
        (RIM..width.saturating_sub(RIM)).contains(&at.x()) && (RIM..height.saturating_sub(RIM)).contains(&at.y())
    };
    let changed = step.before.differences(step.after()?)?;
    Some(changed.filter(move |at| is_inside(at) && !mask.hides(*at)))
}

/// The patches of one colour that lie in a rectangle wholly.
fn parts(frame: &Grid, within: Bounds) -> Vec<Vec<Point>> {
    let mut parts: Vec<Vec<Point>> = Vec::new();
    for at in frame.points().filter(|at| within.contains(at.x(), at.y())) {
        if parts.iter().all(|it| !it.contains(&at)) {
            parts.push(patch(at, |it| frame.get(it) == frame.get(at)));
        }
    }
    parts.retain(|it| it.iter().all(|at| within.contains(at.x(), at.y())));
    parts
}

/// All cells around one that are like it, neighbours at corners included, as many as a tile has and one more.
fn patch(from: Point, is_like: impl Fn(Point) -> bool) -> Vec<Point> {
    let mut seen = vec![from];
    let mut next = 0;
    while next < seen.len() && seen.len() <= (LARGEST * LARGEST) as usize {
        let at = seen[next];
        for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
            seen.extend(at.offset(dx, dy).filter(|it| !seen.contains(it) && is_like(*it)));
        }
        next += 1;
    }
    seen
}

/// By how much cells of one colour moved from one frame to another, at least.
fn shift(before: &Grid, after: &Grid, part: &[Point]) -> Option<(i16, i16)> {
    let first = *part.first()?;
    let color = before.get(first);
    let place = |at: Point| (i16::from(at.x()), i16::from(at.y()));
    let fits = |by: &(i16, i16)| {
        let moved: Option<Vec<Point>> =
            part.iter().map(|at| Point::new(place(*at).0 + by.0, place(*at).1 + by.1).ok()).collect();
        let Some(moved) = moved.filter(|_| *by != (0, 0)) else { return false };
        moved.iter().all(|at| after.get(*at) == color)
            && moved.iter().any(|at| before.get(*at) != color)
            && part.iter().all(|at| moved.contains(at) || after.get(*at) != color)
    };
    let ways = after.points().filter(|at| after.get(*at) == color);
    let ways = ways.map(|at| (place(at).0 - place(first).0, place(at).1 - place(first).1)).filter(fits);
    ways.min_by_key(|by| (by.0.abs() + by.1.abs(), *by))
}
