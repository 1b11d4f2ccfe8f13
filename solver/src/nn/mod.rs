//! The neural toolkit: what every net of this project is built from and trained with.
//!
//! # Layout
//! - [`Builder`], [`Scope`], [`Params`]: a net's named tensors, fresh from a seed or from a file. Start here.
//! - [`Init`]: what fresh weights are drawn from.
//! - [`Stack`], [`Layout`], [`Rope`]: the block that looped nets apply again and again.
//! - [`TokenLoss`], [`Targets`], [`binary_cross_entropy`]: how an answer is compared with the truth.
//! - [`Dropout`], [`Sieve`]: numbers left out at random, and by their place.
//! - [`halting`]: when a looped net stops, and how much each of its steps counts.
//! - [`optim`]: what moves the weights.
//! - [`Checkpoint`]: everything a training needs to go on, in one file.
//! - [`on_deep_stack`]: where gradients are computed.
//! - [`Metrics`]: what is measured meanwhile, as lines of JSON and for TensorBoard.
//! - [`ops`]: attention, norms, gates and convolutions that train fast on a CPU.

mod checkpoint;
mod deep;
mod dropout;
mod fused;
pub mod halting;
mod init;
mod kernel;
mod loss;
mod metrics;
pub mod ops;
pub mod optim;
mod params;
mod rope;
mod stack;
mod tensorboard;

pub use checkpoint::{Checkpoint, CheckpointError, FORMAT, Meta};
pub(crate) use deep::STACK_SIZE;
pub use deep::on_deep_stack;
pub use dropout::Dropout;
pub use init::{Init, stream};
pub use kernel::sieve::Sieve;
pub use loss::{Targets, TokenLoss, binary_cross_entropy};
pub use metrics::{LINES, Measured, Metrics, read as read_metrics};
pub use params::{BuildResult, Builder, ParamError, Params, Role, Scope};
pub use rope::Rope;
pub use stack::{Conv, Layout, Mixer, RMS_EPS, Stack, StackConfig, Swiglu, linear, rms};

/// What a net is run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To learn: dropout is active, rules that explore do.
    Train,
    /// To answer.
    Eval,
}
