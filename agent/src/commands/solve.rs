//! `arc3 solve`

use std::{
    fs,
    io::{self, IsTerminal},
    ops::ControlFlow,
    path::Path,
    time::Duration,
};

use ratatui::crossterm::terminal;
use solver::{
    check,
    data::{Task, load},
    solve::{Scope, Score, Settings, SolveError, Solved, Solver, Submission, TaskScore, Tuning},
    train::Config,
};

use crate::{
    cli::{SolveArgs, TttScope},
    exit::{Exit, Failure},
    interrupt::Interrupt,
    replay::palette::Depth,
    settings::Environment,
    solve::{Page, Progress, Sheet, document},
    talk::{Loudness, print, say},
};

/// Columns of a page that goes elsewhere than to a terminal.
const COLUMNS: usize = 120;

/// Where `arc3 pretrain` leaves its net when nothing is said.
const CHECKPOINT: &str = "models/tiny/last.safetensors";

pub(super) fn run(args: &SolveArgs, environment: &Environment, loudness: Loudness) -> Result<Exit, Failure> {
    if let Some(folder) = &args.check {
        return compare(folder);
    }
    let net = open(args)?;
    let tasks = read(args, &net)?;
    let mut work = Work::new(args, environment, loudness, tasks.len());
    work.notice(&net);
    let solved = work.solve(&net, &tasks)?;
    let interrupted = work.interrupt.raised();
    drop(work);
    conclude(args, &tasks, &solved)?;
    Ok(match () {
        () if interrupted => Exit::Interrupted,
        () if solved.len() < tasks.len() => Exit::Short,
        () => Exit::Done,
    })
}

/// Compares the nets with reference numbers.
fn compare(folder: &Path) -> Result<Exit, Failure> {
    let report = check::folder(folder)?;
    print(&report)?;
    Ok(if report.holds() { Exit::Done } else { Exit::Short })
}

/// The net.
fn open(args: &SolveArgs) -> Result<Solver, Failure> {
    let path = args.checkpoint.as_deref().unwrap_or(Path::new(CHECKPOINT));
    if !path.exists() {
        return Err(Failure::new(format!("there is no checkpoint {}", path.display()))
            .hint(format!("`arc3 pretrain --data FOLDER` trains a net and leaves it in {CHECKPOINT}")));
    }
    let config = args.config.as_deref().map(configuration).transpose()?;
    Solver::open(path, config).map_err(|error| {
        let hint = match error {
            SolveError::Unconfigured => "name its configuration with --config, such as configs/solver/urm.toml",
            _ => "expected a checkpoint of `arc3 pretrain`, or published weights with the --config of their net",
        };
        Failure::from(error).context(format!("cannot solve with {}", path.display())).hint(hint)
    })
}

fn configuration(path: &Path) -> Result<Config, Failure> {
    let doing = || format!("cannot use the configuration {}", path.display());
    let text = fs::read_to_string(path).map_err(|error| Failure::from(error).context(doing()))?;
    Config::parse(&text).map_err(|error| Failure::from(error).context(doing()))
}

/// All tasks that were named, in the order in which they were.
fn read(args: &SolveArgs, net: &Solver) -> Result<Vec<Task>, Failure> {
    let mut tasks = Vec::new();
    for path in &args.tasks {
        tasks.append(&mut load::tasks(path)?);
    }
    if let Some(path) = &args.score {
        let generated = path.extension().is_some_and(|extension| extension == "zip");
        tasks.append(&mut if generated { net.held_out(path)? } else { load::tasks(path)? });
    }
    if tasks.is_empty() { Err(Failure::new("there is no task to solve")) } else { Ok(tasks) }
}

/// Tasks being solved, with somebody watching.
struct Work<'a> {
    args: &'a SolveArgs,
    settings: Settings,
    /// What the terminal can show, and how wide it is.
    terminal: (Depth, usize),
    loudness: Loudness,
    interrupt: Interrupt,
    progress: Progress,
}

