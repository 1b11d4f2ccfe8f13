//! Slots painted into one picture: each slot says for every cell what it would be and how much it has to say there.

use super::{
    gemm::{Mat, MatMut, Store, gemm},
    math::{dot, exp},
    norm::add_columns,
    simd,
};

/// Shapes of a blend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blend {
    /// Slots that are blended.
    pub(crate) slots: usize,
    /// Rows of patches.
    pub(crate) rows: usize,
    /// Columns of patches.
    pub(crate) columns: usize,
    /// Rows and columns of cells in a patch.
    pub(crate) side: usize,
    /// Numbers that a slot says about a cell.
    pub(crate) values: usize,
    /// Numbers of a slot at a patch.
    pub(crate) channels: usize,
}

/// Where the gradients of one frame go, all added to but the first, which is overwritten.
#[derive(Debug)]
pub(crate) struct Gradients<'a> {
    /// [slots, rows · columns, channels]
    pub(crate) hidden: &'a mut [f32],
    /// [channels, said]
    pub(crate) weight: &'a mut [f32],
    /// [said]
    pub(crate) bias: &'a mut [f32],
}

impl Blend {
    /// Cells of a patch.
    pub(crate) fn cells(self) -> usize {
        self.side * self.side
    }

    /// Numbers that a slot says about a patch: for each cell how much it has to say, then what.
    pub(crate) fn said(self) -> usize {
        self.cells() * (1 + self.values)
    }

    /// Numbers of a frame before.
    pub(crate) fn hidden_len(self) -> usize {
        self.slots * self.rows * self.columns * self.channels
    }

    /// Numbers of a frame after.
    pub(crate) fn len(self) -> usize {
        self.rows * self.columns * self.cells() * self.values
    }

    /// Where the hidden numbers of a slot's row of patches stand.
    fn at(self, slot: usize, row: usize) -> std::ops::Range<usize> {
        let width = self.columns * self.channels;
        let first = (slot * self.rows + row) * width;
        first..first + width
    }

    /// What all slots say about a row of patches, [slots, columns, said], with the shares of the slots in place.
    fn row(self, hidden: &[f32], weight: &[f32], bias: &[f32], row: usize) -> Vec<f32> {
        let said = self.said();
        let mut all = Vec::with_capacity(self.slots * self.columns * said);
        (0..self.slots * self.columns).for_each(|_| all.extend_from_slice(bias));
        for (slot, all) in all.chunks_exact_mut(self.columns * said).enumerate() {
            let hidden = Mat::new(&hidden[self.at(slot, row)], self.channels);
            gemm(&mut MatMut::new(all, said), Store::Add, 1.0, hidden, Mat::new(weight, said));
        }
        self.share(&mut all);
        all
    }

    /// Softmax over the slots of the first numbers of each patch.
    fn share(self, all: &mut [f32]) {
        let (cells, stride) = (self.cells(), self.columns * self.said());
        simd(
            #[inline(always)]
            || {
                for patch in (0..stride).step_by(self.said()) {
                    let (mut most, mut sum) = (vec![f32::NEG_INFINITY; cells], vec![0.0; cells]);
                    for slot in all.chunks_exact(stride) {
                        for (most, x) in most.iter_mut().zip(&slot[patch..]) {
                            *most = if *x > *most { *x } else { *most };
                        }
                    }
                    for slot in all.chunks_exact_mut(stride) {
                        for ((x, most), sum) in slot[patch..].iter_mut().zip(&most).zip(&mut sum) {
                            *x = exp(*x - most);
                            *sum += *x;
                        }
                    }
                    for slot in all.chunks_exact_mut(stride) {
                        for (x, sum) in slot[patch..].iter_mut().zip(&sum) {
                            *x /= sum;
                        }
                    }
                }
            },
        );
    }

