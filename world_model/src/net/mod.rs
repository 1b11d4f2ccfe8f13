//! Nets that predict frames: slot-Mamba, and the local convolutions that it has to beat.
//!
//! # Layout
//! - [`Net`]: a net as a world model, which learns inside a game. Start here.
//! - [`NetConfig`]: which net, and how large; `config`, then `slot_mamba` and `cnn`, made of `stem`, `layers`, `slots`,
//!   `mamba`, `head`.
//! - [`train`]: pretraining on recordings of many titles.
//! - `story`, `batch`, `objects`: what a net reads of a play.
//!
//! # The one decision
//! A frame is read as a map of tiles, whose kinds are the sixteen colours of all that follows. The next one is the map
//! itself with some cells edited: for every cell a logit of an edit and sixteen of colours.
//! A fresh net copies, so all it learns is what changes; a prediction is again a frame of sixteen colours, exact or not,
//! and can be predicted on from. The price is a net that thinks of cells, not of things.

mod adapt;
mod batch;
mod cnn;
mod config;
mod head;
mod layers;
mod mamba;
mod model;
mod objects;
mod slot_mamba;
mod slots;
mod stem;
mod story;
pub mod train;

use std::path::Path;

use candle_core::{Device, Result};
use env_client::{Action, Grid};

pub use adapt::Adaptation;
pub use config::{CnnConfig, NetConfig, NetConfigError, SlotMambaConfig};
pub use model::ModelError;

use adapt::Learner;
use batch::Batch;
use head::{Answer, answers};
use model::{Memory, Model};
use story::{Story, fits, length};

use crate::{Outcome, Prediction, Source, Start, State, Transition, WorldModel, reliability::Reliability};

/// A net as a world model.
///
/// What it was told so far is in its memory (the state of its scans since the attempt began), in its weights (some
/// gradient steps after each action, on a copy of what the file holds) and in the reliability it has shown. A prediction
/// from any state is made with the memory of the newest one.
#[derive(Debug)]
pub struct Net {
    model: Model,
    memory: Memory,
    story: Story,
    learner: Learner,
    shown: [Reliability; BOUNDS.len() + 1],
}

/// Where the bins of confidence part: probabilities a net gives its likeliest frame.
const BOUNDS: [f32; 8] = [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99];

/// What a bin is believed to be worth before anything was counted, and as how many predictions: half a coin's toss, so
/// that a hundred right ones in a row are needed before 99 % are claimed.
const BELIEVED: (f32, f32) = (0.5, 2.0);

impl Net {
    /// The net of a checkpoint that `arc3 pretrain` left, adapting in the usual way.
    pub fn open(path: &Path, seed: u64) -> std::result::Result<Net, ModelError> {
        Net::new(Model::open(path)?, Adaptation::default(), seed)
    }

    /// A net that has learned nothing yet.
    pub fn fresh(config: NetConfig, seed: u64) -> std::result::Result<Net, ModelError> {
        Net::new(Model::fresh(config, seed)?, Adaptation::default(), seed)
    }

    fn new(model: Model, how: Adaptation, seed: u64) -> std::result::Result<Net, ModelError> {
        let (side, components) = (model.config.side(), model.config.components());
        let device = |error| ModelError::Params(solver::nn::ParamError::Device(error));
        Ok(Net {
            memory: model.memory(1).map_err(device)?,
            story: Story::new(side, components),
            learner: Learner::new(how, &model, seed).map_err(device)?,
            shown: [Reliability::believed(BELIEVED.0, BELIEVED.1); BOUNDS.len() + 1],
            model,
        })
    }

    /// The same net learning in another way.
    pub fn adapting(self, how: Adaptation, seed: u64) -> std::result::Result<Net, ModelError> {
        Net::new(self.model, how, seed)
    }

    /// A net with the same weights that was told nothing and learns in the same way.
    pub fn afresh(&self, seed: u64) -> std::result::Result<Net, ModelError> {
        Net::new(self.model.copy()?, self.learner.how(), seed)
    }

    /// What tables call it.
    pub fn name(&self) -> &'static str {
        match self.model.config {
            NetConfig::SlotMamba(_) => "slot-Mamba",
            NetConfig::Cnn(_) => "CNN",
        }
    }

    /// Numbers in all trained tensors.
    pub fn parameters(&self) -> usize {
        self.model.params.count()
    }

    /// What the net makes of an action on a map of tiles, and its memory after it.
    fn ask(&self, map: &Grid, action: Action) -> Result<(Answer, Memory)> {
        let pieces = self.story.pieces(map);
        let moment = self.story.next(map, self.story.tiles().aim(action, map), &pieces);
        let batch = Batch::new(&[moment], 1, self.model.config.canvas(length(map)), &Device::Cpu)?;
        let mut memory = self.memory.clone();
        let output = self.model.step(&batch, &mut memory)?;
        let answer = answers(&output, &[map])?.pop();
        answer.map(|answer| (answer, memory)).ok_or_else(|| candle_core::Error::Msg("no answer".to_owned()))
    }

    /// Counts whether it was right, remembers the step, and learns from it.
    fn take(&mut self, transition: &Transition<'_>) -> Result<()> {
        let map = self.story.tiles().read(transition.before);
        if fits(&map, self.model.config.side()) {
            let (answer, memory) = self.ask(&map, transition.action)?;
            if let Some(after) = transition.after() {
                let right = answer.frame == self.story.tiles().read(after);
                self.shown[bin(&answer)].count(right && answer.outcome == Outcome::Continues);
            }
            self.memory = memory;
            self.memory.detach();
        }
        self.story.push(transition);
        if !self.story.current().is_empty() {
            self.learner.learn(&self.model, &self.story)?;
        }
        Ok(())
    }
}

/// Which bin of confidence an answer is in.
fn bin(answer: &Answer) -> usize {
    let probability = answer.log_probability.exp();
    BOUNDS.iter().filter(|bound| probability >= **bound).count()
}

impl WorldModel for Net {
    fn begin(&mut self, frame: &Grid, start: Start) {
        match start {
            Start::Level => self.story.level(frame),
            Start::Again => self.story.begin(),
        }
    }

    fn observe(&mut self, transition: &Transition<'_>) {
        // A net that cannot compute a step has learned nothing from it; there is nothing else to do about it.
        let _learned = self.take(transition);
    }

    fn predict(&self, state: &State, action: Action) -> Prediction {
        let map = self.story.tiles().read(&state.frame);
        if !fits(&map, self.model.config.side()) {
            return Prediction::UNKNOWN;
        }
        let Ok((answer, _)) = self.ask(&map, action) else { return Prediction::UNKNOWN };
        let confidence = self.shown[bin(&answer)].rate();
        let ends = answer.outcome != Outcome::Continues;
        let painted = || State::seen(self.story.tiles().paint(&state.frame, &map, &answer.frame));
        let next = if ends { state.clone() } else { painted() };
        Prediction { next: Some(next), outcome: answer.outcome, confidence, source: Source::Net }
    }

    /// How far the net is from being sure of a frame.
    fn disagreement(&self, state: &State, action: Action) -> f32 {
        match self.ask(&self.story.tiles().read(&state.frame), action) {
            Ok((answer, _)) => 1.0 - answer.log_probability.exp(),
            Err(_) => 1.0,
        }
    }
}

#[cfg(test)]
mod tests;
