//! Strips: a row of tiles that tells in which order others are to be clicked.

use std::{
    collections::{BTreeSet, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use env_client::{Color, Grid, Point};
use world_model::{Bounds, InterfaceMask, Scene};

use super::{SIDES, spread::Spread};

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
    /// The form of what is drawn in them, or their colour where the strip's tile is plain.
    Either,
}

/// What a tile of the strip asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Want {
    Color(Color),
    Mark(u64),
    Count(u64),
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
pub(super) struct Tile {
    pub(super) bounds: Bounds,
    pub(super) color: Color,
    mark: BTreeSet<(u8, u8)>,
    shape: u64,
    count: u64,
}

/// How far a row has come, and what is known of its clicks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a> {
    /// Tiles clicked that count, in order.
    pub(super) done: &'a [Point],
    /// The frame now.
    pub(super) now: &'a Grid,
    pub(super) spread: &'a Spread,
    /// Rows whose last click did not count.
    pub(super) refused: &'a HashSet<Vec<Point>>,
}

/// Every way to click tiles as a strip beside them tells, from how far a row has come; `frame` is the level's first.
pub(super) fn strips(frame: &Grid, mask: &InterfaceMask, known: Known<'_>) -> Vec<Strip> {
    let (mut rows, boards) = rows_and_boards(frame, mask);
    rows.retain(|row| TOLD.contains(&row.len()));
    let pairs = rows.iter().flat_map(|row| boards.iter().map(move |board| (row, board)));
    pairs.take(PAIRS).flat_map(|(row, board)| told(row, board, known)).collect()
}

/// The boards of tiles that may be clicked.
pub(super) fn boards(frame: &Grid, mask: &InterfaceMask) -> Vec<Vec<Tile>> {
    rows_and_boards(frame, mask).1
}

fn rows_and_boards(frame: &Grid, mask: &InterfaceMask) -> (Vec<Vec<Tile>>, Vec<Vec<Tile>>) {
    let clusters = clusters(&tiles(frame, mask));
    let (rows, mut boards): (Vec<_>, Vec<_>) = clusters.into_iter().partition(|it| is_row(it));
    boards.retain(|board| CLICKED.contains(&board.len()));
    (rows, boards)
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
            is_tile.then(|| Tile::of(frame, it.bounds, it.color))
        });
    let mut tiles: Vec<Tile> = tiles.collect();
    tiles.sort_by_key(|it| (it.bounds.top, it.bounds.left));
    tiles
}

