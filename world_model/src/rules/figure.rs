//! Figures drawn in several parts, each within one tile: where they went, however they turned.
//!
//! The parts of a figure that turns go different ways, so followed one by one they seem to be many pieces. But what a
//! figure took away from one tile it brought to another: as many cells of each colour.

use env_client::{Color, Grid};

use super::{
    cell_set::CellSet,
    sprite::{SIDES, Sprite, Vector},
    step::Step,
};
use crate::perception::{
    Lattice,
    tiling::{cells, places},
};

/// More changed tiles than this are no figures that go, but a view that scrolls.
const MOST: usize = 8;

/// A figure that went from one tile to another and looks different there.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    /// The corner of its tile.
    pub(super) at: Vector,
    pub(super) by: Vector,
    pub(super) before: Sprite,
    pub(super) after: Sprite,
}

/// What changed in one tile.
struct Change {
    at: Vector,
    before: Sprite,
    after: Sprite,
}

/// The figures of several parts that turned on their way from tile to tile.
pub(super) fn turned(step: &Step<'_>, lattice: Lattice) -> Vec<Figure> {
    let changes = changes(step, lattice);
    if changes.len() > MOST {
        return Vec::new();
    }
    let mut figures: Vec<Figure> = Vec::new();
    for from in changes.iter().filter(|it| !is_simple(&it.before)) {
        let like = |to: &&Change| to.at != from.at && counts(&to.after) == counts(&from.before);
        let nearest = changes.iter().filter(like).min_by_key(|to| to.at.minus(from.at).length());
        let Some(to) = nearest.filter(|to| to.after != from.before) else { continue };
        if figures.iter().all(|it| it.at.plus(it.by) != to.at) {
            let by = to.at.minus(from.at);
            figures.push(Figure { at: from.at, by, before: from.before.clone(), after: to.after.clone() });
        }
    }
    figures
}

fn changes(step: &Step<'_>, lattice: Lattice) -> Vec<Change> {
    let tiles = places(step.before, lattice).filter_map(|place| {
        let bounds = lattice.bounds(place);
        let at = Vector::new(i16::from(bounds.left), i16::from(bounds.top));
        let mut changed =
            cells(lattice, place).filter(|cell| step.before.get(*cell) != step.after.get(*cell)).peekable();
        changed.peek()?;
        let changed: CellSet = changed.map(|cell| Vector::new(i16::from(cell.x()), i16::from(cell.y()))).collect();
        let size = Vector::new(i16::from(lattice.scale), i16::from(lattice.scale));
        let look = |frame: &Grid| Sprite::cut(frame, at, size).within(at, &changed);
        Some(Change { at, before: look(step.before), after: look(step.after) })
    });
    tiles.take(MOST + 1).collect()
}

/// How many cells of each colour it has.
fn counts(sprite: &Sprite) -> [u16; Color::COUNT] {
    let mut counts = [0; Color::COUNT];
    sprite.cells().iter().for_each(|(_, color)| counts[color.index()] += 1);
    counts
}

/// Whether it is one component: those are followed as such.
fn is_simple(sprite: &Sprite) -> bool {
    let Some((first, color)) = sprite.cells().first().copied() else { return true };
    let mut reached = CellSet::EMPTY;
    let mut open = vec![first];
    let mut count = 0;
    while let Some(at) = open.pop() {
        if sprite.color(at) == Some(color) && reached.insert(at) {
            count += 1;
            open.extend(SIDES.map(|side| at.plus(side)));
        }
    }
    count == sprite.cells().len()
}

impl Figure {
    /// Whether a cell was its own before it went.
    pub(super) fn covered(&self, cell: Vector) -> bool {
        self.before.covers(self.at, cell)
    }
}
