//! The two layers that a Loop-ViT can loop.
//!
//! In shapes, B is the batch, T the task tokens, n the patches, S = T + n, D the width, H the heads, d = D/H and F the
//! feed-forward width.

use candle_core::{D, DType, Device, Result, Tensor};

use super::LoopVitConfig;
use crate::nn::{BuildResult, Conv, Dropout, Init, Rope, Scope, linear, ops};

/// Keeps the hybrid layer's norm of zeros finite.
const RMS_EPS: f64 = 1e-6;

/// PyTorch's own for layer norms.
const LAYER_NORM_EPS: f64 = 1e-5;

/// A linear map with a bias.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    weight: Tensor, // [O, I]
    bias: Tensor,   // [O]
}

impl Linear {
    pub(super) fn new(inputs: usize, outputs: usize, scope: &mut Scope) -> BuildResult<Linear> {
        Linear::with(inputs, outputs, Init::torch(inputs), Init::torch(inputs), scope)
    }

    pub(super) fn with(i: usize, o: usize, weight: Init, bias: Init, scope: &mut Scope) -> BuildResult<Linear> {
        Ok(Linear { weight: scope.trained("weight", (o, i), weight)?, bias: scope.trained("bias", o, bias)? })
    }

    pub(super) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        linear(x, &self.weight)?.broadcast_add(&self.bias)
    }

    /// The same map with its outputs in another order.
    fn reordered(&self, order: &Tensor) -> Result<Linear> {
        Ok(Linear { weight: self.weight.index_select(order, 0)?, bias: self.bias.index_select(order, 0)? })
    }
}

/// A layer norm.
#[derive(Clone, Debug)]
pub(super) struct LayerNorm {
    gain: Tensor, // [D]
    bias: Tensor, // [D]
}

impl LayerNorm {
    pub(super) fn new(width: usize, scope: &mut Scope) -> BuildResult<LayerNorm> {
        let gain = scope.trained("weight", width, Init::Constant(1.0))?;
        Ok(LayerNorm { gain, bias: scope.trained("bias", width, Init::ZERO)? })
    }

    pub(super) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        ops::layer_norm(x, &self.gain, &self.bias, LAYER_NORM_EPS)
    }
}

/// One layer of the shared block.
#[derive(Clone, Debug)]
pub(super) enum Layer {
    Hybrid(Hybrid),
    Plain(Plain),
}

impl Layer {
    pub(super) fn new(config: &LoopVitConfig, scope: &mut Scope) -> BuildResult<Layer> {
        Ok(match config.stack.conv {
            Conv::Grid => Layer::Hybrid(Hybrid::new(config, scope)?),
            Conv::None | Conv::Pair => Layer::Plain(Plain::new(config, scope)?),
        })
    }

    /// `h [B, S, D]` and `seen [B, S]` to `[B, S, D]`.
    pub(super) fn forward(&self, h: &Tensor, seen: &Tensor, dropout: &mut Dropout) -> Result<Tensor> {
        match self {
            Layer::Hybrid(layer) => layer.forward(h, seen, dropout),
            Layer::Plain(layer) => layer.forward(h, seen, dropout),
        }
    }

    /// The layer as it computes: channels that are turned together stand half a head apart, as the fast operation
    /// expects, instead of side by side, as they are stored. Scores do not depend on the order of channels.
    pub(super) fn prepared(&self) -> Result<Layer> {
        Ok(match self {
            Layer::Hybrid(layer) => Layer::Hybrid(Hybrid { attention: layer.attention.prepared()?, ..layer.clone() }),
            Layer::Plain(layer) => Layer::Plain(Plain { attention: layer.attention.prepared()?, ..layer.clone() }),
        })
    }
}

/// Norm, attention; norm, gated convolution.
#[derive(Clone, Debug)]
pub(super) struct Hybrid {
    norm1: Tensor, // [D]
    attention: Attention,
    norm2: Tensor, // [D]
    mlp: ConvGlu,
}

