//! Between candle's tensors and the slices of the kernels.

use std::{ops::Deref, ops::Range};

use candle_core::{
    CpuStorage, CustomOp1, CustomOp2, CustomOp3, DType, Error, Layout, Result, Shape, Storage, StorageRef, Tensor, bail,
};

/// An operation of `N` tensors with kernels for both directions.
///
/// It knows the shapes from when it was made, and sees the tensors as contiguous rows.
pub(super) trait Kernel<const N: usize>: Send + Sync + 'static {
    /// For error messages.
    const NAME: &'static str;

    /// Shape of the result.
    fn shape(&self) -> Shape;

    /// The result.
    fn forward(&self, inputs: [&[f32]; N]) -> Vec<f32>;

    /// Gradients of the inputs from `grad`, that of `result`.
    fn backward(&self, inputs: [&[f32]; N], result: &[f32], grad: &[f32]) -> [Vec<f32>; N];
}

/// Whether the kernels can do it: f32 on the CPU, all of them.
pub(super) fn native(tensors: &[&Tensor]) -> bool {
    tensors.iter().all(|tensor| tensor.device().is_cpu() && tensor.dtype() == DType::F32)
}

/// Refuses a tensor of another shape than the operation `op` needs.
pub(super) fn check(op: &'static str, tensor: &Tensor, expected: impl Into<Shape>) -> Result<()> {
    let expected = expected.into();
    if *tensor.shape() != expected {
        return Err(Error::ShapeMismatchBinaryOp { lhs: expected, rhs: tensor.shape().clone(), op });
    }
    Ok(())
}

/// Applies an operation of one tensor.
pub(super) fn apply1(kernel: impl Kernel<1>, a: &Tensor) -> Result<Tensor> {
    a.contiguous()?.apply_op1(Op(kernel))
}

/// Applies an operation of two tensors.
pub(super) fn apply2(kernel: impl Kernel<2>, a: &Tensor, b: &Tensor) -> Result<Tensor> {
    a.contiguous()?.apply_op2(&b.contiguous()?, Op(kernel))
}

/// Applies an operation of three tensors.
pub(super) fn apply3(kernel: impl Kernel<3>, a: &Tensor, b: &Tensor, c: &Tensor) -> Result<Tensor> {
    a.contiguous()?.apply_op3(&b.contiguous()?, &c.contiguous()?, Op(kernel))
}

/// A kernel as candle's operation.
struct Op<K>(K);

impl<K: Kernel<1>> CustomOp1 for Op<K> {
    fn name(&self) -> &'static str {
        K::NAME
    }

    fn cpu_fwd(&self, a: &CpuStorage, at_a: &Layout) -> Result<(CpuStorage, Shape)> {
        let result = self.0.forward([stored(a, at_a)?]);
        Ok((CpuStorage::F32(result), self.0.shape()))
    }

    fn bwd(&self, a: &Tensor, result: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        let [a] = backward(&self.0, [a], result, grad)?;
        Ok(Some(a))
    }
}

impl<K: Kernel<2>> CustomOp2 for Op<K> {
    fn name(&self) -> &'static str {
        K::NAME
    }

    fn cpu_fwd(&self, a: &CpuStorage, at_a: &Layout, b: &CpuStorage, at_b: &Layout) -> Result<(CpuStorage, Shape)> {
        let result = self.0.forward([stored(a, at_a)?, stored(b, at_b)?]);
        Ok((CpuStorage::F32(result), self.0.shape()))
    }

    fn bwd(&self, a: &Tensor, b: &Tensor, result: &Tensor, grad: &Tensor) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let [a, b] = backward(&self.0, [a, b], result, grad)?;
        Ok((Some(a), Some(b)))
    }
}

impl<K: Kernel<3>> CustomOp3 for Op<K> {
    fn name(&self) -> &'static str {
        K::NAME
    }

    fn cpu_fwd(
        &self,
        a: &CpuStorage,
        at_a: &Layout,
        b: &CpuStorage,
        at_b: &Layout,
        c: &CpuStorage,
        at_c: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let result = self.0.forward([stored(a, at_a)?, stored(b, at_b)?, stored(c, at_c)?]);
        Ok((CpuStorage::F32(result), self.0.shape()))
    }

    fn bwd(
        &self,
        a: &Tensor,
        b: &Tensor,
        c: &Tensor,
        result: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let [a, b, c] = backward(&self.0, [a, b, c], result, grad)?;
        Ok((Some(a), Some(b), Some(c)))
    }
}

fn backward<const N: usize>(
    kernel: &impl Kernel<N>,
    inputs: [&Tensor; N],
    result: &Tensor,
    grad: &Tensor,
) -> Result<[Tensor; N]> {
    let grad = grad.contiguous()?;
    let values: Vec<Floats<'_>> = inputs.iter().map(|tensor| Floats::of(tensor)).collect::<Result<_>>()?;
    let slices = std::array::from_fn(|i| &*values[i]);
    let grads = kernel.backward(slices, &Floats::of(result)?, &Floats::of(&grad)?);
    let mut tensors = Vec::with_capacity(N);
    for (grad, input) in grads.into_iter().zip(inputs) {
        tensors.push(Tensor::from_vec(grad, input.shape(), input.device())?);
    }
    Ok(std::array::from_fn(|i| tensors[i].clone()))
}

/// The numbers of a contiguous tensor of f32 on the CPU, for as long as its lock is held.
pub(in crate::nn) struct Floats<'a> {
    storage: StorageRef<'a>,
    range: Range<usize>,
}

impl<'a> Floats<'a> {
    /// Those of `tensor`.
    pub(in crate::nn) fn of(tensor: &'a Tensor) -> Result<Floats<'a>> {
        let (storage, layout) = tensor.storage_and_layout();
        let range = match &*storage {
            Storage::Cpu(cpu) => numbers(cpu, layout)?,
            _ => bail!("a kernel needs its tensors on the CPU"),
        };
        Ok(Floats { storage, range })
    }
}

impl Deref for Floats<'_> {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        match &*self.storage {
            Storage::Cpu(CpuStorage::F32(values)) => &values[self.range.clone()],
            _ => &[],
        }
    }
}

/// The numbers of a storage, as candle hands it to an operation.
pub(in crate::nn) fn stored<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    Ok(&storage.as_slice::<f32>()?[numbers(storage, layout)?])
}

/// Where the numbers of a contiguous layout stand in its storage.
fn numbers(storage: &CpuStorage, layout: &Layout) -> Result<Range<usize>> {
    storage.as_slice::<f32>()?;
    match layout.contiguous_offsets() {
        Some((start, end)) => Ok(start..end),
        None => bail!("a kernel needs its tensors contiguous, got {layout:?}"),
    }
}
