//! Cells of a frame as bits, one word a row: figures that are shifted, turned and compared as wholes.

use env_client::{Color, Grid, Point, SIDE};

use super::Place;
use crate::{Scene, perception::Symmetry};

const ROWS: usize = SIDE as usize;

/// A set of cells of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Area([u64; ROWS]);

impl Default for Area {
    fn default() -> Self {
        Area::EMPTY
    }
}

impl Area {
    /// No cell.
    pub const EMPTY: Area = Area([0; ROWS]);

    /// The cells of a frame that are of a colour which is looked for.
    pub fn of_colors(frame: &Grid, is_of: impl Fn(Color) -> bool) -> Area {
        frame.points().filter(|at| is_of(frame[*at])).collect()
    }

    /// The cells of each component of a frame, by its number.
    pub fn of_components(frame: &Grid, scene: &Scene) -> Vec<Area> {
        let mut areas = vec![Area::EMPTY; scene.components().len()];
        for at in frame.points() {
            if let Some(index) = scene.component_at(at) {
                areas[index].insert(at);
            }
        }
        areas
    }

    /// Whether a cell is one of them.
    pub fn contains(&self, at: Point) -> bool {
        self.0[usize::from(at.y())] >> at.x() & 1 == 1
    }

    /// Adds a cell.
    pub fn insert(&mut self, at: Point) {
        self.0[usize::from(at.y())] |= 1 << at.x();
    }

    /// All of them, row after row.
    pub fn iter(&self) -> impl Iterator<Item = Point> + use<> {
        let rows = (0u8..).zip(self.0).filter(|(_, row)| *row != 0);
        rows.flat_map(|(y, row)| {
            (0u8..64).filter(move |x| row >> x & 1 == 1).filter_map(move |x| Point::new(x, y).ok())
        })
    }

    /// The first of them, row after row.
    pub fn first(&self) -> Option<Point> {
        let y = self.0.iter().position(|row| *row != 0)?;
        Point::new(self.0[y].trailing_zeros(), y as i64).ok()
    }

    /// How many they are.
    pub fn len(&self) -> u32 {
        self.0.iter().map(|row| row.count_ones()).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|row| *row == 0)
    }

    /// Whether all of them are among others.
    pub fn is_within(&self, other: &Area) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// Whether some of them are among others.
    pub fn meets(&self, other: &Area) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    fn zip(&self, other: &Area, of: impl Fn(u64, u64) -> u64) -> Area {
        let mut rows = self.0;
        rows.iter_mut().zip(&other.0).for_each(|(a, b)| *a = of(*a, *b));
        Area(rows)
    }

    /// Whether some of them lie side by side with others, or are among them.
    pub fn touches(&self, other: &Area) -> bool {
        self.spread().meets(other)
    }

    /// These and others.
    #[must_use]
    pub fn with(&self, other: &Area) -> Area {
        self.zip(other, |a, b| a | b)
    }

    /// These without others.
    #[must_use]
    pub fn without(&self, other: &Area) -> Area {
        self.zip(other, |a, b| a & !b)
    }

    /// Those of these that are among others.
    #[must_use]
    pub fn common(&self, other: &Area) -> Area {
        self.zip(other, |a, b| a & b)
    }

    /// The upper left and the lower right corner of the rectangle around them.
    pub fn corners(&self) -> Option<(Place, Place)> {
        let top = self.0.iter().position(|row| *row != 0)?;
        let bottom = self.0.iter().rposition(|row| *row != 0)?;
        let columns = self.0.iter().fold(0, |all, row| all | row);
        let (left, right) = (columns.trailing_zeros(), columns.ilog2());
        Some(((left as i16, top as i16), (right as i16, bottom as i16)))
    }

    /// The upper left corner of the rectangle around them; the frame's where there is none.
    pub fn corner(&self) -> Place {
        self.corners().map(|it| it.0).unwrap_or_default()
    }

    /// All of them so many columns and rows further on; `None` where one of them would leave 64×64 cells.
    pub fn shifted(&self, (x, y): Place) -> Option<Area> {
        let Some(((left, top), (right, bottom))) = self.corners() else { return Some(*self) };
        let side = i16::from(SIDE);
        if left + x < 0 || top + y < 0 || right + x >= side || bottom + y >= side {
            return None;
        }
        let mut rows = [0; ROWS];
        for from in top..=bottom {
            let row = self.0[from as usize];
            rows[(from + y) as usize] = if x < 0 { row >> -x } else { row << x };
        }
        Some(Area(rows))
    }

    /// All of them turned, with the rectangle around them in the corner it had; `None` where one of them would leave 64×64
    /// cells.
    pub fn turned(&self, symmetry: Symmetry) -> Option<Area> {
        let ((left, top), (right, bottom)) = self.corners()?;
        let size = ((right - left + 1) as u8, (bottom - top + 1) as u8);
        let turned = self.iter().map(|at| {
            let (x, y) = symmetry.apply((at.x() - left as u8, at.y() - top as u8), size);
            Point::new(left + i16::from(x), top + i16::from(y)).ok()
        });
        turned.collect()
    }

    /// They and all cells above and below them.
    fn heightened(&self) -> Area {
        let row = |y: Option<usize>| y.and_then(|y| self.0.get(y)).copied().unwrap_or_default();
        let mut rows = self.0;
        (0..ROWS).for_each(|y| rows[y] |= row(y.checked_sub(1)) | row(Some(y + 1)));
        Area(rows)
    }

    /// They and all cells to the left and right of them.
    fn widened(&self) -> Area {
        Area(self.0.map(|row| row | row << 1 | row >> 1))
    }

    /// They and all cells side by side with them.
    fn spread(&self) -> Area {
        self.heightened().with(&self.widened())
    }

    /// They and all cells beside them, corners included.
    #[must_use]
    pub fn grown(&self) -> Area {
        self.widened().heightened()
    }

    /// Those of them that can be reached from one of them side by side; `None` where that is none of them.
    pub fn joined(&self, at: Point) -> Option<Area> {
        let mut reached: Area = [at].into_iter().filter(|it| self.contains(*it)).collect();
        while !reached.is_empty() {
            let wider = reached.spread().common(self);
            if wider == reached {
                return Some(reached);
            }
            reached = wider;
        }
        None
    }

    /// They and all that they enclose in a frame of so many columns and rows.
    #[must_use]
    pub fn filled(&self, (width, height): (u8, u8)) -> Area {
        let row: u64 = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        let height = usize::from(height).min(ROWS);
        let free = |y: usize| row & !self.0[y];
        let mut outside = [0; ROWS];
        for (y, it) in outside.iter_mut().enumerate().take(height) {
            let is_edge = y == 0 || y + 1 == height;
            *it = free(y) & if is_edge { row } else { 1 | 1 << (width.clamp(1, 64) - 1) };
        }
        loop {
            let before = outside;
            for y in (0..height).chain((0..height).rev()) {
                let beside = |to: Option<usize>| to.filter(|it| *it < height).map_or(0, |it| outside[it]);
                let mut reached = (outside[y] | beside(y.checked_sub(1)) | beside(Some(y + 1))) & free(y);
                loop {
                    let wider = (reached | reached << 1 | reached >> 1) & free(y);
                    if wider == reached {
                        break;
                    }
                    reached = wider;
                }
                outside[y] = reached;
            }
            if outside == before {
                break;
            }
        }
        let mut filled = [0; ROWS];
        for (y, it) in filled.iter_mut().enumerate().take(height) {
            *it = row & !outside[y];
        }
        Area(filled)
    }
}

