//! Best-first search in a model: a way to a state in which something holds.
//!
//! Weighted A* (Pohl, 1970): the distance to the goal counts twice, since any plan that is found is checked step by step
//! and the shortest one is rarely worth the states it costs to prove.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
};

use env_client::{Action, Grid};
use world_model::{Advance, Foresight, InterfaceMask, Outcome, Prediction, State, WorldModel};

use super::{
    effort::Toil,
    pairs::{Role, cast_after},
    search::{NodeKey, Step},
};

/// How much the distance to the goal counts against actions taken.
const WEIGHT: u32 = 2;

/// What is asked of a search.
pub(super) struct Query<'a, D, W, H> {
    pub(super) actions: &'a [Action],
    /// Whether pieces may be selected by clicks, too.
    pub(super) clicks: bool,
    /// How far a frame is from the goal, to which a step led from the one before, in which pieces that answer to actions are
    /// at these places; `None` where that cannot be told.
    pub(super) distance: D,
    /// Whether a predicted step may be walked, in which pieces mean to move so.
    pub(super) walkable: W,
    /// Where else such a step may lead, with nothing but hope to go by.
    pub(super) hopes: H,
    /// The most states whose actions are looked at, where each is as easy as can be.
    pub(super) budget: usize,
}

/// What a search found.
pub(super) struct Reached {
    /// A way to where the distance is 0.
    pub(super) path: Option<Vec<Step>>,
    /// States whose actions were looked at, by their toil.
    pub(super) expanded: usize,
    /// Whether no state was left to look at.
    pub(super) is_exhausted: bool,
}

struct Node {
    state: State,
    key: NodeKey,
    depth: u32,
    parent: Option<(usize, Action)>,
}

/// Looks for a way from `start` to where the distance is 0.
pub(super) fn reach<M, D, W, H>(model: &M, mask: &InterfaceMask, start: State, query: &Query<'_, D, W, H>) -> Reached
where
    M: WorldModel + ?Sized,
    D: Fn((&Grid, &Grid), &[Role]) -> Option<u32>,
    W: Fn(&Grid, NodeKey, Action, &Prediction, &[Advance]) -> bool,
    H: Fn(&Grid, NodeKey, Action, &Foresight) -> Vec<State>,
{
    let key = |state: &State| NodeKey::of(state, mask);
    let mut nodes = vec![Node { key: key(&start), state: start, depth: 0, parent: None }];
    // In how few actions somebody came to each state.
    let mut known: HashMap<NodeKey, u32> = HashMap::from([(nodes[0].key, 0)]);
    let mut open = BinaryHeap::from([Reverse((0, 0))]);
    let mut expanded = 0;
    while let Some(Reverse((_, index))) = open.pop() {
        if expanded >= query.budget {
            return Reached { path: None, expanded, is_exhausted: false };
        }
        let mut toil = Toil::default();
        let choices = if query.clicks { model.choices(&nodes[index].state) } else { Vec::new() };
        for action in query.actions.iter().copied().chain(choices) {
            let foresight = model.foresee(&nodes[index].state, action);
            toil.add(&foresight);
            let (frame, at) = (&nodes[index].state.frame, nodes[index].key);
            let mut nexts = (query.hopes)(frame, at, action, &foresight);
            let Foresight { prediction, advances, .. } = foresight;
            let solved = prediction.outcome == Outcome::Solved;
            if solved || (query.walkable)(frame, at, action, &prediction, &advances) {
                nexts.extend(prediction.next);
            }
            for state in nexts {
                let (depth, next) = (nodes[index].depth + 1, key(&state));
                if !solved && known.get(&next).is_some_and(|known| *known <= depth) {
                    continue;
                }
                let frames = (&nodes[index].state.frame, &state.frame);
                let movers = || cast_after(frames.0, frames.1, &advances);
                let distance = if solved { Some(0) } else { (query.distance)(frames, &movers()) };
                let Some(distance) = distance else { continue };
                if distance == 0 {
                    nodes.push(Node { state, key: next, depth, parent: Some((index, action)) });
                    let expanded = expanded + toil.states();
                    return Reached { path: Some(path(&nodes)), expanded, is_exhausted: false };
                }
                known.insert(next, depth);
                open.push(Reverse((depth + WEIGHT * distance, nodes.len())));
                nodes.push(Node { state, key: next, depth, parent: Some((index, action)) });
            }
        }
        expanded += toil.states();
    }
    Reached { path: None, expanded, is_exhausted: true }
}

/// The steps to the newest node.
fn path(nodes: &[Node]) -> Vec<Step> {
    let mut path = Vec::new();
    let mut node = nodes.last();
    while let Some((it, (parent, action))) = node.and_then(|it| Some((it, it.parent?))) {
        path.push(Step { action, expected: Some(it.state.clone()) });
        node = nodes.get(parent);
    }
    path.reverse();
    path
}
