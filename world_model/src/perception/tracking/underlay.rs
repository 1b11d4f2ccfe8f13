//! What lies under the things that move.

use env_client::{Color, Grid, Point};

use super::{Change, Motion};
use crate::perception::View;

/// The colour each cell had when nothing that moves covered it, as far as that was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Underlay {
    seen: Option<Grid>,
}

impl Underlay {
    /// A level begins: what is seen is all that is known. What stands on something from the beginning hides it until
    /// it moves away.
    pub(super) fn of(grid: &Grid) -> Underlay {
        Underlay { seen: Some(grid.clone()) }
    }

    /// The colour under a point: its own where nothing that moves was ever seen to cover it.
    pub fn at(&self, point: Point) -> Option<Color> {
        self.seen.as_ref().and_then(|seen| seen.get(point))
    }

    /// Everything is as it is seen now, but for what moved onto it.
    pub(super) fn update(&mut self, before: &Grid, after: &Grid, motion: &Motion, view: &View) {
        let Some(seen) = self.seen.as_mut().filter(|_| motion.camera == (0, 0)) else {
            return *self = Underlay::of(after);
        };
        let Some(changed) = before.differences(after) else { return *self = Underlay::of(after) };
        let mut covered = vec![false; view.objects.len()];
        for event in &motion.events {
            if let (Some(new), Change::Moved { .. } | Change::Turned { .. }) = (event.after, event.change) {
                covered[new] = true;
            }
        }
        for point in changed.filter(|point| !view.object_at(*point).is_some_and(|object| covered[object])) {
            seen.set(point, after[point]);
        }
    }
}
