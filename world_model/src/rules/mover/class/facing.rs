//! Where pieces look: those that look so went or meant to go there. What they become by an action without a direction
//! looks there, too, though it may go backwards, as one does that pulls something.

use super::turns::Turns;
use crate::rules::sprite::Vector;

/// How a way lies to where a piece looks.
const UNKNOWN: u64 = 0;
const ALONG: u64 = 1;
const AGAINST: u64 = 2;
const ACROSS: u64 = 3;

/// Where pieces of each pose look.
#[derive(Clone, Debug, Default)]
pub(super) struct Facing {
    /// By pose, where pieces last went or meant to go when they came to look so.
    seen: Vec<Option<Seen>>,
    /// By pose, where they look.
    known: Vec<Option<Vector>>,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    by: Vector,
    times: u32,
    /// Whether it was always there.
    always: bool,
}

impl Facing {
    /// Where pieces of a pose look.
    pub(super) fn of(&self, pose: usize) -> Option<Vector> {
        self.known.get(pose).copied().flatten()
    }

    /// How a way lies to where pieces of a pose look, in two bits; 0 where nobody knows.
    pub(super) fn side(&self, pose: usize, by: Vector) -> u64 {
        match self.of(pose) {
            None => UNKNOWN,
            Some(facing) if facing.is_along(by) => ALONG,
            Some(facing) if facing.is_along(Vector::ZERO.minus(by)) => AGAINST,
            Some(_) => ACROSS,
        }
    }

    /// A pose that looks along a way: the present one if it does, or else another one that is wanted.
    pub(super) fn pose(&self, now: usize, by: Vector, is_wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let fits = |pose: &usize| self.side(*pose, by) == ALONG && is_wanted(*pose);
        Some(now).filter(fits).or_else(|| (0..self.known.len()).find(fits))
    }

    /// Learns where a piece of a pose went or meant to go.
    pub(super) fn learn(&mut self, pose: usize, by: Vector) {
        if self.seen.len() <= pose {
            self.seen.resize(pose + 1, None);
        }
        let (times, always) = self.seen[pose].map_or((0, true), |it| (it.times, it.always && it.by.is_along(by)));
        self.seen[pose] = Some(Seen { by, times: times + 1, always });
    }

    /// Takes poses that differ by a turn to look to where those of them look that always did, the one seen most often.
    pub(super) fn share(&mut self, poses: usize, turns: &Turns) {
        let seen = |pose: usize| self.seen.get(pose).copied().flatten().filter(|it| it.always);
        let mut best: Vec<Option<Seen>> = (0..poses).map(seen).collect();
        for (one, other) in turns.partners().filter(|(one, other)| one.max(other) < &poses) {
            for (to, from) in [(one, other), (other, one)] {
                let more = seen(from).filter(|it| best[to].is_none_or(|own| own.times < it.times));
                best[to] = more.or(best[to]);
            }
        }
        self.known = best.into_iter().map(|it| it.map(|it| it.by)).collect();
    }

    /// Forgets a pose.
    pub(super) fn forget(&mut self, pose: usize) {
        self.seen.truncate(pose);
        self.known.truncate(pose);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: Vector = Vector::new(3, 0);
    const LEFT: Vector = Vector::new(-3, 0);
    const UP: Vector = Vector::new(0, -3);

    #[test]
    fn what_goes_backwards_looks_to_where_it_looked_before_it_took_hold() {
        let (mut facing, mut turns) = (Facing::default(), Turns::default());
        facing.learn(0, RIGHT);
        facing.learn(0, RIGHT);
        turns.learn(0, 1);
        facing.learn(1, LEFT);
        facing.share(2, &turns);
        assert_eq!([RIGHT, LEFT, UP].map(|by| facing.side(1, by)), [ALONG, AGAINST, ACROSS]);
        assert_eq!(facing.pose(1, RIGHT, |_| true), Some(1), "the present one");
        assert_eq!(facing.pose(1, RIGHT, |pose| pose == 0), Some(0));
        assert_eq!(facing.pose(1, UP, |_| true), None);
    }

    #[test]
    fn what_goes_anywhere_looks_nowhere() {
        let mut facing = Facing::default();
        facing.learn(0, RIGHT);
        facing.learn(0, UP);
        facing.share(1, &Turns::default());
        assert_eq!((facing.of(0), facing.side(0, UP)), (None, UNKNOWN));
    }
}
