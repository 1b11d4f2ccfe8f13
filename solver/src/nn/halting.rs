//! When a looped net stops, and how much each of its steps counts.
//!
//! # How it works
//! A [`Slot`] is one row of a batch on its way through the steps. After every step the net shows what the rule looks at
//! ([`Halting::signals`]), and [`Halting::observe`] says on the host whether the slot halts and which share of its answer
//! the step has. In training, [`Halting::weigh`] gives the same weights as tensors, with gradients, and what the steps
//! cost. [`Halting::Act`] and [`Halting::PonderNet`] spend a probability of 1 over the steps; the other rules count every
//! step's loss fully and answer with the step they halt at.
//!
//! # Detached steps
//! Where all steps belong to one graph (the loops of Loop-ViT), `unspent` is handed from step to step as a tensor and the
//! gradients are those of the papers. Where every step has its own optimiser step (URM, TRM), `unspent` is a constant: a
//! step sees what it spends but not what that takes from later ones, as if their loss were 0. For ACT this raises the
//! halting probability exactly where the loss of the step is below `ponder`, and lowers it elsewhere; the ponder cost
//! and, by the chain rule of the divergence, PonderNet's prior are sums over steps that need no later step.

use candle_core::{D, DType, Device, Result, Tensor};
use candle_nn::ops::{log_softmax, sigmoid};
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use super::Mode;

/// Where PonderNet stops at inference: the median of its distribution over steps.
const MEDIAN: f32 = 0.5;

/// Keeps the relative decrease of an entropy of 0 finite (Loop-ViT).
const ENTROPY_FLOOR: f32 = 1e-8;

/// Keeps the logarithms of [`gate_entropy`] finite (Loop-ViT).
const GATE_FLOOR: f64 = 1e-6;

/// When a slot halts. Every rule halts at the limit of steps at the latest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case", deny_unknown_fields)]
pub enum Halting {
    /// At the limit.
    Fixed,
    /// As TRM and URM do: in training when the halt logit is above 0, in evaluation at the limit.
    QHead {
        /// Probability, per slot and step, of going on until a step drawn from `2..=limit` (0.1 as published).
        #[serde(default = "default::exploration")]
        exploration: f64,
    },
    /// Adaptive computation time (Graves 2016): when the probabilities `h` of the steps sum to the threshold. The last
    /// step gets what is left of 1, and the answer is the weighted mean of the outputs.
    Act {
        /// 1 - eps of the paper.
        #[serde(default = "default::act_threshold")]
        threshold: f32,
        /// Cost of a step, tau of the paper: of `rho = steps + remainder`.
        #[serde(default = "default::ponder")]
        ponder: f64,
    },
    /// PonderNet (Banino 2021): step `n` halts with probability `lambda_n`, given that none did before; the last with 1.
    /// Training runs to the limit, evaluation stops where the median lies and answers with that step alone.
    PonderNet {
        /// `lambda` of the geometric prior: 1 by the steps to be expected.
        #[serde(default = "default::prior")]
        prior: f64,
        /// Weight of the divergence from the prior, **whose tail is lumped into the last step**: its conditional
        /// probability is `prior` at each step but the last, where both distributions halt.
        #[serde(default = "default::beta")]
        beta: f64,
    },
    /// Loop-ViT's exit without a parameter: in evaluation, when the mean entropy of the outputs has ceased to fall.
    Entropy {
        /// A step is stable when the entropy fell by less than this share; rising counts as stable.
        #[serde(default = "default::decrease")]
        decrease: f32,
        /// Stable steps in a row.
        #[serde(default = "default::patience")]
        patience: u32,
    },
    /// Loop-ViT's learned gate: when the probability of the halt logit reaches the threshold.
    Gate {
        /// Probability.
        #[serde(default = "default::gate_threshold")]
        threshold: f32,
        /// First step at which it may.
        #[serde(default = "default::min_steps")]
        min_steps: u32,
    },
}

/// Values of the papers and of their published settings.
mod default {
    pub(super) fn exploration() -> f64 {
        0.1
    }
    pub(super) fn act_threshold() -> f32 {
        0.99
    }
    pub(super) fn ponder() -> f64 {
        0.01
    }
    pub(super) fn prior() -> f64 {
        0.2
    }
    pub(super) fn beta() -> f64 {
        0.01
    }
    pub(super) fn decrease() -> f32 {
        0.05
    }
    pub(super) fn patience() -> u32 {
        2
    }
    pub(super) fn gate_threshold() -> f32 {
        0.6
    }
    pub(super) fn min_steps() -> u32 {
        1
    }
}

/// A setting outside its range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("halting: {name} is {found}, expected {expected}")]
pub struct HaltingError {
    /// The setting.
    pub name: &'static str,
    /// Its value.
    pub found: f64,
    /// Its range.
    pub expected: &'static str,
}

