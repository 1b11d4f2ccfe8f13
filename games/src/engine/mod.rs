//! The deterministic engine that every title runs on.
//!
//! # Layout
//! - [`Title`]: the rules of one title, with [`About`], [`Input`], [`Verdict`] and [`Film`]. Start here.
//! - [`Cell`], [`Dir`], [`Board`], [`Map`]: space. [`View`], [`Scene`], [`Sprite`]: what is seen of it.
//! - [`Bar`], [`baseline`], [`step_limit`]: how many actions a level is worth, and allows.
//! - [`Variant`], [`Dice`]: the same title in another guise; chance that repeats.
//! - [`Environment`], [`Shown`]: a title being played, with its type erased. [`contract`] checks what it promises.
//!
//! # The one decision
//! A title is a value: the state of a level, with `Clone`, `Eq` and `Hash`. Undo is a stack of such values, a level
//! reset a copy of the first one, an animation a list of them, and the shortest solution a search over them; none of
//! this is written twice and none can disagree with the rules. The price is a copy of the state for every action,
//! which is small beside the frame that is drawn from it.
//!
//! # How to write a title
//! 1. One file in `titles/`: a struct that is the whole state of a level (never-changing parts in a [`Map`]), its
//!    [`Title`] implementation with a module comment that tells the rules and what each level adds, and ASCII levels.
//!    `titles/crates.rs` (keys), `titles/lamps.rs` (clicks) and `titles/twins.rs` (both, with undo) are models.
//! 2. One line in [`crate::titles`], in the order of the stems.
//! 3. `cargo run -p games --example prove STEM` plays every level by its shortest solution and prints the line
//!    `optimal: &[…]` to paste into [`About`]. Baseline and step limit follow from it.
//! 4. `BLESS=1 cargo test -p tests --test golden` writes `tests/golden/STEM.txt`; read it: it shows every level and
//!    its shortest solution. A level that is solved by a trick is found here.
//! 5. `cargo test -p games` proves each level and checks the contract.
//!
//! Things the contract checks and that are easily missed: whatever an animation needs in the state is back at its
//! resting value when [`Title::act`] returns; an input that does nothing leaves the state equal; collections in the
//! state have one order for one meaning (sort interchangeable things), else the prover drowns; [`Title::inputs`]
//! lists one click for each different effect; nothing may depend on anything but the state.

mod bar;
pub mod contract;
mod dice;
mod play;
mod scene;
mod space;
mod title;
#[cfg(test)]
pub(crate) mod toy;
pub(crate) mod transcript;
mod variant;

pub use bar::{Bar, Drain, Edge, baseline, step_limit};
pub use dice::Dice;
pub(crate) use play::{Course, Play, starts};
pub use play::{Digest, Environment, Shown};
pub use scene::{Scene, Sprite, View};
pub use space::{Board, Cell, Dir, Map};
pub use title::{ARROWS, ARROWS_AND_CLICKS, ARROWS_AND_SPACE, About, Family, Film, Input, MAX_LAYERS, Title, Verdict};
pub use variant::Variant;
