//! The grid.

use env_client::{Color, Grid, Point};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Modifier, Style},
    widgets::Widget,
};

use super::geometry::{Geometry, Zoom};
use crate::replay::{
    Thought,
    palette::{Depth, Tint},
};

/// A grid with everything that is drawn on it.
#[derive(Clone, Copy, Debug)]
pub struct GridPane<'a> {
    /// What is shown.
    pub grid: &'a Grid,
    /// What stood there before, where changes are to stand out.
    pub before: Option<&'a Grid>,
    /// Where the action clicked.
    pub click: Option<Point>,
    /// Whose objects, mask and planned clicks are to be drawn.
    pub overlays: Option<&'a Thought>,
    /// What the terminal can show.
    pub depth: Depth,
    /// How it is fitted in.
    pub zoom: Zoom,
    /// The first cell, where it is cut off.
    pub scroll: (u8, u8),
}

/// Cells that a character shows with these colours, one above the other.
pub fn stacked(depth: Depth) -> u8 {
    if depth == Depth::None { 1 } else { 2 }
}

impl GridPane<'_> {
    /// Where its cells come to stand.
    pub fn geometry(&self, area: Rect) -> Geometry {
        let size = (self.grid.width(), self.grid.height());
        Geometry::new(area, size, stacked(self.depth), self.zoom, self.scroll)
    }

    fn tint(&self, point: Point) -> Tint {
        let marked = |at: Point| at != point && at.x().abs_diff(point.x()) <= 1 && at.y().abs_diff(point.y()) <= 1;
        let changed = || self.before.is_some_and(|before| before.get(point) != self.grid.get(point));
        match self.overlays {
            _ if self.click.is_some_and(marked) => Tint::Marked,
            _ if changed() => Tint::Changed,
            Some(thought) => overlay(thought, point),
            None => Tint::Plain,
        }
    }

    /// What stands for the cells at a place: the one that stands out most, else the colour that most of them have.
    fn look(&self, geometry: &Geometry, (x, y): (u16, u16)) -> Option<(Color, Tint)> {
        let step = u16::from(geometry.step);
        let mut counts = [0u8; Color::COUNT];
        let mut best = None;
        for (x, y) in (y..y + step).flat_map(|y| (x..x + step).map(move |x| (x, y))) {
            let Some(point) = Point::new(x, y).ok() else { continue };
            let Some(color) = self.grid.get(point) else { continue };
            let tint = self.tint(point);
            counts[color.index()] += 1;
            let weight = (tint, counts[color.index()]);
            if best.is_none_or(|(_, heaviest)| weight > heaviest) {
                best = Some((color, weight));
            }
        }
        best.map(|(color, (tint, _))| (color, tint))
    }

    /// Two cells as an upper half block.
    fn halves(&self, geometry: &Geometry, column: u16, row: u16) -> (char, Style) {
        let look = |half| self.look(geometry, geometry.cell(column, row, half));
        let ink = |(color, tint)| self.depth.tinted(color, tint);
        let mut style = Style::new();
        style.fg = look(0).map(ink);
        style.bg = look(1).map(ink);
        ('▀', style)
    }

    /// A cell as its digit; what stands out is reversed, a click is underlined.
    fn digit(&self, geometry: &Geometry, column: u16, row: u16) -> (char, Style) {
        let cell = geometry.cell(column, row, 0);
        let Some((color, tint)) = self.look(geometry, cell) else { return (' ', Style::new()) };
        let modifier = match tint {
            Tint::Plain => Modifier::empty(),
            Tint::Mask => Modifier::DIM,
            Tint::Object => Modifier::BOLD,
            Tint::Changed => Modifier::REVERSED,
            Tint::Marked => Modifier::UNDERLINED,
        };
        let digit = char::from_digit(color.index() as u32, 16).unwrap_or('?');
        (digit, Style::new().add_modifier(modifier))
    }
}

fn overlay(thought: &Thought, point: Point) -> Tint {
    let (x, y) = (point.x(), point.y());
    let planned = |command: &env_client::Command| match command {
        env_client::Command::Act(action) => action.point() == Some(point),
        env_client::Command::Reset => false,
    };
    if thought.plan.iter().any(planned) || thought.objects.iter().any(|object| object.area.is_edge(x, y)) {
        Tint::Object
    } else if thought.mask.iter().any(|area| area.contains(x, y)) {
        Tint::Mask
    } else {
        Tint::Plain
    }
}

