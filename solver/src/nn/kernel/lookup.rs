//! A 3×3 convolution over symbols: every tap looks up what the symbol it sees contributes.

use super::{conv::WINDOW, simd};

/// Shapes of a convolution over symbols.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookup {
    /// Rows of an image.
    pub(crate) height: usize,
    /// Columns of an image.
    pub(crate) width: usize,
    /// Symbols that there are.
    pub(crate) symbols: usize,
    /// Numbers a pixel, after.
    pub(crate) outputs: usize,
}

impl Lookup {
    /// Cells of an image.
    pub(crate) fn cells(self) -> usize {
        self.height * self.width
    }

    /// The rows of the table [9, symbols, outputs] that a pixel adds up, as their offsets.
    #[inline(always)]
    fn rows(self, symbols: &[u8], row: usize, column: usize) -> impl Iterator<Item = usize> {
        (0..WINDOW).filter_map(move |tap| {
            let row = (row + tap / 3).checked_sub(1).filter(|row| *row < self.height)?;
            let column = (column + tap % 3).checked_sub(1).filter(|column| *column < self.width)?;
            Some((tap * self.symbols + usize::from(symbols[row * self.width + column])) * self.outputs)
        })
    }

    /// Adds to `y` [height, width, outputs] what the symbols contribute; what is negative then becomes zero.
    pub(crate) fn forward(self, symbols: &[u8], table: &[f32], y: &mut [f32]) {
        simd(
            #[inline(always)]
            || {
                for (cell, y) in y.chunks_exact_mut(self.outputs).enumerate() {
                    for at in self.rows(symbols, cell / self.width, cell % self.width) {
                        for (y, x) in y.iter_mut().zip(&table[at..at + self.outputs]) {
                            *y += x;
                        }
                    }
                    for y in y {
                        // Written so that a NaN is passed on.
                        *y = if *y < 0.0 { 0.0 } else { *y };
                    }
                }
            },
        );
    }

    /// Adds to the gradient of the table that of one image's result.
    pub(crate) fn backward(self, symbols: &[u8], grad: &[f32], table: &mut [f32]) {
        simd(
            #[inline(always)]
            || {
                for (cell, grad) in grad.chunks_exact(self.outputs).enumerate() {
                    for at in self.rows(symbols, cell / self.width, cell % self.width) {
                        for (into, grad) in table[at..at + self.outputs].iter_mut().zip(grad) {
                            *into += grad;
                        }
                    }
                }
            },
        );
    }
}
