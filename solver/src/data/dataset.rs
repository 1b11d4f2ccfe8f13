//! What a training learns from and what it is measured by, chosen from a folder of data sets.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{
    MAX_SIDE, Pair, Paper,
    gather::Gathered,
    load::{self, Faults, Kind, LoadError, OnFault},
    rank::Rank,
    sampler::Order,
    space::AugmentConfig,
    survey::Survey,
};

/// The `[data]` section of a configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DataConfig {
    /// What is learned from. The test pairs of `evaluation` are held out, those of the others are learned.
    pub sources: Vec<Kind>,
    /// Pairs with a longer side are left out; those that the net's canvas does not hold are in any case.
    pub max_side: u8,
    /// Only so many tasks: those that rank first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<usize>,
    /// Which these are.
    pub rank: Rank,
    /// Generated pairs kept of each task: the first so many that fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<usize>,
    /// BARC tasks kept, drawn at random: the public files have 100,000 each.
    pub barc_tasks: usize,
    /// Share of the generated pairs of each task that is never learned and measures what was.
    pub held_out: f64,
    /// Seed of what is kept and what is held out; not the seed of a run, so that runs are measured alike.
    pub split_seed: u64,
    /// In which order pairs are learned.
    pub order: Order,
    /// In which views.
    pub augment: AugmentConfig,
}

/// The published set: ARC-AGI-1 with `ConceptARC`.
impl Default for DataConfig {
    fn default() -> DataConfig {
        DataConfig {
            sources: vec![Kind::Training, Kind::Evaluation, Kind::Concept],
            max_side: MAX_SIDE,
            tasks: None,
            rank: Rank::default(),
            pairs: None,
            barc_tasks: 20_000,
            held_out: 0.0,
            split_seed: 0,
            order: Order::default(),
            augment: AugmentConfig::default(),
        }
    }
}

/// A share or a chance that is none.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {found}, expected 0 to 1")]
pub struct ShareError {
    /// Which setting.
    pub name: &'static str,
    /// What the file says.
    pub found: f64,
}

impl DataConfig {
    /// An error that names the first setting that cannot be.
    pub fn check(&self) -> Result<(), ShareError> {
        let shares = [("data.held_out", self.held_out), ("data.augment.dihedral", self.augment.dihedral)];
        let wrong = shares.into_iter().find(|(_, share)| !(0.0..=1.0).contains(share));
        wrong.map_or(Ok(()), |(name, found)| Err(ShareError { name, found }))
    }
}

/// A task of a [`Dataset`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lesson {
    /// Its name, the same in all data sets.
    pub id: String,
    /// What is learned.
    pub train: Vec<Pair>,
    /// What never is, and measures what was.
    pub held_out: Vec<Pair>,
}

/// All tasks to learn, in the order of their names.
#[derive(Debug)]
pub struct Dataset {
    /// Tasks with at least one pair to learn from.
    pub lessons: Vec<Lesson>,
    /// Where their pairs came from.
    pub survey: Survey,
}

impl Dataset {
    /// Reads what the configuration chooses from a folder, a zip file or one data file.
    ///
    /// No pair that is held out, and no test pair of any evaluation task in the folder, is among those to learn: not from
    /// another data set, nor turned, nor in other colours.
    pub fn load(
        root: &Path,
        config: &DataConfig,
        paper: impl Into<Paper>,
        rule: OnFault,
    ) -> Result<Dataset, LoadError> {
        let mut faults = Faults::new(rule);
        let mut gathered = Gathered::new(config, paper.into());
        for (kind, file) in load::find(root, &mut faults)? {
            gathered.read(kind, &file, &mut faults)?;
        }
        let (lessons, sources) = gathered.lessons();
        if lessons.is_empty() {
            return Err(LoadError::Nothing { root: root.to_owned(), sources: config.sources.clone() });
        }
        Ok(Dataset { lessons, survey: Survey { sources, faults } })
    }
}
