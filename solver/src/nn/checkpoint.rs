//! Everything a training needs to go on, in one safetensors file.
//!
//! Tensors stand in groups, `weights.NAME`, `optimizer.first.NAME`; the metadata says what made the file. Reading is
//! strict both ways: what is missing and what is too much are named.

use std::{
    collections::{BTreeMap, HashMap},
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use candle_core::{Device, Shape, Tensor, safetensors::Load};
use safetensors::SafeTensors;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// The format this code writes, and the only one it reads.
pub const FORMAT: u32 = 1;

/// The one key of the file's metadata. (One key, since the library writes several in random order, and equal trainings
/// are to leave equal files.)
const KEY: &str = "arc3";

/// What a file says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// [`FORMAT`] at the time.
    pub format: u32,
    /// Version of the code.
    pub version: String,
    /// Steps done.
    pub step: u64,
    /// Where all chance came from.
    pub seed: u64,
    /// The whole configuration, as TOML.
    pub config: String,
}

impl Meta {
    /// What this code would write.
    pub fn new(step: u64, seed: u64, config: String) -> Meta {
        Meta { format: FORMAT, version: env!("CARGO_PKG_VERSION").to_owned(), step, seed, config }
    }
}

/// A file that is no checkpoint of this training.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// It cannot be read or written.
    #[error("cannot {doing} {path}")]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It is no safetensors file, or a damaged one.
    #[error("{path} is no safetensors file")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: safetensors::SafeTensorError,
    },
    /// Something else wrote it.
    #[error("{path} is no arc3 checkpoint: its metadata lacks {KEY}")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Its metadata cannot be understood.
    #[error("{path} has metadata that this version cannot read")]
    Metadata {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// Another format.
    #[error("{path} has format {found} of arc3 {version}, this is a reader of format {FORMAT}")]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// Who wrote it.
        version: String,
    },
    /// A tensor that the training needs.
    #[error("tensor {0} is missing")]
    Missing(String),
    /// Tensors that the training does not know.
    #[error("unexpected tensors: {}", .0.join(", "))]
    Unexpected(Vec<String>),
    /// A tensor of another shape.
    #[error("tensor {name} has shape {found:?}, expected {expected:?}")]
    Shape {
        /// Which one.
        name: String,
        /// What the training has.
        expected: Shape,
        /// What the file has.
        found: Shape,
    },
    /// A value that was kept as text.
    #[error("{name} holds no such value")]
    Value {
        /// Its name.
        name: String,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The device refused.
    #[error(transparent)]
    Device(#[from] candle_core::Error),
}

/// A checkpoint in memory.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// What it says about itself.
    pub meta: Meta,
    tensors: BTreeMap<String, Tensor>,
}

impl Checkpoint {
    /// One without tensors.
    pub fn new(meta: Meta) -> Checkpoint {
        Checkpoint { meta, tensors: BTreeMap::new() }
    }

    /// Adds tensors to a group.
    pub fn put(&mut self, group: &str, tensors: impl IntoIterator<Item = (String, Tensor)>) {
        self.tensors.extend(tensors.into_iter().map(|(name, tensor)| (format!("{group}.{name}"), tensor)));
    }

    /// Adds a value to a group, as a tensor of JSON text: so a checkpoint is one file.
    pub fn put_value(&mut self, group: &str, name: &str, value: &impl Serialize) -> Result<(), CheckpointError> {
        let name = format!("{group}.{name}");
        let text = serde_json::to_vec(value).map_err(|source| CheckpointError::Value { name: name.clone(), source })?;
        self.tensors.insert(name, Tensor::new(text, &Device::Cpu)?);
        Ok(())
    }

    /// A value that [`put_value`](Checkpoint::put_value) added, by its full name.
    pub fn value<T: DeserializeOwned>(&self, name: &str) -> Result<T, CheckpointError> {
        let tensor = self.tensors.get(name).ok_or_else(|| CheckpointError::Missing(name.to_owned()))?;
        let text = tensor.to_vec1::<u8>()?;
        serde_json::from_slice(&text).map_err(|source| CheckpointError::Value { name: name.to_owned(), source })
    }

