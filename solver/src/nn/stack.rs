//! The block that looped nets apply again and again: layers of attention and a gated feed-forward part, each followed
//! by a norm without gain (HRM, TRM, URM). Written with candle's own operations: the definition that faster code is
//! held against, on any device.
//!
//! In shapes, B is the batch, S the positions of a sequence, D the width, H the heads, d = D/H and F the feed-forward
//! width.

use candle_core::{D, DType, Result, Tensor};
use candle_nn::ops;
use serde::{Deserialize, Serialize};

use super::{
    BuildResult, Init, Rope, Scope,
    fused::{self, Dims, Grid, Mix, Pool},
};

/// Keeps the norm of zeros finite (HRM, TRM, URM).
pub const RMS_EPS: f64 = 1e-5;

/// The size and the parts of a [`Stack`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StackConfig {
    /// Layers of one pass.
    pub layers: usize,
    /// Attention heads H.
    pub heads: usize,
    /// Feed-forward width F.
    pub ffn: usize,
    /// What mixes the positions.
    #[serde(default)]
    pub mixer: Mixer,
    /// Whether neighbours mix within the feed-forward part.
    pub conv: Conv,
}

/// What mixes the positions of a sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mixer {
    /// Full attention.
    #[default]
    Attention,
    /// A gated feed-forward part of this width over the positions (`mlp_t` of TRM), for sequences of one length.
    MlpT(usize),
}

/// A depthwise convolution between the gate and the way down, followed by another `SiLU`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Conv {
    /// None: `SwiGLU`.
    None,
    /// Two taps along the sequence, the position before and the position itself: `ConvSwiGLU` of URM.
    Pair,
    /// 3×3 over the cells; the prefix passes by.
    Grid,
}

/// What the positions of a sequence stand for: a prefix, then the cells of a canvas row by row.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Positions before the cells.
    pub prefix: usize,
    /// Rows of cells.
    pub height: usize,
    /// Cells of a row.
    pub width: usize,
    /// Rotary tables of all positions, where attention uses them.
    pub rope: Option<Rope>,
}

impl Layout {
    /// Positions S of a sequence.
    pub fn positions(&self) -> usize {
        self.prefix + self.height * self.width
    }
}

/// The shared block.
#[derive(Clone, Debug)]
pub struct Stack {
    layers: Vec<Layer>,
    pool: Pool,
}

#[derive(Clone, Debug)]
struct Layer {
    mixer: MixerWeights,
    mlp: Swiglu,
}

#[derive(Clone, Debug)]
enum MixerWeights {
    Attention(Attention),
    MlpT(Swiglu),
}

/// Full attention of all positions to all.
#[derive(Clone, Debug)]
struct Attention {
    heads: usize,
    qkv: Tensor, // [3D, D]: the queries of all heads, then keys, then values
    out: Tensor, // [D, D]
}

/// A gated feed-forward part.
#[derive(Clone, Debug)]
pub struct Swiglu {
    gate_up: Tensor, // [2F, D]: gate, then value
    down: Tensor,    // [D, F]
    conv: Option<Depthwise>,
}

/// One small filter for each channel.
#[derive(Clone, Debug)]
struct Depthwise {
    taps: Tensor, // [F, 1, 2] or [F, 1, 3, 3]
    bias: Tensor, // [F]
}

impl Stack {
    /// Fresh or stored weights, named as published: `layers.0.self_attn.qkv_proj.weight`, …
    pub fn new(config: &StackConfig, hidden: usize, positions: usize, scope: &mut Scope) -> BuildResult<Stack> {
        let mut scope = scope.at("layers");
        let layers = (0..config.layers).map(|i| Layer::new(config, hidden, positions, &mut scope.at(i)));
        Ok(Stack { layers: layers.collect::<BuildResult<_>>()?, pool: Pool::default() })
    }

    /// All layers once, on `z + injected`.
    ///
    /// # Shapes
    /// `z`, `injected` and the result: `[B, S, D]`.
    pub fn pass(&self, z: &Tensor, injected: &Tensor, layout: &Layout) -> Result<Tensor> {
        self.repeat(z, injected, layout, 1).map(|mut after| after.swap_remove(0))
    }

    /// The state after each of `loops` passes, every one on the sum of the state before it and `injected`.
    ///
    /// Faster than as many calls of [`Stack::pass`] where gradients are wanted: those of all loops are added in place.
    ///
    /// # Shapes
    /// `z`, `injected` and each result: `[B, S, D]`.
    pub fn repeat(&self, z: &Tensor, injected: &Tensor, layout: &Layout, loops: usize) -> Result<Vec<Tensor>> {
        match self.fusible(z, layout) {
            Some(dims) => fused::repeat(dims, &self.flat()?, layout.rope.as_ref(), [z, injected], loops, &self.pool),
            None => self.composed(z, injected, layout, loops),
        }
    }

