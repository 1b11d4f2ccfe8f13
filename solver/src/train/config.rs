//! A training as its file describes it.

use serde::{Deserialize, Serialize};

use crate::{
    data::{DataConfig, Order},
    nets::{NetConfig, Positions, Rows},
    nn::{
        Mixer,
        optim::{OptimizerConfig, Schedule, SignSgd},
    },
};

/// Everything that decides what a training does, but for the data themselves and the device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The net.
    pub net: NetConfig,
    /// What it learns from.
    pub data: DataConfig,
    /// How it learns.
    pub training: TrainingConfig,
    /// How it is judged meanwhile.
    pub evaluation: EvaluationConfig,
}

/// How a net learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingConfig {
    /// Steps of the optimiser.
    pub steps: u64,
    /// A training that takes longer is ended in good order: its steps were meant for a faster machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u64>,
    /// Slots that learn at the same time.
    pub batch: usize,
    /// Batches whose gradients are summed for one step.
    #[serde(default = "one")]
    pub accumulate: usize,
    /// Equal parts of a batch that are learned side by side, each by its share of the threads. What small nets gain most
    /// from: as many as there are processors.
    #[serde(default = "one")]
    pub lanes: usize,
    /// Full learning rate.
    pub lr: f64,
    /// What moves the weights.
    pub optimizer: OptimizerConfig,
    /// Which share of the rate a step has.
    pub schedule: Schedule,
    /// What moves the rows of a sparse puzzle table; none where the optimiser moves them like all weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableConfig>,
    /// Decay of the average of the weights that is evaluated and saved; none when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ema: Option<f64>,
    /// Longest gradient; longer ones are shortened to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<f64>,
    /// Steps between two lines of metrics.
    pub log_every: u64,
    /// Steps between two checkpoints.
    pub save_every: u64,
}

/// What moves the rows of the puzzle table, at a rate of its own on the common schedule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableConfig {
    /// Full learning rate.
    pub lr: f64,
    /// Decay of the rows that are present.
    pub weight_decay: f64,
}

impl From<TableConfig> for SignSgd {
    fn from(config: TableConfig) -> SignSgd {
        SignSgd { weight_decay: config.weight_decay }
    }
}

/// How a net is judged while it learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationConfig {
    /// Steps between two evaluations.
    pub every: u64,
    /// Pairs that are asked at most, evenly from all that are held out.
    pub pairs: usize,
    /// Loops of a step up to which the gain of each is shown [default: as many as are trained]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loops: Option<usize>,
}

/// A training that cannot be.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It is not what a configuration looks like.
    #[error(transparent)]
    Toml(#[from] toml::de::Error),
    /// No such net.
    #[error(transparent)]
    Net(#[from] crate::nets::ConfigError),
    /// The net's table has other rows than the data ask for.
    #[error("data.augment.rows is {found:?}, expected {expected} where net.tokens.rows is {rows:?}")]
    Rows {
        /// What has a row.
        rows: Rows,
        /// Augmentations of a task with a row of their own.
        found: Option<usize>,
        /// What goes with it.
        expected: &'static str,
    },
    /// Something trains the table twice, or nothing does.
    #[error("training.table is {found}, but the net's table is {table}")]
    Table {
        /// `set` or `missing`.
        found: &'static str,
        /// What trains it.
        table: &'static str,
    },
    /// A number that must be larger.
    #[error("{0} must be at least 1")]
    Zero(&'static str),
    /// Batches of another length each, and something that asks for one length.
    #[error("data.order = sizes changes the length of sequences, and {0}")]
    Sizes(&'static str),
    /// Lanes that cannot share a batch evenly.
    #[error("training.batch is {batch}, which training.lanes = {lanes} cannot share evenly")]
    Lanes {
        /// Slots that learn at the same time.
        batch: usize,
        /// Parts of them.
        lanes: usize,
    },
    /// A rate or a decay outside its range.
    #[error("{name} is {found}, expected {expected}")]
    Range {
        /// Which setting.
        name: &'static str,
        /// What the file says.
        found: f64,
        /// What it may say.
        expected: &'static str,
    },
}

impl Config {
    /// Reads the text of a file. An unknown key is an error.
    pub fn parse(text: &str) -> Result<Config, ConfigError> {
        let config: Config = toml::from_str(text)?;
        config.check()?;
        Ok(config)
    }

    /// An error that names the first setting that cannot be.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.net.check()?;
        self.net.paper()?;
        self.check_rows()?;
        self.check_table()?;
        self.check_order()?;
        let training = &self.training;
        let counts = [
            ("training.steps", training.steps),
            ("training.batch", training.batch as u64),
            ("training.accumulate", training.accumulate as u64),
            ("training.lanes", training.lanes as u64),
            ("training.log_every", training.log_every),
            ("training.save_every", training.save_every),
            ("evaluation.every", self.evaluation.every),
            ("evaluation.pairs", self.evaluation.pairs as u64),
        ];
        if let Some((name, _)) = counts.into_iter().find(|(_, count)| *count == 0) {
            return Err(ConfigError::Zero(name));
        }
        let (batch, lanes) = (training.batch, training.lanes);
        if !batch.is_multiple_of(lanes) {
            return Err(ConfigError::Lanes { batch, lanes });
        }
        within("training.lr", training.lr, training.lr > 0.0, "more than 0")?;
        let rate = training.table.map_or(0.0, |table| table.lr);
        within("training.table.lr", rate, rate >= 0.0, "0 or more")?;
        let ema = training.ema.unwrap_or(0.0);
        within("training.ema", ema, (0.0..1.0).contains(&ema), "0 to less than 1")
    }
}

impl Config {
    /// A sparse table needs a rule of its own, a dense one has that of the weights.
    fn check_table(&self) -> Result<(), ConfigError> {
        match (self.net.sparse_table(), self.training.table) {
            (true, None) => Err(ConfigError::Table { found: "missing", table: "sparse" }),
            (false, Some(_)) => Err(ConfigError::Table { found: "set", table: "trained by the optimiser" }),
            _ => Ok(()),
        }
    }

    /// Sequences of several lengths: no slot may hold one from step to step, nothing may be trained for a position.
    fn check_order(&self) -> Result<(), ConfigError> {
        let Order::Sizes { whole, .. } = self.data.order else { return Ok(()) };
        within("data.order.sizes.whole", whole, (0.0..=1.0).contains(&whole), "0 to 1")?;
        let net = &self.net;
        match (net.steps(), net.tokens().positions, net.stack().mixer) {
            (2.., ..) => Err(ConfigError::Sizes("net.steps must be 1")),
            (_, Positions::Learned, _) => Err(ConfigError::Sizes("net.tokens.positions must not be learned")),
            (_, _, Mixer::MlpT(_)) => Err(ConfigError::Sizes("net.stack.mixer must be attention")),
            _ => Ok(()),
        }
    }

    /// Rows of the table and views of the data must go together.
    fn check_rows(&self) -> Result<(), ConfigError> {
        let (rows, found) = (self.net.tokens().rows, self.data.augment.rows);
        match (rows, found) {
            (Rows::Augmentation, None) => Err(ConfigError::Rows { rows, found, expected: "a number" }),
            (Rows::Task | Rows::Factored, Some(_)) => Err(ConfigError::Rows { rows, found, expected: "none" }),
            _ => Ok(()),
        }
    }
}

fn within(name: &'static str, found: f64, holds: bool, expected: &'static str) -> Result<(), ConfigError> {
    if holds { Ok(()) } else { Err(ConfigError::Range { name, found, expected }) }
}

fn one() -> usize {
    1
}
