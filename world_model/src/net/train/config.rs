//! A training on recordings as its file describes it.

use serde::{Deserialize, Serialize};
use solver::nn::optim::{OptimizerConfig, Schedule};

use crate::net::{NetConfig, NetConfigError};

/// Everything that decides what a training does, but for the recordings themselves.
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

const fn one() -> usize {
    1
}

/// What a net learns from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataConfig {
    /// Into how many parts the titles are divided, in the order of their names, one after the other.
    #[serde(default = "one")]
    pub folds: usize,
    /// Which part is held out, from 0; `folds` or more, as where nothing is said, holds none out.
    #[serde(default = "one")]
    pub fold: usize,
    /// Titles that are held out besides, by their names without the version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held_out: Vec<String>,
    /// Share of the windows whose sixteen kinds of tiles are exchanged at random.
    pub colors: f64,
    /// Share of the windows whose keys are exchanged at random.
    pub actions: f64,
}

/// How a net learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingConfig {
    /// Steps of the optimiser; none leave a checkpoint of an untrained net, to compare with.
    pub steps: u64,
    /// A training that takes longer is ended in good order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u64>,
    /// Windows in a step.
    pub windows: usize,
    /// Actions in a window.
    pub length: usize,
    /// In the second half of the training the net is given, for up to so many last actions of a window, the frames that it
    /// foretold itself. 0 always gives it the real ones.
    pub imagined: usize,
    /// Full learning rate.
    pub lr: f64,
    /// What moves the weights.
    pub optimizer: OptimizerConfig,
    /// Which share of the rate a step has.
    pub schedule: Schedule,
    /// Decay of the average of the weights that is evaluated and used; none when it is left out.
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

/// How a net is judged while it learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationConfig {
    /// Steps between two evaluations.
    pub every: u64,
    /// Windows of each title held out that the net is asked.
    pub windows: usize,
}

/// A training that cannot be.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It is not what a configuration looks like.
    #[error(transparent)]
    Toml(#[from] toml::de::Error),
    /// No such net.
    #[error(transparent)]
    Net(#[from] NetConfigError),
    /// A number that must be larger.
    #[error("{0} must be at least 1")]
    Zero(&'static str),
    /// A rate or a share outside its range.
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

    /// Whether a text means to configure such a training: by the kind of its net, whatever else is wrong with it.
    pub fn describes(text: &str) -> bool {
        let table: Option<toml::Table> = text.parse().ok();
        let kind = table.as_ref().and_then(|table| table.get("net")?.get("kind")?.as_str());
        kind.is_some_and(|kind| NetConfig::KINDS.contains(&kind))
    }

    /// An error that names the first setting that cannot be.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.net.check()?;
        let training = &self.training;
        let counts = [
            ("data.folds", self.data.folds as u64),
            ("training.windows", training.windows as u64),
            ("training.length", training.length as u64),
            ("training.log_every", training.log_every),
            ("training.save_every", training.save_every),
            ("evaluation.every", self.evaluation.every),
            ("evaluation.windows", self.evaluation.windows as u64),
        ];
        if let Some((name, _)) = counts.into_iter().find(|(_, count)| *count == 0) {
            return Err(ConfigError::Zero(name));
        }
        let share = |x: f64| (0.0..=1.0).contains(&x);
        let most = training.length as f64 - 1.0;
        let ranges = [
            ("data.colors", self.data.colors, share(self.data.colors), "0 to 1"),
            ("data.actions", self.data.actions, share(self.data.actions), "0 to 1"),
            ("training.lr", training.lr, training.lr > 0.0, "more than 0"),
            (
                "training.ema",
                training.ema.unwrap_or(0.0),
                training.ema.is_none_or(|ema| (0.0..1.0).contains(&ema)),
                "0 to less than 1",
            ),
            (
                "training.imagined",
                training.imagined as f64,
                training.imagined as f64 <= most,
                "less than training.length",
            ),
        ];
        match ranges.into_iter().find(|(_, _, holds, _)| !holds) {
            Some((name, found, _, expected)) => Err(ConfigError::Range { name, found, expected }),
            None => Ok(()),
        }
    }
}
