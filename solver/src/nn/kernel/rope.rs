//! Rotary positions: pairs of channels turned by an angle of their position.

use super::simd;

/// Which way to turn: the gradient of a rotation is the rotation back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// By the angle.
    Forward,
    /// By its negative.
    Back,
}

/// Turns each head of `width` channels of one position, in place: channel `i` with channel `i + width/2`, by the angle
/// whose cosine and sine stand at `i`.
pub(crate) fn rotate(heads: &mut [f32], width: usize, cos: &[f32], sin: &[f32], turn: Turn) {
    let way = if turn == Turn::Forward { 1.0 } else { -1.0 };
    simd(
        #[inline(always)]
        || {
            for head in heads.chunks_exact_mut(width) {
                let (low, high) = head.split_at_mut(width / 2);
                for ((a, b), (cos, sin)) in low.iter_mut().zip(high).zip(cos.iter().zip(sin)) {
                    let sin = way * sin;
                    (*a, *b) = (*a * cos - *b * sin, *b * cos + *a * sin);
                }
            }
        },
    );
}
