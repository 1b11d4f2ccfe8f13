//! Lines about which seats mirror each other.

use env_client::{Color, Grid, Point};

use crate::Bounds;

/// The share of the cells on a line, beside the things, that have its colour. A guess.
const DRAWN: f32 = 0.8;

/// A line, by the sum or the difference of the coordinates that it exchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    /// Left is like right: columns add up to this.
    Upright(i16),
    /// The upper half is like the lower one: rows add up to this.
    Level(i16),
    /// From the upper left to the lower right: columns less rows.
    Falling(i16),
    /// From the lower left to the upper right: columns and rows add up to this.
    Rising(i16),
}

impl Axis {
    /// The line about which one box is the image of the other, or of itself, in each of the four ways.
    pub(super) fn between(one: Bounds, other: Bounds) -> impl Iterator<Item = Axis> {
        let sum = |a: u8, b: u8| i16::from(a) + i16::from(b);
        let axes = [
            Axis::Upright(sum(one.left, other.right)),
            Axis::Level(sum(one.top, other.bottom)),
            Axis::Falling(i16::from(one.left) - i16::from(other.top)),
            Axis::Rising(sum(one.left, other.bottom)),
        ];
        axes.into_iter().filter(move |it| it.image(one) == Some(other))
    }

    fn opposite(self, x: i16, y: i16) -> (i16, i16) {
        match self {
            Axis::Upright(sum) => (sum - x, y),
            Axis::Level(sum) => (x, sum - y),
            Axis::Falling(by) => (y + by, x - by),
            Axis::Rising(sum) => (sum - y, sum - x),
        }
    }

    /// The image of a box; `None` where it would lie beside every frame.
    pub(super) fn image(self, it: Bounds) -> Option<Bounds> {
        let (a, b) = (self.opposite(it.left.into(), it.top.into()), self.opposite(it.right.into(), it.bottom.into()));
        let cell = |it: i16| u8::try_from(it).ok();
        Some(Bounds {
            left: cell(a.0.min(b.0))?,
            top: cell(a.1.min(b.1))?,
            right: cell(a.0.max(b.0))?,
            bottom: cell(a.1.max(b.1))?,
        })
    }

    /// Whether it is drawn in a frame: the cells on it, beside the things, have a colour that is not that of the ground.
    pub(super) fn is_drawn(self, frame: &Grid, things: &[Bounds], ground: Color) -> bool {
        let is_on = |at: &Point| {
            let (x, y) = (i16::from(at.x()), i16::from(at.y()));
            let (over, under) = self.opposite(x, y);
            (over - x).abs() + (under - y).abs() <= 1
        };
        let is_free = |at: &Point| !things.iter().any(|it| it.contains(at.x(), at.y()));
        let seen: Vec<Color> =
            frame.points().filter(|at| is_on(at) && is_free(at)).filter_map(|at| frame.get(at)).collect();
        let share = |color: Color| seen.iter().filter(|it| **it == color).count() as f32 / seen.len().max(1) as f32;
        Color::ALL.into_iter().any(|it| it != ground && share(it) >= DRAWN)
    }
}
