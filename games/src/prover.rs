//! Shortest solutions, found by exhaustive search over the states of a level.
//!
//! The search is A* with [`Title::bound`] (plain breadth-first search where a title has none), so a solution that is
//! found is proven to be a shortest one, and a level without one is proven unsolvable.

use indexmap::{IndexMap, map::Entry};
use rustc_hash::FxBuildHasher;

use crate::engine::{Film, Input, Title, Verdict};

/// States after which the search gives up; levels are built to need far fewer.
pub const MAX_STATES: usize = 4_000_000;

/// A shortest solution of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The inputs that solve it.
    pub solution: Vec<Input>,
    /// Different states the search has seen.
    pub states: usize,
}

impl Proof {
    /// The fewest actions that solve the level.
    pub fn optimal(&self) -> u32 {
        self.solution.len() as u32
    }
}

/// Why a level has no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// Everything that can be reached was seen, and nothing solves it.
    #[error("the level cannot be solved: none of its {states} states is a solution")]
    Unsolvable {
        /// How many states can be reached.
        states: usize,
    },
    /// More states than [`MAX_STATES`].
    #[error("the level has more than {MAX_STATES} states, expected fewer")]
    TooLarge,
}

/// Finds a shortest solution from a state.
pub fn prove<T: Title>(start: &T) -> Result<Proof, ProofError> {
    let mut search = Search::default();
    search.reach(start.clone(), None, 0);
    while let Some(node) = search.cheapest() {
        if let Some(last) = search.expand(node) {
            return Ok(Proof { solution: search.path(node, last), states: search.nodes.len() });
        }
        if search.nodes.len() > MAX_STATES {
            return Err(ProofError::TooLarge);
        }
    }
    Err(ProofError::Unsolvable { states: search.nodes.len() })
}

/// The best known way to a state.
struct Node {
    /// The state before and the input that led here; `None` at the start.
    from: Option<(usize, Input)>,
    /// Inputs from the start.
    depth: u32,
    /// Whether what follows is known for this depth.
    expanded: bool,
}

struct Search<T> {
    /// Every state seen, in the order it was first seen.
    nodes: IndexMap<T, Node, FxBuildHasher>,
    /// States to expand, by what a solution through them costs at least.
    open: Vec<Vec<usize>>,
    /// The cheapest bucket of `open` that may hold something.
    cost: usize,
}

impl<T> Default for Search<T> {
    fn default() -> Self {
        Search { nodes: IndexMap::default(), open: Vec::new(), cost: 0 }
    }
}

impl<T: Title> Search<T> {
    /// Notes a way to a state, if it is the first or a shorter one.
    fn reach(&mut self, state: T, from: Option<(usize, Input)>, depth: u32) {
        // No state of a search is solved, so each costs at least one input more.
        let cost = (depth + state.bound().max(1)) as usize;
        let node = Node { from, depth, expanded: false };
        let index = match self.nodes.entry(state) {
            Entry::Occupied(known) if known.get().depth <= depth => return,
            Entry::Occupied(mut known) => {
                known.insert(node);
                known.index()
            }
            Entry::Vacant(new) => {
                let index = new.index();
                new.insert(node);
                index
            }
        };
        let cost = cost.max(self.cost);
        self.open.resize_with(self.open.len().max(cost + 1), Vec::new);
        self.open[cost].push(index);
    }

    /// Takes the open state through which a solution may be shortest.
    fn cheapest(&mut self) -> Option<usize> {
        while let Some(bucket) = self.open.get_mut(self.cost) {
            match bucket.pop() {
                Some(node) if !self.nodes[node].expanded => return Some(node),
                Some(_) => {}
                None => self.cost += 1,
            }
        }
        None
    }

    /// Tries every input in a state; returns the one that solves the level.
    fn expand(&mut self, index: usize) -> Option<Input> {
        let (state, node) = self.nodes.get_index_mut(index)?;
        node.expanded = true;
        let (state, depth) = (state.clone(), node.depth + 1);
        for input in state.inputs() {
            let mut next = state.clone();
            match next.act(input, &mut Film::blank()) {
                Verdict::Solved => return Some(input),
                Verdict::Lost => {}
                Verdict::Playing => self.reach(next, Some((index, input)), depth),
            }
        }
        None
    }

    /// The inputs that lead to a state, and the last one that solves it.
    fn path(&self, mut node: usize, last: Input) -> Vec<Input> {
        let mut inputs = vec![last];
        while let Some((parent, input)) = self.nodes[node].from {
            inputs.push(input);
            node = parent;
        }
        inputs.reverse();
        inputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::toy::Corridor;

    #[test]
    fn the_shortest_solution_is_found() {
        let proof = prove(&Corridor { length: 8, at: 0, open: true }).unwrap();
        assert_eq!(proof.solution.iter().map(ToString::to_string).collect::<Vec<_>>(), ["click 6 0", "right"]);
        assert_eq!(proof.optimal(), 2);
    }

    #[test]
    fn a_level_without_a_solution_is_proven_to_have_none() {
        let closed = Corridor { length: 8, at: 0, open: false };
        assert_eq!(prove(&closed), Err(ProofError::Unsolvable { states: 7 }));
    }
}
