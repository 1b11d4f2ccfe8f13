//! Everything a training stands on but the net: configuration, data and folder.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use candle_core::Device;

use super::{Begun, CHECKPOINT, Config, ConfigError, Event, Job, Observer, Start, TrainError};
use crate::{
    data::{Counts, Dataset, Example, Lesson, Offset, Pair, Paper, Puzzles, Sampler, View, load::Kind},
    nets::Carry,
    nn::Checkpoint,
};

/// The folder of a training.
#[derive(Clone, Debug)]
pub(super) struct Place(PathBuf);

impl Place {
    /// The folder, and what lies in it if the job is to go on with that.
    pub(super) fn open(job: &Job, device: &Device) -> Result<(Place, Option<Checkpoint>), TrainError> {
        let place = Place(job.out.clone());
        match (&job.start, place.checkpoint().exists()) {
            (Start::Fresh { .. }, true) => Err(TrainError::Occupied { folder: place.0 }),
            (Start::Resume, false) => Err(TrainError::Nothing { folder: place.0 }),
            (Start::Resume, true) => {
                let checkpoint = Checkpoint::read(&place.checkpoint(), device)?;
                Ok((place, Some(checkpoint)))
            }
            (Start::Fresh { .. }, false) => {
                fs::create_dir_all(&place.0).map_err(|source| TrainError::Io { path: place.0.clone(), source })?;
                Ok((place, None))
            }
        }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.0
    }

    pub(super) fn checkpoint(&self) -> PathBuf {
        self.0.join(CHECKPOINT)
    }
}

/// What does not change while a net learns.
#[derive(Debug)]
pub(super) struct Setup {
    pub(super) config: Config,
    pub(super) seed: u64,
    /// What the net reads.
    pub(super) paper: Paper,
    /// Where the lessons come from.
    pub(super) sources: BTreeMap<Kind, Counts>,
    pub(super) puzzles: Puzzles,
    pub(super) lessons: Vec<Lesson>,
    /// What the net is judged by, in the order of tasks.
    pub(super) questions: Vec<Question>,
}

/// A pair that is held out.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) task: String,
    pub(super) example: Example,
}

impl Setup {
    /// Reads the data, as the job says or as the checkpoint was made with.
    pub(super) fn read(
        job: &Job,
        checkpoint: Option<&Checkpoint>,
        observer: &mut dyn Observer,
    ) -> Result<Setup, TrainError> {
        let (config, seed) = chosen(job, checkpoint)?;
        let paper = config.net.paper().map_err(ConfigError::from)?;
        let dataset = Dataset::load(&job.data, &config.data, paper, job.on_fault)?;
        for fault in dataset.survey.faults.first() {
            observer.on(&Event::Fault(fault.to_string()));
        }
        let (lessons, sources) = (dataset.lessons, dataset.survey.sources);
        let puzzles = match checkpoint {
            Some(checkpoint) => checkpoint.value("train.puzzles")?,
            None => puzzles(&lessons, &config, seed),
        };
        let questions = questions(&lessons, &puzzles, config.evaluation.pairs);
        Ok(Setup { config, seed, paper, sources, puzzles, lessons, questions })
    }

    /// Where batches come from.
    pub(super) fn sampler(&self) -> Result<Sampler<'_>, TrainError> {
        let (data, rows) = (&self.config.data, self.config.training.batch);
        let manner = (data.order, data.augment);
        Ok(Sampler::new(&self.lessons, &self.puzzles, (self.paper, rows), manner, self.seed)?)
    }

    /// Free slots for every part of a step.
    pub(super) fn carries(&self) -> Vec<Carry> {
        let training = &self.config.training;
        let slots = Carry::empty(training.batch / training.lanes, self.paper.places());
        vec![slots; training.accumulate * training.lanes]
    }

    /// What a training at this step stands on, in numbers.
    pub(super) fn begun(&self, step: u64, parameters: usize) -> Begun {
        Begun {
            step,
            steps: self.config.training.steps,
            parameters,
            rows: self.puzzles.rows(),
            tasks: self.lessons.len(),
            pairs: self.lessons.iter().map(|lesson| lesson.train.len()).sum(),
            held_out: self.questions.len(),
        }
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

/// A row for each task, or for each of its augmentations.
fn puzzles(lessons: &[Lesson], config: &Config, seed: u64) -> Puzzles {
    let mut puzzles = Puzzles::default();
    puzzles.add_lessons(lessons, &config.data.augment, seed);
    puzzles
}

/// At most so many of the pairs that are held out, evenly from all of them.
fn questions(lessons: &[Lesson], puzzles: &Puzzles, most: usize) -> Vec<Question> {
    let all: Vec<(&Lesson, &Pair)> =
        lessons.iter().flat_map(|lesson| lesson.held_out.iter().map(move |pair| (lesson, pair))).collect();
    let count = all.len().min(most);
    let chosen = (0..count).map(|index| all[index * all.len() / count]);
    chosen.map(|(lesson, pair)| question(lesson, pair, puzzles)).collect()
}

/// The pair as it stands, under the plain row of its task.
fn question(lesson: &Lesson, pair: &Pair, puzzles: &Puzzles) -> Question {
    let example = Example {
        input: pair.input.clone(),
        output: Some(pair.output.clone()),
        at: Offset::default(),
        puzzle: puzzles.of(&lesson.id).first().copied().unwrap_or_default(),
        view: View::default(),
    };
    Question { task: lesson.id.clone(), example }
}
