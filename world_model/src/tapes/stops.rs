//! Whether a step that was stopped is recorded although no ghost is on its way.
//!
//! Both may be: then ghosts are where the one or the other kind of tape says, and whoever sees them knows. Until that was
//! seen, such steps are taken to leave nothing on a tape.

use super::{Place, Stand, Tape, place_of};

/// Steps at which only one kind of tape said where all ghosts are, more than those at which only the other one did. A guess.
const CLEAR: i32 = 2;

/// Keeps tapes on which each stop counts beside those on which none does, until one kind proves right.
#[derive(Clone, Debug, Default)]
pub(super) struct Stops {
    tape: Tape,
    ghosts: Vec<Tape>,
    votes: i32,
    count: bool,
}

impl Stops {
    /// Nothing is recorded, and no ghost is there.
    pub(super) fn begin(&mut self) {
        self.tape.clear();
        self.ghosts.clear();
    }

    /// Whether stops count.
    pub(super) fn count(&self) -> bool {
        self.count
    }

    /// A step led here, or was stopped here.
    pub(super) fn went(&mut self, to: Place) {
        self.tape.push(to);
    }

    /// A recording ended, with a step if there was one.
    pub(super) fn ends(&mut self, step: Option<Place>) {
        self.tape.extend(step);
        self.ghosts.extend(Some(std::mem::take(&mut self.tape)).filter(|tape| !tape.is_empty()));
    }

    /// Looks where ghosts are after a step; whether it has just become clear that stops count, and the level stands
    /// otherwise than it was thought to.
    pub(super) fn tell(&mut self, stand: &mut Stand, start: Place, is_ghost_at: impl Fn(Place) -> bool) -> bool {
        if self.count {
            return false;
        }
        let all_seen = |ghosts: &[Tape], clock: usize| {
            let mut places = ghosts.iter().map(|tape| place_of(tape, clock, start));
            !ghosts.is_empty() && places.all(|at| at == stand.at || is_ghost_at(at))
        };
        let (with, without) = (all_seen(&self.ghosts, self.tape.len()), all_seen(&stand.ghosts, stand.tape.len()));
        self.votes += i32::from(with) - i32::from(without);
        self.count = self.votes >= CLEAR;
        if self.count {
            stand.tape.clone_from(&self.tape);
            stand.ghosts.clone_from(&self.ghosts);
        }
        self.count
    }
}
