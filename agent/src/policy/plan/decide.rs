//! What to do next: follow the plan, or make one.

use std::collections::VecDeque;

use env_client::{Action, ActionId, ActionSet, Command, Grid, Observation};
use world_model::{Advance, Outcome, Prediction, State, WorldModel};

use super::{
    Part, Plan,
    aims::Aim,
    arranging::Way,
    curiosity::{self, Curiosity, Target},
    fuel::Fuel,
    hunch,
    ledger::TIER,
    search::{Found, NodeKey, Report, Search, Step},
    sequence::Sequence,
    skill::{Taken, Terms},
    things::{Facing, Thing, Things},
};
use crate::policy::{Decision, Explore, Policy, Who};

/// States whose actions one thought looks at, about 30 ms, and as many again where something better is in sight.
pub(super) const EXPANSIONS: usize = 400;
/// The same for what solved a level. A guess.
const FAR_EXPANSIONS: usize = 2_000;
/// What pieces go for that only buttons move: skills of clicks know better what those are for. A guess.
const REMOTE: f32 = 0.5 * TIER;
/// A prediction of this confidence tells what an experiment would show. A guess.
const FORETOLD: f32 = 0.4;
/// Plans take one step in one state so often; then exploration takes over for a while.
const REPEATS: u32 = 2;
/// The most decisions left to exploration in a row.
const PATIENCE: u32 = 32;

/// What a search is for, and how far it looks.
struct Sought {
    /// States whose actions it looks at.
    budget: usize,
    /// If nothing but to touch these is wanted, they.
    only: Option<Vec<Thing>>,
}

impl Default for Sought {
    fn default() -> Sought {
        Sought { budget: EXPANSIONS, only: None }
    }
}

impl<M: WorldModel> Plan<M> {
    /// The next step of a plan; `None` when exploration is to decide.
    pub(super) fn choose(&mut self, frame: &Grid, actions: ActionSet) -> Option<Decision> {
        if let Some(decision) = self.pursue(actions) {
            return Some(decision);
        }
        let may_start_over = self.lives.steps() > 0 && self.retreats.are_left();
        if let Some(who) = may_start_over.then(|| self.skills.start_over()).flatten() {
            return Some(self.start_over(who));
        }
        if may_start_over && self.ledger.surveys.are_spent() {
            return Some(self.start_over(Who::Search));
        }
        self.check_fuel(frame);
        self.check_danger(frame);
        let resting = self.steps.is_empty() && self.rest > 0;
        if self.steps.is_empty() {
            self.score = f32::INFINITY;
            self.rest -= u32::from(resting);
            let restart = if resting { None } else { self.think(frame, actions) };
            let (fuel, foretold) = (self.fuel(frame), self.foretold(frame, actions));
            // Whoever won before and has a plan from here knows more than who would begin again.
            let by_winners = restart.is_some();
            let terms = Terms { limit: self.score, fuel, may_start_over, by_winners, foretold };
            match self.skills.take_up(frame, self.detector.mask(), actions, &terms) {
                Taken::Up => {
                    self.steps.clear();
                    self.target = None;
                    self.reconsider(frame, actions);
                    return self.pursue(actions);
                }
                Taken::FromTheBeginning(who) => return Some(self.start_over(who)),
                Taken::Nothing => {}
            }
            if let Some(who) = restart {
                return Some(self.start_over(who));
            }
        }
        let decision = self.follow(frame, actions);
        if decision.is_none() && !resting {
            self.drop_plan();
            self.rest = self.patience - 1;
            self.patience = (2 * self.patience).min(PATIENCE);
        }
        decision
    }

    /// Makes a plan where there is something to want; who would begin the level again where only that leads on.
    fn think(&mut self, frame: &Grid, actions: ActionSet) -> Option<Who> {
        let state = self.state(frame);
        let advances = self.movers(&state, actions);
        let things = self.look(&self.still(frame), &advances);
        let found = self.survey_first((&state, &things), actions);
        let way = match found {
            None if self.without != Some(Part::Arrangements) => self.arrange(&state, &advances, actions),
            _ => Way::Unknown,
        };
        if way == Way::Planned {
            return None;
        }
        let best = found.or_else(|| self.survey(&state, &things, self.facing, actions).best);
        if way == Way::FromTheBeginning && !best.as_ref().is_some_and(|it| self.may_win(&it.target)) {
            return Some(Who::Arrange);
        }
        let best = self.before_shoving(best, (&state, &things), actions);
        let is_idle = best.as_ref().is_none_or(|it| it.base >= self.ledger.frontier());
        if is_idle && !self.is_ready(frame) && self.leads_from_the_beginning(actions) {
            return Some(Who::Search);
        }
        let fuel = self.fuel(frame);
        if let Some(found) = best.map(|it| self.provide(it, (&state, &things), fuel, actions)) {
            self.steps = VecDeque::from(found.path);
            self.hold(&found.target);
            let is_remote = curiosity::keys(actions).is_empty() && self.is_guess(&found.target);
            self.target = Some(found.target);
            self.score = if is_remote { found.score + REMOTE } else { found.score };
        }
        None
    }

