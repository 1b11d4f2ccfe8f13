//! What a step is trained for.

use candle_core::{D, DType, Result, Tensor};

use super::{Answer, Step};
use crate::{
    data::{Batch, IGNORED},
    nn::{
        Targets, TokenLoss, binary_cross_entropy,
        halting::{self, Halting},
    },
};

/// Weight of the halting head's loss beside that of the tokens (HRM, TRM, URM).
const HALT_WEIGHT: f64 = 0.5;

/// The loss of a step, summed over its slots: to be divided by the global batch before the backward pass.
#[derive(Clone, Debug)]
pub struct Loss {
    /// What is minimised, a scalar.
    pub total: Tensor,
    /// The part of the tokens: the mean over each sequence, over all answers of the step.
    pub tokens: Tensor,
    /// The part of halting: cross-entropy of "this answer is right", or what the steps cost; nothing where no head decides.
    pub halting: Tensor,
    /// Whether the last answer is right in every token that counts; so it is where none counts.
    pub exact: Vec<bool>,
}

impl Loss {
    /// The loss of `step`.
    pub(super) fn of(step: &Step, loss: TokenLoss, rule: &Halting) -> Result<Loss> {
        let data = &step.carry.data;
        let last = step.last()?;
        let device = last.logits.device();
        let targets = Targets::new(&data.labels, data.rows, IGNORED, device)?;
        let unspent = halting::unspent(&step.before, device)?;
        let weights = rule.weigh(&last.halt, &unspent, &step.before, &step.carry.slots)?;
        let exact = last.exact(data)?;
        let each = step.answers.iter().map(|answer| loss.sequences(&answer.logits, &targets));
        let sum = each.reduce(|sum, next| sum? + next?).unwrap_or_else(|| targets.shares.sum(D::Minus1))?;
        let tokens = (&sum * weights.loss.to_dtype(sum.dtype())?)?.sum_all()?;
        let halting = match rule {
            rule if rule.is_distribution() => weights.cost.sum_all()?,
            rule if rule.needs_head() => doubt(last, &exact)?,
            _ => Tensor::zeros((), DType::F32, device)?,
        };
        let total = (&tokens + halting.to_dtype(tokens.dtype())?)?;
        Ok(Loss { total, tokens, halting, exact })
    }
}

/// Half the cross-entropy of the halt logits with whether the answers are right.
fn doubt(answer: &Answer, exact: &[bool]) -> Result<Tensor> {
    let truth = exact.iter().map(|right| f32::from(u8::from(*right)));
    let truth = Tensor::from_iter(truth, answer.halt.device())?;
    binary_cross_entropy(&answer.halt, &truth)?.sum_all()? * HALT_WEIGHT
}

impl Answer {
    /// Which sequences are right wherever a label counts.
    pub(super) fn exact(&self, data: &Batch) -> Result<Vec<bool>> {
        let chosen = self.tokens()?;
        let pairs = chosen.chunks(data.len).zip(data.labels.chunks(data.len));
        let right = |(token, label): (&u8, &u8)| *label == IGNORED || token == label;
        Ok(pairs.map(|(tokens, labels)| tokens.iter().zip(labels).all(right)).collect())
    }
}
