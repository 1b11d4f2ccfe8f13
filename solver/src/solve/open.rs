//! Nets from their files.

use std::{collections::HashMap, fs, io, path::Path};

use candle_core::{Device, Tensor};

use super::{SolveError, Solver};
use crate::{
    data::Puzzles,
    nets::published,
    nn::{Checkpoint, CheckpointError},
    train::Config,
};

/// Name of the file in which published data sets say what the rows of the puzzle table stand for.
const IDENTIFIERS: &str = "identifiers.json";

impl Solver {
    /// A checkpoint of a training, with the averaged weights where it has such; or weights that others published, which
    /// do not say of which net they are: `config` does. An `identifiers.json` beside those says which row stands for
    /// which task; without it every task is new.
    pub fn open(path: &Path, config: Option<Config>) -> Result<Solver, SolveError> {
        let is_archive = path.extension().is_some_and(|extension| extension == "pt" || extension == "pth");
        match (Checkpoint::read(path, &Device::Cpu), config) {
            (Ok(checkpoint), _) => trained(checkpoint),
            (Err(CheckpointError::Foreign { .. }), Some(config)) => published(path, config),
            (Err(CheckpointError::Damaged { .. }), Some(config)) if is_archive => published(path, config),
            (Err(CheckpointError::Foreign { .. }), None) => Err(SolveError::Unconfigured),
            (Err(CheckpointError::Damaged { .. }), None) if is_archive => Err(SolveError::Unconfigured),
            (Err(error), _) => Err(error.into()),
        }
    }
}

fn trained(mut checkpoint: Checkpoint) -> Result<Solver, SolveError> {
    let config = Config::parse(&checkpoint.meta.config)?;
    let mut weights: HashMap<String, Tensor> = checkpoint.take("weights").into_iter().collect();
    weights.extend(checkpoint.take("ema"));
    Solver::new(config, weights, checkpoint.value("train.puzzles")?)
}

fn published(path: &Path, config: Config) -> Result<Solver, SolveError> {
    let puzzles = match fs::read(path.with_file_name(IDENTIFIERS)) {
        Ok(text) => serde_json::from_slice(&text)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Puzzles::default(),
        Err(error) => return Err(error.into()),
    };
    Solver::new(config, published::read(path)?, puzzles)
}
