//! What came up since a level began.
//!
//! Something that solved a level and was not there when this one began was brought about: an exit that opened, a colour that
//! became the aim. It is gone for at once, before what helped to bring it about is touched again.

use std::collections::BTreeSet;

use env_client::Grid;
use world_model::WorldModel;

use super::{
    Plan,
    ledger::Ledger,
    things::{Kind, Thing, Things, Under},
};

/// The kinds of things that were there when the level began, or began again.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    at_first: BTreeSet<Kind>,
}

impl Arrivals {
    /// A level begins, or begins again, with these.
    pub(super) fn begin(&mut self, kinds: BTreeSet<Kind>) {
        self.at_first = kinds;
    }

    /// Whether none of a kind was there when the level began.
    fn came_up(&self, kind: Kind) -> bool {
        !self.at_first.contains(&kind)
    }
}

impl Ledger {
    /// Whether a thing of the very kind that solved a level came up since this one began, and nobody touched it yet.
    pub(super) fn is_opened(&self, thing: Thing) -> bool {
        self.has_itself_won(thing.kind) && self.arrivals.came_up(thing.kind) && !self.is_touched(thing)
    }
}

impl<M: WorldModel> Plan<M> {
    /// Notes what is there when a level begins, or begins again.
    pub(super) fn note_first(&mut self, frame: &Grid) {
        let things = Things::of(frame, self.detector.mask(), &[], Under::default());
        self.ledger.arrivals.begin(things.all().into_iter().map(|it| it.kind).collect());
    }
}
