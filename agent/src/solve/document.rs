//! Answers and scores for programs.

use serde::Serialize;
use serde_json::{Value, json};
use solver::solve::{Candidate, Score, Solved, TaskScore};

/// Candidates that are written down for each test input, as many as pass@10 looks at.
const KEPT: usize = 10;

/// What `--json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct Document {
    tasks: Vec<Value>,
    score: Value,
}

/// All there is to say about these answers.
pub fn document(solved: &[Solved], score: &Score) -> Document {
    let scored = |solved: &Solved| score.tasks.iter().find(|scored| scored.task == solved.task);
    let (exact, inputs): (Vec<usize>, Vec<usize>) = [1, 2, 10].map(|depth| score.exact(depth)).into_iter().unzip();
    let pass = [1, 2, 10].map(|depth| score.pass(depth));
    let score = json!({
        "tasks": score.tasks.len(), "test_inputs": inputs[0],
        "pass@1": pass[0], "pass@2": pass[1], "pass@10": pass[2],
        "exact@1": exact[0], "exact@2": exact[1], "exact@10": exact[2],
    });
    Document { tasks: solved.iter().map(|solved| task(solved, scored(solved))).collect(), score }
}

fn task(solved: &Solved, scored: Option<&TaskScore>) -> Value {
    let rank = |index: usize| scored.and_then(|scored| scored.ranks.get(index).copied().flatten());
    let tests = solved.rankings.iter().enumerate().map(|(index, ranking)| {
        let candidates: Vec<Value> = ranking.iter().take(KEPT).map(candidate).collect();
        let votes: u32 = ranking.iter().map(|candidate| candidate.votes).sum();
        json!({ "votes": votes, "rank": rank(index), "candidates": candidates })
    });
    let tests: Vec<Value> = tests.collect();
    json!({ "task": solved.task, "net": solved.how, "seconds": solved.time.as_secs_f64(), "tests": tests })
}

fn candidate(candidate: &Candidate) -> Value {
    json!({ "grid": candidate.answer, "votes": candidate.votes, "confidence": candidate.confidence })
}
