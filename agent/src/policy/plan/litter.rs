//! Litter: cells of colours of which none is to be left, and how far it is from there.
//!
//! What is left is counted in tiles as large as a step of the piece. Where it falls apart into regions, a piece that sweeps it
//! by walking over it is likely to be stranded in one of them: in a title made for it that counts more than any other hint (28
//! and 60 states instead of 93 and 5705).

use std::collections::{BTreeSet, HashMap};

use env_client::{Color, Grid, Point};
use world_model::Advance;

use super::{
    arrange::{Level, MOST},
    pairs::Role,
    picture::Middle,
    things::{SIDES, place},
};

/// How often pieces have to leave what has a colour until nothing is left of it, by colour; 0 where it is no litter.
pub(super) type Weights = [u8; Color::COUNT];

/// What a region apart from the others counts, in tiles. Measured in one title.
const APART: u32 = 2;
/// A step that is longer than so many sides of the piece is a slide, and no measure of a tile. A guess.
const STRIDE: u8 = 2;

/// What is to be swept.
#[derive(Clone, Debug)]
pub(super) struct Litter {
    weights: Weights,
    /// The cells where it may lie.
    cells: Vec<Point>,
    tiles: Tiles,
    /// Where the pieces should be in the end: beside one of these, if there are any.
    ends: Vec<Middle>,
}

/// How a level is cut into tiles: from the corner of a piece on.
#[derive(Clone, Copy, Debug)]
struct Tiles {
    corner: (u8, u8),
    piece: (u8, u8),
    pitch: u8,
}

impl Tiles {
    /// As pieces step; `None` where that is not known.
    fn of(pieces: &[Advance]) -> Option<Tiles> {
        let (piece, bounds) = pieces.iter().filter(|it| it.by != (0, 0)).find_map(|it| Some((it, place(it)?)))?;
        let sides = (bounds.width(), bounds.height());
        let (side, step) = (sides.0.min(sides.1), piece.by.0.unsigned_abs().max(piece.by.1.unsigned_abs()));
        let step = u8::try_from(step).ok().filter(|it| *it <= STRIDE * side).unwrap_or(side);
        Some(Tiles { corner: (bounds.left, bounds.top), piece: sides, pitch: step })
    }

    /// The column and row of the tile of a cell.
    fn of_cell(self, at: Point) -> (i8, i8) {
        let tile = |cell: u8, corner: u8| (i16::from(cell) - i16::from(corner)).div_euclid(self.pitch.into()) as i8;
        (tile(at.x(), self.corner.0), tile(at.y(), self.corner.1))
    }

    /// The middle of a piece on a tile that lies wholly in the frame.
    fn middle(self, (x, y): (i8, i8)) -> Option<Middle> {
        let cell =
            |tile: i8, corner: u8| u8::try_from(i16::from(corner) + i16::from(tile) * i16::from(self.pitch)).ok();
        Some(Middle::of(cell(x, self.corner.0)?, cell(y, self.corner.1)?, self.piece.0, self.piece.1))
    }
}

impl Litter {
    /// All that a level began with; `None` where nothing is, or nobody moves.
    pub(super) fn of(level: &Level<'_>, weights: Weights) -> Option<Litter> {
        let tiles = Tiles::of(level.advances).or_else(|| Tiles::of(level.cast))?;
        let own: BTreeSet<Point> = level.cast.iter().flat_map(|it| it.from.iter().copied()).collect();
        let lies = |at: &Point| own.contains(at) || weights[level.first[*at].index()] > 0;
        let cells: Vec<Point> = level.first.points().filter(|at| lies(at) && !level.mask.hides(*at)).collect();
        (cells.len() > own.len()).then_some(Litter { weights, cells, tiles, ends: Vec::new() })
    }

    /// The same, with pieces in the end beside something of these colours, of which a level began with a few tiles.
    pub(super) fn ending_beside(mut self, exits: &BTreeSet<Color>, level: &Level<'_>) -> Option<Litter> {
        let is_exit = |at: &Point| exits.contains(&level.first[*at]) && !level.mask.hides(*at);
        let tiles: BTreeSet<(i8, i8)> = level.first.points().filter(is_exit).map(|at| self.tiles.of_cell(at)).collect();
        self.ends = tiles.iter().filter_map(|it| self.tiles.middle(*it)).collect();
        (1..=MOST).contains(&tiles.len()).then_some(self).filter(|it| !it.ends.is_empty())
    }

    /// How far it is from a frame, to which a step led from the one before, to one with nothing left, in tiles; 0 where that
    /// holds.
    pub(super) fn distance(&self, (before, frame): (&Grid, &Grid), movers: &[Role]) -> u32 {
        let mut left: HashMap<(i8, i8), u8> = HashMap::new();
        for at in &self.cells {
            let weight = self.weight(before[*at], frame[*at]);
            if weight > 0 {
                left.entry(self.tiles.of_cell(*at)).and_modify(|it| *it = weight.max(*it)).or_insert(weight);
            }
        }
        let sum: u32 = left.values().map(|it| u32::from(*it)).sum();
        if sum > 0 { sum + APART * (regions(left.into_keys().collect()) - 1) } else { self.way(movers) }
    }

    /// What is left of a cell. What a piece came onto is still there below it, and lies there once less when it leaves.
    fn weight(&self, before: Color, now: Color) -> u8 {
        let (before, now) = (self.weights[before.index()], self.weights[now.index()]);
        now.max(before.saturating_sub(1))
    }

    /// The steps that lead a piece beside where it should be in the end.
    fn way(&self, movers: &[Role]) -> u32 {
        let ways = self.ends.iter().flat_map(|end| movers.iter().map(|it| it.at.distance(*end)));
        ways.min().map_or(0, |cells| cells.div_ceil(self.tiles.pitch.into()).saturating_sub(1))
    }
}

/// Into how many regions tiles fall apart.
fn regions(mut tiles: BTreeSet<(i8, i8)>) -> u32 {
    let mut count = 0;
    while let Some(tile) = tiles.pop_first() {
        let mut open = vec![tile];
        while let Some((x, y)) = open.pop() {
            let beside = SIDES.into_iter().map(|(dx, dy)| (x.saturating_add(dx), y.saturating_add(dy)));
            open.extend(beside.filter(|it| tiles.remove(it)));
        }
        count += 1;
    }
    count
}