impl<'a> Work<'a> {
    fn new(args: &'a SolveArgs, environment: &Environment, loudness: Loudness, tasks: usize) -> Work<'a> {
        Work {
            args,
            settings: settings(args),
            terminal: terminal_of(environment),
            loudness,
            interrupt: Interrupt::announced("writing down what is solved"),
            progress: Progress::new(tasks, loudness),
        }
    }

    /// The tasks that could be solved; fewer when one fails or somebody wants to stop.
    fn solve(&mut self, net: &Solver, tasks: &[Task]) -> Result<Vec<Solved>, Failure> {
        let mut all = Vec::new();
        for task in tasks {
            let (progress, interrupt) = (&mut self.progress, &self.interrupt);
            let mut watch = |stage| {
                progress.stage(&task.id, stage);
                if interrupt.raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            match net.solve(task, &self.settings, &mut watch) {
                Ok(Some(solved)) => {
                    self.show(task, &solved)?;
                    all.push(solved);
                }
                Ok(None) => break,
                Err(error) => {
                    let failure = Failure::from(error).context(format!("task {} has no answer", task.id));
                    self.progress.suspend(|| say(failure));
                }
            }
            self.progress.done();
        }
        Ok(all)
    }

    /// Draws a task when it is done, unless everything is told at the end.
    fn show(&self, task: &Task, solved: &Solved) -> Result<(), Failure> {
        if self.args.json || self.args.score.is_some() {
            return Ok(());
        }
        let (depth, columns) = self.terminal;
        self.progress.suspend(|| print(Page { task, solved, depth, columns }))
    }

    fn notice(&self, net: &Solver) {
        let (side, tuning) = (net.longest(), &self.settings.tuning);
        let learns = match tuning.steps {
            0 => "gets the average of all rows (--ttt 0)".to_owned(),
            steps => format!("is trained on for {steps} steps first"),
        };
        self.loudness.notice(format_args!(
            "grids up to {side}x{side}, {} views a test input; a task that is new to the net {learns}",
            self.settings.views
        ));
    }
}

fn settings(args: &SolveArgs) -> Settings {
    let effort = &args.effort;
    let scope = match effort.ttt_scope {
        TttScope::Net => Scope::Net,
        TttScope::Rows => Scope::Rows,
    };
    Settings {
        views: effort.augmentations as usize,
        tuning: Tuning { steps: effort.ttt, time: effort.budget.map(Duration::from_secs), scope },
        steps: effort.steps,
        loops: effort.loops.map(|loops| loops as usize),
        seed: effort.seed,
    }
}

fn terminal_of(environment: &Environment) -> (Depth, usize) {
    if !io::stdout().is_terminal() {
        return (Depth::None, COLUMNS);
    }
    let columns = terminal::size().map_or(COLUMNS, |(columns, _)| columns.into());
    (Depth::detect(|name| environment.get(name)), columns)
}

/// What comes of all tasks together.
fn conclude(args: &SolveArgs, tasks: &[Task], solved: &[Solved]) -> Result<(), Failure> {
    if let Some(out) = &args.submission {
        submit(&Submission::new(tasks, solved), out)?;
    }
    let score = score(tasks, solved);
    if args.json {
        return print(format_args!("{:#}\n", serde_json::json!(document(solved, &score))));
    }
    if args.score.is_some() || tasks.len() > 1 { print(Sheet { solved, score: &score }) } else { Ok(()) }
}

fn score(tasks: &[Task], solved: &[Solved]) -> Score {
    let find = |task: &Task| solved.iter().find(|solved| solved.task == task.id);
    Score { tasks: tasks.iter().filter_map(|task| TaskScore::new(task, find(task)?)).collect() }
}

fn submit(submission: &Submission, out: &Path) -> Result<(), Failure> {
    let written = match out.parent() {
        Some(folder) => fs::create_dir_all(folder),
        None => Ok(()),
    };
    written
        .and_then(|()| fs::write(out, serde_json::to_vec(submission)?))
        .map_err(|error| Failure::from(error).context(format!("cannot write the submission {}", out.display())))
}
