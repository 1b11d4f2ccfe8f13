//! What an ARC-AGI-3 environment is, and how to speak to one over HTTP.
//!
//! # Layout
//! - Vocabulary: [`Color`], [`Point`], [`Grid`]; [`Action`], [`Command`], [`ActionSet`]; [`GameId`], [`PlayId`],
//!   [`CardId`], [`ApiKey`]; [`Observation`] with its [`Status`] and [`Turn`]. Start here.
//! - [`wire`]: the JSON shapes of the protocol, read in their old and new spellings, written in the new one.
//! - [`score`] and [`scorecard`]: RHAE, and the summary a closed scorecard returns.
//! - [`recording`]: the JSONL files that plays leave behind.
//! - [`http`] (feature `http`): the client.
//!
//! # The one decision
//! Bytes are checked once, where they become an [`Observation`]; everything behind that works with types that cannot
//! hold a 17th colour, a click without a point or a play that must be reset. The price is that a service which bends
//! the protocol is refused (with the field, what was expected and what came) rather than guessed at.

mod action;
mod color;
mod digits;
mod grid;
#[cfg(feature = "http")]
pub mod http;
mod ids;
mod observation;
pub mod recording;
pub mod score;
pub mod scorecard;
pub mod wire;

pub use action::{Action, ActionId, ActionIdError, ActionSet, Command, Key};
pub use color::{Color, ColorError};
pub use grid::{Grid, GridError, Point, PointError, SIDE};
pub use ids::{ApiKey, ApiKeyError, CardId, GameId, IdError, PlayId};
pub use observation::{Observation, ObservationError, Status, Turn};
