//! Dense 3×3 convolutions with what usually follows them: a gain and a bias, which every image may have of its own.

use candle_core::{Result, Shape, Tensor};
use rayon::prelude::*;

use super::{
    custom::{Kernel, apply3, check, native},
    reference,
};
use crate::nn::kernel::{
    add,
    dense::{Dense, passed},
    norm::{add_columns, add_products},
};

/// How a [`film_conv`] is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilmConv {
    /// Pixels between neighbouring taps, at least 1.
    pub dilation: usize,
    /// Whether what is negative becomes zero.
    pub relu: bool,
}

/// A dense 3×3 convolution with zeros beyond the border (cross-correlation, as in PyTorch), times a gain, plus a bias;
/// images have gain and bias in common or in groups (feature-wise linear modulation, Perez et al. 2018).
///
/// # Shapes
/// `x`: [images, height, width, inputs]. `weight`: [3, 3, inputs, outputs]. `film`: [groups, 2 · outputs], the gains and
/// then the biases; the images are as many consecutive groups of equal size. Result: [images, height, width, outputs].
pub fn film_conv(x: &Tensor, weight: &Tensor, film: &Tensor, how: FilmConv) -> Result<Tensor> {
    let (images, height, width, inputs) = x.dims4()?;
    let (outputs, groups) = (weight.dim(3)?, film.dim(0)?);
    check(Conv::NAME, weight, (3, 3, inputs, outputs))?;
    check(Conv::NAME, film, (groups, 2 * outputs))?;
    if groups == 0 || images % groups != 0 || how.dilation == 0 {
        candle_core::bail!("{images} images in {groups} groups, dilation {}", how.dilation);
    }
    if !native(&[x, weight, film]) {
        return reference::film_conv(x, weight, film, how);
    }
    let dense = Dense { height, width, inputs, outputs, dilation: how.dilation };
    apply3(Conv { dense, images, relu: how.relu }, x, weight, film)
}

struct Conv {
    dense: Dense,
    images: usize,
    relu: bool,
}

/// Gradients of one image.
struct Part {
    weight: Vec<f32>,
    film: Vec<f32>,
}

impl Conv {
    /// The gains and biases of every image.
    fn films<'a>(&self, film: &'a [f32]) -> Vec<&'a [f32]> {
        let width = 2 * self.dense.outputs;
        let each = self.images * width / film.len();
        (0..self.images).map(|image| &film[image / each * width..][..width]).collect()
    }

    /// Gradients of one image, and into `to_x` that of its pixels.
    fn image(&self, x: &[f32], y: &[f32], grad: &[f32], (weight, film): (&[f32], &[f32]), to_x: &mut [f32]) -> Part {
        let (gain, _) = film.split_at(self.dense.outputs);
        let passed = self.passed(y, grad);
        let raw = self.dense.weights(&self.dense.pad(x), &passed);
        let turned = self.dense.turned();
        let scaled: Vec<f32> = passed.iter().zip(gain.iter().cycle()).map(|(grad, gain)| grad * gain).collect();
        turned.forward(&turned.pad(&scaled), &turned.lanes(&self.dense.turn(weight)), to_x);
        Part { film: self.film(&raw, weight, &passed), weight: scaled_columns(raw, gain) }
    }

    /// The gradient behind the rectifier.
    fn passed(&self, y: &[f32], grad: &[f32]) -> Vec<f32> {
        if !self.relu {
            return grad.to_vec();
        }
        passed(y, grad)
    }

    /// Gradients of gains and biases: a gain's is the product of the weights with their own gradient before the gain.
    fn film(&self, raw: &[f32], weight: &[f32], passed: &[f32]) -> Vec<f32> {
        let outputs = self.dense.outputs;
        let mut film = vec![0.0; 2 * outputs];
        let (gain, bias) = film.split_at_mut(outputs);
        add_products(gain, raw, weight);
        add_columns(bias, passed);
        film
    }
}

