//! Motion that stays: a key changes by how much a piece goes rather than where, as with sledges, carts and rockets.
//!
//! Each key adds its push to the last displacement, up to the fastest there is. This is believed of a class once it foretold
//! clearly more of its moves than what was done and where it stood do.

use rustc_hash::FxHashMap;

use crate::rules::{law::Verdict, sprite::Vector};

/// So many moves must be foretold, and so many more than by all else; of those foretold wrong each weighs as many. Guesses.
const ENOUGH: u32 = 6;
const LEAD: u32 = 4;
const EACH: u32 = 4;

/// How the pieces of a class keep their motion.
#[derive(Clone, Debug, Default)]
pub(super) struct Drift {
    /// What each key adds to the last displacement, by the number of the action.
    pushes: FxHashMap<u64, Vector>,
    /// The longest step across or down, once a push was seen to add nothing to it.
    fastest: Option<i16>,
    right: u32,
    wrong: u32,
    /// Moves that all else foretold.
    others: u32,
}

impl Drift {
    /// Whether its motion tells more than all else.
    pub(super) fn is_proven(&self) -> bool {
        self.right >= ENOUGH.max(self.others + LEAD) && self.right >= EACH * self.wrong
    }

    /// Where a piece means to go that went by `last`; `None` where nobody knows what the key adds.
    pub(super) fn next(&self, number: u64, last: Vector) -> Option<Vector> {
        let by = last.plus(*self.pushes.get(&number)?);
        let most = self.fastest.unwrap_or(i16::MAX);
        Some(Vector::new(by.x.clamp(-most, most), by.y.clamp(-most, most)))
    }

    /// What stands behind that.
    pub(super) fn verdict(&self, by: Vector) -> Verdict {
        Verdict { outcome: by.code(), seen: self.right, refuted: self.wrong, features: super::ACTION, rank: 0 }
    }

    /// Learns by how much a piece went that went by `last` before, and where all else told that it would.
    pub(super) fn learn(&mut self, number: u64, last: Vector, (came, told): (Vector, Option<Vector>)) {
        let is_fastest = came == last && self.pushes.get(&number).is_some_and(|push| push.is_toward(last));
        if is_fastest {
            self.fastest = Some(came.x.abs().max(came.y.abs()));
        }
        let is_right = self.next(number, last) == Some(came);
        self.others += u32::from(told == Some(came));
        self.right += u32::from(is_right);
        if !is_right {
            self.wrong += u32::from(self.pushes.contains_key(&number));
            self.pushes.insert(number, came.minus(last));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Displacements of a sledge of speed two at most, under these keys: 4 pushes it right, 3 left, 5 lets it go on.
    fn ride(keys: &[u64]) -> Vec<(u64, Vector, Vector)> {
        let mut speed = 0i16;
        let ride = keys.iter().map(|key| {
            let last = speed;
            speed = (speed + [0, 0, 0, -1, 1, 0][*key as usize]).clamp(-2, 2);
            (*key, Vector::new(3 * last, 0), Vector::new(3 * speed, 0))
        });
        ride.collect()
    }

    #[test]
    fn what_keeps_its_motion_is_told_by_that_and_what_goes_by_keys_is_not() {
        let keys = [4, 5, 4, 5, 4, 4, 3, 5, 3, 3, 3, 5, 3, 4, 5, 4, 4];
        let mut drift = Drift::default();
        for (key, last, came) in ride(&keys) {
            drift.learn(key, last, (came, None));
        }
        assert!(drift.is_proven());
        let next = [(4, 3), (4, 6), (3, 6), (5, -3), (4, 0)].map(|(key, last)| drift.next(key, Vector::new(last, 0)));
        assert_eq!(next, [6, 6, 3, -3, 3].map(|by| Some(Vector::new(by, 0))), "no faster than it ever went");
        let mut plain = Drift::default();
        let mut last = Vector::ZERO;
        for key in keys {
            let came = Vector::new([0, 0, 0, -3, 3, 3][key as usize], 0);
            plain.learn(key, last, (came, Some(came)));
            last = came;
        }
        assert!(!plain.is_proven(), "the keys tell as much");
    }
}
