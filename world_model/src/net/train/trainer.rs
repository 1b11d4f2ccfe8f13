//! The training loop, and what it does in a round.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use candle_core::{Device, Tensor};
use serde::{Deserialize, Serialize};
use solver::{
    nn::{
        Checkpoint, CheckpointError, Measured, Meta, Metrics, Params,
        optim::{Ema, Gradients, Norm, Optimizer, Step},
        stream,
    },
    train::{Begun, End, Evaluation, Event, Observer, Stepped, Summary},
};

use super::{CHECKPOINT, Config, Job, Start, TrainError, data::Titles, lesson};
use crate::net::{
    head::{Truth, loss},
    model::Model,
    story::{Window, batch},
};

/// A training under way.
pub(super) struct Trainer<'a> {
    config: Config,
    seed: u64,
    titles: Titles,
    model: Model,
    optimizer: Optimizer,
    ema: Option<Ema>,
    /// Since the last line of metrics.
    tally: Tally,
    /// Steps done.
    step: u64,
    folder: PathBuf,
    metrics: Metrics,
    observer: &'a mut dyn Observer,
    /// Steps done when this run of the program began.
    first: u64,
    begun: Instant,
    evaluation: Option<Evaluation>,
}

/// Sums over some steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Tally {
    steps: f64,
    loss: f64,
}

impl<'a> Trainer<'a> {
    /// Reads the recordings, builds the net, and takes up what a checkpoint holds.
    pub(super) fn open(job: &Job, observer: &'a mut dyn Observer) -> Result<Trainer<'a>, TrainError> {
        let checkpoint = checkpoint(job)?;
        let (config, seed) = chosen(job, checkpoint.as_ref())?;
        let mut fault = |text: String| observer.on(&Event::Fault(text));
        let titles = Titles::read(&job.data, &config.net, &config.data, &mut fault)?;
        let length = config.training.length;
        if !titles.learned.iter().any(|title| title.has(length)) {
            return Err(TrainError::NoData { folder: job.data.clone(), length });
        }
        let model = Model::fresh(config.net.clone(), seed)?;
        let first = checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.meta.step);
        let metrics = fs::create_dir_all(&job.out).and_then(|()| Metrics::open(&job.out, first));
        let mut trainer = Trainer {
            optimizer: Optimizer::new(config.training.optimizer, &model.params)?,
            ema: config.training.ema.map(|decay| Ema::new(decay, &model.params)).transpose()?,
            tally: Tally::default(),
            step: first,
            folder: job.out.clone(),
            metrics: metrics.map_err(|source| TrainError::Io { path: job.out.clone(), source })?,
            begun: Instant::now(),
            evaluation: None,
            config,
            seed,
            titles,
            model,
            observer,
            first,
        };
        checkpoint.map_or(Ok(()), |checkpoint| trainer.restore(checkpoint))?;
        trainer.observer.on(&Event::Begun(trainer.stands_on()));
        Ok(trainer)
    }

    /// The whole training.
    pub(super) fn run(mut self) -> Result<Summary, TrainError> {
        loop {
            let training = &self.config.training;
            let at =
                Step { number: self.step + 1, lr: training.lr * training.schedule.factor(self.step, training.steps) };
            let resumed = self.step == self.first && self.step > 0;
            if self.evaluation_is_due() && !resumed {
                self.evaluate()?;
            }
            if let Some(end) = self.end() {
                self.save()?;
                return Ok(self.summary(end));
            }
            if self.step.is_multiple_of(self.config.training.save_every) && !resumed {
                self.save()?;
            }
            let norm = self.learn(at)?;
            self.step += 1;
            self.log(norm, at)?;
        }
    }

    fn evaluation_is_due(&self) -> bool {
        self.step.is_multiple_of(self.config.evaluation.every) || self.step == self.config.training.steps
    }

    fn end(&self) -> Option<End> {
        let training = &self.config.training;
        let out_of_time = || training.minutes.is_some_and(|most| self.begun.elapsed().as_secs() >= 60 * most);
        match () {
            () if self.step >= training.steps => Some(End::Done),
            () if self.observer.stops() => Some(End::Interrupted),
            () if out_of_time() => Some(End::OutOfTime),
            () => None,
        }
    }

    /// One step of the optimiser; the norm of its gradient.
    fn learn(&mut self, at: Step) -> Result<f64, TrainError> {
        let windows = self.windows(at)?;
        let truths: Vec<Truth<'_>> = windows.iter().flat_map(Window::truths).collect();
        let loss = loss(&self.model.scan(&batch(&windows, &self.config.net)?)?, &truths)?;
        self.tally.steps += 1.0;
        self.tally.loss += f64::from(loss.to_scalar::<f32>()?);
        if !self.tally.loss.is_finite() {
            return Err(not_finite(at, "the loss".to_owned()));
        }
        let mut gradients = Gradients::take(&self.model.params, &mut loss.backward()?);
        let norm = match gradients.norm()? {
            Norm::Finite(norm) => norm,
            Norm::NotFinite { tensor } => return Err(not_finite(at, format!("the gradient of {tensor}"))),
        };
        if let Some(limit) = self.config.training.clip {
            gradients.clip(norm, limit)?;
        }
        self.optimizer.step(&self.model.params, &gradients, at)?;
        self.ema.as_mut().map_or(Ok(()), |ema| ema.update(&self.model.params))?;
        Ok(norm)
    }

    /// What a step learns from: real frames in the first half of a training, then some that the net foretold itself.
    fn windows(&self, at: Step) -> Result<Vec<Window>, TrainError> {
        let mut rng = stream(self.seed, &format!("step {}", at.number));
        let mut windows = lesson::draw(&self.titles, &self.config, &mut rng);
        let training = &self.config.training;
        if training.imagined > 0 && 2 * at.number > training.steps {
            lesson::imagine(&self.model, &mut windows, training.imagined, &mut rng)?;
        }
        Ok(windows)
    }

