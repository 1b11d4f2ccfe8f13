//! The skill of boards whose cells answer to clicks.
//!
//! # Layout
//! - [`Board`] (here): experiments until the model has a law, then plans to goals, each tried once.
//! - [`goals`]: what might be wanted; [`clues`]: how to read pictures between the cells; [`apart`]: colours that differ;
//!   [`window`]: rectangles of a board; [`solve`]: which clicks lead there; [`shifts`]: with keys between them that move
//!   the whole board.

mod apart;
mod clues;
mod goals;
mod shifts;
mod solve;
mod window;

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use env_client::{Action, ActionId, ActionSet, Color, Grid, Key};
use world_model::{Cells, InterfaceMask, Outcome, Start, Transition};

use self::{
    goals::{Goal, Kind, Legend, Peers},
    solve::{Task, Turn},
    window::Pose,
};
use super::{
    imagine::Imagined,
    ledger::TIER,
    skill::{Move, Proposal, Skill},
};
use crate::policy::Who;

/// A plan to a goal of a kind that won before, and to any other.
const WON: f32 = 0.2 * TIER;
const PLAN: f32 = 0.5 * TIER;
/// What a click of a plan counts while nobody knows whether its goal wins.
const RISK: f32 = 3.0;
/// Clicks that tell what cells in play do come before plans, those on other cells after.
const NEEDED: f32 = 0.4 * TIER;
const FURTHER: f32 = 1.5 * TIER;
/// Where others solved so many levels, and this none, experiments come last.
const STRANGE: u32 = 2;
const LAST: f32 = 2.5 * TIER;
/// Experiments in one level.
const EXPERIMENTS: usize = 16;
/// Clicks in vain, on top of one for each that was answered, after which it looks like no board: fewer where arrows can
/// be pressed as well. Guesses.
const IN_VAIN: usize = 6;
const IN_VAIN_WITH_ARROWS: usize = 2;
/// Plans to one goal that ended in a surprise before it is given up.
const ATTEMPTS: u32 = 3;

/// What was proposed.
#[derive(Debug)]
enum Offer {
    /// A click to see what it does.
    Experiment(usize),
    /// A plan to a goal, and the actions it takes from now on.
    Plan(Goal, usize),
}

/// Understands boards of cells.
#[derive(Debug, Default)]
pub(super) struct Board {
    model: Cells,
    /// How often plans to a kind of goal solved a level.
    won: HashMap<Kind, u32>,
    /// Levels of this game that something else solved.
    others_won: u32,
    /// What colours of references stood for then.
    legend: Legend,
    /// What was reached in vain in this level; only looked up.
    refuted: HashSet<Vec<Option<Color>>>,
    attempts: HashMap<Vec<Option<Color>>, u32>,
    /// Cells clicked to see what they do.
    tried: HashSet<usize>,
    offer: Option<Offer>,
    pending: Option<Offer>,
    /// What the level may look like when it is solved.
    image: Option<Grid>,
}

impl Board {
    /// What may be wanted, but for what was reached in vain.
    fn goals(&self, now: &[Color]) -> Vec<Goal> {
        let goals = goals::goals(&self.model, now, &self.legend, |kind| self.agreement(kind).is_some());
        let imagined = self.image.as_ref().and_then(|image| goals::imagined(&self.model, now, image));
        goals.into_iter().chain(imagined).filter(|goal| !self.refuted.contains(&goal.wanted)).collect()
    }

    /// The best plan, by whether its kind of goal won before, how specific it is, and its length.
    fn plan(&self, now: &[Color]) -> Option<(Goal, Vec<Turn>)> {
        let goals = self.goals(now);
        let wishes: Vec<_> = goals.iter().map(|goal| goal.wanted.as_slice()).collect();
        let solved = Task { model: &self.model, now }.solve(&wishes);
        let plans = goals.into_iter().zip(solved).filter_map(|(goal, turns)| Some((goal, turns?)));
        let plans = plans.filter(|(_, turns)| !turns.is_empty());
        plans.min_by_key(|(goal, turns)| {
            let won = self.won.get(&goal.kind).copied().unwrap_or_default();
            let specific = match goal.kind {
                Kind::Clues(_) => 0,
                Kind::OwnMark => 1,
                Kind::Reference(pose) if pose == Pose::default() => 1,
                Kind::Reference(_)
                | Kind::Mirrored(_)
                | Kind::Turned
                | Kind::Imagined
                | Kind::Differing(Peers::Filled) => 2,
                _ => 3,
            };
            let length = if specific == 0 { 0 } else { turns.len() };
            (u32::MAX - won, specific, Reverse(self.agreement(goal.kind)), length)
        })
    }

