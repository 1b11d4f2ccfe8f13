//! Strips: a row of tiles that tells in which order others are to be clicked.

use std::{
    collections::BTreeSet,
    hash::{DefaultHasher, Hash, Hasher},
};

use env_client::{Color, Grid, Point};
use world_model::{Bounds, InterfaceMask, Scene};

use super::SIDES;

/// Tiles in a strip: fewer could be anything.
const TOLD: std::ops::RangeInclusive<usize> = 3..=24;
/// Tiles that can be clicked.
const CLICKED: std::ops::RangeInclusive<usize> = 4..=64;
/// Rows and boards that are looked at together.
const PAIRS: usize = 8;
/// Ways that are looked at before it is left at that: the search is exponential.
const STEPS: usize = 20_000;

/// What a tile of the strip and one to click have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Look {
    /// Their colour.
    Color,
    /// The form of what is drawn in them.
    Mark,
    /// How many things are drawn in them.
    Count,
}

/// Which tile may be clicked after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Chain {
    /// One beside it.
    Beside,
    /// One that touches it, be it at a corner.
    Touching,
    /// Any.
    Loose,
    /// One that a knight would reach.
    Knight,
}

/// Tiles clicked as a strip tells.
pub(super) struct Strip {
    pub(super) look: Look,
    pub(super) chain: Chain,
    pub(super) clicks: Vec<Point>,
}

/// A tile and what it shows.
#[derive(Clone, Debug)]
struct Tile {
    bounds: Bounds,
    color: Color,
    mark: BTreeSet<(u8, u8)>,
}

/// Every way to click tiles as a strip beside them tells.
pub(super) fn strips(frame: &Grid, mask: &InterfaceMask) -> Vec<Strip> {
    let clusters = clusters(&tiles(frame, mask));
    let (mut rows, boards): (Vec<_>, Vec<_>) = clusters.into_iter().partition(|it| is_row(it));
    rows.retain(|row| TOLD.contains(&row.len()));
    let boards: Vec<_> = boards.into_iter().filter(|board| CLICKED.contains(&board.len())).collect();
    let pairs = rows.iter().flat_map(|row| boards.iter().map(move |board| (row, board)));
    pairs.take(PAIRS).flat_map(|(row, board)| told(row, board)).collect()
}

/// Things that fill most of a rectangle, left to right and top to bottom.
fn tiles(frame: &Grid, mask: &InterfaceMask) -> Vec<Tile> {
    let scene = Scene::of(frame);
    let components = scene.components().iter().enumerate();
    let tiles =
        components.filter(|(index, it)| !scene.is_ground(*index) && !mask.hides(it.center)).filter_map(|(_, it)| {
            let (width, height) = (it.bounds.width(), it.bounds.height());
            let is_full = 2 * it.area > u16::from(width) * u16::from(height);
            let is_tile = SIDES.contains(&width) && SIDES.contains(&height) && is_full;
            is_tile.then(|| Tile { bounds: it.bounds, color: it.color, mark: mark(frame, it.bounds, it.color) })
        });
    let mut tiles: Vec<Tile> = tiles.collect();
    tiles.sort_by_key(|it| (it.bounds.top, it.bounds.left));
    tiles
}

/// Where a tile has other colours than its own.
fn mark(frame: &Grid, it: Bounds, color: Color) -> BTreeSet<(u8, u8)> {
    let cells = (it.top..=it.bottom).flat_map(|y| (it.left..=it.right).map(move |x| (x, y)));
    let differs = |(x, y): &(u8, u8)| Point::new(*x, *y).ok().and_then(|at| frame.get(at)) != Some(color);
    cells.filter(differs).map(|(x, y)| (x - it.left, y - it.top)).collect()
}

