//! The time mixing of Mamba-1: the selective scan, and the short causal convolution before it.

use std::sync::Arc;

use candle_core::{D, Result, Shape, Tensor};
use rayon::prelude::*;

use super::{
    custom::{Kernel, apply3, check, native},
    reference,
};
use crate::nn::kernel::{
    add,
    selective::{self as scan, Gradients},
    taps::{self, Taps},
};

/// What a selective scan reads besides its input.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    /// Length of each step, positive: [sequences, steps, channels].
    pub delta: &'a Tensor,
    /// Decay rates, negative: [channels, states].
    pub rates: &'a Tensor,
    /// How the input enters the state: [sequences, steps, states].
    pub enter: &'a Tensor,
    /// How the state is read: [sequences, steps, states].
    pub read: &'a Tensor,
}

/// Mamba-1's recurrence, from a state of zero: `h[t] = exp(delta[t]·rate)·h[t-1] + delta[t]·enter[t]·x[t]` and
/// `y[t] = Σ read[t]·h[t]` in each channel (zero-order hold for the decay, Euler for the input: Gu and Dao 2023, as
/// their code has it). Where `starts` is true, the state is zero again before the step.
///
/// # Shapes
/// `x`: [sequences, steps, channels]. `starts`: sequences · steps. Result: like `x`.
pub fn selective_scan(x: &Tensor, with: Selection<'_>, starts: &Arc<[bool]>) -> Result<Tensor> {
    let Selection { delta, rates, enter, read } = with;
    let (sequences, steps, channels) = x.dims3()?;
    let states = rates.dim(1)?;
    check(Scan::NAME, delta, x.shape())?;
    check(Scan::NAME, rates, (channels, states))?;
    for gate in [enter, read] {
        check(Scan::NAME, gate, (sequences, steps, states))?;
    }
    check_starts(starts, sequences * steps)?;
    if !native(&[x, delta, rates, enter, read]) {
        return reference::selective_scan(x, with, starts);
    }
    let (inputs, gates) = (Tensor::cat(&[x, delta], D::Minus1)?, Tensor::cat(&[enter, read], D::Minus1)?);
    apply3(Scan { shape: x.shape().clone(), steps, channels, starts: starts.clone() }, &inputs, &gates, rates)
}

/// A depthwise convolution along the sequence that sees no later step and nothing beyond a start:
/// `y[t] = b + Σ_k weight[last - k]·x[t-k]`.
///
/// # Shapes
/// `x`: [sequences, steps, channels]. `weight`: [channels, 1, taps]. `bias`: [channels]. `starts`: sequences · steps.
/// Result: like `x`.
pub fn causal_conv(x: &Tensor, weight: &Tensor, bias: &Tensor, starts: &Arc<[bool]>) -> Result<Tensor> {
    let (sequences, steps, channels) = x.dims3()?;
    let (_, _, taps) = weight.dims3()?;
    check(Causal::NAME, weight, (channels, 1, taps))?;
    check(Causal::NAME, bias, channels)?;
    check_starts(starts, sequences * steps)?;
    if !native(&[x, weight, bias]) {
        return reference::causal_conv(x, weight, bias, starts);
    }
    apply3(Causal { shape: x.shape().clone(), steps, channels, starts: starts.clone() }, x, weight, bias)
}

fn check_starts(starts: &[bool], expected: usize) -> Result<()> {
    if starts.len() == expected {
        return Ok(());
    }
    candle_core::bail!("a scan of {expected} steps got {} starts", starts.len())
}

struct Scan {
    shape: Shape,
    steps: usize,
    channels: usize,
    starts: Arc<[bool]>,
}

impl Scan {
    /// The sequences, each with its inputs, gates and starts.
    fn sequences<'a>(
        &'a self,
        [inputs, gates, rates]: [&'a [f32]; 3],
    ) -> impl IndexedParallelIterator<Item = scan::Sequence<'a>> {
        let states = rates.len() / self.channels;
        let inputs = inputs.par_chunks(self.steps * 2 * self.channels);
        let gates = gates.par_chunks(self.steps * 2 * states);
        let starts = self.starts.par_chunks(self.steps);
        inputs.zip(gates).zip(starts).map(move |((inputs, gates), starts)| scan::Sequence {
            inputs,
            gates,
            rates,
            starts,
        })
    }
}

