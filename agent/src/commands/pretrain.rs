//! `arc3 pretrain`: the configuration says whether tasks are learned or recordings.

mod recordings;

use std::{
    fs,
    path::{Path, PathBuf},
};

use solver::{
    data::load::OnFault,
    train::{self, Compute, Config, End, Job, Start, TrainError},
};

use crate::{
    cli::{BadFile, Device, PretrainArgs},
    exit::{Exit, Failure},
    interrupt::Interrupt,
    talk::{Loudness, print, say},
    threads,
    training::{Display, Material, Readable, Surveyed},
};

/// What is trained when no file says it.
const TINY: &str = include_str!("../../../configs/solver/tiny.toml");

pub(super) fn run(args: &PretrainArgs, loudness: Loudness) -> Result<Exit, Failure> {
    threads::settle();
    let out = out(args);
    if recordings::concerns(args, &out) {
        return recordings::run(args, out, loudness);
    }
    let job = job(args, out)?;
    let interrupt = Interrupt::announced("saving, then ending");
    let mut display = Display::new(interrupt, Material::Tasks, loudness);
    if args.dry_run {
        if loudness != Loudness::Quiet {
            say("reading the data, then measuring a step of one sequence");
        }
        let survey = train::survey(&job, &mut display).map_err(explain)?;
        return show(args.json, &survey, Surveyed(&survey)).map(|()| Exit::Done);
    }
    let summary = train::pretrain(&job, &mut display).map_err(explain)?;
    show(args.json, &summary, Readable(&summary, Material::Tasks))?;
    Ok(if summary.end == End::Interrupted { Exit::Interrupted } else { Exit::Done })
}

fn show(json: bool, document: &impl serde::Serialize, text: impl std::fmt::Display) -> Result<(), Failure> {
    if json { print(format_args!("{:#}\n", serde_json::to_value(document)?)) } else { print(text) }
}

/// Where the training is left.
fn out(args: &PretrainArgs) -> PathBuf {
    let name = args.config.as_deref().and_then(Path::file_stem).map_or("tiny".into(), |stem| stem.to_string_lossy());
    args.out.clone().unwrap_or_else(|| PathBuf::from("models").join(&*name))
}

/// What was typed as what will be done.
fn job(args: &PretrainArgs, out: PathBuf) -> Result<Job, Failure> {
    let start = if args.resume {
        Start::Resume
    } else {
        Start::Fresh { config: Box::new(config(args.config.as_deref())?), seed: args.seed.unwrap_or(0) }
    };
    Ok(Job {
        start,
        steps: args.steps,
        data: args.data.clone(),
        out,
        compute: match args.device {
            Device::Cpu => Compute::Cpu,
            Device::Cuda => Compute::Cuda,
        },
        on_fault: match args.on_bad_file {
            BadFile::Skip => OnFault::Skip,
            BadFile::Fail => OnFault::Fail,
        },
    })
}

fn config(path: Option<&Path>) -> Result<Config, Failure> {
    let Some(path) = path else { return Ok(Config::parse(TINY)?) };
    let shown = path.display();
    let text =
        fs::read_to_string(path).map_err(|error| Failure::from(error).context(format!("cannot read {shown}")))?;
    Config::parse(&text).map_err(|error| {
        Failure::from(error)
            .context(format!("{shown} is no configuration of a training"))
            .hint("configs/solver/tiny.toml shows the keys, and its comments what they mean")
    })
}

/// An error with advice.
fn explain(error: TrainError) -> Failure {
    let hint = match &error {
        TrainError::NoDevice { .. } => {
            "the README says how to build with --features cuda; --device cpu works everywhere"
        }
        TrainError::Occupied { .. } => "--resume goes on with it, --out names another folder",
        TrainError::Nothing { .. } => "leave --resume out to begin, or name the folder of the training with --out",
        TrainError::Load(_) => "--on-bad-file skip goes on without what cannot be read",
        TrainError::NotFinite { .. } => {
            "a lower training.lr or a training.clip may help; the checkpoint is from before"
        }
        _ => return error.into(),
    };
    Failure::from(error).hint(hint)
}
