//! Skills: ways to understand a game beside the search, each of which proposes what to do.
//!
//! A [`Skill`] watches the play and, asked, says what it would do next and how good that is; [`Skills`] asks all of
//! them, follows the best proposal step by step and drops it at the first surprise.

#[cfg(test)]
mod tests;

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet, VecDeque},
    fmt,
};

use env_client::{Action, ActionSet, Color, Grid, Key};
use world_model::{Component, InterfaceMask, Outcome, Snapshot, Start, StateKey, Transition};

use super::{fuel::Fuel, guarded::Guarded, hunch::most_promising, imagine::Imagined};
use crate::policy::{Decision, Forecast, Who};

/// One way to understand a game, which proposes what to do.
pub(super) trait Skill: fmt::Debug + Send {
    /// Its name in decisions.
    fn name(&self) -> &'static str;

    /// A level begins, or begins again, with this frame.
    fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start);

    /// Learns from one action.
    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask);

    /// The level that began may look like this when it is solved, if anybody can tell.
    fn imagine(&mut self, _image: Option<&Imagined>) {}

    /// What is best done next, if anything.
    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal>;

    /// Experiments that it finds as good as the one it proposes, likeliest first.
    fn alternatives(&self, _frame: &Grid, _mask: &InterfaceMask, _actions: ActionSet) -> Vec<Proposal> {
        Vec::new()
    }

    /// Whether a frame is the one that was expected, as far as this skill cares.
    fn recognizes(&self, expected: &Grid, seen: &Grid, mask: &InterfaceMask) -> bool {
        expected.differences(seen).is_some_and(|mut cells| cells.all(|at| mask.hides(at)))
    }

    /// Whether a level is best begun again now: asked only where that is allowed, and then done.
    fn starts_over(&mut self) -> bool {
        false
    }

    /// Whether the step of its last proposal that is being taken puts things back as it foresaw.
    fn returns_on_purpose(&self) -> bool {
        false
    }

    /// Whether it only wants to see what comes where it does not say so itself, which is pointless where a model foretells it.
    fn is_curious(&self) -> bool {
        false
    }

    /// Whether what it saw makes the rest of its last proposal pointless.
    fn gives_up(&self) -> bool {
        false
    }

    /// Who decides what is done next.
    fn signs(&self) -> Who {
        Who::Skill(self.name())
    }

    /// Its last proposal is what will be done next.
    fn taken_up(&mut self) {}

    /// Its last proposal was carried out and all went as expected, yet the level goes on.
    fn in_vain(&mut self) {}
}

/// Whether a game is played with clicks alone, undo aside: there an experiment with a click costs less than where keys could do more.
pub(super) fn is_clicks_alone(actions: ActionSet) -> bool {
    actions.has_click() && actions.keys().all(|key| key == Key::Key7)
}

/// What a thing to click looks like: its colour and its form in any pose. Things of one look are taken to answer alike.
pub(super) type Look = (Color, u64);

/// What a component looks like.
pub(super) fn look(it: &Component) -> Look {
    (it.color, it.form)
}

/// What a skill would do.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Proposal {
    /// At least one.
    pub(super) steps: VecDeque<Move>,
    /// What for, in a few words.
    pub(super) goal: String,
    /// In actions, lower is better, on the scale of the search's judge: [`super::ledger::TIER`] a tier.
    pub(super) score: f32,
}

/// One action of a proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) action: Action,
    /// The frame it should lead to; `None` for an experiment.
    pub(super) expected: Option<Grid>,
}

impl Proposal {
    /// One action to see what it does.
    pub(super) fn experiment(action: Action, goal: String, score: f32) -> Proposal {
        Proposal { steps: [Move { action, expected: None }].into(), goal, score }
    }

    /// Whether it is a single action of which nobody says what comes.
    fn is_experiment(&self) -> bool {
        self.steps.len() == 1 && self.steps.iter().all(|step| step.expected.is_none())
    }

    /// Whether it is said of each of its steps what comes.
    fn is_foreseen(&self) -> bool {
        self.steps.iter().all(|step| step.expected.is_some())
    }

    /// The score by which skills outbid each other: a plan of one that foresees right does not come after experiments because it is
    /// long.
    fn bid(&self, is_trusted: bool) -> f32 {
        let is_sure = is_trusted && self.is_foreseen();
        self.score - if is_sure { self.steps.len().saturating_sub(LONG) as f32 } else { 0.0 }
    }