    fn log(&mut self, norm: f64, at: Step) -> Result<(), TrainError> {
        let run = (self.step - self.first, self.begun.elapsed());
        let loss = self.tally.loss / self.tally.steps;
        let exact = self.evaluation.as_ref().map_or(0.0, |evaluation| evaluation.exact);
        self.observer.on(&Event::Stepped(Stepped { step: self.step, loss, exact, run }));
        if self.step.is_multiple_of(self.config.training.log_every) {
            self.tally = Tally::default();
            self.measured([("train/loss", loss), ("train/lr", at.lr), ("train/gradient", norm)])?;
        }
        Ok(())
    }

    /// Judges the averaged weights, if there are such.
    fn evaluate(&mut self) -> Result<(), TrainError> {
        self.swap()?;
        let evaluation = lesson::evaluate(&self.model, &self.titles, &self.config, self.step);
        self.swap()?;
        let evaluation = evaluation?;
        self.measured([("held_out/exact", evaluation.exact), ("held_out/cells", evaluation.tokens)])?;
        self.observer.on(&Event::Evaluated(evaluation.clone()));
        self.evaluation = Some(evaluation);
        Ok(())
    }

    fn swap(&mut self) -> Result<(), TrainError> {
        Ok(self.ema.as_mut().map_or(Ok(()), |ema| ema.swap(&self.model.params))?)
    }

    fn measured<const N: usize>(&mut self, values: [(&str, f64); N]) -> Result<(), TrainError> {
        let values: BTreeMap<String, f64> = values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let written = self.metrics.write(&Measured { step: self.step, values });
        written.map_err(|source| TrainError::Io { path: self.folder.clone(), source })
    }

    fn save(&mut self) -> Result<(), TrainError> {
        let path = self.folder.join(CHECKPOINT);
        let mut checkpoint = Checkpoint::new(Meta::new(self.step, self.seed, toml::to_string(&self.config)?));
        let owned = |(name, tensor): (String, &Tensor)| (name, tensor.clone());
        checkpoint.put("weights", weights(&self.model.params).map(owned));
        checkpoint.put("optimizer", self.optimizer.state().map(owned));
        checkpoint.put("ema", self.ema.iter().flat_map(Ema::state).map(owned));
        let tally = Tensor::new(serde_json::to_vec(&self.tally)?, &Device::Cpu)?;
        checkpoint.put("train", [("tally".to_owned(), tally)]);
        checkpoint.write(&path)?;
        self.observer.on(&Event::Saved(path));
        Ok(())
    }

    /// Takes everything up again.
    fn restore(&mut self, mut checkpoint: Checkpoint) -> Result<(), TrainError> {
        checkpoint.restore("weights", weights(&self.model.params))?;
        checkpoint.restore("optimizer", self.optimizer.state())?;
        checkpoint.restore("ema", self.ema.iter().flat_map(Ema::state))?;
        let tally = checkpoint.take("train").remove("tally");
        let tally = tally.ok_or_else(|| CheckpointError::Missing("train.tally".to_owned()))?;
        self.tally = serde_json::from_slice(&tally.to_vec1::<u8>()?)?;
        Ok(checkpoint.finish()?)
    }

    fn stands_on(&self) -> Begun {
        Begun {
            step: self.step,
            steps: self.config.training.steps,
            parameters: self.model.params.count(),
            rows: 0,
            tasks: self.titles.learned.len(),
            pairs: self.titles.learned.iter().map(super::data::Title::steps).sum(),
            held_out: self.titles.held_out.iter().map(super::data::Title::steps).sum(),
        }
    }

    fn summary(self, end: End) -> Summary {
        let made = self.step - self.first;
        Summary {
            end,
            step: self.step,
            parameters: self.model.params.count(),
            steps_per_second: made as f64 / self.begun.elapsed().as_secs_f64().max(1e-3),
            evaluation: self.evaluation,
            checkpoint: self.folder.join(CHECKPOINT),
        }
    }
}

/// What lies in the folder, if the job is to go on with that.
fn checkpoint(job: &Job) -> Result<Option<Checkpoint>, TrainError> {
    let (path, folder): (PathBuf, &Path) = (job.out.join(CHECKPOINT), &job.out);
    match (&job.start, path.exists()) {
        (Start::Fresh { .. }, true) => Err(TrainError::Occupied { folder: folder.to_owned() }),
        (Start::Resume, false) => Err(TrainError::Nothing { folder: folder.to_owned() }),
        (Start::Resume, true) => Ok(Some(Checkpoint::read(&path, &Device::Cpu)?)),
        (Start::Fresh { .. }, false) => Ok(None),
    }
}

/// The configuration and the seed: the job's, or those that the checkpoint was made with.
fn chosen(job: &Job, checkpoint: Option<&Checkpoint>) -> Result<(Config, u64), TrainError> {
    let (mut config, seed) = match (&job.start, checkpoint) {
        (_, Some(checkpoint)) => (Config::parse(&checkpoint.meta.config)?, checkpoint.meta.seed),
        (Start::Fresh { config, seed }, None) => ((**config).clone(), *seed),
        (Start::Resume, None) => return Err(TrainError::Nothing { folder: job.out.clone() }),
    };
    config.training.steps = job.steps.unwrap_or(config.training.steps);
    config.check()?;
    Ok((config, seed))
}

fn weights(params: &Params) -> impl Iterator<Item = (String, &Tensor)> {
    params.iter().map(|(name, _, var)| (name.to_owned(), var.as_tensor()))
}

fn not_finite(at: Step, what: String) -> TrainError {
    TrainError::NotFinite { step: at.number, what }
}
