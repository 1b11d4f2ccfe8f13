//! What a forward pass leaves behind.

use candle_core::{DType, Device, Result, Tensor, bail};
use candle_nn::ops::sigmoid;

use super::LoopVitConfig;
use crate::{
    data::IGNORED,
    nn::{
        Targets, TokenLoss,
        halting::{self, Slot},
    },
};

/// One loop over a batch.
#[derive(Clone, Debug)]
pub struct Loop {
    /// What the pixels would be, `[B, L, V]`; absent where nobody asked.
    pub logits: Option<Tensor>,
    /// Gate logits, `[B]`.
    pub gate: Tensor,
    /// How far each image has come.
    pub slots: Vec<Slot>,
    /// Which part the logits have in each image's answer.
    pub shares: Vec<f32>,
}

/// All loops over a batch.
#[derive(Clone, Debug, Default)]
pub struct Pass {
    /// In order, at least one.
    pub loops: Vec<Loop>,
}

/// The loss of a batch in its parts, both numbers.
#[derive(Clone, Debug)]
pub struct PassLoss {
    /// Cross-entropy of the pixels that count, mean over all of them in the batch.
    pub pixels: Tensor,
    /// What the configuration adds for gates and loops.
    pub halting: Tensor,
}

impl PassLoss {
    /// What is minimised.
    pub fn total(&self) -> Result<Tensor> {
        &self.pixels + &self.halting
    }
}

impl Pass {
    /// The answers as logits, `[B, L, V]`: each image's from the loop it halted at, or the mean that its rule takes.
    pub fn answer(&self) -> Result<Tensor> {
        let mut sum: Option<Tensor> = None;
        for step in &self.loops {
            if let Some(logits) = &step.logits {
                let shares = Tensor::new(&step.shares[..], logits.device())?.reshape(((), 1, 1))?;
                let part = logits.broadcast_mul(&shares)?;
                sum = Some(sum.map_or(Ok(part.clone()), |sum| sum + part)?);
            }
        }
        sum.map_or_else(|| bail!("a pass without loops has no answer"), Ok)
    }

    /// The loss of the batch.
    ///
    /// # Shapes
    /// `labels [B, L]`, [`IGNORED`] where none is due.
    pub fn loss(&self, labels: &[u8], config: &LoopVitConfig) -> Result<PassLoss> {
        let Some(first) = self.loops.first() else { bail!("a pass without loops has no loss") };
        let (rows, device) = (first.slots.len(), first.gate.device());
        let targets = pooled(labels, rows, device)?;
        let start = vec![Slot::FRESH; rows];
        let (mut before, mut unspent) = (&start, halting::unspent(&start, device)?);
        let mut pixels = Tensor::zeros((), DType::F32, device)?;
        let mut halting = self.gate_terms(config)?;
        for step in &self.loops {
            let weights = config.halting.weigh(&step.gate, &unspent, before, &step.slots)?;
            let counted = if config.counts_each() { weights.loss } else { Tensor::new(&step.shares[..], device)? };
            if let Some(logits) = &step.logits {
                let images = TokenLoss::CrossEntropy.sequences(logits, &targets)?;
                pixels = (pixels + (images * counted)?.sum_all()?)?;
            }
            halting = (halting + weights.cost.mean_all()?)?;
            (unspent, before) = (weights.unspent, &step.slots);
        }
        Ok(PassLoss { pixels, halting })
    }

    /// Minus the weighted entropy of the gates, plus the weighted mean share of the loops that were taken.
    fn gate_terms(&self, config: &LoopVitConfig) -> Result<Tensor> {
        let gates: Vec<Tensor> = self.loops.iter().map(|step| step.gate.clone()).collect();
        let entropy = halting::gate_entropy(&sigmoid(&Tensor::stack(&gates, 0)?)?)?;
        entropy.affine(-config.gate_entropy, config.step_penalty * self.mean_steps() / config.loops.grad as f64)
    }

    /// Loops that an image took, mean over the batch.
    pub fn mean_steps(&self) -> f64 {
        let Some(last) = self.loops.last() else { return 0.0 };
        let steps: u32 = last.slots.iter().map(|slot| slot.steps).sum();
        f64::from(steps) / last.slots.len() as f64
    }
}

/// Every pixel that counts has the same share of the batch's loss, in whichever image it is.
fn pooled(labels: &[u8], rows: usize, device: &Device) -> Result<Targets> {
    let valid = labels.iter().filter(|label| **label != IGNORED).count();
    let share = 1.0 / valid.max(1) as f32;
    let shares = labels.iter().map(|label| if *label == IGNORED { 0.0 } else { share });
    let shares = Tensor::from_iter(shares, device)?.reshape((rows, ()))?;
    Ok(Targets { shares, ..Targets::new(labels, rows, IGNORED, device)? })
}
