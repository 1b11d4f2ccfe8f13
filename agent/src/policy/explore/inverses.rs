//! Which action takes back which: found by watching, so that ways back need not be tried one by one.

use std::collections::HashMap;

use env_client::Action;

/// Pairs remembered at once; when they are used up, new ones are not counted.
const PAIRS: usize = 1 << 12;
/// Returns it takes to believe in a pair, and the share of all its tries they must make up.
const RETURNS: u32 = 3;
const SHARE: (u32, u32) = (4, 5);

/// How often one action right after another led back to where the first began.
#[derive(Clone, Debug, Default)]
pub(super) struct Inverses {
    /// Tries and returns; only looked up, never walked over.
    pairs: HashMap<(Action, Action), (u32, u32)>,
}

impl Inverses {
    /// `second` was played where `first` had led.
    pub(super) fn count(&mut self, first: Action, second: Action, returned: bool) {
        let room = self.pairs.len() < PAIRS;
        if let Some(pair) = self.pairs.get_mut(&(first, second)) {
            *pair = (pair.0 + 1, pair.1 + u32::from(returned));
        } else if room {
            self.pairs.insert((first, second), (1, u32::from(returned)));
        }
    }

    /// Whether `second` can be expected to take back `first`.
    pub(super) fn believes(&self, first: Action, second: Action) -> bool {
        let (tries, returns) = self.pairs.get(&(first, second)).copied().unwrap_or_default();
        returns >= RETURNS && returns * SHARE.1 >= tries * SHARE.0
    }

    /// Keys keep their meaning in the next level, points of the frame do not.
    pub(super) fn begin_level(&mut self) {
        self.pairs.retain(|(first, second), _| first.point().is_none() && second.point().is_none());
    }
}

#[cfg(test)]
mod tests {
    use env_client::{Key, Point};

    use super::*;

    const LEFT: Action = Action::Key(Key::Key3);
    const RIGHT: Action = Action::Key(Key::Key4);

    #[test]
    fn three_returns_make_an_inverse_and_later_failures_unmake_it() {
        let mut inverses = Inverses::default();
        for _ in 0..3 {
            assert!(!inverses.believes(LEFT, RIGHT));
            inverses.count(LEFT, RIGHT, true);
        }
        assert!(inverses.believes(LEFT, RIGHT) && !inverses.believes(RIGHT, LEFT));
        inverses.count(LEFT, RIGHT, false);
        assert!(!inverses.believes(LEFT, RIGHT));
    }

    #[test]
    fn the_next_level_keeps_keys_and_forgets_points() {
        let mut inverses = Inverses::default();
        let toggle = Action::Click(Point::new(3, 3).unwrap());
        for _ in 0..3 {
            inverses.count(LEFT, RIGHT, true);
            inverses.count(toggle, toggle, true);
        }
        inverses.begin_level();
        assert!(inverses.believes(LEFT, RIGHT) && !inverses.believes(toggle, toggle));
    }

    #[test]
    fn memory_is_bounded() {
        let mut inverses = Inverses::default();
        for x in 0..64u8 {
            for y in 0..64u8 {
                let click = |x, y| Action::Click(Point::new(x, y).unwrap());
                inverses.count(click(x, y), click(y, x), false);
                inverses.count(click(x, y), click(0, 0), false);
            }
        }
        assert_eq!(inverses.pairs.len(), PAIRS);
    }
}
