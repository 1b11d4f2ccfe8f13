//! What the nets of tokens share: everything before the stack and behind it.

use std::f64::consts::FRAC_1_SQRT_2;

use candle_core::{DType, Device, Result, Tensor, Var};

use super::{
    Answer,
    config::{FACTORED_PREFIX, Positions, Rows, TokenConfig},
};
use crate::{
    data::{Batch, COLORS, VOCABULARY, View},
    nn::{BuildResult, Init, Layout, Rope, Scope, linear},
};

/// Symmetries of the square.
const SYMMETRIES: usize = 8;

/// Token of colour 0; the others follow.
const FIRST_COLOR: usize = VOCABULARY - COLORS;

/// Embeddings and heads.
///
/// In shapes, B is the batch, P the prefix, L the cells, S = P + L, D the width, V the vocabulary.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    config: TokenConfig,
    head: usize,
    embedding: Tensor,         // [V, D]
    table: Tensor,             // [puzzles, D]
    views: Option<ViewRows>,   // where the augmentation is told apart from the task
    positions: Option<Tensor>, // [S, D], where positions are learned
    lm_head: Tensor,           // [V, D]
    halt_weight: Tensor,       // [2, D]
    halt_bias: Tensor,         // [2]
}

/// What says how a puzzle was augmented, shared by all puzzles.
#[derive(Clone, Debug)]
struct ViewRows {
    dihedral: Tensor, // [8, D]
    colors: Tensor,   // [10, D], one for each colour of the task; what it became is said by that colour's token
}

impl Frame {
    /// Fresh or stored weights under their published names, for heads `head` wide.
    pub(super) fn new(
        config: &TokenConfig,
        head: usize,
        puzzles: usize,
        halt_bias: f32,
        scope: &mut Scope,
    ) -> BuildResult<Frame> {
        let (hidden, std) = (config.hidden, Init::linear(config.hidden));
        let learned = config.positions == Positions::Learned;
        Ok(Frame {
            head,
            embedding: scope.at("embed_tokens").trained("embedding_weight", (VOCABULARY, hidden), std)?,
            positions: learned
                .then(|| scope.at("embed_pos").trained("embedding_weight", (config.positions(), hidden), std))
                .transpose()?,
            table: scope.at("puzzle_emb").table("weights", (puzzles, hidden), row_init(config))?,
            views: (config.rows == Rows::Factored).then(|| ViewRows::new(hidden, scope)).transpose()?,
            lm_head: scope.at("lm_head").trained("weight", (VOCABULARY, hidden), std)?,
            halt_weight: scope.at("q_head").trained("weight", (2, hidden), Init::ZERO)?,
            halt_bias: scope.at("q_head").trained("bias", 2, Init::Constant(halt_bias))?,
            config: config.clone(),
        })
    }

    /// The same weights as constants.
    pub(super) fn detached(&self) -> Frame {
        Frame {
            config: self.config.clone(),
            head: self.head,
            embedding: self.embedding.detach(),
            table: self.table.detach(),
            views: self.views.as_ref().map(ViewRows::detached),
            positions: self.positions.as_ref().map(Tensor::detach),
            lm_head: self.lm_head.detach(),
            halt_weight: self.halt_weight.detach(),
            halt_bias: self.halt_bias.detach(),
        }
    }

    /// Where the weights are.
    pub(super) fn device(&self) -> &Device {
        self.embedding.device()
    }

    /// Positions before the cells.
    pub(super) fn prefix_len(&self) -> usize {
        self.config.prefix
    }

    /// The table's rows of these puzzles, as a leaf of their own: `[B, D]`.
    pub(super) fn rows(&self, puzzles: &[u32]) -> Result<Var> {
        let ids = Tensor::new(puzzles, self.device())?;
        Var::from_tensor(&self.table.detach().index_select(&ids, 0)?)
    }

