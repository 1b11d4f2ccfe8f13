//! Graph exploration: the fallback that understands nothing and still gets somewhere.
//!
//! # Layout
//! - [`Explore`] (here): what is known of the play. [`learn`] takes in what happened; [`decide`] tries something here,
//!   or goes where something is left to try.
//! - [`graph`]: states (frames without interface) and the actions known to lead from one to another.
//! - [`candidates`]: what can be tried in a state; [`experience`]: what such things have done so far, level after level.
//! - [`route`]: the shortest way through known edges, undos and a RESET; [`undo`] and
//!   [`inverses`]: which actions can be relied on to take others back; [`twins`]: which clicks are one and the same.
//!   [`effects`]: what clicks did to cells, and what they would do where those look the same; [`marks`]: which of them
//!   mark a thing for the next one.
//!   [`stage`]: what counts as left to try; [`spent`]: states in which nothing answers any more.
//! - [`lives`]: whether a loss was the last action's fault or the end of the step budget.
//!
//! # The one decision
//! Everything is learned from one play, so whatever contradicts an earlier observation lowers trust in it instead of
//! replacing or protecting it: a state may be several in disguise (hidden counters, recorded ghosts), and several
//! states one (interface not yet known to be such). The price is some repetition.

mod candidates;
mod decide;
mod effects;
mod experience;
mod graph;
mod inverses;
mod learn;
mod lives;
mod marks;
mod route;
mod spent;
mod stage;
mod twins;
mod undo;

use std::collections::VecDeque;

use env_client::{Action, ActionSet, Command, Observation};
use petgraph::stable_graph::NodeIndex;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use world_model::InterfaceDetector;

pub(super) use self::lives::Lives;
use self::{
    effects::Effects,
    experience::Experience,
    graph::StateGraph,
    inverses::Inverses,
    marks::Marks,
    route::{Router, Step},
    spent::Spent,
    stage::Stage,
    twins::Twins,
    undo::Undo,
};
use super::{Decision, Outcome, Policy};

/// States of one level kept in memory: 2 KiB a frame and about as much for what can be tried in it.
const STATES: usize = 16_384;
/// Stages looked through in one decision before the least tried action is taken.
const STAGES_AHEAD: usize = 6;

/// Explores each level as a graph of states, depth first.
#[derive(Debug)]
pub struct Explore {
    rng: ChaCha8Rng,
    detector: InterfaceDetector,
    experience: Experience,
    twins: Twins,
    effects: Effects,
    marks: Marks,
    spent: Spent,
    graph: StateGraph,
    router: Router,
    inverses: Inverses,
    undo: Undo,
    lives: Lives<(NodeIndex, Action)>,
    stage: Stage,
    /// Where the play stands, when that is known.
    here: Option<NodeIndex>,
    /// The state in which the level starts.
    start: Option<NodeIndex>,
    /// The rest of the route under way.
    plan: VecDeque<Step>,
    /// Where the last step of the route should have led.
    expected: Option<NodeIndex>,
    /// The last action and where it was played, unless the play was moved by something else since.
    last: Option<(NodeIndex, Action)>,
}

impl Explore {
    /// A player whose draws follow from `seed` alone.
    pub fn new(seed: u64) -> Explore {
        Explore {
            rng: ChaCha8Rng::seed_from_u64(seed),
            detector: InterfaceDetector::new(),
            experience: Experience::default(),
            twins: Twins::default(),
            effects: Effects::default(),
            marks: Marks::default(),
            spent: Spent::default(),
            graph: StateGraph::new(STATES),
            router: Router::default(),
            inverses: Inverses::default(),
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

    /// States of this level that are known.
    pub fn known_states(&self) -> usize {
        self.graph.len()
    }

    /// How often in this level an action did not do what it had done before in the same state: a sign of something
    /// the frame does not show.
    pub fn contradictions(&self) -> u64 {
        self.graph.contradictions()
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

#[cfg(test)]
mod tests;