impl Hybrid {
    fn new(config: &LoopVitConfig, scope: &mut Scope) -> BuildResult<Hybrid> {
        let mut gain = |name| scope.at(name).trained("scale", config.tokens.hidden, Init::Constant(1.0));
        let (norm1, norm2) = (gain("norm1")?, gain("norm2")?);
        let attention = Attention::new(config, &mut scope.at("self_attn"))?;
        Ok(Hybrid { norm1, attention, norm2, mlp: ConvGlu::new(config, &mut scope.at("mlp"))? })
    }

    fn forward(&self, h: &Tensor, seen: &Tensor, dropout: &mut Dropout) -> Result<Tensor> {
        let mixed = self.attention.forward(&ops::gain_rms_norm(h, &self.norm1, RMS_EPS)?, seen, dropout)?;
        let h = (h + dropout.apply(&mixed)?)?;
        let mixed = self.mlp.forward(&ops::gain_rms_norm(&h, &self.norm2, RMS_EPS)?, dropout)?;
        h + dropout.apply(&mixed)?
    }
}

/// Attention, norm; two linear maps, norm.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    attention: Attention,
    norm1: LayerNorm,
    linear1: Linear,
    linear2: Linear,
    norm2: LayerNorm,
}

impl Plain {
    fn new(config: &LoopVitConfig, scope: &mut Scope) -> BuildResult<Plain> {
        let (hidden, ffn) = (config.tokens.hidden, config.stack.ffn);
        Ok(Plain {
            attention: Attention::new(config, &mut scope.at("self_attn"))?,
            norm1: LayerNorm::new(hidden, &mut scope.at("norm1"))?,
            linear1: Linear::new(hidden, ffn, &mut scope.at("linear1"))?,
            linear2: Linear::new(ffn, hidden, &mut scope.at("linear2"))?,
            norm2: LayerNorm::new(hidden, &mut scope.at("norm2"))?,
        })
    }

    fn forward(&self, h: &Tensor, seen: &Tensor, dropout: &mut Dropout) -> Result<Tensor> {
        let mixed = self.attention.forward(h, seen, dropout)?;
        let h = self.norm1.forward(&(h + dropout.apply(&mixed)?)?)?;
        let inner = dropout.apply(&self.linear1.forward(&h)?.gelu_erf()?)?;
        let mixed = self.linear2.forward(&inner)?;
        self.norm2.forward(&(&h + dropout.apply(&mixed)?)?)
    }
}

/// Attention of all tokens to those that are seen; patches know their row and column.
#[derive(Clone, Debug)]
struct Attention {
    heads: usize,
    qkv: Linear,
    proj: Linear,
    rope: Rope, // [S, d/2]
}

impl Attention {
    fn new(config: &LoopVitConfig, scope: &mut Scope) -> BuildResult<Attention> {
        let hidden = config.tokens.hidden;
        Ok(Attention {
            heads: config.stack.heads,
            qkv: Linear::new(hidden, 3 * hidden, &mut scope.at("qkv"))?,
            proj: Linear::new(hidden, hidden, &mut scope.at("proj"))?,
            rope: stored_rope(config, &mut scope.at("rotary"))?,
        })
    }

    fn prepared(&self) -> Result<Attention> {
        let hidden = self.proj.weight.dim(0)?;
        let order = halves_apart(hidden, self.heads, self.proj.weight.device())?;
        Ok(Attention { qkv: self.qkv.reordered(&order)?, ..self.clone() })
    }

    /// `[B, S, D]` to `[B, S, D]`, once [`Attention::prepared`].
    fn forward(&self, x: &Tensor, seen: &Tensor, dropout: &mut Dropout) -> Result<Tensor> {
        let (batch, tokens, hidden) = x.dims3()?;
        let parts = self.qkv.forward(x)?.reshape((batch, tokens, 3, self.heads, hidden / self.heads))?;
        let part = |index| parts.narrow(2, index, 1)?.squeeze(2)?.contiguous();
        let query = ops::rope(&part(0)?, &self.rope.cos, &self.rope.sin)?;
        let key = ops::rope(&part(1)?, &self.rope.cos, &self.rope.sin)?;
        let mixed = ops::attention(&query, &key, &part(2)?, Some(seen), dropout.sieve())?;
        let projected = self.proj.forward(&mixed.reshape((batch, tokens, hidden))?)?;
        dropout.apply(&projected)
    }
}

