//! The looped-transformer ARC solver, beginning with what it learns from: tasks and their augmentations.
//!
//! # Layout
//! - [`Task`], [`Pair`], [`Query`]: one ARC task, with grids of at most 30×30 cells in ten colours.
//! - [`load`]: data sets in the layouts their authors publish.
//! - [`augment`]: the dihedral group and colour permutations, with exact inverses.
//!
//! # The one decision
//! A task is checked when it is read and never again: a grid that is too large or holds an eleventh colour is refused
//! with the file, the task and the pair, so that training and solving can rely on both bounds.

pub mod augment;
pub mod load;
pub mod nn;
mod task;

pub use task::{COLORS, MAX_SIDE, Pair, Query, Task, TaskError};
