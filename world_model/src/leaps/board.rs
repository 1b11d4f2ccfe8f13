//! The seats of a level: where pieces stand or may stand, and which lie next to each other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use env_client::{Color, Grid, Point};

use crate::{Bounds, InterfaceMask, Scene};

/// Seats of one level, fewer of which are no board, and more of which are a texture. Guesses.
const SEATS: std::ops::RangeInclusive<usize> = 5..=120;
/// Cells along the side of a seat. A guess.
const SIDES: std::ops::RangeInclusive<u8> = 3..=21;
/// And those of what is drawn on a seat where nothing stands: a hole may be smaller than all that stands. A guess.
const DRAWN: std::ops::RangeInclusive<u8> = 2..=21;
/// Points along the side of a look: a picture is sampled there, so that it looks the same at any whole scale.
const SAMPLES: u8 = 8;
/// A tile is of one colour but for one cell in so many: counters may lie over it.
const BLOTS: usize = 16;
/// Ways to neighbours are at most so many times as long as the shortest one, in tenths (a diagonal is 14), and of one class
/// where their lengths differ by less than so many hundredths: slanting rows cannot be drawn quite true.
const REACH: i32 = 15;
const ALIKE: i32 = 8;

/// Width and height of a seat.
pub(super) type Size = (u8, u8);

/// What is seen on a seat.
pub(super) type Look = Vec<Color>;

/// How seats are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Drawings that lie apart.
    Apart,
    /// Tiles of one colour that touch.
    Tiles,
}

/// A way from a seat to a neighbour: columns and rows, and the class of ways of its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    by: (i16, i16),
    class: u8,
}

/// The seats of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) style: Style,
    pub(super) size: Size,
    seats: Vec<Bounds>,
    ways: Vec<Way>,
    /// For each seat and way the neighbour.
    next: Vec<Vec<Option<usize>>>,
}

fn size(it: Bounds) -> Size {
    (it.width(), it.height())
}

/// Twice the middle.
fn middle(it: Bounds) -> (i16, i16) {
    (i16::from(it.left) + i16::from(it.right), i16::from(it.top) + i16::from(it.bottom))
}

/// A frame that is searched for seats.
pub(super) struct Search<'a> {
    frame: &'a Grid,
    mask: &'a InterfaceMask,
    scene: Scene,
}