    /// Whether pieces go for something of which nobody knows what it is good for.
    fn is_guess(&self, target: &Target) -> bool {
        match target {
            Target::Solve | Target::Press(..) => false,
            Target::Touch(thing) => !self.ledger.has_won(thing.kind),
            _ => true,
        }
    }

    /// Buttons of which the model tells what they do: all that were pressed, if it tells of most of them here.
    fn foretold(&self, frame: &Grid, actions: ActionSet) -> Vec<Action> {
        let state = self.state(frame);
        let untried = self.model.untried(&state);
        let mut choices = self.buttons(&state, actions);
        choices.retain(|it| !untried.contains(it));
        let is_told = |it: &Prediction| it.next.is_some() && it.confidence >= FORETOLD;
        let told = choices.iter().filter(|action| is_told(&self.model.predict(&state, **action))).count();
        if 2 * told > choices.len() { choices } else { Vec::new() }
    }

    /// What is wanted most, where something can be reached that comes before arrangements of which none ever solved a level: what is
    /// like what did, or what nobody could reach until something happened, since what opened may close again.
    fn survey_first(&mut self, (state, things): (&State, &Things), actions: ActionSet) -> Option<Found<Target>> {
        let first: Vec<Thing> = things.iter().map(|(thing, _)| thing).filter(|it| self.comes_first(*it)).collect();
        if self.arrangements.have_won() || first.is_empty() {
            return None;
        }
        let is_first = |it: &Found<Target>| matches!(it.target, Target::Touch(thing) if first.contains(&thing));
        let best = self.survey(state, things, self.facing, actions).best?;
        let is_in_reach = is_first(&best) || {
            let fuel = (self.fuel(&state.frame), false);
            let sought = Sought { budget: EXPANSIONS, only: Some(first) };
            self.seek(state, (things, self.facing), actions, fuel, sought).best.is_some()
        };
        is_in_reach.then_some(best)
    }

    /// Whether to touch a thing comes before arrangements of which none ever solved a level.
    fn comes_first(&self, thing: Thing) -> bool {
        let is_like_what_won = || self.ledger.has_itself_won(thing.kind) && !self.ledger.is_touched(thing);
        self.ledger.may_be_in_reach(thing) || is_like_what_won()
    }

    /// A way to what solved a level, if pieces would be pushed about for something else, which may not be undone: that is sought
    /// further than anything else, once after each thing that happened.
    fn before_shoving(
        &mut self,
        best: Option<Found<Target>>,
        (state, things): (&State, &Things),
        actions: ActionSet,
    ) -> Option<Found<Target>> {
        let pushes = best.as_ref().is_some_and(|it| it.shoves > 0 && it.target != Target::Solve);
        let has_won = |thing: &Thing| self.ledger.has_itself_won(thing.kind) && !self.ledger.is_touched(*thing);
        let winners: Vec<Thing> = things.iter().map(|(thing, _)| thing).filter(has_won).collect();
        if !pushes || winners.is_empty() || !self.ledger.may_look_far() {
            return best;
        }
        let fuel = self.fuel(&state.frame);
        let sought = Sought { budget: FAR_EXPANSIONS, only: Some(winners) };
        let found = self.seek(state, (things, self.facing), actions, (fuel, false), sought).best;
        if found.is_none() {
            self.ledger.looked_far();
        }
        found.or(best)
    }

    /// The pieces that answer to keys or, without any, to buttons, and what they would go for.
    pub(super) fn movers(&self, state: &State, actions: ActionSet) -> Vec<Advance> {
        let button = || self.buttons(state, actions).into_iter().next();
        let action = curiosity::keys(actions).into_iter().next().or_else(button);
        action.map(|it| self.model.advances(state, it)).unwrap_or_default()
    }

    /// What is wanted most of all that can be reached from a state.
    pub(super) fn survey(
        &mut self,
        from: &State,
        things: &Things,
        facing: Facing,
        actions: ActionSet,
    ) -> Report<Target> {
        let fuel = self.fuel(&from.frame);
        let is_low = fuel.is_low();
        self.search(from, (things, facing), actions, (fuel, is_low))
    }

