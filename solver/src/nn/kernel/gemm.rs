//! Matrix products over views of slices.
//!
//! The one place of the project with `unsafe`: the library takes pointers, and tasks that run side by side write
//! disjoint tiles of one matrix. Views check their bounds when they are made; every product runs in the thread that
//! asks for it, so that its sums have a fixed order.

#![expect(unsafe_code, reason = "gemm takes pointers; tiles of one matrix are written by several threads")]

use std::marker::PhantomData;

use gemm::Parallelism;
use rayon::prelude::*;

/// A matrix to read: rows and columns at any distance in a slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mat<'a> {
    data: &'a [f32],
    rows: usize,
    cols: usize,
    row_stride: usize,
    col_stride: usize,
}

impl<'a> Mat<'a> {
    /// Rows of `cols` numbers, one after the other.
    pub(crate) fn new(data: &'a [f32], cols: usize) -> Mat<'a> {
        Mat::strided(data, data.len() / cols, cols, cols)
    }

    /// `rows` rows of `cols` numbers that begin `stride` apart.
    ///
    /// # Panics
    /// If the slice is too short.
    pub(crate) fn strided(data: &'a [f32], rows: usize, cols: usize, stride: usize) -> Mat<'a> {
        assert!(fits(data.len(), rows, cols, stride), "{rows}x{cols} at stride {stride} in {} numbers", data.len());
        Mat { data, rows, cols, row_stride: stride, col_stride: 1 }
    }

    /// The transpose of the same numbers.
    pub(crate) fn t(self) -> Mat<'a> {
        let Mat { data, rows, cols, row_stride, col_stride } = self;
        Mat { data, rows: cols, cols: rows, row_stride: col_stride, col_stride: row_stride }
    }

    /// The `rows` rows from `first` on.
    fn rows(self, first: usize, rows: usize) -> Mat<'a> {
        assert!(first + rows <= self.rows, "{rows} rows from {first} on of {}", self.rows);
        Mat { data: &self.data[first * self.row_stride..], rows, ..self }
    }

    /// The `cols` columns from `first` on.
    fn cols(self, first: usize, cols: usize) -> Mat<'a> {
        self.t().rows(first, cols).t()
    }

    /// Copies the matrix to `dst`, row by row without gaps.
    pub(crate) fn copy_to(self, dst: &mut [f32]) {
        for (row, dst) in dst.chunks_exact_mut(self.cols).take(self.rows).enumerate() {
            let row = &self.data[row * self.row_stride..];
            for (dst, x) in dst.iter_mut().zip(row.iter().step_by(self.col_stride)) {
                *dst = *x;
            }
        }
    }
}

/// A matrix to write: rows of consecutive numbers that begin at a fixed distance.
#[derive(Debug)]
pub(crate) struct MatMut<'a> {
    data: *mut f32,
    rows: usize,
    cols: usize,
    stride: usize,
    owner: PhantomData<&'a mut [f32]>,
}

// SAFETY: a view borrows its numbers exclusively, as `&mut [f32]` does; the views that `tiles` makes are disjoint.
unsafe impl Send for MatMut<'_> {}

impl<'a> MatMut<'a> {
    /// Rows of `cols` numbers, one after the other.
    pub(crate) fn new(data: &'a mut [f32], cols: usize) -> MatMut<'a> {
        MatMut { rows: data.len() / cols, cols, stride: cols, data: data.as_mut_ptr(), owner: PhantomData }
    }

    /// Cuts the matrix into tiles of `rows` × `cols`, row of tiles by row of tiles; those at the end may be smaller.
    pub(crate) fn tiles(self, rows: usize, cols: usize) -> Vec<MatMut<'a>> {
        let starts = |len: usize, step: usize| (0..len).step_by(step);
        let tile = |(row, col): (usize, usize)| MatMut {
            // SAFETY: `row < self.rows` and `col < self.cols`, so the offset lies within the borrowed slice.
            data: unsafe { self.data.add(row * self.stride + col) },
            rows: rows.min(self.rows - row),
            cols: cols.min(self.cols - col),
            stride: self.stride,
            owner: PhantomData,
        };
        let corners = starts(self.rows, rows).flat_map(|row| starts(self.cols, cols).map(move |col| (row, col)));
        corners.map(tile).collect()
    }

    /// The `rows` rows from `first` on.
    ///
    /// # Panics
    /// If there are not so many.
    pub(crate) fn rows(&mut self, first: usize, rows: usize) -> MatMut<'_> {
        assert!(first + rows <= self.rows, "{rows} rows from {first} on of {}", self.rows);
        // SAFETY: the rows lie within the borrowed slice, and the result borrows this view exclusively.
        let data = unsafe { self.data.add(first * self.stride) };
        MatMut { data, rows, owner: PhantomData, ..*self }
    }
}

