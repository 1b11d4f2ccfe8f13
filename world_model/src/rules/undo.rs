//! Undo: one key takes everything back to how it was before the last change.
//!
//! The official protocol keeps `ACTION7` for it. It is believed of a game until it does something else more often; what
//! there is to go back to is known of the play itself, not of states that a search thinks of.

use env_client::{Action, Grid, Key};

use super::{claim::Claim, sprite::Vector};
use crate::InterfaceMask;

/// By how many answers belief or doubt can lead: so many turn the one into the other. A guess.
const LEAD: i32 = 3;

/// The way back in the present level.
#[derive(Clone, Debug, Default)]
pub(super) struct Undo {
    /// What the play shows, and everything that it showed before that differs in more than the interface, newest last.
    now: Option<Grid>,
    past: Vec<Grid>,
    /// How much more often the key led back than elsewhere.
    lead: i32,
}

impl Undo {
    /// A level begins, or begins again, with this frame.
    pub(super) fn begin(&mut self, frame: &Grid) {
        self.now = Some(frame.clone());
        self.past.clear();
    }

    /// What undoing the last change makes of the frame; nothing where it is not asked for, or nobody knows the way back.
    pub(super) fn expect(&self, frame: &Grid, action: Action, mask: &InterfaceMask) -> Option<Claim> {
        if action != Action::Key(Key::Key7) || self.lead < 0 || self.now.as_ref() != Some(frame) {
            return None;
        }
        let mut claim = Claim::by(5);
        if let Some(last) = self.past.last() {
            let changed = frame.differences(last).into_iter().flatten().filter(|at| !mask.hides(*at));
            claim.edits.extend(changed.map(|at| (Vector::new(i16::from(at.x()), i16::from(at.y())), last[at])));
        }
        Some(claim)
    }

    /// Learns from a step.
    pub(super) fn learn(&mut self, action: Action, after: &Grid, mask: &InterfaceMask) {
        let Some(before) = self.now.replace(after.clone()) else { return };
        let same = |a: &Grid, b: &Grid| a.differences(b).is_some_and(|mut cells| cells.all(|at| mask.hides(at)));
        if action == Action::Key(Key::Key7) {
            let last = self.past.pop();
            let back = same(last.as_ref().unwrap_or(&before), after);
            self.lead = (self.lead + if back { 1 } else { -1 }).clamp(-LEAD, LEAD);
        } else if !same(&before, after) {
            self.past.push(before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_leads_elsewhere_more_often_is_not_believed_to_undo() {
        let [first, second, third]: [Grid; 3] = ["300", "030", "003"].map(|it| it.parse().unwrap());
        let (mask, key) = (InterfaceMask::new(), Action::Key(Key::Key7));
        let mut undo = Undo::default();
        undo.begin(&first);
        undo.learn(Action::Key(Key::Key4), &second, &mask);
        let claim = undo.expect(&second, key, &mask).unwrap();
        assert_eq!(claim.edits.len(), 2);
        assert!(undo.expect(&third, key, &mask).is_none(), "nobody was there");
        undo.learn(key, &third, &mask);
        assert!(undo.expect(&third, key, &mask).is_none());
    }
}