fn scaled_columns(mut values: Vec<f32>, gain: &[f32]) -> Vec<f32> {
    for (value, gain) in values.iter_mut().zip(gain.iter().cycle()) {
        *value *= gain;
    }
    values
}

impl Kernel<3> for Conv {
    const NAME: &'static str = "film-conv";

    fn shape(&self) -> Shape {
        Shape::from((self.images, self.dense.height, self.dense.width, self.dense.outputs))
    }

    fn forward(&self, [x, weight, film]: [&[f32]; 3]) -> Vec<f32> {
        let lanes = self.dense.lanes(weight);
        let mut y = vec![0.0; self.images * self.dense.output_len()];
        let images = x.par_chunks(self.dense.input_len()).zip(y.par_chunks_mut(self.dense.output_len()));
        images.zip(self.films(film)).for_each(|((x, y), film)| {
            self.dense.forward(&self.dense.pad(x), &lanes, y);
            finish(y, film, self.relu);
        });
        y
    }

    fn backward(&self, [x, weight, film]: [&[f32]; 3], result: &[f32], grad: &[f32]) -> [Vec<f32>; 3] {
        let (inputs, outputs) = (self.dense.input_len(), self.dense.output_len());
        let mut to_x = vec![0.0; x.len()];
        let after = result.par_chunks(outputs).zip(grad.par_chunks(outputs));
        let images = x.par_chunks(inputs).zip(after).zip(to_x.par_chunks_mut(inputs)).zip(self.films(film));
        let one = |(((x, (y, grad)), to_x), film)| self.image(x, y, grad, (weight, film), to_x);
        let parts: Vec<Part> = images.map(one).collect();
        let (mut to_weight, mut to_film) = (vec![0.0; weight.len()], vec![0.0; film.len()]);
        let each = self.images * 2 * self.dense.outputs / film.len();
        for (images, to_film) in parts.chunks(each).zip(to_film.chunks_exact_mut(2 * self.dense.outputs)) {
            for part in images {
                add(&mut to_weight, &part.weight);
                add(to_film, &part.film);
            }
        }
        [to_x, to_weight, to_film]
    }
}

/// Gain, bias and what follows them, in place.
fn finish(y: &mut [f32], film: &[f32], relu: bool) {
    let (gain, bias) = film.split_at(film.len() / 2);
    let least = if relu { 0.0 } else { f32::NEG_INFINITY };
    for y in y.chunks_exact_mut(gain.len()) {
        for ((y, gain), bias) in y.iter_mut().zip(gain).zip(bias) {
            let value = *y * gain + bias;
            // Written so that a NaN is passed on.
            *y = if value < least { least } else { value };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::ops::testing::{agree, draw};

    #[test]
    fn the_convolution_agrees_with_its_reference_and_with_differences() {
        for (groups, dilation, [inputs, outputs], relu) in
            [(1, 1, [1, 1], false), (2, 1, [3, 17], true), (4, 2, [9, 5], false), (2, 5, [16, 16], true)]
        {
            let inputs = [
                draw("x", (4, 5, 11, inputs)),
                draw("w", (3, 3, inputs, outputs)),
                draw("film", (groups, 2 * outputs)),
            ];
            let how = FilmConv { dilation, relu };
            let op = |x: &[Tensor]| film_conv(&x[0], &x[1], &x[2], how);
            agree(&inputs, op, |x| reference::film_conv(&x[0], &x[1], &x[2], how));
        }
    }

    #[test]
    fn groups_that_do_not_fit_the_images_are_refused() {
        let refused = film_conv(
            &draw("x", (3, 2, 2, 1)),
            &draw("w", (3, 3, 1, 1)),
            &draw("film", (2, 2)),
            FilmConv { dilation: 1, relu: true },
        );
        assert!(refused.unwrap_err().to_string().contains("3 images in 2 groups"));
    }
}
