//! The numbers of CPU tensors where they lie, for rules that touch several tensors at once and must not allocate.

use std::cell::RefCell;

use candle_core::{CpuStorage, InplaceOp1, Layout, Result, Storage, Tensor, bail};
use rayon::prelude::*;

/// Elements a task works on: large enough to be worth a task, small enough to share a layer among processors.
pub(super) const CHUNK: usize = 1 << 14;

/// A visit to a tensor's numbers. Interior, because candle hands its operations out shared.
struct Visit<F>(RefCell<F>);

impl<F: FnMut(&mut [f32])> InplaceOp1 for Visit<F> {
    fn name(&self) -> &'static str {
        "visit"
    }

    fn cpu_fwd(&self, storage: &mut CpuStorage, layout: &Layout) -> Result<()> {
        let (CpuStorage::F32(values), Some((start, end))) = (storage, layout.contiguous_offsets()) else {
            bail!("only contiguous f32 tensors are changed in place");
        };
        self.0.borrow_mut()(&mut values[start..end]);
        Ok(())
    }
}

/// Changes a tensor's numbers.
pub(super) fn write(tensor: &Tensor, change: impl FnMut(&mut [f32])) -> Result<()> {
    tensor.inplace_op1(&Visit(RefCell::new(change)))
}

/// Reads a tensor's numbers.
pub(super) fn read<T>(tensor: &Tensor, look: impl FnOnce(&[f32]) -> T) -> Result<T> {
    let tensor = tensor.contiguous()?;
    let (storage, layout) = tensor.storage_and_layout();
    let (Storage::Cpu(values), Some((start, end))) = (&*storage, layout.contiguous_offsets()) else {
        bail!("only CPU tensors are read in place");
    };
    Ok(look(&values.as_slice::<f32>()?[start..end]))
}

/// Sum of squares, in the same order however many processors there are.
pub(super) fn sum_of_squares(values: &[f32]) -> f64 {
    let square = |chunk: &[f32]| chunk.iter().map(|value| f64::from(*value) * f64::from(*value)).sum::<f64>();
    let parts: Vec<f64> = values.par_chunks(CHUNK).map(square).collect();
    parts.iter().sum()
}
