//! The blocks of a level, and where each can lie.

use env_client::{Color, Grid, Point, SIDE};

use super::{Ahead, Place};
use crate::{Bounds, InterfaceMask, Scene};

/// A block fills so much of its box at least, as one in so many: marks may lie on it.
const FILLED: (u32, u32) = (3, 4);
/// Where one cell in fewer is bare, a block does not lie.
const BARE: usize = 8;

/// What the block that moved first tells of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// How far a block goes by one key.
    length: i16,
    /// Its measure and its place, in cells beyond whole units.
    rest: i16,
    corner: Place,
    /// The colour of the bed.
    color: Color,
}

impl Unit {
    /// What a block tells that went by so much, as the frame afterwards shows.
    pub(super) fn of(block: Bounds, by: Place, after: &Grid, (dx, dy): Place) -> Unit {
        let length = by.0.abs().max(by.1.abs());
        let from = (if dx < 0 { block.right } else { block.left }, if dy < 0 { block.bottom } else { block.top });
        let color = Point::new(from.0, from.1).map_or(Color::default(), |at| after[at]);
        let (rest, place) = (i16::from(block.width()) % length, corner(block));
        Unit { length, rest, corner: (place.0 % length, place.1 % length), color }
    }

    /// Whether such a box may be that of a block.
    fn fits(self, it: Bounds) -> bool {
        let place = corner(it);
        let measures = |size: u8| i16::from(size) % self.length == self.rest;
        measures(it.width()) && measures(it.height()) && (place.0 % self.length, place.1 % self.length) == self.corner
    }

    pub(super) fn step(self, (x, y): Place, (dx, dy): Place) -> Place {
        (x + self.length * dx, y + self.length * dy)
    }

    /// Whether a block that went from one place to another went one unit this way.
    pub(super) fn is_step(self, from: Place, to: Place, way: Place) -> bool {
        self.step(from, way) == to
    }
}

/// One block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it looks like.
    pub color: Color,
    /// Columns and rows.
    pub size: Place,
}

impl Block {
    /// Whether a way leads across its long side.
    pub(super) fn is_across(self, (dx, dy): Place) -> bool {
        self.size.0 > self.size.1 && dy != 0 || self.size.1 > self.size.0 && dx != 0
    }

    /// A cell in its middle.
    pub(super) fn middle(self, at: Place) -> Option<Point> {
        Point::new(at.0 + self.size.0 / 2, at.1 + self.size.1 / 2).ok()
    }

    fn cells(self, at: Place) -> impl Iterator<Item = Place> {
        (at.1..at.1 + self.size.1).flat_map(move |y| (at.0..at.0 + self.size.0).map(move |x| (x, y)))
    }

    fn covers(self, at: Place, (x, y): Place) -> bool {
        (at.0..at.0 + self.size.0).contains(&x) && (at.1..at.1 + self.size.1).contains(&y)
    }

    fn meets(self, at: Place, other: Block, other_at: Place) -> bool {
        let along = |a: i16, size: i16, b: i16, other: i16| a < b + other && b < a + size;
        along(at.0, self.size.0, other_at.0, other.size.0) && along(at.1, self.size.1, other_at.1, other.size.1)
    }
}

/// The bed of a level.
#[derive(Clone, Debug)]
pub(super) struct Bed {
    pub(super) unit: Unit,
    pub(super) blocks: Vec<Block>,
    /// The level without its blocks.
    bare: Grid,
    /// What lies beyond the ends of the bed for most blocks and ways.
    common: Option<u16>,
    /// Where the blocks lay when it was laid.
    pub(super) first: Vec<Place>,
}

impl Bed {
    /// Lays the bed of a level, in which something in this box surely is a block; `None` where it has no blocks.
    pub(super) fn lay(frame: &Grid, mask: &InterfaceMask, unit: Unit, sure: Option<(Color, Bounds)>) -> Option<Bed> {
        let mut found = found(frame, unit).into_iter().filter(|it| !mask.hides(it.2)).collect::<Vec<_>>();
        let sure = sure.map(|(color, it)| (Block { color, size: size(it) }, corner(it), Point::default()));
        let is_known =
            |it: &(Block, Place, Point)| found.iter().any(|other| other.1 == it.1 && other.0.size == it.0.size);
        let new = sure.filter(|it| !is_known(it));
        found.extend(new);
        let (blocks, places): (Vec<Block>, Vec<Place>) = found.into_iter().map(|(block, at, _)| (block, at)).unzip();
        let mut bare = frame.clone();
        for at in blocks.iter().zip(&places).flat_map(|(block, at)| block.cells(*at)) {
            if let Ok(at) = Point::new(at.0, at.1) {
                bare.set(at, unit.color);
            }
        }
        let mut bed = Bed { unit, blocks, bare, common: None, first: Vec::new() };
        bed.common = bed.commonest(&places);
        bed.first = places;
        (!bed.blocks.is_empty()).then_some(bed)
    }

