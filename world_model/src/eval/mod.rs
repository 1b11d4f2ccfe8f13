//! How good is a model? It predicts, is scored, and only then learns: the prequential protocol.
//!
//! - [`evaluate`]: a play through any number of models, giving a [`Scored`] line per transition and model. Start here.
//! - `score`: one prediction against the truth, as [`FrameScore`]; [`Tally`]: many of them as the metrics.
//! - [`calibration`]: what confidence is worth; [`rollout`]: exactness many steps ahead.
//! - [`Shared`]: a model that is judged by itself and as a part of another one.
//! - [`baselines`]: what every model is compared with, copying the last frame first.
//! - [`bootstrap`]: how far the mean over some games says what it would be over others.
//!
//! # Conventions
//! Everything is scored twice: on all cells, and on those that the interface mask, as known at that moment, shows. A
//! model that says nothing is right nowhere: it changes no cell, and is exact neither where something changes nor where
//! nothing does. A transition that ends its level has no frame to compare; only whether its end was foretold counts.

pub mod baselines;
pub mod bootstrap;
pub mod calibration;
mod prequential;
pub mod rollout;
mod score;
mod shared;
mod tally;

pub use prequential::{Contestant, FIRM, FoundBar, Marks, Report, Scored, evaluate};
pub use score::FrameScore;
pub use shared::Shared;
pub use tally::Tally;

/// The counts of transitions at which results are reported.
pub const MILESTONES: [usize; 7] = [10, 25, 50, 100, 200, 400, 800];

/// Which cells count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum View {
    /// All of them.
    Raw,
    /// Those of the world, without the interface.
    Masked,
}

impl View {
    /// Both, the one that can always be had first.
    pub const ALL: [View; 2] = [View::Raw, View::Masked];
}

#[cfg(test)]
mod tests;
