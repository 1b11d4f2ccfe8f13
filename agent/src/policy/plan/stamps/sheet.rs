//! A canvas in tiles and the card beside it that shows what it is meant to become.

use env_client::{Color, Grid, Point};
use world_model::Bounds;

use super::{
    super::paint::easel::{self, Easel},
    laid,
};

/// The fewest columns and rows of tiles, and the fewest cells along a tile: in less a cursor hides what lies below it.
const TILES: u8 = 3;
const TILE: u8 = 2;
/// A ring of a frame has this share of its cells in one colour, in eighths: a cursor may stick out into it. A guess.
const FRAME: usize = 6;
/// More rectangles are tiles of a board. A guess.
const RECTANGLES: usize = 32;

/// A canvas, its card, and how many cells a tile of the canvas has along a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sheet {
    pub(super) easel: Easel,
    /// From one tile to the next.
    pub(super) tile: u8,
    /// Cells along a tile of the card, where the tiles of the canvas lie apart: then they need not be so many times larger.
    pub(super) laid: Option<u8>,
}

impl Sheet {
    /// Every pair of rectangles in a frame, with or without the frames drawn around them, of which one can be the card of
    /// the other.
    pub(super) fn all(frame: &Grid) -> Vec<Sheet> {
        let mut rectangles = easel::rectangles(frame);
        let laid = laid::canvases(frame).into_iter().flat_map(|canvas| Sheet::laid(frame, canvas, &rectangles));
        let laid: Vec<Sheet> = laid.collect();
        if rectangles.len() > RECTANGLES {
            return laid;
        }
        for outer in rectangles.clone() {
            let inner = unframed(frame, outer);
            if let Some(inner) = inner.filter(|it| !rectangles.contains(it)) {
                rectangles.push(inner);
            }
        }
        let sheets = Easel::of(frame, &rectangles).into_iter().filter_map(|easel| {
            let tile = unit(frame, easel.picture).checked_mul(easel.scale())?;
            Some(Sheet { easel, tile, laid: None })
        });
        sheets.filter(|it| it.is_possible()).chain(laid).collect()
    }

    /// A canvas of tiles that lie apart, with every card that shows as many.
    fn laid(frame: &Grid, (canvas, tile): (Bounds, u8), rectangles: &[Bounds]) -> Vec<Sheet> {
        let (columns, rows) = (canvas.width() / tile, canvas.height() / tile);
        let cards = rectangles.iter().filter_map(|it| unframed(frame, *it)).filter_map(|picture| {
            let side = picture.width() / columns;
            let sheet = Sheet { easel: Easel { canvas, picture }, tile, laid: Some(side) };
            let is_whole = unit(frame, picture).is_multiple_of(side.max(1)) && (1..=tile).contains(&side);
            let fits = (picture.width(), picture.height()) == (side * columns, side * rows);
            let is_card = fits && is_whole && canvas.overlap(picture) == 0;
            (is_card && sheet.easel.palette(frame).count_ones() > 1).then_some(sheet)
        });
        cards.filter(|it| it.is_possible()).collect()
    }

    /// Cells along a tile of the card.
    fn card_tile(self) -> u8 {
        self.laid.unwrap_or_else(|| self.tile / self.easel.scale())
    }

    /// The same in tiles as those of a canvas of an earlier level, if it can be of that kind.
    pub(super) fn like(self, proven: Sheet) -> Option<Sheet> {
        match (self.laid, proven.laid) {
            (Some(_), Some(_)) => Some(self),
            (None, None) if self.easel.scale() == proven.easel.scale() => self.divided(proven.tile),
            _ => None,
        }
    }

    fn is_possible(self) -> bool {
        self.tile >= TILE && self.columns() >= TILES && self.rows() >= TILES
    }

    /// The same in tiles of which so many cells are a whole number, if it still is one.
    pub(super) fn divided(self, cells: u8) -> Option<Sheet> {
        let finer = Sheet { tile: gcd(self.tile, cells), ..self };
        if self.laid.is_some() {
            return (finer == self).then_some(self);
        }
        (finer.is_possible() && finer.tile.is_multiple_of(self.easel.scale())).then_some(finer)
    }

    pub(super) const fn columns(self) -> u8 {
        self.easel.canvas.width() / self.tile
    }

