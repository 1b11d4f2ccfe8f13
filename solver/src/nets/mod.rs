//! The nets: what goes in, what is looped, what comes out.
//!
//! # Layout
//! - [`NetConfig`]: sizes and choices, as a configuration file states them. Start here.

mod config;

pub use config::{
    ConfigError, FACTORED_PREFIX, Latents, LoopConfig, LossAt, NetConfig, Positions, Rows, TokenConfig, TrmConfig,
    UrmConfig, published_ffn,
};
