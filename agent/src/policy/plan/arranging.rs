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
    troupe::{self, Allows, Stage},
};

/// States whose actions the search for an arrangement looks at.
const REACHED: usize = 6000;
/// What an arrangement is worth that never solved a level: more than touching what was never touched.
const ARRANGED: f32 = 0.8 * TIER;

/// What a search for a way keeps to.
struct Rules<'a> {
    now: &'a Things,
    actions: ActionSet,
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
        let rules = Rules { now: &now, actions };
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
        let (began, kin, first) = (self.movers(&start, actions), self.model.kin(&start), self.still(&first));
        let level =
            Level { first: &first, now: &now, mask: self.detector.mask(), advances, cast: &began, kin: &kin, image };
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

    /// A way to an arrangement that the model knows.
    fn way(&mut self, from: &State, wanted: &Arrangement, rules: &Rules<'_>) -> Reached {
        let (failed, ledger, footing, mask) = (&self.failed, &self.ledger, self.footing, self.detector.mask());
        let may_hope = self.arrangements.may_hope(wanted.name);
        let mut keys = curiosity::keys(rules.actions);
        keys.retain(|key| !ledger.uses.puts_back(key.id()));
        keys.extend(self.switches(rules.actions));
        let perils = Remembered::default();
        let is_safe = |frame: &Grid, advances: &[Advance]| {
            !perils.get(advances, || ledger.is_peril(rules.now, advances))
                && !ledger.perils.is_deadly(frame, mask, advances)
        };
        let query = Query {
            actions: &keys,
            clicks: self.may_click(rules.actions),
            distance: |frames: (&Grid, &Grid), movers: &[Role]| wanted.toil(frames, movers),
            walkable: |frame: &Grid, key, action, it: &Prediction, advances: &[Advance]| {
                let known = it.source == Source::Memory;
                let fails = !known && (!footing.holds(it.confidence) || failed.contains(&(key, action)));
                it.outcome == Outcome::Continues && !fails && is_safe(frame, advances)
            },
            hopes: |frame: &Grid, key, action, it: &Foresight| {
                let is_known = it.prediction.source == Source::Memory || failed.contains(&(key, action));
                if !may_hope || is_known || !is_safe(frame, &it.advances) {
                    return Vec::new();
                }
                halts::halts(frame, it, wanted)
            },
            budget: self.effort.states(REACHED, 2 * EXPANSIONS, keys.len()),
        };
        let allows = |frame: &Grid, action: Action, it: &Prediction, advances: &[Advance]| {
            let key = NodeKey::of(&State::seen(frame.clone()), mask);
            (query.walkable)(frame, key, action, it, advances)
        };
        let perform = |is_due: bool| if is_due { self.perform(from, wanted, &keys, &allows) } else { None };
        let is_proven = self.arrangements.is_proven(wanted.name);
        let mut reached = match perform(is_proven) {
            Some(path) => Reached { path: Some(path), expanded: 0, is_exhausted: false },
            None => reach(&self.model, mask, from.clone(), &query),
        };
        if reached.path.is_none() {
            reached.path = perform(!is_proven && !reached.is_exhausted);
        }
        self.effort.spend(reached.expanded, keys.len());
        let (steps, expanded) = (reached.path.as_ref().map(Vec::len), reached.expanded);
        tracing::debug!(at = self.lives.steps(), name = %wanted.name, steps, expanded, "looked for an arrangement");
        reached
    }

    /// A way to it where several pieces obey the same actions: the places of all of them are too many for other searches.
    fn perform(&self, from: &State, wanted: &Arrangement, keys: &[Action], allows: &Allows<'_>) -> Option<Vec<Step>> {
        if wanted.litter.is_some() {
            return None;
        }
        let choices = self.model.choices(from).into_iter().filter(|_| self.without != Some(Part::Selection));
        let actions: Vec<Action> = keys.iter().copied().chain(choices).collect();
        let advances = self.model.advances(from, *actions.first()?);
        let stage = Stage::set((&self.model, self.detector.mask()), from, &advances, actions, allows)?;
        troupe::perform(stage, (from, &cast(&advances)), &wanted.pairs)
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
        let (began, kin) = (self.model.advances(&start, action), self.model.kin(&start));
        let level = Level { first, now, mask: self.detector.mask(), advances, cast: &began, kin: &kin, image: None };
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
