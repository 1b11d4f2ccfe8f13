//! A local engine, titles of our own, and a server that speaks the ARC-AGI-3 protocol.
//!
//! # Layout
//! - [`catalog`]: every title, as [`Entry`]: open it, ask for its baselines. Start here to play.
//! - [`engine`]: what a title is, and the engine that runs it. Start there to write one.
//! - [`titles`]: the rules and levels, one file each.
//! - [`server`]: titles, and games of one's own, over HTTP.
//! - [`prover`]: shortest solutions, from which baselines and step limits follow.
//!
//! # The one decision
//! A title is a plain value with rules, and everything else (frames, resets, undo, step limits, proofs, transcripts)
//! is derived from it by the engine. See [`engine`] for the price.

mod catalog;
pub mod engine;
pub mod prover;
pub mod server;
pub mod titles;

pub use catalog::{Entry, catalog};
pub use engine::{Digest, Environment, Shown, Variant};
