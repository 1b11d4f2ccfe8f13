//! What is said besides the data: stderr and the log.

use std::{
    fmt, fs,
    io::{self, Write},
    panic::{self, PanicHookInfo},
    path::{Path, PathBuf},
};

use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::EnvFilter;

use crate::{
    cli::TalkArgs,
    events::{Bus, Listener, Log},
    exit::Failure,
    progress::{Detail, Progress},
    settings::Environment,
};

/// Where the log goes when nothing is said.
const LOG: &str = "logs/arc3.log";

/// What the log holds when nothing is said.
const FILTER: &str = "info";

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loudness {
    /// Errors alone.
    Quiet,
    /// Plays, levels and notices.
    Normal,
    /// Every action too.
    Verbose,
}

impl From<&TalkArgs> for Loudness {
    fn from(args: &TalkArgs) -> Loudness {
        match args {
            TalkArgs { quiet: true, .. } => Loudness::Quiet,
            TalkArgs { verbose: true, .. } => Loudness::Verbose,
            TalkArgs { .. } => Loudness::Normal,
        }
    }
}

impl Loudness {
    /// Says something a person may want to know.
    pub fn notice(self, text: impl fmt::Display) {
        tracing::info!("{text}");
        if self != Loudness::Quiet {
            say(text);
        }
    }

    /// Who follows the plays of a run.
    pub fn bus(self) -> Bus {
        let mut listeners: Vec<Box<dyn Listener>> = vec![Box::new(Log)];
        match self {
            Loudness::Quiet => {}
            Loudness::Normal => listeners.push(Box::new(Progress::new(Detail::Normal))),
            Loudness::Verbose => listeners.push(Box::new(Progress::new(Detail::Every))),
        }
        Bus::new(listeners)
    }
}

/// Writes a line to stderr, however loud.
pub fn say(text: impl fmt::Display) {
    // When stderr is closed there is nobody left to tell.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Writes data to stdout.
///
/// # Errors
/// When stdout is closed before everything is written, as `arc3 … | head` does, or full.
pub fn print(data: impl fmt::Display) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = write!(out, "{data}").and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(|error| Failure::from(error).context("cannot write to stdout")),
    }
}

/// Starts the log. It ends, complete, when the guard is dropped.
///
/// Panics go there too: a person gets an error, not a backtrace. Where the log cannot be written, a named file is an
/// error and the default one is done without.
pub fn start_log(args: &TalkArgs, environment: &Environment) -> Result<Option<WorkerGuard>, Failure> {
    panic::set_hook(Box::new(log_panic));
    let path = args.log.clone().unwrap_or_else(|| PathBuf::from(LOG));
    let file = match (open(&path), &args.log) {
        (Ok(file), _) => file,
        (Err(_), None) => return Ok(None),
        (Err(error), Some(_)) => {
            return Err(Failure::from(error).context(format!("cannot write the log {}", path.display())));
        }
    };
    let filter = environment.get("ARC3_LOG").unwrap_or(FILTER);
    let filter = EnvFilter::try_new(filter).map_err(|error| {
        Failure::from(error)
            .context(format!("ARC3_LOG is '{filter}'"))
            .hint("expected a level such as debug, or levels by module such as info,agent=trace")
    })?;
    let (writer, guard) = tracing_appender::non_blocking(file);
    // A second subscriber in one process, as in tests, keeps the first.
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(writer).try_init();
    Ok(Some(guard))
}

fn open(path: &Path) -> io::Result<fs::File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::OpenOptions::new().create(true).append(true).open(path)
}

fn log_panic(info: &PanicHookInfo<'_>) {
    tracing::error!(%info, backtrace = %std::backtrace::Backtrace::capture(), "panic");
}
