//! Drawing: a title paints sprites on layers of a small canvas, which is then scaled up to a frame.

use std::ops::Range;

use env_client::{Color, Grid, Point, SIDE};

use super::Cell;

/// What part of the world is on the screen, and how large.
///
/// The canvas has `width * tile` by `height * tile` logical pixels, at most 64 each. It is shown at the largest
/// whole scale that fits, centred, with [`View::letter_box`] around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The world cell in the top left corner; it moves when the view scrolls.
    pub origin: Cell,
    /// Columns of cells on the screen.
    pub width: i16,
    /// Rows of cells on the screen.
    pub height: i16,
    /// Side of a cell in logical pixels.
    pub tile: i16,
    /// The colour around the canvas.
    pub letter_box: Color,
}

impl View {
    /// The cells from (0, 0) on, each of `tile` by `tile` logical pixels, on black.
    pub const fn of(width: i16, height: i16, tile: i16) -> View {
        View { origin: Cell::at(0, 0), width, height, tile, letter_box: Color::of(5) }
    }

    /// The same view from another corner of the world.
    pub const fn scrolled_to(self, origin: Cell) -> View {
        View { origin, ..self }
    }

    /// The same view with another colour around it.
    pub const fn framed(self, letter_box: Color) -> View {
        View { letter_box, ..self }
    }

    /// The world cell under a point of the frame; `None` in the letter box.
    pub fn cell_at(&self, point: Point) -> Option<Cell> {
        let (left, top) = self.margins();
        let pitch = self.scale() * self.tile;
        let place = |at: u8, margin: i16, cells: i16| {
            let inner = i16::from(at) - margin;
            (inner >= 0 && inner / pitch < cells).then(|| inner / pitch)
        };
        let (x, y) = (place(point.x(), left, self.width)?, place(point.y(), top, self.height)?);
        Some(Cell::at(self.origin.x + x, self.origin.y + y))
    }

    /// The point of the frame in the middle of a cell; `None` when the cell is not on the screen.
    pub fn point_of(&self, cell: Cell) -> Option<Point> {
        let (left, top) = self.margins();
        let pitch = self.scale() * self.tile;
        let (x, y) = (cell.x - self.origin.x, cell.y - self.origin.y);
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        let middle = |margin: i16, at: i16| i64::from(margin + at * pitch + pitch / 2);
        inside.then(|| Point::new(middle(left, x), middle(top, y)).ok()).flatten()
    }

    /// Frame cells per logical pixel.
    fn scale(&self) -> i16 {
        i16::from(SIDE) / (self.width.max(self.height) * self.tile)
    }

    /// Frame cells left of and above the canvas.
    fn margins(&self) -> (i16, i16) {
        let margin = |cells: i16| (i16::from(SIDE) - cells * self.tile * self.scale()) / 2;
        (margin(self.width), margin(self.height))
    }
}

/// A small picture: one character a logical pixel.
///
/// `0`-`9` and `a`-`f` are colours, `#` is the sprite's [`Sprite::tinted`] colour, everything else shows what is below.
#[derive(Clone, Copy, Debug)]
pub struct Sprite {
    rows: &'static [&'static str],
    tint: Color,
    quarter_turns: u8,
}

impl Sprite {
    /// A sprite from its rows, tinted white.
    pub const fn of(rows: &'static [&'static str]) -> Sprite {
        Sprite { rows, tint: Color::of(0), quarter_turns: 0 }
    }

    /// The sprite with this colour where it is drawn with `#`.
    pub const fn tinted(self, tint: Color) -> Sprite {
        Sprite { tint, ..self }
    }

    /// The (square) sprite turned clockwise.
    pub const fn turned(self, quarter_turns: u8) -> Sprite {
        Sprite { quarter_turns: (self.quarter_turns + quarter_turns) % 4, ..self }
    }

    /// Its visible pixels: column, row, colour.
    fn pixels(self) -> impl Iterator<Item = (i16, i16, Color)> {
        let last = self.rows.len() as i16 - 1;
        let rows = self.rows.iter().zip(0i16..);
        let pixels = rows.flat_map(|(row, y)| row.bytes().zip(0i16..).map(move |(glyph, x)| (x, y, glyph)));
        pixels.filter_map(move |(x, y, glyph)| {
            let (x, y) = match self.quarter_turns {
                0 => (x, y),
                1 => (last - y, x),
                2 => (last - x, last - y),
                _ => (y, last - x),
            };
            self.color(glyph).map(|color| (x, y, color))
        })
    }

    fn color(self, glyph: u8) -> Option<Color> {
        match glyph {
            b'#' => Some(self.tint),
            b'0'..=b'9' => Some(Color::of(glyph - b'0')),
            b'a'..=b'f' => Some(Color::of(glyph - b'a' + 10)),
            _ => None,
        }
    }
}

