//! One step as plain text, to be read, compared and pasted into a report.
//!
//! # The format
//! Lines of a name, padded to ten characters, and a value; an empty line; then the grid, a line a row, a hexadecimal
//! digit a cell. The names, in this order: `file`, `step` (`120 of 500`, the opening RESET is step 0), `line` (and the
//! byte where it begins), `time`, `game`, `play`, `command`, `state`, `levels` (`2/7`), `layer` (`3 of 3, 64x64`,
//! the last one is the settled view), `reasoning` (JSON in one line). A step whose answer was lost has `outcome` instead
//! of what follows `command`, and no grid; nor has a step whose answer holds none.

use std::{fmt, sync::Arc};

use env_client::{
    Grid,
    recording::{Entry, Event, UnknownOutcome},
    wire::ActionInput,
};
use serde_json::Value;

use super::{Archive, EntryError, layers};

/// A step or layer that cannot be printed.
#[derive(Debug, thiserror::Error)]
pub enum PrintError {
    /// No such step.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// No such layer.
    #[error("step {step} has no layer {layer}, expected 1 to {layers}")]
    NoLayer {
        /// The step.
        step: usize,
        /// What was asked for.
        layer: usize,
        /// How many there are.
        layers: usize,
    },
}

/// A step, ready to be written.
#[derive(Clone, Debug)]
pub struct Page {
    file: String,
    step: usize,
    last: usize,
    entry: Arc<Entry>,
    /// From 0; `None` where there is no layer.
    layer: Option<usize>,
}

impl Page {
    /// Step `step`, with its layer `layer` from 1; the settled one when nothing is said.
    ///
    /// # Errors
    /// There is no such step or layer.
    pub fn new(archive: &mut Archive, step: usize, layer: Option<usize>) -> Result<Page, PrintError> {
        archive.wait();
        let entry = archive.entry(step)?;
        let count = layers(&entry).len();
        let layer = match layer {
            Some(layer) if layer == 0 || layer > count => {
                return Err(PrintError::NoLayer { step, layer, layers: count });
            }
            Some(layer) => Some(layer - 1),
            None => count.checked_sub(1),
        };
        let last = archive.index().last_step().unwrap_or_default();
        Ok(Page { file: archive.path().display().to_string(), step, last, entry, layer })
    }

    fn grid(&self) -> Option<&Grid> {
        layers(&self.entry).get(self.layer?)
    }

    fn layer(&self) -> String {
        match (self.layer, self.grid()) {
            (Some(layer), Some(grid)) => {
                let count = layers(&self.entry).len();
                format!("{} of {count}, {}x{}", layer + 1, grid.width(), grid.height())
            }
            _ => "none".to_owned(),
        }
    }
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Entry { line, offset, at, event } = &*self.entry;
        writeln!(f, "file      {}", self.file)?;
        writeln!(f, "step      {} of {}", self.step, self.last)?;
        writeln!(f, "line      {line} (at byte {offset})")?;
        writeln!(f, "time      {}", at.map_or_else(|| "?".to_owned(), |at| at.to_string()))?;
        match event {
            Event::Seen { input, observation: seen } => {
                writeln!(f, "game      {}\nplay      {}", seen.game, seen.play)?;
                writeln!(f, "command   {}", command_text(input))?;
                writeln!(f, "state     {}", seen.status)?;
                writeln!(f, "levels    {}/{}", seen.levels_completed, seen.win_levels)?;
                writeln!(f, "layer     {}", self.layer())?;
                writeln!(f, "reasoning {}", input.reasoning.as_ref().unwrap_or(&Value::Null))?;
            }
            Event::Unknown(UnknownOutcome { game_id, guid, command, cause }) => {
                writeln!(f, "game      {game_id}\nplay      {guid}")?;
                writeln!(f, "command   {}", command_text(command))?;
                writeln!(f, "outcome   unknown: {cause}")?;
                writeln!(f, "reasoning {}", command.reasoning.as_ref().unwrap_or(&Value::Null))?;
            }
            Event::Note(note) => writeln!(f, "note      {note}")?,
        }
        match self.grid() {
            Some(grid) => writeln!(f, "\n{}", grid.to_string().trim_end()),
            None => Ok(()),
        }
    }
}

/// A command, even one that makes no sense.
pub fn command_text(input: &ActionInput) -> String {
    match input.command() {
        Some(command) => command.to_string(),
        None => format!("{} {}", input.id, Value::Object(input.data.clone())),
    }
}
