//! Reads a recording, whatever state it is in.

use std::{
    fmt,
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

use super::entry::{self, Entry};

/// Longest accepted line. A thousand layers of 64×64 cells, the most a game can show at once, are about 10 MB.
pub const LINE_LIMIT: u64 = 64 << 20;

/// How every zstd frame begins (RFC 8878, section 3.1.1).
pub const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// How a recording ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// As it should: after a whole line, and at the end of its zstd frame if it has one.
    Clean,
    /// After a whole line, in a zstd frame without an end: the writer was killed, no line is lost.
    Unfinished,
    /// Within a line, which is lost.
    Cut {
        /// Which line, from 1.
        line: u64,
        /// What is left of it.
        bytes: u64,
    },
    /// At an error that allows no further reading; it was the last item.
    Broken,
}

/// A recording that cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the recording {}: {source}", path.display())]
pub struct OpenError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// A part of a recording that is no entry.
#[derive(Debug, thiserror::Error)]
#[error("line {line} (at byte {offset}): {problem}")]
pub struct LineError {
    /// Which line, from 1.
    pub line: u64,
    /// Where it begins, in bytes of the unpacked text.
    pub offset: u64,
    /// What is wrong with it.
    pub problem: LineProblem,
}

/// What can be wrong with a line.
#[derive(Debug, thiserror::Error)]
pub enum LineProblem {
    /// It is no entry. Reading goes on.
    #[error("expected a JSON object with `timestamp` and `data`: {error}; it begins: {excerpt}")]
    NoEntry {
        /// What was found wrong, and where in the line.
        error: String,
        /// Its first bytes, escaped.
        excerpt: String,
    },
    /// It is longer than any line of a play can be. It is skipped, and reading goes on.
    #[error("longer than {LINE_LIMIT} bytes")]
    TooLong,
    /// The file or its compression is damaged. Nothing follows.
    #[error("unreadable from here on: {0}")]
    Io(#[from] io::Error),
}

/// The entries of a recording, one by one; memory holds one line.
pub struct Reader<R = Box<dyn BufRead + Send>> {
    source: R,
    limit: u64,
    buffer: Vec<u8>,
    line: u64,
    offset: u64,
    ending: Option<Ending>,
}

impl Reader {
    /// Opens a file, plain or zstd, which its first bytes tell.
    pub fn open(path: &Path) -> Result<Reader, OpenError> {
        let open = || Reader::unpacking(BufReader::new(File::open(path)?));
        open().map_err(|source| OpenError { path: path.to_owned(), source })
    }

    /// Reads from anything that holds a plain or zstd recording.
    pub fn unpacking(mut packed: impl BufRead + Send + 'static) -> io::Result<Reader> {
        let mut start = Vec::new();
        packed.by_ref().take(ZSTD_MAGIC.len() as u64).read_to_end(&mut start)?;
        let is_zstd = start == ZSTD_MAGIC;
        let packed = io::Cursor::new(start).chain(packed);
        if is_zstd {
            let unpacked = zstd::stream::read::Decoder::with_buffer(packed)?;
            // The buffer bounds what is lost before a damaged place: the decoder hands out nothing of a failed read.
            Ok(Reader::new(Box::new(BufReader::with_capacity(1 << 13, unpacked))))
        } else {
            Ok(Reader::new(Box::new(packed)))
        }
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads lines of text.
    pub fn new(source: R) -> Reader<R> {
        Reader::with_limit(source, LINE_LIMIT)
    }

    /// Reads lines of at most so many bytes.
    pub(super) fn with_limit(source: R, limit: u64) -> Reader<R> {
        Reader { source, limit, buffer: Vec::new(), line: 0, offset: 0, ending: None }
    }

    /// How the recording ended, once the iterator did.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Reads up to the next newline, or as far as possible.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.clear();
        self.source.by_ref().take(self.limit + 1).read_until(b'\n', &mut self.buffer).map(drop)
    }

    /// Passes over the rest of a line.
    fn skip_line(&mut self) -> io::Result<u64> {
        let mut skipped = 0;
        loop {
            let chunk = self.source.fill_buf()?;
            let newline = chunk.iter().position(|byte| *byte == b'\n');
            let length = newline.map_or(chunk.len(), |at| at + 1);
            self.source.consume(length);
            skipped += length as u64;
            if newline.is_some() || length == 0 {
                return Ok(skipped);
            }
        }
    }

    fn too_long(&mut self, offset: u64) -> LineError {
        let problem = match self.skip_line() {
            Ok(skipped) => {
                self.offset += skipped;
                LineProblem::TooLong
            }
            Err(error) => self.broken(error),
        };
        LineError { line: self.line, offset, problem }
    }

    fn broken(&mut self, error: io::Error) -> LineProblem {
        self.ending = Some(Ending::Broken);
        LineProblem::Io(error)
    }

    /// What a line without a newline at its end means. It is whole if it reads as an entry.
    fn last_line(&mut self, offset: u64, otherwise: Ending) -> Option<Entry> {
        let bytes = self.buffer.len() as u64;
        let entry = entry::parse(&self.buffer, self.line, offset).ok();
        let is_cut = entry.is_none() && !self.buffer.trim_ascii().is_empty();
        self.ending = Some(if is_cut { Ending::Cut { line: self.line, bytes } } else { otherwise });
        entry
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Entry, LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ending.is_none() {
            let filled = self.fill();
            let offset = self.offset;
            self.line += 1;
            self.offset += self.buffer.len() as u64;
            let line = self.line;
            match filled {
                Ok(()) if self.buffer.last() == Some(&b'\n') => {}
                Ok(()) if self.buffer.len() as u64 > self.limit => return Some(Err(self.too_long(offset))),
                Ok(()) => return self.last_line(offset, Ending::Clean).map(Ok),
                // A zstd frame without its end.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    return self.last_line(offset, Ending::Unfinished).map(Ok);
                }
                Err(error) => return Some(Err(LineError { line, offset, problem: self.broken(error) })),
            }
            if !self.buffer.trim_ascii().is_empty() {
                return Some(Entry::read(&self.buffer, line, offset));
            }
        }
        None
    }
}

impl<R> fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut reader = f.debug_struct("Reader");
        reader.field("line", &self.line).field("offset", &self.offset).field("ending", &self.ending);
        reader.finish_non_exhaustive()
    }
}