/// Tiles of one size that lie no further apart than they are wide.
fn clusters(tiles: &[Tile]) -> Vec<Vec<Tile>> {
    let mut clusters: Vec<Vec<Tile>> = Vec::new();
    for tile in tiles {
        let size = |it: &Tile| (it.bounds.width(), it.bounds.height());
        let gap = |a: (u8, u8), b: (u8, u8)| a.0.max(b.0).saturating_sub(a.1.min(b.1));
        let is_near = |it: &Tile| {
            let (a, b) = (it.bounds, tile.bounds);
            let across = gap((a.left, a.right), (b.left, b.right));
            size(it) == size(tile) && across.max(gap((a.top, a.bottom), (b.top, b.bottom))) <= a.width()
        };
        let (near, mut others): (Vec<_>, Vec<_>) = clusters.into_iter().partition(|it| it.iter().any(is_near));
        others.push(near.into_iter().flatten().chain([tile.clone()]).collect());
        clusters = others;
    }
    clusters
}

fn is_row(tiles: &[Tile]) -> bool {
    let first = tiles[0].bounds;
    tiles.iter().all(|it| it.bounds.top == first.top) || tiles.iter().all(|it| it.bounds.left == first.left)
}

/// The ways to click a board as a row of tiles tells, one for each thing they may have in common and each chain.
fn told(row: &[Tile], board: &[Tile]) -> Vec<Strip> {
    let mut row = row.to_vec();
    row.sort_by_key(|it| (it.bounds.top, it.bounds.left));
    let mut found: Vec<Strip> = Vec::new();
    for look in [Look::Color, Look::Mark, Look::Count] {
        let (told, shown): (Vec<u64>, Vec<u64>) =
            (row.iter().map(|it| look.of(it)).collect(), board.iter().map(|it| look.of(it)).collect());
        let differ = |looks: &[u64]| looks.iter().any(|it| *it != looks[0]);
        if !differ(&told) || !told.iter().all(|it| shown.contains(it)) {
            continue;
        }
        for chain in [Chain::Beside, Chain::Touching, Chain::Loose, Chain::Knight] {
            let clicks = Search { told: &told, shown: &shown, places: places(board), chain }.way();
            let clicks = clicks.map(|way| way.into_iter().map(|tile| middle(board[tile].bounds)).collect::<Vec<_>>());
            let is_new = |clicks: &Vec<Point>| found.iter().all(|it| it.clicks != *clicks);
            found.extend(clicks.filter(is_new).map(|clicks| Strip { look, chain, clicks }));
        }
    }
    found
}

/// Columns and rows of tiles, by the smallest distance between them.
fn places(board: &[Tile]) -> Vec<(i16, i16)> {
    let step = |of: fn(&Tile) -> u8| {
        let at: BTreeSet<u8> = board.iter().map(of).collect();
        let pairs = at.iter().zip(at.iter().skip(1));
        pairs.map(|(a, b)| b - a).min().unwrap_or(1)
    };
    let (across, down) = (step(|it| it.bounds.left), step(|it| it.bounds.top));
    board.iter().map(|it| (i16::from(it.bounds.left / across), i16::from(it.bounds.top / down))).collect()
}

fn middle(it: Bounds) -> Point {
    Point::new(it.left.midpoint(it.right), it.top.midpoint(it.bottom)).unwrap_or_default()
}

impl Look {
    fn of(self, tile: &Tile) -> u64 {
        match self {
            Look::Color => tile.color.index() as u64,
            Look::Mark => {
                let mut hasher = DefaultHasher::new();
                tile.mark.hash(&mut hasher);
                hasher.finish()
            }
            Look::Count => groups(&tile.mark),
        }
    }
}

/// How many groups of cells that touch along their sides.
fn groups(cells: &BTreeSet<(u8, u8)>) -> u64 {
    let (mut left, mut count) = (cells.clone(), 0);
    while let Some(first) = left.pop_first() {
        let mut open = vec![first];
        while let Some((x, y)) = open.pop() {
            let beside = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
            open.extend(beside.into_iter().filter(|it| left.remove(it)));
        }
        count += 1;
    }
    count
}

