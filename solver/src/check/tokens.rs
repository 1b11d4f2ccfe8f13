//! Reference numbers of URM and TRM: weights, answers, two steps of training.

use std::{
    fs,
    path::{Path, PathBuf},
};

use candle_core::{Device, Tensor};
use rand_chacha::ChaCha8Rng;

use super::{CheckError, Finding, golden::Golden, report::Findings, sets::Published};
use crate::{
    nets::{Answer, Carry, Loss, Net, Run, Step, published},
    nn::{
        Builder, Params, TokenLoss,
        optim::{self, Gradients, Optimizer, OptimizerConfig, SignSgd},
        stream,
    },
};

/// Largest absolute difference of the logits of tokens.
const LOGITS: f64 = 1e-5;

/// Largest difference of halt logits and of a carried state, in parts of their largest number.
const STATE: f64 = 1e-5;

/// Largest relative difference of a loss, which is a sum of f32 numbers over all tokens.
const LOSS: f64 = 1e-5;

/// Largest difference of a gradient, in parts of the largest number of its tensor.
const GRADIENT: f64 = 1e-4;

/// Largest absolute difference of a weight after a step.
const PARAMETER: f64 = 1e-6;

/// The table of puzzle rows, among the weights.
const TABLE: &str = "puzzle_emb.weights";

/// The rows of the table that a batch uses, among the gradients.
const ROWS: &str = "puzzle_local";

/// The files of one set of reference numbers: `{stem}_config.json` and what lies beside it.
#[derive(Debug)]
pub(super) struct Set {
    stem: PathBuf,
}

/// What the file at the end of a set's name holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    StateDict,
    Eval,
    Train,
    SoftmaxLoss,
}

impl Part {
    const ALL: [Part; 4] = [Part::StateDict, Part::Eval, Part::Train, Part::SoftmaxLoss];

    fn suffix(self) -> &'static str {
        match self {
            Part::StateDict => "_state_dict.safetensors",
            Part::Eval => "_eval.safetensors",
            Part::Train => "_train.safetensors",
            Part::SoftmaxLoss => "_softmax_loss.safetensors",
        }
    }

    /// The part and the set that a file name stands for.
    pub(super) fn of(folder: &Path, file: &str) -> Option<(Set, Part)> {
        let split = |part: Part| Some((Set { stem: folder.join(file.strip_suffix(part.suffix())?) }, part));
        Part::ALL.into_iter().find_map(split)
    }
}

/// A net with everything that names its weights.
struct Loaded {
    net: Net,
    params: Params,
}

impl Set {
    /// Compares one file of the set.
    pub(super) fn check(&self, part: Part) -> Result<Vec<Finding>, CheckError> {
        let mut findings = Findings::default();
        match part {
            Part::StateDict => self.state_dict(&mut findings)?,
            Part::Eval => self.eval(&mut findings)?,
            Part::Train => self.train(&mut findings)?,
            Part::SoftmaxLoss => self.softmax_loss(&mut findings)?,
        }
        Ok(findings.into_vec())
    }

    fn read(&self, part: Part) -> Result<Golden, CheckError> {
        Golden::read(&self.path(part.suffix()))
    }

    fn path(&self, suffix: &str) -> PathBuf {
        let mut path = self.stem.clone().into_os_string();
        path.push(suffix);
        path.into()
    }

    /// The net of the set, with the weights that `start` gives under `init.` and, for the rest, those of the set.
    fn load(&self, start: Option<&Golden>, loss: TokenLoss) -> Result<Loaded, CheckError> {
        let settings: Published = serde_json::from_slice(&fs::read(self.path("_config.json"))?)?;
        let mut stored = self.read(Part::StateDict)?.weights("");
        stored.extend(start.map(|start| start.weights("init.")).unwrap_or_default());
        let config = settings.net(&stored, loss)?;
        config.check()?;
        let puzzles = stored.get(TABLE).map_or(Ok(0), |table| table.dim(0))?;
        let mut builder = Builder::from_tensors(stored.into_iter().collect(), &Device::Cpu);
        let net = Net::build(&config, puzzles, &mut builder.root())?;
        Ok(Loaded { net, params: builder.finish()? })
    }