    /// What it begins with.
    fn first(&self) -> Option<Action> {
        self.steps.front().map(|step| step.action)
    }
}

/// What did nothing so often in one state of the frame is not begun with there again, whoever proposes it.
const IN_VAIN: u32 = 2;
/// And what was done so often in one state, whatever came of it, is no experiment there any more.
const KNOWN: u32 = 3;

/// Steps of a plan that count where skills outbid each other. A guess.
const LONG: usize = 4;
/// Steps that must have led to what was foreseen, and twice as many as did not, for that to be trusted. A guess.
const PROVEN: u32 = 3;

/// Proposals in a row of one skill that showed nothing which had not been seen before, after which it rests for so many
/// decisions of others. Guesses.
const STALE: u32 = 8;
const REST: u32 = 32;

/// What became of the latest proposals of a skill in this level.
#[derive(Clone, Copy, Debug, Default)]
struct Form {
    /// Proposals since one showed something new.
    stale: u32,
    /// Decisions in which it rests: from experiments alone if these were all that showed nothing.
    rest: u32,
    /// Whether any of those proposals was a plan that was foreseen.
    by_plans: bool,
    /// Steps of this game that led to what was foreseen, and those that did not.
    right: u32,
    wrong: u32,
    /// Whether a proposal of this game solved a level.
    has_won: bool,
}

impl Form {
    /// Whether it may make a proposal.
    fn may(self, it: &Proposal) -> bool {
        self.rest == 0 || !self.by_plans && it.is_foreseen()
    }

    /// A proposal was carried out, which was foreseen or an experiment.
    fn showed(&mut self, is_new: bool, is_foreseen: bool) {
        self.stale = if is_new { 0 } else { self.stale + 1 };
        self.by_plans = !is_new && (self.by_plans || is_foreseen);
    }

    /// Another decision: whoever shows nothing new for long has a rest.
    fn turn(&mut self) {
        self.rest = self.rest.saturating_sub(1);
        if self.stale >= STALE {
            *self = Form { stale: 0, rest: REST, ..*self };
        }
    }

    /// A new level: who is right, and who won, stays known.
    fn begin_level(&mut self) {
        let Form { right, wrong, has_won, .. } = *self;
        *self = Form { right, wrong, has_won, ..Form::default() };
    }

    /// Whether what is foreseen comes true.
    fn is_trusted(self) -> bool {
        self.right >= PROVEN && self.right > 2 * self.wrong
    }
}

/// What came of a proposal so far.
#[derive(Clone, Copy, Debug)]
struct Deed {
    skill: usize,
    is_new: bool,
    is_foreseen: bool,
}

/// A proposal that is being carried out.
#[derive(Debug)]
pub(super) struct Pursuit {
    skill: usize,
    proposal: Proposal,
    /// What the last step should have led to.
    expected: Option<Grid>,
    /// Whether a step showed what had not been seen before.
    shows_new: bool,
    /// Whether it was said of each of its steps what comes.
    is_foreseen: bool,
}

/// On what terms a proposal is taken up.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    /// What it has to score below.
    pub(super) limit: f32,
    pub(super) fuel: Fuel,
    /// Whether the level may be begun again for it.
    pub(super) may_start_over: bool,
    /// Whether only a plan counts of a skill that solved a level before.
    pub(super) by_winners: bool,
    /// What a model foretells, so that an experiment with it shows nothing.
    pub(super) foretold: Vec<Action>,
}

impl Terms {
    /// Whether a plan is longer than what is left of the budget.
    fn are_short_of(&self, it: &Proposal) -> bool {
        it.is_foreseen() && self.fuel.is_short_of(it.steps.len())
    }

    /// Whether all that it does not foresee itself is foretold.
    fn foretell(&self, it: &Proposal) -> bool {
        !it.is_foreseen() && it.steps.iter().all(|step| self.foretold.contains(&step.action))
    }

    /// Whether it is longer than a full one.
    fn never_allow(&self, it: &Proposal) -> bool {
        it.is_foreseen() && self.fuel.never_allows(it.steps.len())
    }
}

/// What came of asking all skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// None knows of anything good enough.
    Nothing,
    /// The best proposal is under way.
    Up,
    /// The level is to be begun again for a plan that is longer than what is left of the budget.
    FromTheBeginning(Who),
}