    /// The colours that lie beyond the ends of most lanes.
    fn commonest(&self, places: &[Place]) -> Option<u16> {
        let ways = [(0, -1), (0, 1), (-1, 0), (1, 0)];
        let lanes = (0..places.len()).flat_map(|block| ways.map(|way| (block, way)));
        let seen: Vec<u16> = lanes
            .filter(|(block, way)| !self.blocks[*block].is_across(*way))
            .map(|(block, way)| self.beyond(places, block, way))
            .filter(|colors| *colors != 0)
            .collect();
        seen.iter().copied().max_by_key(|it| (seen.iter().filter(|other| *other == it).count(), *it))
    }

    /// Where each block lies in a frame: where it lay, or one unit on, wherever no bed is seen, since one that is picked may look
    /// different.
    pub(super) fn read(&self, frame: &Grid, before: &[Place]) -> Option<Vec<Place>> {
        let bare = |grid: &Grid, block: usize, at: Place| {
            let seen = self.blocks[block].cells(at).map(|(x, y)| Point::new(x, y).ok().and_then(|at| grid.get(at)));
            seen.filter(|color| color.is_none_or(|it| it == self.unit.color)).count()
        };
        let area = |block: usize| self.blocks[block].cells(before[block]).count();
        let covers = |block: usize, at: Place| BARE * bare(frame, block, at) <= area(block);
        let stays: Vec<bool> = before.iter().enumerate().map(|(block, at)| covers(block, *at)).collect();
        let is_taken = |block: usize, at: Place| {
            let mut others = (0..before.len()).filter(|other| *other != block && stays[*other]);
            others.any(|other| self.blocks[block].meets(at, self.blocks[other], before[other]))
        };
        let ways = [(0, -1), (0, 1), (-1, 0), (1, 0)];
        let places = before.iter().enumerate().map(|(block, from)| {
            let along = ways.into_iter().filter(|way| !self.blocks[block].is_across(*way));
            let ends: Vec<Place> = along.map(|way| self.unit.step(*from, way)).collect();
            let mut ends = ends.into_iter().filter(|at| covers(block, *at) && !is_taken(block, *at));
            let within = |at: &Place| bare(&self.bare, block, *at) == area(block);
            if stays[block] { Some(*from) } else { ends.clone().find(within).or_else(|| ends.next()) }
        });
        places.collect()
    }

    /// The block at a cell.
    pub(super) fn block_at(&self, places: &[Place], at: Point) -> Option<usize> {
        let cell = (i16::from(at.x()), i16::from(at.y()));
        (0..places.len()).find(|it| self.blocks[*it].covers(places[*it], cell))
    }

    /// What is in the way of a block.
    pub(super) fn ahead(&self, places: &[Place], block: usize, way: Place) -> Ahead {
        let (it, next) = (self.blocks[block], self.unit.step(places[block], way));
        let bare = |(x, y): Place| Point::new(x, y).ok().and_then(|at| self.bare.get(at));
        let is_other = |other: &usize| *other != block && it.meets(next, self.blocks[*other], places[*other]);
        match () {
            () if it.cells(next).any(|at| bare(at) != Some(self.unit.color)) => Ahead::End,
            () if (0..places.len()).any(|other| is_other(&other)) => Ahead::Block,
            () => Ahead::Free,
        }
    }

    /// The colours of the first line of cells ahead of a block that is not all bed, as a set; an empty one where the frame ends.
    pub(super) fn beyond(&self, places: &[Place], block: usize, (dx, dy): Place) -> u16 {
        let (it, at) = (self.blocks[block], places[block]);
        let front: Vec<Place> = it.cells(at).filter(|(x, y)| !it.covers(at, (x + dx, y + dy))).collect();
        let bed = 1 << self.unit.color.index();
        let line = |by: i16| {
            let colors = front.iter().map(|(x, y)| self.bare.get(Point::new(x + by * dx, y + by * dy).ok()?));
            let set = colors.collect::<Option<Vec<Color>>>().unwrap_or_default();
            set.into_iter().fold(0, |set, color| set | 1u16 << color.index())
        };
        (1..=i16::from(SIDE)).map(line).find(|set| *set != bed).unwrap_or_default()
    }

    /// Whether such colours lie beyond most ends, or the frame ends there.
    pub(super) fn is_common(&self, colors: u16) -> bool {
        colors == 0 || self.common == Some(colors)
    }
}

/// All filled rectangles of a frame that measure and lie as blocks do, with a cell of each.
fn found(frame: &Grid, unit: Unit) -> Vec<(Block, Place, Point)> {
    let scene = Scene::of(frame);
    let is_filled =
        |area: u16, it: Bounds| FILLED.1 * u32::from(area) >= FILLED.0 * u32::from(it.width()) * u32::from(it.height());
    let blocks = scene.components().iter().filter(|it| it.color != unit.color && unit.fits(it.bounds));
    let filled = blocks.filter(|it| is_filled(it.area, it.bounds));
    filled.map(|it| (Block { color: it.color, size: size(it.bounds) }, corner(it.bounds), it.center)).collect()
}

fn size(it: Bounds) -> Place {
    (i16::from(it.width()), i16::from(it.height()))
}

fn corner(it: Bounds) -> Place {
    (i16::from(it.left), i16::from(it.top))
}
