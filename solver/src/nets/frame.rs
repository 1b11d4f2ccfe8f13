//! What the nets of tokens share: everything before the stack and behind it.

use std::f64::consts::FRAC_1_SQRT_2;

use candle_core::{DType, Device, Result, Tensor, Var};

use super::{
    Answer,
    config::{Positions, Rows, Table, TokenConfig},
};
use crate::{
    data::{Batch, VOCABULARY, View},
    nn::{BuildResult, Init, Layout, Rope, Scope, linear},
};

/// Symmetries of the square.
const SYMMETRIES: usize = 8;

/// Embeddings and heads.
///
/// In shapes, B is the batch, P the prefix, L the cells, S = P + L, D the width, V the vocabulary.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    config: TokenConfig,
    head: usize,
    embedding: Tensor,           // [V, D]
    table: Tensor,               // [puzzles, D]
    symmetries: Option<Tensor>,  // [8, D], where the symmetry is told apart from the task
    positions: Option<Tensor>,   // [S, D], where positions are learned
    places: Option<[Tensor; 2]>, // [canvas, D] each: for rows and for columns
    lm_head: Tensor,             // [V, D]
    halt_weight: Tensor,         // [2, D]
    halt_bias: Tensor,           // [2]
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
            table: table(config, puzzles, &mut scope.at("puzzle_emb"))?,
            places: config.places.then(|| places(config, &mut scope.at("place_emb"))).transpose()?,
            symmetries: (config.rows == Rows::Factored)
                .then(|| scope.at("dihedral_emb").trained("weight", (SYMMETRIES, hidden), std))
                .transpose()?,
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
            symmetries: self.symmetries.as_ref().map(Tensor::detach),
            positions: self.positions.as_ref().map(Tensor::detach),
            places: self.places.as_ref().map(|places| places.each_ref().map(Tensor::detach)),
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

    /// The table's rows of these puzzles: `[B, D]`.
    pub(super) fn rows(&self, puzzles: &[u32]) -> Result<Tensor> {
        self.table.index_select(&Tensor::new(puzzles, self.device())?, 0)
    }

    /// These rows as a leaf of their own, if the optimiser of the weights does not train the table.
    pub(super) fn leaf(&self, puzzles: &[u32]) -> Result<Option<Var>> {
        let sparse = self.config.table == Table::Sparse;
        sparse.then(|| Var::from_tensor(&self.rows(puzzles)?.detach())).transpose()
    }

    /// What is injected in every loop, given the puzzles' `rows` `[B, D]`: `[B, S, D]`.
    pub(super) fn embed(&self, batch: &Batch, rows: &Tensor) -> Result<Tensor> {
        let hidden = self.config.hidden;
        let ids = Tensor::from_iter(batch.inputs.iter().map(|token| u32::from(*token)), self.device())?;
        let mut cells = self.embedding.index_select(&ids, 0)?.reshape((batch.rows, batch.len, hidden))?;
        let told = self.told(&batch.views, rows)?;
        if self.config.spread {
            cells = cells.broadcast_add(&told.sum_keepdim(1)?)?;
        }
        if let Some([rows, columns]) = &self.places {
            let side = batch.len.isqrt();
            let (rows, columns) = (rows.narrow(0, 0, side)?.unsqueeze(1)?, columns.narrow(0, 0, side)?.unsqueeze(0)?);
            cells = cells.broadcast_add(&rows.broadcast_add(&columns)?.flatten(0, 1)?)?;
        }
        let silent = self.config.prefix - told.dim(1)?;
        let all = Tensor::cat(&[told.pad_with_zeros(1, 0, silent)?, cells], 1)?;
        let scale = (hidden as f64).sqrt();
        match &self.positions {
            // The variance is kept when positions are added.
            Some(positions) => all.broadcast_add(positions)? * (scale * FRAC_1_SQRT_2),
            None => all * scale,
        }
    }

    /// The puzzle's row and, where it is told, the symmetry's: `[B, 1 or 2, D]`.
    fn told(&self, views: &[View], rows: &Tensor) -> Result<Tensor> {
        let row = rows.unsqueeze(1)?;
        let Some(symmetries) = &self.symmetries else { return Ok(row) };
        let ids = Tensor::from_iter(views.iter().map(|view| u32::from(view.dihedral)), self.device())?;
        Tensor::cat(&[row, symmetries.index_select(&ids, 0)?.unsqueeze(1)?], 1)
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

/// A row a puzzle, whatever trains it.
fn table(config: &TokenConfig, puzzles: usize, scope: &mut Scope) -> BuildResult<Tensor> {
    let shape = (puzzles, config.hidden);
    match config.table {
        Table::Sparse => scope.table("weights", shape, row_init(config)),
        Table::Dense => scope.trained_table("weights", shape, row_init(config)),
    }
}

/// A row for each row of the canvas, and for each column.
fn places(config: &TokenConfig, scope: &mut Scope) -> BuildResult<[Tensor; 2]> {
    let mut rows = |name| scope.trained(name, (config.canvas, config.hidden), Init::linear(config.hidden));
    Ok([rows("rows")?, rows("columns")?])
}

fn row_init(config: &TokenConfig) -> Init {
    if config.row_std > 0.0 { Init::Normal { std: config.row_std } } else { Init::ZERO }
}
