//! Why a play was lost: by what was done last, or because its budget of steps ran out.

use std::collections::BTreeMap;

/// How long lives last in this level.
#[derive(Debug, Default)]
pub(super) struct Lives {
    /// Steps since the level was last restarted.
    steps: u32,
    /// How many lives ended after so many steps.
    lengths: BTreeMap<u32, u32>,
}

impl Lives {
    /// Actions played since the level was last restarted.
    pub(super) fn steps(&self) -> u32 {
        self.steps
    }

    pub(super) fn act(&mut self) {
        self.steps += 1;
    }

    /// The level begins again.
    pub(super) fn restart(&mut self) {
        self.steps = 0;
    }

    /// The play was lost; whether its budget of steps explains it: the bar says so, or another life ended after
    /// exactly as many steps.
    pub(super) fn end(&mut self, bar_nearly_empty: bool) -> bool {
        let ends = self.lengths.entry(self.steps).or_default();
        *ends += 1;
        bar_nearly_empty || *ends > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn life(lives: &mut Lives, steps: u32) -> bool {
        lives.restart();
        (0..steps).for_each(|_| lives.act());
        lives.end(false)
    }

    #[test]
    fn two_lives_of_one_length_show_a_budget() {
        let mut lives = Lives::default();
        assert!(!life(&mut lives, 50));
        assert!(!life(&mut lives, 20));
        assert!(life(&mut lives, 50));
    }

    #[test]
    fn an_empty_bar_shows_it_at_once() {
        let mut lives = Lives::default();
        lives.act();
        assert!(lives.end(true));
    }
}
