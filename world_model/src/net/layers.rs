//! The layers that both nets are made of.

use candle_core::{Result, Tensor};
use solver::nn::{
    BuildResult, Init, Scope, linear,
    ops::{self, FilmConv},
};

/// Added to variances before their root is taken.
const EPS: f64 = 1e-5;

/// `x·wᵀ + b`.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    weight: Tensor, // [outputs, inputs]
    bias: Tensor,   // [outputs]
}

impl Linear {
    /// Weights that keep the size of what goes in, times `gain`.
    pub(super) fn new(inputs: usize, outputs: usize, gain: f64, scope: &mut Scope<'_>) -> BuildResult<Linear> {
        Linear::biased(inputs, outputs, gain, Init::ZERO, scope)
    }

    /// The same with a bias that starts elsewhere.
    pub(super) fn biased(
        inputs: usize,
        outputs: usize,
        gain: f64,
        bias: Init,
        scope: &mut Scope<'_>,
    ) -> BuildResult<Linear> {
        let std = gain / (inputs as f64).sqrt();
        Ok(Linear {
            weight: scope.trained("weight", (outputs, inputs), Init::TruncatedNormal { std })?,
            bias: scope.trained("bias", outputs, bias)?,
        })
    }

    /// # Shapes
    /// `x`: [.., inputs]. Result: [.., outputs].
    pub(super) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        linear(x, &self.weight)?.broadcast_add(&self.bias)
    }
}

/// RMS norm with a learned gain.
#[derive(Clone, Debug)]
pub(super) struct Norm(Tensor);

impl Norm {
    pub(super) fn new(width: usize, scope: &mut Scope<'_>) -> BuildResult<Norm> {
        scope.trained("gain", width, Init::Constant(1.0)).map(Norm)
    }

    pub(super) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        ops::gain_rms_norm(x, &self.0, EPS)
    }
}

/// A 3×3 convolution whose gains and biases a condition sets, and the rectifier after it.
#[derive(Clone, Debug)]
pub(super) struct Conditioned {
    weight: Tensor, // [3, 3, inputs, outputs]
    film: Linear,   // condition → [2 · outputs]
    neutral: Tensor,
    dilation: usize,
}

impl Conditioned {
    pub(super) fn new(
        [inputs, outputs]: [usize; 2],
        condition: usize,
        dilation: usize,
        scope: &mut Scope<'_>,
    ) -> BuildResult<Conditioned> {
        let neutral = [vec![1f32; outputs], vec![0.0; outputs]].concat();
        Ok(Conditioned {
            weight: scope.trained("weight", (3, 3, inputs, outputs), spread(inputs))?,
            film: Linear::new(condition, 2 * outputs, 0.5, &mut scope.at("film"))?,
            neutral: Tensor::new(neutral, scope.device())?,
            dilation,
        })
    }

    /// # Shapes
    /// `x`: [images, height, width, inputs]. `condition`: [groups, condition]; see [`ops::film_conv`]. Result:
    /// [images, height, width, outputs].
    pub(super) fn forward(&self, x: &Tensor, condition: &Tensor) -> Result<Tensor> {
        let film = self.film.forward(condition)?.broadcast_add(&self.neutral)?;
        ops::film_conv(x, &self.weight, &film, FilmConv { dilation: self.dilation, relu: true })
    }
}

/// Weights of a 3×3 convolution that keep the size of what goes in through its rectifier (He et al. 2015).
pub(super) fn spread(inputs: usize) -> Init {
    Init::TruncatedNormal { std: (2.0 / (9 * inputs) as f64).sqrt() }
}

/// Residual convolutions, each at a distance of its own, so that a cell sees far at little cost.
#[derive(Clone, Debug)]
pub(super) struct Trunk(Vec<Conditioned>);

impl Trunk {
    pub(super) fn new(
        channels: usize,
        condition: usize,
        dilations: &[usize],
        scope: &mut Scope<'_>,
    ) -> BuildResult<Trunk> {
        let layer = |(index, dilation): (usize, &usize)| {
            Conditioned::new([channels, channels], condition, *dilation, &mut scope.at(index))
        };
        dilations.iter().enumerate().map(layer).collect::<BuildResult<_>>().map(Trunk)
    }

    /// # Shapes
    /// `x`: [frames, side, side, channels]. `condition`: [frames, condition]. Result: like `x`.
    pub(super) fn forward(&self, x: &Tensor, condition: &Tensor) -> Result<Tensor> {
        self.0.iter().try_fold(x.clone(), |x, layer| &x + layer.forward(&x, condition)?)
    }
}
