//! The level as a graph: states are masked frames, edges are actions that were seen to lead from one to another.

use std::collections::HashMap;

use env_client::Action;
use petgraph::{
    stable_graph::{EdgeIndex, NodeIndex, StableDiGraph},
    visit::EdgeRef,
};
use world_model::{InterfaceMask, Snapshot, StateKey};

use super::candidates::{Candidate, Fate};

/// Targets kept for one action of one state; a state that is several in disguise has more than one.
const TARGETS: usize = 4;

/// A state of the level.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) snapshot: Snapshot,
    key: StateKey,
    pub(super) candidates: Vec<Candidate>,
    /// Whether the candidates include the lattice.
    pub(super) latticed: bool,
    /// When the play was last here.
    seen_at: u64,
}

impl State {
    pub(super) fn candidate(&self, action: Action) -> Option<&Candidate> {
        self.candidates.iter().find(|candidate| candidate.action == action)
    }
}

/// An action that led from one state to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) action: Action,
    /// How often it led here, halved whenever it led elsewhere.
    confirmed: u16,
    /// How often it led elsewhere.
    missed: u16,
}

impl Edge {
    /// Whether a route may count on it.
    pub(super) fn reliable(self) -> bool {
        self.confirmed > self.missed
    }

    fn observe(&mut self, led_here: bool) {
        if led_here {
            self.confirmed = self.confirmed.saturating_add(1);
            self.missed = self.missed.saturating_sub(1);
        } else {
            self.confirmed /= 2;
            self.missed = self.missed.saturating_add(1);
        }
    }
}

/// The states of one level, at most a fixed number of them.
#[derive(Debug)]
pub(super) struct StateGraph {
    graph: StableDiGraph<State, Edge>,
    /// Only looked up, never walked over.
    by_key: HashMap<StateKey, NodeIndex>,
    capacity: usize,
    clock: u64,
    contradictions: u64,
}

