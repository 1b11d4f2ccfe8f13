//! `arc3 replay`

use std::{
    path::Path,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{
    cli::ReplayArgs,
    exit::{Exit, Failure},
    replay::{
        Archive, Follow, Index, Summary,
        export::{Manner, Target, export},
        folder,
        print::Page,
    },
    table::{Align, Table, percent},
    talk::{Loudness, print},
};

/// Work that is done sooner needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

pub(super) fn run(args: &ReplayArgs, loudness: Loudness) -> Result<Exit, Failure> {
    if args.path.is_dir() {
        return list(args);
    }
    let mut archive = Archive::open(&args.path, Follow::No)?;
    match (args.print, &args.export) {
        (Some(step), _) => print(Page::new(&mut archive, step, args.layer)?)?,
        (None, Some(out)) => draw(args, &mut archive, out)?,
        (None, None) if args.json => print(format_args!("{:#}\n", serde_json::json!(Summary::of(&mut archive))))?,
        (None, None) => print(Summary::of(&mut archive))?,
    }
    if !args.json {
        tell_problems(archive.index(), loudness);
    }
    Ok(Exit::Done)
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

fn list(args: &ReplayArgs) -> Result<Exit, Failure> {
    let paths = folder::recordings(&args.path)
        .map_err(|error| Failure::from(error).context(format!("cannot read the folder {}", args.path.display())))?;
    if paths.is_empty() {
        return Err(Failure::new(format!("{} holds no recordings", args.path.display()))
            .hint("they are files that end in .jsonl or .jsonl.zst; `arc3 play` leaves them in recordings/"));
    }
    if args.print.is_some() || args.export.is_some() {
        return Err(Failure::new("this is a folder, expected one recording").hint("name one of its files"));
    }
    let summaries: Vec<Summary> = paths.iter().map(|path| folder::summarize(path)).collect();
    if args.json {
        print(format_args!("{:#}\n", serde_json::json!(summaries)))?;
    } else {
        print(table(&summaries))?;
    }
    Ok(Exit::Done)
}

fn table(summaries: &[Summary]) -> Table {
    use Align::{Left, Right};
    let columns = [("game", Left), ("policy", Left), ("levels", Right), ("actions", Right), ("score %", Right)];
    let mut table = Table::new(&[&columns[..], &[("started", Left), ("file", Left)]].concat());
    for summary in summaries {
        let unknown = || "?".to_owned();
        table.row([
            summary.game.clone().unwrap_or_else(unknown),
            summary.policy.clone().unwrap_or_else(unknown),
            summary.levels(),
            summary.actions.to_string(),
            summary.score.map_or_else(unknown, percent),
            summary.started.map_or_else(unknown, |at| at.strftime("%Y-%m-%d %H:%M").to_string()),
            summary.file.clone(),
        ]);
    }
    table
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
