//! The training loop, and what it does in a round.

use std::{collections::BTreeMap, time::Instant};

use candle_core::{DType, Device, Tensor};

use super::{
    End, Evaluation, Event, Observer, Stepped, Summary, TrainError,
    evaluate::evaluate,
    lanes::{Lanes, Part, Rows, Work},
    setup::{Place, Setup},
    state::Tally,
};
use crate::{
    data::Sampler,
    nets::{Carry, Net},
    nn::{
        Builder, Checkpoint, Measured, Metrics, Params,
        optim::{Ema, Gradients, Norm, Optimizer, SignSgd, Step},
    },
};

/// A training under way.
pub(super) struct Trainer<'a> {
    pub(super) setup: &'a Setup,
    pub(super) net: Net,
    pub(super) params: Params,
    pub(super) optimizer: Optimizer,
    pub(super) ema: Option<Ema>,
    pub(super) sampler: Sampler<'a>,
    /// One for each part of the batches that make a step.
    pub(super) carries: Vec<Carry>,
    /// Since the last line of metrics.
    pub(super) tally: Tally,
    /// Steps done.
    pub(super) step: u64,
    lanes: Lanes,
    place: &'a Place,
    metrics: Metrics,
    observer: &'a mut dyn Observer,
    run: ThisRun,
}

/// What belongs to this run of the program, not to the training.
struct ThisRun {
    first: u64,
    begun: Instant,
    evaluation: Option<Evaluation>,
}

/// What a step learned from its batches.
struct Learned {
    gradients: Gradients,
    /// Of each part.
    rows: Vec<Rows>,
    norm: f64,
}

