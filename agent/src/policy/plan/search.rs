//! Breadth-first search in a model: the cheapest way to whatever is wanted most.
//!
//! A [`Judge`] says what every step is worth and whether the search may go on behind it; the search finds the step with
//! the lowest sum of base score and actions. Once something good is found it looks only a little further.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    fmt,
};

use env_client::Action;
use world_model::{Advance, Foresight, InterfaceMask, Prediction, Snapshot, State, StateKey, WorldModel};

use super::{
    effort::Toil,
    fuel::Fuel,
    things::{Facing, Thing},
};

/// What tells states apart in a search: what is seen through the mask, and what lies under it. What else a model knows
/// beyond the frame is left out: it counts steps, and two ways to one place would never meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeKey {
    seen: StateKey,
    unseen: u64,
}

impl NodeKey {
    /// The key of a state seen through `mask`.
    pub(super) fn of(state: &State, mask: &InterfaceMask) -> NodeKey {
        NodeKey { seen: Snapshot::of(&state.frame).key(mask), unseen: state.unseen }
    }

    /// The key of the same state wherever what goes its own way is: it is not another place because a guard walked on.
    pub(super) fn place(self, model: &(impl WorldModel + ?Sized), state: &State, mask: &InterfaceMask) -> NodeKey {
        let seen = model.still(state).map_or(self.seen, |still| Snapshot::of(&still).key(mask));
        NodeKey { seen, ..self }
    }
}

/// A state that can be reached.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) state: State,
    pub(super) key: NodeKey,
    /// Actions it takes to get here.
    pub(super) depth: u32,
    /// Where pieces last meant to go.
    pub(super) facing: Facing,
    /// What is left of the budget here.
    pub(super) fuel: Fuel,
    /// How far it is from here to the best that is in sight, in cells.
    gap: u16,
    /// Steps on the way here that took other pieces along.
    shoves: u32,
    parent: Option<(usize, Action)>,
}

/// One action in one state, as the model sees it.
pub(super) struct Edge<'a> {
    pub(super) node: &'a Node,
    pub(super) action: Action,
    pub(super) prediction: &'a Prediction,
    pub(super) advances: &'a [Advance],
    /// The pieces that those take along.
    pub(super) driven: &'a [Advance],
    /// What of the frames is interface.
    pub(super) mask: &'a InterfaceMask,
    /// The place it leads to.
    pub(super) place: Option<NodeKey>,
}

/// What a judge says about an edge.
pub(super) struct Judgement<T> {
    /// Why the edge is worth taking for its own sake, and how much: lower is better, in actions.
    pub(super) target: Option<(f32, T)>,
    /// Whether the way may lead on behind it.
    pub(super) walk: bool,
    /// What it touches that fills the budget.
    pub(super) filling: Option<Thing>,
}

/// Says what is wanted.
pub(super) trait Judge {
    /// What a target is.
    type Target;

    /// What can be done in a state.
    fn actions(&self, node: &Node) -> Vec<Action>;