    /// [`Stack::repeat`], spelled out in candle's operations.
    pub(super) fn composed(&self, z: &Tensor, injected: &Tensor, layout: &Layout, loops: usize) -> Result<Vec<Tensor>> {
        let mut after: Vec<Tensor> = Vec::with_capacity(loops);
        for _ in 0..loops {
            let before = (after.last().unwrap_or(z) + injected)?;
            after.push(self.layers.iter().try_fold(before, |z, layer| layer.forward(&z, layout))?);
        }
        Ok(after)
    }

    /// The sizes, if the one operation of [`fused`] can do it.
    fn fusible(&self, z: &Tensor, layout: &Layout) -> Option<Dims> {
        let Layer { mixer: MixerWeights::Attention(attention), mlp } = self.layers.first()? else { return None };
        let &Layout { prefix, height, width, .. } = layout;
        let mix = match mlp.conv.as_ref().map(|conv| conv.taps.rank()) {
            None => Mix::None,
            Some(3) => Mix::Pair,
            Some(_) => Mix::Grid(Grid { prefix, height, width }),
        };
        let (hidden, ffn) = mlp.down.dims2().ok()?;
        let dims = Dims { layers: self.layers.len(), hidden, heads: attention.heads, ffn, mix };
        (z.device().is_cpu() && z.dtype() == DType::F32).then_some(dims)
    }

    /// All weights in one tensor, in the order of [`fused`].
    fn flat(&self) -> Result<Tensor> {
        let weights: Vec<Tensor> =
            self.layers.iter().flat_map(Layer::weights).map(Tensor::flatten_all).collect::<Result<_>>()?;
        Tensor::cat(&weights, 0)
    }

    /// The same weights as constants, for loops without gradient.
    pub fn detached(&self) -> Result<Stack> {
        self.map(|weight| Ok(weight.detach()))
    }

    /// The same weights in the type that is computed with.
    pub fn cast(&self, dtype: DType) -> Result<Stack> {
        self.map(|weight| weight.to_dtype(dtype))
    }

    fn map(&self, change: impl Fn(&Tensor) -> Result<Tensor>) -> Result<Stack> {
        let layers = self.layers.iter().map(|layer| layer.map(&change));
        Ok(Stack { layers: layers.collect::<Result<_>>()?, pool: self.pool.clone() })
    }
}

impl Layer {
    fn new(config: &StackConfig, hidden: usize, positions: usize, scope: &mut Scope) -> BuildResult<Layer> {
        let mixer = match config.mixer {
            Mixer::Attention => {
                MixerWeights::Attention(Attention::new(hidden, config.heads, &mut scope.at("self_attn"))?)
            }
            Mixer::MlpT(width) => {
                MixerWeights::MlpT(Swiglu::new(positions, width, Conv::None, &mut scope.at("mlp_t"))?)
            }
        };
        let mlp = Swiglu::new(hidden, config.ffn, config.conv, &mut scope.at("mlp"))?;
        Ok(Layer { mixer, mlp })
    }

    fn forward(&self, z: &Tensor, layout: &Layout) -> Result<Tensor> {
        let z = match &self.mixer {
            MixerWeights::Attention(attention) => rms(&(z + attention.forward(z, layout.rope.as_ref())?)?)?,
            MixerWeights::MlpT(mlp) => {
                let turned = z.transpose(1, 2)?.contiguous()?; // [B, D, S]
                rms(&(&turned + mlp.forward(&turned, layout)?)?)?.transpose(1, 2)?.contiguous()?
            }
        };
        rms(&(&z + self.mlp.forward(&z, layout)?)?)
    }

    /// Every weight, those of the mixer first.
    fn weights(&self) -> Vec<&Tensor> {
        let mut weights = match &self.mixer {
            MixerWeights::Attention(Attention { qkv, out, .. }) => vec![qkv, out],
            MixerWeights::MlpT(mlp) => mlp.weights(),
        };
        weights.extend(self.mlp.weights());
        weights
    }

    fn map(&self, change: &impl Fn(&Tensor) -> Result<Tensor>) -> Result<Layer> {
        let mixer = match &self.mixer {
            MixerWeights::Attention(Attention { heads, qkv, out }) => {
                MixerWeights::Attention(Attention { heads: *heads, qkv: change(qkv)?, out: change(out)? })
            }
            MixerWeights::MlpT(mlp) => MixerWeights::MlpT(mlp.map(change)?),
        };
        Ok(Layer { mixer, mlp: self.mlp.map(change)? })
    }
}

