//! What selects pieces, whichever they are: an action wakes those asleep and puts those awake to sleep.
//!
//! Each class learns how its own pieces look after an action. Before it has met a case, it takes what came of the like with
//! pieces of other classes.

use super::class::{Class, Instance};
use crate::rules::{law::Law, view::View};

/// Outcomes: a piece is awake or asleep as before, or the other way round.
const SAME: u64 = 0;
const OTHER: u64 = 1;

/// Which actions select.
#[derive(Clone, Debug)]
pub(super) struct Selection {
    /// By action, whether the piece is asleep, and whether it is clicked.
    law: Law<3>,
}

impl Default for Selection {
    fn default() -> Self {
        Selection { law: Law::new(3) }
    }
}

impl Selection {
    /// The pose of a piece after an action that its class has not met in such a case.
    pub(super) fn pose_after(&self, view: &View<'_>, class: &Class, piece: Instance) -> Option<usize> {
        let case = case(view, class, piece);
        let switches = self.law.ask(|index| case[index]).is_some_and(|it| it.outcome == OTHER);
        switches.then(|| class.counterpart(piece.pose)).flatten()
    }

    /// Learns that a piece that can be selected is in this pose after an action that did not move it.
    pub(super) fn learn(&mut self, view: &View<'_>, class: &Class, piece: Instance, after: usize) {
        self.law.learn(&case(view, class, piece), if piece.pose == after { SAME } else { OTHER });
    }
}

fn case(view: &View<'_>, class: &Class, piece: Instance) -> [u64; 3] {
    [view.number(), u64::from(class.is_asleep(piece.pose)), class.click(view, piece)]
}
