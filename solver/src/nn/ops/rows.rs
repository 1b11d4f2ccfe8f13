//! Softmax, and running sums.

use candle_core::{D, Result, Shape, Tensor};
use rayon::prelude::*;

use super::{
    custom::{Kernel, apply1, native},
    reference,
};
use crate::nn::kernel::{
    rows_per_task,
    scan::{From, cumsum as running},
    softmax as kernel,
};

/// Softmax over the last dimension.
///
/// # Shapes
/// `x`: [.., width]. Result: the same.
pub fn softmax(x: &Tensor) -> Result<Tensor> {
    if !native(&[x]) {
        return reference::softmax(x);
    }
    apply1(Softmax { shape: x.shape().clone(), width: x.dim(D::Minus1)? }, x)
}

/// Running sums along dimension `dim`: `y[t] = x[0] + … + x[t]`.
///
/// # Shapes
/// `x`: any. Result: the same.
pub fn cumsum(x: &Tensor, dim: usize) -> Result<Tensor> {
    if !native(&[x]) {
        return reference::cumsum(x, dim);
    }
    let (steps, width) = (x.dim(dim)?, x.dims()[dim + 1..].iter().product());
    apply1(Cumsum { shape: x.shape().clone(), steps, width }, x)
}

struct Softmax {
    shape: Shape,
    width: usize,
}

impl Kernel<1> for Softmax {
    const NAME: &'static str = "softmax";

    fn shape(&self) -> Shape {
        self.shape.clone()
    }

    fn forward(&self, [x]: [&[f32]; 1]) -> Vec<f32> {
        let mut y = x.to_vec();
        let task = rows_per_task(self.width) * self.width;
        y.par_chunks_mut(task).for_each(|rows| kernel::forward(rows, self.width));
        y
    }

    fn backward(&self, _inputs: [&[f32]; 1], result: &[f32], grad: &[f32]) -> [Vec<f32>; 1] {
        let mut grad = grad.to_vec();
        let task = rows_per_task(self.width) * self.width;
        let tasks = result.par_chunks(task).zip(grad.par_chunks_mut(task));
        tasks.for_each(|(y, grad)| kernel::backward(y, grad, self.width));
        [grad]
    }
}

struct Cumsum {
    shape: Shape,
    steps: usize,
    width: usize,
}

impl Cumsum {
    fn sums(&self, x: &[f32], from: From) -> Vec<f32> {
        let mut y = x.to_vec();
        y.par_chunks_mut(self.steps * self.width).for_each(|block| running(block, self.width, from));
        y
    }
}

impl Kernel<1> for Cumsum {
    const NAME: &'static str = "cumsum";

    fn shape(&self) -> Shape {
        self.shape.clone()
    }

    fn forward(&self, [x]: [&[f32]; 1]) -> Vec<f32> {
        self.sums(x, From::Start)
    }

    fn backward(&self, _inputs: [&[f32]; 1], _result: &[f32], grad: &[f32]) -> [Vec<f32>; 1] {
        [self.sums(grad, From::End)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::ops::testing::{agree, draw};

    #[test]
    fn softmax_agrees_with_its_reference() {
        for shape in [(2, 3, 5), (2, 90, 100)] {
            agree(&[draw("x", shape)], |x| softmax(&x[0]), |x| reference::softmax(&x[0]));
        }
    }

    #[test]
    fn softmax_of_large_numbers_is_finite() {
        let x = Tensor::new(&[1000f32, 1000.0, -1000.0], &candle_core::Device::Cpu).unwrap();
        assert_eq!(softmax(&x).unwrap().to_vec1::<f32>().unwrap(), [0.5, 0.5, 0.0]);
    }

    #[test]
    fn running_sums_agree_with_their_reference_in_every_dimension() {
        for dim in 0..3 {
            agree(&[draw("x", (3, 4, 5))], |x| cumsum(&x[0], dim), |x| reference::cumsum(&x[0], dim));
        }
    }
}
