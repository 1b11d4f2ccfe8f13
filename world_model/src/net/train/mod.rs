//! Pretraining on recordings of many titles, whose colours and keys are exchanged at random, so that what is learned is
//! what titles have in common.
//!
//! # Layout
//! - [`pretrain`]: a training from its [`Job`] to its [`Summary`]. Start here; the loop itself is in `trainer.rs`.
//! - [`Config`]: what a configuration file says.
//! - `data`: recordings as titles; `lesson`: what a step learns from, and how it is judged.
//!
//! A training leaves what every training of this project leaves, and goes on after it was stopped or killed to the same
//! bytes: what a step learns from is drawn from a stream named after the step.

mod config;
mod data;
mod lesson;
mod trainer;

use std::{
    io,
    path::{Path, PathBuf},
};

use candle_core::Device;
use solver::{
    nn::{Checkpoint, CheckpointError},
    train::{Observer, Summary},
};

pub use config::{Config, ConfigError, DataConfig, EvaluationConfig, TrainingConfig};

use super::ModelError;

/// Name of the checkpoint in the folder of a training.
pub const CHECKPOINT: &str = solver::train::CHECKPOINT;

/// What is to be trained.
#[derive(Clone, Debug)]
pub struct Job {
    /// From nothing, or from a checkpoint.
    pub start: Start,
    /// Steps in all, if not those of the configuration.
    pub steps: Option<u64>,
    /// A folder of recordings.
    pub data: PathBuf,
    /// Where checkpoint and metrics go, and where [`Start::Resume`] finds them.
    pub out: PathBuf,
}

/// Where a training starts.
#[derive(Clone, Debug)]
pub enum Start {
    /// With fresh weights.
    Fresh {
        /// What is trained how.
        config: Box<Config>,
        /// Where all chance comes from.
        seed: u64,
    },
    /// Where the checkpoint ends, by the configuration and the seed that it holds.
    Resume,
}

/// A training that cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The configuration.
    #[error("the configuration cannot be trained")]
    Config(#[from] ConfigError),
    /// The folder of recordings.
    #[error("cannot look for recordings in {folder}")]
    Folder {
        /// Which one.
        folder: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Too few recordings.
    #[error("{folder} holds no recording of {length} actions to learn from")]
    NoData {
        /// Where they were looked for.
        folder: PathBuf,
        /// Actions of a window.
        length: usize,
    },
    /// The folder has a training already.
    #[error("{folder} holds a training already")]
    Occupied {
        /// Which folder.
        folder: PathBuf,
    },
    /// There is nothing to go on with.
    #[error("{folder} holds no training")]
    Nothing {
        /// Which folder.
        folder: PathBuf,
    },
    /// A number that is none.
    #[error("step {step}: {what} is not finite")]
    NotFinite {
        /// Which step, counted from 1.
        step: u64,
        /// The loss, or a tensor's gradient.
        what: String,
    },
    /// The checkpoint.
    #[error("the checkpoint cannot be used")]
    Checkpoint(#[from] CheckpointError),
    /// The net.
    #[error("the net cannot be built")]
    Model(#[from] ModelError),
    /// A file of the training.
    #[error("cannot write {path}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The configuration cannot be written down.
    #[error("the configuration cannot be written into the checkpoint")]
    Toml(#[from] toml::ser::Error),
    /// What a checkpoint keeps as text is damaged.
    #[error("the checkpoint keeps text that cannot be read")]
    Text(#[from] serde_json::Error),
    /// The device refused.
    #[error("a tensor operation failed")]
    Device(#[from] candle_core::Error),
}

/// Trains as ordered, or goes on with a training.
pub fn pretrain(job: &Job, observer: &mut dyn Observer) -> Result<Summary, TrainError> {
    trainer::Trainer::open(job, observer)?.run()
}

/// Whether such a training left this checkpoint.
pub fn left(checkpoint: &Path) -> bool {
    Checkpoint::read(checkpoint, &Device::Cpu).is_ok_and(|checkpoint| Config::describes(&checkpoint.meta.config))
}

#[cfg(test)]
mod tests;
