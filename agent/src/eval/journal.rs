//! What a run has achieved so far, line by line on disk.
//!
//! It lies beside the result as `NAME.journal.jsonl` and goes when the result is written whole. Its first line says what
//! is being evaluated; a run that finds a journal of another evaluation refuses to go on.

use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use env_client::CardId;
use serde::{Deserialize, Serialize};

use super::{ClosedCard, Pair, Record, Settings};

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// The first one: what is being evaluated.
    Begin {
        /// Version of the code.
        version: String,
        /// What is evaluated.
        settings: Settings,
        /// Which part.
        shard: Option<String>,
    },
    /// A scorecard was opened.
    Opened {
        /// The seed it is for.
        seed: u64,
        /// Its id.
        card: CardId,
    },
    /// A play ended.
    Play(Record),
    /// A scorecard was closed.
    Closed(ClosedCard),
}

/// A journal that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("the journal {}: {source}", path.display())]
    Io {
        /// Its file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A line, not the last, that is none.
    #[error("the journal {}, line {line}: {source}", path.display())]
    Line {
        /// Its file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// It belongs to another evaluation.
    #[error("the journal {} is of another evaluation: {what} there {found}, here {expected}", path.display())]
    Mismatch {
        /// Its file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// There.
        found: String,
        /// Here.
        expected: String,
    },
}

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    records: Vec<Record>,
    opened: Vec<(u64, CardId)>,
    closed: Vec<ClosedCard>,
}

impl Journal {
    /// The journal of a result: a new one, or the one that a stopped run of the same evaluation left.
    pub fn open(out: &Path, settings: &Settings, shard: Option<&str>) -> Result<Journal, JournalError> {
        let path = out.with_extension("journal.jsonl");
        let (mut lines, mut length) = read(&path)?;
        if !lines.iter().any(|line| matches!(line, Line::Play(_))) {
            // A run that achieved nothing binds nobody.
            (lines, length) = (Vec::new(), 0);
        }
        let io = |source| JournalError::Io { path: path.clone(), source };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.map_or(Ok(()), fs::create_dir_all).map_err(io)?;
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(io)?;
        // A line that a crash cut short is taken away.
        file.set_len(length).map_err(io)?;
        let mut journal = Journal { path, file, records: Vec::new(), opened: Vec::new(), closed: Vec::new() };
        let version = crate::VERSION.to_owned();
        let begin = Line::Begin { version, settings: settings.clone(), shard: shard.map(str::to_owned) };
        let mut lines = lines.into_iter();
        match lines.next() {
            Some(first) => journal.check(&first, &begin)?,
            None => journal.append(begin)?,
        }
        lines.for_each(|line| journal.keep(line));
        Ok(journal)
    }

    fn check(&self, found: &Line, expected: &Line) -> Result<(), JournalError> {
        if found == expected {
            return Ok(());
        }
        let (found, expected) = (differences(found), differences(expected));
        let differs = found.into_iter().zip(expected).find(|(there, here)| there.1 != here.1);
        let ((what, found), (_, expected)) = differs.unwrap_or_default();
        Err(JournalError::Mismatch { path: self.path.clone(), what, found, expected })
    }

    /// Writes a line; it outlives this process once the call returns.
    pub fn append(&mut self, line: Line) -> Result<(), JournalError> {
        let io = |source| JournalError::Io { path: self.path.clone(), source };
        let mut text = serde_json::to_string(&line).map_err(|error| io(error.into()))?;
        text.push('\n');
        self.file.write_all(text.as_bytes()).map_err(io)?;
        self.keep(line);
        Ok(())
    }

    fn keep(&mut self, line: Line) {
        match line {
            Line::Begin { .. } => {}
            Line::Opened { seed, card } => self.opened.push((seed, card)),
            Line::Closed(closed) => self.closed.push(closed),
            Line::Play(record) => {
                // A play that was cut short is played again; the newer record counts.
                self.records.retain(|known| known.pair() != record.pair());
                self.records.push(record);
            }
        }
    }

    /// The plays that need not be played again.
    pub fn finished(&self) -> BTreeSet<Pair> {
        self.records.iter().filter(|record| record.stop.is_regular()).map(Record::pair).collect()
    }

    /// Scorecards that a stopped run left open.
    pub fn left_open(&self) -> Vec<(u64, CardId)> {
        let is_closed = |card: &CardId| self.closed.iter().any(|it| it.scorecard.card_id == card.as_str());
        self.opened.iter().filter(|(_, card)| !is_closed(card)).cloned().collect()
    }

    /// What it holds.
    pub fn contents(&self) -> (Vec<Record>, Vec<ClosedCard>) {
        (self.records.clone(), self.closed.clone())
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes it away: the result holds everything.
    pub fn remove(self) -> Result<(), JournalError> {
        fs::remove_file(&self.path).map_err(|source| JournalError::Io { path: self.path, source })
    }
}

/// The whole lines of a journal, and where they end. Without a file there are none.
fn read(path: &Path) -> Result<(Vec<Line>, u64), JournalError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        Err(source) => return Err(JournalError::Io { path: path.to_owned(), source }),
    };
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let lines = text[..whole].lines().zip(1..).map(|(text, line)| {
        serde_json::from_str(text).map_err(|source| JournalError::Line { path: path.to_owned(), line, source })
    });
    Ok((lines.collect::<Result<_, _>>()?, whole as u64))
}

/// What a first line says, by name.
fn differences(line: &Line) -> Vec<(&'static str, String)> {
    let Line::Begin { version, settings, shard } = line else {
        return vec![("first line", "is no beginning".to_owned())];
    };
    vec![
        ("version", version.clone()),
        ("policy", settings.policy.clone()),
        ("service", settings.service.clone()),
        ("games", settings.games.join(",")),
        ("seeds", settings.seeds.to_string()),
        ("budgets", settings.budgets.to_string()),
        ("part", shard.clone().unwrap_or_else(|| "the whole".to_owned())),
    ]
}
