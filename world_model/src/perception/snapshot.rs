//! A frame small enough to keep with every state, and the key of the state under a mask.

use std::fmt;

use env_client::{Color, Grid, SIDE};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{InterfaceMask, mask::ROW_BYTES};

/// Names a state: equal for frames that differ only in their interface.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateKey(pub u64);

/// A frame with two cells a byte, every row padded to 64 cells: 2 KiB for a full frame.
#[derive(Clone, PartialEq, Eq)]
pub struct Snapshot {
    bytes: Box<[u8]>,
    width: u8,
}

impl Snapshot {
    /// Packs a frame.
    pub fn of(grid: &Grid) -> Snapshot {
        let mut bytes = vec![0u8; usize::from(grid.height()) * ROW_BYTES].into_boxed_slice();
        for (row, packed) in grid.rows().zip(bytes.chunks_exact_mut(ROW_BYTES)) {
            let pairs = row.chunks_exact(2);
            if let [last] = pairs.remainder() {
                packed[row.len() / 2] = u8::from(*last);
            }
            for (pair, byte) in pairs.zip(packed) {
                let wide = u16::from_le_bytes([u8::from(pair[0]), u8::from(pair[1])]);
                *byte = (wide | wide >> 4) as u8; // one narrowing of many lanes at once
            }
        }
        Snapshot { bytes, width: grid.width() }
    }

    /// The state's name when the cells of `mask` do not count: xxh3 of the other cells and the frame's width.
    pub fn key(&self, mask: &InterfaceMask) -> StateKey {
        let mut masked = [0u8; ROW_BYTES * SIDE as usize];
        for ((masked, byte), visible) in masked.iter_mut().zip(&self.bytes).zip(mask.visible()) {
            *masked = byte & visible;
        }
        StateKey(xxh3_64_with_seed(&masked[..self.bytes.len()], u64::from(self.width)))
    }

    /// The frame again.
    pub fn grid(&self) -> Grid {
        let mut grid = Grid::filled(self.width, (self.bytes.len() / ROW_BYTES) as u8, Color::default());
        let width = usize::from(self.width);
        for (row, packed) in grid.cells_mut().chunks_exact_mut(width).zip(self.bytes.chunks_exact(ROW_BYTES)) {
            for (x, cell) in row.iter_mut().enumerate() {
                *cell = Color::ALL[usize::from(packed[x / 2] >> (4 * (x % 2)) & 0x0f)];
            }
        }
        grid
    }
}

impl fmt::Debug for StateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StateKey({:016x})", self.0)
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Snapshot of {:?}", self.grid())
    }
}

#[cfg(test)]
mod tests {
    use env_client::Point;

    use super::*;

    fn snapshot(picture: &str) -> Snapshot {
        Snapshot::of(&picture.parse().unwrap())
    }

    #[test]
    fn packing_loses_nothing() {
        for picture in ["f", "123\n456", "0123456789abcdef"] {
            let grid: Grid = picture.parse().unwrap();
            assert_eq!(Snapshot::of(&grid).grid(), grid);
        }
    }

    #[test]
    fn hidden_cells_do_not_tell_states_apart_and_others_do() {
        let (full, ticked, moved) = (snapshot("120\n777"), snapshot("120\n770"), snapshot("102\n777"));
        let mut mask = InterfaceMask::new();
        assert_ne!(full.key(&mask), ticked.key(&mask));
        mask.hide(Point::new(2, 1).unwrap());
        assert_eq!(full.key(&mask), ticked.key(&mask));
        assert_ne!(full.key(&mask), moved.key(&mask));
    }

    #[test]
    fn padding_is_no_content() {
        assert_ne!(snapshot("10").key(&InterfaceMask::new()), snapshot("1").key(&InterfaceMask::new()));
    }
}
