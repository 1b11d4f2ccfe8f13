//! The nets: what goes in, what is looped, what comes out.
//!
//! # Layout
//! - [`Net`]: a net of any kind; one [`Net::step`] is what an optimiser's step sees. Start here.
//! - [`NetConfig`]: sizes and choices, as a configuration file states them.
//! - [`Carry`], [`Step`], [`Answer`], [`Loss`]: what goes from step to step, and what a step comes to.
//! - [`loop_vit`]: the vision transformer, which works on images instead of tokens.
//! - [`published`]: weights as the published code stores them.
//! - `urm`, `trm`: what is looped; `frame`: what is before and behind it; `act`: the steps around it;
//!   `objective`: what they are trained for.
//!
//! # The one decision
//! A puzzle is worked on for several steps, and every step is trained on its own: the state is carried over without
//! gradient (HRM, TRM, URM call this deep supervision). So a step's memory does not grow with the number of steps, and a
//! net may be asked for more of them than it was trained with.

mod act;
mod config;
mod frame;
pub mod loop_vit;
mod objective;
pub mod published;
#[cfg(test)]
mod tests;
mod trm;
mod urm;

use candle_core::{D, DType, Result, Tensor};
use rand_chacha::ChaCha8Rng;

use act::{Looped, Pace};
use loop_vit::LoopVit;
use trm::Trm;
use urm::Urm;

use crate::{
    data::Batch,
    nn::{BuildResult, Scope},
};

pub use act::{Carry, Step};
pub use config::{
    ConfigError, FACTORED_PREFIX, Latents, LoopConfig, LossAt, NetConfig, Positions, Rows, Table, TokenConfig,
    TrmConfig, UrmConfig, published_ffn,
};
pub use objective::Loss;

/// A net of any kind.
#[derive(Clone, Debug)]
pub struct Net {
    config: NetConfig,
    dtype: DType,
    body: Body,
}

#[derive(Clone, Debug)]
enum Body {
    Urm(Urm),
    Trm(Trm),
    LoopVit(LoopVit),
}

/// What a step is made for.
#[derive(Debug)]
pub enum Run<'a> {
    /// To learn, with gradients; whoever explores draws from this generator.
    Train(&'a mut ChaCha8Rng),
    /// To answer, without gradients.
    Eval(Depth),
}

/// How long an answer may take; more than a net was trained with is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// Loops of one step.
    pub loops: usize,
    /// Steps at most.
    pub steps: u32,
}

/// What a net says after a loop.
#[derive(Clone, Debug)]
pub struct Answer {
    /// How much speaks for each token, `[B, L, V]` of f32.
    pub logits: Tensor,
    /// Logit of halting, or of being right: `[B]` of f32.
    pub halt: Tensor,
    /// Logit of going on, which the published settings leave untrained: `[B]` of f32.
    pub go_on: Tensor,
}

impl Answer {
    /// The likeliest token of each place, row-major `[B, L]`.
    pub fn tokens(&self) -> Result<Vec<u8>> {
        let tokens = self.logits.argmax(D::Minus1)?.flatten_all()?.to_vec1::<u32>()?;
        Ok(tokens.into_iter().map(|token| token as u8).collect())
    }

    /// Each row times its factor.
    fn scaled(&self, factors: &[f32]) -> Result<Answer> {
        let factors = Tensor::new(factors, self.halt.device())?;
        let wide = factors.reshape(((), 1, 1))?;
        Ok(Answer {
            logits: self.logits.broadcast_mul(&wide)?,
            halt: (&self.halt * &factors)?,
            go_on: (&self.go_on * &factors)?,
        })
    }

    /// The sum of two answers.
    fn plus(&self, other: &Answer) -> Result<Answer> {
        Ok(Answer {
            logits: (&self.logits + &other.logits)?,
            halt: (&self.halt + &other.halt)?,
            go_on: (&self.go_on + &other.go_on)?,
        })
    }
}

impl Net {
    /// A net with a table of `puzzles` rows, row 0 that of no puzzle.
    pub fn build(config: &NetConfig, puzzles: usize, scope: &mut Scope) -> BuildResult<Net> {
        let body = match config {
            NetConfig::Urm(config) => Body::Urm(Urm::new(config, puzzles, scope)?),
            NetConfig::Trm(config) => Body::Trm(Trm::new(config, puzzles, scope)?),
            NetConfig::LoopVit(config) => Body::LoopVit(LoopVit::new(config, puzzles, scope)?),
        };
        Ok(Net { config: config.clone(), dtype: DType::F32, body })
    }

    /// The same net, computing its loops in `dtype`; weights, norms, positions and losses stay in f32. (A Loop-ViT computes
    /// in f32 altogether.)
    pub fn computing_in(self, dtype: DType) -> Net {
        Net { dtype, ..self }
    }

    /// What it was built from.
    pub fn config(&self) -> &NetConfig {
        &self.config
    }

    /// As many loops and steps as it is trained with.
    pub fn depth(&self) -> Depth {
        Depth { loops: self.config.loops().total(), steps: self.config.steps() }
    }

    /// One step on every slot. Free slots take their row of `incoming`, the others go on with what they have.
    pub fn step(&self, carry: &Carry, incoming: &Batch, run: Run) -> Result<Step> {
        let net: &dyn Looped = match &self.body {
            Body::Urm(urm) => urm,
            Body::Trm(trm) => trm,
            Body::LoopVit(net) => return loop_vit::step(net, incoming, run),
        };
        let (loops, steps, halting) = (*self.config.loops(), self.config.steps(), *self.config.halting());
        Pace { loops, steps, halting, dtype: self.dtype }.step(net, carry, incoming, run)
    }

    /// What a training step minimises.
    pub fn loss(&self, step: &Step) -> Result<Loss> {
        match &self.body {
            Body::LoopVit(net) => loop_vit::loss(step, net.config()),
            Body::Urm(_) | Body::Trm(_) => Loss::of(step, self.config.loss(), self.config.halting()),
        }
    }

    /// The final answer to every row of a batch: steps are made until each has halted. Rules that spend a probability
    /// over the steps answer with the mean it gives.
    pub fn solve(&self, batch: &Batch, depth: Depth) -> Result<Answer> {
        let mut carry = Carry::empty(batch.rows, batch.len);
        let mut tally = act::Tally::new(batch.rows);
        while tally.is_open() {
            let step = self.step(&carry, batch, Run::Eval(depth))?;
            tally.add(&step)?;
            carry = step.carry;
        }
        tally.finish()
    }
}
