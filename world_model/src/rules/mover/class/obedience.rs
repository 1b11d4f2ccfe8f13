//! Whether pieces of a class answer to actions, or merely seem to have moved.

use super::{Class, Drive};
use crate::{
    divisor::divisor,
    rules::{buttons::directed, mover::drive::AHEAD, sprite::Vector},
};

/// Actions beside a first one that move a piece as that one does when it goes its own way.
const PATROL: u32 = 2;

/// Moves in an unexpected direction beyond those expected that a piece may make and still be one that obeys.
const SURPRISES: u32 = 4;

/// What moved in less than one of so many tries, when it had some, does not obey. Guesses.
const SCENERY: u32 = 12;
const TRIES: u32 = 48;
/// Moves that were foretold after which it is known whom the arrows move. A guess.
const OBEDIENT: u32 = 3;
/// Ways that it went by arrows after which it obeys on its own account. A guess.
const SEVERAL: usize = 3;

impl Class {
    /// Whether it moves on its own account, and not at random.
    pub(in crate::rules::mover) fn is_free(&self) -> bool {
        let (told, untold) = self.told;
        let obeys = self.free > 0 && self.free >= self.driven && untold <= told + SURPRISES;
        self.roams() || obeys && !self.is_scenery()
    }

    /// Whether it heeds one that obeys rather than what is done, and where that is tells it better than its own way: what
    /// comes after another one mostly goes on as it did.
    pub(in crate::rules::mover) fn heeds(&self) -> bool {
        self.heeds.is_proven() && (!self.patrol.is_proven() || self.heeds.wrong() < self.patrol.wrong)
    }

    /// Whether it goes its own way, whoever is where.
    pub(in crate::rules::mover) fn patrols(&self) -> bool {
        self.patrol.is_proven() && !self.heeds()
    }

    /// Whether it goes where nobody sends it.
    pub(in crate::rules::mover) fn roams(&self) -> bool {
        self.patrol.is_proven() || self.heeds.is_proven()
    }

    /// Whether pieces that look so hardly ever went by an arrow: texture of which some cells were covered or bared seems to
    /// have moved once.
    fn is_scenery(&self) -> bool {
        let (moved, tried) = self.by_arrows();
        tried >= TRIES && moved * SCENERY < tried
    }

    /// How often it moved by an arrow, and how often it had one.
    fn by_arrows(&self) -> (u32, u32) {
        directed(&self.moved).fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1))
    }

    /// Whether it often went as was foretold.
    pub(in crate::rules::mover) fn is_obedient(&self) -> bool {
        self.told.0 >= OBEDIENT
    }

    /// Whether something sends it where it goes: an arrow that it obeys, or a piece that comes onto it. Only what is sent goes
    /// through places that lead elsewhere, and tells where they lead.
    pub(in crate::rules::mover) fn is_steered(&self, drive: Drive) -> bool {
        drive.relation == AHEAD || drive.relation == 0 && self.is_controlled() && self.is_obedient()
    }

    /// Whether it did so by several arrows, each in its own way: what lies in other pieces' way is moved by one at most.
    pub(in crate::rules::mover) fn obeys_by_itself(&self) -> bool {
        let mut ways: Vec<(i16, i16)> =
            directed(&self.steps).flatten().map(|by| (by.x.signum(), by.y.signum())).collect();
        ways.sort_unstable();
        ways.dedup();
        self.is_obedient() && ways.len() >= SEVERAL
    }

    /// Whether it ever did.
    pub(in crate::rules::mover) fn has_obeyed(&self) -> bool {
        self.told.0 > 0
    }

    /// Whether an arrow moves it more often than the other, if both obey.
    pub(in crate::rules::mover) fn goes_more_often(&self, other: &Class) -> bool {
        let ((moved, tried), (others, all)) = (self.by_arrows(), other.by_arrows());
        u64::from(moved) * u64::from(all) > u64::from(others) * u64::from(tried)
    }

    /// Whether its steps end on the grid that the steps of another one span.
    pub(in crate::rules::mover) fn keeps_step_with(&self, other: &Class) -> bool {
        let grid = other.grid();
        let is_on = |by: i16, step: i16| step == 0 || by % step == 0;
        directed(&self.steps).flatten().all(|by| is_on(by.x, grid.x) && is_on(by.y, grid.y))
    }

    /// The largest step across and down of which all its steps by arrows are multiples; zero where there is none.
    pub(in crate::rules::mover) fn grid(&self) -> Vector {
        let steps = directed(&self.steps).flatten();
        steps.fold(Vector::ZERO, |grid, by| Vector::new(divisor(grid.x, by.x), divisor(grid.y, by.y)))
    }

    /// Whether it answers to actions: what goes the same way whatever is done patrols, and what goes by where another one is
    /// heeds that.
    pub(in crate::rules::mover) fn is_controlled(&self) -> bool {
        let mut steps = self.steps.iter().flatten();
        let first = steps.next();
        let (others, alike) = steps.fold((0, true), |(others, alike), by| (others + 1, alike && Some(by) == first));
        self.is_free() && !self.roams() && !(alike && others >= PATROL)
    }
}

#[cfg(test)]
mod tests {
    use env_client::Grid;

    use super::*;
    use crate::rules::sprite::Sprite;

    #[test]
    fn only_what_an_arrow_or_another_piece_sends_is_steered() {
        let frame: Grid = "33\n33".parse().unwrap();
        let plank = Class::new(Sprite::cut(&frame, Vector::ZERO, Vector::new(1, 2)));
        assert!(!plank.is_steered(Drive::default()), "it never went by an arrow");
        assert!(plank.is_steered(Drive { relation: AHEAD, ..Drive::default() }), "a piece comes onto it");
    }
}
