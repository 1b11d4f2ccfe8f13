//! Graph exploration: the fallback that understands nothing and still gets somewhere.
//!
//! # Layout
//! - [`Explore`] (here): takes in what happened, and decides: try something here, or go where something is left to try.
//! - [`graph`]: states (frames without interface) and the actions known to lead from one to another.
//! - [`candidates`]: what can be tried in a state; [`experience`]: what such things have done so far, level after level.
//! - [`route`]: the shortest way through known edges, undos and a RESET; [`undo`]: whether undo can be relied on.
//! - [`lives`]: whether a loss was the last action's fault or the end of the step budget.
//!
//! # The one decision
//! Everything is learned from one play, so whatever contradicts an earlier observation lowers trust in it instead of
//! replacing or protecting it: a state may be several in disguise (hidden counters, recorded ghosts), and several
//! states one (interface not yet known to be such). The price is some repetition.

mod candidates;
mod experience;
mod graph;
mod lives;
mod route;
mod stage;
mod undo;

use std::collections::VecDeque;

use env_client::{Action, ActionId, ActionSet, Command, Grid, Key, Observation, Point, SIDE, Status, Turn};
use petgraph::stable_graph::NodeIndex;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use world_model::{InterfaceDetector, Snapshot};

use self::{
    candidates::{Candidate, Fate},
    experience::Experience,
    graph::StateGraph,
    lives::Lives,
    route::{Origin, Router, Step},
    stage::Stage,
    undo::Undo,
};
use super::{Decision, Outcome, Policy};

/// States of one level kept in memory: 2 KiB a frame and about as much for what can be tried in it.
const STATES: usize = 16_384;
/// How much chance there is in the order of equally promising actions.
const JITTER: f32 = 0.05;
/// Stages looked through in one decision before the least tried action is taken.
const STAGES_AHEAD: usize = 6;

/// Explores each level as a graph of states, depth first.
#[derive(Debug)]
pub struct Explore {
    rng: ChaCha8Rng,
    detector: InterfaceDetector,
    experience: Experience,
    graph: StateGraph,
    router: Router,
    undo: Undo,
    lives: Lives,
    stage: Stage,
    /// Where the play stands, when that is known.
    here: Option<NodeIndex>,
    /// The state in which the level starts.
    start: Option<NodeIndex>,
    /// The rest of the route under way.
    plan: VecDeque<Step>,
    /// Where the last step of the route should have led.
    expected: Option<NodeIndex>,
    last: Option<Action>,
}

impl Explore {
    /// A player whose draws follow from `seed` alone.
    pub fn new(seed: u64) -> Explore {
        Explore {
            rng: ChaCha8Rng::seed_from_u64(seed),
            detector: InterfaceDetector::new(),
            experience: Experience::default(),
            graph: StateGraph::new(STATES),
            router: Router::default(),
            undo: Undo::default(),
            lives: Lives::default(),
            stage: Stage::default(),
            here: None,
            start: None,
            plan: VecDeque::new(),
            expected: None,
            last: None,
        }
    }

    /// How often in this level an action did not do what it had done before in the same state: a sign of something
    /// the frame does not show.
    pub fn contradictions(&self) -> u64 {
        self.graph.contradictions()
    }
}

/// Learning.
impl Explore {
    fn begin_level(&mut self, now: &Observation) {
        self.experience.begin_level();
        self.graph = StateGraph::new(STATES);
        self.stage = Stage::default();
        self.lives = Lives::default();
        self.start = None;
        if let Some(grid) = now.settled() {
            self.detector.begin_level(grid);
        }
        self.arrive_at_start(now);
    }