impl FromIterator<Point> for Area {
    fn from_iter<T: IntoIterator<Item = Point>>(cells: T) -> Area {
        let mut area = Area::EMPTY;
        cells.into_iter().for_each(|at| area.insert(at));
        area
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(picture: &str) -> Area {
        let frame: Grid = picture.parse().unwrap();
        Area::of_colors(&frame, |color| color.index() != 0)
    }

    #[test]
    fn what_is_shifted_stays_whole_or_is_none() {
        let hook = area("0110\n0100\n0000");
        assert_eq!(hook.shifted((1, 1)), Some(area("0000\n0011\n0010")));
        assert_eq!(hook.shifted((-1, 0)), Some(area("1100\n1000\n0000")));
        assert_eq!(hook.shifted((-2, 0)), None);
        assert_eq!(hook.shifted((0, 62)).map(|it| it.corner()), Some((1, 62)));
        assert_eq!(hook.shifted((0, 63)), None);
    }

    #[test]
    fn four_quarter_turns_lead_back() {
        let hook = area("000000\n011100\n010000\n000000");
        let turn = |it: Area| it.turned(Symmetry::Clockwise).unwrap();
        assert_eq!(turn(hook), area("000000\n011000\n001000\n001000"));
        assert_eq!(turn(turn(turn(turn(hook)))), hook);
    }

    #[test]
    fn what_is_enclosed_is_filled_and_what_is_open_at_the_side_is_not() {
        let ring = area("01110\n01010\n01110\n00000\n11000");
        assert_eq!(ring.filled((5, 5)), area("01110\n01110\n01110\n00000\n11000"));
        let bay = area("01110\n01000\n01110\n00000\n00000");
        assert_eq!(bay.filled((5, 5)), bay);
        let at_the_rim = area("11000\n01000\n11000\n00000\n00000");
        assert_eq!(at_the_rim.filled((5, 5)), at_the_rim, "the rim of a frame encloses nothing");
        let spiral = area("11111\n10001\n10101\n10111\n10000");
        assert_eq!(spiral.filled((5, 5)), spiral, "its way out leads around corners");
    }

    #[test]
    fn sets_are_told_apart() {
        let (a, b) = (area("110\n100"), area("011\n000"));
        assert_eq!(a.with(&b), area("111\n100"));
        assert_eq!(a.without(&b), area("100\n100"));
        assert_eq!(a.common(&b), area("010\n000"));
        assert!(a.meets(&b) && !a.is_within(&b) && area("010").is_within(&a));
        assert_eq!((a.len(), a.first(), Area::EMPTY.first()), (3, Point::new(0, 0).ok(), None));
        assert_eq!(a.corners(), Some(((0, 0), (1, 1))));
        assert_eq!(area("000\n010\n000").grown().len(), 9);
        assert_eq!(a.iter().collect::<Area>(), a);
    }
}
