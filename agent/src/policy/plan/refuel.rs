//! Filling the budget first, where it could not be filled any more after what is wanted.
//!
//! A search plans no further than one thing. Where a bar says how far the budget reaches and something in sight is known to fill
//! it, a way that ends where nothing that fills it can be reached any more is put off: the way to a filling comes first if it
//! is shorter, once a life for each thing that is wanted. What may solve the level is never put off.

use env_client::ActionSet;
use world_model::{State, WorldModel};

use super::{
    Plan,
    curiosity::Target,
    fuel::Fuel,
    parts::Part,
    search::Found,
    things::{Things, Under},
};

impl<M: WorldModel> Plan<M> {
    /// What was found from a state, or a way to something that fills the budget, where that has to come before.
    pub(super) fn provide(
        &mut self,
        found: Found<Target>,
        (state, things): (&State, &Things),
        fuel: Fuel,
        actions: ActionSet,
    ) -> Found<Target> {
        let is_part = self.without != Some(Part::Refuel);
        let is_open = is_part && !self.provided.contains(&found.target) && self.has_filling(things);
        if !is_open || self.may_solve(&found.target, state) || !self.strands(&found, state, actions) {
            return found;
        }
        let before = self.search(state, (things, self.facing), actions, (fuel, true)).best;
        match before.filter(|it| self.fills(&it.target) && it.path.len() < found.path.len()) {
            Some(before) => {
                self.provided.push(found.target);
                before
            }
            None => found,
        }
    }

    /// Whether nothing that fills the budget can be reached any more after what was found.
    fn strands(&mut self, found: &Found<Target>, state: &State, actions: ActionSet) -> bool {
        if self.fills(&found.target) || !found.fuel.is_known() {
            return false;
        }
        let before = found.path.iter().rev().nth(1).and_then(|step| step.expected.as_ref());
        let last = before.unwrap_or(state);
        let things = Things::of(&last.frame, self.detector.mask(), &self.movers(last, actions), Under::default());
        // One action more, since this is the state before the last one.
        let fuel = found.fuel.after(None);
        let way = self.search(last, (&things, self.facing), actions, (fuel, true)).best;
        way.is_none_or(|it| !self.fills(&it.target))
    }

    fn has_filling(&self, things: &Things) -> bool {
        things.iter().any(|(thing, _)| self.ledger.fillings.contains(thing.kind))
    }

    fn fills(&self, target: &Target) -> bool {
        matches!(target, Target::Touch(thing) if self.ledger.fillings.contains(thing.kind))
    }

    /// Whether a target may be the last of the level.
    fn may_solve(&self, target: &Target, state: &State) -> bool {
        match target {
            Target::Solve | Target::Arrange(_) | Target::Bring(_) => true,
            Target::Touch(thing) => match self.likeness.compare(&state.frame).is_alike(thing.at) {
                Some(alike) => alike,
                None => self.ledger.has_won(thing.kind),
            },
            _ => false,
        }
    }
}
