//! What clicks did to the cells of a frame, and what they would do where those cells look the same.
//!
//! Where things answer on their own, as dials that are turned one by one do, most ways lead to states that are known, and
//! which of them do is foretold by what each action changed elsewhere. A guess: what an action does may depend on more than
//! the cells that it changes.

use std::collections::HashMap;

use env_client::{Action, Color, Grid, Point};
use world_model::InterfaceMask;

/// Effects of one action that are kept, the first ones.
const KEPT: usize = 48;

/// Cells that an action changed, and their colours before and after.
type Effect = Vec<(Point, Color, Color)>;

/// What actions did in this level.
#[derive(Debug, Default)]
pub(super) struct Effects {
    /// Only looked up.
    by_action: HashMap<Action, Vec<Effect>>,
}

impl Effects {
    pub(super) fn begin_level(&mut self) {
        self.by_action.clear();
    }

    /// Learns what an action did; whether that is new.
    pub(super) fn learn(&mut self, action: Action, before: &Grid, after: &Grid, mask: &InterfaceMask) -> bool {
        let changed = before.differences(after).into_iter().flatten().filter(|at| !mask.hides(*at));
        let effect: Effect = changed.map(|at| (at, before[at], after[at])).collect();
        let known = self.by_action.entry(action).or_default();
        let is_new = !effect.is_empty() && !known.contains(&effect) && known.len() < KEPT;
        if is_new {
            known.push(effect);
        }
        is_new
    }

    /// What an action would lead to in this frame; nothing where that is not known or ambiguous.
    pub(super) fn foretell(&self, action: Action, frame: &Grid) -> Option<Grid> {
        let holds = |effect: &&Effect| effect.iter().all(|(at, before, _)| frame.get(*at) == Some(*before));
        let mut held = self.by_action.get(&action)?.iter().filter(holds);
        let effect = held.next().filter(|_| held.next().is_none())?;
        let mut next = frame.clone();
        for (at, _, after) in effect {
            next.set(*at, *after);
        }
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(picture: &str) -> Grid {
        picture.parse().unwrap()
    }

    #[test]
    fn what_looks_the_same_is_changed_in_the_same_way_whatever_lies_elsewhere() {
        let (mut effects, mask) = (Effects::default(), InterfaceMask::new());
        let click = Action::Click(Point::new(0, 0).unwrap());
        assert!(effects.learn(click, &frame("1002"), &frame("0102"), &mask));
        assert!(!effects.learn(click, &frame("1003"), &frame("0103"), &mask), "the same again");
        assert_eq!(effects.foretell(click, &frame("1005")), Some(frame("0105")));
        assert_eq!(effects.foretell(click, &frame("0105")), None, "there it was never made");
        assert!(effects.learn(click, &frame("1007"), &frame("1008"), &mask));
        assert_eq!(effects.foretell(click, &frame("1007")), None, "it may do either");
    }
}
