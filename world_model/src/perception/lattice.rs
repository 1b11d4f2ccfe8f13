//! The logical grid: games draw cells of a few frame cells each, beside an offset.
//!
//! A frame is drawn on a lattice when its colour edges lie on the lattice's lines. Every scale and offset is tried on the
//! counts of edges per column and row, and the largest scale that explains nearly all edges is taken. One frame may
//! show too little (few sprites far apart fit a multiple of the true scale), so several frames are read together.

use std::collections::VecDeque;

use env_client::{Color, Grid, Point, SIDE};

use super::{Bounds, InterfaceMask};

/// The smallest scale worth a name: below it a lattice cell is a frame cell.
const MIN_SCALE: u8 = 2;
/// The largest: three cells across a frame (a camera of three cells, the smallest seen in public games).
const MAX_SCALE: u8 = SIDE / 3;
/// The share of edges that must lie on the lines; the rest are details within cells (measured on public games).
const SHARE: f32 = 0.8;
/// The share below which a lattice found before is given up: smaller scales are easier to meet by chance.
const KEPT: [(u8, f32); 2] = [(4, 0.45), (0, 0.60)];
/// Frames read together beside the first one of the level.
const RECENT: usize = 6;
/// Cells next to the rim of the frame that do not count: interface gathers there.
const RIM: usize = 3;

/// A logical grid of square cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lattice {
    /// Frame cells along the side of a lattice cell, at least 2.
    pub scale: u8,
    /// Column of the first line, below `scale`.
    pub left: u8,
    /// Row of the first line, below `scale`.
    pub top: u8,
}

impl Lattice {
    /// Column and row of the lattice cell that holds a point; `None` beside the outermost lines.
    pub fn cell_at(self, point: Point) -> Option<(u8, u8)> {
        let along = |at: u8, start: u8| {
            let cell = at.checked_sub(start)? / self.scale;
            (u16::from(cell + 1) * u16::from(self.scale) + u16::from(start) <= u16::from(SIDE)).then_some(cell)
        };
        Some((along(point.x(), self.left)?, along(point.y(), self.top)?))
    }

    /// Whole lattice cells in a frame of this size, across and down.
    pub fn size(self, width: u8, height: u8) -> (u8, u8) {
        (width.saturating_sub(self.left) / self.scale, height.saturating_sub(self.top) / self.scale)
    }

    /// The frame cells of a lattice cell.
    pub fn bounds(self, (column, row): (u8, u8)) -> Bounds {
        let (left, top) = (self.left + column * self.scale, self.top + row * self.scale);
        Bounds { left, top, right: left + self.scale - 1, bottom: top + self.scale - 1 }
    }

    /// The frame with one cell for each lattice cell, coloured as its border ring mostly is: marks within cells and the
    /// echo of a click do not reach it. `None` when no whole cell fits.
    pub fn shrink(self, grid: &Grid) -> Option<Grid> {
        let (columns, rows) = self.size(grid.width(), grid.height());
        let row = |row: u8| (0..columns).map(move |column| self.color_of(grid, (column, row)));
        Grid::from_rows((0..rows).map(|at| row(at).collect::<Vec<Color>>())).ok()
    }

    /// The commonest colour on the border of a lattice cell; of several the one met first, row after row.
    fn color_of(self, grid: &Grid, cell: (u8, u8)) -> Color {
        let Bounds { left, top, right, bottom } = self.bounds(cell);
        let on_ring = |x: u8, y: u8| x == left || x == right || y == top || y == bottom;
        let points = (top..=bottom).flat_map(|y| (left..=right).map(move |x| (x, y)));
        let mut counts = [(0u16, 0u16); Color::COUNT];
        for (order, (x, y)) in points.filter(|(x, y)| on_ring(*x, *y)).enumerate() {
            let color = grid.cells()[usize::from(y) * usize::from(grid.width()) + usize::from(x)];
            let (count, first) = &mut counts[color.index()];
            *count += 1;
            if *count == 1 {
                *first = u16::MAX - order as u16;
            }
        }
        Color::ALL[(0..Color::COUNT).max_by_key(|index| counts[*index]).unwrap_or_default()]
    }
}

/// Colour edges before each column and each row, and how far apart they can be told.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Edges {
    columns: [u16; SIDE as usize],
    rows: [u16; SIDE as usize],
}

