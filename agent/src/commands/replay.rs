//! `arc3 replay`

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{
    cli::ReplayArgs,
    exit::{Exit, Failure},
    interrupt::Interrupt,
    replay::{
        Archive, Follow, Index, Summary,
        export::{Manner, Target, export},
        folder,
        palette::Depth,
        print::Page,
    },
    settings::Environment,
    talk::{Loudness, print},
    tui::{
        app::{self, Left},
        terminal::Taken,
    },
};

/// Work that is done sooner needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

pub(super) fn run(args: &ReplayArgs, environment: &Environment, loudness: Loudness) -> Result<Exit, Failure> {
    let is_folder = args.path.is_dir();
    if args.wants_screen() {
        return look(args, is_folder, environment);
    }
    if is_folder {
        return list(args);
    }
    let mut archive = Archive::open(&args.path, Follow::No)?;
    match (args.print, &args.export) {
        (Some(step), _) => print(Page::new(&mut archive, step, args.layer)?)?,
        (None, Some(out)) => draw(args, &mut archive, out)?,
        (None, None) => print(format_args!("{:#}\n", serde_json::json!(Summary::of(&mut archive))))?,
    }
    if !args.json {
        tell_problems(archive.index(), loudness);
    }
    Ok(Exit::Done)
}

/// Shows a recording or a folder of them until somebody leaves.
fn look(args: &ReplayArgs, is_folder: bool, environment: &Environment) -> Result<Exit, Failure> {
    let depth = Depth::detect(|name| environment.get(name));
    let interrupt = Interrupt::of_process();
    let take = || Taken::take(environment.get("TERM").unwrap_or_default());
    let left = if is_folder {
        let paths = recordings(args)?;
        app::browse(paths, &mut take()?, depth, &interrupt)?
    } else {
        let archive = Archive::open(&args.path, Follow::Yes)?;
        app::replay(archive, &mut take()?, depth, &interrupt)?
    };
    Ok(match left {
        Left::Quit => Exit::Done,
        Left::Interrupted => Exit::Interrupted,
    })
}

/// What is wrong with the file and where, after what could be read of it.
fn tell_problems(index: &Index, loudness: Loudness) {
    for problem in &index.problems {
        loudness.notice(format_args!("warning: {problem}"));
    }
    if index.more_problems > 0 {
        loudness.notice(format_args!("warning: {} more lines are no entries", index.more_problems));
    }
    if let Some(problem) = index.ending_problem() {
        loudness.notice(format_args!("warning: {problem}"));
    }
}

/// The recordings of the folder, of which there is at least one.
fn recordings(args: &ReplayArgs) -> Result<Vec<PathBuf>, Failure> {
    let paths = folder::recordings(&args.path)
        .map_err(|error| Failure::from(error).context(format!("cannot read the folder {}", args.path.display())))?;
    if paths.is_empty() {
        return Err(Failure::new(format!("{} holds no recordings", args.path.display()))
            .hint("they are files that end in .jsonl or .jsonl.zst; `arc3 play` leaves them in recordings/"));
    }
    Ok(paths)
}

fn list(args: &ReplayArgs) -> Result<Exit, Failure> {
    let paths = recordings(args)?;
    if args.print.is_some() || args.export.is_some() {
        return Err(Failure::new("this is a folder, expected one recording").hint("name one of its files"));
    }
    let summaries: Vec<Summary> = paths.iter().map(|path| folder::summarize(path)).collect();
    print(format_args!("{:#}\n", serde_json::json!(summaries)))?;
    Ok(Exit::Done)
}

fn draw(args: &ReplayArgs, archive: &mut Archive, out: &Path) -> Result<(), Failure> {
    archive.wait();
    let target = target(args, out);
    let steps = match args.step {
        Some(step) => step..step + 1,
        None => args.range.unwrap_or_default().within(archive.index().marks.len()),
    };
    let manner = Manner { steps, scale: args.scale.into(), speed: args.speed };
    let mut bar = Bar::new(manner.steps.len());
    export(archive, &target, &manner, &mut || bar.step())?;
    bar.bar.finish_and_clear();
    print(format_args!("{}\n", out.display()))
}

/// The ending of the name decides what is made.
fn target(args: &ReplayArgs, out: &Path) -> Target {
    let ending = out.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    match (ending.as_deref(), args.step) {
        (Some("gif"), _) => Target::Gif(out.to_owned()),
        (Some("png"), Some(step)) => Target::Png(out.to_owned(), step),
        (Some("png"), None) => Target::Sheet(out.to_owned()),
        _ => Target::Folder(out.to_owned()),
    }
}

/// A bar that shows itself when the work takes longer than a person likes to wait without one.
struct Bar {
    bar: ProgressBar,
    started: Instant,
}

impl Bar {
    fn new(steps: usize) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{bar:40.cyan/dim} {pos}/{len} steps  {eta} left") {
            bar.set_style(style.progress_chars("━━─"));
        }
        Bar { bar, started: Instant::now() }
    }

    fn step(&mut self) {
        if self.bar.is_hidden() && self.started.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(1);
    }
}