    /// What is injected in every loop, given the puzzles' `rows` `[B, D]`: `[B, S, D]`.
    pub(super) fn embed(&self, batch: &Batch, rows: &Tensor) -> Result<Tensor> {
        let hidden = self.config.hidden;
        let ids = Tensor::from_iter(batch.inputs.iter().map(|token| u32::from(*token)), self.device())?;
        let cells = self.embedding.index_select(&ids, 0)?.reshape((batch.rows, batch.len, hidden))?;
        let all = Tensor::cat(&[self.prefix(batch, rows)?, cells], 1)?;
        let scale = (hidden as f64).sqrt();
        match &self.positions {
            // The variance is kept when positions are added.
            Some(positions) => all.broadcast_add(positions)? * (scale * FRAC_1_SQRT_2),
            None => all * scale,
        }
    }

    /// The puzzle's row, how it was augmented where that is told, and zeros up to the length of the prefix: `[B, P, D]`.
    fn prefix(&self, batch: &Batch, rows: &Tensor) -> Result<Tensor> {
        let row = rows.unsqueeze(1)?;
        let Some(views) = &self.views else {
            return row.pad_with_zeros(1, 0, self.config.prefix - 1);
        };
        let told = views.tokens(&batch.views, &self.embedding)?;
        Tensor::cat(&[row, told], 1)?.pad_with_zeros(1, 0, self.config.prefix - FACTORED_PREFIX)
    }

    /// What the positions stand for on a canvas of `len` cells.
    pub(super) fn layout(&self, len: usize) -> Result<Layout> {
        let (prefix, side, theta) = (self.config.prefix, len.isqrt(), self.config.theta);
        let rope = match self.config.positions {
            Positions::Flat => Some(Rope::flat(prefix + len, self.head, theta, self.device())?),
            Positions::Grid => Some(Rope::grid(prefix, (side, side), self.head, theta, self.device())?),
            Positions::Learned | Positions::None => None,
        };
        Ok(Layout { prefix, height: side, width: side, rope })
    }

    /// What a state `[B, S, D]` answers, in f32.
    pub(super) fn answer(&self, state: &Tensor) -> Result<Answer> {
        let prefix = self.config.prefix;
        let cells = state.narrow(1, prefix, state.dim(1)? - prefix)?;
        let logits = linear(&cells, &self.lm_head.to_dtype(state.dtype())?)?.to_dtype(DType::F32)?;
        let first = state.narrow(1, 0, 1)?.squeeze(1)?.to_dtype(DType::F32)?;
        let halting = linear(&first, &self.halt_weight)?.broadcast_add(&self.halt_bias)?;
        Ok(Answer { logits, halt: halting.narrow(1, 0, 1)?.squeeze(1)?, go_on: halting.narrow(1, 1, 1)?.squeeze(1)? })
    }
}

fn row_init(config: &TokenConfig) -> Init {
    if config.row_std > 0.0 { Init::Normal { std: config.row_std } } else { Init::ZERO }
}

impl ViewRows {
    fn new(hidden: usize, scope: &mut Scope) -> BuildResult<ViewRows> {
        let mut rows = |name: &str, count| scope.at(name).trained("weight", (count, hidden), Init::linear(hidden));
        Ok(ViewRows { dihedral: rows("dihedral_emb", SYMMETRIES)?, colors: rows("color_emb", COLORS)? })
    }

    fn detached(&self) -> ViewRows {
        ViewRows { dihedral: self.dihedral.detach(), colors: self.colors.detach() }
    }

    /// The symmetry, then for each colour what it became: `[B, 11, D]`.
    fn tokens(&self, views: &[View], embedding: &Tensor) -> Result<Tensor> {
        let (device, hidden) = (embedding.device(), embedding.dim(1)?);
        let dihedral = Tensor::from_iter(views.iter().map(|view| u32::from(view.dihedral)), device)?;
        let dihedral = self.dihedral.index_select(&dihedral, 0)?.unsqueeze(1)?;
        let palette = views.iter().flat_map(|view| view.palette.map(|color| u32::from(color) + FIRST_COLOR as u32));
        let palette = embedding.index_select(&Tensor::from_iter(palette, device)?, 0)?;
        let colors = palette.reshape((views.len(), COLORS, hidden))?.broadcast_add(&self.colors)?;
        Tensor::cat(&[dihedral, colors], 1)
    }
}
