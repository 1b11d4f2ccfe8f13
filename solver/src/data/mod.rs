//! ARC tasks, and everything between their files and the tokens of a batch.
//!
//! # Layout
//! - [`Task`], [`Pair`], [`Query`]: one ARC task, with grids of at most 30×30 cells in ten colours. Start here.
//! - [`load`]: data sets in the layouts their authors publish.
//! - [`augment`]: the dihedral group and colour permutations, with exact inverses and published names.
//! - [`hash`]: what tells whether two pairs or two tasks are the same.
//! - [`Canvas`]: grids as token sequences and back.
//! - [`image`]: grids as images of pixels and back; [`Paper`]: whichever of the two a net reads.
//! - [`Batch`], [`View`]: what a net sees in one step, still on the host.
//! - [`Puzzles`]: which row of a puzzle table stands for which task, or for which augmentation of it.
//! - [`Dataset`]: what a training learns from and is measured by, chosen by a [`DataConfig`]; no [`Sealed`] pair is learned.
//! - [`Sampler`]: the endless sequence of training batches.

pub mod augment;
mod batch;
mod dataset;
mod gather;
pub mod hash;
pub mod image;
pub mod load;
mod paper;
mod puzzles;
mod rank;
mod sampler;
mod sealed;
mod space;
mod survey;
mod task;
mod tokens;

pub use batch::{Batch, Example, IGNORED, View};
pub use dataset::{DataConfig, Dataset, Lesson, ShareError};
pub use paper::Paper;
pub use puzzles::{PuzzleError, Puzzles};
pub use rank::Rank;
pub use sampler::{Order, Position, Sampler, SamplerError};
pub use sealed::Sealed;
pub use space::{AugmentConfig, Colors, Space};
pub use survey::{Counts, Survey};
pub use task::{COLORS, MAX_SIDE, Pair, Query, Task, TaskError};
pub use tokens::{Canvas, CanvasError, EOS, Offset, PAD, VOCABULARY};

#[cfg(test)]
mod tests;
