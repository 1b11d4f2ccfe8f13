//! What one line says.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::reader::{LineError, LineProblem};
use crate::{Observation, wire};

/// Characters of a line that an error shows.
const EXCERPT: usize = 120;

/// One line of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Which line, from 1.
    pub line: u64,
    /// Where it begins, in bytes of the unpacked text.
    pub offset: u64,
    /// When it was written, if the line says so in a way that can be read.
    pub at: Option<Timestamp>,
    /// What happened.
    pub event: Event,
}

/// What a line can hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A command and what was seen after it.
    Seen {
        /// The command, as the writer put it down.
        input: wire::ActionInput,
        /// What was seen.
        observation: Observation,
    },
    /// A command whose outcome is unknown; nothing may be learned from it.
    Unknown(UnknownOutcome),
    /// Anything else, such as the counters of a closed scorecard.
    Note(Value),
}

/// A command whose answer was lost.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct UnknownOutcome {
    /// The game.
    pub game_id: String,
    /// The play.
    pub guid: String,
    /// The command.
    pub command: wire::ActionInput,
    /// How the answer was lost.
    pub cause: String,
}

impl Entry {
    /// Reads one line, with or without its newline. `line` and `offset` say where it stands, for the entry and for
    /// errors. Start at [`Reader`](super::Reader) to read a recording from its beginning.
    pub fn read(bytes: &[u8], line: u64, offset: u64) -> Result<Entry, LineError> {
        parse(bytes, line, offset).map_err(|problem| LineError { line, offset, problem })
    }
}

#[derive(Deserialize)]
struct Line<T> {
    #[serde(default, deserialize_with = "lenient_timestamp")]
    timestamp: Option<Timestamp>,
    data: T,
}

/// Reads a line. Most are frames, so that is tried first and without a detour over a generic value.
pub(super) fn parse(bytes: &[u8], line: u64, offset: u64) -> Result<Entry, LineProblem> {
    let no_entry = |error: String| LineProblem::NoEntry { error, excerpt: excerpt(bytes) };
    let (at, event) = match serde_json::from_slice::<Line<wire::Frame>>(bytes) {
        Ok(Line { timestamp, data }) => (timestamp, seen(data).map_err(no_entry)?),
        Err(error) => {
            let Line { timestamp, data } =
                serde_json::from_slice(bytes).map_err(|error| no_entry(error.to_string()))?;
            (timestamp, other(data).ok_or_else(|| no_entry(error.to_string()))?)
        }
    };
    Ok(Entry { line, offset, at, event })
}

fn seen(mut frame: wire::Frame) -> Result<Event, String> {
    let input = std::mem::take(&mut frame.action_input);
    let observation = Observation::try_from(frame).map_err(|error| error.to_string())?;
    Ok(Event::Seen { input, observation })
}

/// What `data` is when it is no frame response; `None` when it means to be one.
fn other(data: Value) -> Option<Event> {
    let claims = |field| data.get(field).is_some();
    if claims("outcome") {
        return UnknownOutcome::deserialize(data).ok().map(Event::Unknown);
    }
    (data.is_object() && !claims("action_input") && !claims("frame")).then_some(Event::Note(data))
}

/// A time nobody can read is no reason to lose a line.
fn lenient_timestamp<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(value.as_str().and_then(|text| text.parse().ok()))
}

fn excerpt(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(EXCERPT)]);
    text.chars().flat_map(char::escape_debug).collect()
}
