//! A trained net that answers tasks.

use std::{collections::HashMap, io, ops::ControlFlow, path::Path, time::Instant};

use candle_core::{Device, Tensor};

use super::{
    Ballot, How, Settings, Solved, Stage,
    predict::{Seen, fits, predict},
    tune::{ROWS, Tuner},
};
use crate::{
    data::{
        AugmentConfig, Dataset, Lesson, Order, Pair, Paper, Puzzles, Query, Sampler, SamplerError, Space, Task,
        augment::Augmentation,
        load::{LoadError, OnFault},
    },
    nets::{Depth, Net, Rows, published::PublishedError},
    nn::{Builder, CheckpointError, ParamError, Params, on_deep_stack, stream},
    train::{Config, ConfigError},
};

/// Names of the puzzle table: of HRM, TRM and URM, and of Loop-ViT.
const TABLES: [&str; 2] = ["puzzle_emb.weights", "task_token_embed.weight"];

/// Who follows the work on a task, and may end it.
pub type Watch<'a> = dyn FnMut(Stage) -> ControlFlow<()> + Send + 'a;

/// A task that could not be answered, or a net that can answer none.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The file.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The file of weights that others published.
    #[error(transparent)]
    Published(#[from] PublishedError),
    /// Weights alone.
    #[error("the file holds weights, but does not say of which net")]
    Unconfigured,
    /// What the rows of its puzzle table stand for.
    #[error("the names of its puzzles cannot be read")]
    Puzzles(#[from] serde_json::Error),
    /// Fewer rows than puzzles.
    #[error("its puzzle table has {rows} rows for {puzzles} puzzles")]
    Rows {
        /// Rows of the table.
        rows: usize,
        /// Puzzles, the blank one included.
        puzzles: usize,
    },
    /// Its configuration.
    #[error("the checkpoint's configuration cannot be used")]
    Config(#[from] ConfigError),
    /// Its tensors do not make up its net.
    #[error("the checkpoint's net cannot be built")]
    Params(#[from] ParamError),
    /// No pairs to learn from.
    #[error("the demonstrations cannot be learned")]
    Sampler(#[from] SamplerError),
    /// Test-time training left the numbers.
    #[error("test-time training: the loss of step {step} is not finite")]
    NotFinite {
        /// Which step, counted from 1.
        step: u32,
    },
    /// The system refused: a file beside the weights, a thread to work on.
    #[error("the system refused")]
    Io(#[from] io::Error),
    /// The device refused.
    #[error("a tensor operation failed")]
    Device(#[from] candle_core::Error),
}

/// A trained net with the rows of all it was trained on.
#[derive(Debug)]
pub struct Solver {
    config: Config,
    paper: Paper,
    net: Net,
    puzzles: Puzzles,
    /// All tensors of the net, never changed: a new task gets copies.
    weights: HashMap<String, Tensor>,
}

/// A net that has a row for a task, and the views to ask it in.
struct Prepared {
    net: Net,
    views: Vec<Seen>,
    how: How,
}

impl Solver {
    /// A net of these tensors, whose puzzle table stands for `puzzles`.
    pub fn new(config: Config, weights: HashMap<String, Tensor>, puzzles: Puzzles) -> Result<Solver, SolveError> {
        let paper = config.net.paper().map_err(ConfigError::from)?;
        let (rows, puzzles_named) = (weights[table(&weights)?].dim(0)?, puzzles.rows());
        if rows < puzzles_named {
            return Err(SolveError::Rows { rows, puzzles: puzzles_named });
        }
        let (net, _) = build(&config, weights.clone())?;
        Ok(Solver { config, paper, net, puzzles, weights })
    }

    /// What the net was trained with.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The longest side of a grid that it can be shown.
    pub fn longest(&self) -> u8 {
        self.paper.longest()
    }

    /// Multiplications that a test input of a new task takes, about: each weight once for each place, loop and step, and
    /// thrice that where it is learned from.
    pub fn work(&self, settings: &Settings) -> u64 {
        let numbers =
            |(name, tensor): (&String, &Tensor)| if TABLES.contains(&name.as_str()) { 0 } else { tensor.elem_count() };
        let weights: usize = self.weights.iter().map(numbers).sum();
        let Depth { loops, steps } = self.depth(settings);
        let answers = settings.views + 3 * ROWS * settings.tuning.steps as usize;
        (weights * self.net.config().tokens().positions() * loops * steps as usize * answers) as u64
    }

    /// The pairs of a generated data set that the net's training held out, as tasks: `root` is the folder, the zip file
    /// or the file that it learned from.
    pub fn held_out(&self, root: &Path) -> Result<Vec<Task>, LoadError> {
        let dataset = Dataset::load(root, &self.config.data, self.paper, OnFault::Fail)?;
        let lessons = dataset.lessons.into_iter().filter(|lesson| !lesson.held_out.is_empty());
        Ok(lessons.map(examination).collect())
    }

    /// Answers every test input of a task. `None` when `watch` wanted to stop.
    pub fn solve(&self, task: &Task, settings: &Settings, watch: &mut Watch<'_>) -> Result<Option<Solved>, SolveError> {
        on_deep_stack(|| self.answer(task, settings, watch))?
    }

    fn answer(&self, task: &Task, settings: &Settings, watch: &mut Watch<'_>) -> Result<Option<Solved>, SolveError> {
        let begun = Instant::now();
        let solved = |how, rankings| Solved { task: task.id.clone(), rankings, how, time: begun.elapsed() };
        if !task.test.iter().any(|query| fits(self.paper, &query.input)) {
            return Ok(Some(solved(How::TooLarge, vec![Vec::new(); task.test.len()])));
        }
        let Some(Prepared { net, views, how }) = self.prepare(task, settings, watch)? else { return Ok(None) };
        let ballots = predict(&net, self.paper, task, &views, self.depth(settings), watch)?;
        Ok(ballots.map(|ballots| solved(how, ballots.iter().map(Ballot::ranking).collect())))
    }

    fn depth(&self, settings: &Settings) -> Depth {
        let Depth { loops, steps } = self.net.depth();
        Depth { loops: settings.loops.unwrap_or(loops), steps: settings.steps.unwrap_or(steps) }
    }

    /// A net that knows the task as well as it can.
    fn prepare(&self, task: &Task, settings: &Settings, watch: &mut Watch<'_>) -> Result<Option<Prepared>, SolveError> {
        if let views @ [_, ..] = &self.known(task, settings)[..] {
            return Ok(Some(Prepared { net: self.net.clone(), views: views.to_vec(), how: How::Known }));
        }
        let lesson = self.lesson(task);
        let views = views(task, settings, &self.space(task));
        if settings.tuning.steps == 0 || lesson.train.is_empty() {
            let (net, _) = self.with_fresh_rows(1)?;
            let views = views.into_iter().map(|view| (1, view)).collect();
            return Ok(Some(Prepared { net, views, how: How::Average }));
        }
        self.tuned(&lesson, &views, settings, watch)
    }

    /// A net that has learned the demonstrations.
    fn tuned(
        &self,
        lesson: &Lesson,
        views: &[Augmentation],
        settings: &Settings,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Prepared>, SolveError> {
        let mut puzzles = Puzzles::default();
        let shared = self.config.net.tokens().rows == Rows::Factored;
        let row = |view: &Augmentation| if shared { Augmentation::identity() } else { *view };
        let views: Vec<Seen> = views.iter().map(|view| (puzzles.add(&lesson.id, row(view)), *view)).collect();
        let (net, params) = self.with_fresh_rows(puzzles.rows() - 1)?;
        let rows = (!shared).then_some(views.len());
        let augment = AugmentConfig { rows, translate: true, ..self.config.data.augment };
        let lessons = std::slice::from_ref(lesson);
        let sampler = Sampler::new(lessons, &puzzles, (self.paper, ROWS), (Order::Rows, augment), settings.seed)?;
        let (training, tuning, seed) = (&self.config.training, &settings.tuning, settings.seed);
        let steps = Tuner { net: &net, params: &params, table: table(&self.weights)?, training, tuning, seed }
            .run(sampler, watch)?;
        Ok(steps.map(|steps| Prepared { net, views, how: How::Tuned { steps } }))
    }

    /// The views of a task that the net was trained on; none for a new task.
    fn known(&self, task: &Task, settings: &Settings) -> Vec<Seen> {
        let rows = self.puzzles.of(&task.id).iter();
        let seen: Vec<Seen> = rows.filter_map(|id| Some((*id, self.puzzles.augmentation(*id)?))).collect();
        match (self.config.net.tokens().rows, seen.first()) {
            (Rows::Task | Rows::Factored, Some((id, _))) => {
                let views = views(task, settings, &self.config.data.augment.space(&task.train));
                views.into_iter().map(|view| (*id, view)).collect()
            }
            _ => seen.into_iter().take(settings.views).collect(),
        }
    }

    /// What the views of a new task are drawn from: as published, unless the net is told of the view and was told of
    /// others.
    fn space(&self, task: &Task) -> Space {
        let told = self.config.net.tokens().rows == Rows::Factored;
        let augment = if told { self.config.data.augment } else { AugmentConfig::default() };
        augment.space(&task.train)
    }

    /// The demonstrations that fit on the canvas.
    fn lesson(&self, task: &Task) -> Lesson {
        let fits = |pair: &&Pair| fits(self.paper, &pair.input) && fits(self.paper, &pair.output);
        Lesson { id: task.id.clone(), train: task.train.iter().filter(fits).cloned().collect(), held_out: Vec::new() }
    }

    /// The net with copies of its weights and a table of so many rows, each the average of those it was trained with.
    fn with_fresh_rows(&self, count: usize) -> Result<(Net, Params), SolveError> {
        let name = table(&self.weights)?;
        let table = &self.weights[name];
        let trained = table.dim(0)?.saturating_sub(1);
        let blank = table.narrow(0, 0, 1)?;
        let average = if trained == 0 { blank.clone() } else { table.narrow(0, 1, trained)?.mean_keepdim(0)? };
        let fresh = Tensor::cat(&[blank, average.repeat((count, 1))?], 0)?;
        let mut weights = self.weights.clone();
        weights.insert(name.to_owned(), fresh);
        build(&self.config, weights)
    }
}

/// Different views of a task, the plain one first.
fn views(task: &Task, settings: &Settings, space: &Space) -> Vec<Augmentation> {
    let mut rng = stream(settings.seed, &format!("views of {}", task.id));
    space.distinct(&task.train, settings.views.saturating_sub(1), &mut rng)
}

/// What a task held out, asked.
fn examination(lesson: Lesson) -> Task {
    let query = |pair: Pair| Query { input: pair.input, output: Some(pair.output) };
    Task { id: lesson.id, train: lesson.train, test: lesson.held_out.into_iter().map(query).collect() }
}

/// The net of copies of these tensors.
fn build(config: &Config, weights: HashMap<String, Tensor>) -> Result<(Net, Params), SolveError> {
    let rows = weights[table(&weights)?].dim(0)?;
    let mut builder = Builder::from_tensors(weights, &Device::Cpu);
    let net = Net::build(&config.net, rows, &mut builder.root())?;
    Ok((net, builder.finish()?))
}

/// Which of the tensors is the puzzle table.
fn table(weights: &HashMap<String, Tensor>) -> Result<&'static str, ParamError> {
    let found = TABLES.into_iter().find(|name| weights.contains_key(*name));
    found.ok_or_else(|| ParamError::Missing(TABLES[0].to_owned()))
}
