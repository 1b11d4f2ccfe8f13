//! Twins: pieces of one outline in several colours, all of which obey. What one of them may enter is no wall to the others. And what
//! others take along in one colour they take along in any, pulled or held if any was; what is known of it is hearsay of
//! one that looks different but for its outline.

use env_client::Grid;

use super::{Movers, class::Class, discover::CLASSES};
use crate::rules::{cell_set::CellSet, last::Last, sprite::Sprite};

impl Movers {
    /// What lies at these cells looks like a piece that others take along, but for its colours: it is taken along as well.
    pub(in crate::rules) fn dye(&mut self, frame: &Grid, cells: &CellSet) {
        let Some((sprite, _)) = Sprite::covering(frame, cells) else { return };
        if self.classes.len() == CLASSES || self.classes.iter().any(|it| it.poses.contains(&sprite)) {
            return;
        }
        let alike = |it: &&Class| it.driven > 0 && it.poses[0].is_outlined_like(&sprite);
        if let Some(class) = self.classes.iter().find(alike).cloned() {
            self.classes.push(class.dyed(sprite));
            self.found = Last::default();
        }
    }

    /// A class of this outline that others take along.
    pub(super) fn elder_sibling(&self, sprite: &Sprite) -> Option<&Class> {
        let is_led = |it: &&Class| it.driven > 0 && !it.is_controlled();
        self.classes.iter().filter(is_led).find(|it| it.poses[0].is_outlined_like(sprite))
    }

    /// Twins learn of each other where they may go.
    pub(super) fn share(&mut self) {
        for (one, other) in (0..self.classes.len()).flat_map(|one| (0..one).map(move |other| (one, other))) {
            let (left, right) = self.classes.split_at_mut(one);
            let (one, other) = (&mut right[0], &mut left[other]);
            let is_led = |class: &Class| class.driven > 0 && !class.is_controlled();
            if !have_one_outline(one, other) {
                continue;
            }
            if one.is_controlled() && other.is_controlled() {
                let (entered, walls) = (one.entered | other.entered, one.walls | other.walls);
                (one.entered, other.entered, one.walls, other.walls) = (entered, entered, walls, walls);
            } else if is_led(one) && is_led(other) {
                one.join(other);
            }
        }
    }
}

fn have_one_outline<'a>(one: &'a Class, other: &'a Class) -> bool {
    let outline = |class: &'a Class| class.poses[0].cells().iter().map(|(at, _)| at);
    outline(one).eq(outline(other))
}
