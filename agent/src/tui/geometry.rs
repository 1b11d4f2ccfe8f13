//! Which cells of a grid stand where on the screen.
//!
//! With colours a character shows two cells, one above the other; without, one. When a grid does not fit it is halved
//! (two by two cells are shown as one), or cut off and scrolled.

use env_client::Point;
use ratatui::layout::{Position, Rect};

/// How a grid that may not fit is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zoom {
    /// Whole if it fits, else halved.
    #[default]
    Fit,
    /// Every cell; what does not fit is scrolled to.
    Cells,
}

impl Zoom {
    /// The other way.
    pub fn other(self) -> Zoom {
        match self {
            Zoom::Fit => Zoom::Cells,
            Zoom::Cells => Zoom::Fit,
        }
    }
}

/// Where a grid is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// The characters it covers.
    pub area: Rect,
    /// Cells in each direction that are shown as one.
    pub step: u8,
    /// The first cell that is shown.
    pub origin: (u8, u8),
    /// Shown cells in a character, one above the other.
    pub stacked: u8,
}

impl Geometry {
    /// Fits a grid of `width` by `height` cells into `area`, at its top left corner.
    pub fn new(area: Rect, (width, height): (u8, u8), stacked: u8, zoom: Zoom, scroll: (u8, u8)) -> Geometry {
        let rows = |height: u8| u16::from(height.div_ceil(stacked));
        let fits = u16::from(width) <= area.width && rows(height) <= area.height;
        let step = if fits || zoom == Zoom::Cells { 1 } else { 2 };
        let (columns, lines) = (u16::from(width.div_ceil(step)), rows(height.div_ceil(step)));
        let area = Rect { width: columns.min(area.width), height: lines.min(area.height), ..area };
        let last =
            |cells: u8, shown: u16| cells.saturating_sub(u8::try_from(shown * u16::from(step)).unwrap_or(u8::MAX));
        let reach = (last(width, area.width), last(height, area.height * u16::from(stacked)));
        Geometry { area, step, origin: (scroll.0.min(reach.0), scroll.1.min(reach.1)), stacked }
    }

    /// The cell at the upper (`half` 0) or lower (`half` 1) half of a character.
    pub fn cell(&self, column: u16, row: u16, half: u8) -> (u16, u16) {
        let step = u16::from(self.step);
        let line = (row - self.area.y) * u16::from(self.stacked) + u16::from(half);
        (u16::from(self.origin.0) + (column - self.area.x) * step, u16::from(self.origin.1) + line * step)
    }

    /// The point under the mouse: the upper or the lower of the cells of a character.
    pub fn point_at(&self, column: u16, row: u16, half: u8) -> Option<Point> {
        if !self.area.contains(Position { x: column, y: row }) {
            return None;
        }
        let (x, y) = self.cell(column, row, half.min(self.stacked - 1));
        Point::new(x, y).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(width: u16, height: u16, stacked: u8, zoom: Zoom) -> Geometry {
        Geometry::new(Rect::new(3, 2, width, height), (64, 64), stacked, zoom, (99, 5))
    }

    #[test]
    fn a_frame_is_64_by_32_characters_where_there_is_room() {
        let geometry = fit(80, 40, 2, Zoom::Fit);
        assert_eq!((geometry.area, geometry.step, geometry.origin), (Rect::new(3, 2, 64, 32), 1, (0, 0)));
        assert_eq!(geometry.point_at(3 + 63, 2 + 31, 1), Point::new(63, 63).ok());
        assert_eq!(geometry.point_at(3 + 64, 2, 0), None);
    }

    #[test]
    fn where_there_is_less_it_is_halved_or_scrolled() {
        let halved = fit(80, 20, 2, Zoom::Fit);
        assert_eq!((halved.area, halved.step), (Rect::new(3, 2, 32, 16), 2));
        assert_eq!(halved.point_at(4, 3, 1), Point::new(2, 6).ok());
        let cut = fit(40, 20, 2, Zoom::Cells);
        assert_eq!((cut.area, cut.origin), (Rect::new(3, 2, 40, 20), (24, 5)));
        assert_eq!(cut.point_at(3, 2, 0), Point::new(24, 5).ok());
        let letters = fit(80, 40, 1, Zoom::Fit);
        assert_eq!((letters.area, letters.step), (Rect::new(3, 2, 32, 32), 2));
    }
}
