//! `arc3 pretrain` of a net that learns from recordings.

use std::{
    fs,
    path::{Path, PathBuf},
};

use solver::train::End;
use world_model::net::train::{self, CHECKPOINT, Config, Job, Start, TrainError};

use super::show;
use crate::{
    cli::{Device, PretrainArgs},
    exit::{Exit, Failure},
    interrupt::Interrupt,
    talk::Loudness,
    training::{Display, Material, Readable},
};

/// Whether what is asked for is such a training: by its configuration, or by the checkpoint it goes on with.
pub(super) fn concerns(args: &PretrainArgs, out: &Path) -> bool {
    if args.resume {
        return train::left(&out.join(CHECKPOINT));
    }
    let text = args.config.as_deref().and_then(|path| fs::read_to_string(path).ok());
    text.is_some_and(|text| Config::describes(&text))
}

pub(super) fn run(args: &PretrainArgs, out: PathBuf, loudness: Loudness) -> Result<Exit, Failure> {
    refuse(args)?;
    let start = match &args.config {
        Some(path) if !args.resume => Start::Fresh { config: Box::new(config(path)?), seed: args.seed.unwrap_or(0) },
        _ => Start::Resume,
    };
    let job = Job { start, steps: args.steps, data: args.data.clone(), out };
    let mut display = Display::new(Interrupt::announced("saving, then ending"), Material::Recordings, loudness);
    let summary = train::pretrain(&job, &mut display).map_err(explain)?;
    show(args.json, &summary, Readable(&summary, Material::Recordings))?;
    Ok(if summary.end == End::Interrupted { Exit::Interrupted } else { Exit::Done })
}

/// What such a training cannot do.
fn refuse(args: &PretrainArgs) -> Result<(), Failure> {
    let refused = [(args.dry_run, "--dry-run"), (args.device == Device::Cuda, "--device cuda")];
    match refused.into_iter().find(|(asked, _)| *asked) {
        Some((_, option)) => Err(Failure::new(format_args!("{option} is for nets that solve tasks"))
            .hint("a net of recordings is small: leave the option out")),
        None => Ok(()),
    }
}

fn config(path: &Path) -> Result<Config, Failure> {
    let shown = path.display();
    let text =
        fs::read_to_string(path).map_err(|error| Failure::from(error).context(format!("cannot read {shown}")))?;
    Config::parse(&text).map_err(|error| {
        Failure::from(error)
            .context(format!("{shown} is no configuration of a training"))
            .hint("configs/world_model/cnn.toml shows the keys, and its comments what they mean")
    })
}

/// An error with advice.
fn explain(error: TrainError) -> Failure {
    let hint = match &error {
        TrainError::NoData { .. } => {
            "arc3 eval --policy explore --budgets 800 --recordings FOLDER makes some of the built-in games"
        }
        TrainError::Occupied { .. } => "--resume goes on with it, --out names another folder",
        TrainError::Nothing { .. } => "leave --resume out to begin, or name the folder of the training with --out",
        TrainError::NotFinite { .. } => {
            "a lower training.lr or a training.clip may help; the checkpoint is from before"
        }
        _ => return error.into(),
    };
    Failure::from(error).hint(hint)
}
