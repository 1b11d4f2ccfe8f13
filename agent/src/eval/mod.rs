//! Evaluation.
mod lists;
mod shard;
pub use lists::{Budgets, ListError, Seeds};
pub use shard::{Shard, ShardChoice, ShardError};
