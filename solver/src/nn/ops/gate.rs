//! Gated products: half of the channels decide how much of the other half passes.

use candle_core::{D, Result, Shape, Tensor};
use rayon::prelude::*;

use super::{
    conv::Sequence,
    custom::{Kernel, apply1, apply2, apply3, check, native},
    reference,
};
use crate::nn::kernel::{
    gate::{self, Act},
    rows_per_task,
};

/// `silu(gate)·up`, the two being the halves of the last dimension.
///
/// # Shapes
/// `x`: [.., 2·width]. Result: [.., width].
pub fn swiglu(x: &Tensor) -> Result<Tensor> {
    if native(&[x]) { apply1(SwiGlu::of(x)?, x) } else { reference::swiglu(x) }
}

/// [`swiglu`], then [`conv1d`](super::conv1d) along the sequence, then `silu`: the inside of a ConvSwiGLU.
///
/// # Shapes
/// `x`: [batch, tokens, 2·width]. `weight`: [width, 1, 2]. `bias`: [width]. Result: [batch, tokens, width].
pub fn conv_swiglu(x: &Tensor, weight: &Tensor, bias: &Tensor) -> Result<Tensor> {
    if !native(&[x, weight, bias]) {
        return reference::conv_swiglu(x, weight, bias);
    }
    let (batch, tokens, width) = x.dims3()?;
    check(ConvSwiGlu::NAME, weight, (width / 2, 1, 2))?;
    check(ConvSwiGlu::NAME, bias, width / 2)?;
    let conv = Sequence { batch, tokens, channels: width / 2 };
    apply3(ConvSwiGlu { glu: SwiGlu::of(x)?, conv }, x, weight, bias)
}

/// `gelu(gate)·up`, with the GELU of the error function.
///
/// # Shapes
/// `gate`, `up`: any shape, the same. Result: likewise.
pub fn gelu_gate(gate: &Tensor, up: &Tensor) -> Result<Tensor> {
    if !native(&[gate, up]) {
        return reference::gelu_gate(gate, up);
    }
    check(GeluGate::NAME, up, gate.shape())?;
    apply2(GeluGate { shape: gate.shape().clone() }, gate, up)
}

struct SwiGlu {
    shape: Shape,
    width: usize,
}

impl SwiGlu {
    fn of(x: &Tensor) -> Result<SwiGlu> {
        let mut dims = x.dims().to_vec();
        let width = x.dim(D::Minus1)? / 2;
        if let Some(last) = dims.last_mut() {
            *last = width;
        }
        Ok(SwiGlu { shape: Shape::from(dims), width })
    }

    /// Rows of one task.
    fn rows(&self) -> usize {
        rows_per_task(2 * self.width)
    }
}

impl Kernel<1> for SwiGlu {
    const NAME: &'static str = "swiglu";

    fn shape(&self) -> Shape {
        self.shape.clone()
    }

    fn forward(&self, [x]: [&[f32]; 1]) -> Vec<f32> {
        let (rows, width) = (self.rows(), self.width);
        let mut y = vec![0.0; x.len() / 2];
        x.par_chunks(rows * 2 * width).zip(y.par_chunks_mut(rows * width)).for_each(|(x, y)| {
            for (x, y) in x.chunks_exact(2 * width).zip(y.chunks_exact_mut(width)) {
                gate::forward(Act::Silu, &x[..width], &x[width..], y);
            }
        });
        y
    }

    fn backward(&self, [x]: [&[f32]; 1], _result: &[f32], grad: &[f32]) -> [Vec<f32>; 1] {
        let (rows, width) = (self.rows(), self.width);
        let mut to_x = vec![0.0; x.len()];
        let tasks = x.par_chunks(rows * 2 * width).zip(grad.par_chunks(rows * width));
        tasks.zip(to_x.par_chunks_mut(rows * 2 * width)).for_each(|((x, grad), to_x)| {
            let rows = x.chunks_exact(2 * width).zip(grad.chunks_exact(width));
            for ((x, grad), to_x) in rows.zip(to_x.chunks_exact_mut(2 * width)) {
                let (to_gate, to_up) = to_x.split_at_mut(width);
                gate::backward(Act::Silu, &x[..width], &x[width..], grad, to_gate, to_up);
            }
        });
        [to_x]
    }
}

