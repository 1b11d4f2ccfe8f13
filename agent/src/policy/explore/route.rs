//! The shortest way to a state where something is left to try.

use std::collections::VecDeque;

use env_client::{Action, Command, Key};
use petgraph::stable_graph::NodeIndex;

use super::graph::StateGraph;

/// A way to begin a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// From where the play stands.
    Here,
    /// By this many undos in a row.
    Undo(u16),
    /// By a RESET.
    Reset,
}

impl Origin {
    fn cost(self) -> u16 {
        match self {
            Origin::Here => 0,
            Origin::Undo(times) => times,
            Origin::Reset => 1,
        }
    }
}

/// One command of a route and the state it is expected to lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) command: Command,
    pub(super) expected: NodeIndex,
}

/// How a state was reached by the search.
#[derive(Clone, Copy, Debug)]
enum Arrival {
    By(Origin),
    Over(NodeIndex, Action),
}

/// Breadth-first search with buffers that outlive one search.
#[derive(Debug, Default)]
pub(super) struct Router {
    /// The search in which a state was last reached, and how.
    arrivals: Vec<(u32, Option<Arrival>)>,
    queue: VecDeque<(NodeIndex, u16)>,
    search: u32,
}

impl Router {
    /// The shortest route over reliable edges from one of `origins` (cheapest first) to a state that `is_goal`; over
    /// any edge when `desperate`. Ties go to what was reached first, so the route is the same every time.
    pub(super) fn shortest(
        &mut self,
        graph: &StateGraph,
        origins: &[(Origin, NodeIndex)],
        desperate: bool,
        mut is_goal: impl FnMut(NodeIndex) -> bool,
    ) -> Option<VecDeque<Step>> {
        self.search += 1;
        self.queue.clear();
        let mut waiting = origins.iter().copied().peekable();
        loop {
            let next_cost = waiting.peek().map_or(0, |(origin, _)| origin.cost());
            let depth = self.queue.front().map_or(next_cost, |(_, depth)| *depth);
            while let Some((origin, node)) = waiting.next_if(|(origin, _)| origin.cost() <= depth) {
                self.reach(node, origin.cost(), Arrival::By(origin));
            }
            let (node, depth) = self.queue.pop_front()?;
            if is_goal(node) {
                return Some(self.unwind(node, origins));
            }
            for (next, edge) in graph.edges(node).filter(|(_, edge)| desperate || edge.reliable()) {
                self.reach(next, depth + 1, Arrival::Over(node, edge.action));
            }
        }
    }

    fn reach(&mut self, node: NodeIndex, depth: u16, arrival: Arrival) {
        if self.arrivals.len() <= node.index() {
            self.arrivals.resize(node.index() + 1, (0, None));
        }
        let slot = &mut self.arrivals[node.index()];
        if slot.0 != self.search {
            *slot = (self.search, Some(arrival));
            self.queue.push_back((node, depth));
        }
    }

    fn unwind(&self, mut node: NodeIndex, origins: &[(Origin, NodeIndex)]) -> VecDeque<Step> {
        let mut steps = VecDeque::new();
        let origin = loop {
            match self.arrivals[node.index()].1 {
                Some(Arrival::Over(from, action)) => {
                    steps.push_front(Step { command: action.into(), expected: node });
                    node = from;
                }
                Some(Arrival::By(origin)) => break origin,
                None => break Origin::Here,
            }
        };
        match origin {
            Origin::Here => {}
            Origin::Reset => steps.push_front(Step { command: Command::Reset, expected: node }),
            Origin::Undo(times) => undos(times, origins).for_each(|step| steps.push_front(step)),
        }
        steps
    }
}

/// The undos that lead `times` states back, last one first.
fn undos(times: u16, origins: &[(Origin, NodeIndex)]) -> impl Iterator<Item = Step> + '_ {
    let command = Action::Key(Key::Key7).into();
    let passed = origins.iter().rev().filter(move |(origin, _)| matches!(origin, Origin::Undo(n) if n <= &times));
    passed.map(move |(_, expected)| Step { command, expected: *expected })
}
