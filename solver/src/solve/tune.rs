//! Test-time training: what a task's own demonstrations teach.

use std::{ops::ControlFlow, time::Instant};

use candle_core::DType;

use super::{Scope, SolveError, Stage, Tuning, Watch};
use crate::{
    data::Sampler,
    nets::{self, Carry, Net, Run},
    nn::{
        Params,
        optim::{Gradients, Optimizer, SignSgd, Step},
        stream,
    },
    train::TrainingConfig,
};

/// Rows of a batch, as Loop-ViT's test-time training has it.
pub(super) const ROWS: usize = 8;

/// A net on its way to know one more task.
pub(super) struct Tuner<'a> {
    pub(super) net: &'a Net,
    /// Its tensors, changed in place.
    pub(super) params: &'a Params,
    /// Which of them is the puzzle table.
    pub(super) table: &'a str,
    /// How it was trained before; the rates of that training fall to 0 within the steps.
    pub(super) training: &'a TrainingConfig,
    pub(super) tuning: &'a Tuning,
    pub(super) seed: u64,
}

impl Tuner<'_> {
    /// Trains until steps or time are spent, and says how many steps there were. `None` when somebody wants to stop.
    pub(super) fn run(&self, mut sampler: Sampler<'_>, watch: &mut Watch<'_>) -> Result<Option<u32>, SolveError> {
        let begun = Instant::now();
        let mut optimizer = Optimizer::new(self.training.optimizer, self.params)?;
        let mut carry = Carry::empty(ROWS, self.net.config().tokens().cells());
        for step in 1..=self.tuning.steps {
            let batch = sampler.draw();
            let mut rng = stream(self.seed, &format!("tuning step {step}"));
            let made = self.net.step(&carry, &batch, Run::Train(&mut rng))?;
            let loss = self.learn(&mut optimizer, &made, step)?;
            carry = made.carry;
            if let ControlFlow::Break(()) = watch(Stage::Tuning { step, steps: self.tuning.steps, loss }) {
                return Ok(None);
            }
            if self.tuning.time.is_some_and(|time| begun.elapsed() >= time) {
                return Ok(Some(step));
            }
        }
        Ok(Some(self.tuning.steps))
    }

    /// One step of the optimisers; the loss of a token before it.
    fn learn(&self, optimizer: &mut Optimizer, made: &nets::Step, step: u32) -> Result<f64, SolveError> {
        let loss = self.net.loss(made)?;
        let tokens = loss.tokens.to_dtype(DType::F64)?.to_scalar::<f64>()? / (ROWS * made.answers.len().max(1)) as f64;
        if !tokens.is_finite() {
            return Err(SolveError::NotFinite { step });
        }
        let mut store = (loss.total * (1.0 / ROWS as f64))?.backward()?;
        let left = 1.0 - f64::from(step - 1) / f64::from(self.tuning.steps);
        let rows = made.rows.as_ref().and_then(|rows| store.remove(rows));
        if let (Some(table), Some(gradients), Some(rule)) = (self.params.get(self.table), rows, self.training.table) {
            SignSgd::from(rule).step(table, &made.carry.data.puzzles, &gradients, rule.lr * left)?;
        }
        let gradients = Gradients::take(self.params, &mut store);
        let is_free = |name: &str| self.tuning.scope == Scope::Net || name == self.table;
        let all = gradients.iter().filter(|(name, _)| is_free(name));
        let free: Gradients = all.map(|(name, gradient)| (name.to_owned(), gradient.clone())).collect();
        optimizer.step(self.params, &free, Step { number: step.into(), lr: self.training.lr * left })?;
        Ok(tokens)
    }
}
