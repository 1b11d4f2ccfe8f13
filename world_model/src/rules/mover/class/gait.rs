//! How a piece goes by keys of one sort: arrows may move it by steps, and another key send it on until something stops it.

use crate::rules::{buttons::is_button, mover::strides::Strides};

/// Keys that are arrows in most games.
const ARROWS: std::ops::RangeInclusive<u64> = 1..=4;

/// How a piece goes.
#[derive(Clone, Debug, Default)]
pub(super) struct Gait {
    pub(super) slide: Strides,
    /// Ways that only fixed steps foretold, and that only sliding did.
    pub(super) step_hits: u32,
    pub(super) slide_hits: u32,
}

impl Gait {
    /// Which of two it is, by the number of an action: by arrows and buttons, or by anything else.
    pub(super) fn of(number: u64) -> usize {
        usize::from(!ARROWS.contains(&number) && !is_button(number))
    }

    /// Whether sliding has explained more of what was seen than fixed steps have; what flew so often slides.
    pub(super) fn slides(&self, flown: u32) -> bool {
        self.slide_hits + flown > self.step_hits
    }
}
