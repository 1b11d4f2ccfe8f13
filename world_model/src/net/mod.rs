//! Nets that predict frames: slot-Mamba, and the local convolutions that it has to beat.
//!
//! # Layout
//! - [`Net`]: a net as a world model, which learns inside a game. Start here.
//! - [`NetConfig`]: which net, and how large; `config`, then `slot_mamba` and `cnn`, made of `stem`, `layers`, `slots`,
//!   `mamba`, `head`.
//! - [`train`]: pretraining on recordings of many titles.
//! - `story`, `batch`, `objects`: what a net reads of a play; `context`: what the play has shown of its kinds of tiles and
//!   of its keys; `relations`: what tiles have to do with each other, and where each could take its next kind from.
//!
//! # The one decision
//! A frame is read as a map of tiles. The next one is the map itself with some tiles edited: for every tile a logit of an
//! edit, and of what it becomes: one of sixteen kinds, or what one of its sources shows, such as the tile beside it, the
//! one behind it on the way that things go under this key, or what lies under it.
//! A fresh net copies, so all it learns is what changes; what moves can be foretold whatever it looks like, since sources
//! and relations know no kinds. A prediction is again a map of tiles, exact or not, and can be predicted on from. The price
//! is a net that thinks of tiles, not of things.

mod adapt;
mod batch;
mod cast;
mod cnn;
mod config;
mod context;
mod habits;
mod head;
mod layers;
mod mamba;
mod model;
mod objects;
mod relations;
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
use story::{Disguise, Story, fits, length};

use crate::{
    Outcome, Prediction, Source, Start, State, Transition, WorldModel,
    perception::{TileMap, Tiles},
    reliability::Reliability,
};

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
        match (&self.model.config, self.model.is_untrained) {
            (NetConfig::SlotMamba(_), false) => "slot-Mamba",
            (NetConfig::SlotMamba(_), true) => "untrained slot-Mamba",
            (NetConfig::Cnn(_), false) => "CNN",
            (NetConfig::Cnn(_), true) => "untrained CNN",
        }
    }

    /// Numbers in all trained tensors.
    pub fn parameters(&self) -> usize {
        self.model.params.count()
    }

    /// What the net makes of an action on a frame; `None` where its canvas cannot hold it.
    fn ask(&self, frame: &Grid, action: Action) -> Result<Option<Asked>> {
        let mut tiles = self.story.tiles().clone();
        tiles.meet(frame);
        let map = tiles.map(frame);
        if !fits(&map, self.model.config.side()) {
            return Ok(None);
        }
        let (pieces, context) = (self.story.pieces(&map), self.story.context(&map));
        let action = tiles.aim(action, &map);
        let known = tiles.clone();
        self.story.next((&map, &known), action, &pieces, &context).sight().foresee(&mut tiles);
        let moment = self.story.next((&map, &tiles), action, &pieces, &context);
        let batch = Batch::new(&[moment], 1, self.model.config.canvas(length(&map)), &Device::Cpu)?;
        let mut memory = self.memory.clone();
        let output = self.model.step(&batch, &mut memory)?;
        let answer = answers(&output, &[(&map, &Disguise::NONE)])?.pop();
        Ok(answer.map(|answer| Asked { tiles, map, answer, memory }))
    }

    /// Counts whether it was right, remembers the step, and learns from it.
    fn take(&mut self, transition: &Transition<'_>) -> Result<()> {
        if let Some(asked) = self.ask(transition.before, transition.action)? {
            if let Some(after) = transition.after() {
                let right = asked.tiles.map(&asked.painted(transition.before)) == asked.tiles.map(after);
                self.shown[bin(&asked.answer)].count(right && asked.answer.outcome == Outcome::Continues);
            }
            self.memory = asked.memory;
            self.memory.detach();
        }
        self.story.push(transition);
        if !self.story.current().is_empty() {
            self.learner.learn(&self.model, &self.story)?;
        }
        Ok(())
    }
}

/// An answer, and what it is about.
#[derive(Debug)]
struct Asked {
    tiles: Tiles,
    map: TileMap,
    answer: Answer,
    memory: Memory,
}

impl Asked {
    /// The frame that is foretold of the one asked about.
    fn painted(&self, frame: &Grid) -> Grid {
        self.tiles.paint(frame, &self.map, &self.answer.frame)
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
        let Ok(Some(asked)) = self.ask(&state.frame, action) else { return Prediction::UNKNOWN };
        let confidence = self.shown[bin(&asked.answer)].rate();
        let outcome = asked.answer.outcome;
        let ends = outcome != Outcome::Continues;
        let next = if ends { state.clone() } else { State::seen(asked.painted(&state.frame)) };
        Prediction { next: Some(next), outcome, confidence, source: Source::Net }
    }

    /// How far the net is from being sure of a frame.
    fn disagreement(&self, state: &State, action: Action) -> f32 {
        match self.ask(&state.frame, action) {
            Ok(Some(asked)) => 1.0 - asked.answer.log_probability.exp(),
            _ => 1.0,
        }
    }
}

#[cfg(test)]
mod tests;