impl<'a> Search<'a> {
    pub(super) fn new(frame: &'a Grid, mask: &'a InterfaceMask) -> Search<'a> {
        Search { frame, mask, scene: Scene::of(frame) }
    }

    /// The board on which a click drew a mark within these bounds.
    pub(super) fn marked(&self, click: Point, mark: Bounds) -> Option<Board> {
        let is_near = |it: &Bounds| {
            let wide = Bounds {
                left: it.left.saturating_sub(3),
                top: it.top.saturating_sub(3),
                right: it.right + 3,
                bottom: it.bottom + 3,
            };
            wide.union(mark) == wide
        };
        let drawings = self.outermost(&SIDES);
        let clicked = drawings.iter().find(|it| it.bounds.contains(click.x(), click.y()));
        let clicked = clicked.filter(|it| is_near(&it.bounds)).copied();
        let lay = |it: Drawing, all: &[Drawing]| Board::lay(Style::Apart, size(it.bounds), apart(all, size(it.bounds)));
        let wide = clicked.and_then(|it| lay(it, &drawings));
        let on_ground = clicked.and_then(|it| lay(it, &self.drawn_on(it.surround)));
        let is_tile = SIDES.contains(&mark.width()) && SIDES.contains(&mark.height()) && self.color_of(mark).is_some();
        let corner = (mark.left, mark.top);
        let tiles = is_tile.then(|| Board::lay(Style::Tiles, size(mark), self.tiles(size(mark), corner))).flatten();
        let all = [wide, on_ground, tiles].into_iter().flatten().filter(|it| it.at(click).is_some());
        all.min_by_key(|it| usize::MAX - it.len())
    }

    /// The board of another level, which may be drawn at another scale: that on which most is known.
    pub(super) fn again(&self, style: Style, known: Size, is_known: impl Fn(&Look) -> bool) -> Option<Board> {
        let product = |a: u8, b: u8| u16::from(a) * u16::from(b);
        let count = |it: &[Bounds]| it.iter().filter(|seat| is_known(&look(self.frame, **seat))).count();
        let best = match style {
            Style::Apart => {
                let all = self.outermost(&SIDES);
                let sizes: BTreeSet<Size> = all.iter().map(|it| size(it.bounds)).collect();
                let alike = sizes.into_iter().filter(|it| product(it.0, known.1) == product(it.1, known.0));
                let grounds: BTreeSet<Color> = all.iter().map(|it| it.surround).collect();
                let sets = grounds.into_iter().map(|it| self.drawn_on(it)).chain([all]).collect::<Vec<_>>();
                let found = alike.flat_map(|it| sets.iter().map(move |drawings| (it, apart(drawings, it))));
                found.max_by_key(|(it, seats)| (count(seats), *it == known))?
            }
            Style::Tiles => {
                let square = SIDES.flat_map(|side| (0..side).flat_map(move |x| (0..side).map(move |y| (side, (x, y)))));
                let found = square.map(|(side, corner)| ((side, side), self.tiles((side, side), corner)));
                found.max_by_key(|((side, _), seats)| (count(seats) * usize::from(*side).pow(2), *side))?
            }
        };
        Board::lay(style, best.0, best.1)
    }

    /// All of such sides that lies on ground, but for what lies within others of these.
    fn outermost(&self, sides: &std::ops::RangeInclusive<u8>) -> Vec<Drawing> {
        let all = self.scene.components().iter().enumerate().filter(|(index, it)| {
            let is_sized = sides.contains(&it.bounds.width()) && sides.contains(&it.bounds.height());
            is_sized && !self.scene.is_ground(*index) && !self.mask.hides(it.center)
        });
        let all: Vec<Drawing> = all.map(|it| Drawing { bounds: it.1.bounds, surround: it.1.surround }).collect();
        let is_within =
            |it: Bounds| all.iter().any(|other| other.bounds != it && other.bounds.union(it) == other.bounds);
        all.iter().filter(|it| !is_within(it.bounds)).copied().collect()
    }

    /// The same with all that is small, but only what lies on ground of this colour: counters lie beside the board.
    fn drawn_on(&self, ground: Color) -> Vec<Drawing> {
        let mut all = self.outermost(&DRAWN);
        all.retain(|it| it.surround == ground);
        all
    }

    /// Tiles of this size, one of which has its corner there, that have one colour which is not the ground's.
    fn tiles(&self, (width, height): Size, corner: (u8, u8)) -> Vec<Bounds> {
        let starts =
            |at: u8, step: u8, end: u8| (at % step..end).step_by(step.into()).filter(move |it| it + step <= end);
        let rows = starts(corner.1, height, self.frame.height());
        let tiles = rows.flat_map(|top| {
            let lefts = starts(corner.0, width, self.frame.width());
            lefts.map(move |left| Bounds { left, top, right: left + width - 1, bottom: top + height - 1 })
        });
        tiles.filter(|it| self.color_of(*it).is_some_and(|color| color != self.scene.background())).collect()
    }

    /// The one colour of a tile, with hardly a blot.
    fn color_of(&self, it: Bounds) -> Option<Color> {
        let middle = Point::new(it.left.midpoint(it.right), it.top.midpoint(it.bottom)).ok()?;
        let color = self.frame.get(middle).filter(|_| !self.mask.hides(middle))?;
        let area = usize::from(it.width()) * usize::from(it.height());
        let most = area / BLOTS;
        let blots = it.points().filter(|at| self.frame.get(*at) != Some(color)).take(most + 1).count();
        (blots <= most).then_some(color)
    }
}

/// Something that lies on ground.
#[derive(Clone, Copy, Debug)]
struct Drawing {
    bounds: Bounds,
    /// The colour around it.
    surround: Color,
}

/// Seats of this size around the middles of drawings that lie apart.
fn apart(drawings: &[Drawing], wanted: Size) -> Vec<Bounds> {
    let is_sized = |it: &Bounds| {
        let (width, height) = size(*it);
        width <= wanted.0 && height <= wanted.1 && 3 * width >= wanted.0 && 3 * height >= wanted.1
    };
    let around = |it: Bounds| {
        let along = |sum: i16, side: u8| {
            let twice = sum - i16::from(side) + 1;
            u8::try_from(twice / 2).ok().filter(|_| twice % 2 == 0)
        };
        let (x, y) = middle(it);
        let (left, top) = (along(x, wanted.0)?, along(y, wanted.1)?);
        Some(Bounds { left, top, right: left + wanted.0 - 1, bottom: top + wanted.1 - 1 })
    };
    let mut seats: Vec<Bounds> = drawings.iter().map(|it| it.bounds).filter(is_sized).filter_map(around).collect();
    seats.sort_by_key(|it| (it.top, it.left));
    seats.dedup();
    seats
}

/// What is seen within bounds.
pub(super) fn look(frame: &Grid, it: Bounds) -> Look {
    let ends = 2 * u16::from(SAMPLES);
    let at = |start: u8, side: u8, index: u8| start + ((2 * u16::from(index) + 1) * u16::from(side) / ends) as u8;
    let row = |y: u8| {
        let y = at(it.top, it.height(), y);
        (0..SAMPLES).map(move |x| (at(it.left, it.width(), x), y))
    };
    let points = (0..SAMPLES).flat_map(row);
    points.map(|(x, y)| Point::new(x, y).ok().and_then(|at| frame.get(at)).unwrap_or_default()).collect()
}

