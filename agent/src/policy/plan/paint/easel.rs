//! A canvas and the picture beside it that it is meant to become.

use env_client::{Color, Grid, Point};
use world_model::{Bounds, Scene};

/// The shortest and the longest side of a canvas or a picture, in cells: less is a thing, more the whole world. A guess.
const SIDES: std::ops::RangeInclusive<u8> = 4..=48;

/// A rectangle that is painted, and one that shows how: as large or so many times smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::policy::plan) struct Easel {
    pub(in crate::policy::plan) canvas: Bounds,
    pub(in crate::policy::plan) picture: Bounds,
}

impl Easel {
    /// Every pair of rectangles in a frame of which one can be a picture of the other.
    pub(super) fn all(frame: &Grid) -> Vec<Easel> {
        Easel::of(frame, &rectangles(frame))
    }

    /// Every pair of these rectangles of which one can be a picture of the other.
    pub(in crate::policy::plan) fn of(frame: &Grid, rectangles: &[Bounds]) -> Vec<Easel> {
        let pairs = rectangles.iter().flat_map(|canvas| rectangles.iter().map(|picture| (*canvas, *picture)));
        let easels = pairs.map(|(canvas, picture)| Easel { canvas, picture });
        easels.filter(|it| it.is_possible() && it.palette(frame).count_ones() > 1).collect()
    }

    /// How many times larger the canvas is.
    pub(in crate::policy::plan) fn scale(self) -> u8 {
        self.canvas.width() / self.picture.width()
    }

    fn is_possible(self) -> bool {
        let (canvas, picture, scale) = (self.canvas, self.picture, self.scale());
        let is_scaled = |large: u8, small: u8| u16::from(large) == u16::from(scale) * u16::from(small);
        let fits = is_scaled(canvas.width(), picture.width()) && is_scaled(canvas.height(), picture.height());
        scale > 0 && fits && canvas.overlap(picture) == 0
    }

    /// Cells of the canvas.
    pub(super) fn area(self) -> usize {
        usize::from(self.canvas.width()) * usize::from(self.canvas.height())
    }

    /// The cells of the canvas in the frame, row after row.
    pub(super) fn cells(self) -> impl Iterator<Item = Point> + use<> {
        self.canvas.points()
    }

    /// Where a cell of the frame lies on the canvas, row after row.
    pub(super) fn index(self, (x, y): (i16, i16)) -> Option<usize> {
        let Bounds { left, top, .. } = self.canvas;
        let (column, row) = (x - i16::from(left), y - i16::from(top));
        let (width, height) = (i16::from(self.canvas.width()), i16::from(self.canvas.height()));
        ((0..width).contains(&column) && (0..height).contains(&row)).then(|| (row * width + column) as usize)
    }

    /// The colours of the picture, a set of indices.
    pub(in crate::policy::plan) fn palette(self, frame: &Grid) -> u16 {
        self.picture.points().filter_map(|at| frame.get(at)).fold(0, |set, it| set | 1 << it.index())
    }

    /// What the canvas is meant to look like, cell by cell.
    pub(super) fn wanted(self, frame: &Grid) -> Vec<Color> {
        let (canvas, picture, scale) = (self.canvas, self.picture, self.scale());
        let shown = |at: Point| {
            let (x, y) = ((at.x() - canvas.left) / scale, (at.y() - canvas.top) / scale);
            Point::new(picture.left + x, picture.top + y).ok().and_then(|at| frame.get(at)).unwrap_or_default()
        };
        self.cells().map(shown).collect()
    }

    /// What the canvas looks like, cell by cell; below a brush of this colour, as right around it.
    pub(super) fn painted(self, frame: &Grid, brush: Option<Color>) -> Vec<Color> {
        let seen = |at: Point| frame.get(at).filter(|color| Some(*color) != brush);
        let mut cells: Vec<Option<Color>> = self.cells().map(seen).collect();
        let width = usize::from(self.canvas.width());
        let mut covered: Vec<usize> = (0..cells.len()).filter(|it| cells[*it].is_none()).collect();
        while !covered.is_empty() {
            let around = |at: usize| {
                let left = (!at.is_multiple_of(width)).then(|| cells[at - 1]).flatten();
                let right = (at % width + 1 < width).then(|| cells[at + 1]).flatten();
                let above = at.checked_sub(width).and_then(|it| cells[it]);
                left.or(right).or(above).or_else(|| cells.get(at + width).copied().flatten())
            };
            let found: Vec<(usize, Color)> = covered.iter().filter_map(|at| Some((*at, around(*at)?))).collect();
            if found.is_empty() {
                break;
            }
            for (at, color) in found {
                cells[at] = Some(color);
            }
            covered.retain(|at| cells[*at].is_none());
        }
        cells.into_iter().map(Option::unwrap_or_default).collect()
    }
}

/// Rectangles that one other colour surrounds, whatever is drawn inside.
pub(in crate::policy::plan) fn rectangles(frame: &Grid) -> Vec<Bounds> {
    let colors = frame.cells().iter().fold(0u16, |set, it| set | 1 << it.index());
    let (mut found, [sea, land]) = (Vec::new(), [Color::ALL[0], Color::ALL[1]]);
    for ground in Color::ALL.into_iter().filter(|it| colors >> it.index() & 1 == 1) {
        let mut islands = frame.clone();
        for cell in islands.cells_mut() {
            *cell = if *cell == ground { sea } else { land };
        }
        let scene = Scene::of(&islands);
        for (index, island) in scene.components().iter().enumerate() {
            let Bounds { left, top, right, bottom } = island.bounds;
            let is_own = |x: u8, y: u8| Point::new(x, y).is_ok_and(|at| scene.component_at(at) == Some(index));
            let is_full = (left..=right).all(|x| is_own(x, top) && is_own(x, bottom))
                && (top..=bottom).all(|y| is_own(left, y) && is_own(right, y));
            let fits = SIDES.contains(&island.bounds.width()) && SIDES.contains(&island.bounds.height());
            if island.color == land && fits && is_full && !found.contains(&island.bounds) {
                found.push(island.bounds);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: &str = "
        7777777777777777
        7000000007777777
        7033003307888877
        7030003007999977
        7000000007999977
        7000000007888877
        7000000007777777
        7000000007777777
        7000000007777777
        7777777777777777";

    fn frame() -> Grid {
        FRAME.split_whitespace().collect::<Vec<_>>().join("\n").parse().unwrap()
    }

    #[test]
    fn rectangles_of_other_proportions_are_no_pair() {
        let flat = Bounds { left: 1, top: 1, right: 48, bottom: 4 };
        let tall = Bounds { left: 55, top: 6, right: 58, bottom: 53 };
        assert!(!Easel { canvas: flat, picture: tall }.is_possible());
    }

    #[test]
    fn a_canvas_is_found_with_its_picture_and_what_is_below_the_brush() {
        let easels = Easel::all(&frame());
        assert_eq!(easels.len(), 1, "{easels:?}");
        let it = easels[0];
        assert_eq!((it.scale(), it.area(), it.palette(&frame())), (2, 64, 1 << 8 | 1 << 9));
        assert_eq!((it.wanted(&frame())[15], it.wanted(&frame())[16]), (Color::of(8), Color::of(9)));
        assert!(it.painted(&frame(), Some(Color::of(3))).iter().all(|cell| *cell == Color::of(0)));
        assert_eq!((it.index((1, 1)), it.index((8, 8)), it.index((9, 8))), (Some(0), Some(63), None));
    }
}
