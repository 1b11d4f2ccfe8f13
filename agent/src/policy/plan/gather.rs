//! What is gathered: things that are gone when the pieces that stood on them left.
//!
//! The last of several of a kind may change what others answer: an exit that did nothing before is gone for again.

use std::collections::BTreeSet;

use world_model::WorldModel;

use super::{
    Plan,
    reading::Reading,
    things::{Kind, Thing, Things},
};

impl<M: WorldModel> Plan<M> {
    /// Things that pieces stood on and that are gone were taken; the last of a kind may change what others answer.
    pub(super) fn gather(&mut self, reading: &Reading, now: &Things) {
        let is_left = |is: &dyn Fn(&Thing) -> bool| self.under.things().chain(now.all()).any(|it| is(&it));
        let covered = reading.things.covered().into_iter();
        let taken: Vec<Thing> = covered.filter(|thing| !is_left(&|it| it == thing)).collect();
        let last: BTreeSet<Kind> =
            taken.iter().map(|it| it.kind).filter(|kind| !is_left(&|it| it.kind == *kind)).collect();
        for thing in taken {
            self.ledger.was_taken(thing);
        }
        for kind in last {
            self.ledger.gathered(kind);
        }
    }
}
