//! The skill of moves made by two clicks that rewrite what stands in a line: find out what they do, and make them until one
//! piece is left, or what else may be wanted.
//!
//! # Layout
//! - [`Leaping`] (here): what is tried, planned and wanted. Start here.
//! - `ways`: goals, and the search for moves to them.

#[cfg(test)]
mod tests;
mod ways;

use std::collections::{BTreeSet, VecDeque};

use env_client::{ActionSet, Grid};
use world_model::{
    InterfaceMask, Outcome, Start, Transition,
    leaps::{BARE, Kind, Leap, Leaps, STRANGE, Stand},
};

use self::ways::{Class, Goal, Look, way};
use super::{
    ledger::TIER,
    levers::clicks_alone,
    quest::Quest,
    skill::{Move, Proposal, Skill},
};

/// A plan; where one solved a level before, it comes before all that others would try. Guesses.
const PLAN: f32 = 0.3 * TIER;
const PROVEN: f32 = 0.1 * TIER;
/// Two clicks to see what they do, where some are known to take a piece; where none are, all comes first that others know of.
/// Guesses.
const RIDDLE: f32 = 0.45 * TIER;
const HUNCH: f32 = 0.9 * TIER;
/// Two clicks over a piece to where nothing stands, which is how pieces are taken most often, so often in a game: before
/// things are put down one by one. Guesses.
const HOP: f32 = 0.31 * TIER;
const HOPS: u32 = 2;
/// Such pairs in one level before any did something, and after that; and levels without anything found after which it is left
/// to others. Guesses.
const BLIND: u32 = 12;
const PAIRS: u32 = 40;
const LEVELS: u32 = 2;
/// Stands that one search looks at, some 10 us each, and all of one question together: they end within a second.
const STATES: usize = 30_000;
const ALL_STATES: usize = 40_000;

/// Understands moves that rewrite lines.
#[derive(Debug, Default)]
pub(super) struct Leaping {
    model: Leaps,
    quest: Quest<(Goal, bool), Stand>,
    lessons: u32,
    /// What each click of the proposal made last should lead to, and of the one under way.
    proposed: VecDeque<Foreseen>,
    foreseen: VecDeque<Foreseen>,
    is_surprised: bool,
    experiment: Experiment,
    /// Whether clicks are all there is to do.
    is_clicked: bool,
    /// Pairs tried in this level, and levels in which they taught nothing.
    pairs: u32,
    barren: u32,
    /// Pairs over a piece to where nothing stands that were tried in this game.
    hops: u32,
    /// What was true of the levels that were solved.
    won: Option<BTreeSet<Class>>,
    /// How the level began, and what is known of it: where it is not worth beginning again, and how much was known then.
    first: Stand,
    dead: Option<(Stand, u32)>,
    left: usize,
    /// What the plan wants that was made last, and what came about in vain in this level.
    pursued: Option<Goal>,
    vain: Vec<Goal>,
}

/// Whether the proposal made last is an experiment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Experiment {
    #[default]
    No,
    Pair,
    /// Over a piece to where nothing stands.
    Hop,
}

/// What should come of a click: this piece is picked, or that stands there.
#[derive(Clone, Debug)]
enum Foreseen {
    Picked(usize),
    PutBack,
    Stands(Stand),
}

