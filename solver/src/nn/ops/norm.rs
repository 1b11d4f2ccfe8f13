//! RMS norm and layer norm over the last dimension.

use candle_core::{Result, Shape, Tensor};
use rayon::prelude::*;

use super::{
    custom::{Kernel, apply1, apply2, apply3, check, native},
    reference,
};
use crate::nn::kernel::{add, norm, rows_per_task};

/// `x / sqrt(mean(x²) + eps)` over the last dimension.
///
/// # Shapes
/// `x`: [.., width]. Result: the same.
pub fn rms_norm(x: &Tensor, eps: f64) -> Result<Tensor> {
    if native(&[x]) { apply1(Rms::of(x, eps), x) } else { reference::rms_norm(x, eps) }
}

/// [`rms_norm`] of `x + y`, the end of a post-norm sublayer.
///
/// # Shapes
/// `x`, `y`: [.., width]. Result: the same.
pub fn add_rms_norm(x: &Tensor, y: &Tensor, eps: f64) -> Result<Tensor> {
    if !native(&[x, y]) {
        return reference::add_rms_norm(x, y, eps);
    }
    check("add-rms-norm", y, x.shape())?;
    apply2(Rms::of(x, eps), x, y)
}

/// [`rms_norm`] times a learned `gain`.
///
/// # Shapes
/// `x`: [.., width]. `gain`: [width]. Result: like `x`.
pub fn gain_rms_norm(x: &Tensor, gain: &Tensor, eps: f64) -> Result<Tensor> {
    if !native(&[x, gain]) {
        return reference::gain_rms_norm(x, gain, eps);
    }
    let rms = Rms::of(x, eps);
    check(GainRms::NAME, gain, rms.width)?;
    apply2(GainRms(rms), x, gain)
}

/// Layer norm with a learned `gain` and `bias`: `gain·(x - mean)/sqrt(variance + eps) + bias` over the last dimension.
///
/// # Shapes
/// `x`: [.., width]. `gain`, `bias`: [width]. Result: like `x`.
pub fn layer_norm(x: &Tensor, gain: &Tensor, bias: &Tensor, eps: f64) -> Result<Tensor> {
    if !native(&[x, gain, bias]) {
        return reference::layer_norm(x, gain, bias, eps);
    }
    let rms = Rms::of(x, eps);
    for learned in [gain, bias] {
        check(Layer::NAME, learned, rms.width)?;
    }
    apply3(Layer(rms), x, gain, bias)
}

/// What all norms know.
struct Rms {
    shape: Shape,
    width: usize,
    eps: f32,
}

impl Rms {
    fn of(x: &Tensor, eps: f64) -> Rms {
        let width = x.dims().last().copied().unwrap_or(1);
        Rms { shape: x.shape().clone(), width, eps: eps as f32 }
    }

    /// Numbers in the rows of one task.
    fn task(&self) -> usize {
        rows_per_task(self.width) * self.width
    }

    /// Runs a norm's kernel over all rows, from `x` to a new slice.
    fn map(&self, x: &[f32], norm: impl Fn(&[f32], &mut [f32], usize, f32) + Sync) -> Vec<f32> {
        let mut y = vec![0.0; x.len()];
        let tasks = x.par_chunks(self.task()).zip(y.par_chunks_mut(self.task()));
        tasks.for_each(|(x, y)| norm(x, y, self.width, self.eps));
        y
    }

    /// Runs a norm's backward kernel over all rows of `grad`.
    fn pull(&self, x: &[f32], grad: &mut [f32], norm: impl Fn(&[f32], &mut [f32], usize, f32) + Sync) {
        let tasks = x.par_chunks(self.task()).zip(grad.par_chunks_mut(self.task()));
        tasks.for_each(|(x, grad)| norm(x, grad, self.width, self.eps));
    }

    /// Sums over all rows, in the order of the rows: `part` adds those of a few.
    fn columns(&self, a: &[f32], b: &[f32], part: impl Fn(&mut [f32], &[f32], &[f32]) + Sync) -> Vec<f32> {
        let task = |(a, b): (&[f32], &[f32])| {
            let mut sums = vec![0.0; self.width];
            part(&mut sums, a, b);
            sums
        };
        let parts: Vec<Vec<f32>> = a.par_chunks(self.task()).zip(b.par_chunks(self.task())).map(task).collect();
        let mut sums = vec![0.0; self.width];
        for part in &parts {
            add(&mut sums, part);
        }
        sums
    }

    /// The gradient with respect to the normed values, from that of their product with `gain`.
    fn scaled(&self, grad: &[f32], gain: &[f32]) -> Vec<f32> {
        let mut scaled = grad.to_vec();
        scaled.par_chunks_mut(self.task()).for_each(|rows| norm::affine(rows, gain, None));
        scaled
    }
}

impl Kernel<1> for Rms {
    const NAME: &'static str = "rms-norm";

    fn shape(&self) -> Shape {
        self.shape.clone()
    }

    fn forward(&self, [x]: [&[f32]; 1]) -> Vec<f32> {
        self.map(x, norm::rms)
    }

