//! Judging a net by pairs that it never learned from.

use std::collections::BTreeMap;

use super::{
    Evaluation, LoopScore, TaskScore, TrainError,
    setup::{Question, Setup},
};
use crate::{
    data::{Batch, Example, IGNORED, Paper},
    nets::{Carry, Depth, Net, Run},
};

/// What is counted of some questions.
#[derive(Debug, Default)]
struct Counts {
    /// Exact grids by the number of loops.
    exact_by_loops: BTreeMap<usize, usize>,
    /// For each question whether the final answer is exact.
    exact: Vec<bool>,
    tokens: usize,
    right_tokens: usize,
}

/// Asks every question once, as it stands.
pub(super) fn evaluate(setup: &Setup, net: &Net, step: u64) -> Result<Evaluation, TrainError> {
    let mut counts = Counts::default();
    let trained = net.depth();
    let depth = Depth { loops: setup.config.evaluation.loops.unwrap_or(trained.loops), ..trained };
    for questions in setup.questions.chunks(setup.config.training.batch) {
        counts.ask(net, setup.paper, questions, depth)?;
    }
    Ok(counts.evaluation(&setup.questions, step))
}

impl Counts {
    fn ask(&mut self, net: &Net, paper: Paper, questions: &[Question], depth: Depth) -> Result<(), TrainError> {
        let examples: Vec<Example> = questions.iter().map(|question| question.example.clone()).collect();
        let batch = paper.ask(&examples);
        for (loops, tokens) in answers(net, &batch, depth)? {
            let exact = exact(paper, &tokens, questions).filter(|exact| *exact).count();
            *self.exact_by_loops.entry(loops).or_default() += exact;
        }
        let tokens = net.solve(&batch, net.depth())?.tokens()?;
        self.exact.extend(exact(paper, &tokens, questions));
        let labelled = batch.labels.iter().zip(&tokens).filter(|(label, _)| **label != IGNORED);
        let (all, right) =
            labelled.fold((0, 0), |(all, right), (label, token)| (all + 1, right + usize::from(label == token)));
        self.tokens += all;
        self.right_tokens += right;
        Ok(())
    }

    fn evaluation(self, questions: &[Question], step: u64) -> Evaluation {
        let share = |count: usize, of: usize| count as f64 / of.max(1) as f64;
        let tasks = scores(questions, &self.exact);
        let total = |count: fn(&TaskScore) -> usize| tasks.iter().map(count).sum::<usize>();
        let by_loops = self.exact_by_loops.iter();
        Evaluation {
            step,
            pairs: questions.len(),
            exact: share(total(|score| score.exact), questions.len()),
            tokens: share(self.right_tokens, self.tokens),
            copied: share(total(|score| score.copied), questions.len()),
            by_loops: by_loops
                .map(|(loops, exact)| LoopScore { loops: *loops, exact: share(*exact, questions.len()) })
                .collect(),
            tasks,
        }
    }
}

/// The tokens that are likeliest after each loop at which the net can be read, by the number of loops.
fn answers(net: &Net, batch: &Batch, depth: Depth) -> Result<Vec<(usize, Vec<u8>)>, TrainError> {
    let (mut carry, mut found, mut loops) = (Carry::empty(batch.rows, batch.len), Vec::new(), 0);
    loop {
        let step = net.step(&carry, batch, Run::Eval(depth))?;
        loops += depth.loops;
        let first = loops + 1 - step.answers.len();
        for (loops, answer) in (first..).zip(&step.answers) {
            found.push((loops, answer.tokens()?));
        }
        carry = step.carry;
        // A slot that halted would start anew.
        if carry.slots.iter().any(|slot| slot.halted) {
            return Ok(found);
        }
    }
}

fn exact<'a>(paper: Paper, tokens: &'a [u8], questions: &'a [Question]) -> impl Iterator<Item = bool> + 'a {
    let answers = tokens.chunks(paper.places()).map(move |tokens| paper.read(tokens));
    answers.zip(questions).map(|(answer, question)| answer.is_some() && answer == question.example.output)
}

/// The questions of a task stand side by side.
fn scores(questions: &[Question], exact: &[bool]) -> Vec<TaskScore> {
    let mut scores: Vec<TaskScore> = Vec::new();
    for (question, exact) in questions.iter().zip(exact) {
        if scores.last().is_none_or(|score| score.task != question.task) {
            scores.push(TaskScore { task: question.task.clone(), pairs: 0, exact: 0, copied: 0 });
        }
        if let Some(score) = scores.last_mut() {
            score.pairs += 1;
            score.exact += usize::from(*exact);
            score.copied += usize::from(question.example.output.as_ref() == Some(&question.example.input));
        }
    }
    scores
}

impl Evaluation {
    /// The numbers by name.
    pub(super) fn values(&self) -> BTreeMap<String, f64> {
        let overall = [("exact", self.exact), ("tokens", self.tokens), ("copied", self.copied)];
        let overall = overall.into_iter().map(|(name, value)| (format!("held_out/{name}"), value));
        let loops = self.by_loops.iter().map(|score| (format!("held_out/exact_{}_loops", score.loops), score.exact));
        overall.chain(loops).collect()
    }
}
