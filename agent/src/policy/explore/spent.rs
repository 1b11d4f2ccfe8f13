//! States in which nothing answers any more: a store is empty, or all is placed, and only undoing leads on, or what nobody knows.
//!
//! There no click says anything of what it does elsewhere, so none counts; and what was clicked for nothing in one such
//! state is not clicked in another, nor what has its colour, until nothing else is left.

use std::collections::HashSet;

use env_client::{Action, Key, Point};

use super::{
    candidates::{Candidate, Fate},
    experience::{Experience, RecordId},
    graph::State,
    twins::Twins,
};

/// Clicks that answered elsewhere, of which none does here, before nothing else is expected to. A guess.
const FEWEST: usize = 3;

/// What was clicked for nothing in such states of this level: points, and colours.
#[derive(Debug, Default)]
pub(super) struct Spent {
    points: HashSet<Point>,
    colors: HashSet<RecordId>,
}

impl Spent {
    pub(super) fn begin_level(&mut self) {
        *self = Spent::default();
    }

    /// A click did nothing where nothing answers.
    pub(super) fn learn(&mut self, click: &Candidate) {
        self.points.extend(click.action.point());
        self.colors.extend(click.records().1.map(|(_, family)| family));
    }

    /// Whether it did nothing in another such state, or what has its colour did, unless its like answers elsewhere.
    pub(super) fn closes(&self, candidate: &Candidate, experience: &Experience) -> bool {
        let (class, click) = candidate.records();
        let is_like_others = click.is_some_and(|(_, family)| self.colors.contains(&family));
        candidate.action.point().is_some_and(|at| self.points.contains(&at))
            || (is_like_others && !experience.of_key(class).live)
    }
}

/// Whether all that answered elsewhere in this level was clicked here for nothing, and nothing but undoing moved anything.
pub(super) fn is_spent(state: &State, experience: &Experience, twins: &Twins) -> bool {
    let is_idle = |it: &Candidate| it.tries > 0 && matches!(it.fate, Fate::Nothing { .. });
    let is_told =
        |it: &Candidate| it.tries == 0 && state.candidates.iter().any(|other| is_idle(other) && twins.tell(it, other));
    let leads_on =
        |it: &Candidate| matches!(it.fate, Fate::Moved | Fate::Presumed) && it.action != Action::Key(Key::Key7);
    let mut answered = state.candidates.iter().filter(|it| it.has_answered(experience));
    let idle = answered.try_fold(0, |count, it| (is_idle(it) || is_told(it)).then_some(count + 1));
    idle.is_some_and(|count| count >= FEWEST) && !state.candidates.iter().any(leads_on)
}