impl Widget for &GridPane<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let geometry = self.geometry(area);
        for position in geometry.area.positions() {
            let (letter, style) = match self.depth {
                Depth::None => self.digit(&geometry, position.x, position.y),
                _ => self.halves(&geometry, position.x, position.y),
            };
            if let Some(cell) = buffer.cell_mut(position) {
                cell.set_char(letter).set_style(style);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use Tint::{Mask, Object, Plain};
    use ratatui::style::Color as Ink;
    use serde_json::json;

    use super::*;

    fn pane(grid: &Grid, depth: Depth) -> GridPane<'_> {
        GridPane { grid, before: None, click: None, overlays: None, depth, zoom: Zoom::Fit, scroll: (0, 0) }
    }

    fn draw(pane: &GridPane<'_>, width: u16, height: u16) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        pane.render(buffer.area, &mut buffer);
        buffer
    }

    fn letters(buffer: &Buffer) -> Vec<String> {
        let row = |y| (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect();
        (0..buffer.area.height).map(row).collect()
    }

    #[test]
    fn two_cells_share_a_character_in_the_official_colours() {
        let grid: Grid = "09\n8e\n1".replace("\n1", "\n11").parse().unwrap();
        let buffer = draw(&pane(&grid, Depth::True), 4, 4);
        let cell = &buffer[(1, 0)];
        assert_eq!((cell.symbol(), cell.fg, cell.bg), ("▀", Ink::Rgb(0x1E, 0x93, 0xFF), Ink::Rgb(0x4F, 0xCC, 0x30)));
        let last = &buffer[(0, 1)];
        assert_eq!((last.symbol(), last.fg, last.bg), ("▀", Ink::Rgb(0xCC, 0xCC, 0xCC), Ink::Reset));
        assert_eq!(buffer[(2, 0)].symbol(), " ");
    }

    #[test]
    fn without_colours_cells_are_digits_and_changes_are_reversed() {
        let (before, grid): (Grid, Grid) = ("01\nef".parse().unwrap(), "01\nea".parse().unwrap());
        let buffer = draw(&GridPane { before: Some(&before), ..pane(&grid, Depth::None) }, 3, 2);
        assert_eq!(letters(&buffer), ["01 ", "ea "]);
        assert_eq!([buffer[(0, 1)].modifier, buffer[(1, 1)].modifier], [Modifier::empty(), Modifier::REVERSED]);
    }

    #[test]
    fn a_small_screen_shows_half_or_a_part() {
        let grid: Grid = "0011\n0011\n2233\n2203".parse().unwrap();
        assert_eq!(letters(&draw(&pane(&grid, Depth::None), 3, 3)), ["01 ", "23 ", "   "]);
        let part = GridPane { zoom: Zoom::Cells, scroll: (1, 9), ..pane(&grid, Depth::None) };
        assert_eq!(letters(&draw(&part, 3, 2)), ["233", "203"]);
    }

    #[test]
    fn a_click_wears_a_ring_and_keeps_its_colour() {
        let grid = Grid::filled(5, 5, Color::of(5));
        let buffer = draw(&GridPane { click: Point::new(2, 2).ok(), ..pane(&grid, Depth::True) }, 5, 3);
        let (ring, plain) = (Depth::True.tinted(Color::of(5), Tint::Marked), Depth::True.ink(Color::of(5)));
        assert_eq!((buffer[(2, 0)].bg, buffer[(2, 1)].fg, buffer[(2, 1)].bg), (ring, plain, ring));
        assert_eq!((buffer[(1, 1)].fg, buffer[(0, 1)].fg), (ring, plain));
    }

    #[test]
    fn overlays_show_objects_plan_and_mask() {
        let grid = Grid::filled(8, 2, Color::of(5));
        let thought = Thought::read(Some(&json!({
            "objects": [{"box": [0, 0, 3, 2]}], "plan": [[5, 0]], "mask": [[6, 0, 2, 1]]
        })));
        let tints: Vec<Tint> = (0..8u8).map(|x| overlay(&thought, Point::new(x, 0).unwrap())).collect();
        assert_eq!(tints, [Object, Object, Object, Plain, Plain, Object, Mask, Mask]);
        let with = draw(&GridPane { overlays: Some(&thought), ..pane(&grid, Depth::Basic) }, 8, 1);
        assert_eq!((with[(0, 0)].fg, with[(6, 0)].fg, with[(6, 0)].bg), (Ink::Yellow, Ink::DarkGray, Ink::Black));
    }
}