/// The canvas of one view. Higher layers cover lower ones; on the same layer the later paint covers.
#[derive(Clone, Debug)]
pub struct Scene {
    view: View,
    layer: u8,
    colors: Vec<Color>,
    depths: Vec<u8>,
}

impl Scene {
    /// An empty canvas for a view, in the colour around it.
    pub fn new(view: View) -> Scene {
        let mut scene = Scene { view, layer: 0, colors: Vec::new(), depths: Vec::new() };
        scene.clear(view);
        scene
    }

    /// Empties the canvas for the next picture and keeps its memory.
    pub(crate) fn clear(&mut self, view: View) {
        let pixels = view.width as usize * view.height as usize * (view.tile * view.tile) as usize;
        self.view = view;
        self.layer = 0;
        self.colors.clear();
        self.colors.resize(pixels, view.letter_box);
        self.depths.clear();
        self.depths.resize(pixels, 0);
    }

    /// Chooses the layer of what is painted from now on; a picture begins on layer 0.
    pub fn layer(&mut self, layer: u8) {
        self.layer = layer;
    }

    /// Paints the whole canvas.
    pub fn fill(&mut self, color: Color) {
        let (width, height) = (self.view.width, self.view.height);
        self.block(self.view.origin, width, height, color);
    }

    /// Paints one cell.
    pub fn cell(&mut self, cell: Cell, color: Color) {
        self.inset(cell, 0, color);
    }

    /// Paints a rectangle of cells.
    pub fn block(&mut self, corner: Cell, width: i16, height: i16, color: Color) {
        let tile = self.view.tile;
        self.rectangle(corner, (0, 0), (width * tile, height * tile), color);
    }

    /// Paints a cell but for a margin of some logical pixels.
    pub fn inset(&mut self, cell: Cell, margin: i16, color: Color) {
        let side = self.view.tile - 2 * margin;
        self.rectangle(cell, (margin, margin), (side, side), color);
    }

    /// Paints logical pixels: a rectangle of `size`, `offset` away from the top left corner of a cell. What lies
    /// outside the view is cut off.
    pub fn rectangle(&mut self, cell: Cell, offset: (i16, i16), size: (i16, i16), color: Color) {
        let (width, height) = (self.view.width * self.view.tile, self.view.height * self.view.tile);
        let (left, top) = self.corner(cell);
        let (left, top) = (left + offset.0, top + offset.1);
        let columns = left.clamp(0, width) as usize..(left + size.0).clamp(0, width) as usize;
        for y in top.clamp(0, height)..(top + size.1).clamp(0, height) {
            let start = y as usize * width as usize;
            self.paint(start + columns.start..start + columns.end.max(columns.start), color);
        }
    }

    /// Paints a sprite with its top left corner in that of a cell.
    pub fn sprite(&mut self, cell: Cell, sprite: Sprite) {
        let (left, top) = self.corner(cell);
        for (x, y, color) in sprite.pixels() {
            self.dot(left + x, top + y, color);
        }
    }

    /// Paints one logical pixel, `offset` away from the top left corner of a cell.
    pub fn pixel(&mut self, cell: Cell, offset: (i16, i16), color: Color) {
        let (left, top) = self.corner(cell);
        self.dot(left + offset.0, top + offset.1, color);
    }

    /// The logical pixel in the top left corner of a cell.
    fn corner(&self, cell: Cell) -> (i16, i16) {
        let View { origin, tile, .. } = self.view;
        ((cell.x - origin.x) * tile, (cell.y - origin.y) * tile)
    }

    /// Paints the logical pixel in this column and row, if it is in the view.
    fn dot(&mut self, x: i16, y: i16, color: Color) {
        let (width, height) = (self.view.width * self.view.tile, self.view.height * self.view.tile);
        if (0..width).contains(&x) && (0..height).contains(&y) {
            let at = y as usize * width as usize + x as usize;
            self.paint(at..at + 1, color);
        }
    }

