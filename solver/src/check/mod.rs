//! Compares this implementation with reference numbers that the published code produced.
//!
//! # Layout
//! - [`folder`]: checks every file of a folder. Start here.
//! - [`Report`]: what that came to; its `Display` is what a person reads.
//! - `tokens`: URM and TRM; `loop_vit`: Loop-ViT; `units`: single formulas; `pipeline`: from grids to tokens and back.
//!
//! A file says by its name what is in it: a set of a net is `NAME_config.json` with `NAME_state_dict`, `NAME_eval`,
//! `NAME_train` and `NAME_softmax_loss`, each `.safetensors`; a Loop-ViT is `NAME_config.json` with `NAME.safetensors`;
//! single formulas are `units.safetensors`, the data pipeline is `data_pipeline.json`.

mod golden;
mod loop_vit;
mod pipeline;
mod report;
mod sets;
mod tokens;
mod units;

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use tokens::Part;

use crate::{nets::ConfigError, nn::ParamError};

pub use report::{FileReport, Finding, Report};

/// Why a file could not be checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// Its name says nothing.
    #[error("no reference numbers are known to have this name")]
    Unknown,
    /// Something that must be there is not.
    #[error("{0} is missing")]
    Missing(String),
    /// A setting of the published code that is not built here.
    #[error("not supported: {0}")]
    Unsupported(String),
    /// A file that belongs to it cannot be read.
    #[error("cannot read {}: {source}", file.display())]
    Io {
        /// Which one.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A configuration is not what was expected.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// No net can have these sizes.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The weights are not those of the net.
    #[error(transparent)]
    Params(#[from] ParamError),
    /// Shapes do not fit, or the file is no file of tensors.
    #[error(transparent)]
    Tensor(#[from] candle_core::Error),
}

/// All bytes of a file.
fn read(file: &Path) -> Result<Vec<u8>, CheckError> {
    fs::read(file).map_err(|source| CheckError::Io { file: file.to_owned(), source })
}

/// A folder that cannot be listed.
#[derive(Debug, thiserror::Error)]
#[error("cannot list {}", folder.display())]
pub struct FolderError {
    /// Which one.
    pub folder: PathBuf,
    /// Why.
    pub source: io::Error,
}

/// Checks every file of a folder. A file that cannot be checked is in the report with the reason, and counts as a
/// failure.
pub fn folder(folder: &Path) -> Result<Report, FolderError> {
    let names = names(folder).map_err(|source| FolderError { folder: folder.to_owned(), source })?;
    let is_config = |file: &String| file.ends_with("_config.json");
    let files = names.into_iter().filter(|file| !is_config(file));
    let check = |file: String| FileReport { outcome: file_of(folder, &file), file };
    Ok(Report { files: files.map(check).collect() })
}

/// The names of its files, sorted.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let files = entries.into_iter().filter(|entry| entry.path().is_file());
    let mut names: Vec<String> = files.map(|file| name(&file.file_name())).collect();
    names.sort();
    Ok(names)
}

fn name(file: &OsString) -> String {
    file.to_string_lossy().into_owned()
}

/// Compares what is in one file: one line a kind of file.
fn file_of(folder: &Path, file: &str) -> Result<Vec<Finding>, CheckError> {
    if let Some((set, part)) = Part::of(folder, file) {
        return set.check(part);
    }
    match file {
        _ if file.ends_with("data_pipeline.json") => pipeline::check(&folder.join(file)),
        _ if file.ends_with("units.safetensors") => units::check(&folder.join(file)),
        _ => match loop_vit_config(folder, file) {
            Some(config) => loop_vit::check(&folder.join(file), &config),
            None => Err(CheckError::Unknown),
        },
    }
}

/// The configuration that makes a file of tensors that of a Loop-ViT.
fn loop_vit_config(folder: &Path, file: &str) -> Option<PathBuf> {
    let config = folder.join(format!("{}_config.json", file.strip_suffix(".safetensors")?));
    config.is_file().then_some(config)
}