/// How far one row of a batch has come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slot {
    /// Steps taken.
    pub steps: u32,
    /// It is through: its answer stands.
    pub halted: bool,
    /// What is left of the probability: 1 minus all `h` so far for ACT, that of not having halted for PonderNet.
    pub unspent: f32,
    /// Mean entropy of the last output.
    pub entropy: Option<f32>,
    /// Steps in a row in which the entropy did not fall.
    pub stable: u32,
}

impl Slot {
    /// Before the first step.
    pub const FRESH: Slot = Slot { steps: 0, halted: false, unspent: 1.0, entropy: None, stable: 0 };
}

/// What a step counts in training.
#[derive(Clone, Debug)]
pub struct Weights {
    /// Factor of each slot's loss, `[B]`.
    pub loss: Tensor,
    /// What to add to each slot's loss, `[B]`.
    pub cost: Tensor,
    /// [`Slot::unspent`] after the step, with its gradient, `[B]`.
    pub unspent: Tensor,
}

impl Halting {
    /// Refuses settings with which no slot halts or none goes on.
    pub fn check(&self) -> std::result::Result<(), HaltingError> {
        let within = |name, found: f64, inside: bool, expected| {
            if inside { Ok(()) } else { Err(HaltingError { name, found, expected }) }
        };
        let share = |name, found: f64| within(name, found, found > 0.0 && found < 1.0, "a number between 0 and 1");
        let cost = |name, found: f64| within(name, found, found >= 0.0 && found.is_finite(), "a number from 0");
        match *self {
            Halting::Fixed => Ok(()),
            Halting::QHead { exploration } => {
                within("exploration", exploration, (0.0..=1.0).contains(&exploration), "a number from 0 to 1")
            }
            Halting::Act { threshold, ponder } => {
                share("threshold", threshold.into()).and_then(|()| cost("ponder", ponder))
            }
            Halting::PonderNet { prior, beta } => share("prior", prior).and_then(|()| cost("beta", beta)),
            Halting::Entropy { decrease, patience } => share("decrease", decrease.into())
                .and_then(|()| within("patience", patience.into(), patience > 0, "a number from 1")),
            Halting::Gate { threshold, .. } => share("threshold", threshold.into()),
        }
    }

    /// What the bias of a fresh halt logit should be. The published -5 of a classifier that is wrong at first would leave
    /// ACT and PonderNet nearly all of their weight to the last step; -2 is an eighth a step.
    pub fn initial_bias(&self) -> f32 {
        match self {
            Halting::Act { .. } | Halting::PonderNet { .. } => -2.0,
            _ => -5.0,
        }
    }

    /// Whether the halt logits spend a probability over the steps, so that the loss of a step trains them; otherwise they
    /// are trained to say whether the answer is right.
    pub fn is_distribution(&self) -> bool {
        matches!(self, Halting::Act { .. } | Halting::PonderNet { .. })
    }

    /// Whether the rule listens to the halting head: otherwise it need not learn anything.
    pub fn needs_head(&self) -> bool {
        !matches!(self, Halting::Fixed | Halting::Entropy { .. })
    }

    /// What the rule looks at after a step, on the host, one number a slot: the mean entropy of the output for
    /// [`Halting::Entropy`], the halt logit for the others.
    ///
    /// # Shapes
    /// `outputs [B, L, V]` logits, `halt [B]` logits.
    pub fn signals(&self, outputs: &Tensor, halt: &Tensor) -> Result<Vec<f32>> {
        let signals = match self {
            Halting::Entropy { .. } => mean_entropy(&outputs.detach())?,
            _ => halt.detach(),
        };
        signals.to_dtype(DType::F32)?.to_vec1()
    }

    /// One step of one slot, given its signal: the slot afterwards and the share of the step's outputs in its answer,
    /// which sum to 1 over the steps. A slot that has halted stays as it is.
    pub fn observe(&self, slot: &Slot, signal: f32, limit: u32, mode: Mode, rng: &mut impl Rng) -> (Slot, f32) {
        if slot.halted {
            return (*slot, 0.0);
        }
        let mut next = Slot { steps: slot.steps + 1, ..*slot };
        let wants = self.wants_to_halt(&mut next, signal, limit, mode, rng);
        next.halted = wants || next.steps >= limit;
        let share = match (self, next.halted) {
            (Halting::Act { .. }, true) => slot.unspent,
            (Halting::Act { .. }, false) => slot.unspent - next.unspent,
            (_, halted) => f32::from(u8::from(halted)),
        };
        (next, share)
    }

