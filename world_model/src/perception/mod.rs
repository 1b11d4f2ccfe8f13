//! Perception: from the cells of a frame to what is drawn in it.
//!
//! # Layout
//! - [`Tracker`]: follows a play frame by frame and tells what happened to each object. Start here.
//! - [`View`]: a frame as [`Object`]s: components and what belongs together; [`Sketch`] draws it as text.
//! - [`Scene`]: a frame as connected [`Component`]s, each with its shape, and its form in any of the eight poses
//!   ([`Symmetry`]).
//!   `recent`: the scenes of the frames that were read last.
//! - [`Lattice`], [`LatticeFinder`]: the logical grid that a game is drawn on.
//! - `tiling`: the tiles that a frame is drawn of; [`Tiles`]: a frame as a map of them.
//! - [`InterfaceDetector`]: watches a play and finds what is interface (bars, counters, lives) rather than world; its
//!   [`InterfaceMask`] only ever grows.
//! - [`Snapshot`]: a frame in two kilobytes, and its [`StateKey`] under a mask.
//!
//! Everything here is pure and knows no game: the only numbers are sizes and rates, each with its reason.

mod component;
mod form;
mod interface;
mod lattice;
mod mask;
mod object;
mod recent;
mod scene;
mod sketch;
mod snapshot;
mod symmetry;
mod tile_map;
mod tiles;
pub(crate) mod tiling;
mod tracking;

pub use component::{Bounds, Component};
pub use interface::{Bar, InterfaceDetector, Pace, Seen};
pub(crate) use lattice::edge_share;
pub use lattice::{Lattice, LatticeFinder};
pub use mask::InterfaceMask;
pub(crate) use object::touching;
pub use object::{Bonds, Object, View};
pub use scene::Scene;
pub use sketch::Sketch;
pub use snapshot::{Snapshot, StateKey};
pub use symmetry::Symmetry;
pub use tile_map::TileMap;
pub use tiles::Tiles;
pub use tracking::{Change, Event, Motion, ObjectId, Tracker, Underlay};
