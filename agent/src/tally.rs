//! What a play spent, counted as a scorecard counts it.

use std::time::Duration;

use env_client::{Command, Observation, score};
use serde::{Deserialize, Serialize};

/// The running counts of one play.
///
/// The RESET that opens a play is free, every later command is billed, RESET included. A command whose outcome is unknown
/// is billed too, although the service may never have seen it: `unknown` says by how much the counts may be off.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Billed commands, RESETs included.
    pub actions: u32,
    /// RESETs among them.
    pub resets: u32,
    /// Commands among them whose outcome is unknown.
    #[serde(default)]
    pub unknown: u32,
    /// Levels solved.
    pub levels_completed: u16,
    /// Levels of the game.
    pub win_levels: u16,
    /// The running action count at each rise of `levels_completed`, which is what a card keeps: an action that solves
    /// two levels at once leaves one entry.
    pub completed_at: Vec<u32>,
}

impl Tally {
    /// The play was opened.
    pub fn open(&mut self, seen: &Observation) {
        self.look(seen);
    }

    /// A command was answered.
    pub fn seen(&mut self, command: Command, seen: &Observation) {
        self.bill(command);
        self.look(seen);
    }

    /// A command may or may not have been carried out.
    pub fn lost(&mut self, command: Command) {
        self.bill(command);
        self.unknown += 1;
    }

    fn bill(&mut self, command: Command) {
        self.actions += 1;
        self.resets += u32::from(command == Command::Reset);
    }

    fn look(&mut self, seen: &Observation) {
        if seen.levels_completed > self.levels_completed {
            self.completed_at.push(self.actions);
        } else {
            // Fewer than before: the game was restarted, its levels are to be solved again.
            self.completed_at.truncate(seen.levels_completed.into());
        }
        self.levels_completed = seen.levels_completed;
        self.win_levels = seen.win_levels;
    }

    /// `3/6`, or a dash for a play that was never begun.
    pub fn standing(&self) -> String {
        match self.win_levels {
            0 => "-".to_owned(),
            levels => format!("{}/{levels}", self.levels_completed),
        }
    }

    /// The same play as it stood after so many actions.
    pub fn at(&self, budget: u32) -> Tally {
        let completed_at: Vec<u32> = self.completed_at.iter().copied().filter(|at| *at <= budget).collect();
        let levels_completed = if self.actions <= budget { self.levels_completed } else { completed_at.len() as u16 };
        Tally { actions: self.actions.min(budget), levels_completed, completed_at, ..self.clone() }
    }

    /// Actions on each level that was reached: the solved ones, then the one that was being played.
    pub fn spent(&self) -> Vec<u32> {
        let ends = self.completed_at.iter().copied().chain([self.actions]);
        let mut before = 0;
        let mut spent: Vec<u32> = ends.map(|end| end - std::mem::replace(&mut before, end)).collect();
        if self.completed_at.len() >= usize::from(self.win_levels) && self.win_levels > 0 {
            spent.pop();
        }
        spent
    }

    /// The levels as RHAE sees them. Without baselines, or with fewer than the play solved, there are none.
    pub fn levels(&self, baselines: &[u32]) -> Vec<score::LevelResult> {
        if baselines.len() < self.completed_at.len() {
            return Vec::new();
        }
        score::levels(baselines, &self.completed_at, self.actions)
    }

    /// RHAE of the play, 0 where baselines are missing.
    pub fn score(&self, baselines: &[u32]) -> f64 {
        score::game(&self.levels(baselines))
    }
}

/// How long decisions took: perceiving the last answer and choosing the next command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pulse(Vec<u64>);

/// Quantiles of decision times, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DecisionTimes {
    /// How many there were.
    pub count: usize,
    /// Half took at most this.
    pub median_ms: f64,
    /// All but one in a hundred took at most this.
    pub p99_ms: f64,
    /// None took longer.
    pub max_ms: f64,
}

