//! What is known of a step, worked out once: a search asks about the same steps from thousands of states.

use std::{
    cell::RefCell,
    hash::{Hash, Hasher},
};

use rustc_hash::{FxHashMap, FxHasher};
use world_model::Advance;

/// Answers about steps by where pieces are and mean to go, as long as nothing else matters.
#[derive(Debug)]
pub(super) struct Remembered<T> {
    /// By the hash of the step; only looked up, never walked over.
    known: RefCell<FxHashMap<u64, T>>,
}

impl<T> Default for Remembered<T> {
    fn default() -> Self {
        Remembered { known: RefCell::default() }
    }
}

impl<T: Clone> Remembered<T> {
    /// What is known of a step in which pieces mean to move so.
    pub(super) fn get(&self, advances: &[Advance], work_out: impl FnOnce() -> T) -> T {
        let key = key(advances);
        let known = self.known.borrow().get(&key).cloned();
        known.unwrap_or_else(|| {
            let fresh = work_out();
            self.known.borrow_mut().insert(key, fresh.clone());
            fresh
        })
    }
}

fn key(advances: &[Advance]) -> u64 {
    let mut hasher = FxHasher::default();
    for it in advances {
        (&it.from, &it.onto, it.by).hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use env_client::Point;

    use super::*;

    #[test]
    fn a_step_is_worked_out_once_and_another_one_apart() {
        let step = |x: u8, by: i16| {
            let from = vec![Point::new(x, 0).unwrap()];
            vec![Advance { from, by: (by, 0), ..Advance::default() }]
        };
        let known = Remembered::default();
        let ask = |advances: &[Advance], answer: u32| known.get(advances, || answer);
        assert_eq!([ask(&step(1, 1), 7), ask(&step(1, 1), 8)], [7, 7]);
        assert_eq!([ask(&step(2, 1), 9), ask(&step(1, -1), 10), ask(&[], 11)], [9, 10, 11]);
    }
}
