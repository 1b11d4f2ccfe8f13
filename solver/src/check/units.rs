//! Reference numbers of single formulas.

use std::path::Path;

use candle_core::{DType, Device, Tensor, Var};

use super::{CheckError, Finding, golden::Golden, report::Findings};
use crate::{
    data::IGNORED,
    nn::{
        Builder, Conv, Init, Layout, Params, Rope, Swiglu, Targets, TokenLoss,
        optim::{Gradients, Optimizer, OptimizerConfig, SignSgd, Step, msign},
        rms,
    },
};

/// Largest difference of what is computed in f32 with numbers of size 1.
const SINGLE: f64 = 1e-5;

/// Largest difference of what is computed in f64 from f32.
const DOUBLE: f64 = 1e-9;

/// Largest difference of a weight after a step.
const WEIGHT: f64 = 1e-6;

/// Decay that all rules of the file were computed with.
const DECAY: f64 = 0.1;

/// Compares all formulas in the file.
pub(super) fn check(path: &Path) -> Result<Vec<Finding>, CheckError> {
    let golden = Golden::read(path)?;
    let mut findings = Findings::default();
    for group in golden.groups() {
        formula(&group)?(&golden, &mut findings)?;
    }
    Ok(findings.into_vec())
}

/// Compares one formula.
type Formula = fn(&Golden, &mut Findings) -> Result<(), CheckError>;

/// What the names of a group of numbers begin with, and the formula they are of.
fn formula(group: &str) -> Result<Formula, CheckError> {
    Ok(match group {
        "stablemax" => stablemax,
        "rms" => norm,
        "rope" => rope,
        "convswiglu" => conv_swiglu,
        "adam_atan2" => adam_atan2,
        "signsgd" => sign_sgd,
        "muon" => muon,
        // Another package of the same name, whose numbers stand there because they differ.
        "adam_atan2_pytorch_pkg" => |_, _| Ok(()),
        _ => return Err(CheckError::Unsupported(format!("numbers called {group}"))),
    })
}

/// Value, logarithms of the probabilities and gradient of the loss, for single tokens.
fn stablemax(golden: &Golden, findings: &mut Findings) -> Result<(), CheckError> {
    let logits = Var::from_tensor(golden.get("stablemax.logits")?)?;
    let chances = TokenLoss::Stablemax.log_probabilities(&logits)?;
    findings.absolute("stablemax, logarithms", &chances, golden.get("stablemax.logprobs_f64")?, DOUBLE)?;
    // Each token a sequence of its own: the loss of a sequence is then that of its token.
    let labels = golden.labels("stablemax.labels")?;
    let targets = Targets::new(&labels, labels.len(), IGNORED, &Device::Cpu)?;
    let losses = TokenLoss::Stablemax.sequences(&logits.as_tensor().unsqueeze(1)?, &targets)?;
    findings.absolute("stablemax, losses", &losses, golden.get("stablemax.loss_f64")?, DOUBLE)?;
    let gradient = losses.sum_all()?.backward()?.remove(&logits);
    let gradient = gradient.ok_or_else(|| CheckError::Missing("a gradient of stablemax".to_owned()))?;
    findings.absolute("stablemax, gradient", &gradient, golden.get("stablemax.grad")?, SINGLE)
}

fn norm(golden: &Golden, findings: &mut Findings) -> Result<(), CheckError> {
    findings.absolute("norm", &rms(golden.get("rms.x")?)?, golden.get("rms.y_eps1e-5")?, SINGLE)
}

/// The tables, which the file holds twice over (a column for each channel), and turned queries `[B, S, H, d]`.
fn rope(golden: &Golden, findings: &mut Findings) -> Result<(), CheckError> {
    let (queries, tables) = (golden.get("rope.q")?, golden.get("rope.cos")?);
    let (len, head) = tables.dims2()?;
    let rope = Rope::flat(len, head, 10_000.0, &Device::Cpu)?;
    let twice = |table: &Tensor| Tensor::cat(&[table, table], 1);
    findings.absolute("rotary tables", &twice(&rope.cos)?, tables, SINGLE)?;
    findings.absolute("rotary tables", &twice(&rope.sin)?, golden.get("rope.sin")?, SINGLE)?;
    let turned = rope.turn(&queries.transpose(1, 2)?)?.transpose(1, 2)?;
    findings.absolute("rotary positions", &turned, golden.get("rope.q_out")?, SINGLE)
}