    fn restart_level(&mut self, now: &Observation) {
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

    fn lose_track(&mut self) {
        self.here = None;
        self.plan.clear();
        self.undo.forget();
    }

    /// The state an observation shows, added when it is new.
    fn locate(&mut self, now: &Observation) -> Option<NodeIndex> {
        let (grid, Turn::Play(actions)) = (now.settled()?, now.turn()) else { return None };
        let snapshot = Snapshot::of(grid);
        let key = snapshot.key(self.detector.mask());
        Some(self.graph.visit(key).unwrap_or_else(|| {
            let candidates = candidates::of_state(grid, actions, self.detector.mask(), &mut self.experience);
            let pinned: Vec<NodeIndex> = self.here.into_iter().chain(self.start).collect();
            self.stage.restart();
            self.graph.insert(key, snapshot, candidates, &pinned)
        }))
    }

    /// The mask has grown: states that differed only in what is now interface become one.
    fn rekey(&mut self) {
        let (moved, idle) = self.graph.rekey(self.detector.mask());
        for candidate in idle {
            self.experience.retract(candidate.class, candidate.spot);
        }
        let rename = |node: NodeIndex| moved.get(&node).copied();
        self.here = self.here.and_then(rename);
        self.start = self.start.and_then(rename);
        self.undo.rename(rename);
        self.plan.clear();
    }

    fn acted(&mut self, before: &Observation, action: Action, after: &Observation) {
        self.lives.act();
        if after.levels_completed != before.levels_completed {
            self.plan.clear();
            self.credit(action, true);
            return self.begin_level(after);
        }
        if after.status == Status::GameOver {
            return self.lost(before, action);
        }
        if let (Some(old), Some(new)) = (before.settled(), after.settled())
            && self.detector.acted(old, action.into(), new).mask_grew
        {
            self.rekey();
        }
        let from = self.here;
        let to = self.locate(after);
        match (from.filter(|from| self.graph.contains(*from)), to) {
            (Some(from), Some(to)) => self.transition(from, action, to, after.layers.len() > 1),
            _ => self.undo.forget(),
        }
        (self.here, self.last) = (to, Some(action));
    }

    fn transition(&mut self, from: NodeIndex, action: Action, to: NodeIndex, animated: bool) {
        let fate = if from == to { Fate::Nothing { animated } } else { Fate::Moved };
        if action == Action::Key(Key::Key7) {
            self.undo.undone(from, to);
        } else if from != to {
            self.undo.moved(from);
        }
        // A key whose whole effect is to be watched is neither proved nor dead; a click that flashes everywhere is.
        if from != to || !animated || action.point().is_some() {
            self.credit(action, from != to);
        }
        self.graph.learn(from, action, to, fate);
    }

    /// Counts an effect, or none, for the class of an action played here.
    fn credit(&mut self, action: Action, effect: bool) {
        let Some(here) = self.here.filter(|here| self.graph.contains(*here)) else { return };
        if let Some(Candidate { class, spot, .. }) = self.graph.state(here).candidate(action).cloned()
            && self.experience.count(class, spot, effect)
        {
            self.stage.restart();
        }
    }

    /// The play was lost: the action is to blame unless the budget of steps ran out.
    fn lost(&mut self, before: &Observation, action: Action) {
        let empty = before.settled().is_some_and(|grid| self.detector.nearly_empty(grid));
        let exhausted = self.lives.end(empty);
        if let Some(here) = self.here.filter(|here| !exhausted && self.graph.contains(*here)) {
            self.graph.set_fate(here, action, Fate::Deadly);
        }
        self.lose_track();
    }
}

/// Deciding.
impl Explore {
    /// The next step of the route under way, as long as everything went as expected.
    fn follow(&mut self, actions: ActionSet) -> Option<Decision> {
        if self.expected.take().is_some_and(|expected| Some(expected) != self.here) {
            self.plan.clear();
        }
        let step = self.plan.pop_front()?;
        let possible = match step.command {
            Command::Reset => self.lives.steps() > 0,
            Command::Act(action) => actions.contains(action.id()),
        };
        if !possible {
            self.plan.clear();
            return None;
        }
        self.expected = Some(step.expected);
        let why = format!("on the way to something untried, {} more", self.plan.len());
        Some(Decision { command: step.command, why })
    }