impl Kernel<3> for Scan {
    const NAME: &'static str = "selective-scan";

    fn shape(&self) -> Shape {
        self.shape.clone()
    }

    fn forward(&self, inputs: [&[f32]; 3]) -> Vec<f32> {
        let mut y = vec![0.0; self.shape.elem_count()];
        let results = y.par_chunks_mut(self.steps * self.channels);
        self.sequences(inputs).zip(results).for_each(|(sequence, y)| scan::forward(sequence, y));
        y
    }

    fn backward(&self, all: [&[f32]; 3], _result: &[f32], grad: &[f32]) -> [Vec<f32>; 3] {
        let [mut inputs, mut gates] = [vec![0.0; all[0].len()], vec![0.0; all[1].len()]];
        let states = all[2].len() / self.channels;
        let grads = grad.par_chunks(self.steps * self.channels);
        let targets = inputs.par_chunks_mut(self.steps * 2 * self.channels);
        let targets = targets.zip(gates.par_chunks_mut(self.steps * 2 * states));
        let one = |((sequence, grad), (inputs, gates))| {
            let mut rates = vec![0.0; all[2].len()];
            scan::backward(sequence, grad, &mut Gradients { inputs, gates, rates: &mut rates });
            rates
        };
        let parts: Vec<Vec<f32>> = self.sequences(all).zip(grads).zip(targets).map(one).collect();
        let mut rates = vec![0.0; all[2].len()];
        for part in &parts {
            add(&mut rates, part);
        }
        [inputs, gates, rates]
    }
}

struct Causal {
    shape: Shape,
    steps: usize,
    channels: usize,
    starts: Arc<[bool]>,
}

impl Causal {
    /// Numbers in one sequence.
    fn len(&self) -> usize {
        self.steps * self.channels
    }
}

impl Kernel<3> for Causal {
    const NAME: &'static str = "causal-conv";

    fn shape(&self) -> Shape {
        self.shape.clone()
    }

    fn forward(&self, [x, weight, bias]: [&[f32]; 3]) -> Vec<f32> {
        let taps = Taps::from_weight(weight, self.channels);
        let mut y: Vec<f32> = bias.iter().copied().cycle().take(x.len()).collect();
        let sequences =
            x.par_chunks(self.len()).zip(y.par_chunks_mut(self.len())).zip(self.starts.par_chunks(self.steps));
        sequences.for_each(|((x, y), starts)| taps::forward(x, &taps, starts, y));
        y
    }

    fn backward(&self, [x, weight, _]: [&[f32]; 3], _result: &[f32], grad: &[f32]) -> [Vec<f32>; 3] {
        let taps = Taps::from_weight(weight, self.channels);
        let mut to_x = vec![0.0; x.len()];
        let sequences = x.par_chunks(self.len()).zip(grad.par_chunks(self.len()));
        let sequences = sequences.zip(to_x.par_chunks_mut(self.len())).zip(self.starts.par_chunks(self.steps));
        let parts = sequences.map(|(((x, grad), to_x), starts)| {
            let mut to_taps = taps.zeros();
            let to_bias = taps::backward(x, grad, &taps, starts, to_x, &mut to_taps);
            (to_taps, to_bias)
        });
        let parts: Vec<(Taps, Vec<f32>)> = parts.collect();
        let (mut to_taps, mut to_bias) = (taps.zeros(), vec![0.0; self.channels]);
        for (part, bias) in &parts {
            to_taps.add(part);
            add(&mut to_bias, bias);
        }
        [to_x, to_taps.to_weight(), to_bias]
    }
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;
    use crate::nn::ops::testing::{agree, draw};

    fn starts(count: usize, at: &[usize]) -> Arc<[bool]> {
        (0..count).map(|step| at.contains(&step)).collect()
    }

