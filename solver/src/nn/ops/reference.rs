//! The operations of this module composed of candle's own, differentiable on any device and in any floating type: what
//! they compute, spelled out.

use candle_core::{D, DType, Result, Tensor};

use super::{Edit, FilmConv, NO_SOURCE, Selection};
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

/// See [`selective_scan`](super::selective_scan): a step at a time.
pub fn selective_scan(x: &Tensor, with: Selection<'_>, starts: &[bool]) -> Result<Tensor> {
    let (_, steps, _) = x.dims3()?;
    let at = |tensor: &Tensor, step: usize| tensor.narrow(1, step, 1)?.squeeze(1);
    let mut state: Option<Tensor> = None; // [S, E, N]
    let mut outputs = Vec::with_capacity(steps);
    for step in 0..steps {
        let (x, delta) = (at(x, step)?.unsqueeze(D::Minus1)?, at(with.delta, step)?.unsqueeze(D::Minus1)?);
        let entering = (&x * &delta)?.broadcast_mul(&at(with.enter, step)?.unsqueeze(1)?)?;
        let next = match state {
            None => entering,
            Some(state) => {
                let decay = delta.broadcast_mul(&with.rates.unsqueeze(0)?)?.exp()?;
                let kept = remembered(starts, steps, step, &state)?;
                ((state * decay)?.broadcast_mul(&kept)? + entering)?
            }
        };
        let read = at(with.read, step)?.unsqueeze(1)?;
        outputs.push(next.broadcast_mul(&read)?.sum(D::Minus1)?);
        state = Some(next);
    }
    Tensor::stack(&outputs, 1)
}

/// 0 for the sequences that begin anew at a step and 1 for the others: [S, 1, 1].
fn remembered(starts: &[bool], steps: usize, step: usize, like: &Tensor) -> Result<Tensor> {
    let kept: Vec<f32> = starts.chunks(steps).map(|starts| if starts[step] { 0.0 } else { 1.0 }).collect();
    Tensor::from_vec(kept, (starts.len() / steps, 1, 1), like.device())?.to_dtype(like.dtype())
}

/// See [`causal_conv`](super::causal_conv): a tap at a time.
pub fn causal_conv(x: &Tensor, weight: &Tensor, bias: &Tensor, starts: &[bool]) -> Result<Tensor> {
    let ((_, steps, _), taps) = (x.dims3()?, weight.dim(D::Minus1)?);
    let mut sum = bias.broadcast_as(x.shape())?;
    for back in 0..taps.min(steps) {
        let seen = x.pad_with_zeros(1, back, 0)?.narrow(1, 0, steps)?;
        let tap = weight.narrow(D::Minus1, taps - 1 - back, 1)?.flatten_all()?;
        sum = (sum + seen.broadcast_mul(&tap)?.broadcast_mul(&reached(starts, steps, back, x)?)?)?;
    }
    Ok(sum)
}

/// 1 where a step and the one so far back belong to one sequence, 0 elsewhere: [S, T, 1].
fn reached(starts: &[bool], steps: usize, back: usize, like: &Tensor) -> Result<Tensor> {
    let whole = |row: &[bool], step: usize| step >= back && !row[step + 1 - back..=step].contains(&true);
    let reached = |row: &[bool]| (0..steps).map(|step| f32::from(u8::from(whole(row, step)))).collect::<Vec<_>>();
    let reached: Vec<f32> = starts.chunks(steps).flat_map(reached).collect();
    Tensor::from_vec(reached, (starts.len() / steps, steps, 1), like.device())?.to_dtype(like.dtype())
}

/// See [`film_conv`](super::film_conv): a tap at a time.
pub fn film_conv(x: &Tensor, weight: &Tensor, film: &Tensor, how: FilmConv) -> Result<Tensor> {
    let (images, height, width, inputs) = x.dims4()?;
    let (outputs, groups, reach) = (weight.dim(3)?, film.dim(0)?, how.dilation);
    let padded = x.pad_with_zeros(1, reach, reach)?.pad_with_zeros(2, reach, reach)?;
    let mut sum = Tensor::zeros((images * height * width, outputs), x.dtype(), x.device())?;
    for tap in 0..9 {
        let seen = padded.narrow(1, tap / 3 * reach, height)?.narrow(2, tap % 3 * reach, width)?;
        let weight = weight.narrow(0, tap / 3, 1)?.narrow(1, tap % 3, 1)?.reshape((inputs, outputs))?;
        sum = (sum + seen.reshape(((), inputs))?.matmul(&weight)?)?;
    }
    let sum = sum.reshape((groups, (), outputs))?;
    let (gain, bias) = (film.narrow(1, 0, outputs)?.unsqueeze(1)?, film.narrow(1, outputs, outputs)?.unsqueeze(1)?);
    let result = sum.broadcast_mul(&gain)?.broadcast_add(&bias)?.reshape((images, height, width, outputs))?;
    if how.relu { result.relu() } else { Ok(result) }
}

