//! Looking for a way to an arrangement, from here or else from the beginning of the level.
//!
//! Where no way leads on to what solved a level before, and one does from the beginning, the level is begun again
//! ([`super::retreat`]), and that way is looked for there before anything else.

use std::collections::VecDeque;

use env_client::{Action, ActionSet, Grid};
use world_model::{Advance, Foresight, Outcome, Prediction, Source, State, WorldModel};

use super::{
    Part, Plan,
    arrange::{Arrangement, Level},
    curiosity::{self, Target},
    decide::EXPANSIONS,
    halts,
    ledger::TIER,
    names::Name,
    pairs::{Role, cast},
    reach::{Query, Reached, reach},
    remembered::Remembered,
    retreat::NARROW,
    search::{NodeKey, Step},
    things::Things,
    troupe::{self, Stage},
};

/// States whose actions the search for an arrangement looks at, and predictions that one for all pieces together asks for: half of
/// what a decision may. Guesses.
const REACHED: usize = 6000;
const QUESTIONS: usize = 12_000;
/// What an arrangement is worth that never solved a level: more than touching what was never touched.
const ARRANGED: f32 = 0.8 * TIER;

/// What a search for a way keeps to.
struct Rules<'a> {
    now: &'a Things,
    actions: ActionSet,
    perils: Remembered<bool>,
}

/// What came of looking for a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The plan is to take it.
    Planned,
    /// It leads from the beginning of the level only.
    FromTheBeginning,
    Unknown,
}

impl<M: WorldModel> Plan<M> {
    /// Looks for a way to an arrangement that the level may want. Where none is known to one that is worth it, the next look
    /// is for a way from the beginning of the level.
    pub(super) fn arrange(&mut self, state: &State, advances: &[Advance], actions: ActionSet) -> Way {
        let Some(first) = self.first.clone() else { return Way::Unknown };
        let now = self.look(&self.still(&state.frame), advances);
        let rules = Rules { now: &now, actions, perils: Remembered::default() };
        if let Some((wanted, states)) = self.retreats.take().filter(|_| !self.is_ready(&state.frame)) {
            let trip = self.way(&State::seen(first), &wanted, &rules);
            let is_dead_end = states.is_some_and(|states| trip.expanded >= NARROW * states);
            if trip.path.is_some() {
                self.arrangements.look_again();
            }
            return if trip.path.is_some() || is_dead_end { Way::FromTheBeginning } else { Way::Unknown };
        }
        let image = self.imagery.now().map(|it| &it.frame);
        let start = State::seen(first.clone());
        let (began, first) = (self.movers(&start, actions), self.still(&first));
        let (kin, flock) = (&self.model.kin(&start), &self.model.flock(&start));
        let mask = self.detector.mask();
        let level = Level { first: &first, now: &now, mask, advances, cast: &began, kin, flock, image };
        let (wanted, cast) = (self.arrangements.wanted(&level), cast(advances));
        let mut missing =
            wanted.into_iter().filter(|it| it.distance(&state.frame, &cast).is_some_and(|distance| distance > 0));
        let Some(wanted) = missing.next() else { return Way::Unknown };
        let trip = self.way(state, &wanted, &rules);
        let Some(path) = trip.path else {
            self.arrangements.is_out_of_reach(wanted.name);
            if self.is_worth_a_restart(&wanted) {
                self.retreats.is_out_of_reach(wanted, trip.is_exhausted.then_some(trip.expanded));
            }
            return Way::Unknown;
        };
        self.steps = VecDeque::from(path);
        self.steps.extend(self.submit(actions).filter(|it| !self.ledger.uses.puts_back(it.action.id())));
        self.target = Some(Target::Arrange(wanted.name));
        self.score = if self.arrangements.is_proven(wanted.name) { 0.0 } else { ARRANGED };
        self.arranging = Some(wanted);
        Way::Planned
    }

    /// A way to an arrangement that the model knows: looked for with all pieces together first where such a one has won, and
    /// else where the usual search comes to no end.
    fn way(&mut self, from: &State, wanted: &Arrangement, rules: &Rules<'_>) -> Reached {
        let is_proven = self.arrangements.is_proven(wanted.name);
        let first = if is_proven { self.perform(from, wanted, rules) } else { None };
        let mut reached = match first {
            Some(path) => Reached { path: Some(path), expanded: 0, is_exhausted: false },
            None => self.seek_arrangement(from, wanted, rules),
        };
        if reached.path.is_none() && !reached.is_exhausted && !is_proven {
            reached.path = self.perform(from, wanted, rules);
        }
        let (steps, expanded) = (reached.path.as_ref().map(Vec::len), reached.expanded);
        tracing::trace!(pairs = ?wanted.pairs, "asked for an arrangement");
        tracing::debug!(at = self.lives.steps(), name = %wanted.name, steps, expanded, "looked for an arrangement");
        reached
    }

