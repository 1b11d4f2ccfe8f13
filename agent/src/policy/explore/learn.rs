//! What an answer of the environment teaches.

use env_client::{Action, Grid, Key, Observation, Status, Turn};
use petgraph::stable_graph::NodeIndex;
use world_model::{Bounds, InterfaceMask, Snapshot, StateKey};

use super::{
    Explore, STATES,
    candidates::{self, Candidate, Fate},
    effects::Effects,
    graph::StateGraph,
    lives::Lives,
    marks::{Deed, changed},
    spent::is_spent,
    stage::Stage,
    twins,
};

impl Explore {
    pub(super) fn begin_level(&mut self, now: &Observation) {
        self.experience.begin_level();
        self.twins.begin_level();
        self.effects.begin_level();
        self.inverses.begin_level();
        self.marks.forget_states();
        self.spent.begin_level();
        self.graph = StateGraph::new(STATES);
        self.stage = Stage::default();
        self.lives = Lives::default();
        self.start = None;
        if let Some(grid) = now.settled() {
            self.detector.begin_level(grid);
        }
        self.arrive_at_start(now);
    }

    pub(super) fn restart_level(&mut self, now: &Observation) {
        if now.settled().is_some_and(|grid| self.detector.restarted(grid)) {
            self.rekey();
        }
        self.lives.restart();
        self.arrive_at_start(now);
    }

    fn arrive_at_start(&mut self, now: &Observation) {
        self.undo.forget();
        self.last = None;
        self.here = self.locate(now);
        self.start = self.here;
    }

    pub(super) fn lose_track(&mut self) {
        self.here = None;
        self.last = None;
        self.plan.clear();
        self.undo.forget();
    }

    /// The state an observation shows, added when it is new.
    fn locate(&mut self, now: &Observation) -> Option<NodeIndex> {
        let (grid, Turn::Play(actions)) = (now.settled()?, now.turn()) else { return None };
        let snapshot = Snapshot::of(grid);
        let key = snapshot.key(self.detector.mask());
        Some(self.graph.visit(key).unwrap_or_else(|| {
            let mask = self.detector.mask();
            let mut candidates = candidates::of_state(grid, actions, mask, &mut self.experience);
            for it in &mut candidates {
                it.foretold = foretold(&self.effects, it.action, grid, mask);
            }
            self.stage.restart();
            self.insert(key, snapshot, candidates)
        }))
    }

    fn insert(&mut self, key: StateKey, snapshot: Snapshot, candidates: Vec<Candidate>) -> NodeIndex {
        let known = self.graph.len();
        let pinned: Vec<NodeIndex> = self.here.into_iter().chain(self.start).collect();
        let node = self.graph.insert(key, snapshot, candidates, &pinned);
        if self.graph.len() <= known {
            // States were evicted and their indices may be given out anew.
            self.plan.clear();
            self.undo.forget();
            self.lives.forget_places();
            self.marks.forget_states();
            self.last = None;
        }
        node
    }

    /// The mask has grown: states that differed only in what is now interface become one.
    fn rekey(&mut self) {
        let (moved, idle) = self.graph.rekey(self.detector.mask());
        for candidate in idle {
            self.experience.retract(candidate.records());
        }
        let rename = |node: NodeIndex| moved.get(&node).copied();
        self.here = self.here.and_then(rename);
        self.start = self.start.and_then(rename);
        self.last = self.last.and_then(|(from, action)| Some((rename(from)?, action)));
        self.undo.rename(rename);
        self.foretell(|_| true);
        self.lives.forget_places();
        self.marks.forget_states();
        self.plan.clear();
    }