impl Attention {
    fn new(hidden: usize, heads: usize, scope: &mut Scope) -> BuildResult<Attention> {
        Ok(Attention {
            heads,
            qkv: scope.at("qkv_proj").trained("weight", (3 * hidden, hidden), Init::linear(hidden))?,
            out: scope.at("o_proj").trained("weight", (hidden, hidden), Init::linear(hidden))?,
        })
    }

    /// `[B, S, D]` to `[B, S, D]`.
    fn forward(&self, z: &Tensor, rope: Option<&Rope>) -> Result<Tensor> {
        let (batch, positions, hidden) = z.dims3()?;
        let split = (batch, positions, 3, self.heads, hidden / self.heads);
        let parts = linear(z, &self.qkv)?.reshape(split)?.permute((2, 0, 3, 1, 4))?; // [3, B, H, S, d]
        let turn = |part: Tensor| rope.map_or(Ok(part.clone()), |rope| rope.turn(&part));
        let query = turn(parts.get(0)?)?.contiguous()?;
        let key = turn(parts.get(1)?)?.contiguous()?;
        let mixed = attend(&query, &key, &parts.get(2)?.contiguous()?)?;
        linear(&mixed.transpose(1, 2)?.reshape((batch, positions, hidden))?, &self.out)
    }
}

/// Softmax attention, every position to every position.
///
/// # Shapes
/// All `[B, H, S, d]`.
fn attend(query: &Tensor, key: &Tensor, value: &Tensor) -> Result<Tensor> {
    let scale = 1.0 / (query.dim(D::Minus1)? as f64).sqrt();
    let scores = ((query * scale)?.matmul(&key.t()?)?).to_dtype(DType::F32)?;
    ops::softmax(&scores, D::Minus1)?.to_dtype(value.dtype())?.matmul(value)
}

impl Swiglu {
    /// Fresh or stored weights: `gate_up_proj.weight`, `down_proj.weight` and, with a convolution, `dwconv`.
    pub fn new(inputs: usize, width: usize, conv: Conv, scope: &mut Scope) -> BuildResult<Swiglu> {
        Ok(Swiglu {
            gate_up: scope.at("gate_up_proj").trained("weight", (2 * width, inputs), Init::linear(inputs))?,
            down: scope.at("down_proj").trained("weight", (inputs, width), Init::linear(width))?,
            conv: Depthwise::new(width, conv, &mut scope.at("dwconv"))?,
        })
    }

    /// `down (silu(gate) * value)`, convolved before the way down where there is a convolution.
    ///
    /// # Shapes
    /// `[B, S, D]` to `[B, S, D]`.
    pub fn forward(&self, z: &Tensor, layout: &Layout) -> Result<Tensor> {
        let both = linear(z, &self.gate_up)?;
        let width = both.dim(D::Minus1)? / 2;
        let gate = both.narrow(D::Minus1, 0, width)?.silu()?;
        let mut inner = (gate * both.narrow(D::Minus1, width, width)?)?;
        if let Some(conv) = &self.conv {
            inner = conv.forward(&inner, layout)?.silu()?;
        }
        linear(&inner, &self.down)
    }

    fn weights(&self) -> Vec<&Tensor> {
        let conv = self.conv.iter().flat_map(|conv| [&conv.taps, &conv.bias]);
        [&self.gate_up].into_iter().chain(conv).chain([&self.down]).collect()
    }

    fn map(&self, change: &impl Fn(&Tensor) -> Result<Tensor>) -> Result<Swiglu> {
        let conv = self.conv.as_ref().map(|conv| conv.map(change)).transpose()?;
        Ok(Swiglu { gate_up: change(&self.gate_up)?, down: change(&self.down)?, conv })
    }
}

impl Depthwise {
    fn new(width: usize, conv: Conv, scope: &mut Scope) -> BuildResult<Option<Depthwise>> {
        let (taps, fan_in) = match conv {
            Conv::None => return Ok(None),
            Conv::Pair => (scope.trained("weight", (width, 1, 2), Init::torch(2))?, 2),
            Conv::Grid => (scope.trained("weight", (width, 1, 3, 3), Init::torch(9))?, 9),
        };
        Ok(Some(Depthwise { taps, bias: scope.trained("bias", width, Init::torch(fan_in))? }))
    }

