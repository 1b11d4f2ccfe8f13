//! The selective scan of Mamba-1 over one sequence: zero-order hold for the decay, Euler for the input.
//!
//! `a[t,d,n] = exp(delta[t,d]·rate[d,n])`, `h[t] = a[t]·h[t-1] + delta[t]·b[t]·x[t]`, `y[t,d] = Σ_n c[t,n]·h[t,d,n]`;
//! where a sequence begins anew, `a` is zero. The backward pass runs `lam[t] = c[t]·g[t] + a[t+1]·lam[t+1]`, the gradient
//! of the state, from the end; it computes the states again rather than keep them from the forward pass.

use super::{
    math::{dot, exp},
    simd,
};

/// One sequence of `T` steps, `E` channels and `N` states a channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sequence<'a> {
    /// What comes in, and how long each of its steps is: [T, 2E], `x` then `delta`.
    pub(crate) inputs: &'a [f32],
    /// How it enters the state and how the state is read: [T, 2N], `b` then `c`.
    pub(crate) gates: &'a [f32],
    /// Decay rates, negative: [E, N].
    pub(crate) rates: &'a [f32],
    /// Steps before which the state is forgotten: [T].
    pub(crate) starts: &'a [bool],
}

/// Where the gradients of a [`Sequence`] go, with its shapes.
#[derive(Debug)]
pub(crate) struct Gradients<'a> {
    /// Overwritten.
    pub(crate) inputs: &'a mut [f32],
    /// Added to.
    pub(crate) gates: &'a mut [f32],
    /// Added to.
    pub(crate) rates: &'a mut [f32],
}

impl Sequence<'_> {
    fn channels(&self) -> usize {
        self.inputs.len() / self.starts.len() / 2
    }

    fn states(&self) -> usize {
        self.gates.len() / self.starts.len() / 2
    }

    /// `x` and `delta` of a step, [E] each.
    #[inline(always)]
    fn input(&self, step: usize) -> (&[f32], &[f32]) {
        let width = 2 * self.channels();
        self.inputs[step * width..][..width].split_at(width / 2)
    }

    /// `b` and `c` of a step, [N] each.
    #[inline(always)]
    fn gate(&self, step: usize) -> (&[f32], &[f32]) {
        let width = 2 * self.states();
        self.gates[step * width..][..width].split_at(width / 2)
    }

    /// Moves the state [E, N] by one step.
    #[inline(always)]
    fn advance(&self, step: usize, state: &mut [f32]) {
        let states = self.states();
        let ((x, delta), (b, _)) = (self.input(step), self.gate(step));
        let kept = if self.starts[step] { 0.0 } else { 1.0 };
        let channels = state.chunks_exact_mut(states).zip(self.rates.chunks_exact(states));
        for ((state, rates), (x, delta)) in channels.zip(x.iter().zip(delta)) {
            for ((h, rate), b) in state.iter_mut().zip(rates).zip(b) {
                *h = kept * exp(delta * rate) * *h + delta * b * x;
            }
        }
    }
}

/// The outputs `y`, [T, E].
pub(crate) fn forward(sequence: Sequence<'_>, y: &mut [f32]) {
    let (channels, states) = (sequence.channels(), sequence.states());
    let mut state = vec![0.0; channels * states];
    simd(
        #[inline(always)]
        || {
            for (step, y) in y.chunks_exact_mut(channels).enumerate() {
                sequence.advance(step, &mut state);
                let (_, c) = sequence.gate(step);
                for (y, state) in y.iter_mut().zip(state.chunks_exact(states)) {
                    *y = dot(state, c);
                }
            }
        },
    );
}

/// The gradients of [`forward`] from `grad`, that of its result.
pub(crate) fn backward(sequence: Sequence<'_>, grad: &[f32], to: &mut Gradients<'_>) {
    let (channels, size) = (sequence.channels(), sequence.rates.len());
    let mut history = vec![0.0; (sequence.starts.len() + 1) * size];
    let mut pull = vec![0.0; size];
    simd(
        #[inline(always)]
        || {
            for step in 0..sequence.starts.len() {
                let (before, after) = history[step * size..][..2 * size].split_at_mut(size);
                after.copy_from_slice(before);
                sequence.advance(step, after);
            }
            for (step, grad) in grad.chunks_exact(channels).enumerate().rev() {
                let (before, after) = history[step * size..][..2 * size].split_at(size);
                retreat(sequence, step, [before, after], grad, &mut pull, to);
            }
        },
    );
}

/// One step of the backward pass. `pull` holds `a[t+1]·lam[t+1]` when it begins and `a[t]·lam[t]` when it ends.
#[inline(always)]
fn retreat(
    sequence: Sequence<'_>,
    step: usize,
    [before, after]: [&[f32]; 2],
    grad: &[f32],
    pull: &mut [f32],
    to: &mut Gradients<'_>,
) {
    let (channels, states) = (sequence.channels(), sequence.states());
    let ((x, delta), (b, c)) = (sequence.input(step), sequence.gate(step));
    let kept = if sequence.starts[step] { 0.0 } else { 1.0 };
    let (to_x, to_delta) = to.inputs[step * 2 * channels..][..2 * channels].split_at_mut(channels);
    let (to_b, to_c) = to.gates[step * 2 * states..][..2 * states].split_at_mut(states);
    for channel in 0..channels {
        let (x, delta, g) = (x[channel], delta[channel], grad[channel]);
        let at = channel * states..(channel + 1) * states;
        let (rates, to_rates) = (&sequence.rates[at.clone()], &mut to.rates[at.clone()]);
        let (before, after, pull) = (&before[at.clone()], &after[at.clone()], &mut pull[at]);
        let (mut along_b, mut along_delta) = (0.0, 0.0);
        for n in 0..states {
            let decay = kept * exp(delta * rates[n]);
            let lam = c[n] * g + pull[n];
            let slope = lam * decay * before[n];
            to_c[n] += g * after[n];
            to_b[n] += lam * delta * x;
            to_rates[n] += delta * slope;
            along_b += lam * b[n];
            along_delta += rates[n] * slope;
            pull[n] = decay * lam;
        }
        to_x[channel] = delta * along_b;
        to_delta[channel] = along_delta + x * along_b;
    }
}
