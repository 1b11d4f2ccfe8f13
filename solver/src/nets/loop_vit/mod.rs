//! Loop-ViT: a vision transformer whose few layers are applied again and again to an image of the puzzle.
//!
//! # Layout
//! - [`LoopVitConfig`]: sizes and choices.
//! - [`LoopVit`]: the weights, and [`LoopVit::forward`]. Start here.
//! - [`Pass`]: what a forward pass leaves behind, one [`Loop`] after another, and its [loss](Pass::loss).
//! - `step`: a pass as the step of a [`Net`](super::Net).
//!
//! Unlike the nets of tokens it has no carry: a batch is answered in one pass, whose loops are all in one graph. The
//! input enters once.

mod config;
mod layer;
mod pass;
mod step;
#[cfg(test)]
mod tests;

use candle_core::{DType, Device, Result, Tensor};
use rand_chacha::ChaCha8Rng;

use self::layer::{Layer, LayerNorm, Linear};
pub(super) use self::step::{loss, step};
pub use self::{
    config::LoopVitConfig,
    pass::{Loop, Pass, PassLoss},
};
use crate::{
    data::image::VALUES,
    nn::{
        BuildResult, Dropout, Init, Mode, Scope,
        halting::{Halting, Slot},
    },
};

/// Deviation of fresh tables and of the gate.
const TABLE_STD: f64 = 0.02;

/// A batch of images and the tasks they belong to, on the host.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Pixels, `[B, L]` row-major.
    pub pixels: &'a [u8],
    /// 1 where a pixel belongs to the input grid, 0 elsewhere, `[B, L]`. A patch is seen if one of its pixels is.
    pub inside: &'a [u8],
    /// Rows of the task table, `[B]`.
    pub tasks: &'a [u32],
}

/// How a pass is made; see [`LoopVitConfig::plan`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// To learn or to answer.
    pub mode: Mode,
    /// Loops at most.
    pub loops: u32,
    /// When an image is done before that.
    pub halting: Halting,
    /// Whether all loops say what they would answer, or only those that do answer.
    pub every: bool,
}

/// The net.
#[derive(Clone, Debug)]
pub struct LoopVit {
    config: LoopVitConfig,
    colors: Tensor, // [V, D]
    tasks: Tensor,  // [tasks, T·D]
    patch: Patch,
    positions: Tensor, // [1, n, D]
    layers: Vec<Layer>,
    steps: Tensor, // [loops, D]
    gate: Gate,
    norm: LayerNorm,
    head: Linear,
}

/// A convolution over patches that do not overlap.
#[derive(Clone, Debug)]
struct Patch {
    weight: Tensor, // [D, D, p, p]
    bias: Tensor,   // [D]
}

/// Reads from the first task token whether the image is done.
#[derive(Clone, Debug)]
struct Gate {
    norm: LayerNorm,
    inner: Linear,
    outer: Linear,
}

impl LoopVit {
    /// Fresh or stored weights under their published names, for task ids below `tasks`.
    pub fn new(config: &LoopVitConfig, tasks: usize, scope: &mut Scope) -> BuildResult<LoopVit> {
        let (hidden, table) = (config.tokens.hidden, Init::Normal { std: TABLE_STD });
        let (task_rows, task) = ((tasks, hidden * config.tokens.prefix), Init::Normal { std: config.tokens.row_std });
        let (head, outputs) = (Init::torch(hidden), config.outputs());
        Ok(LoopVit {
            config: config.clone(),
            colors: scope.at("color_embed").trained("weight", (VALUES, hidden), table)?,
            tasks: scope.at("task_token_embed").trained_table("weight", task_rows, task)?,
            patch: Patch::new(hidden, config.patch, &mut scope.at("patch_embed").at("proj"))?,
            positions: scope.trained("positional_embed", (1, config.patches(), hidden), table)?,
            layers: layers(config, &mut scope.at("core_layers"))?,
            steps: scope.at("step_embed").trained("weight", (config.loops.grad, hidden), table)?,
            gate: Gate::new(hidden, &mut scope.at("exit_gate"))?,
            norm: LayerNorm::new(hidden, &mut scope.at("norm"))?,
            head: Linear::with(hidden, outputs, head, Init::ZERO, &mut scope.at("head"))?,
        })
    }

    /// Sizes and choices.
    pub fn config(&self) -> &LoopVitConfig {
        &self.config
    }

