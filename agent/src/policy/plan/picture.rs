//! Pieces by what they look like: found again in any frame, also where two of them touch.

use env_client::{Color, Grid, Point, SIDE};
use world_model::{Bounds, Scene};

use super::things::SIDES;

/// More of one picture than this is texture, not pieces.
const CROWD: usize = 16;

/// The middle of something, in half cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Middle {
    x: i16,
    y: i16,
}

impl Middle {
    /// The middle of a rectangle, from its first cell.
    pub(super) fn of(left: u8, top: u8, width: u8, height: u8) -> Middle {
        Middle { x: 2 * i16::from(left) + i16::from(width), y: 2 * i16::from(top) + i16::from(height) }
    }

    /// The middle of a rectangle.
    pub(super) fn around(it: Bounds) -> Middle {
        Middle::of(it.left, it.top, it.width(), it.height())
    }

    /// Whether a cell lies in the rectangle of this size around it.
    pub(super) fn covers(self, at: Point, (width, height): (u8, u8)) -> bool {
        let near = |middle: i16, cell: u8, side: u8| (2 * i16::from(cell) + 1 - middle).abs() < i16::from(side);
        near(self.x, at.x(), width) && near(self.y, at.y(), height)
    }

    /// Whether it lies in these bounds.
    pub(super) fn is_in(self, bounds: Bounds) -> bool {
        let within = |middle: i16, low: u8, high: u8| (2 * i16::from(low)..=2 * i16::from(high) + 2).contains(&middle);
        within(self.x, bounds.left, bounds.right) && within(self.y, bounds.top, bounds.bottom)
    }

    /// The columns and rows from here to another one, where these are whole.
    pub(super) fn way_to(self, other: Middle) -> Option<(i8, i8)> {
        let whole = |by: i16| (by % 2 == 0).then(|| i8::try_from(by / 2).ok()).flatten();
        Some((whole(other.x - self.x)?, whole(other.y - self.y)?))
    }

    /// City-block distance in cells. Half a cell across or down is none: the middle of what has an even side never is that of
    /// what has an odd one.
    pub(super) fn distance(self, other: Middle) -> u32 {
        u32::from(self.x.abs_diff(other.x) / 2) + u32::from(self.y.abs_diff(other.y) / 2)
    }
}

/// What one component looks like: its cells, from the corner of its bounds, row after row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Picture {
    color: Color,
    cells: Vec<(u8, u8)>,
    width: u8,
    height: u8,
}

impl Picture {
    /// What this component of a scene looks like.
    pub(super) fn of(frame: &Grid, scene: &Scene, index: usize) -> Picture {
        let component = &scene.components()[index];
        let cells = frame.points().filter(|at| scene.component_at(*at) == Some(index));
        Picture::within(component.bounds, component.color, cells)
    }

    /// What these cells of a frame look like, which have one colour; `None` where there are none.
    pub(super) fn covering(frame: &Grid, cells: &[Point]) -> Option<Picture> {
        let color = frame.get(*cells.first()?)?;
        let mut cells = cells.to_vec();
        cells.sort_unstable_by_key(|at| (at.y(), at.x()));
        Some(Picture::within(Bounds::around(cells.iter().copied())?, color, cells.into_iter()))
    }

    /// Cells within these bounds, row after row.
    fn within(bounds: Bounds, color: Color, cells: impl Iterator<Item = Point>) -> Picture {
        let cells = cells.map(|at| (at.x() - bounds.left, at.y() - bounds.top)).collect();
        Picture { color, cells, width: bounds.width(), height: bounds.height() }
    }

    /// Its width and height, in cells.
    pub(super) fn size(&self) -> (u8, u8) {
        (self.width, self.height)
    }

    /// How many cells it has.
    pub(super) fn area(&self) -> usize {
        self.cells.len()
    }

    /// The smaller of its sides, in cells.
    pub(super) fn side(&self) -> u8 {
        self.width.min(self.height)
    }

    /// Where it is seen, row after row; each cell counts for one piece only. Empty where it is all over the frame.
    pub(super) fn find(&self, frame: &Grid) -> Vec<Middle> {
        self.search(frame).0
    }

    /// Its cells where it lies around a place; none where that is not on whole cells, or beyond the frame.
    pub(super) fn around(&self, place: Middle) -> Vec<Point> {
        let corner = (place.x - i16::from(self.width), place.y - i16::from(self.height));
        let cells = self.cells.iter().filter(|_| corner.0 % 2 == 0 && corner.1 % 2 == 0);
        let cells = cells.map(|(dx, dy)| Point::new(corner.0 / 2 + i16::from(*dx), corner.1 / 2 + i16::from(*dy)));
        cells.collect::<Result<_, _>>().unwrap_or_default()
    }