impl Pulse {
    /// Another decision.
    pub fn push(&mut self, took: Duration) {
        self.0.push(took.as_nanos().try_into().unwrap_or(u64::MAX));
    }

    /// The decisions of another play.
    pub fn extend(&mut self, other: &Pulse) {
        self.0.extend_from_slice(&other.0);
    }

    /// Their quantiles, each the smallest time that so many decisions did not exceed.
    pub fn times(&self) -> DecisionTimes {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let quantile = |share: f64| {
            let rank = (share * sorted.len() as f64).ceil() as usize;
            sorted.get(rank.saturating_sub(1)).map_or(0.0, |nanos| *nanos as f64 / 1e6)
        };
        DecisionTimes { count: sorted.len(), median_ms: quantile(0.5), p99_ms: quantile(0.99), max_ms: quantile(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use env_client::{Action, ActionSet, Key, Status};

    use super::*;

    const ACT: Command = Command::Act(Action::Key(Key::Key1));

    fn seen(levels_completed: u16) -> Observation {
        Observation {
            game: "test".parse().unwrap(),
            play: "play".parse().unwrap(),
            layers: Vec::new(),
            status: Status::NotFinished,
            levels_completed,
            win_levels: 3,
            available: ActionSet::ALL,
            full_reset: false,
        }
    }

    /// Opened, 2 actions to level 1, a RESET and 2 actions to level 2, one action more.
    fn played() -> Tally {
        let mut tally = Tally::default();
        tally.open(&seen(0));
        for (command, levels) in [(ACT, 0), (ACT, 1), (Command::Reset, 1), (ACT, 1), (ACT, 2), (ACT, 2)] {
            tally.seen(command, &seen(levels));
        }
        tally
    }

    #[test]
    fn the_opening_is_free_and_every_reset_after_it_is_billed() {
        let tally = played();
        assert_eq!((tally.actions, tally.resets, tally.levels_completed), (6, 1, 2));
        assert_eq!((tally.completed_at.as_slice(), tally.spent()), (&[2, 5][..], vec![2, 3, 1]));
    }

    #[test]
    fn a_checkpoint_knows_nothing_of_what_came_later() {
        let at = played().at(4);
        assert_eq!((at.actions, at.levels_completed, at.spent()), (4, 1, vec![2, 2]));
        assert_eq!(played().at(6), played());
        assert_eq!(played().at(5).levels_completed, 2, "the action that solves a level is within the budget");
    }

    #[test]
    fn a_won_play_has_no_level_left_over() {
        let mut tally = played();
        tally.seen(ACT, &seen(3));
        assert_eq!(tally.spent(), [2, 3, 2]);
    }

    #[test]
    fn the_score_is_that_of_the_official_toolkit() {
        // Levels 1 and 2 of 3 at exactly human pace: (1·100 + 2·100) / 6.
        assert!((played().score(&[2, 3, 9]) - 50.0).abs() < 1e-12);
        assert!(played().score(&[]).abs() < 1e-12, "no baselines, no score");
        assert!(played().score(&[2]).abs() < 1e-12, "fewer baselines than solved levels, no score");
    }

    #[test]
    fn two_levels_by_one_action_leave_one_entry() {
        let mut tally = Tally::default();
        tally.open(&seen(0));
        tally.seen(ACT, &seen(2));
        assert_eq!(tally.completed_at, [1]);
    }

    #[test]
    fn an_unknown_outcome_is_billed_and_counted() {
        let mut tally = played();
        tally.lost(Command::Reset);
        assert_eq!((tally.actions, tally.resets, tally.unknown), (7, 2, 1));
    }

    #[test]
    fn quantiles_are_times_that_were_measured() {
        let mut pulse = Pulse::default();
        assert_eq!(pulse.times(), DecisionTimes::default());
        (1..=100).for_each(|ms| pulse.push(Duration::from_millis(ms)));
        assert_eq!(pulse.times(), DecisionTimes { count: 100, median_ms: 50.0, p99_ms: 99.0, max_ms: 100.0 });
    }
}
