//! Depthwise convolutions over rows of channels: two taps along a sequence, 3×3 taps over an image.

use super::{
    norm::{add_columns, add_products},
    simd,
};

/// Weights of the convolution along a sequence, a number a channel each.
#[derive(Clone, Debug)]
pub(crate) struct Taps {
    /// What the token before is multiplied with.
    pub(crate) before: Vec<f32>,
    /// What the token itself is multiplied with.
    pub(crate) now: Vec<f32>,
}

impl Taps {
    /// From a weight of shape [channels, 1, 2], the layout of the published nets.
    pub(crate) fn from_weight(weight: &[f32]) -> Taps {
        let tap = |which: usize| weight.chunks_exact(2).map(|taps| taps[which]).collect();
        Taps { before: tap(0), now: tap(1) }
    }

    /// Adds these to `weight`, of shape [channels, 1, 2].
    pub(crate) fn add_to(&self, weight: &mut [f32]) {
        for (into, (before, now)) in weight.chunks_exact_mut(2).zip(self.before.iter().zip(&self.now)) {
            into[0] += before;
            into[1] += now;
        }
    }

    /// All zero, for `channels`: where a gradient starts.
    pub(crate) fn zero(channels: usize) -> Taps {
        Taps { before: vec![0.0; channels], now: vec![0.0; channels] }
    }
}

/// `y[t] = before·x[t-1] + now·x[t] + bias` for some consecutive tokens of a sequence; `previous` is the token before
/// the first of them, if there is one.
pub(crate) fn sequence(previous: Option<&[f32]>, x: &[f32], taps: &Taps, bias: &[f32], y: &mut [f32]) {
    let width = bias.len();
    let zero = vec![0.0; if previous.is_none() { width } else { 0 }];
    simd(
        #[inline(always)]
        || {
            let mut last = previous.unwrap_or(&zero);
            for (x, y) in x.chunks_exact(width).zip(y.chunks_exact_mut(width)) {
                let weights = taps.before.iter().zip(&taps.now).zip(bias);
                for ((y, (x, last)), ((before, now), bias)) in y.iter_mut().zip(x.iter().zip(last)).zip(weights) {
                    *y = before * last + now * x + bias;
                }
                last = x;
            }
        },
    );
}

/// Gradient of [`sequence`] with respect to `x`: `now·g[t] + before·g[t+1]`; `next` is the gradient of the token after
/// the last of them, if there is one.
pub(crate) fn sequence_backward(grad: &[f32], next: Option<&[f32]>, taps: &Taps, to_x: &mut [f32]) {
    let width = taps.now.len();
    let zero = vec![0.0; if next.is_none() { width } else { 0 }];
    simd(
        #[inline(always)]
        || {
            let mut next = next.unwrap_or(&zero);
            for (grad, to_x) in grad.chunks_exact(width).zip(to_x.chunks_exact_mut(width)).rev() {
                let weights = taps.before.iter().zip(&taps.now);
                for ((to_x, (now_grad, next_grad)), (before, now)) in
                    to_x.iter_mut().zip(grad.iter().zip(next)).zip(weights)
                {
                    *to_x = now * now_grad + before * next_grad;
                }
                next = grad;
            }
        },
    );
}

/// Adds the gradient of [`sequence`] with respect to its weights; `previous` and `x` as there.
pub(crate) fn sequence_weights(previous: Option<&[f32]>, x: &[f32], grad: &[f32], taps: &mut Taps, bias: &mut [f32]) {
    let width = bias.len();
    add_products(&mut taps.now, x, grad);
    add_products(&mut taps.before, x, grad.get(width..).unwrap_or_default());
    if let Some(previous) = previous {
        add_products(&mut taps.before, previous, grad);
    }
    add_columns(bias, grad);
}

/// Taps of a 3×3 window.
pub(crate) const WINDOW: usize = 9;

/// An image: rows of columns of channels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Image {
    /// Rows.
    pub(crate) height: usize,
    /// Columns.
    pub(crate) width: usize,
    /// Numbers a pixel.
    pub(crate) channels: usize,
}

impl Image {
    /// Numbers in the image.
    pub(crate) fn len(self) -> usize {
        self.height * self.width * self.channels
    }

    /// The pixel that lies at `tap` (row-major in the window) seen from a pixel, or none beyond the border.
    #[inline(always)]
    fn seen(self, row: usize, column: usize, tap: usize) -> Option<usize> {
        let row = (row + tap / 3).checked_sub(1).filter(|row| *row < self.height)?;
        let column = (column + tap % 3).checked_sub(1).filter(|column| *column < self.width)?;
        Some((row * self.width + column) * self.channels)
    }
}

/// One row of pixels of the 3×3 convolution with zeros beyond the border: adds to `y` the products with `taps`, of
/// shape [9, channels].
pub(crate) fn image_row(image: Image, x: &[f32], taps: &[f32], row: usize, y: &mut [f32]) {
    let channels = image.channels;
    simd(
        #[inline(always)]
        || {
            for (column, y) in y.chunks_exact_mut(channels).enumerate() {
                for (tap, weight) in taps.chunks_exact(channels).enumerate() {
                    let Some(at) = image.seen(row, column, tap) else { continue };
                    let x = &x[at..at + channels];
                    for ((y, x), weight) in y.iter_mut().zip(x).zip(weight) {
                        *y += x * weight;
                    }
                }
            }
        },
    );
}

/// Adds to `taps` the gradient of [`image_row`] with respect to its weights.
pub(crate) fn image_row_weights(image: Image, x: &[f32], grad: &[f32], row: usize, taps: &mut [f32]) {
    let channels = image.channels;
    simd(
        #[inline(always)]
        || {
            for (column, grad) in grad.chunks_exact(channels).enumerate() {
                for (tap, weight) in taps.chunks_exact_mut(channels).enumerate() {
                    let Some(at) = image.seen(row, column, tap) else { continue };
                    let x = &x[at..at + channels];
                    for ((weight, x), grad) in weight.iter_mut().zip(x).zip(grad) {
                        *weight += x * grad;
                    }
                }
            }
        },
    );
}

/// Weights of shape [channels, 1, 3, 3], the published layout, as [9, channels].
pub(crate) fn taps_from_weight(weight: &[f32]) -> Vec<f32> {
    let channels = weight.len() / WINDOW;
    (0..weight.len()).map(|i| weight[i % channels * WINDOW + i / channels]).collect()
}

/// The reverse of [`taps_from_weight`].
pub(crate) fn weight_from_taps(taps: &[f32]) -> Vec<f32> {
    let channels = taps.len() / WINDOW;
    (0..taps.len()).map(|i| taps[i % WINDOW * channels + i / WINDOW]).collect()
}

/// The window turned by half a circle: what the gradient with respect to the image is convolved with.
pub(crate) fn turned(taps: &[f32]) -> Vec<f32> {
    let channels = taps.len() / WINDOW;
    taps.chunks_exact(channels).rev().flatten().copied().collect()
}