impl Board {
    /// The largest part of these seats that hangs together by the ways of their lattice.
    fn lay(style: Style, size: Size, seats: Vec<Bounds>) -> Option<Board> {
        if !SEATS.contains(&seats.len()) {
            return None;
        }
        let all = Board::linked(style, size, seats)?;
        let part = all.largest_part();
        let seats: Vec<Bounds> = part.into_iter().map(|it| all.seats[it]).collect();
        if SEATS.contains(&seats.len()) { Board::linked(style, size, seats) } else { None }
    }

    fn linked(style: Style, size: Size, seats: Vec<Bounds>) -> Option<Board> {
        let ways = ways(&seats);
        let places: BTreeMap<(i16, i16), usize> = seats.iter().map(|it| middle(*it)).zip(0..).collect();
        let neighbour = |it: &Bounds, way: &Way| {
            let (x, y) = middle(*it);
            places.get(&(x + way.by.0, y + way.by.1)).copied()
        };
        let next = seats.iter().map(|it| ways.iter().map(|way| neighbour(it, way)).collect()).collect();
        (!ways.is_empty()).then_some(Board { style, size, seats, ways, next })
    }

    fn largest_part(&self) -> Vec<usize> {
        let (mut seen, mut best) = (vec![false; self.len()], Vec::new());
        for start in 0..self.len() {
            let (mut part, mut open) = (Vec::new(), VecDeque::from([start]));
            while let Some(seat) = open.pop_front() {
                if !std::mem::replace(&mut seen[seat], true) {
                    part.push(seat);
                    open.extend(self.next[seat].iter().flatten());
                }
            }
            if part.len() > best.len() {
                best = part;
            }
        }
        best.sort_unstable();
        best
    }

    pub(super) fn len(&self) -> usize {
        self.seats.len()
    }

    pub(super) fn at(&self, at: Point) -> Option<usize> {
        self.seats.iter().position(|it| it.contains(at.x(), at.y()))
    }

    pub(super) fn click(&self, seat: usize) -> Point {
        let (x, y) = middle(self.seats[seat]);
        Point::new(x / 2, y / 2).unwrap_or_default()
    }

    /// What is seen on each seat.
    pub(super) fn looks(&self, frame: &Grid) -> Vec<Look> {
        self.seats.iter().map(|it| look(frame, *it)).collect()
    }

    /// The seat that is nearest to a point, if that lies on it or right beside it.
    pub(super) fn nearest(&self, at: Point) -> Option<usize> {
        let twice = |it: u8| 2 * i16::from(it);
        let far = |seat: &usize| {
            let (x, y) = middle(self.seats[*seat]);
            (twice(at.x()) - x).abs().max((twice(at.y()) - y).abs())
        };
        let seat = (0..self.len()).min_by_key(far)?;
        let reach = i16::from(self.size.0.max(self.size.1)) + 4;
        (far(&seat) <= reach).then_some(seat)
    }

    /// The classes of ways.
    pub(super) fn ways(&self) -> impl Iterator<Item = (usize, u8)> + '_ {
        self.ways.iter().enumerate().map(|(index, it)| (index, it.class))
    }

    /// The seat after so many steps.
    pub(super) fn step(&self, seat: usize, way: usize) -> Option<usize> {
        self.next[seat][way]
    }

    /// The seats from one to another in a line, and the class of its way.
    pub(super) fn line(&self, from: usize, to: usize) -> Option<(u8, Vec<usize>)> {
        self.ways().find_map(|(way, class)| {
            let mut line = vec![from];
            while let Some(next) = self.step(line[line.len() - 1], way) {
                line.push(next);
                if next == to {
                    return Some((class, line));
                }
            }
            None
        })
    }
}

/// The ways between neighbours: the shortest ones that several pairs of seats share.
fn ways(seats: &[Bounds]) -> Vec<Way> {
    let mut counts = BTreeMap::<(i16, i16), usize>::new();
    for (one, other) in seats.iter().flat_map(|one| seats.iter().map(move |other| (middle(*one), middle(*other)))) {
        *counts.entry((other.0 - one.0, other.1 - one.1)).or_default() += 1;
    }
    let least = (seats.len() / 6).max(2);
    let length = |by: (i16, i16)| i32::from(by.0).pow(2) + i32::from(by.1).pow(2);
    let shared = counts.into_iter().filter(|it| it.0 != (0, 0) && it.1 >= least).map(|it| it.0);
    let mut all: Vec<(i16, i16)> = shared.collect();
    all.sort_by_key(|by| (length(*by), *by));
    let Some(shortest) = all.first().map(|by| length(*by)) else { return Vec::new() };
    all.retain(|by| 100 * length(*by) <= REACH * REACH * shortest);
    let (mut class, mut first) = (0, shortest);
    let classed = all.into_iter().map(|by| {
        if 100 * 100 * length(by) > (100 + ALIKE) * (100 + ALIKE) * first {
            (class, first) = (class + 1, length(by));
        }
        Way { by, class }
    });
    classed.collect()
}