    /// Paints a run of pixels where nothing higher covers it.
    fn paint(&mut self, run: Range<usize>, color: Color) {
        for (seen, depth) in self.colors[run.clone()].iter_mut().zip(&mut self.depths[run]) {
            let covered = *depth > self.layer;
            *seen = if covered { *seen } else { color };
            *depth = if covered { *depth } else { self.layer };
        }
    }

    /// The canvas at its own size, as a person would want to read it.
    pub fn logical(&self) -> Grid {
        let View { width, height, tile, .. } = self.view;
        let mut grid = Grid::filled((width * tile) as u8, (height * tile) as u8, self.view.letter_box);
        grid.cells_mut().copy_from_slice(&self.colors);
        grid
    }

    /// The canvas as a 64×64 frame, in the colours of a palette.
    pub(crate) fn frame(&self, palette: &[Color; Color::COUNT]) -> Grid {
        let side = usize::from(SIDE);
        let mut frame = Grid::filled(SIDE, SIDE, palette[self.view.letter_box.index()]);
        let (left, top) = self.view.margins();
        let (left, top, scale) = (left as usize, top as usize, self.view.scale() as usize);
        let width = (self.view.width * self.view.tile) as usize;
        let bands = frame.cells_mut()[top * side..].chunks_exact_mut(scale * side);
        for (band, pixels) in bands.zip(self.colors.chunks_exact(width)) {
            let (first, rest) = band.split_at_mut(side);
            stretch(&mut first[left..], pixels, scale, palette);
            rest.chunks_exact_mut(side).for_each(|row| row.copy_from_slice(first));
        }
        frame
    }
}

/// Writes each pixel of a row `scale` times. Small scales are most of the work, and three times as fast when they are
/// known at compile time.
fn stretch(row: &mut [Color], pixels: &[Color], scale: usize, palette: &[Color; Color::COUNT]) {
    match scale {
        1 => stretch_by::<1>(row, pixels, palette),
        2 => stretch_by::<2>(row, pixels, palette),
        3 => stretch_by::<3>(row, pixels, palette),
        _ => row.chunks_exact_mut(scale).zip(pixels).for_each(|(wide, color)| wide.fill(palette[color.index()])),
    }
}

fn stretch_by<const SCALE: usize>(row: &mut [Color], pixels: &[Color], palette: &[Color; Color::COUNT]) {
    for (wide, color) in row.as_chunks_mut().0.iter_mut().zip(pixels) {
        *wide = [palette[color.index()]; SCALE];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_found_under_its_own_point() {
        let view = View::of(10, 7, 2).scrolled_to(Cell::at(3, -2));
        for cell in super::super::Board::new(10, 7, |_| ()).cells() {
            let cell = Cell::at(cell.x + 3, cell.y - 2);
            assert_eq!(view.cell_at(view.point_of(cell).unwrap()), Some(cell));
        }
        assert_eq!(view.point_of(Cell::at(2, 0)), None);
        assert_eq!(view.cell_at(Point::new(1, 30).unwrap()), None);
    }

    #[test]
    fn layers_decide_what_is_seen_and_the_scale_fills_the_frame() {
        let mut scene = Scene::new(View::of(2, 1, 1));
        scene.layer(2);
        scene.cell(Cell::at(0, 0), Color::of(8));
        scene.layer(1);
        scene.fill(Color::of(3));
        assert_eq!(scene.logical().to_string(), "83\n");
        let frame = scene.frame(&Color::ALL);
        let row: String = frame.rows().nth(20).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(row, "8".repeat(32) + &"3".repeat(32));
        assert_eq!(frame.cells().iter().filter(|color| **color == Color::of(5)).count(), 64 * 32);
    }

    #[test]
    fn a_sprite_turns_clockwise() {
        let arrow = Sprite::of(&["#9", ".."]);
        let draw = |sprite: Sprite| {
            let mut scene = Scene::new(View::of(1, 1, 2));
            scene.sprite(Cell::at(0, 0), sprite);
            scene.logical().to_string()
        };
        assert_eq!(draw(arrow), "09\n55\n");
        assert_eq!(draw(arrow.turned(1).tinted(Color::of(2))), "52\n59\n");
        assert_eq!(draw(arrow.turned(3)), "95\n05\n");
    }
}
