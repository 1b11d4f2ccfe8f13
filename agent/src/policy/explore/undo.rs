//! Whether ACTION7 takes back the last action, and what it would lead to.

use std::collections::VecDeque;

use petgraph::stable_graph::NodeIndex;

use super::route::Origin;

/// Exact undos it takes to rely on it.
const PROOFS: u32 = 2;
/// Exact undos that outweigh one that failed.
const PROOFS_PER_FAILURE: u32 = 8;
/// States remembered behind the present one.
const DEPTH: usize = 64;

/// The states passed since the level began, and how well undo has gone back along them.
#[derive(Debug, Default)]
pub(super) struct Undo {
    behind: VecDeque<NodeIndex>,
    exact: u32,
    failed: u32,
}

impl Undo {
    /// Whether it is known well enough to be planned with.
    pub(super) fn trusted(&self) -> bool {
        self.exact >= PROOFS && self.exact >= PROOFS_PER_FAILURE * self.failed
    }

    /// An action other than undo led away from `from`.
    pub(super) fn moved(&mut self, from: NodeIndex) {
        if self.behind.len() == DEPTH {
            self.behind.pop_front();
        }
        self.behind.push_back(from);
    }

    /// Undo was played in `from` and led to `to`.
    pub(super) fn undone(&mut self, from: NodeIndex, to: NodeIndex) {
        match self.behind.pop_back() {
            Some(expected) if expected == to => self.exact += 1,
            Some(_) => {
                self.failed += 1;
                self.behind.clear();
            }
            None if from != to => self.failed += 1,
            None => {}
        }
    }

    /// The past is gone: a new level, a restart, a lost answer.
    pub(super) fn forget(&mut self) {
        self.behind.clear();
    }

    /// States were renamed; those that are gone end what can be undone.
    pub(super) fn rename(&mut self, rename: impl Fn(NodeIndex) -> Option<NodeIndex>) {
        let known: Vec<NodeIndex> = self.behind.iter().rev().map_while(|node| rename(*node)).collect();
        self.behind = known.into_iter().rev().collect();
        let mut last = None;
        self.behind.retain(|node| last.replace(*node) != Some(*node));
    }

    /// The routes that begin with undos, shortest first.
    pub(super) fn origins(&self) -> impl Iterator<Item = (Origin, NodeIndex)> + '_ {
        let trusted = self.behind.iter().rev().filter(|_| self.trusted());
        trusted.enumerate().map(|(index, node)| (Origin::Undo(index as u16 + 1), *node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(index: usize) -> NodeIndex {
        NodeIndex::new(index)
    }

    #[test]
    fn an_exact_undo_is_planned_with_after_two_proofs() {
        let mut undo = Undo::default();
        for _ in 0..2 {
            assert!(!undo.trusted());
            undo.moved(node(0));
            undo.undone(node(1), node(0));
        }
        assert!(undo.trusted());
        undo.moved(node(3));
        undo.moved(node(4));
        let origins: Vec<_> = undo.origins().collect();
        assert_eq!(origins, [(Origin::Undo(1), node(4)), (Origin::Undo(2), node(3))]);
    }

    #[test]
    fn an_inexact_undo_is_never_planned_with() {
        let mut undo = Undo::default();
        for round in 0..20 {
            undo.moved(node(0));
            undo.undone(node(1), node(if round % 3 == 0 { 2 } else { 0 }));
        }
        assert!(!undo.trusted());
        assert_eq!(undo.origins().count(), 0);
    }
}
