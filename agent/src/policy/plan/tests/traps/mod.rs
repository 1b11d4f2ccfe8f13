//! The planner against titles made for one trap each.
//!
//! - [`Play`]: the planner plays a title under the rules of the episode loop.
//! - [`Yard`]: titles that are walked through, one [`Trap`] each; [`Panel`]: titles that are clicked at.
//! - The other modules: traps of one kind, each with the test that it is not fallen into.

mod ambush;
mod canvas;
mod clicks;
mod costs;
mod levels;
mod lure;
mod mirage;
mod panel;
mod pieces;
mod play;
mod states;
mod tiles;
mod yard;

use env_client::Key;
use games::{
    engine::{Cell, Film, Input, Map, Scene, Sprite, Title, Verdict},
    prover::Proof,
};

use self::{
    play::Play,
    yard::{PIECE, Trap, Yard},
};

/// One step to the right, in cells of the frame, of a yard at least seven cells wide.
const RIGHT: (i16, i16) = (6, 0);

/// Checks that a title says what the shortest solutions of its levels are, and that there are any.
fn check<T: Title>() {
    let proofs = games::Entry::of::<T>().prove();
    let optimal: Vec<u32> = proofs.iter().map(|proof| proof.as_ref().map_or(0, Proof::optimal)).collect();
    assert_eq!(optimal, T::ABOUT.optimal);
}