impl Edges {
    /// Counts the edges between visible cells away from the rim.
    fn of(grid: &Grid, mask: &InterfaceMask) -> Edges {
        let mut edges = Edges { columns: [0; SIDE as usize], rows: [0; SIDE as usize] };
        let (width, height) = (usize::from(grid.width()), usize::from(grid.height()));
        let hidden = |x: usize, y: usize| Point::new(x as i64, y as i64).is_ok_and(|point| mask.hides(point));
        let rows: Vec<&[Color]> = grid.rows().collect();
        for y in RIM..height.saturating_sub(RIM) {
            for x in RIM..width.saturating_sub(RIM) {
                let (color, left, above) = (rows[y][x], rows[y][x - 1], rows[y - 1][x]);
                if (color != left || color != above) && !hidden(x, y) {
                    edges.columns[x] += u16::from(color != left && x > RIM);
                    edges.rows[y] += u16::from(color != above && y > RIM);
                }
            }
        }
        edges
    }

    fn add(&mut self, other: &Edges) {
        for (sum, count) in self.columns.iter_mut().chain(&mut self.rows).zip(other.columns.iter().chain(&other.rows)) {
            *sum = sum.saturating_add(*count);
        }
    }

    fn total(&self) -> u32 {
        self.columns.iter().chain(&self.rows).map(|count| u32::from(*count)).sum()
    }

    /// The share of edges on the lines of a lattice, 0 where there is none at all.
    fn share(&self, lattice: Lattice) -> f32 {
        let on =
            on_lines(&self.columns, lattice.scale, lattice.left) + on_lines(&self.rows, lattice.scale, lattice.top);
        on as f32 / self.total().max(1) as f32
    }

    /// The largest scale, with its best offsets, that explains enough of the edges.
    fn fit(&self) -> Option<Lattice> {
        let best = |counts: &[u16], scale: u8| {
            (0..scale).rev().max_by_key(|offset| on_lines(counts, scale, *offset)).unwrap_or_default()
        };
        (MIN_SCALE..=MAX_SCALE).rev().find_map(|scale| {
            let lattice = Lattice { scale, left: best(&self.columns, scale), top: best(&self.rows, scale) };
            (self.share(lattice) >= SHARE && self.is_spread(lattice)).then_some(lattice)
        })
    }

    /// Whether several lines each way carry edges: one rectangle alone fits any lattice of its size.
    fn is_spread(&self, lattice: Lattice) -> bool {
        let lines = |counts: &[u16], start: u8| {
            counts[usize::from(start)..].iter().step_by(usize::from(lattice.scale)).filter(|count| **count > 0).count()
        };
        lines(&self.columns, lattice.left).min(lines(&self.rows, lattice.top)) > 2
    }
}

/// The share of the colour edges of a frame that lie on the lines of a lattice.
pub(crate) fn edge_share(grid: &Grid, mask: &InterfaceMask, lattice: Lattice) -> f32 {
    Edges::of(grid, mask).share(lattice)
}

fn on_lines(counts: &[u16], scale: u8, start: u8) -> u32 {
    counts[usize::from(start)..].iter().step_by(usize::from(scale)).map(|count| u32::from(*count)).sum()
}

/// Finds the lattice of a level, better with every frame.
#[derive(Clone, Debug, Default)]
pub struct LatticeFinder {
    first: Option<Edges>,
    recent: VecDeque<Edges>,
    lattice: Option<Lattice>,
}

impl LatticeFinder {
    /// What is known so far; `None` where cells are no larger than those of the frame, or not square.
    pub const fn lattice(&self) -> Option<Lattice> {
        self.lattice
    }

    /// A level begins with this frame. The lattice of the level before is kept unless the frame speaks against it.
    pub fn begin_level(&mut self, grid: &Grid, mask: &InterfaceMask) {
        let edges = Edges::of(grid, mask);
        self.recent.clear();
        let needed =
            |lattice: Lattice| KEPT.iter().find(|(scale, _)| lattice.scale >= *scale).map_or(SHARE, |(_, it)| *it);
        self.lattice = self.lattice.filter(|lattice| edges.share(*lattice) >= needed(*lattice));
        if self.lattice.is_none() {
            self.lattice = edges.fit();
        }
        self.first = Some(edges);
    }

    /// Takes in the settled frame after an action; whether the lattice is another one now.
    pub fn see(&mut self, grid: &Grid, mask: &InterfaceMask) -> bool {
        let edges = Edges::of(grid, mask);
        if self.recent.back() == Some(&edges) {
            return false;
        }
        self.recent.push_back(edges);
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
        self.refit()
    }