impl Chain {
    fn allows(self, from: (i16, i16), to: (i16, i16)) -> bool {
        let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
        match self {
            Chain::Beside => dx + dy == 1,
            Chain::Touching => dx.max(dy) == 1,
            Chain::Loose => true,
            Chain::Knight => dx.min(dy) == 1 && dx.max(dy) == 2,
        }
    }
}

/// A search for tiles that show what is told, one after the other, none twice.
struct Search<'a> {
    told: &'a [u64],
    shown: &'a [u64],
    places: Vec<(i16, i16)>,
    chain: Chain,
}

impl Search<'_> {
    fn way(&self) -> Option<Vec<usize>> {
        let (mut way, mut steps) = (Vec::new(), 0);
        self.extend(&mut way, &mut steps).then_some(way)
    }

    fn extend(&self, way: &mut Vec<usize>, steps: &mut usize) -> bool {
        let Some(told) = self.told.get(way.len()) else { return true };
        *steps += 1;
        for tile in 0..self.shown.len() {
            let follows = way.last().is_none_or(|last| self.chain.allows(self.places[*last], self.places[tile]));
            if *steps < STEPS && self.shown[tile] == *told && follows && !way.contains(&tile) {
                way.push(tile);
                if self.extend(way, steps) {
                    return true;
                }
                way.pop();
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{super::tests::tiled, *};

    /// The tiles clicked for each chain, by column and row.
    fn ways(frame: &Grid) -> Vec<(Chain, Vec<(u8, u8)>)> {
        let tile = |at: &Point| ((at.x() - 2) / 4, (at.y() - 2) / 4);
        let strips = strips(frame, &InterfaceMask::new()).into_iter();
        strips.map(|it| (it.chain, it.clicks.iter().map(tile).collect())).collect()
    }

    #[test]
    fn tiles_are_clicked_in_the_order_of_the_strip_each_beside_the_last_where_that_can_be() {
        let ways = ways(&tiled(&["1232", "....", "..32", "..21"]));
        assert_eq!(ways[0], (Chain::Beside, vec![(3, 3), (3, 2), (2, 2), (2, 3)]));
    }

    #[test]
    fn a_strip_that_tells_of_tiles_which_are_not_there_tells_nothing() {
        assert!(ways(&tiled(&["1234", "....", "..32", "..21"])).is_empty());
        assert!(ways(&tiled(&["1111", "....", "..11", "..11"])).is_empty(), "nor one that tells nothing apart");
    }

    /// The middles of the tiles clicked one beside the other.
    fn beside(frame: &Grid, look: Look) -> Option<Vec<(u8, u8)>> {
        let strips = strips(frame, &InterfaceMask::new()).into_iter();
        let strip = strips.into_iter().find(|it| it.look == look && it.chain == Chain::Beside)?;
        Some(strip.clicks.iter().map(|at| (at.x(), at.y())).collect())
    }

    fn marked(marks: &[(u8, u8)]) -> Grid {
        let mut frame = tiled(&["666", "...", "77.", "77."]);
        for (x, y) in marks {
            frame.set(Point::new(*x, *y).unwrap(), Color::of(3));
        }
        frame
    }

    #[test]
    fn marks_may_be_told() {
        let frame = marked(&[(1, 1), (6, 2), (9, 1), (1, 9), (6, 10), (5, 13)]);
        assert_eq!(beside(&frame, Look::Mark), Some(vec![(2, 10), (6, 10), (6, 14)]));
        assert_eq!(beside(&frame, Look::Count), None, "one in each");
    }

    #[test]
    fn how_many_marks_there_are_may_be_told() {
        let frame = marked(&[(1, 1), (5, 1), (7, 1), (9, 1), (3, 11), (5, 9), (7, 11), (6, 13)]);
        assert_eq!(beside(&frame, Look::Count), Some(vec![(2, 10), (6, 10), (6, 14)]), "wherever they are");
        assert_eq!(beside(&frame, Look::Mark), None);
    }
}
