//! `arc3 model`

use std::path::{Path, PathBuf};

use env_client::Action;
use world_model::net::Net;

use crate::{
    cli::{ModelArgs, ModelCommand, ModelDreamArgs, ModelEvalArgs, ModelExplainArgs},
    exit::{Exit, Failure},
    model::{
        dream::{Dreamed, dream},
        explain::Explanation,
        figures::Document,
        lesson::{self, Lesson},
        print::Readable,
        progress::Progress,
        trial::{self, Trial},
    },
    replay::{
        export::{Pair, pairs},
        folder,
    },
    talk::{Loudness, print},
};

pub(super) fn run(args: &ModelArgs, loudness: Loudness) -> Result<Exit, Failure> {
    match &args.command {
        ModelCommand::Eval(args) => eval(args, loudness),
        ModelCommand::Explain(args) => explain(args, loudness),
        ModelCommand::Dream(args) => imagine(args, loudness),
    }
}

fn eval(args: &ModelEvalArgs, loudness: Loudness) -> Result<Exit, Failure> {
    let paths = recordings(&args.recordings)?;
    let nets = args.checkpoint.iter().map(|path| net(path)).collect::<Result<Vec<Net>, Failure>>()?;
    let mut progress = Progress::new(paths.len(), loudness);
    let trials = trial::run(&paths, &nets, args.limit, &mut |news| progress.hear(news));
    drop(progress);
    let trials = trials.into_iter().collect::<Result<Vec<Trial>, _>>()?;
    let (trials, empty): (Vec<Trial>, Vec<Trial>) = trials.into_iter().partition(|it| !it.report.masked.is_empty());
    for trial in &empty {
        loudness.notice(format_args!("warning: {} holds no action with a known outcome", trial.path.display()));
    }
    if trials.is_empty() {
        return Err(Failure::new("there is nothing to judge: no recording holds an action with a known outcome")
            .hint("`arc3 play` leaves recordings in recordings/, `arc3 replay FILE` shows what one holds"));
    }
    let document = Document::of(&trials, &args.window.within(usize::MAX));
    if args.json {
        print(format_args!("{:#}\n", serde_json::to_value(&document)?))?;
    } else {
        print(Readable { document: &document, games: args.games, misses: args.misses })?;
    }
    Ok(Exit::Done)
}

/// The net of a checkpoint.
fn net(path: &Path) -> Result<Net, Failure> {
    Net::open(path, trial::SEED).map_err(|error| {
        Failure::from(error)
            .context(format!("{} holds no net that foresees frames", path.display()))
            .hint("`arc3 pretrain --config configs/world_model/cnn.toml --data RECORDINGS` makes one")
    })
}

/// The named recordings and those in the named folders, of which there is at least one in each.
fn recordings(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut paths = Vec::new();
    for path in named {
        if !path.is_dir() {
            paths.push(path.clone());
            continue;
        }
        let found = folder::recordings(path)
            .map_err(|error| Failure::from(error).context(format!("cannot read the folder {}", path.display())))?;
        if found.is_empty() {
            return Err(Failure::new(format!("{} holds no recordings", path.display()))
                .hint("they are files that end in .jsonl or .jsonl.zst; `arc3 play` leaves them in recordings/"));
        }
        paths.extend(found);
    }
    Ok(paths)
}

fn explain(args: &ModelExplainArgs, loudness: Loudness) -> Result<Exit, Failure> {
    let lesson = learn(&args.recording, args.at, 0, loudness)?;
    print(Explanation(&lesson))?;
    Ok(Exit::Done)
}

/// Teaches a model; what cannot be read is told.
fn learn(path: &Path, count: Option<usize>, ahead: usize, loudness: Loudness) -> Result<Lesson, Failure> {
    if path.is_dir() {
        return Err(Failure::new(format!("{} is a folder, expected one recording", path.display()))
            .hint("name one of its files; `arc3 model eval` takes folders"));
    }
    let lesson = lesson::learn(path, count, ahead)?;
    for fault in &lesson.faults {
        loudness.notice(format_args!("warning: {fault}"));
    }
    if lesson.learned == 0 && lesson.frame.is_none() {
        return Err(Failure::new(format!("{} shows no play", path.display()))
            .hint("`arc3 replay FILE --json` says what is in it"));
    }
    Ok(lesson)
}

fn imagine(args: &ModelDreamArgs, loudness: Loudness) -> Result<Exit, Failure> {
    let ahead = if args.actions.is_empty() { args.steps } else { args.actions.len() };
    let lesson = learn(&args.recording, Some(args.from), ahead, loudness)?;
    let actions: Vec<Action> = match args.actions.as_slice() {
        [] => lesson.coming.iter().map(|step| step.action).collect(),
        typed => typed.iter().map(|typed| typed.0).collect(),
    };
    let (Some(start), false, true) = (&lesson.frame, actions.is_empty(), lesson.learned == args.from) else {
        let all = lesson.learned;
        return Err(Failure::new(format!("there is nothing to dream on from after {} transitions", args.from))
            .hint(format!("{all} transitions come before that point; choose an earlier one, or name --actions")));
    };
    let dreamed = dream(&lesson, start, &actions);
    match &args.export {
        Some(out) => draw(out, &dreamed, args.scale.into())?,
        None => dreamed.iter().try_for_each(print)?,
    }
    Ok(Exit::Done)
}

fn draw(out: &Path, dreamed: &[Dreamed], scale: usize) -> Result<(), Failure> {
    let captions: Vec<String> =
        dreamed.iter().enumerate().map(|(number, step)| format!("{} {}", number + 1, step.action)).collect();
    let drawn: Vec<Pair<'_>> = dreamed
        .iter()
        .zip(&captions)
        .map(|(step, caption)| Pair { caption, left: step.expected(), right: step.came(), click: step.action.point() })
        .collect();
    pairs(out, &drawn, scale)?;
    print(format_args!("{}\n", out.display()))
}
