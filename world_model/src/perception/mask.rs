//! The cells of a frame that are interface.

use std::fmt;

use env_client::{Point, SIDE};

use super::Bounds;

/// Bytes of a packed row: two cells a byte.
pub(crate) const ROW_BYTES: usize = SIDE as usize / 2;
const BYTES: usize = ROW_BYTES * SIDE as usize;

/// A set of cells that say nothing about the state of the world. It only grows while a level lasts.
#[derive(Clone, PartialEq, Eq)]
pub struct InterfaceMask {
    /// One nibble a cell in the layout of a packed frame: `0xf` shows the cell, `0` hides it.
    visible: Box<[u8; BYTES]>,
    hidden: u16,
}

impl InterfaceMask {
    /// Hides nothing.
    pub fn new() -> InterfaceMask {
        InterfaceMask { visible: Box::new([0xff; BYTES]), hidden: 0 }
    }

    /// Hides a cell; whether it was visible before.
    pub fn hide(&mut self, point: Point) -> bool {
        let was_visible = !self.hides(point);
        let (byte, nibble) = place(point);
        self.visible[byte] &= !nibble;
        self.hidden += u16::from(was_visible);
        was_visible
    }

    /// Hides every cell of a rectangle.
    pub fn hide_all(&mut self, bounds: Bounds) {
        for point in bounds.points() {
            self.hide(point);
        }
    }

    /// Shows every cell of a rectangle again.
    pub fn show_all(&mut self, bounds: Bounds) {
        for point in bounds.points() {
            if self.hides(point) {
                let (byte, nibble) = place(point);
                self.visible[byte] |= nibble;
                self.hidden -= 1;
            }
        }
    }

    /// Whether the cell is hidden.
    pub fn hides(&self, point: Point) -> bool {
        let (byte, nibble) = place(point);
        self.visible[byte] & nibble == 0
    }

    /// How many cells are hidden.
    pub const fn len(&self) -> usize {
        self.hidden as usize
    }

    /// Whether no cell is hidden.
    pub const fn is_empty(&self) -> bool {
        self.hidden == 0
    }

    pub(crate) fn visible(&self) -> &[u8] {
        self.visible.as_slice()
    }
}

/// The byte of a packed frame that holds a cell, and the cell's half of it.
pub(crate) fn place(point: Point) -> (usize, u8) {
    let byte = usize::from(point.y()) * ROW_BYTES + usize::from(point.x() / 2);
    (byte, if point.x().is_multiple_of(2) { 0x0f } else { 0xf0 })
}

impl Default for InterfaceMask {
    fn default() -> Self {
        InterfaceMask::new()
    }
}

impl fmt::Debug for InterfaceMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InterfaceMask({} cells)", self.hidden)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_hidden_once_and_alone() {
        let mut mask = InterfaceMask::new();
        let (cell, neighbour) = (Point::new(6, 3).unwrap(), Point::new(7, 3).unwrap());
        assert!(mask.hide(cell));
        assert!(!mask.hide(cell), "a second time changes nothing");
        assert!(mask.hides(cell) && !mask.hides(neighbour));
        assert_eq!(mask.len(), 1);
        mask.show_all(Bounds { left: 5, top: 3, right: 7, bottom: 3 });
        assert_eq!(mask, InterfaceMask::new());
    }
}
