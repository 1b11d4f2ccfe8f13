//! Where an arrow would take a piece that it did not move yet.

use env_client::Action;

use super::{ARROWS, Class, Wish};
use crate::rules::{law::Verdict, sprite::Vector, view::View};

/// What stands behind a step that nobody saw.
const GUESS: Verdict = Verdict { outcome: 0, seen: 0, refuted: 0, features: 0, rank: 255 };

/// Tries without a move after which an arrow is taken for an action that does not move the piece; before, something may
/// have been in the way.
const BLOCKED: u32 = 4;

impl Class {
    /// Where an action that did not move a piece yet that obeys would move it, if the keys are arrows in the order up,
    /// down, left, right: back where the opposite key takes it, or else as far as one that took such a piece along its
    /// arrow or, as a mirror image goes, against it. After a few tries without a move it is not believed. Where keys are
    /// known to be in another order, only the way back is left to guess, unless another key goes it.
    pub(in crate::rules::mover) fn arrow(&self, wish: &Wish<'_>) -> Option<(Vector, Verdict)> {
        let number = wish.view.number();
        let (moved, tried) = self.moved[number as usize];
        if wish.drive.relation != 0 || !self.is_free() || moved > 0 || tried >= BLOCKED {
            return None;
        }
        let along = |number: u64| ARROWS.get((number as usize).wrapping_sub(1)).copied();
        let by = along(number).filter(|_| wish.view.is_arrow())?;
        let back = self.back(wish);
        if back.is_some() || !wish.view.arrows.are_as_usual() {
            return back;
        }
        let step = (1..=4).find_map(|other: u64| {
            let by = self.steps[other as usize]?;
            let length = by.x.abs().max(by.y.abs());
            let (arrow, way) = (along(other)?, Vector::new(by.x.signum(), by.y.signum()));
            (way == arrow || way == Vector::ZERO.minus(arrow)).then_some(length)
        })?;
        Some((Vector::new(by.x * step, by.y * step), GUESS))
    }

    /// Back where the opposite key takes a piece: along the axis of its arrow, as far as keys are in the usual order;
    /// mirrored twins differ in that.
    fn back(&self, wish: &Wish<'_>) -> Option<(Vector, Verdict)> {
        let Action::Key(key) = wish.view.action else { return None };
        let (opposite, arrow, arrows) = (key.opposite()?, ARROWS[key as usize - 1], wish.view.arrows);
        let by = *self.twins.get(&(opposite as u64, wish.instance.rank, wish.instance.of))?;
        let is_along = (by.x != 0) == (arrow.x != 0) && (by.y != 0) == (arrow.y != 0);
        let back = Vector::ZERO.minus(by);
        let is_likely = if arrows.are_as_usual() { is_along } else { !arrows.is_taken(wish.view.number(), back) };
        is_likely.then_some((back, Verdict { features: 1, ..GUESS }))
    }

    /// Whether this action was tried often enough without moving it to say that it does not: once for what is selected by
    /// something else than arrows, and more often for arrows of which nobody knows where they go.
    pub(in crate::rules::mover) fn ignores(&self, view: &View<'_>) -> bool {
        let (moved, tried) = self.moved[view.number() as usize];
        let is_open = view.is_arrow() && !view.arrows.are_as_usual();
        let enough = if is_open { BLOCKED } else { 1 + u32::from(view.is_arrow() || !self.painted) };
        moved == 0 && tried >= enough
    }
}
