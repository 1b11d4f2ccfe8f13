//! Reference numbers of URM and TRM: weights, answers, two steps of training.

use std::path::{Path, PathBuf};

use candle_core::{Device, Tensor};
use rand_chacha::ChaCha8Rng;

use super::{CheckError, Finding, golden::Golden, report::Findings, sets::Published};
use crate::{
    data::Batch,
    nets::{Answer, Carry, Loss, Net, Run, Step, published},
    nn::{
        Builder, Init, Params, TokenLoss,
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

/// A comparison under way.
struct Comparison {
    golden: Golden,
    /// Whether every weight is moved in its last bit.
    nudged: bool,
    findings: Findings,
    /// What was found, by the names in the file.
    found: Vec<(String, Tensor)>,
}

/// A net with everything that names its weights.
struct Loaded {
    net: Net,
    params: Params,
}

impl Set {
    /// Compares one file of the set. Where something is farther off than allowed, the net is compared with itself too,
    /// to see what rounding does to it.
    pub(super) fn check(&self, part: Part) -> Result<Vec<Finding>, CheckError> {
        let mut plain = self.compare(part, self.read(part)?, false)?;
        if !plain.findings.is_strict() {
            let nudged = self.compare(part, plain.golden.replaced(plain.found), true)?;
            plain.findings.explain(&nudged.findings);
        }
        Ok(plain.findings.into_vec())
    }

    fn compare(&self, part: Part, golden: Golden, nudged: bool) -> Result<Comparison, CheckError> {
        let mut comparison = Comparison { golden, nudged, findings: Findings::default(), found: Vec::new() };
        match part {
            Part::StateDict => self.state_dict(&mut comparison)?,
            Part::Eval => self.eval(&mut comparison)?,
            Part::Train => self.train(&mut comparison)?,
            Part::SoftmaxLoss => self.softmax_loss(&mut comparison)?,
        }
        Ok(comparison)
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
    fn load(&self, start: Option<&Golden>, loss: TokenLoss, nudged: bool) -> Result<Loaded, CheckError> {
        let settings: Published = serde_json::from_slice(&super::read(&self.path("_config.json"))?)?;
        let mut stored = self.read(Part::StateDict)?.weights("");
        stored.extend(start.map(|start| start.weights("init.")).unwrap_or_default());
        let config = settings.net(&stored, loss)?;
        config.check()?;
        let puzzles = stored.get(TABLE).map_or(Ok(0), |table| table.dim(0))?;
        let mut builder = Builder::from_tensors(stored.into_iter().collect(), &Device::Cpu);
        let loaded = Loaded { net: Net::build(&config, puzzles, &mut builder.root())?, params: builder.finish()? };
        if nudged {
            loaded.nudge()?;
        }
        Ok(loaded)
    }

    /// All weights have a place, and come out as they went in.
    fn state_dict(&self, comparison: &mut Comparison) -> Result<(), CheckError> {
        let loaded = self.load(None, TokenLoss::Stablemax, comparison.nudged)?;
        for (name, written) in published::state_dict(&loaded.params) {
            comparison.absolute("weights, read and written", &written, &name, 0.0)?;
        }
        Ok(())
    }

    /// Answers of a batch over its steps.
    fn eval(&self, comparison: &mut Comparison) -> Result<(), CheckError> {
        let Loaded { net, .. } = self.load(None, TokenLoss::Stablemax, comparison.nudged)?;
        let batch = comparison.golden.batch("batch1")?;
        let recorded = comparison.golden.numbered("step");
        let mut carry = Carry::empty(batch.rows, batch.len);
        for number in 1..=recorded.last().copied().unwrap_or_default() {
            let step = net.step(&carry, &batch, Run::Eval(net.depth()))?;
            if recorded.contains(&number) {
                let prefix = format!("step{number}");
                comparison.answer(&prefix, step.last()?)?;
                comparison.carry(&prefix, &step.carry)?;
            }
            carry = step.carry;
        }
        Ok(())
    }

    /// Consecutive steps of training, each with another batch.
    fn train(&self, comparison: &mut Comparison) -> Result<(), CheckError> {
        let loaded = self.load(Some(&comparison.golden), TokenLoss::Stablemax, comparison.nudged)?;
        let mut training = Training::new(loaded, &comparison.golden)?;
        for number in comparison.golden.numbered("t") {
            training.step(comparison, number)?;
        }
        Ok(())
    }

    /// The first of those steps with the other loss.
    fn softmax_loss(&self, comparison: &mut Comparison) -> Result<(), CheckError> {
        let start = self.read(Part::Train)?;
        let loaded = self.load(Some(&start), TokenLoss::CrossEntropy, comparison.nudged)?;
        let backward = Training::new(loaded, &start)?.backward(&start, "t1")?;
        comparison.loss("", &backward.loss)?;
        comparison.gradients("grad.", &backward)
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

    fn step(&mut self, comparison: &mut Comparison, number: u32) -> Result<(), CheckError> {
        let prefix = format!("t{number}");
        let backward = self.backward(&comparison.golden, &prefix)?;
        comparison.loss(&format!("{prefix}."), &backward.loss)?;
        comparison.gradients(&format!("{prefix}.grad."), &backward)?;
        let Backward { step: Step { carry, .. }, weights, rows, .. } = backward;
        comparison.carry(&prefix, &carry)?;
        comparison.data(&prefix, &carry.data)?;
        self.optimizer.step(&self.loaded.params, &weights, optim::Step { number: number.into(), lr: self.lr })?;
        self.table.step(self.loaded.table()?, &carry.data.puzzles, &rows, self.table_lr)?;
        comparison.weights(&format!("{prefix}.param."), &self.loaded.params)?;
        self.carry = Some(carry);
        Ok(())
    }
}

impl Loaded {
    fn table(&self) -> Result<&Tensor, CheckError> {
        let table = self.params.get(TABLE).ok_or_else(|| CheckError::Missing(TABLE.to_owned()))?;
        Ok(table.as_tensor())
    }

    /// Moves every weight in its last bit, up or down.
    fn nudge(&self) -> Result<(), CheckError> {
        for (name, _, weight) in self.params.iter() {
            let last_bit = Init::Uniform { bound: f64::from(f32::EPSILON) };
            let factor = (last_bit.draw(0, name, weight.shape(), &Device::Cpu)? + 1.0)?;
            weight.set(&(weight.as_tensor() * factor)?)?;
        }
        Ok(())
    }
}

impl Comparison {
    /// Compares with the tensor of that name.
    fn absolute(&mut self, what: &'static str, found: &Tensor, name: &str, allowed: f64) -> Result<(), CheckError> {
        self.findings.absolute(what, found, self.golden.get(name)?, allowed)?;
        self.found.push((name.to_owned(), found.detach()));
        Ok(())
    }

    /// The same in parts of the tensor's largest number.
    fn relative(&mut self, what: &'static str, found: &Tensor, name: &str, allowed: f64) -> Result<(), CheckError> {
        self.findings.relative(what, found, self.golden.get(name)?, allowed)?;
        self.found.push((name.to_owned(), found.detach()));
        Ok(())
    }

    /// Logits of tokens and of halting.
    fn answer(&mut self, prefix: &str, answer: &Answer) -> Result<(), CheckError> {
        self.absolute("logits", &answer.logits, &format!("{prefix}.logits"), LOGITS)?;
        self.relative("halt logits, relative", &answer.halt, &format!("{prefix}.q_halt"), STATE)?;
        self.relative("halt logits, relative", &answer.go_on, &format!("{prefix}.q_continue"), STATE)
    }

    /// States under whichever name the net gives them, steps and flags.
    fn carry(&mut self, prefix: &str, carry: &Carry) -> Result<(), CheckError> {
        let names = ["hidden", "z_H", "z_L"].map(|name| format!("{prefix}.{name}"));
        let names: Vec<_> = names.iter().filter(|name| self.golden.find(name).is_some()).collect();
        if !names.is_empty() {
            self.findings.same("number of carried states", names.len() == carry.state.len());
        }
        for (found, name) in carry.state.iter().zip(names) {
            self.relative("carried state, relative", found, name, STATE)?;
        }
        self.findings.same("steps and halted flags", self.golden.same_slots(prefix, &carry.slots)?);
        Ok(())
    }

    /// What the slots really hold.
    fn data(&mut self, prefix: &str, held: &Batch) -> Result<(), CheckError> {
        let (data, ids) = (format!("{prefix}.data"), format!("{prefix}.puzzle_local_ids"));
        self.findings.same("what the slots hold", self.golden.batch(&data)? == *held);
        self.findings.same("ids of the table's rows", self.golden.ids(&ids)? == held.puzzles);
        Ok(())
    }

    /// Sums over the batch, before they are divided by its size. (Ours holds half the loss of halting, as the total does.)
    fn loss(&mut self, prefix: &str, loss: &Loss) -> Result<(), CheckError> {
        let twice = (&loss.halting * 2.0)?;
        let parts = [("loss_total_sum", &loss.total), ("lm_loss_sum", &loss.tokens), ("q_halt_loss_sum", &twice)];
        for (name, found) in parts.map(|(name, found)| (format!("{prefix}{name}"), found)) {
            if self.golden.find(&name).is_some() {
                self.relative("losses, relative", found, &name, LOSS)?;
            }
        }
        Ok(())
    }

    /// Every gradient that the file has.
    fn gradients(&mut self, prefix: &str, backward: &Backward) -> Result<(), CheckError> {
        for name in self.golden.names(prefix) {
            let found = match published::plain(&name[prefix.len()..]) {
                ROWS => Some(&backward.rows),
                weight => backward.weights.get(weight),
            };
            let found = found.ok_or_else(|| CheckError::Missing(format!("a gradient {name}")))?;
            self.relative("gradients, relative", found, &name, GRADIENT)?;
        }
        Ok(())
    }

    /// Every weight after the step, the table among them.
    fn weights(&mut self, prefix: &str, params: &Params) -> Result<(), CheckError> {
        for name in self.golden.names(prefix) {
            let weight = published::plain(&name[prefix.len()..]);
            let found = params.get(weight).ok_or_else(|| CheckError::Missing(weight.to_owned()))?;
            let what = if weight == TABLE { "puzzle table after the step" } else { "weights after the step" };
            self.absolute(what, found.as_tensor(), &name, PARAMETER)?;
        }
        Ok(())
    }
}
