//! Clicks that are one and the same: parts of one button.
//!
//! Where two clicks led from one state to the same other one they may be the same deed, and whoever tries both of them
//! everywhere takes every step twice. So what was tried in a state tells what its twin would do there.

use std::collections::HashMap;

use env_client::Point;
use world_model::Bounds;

use super::candidates::Candidate;

/// How often clicks of some kind must have done the same, more than twice as often as not, to be twins wherever there are
/// such clicks. A guess.
const ALIKE: u32 = 2;
/// The most columns and rows of what a click changes for it to be a thing that it does something to. A guess.
pub(super) const SIDE: u8 = 16;

/// How often two clicks did the same, and how often not.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    alike: u32,
    apart: u32,
}

impl Record {
    fn count(&mut self, alike: bool) {
        self.alike += u32::from(alike);
        self.apart += u32::from(!alike);
    }

    fn speaks(self) -> bool {
        self.alike >= ALIKE && self.alike > 2 * self.apart
    }
}

/// What is known of clicks that do the same.
#[derive(Debug, Default)]
pub(super) struct Twins {
    /// Of two points of this level, in order. Only looked up.
    points: HashMap<(Point, Point), Record>,
    /// Of parts of one drawing in this game, and of clicks on what another one changes.
    parts: Record,
    places: Record,
}

impl Twins {
    pub(super) fn begin_level(&mut self) {
        self.points.clear();
    }

    /// Two clicks were made in one state, where at least one of them did something: whether it was the same.
    pub(super) fn learn(&mut self, a: &Candidate, b: &Candidate, alike: bool) {
        let Some(pair) = pair(a, b) else { return };
        self.points.entry(pair).or_default().count(alike);
        // What does nothing beside what does something is no twin, and nothing is lost where it is taken for one.
        let answer = a.changed.is_some() && b.changed.is_some();
        if answer && are_parts(a, b) {
            self.parts.count(alike);
        }
        if answer && are_in_place(a, b) {
            self.places.count(alike);
        }
    }

    /// Whether a click that was tried, the second one, tells what the other one would do in the same state.
    pub(super) fn tell(&self, a: &Candidate, b: &Candidate) -> bool {
        let Some(pair) = pair(a, b) else { return false };
        let known = self.points.get(&pair).copied().unwrap_or_default();
        let are_one = || self.parts.speaks() && are_parts(a, b);
        let are_there = || self.places.speaks() && are_in_place(a, b);
        known.apart == 0 && (known.alike > 0 || are_one() || b.changed.is_some() && are_there())
    }
}

fn pair(a: &Candidate, b: &Candidate) -> Option<(Point, Point)> {
    let (a, b) = (a.action.point()?, b.action.point()?);
    Some((a.min(b), a.max(b)))
}

/// Whether one of two clicks changes what both of them lie on.
fn are_in_place(a: &Candidate, b: &Candidate) -> bool {
    let Some((one, other)) = a.action.point().zip(b.action.point()) else { return false };
    let is_small = |it: &Bounds| it.width() <= SIDE && it.height() <= SIDE;
    let holds = |it: Bounds| [one, other].iter().all(|at| it.contains(at.x(), at.y()));
    [a.changed, b.changed].into_iter().flatten().filter(is_small).any(holds)
}

fn are_parts(a: &Candidate, b: &Candidate) -> bool {
    a.sprite.is_some() && a.sprite == b.sprite
}