    /// What an edge is worth.
    fn judge(&mut self, edge: &Edge<'_>) -> Judgement<Self::Target>;

    /// Whether a base score is good enough to look only a little further.
    fn is_good(&self, base: f32) -> bool;

    /// The lowest base score of what is in sight, reached or not: as long as it could still be the best, looking further pays.
    fn hope(&self) -> f32;

    /// How far an edge leaves its pieces from that, in cells.
    fn gap(&self, edge: &Edge<'_>) -> u16;
}

/// One action of a path and the state it should lead to, where that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) action: Action,
    pub(super) expected: Option<State>,
}

/// The best that was found.
#[derive(Debug)]
pub(super) struct Found<T> {
    pub(super) target: T,
    /// What it is worth without the way there.
    pub(super) base: f32,
    /// Its base score and what the way costs.
    pub(super) score: f32,
    /// At least one step; the last one is the target itself.
    pub(super) path: Vec<Step>,
    /// How many of them take pieces along.
    pub(super) shoves: u32,
    /// What is left of the budget then.
    pub(super) fuel: Fuel,
}

/// What a search did.
#[derive(Debug)]
pub(super) struct Report<T> {
    pub(super) best: Option<Found<T>>,
    /// States whose actions were all looked at, by their toil.
    pub(super) expanded: usize,
    /// Whether what looked best in sight was looked for in vain.
    pub(super) in_vain: bool,
    /// Whether no state was left to look at.
    pub(super) is_whole: bool,
}

/// How many more states are looked at once something good was found: as many as it took, and these.
const AFTERWARDS: usize = 160;

/// What it costs more, in actions, that a step takes other pieces along: they may be wanted where they are. A guess.
const SHOVE: f32 = 0.5;

/// What a way of so many steps costs, of which some took pieces along.
fn cost(depth: u32, shoves: u32) -> f32 {
    depth as f32 + SHOVE * shoves as f32
}

/// A search under way.
pub(super) struct Search<'a, M: ?Sized> {
    model: &'a M,
    mask: &'a InterfaceMask,
    facing: Facing,
    fuel: Fuel,
    /// Whether pieces can be clicked.
    clicks: bool,
    /// What can be done in every state beside what the judge names.
    switches: Vec<Action>,
    nodes: Vec<Node>,
    /// States that were reached, and how often the budget was filled on the way. Only looked up, never walked over.
    known: HashSet<(NodeKey, usize)>,
    /// The places of states that were looked at.
    places: HashMap<NodeKey, NodeKey>,
    queue: VecDeque<usize>,
}

struct Best<T> {
    base: f32,
    score: f32,
    node: usize,
    last: Step,
    target: T,
    shoves: u32,
    fuel: Fuel,
}

