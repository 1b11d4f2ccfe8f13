//! What happens if I do this? Perception of a frame, and what a play has taught about its interface.
//!
//! # Layout
//! - [`WorldModel`]: the question, and [`Prediction`]: the answer with its confidence. Start here.
//! - [`cards`]: what clicks turn over, unlike ones back.
//! - [`cells`]: boards of cells that clicks recolour.
//! - [`chessmen`]: men that a click picks and keys move, each kind by its own gait.
//! - [`cursor`]: a mark that keys move over a board, on which another key acts.
//! - [`dials`]: parts of a picture that clicks turn through a round of pictures.
//! - [`eval`]: how good a model is, as figures.
//! - [`falls`]: things that fall, and what is moved below them.
//! - [`floods`]: a region that takes the colour of what is clicked elsewhere, and grows.
//! - [`handling`]: things that a click picks up, and that keys then move and turn.
//! - [`Joint`]: all sources as one.
//! - [`leaps`]: what two clicks on seats in a line make of what stands there.
//! - [`memory`]: what was done before in the same state, and what came of it.
//! - [`net`]: nets that predict frames, and their training.
//! - [`pipes`]: tiles that a click turns, with ways drawn on them.
//! - [`play`]: a recording as what a model can learn from.
//! - [`perception`]: a frame as a [`Scene`] of components, what of it is interface, and the key of its state.
//! - [`rules`]: mechanisms with parameters, learned from a few dozen transitions.
//! - [`scrolling`]: views that follow a piece, shown as if nothing scrolled.
//! - [`tapes`]: recorded steps, and ghosts that do again what was done.
//! - [`tilts`]: boards that keys tilt, and what the tiles that slide on them come to.
//! - [`toggles`]: buttons each of which flips the same cells whenever it is clicked.
//! - [`tracks`]: buttons that move what lies in slots; [`vessels`]: buttons that pour; [`sliders`]: buttons that shift
//!   things along one axis; [`shuffles`]: keys and clicks by which contents change places.
//! - [`parking`]: blocks that a click picks and keys move along their axes; [`stacks`]: tiles that clicks take from one
//!   stack and lay on another; [`trades`]: things that stand anywhere, and change places by two clicks.
//! - [`tumblers`]: a piece that takes another form with every step.
//!
//! # The one decision
//! A state is the frame without its interface. What is interface can only be learned by watching, so a key computed
//! early may later turn out too fine; states therefore keep their [`Snapshot`] and can be keyed anew when the mask
//! grows. The price is two kilobytes a state.
//!
//! Everything here is pure and knows no game: the only numbers are sizes and rates, each with its reason.

pub mod cards;
pub mod cells;
pub mod chessmen;
pub mod cursor;
pub mod dials;
mod divisor;
pub mod eval;
pub mod falls;
pub mod floods;
pub mod handling;
mod joint;
pub mod leaps;
pub mod memory;
mod model;
pub mod net;
pub mod parking;
pub mod perception;
pub mod pipes;
pub mod play;
mod reliability;
pub mod rules;
pub mod scrolling;
pub mod shuffles;
pub mod sliders;
pub mod stacks;
pub mod tapes;
pub mod tilts;
pub mod toggles;
pub mod tracks;
pub mod trades;
pub mod tumblers;
pub mod vessels;

pub use cells::Cells;
pub use joint::Joint;
pub use memory::ExactMemory;
pub use model::{Advance, Foresight, Motion, Outcome, Prediction, Source, Start, State, Transition, WorldModel};
pub use perception::{Bar, Bounds, Component, InterfaceDetector, InterfaceMask, Pace, Scene, Seen, Snapshot, StateKey};
pub use pipes::Pipes;
pub use rules::Rules;