    /// All weights have a place, and come out as they went in.
    fn state_dict(&self, findings: &mut Findings) -> Result<(), CheckError> {
        let golden = self.read(Part::StateDict)?;
        let loaded = self.load(None, TokenLoss::Stablemax)?;
        for (name, written) in published::state_dict(&loaded.params) {
            findings.absolute("weights, read and written", &written, golden.get(&name)?, 0.0)?;
        }
        Ok(())
    }

    /// Answers of a batch over its steps.
    fn eval(&self, findings: &mut Findings) -> Result<(), CheckError> {
        let golden = self.read(Part::Eval)?;
        let Loaded { net, .. } = self.load(None, TokenLoss::Stablemax)?;
        let batch = golden.batch("batch1")?;
        let recorded = golden.numbered("step");
        let mut carry = Carry::empty(batch.rows, batch.len);
        for number in 1..=recorded.last().copied().unwrap_or_default() {
            let step = net.step(&carry, &batch, Run::Eval(net.depth()))?;
            if recorded.contains(&number) {
                let prefix = format!("step{number}");
                compare_answer(findings, &golden, &prefix, step.last()?)?;
                compare_carry(findings, &golden, &prefix, &step.carry)?;
            }
            carry = step.carry;
        }
        Ok(())
    }

    /// Consecutive steps of training, each with another batch.
    fn train(&self, findings: &mut Findings) -> Result<(), CheckError> {
        let golden = self.read(Part::Train)?;
        let loaded = self.load(Some(&golden), TokenLoss::Stablemax)?;
        let mut training = Training::new(loaded, &golden)?;
        for number in golden.numbered("t") {
            training.step(findings, &golden, number)?;
        }
        Ok(())
    }

    /// The first of those steps with the other loss.
    fn softmax_loss(&self, findings: &mut Findings) -> Result<(), CheckError> {
        let (golden, start) = (self.read(Part::SoftmaxLoss)?, self.read(Part::Train)?);
        let loaded = self.load(Some(&start), TokenLoss::CrossEntropy)?;
        let mut training = Training::new(loaded, &start)?;
        let backward = training.backward(&start, "t1")?;
        compare_loss(findings, &golden, "", &backward.loss)?;
        compare_gradients(findings, &golden, "grad.", &backward)
    }
}

/// A training run as the reference made it.
struct Training {
    loaded: Loaded,
    optimizer: Optimizer,
    lr: f64,
    table: SignSgd,
    table_lr: f64,
    carry: Option<Carry>,
    rng: ChaCha8Rng,
}

/// A step before anything is moved.
struct Backward {
    step: Step,
    loss: Loss,
    weights: Gradients,
    rows: Tensor, // [B, D]
}

impl Training {
    fn new(loaded: Loaded, golden: &Golden) -> Result<Training, CheckError> {
        let betas = golden.note_pair("betas")?;
        let rule = OptimizerConfig::AdamAtan2 { betas, weight_decay: golden.note("wd")? };
        Ok(Training {
            optimizer: Optimizer::new(rule, &loaded.params)?,
            loaded,
            lr: golden.note("lr")?,
            table: SignSgd { weight_decay: golden.note("puzzle_wd")? },
            table_lr: golden.note("puzzle_lr")?,
            carry: None,
            rng: stream(0, "no rule explores here"),
        })
    }

    fn backward(&mut self, golden: &Golden, prefix: &str) -> Result<Backward, CheckError> {
        let batch = golden.batch(&format!("{prefix}.batch"))?;
        let carry = self.carry.take().unwrap_or_else(|| Carry::empty(batch.rows, batch.len));
        let step = self.loaded.net.step(&carry, &batch, Run::Train(&mut self.rng))?;
        let loss = self.loaded.net.loss(&step)?;
        let mut store = (&loss.total / batch.rows as f64)?.backward()?;
        let weights = Gradients::take(&self.loaded.params, &mut store);
        let rows = step.rows.as_ref().and_then(|rows| store.remove(rows));
        let rows = rows.ok_or_else(|| CheckError::Missing("a gradient of the table's rows".to_owned()))?;
        Ok(Backward { step, loss, weights, rows })
    }

