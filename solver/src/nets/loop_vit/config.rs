//! The `[net]` table of a Loop-ViT.

use serde::{Deserialize, Serialize};

use super::Plan;
use crate::{
    nets::{ConfigError, LossAt, config::nonzero},
    nn::{Mode, halting::Halting},
};

/// Sizes and choices of a [`LoopVit`](super::LoopVit).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopVitConfig {
    /// Side of the square image in pixels.
    pub side: usize,
    /// Values of a pixel V: ten colours, background and border.
    pub values: usize,
    /// Side of the square patch that makes a token.
    pub patch: usize,
    /// Tokens in front that say which task it is.
    pub task_tokens: usize,
    /// Width D of every token.
    pub hidden: usize,
    /// Attention heads H.
    pub heads: usize,
    /// Width of the feed-forward part; the hybrid layer takes two thirds of it, rounded down.
    pub ffn: usize,
    /// Which layer is looped.
    pub layer: LayerKind,
    /// Layers of one loop.
    pub layers: usize,
    /// Loops, and step embeddings. More loops at inference use the last embedding again.
    pub loops: u32,
    /// Probability with which activations are left out in training.
    pub dropout: f32,
    /// After which loops the loss is taken. Rules that spend a probability take it after each.
    pub loss_at: LossAt,
    /// When an image is done before the last loop.
    pub halting: Halting,
    /// Weight of the entropy that keeps the gate undecided.
    pub gate_entropy: f64,
    /// Weight of the share of loops taken. It moves the reported loss and has no gradient.
    pub step_penalty: f64,
}

/// The layer of the shared block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayerKind {
    /// RMS norm first, and a gated feed-forward part with a 3×3 convolution among the patches (`loop_vit1` of the
    /// published code).
    Hybrid,
    /// Layer norm last, and a feed-forward part of two linear maps (`loop_vit`).
    Plain,
}

impl LoopVitConfig {
    /// Patches along one side of the image.
    pub fn grid(&self) -> usize {
        self.side / self.patch
    }

    /// Tokens of the image.
    pub fn patches(&self) -> usize {
        self.grid() * self.grid()
    }

    /// Pixels L of an image.
    pub fn pixels(&self) -> usize {
        self.side * self.side
    }

    /// A pass as the net is trained with.
    pub fn plan(&self, mode: Mode) -> Plan {
        let every = mode == Mode::Train && self.counts_each();
        Plan { mode, loops: self.loops, halting: self.halting, every }
    }

    /// Whether the loss is taken after each loop.
    pub(super) fn counts_each(&self) -> bool {
        matches!(self.halting, Halting::Act { .. } | Halting::PonderNet { .. }) || self.loss_at == LossAt::Each
    }

    /// An error that names the first setting no net can have.
    pub fn check(&self) -> Result<(), ConfigError> {
        let sizes = [
            ("side", self.side),
            ("values", self.values),
            ("patch", self.patch),
            ("task_tokens", self.task_tokens),
            ("hidden", self.hidden),
            ("heads", self.heads),
            ("ffn", self.ffn),
            ("layers", self.layers),
            ("loops", self.loops as usize),
        ];
        sizes.into_iter().try_for_each(|(name, size)| nonzero(name, size))?;
        let (hidden, heads) = (self.hidden, self.heads);
        if !self.side.is_multiple_of(self.patch) {
            return Err(ConfigError::Patch { side: self.side, patch: self.patch });
        }
        if !hidden.is_multiple_of(4 * heads) {
            return Err(ConfigError::Heads { hidden, heads, part: 4 });
        }
        if !(0.0..1.0).contains(&self.dropout) {
            return Err(ConfigError::Dropout(self.dropout));
        }
        if matches!(self.halting, Halting::QHead { .. }) {
            return Err(ConfigError::NoQHead);
        }
        Ok(self.halting.check()?)
    }
}