    /// How many of the readings of clues that solved a level a goal agrees with; `None` for one that contradicts them all.
    fn agreement(&self, kind: Kind) -> Option<usize> {
        let Kind::Clues(reading) = kind else { return Some(0) };
        let mut won =
            self.won.keys().filter_map(|kind| if let Kind::Clues(it) = kind { Some(*it) } else { None }).peekable();
        let is_first = won.peek().is_none();
        let agreeing = won.filter(|it| reading.agrees(*it)).count();
        (is_first || agreeing > 0).then_some(agreeing)
    }

    fn propose_plan(&mut self, frame: &Grid, now: &[Color], actions: ActionSet) -> Option<Proposal> {
        let (goal, turns) = self.plan(now)?;
        let length = turns.len() as f32;
        let score = if self.won.contains_key(&goal.kind) { WON + length } else { PLAN + RISK * length };
        let mut proposal =
            Proposal { steps: self.moves(frame, now, &turns)?.into(), goal: goal.kind.to_string(), score };
        if actions.contains(ActionId::Action5) {
            proposal.steps.push_back(Move { action: Action::Key(Key::Key5), expected: None });
        }
        self.offer = Some(Offer::Plan(goal, proposal.steps.len()));
        Some(proposal)
    }

    fn moves(&self, frame: &Grid, now: &[Color], turns: &[Turn]) -> Option<Vec<Move>> {
        let (board, task) = (self.model.board()?, Task { model: &self.model, now });
        let mut colors = now.to_vec();
        let moves = turns.iter().map(|turn| {
            colors = task.foresee(&colors, *turn)?;
            let action = match turn {
                Turn::Click(cell) => Action::Click(board.middle(*cell)),
                Turn::Key(key) => Action::Key(*key),
            };
            Some(Move { action, expected: self.model.draw(frame, &colors) })
        });
        moves.collect()
    }

    /// Another click on the last cell that answered, as long as it was not back at its first colour: clues or pictures
    /// may ask for one that nobody saw yet, or nobody knows how a colour is left.
    fn another_turn(&self, now: &[Color]) -> Option<(usize, f32)> {
        let (cell, _) = self.model.clicked().filter(|(_, hit)| *hit).last()?;
        let (_, still_answers) = self.model.clicked().filter(|(it, _)| *it == cell).last()?;
        let is_at_first = now[cell] == self.model.level().start[cell];
        let is_on_its_way = still_answers && !is_at_first && !self.model.came_round(cell);
        let next = || self.model.law()?.next(self.model.level(), cell, now[cell]);
        let is_unknown = || next().is_none() && goals::is_told(&self.model, now);
        let is_open = is_on_its_way && (is_unknown() || goals::missing(&self.model, now));
        is_open.then_some((cell, NEEDED))
    }

    /// A click on a cell that others were taken to speak for, where nothing of a kind that won before can be reached as the
    /// law is: at an edge half of what a click reaches is missing. The innermost comes first.
    fn second_look(&self, now: &[Color]) -> Option<(usize, f32)> {
        let (level, law) = (self.model.level(), self.model.law()?);
        let is_fresh = |cell: usize| self.model.clicked().all(|(it, _)| it != cell) && !self.tried.contains(&cell);
        let reaches = |cell: usize| law.reach(level, now, cell).is_some_and(|it| !it.is_empty());
        let open = (0..now.len()).filter(|cell| level.present[*cell] && is_fresh(*cell) && reaches(*cell));
        let inside = |cell: &usize| level.beside(*cell).filter(|it| level.present[*it]).count();
        let cell = open.max_by_key(|cell| (inside(cell), Reverse(*cell)))?;
        let is_wanted = || self.goals(now).iter().any(|goal| self.won.contains_key(&goal.kind));
        (self.tried.len() < EXPERIMENTS && is_wanted()).then_some((cell, NEEDED))
    }