    fn refit(&mut self) -> bool {
        let Some(mut edges) = self.first.clone() else { return false };
        self.recent.iter().for_each(|recent| edges.add(recent));
        let kept = self.lattice.filter(|lattice| edges.share(*lattice) >= SHARE);
        // A finer lattice replaces a coarser one only when that one no longer explains the edges.
        let lattice = kept.or_else(|| edges.fit()).or(self.lattice);
        std::mem::replace(&mut self.lattice, lattice) != lattice
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::perception::Symmetry;

    /// A world of one digit a cell, drawn at a scale with its first line at `start` each way, and `frame` around it.
    fn drawn(world: &str, scale: u8, start: u8, frame: u8) -> Grid {
        let world: Grid = world.parse().unwrap();
        let mut grid = Grid::filled(64, 64, Color::of(frame));
        let cells: Vec<Point> = grid.points().collect();
        for point in cells {
            let at = |along: u8| along.checked_sub(start).map(|along| along / scale);
            let source = at(point.x()).zip(at(point.y())).and_then(|(x, y)| Point::new(x, y).ok());
            if let Some(color) = source.and_then(|source| world.get(source)) {
                grid.set(point, color);
            }
        }
        grid
    }

    fn found(frames: &[Grid]) -> Option<Lattice> {
        let (mut finder, mask) = (LatticeFinder::default(), InterfaceMask::new());
        finder.begin_level(&frames[0], &mask);
        for frame in &frames[1..] {
            finder.see(frame, &mask);
        }
        finder.lattice()
    }

    const ROOM: &str = "11111111\n10203001\n10000101\n11010001\n10004011\n10100001\n10000051\n11111111";

    #[test]
    fn scale_and_letter_box_are_found_and_the_world_is_read_back() {
        let grid = drawn(ROOM, 7, 4, 5);
        let lattice = found(std::slice::from_ref(&grid)).unwrap();
        assert_eq!(lattice, Lattice { scale: 7, left: 4, top: 4 });
        assert_eq!(lattice.shrink(&grid).unwrap(), ROOM.parse().unwrap());
        assert_eq!(lattice.cell_at(Point::new(11, 4).unwrap()), Some((1, 0)));
        assert_eq!(lattice.cell_at(Point::new(3, 4).unwrap()), None);
        assert_eq!(lattice.bounds((1, 0)), Bounds { left: 11, top: 4, right: 17, bottom: 10 });
    }

    #[test]
    fn a_multiple_of_the_scale_is_corrected_by_the_next_frames() {
        let worlds = ["00000000\n00100200\n00000000\n00300400", "00000000\n00010200\n00000000\n00300400"];
        let [first, moved] = worlds.map(|world| drawn(world, 5, 2, 9));
        assert!(found(std::slice::from_ref(&first)).is_none_or(|lattice| lattice.scale % 5 == 0));
        assert_eq!(found(&[first, moved]), Some(Lattice { scale: 5, left: 2, top: 2 }));
    }

    #[test]
    fn a_mark_within_a_cell_does_not_change_what_is_read() {
        let mut grid = drawn(ROOM, 8, 0, 5);
        for (x, y) in [(19, 19), (20, 19), (19, 20), (20, 20)] {
            grid.set(Point::new(x, y).unwrap(), Color::of(14));
        }
        assert_eq!(found(std::slice::from_ref(&grid)).unwrap().shrink(&grid).unwrap(), ROOM.parse().unwrap());
    }

    #[test]
    fn there_is_none_in_a_picture_of_single_cells() {
        let mut grid = Grid::filled(64, 64, Color::of(0));
        for (index, cell) in grid.cells_mut().iter_mut().enumerate() {
            *cell = Color::of(((index * index) % 7) as u8);
        }
        assert_eq!(found(&[grid]), None);
        assert_eq!(found(&[Grid::filled(64, 64, Color::of(3))]), None);
    }

    #[test]
    fn the_next_level_keeps_the_scale_unless_it_speaks_against_it() {
        let (mut finder, mask) = (LatticeFinder::default(), InterfaceMask::new());
        finder.begin_level(&drawn(ROOM, 8, 0, 5), &mask);
        finder.begin_level(&drawn("0000\n0120\n0000\n0000", 16, 0, 5), &mask);
        assert_eq!(finder.lattice().map(|it| it.scale), Some(8));
        finder.begin_level(&drawn(ROOM, 5, 2, 9), &mask);
        assert_eq!(finder.lattice().map(|it| it.scale), Some(5));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn neither_colors_nor_mirrors_matter(
            cells in prop::collection::vec(0u8..4, 144), scale in 2u8..6, seed in 0u64..1000
        ) {
            let rows: Vec<String> = cells.chunks(12).map(|row| row.iter().map(ToString::to_string).collect()).collect();
            let grid = drawn(&rows.join("\n"), scale, 1, 0);
            let mut palette = Color::ALL;
            palette.rotate_left(seed as usize % 16);
            let mut painted = grid.clone();
            painted.cells_mut().iter_mut().for_each(|cell| *cell = palette[cell.index()]);
            let scale_of = |grid: &Grid| found(std::slice::from_ref(grid)).map(|it| it.scale);
            prop_assert_eq!(found(std::slice::from_ref(&painted)), found(std::slice::from_ref(&grid)));
            for symmetry in Symmetry::ALL {
                prop_assert_eq!(scale_of(&symmetry.turn(&grid)), scale_of(&grid));
            }
        }
    }
}
