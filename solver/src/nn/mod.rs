//! The neural toolkit: what every net of this project is built from and trained with.
//!
//! # Layout
//! - [`Builder`], [`Scope`], [`Params`]: a net's named tensors, fresh from a seed or from a file. Start here.
//! - [`Init`]: what fresh weights are drawn from.

mod init;
mod params;

pub use init::{Init, stream};
pub use params::{Builder, ParamError, Params, Role, Scope};
