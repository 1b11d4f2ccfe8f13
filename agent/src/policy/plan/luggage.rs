//! What pieces carry about them: cells that go along with one, wherever it goes.
//!
//! What goes along once may have been pushed, unless it lies within the box around the piece; what goes along in two
//! directions, at the same place beside the piece, is carried. It is a part of the piece then, and nothing that could be
//! touched.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Color, Grid, Point};
use world_model::{Advance, Bounds};

use super::things::place;

/// A cell beside a piece, from the corner of that, and its colour.
type Beside = ((i16, i16), Color);

/// What pieces carry.
#[derive(Clone, Debug, Default)]
pub(super) struct Luggage {
    /// What went along with the last step, and which way that went.
    along: BTreeMap<Beside, (i16, i16)>,
    carried: BTreeSet<Beside>,
    /// Where that is seen.
    cells: BTreeSet<Point>,
}

impl Luggage {
    /// Where it is seen in the newest frame.
    pub(super) fn cells(&self) -> &BTreeSet<Point> {
        &self.cells
    }

    /// A piece went from where it was in `old` to where it is in `new`, over a floor of this colour.
    pub(super) fn went(&mut self, (old, new): (&Grid, &Grid), (from, to): (&Advance, &Advance), floor: Option<Color>) {
        let Some(seat) = place(to) else { return };
        let (way, back) = ((from.by.0.signum(), from.by.1.signum()), (-from.by.0, -from.by.1));
        let own: BTreeSet<Point> = to.from.iter().copied().collect();
        let beside = |at: &Point| -> Option<Beside> {
            let color = new.get(*at).filter(|color| Some(*color) != floor && !own.contains(at))?;
            Some(((i16::from(at.x()) - i16::from(seat.left), i16::from(at.y()) - i16::from(seat.top)), color))
        };
        let goes_along = |at: &Point| {
            let then = shifted(*at, back);
            then.is_some_and(|then| old.get(then) == new.get(*at) && (old[*at] != new[*at] || new[then] != old[then]))
        };
        let around: BTreeMap<Beside, Point> = around(seat, new).filter_map(|at| Some((beside(&at)?, at))).collect();
        let along: BTreeSet<Beside> = around.iter().filter(|(_, at)| goes_along(at)).map(|(it, _)| *it).collect();
        let turned = |it: &&Beside| self.along.get(*it).is_some_and(|last| *last != way);
        let still = self.carried.iter().filter(|it| around.contains_key(*it));
        let inside = held(&along, seat);
        self.carried = along.iter().filter(turned).chain(still).chain(&inside).copied().collect();
        self.cells = self.carried.iter().filter_map(|it| around.get(it)).copied().collect();
        self.along = along.into_iter().map(|it| (it, way)).collect();
    }
}

/// What goes along within the box around a piece, and what is of one colour with that and joined to it.
fn held(along: &BTreeSet<Beside>, seat: Bounds) -> BTreeSet<Beside> {
    let (width, height) = (i16::from(seat.width()), i16::from(seat.height()));
    let is_inside = |((x, y), _): &&Beside| (0..width).contains(x) && (0..height).contains(y);
    let mut open: Vec<Beside> = along.iter().filter(is_inside).copied().collect();
    let mut held = BTreeSet::new();
    while let Some(((x, y), color)) = open.pop() {
        if held.insert(((x, y), color)) {
            let near = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)].map(|at| (at, color));
            open.extend(near.into_iter().filter(|it| along.contains(it)));
        }
    }
    held
}

fn shifted(at: Point, (dx, dy): (i16, i16)) -> Option<Point> {
    Point::new(i16::from(at.x()) + dx, i16::from(at.y()) + dy).ok()
}

/// The cells of a rectangle, and as many around it as its sides are long.
fn around(seat: Bounds, grid: &Grid) -> impl Iterator<Item = Point> {
    let (width, height) = (seat.width(), seat.height());
    let columns = seat.left.saturating_sub(width)..=seat.right.saturating_add(width).min(grid.width() - 1);
    let rows = seat.top.saturating_sub(height)..=seat.bottom.saturating_add(height).min(grid.height() - 1);
    rows.flat_map(move |y| columns.clone().filter_map(move |x| Point::new(x, y).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A piece of colour 5 on floor 0 that went by `by` to a cell, and what it has about it there by then.
    fn carried(luggage: &mut Luggage, frames: [&str; 2], to: (u8, u8), by: (i16, i16)) -> Vec<Point> {
        let [old, new] = frames.map(|it| it.parse::<Grid>().unwrap());
        let at = Point::new(to.0, to.1).unwrap();
        let from = Advance { from: vec![shifted(at, (-by.0, -by.1)).unwrap()], by, ..Advance::default() };
        let to = Advance { from: vec![at], by, ..Advance::default() };
        luggage.went((&old, &new), (&from, &to), Some(Color::of(0)));
        luggage.cells().iter().copied().collect()
    }

    #[test]
    fn what_goes_along_in_two_directions_is_carried() {
        let mut luggage = Luggage::default();
        let (first, right, down) = ("00000\n05400\n00000", "00000\n00540\n00000", "00000\n00000\n00540");
        assert!(carried(&mut luggage, [first, right], (2, 1), (1, 0)).is_empty(), "it may have been pushed");
        assert_eq!(carried(&mut luggage, [right, down], (2, 2), (0, 1)), [Point::new(3, 2).unwrap()]);
        let left = "00000\n00000\n05040";
        assert!(carried(&mut luggage, [down, left], (1, 2), (-1, 0)).is_empty(), "it was left");
    }

    #[test]
    fn what_goes_along_within_the_box_of_a_piece_is_carried_at_once_with_all_of_it() {
        let grid = |it: &str| it.parse::<Grid>().unwrap();
        let point = |x, y| Point::new(x, y).unwrap();
        let (old, new) = (grid("050000\n544000\n000000"), grid("005000\n054400\n000000"));
        let piece =
            |left: u8| Advance { from: vec![point(left + 1, 0), point(left, 1)], by: (1, 0), ..Advance::default() };
        let mut luggage = Luggage::default();
        luggage.went((&old, &new), (&piece(0), &piece(1)), Some(Color::of(0)));
        assert_eq!(luggage.cells().iter().copied().collect::<Vec<_>>(), [point(2, 1), point(3, 1)]);
    }

    #[test]
    fn what_stands_beside_a_piece_is_not_carried() {
        let mut luggage = Luggage::default();
        let (left, right) = ("44444\n40504\n44444", "44444\n40054\n44444");
        assert!(carried(&mut luggage, [left, right], (3, 1), (1, 0)).is_empty());
        assert!(
            carried(&mut luggage, [right, left], (2, 1), (-1, 0)).is_empty(),
            "the walls are there before and after"
        );
    }
}
