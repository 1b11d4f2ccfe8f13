//! How an answer is compared with the truth.

use candle_core::{D, DType, Device, Result, Tensor};
use candle_nn::ops;
use serde::{Deserialize, Serialize};

/// The loss of one token: minus the logarithm of the probability that the logits give the label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenLoss {
    /// Probabilities by softmax.
    CrossEntropy,
    /// Probabilities by stablemax, in f64: proportional to `x + 1` for `x >= 0` and `1 / (1 - x)` below.
    Stablemax,
}

/// What every token should have become, and how much it counts.
#[derive(Clone, Debug)]
pub struct Targets {
    /// The label, 0 where none counts, `[B, L]` of u32.
    pub labels: Tensor,
    /// One over the number of tokens of the sequence that count, 0 for those that do not, `[B, L]` of f32.
    pub shares: Tensor,
}

impl Targets {
    /// Targets of `labels` in rows of equal length, where `ignored` does not count.
    pub fn new(labels: &[u8], rows: usize, ignored: u8, device: &Device) -> Result<Targets> {
        let len = labels.len() / rows.max(1);
        let index = labels.iter().map(|&label| if label == ignored { 0 } else { u32::from(label) }).collect();
        let shares = labels.chunks(len.max(1)).flat_map(|row| shares(row, ignored)).collect();
        Ok(Targets {
            labels: Tensor::from_vec::<_, u32>(index, (rows, len), device)?,
            shares: Tensor::from_vec(shares, (rows, len), device)?,
        })
    }
}

fn shares(row: &[u8], ignored: u8) -> Vec<f32> {
    let valid = row.iter().filter(|label| **label != ignored).count();
    let share = 1.0 / valid.max(1) as f32;
    row.iter().map(|label| if *label == ignored { 0.0 } else { share }).collect()
}

impl TokenLoss {
    /// The mean over the tokens of each sequence that count.
    ///
    /// # Shapes
    /// `logits` `[B, L, V]`; the result `[B]`, f32 for cross-entropy, f64 for stablemax.
    pub fn sequences(self, logits: &Tensor, targets: &Targets) -> Result<Tensor> {
        let chosen = self.log_probabilities(logits)?.gather(&targets.labels.unsqueeze(D::Minus1)?, D::Minus1)?;
        let chosen = chosen.squeeze(D::Minus1)?;
        (chosen * targets.shares.to_dtype(self.dtype())?)?.sum(D::Minus1)?.neg()
    }

    /// Logarithms of the probabilities over the last axis, in the loss's own type.
    pub fn log_probabilities(self, logits: &Tensor) -> Result<Tensor> {
        let logits = logits.to_dtype(self.dtype())?;
        match self {
            TokenLoss::CrossEntropy => ops::log_softmax(&logits, D::Minus1),
            TokenLoss::Stablemax => log_stablemax(&logits),
        }
    }

    fn dtype(self) -> DType {
        match self {
            TokenLoss::CrossEntropy => DType::F32,
            TokenLoss::Stablemax => DType::F64,
        }
    }
}

/// Both branches at once: one of `relu(x)` and `x - relu(x)` is zero.
fn log_stablemax(x: &Tensor) -> Result<Tensor> {
    let above = x.relu()?;
    let below = (x - &above)?.affine(-1.0, 1.0)?.recip()?;
    let weights = (above + below)?;
    weights.broadcast_div(&weights.sum_keepdim(D::Minus1)?)?.log()
}

/// Binary cross-entropy of each logit, without overflow: `max(x, 0) - x y + ln(1 + exp(-|x|))`.
///
/// # Shapes
/// `logits` and `truth` (0 or 1) have the same shape, and so has the result.
pub fn binary_cross_entropy(logits: &Tensor, truth: &Tensor) -> Result<Tensor> {
    let tail = (logits.abs()?.neg()?.exp()? + 1.0)?.log()?;
    (logits.relu()? - (logits * truth)?)? + tail
}

#[cfg(test)]
mod tests {
    use candle_core::Var;

    use super::*;

    fn numbers(tensor: &Tensor) -> Vec<f64> {
        tensor.to_dtype(DType::F64).unwrap().flatten_all().unwrap().to_vec1().unwrap()
    }

    fn close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} is not {expected:?}");
    }

    #[test]
    fn a_sequence_is_the_mean_of_what_counts_in_it() {
        // Two colours: softmax of (0, ln 3) is (1/4, 3/4); stablemax of (1, -1) is (2, 1/2) / (5/2) = (4/5, 1/5).
        let rows = [[[0f32, 3f32.ln()], [0.0, 3f32.ln()]], [[0.0, 0.0], [0.0, 3f32.ln()]]];
        let logits = Tensor::new(&rows, &Device::Cpu).unwrap();
        let targets = Targets::new(&[0, 1, 9, 1], 2, 9, &Device::Cpu).unwrap();
        let loss = TokenLoss::CrossEntropy.sequences(&logits, &targets).unwrap();
        close(&numbers(&loss), &[f64::midpoint(4f64.ln(), (4f64 / 3.0).ln()), (4f64 / 3.0).ln()]);
        let logits = Tensor::new(&[[[1f32, -1.0]]], &Device::Cpu).unwrap();
        let targets = Targets::new(&[1], 1, 9, &Device::Cpu).unwrap();
        close(&numbers(&TokenLoss::Stablemax.sequences(&logits, &targets).unwrap()), &[5f64.ln()]);
    }

    #[test]
    fn a_sequence_in_which_nothing_counts_costs_nothing() {
        let logits = Tensor::zeros((1, 2, 3), DType::F32, &Device::Cpu).unwrap();
        let targets = Targets::new(&[9, 9], 1, 9, &Device::Cpu).unwrap();
        assert_eq!(numbers(&TokenLoss::Stablemax.sequences(&logits, &targets).unwrap()), [0.0]);
    }

    #[test]
    fn stablemax_has_slope_one_on_both_sides_of_zero() {
        let x = Var::new(&[[0f64, 1.0]], &Device::Cpu).unwrap();
        let loss = log_stablemax(&x).unwrap().get(0).unwrap().get(0).unwrap();
        // ln(s0 / (s0 + s1)) at s0 = 1, s1 = 2: derivatives 1 - 1/3 and -1/3, each times s' = 1.
        let gradient = loss.backward().unwrap().remove(&x).unwrap();
        close(&numbers(&gradient), &[2.0 / 3.0, -1.0 / 3.0]);
    }

    #[test]
    fn binary_cross_entropy_neither_overflows_nor_loses_its_tail() {
        let logits = Tensor::new(&[0f64, 800.0, -800.0, 3.0], &Device::Cpu).unwrap();
        let truth = Tensor::new(&[1f64, 0.0, 0.0, 1.0], &Device::Cpu).unwrap();
        let loss = binary_cross_entropy(&logits, &truth).unwrap();
        close(&numbers(&loss), &[2f64.ln(), 800.0, 0.0, (1.0 + (-3f64).exp()).ln()]);
    }
}
