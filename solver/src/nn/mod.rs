//! The neural toolkit: what every net of this project is built from and trained with.
//!
//! # Layout
//! - [`Builder`], [`Scope`], [`Params`]: a net's named tensors, fresh from a seed or from a file. Start here.
//! - [`Init`]: what fresh weights are drawn from.
//! - [`halting`]: when a looped net stops, and how much each of its steps counts.
//! - [`optim`]: what moves the weights.

pub mod halting;
mod init;
pub mod optim;
mod params;

pub use init::{Init, stream};
pub use params::{Builder, ParamError, Params, Role, Scope};

/// What a net is run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To learn: dropout is active, rules that explore do.
    Train,
    /// To answer.
    Eval,
}
