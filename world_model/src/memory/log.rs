//! Every distinct frame once, and what was done in order.

use std::collections::HashMap;

use env_client::Action;

use crate::{InterfaceMask, Outcome, Snapshot, StateKey, Transition};

/// Steps kept; past it the older half is forgotten. With two kilobytes a frame at most a hundred megabytes, for plays
/// that show a new frame on every action.
pub(super) const CAPACITY: usize = 1 << 16;

/// A frame of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameId(u32);

/// One action as it is remembered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) before: FrameId,
    pub(super) action: Action,
    /// The settled frame after it; the one before where the level ended.
    pub(super) after: FrameId,
    pub(super) outcome: Outcome,
    /// Whether the step before it in the log led to its frame.
    pub(super) follows: bool,
}

/// What was done, in order.
#[derive(Clone, Debug)]
pub(super) struct Log {
    capacity: usize,
    steps: Vec<Step>,
    frames: Vec<Snapshot>,
    /// The key of each frame under the newest mask.
    keys: Vec<StateKey>,
    /// Frames by all their cells; only looked up, never walked over.
    by_cells: HashMap<StateKey, FrameId>,
    /// Whether the last step leads to the next one.
    connected: bool,
}

impl Log {
    pub(super) fn new(capacity: usize) -> Log {
        let (steps, frames, keys) = (Vec::new(), Vec::new(), Vec::new());
        Log { capacity, steps, frames, keys, by_cells: HashMap::new(), connected: false }
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    pub(super) fn frames(&self) -> usize {
        self.frames.len()
    }

    pub(super) fn step(&self, number: u32) -> &Step {
        &self.steps[number as usize]
    }

    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub(super) fn frame(&self, id: FrameId) -> &Snapshot {
        &self.frames[id.0 as usize]
    }

    pub(super) fn key(&self, id: FrameId) -> StateKey {
        self.keys[id.0 as usize]
    }

    /// Whether two steps ended alike, as far as the mask shows.
    pub(super) fn same_outcome(&self, a: &Step, b: &Step) -> bool {
        a.outcome == b.outcome && (a.outcome != Outcome::Continues || self.key(a.after) == self.key(b.after))
    }

    /// The step that a transition is, its frames put into the log but not yet itself.
    pub(super) fn enter(&mut self, transition: &Transition<'_>, mask: &InterfaceMask) -> Step {
        let before = self.frame_id(Snapshot::of(transition.before), mask);
        let after = transition.after().map_or(before, |after| self.frame_id(Snapshot::of(after), mask));
        let follows = self.connected && self.steps.last().is_some_and(|last| last.after == before);
        Step { before, action: transition.action, after, outcome: transition.outcome, follows }
    }

    /// Adds a step; whether older ones had to go, so that their numbers changed.
    pub(super) fn push(&mut self, step: Step) -> bool {
        self.steps.push(step);
        self.connected = step.outcome == Outcome::Continues;
        let full = self.steps.len() > self.capacity;
        if full {
            self.forget_older_half();
        }
        full
    }

    /// The next step does not follow from the last one.
    pub(super) fn interrupt(&mut self) {
        self.connected = false;
    }

    /// The mask has grown.
    pub(super) fn rekey(&mut self, mask: &InterfaceMask) {
        self.keys = self.frames.iter().map(|frame| frame.key(mask)).collect();
    }

    fn frame_id(&mut self, frame: Snapshot, mask: &InterfaceMask) -> FrameId {
        let cells = frame.key(&InterfaceMask::new());
        if let Some(id) = self.by_cells.get(&cells) {
            return *id;
        }
        let id = FrameId(self.frames.len() as u32);
        self.keys.push(frame.key(mask));
        self.frames.push(frame);
        self.by_cells.insert(cells, id);
        id
    }

    fn forget_older_half(&mut self) {
        self.steps.drain(..self.steps.len() / 2);
        let (frames, keys) = (std::mem::take(&mut self.frames), std::mem::take(&mut self.keys));
        self.by_cells.clear();
        let mut moved: Vec<Option<FrameId>> = vec![None; frames.len()];
        for step in &mut self.steps {
            for id in [&mut step.before, &mut step.after] {
                let old = id.0 as usize;
                *id = *moved[old].get_or_insert_with(|| {
                    let new = FrameId(self.frames.len() as u32);
                    self.by_cells.insert(frames[old].key(&InterfaceMask::new()), new);
                    self.frames.push(frames[old].clone());
                    self.keys.push(keys[old]);
                    new
                });
            }
        }
    }
}
