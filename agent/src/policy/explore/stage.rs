//! How far exploration of a level has been driven: first what is likely, at last everything once more.

use super::{
    candidates::{Candidate, Fate, Tier},
    experience::Experience,
};

/// What counts as open: everything up to a tier that was not played too often in its state for this round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stage {
    tier: Tier,
    round: u16,
    /// The last round that opened nothing more; later ones go on from there.
    exhausted: u16,
}

impl Default for Stage {
    fn default() -> Self {
        Stage { tier: Tier::Likely, round: 0, exhausted: 0 }
    }
}

impl Stage {
    /// Whether an action is to be tried in this stage. What lost a play is only repeated in later rounds.
    pub(super) fn opens(self, candidate: &Candidate, experience: &Experience) -> bool {
        let tries = candidate.tries.saturating_add(u16::from(candidate.fate == Fate::Deadly));
        tries <= self.allowance() && candidate.tier(experience) <= self.tier
    }

    /// Tries that do not close an action yet. Round `n` allows `n` more than the one before, to be played in a row:
    /// what must be done several times before it shows would never show if everything were repeated in turn.
    fn allowance(self) -> u16 {
        self.round.saturating_mul(self.round.saturating_add(1)) / 2
    }

    /// Whether only that is tried of which nobody knows yet where it leads.
    pub(super) fn is_picky(self) -> bool {
        self.tier < Tier::Lattice
    }

    pub(super) fn wants_lattice(self) -> bool {
        self.tier == Tier::Lattice
    }

    /// Something new was found: likely things first again.
    pub(super) fn restart(&mut self) {
        (self.tier, self.round) = (Tier::Likely, 0);
    }

    /// Nothing is open in this stage.
    pub(super) fn advance(&mut self) {
        match self.tier {
            Tier::Likely => self.tier = Tier::Unlikely,
            Tier::Unlikely => self.tier = Tier::Lattice,
            Tier::Lattice => {
                self.exhausted = if self.round == 0 { self.exhausted } else { self.round };
                self.round = self.exhausted.saturating_add(1);
                self.tier = Tier::Likely;
            }
        }
    }
}
