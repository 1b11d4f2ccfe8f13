//! What a step of a training learns from, and how a net is judged by titles that it never learned from.

use candle_core::Result;
use rand::{RngExt, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use solver::train::{Evaluation, TaskScore};

use super::{
    Config,
    data::{Title, Titles, disguise},
};
use crate::net::{
    head::{Truth, answers},
    model::Model,
    story::{Disguise, Window, batch},
};
use crate::perception::TileMap;

/// The windows of a step: titles drawn evenly, each window in a disguise of its own.
pub(super) fn draw(titles: &Titles, config: &Config, rng: &mut ChaCha8Rng) -> Vec<Window> {
    let length = config.training.length;
    let long: Vec<&Title> = titles.learned.iter().filter(|title| title.has(length)).collect();
    let one = |rng: &mut ChaCha8Rng| {
        let disguise = disguise(&config.data, rng);
        long.choose(rng)?.draw(length, &disguise, rng)
    };
    (0..config.training.windows).filter_map(|_| one(rng)).collect()
}

/// Puts frames that the net foretells itself in the place of the last frames of each window, as many as a draw says.
pub(super) fn imagine(model: &Model, windows: &mut [Window], most: usize, rng: &mut ChaCha8Rng) -> Result<()> {
    let Some(length) = windows.first().map(Window::len) else { return Ok(()) };
    let count = rng.random_range(1..=most);
    let mut memory = model.memory(windows.len())?;
    for step in 0..length - 1 {
        let foretold = foretell(model, windows, step, &mut memory)?;
        if step + 1 + count < length {
            continue;
        }
        for (window, frame) in windows.iter_mut().zip(foretold) {
            if window.runs(length - count) {
                window.imagine(step + 1, frame, model.config.side());
            }
        }
    }
    Ok(())
}

/// The frames after one step of every window.
fn foretell(
    model: &Model,
    windows: &[Window],
    step: usize,
    memory: &mut crate::net::model::Memory,
) -> Result<Vec<TileMap>> {
    let now: Vec<Window> = windows.iter().map(|window| window.only(step)).collect();
    let output = model.step(&batch(&now, &model.config)?, memory)?;
    memory.detach();
    let before: Vec<(&TileMap, &Disguise)> =
        now.iter().flat_map(Window::truths).map(|truth| (truth.before, truth.disguise)).collect();
    Ok(answers(&output, &before)?.into_iter().map(|answer| answer.frame).collect())
}

/// What is counted of the transitions of some titles.
#[derive(Debug, Default)]
struct Counts {
    cells: usize,
    right_cells: usize,
    titles: Vec<TaskScore>,
}

/// Asks what follows every action of some windows of every title held out.
pub(super) fn evaluate(model: &Model, titles: &Titles, config: &Config, step: u64) -> Result<Evaluation> {
    let mut counts = Counts::default();
    for title in &titles.held_out {
        let mut score = TaskScore { task: title.stem.clone(), pairs: 0, exact: 0, copied: 0 };
        for window in title.windows(config.training.length, config.evaluation.windows) {
            counts.ask(model, &window, &mut score)?;
        }
        counts.titles.push(score);
    }
    Ok(counts.evaluation(step))
}

impl Counts {
    /// Counts the transitions that change something and stay in their level.
    fn ask(&mut self, model: &Model, window: &Window, score: &mut TaskScore) -> Result<()> {
        let output = model.scan(&batch(std::slice::from_ref(window), &model.config)?)?;
        let truths: Vec<Truth<'_>> = window.truths().collect();
        let before: Vec<(&TileMap, &Disguise)> = truths.iter().map(|truth| (truth.before, truth.disguise)).collect();
        for (truth, answer) in truths.iter().zip(answers(&output, &before)?) {
            let Some(after) = truth.after.filter(|after| *after != truth.before) else { continue };
            let wrong = answer.frame.differences(after).map_or(0, Iterator::count);
            self.cells += after.kinds().len();
            self.right_cells += after.kinds().len() - wrong;
            score.pairs += 1;
            score.exact += usize::from(wrong == 0);
        }
        Ok(())
    }

    fn evaluation(self, step: u64) -> Evaluation {
        let sum = |of: fn(&TaskScore) -> usize| self.titles.iter().map(of).sum::<usize>();
        let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
        let pairs = sum(|score| score.pairs);
        Evaluation {
            step,
            pairs,
            exact: share(sum(|score| score.exact), pairs),
            tokens: share(self.right_cells, self.cells),
            copied: 0.0,
            by_loops: Vec::new(),
            tasks: self.titles,
        }
    }
}