    /// A click that should teach something: on a cell of which nobody knows what it does.
    fn experiment(&self, now: &[Color], actions: ActionSet) -> Option<(usize, f32)> {
        let clicked: Vec<(usize, bool)> = self.model.clicked().collect();
        let hits = clicked.iter().filter(|(_, hit)| *hit).count();
        let limit = if actions.contains(ActionId::Action1) { IN_VAIN_WITH_ARROWS } else { IN_VAIN };
        if self.tried.len() >= EXPERIMENTS || clicked.len() - hits >= limit + hits {
            return None;
        }
        let (level, law) = (self.model.level(), self.model.law());
        let alike = |a: usize, b: usize| now[a] == now[b] && level.marks[a].sign == level.marks[b].sign;
        let fresh = |cell: usize| {
            level.present[cell] && !self.tried.contains(&cell) && clicked.iter().all(|(it, _)| *it != cell)
        };
        let is_open = |cell: usize| law.is_none_or(|law| law.reach(level, now, cell).is_none());
        let open = (0..now.len()).filter(|cell| fresh(*cell) && is_open(*cell));
        let ranked = open.filter_map(|cell| {
            let mates = clicked.iter().filter(|(it, _)| alike(*it, cell));
            let (hits, tries) = mates.fold((0, 0), |(hits, tries), (_, hit)| (hits + u32::from(*hit), tries + 1));
            let in_play = level.panels[cell] != 0;
            let kin = (0..now.len()).filter(|it| alike(*it, cell)).count();
            let score = if in_play || hits > 0 { NEEDED } else { FURTHER };
            (hits > 0 || tries == 0).then_some((cell, score, kin))
        });
        let inside = |cell: usize| level.beside(cell).filter(|it| level.present[*it]).count();
        let order = |cell: usize, kin: usize| (kin, Reverse(inside(cell)));
        let best = ranked.min_by(|a, b| a.1.total_cmp(&b.1).then_with(|| order(a.0, a.2).cmp(&order(b.0, b.2))));
        best.map(|(cell, score, _)| (cell, score))
    }
}

impl Skill for Board {
    fn name(&self) -> &'static str {
        "board"
    }

    fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.model.begin(frame, mask, start);
        self.pending = None;
        if start == Start::Level {
            self.refuted.clear();
            self.attempts.clear();
            self.tried.clear();
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let is_solved = step.outcome == Outcome::Solved;
        let mut is_own = false;
        if let Some(Offer::Plan(goal, left)) = &mut self.pending {
            *left = left.saturating_sub(1);
            is_own = is_solved && *left <= 1;
            if is_own {
                *self.won.entry(goal.kind).or_default() += 1;
                self.legend.append(&mut goal.legend);
            }
        }
        self.others_won += u32::from(is_solved && !is_own);
        self.model.observe(step, mask);
    }

    fn propose(&mut self, frame: &Grid, _mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        (self.offer, self.pending) = (None, None);
        let now = self.model.read(frame).filter(|_| actions.contains(ActionId::Action6))?;
        let experiment = self.another_turn(&now).or_else(|| self.experiment(&now, actions));
        let needed = experiment.is_some_and(|(_, score)| score <= NEEDED);
        let plan = (!needed && self.model.is_trusted()).then(|| self.propose_plan(frame, &now, actions)).flatten();
        if plan.is_some() {
            return plan;
        }
        let is_trusted = self.model.is_trusted();
        let (cell, score) = experiment.or_else(|| self.second_look(&now).filter(|_| is_trusted))?;
        let is_strange = self.won.is_empty() && self.others_won >= STRANGE;
        let score = if is_strange { LAST } else { score };
        self.offer = Some(Offer::Experiment(cell));
        let at = self.model.board()?.middle(cell);
        Some(Proposal::experiment(Action::Click(at), format!("see what the cell at {at} does"), score))
    }

    fn recognizes(&self, expected: &Grid, seen: &Grid, _mask: &InterfaceMask) -> bool {
        self.model.read(expected) == self.model.read(seen)
    }

    fn imagine(&mut self, image: Option<&Imagined>) {
        self.image = image.map(|it| it.frame.clone());
    }

    fn signs(&self) -> Who {
        match &self.pending {
            Some(Offer::Plan(goal, _)) if goal.kind == Kind::Imagined => Who::Imagine,
            _ => Who::Skill(self.name()),
        }
    }

    fn taken_up(&mut self) {
        self.pending = self.offer.take();
        match &self.pending {
            Some(Offer::Experiment(cell)) => {
                self.tried.insert(*cell);
            }
            Some(Offer::Plan(goal, _)) => {
                let attempts = self.attempts.entry(goal.wanted.clone()).or_default();
                *attempts += 1;
                if *attempts >= ATTEMPTS {
                    self.refuted.insert(goal.wanted.clone());
                }
            }
            None => {}
        }
    }

    fn in_vain(&mut self) {
        if let Some(Offer::Plan(goal, _)) = self.pending.take() {
            self.refuted.insert(goal.wanted);
        }
    }
}

#[cfg(test)]
mod tests;