    /// The same with a budget, which is to be filled before anything else or not.
    pub(super) fn search(
        &mut self,
        from: &State,
        (things, facing): (&Things, Facing),
        actions: ActionSet,
        fuel: (Fuel, bool),
    ) -> Report<Target> {
        self.seek(from, (things, facing), actions, fuel, Sought::default())
    }

    /// The same for this alone, and as far as that.
    fn seek(
        &mut self,
        from: &State,
        (things, facing): (&Things, Facing),
        actions: ActionSet,
        (fuel, is_low): (Fuel, bool),
        sought: Sought,
    ) -> Report<Target> {
        let comparison = self.likeness.compare(&from.frame);
        let (past, tried) = ((&self.visited, &self.failed), (&self.ledger, &self.modes));
        let sequence = self.first.as_ref().filter(|_| self.without != Some(Part::Order)).and_then(Sequence::read);
        let judge = Curiosity::new(things, tried, (&comparison, is_low), past, actions).on(self.footing);
        let judge = judge.steering(|key| self.model.is_arrow(key)).in_order(sequence.as_ref(), &from.frame);
        let judge = match sought.only {
            Some(only) => judge.only(only),
            None => judge,
        };
        let untried = if self.may_click(actions) { self.model.untried(from) } else { Vec::new() };
        let (aims, buttons) = (self.aims(from, (things, facing), actions), self.buttons(from, actions));
        let judge = judge.aiming(aims, &buttons, untried);
        let hoped = judge.sought();
        let switches = self.switches(actions);
        let asked = judge.keys.len() + switches.len() + buttons.len();
        let budget = self.effort.states(2 * sought.budget, 0, asked) / 2;
        let run = |judge: &mut Curiosity| {
            let search = Search::new(&self.model, self.detector.mask()).facing(facing).fuelled(fuel.clone());
            search.clicking(self.may_click(actions)).switching(switches.clone()).run(from.clone(), judge, budget)
        };
        let mut judge = judge.looking(&from.frame);
        let mut report = run(&mut judge);
        let mut expanded = report.expanded;
        if report.is_whole && report.best.as_ref().is_some_and(|it| matches!(it.target, Target::Look(_))) {
            report = run(&mut judge.looking_no_further());
            expanded += report.expanded;
        }
        self.effort.spend(expanded, asked);
        if let Some(thing) = hoped.filter(|_| report.in_vain) {
            self.ledger.looked_in_vain(thing);
        }
        report
    }

    /// Clicks of a state that plans may take: on buttons, and on pieces that they select.
    pub(super) fn buttons(&self, state: &State, actions: ActionSet) -> Vec<Action> {
        if self.may_click(actions) { self.model.choices(state) } else { Vec::new() }
    }

    /// Whether plans may select pieces by clicks.
    pub(super) fn may_click(&self, actions: ActionSet) -> bool {
        self.without != Some(Part::Selection) && actions.contains(ActionId::Action6)
    }

    /// Clicks that may open a way, where keys move pieces.
    pub(super) fn switches(&self, actions: ActionSet) -> Vec<Action> {
        let is_offered = self.without != Some(Part::Switches) && actions.contains(ActionId::Action6);
        let are_of_use = is_offered && !curiosity::keys(actions).is_empty();
        self.switches.clicks().filter(|_| are_of_use).collect()
    }

    /// Clicks that may be answered from where pieces are, and how interesting they are.
    fn aims(&self, from: &State, (things, facing): (&Things, Facing), actions: ActionSet) -> Vec<(Aim, f32)> {
        let is_offered = self.without != Some(Part::Switches) && actions.contains(ActionId::Action6);
        if !is_offered || !self.aims.are_open() {
            return Vec::new();
        }
        let near = Aim::all(things, &self.movers(from, actions), facing).into_iter();
        near.filter_map(|aim| Some((aim, self.aims.interest(&aim)?))).collect()
    }

    /// What is left of the budget.
    pub(super) fn fuel(&self, frame: &Grid) -> Fuel {
        self.first.as_ref().map_or_else(Fuel::default, |first| Fuel::of(&self.detector, frame, first))
    }

    /// A plan made before anybody knew what a step costs is made anew if it is too long.
    fn check_fuel(&mut self, frame: &Grid) {
        let fuel = self.fuel(frame);
        if !std::mem::replace(&mut self.knows_fuel, fuel.is_known()) && fuel.is_short_of(self.steps.len()) {
            self.drop_plan();
        }
    }

