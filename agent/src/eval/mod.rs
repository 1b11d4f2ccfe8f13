//! Evaluation in competition semantics: what is asked for, what is kept, what it comes to.
//!
//! # Layout
//! - [`Plan`]: which plays there are, and which of them are this part's. [`Seeds`], [`Budgets`], [`Shard`].
//! - [`Journal`]: every finished play on disk at once, so that a killed run is taken up where it stopped.
//! - [`Results`]: the document, put together from records and closed scorecards by [`assemble`]. Start here.
//! - [`merge`], [`compare`](mod@compare): several documents; [`ablate`](mod@ablate): what each part of a policy is worth;
//!   [`print`]: tables of all of them.
//!
//! Playing itself is a command's work; everything here is pure but for the journal's file.
//!
//! # The one decision
//! RHAE is computed here, from our own counts and the baselines a closed scorecard tells, and then compared with what
//! the service says. So a result can be judged at several budgets and after a crash, and a disagreement about the
//! rules shows at once. The price is that the counting rules live in two places.

pub mod ablate;
pub mod compare;
mod journal;
mod lists;
pub mod merge;
mod plan;
pub mod print;
mod results;
mod shard;

pub use journal::{Journal, JournalError, Line};
pub use lists::{Budgets, ListError, Seeds};
pub use plan::{Pair, Plan, labels};
pub use results::{
    Card, Checkpoint, ClosedCard, Judged, Level, Measured, PlayMeasured, Record, Results, Settings, TOLERANCE, Total,
    assemble, read, write,
};
pub use shard::{Shard, ShardChoice, ShardError};

#[cfg(test)]
mod tests;
