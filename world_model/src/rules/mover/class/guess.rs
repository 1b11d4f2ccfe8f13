//! Where an arrow would take a piece that it did not move yet.

use env_client::Action;

use super::{Class, Wish};
use crate::rules::{buttons::is_button, law::Verdict, sprite::Vector, view::View};

/// What stands behind a step that nobody saw.
const GUESS: Verdict = Verdict { outcome: 0, seen: 0, refuted: 0, features: 0, rank: 255 };

/// Tries without a move after which an arrow is taken for an action that does not move the piece; before, something may
/// have been in the way.
const BLOCKED: u32 = 4;

impl Class {
    /// Where an arrow that did not move a piece yet that obeys would move it: back where the opposite key takes it, or else as
    /// far as one that took such a piece along its way or, as a mirror image goes, against it. After a few tries without a
    /// move it is not believed. Where keys are in another order than the usual one and nobody knows the way of this one,
    /// there is only the way back to guess.
    pub(in crate::rules::mover) fn arrow(&self, wish: &Wish<'_>) -> Option<(Vector, Verdict)> {
        let (number, arrows) = (wish.view.number(), wish.view.arrows);
        let (moved, tried) = self.moved[number as usize];
        let is_led = wish.drive.relation == 0 && self.is_free() && wish.view.is_arrow();
        if !is_led || moved > 0 || tried >= BLOCKED {
            return None;
        }
        let back = self.back(wish);
        let Some(by) = arrows.way(number).filter(|_| back.is_none()) else { return back };
        let step = (1..=5).find_map(|other: u64| {
            let step = self.steps[other as usize]?;
            let (arrow, way) = (arrows.way(other)?, step.signum());
            (way == arrow || way == Vector::ZERO.minus(arrow)).then(|| step.x.abs().max(step.y.abs()))
        })?;
        Some((Vector::new(by.x * step, by.y * step), GUESS))
    }

    /// Back where the opposite key takes a piece, along the axis of this one where that is known; mirrored twins differ in
    /// that.
    fn back(&self, wish: &Wish<'_>) -> Option<(Vector, Verdict)> {
        let Action::Key(key) = wish.view.action else { return None };
        let (opposite, arrows) = (key.opposite()?, wish.view.arrows);
        let by = *self.twins.get(&(opposite as u64, wish.instance.rank, wish.instance.of))?;
        let back = Vector::ZERO.minus(by);
        let is_likely = match arrows.way(wish.view.number()) {
            Some(arrow) => (by.x != 0) == (arrow.x != 0) && (by.y != 0) == (arrow.y != 0),
            None => !arrows.is_taken(wish.view.number(), back),
        };
        is_likely.then_some((back, Verdict { features: 1, ..GUESS }))
    }

    /// Whether this action was tried often enough without moving it to say that it does not: once for what is selected by
    /// something else than arrows and of a button, and more often for arrows of which nobody knows where they go.
    pub(in crate::rules::mover) fn ignores(&self, view: &View<'_>) -> bool {
        let (moved, tried) = self.moved[view.number() as usize];
        let is_open = view.is_arrow() && view.arrows.way(view.number()).is_none();
        let enough = if is_button(view.number()) {
            1
        } else if is_open {
            BLOCKED
        } else {
            1 + u32::from(view.is_arrow() || !self.painted)
        };
        moved == 0 && tried >= enough
    }
}
