//! The looped-transformer ARC solver: what it learns from, the nets, their training.
//!
//! # Layout
//! - [`data`]: ARC tasks and everything between their files and the tokens of a batch.
//! - [`nets`]: URM, TRM and Loop-ViT.
//! - [`nn`]: the neural toolkit, which knows no ARC.
//! - [`solve`]: answering tasks with a trained net.
//! - [`train`]: training a net, from its configuration to its checkpoint.
//!
//! # The one decision
//! A task is checked when it is read and never again: a grid that is too large or holds an eleventh colour is refused
//! with the file, the task and the pair, so that training and solving can rely on both bounds.

pub mod check;
pub mod data;
pub mod nets;
pub mod nn;
pub mod solve;
pub mod train;

pub use data::{COLORS, MAX_SIDE, Pair, Query, Task, TaskError, augment, load};
