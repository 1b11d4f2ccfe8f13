//! Answers in the format that Kaggle's ARC Prize takes: two attempts at every test input of every task.

use std::collections::BTreeMap;

use env_client::{Color, Grid};
use serde::Serialize;

use super::{Candidate, Solved};
use crate::data::{Query, Task};

/// `{task: [{"attempt_1": grid, "attempt_2": grid}, …]}`, complete for its tasks.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Submission(BTreeMap<String, Vec<Attempts>>);

/// The two answers to one test input.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attempts {
    /// The best candidate.
    pub attempt_1: Grid,
    /// The second best; the best once more where there is no other.
    pub attempt_2: Grid,
}

impl Submission {
    /// The two best candidates for every test input of `tasks`. What nobody solved is answered by its own input, because
    /// a submission must be complete.
    pub fn new(tasks: &[Task], solved: &[Solved]) -> Submission {
        let by_task: BTreeMap<&str, &Solved> = solved.iter().map(|solved| (solved.task.as_str(), solved)).collect();
        let attempts = |task: &Task| {
            let rankings = by_task.get(task.id.as_str()).map_or(&[][..], |solved| &solved.rankings);
            let ranking = |index: usize| rankings.get(index).map_or(&[][..], Vec::as_slice);
            task.test.iter().enumerate().map(|(index, query)| Attempts::new(query, ranking(index))).collect()
        };
        Submission(tasks.iter().map(|task| (task.id.clone(), attempts(task))).collect())
    }
}

impl Attempts {
    fn new(query: &Query, ranking: &[Candidate]) -> Attempts {
        let [attempt_1, attempt_2] = match ranking {
            [] => [query.input.clone(), query.input.clone()],
            [only] => [grid(only), grid(only)],
            [first, second, ..] => [grid(first), grid(second)],
        };
        Attempts { attempt_1, attempt_2 }
    }
}

/// The format has no empty grid: one cell takes its place, which is as wrong.
fn grid(candidate: &Candidate) -> Grid {
    candidate.answer.clone().unwrap_or_else(|| Grid::filled(1, 1, Color::default()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::solve::{How, tests::task, vote::Ballot};

    fn solved(id: &str, votes: &[&[&str]]) -> Solved {
        let ranking = |votes: &&[&str]| votes.iter().map(|text| (text.parse().ok(), 0.5)).collect::<Ballot>().ranking();
        Solved {
            task: id.to_owned(),
            rankings: votes.iter().map(ranking).collect(),
            how: How::Known,
            time: Duration::ZERO,
        }
    }

    #[test]
    fn every_test_input_of_every_task_has_two_attempts() {
        let tasks = [task("a", &["1", "2", "3"]), task("b", &["4"]), task("c", &["5"])];
        let solved = [solved("c", &[&["-", "7"]]), solved("a", &[&["8", "9", "9"], &["6"]])];
        assert_eq!(
            serde_json::to_string(&Submission::new(&tasks, &solved)).unwrap(),
            r#"{"a":[{"attempt_1":[[9]],"attempt_2":[[8]]},{"attempt_1":[[6]],"attempt_2":[[6]]},{"attempt_1":[[3]],"attempt_2":[[3]]}],"b":[{"attempt_1":[[4]],"attempt_2":[[4]]}],"c":[{"attempt_1":[[0]],"attempt_2":[[7]]}]}"#
        );
    }
}
