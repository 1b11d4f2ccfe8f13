//! Either net behind one interface.

use std::path::Path;

use candle_core::{Device, Result, Var};
use solver::nn::{Builder, Checkpoint, CheckpointError, ParamError, Params};

use super::{NetConfig, NetConfigError, batch::Batch, cnn::Cnn, head::Output, mamba::State, slot_mamba::SlotMamba};

/// A net with its weights.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) config: NetConfig,
    pub(super) params: Params,
    /// Whether its weights are those it began with, before the game.
    pub(super) is_untrained: bool,
    net: Net,
}

#[derive(Clone, Debug)]
enum Net {
    SlotMamba(Box<SlotMamba>),
    Cnn(Cnn),
}

/// What a net remembers of some sequences.
#[derive(Clone, Debug)]
pub(super) struct Memory(Vec<State>);

impl Memory {
    /// Forgets how it came about, so that no gradient flows into the steps before.
    pub(super) fn detach(&mut self) {
        self.0.iter_mut().for_each(State::detach);
    }
}

/// A net that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Its configuration.
    #[error(transparent)]
    Config(#[from] NetConfigError),
    /// Its tensors.
    #[error(transparent)]
    Params(#[from] ParamError),
    /// Its file.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The configuration that the file holds.
    #[error("the configuration in {path} cannot be read")]
    Toml {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong.
        source: toml::de::Error,
    },
}

impl Model {
    /// A net with fresh weights.
    pub(super) fn fresh(config: NetConfig, seed: u64) -> std::result::Result<Model, ModelError> {
        Model::build(config, Builder::fresh(seed, &Device::Cpu), true)
    }

    /// The net of a checkpoint that a training left: the averaged weights if it has such.
    pub(super) fn open(path: &Path) -> std::result::Result<Model, ModelError> {
        #[derive(serde::Deserialize)]
        struct Trained {
            net: NetConfig,
        }
        let mut checkpoint = Checkpoint::read(path, &Device::Cpu)?;
        let toml = |source| ModelError::Toml { path: path.to_owned(), source };
        let trained: Trained = toml::from_str(&checkpoint.meta.config).map_err(toml)?;
        let mut weights = checkpoint.take("weights");
        weights.extend(checkpoint.take("ema"));
        let is_untrained = checkpoint.meta.step == 0;
        Model::build(trained.net, Builder::from_tensors(weights.into_iter().collect(), &Device::Cpu), is_untrained)
    }

    /// A net with the same weights that learns by itself.
    pub(super) fn copy(&self) -> std::result::Result<Model, ModelError> {
        let copied = |(name, _, var): (&str, _, &Var)| Ok((name.to_owned(), var.as_tensor().copy()?));
        let weights: Result<_> = self.params.iter().map(copied).collect();
        let weights = weights.map_err(|error| ModelError::Params(ParamError::Device(error)))?;
        Model::build(self.config.clone(), Builder::from_tensors(weights, &Device::Cpu), self.is_untrained)
    }

    fn build(config: NetConfig, mut builder: Builder, is_untrained: bool) -> std::result::Result<Model, ModelError> {
        config.check()?;
        let mut root = builder.root();
        let net = match &config {
            NetConfig::SlotMamba(config) => Net::SlotMamba(Box::new(SlotMamba::new(config, &mut root)?)),
            NetConfig::Cnn(config) => Net::Cnn(Cnn::new(config, &mut root)?),
        };
        Ok(Model { config, params: builder.finish()?, is_untrained, net })
    }

    /// What comes of all steps of a batch, each sequence from nothing.
    pub(super) fn scan(&self, batch: &Batch) -> Result<Output> {
        match &self.net {
            Net::SlotMamba(net) => net.forward(batch, None),
            Net::Cnn(net) => net.forward(batch),
        }
    }

    /// What comes of one step of each sequence, which is then remembered.
    pub(super) fn step(&self, batch: &Batch, memory: &mut Memory) -> Result<Output> {
        match &self.net {
            Net::SlotMamba(net) => net.forward(batch, Some(&mut memory.0)),
            Net::Cnn(net) => net.forward(batch),
        }
    }

    /// The memory of so many sequences before their first step.
    pub(super) fn memory(&self, sequences: usize) -> Result<Memory> {
        match (&self.net, &self.config) {
            (Net::SlotMamba(net), NetConfig::SlotMamba(config)) => net.empty(sequences * config.slots()).map(Memory),
            _ => Ok(Memory(Vec::new())),
        }
    }
}
