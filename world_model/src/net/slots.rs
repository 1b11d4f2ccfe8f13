//! How slots look at a frame and at each other.

use candle_core::{D, Result, Tensor};
use solver::nn::{BuildResult, Init, Scope, linear, ops};

use super::{
    SlotMambaConfig,
    batch::{GEOMETRY, Slots},
    config::PATCH,
    layers::{Linear, Norm},
    mamba::{Mamba, State},
};

/// Added to the sum of a slot's attention before it is divided by it.
const NOTHING: f64 = 1e-5;

/// The slots before they have looked around: components as what lies under their masks, the others as learned.
#[derive(Clone, Debug)]
pub(super) struct Beginning {
    looks: Linear,    // [channels] → [width]
    geometry: Linear, // [GEOMETRY] → [width]
    learned: Tensor,  // [learned, width]
}

impl Beginning {
    pub(super) fn new(config: &SlotMambaConfig, scope: &mut Scope<'_>) -> BuildResult<Beginning> {
        Ok(Beginning {
            looks: Linear::new(config.channels, config.width, 1.0, &mut scope.at("looks"))?,
            geometry: Linear::new(GEOMETRY, config.width, 1.0, &mut scope.at("geometry"))?,
            learned: scope.trained("learned", (config.learned, config.width), Init::Normal { std: 1.0 })?,
        })
    }

    /// # Shapes
    /// `cells`: [frames, side², channels], patch by patch. Result: [frames, slots, width].
    pub(super) fn forward(&self, slots: &Slots, cells: &Tensor) -> Result<Tensor> {
        let (frames, components, patches, each) = slots.masks.dims4()?;
        let masks = slots.masks.reshape((frames, components, patches * each))?;
        let size = (masks.sum_keepdim(D::Minus1)? + NOTHING)?;
        let looks = masks.matmul(cells)?.broadcast_div(&size)?;
        let pooled = (self.looks.forward(&looks)? + self.geometry.forward(&slots.geometry)?)?;
        let (learned, width) = self.learned.dims2()?;
        let learned = self.learned.unsqueeze(0)?.broadcast_as((frames, learned, width))?;
        Tensor::cat(&[pooled, learned], 1)
    }
}

/// One block: slots compete for patches, remember, and tell each other.
#[derive(Clone, Debug)]
pub(super) struct Block {
    look: InvertedAttention,
    gain: Linear,
    shift: Linear,
    norm: Norm,
    mamba: Mamba,
    exchange: Exchange,
}