    pub(super) fn acted(&mut self, before: &Observation, action: Action, after: &Observation) {
        self.lives.act();
        if after.levels_completed != before.levels_completed {
            self.plan.clear();
            self.credit(action, true);
            return self.begin_level(after);
        }
        if after.status == Status::GameOver {
            return self.lost(before, action);
        }
        if let (Some(_), Some(old), Some(new)) = (self.here, before.settled(), after.settled())
            && self.detector.acted(old, action.into(), new).mask_grew
        {
            self.rekey();
        }
        let to = self.locate(after);
        match (self.here.filter(|from| self.graph.contains(*from)), to) {
            (Some(from), Some(to)) => self.transition(from, action, to, &after.layers),
            _ => self.undo.forget(),
        }
        (self.here, self.last) = (to, self.here.map(|from| (from, action)));
    }

    fn transition(&mut self, from: NodeIndex, action: Action, to: NodeIndex, layers: &[Grid]) {
        let animated = layers.len() > 1;
        let fate = if from == to { Fate::Nothing { animated } } else { Fate::Moved };
        if action == Action::Key(Key::Key7) {
            self.undo.undone(from, to);
        } else if from != to {
            self.undo.moved(from);
        }
        let drops = self.mark(from, action, to) == Some(Deed::Dropped);
        let says_nothing = from == to && self.clicks_in_vain(from, action);
        // A key whose whole effect is to be watched is neither proved nor dead; a click that flashes everywhere is.
        if !says_nothing && (from != to || !animated || action.point().is_some()) {
            self.credit(action, from != to && !drops);
        }
        if let Some((origin, first)) = self.last.filter(|(origin, _)| *origin != from) {
            self.inverses.count(first, action, to == origin);
        }
        self.graph.learn(from, action, to, fate);
        self.generalize(from, action, to, layers);
        self.compare(from, action, to);
        if from != to {
            self.presume_way_back(from, action, to);
        }
    }

    /// Whether what did nothing is a click where nothing answers any more, of which it says nothing elsewhere.
    fn clicks_in_vain(&mut self, from: NodeIndex, action: Action) -> bool {
        let state = self.graph.state(from);
        let click = state.candidate(action).filter(|it| it.action.point().is_some());
        let click = click.filter(|_| is_spent(state, &self.experience, &self.twins));
        click.inspect(|it| self.spent.learn(it)).is_some()
    }

    /// What a click did to what is marked. Where one marks something, all that can be clicked is worth a click with it.
    fn mark(&mut self, from: NodeIndex, action: Action, to: NodeIndex) -> Option<Deed> {
        let class = self.graph.state(from).candidate(action)?.plain(&mut self.experience)?;
        let (graph, mask) = (&self.graph, self.detector.mask());
        let were_proven = self.marks.are_proven();
        let frame = |node: NodeIndex| graph.state(node).snapshot.grid();
        let deed = self.marks.learn((from, to), (action.point()?, class), frame, mask);
        if self.marks.are_proven() {
            let states = if were_proven { vec![to] } else { self.marks.states() };
            for state in states {
                self.pair(state);
            }
        }
        Some(deed)
    }

    /// Pairs what can be clicked in a state with what may be marked there.
    fn pair(&mut self, state: NodeIndex) {
        let Some(held) = self.marks.of(state).filter(|_| self.graph.contains(state)) else { return };
        let mask = self.detector.mask();
        for it in &mut self.graph.state_mut(state).candidates {
            if it.action.point().is_some_and(|at| !mask.hides(at) && !held.at.contains(at.x(), at.y())) {
                it.pair_with(held.class, &mut self.experience);
            }
        }
    }

    /// What an action did for the first time it should do in all states where the cells that it changed look the same.
    fn generalize(&mut self, from: NodeIndex, action: Action, to: NodeIndex, layers: &[Grid]) {
        let [before, after]: [Grid; 2] = [from, to].map(|it| self.graph.state(it).snapshot.grid());
        let changed = changed(&before, &after, self.detector.mask()).or_else(|| self.flashed(&before, layers));
        self.graph
            .state_mut(from)
            .candidates
            .iter_mut()
            .filter(|it| it.action == action)
            .for_each(|it| it.changed = changed);
        // Keys move pieces, of which the planner knows more.
        if action.point().is_some() && self.effects.learn(action, &before, &after, self.detector.mask()) {
            self.foretell(|it| it.action == action);
        }
    }

