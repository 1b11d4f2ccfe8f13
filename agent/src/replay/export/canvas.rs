//! A picture of palette indices.

use env_client::{Color, Grid, Point, SIDE};

use super::font;

/// Index of the ground around grids and behind captions.
const GROUND: u8 = 16;

/// Index of captions.
const TEXT: u8 = 17;

/// The colours of a picture as red, green, blue: those of the game, then those around it.
pub(super) fn palette() -> Vec<u8> {
    let around = [[0x1C, 0x1C, 0x20], [0xE8, 0xE8, 0xEA]];
    Color::ALL.map(Color::rgb).into_iter().chain(around).flatten().collect()
}

/// Pixels, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Canvas {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) pixels: Vec<u8>,
}

/// A part of a canvas in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Canvas {
    /// Nothing but ground.
    pub(super) fn new(width: usize, height: usize) -> Canvas {
        Canvas { width, height, pixels: vec![GROUND; width * height] }
    }

    /// Room for a full frame at `scale` pixels a cell, and a line of caption below it.
    pub(super) fn of_frame(scale: usize) -> Canvas {
        let side = usize::from(SIDE) * scale;
        Canvas::new(side, side + caption_height(scale))
    }

    /// Fills a rectangle; what lies outside is left out.
    fn fill(&mut self, part: Part, index: u8) {
        let right = (part.left + part.width).min(self.width);
        for y in part.top..(part.top + part.height).min(self.height) {
            if part.left < right {
                self.pixels[y * self.width + part.left..y * self.width + right].fill(index);
            }
        }
    }

    /// Draws a grid as large as fits above the caption, and marks a clicked cell.
    pub(super) fn grid(&mut self, grid: &Grid, click: Option<Point>) {
        let cell = self.width / usize::from(grid.width().max(grid.height()));
        for point in grid.points() {
            self.fill(place(point, cell, 0), grid[point].into());
        }
        if let Some(point) = click {
            self.mark(point, cell);
        }
    }

    /// A ring around a cell: black and white, so that it stands out from any colour.
    fn mark(&mut self, point: Point, cell: usize) {
        let thick = (cell / 4).max(1);
        let inside = self.part(place(point, cell, 0));
        self.fill(place(point, cell, thick * 2), Color::of(5).into());
        self.fill(place(point, cell, thick), Color::of(0).into());
        self.put(&inside, place(point, cell, 0).left, place(point, cell, 0).top);
    }

    /// Writes a line below the frame.
    pub(super) fn caption(&mut self, text: &str, scale: usize) {
        let (dot, top) = (dot(scale), self.height - caption_height(scale) + dot(scale));
        for (number, letter) in text.chars().enumerate() {
            let left = dot + number * dot * (font::WIDTH + 1);
            for (y, row) in font::rows(letter).into_iter().enumerate() {
                for x in (0..font::WIDTH).filter(|x| row >> (font::WIDTH - 1 - x) & 1 == 1) {
                    self.fill(Part { left: left + x * dot, top: top + y * dot, width: dot, height: dot }, TEXT);
                }
            }
        }
    }

    /// Copies another picture into this one.
    pub(super) fn put(&mut self, other: &Canvas, left: usize, top: usize) {
        let width = other.width.min(self.width.saturating_sub(left));
        for y in 0..other.height.min(self.height.saturating_sub(top)) {
            let (from, to) = (y * other.width, (top + y) * self.width + left);
            self.pixels[to..to + width].copy_from_slice(&other.pixels[from..from + width]);
        }
    }

    /// A part of it, as far as it lies inside.
    pub(super) fn part(&self, part: Part) -> Canvas {
        let width = part.width.min(self.width.saturating_sub(part.left));
        let height = part.height.min(self.height.saturating_sub(part.top));
        let rows = (part.top..part.top + height).map(|y| &self.pixels[y * self.width + part.left..][..width]);
        Canvas { width, height, pixels: rows.flatten().copied().collect() }
    }

    /// The smallest rectangle that holds every pixel in which it differs from `before`, a picture of the same size.
    pub(super) fn changed(&self, before: &Canvas) -> Option<Part> {
        let rows = || self.pixels.chunks(self.width).zip(before.pixels.chunks(self.width));
        let top = rows().position(|(now, before)| now != before)?;
        let bottom = self.height - rows().rev().position(|(now, before)| now != before)?;
        let differs = |x: &usize| rows().skip(top).take(bottom - top).any(|(now, before)| now[*x] != before[*x]);
        let left = (0..self.width).find(differs)?;
        let right = (0..self.width).rev().find(differs)? + 1;
        Some(Part { left, top, width: right - left, height: bottom - top })
    }
}

/// The pixels of a cell, and `around` more on each side.
fn place(point: Point, cell: usize, around: usize) -> Part {
    let (x, y) = (usize::from(point.x()) * cell, usize::from(point.y()) * cell);
    let (left, top) = (x.saturating_sub(around), y.saturating_sub(around));
    Part { left, top, width: x + cell + around - left, height: y + cell + around - top }
}

/// Pixels of a letter's dot.
const fn dot(scale: usize) -> usize {
    if scale < 4 { 1 } else { scale / 4 }
}

/// Pixels of a caption, with a dot of ground above and below.
const fn caption_height(scale: usize) -> usize {
    dot(scale) * (font::HEIGHT + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(canvas: &Canvas) -> String {
        let row = |row: &[u8]| row.iter().map(|index| char::from(b"0123456789abcdef.#"[usize::from(*index)])).collect();
        canvas.pixels.chunks(canvas.width).map(row).collect::<Vec<String>>().join("\n")
    }

    #[test]
    fn a_small_grid_fills_the_frame_and_a_click_wears_a_ring() {
        let mut canvas = Canvas::new(8, 8);
        canvas.grid(&"12\n34".parse().unwrap(), None);
        insta::assert_snapshot!(text(&canvas), @r"
        11112222
        11112222
        11112222
        11112222
        33334444
        33334444
        33334444
        33334444
        ");
        canvas.grid(&"8888\n8888\n8888\n8888".parse().unwrap(), Some(Point::new(0, 3).unwrap()));
        insta::assert_snapshot!(text(&canvas), @r"
        88888888
        88888888
        88888888
        88888888
        55558888
        00058888
        88058888
        88058888
        ");
    }

    #[test]
    fn captions_are_letters_of_dots() {
        let mut canvas = Canvas::new(12, 7);
        canvas.caption("a1", 1);
        insta::assert_snapshot!(text(&canvas), @r"
        ............
        ..#...#.....
        .#.#.##.....
        .###..#.....
        .#.#..#.....
        .#.#.###....
        ............
        ");
    }

    #[test]
    fn what_changed_is_found_exactly() {
        let before = Canvas::new(9, 5);
        let mut after = before.clone();
        assert_eq!(after.changed(&before), None);
        let part = Part { left: 2, top: 1, width: 4, height: 3 };
        after.fill(part, 3);
        assert_eq!(after.changed(&before), Some(part));
        assert_eq!(after.part(part).pixels, [3; 12]);
    }
}
