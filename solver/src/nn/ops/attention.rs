//! Softmax attention over all heads of a batch.

use std::sync::Arc;

use candle_core::{D, Result, Shape, Tensor};
use rayon::prelude::*;

use super::{
    custom::{Kernel, apply3, check, native},
    reference,
};
use crate::nn::kernel::{
    attention::{Head, Scratch},
    gemm::MatMut,
    sieve::Sieve,
};

/// Attention without order or direction: `softmax(q·kᵀ/sqrt(d) + mask)·v` in each head, where a sieve may leave out some
/// of the probabilities.
///
/// # Shapes
/// `q`, `k`, `v`: [batch, tokens, heads, d]. `mask`: [batch, tokens] of u8, 1 for the keys that are seen and 0 for the
/// others; at least one in each row. Result: [batch, tokens, heads, d].
pub fn attention(q: &Tensor, k: &Tensor, v: &Tensor, mask: Option<&Tensor>, sieve: Option<Sieve>) -> Result<Tensor> {
    if !native(&[q, k, v]) {
        return reference::attention(q, k, v, mask, sieve);
    }
    let (batch, tokens, heads, width) = q.dims4()?;
    for other in [k, v] {
        check(Attention::NAME, other, q.shape())?;
    }
    if let Some(mask) = mask {
        check(Attention::NAME, mask, (batch, tokens))?;
    }
    let mask = mask.map(penalties).transpose()?;
    apply3(Attention { batch, tokens, heads, width, mask, sieve }, q, k, v)
}

/// 0 for each key that is seen and `-∞` for the others, on the host.
fn penalties(mask: &Tensor) -> Result<Arc<[f32]>> {
    let seen = mask.flatten(0, D::Minus1)?.to_vec1::<u8>()?;
    Ok(seen.into_iter().map(|seen| if seen == 0 { f32::NEG_INFINITY } else { 0.0 }).collect())
}

struct Attention {
    batch: usize,
    tokens: usize,
    heads: usize,
    width: usize,
    mask: Option<Arc<[f32]>>,
    sieve: Option<Sieve>,
}

impl Attention {
    /// Numbers a token.
    fn stride(&self) -> usize {
        self.heads * self.width
    }

    /// Where the first token of a head begins; heads count through the batch.
    fn start(&self, head: usize) -> usize {
        head / self.heads * self.tokens * self.stride() + head % self.heads * self.width
    }

    fn head<'a>(&'a self, [q, k, v]: [&'a [f32]; 3], head: usize) -> Head<'a> {
        let start = self.start(head);
        let row = head / self.heads * self.tokens;
        let mask = self.mask.as_ref().map(|mask| &mask[row..row + self.tokens]);
        let (tokens, width, stride) = (self.tokens, self.width, self.stride());
        let sieve = self.sieve.map(|sieve| (sieve, head * tokens));
        Head { q: &q[start..], k: &k[start..], v: &v[start..], tokens, width, stride, mask, sieve }
    }

    /// The tile of each head in a result like `q`.
    fn tiles<'a>(&self, out: &'a mut [f32]) -> Vec<MatMut<'a>> {
        MatMut::new(out, self.stride()).tiles(self.tokens, self.width)
    }
}

impl Kernel<3> for Attention {
    const NAME: &'static str = "attention";

    fn shape(&self) -> Shape {
        Shape::from((self.batch, self.tokens, self.heads, self.width))
    }

    fn forward(&self, inputs: [&[f32]; 3]) -> Vec<f32> {
        let mut out = vec![0.0; inputs[0].len()];
        let tiles = self.tiles(&mut out).into_par_iter().enumerate();
        tiles.for_each_init(Scratch::default, |scratch, (i, tile)| self.head(inputs, i).forward(tile, scratch));
        out
    }

    fn backward(&self, inputs: [&[f32]; 3], _result: &[f32], grad: &[f32]) -> [Vec<f32>; 3] {
        let mut grads = [(); 3].map(|()| vec![0.0; grad.len()]);
        let [to_q, to_k, to_v] = grads.each_mut().map(|grad| self.tiles(grad));
        let tiles = to_q.into_par_iter().zip(to_k).zip(to_v).enumerate();
        tiles.for_each_init(Scratch::default, |scratch, (i, ((to_q, to_k), to_v))| {
            let grad = &grad[self.start(i)..];
            self.head(inputs, i).backward(grad, self.stride(), [to_q, to_k, to_v], scratch);
        });
        grads
    }
}

#[cfg(test)]
mod tests {
    use candle_core::{Device, IndexOp, Tensor};

    use super::*;
    use crate::nn::ops::testing::{agree, draw};

    #[test]
    fn attention_agrees_with_its_reference() {
        for (batch, tokens, heads, width) in [(2, 7, 3, 4), (1, 300, 1, 16), (3, 1, 2, 6)] {
            let inputs = ["q", "k", "v"].map(|name| draw(name, (batch, tokens, heads, width)));
            agree(
                &inputs,
                |x| attention(&x[0], &x[1], &x[2], None, None),
                |x| reference::attention(&x[0], &x[1], &x[2], None, None),
            );
        }
    }

    #[test]
    fn what_is_left_out_is_the_same_on_the_way_back() {
        let inputs = ["q", "k", "v"].map(|name| draw(name, (2, 300, 2, 4)));
        let sieve = Some(Sieve::new(0.4, 11));
        agree(
            &inputs,
            |x| attention(&x[0], &x[1], &x[2], None, sieve),
            |x| reference::attention(&x[0], &x[1], &x[2], None, sieve),
        );
    }

    #[test]
    fn masked_keys_are_not_seen_and_get_no_gradient() {
        let inputs = ["q", "k", "v"].map(|name| draw(name, (2, 5, 2, 4)));
        let mask = Tensor::new(&[[1u8, 1, 0, 1, 0], [1, 0, 0, 0, 0]], &Device::Cpu).unwrap();
        let seen = |x: &[Tensor]| attention(&x[0], &x[1], &x[2], Some(&mask), None);
        agree(&inputs, seen, |x| reference::attention(&x[0], &x[1], &x[2], Some(&mask), None));

        let grads = seen(&inputs).unwrap().sum_all().unwrap().backward().unwrap();
        let hidden = grads.get(&inputs[2]).unwrap().i((0, 2)).unwrap().abs().unwrap().max_all().unwrap();
        assert!(hidden.to_scalar::<f32>().unwrap() == 0.0);
    }
}
