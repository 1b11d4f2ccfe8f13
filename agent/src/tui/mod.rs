//! The screen: replays, live plays, and playing oneself, on a terminal.
//!
//! # Layout
//! - State: [`player`] is where a play is looked at, and how an [`intent`] changes that; [`shown`] a step that was loaded;
//!   [`list`] a folder; [`prompt`] what is being typed.
//! - View: [`screen`] lays out [`grid`], [`timeline`] and texts; [`geometry`] says which cell stands where.
//! - From events to state: [`keys`]. Plays that go on: [`live`] hears them, [`watch`] shows them; [`human`] plays one.
//! - Shell: [`app`] drives it; [`view`] loads what the state asks for; [`terminal`] takes the terminal and gives it back.
//!   Start at [`app`].
//!
//! # The one decision
//! State changes by values that say what a person asked for, and widgets draw from what they are given: neither reads a
//! file, a clock or a terminal, so both are tested without one. The price is a step in between for everything that needs
//! the disk: the state names the step it wants, the shell loads it.

pub mod app;
pub mod geometry;
pub mod grid;
pub mod human;
pub mod intent;
pub mod keys;
pub mod list;
pub mod live;
pub mod player;
pub mod prompt;
pub mod screen;
pub mod shown;
pub mod terminal;
pub mod timeline;
pub mod view;
pub mod watch;

#[cfg(test)]
pub(crate) mod tests;
