//! Rotary positions.

use std::sync::Arc;

use candle_core::{Result, Shape, Tensor};
use rayon::prelude::*;

use super::{
    custom::{Kernel, apply1, check, native},
    reference,
};
use crate::nn::kernel::{
    rope::{Turn, rotate},
    rows_per_task,
};

/// Turns channel `i` of each head with channel `i + d/2` by the angle of the token: `(a, b)` becomes
/// `(a·cos - b·sin, b·cos + a·sin)`.
///
/// # Shapes
/// `x`: [batch, tokens, heads, d]. `cos`, `sin`: [tokens, d/2], constants; a row of ones and zeros leaves its token as
/// it is. Result: like `x`.
pub fn rope(x: &Tensor, cos: &Tensor, sin: &Tensor) -> Result<Tensor> {
    if !native(&[x, cos, sin]) {
        return reference::rope(x, cos, sin);
    }
    let (_, tokens, heads, width) = x.dims4()?;
    let table = |table: &Tensor| -> Result<Arc<[f32]>> {
        check(Rope::NAME, table, (tokens, width / 2))?;
        Ok(table.flatten_all()?.to_vec1::<f32>()?.into())
    };
    let kernel = Rope { shape: x.shape().clone(), tokens, heads, width, cos: table(cos)?, sin: table(sin)? };
    apply1(kernel, x)
}

struct Rope {
    shape: Shape,
    tokens: usize,
    heads: usize,
    width: usize,
    cos: Arc<[f32]>,
    sin: Arc<[f32]>,
}

impl Rope {
    fn turned(&self, x: &[f32], turn: Turn) -> Vec<f32> {
        let (token, half) = (self.heads * self.width, self.width / 2);
        let rows = rows_per_task(token);
        let mut y = x.to_vec();
        y.par_chunks_mut(rows * token).enumerate().for_each(|(task, chunk)| {
            for (i, heads) in chunk.chunks_exact_mut(token).enumerate() {
                let at = (task * rows + i) % self.tokens * half;
                rotate(heads, self.width, &self.cos[at..at + half], &self.sin[at..at + half], turn);
            }
        });
        y
    }
}

impl Kernel<1> for Rope {
    const NAME: &'static str = "rope";

    fn shape(&self) -> Shape {
        self.shape.clone()
    }

    fn forward(&self, [x]: [&[f32]; 1]) -> Vec<f32> {
        self.turned(x, Turn::Forward)
    }

    fn backward(&self, _inputs: [&[f32]; 1], _result: &[f32], grad: &[f32]) -> [Vec<f32>; 1] {
        [self.turned(grad, Turn::Back)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::ops::testing::{agree, draw};

    #[test]
    fn rope_agrees_with_its_reference() {
        for (batch, tokens, heads, width) in [(2, 5, 3, 4), (3, 40, 4, 32)] {
            let angles = draw("angles", (tokens, width / 2)).detach();
            let (cos, sin) = (angles.cos().unwrap(), angles.sin().unwrap());
            let x = [draw("x", (batch, tokens, heads, width))];
            agree(&x, |x| rope(&x[0], &cos, &sin), |x| reference::rope(&x[0], &cos, &sin));
        }
    }
}
