//! Depthwise convolutions: every channel by itself.

use candle_core::{Result, Shape, Tensor};
use rayon::prelude::*;

use super::{
    custom::{Kernel, apply3, check, native},
    reference,
};
use crate::nn::kernel::{
    add,
    conv::{self, Image, Taps},
    norm::add_columns,
};

/// Two taps along the sequence: `y[t] = w₀·x[t-1] + w₁·x[t] + b`, with zero before the first token.
///
/// # Shapes
/// `x`: [batch, tokens, channels]. `weight`: [channels, 1, 2]. `bias`: [channels]. Result: like `x`.
pub fn conv1d(x: &Tensor, weight: &Tensor, bias: &Tensor) -> Result<Tensor> {
    if !native(&[x, weight, bias]) {
        return reference::conv1d(x, weight, bias);
    }
    let (batch, tokens, channels) = x.dims3()?;
    check(Sequence::NAME, weight, (channels, 1, 2))?;
    check(Sequence::NAME, bias, channels)?;
    apply3(Sequence { batch, tokens, channels }, x, weight, bias)
}

/// A 3×3 window over an image, with zeros beyond the border (cross-correlation, as in PyTorch).
///
/// # Shapes
/// `x`: [batch, height, width, channels]. `weight`: [channels, 1, 3, 3]. `bias`: [channels]. Result: like `x`.
pub fn conv2d(x: &Tensor, weight: &Tensor, bias: &Tensor) -> Result<Tensor> {
    if !native(&[x, weight, bias]) {
        return reference::conv2d(x, weight, bias);
    }
    let (batch, height, width, channels) = x.dims4()?;
    check(Window::NAME, weight, (channels, 1, 3, 3))?;
    check(Window::NAME, bias, channels)?;
    apply3(Window { batch, image: Image { height, width, channels } }, x, weight, bias)
}

pub(super) struct Sequence {
    pub(super) batch: usize,
    pub(super) tokens: usize,
    pub(super) channels: usize,
}

impl Sequence {
    /// Numbers in one sequence: what one task takes.
    fn len(&self) -> usize {
        self.tokens * self.channels
    }
}

impl Kernel<3> for Sequence {
    const NAME: &'static str = "conv1d";

    fn shape(&self) -> Shape {
        Shape::from((self.batch, self.tokens, self.channels))
    }

    fn forward(&self, [x, weight, bias]: [&[f32]; 3]) -> Vec<f32> {
        let taps = Taps::from_weight(weight);
        let mut y = vec![0.0; x.len()];
        let sequences = x.par_chunks(self.len()).zip(y.par_chunks_mut(self.len()));
        sequences.for_each(|(x, y)| conv::sequence(None, x, &taps, bias, y));
        y
    }

    fn backward(&self, [x, weight, _]: [&[f32]; 3], _result: &[f32], grad: &[f32]) -> [Vec<f32>; 3] {
        let taps = Taps::from_weight(weight);
        let mut to_x = vec![0.0; x.len()];
        let inputs = x.par_chunks(self.len()).zip(grad.par_chunks(self.len()));
        let sequence = |((x, grad), to_x): ((&[f32], &[f32]), &mut [f32])| {
            let (mut to_taps, mut to_bias) = (Taps::zero(self.channels), vec![0.0; self.channels]);
            conv::sequence_backward(grad, None, &taps, to_x);
            conv::sequence_weights(None, x, grad, &mut to_taps, &mut to_bias);
            (to_taps, to_bias)
        };
        let parts: Vec<(Taps, Vec<f32>)> = inputs.zip(to_x.par_chunks_mut(self.len())).map(sequence).collect();
        let (mut to_weight, mut to_bias) = (vec![0.0; weight.len()], vec![0.0; self.channels]);
        for (taps, bias) in &parts {
            taps.add_to(&mut to_weight);
            add(&mut to_bias, bias);
        }
        [to_x, to_weight, to_bias]
    }
}

struct Window {
    batch: usize,
    image: Image,
}

impl Window {
    /// Numbers in one row of pixels.
    fn row(&self) -> usize {
        self.image.width * self.image.channels
    }

    /// Convolves every image of `x`, adding to `y`: one task a row of pixels.
    fn convolve(&self, x: &[f32], taps: &[f32], y: &mut [f32]) {
        y.par_chunks_mut(self.row()).enumerate().for_each(|(i, y)| {
            let image = &x[i / self.image.height * self.image.len()..][..self.image.len()];
            conv::image_row(self.image, image, taps, i % self.image.height, y);
        });
    }

    /// Gradients of taps and bias of one image.
    fn weights(&self, x: &[f32], grad: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let channels = self.image.channels;
        let (mut taps, mut bias) = (vec![0.0; conv::WINDOW * channels], vec![0.0; channels]);
        for (row, grad) in grad.chunks_exact(self.row()).enumerate() {
            conv::image_row_weights(self.image, x, grad, row, &mut taps);
        }
        add_columns(&mut bias, grad);
        (taps, bias)
    }
}

impl Kernel<3> for Window {
    const NAME: &'static str = "conv2d";

    fn shape(&self) -> Shape {
        Shape::from((self.batch, self.image.height, self.image.width, self.image.channels))
    }

    fn forward(&self, [x, weight, bias]: [&[f32]; 3]) -> Vec<f32> {
        let mut y: Vec<f32> = bias.iter().copied().cycle().take(x.len()).collect();
        self.convolve(x, &conv::taps_from_weight(weight), &mut y);
        y
    }

    fn backward(&self, [x, weight, _]: [&[f32]; 3], _result: &[f32], grad: &[f32]) -> [Vec<f32>; 3] {
        let taps = conv::taps_from_weight(weight);
        let mut to_x = vec![0.0; x.len()];
        self.convolve(grad, &conv::turned(&taps), &mut to_x);
        let images = x.par_chunks(self.image.len()).zip(grad.par_chunks(self.image.len()));
        let parts: Vec<(Vec<f32>, Vec<f32>)> = images.map(|(x, grad)| self.weights(x, grad)).collect();
        let (mut to_taps, mut to_bias) = (vec![0.0; weight.len()], vec![0.0; self.image.channels]);
        for (taps, bias) in &parts {
            add(&mut to_taps, taps);
            add(&mut to_bias, bias);
        }
        [to_x, conv::weight_from_taps(&to_taps), to_bias]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::ops::testing::{agree, draw};

    #[test]
    fn conv1d_agrees_with_its_reference() {
        for (batch, tokens, channels) in [(2, 1, 3), (3, 6, 20)] {
            let x = [draw("x", (batch, tokens, channels)), draw("w", (channels, 1, 2)), draw("b", channels)];
            agree(&x, |x| conv1d(&x[0], &x[1], &x[2]), |x| reference::conv1d(&x[0], &x[1], &x[2]));
        }
    }

    #[test]
    fn conv2d_agrees_with_its_reference() {
        for (batch, height, width, channels) in [(2, 1, 1, 3), (1, 3, 5, 20), (2, 4, 2, 1)] {
            let x = [draw("x", (batch, height, width, channels)), draw("w", (channels, 1, 3, 3)), draw("b", channels)];
            agree(&x, |x| conv2d(&x[0], &x[1], &x[2]), |x| reference::conv2d(&x[0], &x[1], &x[2]));
        }
    }
}
