//! Beginning a level again where only that leads on.
//!
//! What was pushed into a corner stays there: little can be reached from there, and much from the beginning. Where nothing
//! that is expected to win can be reached any more, and it can from the beginning, the level is begun again: for an
//! arrangement that solved a level before ([`super::arranging`]), or for a thing of such a kind.

use env_client::{ActionSet, Command, Grid};
use world_model::{State, WorldModel};

use super::{
    Plan,
    arrange::Arrangement,
    curiosity::Target,
    things::{Facing, Things, Under},
};
use crate::policy::{Decision, Who};

/// How often a level is begun again as soon as nothing leads on; after that it takes so many actions in vain, and twice as many
/// each time. Guesses.
const RESTARTS: u32 = 2;
const LATER: u32 = 32;
/// So many times more states that can be reached from the beginning than from here make this a dead end. A guess.
pub(super) const NARROW: usize = 4;
/// Actions between two looks from the beginning for the same reason; twice as many each time. A guess.
const WAIT: u32 = 8;

/// What is known of dead ends in a level.
#[derive(Debug, Default)]
pub(super) struct Retreats {
    /// How often the level began again.
    count: u32,
    /// Actions since it last began.
    since: u32,
    /// What no way leads to from here, when one from the beginning is to be looked for, and all states that were reached, if
    /// those are all.
    out_of_reach: Option<(Arrangement, Option<usize>)>,
    /// Actions in this level, and those after which to look from the beginning again.
    now: u32,
    due: u32,
    wait: u32,
}

impl Retreats {
    /// The level begins again.
    pub(super) fn begin_again(&mut self) {
        self.out_of_reach = None;
        self.since = 0;
    }

    /// An action was taken.
    pub(super) fn act(&mut self) {
        self.now += 1;
        self.since += 1;
    }

    /// No way leads to this from here, from where only so many states can be reached, if that is known.
    pub(super) fn is_out_of_reach(&mut self, wanted: Arrangement, states: Option<usize>) {
        self.out_of_reach = Some((wanted, states));
    }

    /// What a way from the beginning is to be looked for to, once.
    pub(super) fn take(&mut self) -> Option<(Arrangement, Option<usize>)> {
        self.out_of_reach.take()
    }

    /// Whether the level may begin again.
    pub(super) fn are_left(&self) -> bool {
        self.count < RESTARTS || self.since >= LATER << (self.count - RESTARTS).min(8)
    }

    /// Whether so much was done in vain that what merely may be wanted is worth beginning again for.
    pub(super) fn is_late(&self) -> bool {
        self.since >= LATER
    }

    /// Whether to look from the beginning now; the next time is later.
    fn is_due(&mut self) -> bool {
        let is_due = self.now >= self.due;
        if is_due {
            self.wait = (2 * self.wait).max(WAIT);
            self.due = self.now + self.wait;
        }
        is_due
    }
}

impl<M: WorldModel> Plan<M> {
    /// Whether something of a kind that won before can be reached from the beginning of the level: asked when nothing else
    /// can be from here.
    pub(super) fn leads_from_the_beginning(&mut self, actions: ActionSet) -> bool {
        if self.lives.steps() == 0 || !self.retreats.are_left() || !self.retreats.is_due() {
            return false;
        }
        let Some(first) = self.first.clone() else { return false };
        let state = State::seen(first);
        let things = Things::of(&state.frame, self.detector.mask(), &self.movers(&state, actions), Under::default());
        let report = self.survey(&state, &things, Facing::default(), actions);
        report.best.is_some_and(|best| self.may_win(&best.target))
    }

    /// Whether what is wanted is expected to win and was not tried in this level: from where it can be reached nobody begins
    /// again.
    pub(super) fn may_win(&self, target: &Target) -> bool {
        match target {
            Target::Solve => true,
            Target::Touch(thing) => !self.ledger.is_touched(*thing) && self.ledger.has_won(thing.kind),
            Target::Bring(errand) => self.ledger.errands.has_won(errand),
            _ => false,
        }
    }

    /// Whether a drawing is shown as it is wanted somewhere, which beginning again would undo.
    pub(super) fn is_ready(&self, frame: &Grid) -> bool {
        self.likeness.compare(frame).is_ready()
    }

    /// Begins the level again.
    pub(super) fn start_over(&mut self, who: Who) -> Decision {
        self.retreats.count += 1;
        self.drop_plan();
        let why = "start over: a way to what is wanted leads from the beginning, and none from here";
        Decision::new(Command::Reset, who, why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_begins_again_ever_later() {
        let mut retreats = Retreats::default();
        let mut begun = Vec::new();
        for now in 0..200 {
            if retreats.are_left() && now > 0 {
                retreats.count += 1;
                retreats.begin_again();
                begun.push(now);
            }
            retreats.act();
        }
        assert_eq!(begun, [1, 2, 2 + LATER, 2 + 3 * LATER], "at once, and then after twice as many actions each time");
    }
}
