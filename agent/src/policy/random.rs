//! The baseline: any action, anywhere.

use env_client::{Action, ActionId, ActionSet, Command, Key, Observation, Point, SIDE};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Decision, Outcome, Policy, Who};

/// Draws uniformly from the available actions, and the point of a click uniformly from the cells of the newest frame
/// (from all 64×64 points when there is no frame). Learns nothing.
#[derive(Debug)]
pub struct Random {
    rng: ChaCha8Rng,
}

impl Random {
    /// A player whose draws follow from `seed` alone.
    pub fn new(seed: u64) -> Random {
        Random { rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    fn point(&mut self, now: &Observation) -> Point {
        let (width, height) = now.settled().map_or((SIDE, SIDE), |grid| (grid.width(), grid.height()));
        let (x, y) = (self.rng.random_range(0..width), self.rng.random_range(0..height));
        Point::new(x, y).unwrap_or_default()
    }
}

impl Policy for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn decide(&mut self, now: &Observation, actions: ActionSet) -> Decision {
        let index = self.rng.random_range(0..actions.len().max(1));
        let id = actions.iter().nth(index).unwrap_or(ActionId::Action1);
        let action = Key::from_id(id).map_or_else(|| Action::Click(self.point(now)), Action::Key);
        Decision::new(action, Who::Chance, "drawn at random")
    }

    fn observe(&mut self, _before: Option<&Observation>, _command: Command, _outcome: Outcome<'_>) {}
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::policy::tests::observation;

    fn draws(seed: u64, actions: ActionSet) -> Vec<Command> {
        let now = observation("0123\n4567");
        let mut policy = Random::new(seed);
        (0..300).map(|_| policy.decide(&now, actions).command).collect()
    }

    #[test]
    fn one_seed_draws_one_sequence() {
        assert_eq!(draws(7, ActionSet::ALL), draws(7, ActionSet::ALL));
        assert_ne!(draws(7, ActionSet::ALL), draws(8, ActionSet::ALL));
    }

    #[test]
    fn every_available_action_and_no_other_is_drawn() {
        let actions: ActionSet = [ActionId::Action2, ActionId::Action6].into_iter().collect();
        let drawn: BTreeSet<_> = draws(1, actions).into_iter().map(Command::number).collect();
        assert_eq!(drawn, BTreeSet::from([2, 6]));
    }

    #[test]
    fn clicks_cover_the_frame_and_stay_inside_it() {
        let actions: ActionSet = [ActionId::Action6].into_iter().collect();
        let points: BTreeSet<_> = draws(1, actions)
            .into_iter()
            .filter_map(|command| match command {
                Command::Act(action) => action.point().map(|point| (point.x(), point.y())),
                Command::Reset => None,
            })
            .collect();
        let cells: BTreeSet<_> = (0..4u8).flat_map(|x| (0..2u8).map(move |y| (x, y))).collect();
        assert_eq!(points, cells);
    }
}