    /// A plan whose next step is known to lose by now is made anew: what goes its own way went another one. What was to be
    /// held there is let go.
    fn check_danger(&mut self, frame: &Grid) {
        let Some(action) = self.steps.front().map(|step| step.action) else { return };
        if self.model.predict(&self.state(frame), action).outcome == Outcome::Lost {
            if let Some(Target::Press(held, Some(thing))) = self.target.as_ref().filter(|_| !self.steps.is_empty()) {
                self.ledger.let_go(held.id(), *thing);
            }
            self.drop_plan();
        }
    }

    /// A press that did nothing before is held for a while.
    fn hold(&mut self, target: &Target) {
        let Target::Press(action, Some(thing)) = *target else { return };
        let again = (1..self.ledger.hold(action.id(), thing)).map(|_| Step { action, expected: None });
        self.steps.extend(again);
    }

    /// Of experiments that a skill finds as good as the one it takes up, the net's choice.
    fn reconsider(&mut self, frame: &Grid, actions: ActionSet) {
        let Some(hunches) = self.hunches.as_ref().filter(|it| it.tell()) else { return };
        let (model, state, mask) = (&self.model, self.model.state(frame), self.detector.mask());
        let promise = |action| hunches.promise(frame, &model.predict(&state, action), mask);
        self.skills.reconsider(frame, mask, actions, promise);
    }

    /// What exploration would do; of what it finds as good, the net's choice.
    pub(super) fn fall_back(&mut self, now: &Observation, frame: Option<&Grid>, actions: ActionSet) -> Decision {
        let mut decision = self.explore.decide(now, actions);
        while frame.is_some_and(|frame| self.loses(frame, &decision)) {
            decision = self.explore.decide(now, actions);
        }
        let Some(hunches) = self.hunches.as_ref().filter(|it| it.tell()) else { return decision };
        let (Some(frame), Command::Act(action)) = (frame, decision.command) else { return decision };
        let (state, mask) = (self.model.state(frame), self.detector.mask());
        let promise = |action| hunches.promise(frame, &self.model.predict(&state, action), mask);
        match hunch::most_promising(self.explore.equals(action, actions), |it| *it, promise) {
            Some(other) if other != action => Explore::trial(other, "untried, and should change something:"),
            _ => decision,
        }
    }

    /// Whether it is foreseen, and exploration did not know, that the level is lost by a decision.
    fn loses(&mut self, frame: &Grid, decision: &Decision) -> bool {
        let Command::Act(action) = decision.command else { return false };
        let state = self.model.state(frame);
        let foreseen = self.model.predict(&state, action).outcome == Outcome::Lost;
        let is_deadly =
            || self.ledger.perils.is_deadly(frame, self.detector.mask(), &self.model.advances(&state, action));
        (foreseen || is_deadly()) && self.explore.shun(action)
    }

    /// The next step for a skill, if one is at work.
    fn pursue(&mut self, actions: ActionSet) -> Option<Decision> {
        let decision = self.skills.follow(actions)?;
        self.expected = None;
        Some(decision)
    }

    fn follow(&mut self, frame: &Grid, actions: ActionSet) -> Option<Decision> {
        let step = self.steps.pop_front().filter(|step| actions.contains(step.action.id()))?;
        let key = self.key(frame);
        let taken = self.taken.entry((key, step.action)).or_default();
        *taken += 1;
        // What is held does nothing yet, as far as anybody knows: what goes to and fro is not held.
        let stays = step.expected.as_ref().is_none_or(|it| NodeKey::of(it, self.detector.mask()) == key);
        let holding = stays && matches!(self.target, Some(Target::Press(action, _)) if action == step.action);
        if *taken > REPEATS && !holding {
            *taken = 0;
            self.give_up();
            return None;
        }
        self.expected = step.expected;
        let target = self.target.as_ref().map(Target::to_string).unwrap_or_default();
        let why = format!("plan: {target}, {} more", self.steps.len());
        let who = match &self.target {
            Some(Target::Arrange(name)) if name.is_imagined() => Who::Imagine,
            Some(Target::Arrange(_)) => Who::Arrange,
            _ => Who::Search,
        };
        Some(Decision::new(step.action, who, why).with_goal(target))
    }

    /// The plan leads in circles.
    fn give_up(&mut self) {
        match &self.target {
            Some(Target::Touch(thing)) => self.ledger.penalize(*thing),
            Some(Target::Look(action)) => self.ledger.surveys.tire_of(action.id()),
            _ => {}
        }
    }
}
