//! Figures drawn in several parts, each within one tile: where they went, however they turned.
//!
//! The parts of a figure that turns go different ways, so followed one by one they seem to be many pieces. But what a
//! figure took away from one tile it brought to another: as many cells of each colour.

use env_client::{Color, Grid, Point};

use super::{
    cell_set::CellSet,
    sprite::{SIDES, Sprite, Vector},
    step::Step,
};
use crate::{
    Bounds,
    perception::{
        Lattice,
        tiling::{cells, places},
    },
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
    /// Its tile.
    bounds: Bounds,
    before: Sprite,
    after: Sprite,
    /// Whether all that changed was of one colour, which is still seen there.
    shows_ground: bool,
}

/// The figures of several parts that turned on their way from tile to tile.
pub(super) fn turned(step: &Step<'_>, lattice: Lattice) -> Vec<Figure> {
    let changes = changes(step, lattice);
    if changes.len() > MOST {
        return Vec::new();
    }
    let mut figures: Vec<Figure> = Vec::new();
    let may_turn = |it: &&Change| !is_simple(&it.before) && !it.shows_ground && !it.is_of_more(step);
    for from in changes.iter().filter(may_turn) {
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
        let (before, after) = (look(step.before), look(step.after));
        let rest = cells(lattice, place).filter(|cell| step.before.get(*cell) == step.after.get(*cell));
        let rest = rest.filter_map(|cell| step.before.get(cell)).fold(0, |set: u16, color| set | 1 << color.index());
        let shows_ground = before.colors().is_power_of_two() && before.colors() & rest != 0;
        Some(Change { at, bounds, before, after, shows_ground })
    });
    tiles.take(MOST + 1).collect()
}

impl Change {
    /// Whether what was there is of a component that reaches beyond the tile and went as a whole.
    fn is_of_more(&self, step: &Step<'_>) -> bool {
        let points = self.before.footprint(self.at).filter_map(|at| Point::new(at.x, at.y).ok());
        points.into_iter().any(|at| step.went_with_more(at, self.bounds))
    }
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

#[cfg(test)]
mod tests {
    use env_client::{Action, Key};

    use super::*;
    use crate::Scene;

    const LATTICE: Lattice = Lattice { scale: 3, left: 0, top: 0 };

    fn figures(before: &str, after: &str) -> Vec<Figure> {
        let (before, after): (Grid, Grid) = (before.parse().unwrap(), after.parse().unwrap());
        let (old, new) = (Scene::of(&before), Scene::of(&after));
        let action = Action::Key(Key::Key2);
        turned(&Step { before: &before, after: &after, action, layers: &[], old: &old, new: &new }, LATTICE)
    }

    #[test]
    fn parts_that_turn_on_their_way_to_the_next_tile_are_one_figure() {
        let found =
            figures("911111\n112111\n911111\n111111\n111111\n111111", "111111\n111111\n111111\n919111\n111111\n121111");
        let [figure] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((figure.at, figure.by), (Vector::ZERO, Vector::new(0, 3)));
        assert_eq!((figure.before.cells().len(), figure.after.cells().len()), (3, 3));
        assert!(figure.covered(Vector::new(2, 1)) && !figure.covered(Vector::new(1, 1)));
    }

    #[test]
    fn a_component_is_left_to_those_who_follow_components() {
        let found =
            figures("991111\n191111\n111111\n111111\n111111\n111111", "111111\n111111\n111111\n911111\n991111\n111111");
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn the_ends_of_a_piece_of_several_tiles_are_no_figures() {
        let found = figures("999999111\n922229111\n999999111", "111999999\n111922229\n111999999");
        assert!(found.is_empty(), "{found:?}");
    }
}
