//! Running sums.

use super::add;

/// Which end a running sum starts from: the gradient of one is the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// `y[t] = x[0] + … + x[t]`.
    Start,
    /// `y[t] = x[t] + … + x[last]`.
    End,
}

/// The rows of `width` numbers of one block become their running sums, in place.
pub(crate) fn cumsum(block: &mut [f32], width: usize, from: From) {
    let rows = block.len() / width;
    for step in 1..rows {
        let (done, next) = match from {
            From::Start => step_down(block, width, step),
            From::End => step_up(block, width, rows - 1 - step),
        };
        add(next, done);
    }
}

/// The row before `row`, and `row`.
fn step_down(block: &mut [f32], width: usize, row: usize) -> (&[f32], &mut [f32]) {
    let (before, rest) = block.split_at_mut(row * width);
    (&before[(row - 1) * width..], &mut rest[..width])
}

/// The row after `row`, and `row`.
fn step_up(block: &mut [f32], width: usize, row: usize) -> (&[f32], &mut [f32]) {
    let (rest, after) = block.split_at_mut((row + 1) * width);
    (&after[..width], &mut rest[row * width..])
}