    fn step(&mut self, findings: &mut Findings, golden: &Golden, number: u32) -> Result<(), CheckError> {
        let prefix = format!("t{number}");
        let backward = self.backward(golden, &prefix)?;
        compare_loss(findings, golden, &format!("{prefix}."), &backward.loss)?;
        compare_gradients(findings, golden, &format!("{prefix}.grad."), &backward)?;
        let Backward { step, weights, rows, .. } = backward;
        compare_carry(findings, golden, &prefix, &step.carry)?;
        let puzzles = &step.carry.data.puzzles;
        let data = golden.batch(&format!("{prefix}.data"))?;
        findings.same("what the slots hold", data == step.carry.data);
        findings.same("ids of the table's rows", golden.ids(&format!("{prefix}.puzzle_local_ids"))? == *puzzles);
        self.optimizer.step(&self.loaded.params, &weights, optim::Step { number: number.into(), lr: self.lr })?;
        self.table.step(self.loaded.table()?, puzzles, &rows, self.table_lr)?;
        compare_weights(findings, golden, &format!("{prefix}.param."), &self.loaded.params)?;
        self.carry = Some(step.carry);
        Ok(())
    }
}

impl Loaded {
    fn table(&self) -> Result<&Tensor, CheckError> {
        let table = self.params.get(TABLE).ok_or_else(|| CheckError::Missing(TABLE.to_owned()))?;
        Ok(table.as_tensor())
    }
}

/// Logits of tokens and of halting.
fn compare_answer(findings: &mut Findings, golden: &Golden, prefix: &str, answer: &Answer) -> Result<(), CheckError> {
    findings.absolute("logits", &answer.logits, golden.get(&format!("{prefix}.logits"))?, LOGITS)?;
    findings.relative("halt logits, relative", &answer.halt, golden.get(&format!("{prefix}.q_halt"))?, STATE)?;
    findings.relative("halt logits, relative", &answer.go_on, golden.get(&format!("{prefix}.q_continue"))?, STATE)
}

/// States under whichever name the net gives them, steps and flags.
fn compare_carry(findings: &mut Findings, golden: &Golden, prefix: &str, carry: &Carry) -> Result<(), CheckError> {
    let names = ["hidden", "z_H", "z_L"].map(|name| format!("{prefix}.{name}"));
    let states: Vec<_> = names.iter().filter_map(|name| golden.find(name)).collect();
    if !states.is_empty() {
        findings.same("number of carried states", states.len() == carry.state.len());
    }
    for (found, expected) in carry.state.iter().zip(states) {
        findings.relative("carried state, relative", found, expected, STATE)?;
    }
    findings.same("steps and halted flags", golden.same_slots(prefix, &carry.slots)?);
    Ok(())
}

/// Sums over the batch, before they are divided by its size. (Ours holds half the loss of halting, as the total does.)
fn compare_loss(findings: &mut Findings, golden: &Golden, prefix: &str, loss: &Loss) -> Result<(), CheckError> {
    let twice = (&loss.halting * 2.0)?;
    let parts = [("loss_total_sum", &loss.total), ("lm_loss_sum", &loss.tokens), ("q_halt_loss_sum", &twice)];
    for (name, found) in parts {
        if let Some(expected) = golden.find(&format!("{prefix}{name}")) {
            findings.relative("losses, relative", found, expected, LOSS)?;
        }
    }
    Ok(())
}

/// Every gradient that the file has.
fn compare_gradients(
    findings: &mut Findings,
    golden: &Golden,
    prefix: &str,
    Backward { weights: gradients, rows, .. }: &Backward,
) -> Result<(), CheckError> {
    for (name, expected) in golden.weights(prefix) {
        let found = match name.as_str() {
            ROWS => Some(rows),
            name => gradients.get(name),
        };
        let found = found.ok_or_else(|| CheckError::Missing(format!("a gradient of {name}")))?;
        findings.relative("gradients, relative", found, &expected, GRADIENT)?;
    }
    Ok(())
}

/// Every weight after the step, the table among them.
fn compare_weights(findings: &mut Findings, golden: &Golden, prefix: &str, params: &Params) -> Result<(), CheckError> {
    for (name, expected) in golden.weights(prefix) {
        let found = params.get(&name).ok_or_else(|| CheckError::Missing(name.clone()))?;
        let what = if name == TABLE { "puzzle table after the step" } else { "weights after the step" };
        findings.absolute(what, found.as_tensor(), &expected, PARAMETER)?;
    }
    Ok(())
}