impl<'a> Trainer<'a> {
    /// Builds the net, and takes up what the checkpoint holds.
    pub(super) fn new(
        setup: &'a Setup,
        (place, checkpoint): (&'a Place, Option<Checkpoint>),
        device: &Device,
        observer: &'a mut dyn Observer,
    ) -> Result<Trainer<'a>, TrainError> {
        let (net, params) = build(setup, device, setup.puzzles.rows())?;
        let training = &setup.config.training;
        let first = checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.meta.step);
        let metrics = Metrics::open(place.folder(), first);
        let mut trainer = Trainer {
            optimizer: Optimizer::new(training.optimizer, &params)?,
            ema: training.ema.map(|decay| Ema::new(decay, &params)).transpose()?,
            sampler: setup.sampler()?,
            carries: setup.carries(),
            lanes: Lanes::new(training.lanes)?,
            tally: Tally::default(),
            step: 0,
            metrics: metrics.map_err(|source| TrainError::Io { path: place.folder().to_owned(), source })?,
            run: ThisRun { first, begun: Instant::now(), evaluation: None },
            setup,
            net,
            params,
            place,
            observer,
        };
        checkpoint.map_or(Ok(()), |checkpoint| trainer.restore(checkpoint))?;
        trainer.observer.on(&Event::Begun(setup.begun(first, trainer.params.count())));
        Ok(trainer)
    }

    /// The whole training.
    pub(super) fn run(mut self) -> Result<Summary, TrainError> {
        loop {
            let at = Step { number: self.step + 1, lr: self.rate() };
            let resumed = self.step == self.run.first && self.step > 0;
            if self.evaluation_is_due() && !resumed {
                self.evaluate()?;
            }
            if let Some(end) = self.end() {
                self.save()?;
                return Ok(self.summary(end));
            }
            if self.step.is_multiple_of(self.setup.config.training.save_every) && !resumed {
                self.save()?;
            }
            let learned = self.learn(at)?;
            self.apply(&learned, at)?;
            self.step += 1;
            self.log(&learned, at)?;
        }
    }

    /// The learning rate of the next step.
    fn rate(&self) -> f64 {
        self.setup.config.training.lr * self.factor()
    }

    fn factor(&self) -> f64 {
        let training = &self.setup.config.training;
        training.schedule.factor(self.step, training.steps)
    }

    fn evaluation_is_due(&self) -> bool {
        let config = &self.setup.config;
        self.step.is_multiple_of(config.evaluation.every) || self.step == config.training.steps
    }

    fn end(&self) -> Option<End> {
        let training = &self.setup.config.training;
        let out_of_time = || training.minutes.is_some_and(|most| self.run.begun.elapsed().as_secs() >= 60 * most);
        match () {
            () if self.step >= training.steps => Some(End::Done),
            () if self.observer.stops() => Some(End::Interrupted),
            () if out_of_time() => Some(End::OutOfTime),
            () => None,
        }
    }

    /// Gradients of all batches of a step.
    fn learn(&mut self, at: Step) -> Result<Learned, TrainError> {
        let (mut gradients, mut rows) = (Gradients::default(), Vec::new());
        for first in (0..self.carries.len()).step_by(self.lanes.count()) {
            for (part, index) in self.learn_batch(first, at)?.into_iter().zip(first..) {
                self.tally.add(&part.loss, &part.step)?;
                gradients.add(part.gradients)?;
                rows.extend(part.rows);
                self.carries[index] = part.step.carry;
            }
        }
        let norm = match gradients.norm()? {
            Norm::Finite(norm) => norm,
            Norm::NotFinite { tensor } => return Err(not_finite(at, format!("the gradient of {tensor}"))),
        };
        if let Some(limit) = self.setup.config.training.clip {
            gradients.clip(norm, limit)?;
        }
        Ok(Learned { gradients, rows, norm })
    }

    /// A batch, a part of it in each lane: the first of them is `first` among the parts of the step.
    fn learn_batch(&mut self, first: usize, at: Step) -> Result<Vec<Part>, TrainError> {
        let (setup, training) = (self.setup, &self.setup.config.training);
        let share = 1.0 / (training.batch * training.accumulate) as f64;
        let work = Work { net: &self.net, params: &self.params, seed: setup.seed, at, share };
        let parts = self.sampler.draw().split(self.lanes.count());
        let parts = parts.iter().zip(&self.carries[first..]).zip(first..);
        let task = |((batch, carry), part)| {
            let work = &work;
            move || work.learn(part, carry, batch)
        };
        self.lanes.each(parts.map(task)).into_iter().collect()
    }

    /// Moves weights, table rows and the average.
    fn apply(&mut self, learned: &Learned, at: Step) -> Result<(), TrainError> {
        self.optimizer.step(&self.params, &learned.gradients, at)?;
        if let (Some(weights), Some(table)) = (self.params.table(), self.setup.config.training.table) {
            let ids: Vec<u32> = learned.rows.iter().flat_map(|rows| rows.ids.iter().copied()).collect();
            let gradients: Vec<&Tensor> = learned.rows.iter().map(|rows| &rows.gradients).collect();
            SignSgd::from(table).step(weights, &ids, &Tensor::cat(&gradients, 0)?, table.lr * self.factor())?;
        }
        self.ema.as_mut().map_or(Ok(()), |ema| ema.update(&self.params))?;
        Ok(())
    }

    fn log(&mut self, learned: &Learned, at: Step) -> Result<(), TrainError> {
        let run = (self.step - self.run.first, self.run.begun.elapsed());
        let (loss, exact) = self.tally.last();
        self.observer.on(&Event::Stepped(Stepped { step: self.step, loss, exact, run }));
        if self.step.is_multiple_of(self.setup.config.training.log_every) {
            let mut values = std::mem::take(&mut self.tally).values();
            values.insert("train/lr".to_owned(), at.lr);
            values.insert("train/gradient".to_owned(), learned.norm);
            self.measured(values)?;
        }
        Ok(())
    }

    /// Judges the averaged weights, if there are such.
    fn evaluate(&mut self) -> Result<(), TrainError> {
        self.swap()?;
        let evaluation = evaluate(self.setup, &self.net, self.step);
        self.swap()?;
        let evaluation = evaluation?;
        self.measured(evaluation.values())?;
        self.observer.on(&Event::Evaluated(evaluation.clone()));
        self.run.evaluation = Some(evaluation);
        Ok(())
    }

    fn swap(&mut self) -> Result<(), TrainError> {
        Ok(self.ema.as_mut().map_or(Ok(()), |ema| ema.swap(&self.params))?)
    }

    fn measured(&mut self, values: BTreeMap<String, f64>) -> Result<(), TrainError> {
        let written = self.metrics.write(&Measured { step: self.step, values });
        written.map_err(|source| TrainError::Io { path: self.place.folder().to_owned(), source })
    }

    fn save(&mut self) -> Result<(), TrainError> {
        let path = self.place.checkpoint();
        self.checkpoint()?.write(&path)?;
        self.observer.on(&Event::Saved(path));
        Ok(())
    }

    fn summary(self, end: End) -> Summary {
        let made = self.step - self.run.first;
        Summary {
            end,
            step: self.step,
            parameters: self.params.count(),
            steps_per_second: made as f64 / self.run.begun.elapsed().as_secs_f64().max(1e-3),
            evaluation: self.run.evaluation,
            checkpoint: self.place.checkpoint(),
        }
    }
}

/// A fresh net with a table of so many rows.
pub(super) fn build(setup: &Setup, device: &Device, rows: usize) -> Result<(Net, Params), TrainError> {
    let mut builder = Builder::fresh(setup.seed, device);
    let net = Net::build(&setup.config.net, rows, &mut builder.root())?;
    let dtype = if device.is_cpu() { DType::F32 } else { DType::BF16 };
    Ok((net.computing_in(dtype), builder.finish()?))
}

pub(super) fn not_finite(at: Step, what: String) -> TrainError {
    TrainError::NotFinite { step: at.number, what }
}
