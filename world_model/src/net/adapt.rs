//! Learning inside a game: a few gradient steps after each action, on the newest steps and on some from before.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use candle_core::Result;
use rand::{RngExt, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use solver::nn::{
    optim::{Ema, Gradients, Norm, Optimizer, OptimizerConfig, Step},
    stream,
};

use super::{
    head::{Output, Truth, loss, right},
    model::Model,
    story::{Disguise, Story, Window, batch},
};

/// How a net learns inside a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptation {
    /// Gradient steps after each action.
    pub steps: usize,
    /// Windows in a gradient step: the newest one, and others of this play.
    pub windows: usize,
    /// Actions in a window.
    pub length: usize,
    /// Learning rate.
    pub lr: f64,
    /// After this long no further gradient step is begun. What is learned then depends on the machine: a play is repeated
    /// exactly only without it.
    pub time: Option<Duration>,
}

impl Default for Adaptation {
    /// Four gradient steps on eight actions each after each action, with no limit of time: what a key does here is not
    /// known from other games, and one small step after each action was too little to learn it in a hundred of them.
    fn default() -> Adaptation {
        Adaptation { steps: 4, windows: 8, length: 1, lr: 3e-3, time: None }
    }
}

/// Longest gradient, as in training; longer ones are shortened to it.
const CLIP: f64 = 1.0;

/// The rule, without decay: what was learned before the game is not to be forgotten without a reason.
const RULE: OptimizerConfig = OptimizerConfig::AdamW { betas: (0.9, 0.99), weight_decay: 0.0, eps: 1e-8 };

/// What of the average of the weights stays with each gradient step. Rates at which a key is learned in a hundred actions
/// leave single steps noisy: a cell here and there is foretold wrong, and frames are not exact.
const AVERAGE: f64 = 0.98;

/// A net's learning inside a game.
#[derive(Debug)]
pub(super) struct Learner {
    how: Adaptation,
    optimizer: Optimizer,
    /// The weights of single steps while the model has their average, and the other way round while it learns.
    average: Ema,
    made: u64,
    rng: ChaCha8Rng,
    /// The first steps of the windows that were foretold wrong when they were last drawn.
    missed: BTreeSet<usize>,
}

impl Learner {
    pub(super) fn new(how: Adaptation, model: &Model, seed: u64) -> Result<Learner> {
        let optimizer = Optimizer::new(RULE, &model.params)?;
        let average = Ema::new(AVERAGE, &model.params)?;
        Ok(Learner { how, optimizer, average, made: 0, rng: stream(seed, "adaptation"), missed: BTreeSet::new() })
    }

    /// In which way it learns.
    pub(super) fn how(&self) -> Adaptation {
        self.how
    }

    /// Learns from a play whose last step is new.
    pub(super) fn learn(&mut self, model: &Model, story: &Story) -> Result<()> {
        self.average.swap(&model.params)?;
        let learned = self.steps(model, story);
        self.average.swap(&model.params)?;
        learned
    }

    fn steps(&mut self, model: &Model, story: &Story) -> Result<()> {
        let begun = Instant::now();
        for _ in 0..self.how.steps {
            if self.how.time.is_some_and(|most| begun.elapsed() >= most) {
                break;
            }
            let firsts = self.firsts(story);
            self.step(model, story, &firsts)?;
        }
        Ok(())
    }

    /// Where windows begin: the newest one, then by turns one of those that were foretold wrong and one drawn evenly from
    /// all. Most of a play is soon known, and what is rare would hardly ever be drawn.
    fn firsts(&mut self, story: &Story) -> Vec<usize> {
        let steps = story.current();
        let last = steps.end - self.how.length.min(steps.len());
        self.missed.retain(|first| (steps.start..=last).contains(first));
        let missed: Vec<usize> = self.missed.iter().copied().collect();
        let others = (1..self.how.windows).map(|at| match missed.choose(&mut self.rng).filter(|_| at % 2 == 1) {
            Some(first) => *first,
            None => self.rng.random_range(steps.start..=last),
        });
        std::iter::once(last).chain(others).collect()
    }

    fn step(&mut self, model: &Model, story: &Story, firsts: &[usize]) -> Result<()> {
        let length = self.how.length.min(story.current().len());
        let window = |first: &usize| story.window(*first..first + length, &Disguise::NONE);
        let windows: Vec<Window> = firsts.iter().map(window).collect();
        let output = model.scan(&batch(&windows, &model.config)?)?;
        let truths: Vec<Truth<'_>> = windows.iter().flat_map(Window::truths).collect();
        self.judge(&output, &truths, firsts)?;
        let mut gradients = Gradients::take(&model.params, &mut loss(&output, &truths)?.backward()?);
        // A step with a gradient that is no number would leave a net that is none.
        let Norm::Finite(norm) = gradients.norm()? else { return Ok(()) };
        gradients.clip(norm, CLIP)?;
        self.made += 1;
        self.optimizer.step(&model.params, &gradients, Step { number: self.made, lr: self.how.lr })?;
        self.average.update(&model.params)
    }

    /// Notes which windows were foretold wrong.
    fn judge(&mut self, output: &Output, truths: &[Truth<'_>], firsts: &[usize]) -> Result<()> {
        let right = right(output, truths)?;
        for (first, right) in firsts.iter().zip(right.chunks(truths.len() / firsts.len())) {
            if right.iter().all(|right| *right) {
                self.missed.remove(first);
            } else {
                self.missed.insert(*first);
            }
        }
        Ok(())
    }
}