    /// Writes it so that the file is whole at any moment: a new one takes the place of the old.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        let io = |doing| move |source| CheckpointError::Io { doing, path: path.to_owned(), source };
        let partial = path.with_extension("partial");
        let meta = serde_json::to_string(&self.meta)
            .map_err(|source| CheckpointError::Metadata { path: path.to_owned(), source })?;
        let header = HashMap::from([(KEY.to_owned(), meta)]);
        safetensors::serialize_to_file(
            self.tensors.iter().map(|(name, tensor)| (name.as_str(), tensor)),
            Some(header),
            &partial,
        )
        .map_err(|source| CheckpointError::Damaged { path: partial.clone(), source })?;
        File::open(&partial).and_then(|file| file.sync_all()).map_err(io("flush"))?;
        fs::rename(&partial, path).map_err(io("replace"))
    }

    /// Reads the file.
    pub fn read(path: &Path, device: &Device) -> Result<Checkpoint, CheckpointError> {
        let io = |source| CheckpointError::Io { doing: "read", path: path.to_owned(), source };
        let bytes = fs::read(path).map_err(io)?;
        let damaged = |source| CheckpointError::Damaged { path: path.to_owned(), source };
        let (_, header) = SafeTensors::read_metadata(&bytes).map_err(damaged)?;
        let meta = header.metadata().as_ref().and_then(|metadata| metadata.get(KEY));
        let meta = meta.ok_or_else(|| CheckpointError::Foreign { path: path.to_owned() })?;
        let meta = read_meta(meta, path)?;
        let file = SafeTensors::deserialize(&bytes).map_err(damaged)?;
        let tensors = file.iter().map(|(name, view)| Ok((name.to_owned(), view.load(device)?)));
        Ok(Checkpoint { meta, tensors: tensors.collect::<Result<_, candle_core::Error>>()? })
    }

    /// One tensor by its full name.
    pub fn get(&self, name: &str) -> Option<&Tensor> {
        self.tensors.get(name)
    }

    /// Takes a group out.
    pub fn take(&mut self, group: &str) -> BTreeMap<String, Tensor> {
        let prefix = format!("{group}.");
        let (taken, rest) =
            std::mem::take(&mut self.tensors).into_iter().partition(|(name, _)| name.starts_with(&prefix));
        self.tensors = rest;
        let taken: BTreeMap<String, Tensor> = taken;
        taken.into_iter().map(|(name, tensor)| (name[prefix.len()..].to_owned(), tensor)).collect()
    }

    /// Takes a group out and into these tensors, in place. The group must hold them all, and nothing else.
    pub fn restore<'a>(
        &mut self,
        group: &str,
        into: impl IntoIterator<Item = (String, &'a Tensor)>,
    ) -> Result<(), CheckpointError> {
        let mut taken = self.take(group);
        let full = |name: &str| format!("{group}.{name}");
        for (name, target) in into {
            let value = taken.remove(&name).ok_or_else(|| CheckpointError::Missing(full(&name)))?;
            if value.shape() != target.shape() {
                let (expected, found) = (target.shape().clone(), value.shape().clone());
                return Err(CheckpointError::Shape { name: full(&name), expected, found });
            }
            target.slice_set(&value, 0, 0)?;
        }
        if taken.is_empty() {
            Ok(())
        } else {
            Err(CheckpointError::Unexpected(taken.keys().map(|name| full(name)).collect()))
        }
    }

    /// An error if any tensor was never taken out.
    pub fn finish(self) -> Result<(), CheckpointError> {
        let rest: Vec<String> = self.tensors.into_keys().collect();
        if rest.is_empty() { Ok(()) } else { Err(CheckpointError::Unexpected(rest)) }
    }
}