    /// `[B, S, F]` to `[B, S, F]`.
    fn forward(&self, x: &Tensor, layout: &Layout) -> Result<Tensor> {
        if self.taps.rank() == 3 { self.pair(x) } else { self.grid(x, layout) }
    }

    /// `y[t] = taps[0] x[t-1] + taps[1] x[t] + bias`, nothing before the first.
    fn pair(&self, x: &Tensor) -> Result<Tensor> {
        let before = x.pad_with_zeros(1, 1, 0)?.narrow(1, 0, x.dim(1)?)?;
        let old = before.broadcast_mul(&self.taps.narrow(2, 0, 1)?.flatten_all()?)?;
        let new = x.broadcast_mul(&self.taps.narrow(2, 1, 1)?.flatten_all()?)?;
        (old + new)?.broadcast_add(&self.bias)
    }

    /// 3×3 over the cells with zeros around them.
    fn grid(&self, x: &Tensor, layout: &Layout) -> Result<Tensor> {
        let (batch, _, width) = x.dims3()?;
        let cells = x.narrow(1, layout.prefix, layout.height * layout.width)?;
        let cells = cells.reshape((batch, layout.height, layout.width, width))?;
        let padded = cells.pad_with_zeros(1, 1, 1)?.pad_with_zeros(2, 1, 1)?;
        let mut sum = self.bias.broadcast_as(cells.shape())?;
        for (row, column) in (0..3).flat_map(|row| (0..3).map(move |column| (row, column))) {
            let tap = self.taps.narrow(2, row, 1)?.narrow(3, column, 1)?.flatten_all()?;
            let moved = padded.narrow(1, row, layout.height)?.narrow(2, column, layout.width)?;
            sum = (sum + moved.broadcast_mul(&tap)?)?;
        }
        Tensor::cat(&[x.narrow(1, 0, layout.prefix)?, sum.flatten(1, 2)?], 1)
    }

    fn map(&self, change: &impl Fn(&Tensor) -> Result<Tensor>) -> Result<Depthwise> {
        Ok(Depthwise { taps: change(&self.taps)?, bias: change(&self.bias)? })
    }
}

/// `x Wᵀ`, without bias.
///
/// # Shapes
/// `x` `[…, I]`, `weight` `[O, I]`, the result `[…, O]`.
pub fn linear(x: &Tensor, weight: &Tensor) -> Result<Tensor> {
    let inputs = x.dim(D::Minus1)?;
    let mut shape = x.dims().to_vec();
    shape.pop();
    shape.push(weight.dim(0)?);
    x.reshape(((), inputs))?.matmul(&weight.t()?)?.reshape(shape)
}

/// `x / sqrt(mean(x²) + eps)` over the last axis, in f32, without gain.
pub fn rms(x: &Tensor) -> Result<Tensor> {
    let wide = x.to_dtype(DType::F32)?;
    let scale = (wide.sqr()?.mean_keepdim(D::Minus1)? + RMS_EPS)?.sqrt()?.recip()?;
    wide.broadcast_mul(&scale)?.to_dtype(x.dtype())
}

#[cfg(test)]
mod tests {
    use candle_core::{Device, Var};

    use super::*;
    use crate::nn::{Builder, Params};

    const HIDDEN: usize = 8;

    fn layout() -> Layout {
        let rope = Rope::grid(1, (2, 3), 4, 10_000.0, &Device::Cpu).unwrap();
        Layout { prefix: 1, height: 2, width: 3, rope: Some(rope) }
    }

    fn stack(mixer: Mixer, conv: Conv) -> (Stack, Params) {
        let config = StackConfig { layers: 2, heads: 2, ffn: 6, mixer, conv };
        let mut builder = Builder::fresh(5, &Device::Cpu);
        let stack = Stack::new(&config, HIDDEN, layout().positions(), &mut builder.root()).unwrap();
        (stack, builder.finish().unwrap())
    }

    fn noise(name: &str, shape: impl Into<candle_core::Shape>) -> Tensor {
        Init::Normal { std: 1.0 }.draw(7, name, &shape.into(), &Device::Cpu).unwrap()
    }

    fn distance(a: &Tensor, b: &Tensor) -> f32 {
        (a - b).unwrap().abs().unwrap().flatten_all().unwrap().max(0).unwrap().to_scalar().unwrap()
    }