/// See [`lookup_conv`](super::lookup_conv): a tap at a time.
pub fn lookup_conv(symbols: &[u8], table: &Tensor, place: &Tensor) -> Result<Tensor> {
    let ((height, width, outputs), count) = (place.dims3()?, table.dim(1)?);
    let images = symbols.len() / (height * width);
    // One more symbol, which contributes nothing, stands beyond the border.
    let symbols: Vec<u32> = symbols.iter().map(|symbol| u32::from(*symbol) + 1).collect();
    let symbols = Tensor::from_vec(symbols, (images, height, width), place.device())?;
    let padded = symbols.pad_with_zeros(1, 1, 1)?.pad_with_zeros(2, 1, 1)?;
    let table = table.pad_with_zeros(1, 1, 0)?;
    let mut sum = place.unsqueeze(0)?.broadcast_as((images, height, width, outputs))?;
    for tap in 0..9 {
        let seen = padded.narrow(1, tap / 3, height)?.narrow(2, tap % 3, width)?.flatten_all()?;
        let rows = table.narrow(0, tap, 1)?.reshape((count + 1, outputs))?.index_select(&seen, 0)?;
        sum = (sum + rows.reshape((images, height, width, outputs))?)?;
    }
    sum.relu()
}

/// See [`blend_slots`](super::blend_slots).
pub fn blend_slots(hidden: &Tensor, weight: &Tensor, bias: &Tensor, side: usize) -> Result<Tensor> {
    let (frames, slots, rows, columns, channels) = hidden.dims5()?;
    let (said, cells) = (bias.dim(0)?, side * side);
    let values = said / cells - 1;
    let all = hidden.reshape(((), channels))?.matmul(weight)?.broadcast_add(bias)?;
    let all = all.reshape((frames, slots, rows * columns, said))?;
    let shares = candle_nn::ops::softmax(&all.narrow(D::Minus1, 0, cells)?, 1)?.unsqueeze(D::Minus1)?;
    let what = all.narrow(D::Minus1, cells, cells * values)?;
    let what = what.reshape((frames, slots, rows * columns, cells, values))?;
    let cells = what.broadcast_mul(&shares)?.sum(1)?.reshape(vec![frames, rows, columns, side, side, values])?;
    cells.transpose(2, 3)?.reshape((frames, rows * side, columns * side, values))
}

/// See [`edit_loss`](super::edit_loss).
pub fn edit_loss(logits: &Tensor, sources: &[u8], cells: &[Edit]) -> Result<Tensor> {
    let (count, width) = logits.dims2()?;
    let each = sources.len() / count.max(1);
    let given = |values: Vec<f32>, columns: usize| {
        Tensor::from_vec(values, (count, columns), logits.device())?.to_dtype(logits.dtype())
    };
    let one = |of: fn(&Edit) -> f32| given(cells.iter().map(of).collect(), 1)?.squeeze(1);
    let copies = one(|cell| f32::from(u8::from(cell.old == cell.new)))?;
    // For each choice what it shows, by cell: the numbers in order, then the sources.
    let numbers = (width - 1 - each) as u8;
    let shown = |cell: usize| (0..numbers).chain(sources[cell * each..][..each].iter().copied());
    let absent = (0..count).flat_map(|cell| shown(cell).map(|number| if number == NO_SOURCE { -1e30 } else { 0.0 }));
    let right = (0..count).flat_map(|cell| shown(cell).map(move |it| f32::from(u8::from(it == cells[cell].new))));
    let (absent, right) = (given(absent.collect(), width - 1)?, given(right.collect(), width - 1)?);
    let edit = candle_nn::ops::sigmoid(&logits.narrow(1, 0, 1)?)?.squeeze(1)?;
    let choices = softmax(&(logits.narrow(1, 1, width - 1)? + absent)?)?;
    let all = ((&edit * (choices * right)?.sum(1)?)? + (copies * edit.affine(-1.0, 1.0)?)?)?;
    (all.log()? * one(|cell| cell.weight)?)?.sum_all()?.neg()
}
