//! How a view that moves is shown whole: in the place of the view, each tile of the world by a few of its lines.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use env_client::{Color, Grid, Point, SIDE};

use super::At;
use crate::{Bounds, Scene};

/// The sides of tiles: less cannot be told from a view that glides, and three are seen at least.
const SCALES: std::ops::RangeInclusive<u8> = 2..=SIDE / 3;
/// Lines of a tile that are shown where that tells tiles apart: pieces of two lines have no middle.
const LINES: u8 = 3;
/// The share of kinds of tiles that must be told apart, in hundredths.
const TOLD: usize = 95;
/// Frames that are looked at.
const FRAMES: usize = 24;

/// A tile as the view shows it, row after row.
pub(super) type Tile = Box<[Color]>;

/// The view within a frame, its tiles, and what is shown of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lens {
    /// The first cell of the view.
    corner: (u8, u8),
    /// Columns and rows of tiles in view.
    pub(super) tiles: At,
    /// The side of a tile.
    scale: u8,
    /// The columns of a tile that are shown, which are its rows, too.
    lines: Vec<u8>,
    /// What is shown where nothing was seen yet: the colour that is seen least.
    fog: Color,
}

impl Lens {
    /// The lens for what moved in this area by multiples of a stride, in such frames; `None` where that is no tile's side.
    pub(super) fn find(area: Bounds, stride: i16, frames: &[&Grid]) -> Option<Lens> {
        let scale = u8::try_from(stride).ok().filter(|it| SCALES.contains(it))?;
        let counted = counts(frames);
        let fog = Color::ALL.into_iter().rev().min_by_key(|color| counted[&color.index()])?;
        let every = frames.len().div_ceil(FRAMES).max(1);
        let frames: Vec<&Grid> = frames.iter().step_by(every).copied().collect();
        let phases = (0..scale).flat_map(|y| (0..scale).map(move |x| (x, y)));
        let lenses = phases.filter_map(|phase| Lens::at(area, scale, phase, fog));
        let lens = lenses.min_by_key(|lens| {
            let shown = usize::from(lens.tiles.0.unsigned_abs()) * usize::from(lens.tiles.1.unsigned_abs());
            let off = u32::from(lens.corner.0.abs_diff(area.left)) + u32::from(lens.corner.1.abs_diff(area.top));
            (lens.kinds(&frames).len() * 1000 / shown.max(1), off)
        })?;
        let kinds = lens.kinds(&frames);
        let lines = lens.choose(&kinds)?;
        Some(Lens { lines, ..lens })
    }

    /// The lens whose tiles begin so many cells after a multiple of their side, as near to an area as it can be.
    fn at(area: Bounds, scale: u8, phase: (u8, u8), fog: Color) -> Option<Lens> {
        let along = |from: u8, to: u8, phase: u8| {
            let (scale, phase) = (i16::from(scale), i16::from(phase));
            let nearest = |at: i16| (at - phase + scale / 2).div_euclid(scale) * scale + phase;
            let mut ends = (nearest(from.into()), nearest(i16::from(to) + 1));
            ends.0 += if ends.0 < 0 { scale } else { 0 };
            ends.1 -= if ends.1 > SIDE.into() { scale } else { 0 };
            Some((u8::try_from(ends.0).ok()?, (ends.1 - ends.0) / scale)).filter(|it| it.1 > 1)
        };
        let ((left, columns), (top, rows)) =
            (along(area.left, area.right, phase.0)?, along(area.top, area.bottom, phase.1)?);
        Some(Lens { corner: (left, top), tiles: (columns, rows), scale, lines: Vec::new(), fog })
    }

    /// Columns and rows of tiles that are shown at once.
    pub(super) fn room(&self) -> At {
        let along = |tiles: i16| tiles * i16::from(self.scale) / self.lines.len().max(1) as i16;
        (along(self.tiles.0), along(self.tiles.1))
    }

    /// The tiles in view, row after row; `None` where the frame is too small for it.
    pub(super) fn read(&self, frame: &Grid) -> Option<Vec<Tile>> {
        let at = (0..self.tiles.1).flat_map(|y| (0..self.tiles.0).map(move |x| (x, y)));
        at.map(|(x, y)| self.tile(frame, (x, y))).collect()
    }

    fn tile(&self, frame: &Grid, (x, y): At) -> Option<Tile> {
        let scale = i16::from(self.scale);
        let (left, top) = (i16::from(self.corner.0) + x * scale, i16::from(self.corner.1) + y * scale);
        let cells = (0..scale).flat_map(|dy| (0..scale).map(move |dx| (left + dx, top + dy)));
        cells.map(|(x, y)| frame.get(Point::new(x, y).ok()?)).collect()
    }

    /// The kinds of tiles that are seen.
    fn kinds(&self, frames: &[&Grid]) -> BTreeSet<Tile> {
        frames.iter().filter_map(|frame| self.read(frame)).flatten().collect()
    }

    /// The same lens with other lines where those it has do not tell enough of these tiles apart and others do.
    pub(super) fn sharper(&self, kinds: &BTreeSet<Tile>) -> Option<Lens> {
        let told = self.told(&self.lines, kinds);
        let lines = Some(told).filter(|told| told * 100 < kinds.len() * TOLD).and_then(|_| self.choose(kinds))?;
        (self.told(&lines, kinds) > told).then(|| Lens { lines, ..self.clone() })
    }

