//! The world model, judged, explained and questioned.
//!
//! - [`trial`]: plays recordings past all contestants. Start here.
//! - [`figures`]: what came of it as numbers, which are also the JSON document; [`print`] is the same as tables.
//! - [`lesson`]: a model that has seen the first part of a recording.
//! - [`explain`]: what it sees and knows.
//! - [`dream`]: what it thinks would happen, next to what did.
//! - [`progress`]: what a person sees meanwhile.

pub mod dream;
pub mod explain;
pub mod figures;
pub mod lesson;
pub mod print;
pub mod progress;
pub mod trial;

use world_model::Joint;

/// All sources as one model that knows nothing yet.
pub fn together() -> Joint {
    Joint::default()
}
