//! What the nets see: kinds, the clicked cell, what has just changed, what tiles have to do with each other, coordinates; and
//! what they are told to do.

use candle_core::{Device, Result, Tensor};
use env_client::Color;
use solver::nn::{
    BuildResult, Init, Scope,
    ops::{self, FilmConv},
};

use super::{
    batch::{ACTIONS, Batch, FACTS, OUTSIDE, SYMBOLS},
    layers::{Linear, spread},
    relations::RELATIONS,
};

/// Numbers that stand for a colour.
const COLOR: usize = 16;

/// How strongly a fresh net tells colours apart by themselves, beside what they have to do with each other. (A guess.)
const TINT: f64 = 0.3;

/// Beside the colour: whether the cell is clicked, whether it has just changed.
const BESIDE: usize = 2;

/// Where a net sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// Every place alike, on a canvas of any size: what is learned in one place holds in all.
    Anywhere,
    /// With the column and row of each cell on a canvas of this side.
    Placed(usize),
}

/// Two 3×3 convolutions: the first over colours, click, change, relations and, if the net is to know them, coordinates.
///
/// The first one is computed by looking up what each symbol contributes to each tap, and what each place does: the
/// products of one-hot vectors and of coordinates that all frames share with the weights are taken once a batch.
#[derive(Clone, Debug)]
pub(super) struct Stem {
    colors: Tensor,      // [16, COLOR]
    first: Tensor,       // [3, 3, COLOR + BESIDE, channels]
    related: Tensor,     // [RELATIONS, channels]
    bias: Tensor,        // [channels]
    second: Tensor,      // [3, 3, channels, channels]
    second_bias: Tensor, // [channels]
    bits: Tensor,        // [SYMBOLS, BESIDE]
    placed: Option<Placed>,
}

/// What each place contributes.
#[derive(Clone, Debug)]
struct Placed {
    side: usize,
    coordinates: Tensor, // [side², 9 · 2]
    taps: Tensor,        // [9 · 2, channels]
}

impl Stem {
    pub(super) fn new(sight: Sight, channels: usize, scope: &mut Scope<'_>) -> BuildResult<Stem> {
        let inputs = COLOR + BESIDE;
        let placed = match sight {
            Sight::Anywhere => None,
            Sight::Placed(side) => Some(Placed::new(side, channels, scope)?),
        };
        Ok(Stem {
            colors: scope.trained("colors", (Color::COUNT, COLOR), Init::Normal { std: TINT })?,
            related: scope.trained("related", (RELATIONS, channels), spread(RELATIONS / 9))?,
            first: scope.trained("first", (3, 3, inputs, channels), spread(inputs))?,
            bias: scope.trained("first_bias", channels, Init::ZERO)?,
            second: scope.trained("second", (3, 3, channels, channels), spread(channels))?,
            second_bias: scope.trained("second_bias", channels, Init::ZERO)?,
            bits: bits(scope.device())?,
            placed,
        })
    }

    /// # Shapes
    /// Result: [frames, side, side, channels].
    pub(super) fn forward(&self, batch: &Batch) -> Result<Tensor> {
        let channels = self.bias.dim(0)?;
        let taps = self.first.reshape((9, COLOR + BESIDE, channels))?;
        let colors = self.colors.repeat((OUTSIDE / Color::COUNT, 1))?.pad_with_zeros(0, 0, 1)?;
        let meanings = Tensor::cat(&[&colors, &self.bits], 1)?; // [SYMBOLS, COLOR + BESIDE]
        let table = meanings.unsqueeze(0)?.broadcast_matmul(&taps)?;
        let places = match &self.placed {
            Some(placed) => placed.forward(&self.bias)?,
            None => self.bias.broadcast_as((batch.side, batch.side, channels))?.contiguous()?,
        };
        let first = (ops::lookup_conv(&batch.symbols, &table, &places)? + self.related(batch)?)?;
        let film = Tensor::cat(&[&self.second_bias.ones_like()?, &self.second_bias], 0)?.unsqueeze(0)?;
        ops::film_conv(&first, &self.second, &film, FilmConv { dilation: 1, relu: true })
    }
}

impl Stem {
    /// What each tile's relations contribute.
    fn related(&self, batch: &Batch) -> Result<Tensor> {
        let (frames, height, width, count) = batch.relations.dims4()?;
        let said = batch.relations.reshape((frames * height * width, count))?.matmul(&self.related)?.relu()?;
        said.reshape((frames, height, width, self.bias.dim(0)?))
    }
}

impl Placed {
    fn new(side: usize, channels: usize, scope: &mut Scope<'_>) -> BuildResult<Placed> {
        let taps = scope.trained("places", (18, channels), spread(COLOR + BESIDE + 2))?;
        Ok(Placed { side, coordinates: coordinates(side, scope.device())?, taps })
    }

    /// # Shapes
    /// Result: [side, side, channels].
    fn forward(&self, bias: &Tensor) -> Result<Tensor> {
        self.coordinates.matmul(&self.taps)?.broadcast_add(bias)?.reshape((self.side, self.side, ()))
    }
}

/// What a symbol says beside its colour: the click, the change; nothing beyond the frame.
fn bits(device: &Device) -> Result<Tensor> {
    let bits = |symbol: usize| match symbol {
        OUTSIDE => [0.0; BESIDE],
        _ => [(symbol / 32) as f32, (symbol / 16 % 2) as f32],
    };
    Tensor::from_vec((0..SYMBOLS).flat_map(bits).collect::<Vec<f32>>(), (SYMBOLS, BESIDE), device)
}

/// For every cell the column and row, as shares of the canvas, that each of nine taps sees; 0 beyond the border.
fn coordinates(side: usize, device: &Device) -> Result<Tensor> {
    let share = |at: usize| at as f32 / (side - 1) as f32;
    let seen = |cell: usize, tap: usize| {
        let row = (cell / side + tap / 3).checked_sub(1).filter(|row| *row < side)?;
        let column = (cell % side + tap % 3).checked_sub(1).filter(|column| *column < side)?;
        Some([share(column), share(row)])
    };
    let taps = |cell: usize| (0..9).flat_map(move |tap| seen(cell, tap).unwrap_or_default());
    Tensor::from_vec((0..side * side).flat_map(taps).collect::<Vec<f32>>(), (side * side, 18), device)
}

/// An action as a vector: which one, where, on what colour, and what was done before.
#[derive(Clone, Debug)]
pub(super) struct Command {
    actions: Tensor, // [ACTIONS, width]
    before: Tensor,  // [ACTIONS, width]
    facts: Linear,   // [FACTS] → [width]
}

impl Command {
    pub(super) fn new(width: usize, scope: &mut Scope<'_>) -> BuildResult<Command> {
        Ok(Command {
            actions: scope.trained("actions", (ACTIONS, width), Init::Normal { std: 1.0 })?,
            before: scope.trained("before", (ACTIONS, width), Init::Normal { std: 0.3 })?,
            facts: Linear::new(FACTS, width, 1.0, &mut scope.at("facts"))?,
        })
    }

    /// # Shapes
    /// Result: [frames, width].
    pub(super) fn forward(&self, batch: &Batch) -> Result<Tensor> {
        let rows = |table: &Tensor, ids: &[u32]| table.index_select(&Tensor::new(ids, table.device())?, 0);
        let which = (rows(&self.actions, &batch.actions)? + rows(&self.before, &batch.previous)?)?;
        which + self.facts.forward(&batch.facts)?
    }
}
