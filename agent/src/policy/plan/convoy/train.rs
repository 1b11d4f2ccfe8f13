//! A row of places, each of which is taken by the next one when the first moves on.

use std::collections::BTreeMap;

use env_client::{Color, Grid, Point};
use world_model::{InterfaceMask, Scene};

use crate::policy::plan::signals::is_outer;

/// The most places that a row is taken for one with. A guess.
const LONGEST: usize = 12;
/// The most rows that one picture is taken for.
const READINGS: usize = 16;

/// The first corner of a square of cells.
pub(super) type Spot = (i16, i16);

/// What such a row looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Looks {
    /// The colours of the one that goes first, of those that follow, and of what they leave.
    pub(super) first: Color,
    pub(super) rest: Color,
    pub(super) floor: Color,
}

/// One step of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sighting {
    pub(super) looks: Looks,
    /// Where the first one went, in sides of it.
    pub(super) way: (i16, i16),
    /// Whether the place that was left lies elsewhere than behind the first one: no stiff bar does so.
    pub(super) turns: bool,
}

/// A row of squares, the one that goes first at the front.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Train {
    pub(super) side: i16,
    pub(super) places: Vec<Spot>,
}

impl Train {
    /// Where the first one is.
    pub(super) fn front(&self) -> Spot {
        self.places[0]
    }

    /// Where the first one gets by a way.
    pub(super) fn ahead(&self, way: (i16, i16)) -> Spot {
        (self.places[0].0 + way.0 * self.side, self.places[0].1 + way.1 * self.side)
    }

    /// After a step.
    pub(super) fn moved(&self, way: (i16, i16)) -> Train {
        let places = std::iter::once(self.ahead(way)).chain(self.places[..self.places.len() - 1].iter().copied());
        Train { places: places.collect(), ..*self }
    }

    /// How far from a spot those that follow are, in sides, all together.
    pub(super) fn spread(&self, from: Spot) -> i16 {
        let far = |at: &Spot| ((at.0 - from.0).abs().max((at.1 - from.1).abs())) / self.side;
        self.places[1..].iter().map(far).sum()
    }

    /// Where those that follow are, from the one that goes first, in sides.
    pub(super) fn formation(&self) -> Vec<Spot> {
        let (x, y) = self.front();
        self.places[1..].iter().map(|at| ((at.0 - x) / self.side, (at.1 - y) / self.side)).collect()
    }

    /// Whether a cell belongs to it.
    pub(super) fn covers(&self, at: Point) -> bool {
        let (x, y) = (i16::from(at.x()), i16::from(at.y()));
        let within = |low: i16, at: i16| (low..low + self.side).contains(&at);
        self.places.iter().any(|it| within(it.0, x) && within(it.1, y))
    }

    /// Whether a frame may show it, over this picture of the level: every place is seen or lies under something, and no
    /// cell looks like one of it elsewhere.
    pub(super) fn fits(&self, frame: &Grid, base: &Grid, looks: Looks) -> bool {
        let shows = |(index, at): (usize, &Spot)| {
            let own = if index == 0 { looks.first } else { looks.rest };
            let seen = color(frame, *at, self.side);
            seen == Some(own) || seen.is_some_and(|it| it != looks.floor) && seen == color(base, *at, self.side)
        };
        let is_own = |at: &Point| frame[*at] == looks.first || frame[*at] == looks.rest;
        let astray = frame.points().filter(is_own).any(|at| base[at] != frame[at] && !self.covers(at));
        !astray && self.places.iter().enumerate().all(shows)
    }

    /// The rows that a frame may show: each way through all that looks like what follows.
    pub(super) fn read(frame: &Grid, looks: Looks) -> Vec<Train> {
        let scene = Scene::of(frame);
        let mut firsts = scene.components().iter().filter(|it| it.color == looks.first);
        let (Some(first), None) = (firsts.next(), firsts.next()) else { return Vec::new() };
        let side = i16::from(first.bounds.width());
        if first.bounds.height() != first.bounds.width() || i32::from(first.area) != i32::from(side) * i32::from(side) {
            return Vec::new();
        }
        let front = (i16::from(first.bounds.left), i16::from(first.bounds.top));
        let cells: Vec<Point> = frame.points().filter(|at| frame[*at] == looks.rest).collect();
        let snap = |at: i16, to: i16| to + (at - to).div_euclid(side) * side;
        let mut blocks: BTreeMap<Spot, i32> = BTreeMap::new();
        for at in cells {
            let spot = (snap(at.x().into(), front.0), snap(at.y().into(), front.1));
            *blocks.entry(spot).or_default() += 1;
        }
        let is_whole = blocks.values().all(|cells| *cells == i32::from(side) * i32::from(side));
        if !is_whole || blocks.len() < 2 || blocks.len() >= LONGEST {
            return Vec::new();
        }
        let mut found = Vec::new();
        grow(&mut vec![front], &blocks.into_keys().collect::<Vec<_>>(), side, &mut found);
        found.into_iter().map(|places| Train { side, places }).collect()
    }
}

