//! What a training is made of between two steps, to a checkpoint and back.

use std::collections::BTreeMap;

use candle_core::{DType, Tensor};
use serde::{Deserialize, Serialize};

use super::{TrainError, trainer::Trainer};
use crate::{
    data::Batch,
    nets::{Carry, Loss, Step},
    nn::{Checkpoint, Meta, Params, halting::Slot, optim::Ema},
};

/// Sums over some steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Tally {
    rows: f64,
    tokens: f64,
    halting: f64,
    exact: f64,
    last: (f64, f64),
}

impl Tally {
    /// Adds a part of a batch.
    pub(super) fn add(&mut self, loss: &Loss, step: &Step) -> candle_core::Result<()> {
        let scalar = |tensor: &Tensor| tensor.to_dtype(DType::F64)?.to_scalar::<f64>();
        let (rows, answers) = (step.carry.data.rows as f64, step.answers.len().max(1) as f64);
        let tokens = scalar(&loss.tokens)? / answers;
        let exact = loss.exact.iter().filter(|right| **right).count() as f64;
        self.last = (tokens / rows, exact / rows);
        self.rows += rows;
        self.tokens += tokens;
        self.halting += scalar(&loss.halting)?;
        self.exact += exact;
        Ok(())
    }

    /// Loss of a token in the last part of a batch, and the share of its sequences that were right.
    pub(super) fn last(&self) -> (f64, f64) {
        self.last
    }

    /// Means by name.
    pub(super) fn values(&self) -> BTreeMap<String, f64> {
        let rows = self.rows.max(1.0);
        let named = [("loss", self.tokens), ("halting", self.halting), ("exact", self.exact)];
        named.into_iter().map(|(name, sum)| (format!("train/{name}"), sum / rows)).collect()
    }
}

impl Trainer<'_> {
    /// Everything, under the names of its groups.
    pub(super) fn checkpoint(&self) -> Result<Checkpoint, TrainError> {
        let config = toml::to_string(&self.setup.config)?;
        let mut checkpoint = Checkpoint::new(Meta::new(self.step, self.setup.seed, config));
        let owned = |(name, tensor): (String, &Tensor)| (name, tensor.clone());
        checkpoint.put("weights", weights(&self.params).map(owned));
        checkpoint.put("optimizer", self.optimizer.state().map(owned));
        checkpoint.put("ema", self.ema.iter().flat_map(Ema::state).map(owned));
        for (part, carry) in self.carries.iter().enumerate() {
            let states = carry.state.iter().enumerate().map(|(index, tensor)| (index.to_string(), tensor.clone()));
            checkpoint.put(&format!("carry.{part}.state"), states);
            checkpoint.put_value(&format!("carry.{part}"), "slots", &(&carry.slots, &carry.data))?;
        }
        checkpoint.put_value("train", "position", &(self.sampler.position(), self.tally))?;
        checkpoint.put_value("train", "puzzles", &self.setup.puzzles)?;
        Ok(checkpoint)
    }

    /// Takes everything up again. The net and its optimiser are there, with other numbers in them.
    pub(super) fn restore(&mut self, mut checkpoint: Checkpoint) -> Result<(), TrainError> {
        self.step = checkpoint.meta.step;
        checkpoint.restore("weights", weights(&self.params))?;
        checkpoint.restore("optimizer", self.optimizer.state())?;
        checkpoint.restore("ema", self.ema.iter().flat_map(Ema::state))?;
        for (part, carry) in self.carries.iter_mut().enumerate() {
            let (slots, data): (Vec<Slot>, Batch) = checkpoint.value(&format!("carry.{part}.slots"))?;
            let state = checkpoint.take(&format!("carry.{part}.state")).into_values().collect();
            *carry = Carry { state, slots, data };
            checkpoint.take(&format!("carry.{part}"));
        }
        let (position, tally) = checkpoint.value("train.position")?;
        self.sampler.seek(position);
        self.tally = tally;
        checkpoint.take("train");
        Ok(checkpoint.finish()?)
    }
}

fn weights(params: &Params) -> impl Iterator<Item = (String, &Tensor)> {
    params.iter().map(|(name, _, var)| (name.to_owned(), var.as_tensor()))
}
