//! Squares of one size over a whole frame, in phase with something that is drawn on it.

use env_client::{Color, Grid, Point};
use world_model::Bounds;

/// A frame cut into squares; those that it does not hold as a whole are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Raster {
    side: u8,
    /// From one square to the next.
    pitch: u8,
    left: u8,
    top: u8,
    columns: usize,
    /// The colour of most of each square, row after row.
    colors: Vec<Color>,
}

impl Raster {
    /// Squares of this side, one of which has its first corner here.
    pub(super) fn through(frame: &Grid, corner: Point, side: u8) -> Raster {
        let (left, top) = (corner.x() % side, corner.y() % side);
        let rest = Bounds { left, top, right: frame.width() - 1, bottom: frame.height() - 1 };
        Raster::within(frame, rest, side, side)
    }

    /// Squares of this side, so far from each other, from the first corner of bounds on.
    pub(super) fn within(frame: &Grid, bounds: Bounds, side: u8, pitch: u8) -> Raster {
        let count = |length: u8| (length + pitch - side) / pitch;
        let (columns, rows) = (count(bounds.width()), count(bounds.height()));
        let Bounds { left, top, .. } = bounds;
        let mut raster = Raster { side, pitch, left, top, columns: columns.into(), colors: Vec::new() };
        let squares = usize::from(columns) * usize::from(rows);
        raster.colors = (0..squares).map(|square| raster.prevailing(frame, square)).collect();
        raster
    }

    /// Something of this colour lies at a point: the square there has its colour, however small it is.
    pub(super) fn put(&mut self, at: Point, color: Color) {
        if let Some(square) = self.square_at(at) {
            self.colors[square] = color;
        }
    }

    fn prevailing(&self, frame: &Grid, square: usize) -> Color {
        let mut counts = [0u16; Color::COUNT];
        for (dx, dy) in (0..self.side).flat_map(|dy| (0..self.side).map(move |dx| (dx, dy))) {
            let color = self.corner(square).offset(dx as i8, dy as i8).and_then(|at| frame.get(at));
            counts[color.map_or(0, Color::index)] += 1;
        }
        let most = (0..Color::COUNT).max_by_key(|index| (counts[*index], Color::COUNT - index));
        Color::ALL[most.unwrap_or_default()]
    }

    fn corner(&self, square: usize) -> Point {
        let (x, y) = ((square % self.columns) as u8, (square / self.columns) as u8);
        Point::new(self.left + x * self.pitch, self.top + y * self.pitch).unwrap_or_default()
    }

    pub(super) fn color(&self, square: usize) -> Color {
        self.colors[square]
    }

    pub(super) fn len(&self) -> usize {
        self.colors.len()
    }

    /// The square that a point lies in.
    pub(super) fn square_at(&self, at: Point) -> Option<usize> {
        let (x, y) = (at.x().checked_sub(self.left)? / self.pitch, at.y().checked_sub(self.top)? / self.pitch);
        let square = usize::from(y) * self.columns + usize::from(x);
        (usize::from(x) < self.columns && square < self.len()).then_some(square)
    }

    /// Where to click a square.
    pub(super) fn middle(&self, square: usize) -> Point {
        let half = ((self.side - 1) / 2) as i8;
        self.corner(square).offset(half, half).unwrap_or_default()
    }

    /// City-block distance in squares.
    pub(super) fn distance(&self, a: usize, b: usize) -> usize {
        (a % self.columns).abs_diff(b % self.columns) + (a / self.columns).abs_diff(b / self.columns)
    }

    /// The squares along its sides.
    pub(super) fn beside(&self, square: usize) -> impl Iterator<Item = usize> + use<> {
        let (columns, count) = (self.columns, self.len());
        let right = (square % columns + 1 < columns).then_some(square + 1);
        let left = (!square.is_multiple_of(columns)).then(|| square - 1);
        let below = (square + columns < count).then_some(square + columns);
        [right, below, left, square.checked_sub(columns)].into_iter().flatten()
    }
}