    fn try_here(&mut self, here: NodeIndex, actions: ActionSet) -> Option<Decision> {
        self.refine(here, actions);
        let trusted = self.undo.trusted();
        let (stage, experience, last) = (self.stage, &self.experience, self.last);
        let mut best: Option<(f32, &Candidate)> = None;
        for candidate in &self.graph.state(here).candidates {
            let undoes = trusted && candidate.action == Action::Key(Key::Key7);
            if undoes || !actions.contains(candidate.action.id()) || !stage.opens(candidate, experience) {
                continue;
            }
            let repeats = last == Some(candidate.action) && candidate.action.point().is_none();
            let score =
                candidate.score(experience) - if repeats { 0.5 } else { 0.0 } + self.rng.random_range(0.0..JITTER);
            if best.is_none_or(|(top, _)| score > top) {
                best = Some((score, candidate));
            }
        }
        let candidate = best?.1;
        let adjective = if candidate.tries == 0 { "untried" } else { "uncertain" };
        Some(Decision { command: candidate.action.into(), why: format!("{adjective} {}", candidate.action) })
    }

    /// Adds the lattice to a state when the stage asks for it.
    fn refine(&mut self, node: NodeIndex, actions: ActionSet) {
        if self.stage.wants_lattice() && actions.has_click() && !self.graph.state(node).latticed {
            let grid: Grid = self.graph.state(node).snapshot.grid();
            let points = candidates::lattice(&grid, &mut self.experience);
            let state = self.graph.state_mut(node);
            state.latticed = true;
            state.candidates.extend(points);
        }
    }

    /// The shortest route to a state with something open.
    fn go(&mut self, here: NodeIndex, actions: ActionSet) -> Option<Decision> {
        let mut origins = vec![(Origin::Here, here)];
        origins.extend(self.start.filter(|_| self.lives.steps() > 0).map(|start| (Origin::Reset, start)));
        origins.extend(self.undo.origins().filter(|(_, node)| self.graph.contains(*node)));
        let (graph, stage, experience) = (&self.graph, self.stage, &self.experience);
        let lattice = stage.wants_lattice() && actions.has_click();
        let is_goal = |node: NodeIndex| {
            let goal = graph.state(node);
            node != here
                && ((lattice && !goal.latticed) || goal.candidates.iter().any(|it| stage.opens(it, experience)))
        };
        self.plan = self.router.shortest(graph, &origins, false, is_goal)?;
        self.follow(actions)
    }

    /// When nothing is open anywhere: what was tried least here.
    fn least_tried(&mut self, here: NodeIndex, actions: ActionSet) -> Decision {
        let candidates = &self.graph.state(here).candidates;
        let allowed = candidates.iter().filter(|candidate| actions.contains(candidate.action.id()));
        let least = allowed.min_by_key(|candidate| (candidate.fate == Fate::Deadly, candidate.tries));
        match least {
            Some(candidate) => {
                Decision { command: candidate.action.into(), why: format!("least tried, {}", candidate.action) }
            }
            None => self.grope(actions),
        }
    }

    /// Any action, where nothing is known about the state.
    fn grope(&mut self, actions: ActionSet) -> Decision {
        let index = self.rng.random_range(0..actions.len().max(1));
        let id = actions.iter().nth(index).unwrap_or(ActionId::Action1);
        let point = Point::new(self.rng.random_range(0..SIDE), self.rng.random_range(0..SIDE)).unwrap_or_default();
        let action = Key::from_id(id).map_or(Action::Click(point), Action::Key);
        Decision { command: action.into(), why: "lost, any action shows where the play stands".to_owned() }
    }
}

impl Policy for Explore {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn decide(&mut self, _now: &Observation, actions: ActionSet) -> Decision {
        let Some(here) = self.here.filter(|here| self.graph.contains(*here)) else { return self.grope(actions) };
        if let Some(decision) = self.follow(actions) {
            return decision;
        }
        for _ in 0..STAGES_AHEAD {
            if let Some(decision) = self.try_here(here, actions).or_else(|| self.go(here, actions)) {
                return decision;
            }
            self.stage.advance();
        }
        self.least_tried(here, actions)
    }

    fn observe(&mut self, before: Option<&Observation>, command: Command, outcome: Outcome<'_>) {
        let Outcome::Seen(after) = outcome else { return self.lose_track() };
        match (before, command) {
            (Some(before), Command::Act(action)) => self.acted(before, action, after),
            (Some(before), Command::Reset) if before.levels_completed == after.levels_completed => {
                self.restart_level(after);
            }
            _ => self.begin_level(after),
        }
    }
}
