//! The local baseline: residual convolutions that an action modulates, and the same head.

use candle_core::{Result, Tensor};
use solver::nn::{BuildResult, Scope};

use super::{
    CnnConfig,
    batch::Batch,
    head::{Aside, FAINT, Output, VALUES, rare},
    layers::{Linear, Trunk},
    stem::{Command, Sight, Stem},
};

/// The net.
#[derive(Clone, Debug)]
pub(super) struct Cnn {
    stem: Stem,
    command: Command,
    trunk: Trunk,
    head: Linear, // [channels] → [VALUES]
    rare: Tensor, // [VALUES]
    aside: Aside,
}

impl Cnn {
    pub(super) fn new(config: &CnnConfig, scope: &mut Scope<'_>) -> BuildResult<Cnn> {
        let (channels, width) = (config.channels, config.width);
        Ok(Cnn {
            stem: Stem::new(Sight::Anywhere, channels, &mut scope.at("stem"))?,
            command: Command::new(width, &mut scope.at("command"))?,
            trunk: Trunk::new(channels, width, &config.dilations, &mut scope.at("trunk"))?,
            head: Linear::new(channels, VALUES, FAINT, &mut scope.at("head"))?,
            rare: Tensor::new(rare(), scope.device())?,
            aside: Aside::new(channels + width, &mut scope.at("aside"))?,
        })
    }

    /// What comes of every step; it knows nothing of the steps before but what has just changed.
    pub(super) fn forward(&self, batch: &Batch) -> Result<Output> {
        let action = self.command.forward(batch)?;
        let seen = self.trunk.forward(&self.stem.forward(batch)?, &action)?;
        let cells = self.head.forward(&seen)?.broadcast_add(&self.rare)?;
        let whole = Tensor::cat(&[&action, &seen.mean((1, 2))?], 1)?;
        Ok(Output { cells, sources: batch.sources.clone(), aside: self.aside.forward(&whole)? })
    }
}