    /// The box around what an answer changed and put back, as long as it is no larger than a thing: what flashes everywhere says
    /// nothing of what was clicked.
    pub(super) fn flashed(&self, before: &Grid, layers: &[Grid]) -> Option<Bounds> {
        let boxes = layers.iter().filter_map(|layer| changed(before, layer, self.detector.mask()));
        boxes.reduce(Bounds::union).filter(|it| it.width() <= twins::SIDE && it.height() <= twins::SIDE)
    }

    /// Says anew of untried candidates what they should do.
    fn foretell(&mut self, is_meant: impl Fn(&Candidate) -> bool) {
        let (effects, mask) = (&self.effects, self.detector.mask());
        for state in self.graph.states_mut() {
            let mut meant = state.candidates.iter_mut().filter(|it| it.tries == 0 && is_meant(it)).peekable();
            let frame: Option<Grid> = meant.peek().is_some().then(|| state.snapshot.grid());
            for (candidate, frame) in meant.zip(frame.iter().cycle()) {
                candidate.foretold = foretold(effects, candidate.action, frame, mask);
            }
        }
    }

    /// Clicks that were made in the same state are compared with a new one.
    fn compare(&mut self, from: NodeIndex, action: Action, to: NodeIndex) {
        let state = self.graph.state(from);
        let Some(new) = state.candidate(action).filter(|it| it.tries == 1 && action.point().is_some()) else { return };
        let others = state.candidates.iter().filter(|it| it.tries > 0 && it.action != action);
        for other in others {
            let ends = || self.graph.edges(from).filter(|(_, edge)| edge.action == other.action);
            let end = match other.fate {
                Fate::Nothing { .. } => Some(from),
                Fate::Moved => ends().find(|(_, edge)| edge.reliable()).map(|(end, _)| end),
                _ => None,
            };
            // What did nothing is told to be one by what flashed, which is kept where nothing else changed.
            let flashes = new.changed.is_some() && new.changed == other.changed;
            if let Some(end) = end.filter(|end| flashes || (*end, to) != (from, from)) {
                self.twins.learn(new, other, end == to);
            }
        }
    }

    /// What is known to take an action back need not be tried.
    fn presume_way_back(&mut self, from: NodeIndex, action: Action, to: NodeIndex) {
        let candidates = self.graph.state(to).candidates.iter();
        let back = candidates.map(|it| it.action).find(|second| self.inverses.believes(action, *second));
        if let Some(second) = back {
            self.graph.presume(to, second, from);
        }
    }

    /// Counts an effect, or none, for the class of an action played here.
    fn credit(&mut self, action: Action, effect: bool) {
        let Some(here) = self.here.filter(|here| self.graph.contains(*here)) else { return };
        let records = self.graph.state(here).candidate(action).map(Candidate::records);
        if let Some(records) = records
            && self.experience.count(records, effect)
        {
            self.stage.restart();
        }
    }

    /// The play was lost: the action is to blame unless the budget of steps ran out.
    fn lost(&mut self, before: &Observation, action: Action) {
        let empty = before.settled().is_some_and(|grid| self.detector.nearly_empty(grid));
        if let Some(here) = self.here.filter(|here| self.graph.contains(*here))
            && !self.lives.end((here, action), empty)
        {
            self.graph.set_fate(here, action, Fate::Deadly);
        }
        self.lose_track();
    }
}

/// The state that an action should lead to from what this frame shows.
fn foretold(effects: &Effects, action: Action, frame: &Grid, mask: &InterfaceMask) -> Option<StateKey> {
    effects.foretell(action, frame).map(|next| Snapshot::of(&next).key(mask))
}