    const fn rows(self) -> u8 {
        self.easel.canvas.height() / self.tile
    }

    /// All tiles, row after row.
    pub(super) fn tiles(self) -> impl Iterator<Item = (i16, i16)> {
        let (columns, rows) = (i16::from(self.columns()), i16::from(self.rows()));
        (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row)))
    }

    /// The tile that a cell of the frame lies in, on the canvas or beside it.
    pub(super) fn tile_at(self, (x, y): (i16, i16)) -> (i16, i16) {
        let (left, top, tile) = (self.easel.canvas.left, self.easel.canvas.top, i16::from(self.tile));
        ((x - i16::from(left)).div_euclid(tile), (y - i16::from(top)).div_euclid(tile))
    }

    /// What the canvas shows, tile by tile: the commonest colour of each, since a cursor leaves most of one to be seen.
    pub(super) fn painted(self, frame: &Grid) -> Vec<Color> {
        let Bounds { left, top, .. } = self.easel.canvas;
        self.tiles().map(|at| block(frame, (left, top), self.tile, at).0).collect()
    }

    /// The colour that most tiles of the canvas show.
    pub(super) fn commonest(self, frame: &Grid) -> Option<Color> {
        let mut counts = [0u16; Color::COUNT];
        self.painted(frame).into_iter().for_each(|it| counts[it.index()] += 1);
        Color::ALL.into_iter().max_by_key(|it| counts[it.index()])
    }

    /// What the card shows, tile by tile.
    pub(super) fn wanted(self, frame: &Grid) -> Vec<Color> {
        let (Bounds { left, top, .. }, tile) = (self.easel.picture, self.card_tile());
        self.tiles().map(|at| block(frame, (left, top), tile, at).0).collect()
    }

    /// How many more tiles are not as the card shows than are.
    pub(super) fn unlike(self, frame: &Grid) -> isize {
        let tiles = self.painted(frame).into_iter().zip(self.wanted(frame));
        tiles.map(|(now, wanted)| if now == wanted { -1 } else { 1 }).sum()
    }

    /// The canvas and two tiles around it, where a cursor may be seen.
    pub(super) fn surroundings(self) -> Bounds {
        let Bounds { left, top, right, bottom } = self.easel.canvas;
        let (low, high) =
            (|it: u8| it.saturating_sub(2 * self.tile), |it: u8| it.saturating_add(2 * self.tile).min(63));
        Bounds { left: low(left), top: low(top), right: high(right), bottom: high(bottom) }
    }

    /// Whether a rectangle lies apart from canvas and card.
    pub(super) fn is_apart(self, it: Bounds) -> bool {
        it.overlap(self.easel.canvas) == 0 && it.overlap(self.easel.picture) == 0
    }
}

/// The commonest colour of a block of cells, and whether all of it has that.
pub(super) fn block(frame: &Grid, (left, top): (u8, u8), side: u8, (column, row): (i16, i16)) -> (Color, bool) {
    let (left, top) = (i16::from(left) + column * i16::from(side), i16::from(top) + row * i16::from(side));
    let mut counts = [0u16; Color::COUNT];
    let cells = (0..i16::from(side)).flat_map(|y| (0..i16::from(side)).map(move |x| Point::new(left + x, top + y)));
    let colors = cells.filter_map(|at| frame.get(at.ok()?));
    colors.for_each(|it| counts[it.index()] += 1);
    let color = Color::ALL.into_iter().max_by_key(|it| counts[it.index()]).unwrap_or_default();
    (color, counts[color.index()] == u16::from(side) * u16::from(side))
}

/// A rectangle without the frame that is drawn around it: rings of one colour, the first of which has it all around.
pub(super) fn unframed(frame: &Grid, outer: Bounds) -> Option<Bounds> {
    let color = ring_color(frame, outer)?;
    let mut inner = outer;
    while ring_color(frame, inner) == Some(color) {
        let Bounds { left, top, right, bottom } = inner;
        if right < left + 2 || bottom < top + 2 {
            return None;
        }
        inner = Bounds { left: left + 1, top: top + 1, right: right - 1, bottom: bottom - 1 };
    }
    Some(inner)
}

