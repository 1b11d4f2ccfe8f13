//! The thread that reads a recording from its beginning and reports what it finds.

use std::{
    fs::File,
    io::{self, Read, Write},
    sync::{Arc, mpsc::SyncSender},
    thread,
    time::Duration,
};

use zstd::stream::write::Decoder;

use super::{index::Index, scan::Scanner, text::Text};

/// Bytes read at a time: some hundred lines, a millisecond of work.
const CHUNK: usize = 1 << 20;

/// Packed bytes read at a time; they unpack to ten or a hundred times as many.
const PACKED_CHUNK: usize = 1 << 14;

/// How often a recording that may be growing is looked at.
const PAUSE: Duration = Duration::from_millis(50);

/// Whether to stay at the end of a file and read what is added to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// Read what is there.
    No,
    /// Read what is there and what will come.
    Yes,
}

/// What is read, and where the text of it is kept for later.
pub(super) struct Feed {
    pub(super) file: File,
    pub(super) intake: Intake,
    pub(super) text: Arc<Text>,
    pub(super) follow: Follow,
    pub(super) reports: SyncSender<Index>,
}

/// How bytes of the file become lines.
pub(super) enum Intake {
    Plain(Box<Scanner>),
    Packed(Box<Decoder<'static, Unpacked>>),
}

/// Keeps what comes out of the unpacking, and reads it.
pub(super) struct Unpacked {
    text: Arc<Text>,
    scanner: Scanner,
}

impl Write for Unpacked {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.append(bytes)?;
        self.scanner.feed(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Intake {
    pub(super) fn plain() -> Intake {
        Intake::Plain(Box::default())
    }

    pub(super) fn packed(text: Arc<Text>) -> io::Result<Intake> {
        let unpacked = Unpacked { text, scanner: Scanner::default() };
        Ok(Intake::Packed(Box::new(Decoder::new(unpacked)?)))
    }

    fn scanner(&mut self) -> &mut Scanner {
        match self {
            Intake::Plain(scanner) => scanner,
            Intake::Packed(decoder) => &mut decoder.get_mut().scanner,
        }
    }

    fn take(&mut self, chunk: &[u8]) -> io::Result<()> {
        match self {
            Intake::Plain(scanner) => scanner.feed(chunk),
            Intake::Packed(decoder) => {
                decoder.write_all(chunk)?;
                decoder.flush()?;
            }
        }
        Ok(())
    }

    const fn chunk(&self) -> usize {
        match self {
            Intake::Plain(_) => CHUNK,
            Intake::Packed(_) => PACKED_CHUNK,
        }
    }
}

impl Feed {
    /// Reads to the end, or for as long as somebody is interested.
    pub(super) fn run(mut self) {
        let mut buffer = vec![0; self.intake.chunk()];
        let mut read = 0;
        let mut paused = false;
        while self.is_wanted() {
            match self.file.read(&mut buffer) {
                Ok(0) if paused => thread::sleep(PAUSE),
                Ok(0) => {
                    paused = true;
                    self.intake.scanner().pause();
                    if !self.report(read) || self.follow == Follow::No {
                        return;
                    }
                }
                Ok(count) => {
                    paused = false;
                    read += count as u64;
                    if !self.step(&buffer[..count], read) {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return self.fail(error, read),
            }
        }
    }

    /// Nobody else holds the text once the recording is put away.
    fn is_wanted(&self) -> bool {
        let own = if matches!(self.intake, Intake::Packed(_)) { 2 } else { 1 };
        Arc::strong_count(&self.text) > own
    }

    /// Whether to go on.
    fn step(&mut self, chunk: &[u8], read: u64) -> bool {
        match self.intake.take(chunk) {
            Ok(()) => self.report(read),
            Err(error) => {
                self.fail(error, read);
                false
            }
        }
    }

    fn fail(&mut self, error: io::Error, read: u64) {
        self.intake.scanner().fail(error);
        self.report(read);
    }

    /// Whether anybody is listening.
    fn report(&mut self, read: u64) -> bool {
        let all = self.file.metadata().map_or(read, |about| about.len());
        self.reports.send(self.intake.scanner().found((read, all.max(read)))).is_ok()
    }
}
