//! Recordings played past all contestants, several at a time.

use std::{
    path::{Path, PathBuf},
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc::{Sender, channel},
    },
    thread,
};

use env_client::recording::{Ending, OpenError};
use world_model::{
    ExactMemory, Rules,
    eval::{Contestant, Report, Shared, baselines, evaluate},
    net::{ModelError, Net},
    play::{Event, Play},
};

/// What is told while recordings are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// So many more transitions were seen.
    Transitions(usize),
    /// Something in a recording cannot be read.
    Fault(String),
    /// A recording is through.
    Done,
}

/// How the contestants did on one recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The file.
    pub path: PathBuf,
    /// The game, as the recording names it.
    pub game: String,
    /// How they did.
    pub report: Report,
}

/// A recording that cannot be tried.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// It cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// There is no net for it.
    #[error("a net cannot be copied")]
    Net(#[from] ModelError),
}

/// Where all chance in a net's learning comes from.
pub const SEED: u64 = 0;

/// Every model that is judged: the baselines, the sources alone, and all together, without a net and with each.
fn contestants(nets: &[Net]) -> Result<Vec<Contestant>, ModelError> {
    let mut alone = vec![
        Contestant::new("copy last", baselines::copy_last()),
        Contestant::new("cache", baselines::cache()),
        Contestant::new("7x7 patches", baselines::patches()),
        Contestant::new("frequent edit", baselines::frequent_edit()),
        Contestant::new("rules, shuffled", baselines::Shuffled::new(Rules::new())),
        Contestant::new("memory", ExactMemory::new()),
        Contestant::new("rules", Rules::new()),
    ];
    let mut together = vec![Contestant::new("together", super::together())];
    for (net, name) in nets.iter().zip(names(nets)) {
        let net = Shared::new(net.afresh(SEED)?);
        alone.push(Contestant::new(name.as_str(), net.listener()));
        together.push(Contestant::new(format!("together, {name}"), super::together().with_net(net)));
    }
    alone.extend(together);
    Ok(alone)
}

/// The kind of each net, and which one of them it is where there are several.
fn names(nets: &[Net]) -> Vec<String> {
    let kinds: Vec<&str> = nets.iter().map(Net::name).collect();
    let count = |kinds: &[&str], kind: &str| kinds.iter().filter(|other| **other == kind).count();
    let name = |(at, kind): (usize, &&str)| match count(&kinds, kind) {
        1 => (*kind).to_owned(),
        _ => format!("{kind} {}", 1 + count(&kinds[..at], kind)),
    };
    kinds.iter().enumerate().map(name).collect()
}

/// How often transitions are told, in transitions.
const TELL_EVERY: usize = 16;

/// Plays every recording, at most `limit` transitions of each, on all processors. In the order of `paths`. Every net
/// begins each of them anew.
pub fn run(
    paths: &[PathBuf],
    pretrained: &[Net],
    limit: Option<usize>,
    hear: &mut dyn FnMut(News),
) -> Vec<Result<Trial, TrialError>> {
    let next = AtomicUsize::new(0);
    let (sender, news) = channel();
    let workers = thread::available_parallelism().map_or(1, usize::from).min(paths.len());
    let mut trials: Vec<(usize, Result<Trial, TrialError>)> = thread::scope(|scope| {
        let work = |sender: Sender<News>| {
            let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < paths.len());
            let mut done = Vec::new();
            while let Some(number) = take() {
                done.push((number, one(&paths[number], pretrained, limit, &sender)));
                // Nobody may be listening any more, which is fine.
                let _ = sender.send(News::Done);
            }
            done
        };
        let senders: Vec<Sender<News>> = (0..workers).map(|_| sender.clone()).collect();
        drop(sender);
        let workers: Vec<_> = senders.into_iter().map(|sender| scope.spawn(move || work(sender))).collect();
        news.iter().for_each(hear);
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    trials.sort_by_key(|(number, _)| *number);
    trials.into_iter().map(|(_, trial)| trial).collect()
}

fn one(path: &Path, pretrained: &[Net], limit: Option<usize>, news: &Sender<News>) -> Result<Trial, TrialError> {
    let mut play = Play::open(path)?;
    let mut told = 0;
    let mut tell = |seen: usize| {
        if seen >= told + TELL_EVERY {
            let _ = news.send(News::Transitions(seen - told));
            told = seen;
        }
    };
    let events = Limited { events: readable(&mut play, path, news), left: limit };
    let report = evaluate(events, contestants(pretrained)?, &mut tell);
    if let Some(Ending::Cut { line, .. }) = play.ending() {
        let _ = news.send(News::Fault(format!("{}: line {line} is cut off", path.display())));
    }
    let game = play.game().map_or_else(|| path.display().to_string(), ToString::to_string);
    Ok(Trial { path: path.to_owned(), game, report })
}

/// The events of a recording; lines that cannot be read are told and count as gaps.
fn readable<'a>(play: &'a mut Play, path: &'a Path, news: &'a Sender<News>) -> impl Iterator<Item = Event> + 'a {
    play.filter_map(move |event| {
        event.map_err(|error| news.send(News::Fault(format!("{}: {error}", path.display())))).ok()
    })
}

/// Events up to so many transitions.
struct Limited<E> {
    events: E,
    left: Option<usize>,
}

impl<E: Iterator<Item = Event>> Iterator for Limited<E> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let event = self.events.next().filter(|_| self.left != Some(0))?;
        if let (Event::Acted(_), Some(left)) = (&event, &mut self.left) {
            *left -= 1;
        }
        Some(event)
    }
}
