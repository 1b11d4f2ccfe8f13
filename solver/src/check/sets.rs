//! The kind of net that a set of reference numbers is of: from its configuration, and from the shapes of its weights.

use std::collections::{BTreeMap, BTreeSet};

use candle_core::Tensor;
use serde::Deserialize;

use super::CheckError;
use crate::{
    nets::{Latents, LoopConfig, LossAt, NetConfig, Positions, Rows, Table, TokenConfig, TrmConfig, UrmConfig},
    nn::{Conv, Mixer, StackConfig, TokenLoss, halting::Halting},
};

/// The settings of the published code that no shape tells. Others are ignored.
#[derive(Debug, Deserialize)]
pub(super) struct Published {
    num_heads: usize,
    seq_len: usize,
    #[serde(rename = "H_cycles")]
    high_cycles: usize,
    #[serde(rename = "L_cycles")]
    low_cycles: usize,
    #[serde(alias = "loops")]
    halt_max_steps: u32,
    #[serde(default)]
    puzzle_emb_len: usize,
    #[serde(default)]
    pos_encodings: PublishedPositions,
    #[serde(default = "theta")]
    rope_theta: f64,
    #[serde(default = "eps")]
    rms_norm_eps: f64,
    #[serde(default = "yes", rename = "no_ACT_continue")]
    no_act_continue: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PublishedPositions {
    #[default]
    Rope,
    Learned,
    None,
}

fn theta() -> f64 {
    10_000.0
}

fn eps() -> f64 {
    crate::nn::RMS_EPS
}

fn yes() -> bool {
    true
}

impl Published {
    /// The configuration of the net that has these weights.
    pub(super) fn net(&self, weights: &BTreeMap<String, Tensor>, loss: TokenLoss) -> Result<NetConfig, CheckError> {
        self.refuse_what_is_not_built()?;
        let shapes = Shapes(weights);
        let halting = Halting::QHead { exploration: 0.0 };
        let (tokens, stack, steps) = (self.tokens(&shapes)?, self.stack(&shapes)?, self.halt_max_steps);
        let at_last = |free, grad| LoopConfig { free, grad, loss_at: LossAt::Last };
        let before = self.high_cycles.saturating_sub(1);
        if shapes.has("init_hidden") {
            let loops = at_last(before * self.low_cycles, self.low_cycles);
            return Ok(NetConfig::Urm(UrmConfig { tokens, stack, loops, loss, steps, halting }));
        }
        let latents = if shapes.has("H_init") { Latents::Two } else { Latents::One };
        let (loops, low_passes) = (at_last(before, 1), self.low_cycles);
        Ok(NetConfig::Trm(TrmConfig { tokens, stack, loops, low_passes, latents, loss, steps, halting }))
    }

    fn refuse_what_is_not_built(&self) -> Result<(), CheckError> {
        if !self.no_act_continue {
            return Err(CheckError::Unsupported("no_ACT_continue = false".to_owned()));
        }
        if (self.rms_norm_eps - eps()).abs() > f64::EPSILON {
            return Err(CheckError::Unsupported(format!("rms_norm_eps = {}", self.rms_norm_eps)));
        }
        Ok(())
    }

    fn tokens(&self, shapes: &Shapes) -> Result<TokenConfig, CheckError> {
        let canvas = self.seq_len.isqrt();
        if canvas * canvas != self.seq_len {
            return Err(CheckError::Unsupported(format!("seq_len = {}, not a square", self.seq_len)));
        }
        let (_, hidden) = shapes.of("embed_tokens.embedding_weight")?.dims2()?;
        let (_, row) = shapes.of("puzzle_emb.weights")?.dims2()?;
        let positions = match self.pos_encodings {
            PublishedPositions::Rope => Positions::Flat,
            PublishedPositions::Learned => Positions::Learned,
            PublishedPositions::None => Positions::None,
        };
        let prefix = if self.puzzle_emb_len == 0 { row.div_ceil(hidden) } else { self.puzzle_emb_len };
        let (theta, rows) = (self.rope_theta, Rows::Augmentation);
        Ok(TokenConfig {
            canvas,
            hidden,
            prefix,
            positions,
            theta,
            rows,
            row_std: 0.0,
            spread: false,
            places: false,
            table: Table::Sparse,
        })
    }

    fn stack(&self, shapes: &Shapes) -> Result<StackConfig, CheckError> {
        let (_, ffn) = shapes.of("layers.0.mlp.down_proj.weight")?.dims2()?;
        let mixer = match shapes.find("layers.0.mlp_t.down_proj.weight") {
            Some(down) => Mixer::MlpT(down.dim(1)?),
            None => Mixer::Attention,
        };
        let conv = match shapes.find("layers.0.mlp.dwconv.weight") {
            Some(_) => Conv::Pair,
            None => Conv::None,
        };
        Ok(StackConfig { layers: shapes.layers(), heads: self.num_heads, ffn, mixer, conv })
    }
}

/// Weights, of which only the ends of the names are asked for.
struct Shapes<'a>(&'a BTreeMap<String, Tensor>);

impl Shapes<'_> {
    fn find(&self, end: &str) -> Option<&Tensor> {
        self.0.iter().find(|(name, _)| name.ends_with(end)).map(|(_, tensor)| tensor)
    }

    fn of(&self, end: &str) -> Result<&Tensor, CheckError> {
        self.find(end).ok_or_else(|| CheckError::Missing(end.to_owned()))
    }

    fn has(&self, end: &str) -> bool {
        self.find(end).is_some()
    }

    /// How many different numbers follow `layers.`.
    fn layers(&self) -> usize {
        let number = |name: &String| Some(name.split_once("layers.")?.1.split('.').next()?.to_owned());
        self.0.keys().filter_map(number).collect::<BTreeSet<_>>().len()
    }
}