/// All skills, and what is done for one of them.
#[derive(Debug, Default)]
pub(super) struct Skills {
    all: Vec<Guarded>,
    pursuit: Option<Pursuit>,
    /// How often an action did nothing in a state of the frame, in this level; only looked up.
    idle: HashMap<(StateKey, Action), u32>,
    /// How often an action was taken in a state of the frame, in this level; only looked up.
    taken: HashMap<(StateKey, Action), u32>,
    /// From which state to which other one actions led in this level; only looked up.
    seen: HashSet<(StateKey, StateKey)>,
    /// One for each skill; and the proposal that was carried out last.
    forms: Vec<Form>,
    last: Option<Deed>,
    /// Who had the level begun again, for a plan that leads from there.
    returned: Option<usize>,
}

impl Skills {
    /// These skills; of equal proposals the first one's counts.
    pub(super) fn new(all: Vec<Box<dyn Skill>>) -> Skills {
        let forms = vec![Form::default(); all.len()];
        let all = all.into_iter().map(Guarded::new).collect();
        Skills { all, forms, ..Skills::default() }
    }

    /// A level begins, or begins again.
    pub(super) fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.drop();
        if start == Start::Level {
            self.idle.clear();
            self.taken.clear();
            self.seen.clear();
            self.forms.iter_mut().for_each(Form::begin_level);
            (self.last, self.returned) = (None, None);
        }
        self.all.iter_mut().for_each(|skill| skill.begin(frame, mask, start));
    }

    /// Tells all of them what the level may look like when it is solved.
    pub(super) fn imagine(&mut self, image: Option<&Imagined>) {
        self.all.iter_mut().for_each(|skill| skill.imagine(image));
    }

    /// Lets all of them learn, and drops the proposal under way unless things go as it said.
    pub(super) fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.all.iter_mut().for_each(|skill| skill.observe(step, mask));
        let before = Snapshot::of(step.before).key(mask);
        let after = step.after().map(|after| Snapshot::of(after).key(mask));
        if after == Some(before) {
            *self.idle.entry((before, step.action)).or_default() += 1;
        }
        *self.taken.entry((before, step.action)).or_default() += 1;
        let is_new = after.is_none_or(|after| after != before && self.seen.insert((before, after)));
        let Some(mut pursuit) = self.pursuit.take() else { return };
        pursuit.shows_new |= is_new;
        let Pursuit { skill, shows_new: is_new, is_foreseen, .. } = pursuit;
        self.forms[skill].has_won |= step.outcome == Outcome::Solved;
        self.last = Some(Deed { skill, is_new, is_foreseen });
        let skill = &mut self.all[pursuit.skill];
        let is_told = pursuit.expected.is_some();
        let surprise = match (pursuit.expected.take(), step.after()) {
            (Some(expected), Some(after)) => !skill.recognizes(&expected, after, mask),
            (None, Some(_)) => false,
            (_, None) => true,
        };
        if is_told {
            let form = &mut self.forms[pursuit.skill];
            *if surprise { &mut form.wrong } else { &mut form.right } += 1;
        }
        match pursuit.proposal.steps.is_empty() {
            _ if surprise || skill.gives_up() => {}
            true => skill.in_vain(),
            false => self.pursuit = Some(pursuit),
        }
    }

    /// Skills that failed and are left out.
    pub(super) fn defects(&self) -> u32 {
        self.all.iter().map(|it| u32::from(it.has_failed())).sum()
    }

    /// What is under way, if whoever is at work foresaw that the step being taken puts things back and goes on from there.
    pub(super) fn take_returning(&mut self) -> Option<Pursuit> {
        let skills = &self.all;
        let goes_on = |it: &mut Pursuit| !it.proposal.steps.is_empty() && skills[it.skill].returns_on_purpose();
        self.pursuit.take_if(goes_on)
    }

    /// Things were put back as was foreseen: this goes on.
    pub(super) fn go_on(&mut self, pursuit: Option<Pursuit>) {
        self.pursuit = pursuit.map(|it| Pursuit { expected: None, shows_new: true, ..it });
    }

    /// Gives up what is under way.
    pub(super) fn drop(&mut self) {
        self.pursuit = None;
    }

    /// The next step of what is under way.
    pub(super) fn follow(&mut self, actions: ActionSet) -> Option<Decision> {
        let Pursuit { skill, proposal, expected, .. } = self.pursuit.as_mut()?;
        let Some(step) = proposal.steps.pop_front().filter(|step| actions.contains(step.action.id())) else {
            self.drop();
            return None;
        };
        expected.clone_from(&step.expected);
        let who = self.all[*skill].signs();
        let why = format!("skill: {}, {} more", proposal.goal, proposal.steps.len());
        let forecast = step.expected.map(|frame| Forecast { frame, confidence: None });
        Some(Decision { forecast, ..Decision::new(step.action, who, why).with_goal(proposal.goal.clone()) })
    }

    /// Who of them would begin the level again.
    pub(super) fn start_over(&mut self) -> Option<Who> {
        self.returned = self.all.iter_mut().position(Skill::starts_over);
        self.returned.map(|skill| self.all[skill].signs())
    }

    /// Takes up the best proposal that scores below the limit. Whoever had the level begun again comes first, whatever
    /// others would do: that was for nothing else. Plans longer than what is left of the budget come last.
    pub(super) fn take_up(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet, terms: &Terms) -> Taken {
        if let Some(Deed { skill, is_new, is_foreseen }) = self.last.take() {
            self.forms[skill].showed(is_new, is_foreseen);
        }
        self.forms.iter_mut().for_each(Form::turn);
        let returned = self.returned.take();
        let curious: Vec<bool> = self.all.iter().map(Skill::is_curious).collect();
        let asked = self.all.iter_mut().enumerate();
        let proposals = asked.filter_map(|(skill, it)| Some((skill, it.propose(frame, mask, actions)?)));
        let proposals = proposals.filter(|(skill, it)| self.forms[*skill].may(it) || returned == Some(*skill));
        let is_winning = |skill: usize, it: &Proposal| self.forms[skill].has_won && !it.is_experiment();
        let proposals = proposals.filter(|(skill, it)| !terms.by_winners || is_winning(*skill, it));
        let key = Snapshot::of(frame).key(mask);
        let idle = |action| self.idle.get(&(key, action)).copied().unwrap_or_default();
        let taken = |action| self.taken.get(&(key, action)).copied().unwrap_or_default();
        let is_fresh = |it: &Proposal| {
            let first = it.first();
            first.is_none_or(|action| idle(action) < IN_VAIN && !(it.is_experiment() && taken(action) >= KNOWN))
        };
        let proposals = proposals.filter(|(_, it)| is_fresh(it) && !terms.never_allow(it));
        let proposals = proposals.filter(|(skill, it)| !(curious[*skill] && terms.foretell(it)));
        let is_short = |skill: usize, it: &Proposal| returned != Some(skill) && terms.are_short_of(it);
        let rank = |(skill, it): &(usize, Proposal)| {
            (returned != Some(*skill), is_short(*skill, it), it.bid(self.forms[*skill].is_trusted()))
        };
        let best = proposals.min_by(|a, b| rank(a).partial_cmp(&rank(b)).unwrap_or(Ordering::Equal));
        let limit = |is_short: bool| if is_short && terms.limit.is_finite() { f32::NEG_INFINITY } else { terms.limit };
        let is_wanted = |skill: usize, it: &Proposal| returned == Some(skill) || it.score < limit(is_short(skill, it));
        let Some((skill, proposal)) = best.filter(|(skill, it)| is_wanted(*skill, it)) else { return Taken::Nothing };
        if terms.may_start_over && is_short(skill, &proposal) {
            self.returned = Some(skill);
            return Taken::FromTheBeginning(self.all[skill].signs());
        }
        self.all[skill].taken_up();
        let is_foreseen = proposal.is_foreseen();
        self.pursuit = Some(Pursuit { skill, proposal, expected: None, shows_new: false, is_foreseen });
        Taken::Up
    }

    /// Takes up the most promising of all experiments that are as good as the one that was just taken up: of several the
    /// first.
    pub(super) fn reconsider(
        &mut self,
        frame: &Grid,
        mask: &InterfaceMask,
        actions: ActionSet,
        promise: impl Fn(Action) -> f32,
    ) {
        let Some(pursuit) = &mut self.pursuit else { return };
        let alternatives = self.all[pursuit.skill].alternatives(frame, mask, actions);
        let alternatives = alternatives.into_iter().filter_map(|it| Some((it.first()?, it))).collect();
        if let Some((_, proposal)) = most_promising(alternatives, |it| it.0, promise) {
            pursuit.proposal = proposal;
        }
    }
}
