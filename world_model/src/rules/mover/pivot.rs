//! Pieces that turn about a point beside the middle of their bounds, such as one of their tiles: one turn tells which, and
//! the next one that it is the action alone that turns. Their pictures are laid around it from then on, so that a turn leaves their corner where it is.

use std::sync::Arc;

use super::{Instance, Motion, Movers};
use crate::{
    perception::Symmetry,
    rules::{
        sprite::{Sprite, Vector, color_at},
        step::Step,
        view::View,
    },
};

/// The longest side of a square around a pivot, in cells: as much as a [`crate::rules::cell_set::CellSet`] holds.
const SIDE: i16 = 64;

/// A square of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Square {
    corner: Vector,
    side: i16,
}

impl Square {
    /// The least one around a point, in half cells, that holds these; nothing where a point has no such square.
    fn around(point: Vector, cells: impl Iterator<Item = Vector>) -> Option<Square> {
        let reach = |at: Vector| (2 * at.x + 1 - point.x).abs().max((2 * at.y + 1 - point.y).abs());
        let side = cells.map(reach).max()? + 1;
        let is_even = (point.x - point.y) % 2 == 0;
        let corner = Vector::new((point.x - side) / 2, (point.y - side) / 2);
        (is_even && side <= SIDE).then_some(Square { corner, side })
    }
}

/// A piece that was turned.
struct Turn {
    /// The point about which it was, in half cells.
    pivot: Vector,
    after: Sprite,
    to: Vector,
}

impl Movers {
    /// Learns about which point a piece turned that is not seen any more; whether it did turn.
    pub(super) fn learn_pivot(&mut self, step: &Step<'_>, view: &View<'_>, lost: Instance) -> bool {
        let sprite = self.sprite(lost);
        let Some(turn) = turn(step, sprite, lost.at).filter(|_| !view.is_arrow()) else { return false };
        let cells = sprite.footprint(lost.at).chain(turn.after.footprint(turn.to));
        let Some(square) = Square::around(turn.pivot, cells) else { return false };
        let class = &mut self.classes[lost.class];
        let shift = class.lay_around(lost.at.minus(square.corner), square.side);
        let pose = turn.after.laid(turn.to.minus(lost.at).plus(shift), class.poses[0].size);
        class.pose_of(pose);
        self.shift(lost.class, shift);
        true
    }

    /// The corner of every piece of a class lies this much further to the upper left.
    fn shift(&mut self, class: usize, shift: Vector) {
        let laid = |it: &Motion| {
            let at = if usize::from(it.class) == class { (it.at.0 - shift.x, it.at.1 - shift.y) } else { it.at };
            Motion { at, ..*it }
        };
        self.last = self.last.iter().map(laid).collect::<Arc<[Motion]>>();
        if let Some((unseen, _)) = self.unseen.as_mut().filter(|(it, _)| it.class == class) {
            unseen.at = unseen.at.minus(shift);
        }
        self.found = super::Last::default();
    }
}

/// How a piece was turned about a part of itself, where nothing else changed around. What stays where it is turns about its
/// middle, and what fills a square rather went and looks to where it goes.
fn turn(step: &Step<'_>, sprite: &Sprite, at: Vector) -> Option<Turn> {
    let reach = sprite.size.x.max(sprite.size.y);
    let ways = || (-reach..=reach).flat_map(move |y| (-reach..=reach).map(move |x| Vector::new(x, y)));
    let turns = [Symmetry::Clockwise, Symmetry::Counterclockwise, Symmetry::Half].into_iter().flat_map(|symmetry| {
        let after = sprite.turned(symmetry);
        let fits = |to: &Vector| after != *sprite && is_turned(step, (sprite, at), (&after, *to));
        let found: Vec<Vector> = ways().map(|by| at.plus(by)).filter(fits).collect();
        found.into_iter().map(move |to| {
            let middle = |corner: Vector, it: &Sprite| corner.times(2).plus(it.size);
            Turn { pivot: pivot(symmetry, middle(at, sprite), middle(to, &after)), after: after.clone(), to }
        })
    });
    let parts = |point: Vector| [point.minus(Vector::new(1, 1)), point].map(|it| Vector::new(it.x >> 1, it.y >> 1));
    let is_about_itself = |it: &Turn| parts(it.pivot).into_iter().all(|part| sprite.covers(at, part));
    let turns: Vec<Turn> = turns.filter(is_about_itself).collect();
    let fills = 4 * sprite.cells().len() > 3 * usize::from((sprite.size.x * sprite.size.y).unsigned_abs());
    let is_told = turns.iter().all(|it| it.to != at) && !(fills && sprite.size.x == sprite.size.y);
    turns.into_iter().filter(|_| is_told).min_by_key(|it| it.to.minus(at).length())
}

/// Whether a picture gave way to another one and nothing else changed around.
fn is_turned(step: &Step<'_>, (before, at): (&Sprite, Vector), (after, to): (&Sprite, Vector)) -> bool {
    let is_covered = |cell: Vector| before.covers(at, cell) || after.covers(to, cell);
    let changed = |cell: &Vector| color_at(step.before, *cell) != color_at(step.after, *cell);
    after.is_at(step.after, to)
        && !after.is_at(step.before, to)
        && before.footprint(at).any(|cell| changed(&cell))
        && before.square(at).chain(after.square(to)).filter(changed).all(is_covered)
}

/// The point about which such a turn brings one middle to the other, all in half cells.
fn pivot(symmetry: Symmetry, from: Vector, to: Vector) -> Vector {
    let (sum, difference) = (from.plus(to), to.minus(from));
    match symmetry {
        Symmetry::Clockwise => Vector::new(sum.x - difference.y, sum.y + difference.x),
        Symmetry::Counterclockwise => Vector::new(sum.x + difference.y, sum.y - difference.x),
        _ => sum,
    }
    .halved()
}
