//! The commonest edit of an action.

use std::collections::BTreeMap;

use env_client::{Action, ActionId, Color, Grid};

use super::Guess;
use crate::Transition;

/// Cells an action changed and their new colours. Those of a click are seen from its point.
type Edit = Vec<(i16, i16, Color)>;

/// See [`frequent_edit`](super::frequent_edit).
#[derive(Clone, Debug, Default)]
pub struct FrequentEdit {
    counts: BTreeMap<ActionId, BTreeMap<Edit, u32>>,
}

/// Where an edit is seen from.
fn origin(action: Action) -> (i16, i16) {
    action.point().map_or((0, 0), |point| (point.x().into(), point.y().into()))
}

impl Guess for FrequentEdit {
    fn learn(&mut self, transition: &Transition<'_>) {
        let Some(after) = transition.after() else { return };
        let Some(changed) = transition.before.differences(after) else { return };
        let (x, y) = origin(transition.action);
        let edit = changed.map(|at| (i16::from(at.x()) - x, i16::from(at.y()) - y, after[at])).collect();
        *self.counts.entry(transition.action.id()).or_default().entry(edit).or_default() += 1;
    }

    fn guess(&self, frame: &Grid, action: Action) -> Grid {
        let mut next = frame.clone();
        let edits = self.counts.get(&action.id());
        let commonest = edits.and_then(|edits| edits.iter().max_by_key(|(_, count)| **count));
        let (x, y) = origin(action);
        for (dx, dy, color) in commonest.into_iter().flat_map(|(edit, _)| edit) {
            let at = env_client::Point::new(x + dx, y + dy).ok();
            if let Some(at) = at.filter(|at| frame.get(*at).is_some()) {
                next.set(at, *color);
            }
        }
        next
    }
}
