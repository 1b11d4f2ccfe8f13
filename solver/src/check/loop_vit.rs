//! Reference numbers of a Loop-ViT: logits, gates and entropies of each loop, more loops, the loss and its gradients, and
//! what the gate lets out early.

use std::path::Path;

use candle_core::{Device, Result as TensorResult, Tensor};
use candle_nn::ops::sigmoid;
use serde::Deserialize;

use super::{CheckError, Finding, golden::Golden, report::Findings};
use crate::{
    data::{
        IGNORED,
        image::{BACKGROUND, BORDER, VALUES},
    },
    nets::{
        LoopConfig, LossAt, NetConfig, Positions, Rows, Table, TokenConfig,
        loop_vit::{LoopVit, LoopVitConfig, Pass, Plan, Question},
        published,
    },
    nn::{
        Builder, Conv, Mixer, Mode, Params, StackConfig,
        halting::{Halting, mean_entropy},
        stream,
    },
};

/// Largest absolute difference of logits, probabilities, entropies and losses.
const VALUE: f64 = 1e-5;

/// Largest difference of a gradient, in parts of the largest number of its tensor.
const GRADIENT: f64 = 1e-4;

/// Slowest wave of the rotary positions; only their tables are stored.
const THETA: f64 = 10_000.0;

/// The settings of the published code. Which of the two layers it is, only the names of the weights tell.
#[derive(Debug, Deserialize)]
struct Published {
    num_tasks: usize,
    image_size: usize,
    num_colors: usize,
    embed_dim: usize,
    loop_core_depth: usize,
    max_loop_steps: u32,
    min_loop_steps: u32,
    num_heads: usize,
    mlp_dim: usize,
    num_task_tokens: usize,
    patch_size: usize,
}

impl Published {
    fn config(&self, conv: Conv) -> LoopVitConfig {
        LoopVitConfig {
            tokens: TokenConfig {
                canvas: self.image_size,
                hidden: self.embed_dim,
                prefix: self.num_task_tokens,
                positions: Positions::Grid,
                theta: THETA,
                rows: Rows::Task,
                row_std: 0.0,
                spread: false,
                places: false,
                table: Table::Sparse,
            },
            stack: StackConfig {
                layers: self.loop_core_depth,
                heads: self.num_heads,
                ffn: self.mlp_dim,
                mixer: Mixer::Attention,
                conv,
            },
            loops: LoopConfig { free: 0, grad: self.max_loop_steps as usize, loss_at: LossAt::Last },
            halting: Halting::Fixed,
            patch: self.patch_size,
            dropout: 0.0,
            gate_entropy: 0.0,
            step_penalty: 0.0,
        }
    }
}

/// Compares everything in the file of a net whose configuration lies in another.
pub(super) fn check(file: &Path, config: &Path) -> Result<Vec<Finding>, CheckError> {
    let published: Published = serde_json::from_slice(&super::read(config)?)?;
    let loaded = Loaded::new(Golden::read(file)?, published)?;
    let mut findings = Findings::default();
    loaded.weights(&mut findings)?;
    loaded.each_loop(&mut findings)?;
    loaded.more_loops(&mut findings)?;
    loaded.gate(&mut findings)?;
    Ok(findings.into_vec())
}

/// A net with its reference numbers and their batch, which is on the host.
struct Loaded {
    golden: Golden,
    published: Published,
    net: LoopVit,
    params: Params,
    pixels: Vec<u8>,
    inside: Vec<u8>,
    tasks: Vec<u32>,
    labels: Vec<u8>,
}

impl Loaded {
    fn new(golden: Golden, published: Published) -> Result<Loaded, CheckError> {
        let weights = golden.under("param.");
        let plain = weights.iter().any(|(name, _)| name.contains("linear1"));
        let config = published.config(if plain { Conv::None } else { Conv::Grid });
        NetConfig::LoopVit(config.clone()).check()?;
        if published.num_colors != VALUES {
            return Err(CheckError::Unsupported(format!("num_colors = {}", published.num_colors)));
        }
        let weights = weights.into_iter().map(|(name, tensor)| (name.to_owned(), tensor.clone())).collect();
        let mut builder = Builder::from_tensors(weights, &Device::Cpu);
        let net = LoopVit::new(&config, published.num_tasks, &mut builder.root())?;
        let pixels = |name| -> Result<Vec<u8>, CheckError> { golden.integers(name)?.into_iter().map(pixel).collect() };
        let label = |pixel| if pixel == BACKGROUND { IGNORED } else { pixel };
        let (inside, labels) = (pixels("attention_mask")?, pixels("targets")?.into_iter().map(label).collect());
        let tasks = golden.integers("task_ids")?.into_iter().map(|task| task as u32).collect();
        Ok(Loaded {
            net,
            params: builder.finish()?,
            pixels: pixels("inputs")?,
            inside,
            tasks,
            labels,
            published,
            golden,
        })
    }