    fn backward(&self, [x]: [&[f32]; 1], _result: &[f32], grad: &[f32]) -> [Vec<f32>; 1] {
        let mut grad = grad.to_vec();
        self.pull(x, &mut grad, norm::rms_backward);
        [grad]
    }
}

impl Kernel<2> for Rms {
    const NAME: &'static str = "add-rms-norm";

    fn shape(&self) -> Shape {
        self.shape.clone()
    }

    fn forward(&self, [x, y]: [&[f32]; 2]) -> Vec<f32> {
        let sum = self.sum(x, y);
        self.map(&sum, norm::rms)
    }

    fn backward(&self, [x, y]: [&[f32]; 2], _result: &[f32], grad: &[f32]) -> [Vec<f32>; 2] {
        let mut grad = grad.to_vec();
        self.pull(&self.sum(x, y), &mut grad, norm::rms_backward);
        [grad.clone(), grad]
    }
}

impl Rms {
    fn sum(&self, x: &[f32], y: &[f32]) -> Vec<f32> {
        let mut sum = x.to_vec();
        sum.par_chunks_mut(self.task()).zip(y.par_chunks(self.task())).for_each(|(sum, y)| add(sum, y));
        sum
    }
}

struct GainRms(Rms);

impl Kernel<2> for GainRms {
    const NAME: &'static str = "gain-rms-norm";

    fn shape(&self) -> Shape {
        self.0.shape.clone()
    }

    fn forward(&self, [x, gain]: [&[f32]; 2]) -> Vec<f32> {
        self.0.map(x, |x, y, width, eps| {
            norm::rms(x, y, width, eps);
            norm::affine(y, gain, None);
        })
    }

    fn backward(&self, [x, gain]: [&[f32]; 2], _result: &[f32], grad: &[f32]) -> [Vec<f32>; 2] {
        let normed = self.0.map(x, norm::rms);
        let to_gain = self.0.columns(&normed, grad, norm::add_products);
        let mut to_x = self.0.scaled(grad, gain);
        self.0.pull(x, &mut to_x, norm::rms_backward);
        [to_x, to_gain]
    }
}

struct Layer(Rms);

impl Kernel<3> for Layer {
    const NAME: &'static str = "layer-norm";

    fn shape(&self) -> Shape {
        self.0.shape.clone()
    }

    fn forward(&self, [x, gain, bias]: [&[f32]; 3]) -> Vec<f32> {
        self.0.map(x, |x, y, width, eps| {
            norm::layer(x, y, width, eps);
            norm::affine(y, gain, Some(bias));
        })
    }

    fn backward(&self, [x, gain, _bias]: [&[f32]; 3], _result: &[f32], grad: &[f32]) -> [Vec<f32>; 3] {
        let normed = self.0.map(x, norm::layer);
        let to_gain = self.0.columns(&normed, grad, norm::add_products);
        let to_bias = self.0.columns(grad, grad, |sums, grad, _| norm::add_columns(sums, grad));
        let mut to_x = self.0.scaled(grad, gain);
        self.0.pull(x, &mut to_x, norm::layer_backward);
        [to_x, to_gain, to_bias]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::ops::testing::{agree, draw};

    /// Rows shorter and longer than the lanes, and more of them than one task takes.
    const SHAPES: [(usize, usize, usize); 3] = [(2, 3, 5), (1, 2, 48), (3, 50, 200)];

    #[test]
    fn rms_norms_agree_with_their_references() {
        for shape in SHAPES {
            let x = [draw("x", shape), draw("y", shape), draw("gain", shape.2)];
            agree(&x[..1], |x| rms_norm(&x[0], 1e-5), |x| reference::rms_norm(&x[0], 1e-5));
            agree(&x[..2], |x| add_rms_norm(&x[0], &x[1], 1e-5), |x| reference::add_rms_norm(&x[0], &x[1], 1e-5));
            let gain = [x[0].clone(), x[2].clone()];
            agree(&gain, |x| gain_rms_norm(&x[0], &x[1], 1e-6), |x| reference::gain_rms_norm(&x[0], &x[1], 1e-6));
        }
    }

    #[test]
    fn layer_norm_agrees_with_its_reference() {
        for shape in SHAPES {
            let x = [draw("x", shape), draw("gain", shape.2), draw("bias", shape.2)];
            agree(&x, |x| layer_norm(&x[0], &x[1], &x[2], 1e-5), |x| reference::layer_norm(&x[0], &x[1], &x[2], 1e-5));
        }
    }

    #[test]
    fn the_rms_of_three_and_four() {
        // sqrt((9 + 16) / 2) = 3.535534.
        let x = Tensor::new(&[3f32, 4.0], &candle_core::Device::Cpu).unwrap();
        let y = rms_norm(&x, 0.0).unwrap().to_vec1::<f32>().unwrap();
        assert!((y[0] - 0.848_528_1).abs() < 1e-6 && (y[1] - 1.131_370_9).abs() < 1e-6, "{y:?}");
    }
}
