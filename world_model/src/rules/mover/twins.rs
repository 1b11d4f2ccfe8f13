//! Twins: pieces of one outline in several colours, all of which obey. What one of them may enter is no wall to the others.

use super::{Movers, class::Class};

impl Movers {
    /// Twins learn of each other where they may go.
    pub(super) fn share(&mut self) {
        for (one, other) in (0..self.classes.len()).flat_map(|one| (0..one).map(move |other| (one, other))) {
            let (left, right) = self.classes.split_at_mut(one);
            let (one, other) = (&mut right[0], &mut left[other]);
            if are_twins(one, other) {
                let entered = one.entered | other.entered;
                (one.entered, other.entered) = (entered, entered);
            }
        }
    }
}

fn are_twins<'a>(one: &'a Class, other: &'a Class) -> bool {
    let outline = |class: &'a Class| class.poses[0].cells().iter().map(|(at, _)| at);
    one.is_controlled() && other.is_controlled() && outline(one).eq(outline(other))
}
