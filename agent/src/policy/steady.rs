//! A player that goes on with a new one where one fails.
//!
//! A defect that shows in one frame of one game should not cost the play. The new player is told where the play stands
//! and nothing of what was before, which it might fail at again. The log has what failed and where.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

use env_client::{ActionSet, Command, Observation};

use super::{Decision, Outcome, Policy};

/// New players in one play: what fails more often fails for good.
const NEW: u32 = 3;

/// Such a player.
pub(super) struct Steady<P> {
    player: P,
    afresh: Box<dyn Fn() -> P + Send>,
    failures: u32,
}

impl<P: Policy> Steady<P> {
    /// Such a player, where each is made in the same way.
    pub(super) fn new(afresh: impl Fn() -> P + Send + 'static) -> Steady<P> {
        Steady { player: afresh(), afresh: Box::new(afresh), failures: 0 }
    }

    /// Lets the player work; where it fails, a new one that is told of `now`.
    fn attempt<T>(&mut self, now: Option<&Observation>, mut work: impl FnMut(&mut P) -> T) -> T {
        loop {
            let failure = match catch_unwind(AssertUnwindSafe(|| work(&mut self.player))) {
                Ok(done) => return done,
                Err(failure) => failure,
            };
            self.failures += 1;
            if self.failures > NEW {
                resume_unwind(failure);
            }
            tracing::error!(policy = self.player.name(), "the policy failed: a new one plays on");
            self.player = (self.afresh)();
            if let Some(now) = now {
                // A failure here is one of the work, which comes next.
                let told = AssertUnwindSafe(|| self.player.observe(None, Command::Reset, Outcome::Seen(now)));
                let _ = catch_unwind(told);
            }
        }
    }
}

impl<P: Policy> Policy for Steady<P> {
    fn name(&self) -> &'static str {
        self.player.name()
    }

    fn decide(&mut self, now: &Observation, actions: ActionSet) -> Decision {
        self.attempt(Some(now), |player| player.decide(now, actions))
    }

    fn observe(&mut self, before: Option<&Observation>, command: Command, outcome: Outcome<'_>) {
        let mut is_told = false;
        let now = if let Outcome::Seen(after) = outcome { Some(after) } else { None };
        self.attempt(now, |player| {
            if !std::mem::replace(&mut is_told, true) {
                player.observe(before, command, outcome);
            }
        });
    }

    fn defects(&self) -> u32 {
        self.failures + self.player.defects()
    }
}

impl<P: fmt::Debug> fmt::Debug for Steady<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Steady").field("player", &self.player).field("failures", &self.failures).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use env_client::{Action, Key};

    use super::*;
    use crate::policy::{Who, tests::observation};

    /// Fails at every second decision, and when it is told of a click.
    #[derive(Debug, Default)]
    struct Faulty {
        decided: u32,
        told: u32,
    }

    impl Policy for Faulty {
        fn name(&self) -> &'static str {
            "faulty"
        }

        fn decide(&mut self, _now: &Observation, _actions: ActionSet) -> Decision {
            self.decided += 1;
            assert!(self.decided < 2, "a defect");
            Decision::new(Action::Key(Key::Key1), Who::Chance, format!("told {}", self.told))
        }

        fn observe(&mut self, _before: Option<&Observation>, command: Command, _outcome: Outcome<'_>) {
            assert!(!matches!(command, Command::Act(Action::Click(_))), "another defect");
            self.told += 1;
        }
    }

    #[test]
    fn a_new_player_goes_on_where_one_failed() {
        let (mut player, now) = (Steady::new(Faulty::default), observation("0"));
        let why = |player: &mut Steady<Faulty>| player.decide(&now, ActionSet::ALL).why;
        (0..5).for_each(|_| player.observe(None, Command::Reset, Outcome::Seen(&now)));
        assert_eq!(
            [why(&mut player), why(&mut player)],
            ["told 5", "told 1"],
            "the new one knows where the play stands"
        );
        let click = Action::Click(env_client::Point::default());
        player.observe(Some(&now), click.into(), Outcome::Seen(&now));
        assert_eq!(why(&mut player), "told 1");
        assert_eq!(player.defects(), 2);
    }

    #[test]
    fn what_fails_again_and_again_fails_for_good() {
        let (mut player, now) = (Steady::new(Faulty::default), observation("0"));
        let decisions = (0..9).map(|_| catch_unwind(AssertUnwindSafe(|| player.decide(&now, ActionSet::ALL))).is_ok());
        assert_eq!(decisions.take_while(|it| *it).count(), 1 + NEW as usize);
    }
}
