//! The `[net]` table of a Loop-ViT.

use serde::{Deserialize, Serialize};

use super::Plan;
use crate::{
    data::image::VALUES,
    nets::{ConfigError, LoopConfig, LossAt, Positions, Rows, TokenConfig},
    nn::{Conv, Mixer, Mode, StackConfig, halting::Halting},
};

/// Sizes and choices of a [`LoopVit`](super::LoopVit).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopVitConfig {
    /// What goes in: `canvas` is the side of the image in pixels, `prefix` the number of task tokens T, `positions` are
    /// those of a grid, and `row_std` the deviation of a fresh task.
    pub tokens: TokenConfig,
    /// The shared block. With a convolution over the grid it is the hybrid layer, which takes two thirds of `ffn` rounded
    /// down, without one it is the plain layer.
    pub stack: StackConfig,
    /// All loops of a pass, in one graph, each with a step embedding. More loops at inference use the last one again.
    /// Rules that spend a probability take the loss after each, whatever is said here.
    pub loops: LoopConfig,
    /// When an image is done before the last loop.
    pub halting: Halting,
    /// Side of the square patch that makes a token.
    pub patch: usize,
    /// Probability with which activations are left out in training.
    pub dropout: f32,
    /// Weight of the entropy that keeps the gate undecided.
    pub gate_entropy: f64,
    /// Weight of the share of loops taken. It moves the reported loss and has no gradient.
    pub step_penalty: f64,
}

impl LoopVitConfig {
    /// Patches along one side of the image.
    pub fn grid(&self) -> usize {
        self.tokens.canvas / self.patch
    }

    /// Tokens n of the image.
    pub fn patches(&self) -> usize {
        self.grid() * self.grid()
    }

    /// Numbers that the head gives for a patch.
    pub(super) fn outputs(&self) -> usize {
        VALUES * self.patch * self.patch
    }

    /// A pass as the net is trained with.
    pub fn plan(&self, mode: Mode) -> Plan {
        let every = mode == Mode::Train && self.counts_each();
        Plan { mode, loops: self.loops.grad as u32, halting: self.halting, every }
    }

    /// Whether the loss is taken after each loop.
    pub(super) fn counts_each(&self) -> bool {
        self.halting.is_distribution() || self.loops.loss_at == LossAt::Each
    }

    /// An error that names the first setting no Loop-ViT can have, beyond what all nets check.
    pub(in crate::nets) fn check(&self) -> Result<(), ConfigError> {
        let (side, patch) = (self.tokens.canvas, self.patch);
        if patch == 0 || !side.is_multiple_of(patch) {
            return Err(ConfigError::Patch { side, patch });
        }
        let rules = [
            (self.tokens.positions == Positions::Grid, "tokens.positions", "grid"),
            (self.tokens.rows != Rows::Factored, "tokens.rows", "task or augmentation"),
            (self.stack.mixer == Mixer::Attention, "stack.mixer", "attention"),
            (self.stack.conv != Conv::Pair, "stack.conv", "grid or none"),
            (self.loops.free == 0, "loops.free", "0"),
            (!matches!(self.halting, Halting::QHead { .. }), "halting", "a rule without q_head"),
            ((0.0..1.0).contains(&self.dropout), "dropout", "from 0 to below 1"),
        ];
        match rules.into_iter().find(|(holds, ..)| !holds) {
            Some((_, setting, expected)) => Err(ConfigError::LoopVit { setting, expected }),
            None => Ok(()),
        }
    }
}
