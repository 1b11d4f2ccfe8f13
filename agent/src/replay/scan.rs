//! Makes an index of a text as it comes in.

use env_client::recording::{Ending, Entry, Event, LINE_LIMIT, LineProblem};

use super::{
    index::{Index, Mark, Problem},
    skim,
};

/// Splits text into lines and keeps what they say in short. Memory holds one line at most.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    /// What was found since it was last handed over.
    found: Index,
    /// The step before.
    last: Option<Mark>,
    /// The part of a line whose end has not come.
    rest: Vec<u8>,
    /// Lines before the one being read.
    lines: u64,
    /// Where that line begins.
    offset: u64,
    /// Whether that line is too long, and how much of it was passed over.
    skipped: Option<u64>,
    outline: Vec<u8>,
}

impl Scanner {
    /// Number of the line being read, from 1.
    const fn line(&self) -> u64 {
        self.lines + 1
    }

    /// Takes in what follows.
    pub(super) fn feed(&mut self, mut chunk: &[u8]) {
        self.found.ending = None;
        while let Some(newline) = memchr::memchr(b'\n', chunk) {
            let (line, after) = chunk.split_at(newline + 1);
            self.end_line(line);
            chunk = after;
        }
        self.keep(chunk);
    }

    fn keep(&mut self, part: &[u8]) {
        match &mut self.skipped {
            Some(skipped) => *skipped += part.len() as u64,
            None if (self.rest.len() + part.len()) as u64 > LINE_LIMIT => {
                self.skipped = Some((self.rest.len() + part.len()) as u64);
                self.rest = Vec::new();
                self.problem(&LineProblem::TooLong);
            }
            None => self.rest.extend_from_slice(part),
        }
    }

    fn end_line(&mut self, end: &[u8]) {
        let mut length = end.len() as u64;
        if let Some(skipped) = self.skipped.take() {
            length += skipped;
        } else if self.rest.is_empty() {
            self.read(end);
        } else {
            let mut line = std::mem::take(&mut self.rest);
            line.extend_from_slice(end);
            length = line.len() as u64;
            self.read(&line);
            line.clear();
            self.rest = line;
        }
        self.offset += length;
        self.lines += 1;
    }

    /// The text is over, at least for now. A line without a newline counts if it reads as an entry.
    pub(super) fn pause(&mut self) {
        let bytes = self.rest.len() as u64 + self.skipped.unwrap_or_default();
        self.found.ending = Some(Ending::Cut { line: self.line(), bytes });
        if self.skipped.is_none() && (self.rest.trim_ascii().is_empty() || self.whole_rest()) {
            self.found.ending = Some(Ending::Clean);
        }
    }

    fn whole_rest(&mut self) -> bool {
        let Ok(entry) = Entry::read(&self.rest, self.line(), self.offset) else { return false };
        let line = std::mem::take(&mut self.rest);
        self.add(&entry, line.len());
        self.offset += line.len() as u64;
        true
    }

    /// Nothing more can be read.
    pub(super) fn fail(&mut self, error: std::io::Error) {
        self.problem(&LineProblem::Io(error));
        self.found.ending = Some(Ending::Broken);
    }

    /// Hands over what was found since the last time.
    pub(super) fn found(&mut self, progress: (u64, u64)) -> Index {
        let next = Index { about: self.found.about.clone(), ending: self.found.ending, ..Index::default() };
        Index { progress, ..std::mem::replace(&mut self.found, next) }
    }

    fn read(&mut self, line: &[u8]) {
        if line.trim_ascii().is_empty() {
            return;
        }
        skim::outline(line, &mut self.outline);
        match Entry::read(&self.outline, self.line(), self.offset) {
            Ok(entry) => self.add(&entry, line.len()),
            Err(error) => self.problem(&error.problem),
        }
    }

    fn add(&mut self, entry: &Entry, length: usize) {
        self.found.about.look(entry);
        if let Event::Note(note) = &entry.event {
            self.found.notes.push(note.clone());
        }
        if let Some(mark) = Mark::of(entry, length, self.last.as_ref()) {
            self.last = Some(mark);
            self.found.marks.push(mark);
        }
    }

    fn problem(&mut self, problem: &LineProblem) {
        let (line, byte) = (self.line(), self.offset);
        self.found.add_problem(Problem { line, byte, problem: problem.to_string() });
    }
}
