//! What the [`Ledger`](super::ledger::Ledger) keeps of kinds of things, and of single ones.

/// What is known of a kind of thing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Record {
    /// Touches in this level.
    pub(super) touches: u32,
    /// Touches in this game that pieces survived.
    pub(super) survived: u32,
    pub(super) deaths: u32,
    /// Whether touching it did something in this level.
    pub(super) effect: bool,
    /// Whether it was touched by an action that solved a level.
    pub(super) won: bool,
    /// Whether touching it did something in a level that was then solved.
    pub(super) helped: bool,
    /// How often pieces in this game stood on such a thing and left it where it was, and how often they took it.
    pub(super) kept: u32,
    pub(super) taken: u32,
}

/// What touching one thing has led to in this level.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tried {
    pub(super) touches: u32,
    /// The count of events when it was last touched.
    pub(super) events: u32,
    /// Whether it refused then.
    pub(super) refused: bool,
    /// Whether touching it ever did something elsewhere.
    pub(super) changer: bool,
    /// Whether it was gone when the pieces that stood on it left.
    pub(super) is_taken: bool,
}

/// What happened on one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Happening {
    /// Something changed elsewhere than where the pieces are.
    pub(super) event: bool,
    /// The pieces moved.
    pub(super) moved: bool,
    /// Something was shown and all is as it was: what was touched answers, but not yet.
    pub(super) refused: bool,
}

/// What a level needs before anything else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// Something drawn is not yet as it should be.
    pub(super) change: bool,
    /// The budget of actions runs low.
    pub(super) fuel: bool,
}