struct ConvSwiGlu {
    glu: SwiGlu,
    conv: Sequence,
}

impl Kernel<3> for ConvSwiGlu {
    const NAME: &'static str = "conv-swiglu";

    fn shape(&self) -> Shape {
        self.glu.shape.clone()
    }

    fn forward(&self, [x, weight, bias]: [&[f32]; 3]) -> Vec<f32> {
        let mixed = self.conv.forward([&self.glu.forward([x]), weight, bias]);
        let mut y = vec![0.0; mixed.len()];
        let task = self.glu.rows() * self.glu.width;
        mixed.par_chunks(task).zip(y.par_chunks_mut(task)).for_each(|(x, y)| gate::silu_forward(x, y));
        y
    }

    fn backward(&self, [x, weight, bias]: [&[f32]; 3], result: &[f32], grad: &[f32]) -> [Vec<f32>; 3] {
        let product = self.glu.forward([x]);
        let mixed = self.conv.forward([&product, weight, bias]);
        let mut to_mixed = grad.to_vec();
        let task = self.glu.rows() * self.glu.width;
        mixed.par_chunks(task).zip(to_mixed.par_chunks_mut(task)).for_each(|(x, g)| gate::silu_backward(x, g));
        let [to_product, to_weight, to_bias] = self.conv.backward([&product, weight, bias], result, &to_mixed);
        let [to_x] = self.glu.backward([x], &product, &to_product);
        [to_x, to_weight, to_bias]
    }
}

struct GeluGate {
    shape: Shape,
}

impl Kernel<2> for GeluGate {
    const NAME: &'static str = "gelu-gate";

    fn shape(&self) -> Shape {
        self.shape.clone()
    }

    fn forward(&self, [gate, up]: [&[f32]; 2]) -> Vec<f32> {
        let task = rows_per_task(1);
        let mut y = vec![0.0; gate.len()];
        let inputs = gate.par_chunks(task).zip(up.par_chunks(task));
        inputs.zip(y.par_chunks_mut(task)).for_each(|((gate, up), y)| gate::forward(Act::Gelu, gate, up, y));
        y
    }

    fn backward(&self, [gate, up]: [&[f32]; 2], _result: &[f32], grad: &[f32]) -> [Vec<f32>; 2] {
        let task = rows_per_task(1);
        let [mut to_gate, mut to_up] = [vec![0.0; gate.len()], vec![0.0; up.len()]];
        let inputs = gate.par_chunks(task).zip(up.par_chunks(task)).zip(grad.par_chunks(task));
        let outputs = to_gate.par_chunks_mut(task).zip(to_up.par_chunks_mut(task));
        inputs.zip(outputs).for_each(|(((gate, up), grad), (to_gate, to_up))| {
            gate::backward(Act::Gelu, gate, up, grad, to_gate, to_up);
        });
        [to_gate, to_up]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::ops::testing::{agree, draw};

    #[test]
    fn swiglu_agrees_with_its_reference() {
        for shape in [(2, 3, 10), (2, 90, 96)] {
            agree(&[draw("x", shape)], |x| swiglu(&x[0]), |x| reference::swiglu(&x[0]));
        }
    }

    #[test]
    fn conv_swiglu_agrees_with_its_reference() {
        for (batch, tokens, width) in [(2, 1, 3), (3, 7, 5), (1, 200, 48)] {
            let x = [draw("x", (batch, tokens, 2 * width)), draw("weight", (width, 1, 2)), draw("bias", width)];
            agree(&x, |x| conv_swiglu(&x[0], &x[1], &x[2]), |x| reference::conv_swiglu(&x[0], &x[1], &x[2]));
        }
    }

    #[test]
    fn the_gelu_gate_agrees_with_its_reference() {
        for shape in [(1, 5), (30, 700)] {
            let x = [draw("gate", shape), draw("up", shape)];
            agree(&x, |x| gelu_gate(&x[0], &x[1]), |x| reference::gelu_gate(&x[0], &x[1]));
        }
    }
}
