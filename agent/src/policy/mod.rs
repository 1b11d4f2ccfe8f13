//! Who decides: one trait, and the policies that implement it.
//!
//! A policy is synchronous and pure: it sees observations, never a network, a file or a clock. The episode loop asks
//! it only when the play accepts actions, measures what a decision costs, and bills the actions.

use env_client::{ActionSet, Command, Observation};

/// A decision, and what the policy thought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What to send. RESET is allowed at any time and billed like an action.
    pub command: Command,
    /// Why, in a few words: goes into the API's `reasoning` field and the recording, and from there to the viewer.
    pub why: String,
}

/// What became of a command.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<'a> {
    /// The environment answered.
    Seen(&'a Observation),
    /// The answer was lost after the request was sent: the command may or may not have been executed. Nothing may be
    /// learned from it, and the play is somewhere unknown until the next answer.
    Unknown,
}

/// Something that plays.
pub trait Policy: Send {
    /// Its name in results, recordings and on the command line.
    fn name(&self) -> &'static str;

    /// Chooses the next command. `now` is the newest observation; when the last outcome was [`Outcome::Unknown`] it is
    /// older than the play. `actions` is never empty.
    fn decide(&mut self, now: &Observation, actions: ActionSet) -> Decision;

    /// Learns what a command led to. Called for every command of the play, those of the episode loop (the first RESET
    /// and the one after a GAME_OVER) included; `before` is `None` for the first.
    fn observe(&mut self, before: Option<&Observation>, command: Command, outcome: Outcome<'_>);
}