fn read_meta(text: &str, path: &Path) -> Result<Meta, CheckpointError> {
    let meta: Meta =
        serde_json::from_str(text).map_err(|source| CheckpointError::Metadata { path: path.to_owned(), source })?;
    if meta.format == FORMAT {
        return Ok(meta);
    }
    Err(CheckpointError::Format { path: path.to_owned(), found: meta.format, version: meta.version })
}

#[cfg(test)]
mod tests {
    use candle_core::DType;

    use super::*;

    fn ones(size: usize) -> Tensor {
        Tensor::ones(size, DType::F32, &Device::Cpu).unwrap()
    }

    fn written(folder: &Path) -> PathBuf {
        let mut checkpoint = Checkpoint::new(Meta::new(7, 3, "[net]".to_owned()));
        checkpoint.put("weights", [("a".to_owned(), ones(2)), ("b".to_owned(), ones(3))]);
        checkpoint.put("carry", [("steps".to_owned(), Tensor::new(&[5u32], &Device::Cpu).unwrap())]);
        let path = folder.join("last.safetensors");
        checkpoint.write(&path).unwrap();
        path
    }

    #[test]
    fn what_was_written_is_read_and_the_same_twice() {
        let folder = tempfile::tempdir().unwrap();
        let path = written(folder.path());
        let bytes = fs::read(&path).unwrap();
        assert_eq!(fs::read(written(folder.path())).unwrap(), bytes);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing half-written is left");
        let mut read = Checkpoint::read(&path, &Device::Cpu).unwrap();
        assert_eq!((read.meta.step, read.meta.seed, read.meta.config.as_str()), (7, 3, "[net]"));
        assert_eq!(read.take("carry")["steps"].to_vec1::<u32>().unwrap(), [5]);
        let (a, b) = (ones(2).zeros_like().unwrap(), ones(3).zeros_like().unwrap());
        read.restore("weights", [("a".to_owned(), &a), ("b".to_owned(), &b)]).unwrap();
        assert_eq!(b.to_vec1::<f32>().unwrap(), [1.0; 3]);
        read.finish().unwrap();
    }

    #[test]
    fn reading_is_strict_both_ways_and_names_the_tensor() {
        let folder = tempfile::tempdir().unwrap();
        let path = written(folder.path());
        let restore = |names: &[(&str, usize)]| {
            let tensors: Vec<(String, Tensor)> =
                names.iter().map(|(name, size)| ((*name).to_owned(), ones(*size))).collect();
            let mut read = Checkpoint::read(&path, &Device::Cpu).unwrap();
            let named = tensors.iter().map(|(name, tensor)| (name.clone(), tensor));
            read.restore("weights", named).unwrap_err().to_string()
        };
        assert_eq!(restore(&[("a", 2)]), "unexpected tensors: weights.b");
        assert_eq!(restore(&[("a", 2), ("c", 2)]), "tensor weights.c is missing");
        assert_eq!(restore(&[("a", 4), ("b", 3)]), "tensor weights.a has shape [2], expected [4]");
        let unread = Checkpoint::read(&path, &Device::Cpu).unwrap().finish().unwrap_err().to_string();
        assert_eq!(unread, "unexpected tensors: carry.steps, weights.a, weights.b");
    }

    #[test]
    fn a_file_of_somebody_else_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.safetensors");
        let read = |path: &Path| Checkpoint::read(path, &Device::Cpu).unwrap_err().to_string();
        assert!(read(&path).starts_with("cannot read "));
        fs::write(&path, b"no tensors").unwrap();
        assert!(read(&path).ends_with("is no safetensors file"));
        let nothing: [(&str, Tensor); 0] = [];
        safetensors::serialize_to_file(nothing, None, &path).unwrap();
        assert!(read(&path).ends_with("is no arc3 checkpoint: its metadata lacks arc3"));
        let later = Meta { format: 2, ..Meta::new(0, 0, String::new()) };
        Checkpoint::new(later).write(&path).unwrap();
        assert!(read(&path).ends_with("has format 2 of arc3 0.1.0, this is a reader of format 1"));
    }
}
