//! The operations of this module composed of candle's own, differentiable on any device and in any floating type: what
//! they compute, spelled out.

use candle_core::{D, DType, Result, Tensor};

use crate::nn::kernel::sieve::Sieve;

/// See [`attention`](super::attention()).
pub fn attention(q: &Tensor, k: &Tensor, v: &Tensor, mask: Option<&Tensor>, sieve: Option<Sieve>) -> Result<Tensor> {
    let heads_first = |x: &Tensor| x.transpose(1, 2)?.contiguous();
    let scale = 1.0 / (q.dim(D::Minus1)? as f64).sqrt();
    let scores = (heads_first(q)?.matmul(&heads_first(k)?.t()?)? * scale)?;
    let scores = match mask {
        Some(mask) => scores.broadcast_add(&penalties(mask, scores.dtype())?)?,
        None => scores,
    };
    let probs = softmax(&scores)?;
    let probs = match sieve {
        Some(sieve) => (&probs * kept(sieve, &probs)?)?,
        None => probs,
    };
    probs.matmul(&heads_first(v)?)?.transpose(1, 2)?.contiguous()
}

/// What a sieve multiplies each of `probs` with, whose last dimension is a row.
fn kept(sieve: Sieve, probs: &Tensor) -> Result<Tensor> {
    let mut factors = vec![1.0; probs.elem_count()];
    let rows = factors.chunks_exact_mut(probs.dim(D::Minus1)?).enumerate();
    rows.for_each(|(index, row)| sieve.apply(index, row));
    Tensor::from_vec(factors, probs.shape(), probs.device())?.to_dtype(probs.dtype())
}

/// 0 for the keys that are seen and a number that no score outweighs for the others: [batch, 1, 1, tokens].
fn penalties(mask: &Tensor, dtype: DType) -> Result<Tensor> {
    let hidden = mask.to_dtype(dtype)?.affine(1e9, -1e9)?;
    hidden.unsqueeze(1)?.unsqueeze(1)
}

/// See [`rope`](super::rope()).
pub fn rope(x: &Tensor, cos: &Tensor, sin: &Tensor) -> Result<Tensor> {
    let half = x.dim(D::Minus1)? / 2;
    let (a, b) = (x.narrow(D::Minus1, 0, half)?, x.narrow(D::Minus1, half, half)?);
    let table = |t: &Tensor| t.to_dtype(x.dtype())?.unsqueeze(1);
    let (cos, sin) = (table(cos)?, table(sin)?);
    let low = (a.broadcast_mul(&cos)? - b.broadcast_mul(&sin)?)?;
    let high = (b.broadcast_mul(&cos)? + a.broadcast_mul(&sin)?)?;
    Tensor::cat(&[low, high], D::Minus1)
}

/// See [`softmax`](super::softmax()).
pub fn softmax(x: &Tensor) -> Result<Tensor> {
    candle_nn::ops::softmax(x, D::Minus1)
}

/// See [`rms_norm`](super::rms_norm).
pub fn rms_norm(x: &Tensor, eps: f64) -> Result<Tensor> {
    x.broadcast_div(&(x.sqr()?.mean_keepdim(D::Minus1)? + eps)?.sqrt()?)
}

/// See [`add_rms_norm`](super::add_rms_norm).
pub fn add_rms_norm(x: &Tensor, y: &Tensor, eps: f64) -> Result<Tensor> {
    rms_norm(&(x + y)?, eps)
}

/// See [`gain_rms_norm`](super::gain_rms_norm).
pub fn gain_rms_norm(x: &Tensor, gain: &Tensor, eps: f64) -> Result<Tensor> {
    rms_norm(x, eps)?.broadcast_mul(gain)
}

/// See [`layer_norm`](super::layer_norm).
pub fn layer_norm(x: &Tensor, gain: &Tensor, bias: &Tensor, eps: f64) -> Result<Tensor> {
    let centred = x.broadcast_sub(&x.mean_keepdim(D::Minus1)?)?;
    rms_norm(&centred, eps)?.broadcast_mul(gain)?.broadcast_add(bias)
}

/// See [`swiglu`](super::swiglu).
pub fn swiglu(x: &Tensor) -> Result<Tensor> {
    let halves = x.chunk(2, D::Minus1)?;
    halves[0].silu()? * &halves[1]
}

/// See [`conv_swiglu`](super::conv_swiglu).
pub fn conv_swiglu(x: &Tensor, weight: &Tensor, bias: &Tensor) -> Result<Tensor> {
    conv1d(&swiglu(x)?, weight, bias)?.silu()
}

/// See [`gelu_gate`](super::gelu_gate).
pub fn gelu_gate(gate: &Tensor, up: &Tensor) -> Result<Tensor> {
    gate.gelu_erf()? * up
}

/// See [`conv1d`](super::conv1d).
pub fn conv1d(x: &Tensor, weight: &Tensor, bias: &Tensor) -> Result<Tensor> {
    let tokens = x.dim(1)?;
    let before = x.pad_with_zeros(1, 1, 0)?.narrow(1, 0, tokens)?;
    let tap = |which: usize| weight.narrow(D::Minus1, which, 1)?.flatten_all();
    (before.broadcast_mul(&tap(0)?)? + x.broadcast_mul(&tap(1)?)?)?.broadcast_add(bias)
}

/// See [`conv2d`](super::conv2d).
pub fn conv2d(x: &Tensor, weight: &Tensor, bias: &Tensor) -> Result<Tensor> {
    let (_, height, width, channels) = x.dims4()?;
    let padded = x.pad_with_zeros(1, 1, 1)?.pad_with_zeros(2, 1, 1)?;
    let taps = weight.reshape((channels, 9))?;
    let mut sum = bias.broadcast_as(x.shape())?;
    for tap in 0..9 {
        let seen = padded.narrow(1, tap / 3, height)?.narrow(2, tap % 3, width)?;
        sum = (sum + seen.broadcast_mul(&taps.narrow(1, tap, 1)?.flatten_all()?)?)?;
    }
    Ok(sum)
}

/// See [`cumsum`](super::cumsum).
pub fn cumsum(x: &Tensor, dim: usize) -> Result<Tensor> {
    x.cumsum(dim)
}
