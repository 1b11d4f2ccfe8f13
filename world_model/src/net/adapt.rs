//! Learning inside a game: a few gradient steps after each action, on the newest steps and on some from before.

use std::time::{Duration, Instant};

use candle_core::Result;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use solver::nn::{
    optim::{Gradients, Norm, Optimizer, OptimizerConfig, Step},
    stream,
};

use super::{
    head::{Truth, loss},
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

/// A net's learning inside a game.
#[derive(Debug)]
pub(super) struct Learner {
    how: Adaptation,
    optimizer: Optimizer,
    made: u64,
    rng: ChaCha8Rng,
}

impl Learner {
    pub(super) fn new(how: Adaptation, model: &Model, seed: u64) -> Result<Learner> {
        let optimizer = Optimizer::new(RULE, &model.params)?;
        Ok(Learner { how, optimizer, made: 0, rng: stream(seed, "adaptation") })
    }

    /// In which way it learns.
    pub(super) fn how(&self) -> Adaptation {
        self.how
    }

    /// Learns from a play whose last step is new.
    pub(super) fn learn(&mut self, model: &Model, story: &Story) -> Result<()> {
        let begun = Instant::now();
        for _ in 0..self.how.steps {
            if self.how.time.is_some_and(|most| begun.elapsed() >= most) {
                break;
            }
            let windows = self.windows(story);
            self.step(model, &windows)?;
        }
        Ok(())
    }

    /// The newest window and some drawn evenly from all.
    fn windows(&mut self, story: &Story) -> Vec<Window> {
        let length = self.how.length.min(story.len());
        let last = story.len() - length;
        let mut firsts = vec![last];
        firsts.extend((1..self.how.windows).map(|_| self.rng.random_range(0..=last)));
        firsts.into_iter().map(|first| story.window(first..first + length, &Disguise::NONE)).collect()
    }

    fn step(&mut self, model: &Model, windows: &[Window]) -> Result<()> {
        let output = model.scan(&batch(windows, model.config.side())?)?;
        let truths: Vec<Truth<'_>> = windows.iter().flat_map(Window::truths).collect();
        let mut gradients = Gradients::take(&model.params, &mut loss(&output, &truths)?.backward()?);
        // A step with a gradient that is no number would leave a net that is none.
        let Norm::Finite(norm) = gradients.norm()? else { return Ok(()) };
        gradients.clip(norm, CLIP)?;
        self.made += 1;
        self.optimizer.step(&model.params, &gradients, Step { number: self.made, lr: self.how.lr })
    }
}
