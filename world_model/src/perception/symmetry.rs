//! The eight ways to lay a rectangle on itself.

use std::fmt;

use env_client::Grid;

/// A rotation or reflection of the square grid: an optional transposition, then optional flips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Symmetry {
    /// Nothing is turned.
    #[default]
    Identity = 0b000,
    /// Left and right change places.
    FlipX = 0b001,
    /// Top and bottom change places.
    FlipY = 0b010,
    /// Half a turn.
    Half = 0b011,
    /// Rows become columns.
    Transpose = 0b100,
    /// A quarter turn clockwise.
    Clockwise = 0b101,
    /// A quarter turn counter-clockwise.
    Counterclockwise = 0b110,
    /// The reflection in the other diagonal.
    Antitranspose = 0b111,
}

impl Symmetry {
    /// All eight; the number of each is its place.
    pub const ALL: [Symmetry; 8] = {
        use Symmetry::{Antitranspose, Clockwise, Counterclockwise, FlipX, FlipY, Half, Identity, Transpose};
        [Identity, FlipX, FlipY, Half, Transpose, Clockwise, Counterclockwise, Antitranspose]
    };

    const fn of(transposes: bool, flips_x: bool, flips_y: bool) -> Symmetry {
        Self::ALL[(transposes as usize) << 2 | (flips_y as usize) << 1 | flips_x as usize]
    }

    /// Whether rows become columns, so that width and height change places.
    pub const fn transposes(self) -> bool {
        self as u8 & 0b100 != 0
    }

    /// Whether left and right change places, after a transposition.
    pub(super) const fn flips_x(self) -> bool {
        self as u8 & 0b001 != 0
    }

    /// Whether top and bottom change places, after a transposition.
    pub(super) const fn flips_y(self) -> bool {
        self as u8 & 0b010 != 0
    }

    /// Width and height of what was `width` by `height`.
    pub const fn size(self, width: u8, height: u8) -> (u8, u8) {
        if self.transposes() { (height, width) } else { (width, height) }
    }

    /// Where the cell at column `x`, row `y` of a rectangle `width` by `height` comes to lie.
    pub const fn apply(self, (x, y): (u8, u8), (width, height): (u8, u8)) -> (u8, u8) {
        let (width, height) = self.size(width, height);
        let (x, y) = if self.transposes() { (y, x) } else { (x, y) };
        (if self.flips_x() { width - 1 - x } else { x }, if self.flips_y() { height - 1 - y } else { y })
    }

    /// The frame, turned.
    pub fn turn(self, grid: &Grid) -> Grid {
        let size = (grid.width(), grid.height());
        let (width, height) = self.size(size.0, size.1);
        let mut turned = Grid::filled(width, height, grid.cells()[0]);
        for (point, color) in grid.points().zip(grid.cells()) {
            let (x, y) = self.apply((point.x(), point.y()), size);
            turned.cells_mut()[usize::from(y) * usize::from(width) + usize::from(x)] = *color;
        }
        turned
    }

    /// This one first, then the other.
    pub const fn then(self, next: Symmetry) -> Symmetry {
        let (x, y) =
            if next.transposes() { (self.flips_y(), self.flips_x()) } else { (self.flips_x(), self.flips_y()) };
        Symmetry::of(self.transposes() != next.transposes(), x != next.flips_x(), y != next.flips_y())
    }

    /// The one that undoes it.
    pub const fn inverse(self) -> Symmetry {
        if self.transposes() { Symmetry::of(true, self.flips_y(), self.flips_x()) } else { self }
    }
}

/// As a sentence says it: "turned …".
impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Symmetry::Identity => "not at all",
            Symmetry::FlipX => "left to right",
            Symmetry::FlipY => "upside down",
            Symmetry::Half => "half round",
            Symmetry::Transpose => "over the main diagonal",
            Symmetry::Clockwise => "clockwise",
            Symmetry::Counterclockwise => "counter-clockwise",
            Symmetry::Antitranspose => "over the other diagonal",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (u8, u8) = (5, 3);

    #[test]
    fn a_frame_is_turned_cell_by_cell() {
        let grid: Grid = "123\n456".parse().unwrap();
        assert_eq!(Symmetry::Clockwise.turn(&grid), "41\n52\n63".parse().unwrap());
        assert_eq!(Symmetry::FlipX.turn(&grid), "321\n654".parse().unwrap());
    }

    #[test]
    fn a_quarter_turn_takes_the_top_row_to_the_right() {
        assert_eq!(Symmetry::Clockwise.apply((0, 0), SIZE), (2, 0));
        assert_eq!(Symmetry::Clockwise.apply((4, 0), SIZE), (2, 4));
        assert_eq!(Symmetry::Counterclockwise.apply((0, 0), SIZE), (0, 4));
    }

    #[test]
    fn they_are_a_group_that_acts_on_cells() {
        let cells = || (0..5).flat_map(|x| (0..3).map(move |y| (x, y)));
        for first in Symmetry::ALL {
            assert_eq!(first.then(first.inverse()), Symmetry::Identity);
            for second in Symmetry::ALL {
                let size = first.size(SIZE.0, SIZE.1);
                for cell in cells() {
                    let in_turn = second.apply(first.apply(cell, SIZE), size);
                    assert_eq!(first.then(second).apply(cell, SIZE), in_turn, "{first:?} then {second:?}");
                }
            }
        }
    }
}
