//! What moves the weights.
//!
//! # Layout
//! - [`Optimizer`]: the rules that have a state: AdamAtan2, AdamW, Muon. Start here.
//! - [`Gradients`]: what a backward pass left, by name; adding, clipping, finding what is not a number.
//! - [`SignSgd`]: the rule of table rows, which has no state.
//! - [`Schedule`]: the learning rate of each step. [`Ema`]: the average that is evaluated.
//!
//! # The one decision
//! Everything works on names and plain tensors: no optimiser knows a net, and its state is written to a checkpoint under
//! the names of the tensors. On the CPU a step is one sweep over the numbers where they lie; elsewhere the same formulas
//! run in whole tensors, and a test holds both together.

mod adam;
mod ema;
mod gradients;
mod muon;
mod schedule;
mod slices;
mod table;

use candle_core::{Error, Result, Tensor};
use serde::{Deserialize, Serialize};

use adam::{Adam, Direction, Moments};
use muon::Muon;

use super::Params;

pub use ema::Ema;
pub use gradients::{Gradients, Norm};
pub use muon::msign;
pub use schedule::{FirstStep, Schedule, Then};
pub use table::SignSgd;

/// Part of the names of everything in a layer.
const LAYERS: &str = "layers.";

/// Which step it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Counted from 1.
    pub number: u64,
    /// The learning rate.
    pub lr: f64,
}

/// A rule and its constants.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case", deny_unknown_fields)]
pub enum OptimizerConfig {
    /// AdamAtan2 as the CUDA package `adam-atan2` 0.0.3 computes it: the first bias correction is outside the arc.
    AdamAtan2 {
        /// Decay of the two averages.
        betas: (f64, f64),
        /// Decoupled decay of every trained tensor.
        weight_decay: f64,
    },
    /// AdamW as PyTorch computes it.
    AdamW {
        /// Decay of the two averages.
        betas: (f64, f64),
        /// Decoupled decay of every trained tensor.
        weight_decay: f64,
        /// Added to the root of the corrected second average.
        eps: f64,
    },
    /// Muon for all matrices and, for the rest, AdamW with its epsilon before the correction, as URM has it.
    Muon {
        /// Decay of the averages of the AdamW part.
        betas: (f64, f64),
        /// Decoupled decay of every trained tensor.
        weight_decay: f64,
        /// Of the AdamW part.
        eps: f64,
        /// Whether Muon moves the matrices of layers alone, and AdamW embeddings and heads too (as Muon's author
        /// advises; URM does not).
        #[serde(default)]
        layers_only: bool,
        /// Whether matrices that are stored as one, queries, keys and values or gate and value, are turned each by itself:
        /// together the one with the largest gradients leaves the others hardly a step (URM turns them together).
        #[serde(default)]
        apart: bool,
    },
}

/// A rule with its state.
#[derive(Clone, Debug)]
pub struct Optimizer {
    config: OptimizerConfig,
    matrices: Option<Muon>,
    moments: Moments,
}

impl Optimizer {
    /// A rule that has not made a step yet.
    pub fn new(config: OptimizerConfig, params: &Params) -> Result<Optimizer> {
        let muon = matches!(config, OptimizerConfig::Muon { .. });
        let (matrices, rest): (Vec<_>, Vec<_>) = params.trained().partition(|(name, var)| config.turns(name, var));
        let matrices = muon.then(|| Muon::new(matrices.into_iter())).transpose()?;
        Ok(Optimizer { config, matrices, moments: Moments::zeros(rest.into_iter())? })
    }

    /// Moves every trained tensor that has a gradient.
    pub fn step(&mut self, params: &Params, gradients: &Gradients, at: Step) -> Result<()> {
        for (name, gradient) in gradients.iter() {
            let var = params.get(name).ok_or_else(|| missing(name))?.as_tensor();
            self.step_one(name, var, gradient, at)?;
        }
        Ok(())
    }

    fn step_one(&self, name: &str, var: &Tensor, gradient: &Tensor, at: Step) -> Result<()> {
        match (self.config, &self.matrices) {
            (OptimizerConfig::Muon { weight_decay, apart, .. }, Some(muon)) if self.config.turns(name, var) => {
                let parts = if apart { stored_as_one(name) } else { 1 };
                muon.step(name, (var, parts), gradient, weight_decay, at)
            }
            (config, _) => {
                let (adam, direction) = config.adam(at);
                adam.step(var, self.moments.of(name)?, gradient, at, direction)
            }
        }
    }

    /// All of its state by name, to be saved and, in place, restored.
    pub fn state(&self) -> impl Iterator<Item = (String, &Tensor)> {
        self.matrices.iter().flat_map(Muon::state).chain(self.moments.state())
    }
}

impl OptimizerConfig {
    /// Whether Muon moves this tensor.
    fn turns(self, name: &str, tensor: &Tensor) -> bool {
        match self {
            OptimizerConfig::Muon { layers_only, .. } => tensor.rank() == 2 && (!layers_only || name.contains(LAYERS)),
            _ => false,
        }
    }

    fn adam(self, at: Step) -> (Adam, Direction) {
        match self {
            OptimizerConfig::AdamAtan2 { betas, weight_decay } => (Adam { betas, weight_decay }, Direction::Atan2),
            OptimizerConfig::AdamW { betas, weight_decay, eps } => {
                let correction = (1.0 - betas.1.powf(at.number as f64)).sqrt();
                (Adam { betas, weight_decay }, Direction::Quotient { eps: eps * correction })
            }
            OptimizerConfig::Muon { betas, weight_decay, eps, .. } => {
                (Adam { betas, weight_decay }, Direction::Quotient { eps })
            }
        }
    }
}

/// How many matrices of equal size stand on each other in the one of this name.
fn stored_as_one(name: &str) -> usize {
    match name {
        _ if name.contains("qkv_proj") => 3,
        _ if name.contains("gate_up_proj") => 2,
        _ => 1,
    }
}

fn missing(name: &str) -> Error {
    Error::Msg(format!("the optimiser knows no tensor called {name}"))
}

#[cfg(test)]
mod tests;
