//! What to do next.

use std::collections::VecDeque;

use env_client::{Action, ActionId, ActionSet, Command, Grid, Key, Point, SIDE};
use petgraph::stable_graph::NodeIndex;
use rand::RngExt;

use super::{
    Explore,
    candidates::{self, Candidate, Fate},
    experience::Experience,
    graph::{State, StateGraph},
    route::{Origin, Step},
    spent::{Spent, is_spent},
    stage::Stage,
    twins::Twins,
};
use crate::policy::{Decision, Who};

/// How much chance there is in the order of equally promising actions.
const JITTER: f32 = 0.05;
/// What it adds that an action should lead where nobody was. A guess.
const LEADS_ON: f32 = 0.2;

/// What decides whether an action is still to be tried in its state.
struct Open<'a> {
    stage: Stage,
    experience: &'a Experience,
    twins: &'a Twins,
    graph: &'a StateGraph,
    spent: &'a Spent,
    undo_trusted: bool,
    actions: ActionSet,
}

impl Open<'_> {
    /// Whether it is. An undo that is trusted leads nowhere new; what a twin of it did there comes late.
    fn holds(&self, candidate: &Candidate, state: &State) -> bool {
        let undoes = self.undo_trusted && candidate.action == Action::Key(Key::Key7);
        let is_open = !undoes && self.actions.contains(candidate.action.id());
        is_open
            && self.stage.opens(candidate, self.experience)
            && !(self.stage.is_picky()
                && candidate.tries == 0
                && candidate.marked.is_none()
                && self.is_told(candidate, state))
    }

    /// Whether it should lead where nobody was.
    fn leads_on(&self, candidate: &Candidate) -> bool {
        candidate.tries == 0 && candidate.foretold.is_some_and(|key| !self.graph.knows(key))
    }

    /// Whether it should lead where somebody was: by what it did elsewhere, or another click that tells.
    fn is_told(&self, candidate: &Candidate, state: &State) -> bool {
        if let Some(key) = candidate.foretold {
            return self.graph.knows(key);
        }
        candidate.spot.is_some() && state.candidates.iter().any(|it| it.tries > 0 && self.twins.tell(candidate, it))
    }

    /// What is to be tried in a state; where nothing answers any more, not what did nothing in another such state.
    fn of<'a>(&'a self, state: &'a State) -> impl Iterator<Item = &'a Candidate> {
        let is_spent = self.stage.is_picky() && is_spent(state, self.experience, self.twins);
        let is_closed = move |it: &Candidate| is_spent && self.spent.closes(it, self.experience);
        state.candidates.iter().filter(move |it| !is_closed(it) && self.holds(it, state))
    }
}