    fn wants_to_halt(&self, slot: &mut Slot, signal: f32, limit: u32, mode: Mode, rng: &mut impl Rng) -> bool {
        match *self {
            Halting::Fixed => false,
            Halting::QHead { exploration } => {
                mode == Mode::Train && signal > 0.0 && slot.steps >= least_steps(exploration, limit, rng)
            }
            Halting::Act { threshold, .. } => {
                slot.unspent -= probability(signal);
                slot.unspent <= 1.0 - threshold
            }
            Halting::PonderNet { .. } => {
                slot.unspent *= 1.0 - probability(signal);
                mode == Mode::Eval && slot.unspent < MEDIAN
            }
            Halting::Entropy { decrease, patience } => {
                slot.note_entropy(signal, decrease);
                mode == Mode::Eval && slot.stable >= patience
            }
            Halting::Gate { threshold, min_steps } => probability(signal) >= threshold && slot.steps >= min_steps,
        }
    }

    /// What a step counts in training, for slots as they were before and after [`Halting::observe`]. Slots that had
    /// halted before count nothing.
    ///
    /// # Shapes
    /// `logits [B]` halt logits; `unspent [B]`, at first [`unspent`] of the slots.
    pub fn weigh(&self, logits: &Tensor, unspent: &Tensor, before: &[Slot], after: &[Slot]) -> Result<Weights> {
        let going = mask(after.iter().map(|slot| !slot.halted), logits)?;
        let last = mask(before.iter().zip(after).map(|(before, after)| !before.halted && after.halted), logits)?;
        let rest = (&last * unspent)?;
        let (loss, cost, unspent) = match *self {
            Halting::Act { ponder, .. } => {
                let h = (&going * sigmoid(logits)?)?;
                // rho = N + 1 - (h_1 + … + h_{N-1}), a term a step: 1 - h before the last, 2 at the last.
                let rho = ((&going - &h)? + (&last * 2.0)?)?;
                ((&h + &rest)?, (rho * ponder)?, (unspent - &h)?)
            }
            Halting::PonderNet { prior, beta } => {
                let spent = ((&going * unspent)? * sigmoid(logits)?)?;
                let cost = ((&going * unspent)? * divergence(logits, prior)?)?;
                ((&spent + &rest)?, (cost * beta)?, (unspent - &spent)?)
            }
            _ => ((&going + &last)?, going.zeros_like()?, unspent.clone()),
        };
        Ok(Weights { loss, cost, unspent })
    }
}

impl Slot {
    fn note_entropy(&mut self, entropy: f32, decrease: f32) {
        let stable = |before: f32| (before - entropy) / (before + ENTROPY_FLOOR) < decrease;
        self.stable = if self.entropy.is_some_and(stable) { self.stable + 1 } else { 0 };
        self.entropy = Some(entropy);
    }
}

/// [`Slot::unspent`] as constants, `[B]`.
pub fn unspent(slots: &[Slot], device: &Device) -> Result<Tensor> {
    Tensor::from_iter(slots.iter().map(|slot| slot.unspent), device)
}

/// Shannon entropy of the outputs in nats, mean over all cells.
///
/// # Shapes
/// `outputs [B, L, V]` logits to `[B]`.
pub fn mean_entropy(outputs: &Tensor) -> Result<Tensor> {
    let log = log_softmax(outputs, D::Minus1)?;
    (log.exp()? * log)?.sum(D::Minus1)?.mean(D::Minus1)?.neg()
}

/// Binary entropy of gate probabilities in nats, mean over all of them: Loop-ViT's regulariser subtracts it, so that the
/// gate stays undecided.
pub fn gate_entropy(probabilities: &Tensor) -> Result<Tensor> {
    let half = |p: &Tensor| p * (p + GATE_FLOOR)?.log()?;
    (half(probabilities)? + half(&probabilities.affine(-1.0, 1.0)?)?)?.mean_all()?.neg()
}

/// Divergence of a halting probability from the prior's: `h ln(h/g) + (1-h) ln((1-h)/(1-g))`.
fn divergence(logits: &Tensor, prior: f64) -> Result<Tensor> {
    let h = sigmoid(logits)?;
    let (halt, go) = (log_sigmoid(logits)?, log_sigmoid(&logits.neg()?)?);
    (&h * (halt - prior.ln())?)? + (h.affine(-1.0, 1.0)? * (go - (-prior).ln_1p())?)?
}

/// `ln sigmoid(x) = min(x, 0) - ln(1 + exp(-|x|))`, finite for every x.
fn log_sigmoid(logits: &Tensor) -> Result<Tensor> {
    logits.neg()?.relu()?.neg()? - (logits.abs()?.neg()?.exp()? + 1.0)?.log()?
}

fn probability(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// The step before which exploration keeps a slot going; 0 when it does not.
fn least_steps(exploration: f64, limit: u32, rng: &mut impl Rng) -> u32 {
    if rng.random_bool(exploration) { rng.random_range(2.min(limit)..=limit) } else { 0 }
}

/// 1 for true, 0 for false, in the type of `like`.
fn mask(slots: impl Iterator<Item = bool>, like: &Tensor) -> Result<Tensor> {
    Tensor::from_iter(slots.map(|slot| f32::from(u8::from(slot))), like.device())?.to_dtype(like.dtype())
}

#[cfg(test)]
mod tests;
