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

    /// Whether this only seems to go: of things of which there are more, as of tiles that a piece walks over, one is covered then
    /// and another one bared, by the same piece or, where one pushes the other, by two.
    pub(super) fn is_bared(&self, others: &[Way], layers: &Layers) -> bool {
        if self.by == Vector::ZERO {
            return false;
        }
        let copies = |it: &Way| it.sprite.find(layers, CROWD).len();
        let own = copies(self);
        let goes = |it: &&Way| it.by != Vector::ZERO && copies(it) < own;
        let goes: Vec<&Way> = others.iter().filter(goes).collect();
        let covers = |it: &Way| self.lies_within(it, self.at, it.at.plus(it.by));
        let bares = |it: &Way| self.lies_within(it, self.at.plus(self.by), it.at);
        goes.iter().any(|it| covers(it)) && goes.iter().any(|it| bares(it))
    }

    /// Whether it lies, with its corner here, within what another piece covers there: all of it, or most of it where it comes
    /// back as that goes on, since a piece may be smaller than tiles.
    fn lies_within(&self, other: &Way, corner: Vector, there: Vector) -> bool {
        let hull: CellSet = other.sprite.square(there).collect();
        let (cells, size) =
            (self.sprite.footprint(corner).filter(|at| hull.contains(*at)).count(), self.sprite.cells().len());
        cells == size || 2 * cells > size && self.by.is_along(Vector::ZERO.minus(other.by))
    }
}

#[cfg(test)]
mod tests {
    use env_client::{Action, Color, Key, Point};

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

    /// Tiles of six cells a side, one apart, and a piece that is drawn a little smaller and higher than the one it stands on.
    #[test]
    fn a_tile_that_a_smaller_piece_bares_does_not_go_where_that_came_from() {
        let mut frame = Grid::filled(30, 10, Color::of(0));
        let mut fill = |left: u8, top: u8, (wide, high): (u8, u8), color: u8| {
            let cells = (0..high).flat_map(|y| (0..wide).map(move |x| (left + x, top + y)));
            cells.for_each(|(x, y)| frame.set(Point::new(x, y).unwrap(), Color::of(color)));
        };
        (0..4).for_each(|tile| fill(1 + 7 * tile, 2, (6, 6), 2));
        fill(1, 1, (5, 6), 4);
        let cut = |from: Vector, to: Vector| Sprite::cut(&frame, from, to);
        let (own, tile) = (cut(Vector::new(1, 1), Vector::new(5, 6)), cut(Vector::new(8, 2), Vector::new(6, 6)));
        let way = |sprite: &Sprite, at: Vector, by: i16| Way::new((sprite.clone(), at), Vector::new(by, 0));
        let (piece, layers) = (way(&own, Vector::new(1, 1), 7), Layers::of(&frame));
        let seems = |from: i16, by: i16, others: &[Way]| way(&tile, Vector::new(from, 2), by).is_bared(others, &layers);
        assert!(seems(8, -7, std::slice::from_ref(&piece)));
        assert!(!seems(15, -7, std::slice::from_ref(&piece)), "the piece came elsewhere");
        assert!(!piece.is_bared(&[way(&tile, Vector::new(8, 2), -7)], &layers), "there is but one of it");
        let pushed = way(&own, Vector::new(8, 1), 7);
        assert!(seems(15, -14, &[piece.clone(), pushed.clone()]), "covered by what is pushed");
        assert!(!seems(15, -14, &[piece]) && !seems(15, -14, &[pushed]));
    }

    #[test]
    fn a_piece_with_a_mark_where_it_comes_to_is_known_again() {
        assert!(is_known("00006660\n00006960\n00006660"));
        assert!(!is_known("00006000\n00009960\n00006600"), "what shows through it is ground");
        assert!(!is_known("00009990\n00006990\n00006660"), "too little of it is seen");
    }
}
