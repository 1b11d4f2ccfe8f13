//! One task with its answers.

use std::fmt;

use env_client::Grid;
use solver::{
    data::{Query, Task},
    solve::{Candidate, How, Solved},
};

use super::draw::{Drawing, Panel};
use crate::replay::palette::Depth;

/// Answers that are shown for each test input, as many as Kaggle takes.
const SHOWN: usize = 2;

/// A task, ready to be printed: what is known of it, then the demonstrations, then test inputs with their answers.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The task.
    pub task: &'a Task,
    /// Its answers.
    pub solved: &'a Solved,
    /// What the terminal can show.
    pub depth: Depth,
    /// How wide it is.
    pub columns: usize,
}

impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.solved.time.as_secs_f64();
        writeln!(f, "task {}: {}, {seconds:.1} s\n", self.task.id, explain(self.solved.how))?;
        write!(f, "{}", self.draw(self.demonstrations()))?;
        write!(f, "{}", self.draw(self.answers()))
    }
}

impl<'a> Page<'a> {
    fn draw(&self, groups: Vec<Vec<Panel<'a>>>) -> Drawing<'a> {
        Drawing { groups, depth: self.depth, columns: self.columns }
    }

    fn demonstrations(&self) -> Vec<Vec<Panel<'a>>> {
        let pairs = (1..).zip(&self.task.train);
        pairs
            .map(|(number, pair)| vec![input("demo", number, &pair.input), panel("output", "", &pair.output)])
            .collect()
    }

    fn answers(&self) -> Vec<Vec<Panel<'a>>> {
        let queries = (1..).zip(&self.task.test).zip(&self.solved.rankings);
        queries.map(|((number, query), ranking)| answer(number, query, ranking)).collect()
    }
}

/// A test input beside its answers.
fn answer<'a>(number: usize, query: &'a Query, ranking: &'a [Candidate]) -> Vec<Panel<'a>> {
    let votes = ranking.iter().map(|candidate| candidate.votes).sum();
    let mut panels = vec![input("test", number, &query.input)];
    panels.extend((1..).zip(ranking).take(SHOWN).map(|(place, candidate)| attempt(place, candidate, votes, query)));
    if ranking.is_empty() {
        panels.push(Panel { captions: vec!["no answer:".to_owned(), "too large".to_owned()], grid: None });
    }
    panels.extend(query.output.as_ref().map(|truth| panel("truth", "", truth)));
    panels
}

fn explain(how: How) -> String {
    match how {
        How::Known => "the net was trained on it".to_owned(),
        How::Tuned { steps } => format!("new to the net, which trained {steps} steps on its demonstrations"),
        How::Average => "new to the net and not trained on: the average of all rows stood for it".to_owned(),
        How::TooLarge => "no test input fits on the net's canvas".to_owned(),
    }
}

fn input<'a>(what: &str, number: usize, grid: &'a Grid) -> Panel<'a> {
    panel(&format!("{what} {number}"), "input", grid)
}

fn panel<'a>(first: &str, second: &str, grid: &'a Grid) -> Panel<'a> {
    Panel { captions: vec![first.to_owned(), second.to_owned()], grid: Some(grid) }
}

/// `answer 1: right` over `12/16 votes, 0.93 sure`.
fn attempt<'a>(place: usize, candidate: &'a Candidate, votes: u32, query: &Query) -> Panel<'a> {
    let verdict = match &query.output {
        Some(truth) if candidate.answer.as_ref() == Some(truth) => ": right",
        Some(_) => ": wrong",
        None => "",
    };
    let empty = if candidate.answer.is_none() { ", empty" } else { "" };
    let standing = format!("{}/{votes} votes, {:.2} sure{empty}", candidate.votes, candidate.confidence);
    Panel { captions: vec![format!("answer {place}{verdict}"), standing], grid: candidate.answer.as_ref() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use solver::{data::Pair, solve::Ballot};

    use super::*;

    fn grid(text: &str) -> Grid {
        text.parse().unwrap()
    }

    #[test]
    fn demonstrations_and_answers_stand_side_by_side() {
        let pair = |input: &str, output: &str| Pair { input: grid(input), output: grid(output) };
        let query = |output| Query { input: grid("12\n12"), output };
        let task = Task {
            id: "0a".to_owned(),
            train: vec![pair("10\n00", "33"), pair("4", "44\n44")],
            test: vec![query(Some(grid("21"))), query(None)],
        };
        let votes = [("21", 0.75), ("-", 0.1), ("21", 0.25), ("5", 0.5)];
        let ballot: Ballot = votes.map(|(text, sure)| (text.parse().ok(), sure)).into_iter().collect();
        let (how, time) = (How::Tuned { steps: 40 }, Duration::from_millis(1234));
        let solved = Solved { task: "0a".to_owned(), rankings: vec![ballot.ranking(), Vec::new()], how, time };
        let page = Page { task: &task, solved: &solved, depth: Depth::None, columns: 60 };
        insta::assert_snapshot!(page, @r"
        task 0a: new to the net, which trained 40 steps on its demonstrations, 1.2 s

        demo 1  output      demo 2  output
        input               input
        10      33          4       44
        00                          44

        test 1  answer 1: right       answer 2: wrong       truth
        input   2/4 votes, 0.50 sure  1/4 votes, 0.50 sure
        12      21                    5                     21
        12

        test 2  no answer:
        input   too large
        12
        12
        ");
    }
}