/// All ways on from a row through all of these blocks, each next to the one before.
fn grow(row: &mut Vec<Spot>, blocks: &[Spot], side: i16, found: &mut Vec<Vec<Spot>>) {
    if found.len() >= READINGS {
        return;
    }
    if row.len() == blocks.len() + 1 {
        return found.push(row.clone());
    }
    let last = row[row.len() - 1];
    let is_next = |at: &&Spot| (at.0 - last.0).abs() + (at.1 - last.1).abs() == side && !row.contains(at);
    for at in blocks.iter().filter(is_next).copied().collect::<Vec<_>>() {
        row.push(at);
        grow(row, blocks, side, found);
        row.pop();
    }
}

/// What is seen in the middle of a square.
pub(super) fn color(frame: &Grid, at: Spot, side: i16) -> Option<Color> {
    let middle = |low: i16| u8::try_from(low + side / 2).ok();
    frame.get(Point::new(middle(at.0)?, middle(at.1)?).ok()?)
}

/// A row that went a step between two frames: one square is new, a second one took its place, and a third is bare.
pub(super) fn sighting(before: &Grid, after: &Grid, mask: &InterfaceMask) -> Option<Sighting> {
    let mut groups: BTreeMap<(Color, Color), Vec<Point>> = BTreeMap::new();
    for at in before.differences(after)?.filter(|at| !mask.hides(*at)) {
        groups.entry((before[at], after[at])).or_default().push(at);
    }
    groups.retain(|_, cells| !cells.iter().all(|at| is_outer(*at, before)));
    if groups.len() != 3 {
        return None;
    }
    let squares = groups.iter().map(|(colors, cells)| Some((*colors, square(cells)?)));
    let all: Vec<((Color, Color), (Spot, i16))> = squares.collect::<Option<_>>()?;
    let is_between = |(was, is): (Color, Color)| {
        all.iter().any(|((_, now), _)| *now == was) && all.iter().any(|((then, _), _)| *then == is)
    };
    let count = |color: Color| before.points().filter(|at| before[*at] == color).count();
    let taken =
        all.iter().filter(|(colors, _)| is_between(*colors)).min_by_key(|((was, is), _)| count(*was) + count(*is))?;
    let ((first, rest), (from, side)) = *taken;
    let (to, left) =
        (all.iter().find(|((_, now), _)| *now == first)?, all.iter().find(|((then, _), _)| *then == rest)?);
    let (floor, to, left) = (left.0.1, to.1, left.1);
    let by = (to.0.0 - from.0, to.0.1 - from.1);
    let is_step = to.1 == side && left.1 == side && by.0.abs() + by.1.abs() == side;
    if !is_step || floor == first || first == rest {
        return None;
    }
    let back = (left.0.0 - from.0, left.0.1 - from.1);
    let turns = back.0 * by.1 != back.1 * by.0;
    Some(Sighting { looks: Looks { first, rest, floor }, way: (by.0 / side, by.1 / side), turns })
}

/// The square that cells fill, and its side.
fn square(cells: &[Point]) -> Option<(Spot, i16)> {
    let (left, right) = (cells.iter().map(|at| at.x()).min()?, cells.iter().map(|at| at.x()).max()?);
    let (top, bottom) = (cells.iter().map(|at| at.y()).min()?, cells.iter().map(|at| at.y()).max()?);
    let (width, height) = (i16::from(right - left) + 1, i16::from(bottom - top) + 1);
    let is_full = width == height && cells.len() == usize::from(right - left + 1) * usize::from(bottom - top + 1);
    is_full.then_some(((left.into(), top.into()), width))
}
