//! Squares of one size over a whole frame, in phase with something that is drawn on it.

use env_client::{Color, Grid, Point};

/// A frame cut into squares; those that it does not hold as a whole are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Raster {
    side: u8,
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
        let (columns, rows) = ((frame.width() - left) / side, (frame.height() - top) / side);
        let mut raster = Raster { side, left, top, columns: columns.into(), colors: Vec::new() };
        let squares = usize::from(columns) * usize::from(rows);
        raster.colors = (0..squares).map(|square| raster.prevailing(frame, square)).collect();
        raster
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
        Point::new(self.left + x * self.side, self.top + y * self.side).unwrap_or_default()
    }

    pub(super) fn color(&self, square: usize) -> Color {
        self.colors[square]
    }

    pub(super) fn len(&self) -> usize {
        self.colors.len()
    }

    /// The square that a point lies in.
    pub(super) fn square_at(&self, at: Point) -> Option<usize> {
        let (x, y) = (at.x().checked_sub(self.left)? / self.side, at.y().checked_sub(self.top)? / self.side);
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
