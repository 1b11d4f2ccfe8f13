//! Clicks that nothing came of in this level, and which of them may be answered yet.
//!
//! What acts from afar, as a magnet does, takes something within its reach: one that does nothing now says little of its like,
//! nor of itself once others did something.

use std::collections::{HashMap, HashSet};

use env_client::{Color, Point};

use super::Class;

/// Clicks in vain on a thing of a class that acts from afar, before it is left alone. A guess.
const AGAIN: u32 = 2;

/// Clicks in vain.
#[derive(Debug, Default)]
pub(super) struct Silences {
    /// How often clicks on a colour did nothing at a point, and how many others had been answered by then. Only looked up.
    clicks: HashMap<(Point, Color), (u32, u32)>,
    /// Classes of which the last click did nothing. Only looked up.
    classes: HashSet<Class>,
    /// Clicks that were answered.
    answered: u32,
}

impl Silences {
    /// A click on a thing of a class was answered, or nothing came of it.
    pub(super) fn learn(&mut self, class: Class, at: Point, answered: bool) {
        if answered {
            self.answered += 1;
            self.classes.remove(&class);
        } else {
            self.classes.insert(class);
            let (tries, then) = self.clicks.entry((at, class.color)).or_default();
            (*tries, *then) = (*tries + 1, self.answered);
        }
    }

    /// Whether a click here did nothing.
    pub(super) fn contains(&self, at: Point, color: Color) -> bool {
        self.clicks.contains_key(&(at, color))
    }

    /// Whether a click here may be answered though the last one on this class was not: nobody tried, or others were
    /// answered since.
    pub(super) fn may_end(&self, class: Class, at: Point) -> bool {
        let untried = || self.classes.contains(&class);
        let known = self.clicks.get(&(at, class.color));
        known.map_or_else(untried, |(tries, then)| *tries < AGAIN && *then < self.answered)
    }
}