/// The tables that the published code stores with each layer, `[n, d]` with every angle twice, as `[S, d/2]`; task
/// tokens stand still.
fn stored_rope(config: &LoopVitConfig, scope: &mut Scope) -> BuildResult<Rope> {
    let (patches, head) = (config.patches(), config.tokens.hidden / config.stack.heads);
    let fresh = Rope::grid(0, (config.grid(), config.grid()), head, config.tokens.theta, scope.device())?;
    let mut table = |name, fresh: &Tensor, still: f64| -> BuildResult<Tensor> {
        let twice = Tensor::stack(&[fresh, fresh], 2)?.flatten(1, 2)?;
        let stored = scope.buffer(name, &twice)?.reshape((patches, head / 2, 2))?.narrow(2, 0, 1)?.squeeze(2)?;
        let front = (Tensor::zeros((config.tokens.prefix, head / 2), DType::F32, stored.device())? + still)?;
        Ok(Tensor::cat(&[front, stored], 0)?)
    };
    Ok(Rope { cos: table("freqs_cos", &fresh.cos, 1.0)?, sin: table("freqs_sin", &fresh.sin, 0.0)? })
}

/// Rows of a `[3D, D]` map with the even channels of each query and key head before the odd ones.
fn halves_apart(hidden: usize, heads: usize, device: &Device) -> Result<Tensor> {
    let head = hidden / heads;
    let within = |channel: usize| if channel < head / 2 { 2 * channel } else { 2 * (channel - head / 2) + 1 };
    let turned = (0..2 * hidden).map(|row| row / head * head + within(row % head));
    Tensor::from_iter(turned.chain(2 * hidden..3 * hidden).map(|row| row as u32), device)
}

/// A gated feed-forward part whose gate looks at the neighbouring patches.
#[derive(Clone, Debug)]
struct ConvGlu {
    task_tokens: usize,
    grid: usize,
    fc1: Linear,
    taps: Tensor, // [F, 1, 3, 3]
    bias: Tensor, // [F]
    fc2: Linear,
}

impl ConvGlu {
    fn new(config: &LoopVitConfig, scope: &mut Scope) -> BuildResult<ConvGlu> {
        let (hidden, width) = (config.tokens.hidden, 2 * config.stack.ffn / 3);
        let fc1 = Linear::new(hidden, 2 * width, &mut scope.at("fc1"))?;
        let mut conv = scope.at("dwconv");
        let taps = conv.trained("weight", (width, 1, 3, 3), Init::torch(9))?;
        let bias = conv.trained("bias", width, Init::torch(9))?;
        let fc2 = Linear::new(width, hidden, &mut scope.at("fc2"))?;
        Ok(ConvGlu { task_tokens: config.tokens.prefix, grid: config.grid(), fc1, taps, bias, fc2 })
    }

    /// `[B, S, D]` to `[B, S, D]`.
    fn forward(&self, x: &Tensor, dropout: &mut Dropout) -> Result<Tensor> {
        let both = self.fc1.forward(x)?;
        let width = both.dim(D::Minus1)? / 2;
        let gate = self.convolve(&both.narrow(D::Minus1, 0, width)?.contiguous()?)?;
        let inner = ops::gelu_gate(&gate, &both.narrow(D::Minus1, width, width)?.contiguous()?)?;
        let outer = self.fc2.forward(&dropout.apply(&inner)?)?;
        dropout.apply(&outer)
    }

    /// `[B, S, F]` to `[B, S, F]`; task tokens pass by.
    fn convolve(&self, gate: &Tensor) -> Result<Tensor> {
        let (batch, tokens, width) = gate.dims3()?;
        let patches = gate.narrow(1, self.task_tokens, tokens - self.task_tokens)?.contiguous()?;
        let image = patches.reshape((batch, self.grid, self.grid, width))?;
        let mixed = ops::conv2d(&image, &self.taps, &self.bias)?.flatten(1, 2)?;
        Tensor::cat(&[gate.narrow(1, 0, self.task_tokens)?, mixed], 1)
    }
}
