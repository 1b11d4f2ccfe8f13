//! The JSONL files that plays leave behind.
//!
//! # Layout
//! - [`Recorder`]: writes one line a command. Start here to leave a recording.
//! - [`Reader`]: gives back [`Entry`] after [`Entry`]. Start here to use one.
//! - [`RecordingName`]: the two customs of naming a file.
//!
//! # The format
//! One JSON object a line, `{"timestamp": …, "data": {…}}`, where `data` is a frame response whose `action_input` is
//! the command it answers, or one of:
//! - `{"game_id", "guid", "outcome": "unknown", "command": {"id", "data", "reasoning"}, "cause"}` for a command whose answer
//!   was lost. It has no `action_input`, which is how the official agents' playback knows lines that are no step.
//! - anything else, such as the counters that the official agents write at the end: a note.
//!
//! # What a crash leaves
//! A line is handed to the operating system before [`Recorder::record`] returns, as plain text or as a complete zstd
//! block; so a killed process loses at most the line in hand. A power cut may lose what the system had not written yet:
//! waiting for the storage device would cost a play more than its recording does. When a write fails, the file is cut back to its last whole line and
//! nothing more is written: the caller ends the play, which is better than a recording with holes.

mod entry;
mod line;
mod name;
mod reader;
mod recorder;

pub use entry::{Entry, Event, UnknownOutcome};
pub use name::RecordingName;
pub use reader::{Ending, LINE_LIMIT, LineError, LineProblem, OpenError, Reader, ZSTD_MAGIC};
pub use recorder::{Compression, Medium, RecordError, Recorder};

#[cfg(test)]
mod tests;