    /// The same by the usual search, state by state.
    fn seek_arrangement(&mut self, from: &State, wanted: &Arrangement, rules: &Rules<'_>) -> Reached {
        let may_hope = self.arrangements.may_hope(wanted.name);
        let keys = self.steering(rules.actions);
        let asked = keys.len() + self.buttons(from, rules.actions).len();
        let query = Query {
            actions: &keys,
            clicks: self.may_click(rules.actions),
            distance: |frames: (&Grid, &Grid), movers: &[Role]| wanted.toil(frames, movers),
            walkable: |frame: &Grid, key, action, it: &Prediction, advances: &[Advance]| {
                self.is_walkable(rules, (frame, key, action), it, advances)
            },
            hopes: |frame: &Grid, key, action, it: &Foresight| {
                let is_known = it.prediction.source == Source::Memory || self.failed.contains(&(key, action));
                if !may_hope || is_known || !self.is_safe(rules, frame, &it.advances) {
                    return Vec::new();
                }
                halts::halts(frame, it, wanted)
            },
            budget: self.effort.states(REACHED, 2 * EXPANSIONS, asked),
        };
        let reached = reach(&self.model, self.detector.mask(), from.clone(), &query);
        self.effort.spend(reached.expanded, asked);
        reached
    }

    /// The same for pieces that obey the same actions, the places of all of which are too many for other searches.
    fn perform(&mut self, from: &State, wanted: &Arrangement, rules: &Rules<'_>) -> Option<Vec<Step>> {
        if wanted.litter.is_some() || self.without == Some(Part::Together) {
            return None;
        }
        let mut actions = self.steering(rules.actions);
        actions.extend(self.buttons(from, rules.actions));
        let advances = self.model.advances(from, *actions.first()?);
        let mask = self.detector.mask();
        let allows = |frame: &Grid, action: Action, it: &Prediction, advances: &[Advance]| {
            let key = NodeKey::of(&State::seen(frame.clone()), mask);
            self.is_walkable(rules, (frame, key, action), it, advances)
        };
        let most = self.effort.states(QUESTIONS, 0, 1);
        let mut stage = Stage::set((&self.model, mask), from, &advances, (actions, &allows), most)?;
        let way = troupe::perform(&mut stage, (from, &cast(&advances)), &wanted.pairs);
        let (asked, steps) = (stage.asked, way.as_ref().map(Vec::len));
        tracing::debug!(at = self.lives.steps(), name = %wanted.name, steps, asked, most, "looked for it with all together");
        self.effort.spend(asked, 1);
        way
    }

    /// The keys that a way to an arrangement may take.
    fn steering(&self, actions: ActionSet) -> Vec<Action> {
        let mut keys = curiosity::keys(actions);
        keys.retain(|key| !self.ledger.uses.puts_back(key.id()));
        keys.extend(self.switches(actions));
        keys
    }

    /// Whether a predicted step may be walked.
    fn is_walkable(
        &self,
        rules: &Rules<'_>,
        (frame, key, action): (&Grid, NodeKey, Action),
        it: &Prediction,
        advances: &[Advance],
    ) -> bool {
        let is_known = it.source == Source::Memory;
        let fails = !is_known && (!self.footing.holds(it.confidence) || self.failed.contains(&(key, action)));
        it.outcome == Outcome::Continues && !fails && self.is_safe(rules, frame, advances)
    }

    /// Whether nobody is lost who goes there.
    fn is_safe(&self, rules: &Rules<'_>, frame: &Grid, advances: &[Advance]) -> bool {
        !rules.perils.get(advances, || self.ledger.is_peril(rules.now, advances))
            && !self.ledger.perils.is_deadly(frame, self.detector.mask(), advances)
    }

    /// The arrangement that solved the level: the one that was wanted, or else one that the last step brought about.
    pub(super) fn arranged(
        &self,
        (old, last): (&Grid, Option<&Grid>),
        now: &Things,
        (action, advances): (Action, &[Advance]),
    ) -> Option<Name> {
        match self.target {
            Some(Target::Arrange(name)) if self.steps.len() <= 1 => return Some(name),
            _ => {}
        }
        let first = self.first.as_ref()?;
        let start = State::seen(first.clone());
        let began = self.model.advances(&start, action);
        let (kin, flock) = (&self.model.kin(&start), &self.model.flock(&start));
        let level = Level { first, now, mask: self.detector.mask(), advances, cast: &began, kin, flock, image: None };
        self.arrangements.came_true(&level, old, last?)
    }

    /// Some levels look at what was arranged only when told to, by the key that is no arrow.
    fn submit(&self, actions: ActionSet) -> Option<Step> {
        let action = curiosity::keys(actions).into_iter().find(|key| !self.model.is_arrow(*key))?;
        Some(Step { action, expected: None })
    }

    /// Whether a level that did not just begin may begin again for the sake of an arrangement.
    fn is_worth_a_restart(&self, wanted: &Arrangement) -> bool {
        let may_win = || wanted.name.relation.is_telling() && wanted.is_exact && self.retreats.is_late();
        let is_wanted = self.arrangements.is_proven(wanted.name) || may_win();
        is_wanted && self.lives.steps() > 0 && self.retreats.are_left()
    }
}
