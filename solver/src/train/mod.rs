//! Training a net on pairs of grids.
//!
//! # Layout
//! - [`pretrain`]: a training from its [`Job`] to its [`Summary`]. Start here; the loop itself is in `trainer.rs`.
//! - [`survey`]: what a training would need, without training.
//! - [`Config`]: what a configuration file says.
//! - [`Observer`]: who follows a training, and may end it.
//!
//! # The one decision
//! A training is a function of its configuration, its seed and its data: every draw comes from a stream named after the
//! step it is for, no measured time enters the metrics, and a checkpoint holds all the rest. So a training that was
//! killed and went on leaves, to the byte, what an uninterrupted one leaves. The price is that all state of the net's
//! slots is saved too.

mod config;
mod evaluate;
mod events;
mod lanes;
mod setup;
mod state;
mod survey;
mod trainer;

use std::{io, path::PathBuf};

use candle_core::Device;
use serde::Serialize;

use crate::{
    data::{
        SamplerError,
        load::{LoadError, OnFault},
    },
    nn::{CheckpointError, ParamError, on_deep_stack},
};

pub use config::{Config, ConfigError, EvaluationConfig, TableConfig, TrainingConfig};
pub use events::{Begun, End, Evaluation, Event, LoopScore, Observer, Stepped, TaskScore};
pub use survey::{Survey, survey};

use setup::{Place, Setup};
use trainer::Trainer;

/// Name of the checkpoint in the folder of a training.
pub const CHECKPOINT: &str = "last.safetensors";

/// What is to be trained.
#[derive(Clone, Debug)]
pub struct Job {
    /// From nothing, or from a checkpoint.
    pub start: Start,
    /// Steps in all, if not those of the configuration.
    pub steps: Option<u64>,
    /// Where the data sets are.
    pub data: PathBuf,
    /// Where checkpoint and metrics go, and where [`Start::Resume`] finds them.
    pub out: PathBuf,
    /// What computes.
    pub compute: Compute,
    /// What happens with files that cannot be read.
    pub on_fault: OnFault,
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

/// What computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compute {
    /// The processors.
    Cpu,
    /// The first NVIDIA card.
    Cuda,
}

impl Compute {
    /// The device, if this machine has it and this build can use it.
    pub fn device(self) -> Result<Device, TrainError> {
        match self {
            Compute::Cpu => Ok(Device::Cpu),
            Compute::Cuda if cfg!(feature = "cuda") => {
                Device::new_cuda(0).map_err(|error| TrainError::NoDevice { why: error.to_string() })
            }
            Compute::Cuda => Err(TrainError::NoDevice { why: "it was built without the feature cuda".to_owned() }),
        }
    }
}

/// What a training leaves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// How it ended.
    pub end: End,
    /// Steps done in all.
    pub step: u64,
    /// Numbers in all trained tensors.
    pub parameters: usize,
    /// Steps a second in this run, evaluations included.
    pub steps_per_second: f64,
    /// The last evaluation of this run.
    pub evaluation: Option<Evaluation>,
    /// Where the weights are.
    pub checkpoint: PathBuf,
}

/// A training that cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The configuration.
    #[error("the configuration cannot be trained")]
    Config(#[from] ConfigError),
    /// The data.
    #[error("cannot load the data")]
    Load(#[from] LoadError),
    /// Data that no batch can be drawn from.
    #[error("cannot draw from the data")]
    Sampler(#[from] SamplerError),
    /// No such device.
    #[error("arc3 cannot compute with CUDA: {why}")]
    NoDevice {
        /// What is missing.
        why: String,
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
    /// The tensors do not make up the net.
    #[error("the net cannot be built")]
    Params(#[from] ParamError),
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
    /// No thread to train on.
    #[error("the system has no thread to train on")]
    Thread(#[source] io::Error),
    /// No threads to share a batch among.
    #[error("the system has no threads to share a batch among")]
    Lanes(#[from] rayon::ThreadPoolBuildError),
    /// The device refused.
    #[error("a tensor operation failed")]
    Device(#[from] candle_core::Error),
}

/// Trains as ordered, or goes on with a training.
pub fn pretrain(job: &Job, observer: &mut dyn Observer) -> Result<Summary, TrainError> {
    let train = || {
        let device = job.compute.device()?;
        let (place, checkpoint) = Place::open(job, &device)?;
        let setup = Setup::read(job, checkpoint.as_ref(), observer)?;
        Trainer::new(&setup, (&place, checkpoint), &device, observer)?.run()
    };
    on_deep_stack(train).map_err(TrainError::Thread)?
}

#[cfg(test)]
mod tests;
