//! Writes a recording.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use zstd::stream::write::Encoder;

use super::{
    RecordingName,
    line::{self, Unknown},
};
use crate::{Command, GameId, Observation, PlayId, wire::ActionInput};

/// Level 1 packs a typical play to a few percent; higher levels gain little on frames that hardly change.
const ZSTD_LEVEL: i32 = 1;

/// How lines are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// As they are.
    #[default]
    Plain,
    /// In one zstd frame, one block a line.
    Zstd,
}

/// What a recording is written to.
pub trait Medium: Write {
    /// Takes away everything after the first `length` bytes.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

impl Medium for File {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

/// A recording that cannot be written (any further).
#[derive(Debug, thiserror::Error)]
#[error("cannot record to {}: {source} (lines kept: {lines})", path.display())]
pub struct RecordError {
    /// The file.
    pub path: PathBuf,
    /// Lines that are safe in it.
    pub lines: u64,
    /// What the system says.
    pub source: io::Error,
}

/// The recording of one play while it is written.
pub struct Recorder<M: Medium = File> {
    path: PathBuf,
    lines: u64,
    buffer: Vec<u8>,
    /// Gone once a write has failed.
    sink: Option<Sink<M>>,
}

impl Recorder {
    /// Creates the file and its folders. An existing file is never touched.
    pub fn create(folder: &Path, name: &RecordingName, compression: Compression) -> Result<Recorder, RecordError> {
        let path = folder.join(name.path(compression));
        let parents = path.parent().map_or(Ok(()), fs::create_dir_all);
        match parents.and_then(|()| File::create_new(&path)) {
            Ok(file) => Recorder::over(file, path, compression),
            Err(source) => Err(RecordError { path, lines: 0, source }),
        }
    }

    /// Ends the recording, so that a reader finds it clean.
    pub fn finish(mut self) -> Result<PathBuf, RecordError> {
        let finished = match self.sink.take() {
            Some(sink) => sink.finish().map(drop),
            None => Err(stopped()),
        };
        match finished {
            Ok(()) => Ok(self.path),
            Err(source) => Err(RecordError { path: self.path, lines: self.lines, source }),
        }
    }
}

impl<M: Medium> Recorder<M> {
    /// A recording on any medium, which is empty; `path` is for errors.
    pub fn over(medium: M, path: PathBuf, compression: Compression) -> Result<Recorder<M>, RecordError> {
        match Sink::new(medium, compression) {
            Ok(sink) => Ok(Recorder { path, lines: 0, buffer: Vec::new(), sink: Some(sink) }),
            Err(source) => Err(RecordError { path, lines: 0, source }),
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Lines written.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Writes what was seen after a command. The line outlives this process once the call returns.
    pub fn record(
        &mut self,
        command: Command,
        reasoning: Option<&Value>,
        observation: &Observation,
    ) -> Result<(), RecordError> {
        self.write(|out| line::seen(out, Timestamp::now(), command, reasoning, observation))
    }

    /// Writes that the outcome of a command is unknown, and why.
    pub fn record_unknown(
        &mut self,
        game: &GameId,
        play: &PlayId,
        command: Command,
        reasoning: Option<&Value>,
        cause: &str,
    ) -> Result<(), RecordError> {
        let (game_id, guid) = (game.as_str(), play.as_str());
        let command = ActionInput::new(command, reasoning.cloned());
        self.note(&Unknown { game_id, guid, outcome: "unknown", command, cause })
    }

    /// Writes anything else that belongs to the play, such as the game's part of the closed scorecard.
    pub fn note(&mut self, data: &impl Serialize) -> Result<(), RecordError> {
        self.write(|out| line::note(out, Timestamp::now(), data))
    }

    fn write(&mut self, compose: impl FnOnce(&mut Vec<u8>)) -> Result<(), RecordError> {
        self.buffer.clear();
        compose(&mut self.buffer);
        let written = self.sink.as_mut().map_or_else(|| Err(stopped()), |sink| sink.append(&self.buffer));
        match written {
            Ok(()) => {
                self.lines += 1;
                Ok(())
            }
            Err(source) => {
                self.sink = None;
                Err(RecordError { path: self.path.clone(), lines: self.lines, source })
            }
        }
    }
}

impl<M: Medium> fmt::Debug for Recorder<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").field("path", &self.path).field("lines", &self.lines).finish_non_exhaustive()
    }
}

fn stopped() -> io::Error {
    io::Error::other("the recording stopped at an earlier error")
}

/// Whole lines on their way to a medium.
struct Sink<M: Medium> {
    /// Up to the last whole line.
    length: u64,
    stream: Stream<M>,
}

enum Stream<M: Medium> {
    Plain(Counted<M>),
    Zstd(Box<Encoder<'static, Counted<M>>>),
}

impl<M: Medium> Sink<M> {
    fn new(medium: M, compression: Compression) -> io::Result<Sink<M>> {
        let counted = Counted { medium, length: 0 };
        let stream = match compression {
            Compression::Plain => Stream::Plain(counted),
            Compression::Zstd => Stream::Zstd(Encoder::new(counted, ZSTD_LEVEL)?.into()),
        };
        Ok(Sink { length: 0, stream })
    }

    /// Appends a line as a whole or not at all.
    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        let written = match &mut self.stream {
            Stream::Plain(plain) => plain.write_all(line).and_then(|()| plain.flush()),
            Stream::Zstd(encoder) => encoder.write_all(line).and_then(|()| encoder.flush()),
        };
        match written {
            Ok(()) => self.length = self.counted().length,
            Err(_) => self.cut_back(),
        }
        written
    }

    /// Ends the zstd frame, if there is one.
    fn finish(self) -> io::Result<M> {
        match self.stream {
            Stream::Plain(plain) => Ok(plain.medium),
            Stream::Zstd(encoder) => Ok(encoder.finish()?.medium),
        }
    }

    /// Takes the broken line off the end. A medium that cannot be cut keeps it, which readers survive.
    fn cut_back(&mut self) {
        let length = self.length;
        if let Err(error) = self.counted().medium.cut(length) {
            tracing::warn!(%error, "the recording ends in a broken line");
        }
    }

    fn counted(&mut self) -> &mut Counted<M> {
        match &mut self.stream {
            Stream::Plain(plain) => plain,
            Stream::Zstd(encoder) => encoder.get_mut(),
        }
    }
}

/// Counts what reaches the medium.
struct Counted<M> {
    medium: M,
    length: u64,
}

impl<M: Write> Write for Counted<M> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.medium.write(bytes)?;
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.medium.flush()
    }
}
