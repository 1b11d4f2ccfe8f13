//! Clicks that mark a thing until the next click, which then does something with it, or marks another thing, or drops it.
//!
//! What a click did nothing to while nothing was marked may be just what a marked thing goes to. So where clicks are seen
//! to mark, everything is worth a click once more for each kind of thing that is marked.

use std::collections::HashMap;

use env_client::{Grid, Point};
use petgraph::stable_graph::NodeIndex;
use world_model::{Bounds, InterfaceMask};

use super::{experience::RecordId, twins::SIDE};

/// Clicks elsewhere that must have dropped a mark, where none was seen to go from one thing to another. A guess.
const DROPS: usize = 2;

/// A state in which a thing may be marked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// The state in which it is not, all else being the same.
    origin: NodeIndex,
    /// What was clicked, and all that this changed.
    pub(super) class: RecordId,
    pub(super) at: Bounds,
}

/// What a click did to a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// It took it away, or to another thing, and did nothing else.
    Dropped,
    /// Anything else.
    Other,
}

/// States of a level in which a thing may be marked, and whether clicks mark at all.
#[derive(Debug, Default)]
pub(super) struct Marks {
    states: HashMap<NodeIndex, Mark>,
    /// Clicks that dropped a mark in this game, the first few, and whether one took a mark to another thing.
    drops: Vec<Point>,
    goes_on: bool,
}

impl Marks {
    /// States have other names now, or there are none any more.
    pub(super) fn forget_states(&mut self) {
        self.states.clear();
    }

    /// Whether clicks are known to mark things.
    pub(super) fn are_proven(&self) -> bool {
        self.goes_on || self.drops.len() >= DROPS
    }

    /// States in which something may be marked.
    pub(super) fn states(&self) -> Vec<NodeIndex> {
        let mut states: Vec<NodeIndex> = self.states.keys().copied().collect();
        states.sort_unstable();
        states
    }

    /// What may be marked in a state.
    pub(super) fn of(&self, state: NodeIndex) -> Option<Mark> {
        self.states.get(&state).copied()
    }

    /// A click on a thing of some class led from one state to another one.
    pub(super) fn learn(
        &mut self,
        (from, to): (NodeIndex, NodeIndex),
        (at, class): (Point, RecordId),
        frame: impl Fn(NodeIndex) -> Grid,
        mask: &InterfaceMask,
    ) -> Deed {
        if from == to {
            return Deed::Other;
        }
        let marked = self.of(from).filter(|mark| !mark.at.contains(at.x(), at.y()));
        if let Some(mark) = marked {
            if to == mark.origin {
                if !self.are_proven() && !self.drops.contains(&at) {
                    self.drops.push(at);
                }
                return Deed::Dropped;
            }
            let new = changed(&frame(mark.origin), &frame(to), mask).filter(|it| is_mark(*it, at));
            if let Some(at) = new.filter(|it| it.overlap(mark.at) == 0) {
                self.goes_on = true;
                self.states.entry(to).or_insert(Mark { origin: mark.origin, class, at });
                return Deed::Dropped;
            }
        }
        if let Some(at) = changed(&frame(from), &frame(to), mask).filter(|it| is_mark(*it, at)) {
            self.states.entry(to).or_insert(Mark { origin: from, class, at });
        }
        Deed::Other
    }
}

/// Whether all that a click changed may be the thing that was clicked.
fn is_mark(changed: Bounds, at: Point) -> bool {
    changed.contains(at.x(), at.y()) && changed.width() <= SIDE && changed.height() <= SIDE
}

/// The box around what differs between two frames.
pub(super) fn changed(before: &Grid, after: &Grid, mask: &InterfaceMask) -> Option<Bounds> {
    Bounds::around(before.differences(after).into_iter().flatten().filter(|at| !mask.hides(*at)))
}
