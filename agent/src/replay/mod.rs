//! Recordings, opened to be looked at. No terminal is needed here; [`tui`](crate::tui) draws on one.
//!
//! # Layout
//! - [`Archive`] opens a file: start here. A thread of its own (`feed`, `scan`, `skim`) reads it from the beginning into
//!   an [`Index`] of 32 bytes a step, so that any step is one seek away; `text` holds the bytes.
//! - [`Thought`]: what the `reasoning` of a command says, and the schema of its overlays.
//! - [`Summary`] is a recording in short, [`folder`] many of them; [`print`](mod@print) is one step as text.
//! - [`export`] makes GIF and PNG pictures; [`palette`] knows how colours look on a terminal.
//!
//! # The one decision
//! A recording is never held in memory: the index is, and the few entries around the one that is shown. The price is
//! that every step shown costs a read and a parse of its line, which takes well under a millisecond.

mod archive;
pub mod export;
mod feed;
pub mod folder;
mod index;
pub mod palette;
pub mod print;
mod scan;
mod skim;
mod steps;
mod summary;
mod text;
mod thought;

pub use archive::{Archive, EntryError, layers, thought};
pub use feed::Follow;
pub use index::{About, Index, Mark, Problem};
pub use steps::{Steps, StepsError};
pub use summary::{Ended, Summary};
pub use thought::{Area, Expected, Object, Patch, Thought};

#[cfg(test)]
pub(crate) mod tests;
