//! What happens if I do this? Perception of a frame, and what a play has taught about its interface.
//!
//! # Layout
//! - [`WorldModel`]: the question, and [`Prediction`]: the answer with its confidence. Start here.
//! - [`Scene`]: a frame as connected [`Component`]s, each with a shape that does not depend on where it lies.
//! - [`InterfaceDetector`]: watches a play and finds what is interface (bars, counters, lives) rather than world; its
//!   [`InterfaceMask`] only ever grows.
//! - [`Snapshot`]: a frame in two kilobytes, and its [`StateKey`] under a mask.
//!
//! # The one decision
//! A state is the frame without its interface. What is interface can only be learned by watching, so a key computed
//! early may later turn out too fine; states therefore keep their [`Snapshot`] and can be keyed anew when the mask
//! grows. The price is two kilobytes a state.
//!
//! Everything here is pure and knows no game: the only numbers are sizes and rates, each with its reason.

mod component;
mod interface;
mod mask;
mod model;
mod scene;
mod snapshot;

pub use component::{Bounds, Component};
pub use interface::{Bar, InterfaceDetector, Pace, Seen};
pub use mask::InterfaceMask;
pub use model::{Outcome, Prediction, Source, Start, State, Transition, WorldModel};
pub use scene::Scene;
pub use snapshot::{Snapshot, StateKey};
