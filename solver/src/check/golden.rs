//! A file of reference numbers.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::Path,
};

use candle_core::{DType, Device, Tensor, safetensors};

use super::CheckError;
use crate::{
    data::{Batch, IGNORED},
    nets::published,
    nn::halting::Slot,
};

/// The label that the published code ignores.
const PUBLISHED_IGNORED: i64 = -100;

/// The tensors of one file by name, with its notes.
#[derive(Debug)]
pub(super) struct Golden {
    tensors: HashMap<String, Tensor>,
    notes: HashMap<String, String>,
}

impl Golden {
    pub(super) fn read(path: &Path) -> Result<Golden, CheckError> {
        let bytes = super::read(path)?;
        let (_, header) = ::safetensors::SafeTensors::read_metadata(&bytes).map_err(candle_core::Error::from)?;
        let notes = header.metadata().clone().unwrap_or_default();
        Ok(Golden { tensors: safetensors::load_buffer(&bytes, &Device::Cpu)?, notes })
    }

    /// The same file with these tensors instead of its own.
    pub(super) fn replaced(mut self, tensors: Vec<(String, Tensor)>) -> Golden {
        self.tensors.extend(tensors);
        self
    }

    /// The tensor of that name.
    pub(super) fn get(&self, name: &str) -> Result<&Tensor, CheckError> {
        self.find(name).ok_or_else(|| CheckError::Missing(name.to_owned()))
    }

    /// The tensor of that name, if there is one.
    pub(super) fn find(&self, name: &str) -> Option<&Tensor> {
        self.tensors.get(name)
    }

    /// All tensors whose name begins so, under the rest of their names, sorted.
    pub(super) fn under<'a>(&'a self, prefix: &'a str) -> Vec<(&'a str, &'a Tensor)> {
        let named = |(name, tensor): (&'a String, &'a Tensor)| Some((name.strip_prefix(prefix)?, tensor));
        let mut found: Vec<_> = self.tensors.iter().filter_map(named).collect();
        found.sort_by_key(|(name, _)| *name);
        found
    }

    /// Full names that begin so, sorted.
    pub(super) fn names(&self, prefix: &str) -> Vec<String> {
        self.under(prefix).into_iter().map(|(rest, _)| format!("{prefix}{rest}")).collect()
    }

    /// Weights of a net among them, by their names without wrappers.
    pub(super) fn weights(&self, prefix: &str) -> BTreeMap<String, Tensor> {
        let all = self.under(prefix).into_iter().map(|(name, tensor)| (name.to_owned(), tensor.clone()));
        published::names(all).into_iter().collect()
    }

    /// What names begin with up to their first point, sorted.
    pub(super) fn groups(&self) -> BTreeSet<String> {
        self.tensors.keys().filter_map(|name| Some(name.split_once('.')?.0.to_owned())).collect()
    }

    /// Numbers `n` for which there are names `{stem}{n}.…`, ascending.
    pub(super) fn numbered(&self, stem: &str) -> Vec<u32> {
        let number = |name: &String| name.strip_prefix(stem)?.split('.').next()?.parse().ok();
        let mut found: Vec<u32> = self.tensors.keys().filter_map(number).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// A number among the notes.
    pub(super) fn note(&self, name: &str) -> Result<f64, CheckError> {
        let text = self.notes.get(name).ok_or_else(|| CheckError::Missing(name.to_owned()))?;
        Ok(serde_json::from_str(text)?)
    }

    /// Two numbers with a comma between them, among the notes.
    pub(super) fn note_pair(&self, name: &str) -> Result<(f64, f64), CheckError> {
        let text = self.notes.get(name).ok_or_else(|| CheckError::Missing(name.to_owned()))?;
        Ok(serde_json::from_str(&format!("[{text}]"))?)
    }

    /// Rows of the puzzle table.
    pub(super) fn ids(&self, name: &str) -> Result<Vec<u32>, CheckError> {
        Ok(self.integers(name)?.into_iter().map(|id| id as u32).collect())
    }

    /// Whole numbers.
    pub(super) fn integers(&self, name: &str) -> Result<Vec<i64>, CheckError> {
        Ok(self.get(name)?.to_dtype(DType::I64)?.flatten_all()?.to_vec1()?)
    }

    /// Labels, those that do not count as ours do not.
    pub(super) fn labels(&self, name: &str) -> Result<Vec<u8>, CheckError> {
        let label = |label| if label == PUBLISHED_IGNORED { IGNORED } else { label as u8 };
        Ok(self.integers(name)?.into_iter().map(label).collect())
    }

    /// `{stem}.inputs`, `.labels` and `.puzzle_identifiers`.
    pub(super) fn batch(&self, stem: &str) -> Result<Batch, CheckError> {
        let (rows, len) = self.get(&format!("{stem}.inputs"))?.dims2()?;
        let mut batch = Batch::blank(rows, len);
        batch.inputs = self.integers(&format!("{stem}.inputs"))?.into_iter().map(|token| token as u8).collect();
        batch.labels = self.labels(&format!("{stem}.labels"))?;
        batch.puzzles = self.ids(&format!("{stem}.puzzle_identifiers"))?;
        Ok(batch)
    }

    /// Whether slots have come as far as `{stem}.steps` and `.halted` say.
    pub(super) fn same_slots(&self, stem: &str, slots: &[Slot]) -> Result<bool, CheckError> {
        let steps = self.integers(&format!("{stem}.steps"))?;
        let halted = self.integers(&format!("{stem}.halted"))?;
        let same = |(slot, (steps, halted)): (&Slot, (&i64, &i64))| {
            i64::from(slot.steps) == *steps && slot.halted == (*halted != 0)
        };
        Ok(slots.len() == steps.len() && slots.iter().zip(steps.iter().zip(&halted)).all(same))
    }
}
