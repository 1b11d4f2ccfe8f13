//! What a level may look like when it is solved, imagined from how earlier levels were.
//!
//! The first frame of a level and the one that solved it are an example of a rule, and the first frame of the next level
//! asks what it makes of that: an ARC task. An [`Imagination`] answers it, [`Riddle`] puts it into the small grids of few
//! colours that it knows. The answer is a hypothesis like any other: brought about where the planner knows how, and given
//! up when it came true in vain or cannot be reached.

mod riddle;
mod solving;

use std::{fmt, sync::Arc};

use env_client::Grid;
use world_model::InterfaceMask;

use self::riddle::Riddle;
pub use self::solving::{Solving, TooLarge};

/// The share of its views in which an imagination must see the same, for it to be worth an action.
const AGREED: f32 = 0.5;

/// Answers ARC tasks: grids of at most [`solver::COLORS`] colours, the ground's number 0.
pub trait Imagination: fmt::Debug + Send + Sync {
    /// The longest side of a grid that it can be shown.
    fn longest(&self) -> u8;

    /// What becomes of the question by the rule of the examples, and the share of its views that say so, 0 to 1. The same
    /// task always has the same answer.
    fn imagine(&self, examples: &[(Grid, Grid)], question: &Grid) -> Option<(Grid, f32)>;
}

/// A frame in which a level may be solved.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Imagined {
    pub(super) frame: Grid,
    /// The share of views that agree.
    pub(super) confidence: f32,
}

/// What was seen of solved levels, and what follows for the one under way.
#[derive(Debug, Default)]
pub(super) struct Imagery {
    imagination: Option<Arc<dyn Imagination>>,
    /// The first and the last frame of every solved level.
    solved: Vec<(Grid, Grid)>,
    now: Option<Imagined>,
}

impl Imagery {
    /// Nothing seen yet, and whom to ask.
    pub(super) fn new(imagination: Option<Arc<dyn Imagination>>) -> Imagery {
        Imagery { imagination, ..Imagery::default() }
    }

    /// This was imagined of the level under way.
    #[cfg(test)]
    pub(super) fn of(now: Imagined) -> Imagery {
        Imagery { now: Some(now), ..Imagery::default() }
    }

    /// A level that began with the frame `first` was solved.
    pub(super) fn learn(&mut self, first: &Grid, last: Grid) {
        if self.imagination.is_some() {
            self.solved.push((first.clone(), last));
        }
    }

    /// A level begins with this frame.
    pub(super) fn begin_level(&mut self, first: &Grid, mask: &InterfaceMask) {
        self.now = self.imagine(first, mask);
    }

    /// How the level under way may look when it is solved.
    pub(super) fn now(&self) -> Option<&Imagined> {
        self.now.as_ref()
    }

    fn imagine(&self, first: &Grid, mask: &InterfaceMask) -> Option<Imagined> {
        let imagination = self.imagination.as_deref().filter(|_| !self.solved.is_empty())?;
        let riddle = Riddle::of(&self.solved, first, mask, imagination.longest())?;
        let (answer, confidence) = imagination.imagine(&riddle.examples, &riddle.question)?;
        let Riddle { examples, question, .. } = &riddle;
        tracing::debug!(examples = examples.len(), confidence, "asked\n{question}\nfor the winning frame\n{answer}");
        let frame = riddle.draw(first, &answer).filter(|frame| frame != first && confidence >= AGREED)?;
        Some(Imagined { frame, confidence })
    }
}

/// The frame in which a level was solved: the last layer that is nearer to the frame before than the next level's first
/// frame, which is the last of all; where none was shown, what was foreseen.
pub(super) fn winning(before: &Grid, layers: &[Grid], foreseen: Option<&Grid>) -> Option<Grid> {
    let (next, shown) = layers.split_last()?;
    let apart = |frame: &Grid| before.differences(frame).map_or(usize::MAX, Iterator::count);
    let shown = shown.iter().rev().find(|layer| apart(layer) < apart(next));
    shown.or(foreseen).cloned()
}

#[cfg(test)]
mod tests;
