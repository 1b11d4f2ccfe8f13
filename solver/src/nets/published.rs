//! Weights as the published code stores them.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use candle_core::{Device, Tensor, pickle, safetensors};

use crate::nn::Params;

/// What wrappers put before the names: `torch.compile`, data-parallel training, the loss head, the ACT wrapper.
const WRAPPERS: [&str; 4] = ["_orig_mod.", "module.", "model.", "inner."];

/// The wrapper that files of URM and TRM are written with.
const INNER: &str = "inner.";

/// A weight that only a Loop-ViT has; its files have no wrapper.
const LOOP_VIT: &str = "patch_embed.proj.weight";

/// Where training programs put the weights when they store more than those.
const KEYS: [&str; 6] = ["model", "state_dict", "model_state_dict", "model_state", "ema", "module"];

/// A file that holds no weights.
#[derive(Debug, thiserror::Error)]
pub enum PublishedError {
    /// The file cannot be opened.
    #[error("cannot read {}", file.display())]
    Io {
        /// Which one.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is damaged, or of a kind that is not read.
    #[error("cannot read the weights of {}", file.display())]
    Tensors {
        /// Which one.
        file: PathBuf,
        /// Why.
        source: candle_core::Error,
    },
    /// A PyTorch file from before version 1.6, which is no archive.
    #[error("{} is in PyTorch's old format: load it there and save it again", .0.display())]
    Legacy(PathBuf),
    /// A PyTorch file in which no weights were found.
    #[error("{} holds no weights, neither at its top nor under {}", .0.display(), KEYS.join(", "))]
    Empty(PathBuf),
}

/// How a file begins.
enum Format {
    Safetensors,
    Archive,
    Pickle,
}

/// The weights in a file of safetensors or PyTorch's, told apart by how it begins, under their names without wrappers.
pub fn read(file: &Path) -> Result<HashMap<String, Tensor>, PublishedError> {
    let failed = |source| PublishedError::Tensors { file: file.to_owned(), source };
    let format = format(file).map_err(|source| PublishedError::Io { file: file.to_owned(), source })?;
    let tensors = match format {
        Format::Safetensors => safetensors::load(file, &Device::Cpu).map_err(failed)?.into_iter().collect(),
        Format::Archive => archive(file).map_err(failed)?,
        Format::Pickle => return Err(PublishedError::Legacy(file.to_owned())),
    };
    if tensors.is_empty() {
        return Err(PublishedError::Empty(file.to_owned()));
    }
    Ok(names(tensors))
}

fn format(file: &Path) -> io::Result<Format> {
    let mut start = Vec::new();
    File::open(file)?.take(2).read_to_end(&mut start)?;
    Ok(match start.as_slice() {
        b"PK" => Format::Archive,
        // PROTO and a version, the first bytes of a bare pickle.
        [0x80, _] => Format::Pickle,
        _ => Format::Safetensors,
    })
}

/// The weights of an archive: at its top or under one of the keys, wherever most are. (Asked without the right key, candle
/// finds nothing, or the odd tensor beside the weights, and calls it no error.)
fn archive(file: &Path) -> candle_core::Result<Vec<(String, Tensor)>> {
    let top = pickle::read_all(file)?;
    let under = KEYS.iter().filter_map(|key| pickle::read_all_with_key(file, Some(key)).ok());
    Ok(under.chain([top]).max_by_key(Vec::len).unwrap_or_default())
}

/// Names without wrappers.
pub fn names(tensors: impl IntoIterator<Item = (String, Tensor)>) -> HashMap<String, Tensor> {
    tensors.into_iter().map(|(name, tensor)| (plain(&name).to_owned(), tensor)).collect()
}

/// A name without wrappers.
pub fn plain(name: &str) -> &str {
    let inner = WRAPPERS.iter().find_map(|wrapper| name.strip_prefix(wrapper));
    inner.map_or(name, plain)
}

/// All weights under their published names.
pub fn state_dict(params: &Params) -> HashMap<String, Tensor> {
    let wrapper = if params.get(LOOP_VIT).is_some() { "" } else { INNER };
    params.iter().map(|(name, _, var)| (format!("{wrapper}{name}"), var.as_detached_tensor())).collect()
}

/// Writes all weights under their published names, as safetensors.
pub fn write(params: &Params, file: &Path) -> Result<(), PublishedError> {
    let failed = |source| PublishedError::Tensors { file: file.to_owned(), source };
    safetensors::save(&state_dict(params), file).map_err(failed)
}