impl Leaping {
    fn look(&self) -> Look<'_> {
        Look { model: &self.model, marked: self.model.marked() }
    }

    /// What may be wanted here, the likeliest first: what was true of all levels that were solved comes before all else.
    fn goals(&self, stand: &[Kind]) -> Vec<Goal> {
        let look = self.look();
        let mut counts: Vec<(usize, Kind)> = Vec::new();
        for kind in stand.iter().filter(|it| **it != BARE && **it != STRANGE && self.model.is_piece(**it)) {
            match counts.iter_mut().find(|it| it.1 == *kind) {
                Some(count) => count.0 += 1,
                None => counts.push((1, *kind)),
            }
        }
        counts.sort_unstable();
        let mut goals = if look.marked.is_empty() { Vec::new() } else { vec![Goal::LastOnMark] };
        goals.push(Goal::One);
        goals.extend(counts.iter().filter(|_| counts.len() > 1).map(|it| Goal::Gone(it.1)));
        goals.extend((!look.marked.is_empty()).then_some(Goal::OnMarks));
        let has_won = |it: &Goal| self.won.as_ref().is_some_and(|won| won.contains(&it.class()));
        goals.sort_by_key(|it| !has_won(it));
        goals.retain(|it| look.bound(it, stand) > 0 && !self.vain.contains(it));
        goals
    }

    /// What is worth beginning a level again for: what was true of all that were solved, and of that the most that can be asked
    /// for.
    fn wanted(&self, stand: &[Kind]) -> Vec<Goal> {
        let mut goals = self.goals(stand);
        if let Some(won) = &self.won {
            let is_all = |it: &Goal| it.class() == Class::LastOnMark || !won.contains(&Class::LastOnMark);
            goals.retain(|it| won.contains(&it.class()) && is_all(it));
        }
        goals
    }

    /// Whether something that is wanted can be reached from there.
    fn leads_on(&mut self, stand: &Stand) -> bool {
        let goals = self.wanted(stand);
        let mut searches = goals.iter().flat_map(|goal| [false, true].map(|dares| (goal, dares)));
        let mut left = ALL_STATES;
        let look = self.look();
        searches.any(|(goal, dares)| {
            let (way, states) = way(&look, goal, stand, dares, STATES.min(left));
            left = left.saturating_sub(states);
            way.is_some()
        })
    }

    /// What a plan to it scores, but for its length: where nothing is ever taken, others may know better what moves are for.
    fn worth(&self, goal: &Goal) -> f32 {
        match &self.won {
            Some(won) if won.contains(&goal.class()) => PROVEN,
            _ if self.model.takes() => PLAN,
            _ => HUNCH,
        }
    }

    fn plan(&mut self, stand: &Stand) -> Option<Proposal> {
        for goal in self.goals(stand) {
            let worth = self.worth(&goal);
            for dares in [false, true] {
                let (model, left) = (&self.model, &mut self.left);
                let look = Look { model, marked: model.marked() };
                let mut leaps = Vec::new();
                let plan = self.quest.plan(stand.clone(), (goal.clone(), dares), |stand, (goal, dares)| {
                    let (way, states) = way(&look, goal, stand, *dares, STATES.min(*left));
                    *left = left.saturating_sub(states);
                    leaps = way?;
                    let score = worth + leaps.len() as f32;
                    Some(Proposal { goal: goal.name().to_owned(), score, ..Proposal::default() })
                });
                if let Some(plan) = plan {
                    self.pursued = Some(goal);
                    return Some(self.proposal(plan, &leaps));
                }
            }
        }
        None
    }

    /// The clicks that make these moves.
    fn proposal(&mut self, plan: Proposal, leaps: &[(Leap, Stand)]) -> Proposal {
        let mut steps = VecDeque::new();
        self.proposed.clear();
        for (index, (leap, after)) in leaps.iter().enumerate() {
            let clicks = if index == 0 { self.model.clicks(*leap) } else { self.model.clicks_of(*leap) };
            let foreseen = [Foreseen::PutBack, Foreseen::Picked(leap.0), Foreseen::Stands(after.clone())];
            self.proposed.extend(foreseen.into_iter().skip(3 - clicks.len().min(3)));
            steps.extend(clicks.into_iter().map(|action| Move { action, expected: None }));
        }
        Proposal { steps, ..plan }
    }

    fn experiment(&mut self) -> Option<Proposal> {
        let most = if self.model.is_understood() { PAIRS } else { BLIND };
        if self.pairs >= most || !self.model.is_understood() && self.barren >= LEVELS {
            return None;
        }
        let hop = if self.hops < HOPS && !self.model.takes() { self.model.hop() } else { None };
        self.experiment = if hop.is_some() { Experiment::Hop } else { Experiment::Pair };
        let leap = hop.or_else(|| self.model.experiment())?;
        let clicks = self.model.clicks(leap);
        let steps = clicks.into_iter().map(|action| Move { action, expected: None }).collect();
        let score = match self.experiment {
            Experiment::Hop => HOP,
            _ if self.model.takes() => RIDDLE,
            _ => HUNCH,
        };
        Some(Proposal { steps, goal: "see what two clicks do to what lies in a line".to_owned(), score })
    }

    /// What is true of a level that is solved.
    fn has_won(&mut self, stand: &[Kind]) {
        let look = self.look();
        let goals = [Goal::LastOnMark, Goal::One, Goal::OnMarks];
        let is_told = |it: &Goal| !look.marked.is_empty() || *it == Goal::One;
        let met = goals.into_iter().filter(|it| is_told(it) && look.bound(it, stand) == 0);
        let mut met: BTreeSet<Class> = met.map(|it| it.class()).collect();
        let is_gone = |kind: &Kind| self.model.is_piece(*kind) && !stand.contains(kind);
        met.extend(self.first.iter().any(is_gone).then_some(Class::Gone));
        self.won = Some(match self.won.take() {
            Some(won) if won.intersection(&met).next().is_some() => won.intersection(&met).copied().collect(),
            _ => met,
        });
    }
}

