//! How many actions a level allows, and the bar on the edge of the frame that shows it.

use env_client::{Color, Grid, Point, SIDE};

/// A step-limit bar. Every published game has one; it is drawn over the outermost cells of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Where it is.
    pub edge: Edge,
    /// Frame cells it is thick, 1 or 2.
    pub thickness: u8,
    /// The colour of what is left.
    pub full: Color,
    /// The colour of what is gone.
    pub empty: Color,
    /// What it counts.
    pub drain: Drain,
}

/// An edge of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Row 0; drains from the right.
    Top,
    /// Row 63; drains from the right.
    Bottom,
    /// Column 0; drains from the bottom.
    Left,
    /// Column 63; drains from the bottom.
    Right,
}

/// Which actions drain a bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drain {
    /// Every action, whether it did something or not.
    Every,
    /// Those that changed something.
    Effective,
}

/// What a person is expected to need where `optimal` actions suffice.
///
/// Exact search in the published games puts the optimum at a median 0.41 of the human count, so the baseline is
/// `optimal / 0.41`, rounded up.
pub fn baseline(optimal: u32) -> u32 {
    (optimal * 100).div_ceil(41)
}

/// The actions a level allows: three times its baseline, rounded up to 32 or to a multiple of 64, so that every
/// cell of the 64 cells long bar stands for the same number of actions (or every action for two cells).
pub fn step_limit(optimal: u32) -> u32 {
    match 3 * baseline(optimal) {
        0..=32 => 32,
        steps => steps.next_multiple_of(u32::from(SIDE)),
    }
}

impl Bar {
    /// Draws the bar with `left` of `limit` actions remaining, in colours already permuted.
    pub(crate) fn draw(self, frame: &mut Grid, left: u32, limit: u32, palette: &[Color; Color::COUNT]) {
        let side = usize::from(SIDE);
        let lit = (side as u32 * left).div_ceil(limit) as usize;
        let thickness = usize::from(self.thickness);
        let cells = frame.cells_mut();
        for along in 0..side {
            let color = palette[if along < lit { self.full } else { self.empty }.index()];
            for depth in 0..thickness {
                let (x, y) = match self.edge {
                    Edge::Top => (along, depth),
                    Edge::Bottom => (along, side - 1 - depth),
                    Edge::Left => (depth, along),
                    Edge::Right => (side - 1 - depth, along),
                };
                cells[y * side + x] = color;
            }
        }
    }

    /// Whether a cell of the frame belongs to the bar.
    pub(crate) fn covers(self, cell: Point) -> bool {
        let depth = match self.edge {
            Edge::Top => cell.y(),
            Edge::Bottom => SIDE - 1 - cell.y(),
            Edge::Left => cell.x(),
            Edge::Right => SIDE - 1 - cell.x(),
        };
        depth < self.thickness
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_leave_room_and_can_be_drawn() {
        assert_eq!([1, 4, 5, 9, 20].map(baseline), [3, 10, 13, 22, 49]);
        assert_eq!([1, 4, 5, 9, 20].map(step_limit), [32, 32, 64, 128, 192]);
    }

    #[test]
    fn a_bar_shows_what_is_left() {
        let (full, empty) = (Color::of(3), Color::of(4));
        let bar = Bar { edge: Edge::Right, thickness: 2, full, empty, drain: Drain::Every };
        let count = |left| {
            let mut frame = Grid::filled(SIDE, SIDE, Color::of(0));
            bar.draw(&mut frame, left, 128, &Color::ALL);
            assert!(frame.points().all(|cell| bar.covers(cell) == (frame[cell] != Color::of(0))));
            frame.cells().iter().filter(|color| **color == full).count()
        };
        assert_eq!([128, 127, 126, 2, 1, 0].map(count), [128, 128, 126, 2, 2, 0]);
    }
}