    /// Loops over a batch until all of it is done. In training alone there are gradients, and dropout draws from `rng`.
    pub fn forward(&self, question: &Question, plan: Plan, rng: &mut ChaCha8Rng) -> Result<Pass> {
        let seen = self.seen(question)?;
        let layers = self.layers.iter().map(Layer::prepared).collect::<Result<Vec<_>>>()?;
        let mut h = Dropout::new(self.config.dropout, plan.mode, rng).apply(&self.embed(question)?)?;
        let mut slots = vec![Slot::FRESH; question.tasks.len()];
        let mut pass = Pass::default();
        while !slots.iter().all(|slot| slot.halted) {
            let before = h;
            h = self.enter(&before, pass.loops.len())?;
            let mut dropout = Dropout::new(self.config.dropout, plan.mode, rng);
            for layer in &layers {
                h = kept(&layer.forward(&h, &seen, &mut dropout)?, plan.mode);
            }
            let step = self.observe(&h, &slots, plan, rng)?;
            h = freeze(&slots, &before, &h)?;
            slots.clone_from(&step.slots);
            pass.loops.push(step);
        }
        Ok(pass)
    }

    /// Adds the step embedding of loop `index`: `[B, S, D]` to `[B, S, D]`.
    fn enter(&self, h: &Tensor, index: usize) -> Result<Tensor> {
        let step = index.min(self.config.loops.grad - 1);
        h.broadcast_add(&self.steps.narrow(0, step, 1)?)
    }

    /// Reads gate and answer, and lets the rule decide.
    fn observe(&self, h: &Tensor, slots: &[Slot], plan: Plan, rng: &mut ChaCha8Rng) -> Result<Loop> {
        let rule = plan.halting;
        let gate = self.gate.forward(h)?;
        let mut logits = None;
        if plan.every || matches!(rule, Halting::Entropy { .. }) {
            logits = Some(self.logits(h)?);
        }
        let signals = rule.signals(logits.as_ref().unwrap_or(&gate), &gate)?;
        let observe = |(slot, signal): (&Slot, f32)| rule.observe(slot, signal, plan.loops, plan.mode, rng);
        let (after, shares): (Vec<Slot>, Vec<f32>) = slots.iter().zip(signals).map(observe).unzip();
        if logits.is_none() && shares.iter().any(|share| *share > 0.0) {
            logits = Some(self.logits(h)?);
        }
        Ok(Loop { logits, gate, slots: after, shares })
    }

    /// Task tokens and patches, `[B, S, D]`.
    fn embed(&self, question: &Question) -> Result<Tensor> {
        let (batch, hidden) = (question.tasks.len(), self.config.tokens.hidden);
        let patches = self.patch.forward(&self.patch_pixels(question)?, &self.colors)?;
        let patches = patches.reshape((batch, self.config.patches(), hidden))?.broadcast_add(&self.positions)?;
        let tasks = Tensor::new(question.tasks, self.tasks.device())?;
        let tasks = self.tasks.index_select(&tasks, 0)?.reshape((batch, self.config.tokens.prefix, hidden))?;
        Tensor::cat(&[tasks, patches], 1)
    }

    /// The pixels of each patch, row by row, `[B·n, p·p]` of u32.
    fn patch_pixels(&self, question: &Question) -> Result<Tensor> {
        let pixels = self.by_patch(question.pixels).map(|index| u32::from(question.pixels[index]));
        Tensor::from_iter(pixels, self.colors.device())?.reshape(((), self.config.patch * self.config.patch))
    }

    /// 1 for task tokens and patches that show some of the grid, `[B, S]` of u8.
    fn seen(&self, question: &Question) -> Result<Tensor> {
        let (batch, patch) = (question.tasks.len(), self.config.patch * self.config.patch);
        let inside: Vec<u8> = self.by_patch(question.inside).map(|index| question.inside[index]).collect();
        let seen = inside.chunks_exact(patch).map(|pixels| u8::from(pixels.contains(&1)));
        let seen = Tensor::from_iter(seen, self.colors.device())?.reshape((batch, self.config.patches()))?;
        Tensor::cat(&[Tensor::ones((batch, self.config.tokens.prefix), DType::U8, seen.device())?, seen], 1)
    }