    /// Whether a cell has its colour.
    pub(super) fn colors(&self, frame: &Grid, at: Point) -> bool {
        frame.get(at) == Some(self.color)
    }

    /// Where it is seen if those that touch each other make up all that is connected to them.
    pub(super) fn find_joined(&self, frame: &Grid) -> Vec<Middle> {
        let (found, taken) = self.search(frame);
        let is_taken = |at: Point| taken[usize::from(at.y())] >> at.x() & 1 == 1;
        let juts = |at: Point| {
            let mut around = SIDES.iter().filter_map(|(dx, dy)| at.offset(*dx, *dy));
            around.any(|next| frame.get(next) == Some(self.color) && !is_taken(next))
        };
        if frame.points().any(|at| is_taken(at) && juts(at)) { Vec::new() } else { found }
    }

    /// The cells of each place where it is seen to the last cell, but something that touches it on one side has its colour. What
    /// goes on at several sides is rather a part of something larger.
    pub(super) fn find_touching(&self, frame: &Grid) -> Vec<(Middle, Vec<Point>)> {
        let is_rectangle = self.area() == usize::from(self.width) * usize::from(self.height);
        let found = if is_rectangle { Vec::new() } else { self.find(frame) };
        let own = found.into_iter().filter_map(|place| {
            let is_own = |at: &Point| place.covers(*at, (self.width, self.height)) && self.colors(frame, *at);
            let own: Vec<Point> = frame.points().filter(is_own).collect();
            let goes_on = |(dx, dy): &&(i8, i8)| {
                let beside = own.iter().filter_map(|at| at.offset(*dx, *dy));
                beside.filter(|at| !is_own(at)).any(|at| self.colors(frame, at))
            };
            (own.len() == self.area() && SIDES.iter().filter(goes_on).count() == 1).then_some((place, own))
        });
        own.collect()
    }

    /// Where it is seen, and the cells that this takes, a line a row of bits.
    fn search(&self, frame: &Grid) -> (Vec<Middle>, [u64; SIDE as usize]) {
        let mut taken = [0u64; SIDE as usize];
        let mut found = Vec::new();
        let Some(&(first, _)) = self.cells.first() else { return (found, taken) };
        let width = usize::from(frame.width());
        // One look at a whole row, which the compiler makes a few instructions of, spares most cells: searches ask for
        // every state they come to.
        let has_color = |row: &[Color]| row.iter().filter(|color| **color == self.color).count() > 0;
        for (y, row) in frame.cells().chunks_exact(width).enumerate().filter(|(_, row)| has_color(row)) {
            for x in (0..width).filter(|x| row[*x] == self.color) {
                let (x, y) = (x as u8, y as u8);
                let Some(left) = x.checked_sub(first).filter(|left| self.fits(frame, *left, y)) else { continue };
                if self.is_at(frame, left, y, &taken) {
                    self.cells.iter().for_each(|(dx, dy)| taken[usize::from(y + dy)] |= 1 << (left + dx));
                    found.push(Middle::of(left, y, self.width, self.height));
                }
            }
        }
        if found.len() > CROWD { (Vec::new(), taken) } else { (found, taken) }
    }

    fn fits(&self, frame: &Grid, left: u8, top: u8) -> bool {
        left + self.width <= frame.width() && top + self.height <= frame.height()
    }

    fn is_at(&self, frame: &Grid, left: u8, top: u8, taken: &[u64; SIDE as usize]) -> bool {
        let width = usize::from(frame.width());
        self.cells.iter().all(|(dx, dy)| {
            let (x, y) = (usize::from(left + dx), usize::from(top + dy));
            frame.cells()[y * width + x] == self.color && taken[y] >> x & 1 == 0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_touch_are_told_apart() {
        let frame: Grid = "000000\n033000\n033000\n000000".parse().unwrap();
        let scene = Scene::of(&frame);
        let piece = Picture::of(&frame, &scene, scene.component_at(Point::new(1, 1).unwrap()).unwrap());
        let later: Grid = "000000\n033330\n033330\n000000".parse().unwrap();
        assert_eq!(piece.find(&later), [Middle::of(1, 1, 2, 2), Middle::of(3, 1, 2, 2)]);
        assert_eq!(Middle::of(1, 1, 2, 2).distance(Middle::of(3, 0, 2, 2)), 3);
        assert_eq!(Middle::of(1, 1, 2, 2).distance(Middle::of(1, 1, 3, 3)), 0, "no other place of it is nearer");
        let covered = later.points().filter(|at| Middle::of(3, 1, 2, 2).covers(*at, (2, 2)));
        assert!(covered.eq([(3, 1), (4, 1), (3, 2), (4, 2)].map(|(x, y)| Point::new(x, y).unwrap())));
    }
}