    /// Where a cell of a row of patches stands among the numbers of that row's picture.
    #[inline(always)]
    fn cell(self, patch: usize, cell: usize) -> std::ops::Range<usize> {
        let (down, right) = (cell / self.side, cell % self.side);
        let at = (down * self.columns * self.side + patch * self.side + right) * self.values;
        at..at + self.values
    }

    /// The picture of a frame, [rows · side, columns · side, values].
    pub(crate) fn forward(self, hidden: &[f32], weight: &[f32], bias: &[f32], y: &mut [f32]) {
        for (row, y) in y.chunks_exact_mut(self.len() / self.rows).enumerate() {
            let all = self.row(hidden, weight, bias, row);
            simd(
                #[inline(always)]
                || {
                    for (at, said) in all.chunks_exact(self.said()).enumerate() {
                        let (shares, values) = said.split_at(self.cells());
                        for (cell, (share, values)) in shares.iter().zip(values.chunks_exact(self.values)).enumerate() {
                            let y = &mut y[self.cell(at % self.columns, cell)];
                            for (y, value) in y.iter_mut().zip(values) {
                                *y += share * value;
                            }
                        }
                    }
                },
            );
        }
    }

    /// The gradients of [`Blend::forward`] from `grad`, that of its result.
    pub(crate) fn backward(self, hidden: &[f32], weight: &[f32], bias: &[f32], grad: &[f32], to: &mut Gradients<'_>) {
        let said = self.said();
        for (row, grad) in grad.chunks_exact(self.len() / self.rows).enumerate() {
            let mut all = self.row(hidden, weight, bias, row);
            self.pull(&mut all, grad);
            for (slot, all) in all.chunks_exact(self.columns * said).enumerate() {
                let (at, all) = (self.at(slot, row), Mat::new(all, said));
                let hidden = Mat::new(&hidden[at.clone()], self.channels);
                gemm(&mut MatMut::new(to.weight, said), Store::Add, 1.0, hidden.t(), all);
                let mut to_hidden = MatMut::new(&mut to.hidden[at], self.channels);
                gemm(&mut to_hidden, Store::Set, 1.0, all, Mat::new(weight, said).t());
            }
            add_columns(to.bias, &all);
        }
    }

    /// What the slots say becomes the gradient with respect to what they said. A share's is that of the softmax:
    /// `share·(slope - Σ share·slope)`, the slope being `grad·value`.
    fn pull(self, all: &mut [f32], grad: &[f32]) {
        let stride = self.columns * self.said();
        let mut mean = vec![0.0; self.columns * self.cells()];
        simd(
            #[inline(always)]
            || {
                for slot in all.chunks_exact_mut(stride) {
                    self.slopes(slot, grad, &mut mean);
                }
                for slot in all.chunks_exact_mut(stride) {
                    for (patch, said) in slot.chunks_exact_mut(self.said()).enumerate() {
                        let (slopes, values) = said.split_at_mut(self.cells());
                        let means = &mean[patch * self.cells()..];
                        for (cell, (slope, values)) in
                            slopes.iter_mut().zip(values.chunks_exact_mut(self.values)).enumerate()
                        {
                            // `values` holds share and slope, left there by `slopes`, then the gradient.
                            let share = *slope;
                            *slope = share * (values[0] - means[cell]);
                            for (value, grad) in values.iter_mut().zip(&grad[self.cell(patch, cell)]) {
                                *value = share * grad;
                            }
                        }
                    }
                }
            },
        );
    }

    /// Leaves each cell's slope in the place of its first value, and adds its part to the mean over the slots.
    #[inline(always)]
    fn slopes(self, slot: &mut [f32], grad: &[f32], mean: &mut [f32]) {
        let cells = self.cells();
        for (patch, said) in slot.chunks_exact_mut(self.said()).enumerate() {
            let (shares, values) = said.split_at_mut(cells);
            for (cell, (share, values)) in shares.iter().zip(values.chunks_exact_mut(self.values)).enumerate() {
                values[0] = dot(values, &grad[self.cell(patch, cell)]);
                mean[patch * cells + cell] += share * values[0];
            }
        }
    }
}
