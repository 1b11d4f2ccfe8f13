//! The harness of the whole-system tests.
//!
//! # Layout
//! - [`Arc3`]: runs the `arc3` binary in a folder of its own, with a clean environment.
//! - [`tmux`]: a terminal to type into and to look at.
//! - [`toolkit`]: the official toolkit (PyPI `arc-agi`), as a server for our client and as a client of our server.
//! - [`scripted`]: a server that fails on purpose, for the client and for the whole binary.
//! - [`twins`]: the games of `tests/games/` once more, for our own server.
//! - `tests/tests/`: what must hold of the system; `tests/games/`: small games of our own on the official engine, for
//!   both directions of conformance; `tests/golden/`: one transcript a title.
//!
//! A new test is ten lines: start a server, run a command, look at its output.

mod arc3;
pub mod scripted;
pub mod tmux;
pub mod toolkit;
pub mod twins;

pub use arc3::{Arc3, Run, Running, arc3_path};

use std::path::PathBuf;

/// The root of the repository.
pub fn repository() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}
