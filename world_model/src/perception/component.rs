//! One connected piece of a frame.

use env_client::{Color, Point};

use super::Symmetry;

/// The smallest rectangle around something, both corners included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// Leftmost column.
    pub left: u8,
    /// Topmost row.
    pub top: u8,
    /// Rightmost column.
    pub right: u8,
    /// Bottom row.
    pub bottom: u8,
}

impl Bounds {
    /// One cell.
    pub const fn cell(at: Point) -> Bounds {
        Bounds { left: at.x(), top: at.y(), right: at.x(), bottom: at.y() }
    }

    /// The smallest rectangle around these cells; `None` where there are none.
    pub fn around(cells: impl IntoIterator<Item = Point>) -> Option<Bounds> {
        cells.into_iter().map(Bounds::cell).reduce(Bounds::union)
    }

    /// Columns covered, at least 1.
    pub const fn width(self) -> u8 {
        self.right - self.left + 1
    }

    /// Rows covered, at least 1.
    pub const fn height(self) -> u8 {
        self.bottom - self.top + 1
    }

    /// The cell in the middle; of two the upper, or left, one.
    pub fn middle(self) -> Point {
        Point::new(i16::from(self.left.midpoint(self.right)), i16::from(self.top.midpoint(self.bottom)))
            .unwrap_or_default()
    }

    /// All cells of a frame that it covers, row after row.
    pub fn points(self) -> impl Iterator<Item = Point> {
        let row = move |y| (self.left..=self.right).filter_map(move |x| Point::new(x, y).ok());
        (self.top..=self.bottom).flat_map(row)
    }

    /// The smallest rectangle around both.
    pub fn union(self, other: Bounds) -> Bounds {
        Bounds {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Whether the other one lies in it without touching its sides.
    pub const fn surrounds(self, inner: Bounds) -> bool {
        self.left < inner.left && self.top < inner.top && inner.right < self.right && inner.bottom < self.bottom
    }

    /// Cells that lie in both.
    pub fn overlap(self, other: Bounds) -> u16 {
        let along = |low: u8, high: u8| u16::from((high + 1).saturating_sub(low));
        along(self.left.max(other.left), self.right.min(other.right))
            * along(self.top.max(other.top), self.bottom.min(other.bottom))
    }

    /// City-block distance between the top left corners.
    pub const fn distance(self, other: Bounds) -> u16 {
        self.left.abs_diff(other.left) as u16 + self.top.abs_diff(other.top) as u16
    }

    /// Whether the cell lies in it.
    pub const fn contains(self, x: u8, y: u8) -> bool {
        self.left <= x && x <= self.right && self.top <= y && y <= self.bottom
    }
}

/// Cells of one colour that touch along their sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Its colour.
    pub color: Color,
    /// How many cells it has.
    pub area: u16,
    /// The rectangle around it.
    pub bounds: Bounds,
    /// Its form: equal for equal forms anywhere in any colour, and (up to a hash collision) for no others. Rotated and
    /// mirrored forms differ.
    pub shape: u64,
    /// Its form whichever way it is turned or mirrored.
    pub form: u64,
    /// What turns it into the pose all of its form are compared in; see [`Component::turn_to`].
    pub pose: Symmetry,
    /// The commonest colour on the ring of cells right outside its bounds; its own where there is no such ring.
    pub surround: Color,
    /// A cell of it as far from its rim as any, nearest to the middle of its bounds: where to click it.
    pub center: Point,
}

impl Component {
    /// What turns this one into the pose of the other, when they have one form. A form that is symmetric itself can be
    /// turned in several ways; this is one of them, always the same.
    pub fn turn_to(&self, other: &Component) -> Option<Symmetry> {
        (self.form == other.form).then(|| self.pose.then(other.pose.inverse()))
    }
}