/// A rectangle without all rings around it that have no colour of those (a set of indices), as long as half of it is left.
pub(super) fn bare(frame: &Grid, outer: Bounds, colors: u16) -> Bounds {
    let mut inner = outer;
    let is_large = |it: Bounds| 2 * it.width() > outer.width() + 4 && 2 * it.height() > outer.height() + 4;
    while is_large(inner) && ring_color(frame, inner).is_some_and(|it| colors >> it.index() & 1 == 0) {
        let Bounds { left, top, right, bottom } = inner;
        inner = Bounds { left: left + 1, top: top + 1, right: right - 1, bottom: bottom - 1 };
    }
    inner
}

/// The colour of the innermost of the rings around what is drawn in a rectangle.
pub(super) fn innermost_ring(frame: &Grid, outer: Bounds) -> Option<Color> {
    let (mut inner, mut ring) = (outer, None);
    while let Some(color) = ring_color(frame, inner) {
        ring = Some(color);
        let Bounds { left, top, right, bottom } = inner;
        if right < left + 2 || bottom < top + 2 {
            break;
        }
        inner = Bounds { left: left + 1, top: top + 1, right: right - 1, bottom: bottom - 1 };
    }
    ring
}

/// The colour of most of a rectangle's outermost cells.
pub(super) fn ring_color(frame: &Grid, it: Bounds) -> Option<Color> {
    let is_outer = |at: &Point| at.x() == it.left || at.x() == it.right || at.y() == it.top || at.y() == it.bottom;
    let (mut counts, mut all) = ([0usize; Color::COUNT], 0);
    for color in it.points().filter(is_outer).filter_map(|at| frame.get(at)) {
        counts[color.index()] += 1;
        all += 1;
    }
    Color::ALL.into_iter().find(|color| 8 * counts[color.index()] >= FRAME * all && all > 0)
}

/// The side of the largest squares of one colour each that a rectangle can be laid out with.
fn unit(frame: &Grid, it: Bounds) -> u8 {
    let mut unit = gcd(it.width(), it.height());
    for at in it.points() {
        let (x, y) = (at.x() - it.left, at.y() - it.top);
        let differs = |dx: u8, dy: u8| {
            let before = Point::new(at.x() - dx, at.y() - dy).ok();
            before.and_then(|before| frame.get(before)) != frame.get(at)
        };
        if x > 0 && differs(1, 0) {
            unit = gcd(unit, x);
        }
        if y > 0 && differs(0, 1) {
            unit = gcd(unit, y);
        }
    }
    unit
}

fn gcd(one: u8, other: u8) -> u8 {
    if other == 0 { one } else { gcd(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(frame: &mut Grid, it: Bounds, color: u8) {
        it.points().for_each(|at| frame.set(at, Color::of(color)));
    }

    const fn square(left: u8, top: u8, side: u8) -> Bounds {
        Bounds { left, top, right: left + side - 1, bottom: top + side - 1 }
    }

    #[test]
    fn a_canvas_and_its_card_are_found_within_frames_that_a_cursor_sticks_out_into() {
        let mut frame = Grid::filled(40, 24, Color::of(2));
        let (canvas, picture) = (square(4, 4, 12), square(23, 3, 6));
        let drawn = [(square(2, 2, 16), 6), (canvas, 4), (square(3, 5, 2), 0), (square(22, 2, 8), 0), (picture, 4)];
        for (it, color) in drawn {
            fill(&mut frame, it, color);
        }
        fill(&mut frame, square(25, 5, 2), 8);
        let sheet = Sheet { easel: Easel { canvas, picture }, tile: 4, laid: None };
        assert!(Sheet::all(&frame).contains(&sheet), "{:?}", Sheet::all(&frame));
        assert!(sheet.painted(&frame).iter().all(|it| *it == Color::of(4)), "the cursor leaves most of a tile");
        assert_eq!(sheet.wanted(&frame)[4], Color::of(8));
        assert_eq!((sheet.tile_at((4, 4)), sheet.tile_at((3, 17))), ((0, 0), (-1, 3)));
        assert_eq!(
            (sheet.divided(3), sheet.divided(8), sheet.divided(2)),
            (None, Some(sheet), Some(Sheet { tile: 2, ..sheet }))
        );
    }
}