/// Where a tile has other colours than its own.
fn mark(frame: &Grid, it: Bounds, color: Color) -> BTreeSet<(u8, u8)> {
    let differs = it.points().filter(|at| frame.get(*at) != Some(color));
    differs.map(|at| (at.x() - it.left, at.y() - it.top)).collect()
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
fn told(row: &[Tile], board: &[Tile], known: Known<'_>) -> Vec<Strip> {
    let mut row = row.to_vec();
    row.sort_by_key(|it| (it.bounds.top, it.bounds.left));
    let places = places(board);
    let chains = chains(board, &places, known);
    let mut found: Vec<Strip> = Vec::new();
    for look in [Look::Color, Look::Mark, Look::Count, Look::Either] {
        let told: Vec<Want> = row.iter().map(|it| look.wants(it)).collect();
        let is_shown = |want: &Want| board.iter().any(|tile| want.fits(tile, Some(tile.color), false));
        let is_plain = look == Look::Either && row.iter().all(|it| it.mark.is_empty() == row[0].mark.is_empty());
        if is_plain || told.iter().all(|it| *it == told[0]) || !told.iter().all(is_shown) {
            continue;
        }
        for chain in chains.iter().copied() {
            let search = Search { told: &told, board, places: &places, chain, known };
            let clicks = search.way().map(|way| way.into_iter().map(|tile| board[tile].middle()).collect::<Vec<_>>());
            let is_new = |clicks: &Vec<Point>| found.iter().all(|it| it.clicks != *clicks);
            found.extend(clicks.filter(is_new).map(|clicks| Strip { look, chain, clicks }));
        }
    }
    found
}

/// The chains that allow none of the clicks that did not count after another one: all of them where there is no such
/// chain, or where clicks change what tiles show, which may be why they did not count.
fn chains(board: &[Tile], places: &[(i16, i16)], known: Known<'_>) -> Vec<Chain> {
    let place = |at: &Point| board.iter().position(|it| it.middle() == *at).map(|tile| places[tile]);
    let last = |row: &Vec<Point>| row.last_chunk::<2>().and_then(|[from, to]| place(from).zip(place(to)));
    let refused: Vec<_> = known.refused.iter().filter_map(last).filter(|_| known.spread.is_nothing()).collect();
    let is_open = |chain: &Chain| !refused.iter().any(|(from, to)| chain.allows(*from, *to));
    let open: Vec<Chain> = Chain::ALL.into_iter().filter(is_open).collect();
    if open.is_empty() { Chain::ALL.to_vec() } else { open }
}

/// Columns and rows of tiles, by the smallest distance between them.
pub(super) fn places(board: &[Tile]) -> Vec<(i16, i16)> {
    let step = |of: fn(&Tile) -> u8| {
        let at: BTreeSet<u8> = board.iter().map(of).collect();
        let pairs = at.iter().zip(at.iter().skip(1));
        pairs.map(|(a, b)| b - a).min().unwrap_or(1)
    };
    let (across, down) = (step(|it| it.bounds.left), step(|it| it.bounds.top));
    board.iter().map(|it| (i16::from(it.bounds.left / across), i16::from(it.bounds.top / down))).collect()
}

impl Tile {
    fn of(frame: &Grid, bounds: Bounds, color: Color) -> Tile {
        let mark = mark(frame, bounds, color);
        let mut hasher = DefaultHasher::new();
        mark.hash(&mut hasher);
        Tile { bounds, color, shape: hasher.finish(), count: groups(&mark), mark }
    }

    /// Where to click it.
    pub(super) fn middle(&self) -> Point {
        let it = self.bounds;
        Point::new(it.left.midpoint(it.right), it.top.midpoint(it.bottom)).unwrap_or_default()
    }

    /// The colour of most of its cells in a frame.
    pub(super) fn face(&self, frame: &Grid) -> Color {
        let mut counts = [0u16; Color::COUNT];
        for color in self.bounds.points().filter_map(|at| frame.get(at)) {
            counts[color.index()] += 1;
        }
        let most = (0..Color::COUNT).max_by_key(|index| counts[*index]);
        Color::ALL[most.unwrap_or_default()]
    }
}

impl Look {
    fn wants(self, tile: &Tile) -> Want {
        match self {
            Look::Color => Want::Color(tile.color),
            Look::Count => Want::Count(tile.count),
            Look::Either if tile.mark.is_empty() => Want::Color(tile.color),
            Look::Mark | Look::Either => Want::Mark(tile.shape),
        }
    }
}

impl Want {
    /// Whether a tile shows it, with this colour; one that nobody knows is any, for those who hope.
    fn fits(self, tile: &Tile, color: Option<Color>, hopes: bool) -> bool {
        match self {
            Want::Color(wanted) => color.map_or(hopes, |color| color == wanted),
            Want::Mark(shape) => tile.shape == shape,
            Want::Count(count) => tile.count == count,
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
    const ALL: [Chain; 4] = [Chain::Beside, Chain::Touching, Chain::Loose, Chain::Knight];

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
    told: &'a [Want],
    board: &'a [Tile],
    places: &'a [(i16, i16)],
    chain: Chain,
    known: Known<'a>,
}

/// Tiles clicked, the colours of all of them, where they are known, and the steps that the search took.
struct Way {
    tiles: Vec<usize>,
    colors: Vec<Option<Color>>,
    hopes: bool,
    steps: usize,
}

impl Search<'_> {
    /// The tiles still to click: on from those that count already, or else from the beginning; through colours that nobody
    /// knows where there is no other way.
    fn way(&self) -> Option<Vec<usize>> {
        let tile = |at: &Point| self.board.iter().position(|it| it.middle() == *at);
        let done: Option<Vec<usize>> = self.known.done.iter().map(tile).collect();
        let on = done.filter(|it| !it.is_empty()).and_then(|done| {
            let colors: Vec<_> = self.board.iter().map(|it| Some(it.face(self.known.now))).collect();
            let way = self.from(&done, &colors)?;
            Some(way[done.len()..].to_vec()).filter(|rest| !rest.is_empty())
        });
        on.or_else(|| self.from(&[], &self.board.iter().map(|it| Some(it.color)).collect::<Vec<_>>()))
    }

    fn from(&self, tiles: &[usize], colors: &[Option<Color>]) -> Option<Vec<usize>> {
        [false, true].into_iter().find_map(|hopes| {
            let mut way = Way { tiles: tiles.to_vec(), colors: colors.to_vec(), hopes, steps: 0 };
            self.extend(&mut way).then_some(way.tiles)
        })
    }

    fn extend(&self, way: &mut Way) -> bool {
        let Some(told) = self.told.get(way.tiles.len()) else { return true };
        way.steps += 1;
        for tile in 0..self.board.len() {
            let allows = |last: &usize| self.chain.allows(self.places[*last], self.places[tile]);
            let is_next =
                told.fits(&self.board[tile], way.colors[tile], way.hopes) && way.tiles.last().is_none_or(allows);
            if way.steps >= STEPS || !is_next || way.tiles.contains(&tile) || self.is_refused(&way.tiles, tile) {
                continue;
            }
            way.tiles.push(tile);
            let before = way.colors.clone();
            self.known.spread.apply(tile, self.places, &way.tiles, &mut way.colors);
            if self.extend(way) {
                return true;
            }
            way.colors = before;
            way.tiles.pop();
        }
        false
    }

    fn is_refused(&self, tiles: &[usize], tile: usize) -> bool {
        let clicks = || tiles.iter().chain([&tile]).map(|tile| self.board[*tile].middle()).collect::<Vec<_>>();
        !self.known.refused.is_empty() && self.known.refused.contains(&clicks())
    }
}

#[cfg(test)]
mod tests {
    use super::{super::tests::tiled, *};

    fn strips(frame: &Grid, mask: &InterfaceMask) -> Vec<Strip> {
        let (spread, refused) = (Spread::default(), HashSet::new());
        super::strips(frame, mask, Known { done: &[], now: frame, spread: &spread, refused: &refused })
    }

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
