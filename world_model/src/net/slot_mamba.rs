//! Slot-Mamba: components and learned slots that look at the frame, remember by a selective state space each, tell each
//! other, and are painted over a convolutional skip. (The layout follows Jiang et al. 2024, whose slots see video. Here the first ones
//! are components, the action is told by modulation and as one more token, and the answer is an edit of the frame.)

use std::sync::Arc;

use candle_core::{D, Result, Tensor};
use solver::nn::{BuildResult, Init, Scope, linear, ops};

use super::{
    SlotMambaConfig,
    batch::Batch,
    config::PATCH,
    head::{Aside, FAINT, Output, VALUES, rare},
    layers::{Conditioned, Linear, Trunk},
    mamba::State,
    slots::{Beginning, Block, Time, by_patches},
    stem::{Command, Sight, Stem},
};

/// The net.
#[derive(Clone, Debug)]
pub(super) struct SlotMamba {
    stem: Stem,
    command: Command,
    patches: Linear, // [16 · channels] → [width]
    beginning: Beginning,
    blocks: Vec<Block>,
    decoder: Decoder,
    trunk: Trunk,
    skip: Linear, // [channels] → [VALUES]
    aside: Aside,
}

impl SlotMamba {
    pub(super) fn new(config: &SlotMambaConfig, scope: &mut Scope<'_>) -> BuildResult<SlotMamba> {
        let (channels, width) = (config.channels, config.width);
        let blocks = (0..config.blocks).map(|index| Block::new(config, &mut scope.at("blocks").at(index)));
        Ok(SlotMamba {
            blocks: blocks.collect::<BuildResult<_>>()?,
            stem: Stem::new(Sight::Placed(config.side), channels, &mut scope.at("stem"))?,
            command: Command::new(width, &mut scope.at("command"))?,
            patches: Linear::new(PATCH * PATCH * channels, width, 1.0, &mut scope.at("patches"))?,
            beginning: Beginning::new(config, &mut scope.at("beginning"))?,
            decoder: Decoder::new(config, &mut scope.at("decoder"))?,
            trunk: Trunk::new(channels, 2 * width, &config.dilations, &mut scope.at("trunk"))?,
            skip: Linear::new(channels, VALUES, FAINT, &mut scope.at("skip"))?,
            aside: Aside::new(2 * width, &mut scope.at("aside"))?,
        })
    }

    /// What comes of every step; with a memory one step of each sequence from where it stands, else all steps from
    /// nothing.
    pub(super) fn forward(&self, batch: &Batch, memory: Option<&mut Vec<State>>) -> Result<Output> {
        let seen = self.stem.forward(batch)?;
        let cells = by_patches(&seen)?;
        let action = self.command.forward(batch)?;
        let (frames, area, channels) = cells.dims3()?;
        let tokens = cells.reshape((frames, area / (PATCH * PATCH), PATCH * PATCH * channels))?;
        let patches = self.patches.forward(&tokens)?;
        let begin = self.beginning.forward(&batch.slots, &cells)?;
        let (slots, shares) = self.think(begin, &patches, &action, batch, memory)?;
        let said = self.decoder.forward(&slots, &patches, &shares, &batch.slots.masks)?;
        let all = Tensor::cat(&[&action, &slots.mean(1)?], 1)?;
        let skip = self.skip.forward(&self.trunk.forward(&seen, &all)?)?;
        Ok(Output { cells: (said + skip)?, sources: batch.sources.clone(), aside: self.aside.forward(&all)? })
    }

    fn think(
        &self,
        mut slots: Tensor,
        patches: &Tensor,
        action: &Tensor,
        batch: &Batch,
        memory: Option<&mut Vec<State>>,
    ) -> Result<(Tensor, Tensor)> {
        let count = slots.dim(1)?;
        let mut shares = Tensor::zeros((), slots.dtype(), slots.device())?;
        let starts: Arc<[bool]> = by_slot(batch, count);
        let mut states = memory.map(|memory| memory.iter_mut());
        for block in &self.blocks {
            let state = states.as_mut().and_then(Iterator::next);
            let time = match state {
                Some(state) => {
                    state.forget(&starts)?;
                    Time::Step(state)
                }
                None => Time::Scan(&starts),
            };
            (slots, shares) = block.forward(&slots, patches, action, batch.steps, time)?;
        }
        Ok((slots, shares))
    }

