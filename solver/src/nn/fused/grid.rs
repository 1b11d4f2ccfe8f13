//! The 3×3 convolution over the cells of a sequence; its prefix passes by.

use rayon::prelude::*;

use super::{forward::room, weights::WeightGradients};
use crate::nn::kernel::{
    add,
    conv::{self, Image, WINDOW},
    norm::add_columns,
};

/// Where the cells of a sequence lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::nn) struct Grid {
    /// Positions before the cells.
    pub(in crate::nn) prefix: usize,
    /// Rows of cells.
    pub(in crate::nn) height: usize,
    /// Cells of a row.
    pub(in crate::nn) width: usize,
}

impl Grid {
    fn image(self, channels: usize) -> Image {
        Image { height: self.height, width: self.width, channels }
    }

    /// Numbers of one sequence.
    fn len(self, channels: usize) -> usize {
        (self.prefix + self.height * self.width) * channels
    }

    /// The gradient of `x` from that of the result.
    pub(super) fn backward(self, grad: &[f32], taps: &[f32], to: &mut Vec<f32>) {
        let channels = taps.len() / WINDOW;
        self.forward(grad, &conv::turned(taps), &vec![0.0; channels], to);
    }

    /// Every cell mixed with its neighbours, plus the bias: `[T, F]` to the same.
    pub(super) fn forward(self, x: &[f32], taps: &[f32], bias: &[f32], y: &mut Vec<f32>) {
        let (channels, image) = (bias.len(), self.image(bias.len()));
        let len = self.len(channels);
        let sequences = x.par_chunks(len).zip(room(y, x.len()).par_chunks_mut(len));
        sequences.for_each(|(x, y)| {
            let (before, cells) = x.split_at(self.prefix * channels);
            let (passed, mixed) = y.split_at_mut(before.len());
            passed.copy_from_slice(before);
            for (row, mixed) in mixed.chunks_exact_mut(self.width * channels).enumerate() {
                mixed.chunks_exact_mut(channels).for_each(|cell| cell.copy_from_slice(bias));
                conv::image_row(image, cells, taps, row, mixed);
            }
        });
    }

    /// Adds the gradients of taps and bias, sequences in their order.
    pub(super) fn weights(self, x: &[f32], grad: &[f32], into: &mut WeightGradients<'_>) {
        let len = self.len(into.bias.len());
        let sequences = x.par_chunks(len).zip(grad.par_chunks(len));
        let parts: Vec<[Vec<f32>; 2]> = sequences.map(|(x, grad)| self.sequence(x, grad, into.bias.len())).collect();
        for [taps, bias] in &parts {
            add(into.taps, &conv::weight_from_taps(taps));
            add(into.bias, bias);
        }
    }

    fn sequence(self, x: &[f32], grad: &[f32], channels: usize) -> [Vec<f32>; 2] {
        let start = self.prefix * channels;
        let (mut taps, mut bias) = (vec![0.0; WINDOW * channels], vec![0.0; channels]);
        for (row, grad) in grad[start..].chunks_exact(self.width * channels).enumerate() {
            conv::image_row_weights(self.image(channels), &x[start..], grad, row, &mut taps);
            add_columns(&mut bias, grad);
        }
        [taps, bias]
    }
}