impl<'a, M: WorldModel + ?Sized> Search<'a, M> {
    /// A search that looks through `mask`.
    pub(super) fn new(model: &'a M, mask: &'a InterfaceMask) -> Search<'a, M> {
        Search {
            model,
            mask,
            facing: Facing::default(),
            fuel: Fuel::default(),
            clicks: false,
            switches: Vec::new(),
            nodes: Vec::new(),
            known: HashSet::new(),
            places: HashMap::new(),
            queue: VecDeque::new(),
        }
    }

    /// A search for pieces that last went this way.
    pub(super) fn facing(self, facing: Facing) -> Self {
        Search { facing, ..self }
    }

    /// A search for ways that this allows.
    pub(super) fn fuelled(self, fuel: Fuel) -> Self {
        Search { fuel, ..self }
    }

    /// A search that may select pieces by clicks, or not.
    pub(super) fn clicking(self, clicks: bool) -> Self {
        Search { clicks, ..self }
    }

    /// A search that may do this as well.
    pub(super) fn switching(self, switches: Vec<Action>) -> Self {
        Search { switches, ..self }
    }

    /// The best target from `start`, looking at the actions of at most `budget` states, by their toil, and at twice as many
    /// where something better is in sight: then those next to it come first.
    pub(super) fn run<J: Judge>(mut self, start: State, judge: &mut J, mut budget: usize) -> Report<J::Target> {
        let far = 2 * budget;
        let hope = judge.hope();
        let key = NodeKey::of(&start, self.mask);
        let (facing, fuel) = (self.facing, self.fuel.clone());
        self.reach(Node { state: start, key, depth: 0, facing, fuel, gap: u16::MAX, shoves: 0, parent: None });
        let mut best: Option<Best<J::Target>> = None;
        let mut expanded = 0;
        while let Some(index) = if expanded < budget { self.queue.pop_front() } else { self.nearest() } {
            let hopes = || best.as_ref().is_none_or(|best| hope + self.nodes[index].depth as f32 + 1.0 < best.score);
            if expanded >= far || (expanded >= budget && !hopes()) {
                break;
            }
            if self.nodes[index].fuel.is_short_of(1) {
                expanded += 1;
                continue;
            }
            let mut toil = Toil::default();
            let mut actions = judge.actions(&self.nodes[index]);
            actions.extend(&self.switches);
            if self.clicks {
                actions.extend(self.model.choices(&self.nodes[index].state));
            }
            let mut is_good = false;
            for action in actions {
                let improved = self.look(index, action, judge, (&mut best, &mut toil));
                is_good |= improved.is_some_and(|base| judge.is_good(base));
            }
            expanded += toil.states();
            if is_good {
                budget = budget.min(2 * expanded + AFTERWARDS);
            }
        }
        let best: Option<Found<J::Target>> = best.map(|Best { base, score, node, last, target, shoves, fuel }| Found {
            path: self.path(node, last),
            base,
            score,
            target,
            shoves,
            fuel,
        });
        let is_whole = self.queue.is_empty();
        let in_vain = (expanded >= far || is_whole) && best.as_ref().is_none_or(|it| it.base > hope);
        Report { best, expanded, in_vain, is_whole }
    }

    /// Looks at one edge; the base score of its target where that is the best so far.
    fn look<J: Judge>(
        &mut self,
        index: usize,
        action: Action,
        judge: &mut J,
        (best, toil): (&mut Option<Best<J::Target>>, &mut Toil),
    ) -> Option<f32> {
        let node = &self.nodes[index];
        let foresight = self.model.foresee(&node.state, action);
        toil.add(&foresight);
        let Foresight { prediction, advances, driven } = foresight;
        let key = prediction.next.as_ref().map(|state| NodeKey::of(state, self.mask));
        let place = key.zip(prediction.next.as_ref()).map(|(key, state)| {
            let find = || key.place(self.model, state, self.mask);
            *self.places.entry(key).or_insert_with(find)
        });
        let edge = Edge {
            node,
            action,
            prediction: &prediction,
            advances: &advances,
            driven: &driven,
            mask: self.mask,
            place,
        };
        let judgement = judge.judge(&edge);
        let fuel = node.fuel.after(judgement.filling);
        let gap = if judgement.walk { judge.gap(&edge) } else { u16::MAX };
        let depth = node.depth + 1;
        let shoves = node.shoves + u32::from(driven.iter().any(|it| it.by != (0, 0)));
        let cost = cost(depth, shoves);
        let better = |base: f32| best.as_ref().is_none_or(|best| base + cost < best.score);
        let improved = judgement.target.filter(|(base, _)| better(*base)).map(|(base, target)| {
            let last = Step { action, expected: prediction.next.clone() };
            *best = Some(Best { base, score: base + cost, node: index, last, target, shoves, fuel: fuel.clone() });
            base
        });
        if let (true, Some((state, key))) = (judgement.walk, prediction.next.zip(key)) {
            let facing = Facing::of(&advances).or(self.nodes[index].facing);
            self.reach(Node { state, key, depth, facing, fuel, gap, shoves, parent: Some((index, action)) });
        }
        improved
    }

    /// The next state next to the best that is in sight.
    fn nearest(&mut self) -> Option<usize> {
        let at = (0..self.queue.len()).min_by_key(|at| self.nodes[self.queue[*at]].gap)?;
        self.queue.remove(at)
    }

    fn reach(&mut self, node: Node) {
        if self.known.insert((node.key, node.fuel.used.len())) {
            self.queue.push_back(self.nodes.len());
            self.nodes.push(node);
        }
    }

    fn path(&self, mut node: usize, last: Step) -> Vec<Step> {
        let mut path = vec![last];
        while let Some((parent, action)) = self.nodes[node].parent {
            path.push(Step { action, expected: Some(self.nodes[node].state.clone()) });
            node = parent;
        }
        path.reverse();
        path
    }
}

impl<M: ?Sized> fmt::Debug for Search<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("states", &self.nodes.len()).finish_non_exhaustive()
    }
}