    /// The memory of so many slots in all, before anything was seen.
    pub(super) fn empty(&self, slots: usize) -> Result<Vec<State>> {
        self.blocks.iter().map(|block| block.empty(slots)).collect()
    }
}

/// Where the sequences of the slots begin anew: each sequence of the batch, once a slot.
fn by_slot(batch: &Batch, slots: usize) -> Arc<[bool]> {
    batch.starts.chunks(batch.steps).flat_map(|starts| std::iter::repeat_n(starts, slots)).flatten().copied().collect()
}

/// Paints slots: each one, told where its cells and its attention are, is spread over the patches, goes through two 3×3
/// convolutions that it modulates itself, and says what it would make of every cell.
#[derive(Clone, Debug)]
struct Decoder {
    masks: Tensor,   // [decoder, 16]
    patches: Linear, // [width] → [decoder]
    shares: Tensor,  // [decoder]
    convs: [Conditioned; 2],
    weight: Tensor, // [decoder, 16 · (1 + VALUES)]
    bias: Tensor,   // [16 · (1 + VALUES)]
    bias_of_edits: Tensor,
}

impl Decoder {
    fn new(config: &SlotMambaConfig, scope: &mut Scope<'_>) -> BuildResult<Decoder> {
        let (inner, said) = (config.decoder, PATCH * PATCH * (1 + VALUES));
        let conv =
            |scope: &mut Scope<'_>, name: &str| Conditioned::new([inner, inner], config.width, 1, &mut scope.at(name));
        Ok(Decoder {
            masks: scope.trained("masks", (inner, PATCH * PATCH), Init::Normal { std: 0.5 })?,
            patches: Linear::new(config.width, inner, 1.0, &mut scope.at("patches"))?,
            shares: scope.trained("shares", inner, Init::Normal { std: 0.5 })?,
            convs: [conv(scope, "first")?, conv(scope, "second")?],
            weight: scope.trained(
                "weight",
                (inner, said),
                Init::TruncatedNormal { std: FAINT / (inner as f64).sqrt() },
            )?,
            bias: scope.trained("bias", said, Init::ZERO)?,
            bias_of_edits: rare_edits(scope)?,
        })
    }

    /// # Shapes
    /// `slots`: [frames, slots, width]. `patches`: [frames, patches, width]. `shares`: [frames, slots, patches]. `masks`:
    /// [frames, components, patches, 16]. Result: [frames, side, side, VALUES].
    fn forward(&self, slots: &Tensor, patches: &Tensor, shares: &Tensor, masks: &Tensor) -> Result<Tensor> {
        let (frames, count, width) = slots.dims3()?;
        let (_, components, area, _) = masks.dims4()?;
        let side = area.isqrt();
        let owned = linear(masks, &self.masks)?.pad_with_zeros(1, 0, count - components)?;
        let attended = shares.unsqueeze(D::Minus1)?.broadcast_mul(&self.shares)?; // [F, K, P, decoder]
        let spread = (owned + attended)?.broadcast_add(&self.patches.forward(patches)?.unsqueeze(1)?)?;
        let spread = spread.relu()?.reshape((frames * count, side, side, ()))?;
        let slots = slots.reshape((frames * count, width))?;
        let [first, second] = &self.convs;
        let hidden = second.forward(&first.forward(&spread, &slots)?, &slots)?;
        let hidden = hidden.reshape((frames, count, side, side, ()))?;
        let bias = (&self.bias + &self.bias_of_edits)?;
        ops::blend_slots(&hidden, &self.weight, &bias, PATCH)
    }
}

/// A bias under which cells change as rarely as they do: without it the first steps of a training unlearn changes.
fn rare_edits(scope: &Scope<'_>) -> BuildResult<Tensor> {
    let cells = std::iter::repeat_n(rare(), PATCH * PATCH).flatten();
    let bias: Vec<f32> = std::iter::repeat_n(0.0, PATCH * PATCH).chain(cells).collect();
    Ok(Tensor::new(bias, scope.device())?)
}