/// What happens to the numbers that stand in the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Store {
    /// They are overwritten.
    Set,
    /// The product is added to them.
    Add,
}

/// `dst = scale·a·b`, or `dst += scale·a·b`.
///
/// # Panics
/// If the shapes do not agree.
pub(crate) fn gemm(dst: &mut MatMut<'_>, store: Store, scale: f32, a: Mat<'_>, b: Mat<'_>) {
    let inner = a.cols;
    assert_eq!((dst.rows, dst.cols, inner), (a.rows, b.cols, b.rows), "shapes of a matrix product");
    let (row_stride, add) = (dst.stride as isize, store == Store::Add);
    // SAFETY: views check their bounds when they are made and the shapes agree; `dst` is borrowed exclusively.
    unsafe {
        gemm::gemm(
            dst.rows,
            dst.cols,
            inner,
            dst.data,
            1,
            row_stride,
            add,
            a.data.as_ptr(),
            a.col_stride as isize,
            a.row_stride as isize,
            b.data.as_ptr(),
            b.col_stride as isize,
            b.row_stride as isize,
            1.0,
            scale,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

/// How a product is cut into tasks: along the side on which the other factor need not be packed again for each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Tiles of columns, for `x·wᵀ` and `x·w`: a few rows of `w` each.
    Columns,
    /// Tiles of rows, for `xᵀ·y`.
    Rows,
}

impl Cut {
    /// Tasks a product is cut into where it is large enough.
    const TASKS: usize = 8;

    /// Rows and columns of a tile of a result of `rows` × `cols`.
    fn tile(self, rows: usize, cols: usize) -> (usize, usize) {
        /// Sides under which a tile wastes the registers of the innermost loop, or the packing of its factors.
        const NARROW: usize = 64;
        const SHORT: usize = 256;
        let side = |len: usize, parts: usize, least: usize| len.div_ceil(parts).next_multiple_of(16).max(least);
        match self {
            Cut::Columns => {
                let width = side(cols, Cut::TASKS, NARROW);
                (side(rows, Cut::TASKS.div_ceil(cols.div_ceil(width)), SHORT), width)
            }
            Cut::Rows => (side(rows, Cut::TASKS, 32), cols),
        }
    }
}

/// `dst = a·b` or `dst += a·b`, in parallel.
///
/// # Panics
/// If the shapes do not agree.
pub(crate) fn product(dst: MatMut<'_>, store: Store, a: Mat<'_>, b: Mat<'_>, cut: Cut) {
    let (all_rows, all_cols) = (dst.rows, dst.cols);
    let (rows, cols) = cut.tile(all_rows, all_cols);
    let across = all_cols.div_ceil(cols);
    dst.tiles(rows, cols).into_par_iter().enumerate().for_each(|(i, mut tile)| {
        let a = a.rows(i / across * rows, tile.rows);
        let b = b.cols(i % across * cols, tile.cols);
        gemm(&mut tile, store, 1.0, a, b);
    });
}

/// Whether the last number of the last row lies within `len`.
fn fits(len: usize, rows: usize, cols: usize, stride: usize) -> bool {
    rows == 0 || cols == 0 || (rows - 1) * stride + cols <= len
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_take_transposes_strides_and_tiles() {
        // [[1 2 3], [4 5 6]] times its transpose is [[14 32], [32 77]].
        let a = [1.0, 2.0, 3.0, 0.0, 4.0, 5.0, 6.0];
        let a = Mat::strided(&a, 2, 3, 4);
        let mut c = [1.0; 6];
        let mut tiles = MatMut::new(&mut c, 3).tiles(2, 2);
        gemm(&mut tiles[0], Store::Set, 1.0, a, a.t());
        gemm(&mut tiles[0], Store::Add, 2.0, a, a.t());
        gemm(&mut tiles[1].rows(1, 1), Store::Set, 1.0, Mat::new(&[2.0, 3.0], 2), Mat::new(&[4.0, 5.0], 1));
        assert_eq!(c.to_vec(), [42.0, 96.0, 1.0, 96.0, 231.0, 23.0]);
    }

    #[test]
    #[should_panic(expected = "2x3 at stride 4 in 6 numbers")]
    fn a_view_beyond_its_slice_is_refused() {
        Mat::strided(&[0.0; 6], 2, 3, 4);
    }
}