fn conv_swiglu(golden: &Golden, findings: &mut Findings) -> Result<(), CheckError> {
    let weight = |(name, tensor): (&str, &Tensor)| (name.to_owned(), tensor.clone());
    let weights = golden.under("convswiglu.").into_iter().map(weight);
    let weights = weights.filter(|(name, _)| name != "x" && name != "y").collect();
    let (hidden, width) = golden.get("convswiglu.down_proj.weight")?.dims2()?;
    let mlp = Swiglu::new(hidden, width, Conv::Pair, &mut Builder::from_tensors(weights, &Device::Cpu).root())?;
    let x = golden.get("convswiglu.x")?;
    let layout = Layout { prefix: x.dim(1)?, height: 0, width: 0, rope: None };
    findings.absolute("ConvSwiGLU", &mlp.forward(x, &layout)?, golden.get("convswiglu.y")?, SINGLE)
}

/// One tensor of that name with that value.
fn params(name: &str, value: &Tensor) -> Result<Params, CheckError> {
    let value = value.to_dtype(DType::F32)?;
    let mut builder = Builder::from_tensors([(name.to_owned(), value.clone())].into(), &Device::Cpu);
    builder.root().trained(name, value.shape(), Init::ZERO)?;
    Ok(builder.finish()?)
}

/// Steps of a rule on `{start}0`, with gradients `{gradient}1`, …, compared with `{start}1`, ….
fn steps(
    golden: &Golden,
    findings: &mut Findings,
    (start, gradient): (&str, &str),
    (what, rule, lr): (&'static str, OptimizerConfig, f64),
) -> Result<(), CheckError> {
    let params = params("w", golden.get(&format!("{start}0"))?)?;
    let mut optimizer = Optimizer::new(rule, &params)?;
    for number in 1.. {
        let Some(gradient) = golden.find(&format!("{gradient}{number}")) else { break };
        let gradients: Gradients = [("w".to_owned(), gradient.to_dtype(DType::F32)?)].into_iter().collect();
        optimizer.step(&params, &gradients, Step { number, lr })?;
        let (_, found) = params.trained().next().ok_or_else(|| CheckError::Missing(start.to_owned()))?;
        findings.absolute(what, found, golden.get(&format!("{start}{number}"))?, WEIGHT)?;
    }
    Ok(())
}

fn adam_atan2(golden: &Golden, findings: &mut Findings) -> Result<(), CheckError> {
    let rule = OptimizerConfig::AdamAtan2 { betas: (0.9, 0.95), weight_decay: DECAY };
    steps(golden, findings, ("adam_atan2.p", "adam_atan2.g"), ("AdamAtan2", rule, 1e-2))
}

fn muon(golden: &Golden, findings: &mut Findings) -> Result<(), CheckError> {
    let rule =
        OptimizerConfig::Muon { betas: (0.9, 0.95), weight_decay: DECAY, eps: 1e-8, layers_only: false, apart: false };
    steps(golden, findings, ("muon.A", "muon.gA"), ("Muon, matrix", rule, 1e-4))?;
    steps(golden, findings, ("muon.b", "muon.gb"), ("Muon, vector", rule, 1e-4))?;
    let found = msign(golden.get("muon.msign_in")?)?;
    findings.absolute("matrix sign", &found, golden.get("muon.msign_out_5steps")?, SINGLE)
}

fn sign_sgd(golden: &Golden, findings: &mut Findings) -> Result<(), CheckError> {
    let table = golden.get("signsgd.w0")?.copy()?;
    let rule = SignSgd { weight_decay: DECAY };
    rule.step(&table, &golden.ids("signsgd.ids")?, golden.get("signsgd.grad")?, 1e-2)?;
    findings.absolute("sign-SGD", &table, golden.get("signsgd.w1")?, WEIGHT)
}
