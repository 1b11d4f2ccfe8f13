//! A step that was loaded.

use std::sync::Arc;

use env_client::{
    Command, Grid, Point,
    recording::{Entry, Event},
};

use crate::replay::{Thought, layers, thought};

/// A step as it is shown.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Its number.
    pub step: usize,
    /// Its entry.
    pub entry: Arc<Entry>,
    /// What stood still before it.
    pub before: Option<Grid>,
    /// What the agent thought.
    pub thought: Thought,
}

impl Shown {
    /// A step with what stood before it.
    pub fn new(step: usize, entry: Arc<Entry>, before: Option<Grid>) -> Shown {
        Shown { step, before, thought: thought(&entry), entry }
    }

    /// The layers of its answer.
    pub fn layers(&self) -> &[Grid] {
        layers(&self.entry)
    }

    /// A layer and what stood before it. A step without an answer shows what was there.
    pub fn layer(&self, layer: usize) -> (Option<&Grid>, Option<&Grid>) {
        let layers = self.layers();
        let layer = layer.min(layers.len().saturating_sub(1));
        let before = if layer == 0 { self.before.as_ref() } else { layers.get(layer - 1) };
        match layers.get(layer) {
            Some(grid) => (Some(grid), before),
            None => (self.before.as_ref(), None),
        }
    }

    /// The command.
    pub fn command(&self) -> Option<Command> {
        match &self.entry.event {
            Event::Seen { input, .. } => input.command(),
            Event::Unknown(unknown) => unknown.command.command(),
            Event::Note(_) => None,
        }
    }

    /// Where it clicked.
    pub fn click(&self) -> Option<Point> {
        match self.command()? {
            Command::Act(action) => action.point(),
            Command::Reset => None,
        }
    }
}
