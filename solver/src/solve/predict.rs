//! Test inputs in several views, answered and put to the vote.

use std::ops::ControlFlow;

use candle_core::Result;
use env_client::Grid;

use super::{Answer, Ballot, Stage, Watch};
use crate::{
    data::{Example, Offset, Paper, Query, Task, augment::Augmentation},
    nets::{Depth, Net, NetConfig},
};

/// Bytes that the activations of one batch may take.
const MEMORY: usize = 512 << 20;

/// A view of a task: the row of the puzzle table that stands for it, and what it looks like.
pub(super) type Seen = (u32, Augmentation);

/// A test input in one view.
struct Question {
    query: usize,
    augmentation: Augmentation,
    example: Example,
}

/// Asks every test input that fits on the canvas in every view, and counts the answers: a ballot a test input. `None`
/// when somebody wants to stop.
pub(super) fn predict(
    net: &Net,
    paper: Paper,
    task: &Task,
    views: &[Seen],
    depth: Depth,
    watch: &mut Watch<'_>,
) -> Result<Option<Vec<Ballot>>> {
    let questions: Vec<Question> = views.iter().flat_map(|seen| ask(paper, task, seen)).collect();
    let mut ballots = vec![Ballot::default(); task.test.len()];
    let mut row = 0;
    for batch in questions.chunks(rows(net.config())) {
        for (question, (answer, confidence)) in batch.iter().zip(answers(net, paper, batch, depth)?) {
            let answer = answer.map(|grid| question.augmentation.undo(&grid));
            ballots[question.query].vote(answer, confidence);
        }
        row += batch.len();
        if let ControlFlow::Break(()) = watch(Stage::Predicting { row, rows: questions.len() }) {
            return Ok(None);
        }
    }
    Ok(Some(ballots))
}

/// Whether the net can be shown the grid.
pub(super) fn fits(paper: Paper, grid: &Grid) -> bool {
    grid.width().max(grid.height()) <= paper.longest()
}

fn ask(paper: Paper, task: &Task, &(puzzle, augmentation): &Seen) -> Vec<Question> {
    let fitting = task.test.iter().enumerate().filter(|(_, query)| fits(paper, &query.input));
    let question = |(query, asked): (usize, &Query)| Question {
        query,
        augmentation,
        example: Example {
            input: augmentation.apply(&asked.input),
            output: None,
            at: Offset::default(),
            puzzle,
            view: (&augmentation).into(),
        },
    };
    fitting.map(question).collect()
}

/// What the net answers to each, and how sure it is: `sigmoid(q_halt)`, 0 to 1.
fn answers(net: &Net, paper: Paper, batch: &[Question], depth: Depth) -> Result<Vec<(Answer, f64)>> {
    let examples: Vec<Example> = batch.iter().map(|question| question.example.clone()).collect();
    let answer = net.solve(&paper.ask(&examples), depth)?;
    let (tokens, halts) = (answer.tokens()?, answer.halt.to_vec1::<f32>()?);
    let sure = halts.into_iter().map(|logit| 1.0 / (1.0 + (-f64::from(logit)).exp()));
    Ok(tokens.chunks(paper.places()).map(|tokens| paper.read(tokens)).zip(sure).collect())
}

/// How many sequences fit into [`MEMORY`]: of each the attention of a layer, its feed-forward part and some states.
fn rows(config: &NetConfig) -> usize {
    let (tokens, stack) = (config.tokens(), config.stack());
    let positions = tokens.positions();
    let numbers = positions * (stack.heads * positions + 4 * stack.ffn + 8 * tokens.hidden);
    (MEMORY / (numbers * size_of::<f32>())).max(1)
}
