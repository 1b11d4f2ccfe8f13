//! Mamba-1's block: a gated selective state space, with all steps at once or one at a time.

use std::sync::Arc;

use candle_core::{D, DType, Result, Tensor};
use solver::nn::{
    BuildResult, Init, Scope, linear,
    ops::{self, Selection},
};

use super::SlotMambaConfig;

/// Range of the step lengths at the start (Gu and Dao 2023).
const STEPS: (f64, f64) = (1e-3, 0.1);

/// The block, without norm and residual.
#[derive(Clone, Debug)]
pub(super) struct Mamba {
    enter: Tensor,       // [2E, D]
    conv: Tensor,        // [E, 1, taps]
    conv_bias: Tensor,   // [E]
    select: Tensor,      // [R + 2N, E]
    lengths: Tensor,     // [E, R]
    length_bias: Tensor, // [E]
    log_rates: Tensor,   // [E, N]
    skip: Tensor,        // [E]
    leave: Tensor,       // [D, E]
}

/// What a block knows of each sequence so far.
#[derive(Clone, Debug)]
pub(super) struct State {
    window: Tensor, // [S, taps - 1, E]
    hidden: Tensor, // [S, E, N]
}

impl State {
    /// The same numbers without the graph behind them.
    pub(super) fn detach(&mut self) {
        (self.window, self.hidden) = (self.window.detach(), self.hidden.detach());
    }

    /// Forgets what it knows of those sequences that begin anew.
    pub(super) fn forget(&mut self, starts: &[bool]) -> Result<()> {
        let kept: Vec<f32> = starts.iter().map(|start| if *start { 0.0 } else { 1.0 }).collect();
        let kept = Tensor::from_vec(kept, (starts.len(), 1, 1), self.hidden.device())?;
        self.window = self.window.broadcast_mul(&kept)?;
        self.hidden = self.hidden.broadcast_mul(&kept)?;
        Ok(())
    }
}

/// What the scan reads at each step.
struct Selected {
    delta: Tensor, // [.., E]
    enter: Tensor, // [.., N]
    read: Tensor,  // [.., N]
}

impl Mamba {
    pub(super) fn new(config: &SlotMambaConfig, scope: &mut Scope<'_>) -> BuildResult<Mamba> {
        let (width, inner, rank, states) = (config.width, config.inner(), config.rank(), config.states);
        let (least, most) = STEPS;
        Ok(Mamba {
            enter: scope.trained("enter", (2 * inner, width), Init::torch(width))?,
            conv: scope.trained("conv", (inner, 1, config.taps), Init::torch(config.taps))?,
            conv_bias: scope.trained("conv_bias", inner, Init::torch(config.taps))?,
            select: scope.trained("select", (rank + 2 * states, inner), Init::torch(inner))?,
            lengths: scope.trained("lengths", (inner, rank), Init::torch(rank))?,
            length_bias: scope.trained("length_bias", inner, Init::InverseSoftplus { least, most })?,
            log_rates: scope.trained("log_rates", (inner, states), Init::LogCount { period: states })?,
            skip: scope.trained("skip", inner, Init::Constant(1.0))?,
            leave: scope.trained("leave", (width, inner), Init::torch(inner))?,
        })
    }

    /// All steps at once.
    ///
    /// # Shapes
    /// `u`: [sequences, steps, width]. `starts`: sequences · steps. Result: like `u`.
    pub(super) fn scan(&self, u: &Tensor, starts: &Arc<[bool]>) -> Result<Tensor> {
        let (x, gate) = self.halves(u)?;
        let x = ops::causal_conv(&x, &self.conv, &self.conv_bias, starts)?.silu()?;
        let Selected { delta, enter, read } = self.selected(&x)?;
        let rates = self.rates()?;
        let with = Selection { delta: &delta, rates: &rates, enter: &enter, read: &read };
        self.out(&ops::selective_scan(&x, with, starts)?, &x, &gate)
    }

    /// One step, which moves the state.
    ///
    /// # Shapes
    /// `u`: [sequences, width]. Result: like `u`.
    pub(super) fn step(&self, u: &Tensor, state: &mut State) -> Result<Tensor> {
        let (x, gate) = self.halves(u)?;
        let window = Tensor::cat(&[&state.window, &x.unsqueeze(1)?], 1)?; // [S, taps, E]
        let taps = self.conv.squeeze(1)?.t()?; // [taps, E]
        let x = window.broadcast_mul(&taps)?.sum(1)?.broadcast_add(&self.conv_bias)?.silu()?;
        let Selected { delta, enter, read } = self.selected(&x)?;
        let delta = delta.unsqueeze(D::Minus1)?;
        let decay = delta.broadcast_mul(&self.rates()?)?.exp()?;
        let entering = (&delta * x.unsqueeze(D::Minus1)?)?.broadcast_mul(&enter.unsqueeze(1)?)?;
        state.hidden = ((&state.hidden * decay)? + entering)?;
        state.window = window.narrow(1, 1, window.dim(1)? - 1)?.contiguous()?;
        let y = state.hidden.broadcast_mul(&read.unsqueeze(1)?)?.sum(D::Minus1)?;
        self.out(&y, &x, &gate)
    }

    /// The state before the first step of so many sequences.
    pub(super) fn empty(&self, sequences: usize) -> Result<State> {
        let (inner, _, taps) = self.conv.dims3()?;
        let zeros = |shape: (usize, usize, usize)| Tensor::zeros(shape, DType::F32, self.conv.device());
        Ok(State {
            window: zeros((sequences, taps - 1, inner))?,
            hidden: zeros((sequences, inner, self.log_rates.dim(1)?))?,
        })
    }

    fn halves(&self, u: &Tensor) -> Result<(Tensor, Tensor)> {
        let both = linear(u, &self.enter)?;
        let inner = both.dim(D::Minus1)? / 2;
        Ok((both.narrow(D::Minus1, 0, inner)?.contiguous()?, both.narrow(D::Minus1, inner, inner)?.contiguous()?))
    }

    fn selected(&self, x: &Tensor) -> Result<Selected> {
        let all = linear(x, &self.select)?;
        let (rank, states) = (self.lengths.dim(1)?, self.log_rates.dim(1)?);
        let lengths = linear(&all.narrow(D::Minus1, 0, rank)?.contiguous()?, &self.lengths)?;
        Ok(Selected {
            delta: softplus(&lengths.broadcast_add(&self.length_bias)?)?,
            enter: all.narrow(D::Minus1, rank, states)?.contiguous()?,
            read: all.narrow(D::Minus1, rank + states, states)?.contiguous()?,
        })
    }

    fn rates(&self) -> Result<Tensor> {
        self.log_rates.exp()?.neg()
    }

    fn out(&self, y: &Tensor, x: &Tensor, gate: &Tensor) -> Result<Tensor> {
        let y = ((y + x.broadcast_mul(&self.skip)?)? * gate.silu()?)?;
        linear(&y, &self.leave)
    }
}

/// `ln(1 + exp(x))` without overflow.
fn softplus(x: &Tensor) -> Result<Tensor> {
    x.relu()? + (x.abs()?.neg()?.exp()? + 1.0)?.log()?
}
