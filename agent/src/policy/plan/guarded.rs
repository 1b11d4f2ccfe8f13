//! A skill that is left out of the rest of a play once it fails.
//!
//! A defect of one way to understand a game is no reason to give up all others. The log has what failed and where.

use std::panic::{AssertUnwindSafe, catch_unwind};

use env_client::{ActionSet, Grid};
use world_model::{InterfaceMask, Start, Transition};

use super::{
    imagine::Imagined,
    skill::{Proposal, Skill},
};
use crate::policy::Who;

/// Such a skill.
#[derive(Debug)]
pub(super) struct Guarded {
    skill: Box<dyn Skill>,
    has_failed: bool,
}

impl Guarded {
    pub(super) fn new(skill: Box<dyn Skill>) -> Guarded {
        Guarded { skill, has_failed: false }
    }

    pub(super) fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// What comes of letting the skill work; nothing where it fails, and ever after.
    fn attempt<T: Default>(&mut self, work: impl FnOnce(&mut dyn Skill) -> T) -> T {
        if self.has_failed {
            return T::default();
        }
        let done = catch_unwind(AssertUnwindSafe(|| work(&mut *self.skill)));
        done.unwrap_or_else(|_| {
            tracing::error!(skill = self.skill.name(), "the skill failed: it is left out of the rest of the play");
            self.has_failed = true;
            T::default()
        })
    }
}

impl Skill for Guarded {
    fn name(&self) -> &'static str {
        self.skill.name()
    }

    fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.attempt(|it| it.begin(frame, mask, start));
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.attempt(|it| it.observe(step, mask));
    }

    fn imagine(&mut self, image: Option<&Imagined>) {
        self.attempt(|it| it.imagine(image));
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.attempt(|it| it.propose(frame, mask, actions))
    }

    fn alternatives(&self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Vec<Proposal> {
        if self.has_failed { Vec::new() } else { self.skill.alternatives(frame, mask, actions) }
    }

    fn recognizes(&self, expected: &Grid, seen: &Grid, mask: &InterfaceMask) -> bool {
        self.skill.recognizes(expected, seen, mask)
    }

    fn starts_over(&mut self) -> bool {
        self.attempt(|it| it.starts_over())
    }

    fn returns_on_purpose(&self) -> bool {
        !self.has_failed && self.skill.returns_on_purpose()
    }

    fn is_curious(&self) -> bool {
        self.skill.is_curious()
    }

    fn gives_up(&self) -> bool {
        self.has_failed || self.skill.gives_up()
    }

    fn signs(&self) -> Who {
        self.skill.signs()
    }

    fn taken_up(&mut self) {
        self.attempt(|it| it.taken_up());
    }

    fn in_vain(&mut self) {
        self.attempt(|it| it.in_vain());
    }
}

#[cfg(test)]
mod tests {
    use env_client::{Action, Color, Key};

    use super::*;

    /// Wants to press a key until it fails at its second look.
    #[derive(Debug, Default)]
    struct Faulty(u32);

    impl Skill for Faulty {
        fn name(&self) -> &'static str {
            "faulty"
        }

        fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, _start: Start) {}

        fn observe(&mut self, _step: &Transition<'_>, _mask: &InterfaceMask) {}

        fn propose(&mut self, _frame: &Grid, _mask: &InterfaceMask, _actions: ActionSet) -> Option<Proposal> {
            self.0 += 1;
            assert!(self.0 != 2, "a defect");
            Some(Proposal::experiment(Action::Key(Key::Key1), String::new(), 1.0))
        }
    }

    #[test]
    fn a_skill_that_failed_proposes_nothing_any_more() {
        let (mut skill, frame, mask) =
            (Guarded::new(Box::<Faulty>::default()), Grid::filled(4, 4, Color::of(0)), InterfaceMask::new());
        let mut proposes = || skill.propose(&frame, &mask, ActionSet::ALL).is_some();
        assert_eq!([proposes(), proposes(), proposes()], [true, false, false]);
        assert!(skill.gives_up());
    }
}
