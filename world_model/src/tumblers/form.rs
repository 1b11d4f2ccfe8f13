//! One of the forms that a piece takes: the cells it covers, and their colours.

use env_client::{Color, Grid, Point};

use super::Place;

/// What a piece looks like while it lies one way: cells from the upper left corner of their box, row after row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    cells: Vec<(Place, Color)>,
    pub(super) size: Place,
}

impl Form {
    /// What these cells show in a frame, and where the corner of their box lies; nothing where there are none.
    pub(super) fn cut(frame: &Grid, cells: &[Point]) -> Option<(Form, Place)> {
        let place = |at: &Point| (i16::from(at.x()), i16::from(at.y()));
        let least = |one: Place, other: Place| (one.0.min(other.0), one.1.min(other.1));
        let most = |one: Place, other: Place| (one.0.max(other.0), one.1.max(other.1));
        let corner = cells.iter().map(place).reduce(least)?;
        let end = cells.iter().map(place).reduce(most)?;
        let offset = |at: &Point| (place(at).0 - corner.0, place(at).1 - corner.1);
        let mut cells: Vec<(Place, Color)> = cells.iter().map(|at| (offset(at), frame[*at])).collect();
        cells.sort_unstable_by_key(|((x, y), _)| (*y, *x));
        Some((Form { cells, size: (end.0 - corner.0 + 1, end.1 - corner.1 + 1) }, corner))
    }

    /// The same with columns for rows.
    pub(super) fn transposed(&self) -> Form {
        let mut cells: Vec<(Place, Color)> = self.cells.iter().map(|((x, y), color)| ((*y, *x), *color)).collect();
        cells.sort_unstable_by_key(|((x, y), _)| (*y, *x));
        Form { cells, size: (self.size.1, self.size.0) }
    }

    /// Whether another one is the same with columns for rows.
    pub(super) fn is_twin(&self, other: &Form) -> bool {
        self.size == (other.size.1, other.size.0) && self.transposed() == *other
    }

    /// How many cells it covers.
    pub(super) fn area(&self) -> usize {
        self.cells.len()
    }

    /// The cells it covers with the corner of its box here; `None` unless all of them lie in the frame.
    pub(super) fn footprint(&self, frame: &Grid, (left, top): Place) -> Option<Vec<Point>> {
        let at =
            |((x, y), _): &(Place, Color)| Point::new(left + x, top + y).ok().filter(|at| frame.get(*at).is_some());
        self.cells.iter().map(at).collect()
    }

    /// Whether a frame shows it with the corner of its box here.
    pub(super) fn is_at(&self, frame: &Grid, (left, top): Place) -> bool {
        self.cells
            .iter()
            .all(|((x, y), color)| Point::new(left + x, top + y).ok().and_then(|at| frame.get(at)) == Some(*color))
    }

    /// Where a frame shows it, and nothing of its colours beside it.
    pub(super) fn find(&self, frame: &Grid) -> Vec<Place> {
        let room = (i16::from(frame.width()) - self.size.0, i16::from(frame.height()) - self.size.1);
        let corners = (0..=room.1).flat_map(|y| (0..=room.0).map(move |x| (x, y)));
        corners.filter(|at| self.is_at(frame, *at) && self.is_alone(frame, *at)).collect()
    }

    fn is_alone(&self, frame: &Grid, (left, top): Place) -> bool {
        let covers = |at: Place| self.cells.iter().any(|(cell, _)| *cell == at);
        self.cells.iter().all(|((x, y), color)| {
            let beside = [(x + 1, *y), (x - 1, *y), (*x, y + 1), (*x, y - 1)];
            beside
                .into_iter()
                .filter(|at| !covers(*at))
                .all(|(x, y)| Point::new(left + x, top + y).ok().and_then(|at| frame.get(at)) != Some(*color))
        })
    }
}