    /// The fewest lines that tell tiles apart, those that draw them most simply: dots and seams fall into as many things.
    fn choose(&self, kinds: &BTreeSet<Tile>) -> Option<Vec<u8>> {
        let least = LINES.min(self.scale - 1);
        let worth = |lines: &Vec<u8>| (self.told(lines, kinds), Reverse(self.patches(lines, kinds)));
        let best = |count| subsets(self.scale, count).filter(|it| self.spreads(it)).max_by_key(worth);
        let tells = |lines: &Vec<u8>| self.told(lines, kinds) * 100 >= kinds.len() * TOLD;
        (least..self.scale).filter_map(best).find(tells).or_else(|| best(least))
    }

    /// Whether no more lines are left out in a row than must be, and one: what is drawn there would not be seen.
    fn spreads(&self, lines: &[u8]) -> bool {
        let most = (self.scale - lines.len() as u8).div_ceil(lines.len() as u8 + 1) + 1;
        let ends = lines.iter().copied().chain([self.scale]);
        let begins = std::iter::once(0).chain(lines.iter().map(|line| line + 1));
        begins.zip(ends).all(|(from, to)| to - from <= most)
    }

    /// Kinds that some lines tell apart.
    fn told(&self, lines: &[u8], kinds: &BTreeSet<Tile>) -> usize {
        kinds.iter().map(|tile| self.thin(tile, lines)).collect::<BTreeSet<_>>().len()
    }

    /// Patches of one colour that are seen in all kinds of tiles.
    fn patches(&self, lines: &[u8], kinds: &BTreeSet<Tile>) -> usize {
        let grids = kinds.iter().filter_map(|tile| {
            let thin = self.thin(tile, lines);
            Grid::from_rows(thin.chunks(lines.len())).ok()
        });
        grids.map(|grid| Scene::of(&grid).components().len()).sum()
    }

    fn thin(&self, tile: &Tile, lines: &[u8]) -> Vec<Color> {
        let at = |x: u8, y: u8| tile[usize::from(y) * usize::from(self.scale) + usize::from(x)];
        lines.iter().flat_map(|y| lines.iter().map(move |x| at(*x, *y))).collect()
    }

    /// The frame with the world in place of the view; `known` tells the tiles of what is shown of it.
    pub(super) fn show<'a>(&self, frame: &Grid, known: impl Fn(At) -> Option<&'a Tile>) -> Grid {
        let mut shown = frame.clone();
        let (count, scale) = (self.lines.len() as i16, i16::from(self.scale));
        for y in 0..self.tiles.1 * scale {
            for x in 0..self.tiles.0 * scale {
                let (dx, dy) = (self.lines[(x % count) as usize], self.lines[(y % count) as usize]);
                let place = usize::from(dy) * usize::from(self.scale) + usize::from(dx);
                let is_room = x / count < self.room().0 && y / count < self.room().1;
                let tile = Some((x / count, y / count)).filter(|_| is_room).and_then(&known);
                let at = Point::new(i16::from(self.corner.0) + x, i16::from(self.corner.1) + y);
                if let Some(at) = at.ok().filter(|at| shown.get(*at).is_some()) {
                    shown.set(at, tile.map_or(self.fog, |tile| tile[place]));
                }
            }
        }
        shown
    }

    /// The cell of the view that shows what a cell of the whole shows, where the view begins at this tile of what is shown;
    /// the nearest in view.
    pub(super) fn find_again(&self, at: Point, view: At) -> Point {
        let (count, scale) = (self.lines.len() as i16, i16::from(self.scale));
        let along = |at: u8, corner: u8, tiles: i16, view: i16| {
            let at = i16::from(at) - i16::from(corner);
            let is_inside = (0..tiles * scale).contains(&at);
            let line = i16::from(self.lines[at.rem_euclid(count) as usize]);
            is_inside.then(|| i16::from(corner) + (at / count - view).clamp(0, tiles - 1) * scale + line)
        };
        let x = along(at.x(), self.corner.0, self.tiles.0, view.0);
        let y = along(at.y(), self.corner.1, self.tiles.1, view.1);
        x.zip(y).and_then(|(x, y)| Point::new(x, y).ok()).unwrap_or(at)
    }
}

/// How often each colour is seen.
fn counts(frames: &[&Grid]) -> BTreeMap<usize, usize> {
    let mut counts: BTreeMap<usize, usize> = (0..Color::COUNT).map(|color| (color, 0)).collect();
    for color in frames.iter().flat_map(|it| it.cells()) {
        counts.entry(color.index()).and_modify(|it| *it += 1);
    }
    counts
}

/// All sets of so many lines of a tile, in order.
fn subsets(of: u8, count: u8) -> impl Iterator<Item = Vec<u8>> {
    let mut next: Option<Vec<u8>> = Some((0..count).collect());
    std::iter::from_fn(move || {
        let now = next.take()?;
        let room = |index: usize| of - (now.len() - index) as u8;
        if let Some(index) = (0..now.len()).rev().find(|index| now[*index] < room(*index)) {
            let from = now[index] + 1;
            let rest = (now.len() - index) as u8;
            next = Some(now[..index].iter().copied().chain(from..from + rest).collect());
        }
        Some(now)
    })
}