    fn pass(&self, loops: u32, halting: Halting) -> TensorResult<Pass> {
        let question = Question { pixels: &self.pixels, inside: &self.inside, tasks: &self.tasks };
        let plan = Plan { mode: Mode::Train, loops, halting, every: true };
        self.net.forward(&question, plan, &mut stream(0, "nothing is drawn"))
    }

    /// All weights have a place, and come out as they went in.
    fn weights(&self, findings: &mut Findings) -> Result<(), CheckError> {
        let mut written = published::state_dict(&self.params);
        for (name, expected) in self.golden.under("param.") {
            let found = written.remove(name).ok_or_else(|| CheckError::Missing(format!("weight {name}")))?;
            findings.absolute("weights, read and written", &found, expected, 0.0)?;
        }
        findings.same("no other weights", written.is_empty());
        Ok(())
    }

    /// The loops that the net is trained with, the loss of the last one, and its gradients.
    fn each_loop(&self, findings: &mut Findings) -> Result<(), CheckError> {
        let pass = self.pass(self.published.max_loop_steps, Halting::Fixed)?;
        for (index, logits) in logits(&pass).enumerate() {
            let expected = self.golden.get(&format!("logits_step{}", index + 1))?;
            findings.absolute("logits of each loop", &self.image(logits)?, expected, VALUE)?;
        }
        findings.absolute("logits", &self.image(&pass.answer()?)?, self.golden.get("logits")?, VALUE)?;
        findings.absolute("gate probabilities", &gates(&pass)?, self.golden.get("gate_probs")?, VALUE)?;
        let loss = pass.loss(&self.labels, self.net.config())?.total()?;
        findings.absolute("loss", &loss, self.golden.get("ce")?, VALUE)?;
        let mut gradients = loss.backward()?;
        for (name, expected) in self.golden.under("grad.") {
            let missing = || CheckError::Missing(format!("the gradient of {name}"));
            let found = self.params.get(name).and_then(|weight| gradients.remove(weight)).ok_or_else(missing)?;
            findings.relative("gradients", &found, expected, GRADIENT)?;
        }
        Ok(())
    }

    /// More loops than the net is trained with, and how sure it is after each.
    fn more_loops(&self, findings: &mut Findings) -> Result<(), CheckError> {
        for loops in self.golden.numbered("logits_override") {
            let pass = self.pass(loops, Halting::Fixed)?;
            let expected = self.golden.get(&format!("logits_override{loops}"))?;
            findings.absolute("logits with more loops", &self.image(&pass.answer()?)?, expected, VALUE)?;
            let entropies = logits(&pass).map(mean_entropy).collect::<TensorResult<Vec<_>>>()?;
            let expected = self.golden.get(&format!("mean_entropy_steps_override{loops}"))?;
            findings.absolute("mean entropies with more loops", &Tensor::stack(&entropies, 0)?, expected, VALUE)?;
        }
        Ok(())
    }

    /// Where there are such numbers: when a gate with this threshold lets each image out, and with what.
    fn gate(&self, findings: &mut Findings) -> Result<(), CheckError> {
        if self.golden.find("exit_threshold").is_none() {
            return Ok(());
        }
        let threshold = self.golden.get("exit_threshold")?.to_scalar()?;
        let halting = Halting::Gate { threshold, min_steps: self.published.min_loop_steps };
        let pass = self.pass(self.published.max_loop_steps, halting)?;
        let last = pass.loops.last().ok_or_else(|| CheckError::Missing("a loop".to_owned()))?;
        let steps: Vec<i64> = last.slots.iter().map(|slot| slot.steps.into()).collect();
        findings.same("loops up to the gate", steps == self.golden.integers("exit_steps")?);
        findings.absolute(
            "logits at the gate",
            &self.image(&pass.answer()?)?,
            self.golden.get("logits_exit")?,
            VALUE,
        )?;
        let expected = self.golden.get("gate_probs_exit")?;
        findings.absolute("probabilities of a gate in use", &gates(&pass)?, expected, VALUE)?;
        Ok(())
    }

    /// `[B, L, V]` as the published code has it, `[B, V, side, side]`.
    fn image(&self, logits: &Tensor) -> TensorResult<Tensor> {
        let side = self.published.image_size;
        logits.transpose(1, 2)?.reshape(((), VALUES, side, side))
    }
}

fn pixel(value: i64) -> Result<u8, CheckError> {
    let pixel = u8::try_from(value).ok().filter(|pixel| *pixel <= BORDER);
    pixel.ok_or_else(|| CheckError::Unsupported(format!("a pixel of value {value}")))
}

fn logits(pass: &Pass) -> impl Iterator<Item = &Tensor> {
    pass.loops.iter().filter_map(|step| step.logits.as_ref())
}

/// `[loops, B]`.
fn gates(pass: &Pass) -> TensorResult<Tensor> {
    let gates: Vec<Tensor> = pass.loops.iter().map(|step| step.gate.clone()).collect();
    sigmoid(&Tensor::stack(&gates, 0)?)
}