    #[test]
    fn every_weight_of_every_form_gets_a_gradient() {
        for mixer in [Mixer::Attention, Mixer::MlpT(5)] {
            for conv in [Conv::None, Conv::Pair, Conv::Grid] {
                let (stack, params) = stack(mixer, conv);
                let (z, injected) = (noise("z", (2, 7, HIDDEN)), noise("e", (2, 7, HIDDEN)));
                let answer = stack.pass(&z, &injected, &layout()).unwrap();
                assert_eq!(answer.dims(), [2, 7, HIDDEN]);
                let gradients = (answer * noise("g", (2, 7, HIDDEN))).unwrap().sum_all().unwrap().backward().unwrap();
                for (name, weight) in params.trained() {
                    let gradient = gradients.get(weight).unwrap_or_else(|| panic!("{name} has no gradient"));
                    assert!(distance(gradient, &gradient.zeros_like().unwrap()) > 0.0, "{name}");
                }
            }
        }
    }

    #[test]
    fn mlp_t_norms_over_the_positions() {
        // Without the ways down only the norms are left: first over the positions, then over the width.
        let (stack, params) = stack(Mixer::MlpT(5), Conv::None);
        for (_, weight) in params.trained().filter(|(name, _)| name.contains("down_proj")) {
            weight.set(&weight.zeros_like().unwrap()).unwrap();
        }
        let z = noise("z", (2, 7, HIDDEN));
        let turned = |z: &Tensor| z.transpose(1, 2).unwrap().contiguous().unwrap();
        let layer = |z: &Tensor| rms(&turned(&rms(&turned(z)).unwrap())).unwrap();
        let found = stack.pass(&z, &z.zeros_like().unwrap(), &layout()).unwrap();
        assert!(distance(&found, &layer(&layer(&z))) < 1e-6);
    }

    #[test]
    fn a_detached_stack_computes_the_same_and_leaves_no_gradient() {
        let (stack, params) = stack(Mixer::Attention, Conv::Pair);
        let z = Var::from_tensor(&noise("z", (1, 7, HIDDEN))).unwrap();
        let free = stack.detached().unwrap().pass(&z, &z, &layout()).unwrap();
        assert!(distance(&free, &stack.pass(&z, &z, &layout()).unwrap()) < 1e-7);
        let gradients = free.sum_all().unwrap().backward().unwrap();
        assert!(params.trained().all(|(_, weight)| gradients.get(weight).is_none()));
    }

    #[test]
    fn attention_moves_its_answers_as_the_positions_are_moved() {
        // Without positions, attention and feed-forward do not know an order.
        let (stack, _) = stack(Mixer::Attention, Conv::None);
        let plain = Layout { rope: None, ..layout() };
        let z = noise("z", (1, 7, HIDDEN));
        let order = Tensor::new(&[3u32, 0, 6, 1, 2, 5, 4], &Device::Cpu).unwrap();
        let moved = z.index_select(&order, 1).unwrap();
        let zero = z.zeros_like().unwrap();
        let answer = stack.pass(&z, &zero, &plain).unwrap().index_select(&order, 1).unwrap();
        assert!(distance(&answer, &stack.pass(&moved, &zero, &plain).unwrap()) < 1e-5);
    }

    #[test]
    fn the_grid_convolution_is_that_of_the_library_and_spares_the_prefix() {
        let taps = noise("taps", (6, 1, 3, 3));
        let conv = Depthwise { taps: taps.clone(), bias: noise("bias", 6) };
        let x = noise("x", (2, 7, 6));
        let found = conv.forward(&x, &layout()).unwrap();
        let image = x.narrow(1, 1, 6).unwrap().transpose(1, 2).unwrap().reshape((2, 6, 2, 3)).unwrap();
        let expected = image.conv2d(&taps, 1, 1, 1, 6).unwrap().flatten(2, 3).unwrap().transpose(1, 2).unwrap();
        let expected = expected.broadcast_add(&conv.bias).unwrap();
        assert!(distance(&found.narrow(1, 1, 6).unwrap(), &expected) < 1e-5);
        assert!(distance(&found.narrow(1, 0, 1).unwrap(), &x.narrow(1, 0, 1).unwrap()) < 1e-7);
    }

    #[test]
    fn the_pair_convolution_looks_one_position_back() {
        let tensor = |values: &[f32], shape: &[usize]| Tensor::from_slice(values, shape, &Device::Cpu).unwrap();
        let conv = Depthwise { taps: tensor(&[2.0, 3.0], &[1, 1, 2]), bias: tensor(&[1.0], &[1]) };
        let found = conv.forward(&tensor(&[1.0, 10.0, 100.0], &[1, 3, 1]), &layout()).unwrap();
        assert_eq!(found.flatten_all().unwrap().to_vec1::<f32>().unwrap(), [4.0, 33.0, 321.0]);
    }
}