impl StateGraph {
    pub(super) fn new(capacity: usize) -> StateGraph {
        let (graph, by_key) = (StableDiGraph::new(), HashMap::new());
        StateGraph { graph, by_key, capacity, clock: 0, contradictions: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.graph.node_count()
    }

    /// How often an action did not do what it had done before in the same state.
    pub(super) fn contradictions(&self) -> u64 {
        self.contradictions
    }

    pub(super) fn contains(&self, node: NodeIndex) -> bool {
        self.graph.contains_node(node)
    }

    pub(super) fn state(&self, node: NodeIndex) -> &State {
        &self.graph[node]
    }

    pub(super) fn state_mut(&mut self, node: NodeIndex) -> &mut State {
        &mut self.graph[node]
    }

    /// All states.
    pub(super) fn states_mut(&mut self) -> impl Iterator<Item = &mut State> {
        self.graph.node_weights_mut()
    }

    /// Whether a state with this key is known.
    pub(super) fn knows(&self, key: StateKey) -> bool {
        self.by_key.contains_key(&key)
    }

    /// The edges out of a state.
    pub(super) fn edges(&self, node: NodeIndex) -> impl Iterator<Item = (NodeIndex, &Edge)> {
        self.graph.edges(node).map(|edge| (edge.target(), edge.weight()))
    }

    /// The state with this key, if it is known; it counts as seen now.
    pub(super) fn visit(&mut self, key: StateKey) -> Option<NodeIndex> {
        self.clock += 1;
        let node = *self.by_key.get(&key)?;
        self.graph[node].seen_at = self.clock;
        Some(node)
    }

    /// Adds a state. When there is no room, an eighth of all states goes: those not seen for the longest time, save
    /// `pinned`.
    pub(super) fn insert(
        &mut self,
        key: StateKey,
        snapshot: Snapshot,
        candidates: Vec<Candidate>,
        pinned: &[NodeIndex],
    ) -> NodeIndex {
        if self.len() >= self.capacity {
            self.evict(pinned);
        }
        let state = State { snapshot, key, candidates, latticed: false, seen_at: self.clock };
        let node = self.graph.add_node(state);
        self.by_key.insert(key, node);
        node
    }

    fn evict(&mut self, pinned: &[NodeIndex]) {
        let ages = self.graph.node_indices().map(|node| (self.graph[node].seen_at, node));
        let mut ages: Vec<(u64, NodeIndex)> = ages.filter(|(_, node)| !pinned.contains(node)).collect();
        ages.sort_unstable();
        for (_, node) in ages.into_iter().take(self.capacity / 8 + 1) {
            if let Some(state) = self.graph.remove_node(node) {
                self.by_key.remove(&state.key);
            }
        }
    }

    /// Learns that `action` led from `from` to `to`; `fate` says in which way.
    pub(super) fn learn(&mut self, from: NodeIndex, action: Action, to: NodeIndex, fate: Fate) {
        let before = self.set_fate(from, action, fate);
        let ids: Vec<EdgeIndex> =
            self.graph.edges(from).filter(|edge| edge.weight().action == action).map(|edge| edge.id()).collect();
        let mut known = false;
        for id in &ids {
            let led_here = fate == Fate::Moved && self.graph.edge_endpoints(*id).is_some_and(|(_, end)| end == to);
            self.graph[*id].observe(led_here);
            known |= led_here;
        }
        let new = fate == Fate::Moved && !known;
        if new && ids.len() < TARGETS {
            self.graph.add_edge(from, to, Edge { action, confirmed: 1, missed: 0 });
        }
        let presumed = before == Some(Fate::Presumed);
        let surprised =
            (!ids.is_empty() && !known && !presumed) || matches!((before, new), (Some(Fate::Nothing { .. }), true));
        self.contradictions += u64::from(surprised);
    }

    /// Expects an untried action to lead to a known state. The first time it is played decides.
    pub(super) fn presume(&mut self, from: NodeIndex, action: Action, to: NodeIndex) {
        let candidate = self.graph[from].candidates.iter_mut().find(|candidate| candidate.action == action);
        if let Some(candidate) = candidate.filter(|candidate| candidate.fate == Fate::Untried) {
            candidate.fate = Fate::Presumed;
            self.graph.add_edge(from, to, Edge { action, confirmed: 1, missed: 0 });
        }
    }

    /// Sets what an action did, and returns what it had done before.
    pub(super) fn set_fate(&mut self, from: NodeIndex, action: Action, fate: Fate) -> Option<Fate> {
        let candidate = self.graph[from].candidates.iter_mut().find(|candidate| candidate.action == action)?;
        candidate.tries = candidate.tries.saturating_add(1);
        Some(std::mem::replace(&mut candidate.fate, fate))
    }

    /// Keys every state anew under a mask that has grown; states that have become one are merged. Returns where each
    /// state went, and the candidates whose whole effect was interface.
    pub(super) fn rekey(&mut self, mask: &InterfaceMask) -> (HashMap<NodeIndex, NodeIndex>, Vec<Candidate>) {
        let old = std::mem::take(&mut self.graph);
        self.by_key.clear();
        let mut moved = HashMap::new();
        let edges: Vec<(NodeIndex, NodeIndex, Edge)> =
            old.edge_indices().filter_map(|id| old.edge_endpoints(id).map(|(from, to)| (from, to, old[id]))).collect();
        for node in old.node_indices() {
            let mut state = old[node].clone();
            state.key = state.snapshot.key(mask);
            moved.insert(node, self.merge(state));
        }
        let mut idle = Vec::new();
        for (from, to, edge) in edges {
            let (from, to) = (moved[&from], moved[&to]);
            if from == to { idle.extend(self.unmove(from, edge.action)) } else { self.merge_edge(from, to, edge) }
        }
        (moved, idle)
    }

    fn merge(&mut self, state: State) -> NodeIndex {
        let Some(node) = self.by_key.get(&state.key).copied() else {
            let key = state.key;
            let node = self.graph.add_node(state);
            self.by_key.insert(key, node);
            return node;
        };
        let kept = &mut self.graph[node];
        kept.seen_at = kept.seen_at.max(state.seen_at);
        kept.latticed |= state.latticed;
        for candidate in state.candidates {
            match kept.candidates.iter_mut().find(|it| it.action == candidate.action) {
                Some(it) => it.merge(&candidate),
                None => kept.candidates.push(candidate),
            }
        }
        node
    }

    fn merge_edge(&mut self, from: NodeIndex, to: NodeIndex, edge: Edge) {
        let same = |it: &petgraph::stable_graph::EdgeReference<'_, Edge>| {
            it.target() == to && it.weight().action == edge.action
        };
        match self.graph.edges(from).find(same).map(|it| it.id()) {
            Some(id) => self.graph[id].confirmed = self.graph[id].confirmed.saturating_add(edge.confirmed),
            None => {
                self.graph.add_edge(from, to, edge);
            }
        }
    }

    /// The action only moved the interface: it did nothing.
    fn unmove(&mut self, node: NodeIndex, action: Action) -> Option<Candidate> {
        let candidate = self.graph[node].candidates.iter_mut().find(|candidate| candidate.action == action)?;
        candidate.fate = Fate::Nothing { animated: false };
        Some(candidate.clone())
    }
}