    /// Inputs of 3 sequences of 5 steps: `x`, the logarithm of `delta`, that of minus the rates, `enter`, `read`.
    fn scan_inputs(channels: usize, states: usize) -> [Tensor; 5] {
        let per_step = |name, width| draw(name, (3, 5, width));
        [
            per_step("x", channels),
            per_step("delta", channels),
            draw("rates", (channels, states)),
            per_step("enter", states),
            per_step("read", states),
        ]
    }

    type Scanner = fn(&Tensor, Selection<'_>, &Arc<[bool]>) -> Result<Tensor>;

    fn run(scan: Scanner, x: &[Tensor], starts: &Arc<[bool]>) -> Result<Tensor> {
        let (delta, rates) = ((&x[1] * 0.5)?.exp()?, (&x[2] * 0.5)?.exp()?.neg()?);
        scan(&x[0], Selection { delta: &delta, rates: &rates, enter: &x[3], read: &x[4] }, starts)
    }

    #[test]
    fn the_scan_agrees_with_its_reference_and_with_differences() {
        for (channels, states) in [(3, 1), (4, 5), (6, 16)] {
            for at in [&[][..], &[0, 7, 8, 12][..]] {
                let (inputs, starts) = (scan_inputs(channels, states), starts(15, at));
                let reference: Scanner = |x, with, starts| reference::selective_scan(x, with, starts);
                agree(&inputs, |x| run(selective_scan, x, &starts), |x| run(reference, x, &starts));
            }
        }
    }

    #[test]
    fn three_steps_by_hand() {
        // h = [ln 2, h1/2 + ln 2 · 0.5 · 2, h2/4], y = [h1 + 1, h2 + 2, 2·h3 + 0] with the skip of 1 left out.
        let tensor = |values: [f32; 3]| Tensor::from_vec(values.to_vec(), (1, 3, 1), &Device::Cpu).unwrap();
        let (ln2, ln4) = (2f32.ln(), 4f32.ln());
        let rates = Tensor::new(&[[-1f32]], &Device::Cpu).unwrap();
        let (delta, enter, read) = (tensor([ln2, ln2, ln4]), tensor([1.0, 0.5, 1.0]), tensor([1.0, 1.0, 2.0]));
        let with = Selection { delta: &delta, rates: &rates, enter: &enter, read: &read };
        let x = tensor([1.0, 2.0, 0.0]);
        let y = (selective_scan(&x, with, &starts(3, &[])).unwrap() + &x).unwrap();
        let y = y.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        for (found, expected) in y.iter().zip([1.693_147, 3.039_721, 0.519_860]) {
            assert!((found - expected).abs() < 2e-6, "{y:?}");
        }
    }

    #[test]
    fn a_step_of_no_length_leaves_the_state() {
        let inputs = scan_inputs(3, 4);
        let (zero, rates) = (inputs[1].zeros_like().unwrap(), inputs[2].abs().unwrap().neg().unwrap());
        let with = Selection { delta: &zero, rates: &rates, enter: &inputs[3], read: &inputs[4] };
        let y = selective_scan(&inputs[0], with, &starts(15, &[])).unwrap();
        assert!(y.flatten_all().unwrap().to_vec1::<f32>().unwrap().iter().all(|y| *y == 0.0));
    }

    #[test]
    fn the_causal_convolution_agrees_with_its_reference() {
        for (taps, at) in [(1, &[][..]), (4, &[][..]), (4, &[0, 2, 6, 11][..])] {
            let starts = starts(12, at);
            let inputs = [draw("x", (2, 6, 5)), draw("w", (5, 1, taps)), draw("b", 5)];
            let op = |x: &[Tensor]| causal_conv(&x[0], &x[1], &x[2], &starts);
            agree(&inputs, op, |x| reference::causal_conv(&x[0], &x[1], &x[2], &starts));
        }
    }

    #[test]
    fn a_wrong_number_of_starts_is_an_error() {
        let x = draw("x", (1, 3, 2));
        let refused = causal_conv(&x, &draw("w", (2, 1, 4)), &draw("b", 2), &starts(2, &[])).unwrap_err();
        assert!(refused.to_string().contains("a scan of 3 steps got 2 starts"));
    }
}
