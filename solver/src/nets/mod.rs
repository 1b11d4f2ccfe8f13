//! The nets: what goes in, what is looped, what comes out.
//!
//! # Layout
//! - [`NetConfig`]: sizes and choices, as a configuration file states them. Start here.
//! - [`loop_vit`]: the vision transformer, which works on images instead of tokens.

mod config;
pub mod loop_vit;

pub use config::{
    ConfigError, FACTORED_PREFIX, Latents, LoopConfig, LossAt, NetConfig, Positions, Rows, TokenConfig, TrmConfig,
    UrmConfig, published_ffn,
};