/// Whether a block sees all steps at once or one at a time.
#[derive(Debug)]
pub(super) enum Time<'a> {
    /// All steps, with where sequences begin anew, for every slot.
    Scan(&'a std::sync::Arc<[bool]>),
    /// One step from this state on.
    Step(&'a mut State),
}

impl Block {
    pub(super) fn new(config: &SlotMambaConfig, scope: &mut Scope<'_>) -> BuildResult<Block> {
        let width = config.width;
        Ok(Block {
            look: InvertedAttention::new(width, &mut scope.at("look"))?,
            gain: Linear::new(width, width, 0.3, &mut scope.at("gain"))?,
            shift: Linear::new(width, width, 0.3, &mut scope.at("shift"))?,
            norm: Norm::new(width, &mut scope.at("norm"))?,
            mamba: Mamba::new(config, &mut scope.at("mamba"))?,
            exchange: Exchange::new(config, &mut scope.at("exchange"))?,
        })
    }

    /// # Shapes
    /// `slots`: [frames, slots, width]. `patches`: [frames, patches, width]. `action`: [frames, width]. Result: like
    /// `slots`, and the shares of the slots in the patches, [frames, slots, patches].
    pub(super) fn forward(
        &self,
        slots: &Tensor,
        patches: &Tensor,
        action: &Tensor,
        steps: usize,
        time: Time<'_>,
    ) -> Result<(Tensor, Tensor)> {
        let (seen, shares) = self.look.forward(slots, patches)?;
        let slots = (slots + seen)?;
        let gain = (self.gain.forward(action)? + 1.0)?.unsqueeze(1)?;
        let told = self.norm.forward(&slots)?.broadcast_mul(&gain)?;
        let told = told.broadcast_add(&self.shift.forward(action)?.unsqueeze(1)?)?;
        let slots = (&slots + self.remember(&told, steps, time)?)?;
        Ok((self.exchange.forward(&slots, action)?, shares))
    }

    /// Every slot has a sequence of its own: [frames, slots, width] as [sequences · slots, steps, width] and back.
    fn remember(&self, told: &Tensor, steps: usize, time: Time<'_>) -> Result<Tensor> {
        let (frames, slots, width) = told.dims3()?;
        let sequences = frames / steps;
        match time {
            Time::Scan(starts) => {
                let by_slot = told.reshape((sequences, steps, slots, width))?.transpose(1, 2)?.contiguous()?;
                let after = self.mamba.scan(&by_slot.reshape((sequences * slots, steps, width))?, starts)?;
                let after = after.reshape((sequences, slots, steps, width))?.transpose(1, 2)?.contiguous()?;
                after.reshape((frames, slots, width))
            }
            Time::Step(state) => {
                let after = self.mamba.step(&told.reshape((frames * slots, width))?, state)?;
                after.reshape((frames, slots, width))
            }
        }
    }

    /// The state of so many sequences before their first step.
    pub(super) fn empty(&self, sequences: usize) -> Result<State> {
        self.mamba.empty(sequences)
    }
}

/// One head of attention in which the slots compete for every patch: softmax over the slots, then a weighted mean over
/// the patches (slot attention without its iterations: Locatello et al. 2020).
#[derive(Clone, Debug)]
struct InvertedAttention {
    slots: Norm,
    patches: Norm,
    query: Tensor, // [width, width]
    key: Tensor,   // [width, width]
    value: Tensor, // [width, width]
    out: Linear,
}

impl InvertedAttention {
    fn new(width: usize, scope: &mut Scope<'_>) -> BuildResult<InvertedAttention> {
        let square = |scope: &mut Scope<'_>, name: &str| scope.trained(name, (width, width), Init::linear(width));
        Ok(InvertedAttention {
            slots: Norm::new(width, &mut scope.at("slots"))?,
            patches: Norm::new(width, &mut scope.at("patches"))?,
            query: square(scope, "query")?,
            key: square(scope, "key")?,
            value: square(scope, "value")?,
            out: Linear::new(width, width, 1.0, &mut scope.at("out"))?,
        })
    }

    fn forward(&self, slots: &Tensor, patches: &Tensor) -> Result<(Tensor, Tensor)> {
        let patches = self.patches.forward(patches)?;
        let query = linear(&self.slots.forward(slots)?, &self.query)?;
        let scale = 1.0 / (query.dim(D::Minus1)? as f64).sqrt();
        let scores = (linear(&patches, &self.key)?.matmul(&query.t()?)? * scale)?; // [F, P, K]
        let shares = ops::softmax(&scores)?.t()?.contiguous()?; // [F, K, P]
        let weights = shares.broadcast_div(&(shares.sum_keepdim(D::Minus1)? + NOTHING)?)?;
        let seen = weights.matmul(&linear(&patches, &self.value)?)?;
        Ok((self.out.forward(&seen)?, shares))
    }
}

/// Attention among the slots of a frame and its action, then a feed-forward part, each as a residual behind a norm.
#[derive(Clone, Debug)]
struct Exchange {
    heads: usize,
    before: Norm,
    qkv: Tensor, // [3 · width, width]
    out: Linear,
    between: Norm,
    up: Linear,
    down: Linear,
}

impl Exchange {
    fn new(config: &SlotMambaConfig, scope: &mut Scope<'_>) -> BuildResult<Exchange> {
        let (width, hidden) = (config.width, config.ffn * config.width);
        Ok(Exchange {
            heads: config.heads,
            before: Norm::new(width, &mut scope.at("before"))?,
            qkv: scope.trained("qkv", (3 * width, width), Init::linear(width))?,
            out: Linear::new(width, width, 1.0, &mut scope.at("out"))?,
            between: Norm::new(width, &mut scope.at("between"))?,
            up: Linear::new(width, hidden, 1.4, &mut scope.at("up"))?,
            down: Linear::new(hidden, width, 1.0, &mut scope.at("down"))?,
        })
    }

    fn forward(&self, slots: &Tensor, action: &Tensor) -> Result<Tensor> {
        let count = slots.dim(1)?;
        let all = Tensor::cat(&[slots, &action.unsqueeze(1)?], 1)?;
        let mixed = self.attend(&self.before.forward(&all)?)?;
        let slots = (slots + mixed.narrow(1, 0, count)?)?;
        let hidden = self.up.forward(&self.between.forward(&slots)?)?.relu()?;
        slots + self.down.forward(&hidden)?
    }

    fn attend(&self, all: &Tensor) -> Result<Tensor> {
        let (frames, tokens, width) = all.dims3()?;
        let qkv = linear(all, &self.qkv)?.reshape((frames, tokens, 3 * self.heads, width / self.heads))?;
        let part = |which: usize| qkv.narrow(2, which * self.heads, self.heads)?.contiguous();
        let mixed = ops::attention(&part(0)?, &part(1)?, &part(2)?, None, None)?;
        self.out.forward(&mixed.reshape((frames, tokens, width))?)
    }
}

/// Cells laid out patch by patch.
///
/// # Shapes
/// `x`: [frames, side, side, channels]. Result: [frames, side², channels].
pub(super) fn by_patches(x: &Tensor) -> Result<Tensor> {
    let (frames, side, _, channels) = x.dims4()?;
    let patches = side / PATCH;
    let x = x.reshape(vec![frames, patches, PATCH, patches, PATCH * channels])?;
    x.transpose(2, 3)?.contiguous()?.reshape((frames, side * side, channels))
}