impl Skill for Leaping {
    fn name(&self) -> &'static str {
        "leaps"
    }

    fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.model.begin(frame, mask, start);
        self.foreseen.clear();
        if start == Start::Level {
            self.barren += u32::from(self.pairs > 0 && !self.model.is_understood());
            (self.pairs, self.quest, self.dead) = (0, Quest::default(), None);
            self.vain.clear();
        }
        self.first = self.model.stand();
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.model.observe(step, mask);
        let expected = self.foreseen.pop_front();
        if let (Outcome::Solved, Some(Foreseen::Stands(stand))) = (step.outcome, &expected) {
            self.has_won(stand);
        }
        self.is_surprised = match expected {
            None => false,
            Some(Foreseen::PutBack) => self.model.held().is_some(),
            Some(Foreseen::Picked(seat)) => self.model.held() != Some(seat),
            Some(Foreseen::Stands(stand)) => self.model.stand() != stand,
        };
        if std::mem::replace(&mut self.lessons, self.model.lessons()) != self.lessons {
            self.quest.learned();
        }
        if self.first.is_empty() {
            self.first = self.model.stand();
        }
    }

    fn propose(&mut self, _frame: &Grid, _mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.quest.rest();
        self.proposed.clear();
        (self.experiment, self.left) = (Experiment::No, ALL_STATES);
        self.is_clicked = clicks_alone(actions);
        if !self.is_clicked || self.model.is_hopeless() || !self.model.has_board() {
            return None;
        }
        let stand = self.model.stand();
        let plan = if self.model.is_understood() { self.plan(&stand) } else { None };
        plan.or_else(|| self.experiment())
    }

    fn starts_over(&mut self) -> bool {
        let stand = self.model.stand();
        let known = (stand.clone(), self.lessons);
        let is_asked = self.is_clicked && self.model.has_board() && self.model.takes() && !self.model.is_hopeless();
        if !is_asked || self.dead.as_ref() == Some(&known) || stand == self.first {
            return false;
        }
        let first = self.first.clone();
        let leads = !self.leads_on(&stand) && self.leads_on(&first);
        self.dead = (!leads).then_some(known);
        leads
    }

    fn gives_up(&self) -> bool {
        self.is_surprised
    }

    fn taken_up(&mut self) {
        self.foreseen = std::mem::take(&mut self.proposed);
        self.pairs += u32::from(self.experiment != Experiment::No);
        self.hops += u32::from(self.experiment == Experiment::Hop);
        if self.experiment == Experiment::No {
            self.quest.taken_up();
        }
    }

    fn in_vain(&mut self) {
        if self.experiment == Experiment::No {
            self.quest.in_vain();
            self.vain.extend(self.pursued.take());
        }
    }
}
