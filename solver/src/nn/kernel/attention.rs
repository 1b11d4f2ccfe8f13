//! Softmax attention of one head, a block of queries at a time: `softmax(scale·q·kᵀ + mask)·v`.
//!
//! The probabilities exist for one block only, and the backward pass computes them anew: memory grows with the length of
//! the sequence, not with its square.

use super::{
    gemm::{Mat, MatMut, Store, gemm},
    sieve::Sieve,
    softmax,
};

/// Numbers in the probabilities of one block: with a second matrix of the same size they fit the second-level cache.
const BLOCK: usize = 1 << 16;

/// What one head attends with: each of `tokens` rows of `width` numbers that begin `stride` apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head<'a> {
    /// Queries, from the first number of the head in the first token on.
    pub(crate) q: &'a [f32],
    /// Keys, likewise.
    pub(crate) k: &'a [f32],
    /// Values, likewise.
    pub(crate) v: &'a [f32],
    /// Rows.
    pub(crate) tokens: usize,
    /// Numbers a row.
    pub(crate) width: usize,
    /// Distance of rows.
    pub(crate) stride: usize,
    /// 0 for each key that is seen, `-∞` for the others.
    pub(crate) mask: Option<&'a [f32]>,
    /// What is left out of the probabilities, and the number of the first query's row.
    pub(crate) sieve: Option<(Sieve, usize)>,
}

/// Matrices that the blocks of a head, and the heads of a thread, share.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    probs: Vec<f32>,
    grads: Vec<f32>,
    /// Keys and values with a column a token: blocks multiply with them again and again, and fastest so.
    keys: Vec<f32>,
    values: Vec<f32>,
}

impl<'a> Head<'a> {
    /// What all queries see, one row each of `out`.
    pub(crate) fn forward(&self, mut out: MatMut<'_>, scratch: &mut Scratch) {
        self.view(self.k, 0, self.tokens).t().copy_to(sized(&mut scratch.keys, self.width * self.tokens));
        for (first, rows) in self.blocks() {
            let probs = sized(&mut scratch.probs, rows * self.tokens);
            self.probs(first, rows, &scratch.keys, probs);
            self.leave_out(first, probs);
            let probs = Mat::new(probs, self.tokens);
            gemm(&mut out.rows(first, rows), Store::Set, 1.0, probs, self.view(self.v, 0, self.tokens));
        }
    }

    /// Gradients of all queries, keys and values from `grad`, that of the result ([tokens, width] at `grad_stride`).
    pub(crate) fn backward(&self, grad: &[f32], grad_stride: usize, mut to: [MatMut<'_>; 3], scratch: &mut Scratch) {
        self.view(self.k, 0, self.tokens).t().copy_to(sized(&mut scratch.keys, self.width * self.tokens));
        self.view(self.v, 0, self.tokens).t().copy_to(sized(&mut scratch.values, self.width * self.tokens));
        for (first, rows) in self.blocks() {
            let store = if first == 0 { Store::Set } else { Store::Add };
            let grad = Mat::strided(&grad[first * grad_stride..], rows, self.width, grad_stride);
            self.backward_block(first, rows, store, grad, &mut to, scratch);
        }
    }

    fn backward_block(
        &self,
        first: usize,
        rows: usize,
        store: Store,
        grad: Mat<'_>,
        [to_q, to_k, to_v]: &mut [MatMut<'_>; 3],
        scratch: &mut Scratch,
    ) {
        let (tokens, scale) = (self.tokens, self.scale());
        let probs = sized(&mut scratch.probs, rows * tokens);
        let grads = sized(&mut scratch.grads, rows * tokens);
        self.probs(first, rows, &scratch.keys, probs);
        let values = Mat::strided(&scratch.values, self.width, tokens, tokens);
        gemm(&mut MatMut::new(grads, tokens), Store::Set, 1.0, grad, values);
        self.leave_out(first, grads);
        softmax::backward(probs, grads, tokens);
        self.leave_out(first, probs);
        gemm(to_v, store, 1.0, Mat::new(probs, tokens).t(), grad);
        let grads = Mat::new(grads, tokens);
        gemm(&mut to_q.rows(first, rows), Store::Set, scale, grads, self.view(self.k, 0, tokens));
        gemm(to_k, store, scale, grads.t(), self.view(self.q, first, rows));
    }

    /// Probabilities of `rows` queries from `first` on, [rows, tokens]; `keys` is [width, tokens].
    fn probs(&self, first: usize, rows: usize, keys: &[f32], probs: &mut [f32]) {
        let keys = Mat::strided(keys, self.width, self.tokens, self.tokens);
        let queries = self.view(self.q, first, rows);
        gemm(&mut MatMut::new(probs, self.tokens), Store::Set, self.scale(), queries, keys);
        if let Some(mask) = self.mask {
            for row in probs.chunks_exact_mut(self.tokens) {
                super::add(row, mask);
            }
        }
        softmax::forward(probs, self.tokens);
    }

    /// Leaves numbers out of a block of rows, one for each query from `first` on.
    fn leave_out(&self, first: usize, block: &mut [f32]) {
        if let Some((sieve, row)) = self.sieve {
            let rows = block.chunks_exact_mut(self.tokens).enumerate();
            rows.for_each(|(index, values)| sieve.apply(row + first + index, values));
        }
    }

    /// The first query of each block and how many follow.
    fn blocks(&self) -> impl Iterator<Item = (usize, usize)> {
        let (tokens, block) = (self.tokens, (BLOCK / self.tokens).max(1));
        (0..tokens).step_by(block).map(move |first| (first, block.min(tokens - first)))
    }

    fn view(&self, data: &'a [f32], first: usize, rows: usize) -> Mat<'a> {
        Mat::strided(&data[first * self.stride..], rows, self.width, self.stride)
    }

    fn scale(&self) -> f32 {
        1.0 / (self.width as f32).sqrt()
    }
}

/// The first `len` numbers of a buffer that grows as needed.
fn sized(buffer: &mut Vec<f32>, len: usize) -> &mut [f32] {
    if buffer.len() < len {
        buffer.resize(len, 0.0);
    }
    &mut buffer[..len]
}
