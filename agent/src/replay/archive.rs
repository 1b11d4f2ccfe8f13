//! A recording that is open: its index, which grows in the background, and any of its entries at once.

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, Read, Seek},
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{Receiver, TryRecvError, sync_channel},
    },
    thread,
};

use env_client::{
    Grid,
    recording::{Entry, Event, LineError, OpenError, ZSTD_MAGIC},
};

use super::{
    feed::{Feed, Follow, Intake},
    index::{Index, Mark},
    skim,
    text::Text,
    thought::Thought,
};

/// Entries kept after they were read: the one that is shown, those around it, and a few that were.
const KEPT: usize = 8;

/// Reports that may wait to be taken in; the reading waits beyond that.
const REPORTS: usize = 256;

/// A step that cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum EntryError {
    /// There is no such step.
    #[error("there is no step {step}, {}", last.map_or("the recording has none".to_owned(), |last| format!("expected 0 to {last}")))]
    NoStep {
        /// Which one was asked for.
        step: usize,
        /// The last one there is.
        last: Option<usize>,
    },
    /// The file cannot be read.
    #[error("cannot read line {line} again: {source}")]
    Read {
        /// The line, from 1.
        line: u32,
        /// What the system says.
        source: io::Error,
    },
    /// The line is not what it was when the recording was opened.
    #[error(transparent)]
    Line(#[from] LineError),
}

/// An open recording.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    index: Index,
    text: Arc<Text>,
    reports: Receiver<Index>,
    recent: VecDeque<(usize, Arc<Entry>)>,
    line: Vec<u8>,
    outline: Vec<u8>,
}

impl Archive {
    /// Opens a file, plain or zstd, which its first bytes tell, and begins to read it in the background.
    ///
    /// # Errors
    /// It cannot be opened, or there is no room for what it unpacks to.
    pub fn open(path: &Path, follow: Follow) -> Result<Archive, OpenError> {
        Self::start(path, follow).map_err(|source| OpenError { path: path.to_owned(), source })
    }

    fn start(path: &Path, follow: Follow) -> io::Result<Archive> {
        let mut file = File::open(path)?;
        let mut start = Vec::new();
        file.by_ref().take(ZSTD_MAGIC.len() as u64).read_to_end(&mut start)?;
        file.rewind()?;
        let (text, intake) = if start == ZSTD_MAGIC {
            let text = Arc::new(Text::temporary()?);
            (text.clone(), Intake::packed(text)?)
        } else {
            (Arc::new(Text::open(path)?), Intake::plain())
        };
        let (sender, reports) = sync_channel(REPORTS);
        let feed = Feed { file, intake, text: text.clone(), follow, reports: sender };
        thread::Builder::new().name("index".to_owned()).spawn(move || feed.run())?;
        Ok(Archive {
            path: path.to_owned(),
            index: Index::default(),
            text,
            reports,
            recent: VecDeque::new(),
            line: Vec::new(),
            outline: Vec::new(),
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is known by now.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Takes in what was found in the background since; whether that was anything.
    pub fn pull(&mut self) -> bool {
        let mut any = false;
        loop {
            match self.reports.try_recv() {
                Ok(found) => self.index.take(found),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => return any,
            }
            any = true;
        }
    }

    /// Waits until `step` is known or the end is reached.
    pub fn wait_for(&mut self, step: usize) {
        while self.index.marks.len() <= step && self.index.ending.is_none() {
            let Ok(found) = self.reports.recv() else { return };
            self.index.take(found);
        }
    }

    /// Waits until the end is reached.
    pub fn wait(&mut self) {
        self.wait_for(usize::MAX);
    }

    /// What happened at a step.
    ///
    /// # Errors
    /// There is no such step, or its line cannot be read (any more).
    pub fn entry(&mut self, step: usize) -> Result<Arc<Entry>, EntryError> {
        if let Some((_, entry)) = self.recent.iter().find(|(at, _)| *at == step) {
            return Ok(entry.clone());
        }
        let mark = self.index.marks.get(step);
        let mark = *mark.ok_or(EntryError::NoStep { step, last: self.index.last_step() })?;
        let entry = Arc::new(self.read(&mark)?);
        self.recent.truncate(KEPT - 1);
        self.recent.push_front((step, entry.clone()));
        Ok(entry)
    }

    fn read(&self, mark: &Mark) -> Result<Entry, EntryError> {
        let mut line = vec![0; mark.length as usize];
        let read = self.text.read_at(mark.offset, &mut line);
        let read = read.map_err(|source| EntryError::Read { line: mark.line, source })?;
        Ok(Entry::read(&line[..read], mark.line.into(), mark.offset)?)
    }

    /// The thought behind a step, found without building its grids.
    pub fn thought(&mut self, step: usize) -> Option<Thought> {
        let mark = self.index.marks.get(step)?;
        self.line.resize(mark.length as usize, 0);
        let read = self.text.read_at(mark.offset, &mut self.line).ok()?;
        skim::outline(&self.line[..read], &mut self.outline);
        let entry = Entry::read(&self.outline, mark.line.into(), mark.offset).ok()?;
        Some(thought(&entry))
    }

    /// What stood still before `step`: the last picture of the newest step before it that shows one.
    pub fn settled_before(&mut self, step: usize) -> Option<Grid> {
        let before = (0..step).rev().take(BACK).find(|step| self.index.marks.get(*step).is_some_and(shows))?;
        let entry = self.entry(before).ok()?;
        layers(&entry).last().cloned()
    }
}

/// Steps without a picture that are passed over to find one.
const BACK: usize = 1000;

fn shows(mark: &Mark) -> bool {
    mark.layers > 0
}

/// The grids of an entry.
pub fn layers(entry: &Entry) -> &[Grid] {
    match &entry.event {
        Event::Seen { observation, .. } => &observation.layers,
        Event::Unknown(_) | Event::Note(_) => &[],
    }
}

/// The thought behind an entry.
pub fn thought(entry: &Entry) -> Thought {
    match &entry.event {
        Event::Seen { input, .. } => Thought::read(input.reasoning.as_ref()),
        Event::Unknown(unknown) => Thought::read(unknown.command.reasoning.as_ref()),
        Event::Note(_) => Thought::default(),
    }
}
