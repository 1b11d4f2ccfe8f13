//! A server that speaks the ARC-AGI-3 protocol over games of our own.
//!
//! # Layout
//! - [`Options`], [`Offer`], [`Limits`]: what is served, and how much of it. [`bind`], [`Bound`]: serving. Start here.
//! - `routes`, `request`, `refusal`, `answer`: HTTP and JSON at the edge.
//! - `arcade`: all cards and plays; `card` and `play`: one of each; `ledger`: what a card counts; `summary`: how that is
//!   scored.
//!
//! # The one decision
//! It does what the server of the official toolkit (`arc-agi` 0.9.9) does, its oddities included wherever a client
//! could notice them, because an agent that is measured here is to be measured the same there. It departs from it
//! where that one answers a page of HTML or fails, and where it would let one key disturb the plays of another. The
//! price is rules that nobody would invent; each has its reason in a comment.
//!
//! No handler waits between stepping a game and billing the step, so a client that hangs up leaves a command either
//! carried out and counted or neither.

mod answer;
mod arcade;
mod bind;
mod card;
mod ledger;
mod options;
mod play;
mod refusal;
mod request;
mod routes;
mod summary;
#[cfg(test)]
mod tests;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use bind::{Bound, DEFAULT_ADDRESS, Running, bind, spawn};
pub use options::{Limits, Offer, Options};

use refusal::Refusal;
use routes::Shared;

/// Locks what no panic can leave half-written: games, the only foreign code, are caught where they are stepped.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