impl Explore {
    fn open(&self, actions: ActionSet) -> Open<'_> {
        let (experience, twins, graph, spent) = (&self.experience, &self.twins, &self.graph, &self.spent);
        Open { stage: self.stage, experience, twins, graph, spent, undo_trusted: self.undo.trusted(), actions }
    }

    /// The next step of the route under way, as long as everything went as expected.
    pub(super) fn follow(&mut self, actions: ActionSet) -> Option<Decision> {
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
        Some(Decision::new(step.command, Who::Explore, why).with_goal("reach something untried"))
    }

    pub(super) fn try_here(&mut self, here: NodeIndex, actions: ActionSet) -> Option<Decision> {
        self.refine(here, actions);
        let (mut rng, mut best) = (self.rng.clone(), None::<(f32, Action, u16)>);
        let open = self.open(actions);
        for candidate in open.of(self.graph.state(here)) {
            let insists = candidate.tries > 0 && self.last == Some((here, candidate.action));
            let bonus = if insists { 1.0 } else { 0.0 } + if open.leads_on(candidate) { LEADS_ON } else { 0.0 };
            let score = candidate.score(&self.experience) + bonus + rng.random_range(0.0..JITTER);
            if best.is_none_or(|(top, ..)| score > top) {
                best = Some((score, candidate.action, candidate.tries));
            }
        }
        self.rng = rng;
        let (_, action, tries) = best?;
        Some(Explore::trial(action, if tries == 0 { "untried" } else { "uncertain" }))
    }

    /// What was never tried here and is as good as this action but for chance, this one first; nothing where it was tried.
    pub(in crate::policy) fn equals(&self, action: Action, actions: ActionSet) -> Vec<Action> {
        let Some(here) = self.here.filter(|here| self.graph.contains(*here)) else { return Vec::new() };
        let (open, state) = (self.open(actions), self.graph.state(here));
        let fresh = || open.of(state).filter(|it| it.tries == 0);
        let Some(chosen) = fresh().find(|it| it.action == action) else { return Vec::new() };
        let least = chosen.score(&self.experience) - JITTER;
        let others = fresh().filter(|it| it.action != action && it.score(&self.experience) >= least);
        [action].into_iter().chain(others.map(|it| it.action)).collect()
    }

    /// This action is known to lose the level here, from elsewhere; whether that is news.
    pub(in crate::policy) fn shun(&mut self, action: Action) -> bool {
        let Some(here) = self.here.filter(|here| self.graph.contains(*here)) else { return false };
        let mut candidates = self.graph.state_mut(here).candidates.iter_mut();
        let Some(candidate) = candidates.find(|it| it.action == action && it.fate != Fate::Deadly) else {
            return false;
        };
        candidate.fate = Fate::Deadly;
        self.plan.clear();
        true
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

    /// Sets out for the nearest state with something open.
    pub(super) fn go(&mut self, here: NodeIndex, actions: ActionSet) -> Option<Decision> {
        self.plan = self.route(here, actions)?;
        self.follow(actions)
    }

    fn route(&mut self, here: NodeIndex, actions: ActionSet) -> Option<VecDeque<Step>> {
        let mut origins = vec![(Origin::Here, here)];
        origins.extend(self.start.filter(|_| self.lives.steps() > 0).map(|start| (Origin::Reset, start)));
        origins.extend(self.undo.origins().filter(|(_, node)| self.graph.contains(*node)));
        let (experience, twins, spent) = (&self.experience, &self.twins, &self.spent);
        let (stage, graph, undo_trusted) = (self.stage, &self.graph, self.undo.trusted());
        let open = Open { stage, experience, twins, graph, spent, undo_trusted, actions };
        let lattice = self.stage.wants_lattice() && actions.has_click();
        let is_goal = |node: NodeIndex| {
            let goal = self.graph.state(node);
            let unrefined = lattice && !goal.latticed;
            node != here && (unrefined || open.of(goal).next().is_some())
        };
        self.router.shortest(&self.graph, &origins, false, is_goal)
    }

    /// When nothing is open anywhere: what was tried least here.
    pub(super) fn least_tried(&mut self, here: NodeIndex, actions: ActionSet) -> Decision {
        let candidates = &self.graph.state(here).candidates;
        let allowed = candidates.iter().filter(|candidate| actions.contains(candidate.action.id()));
        let least = allowed.min_by_key(|candidate| (candidate.fate == Fate::Deadly, candidate.tries));
        match least {
            Some(candidate) => Explore::trial(candidate.action, "least tried,"),
            None => self.grope(actions),
        }
    }

    /// Any action, where nothing is known about the state.
    pub(super) fn grope(&mut self, actions: ActionSet) -> Decision {
        let index = self.rng.random_range(0..actions.len().max(1));
        let id = actions.iter().nth(index).unwrap_or(ActionId::Action1);
        let point = Point::new(self.rng.random_range(0..SIDE), self.rng.random_range(0..SIDE)).unwrap_or_default();
        let action = Key::from_id(id).map_or(Action::Click(point), Action::Key);
        let why = "lost, any action shows where the play stands";
        Decision::new(action, Who::Explore, why).with_goal("see where the play stands")
    }

    /// An action taken for what it does here.
    pub(in crate::policy) fn trial(action: Action, adjective: &str) -> Decision {
        Decision::new(action, Who::Explore, format!("{adjective} {action}")).with_goal("see what it does here")
    }
}
