//! The unpacked text of a recording, as a file that several readers share.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
    sync::{Mutex, PoisonError},
};

/// Bytes by place: the recording itself, or a file without a name that holds what a packed one unpacks to.
#[derive(Debug)]
pub(super) struct Text(Mutex<File>);

impl Text {
    pub(super) fn open(path: &Path) -> io::Result<Text> {
        File::open(path).map(|file| Text(Mutex::new(file)))
    }

    /// An empty text in the folder for temporary files. It vanishes with this process.
    pub(super) fn temporary() -> io::Result<Text> {
        tempfile::tempfile().map(|file| Text(Mutex::new(file)))
    }

    /// Reads at `offset` until `buffer` is full or the text ends, and says how much.
    pub(super) fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset))?;
        let mut filled = 0;
        while filled < buffer.len() {
            match file.read(&mut buffer[filled..])? {
                0 => break,
                count => filled += count,
            }
        }
        Ok(filled)
    }

    /// Adds to the end.
    pub(super) fn append(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::End(0))?;
        file.write_all(bytes)
    }
}
