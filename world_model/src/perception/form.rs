//! What a set of cells looks like, as numbers: equal for equal forms and (up to a hash collision) for no others.
//!
//! Each cell of a rectangle has a random number; a form is the sum over its cells, mixed with the size of its bounds.
//! Sums along rows and columns are tabulated, so that a run of cells costs two look-ups whichever way it is turned, and
//! a form is known in all eight poses at once. 64 bits make a collision within one play a matter of one in 10¹².

use env_client::SIDE;

use super::{Bounds, Symmetry};

const SIDE_CELLS: usize = SIDE as usize;

/// For each row (or column) the sums of its first 0, 1, … 64 cells.
type Sums = [[u64; SIDE_CELLS + 1]; SIDE_CELLS];

static ROWS: Sums = sums(false);
static COLUMNS: Sums = sums(true);

#[expect(clippy::large_stack_arrays, reason = "evaluated by the compiler into a static")]
const fn sums(transposed: bool) -> Sums {
    let mut sums = [[0u64; SIDE_CELLS + 1]; SIDE_CELLS];
    let mut line = 0;
    while line < SIDE_CELLS {
        let mut along = 0;
        while along < SIDE_CELLS {
            let cell = if transposed { along * SIDE_CELLS + line } else { line * SIDE_CELLS + along };
            sums[line][along + 1] = sums[line][along].wrapping_add(mix(cell as u64 + 1));
            along += 1;
        }
        line += 1;
    }
    sums
}

/// The output function of `SplitMix64` (Steele, Lea and Flood, 2014).
pub(super) const fn mix(seed: u64) -> u64 {
    let mut value = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// A form in the making, in every pose at once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Form {
    sums: [u64; Symmetry::ALL.len()],
}

/// What is known of a finished form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Forms {
    /// As it lies.
    pub(super) shape: u64,
    /// The smallest of its eight poses.
    pub(super) form: u64,
    /// What turns it into that pose.
    pub(super) pose: Symmetry,
}

impl Form {
    /// Adds the cells `left..=right` of row `y`, all within `bounds`, each weighed by `weight` (which tells colours
    /// apart where that matters; 1 where not).
    pub(super) fn add(&mut self, bounds: Bounds, y: u8, (left, right): (u8, u8), weight: u64) {
        let (width, height) = (usize::from(bounds.width()), usize::from(bounds.height()));
        let y = usize::from(y - bounds.top);
        let (left, right) = (usize::from(left - bounds.left), usize::from(right - bounds.left));
        let rows = [y, height - 1 - y];
        let spans = [(left, right + 1), (width - 1 - right, width - left)];
        for pose in Symmetry::ALL {
            let flips = (usize::from(pose.flips_x()), usize::from(pose.flips_y()));
            let (table, line, (from, to)) = if pose.transposes() {
                (&COLUMNS, rows[flips.0], spans[flips.1])
            } else {
                (&ROWS, rows[flips.1], spans[flips.0])
            };
            let sum = table[line][to].wrapping_sub(table[line][from]).wrapping_mul(weight);
            self.sums[pose as usize] = self.sums[pose as usize].wrapping_add(sum);
        }
    }

    pub(super) fn finish(&self, bounds: Bounds) -> Forms {
        let key = |pose: Symmetry| {
            let (width, height) = pose.size(bounds.width(), bounds.height());
            mix(self.sums[pose as usize] ^ (u64::from(width) << 8 | u64::from(height)))
        };
        let shape = key(Symmetry::Identity);
        let mut best = Forms { shape, form: shape, pose: Symmetry::Identity };
        for pose in Symmetry::ALL {
            let form = key(pose);
            if form < best.form {
                best = Forms { shape, form, pose };
            }
        }
        best
    }
}
