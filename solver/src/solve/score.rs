//! How good the answers are: pass@K and exact counts.

use serde::Serialize;

use super::{Candidate, Solved};
use crate::data::Task;

/// A score over several tasks.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// One for each task that could be judged.
    pub tasks: Vec<TaskScore>,
}

/// A score over the test inputs of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskScore {
    /// Its name.
    pub task: String,
    /// For every test input the place of the truth among its candidates, from 1; `None` where it is no candidate.
    pub ranks: Vec<Option<usize>>,
}

impl TaskScore {
    /// Judges a task; `None` when not all of its answers are known.
    pub fn new(task: &Task, solved: &Solved) -> Option<TaskScore> {
        let ranks = task.test.iter().zip(&solved.rankings).map(|(query, ranking)| {
            let truth = query.output.as_ref()?;
            let right = |candidate: &Candidate| candidate.answer.as_ref() == Some(truth);
            Some(ranking.iter().position(right).map(|place| place + 1))
        });
        Some(TaskScore { task: task.id.clone(), ranks: ranks.collect::<Option<_>>()? })
    }

    /// Test inputs whose truth is among the first `k` candidates.
    pub fn exact(&self, k: usize) -> usize {
        self.ranks.iter().flatten().filter(|rank| **rank <= k).count()
    }

    /// The same as a share of the test inputs, 0 to 1.
    pub fn pass(&self, k: usize) -> f64 {
        self.exact(k) as f64 / self.ranks.len().max(1) as f64
    }
}

impl Score {
    /// Published pass@`k`: the mean over the tasks of the mean over their test inputs, 0 to 1.
    pub fn pass(&self, k: usize) -> f64 {
        self.tasks.iter().map(|task| task.pass(k)).sum::<f64>() / self.tasks.len().max(1) as f64
    }

    /// Test inputs answered within `k` candidates, and all test inputs.
    pub fn exact(&self, k: usize) -> (usize, usize) {
        let right = self.tasks.iter().map(|task| task.exact(k)).sum();
        (right, self.tasks.iter().map(|task| task.ranks.len()).sum())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::solve::{How, tests::task, vote::Ballot};

    #[test]
    fn the_mean_is_taken_over_the_test_inputs_and_then_over_the_tasks() {
        let ranks = |ranks: &[usize]| ranks.iter().map(|rank| Some(*rank).filter(|rank| *rank > 0)).collect();
        let scored = |task: &str, places: &[usize]| TaskScore { task: task.to_owned(), ranks: ranks(places) };
        let score = Score { tasks: vec![scored("a", &[1, 3]), scored("b", &[2]), scored("c", &[0, 11, 1, 1])] };
        // pass@1 = (1/2 + 0 + 2/4) / 3, pass@2 = (1/2 + 1 + 2/4) / 3, pass@10 = (1 + 1 + 2/4) / 3.
        for (k, sixths) in [(1, 2.0), (2, 4.0), (10, 5.0)] {
            assert!((score.pass(k) * 6.0 - sixths).abs() < 1e-12, "{k}: {}", score.pass(k));
        }
        assert_eq!([1, 2, 10].map(|k| score.exact(k)), [(3, 7), (4, 7), (5, 7)]);
    }

    #[test]
    fn the_truth_is_found_among_the_candidates_and_unknown_truths_are_not_judged() {
        let ballot: Ballot = ["-", "-", "3", "7"].map(|text| (text.parse().ok(), 0.5)).into_iter().collect();
        let solved =
            Solved { task: "a".to_owned(), rankings: vec![ballot.ranking()], how: How::Known, time: Duration::ZERO };
        let mut known = task("a", &["1"]);
        known.test[0].output = "7".parse().ok();
        assert_eq!(TaskScore::new(&known, &solved).unwrap().ranks, [Some(3)]);
        assert_eq!(TaskScore::new(&task("a", &["1"]), &solved), None);
        assert!(Score::default().pass(2).abs() < 1e-12, "no tasks, no score");
    }
}
