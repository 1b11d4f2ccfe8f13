//! All weights of a stack in one tensor: an operation of candle has at most three arguments.

use super::grid::Grid;
use crate::nn::kernel::conv::{Taps, WINDOW, taps_from_weight};

/// Sizes of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::nn) struct Dims {
    /// Layers of one pass.
    pub(in crate::nn) layers: usize,
    /// Numbers of a token D.
    pub(in crate::nn) hidden: usize,
    /// Attention heads.
    pub(in crate::nn) heads: usize,
    /// Feed-forward width F.
    pub(in crate::nn) ffn: usize,
    /// Which neighbours mix between the gate and the way down.
    pub(in crate::nn) mix: Mix,
}

/// Which positions a convolution mixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::nn) enum Mix {
    /// There is none.
    None,
    /// Each with the one before.
    Pair,
    /// Each cell with the eight around it.
    Grid(Grid),
}

impl Dims {
    /// Numbers of each weight of a layer, in order: qkv [3D, D], out [D, D], gate and up [2F, D], taps [F, 1, 2] or
    /// [F, 1, 3, 3] and bias [F] (empty without convolution), down [D, F].
    fn sizes(self) -> [usize; 6] {
        let Dims { hidden, ffn, .. } = self;
        let (taps, bias) = match self.mix {
            Mix::None => (0, 0),
            Mix::Pair => (2 * ffn, ffn),
            Mix::Grid(_) => (WINDOW * ffn, ffn),
        };
        [3 * hidden * hidden, hidden * hidden, 2 * ffn * hidden, taps, bias, hidden * ffn]
    }

    /// Numbers of all weights of all layers.
    pub(super) fn count(self) -> usize {
        self.layers * self.layer()
    }

    fn layer(self) -> usize {
        self.sizes().iter().sum()
    }
}

/// The weights of one layer, in the order in which they stand: that of [`Dims`], layer after layer.
#[derive(Debug)]
pub(in crate::nn) struct Weights<'a> {
    /// [3D, D]
    pub(super) qkv: &'a [f32],
    /// [D, D]
    pub(super) out: &'a [f32],
    /// [2F, D]
    pub(super) gate_up: &'a [f32],
    /// What each channel is convolved with.
    pub(super) filter: Filter<'a>,
    /// [D, F]
    pub(super) down: &'a [f32],
}

/// The weights of a convolution.
#[derive(Debug)]
pub(super) enum Filter<'a> {
    None,
    Pair {
        taps: Taps,
        bias: &'a [f32],
    },
    /// Taps as [9, F].
    Grid {
        grid: Grid,
        taps: Vec<f32>,
        bias: &'a [f32],
    },
}

impl<'a> Weights<'a> {
    /// All layers.
    pub(super) fn layers(dims: Dims, all: &'a [f32]) -> Vec<Weights<'a>> {
        all.chunks_exact(dims.layer()).map(|layer| Weights::of(dims, layer)).collect()
    }

    fn of(dims: Dims, mut rest: &'a [f32]) -> Weights<'a> {
        let mut next = |size: usize| rest.split_off(..size).unwrap_or_default();
        let [qkv, out, gate_up, taps, bias, down] = dims.sizes().map(&mut next);
        let filter = match dims.mix {
            Mix::None => Filter::None,
            Mix::Pair => Filter::Pair { taps: Taps::from_weight(taps), bias },
            Mix::Grid(grid) => Filter::Grid { grid, taps: taps_from_weight(taps), bias },
        };
        Weights { qkv, out, gate_up, filter, down }
    }
}

/// Where the gradients of one layer's weights add up.
#[derive(Debug)]
pub(super) struct WeightGradients<'a> {
    pub(super) qkv: &'a mut [f32],
    pub(super) out: &'a mut [f32],
    pub(super) gate_up: &'a mut [f32],
    pub(super) taps: &'a mut [f32],
    pub(super) bias: &'a mut [f32],
    pub(super) down: &'a mut [f32],
}

impl<'a> WeightGradients<'a> {
    /// Layer `layer` of all.
    pub(super) fn of(dims: Dims, all: &'a mut [f32], layer: usize) -> WeightGradients<'a> {
        let mut rest = &mut all[layer * dims.layer()..];
        let mut next = |size: usize| rest.split_off_mut(..size).unwrap_or_default();
        let [qkv, out, gate_up, taps, bias, down] = dims.sizes().map(&mut next);
        WeightGradients { qkv, out, gate_up, taps, bias, down }
    }
}