    /// Indices into `[B, L]` pixels, patch after patch.
    fn by_patch(&self, pixels: &[u8]) -> impl Iterator<Item = usize> + use<> {
        let (side, patch, grid, image) =
            (self.config.tokens.canvas, self.config.patch, self.config.grid(), self.config.tokens.cells());
        let corners = (0..pixels.len()).step_by(image).flat_map(move |start| {
            (0..grid * grid).map(move |cell| start + cell / grid * patch * side + cell % grid * patch)
        });
        corners.flat_map(move |corner| (0..patch * patch).map(move |at| corner + at / patch * side + at % patch))
    }

    /// What the pixels would be now, `[B, S, D]` to `[B, L, V]`.
    fn logits(&self, h: &Tensor) -> Result<Tensor> {
        let (grid, patch, front) = (self.config.grid(), self.config.patch, self.config.tokens.prefix);
        let patches = self.norm.forward(&h.narrow(1, front, grid * grid)?.contiguous()?)?;
        let split = [h.dim(0)?, grid, grid, patch, patch, VALUES];
        let values = self.head.forward(&patches)?.reshape(&split)?;
        values.permute([0, 1, 3, 2, 4, 5])?.reshape(((), self.config.tokens.cells(), VALUES))
    }
}

fn layers(config: &LoopVitConfig, scope: &mut Scope) -> BuildResult<Vec<Layer>> {
    (0..config.stack.layers).map(|index| Layer::new(config, &mut scope.at(index))).collect()
}

/// Answers need no graph: without gradients, what a layer used is given back at once.
fn kept(h: &Tensor, mode: Mode) -> Tensor {
    match mode {
        Mode::Train => h.clone(),
        Mode::Eval => h.detach(),
    }
}

/// `after`, with the images that had halted as they were `before`: `[B, S, D]` each.
fn freeze(slots: &[Slot], before: &Tensor, after: &Tensor) -> Result<Tensor> {
    if !slots.iter().any(|slot| slot.halted) {
        return Ok(after.clone());
    }
    let halted = Tensor::from_iter(slots.iter().map(|slot| u8::from(slot.halted)), after.device())?;
    halted.reshape(((), 1, 1))?.broadcast_as(after.shape())?.where_cond(before, after)
}

impl Patch {
    fn new(hidden: usize, side: usize, scope: &mut Scope) -> BuildResult<Patch> {
        let init = Init::torch(hidden * side * side);
        let weight = scope.trained("weight", (hidden, hidden, side, side), init)?;
        Ok(Patch { weight, bias: scope.trained("bias", hidden, init)? })
    }

    /// The convolution of embedded pixels as a sum of looked-up rows: there are only p·p·V products of a colour with a
    /// tap of the filter.
    ///
    /// # Shapes
    /// `pixels [N, p·p]`, `colors [V, D]` to `[N, D]`.
    fn forward(&self, pixels: &Tensor, colors: &Tensor) -> Result<Tensor> {
        let (patches, taps) = pixels.dims2()?;
        let hidden = self.bias.dim(0)?;
        let weight = self.weight.permute((1, 2, 3, 0))?.reshape((hidden, taps * hidden))?;
        let table = colors.matmul(&weight)?.reshape(((), hidden))?; // [V·p·p, D]
        let tap = Tensor::arange(0, taps as u32, &Device::Cpu)?.to_device(pixels.device())?;
        let rows = pixels.affine(taps as f64, 0.0)?.broadcast_add(&tap)?.flatten_all()?;
        table.index_select(&rows, 0)?.reshape((patches, taps, hidden))?.sum(1)?.broadcast_add(&self.bias)
    }
}

impl Gate {
    fn new(hidden: usize, scope: &mut Scope) -> BuildResult<Gate> {
        let init = Init::Normal { std: TABLE_STD };
        Ok(Gate {
            norm: LayerNorm::new(hidden, &mut scope.at(0))?,
            inner: Linear::with(hidden, hidden / 2, init, Init::ZERO, &mut scope.at(1))?,
            outer: Linear::with(hidden / 2, 1, init, Init::ZERO, &mut scope.at(3))?,
        })
    }

    /// `[B, S, D]` to logits `[B]`.
    fn forward(&self, h: &Tensor) -> Result<Tensor> {
        let token = self.norm.forward(&h.narrow(1, 0, 1)?.squeeze(1)?.contiguous()?)?;
        self.outer.forward(&self.inner.forward(&token)?.gelu_erf()?)?.squeeze(1)
    }
}
