//! What a piece covers and what it bares when it goes from tile to tile.

use env_client::Grid;

use super::{CROWD, track::runs_beyond};
use crate::rules::{
    cell_set::{CellSet, Layers},
    sprite::{Sprite, Vector, color_at},
    step::Step,
};

/// Where a piece was seen on its way in the layers of an answer, relative to where it began; nothing where it went straight.
pub(super) fn path(sprite: &Sprite, from: Vector, came: Vector, layers: &[Grid]) -> Vec<Vector> {
    let Some((_, layers)) = layers.split_last().filter(|_| came.x != 0 && came.y != 0) else { return Vec::new() };
    let mut at = from;
    let mut path = Vec::new();
    for layer in layers {
        let seen = sprite.find(&Layers::of(layer), CROWD);
        let Some(next) = seen.into_iter().min_by_key(|place| place.minus(at).length()) else { return Vec::new() };
        at = next;
        path.push(at.minus(from));
    }
    path
}

/// Whether most of a piece is seen at the end of a way that was not there before, and the rest is something within it.
pub(super) fn is_seen_in_part(step: &Step<'_>, (sprite, from): (&Sprite, Vector), by: Vector) -> bool {
    let end = from.plus(by);
    let new = || sprite.footprint(end).filter(|at| !sprite.covers(from, *at));
    let is_fresh = |at: &Vector| color_at(step.before, *at) != color_at(step.after, *at);
    let is_other = |at: &Vector| sprite.color(at.minus(end)) != color_at(step.after, *at);
    let (kept, fresh) = (sprite.seen_at(step.after, end).count(), new().filter(is_fresh).count());
    2 * kept > sprite.cells().len()
        && 2 * fresh > new().count()
        && !sprite.footprint(end).filter(is_other).any(|at| runs_beyond(step.new, at, end, sprite.size))
}

/// A piece and where it seems to go.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) sprite: Sprite,
    pub(super) at: Vector,
    by: Vector,
}

impl Way {
    pub(super) fn new((sprite, at): (Sprite, Vector), by: Vector) -> Way {
        Way { sprite, at, by }
    }

    /// Whether this only seems to go where another piece came from, which came to where it was: of things of which there
    /// are more, as of tiles that a piece walks over, one is covered then and another one bared.
    pub(super) fn is_bared_by(&self, other: &Way, layers: &Layers) -> bool {
        let end = |it: &Way| it.at.plus(it.by);
        let within = |corner: Vector, hull: Vector| {
            let hull: CellSet = other.sprite.square(hull).collect();
            self.sprite.footprint(corner).all(|at| hull.contains(at))
        };
        let copies = |it: &Way| it.sprite.find(layers, CROWD).len();
        self.by != Vector::ZERO
            && other.by != Vector::ZERO
            && within(self.at, end(other))
            && within(end(self), other.at)
            && copies(self) > copies(other)
    }
}

#[cfg(test)]
mod tests {
    use env_client::{Action, Key};

    use super::*;
    use crate::Scene;

    /// Whether a block of colour 6 is known again two columns on in the second picture.
    fn is_known(after: &str) -> bool {
        let (before, after): (Grid, Grid) = ("66600000\n66600000\n66600000".parse().unwrap(), after.parse().unwrap());
        let (old, new) = (Scene::of(&before), Scene::of(&after));
        let layers = [after.clone()];
        let action = Action::Key(Key::Key5);
        let step = Step { before: &before, after: &after, action, layers: &layers, old: &old, new: &new };
        let sprite = Sprite::cut(&before, Vector::ZERO, Vector::new(3, 3));
        is_seen_in_part(&step, (&sprite, Vector::ZERO), Vector::new(4, 0))
    }

    #[test]
    fn a_piece_with_a_mark_where_it_comes_to_is_known_again() {
        assert!(is_known("00006660\n00006960\n00006660"));
        assert!(!is_known("00006000\n00009960\n00006600"), "what shows through it is ground");
        assert!(!is_known("00009990\n00006990\n00006660"), "too little of it is seen");
    }
}
