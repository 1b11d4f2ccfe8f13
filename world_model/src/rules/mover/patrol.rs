//! Pieces that go their own way whatever is done: guards on their rounds, ferries, hands of clocks.
//!
//! Where one goes next follows from where it is, where it came from, and what lies ahead of it. What it does is told
//! relative to where it was heading, so that one corner teaches all: ahead, back, left, right.

use env_client::Grid;

use super::strip;
use crate::{
    Motion,
    rules::{
        law::Law,
        sprite::{Sprite, Vector},
    },
};

/// Features that decide where it goes: the colours ahead, its place, its heading, the steps it has waited, its look.
const FEATURES: usize = 5;
/// Of those at most so many at once.
const ATOMS: u32 = 3;
/// Outcomes: it stays, or goes on as it was heading, turned by so many quarters. Others are displacements, above
/// [`ELSE`].
const STAYS: u64 = 0;
const QUARTERS: u64 = 1;
const ELSE: u64 = 1 << 40;
/// So many more of its moves must be foretold by its own way than by what was done for it to be one that patrols.
const LEAD: u32 = 3;

/// The own way of pieces that look alike.
#[derive(Clone, Debug)]
pub(super) struct Patrol {
    law: Law<FEATURES>,
    /// Moves that its own way foretold, and those that the action did.
    own: u32,
    obeyed: u32,
    /// How often its own way was mistaken.
    pub(super) wrong: u32,
}

impl Default for Patrol {
    fn default() -> Self {
        Patrol { law: Law::new(ATOMS), own: 0, obeyed: 0, wrong: 0 }
    }
}

/// A piece on its way.
pub(super) struct Walker<'a> {
    pub(super) frame: &'a Grid,
    pub(super) sprite: &'a Sprite,
    pub(super) at: Vector,
    pub(super) pose: usize,
    /// How it came there, if it was seen to move.
    pub(super) motion: Option<Motion>,
}

impl Walker<'_> {
    fn heading(&self) -> Vector {
        self.motion.map_or(Vector::ZERO, |it| Vector::new(it.by.0, it.by.1))
    }

    fn feature(&self, index: usize) -> u64 {
        match index {
            0 => u64::from(strip::colors(self.frame, &strip::swept(self.sprite, self.at, self.heading()))),
            1 => self.at.code(),
            2 => self.heading().code(),
            3 => self.motion.map_or(0, |it| u64::from(it.waited)),
            _ => self.pose as u64,
        }
    }
}

impl Patrol {
    /// Whether its own way tells more than what is done.
    pub(super) fn is_proven(&self) -> bool {
        self.own >= LEAD + self.obeyed
    }

    /// Where it goes next; `None` before it was seen to move.
    pub(super) fn next(&self, walker: &Walker<'_>) -> Option<Vector> {
        let outcome = self.law.ask(|index| walker.feature(index))?.outcome;
        Some(displacement(outcome, walker.heading()))
    }

    /// Learns where it went, and whether what was done foretold that.
    pub(super) fn learn(&mut self, walker: &Walker<'_>, came: Vector, obeyed: bool) {
        let next = self.next(walker);
        self.wrong += u32::from(next.is_some_and(|next| next != came));
        if came != Vector::ZERO {
            self.own += u32::from(next == Some(came));
            self.obeyed += u32::from(obeyed);
        }
        self.law.learn(&std::array::from_fn(|index| walker.feature(index)), outcome(came, walker.heading()));
    }
}

/// A displacement as it is told relative to a heading.
fn outcome(by: Vector, heading: Vector) -> u64 {
    if by == Vector::ZERO {
        return STAYS;
    }
    let turn = (0..4).find(|quarters| heading != Vector::ZERO && turned(heading, *quarters) == by);
    turn.map_or(ELSE + by.code(), |quarters| QUARTERS + quarters)
}

/// The inverse of [`outcome`].
fn displacement(outcome: u64, heading: Vector) -> Vector {
    match outcome {
        STAYS => Vector::ZERO,
        other if other >= ELSE => Vector::from_code(other - ELSE),
        quarters => turned(heading, quarters - QUARTERS),
    }
}

/// A heading turned by quarters to the right.
fn turned(heading: Vector, quarters: u64) -> Vector {
    (0..quarters).fold(heading, |it, _| Vector::new(-it.y, it.x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_told_relative_to_the_heading() {
        let (right, down) = (Vector::new(3, 0), Vector::new(0, 3));
        assert_eq!(outcome(down, right), outcome(Vector::new(-3, 0), down), "a quarter to the right");
        for by in [Vector::ZERO, right, down, Vector::new(-3, 0), Vector::new(2, 1)] {
            for heading in [Vector::ZERO, right, down] {
                assert_eq!(displacement(outcome(by, heading), heading), by);
            }
        }
    }
}
