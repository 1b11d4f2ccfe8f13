//! What one step changed, cell by cell.

use env_client::{Color, Command, Grid, Point};

use super::patches::Patch;
use crate::perception::Bounds;

/// How far from an edge a bar or counter may lie, in cells: an eighth of the frame.
pub(super) const RIM: u8 = 8;

/// A changed cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) at: Point,
    pub(super) from: Color,
    pub(super) to: Color,
}

/// The changed cells of one step and the command that led to them.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) cells: Vec<Cell>,
    pub(super) width: u8,
    pub(super) height: u8,
    /// What lies within the border of one colour around the frame, if there is one.
    pub(super) content: Bounds,
    /// The cells gathered by what they went from and to.
    pub(super) patches: Vec<Patch>,
    /// The patch of each cell.
    owners: Vec<u16>,
    command: Command,
}

impl Change {
    /// `None` when the frames differ in size.
    pub(super) fn between(before: &Grid, command: Command, after: &Grid) -> Option<Change> {
        let (width, height) = (after.width(), after.height());
        if (before.width(), before.height()) != (width, height) {
            return None;
        }
        let mut cells = Vec::new();
        for (y, (old, new)) in before.rows().zip(after.rows()).enumerate().filter(|(_, (old, new))| old != new) {
            for (x, (from, to)) in old.iter().zip(new).enumerate().filter(|(_, (from, to))| from != to) {
                let at = Point::new(x as i64, y as i64).unwrap_or_default();
                cells.push(Cell { at, from: *from, to: *to });
            }
        }
        let (patches, owners) = Patch::gather(&cells);
        Some(Change { cells, width, height, content: content(before), patches, owners, command })
    }

    /// The cells that changed in place: not left or entered by something that moved.
    pub(super) fn in_place(&self) -> impl Iterator<Item = Cell> {
        let patches = self.owners.iter().map(|owner| self.patches[usize::from(*owner)]);
        self.cells.iter().zip(patches).filter(|(_, patch)| !patch.moved).map(|(cell, _)| *cell)
    }

    /// The cells of what changed within `margin` cells of the click that caused it.
    pub(super) fn near_click(&self, margin: u8) -> impl Iterator<Item = Cell> {
        let patches = self.owners.iter().map(|owner| self.patches[usize::from(*owner)]);
        let near = self.cells.iter().zip(patches).filter(move |(_, patch)| self.clicked_near(patch.bounds, margin));
        near.map(|(cell, _)| *cell)
    }

    /// One bit for the command, so that distinct commands can be counted. Clicks share 56 bits by their place.
    pub(super) fn command_bit(&self) -> u64 {
        match self.click() {
            Some(point) => 1 << (8 + (usize::from(point.x()) * 31 + usize::from(point.y()) * 17) % 56),
            None => 1 << self.command.number(),
        }
    }

    pub(super) fn click(&self) -> Option<Point> {
        match self.command {
            Command::Act(action) => action.point(),
            Command::Reset => None,
        }
    }

    /// Whether the click that caused it fell within `margin` cells of these bounds.
    pub(super) fn clicked_near(&self, bounds: Bounds, margin: u8) -> bool {
        self.click().is_some_and(|point| {
            let near =
                |low: u8, at: u8, high: u8| low <= at.saturating_add(margin) && at <= high.saturating_add(margin);
            near(bounds.left, point.x(), bounds.right) && near(bounds.top, point.y(), bounds.bottom)
        })
    }

    /// How far a cell lies from the nearest edge, 0 on it.
    pub(super) fn depth(&self, at: Point) -> u8 {
        depth(at, self.width, self.height)
    }
}

/// Whether the point lies within `margin` cells of an edge of the frame.
pub(super) fn near_rim(at: Point, grid: &Grid, margin: u8) -> bool {
    depth(at, grid.width(), grid.height()) < margin
}

/// The bounds of what has another colour than the first corner; the whole frame where there is nothing.
fn content(frame: &Grid) -> Bounds {
    let corner = frame[Point::default()];
    let mut bounds: Option<Bounds> = None;
    for (y, row) in frame.rows().enumerate() {
        let Some(left) = row.iter().position(|color| *color != corner) else { continue };
        let right = row.iter().rposition(|color| *color != corner).unwrap_or(left);
        let line = Bounds { left: left as u8, top: y as u8, right: right as u8, bottom: y as u8 };
        bounds = Some(bounds.map_or(line, |it| it.union(line)));
    }
    bounds.unwrap_or(Bounds { left: 0, top: 0, right: frame.width() - 1, bottom: frame.height() - 1 })
}

fn depth(at: Point, width: u8, height: u8) -> u8 {
    at.x().min(at.y()).min(width - 1 - at.x()).min(height - 1 - at.y())
}
