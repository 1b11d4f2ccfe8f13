//! One observed transition, read: which components stayed, were recoloured, moved, came or went.

use env_client::{Action, Grid, Point};

use super::{cell_set::CellSet, sprite::Vector};
use crate::{Bounds, Component, Scene};

/// One transition with its scenes.
#[derive(Debug)]
pub(super) struct Step<'a> {
    pub(super) before: &'a Grid,
    pub(super) after: &'a Grid,
    pub(super) action: Action,
    /// All frames of the answer, the settled one last.
    pub(super) layers: &'a [Grid],
    pub(super) old: &'a Scene,
    pub(super) new: &'a Scene,
}

/// A component seen at another place afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shift {
    /// Its index before.
    pub(super) part: usize,
    pub(super) by: Vector,
}

/// A component seen at another place afterwards, turned or mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// Its indices before and after.
    pub(super) part: usize,
    pub(super) to: usize,
}

/// The smallest component that shows how it is turned: fewer cells than this are taken for a part of something.
const TURNED: u16 = 3;

/// Components above this share of the frame are ground, whose form changes whenever anything on it moves.
const GROUND_SHARE: usize = 4;

/// The longest row of things alike in which each takes the place of the next one. A guess: figures are that small.
const LINKS: i16 = 4;

/// Where known pieces were before, where they came to, and by how much they went.
pub(super) struct Known<'a> {
    pub(super) left: &'a dyn Fn(Vector) -> bool,
    pub(super) arrived: &'a dyn Fn(Vector) -> bool,
    pub(super) ways: &'a [Vector],
}

impl Step<'_> {
    /// The components that moved: gone from their place without another of their form taking it, and seen again in
    /// the same form and colour at a place where it was not before, or else turned. Of several candidates the one that
    /// went as far as something larger or a known piece, or the nearest one. Known pieces are left out, and what takes the
    /// place of another thing is nothing that stood there. What a known piece covers and what is seen where it was is
    /// ground, however alike. Nor did anything go of which no cell changed: it was cut off from what lies beside it, or
    /// joined to it.
    pub(super) fn moves(&self, known: &Known<'_>) -> (Vec<Shift>, Vec<Turn>) {
        let ground = self.before.cells().len() / GROUND_SHARE;
        let free = |it: &Component| usize::from(it.area) < ground && it.shape != 0;
        let (left, arrived) = (|it: &Component| (known.left)(center(it)), |it: &Component| (known.arrived)(center(it)));
        let mut gone: Vec<usize> =
            indices(self.old, |it| free(it) && !left(it) && (arrived(it) || !stands(self.new, it)));
        gone.retain(self.is_changed(self.old));
        gone.sort_by_key(|part| std::cmp::Reverse(self.old.components()[*part].area));
        let mut come: Vec<usize> =
            indices(self.new, |it| free(it) && !arrived(it) && (left(it) || !stands(self.old, it)));
        come.retain(self.is_changed(self.new));
        let is_ground = |a: &Component, b: &Component| arrived(a) && left(b);
        let (mut shifts, mut others): (Vec<Shift>, Vec<usize>) = (Vec::new(), Vec::new());
        for part in gone {
            if shifts.iter().any(|it| it.part == part) {
                continue;
            }
            let alike = |to: &Component, part: &Component| to.shape == part.shape && !is_ground(part, to);
            let ways: Vec<Vector> = known.ways.iter().copied().chain(shifts.iter().map(|it| it.by)).collect();
            match self.take_nearest(part, &mut come, &ways, alike) {
                Some(to) => {
                    let shift = Shift { part, by: self.way(part, to) };
                    shifts.push(shift);
                    self.carry(shift, &mut shifts, &mut come);
                }
                None => others.push(part),
            }
        }
        let shifts = self.chained(&shifts);
        let mut turns = Vec::new();
        for part in others.into_iter().filter(|part| self.old.components()[*part].area >= TURNED) {
            let alike = |to: &Component, part: &Component| to.form == part.form && !is_ground(part, to);
            let turned = self.take_nearest(part, &mut come, &[], alike);
            turns.extend(turned.map(|to| Turn { part, to }));
        }
        (shifts, turns)
    }

    /// Whether some cell of a component, by its index in the scene before or the one after, is of another colour in the
    /// other one.
    fn is_changed(&self, scene: &Scene) -> impl Fn(&usize) -> bool + use<> {
        let mut changed = vec![false; scene.components().len()];
        let points = self.before.points().filter(|at| self.before[*at] != self.after[*at]);
        points.filter_map(|at| scene.component_at(at)).for_each(|index| changed[index] = true);
        move |index| changed[*index]
    }

    /// What seems to have jumped over its like while something else went a part of that way: each of them went that far,
    /// to the place of the next one.
    fn chained(&self, shifts: &[Shift]) -> Vec<Shift> {
        let links = |shift: &Shift| shifts.iter().find_map(|it| self.chain(*shift, it.by));
        shifts.iter().flat_map(|shift| links(shift).unwrap_or_else(|| vec![*shift])).collect()
    }

    /// The components that went by `by` each, where it seems that one went a multiple of that.
    fn chain(&self, shift: Shift, by: Vector) -> Option<Vec<Shift>> {
        let length = (2..=LINKS).find(|count| shift.by == Vector::new(by.x * count, by.y * count))?;
        let first = &self.old.components()[shift.part];
        let mut links = vec![Shift { by, ..shift }];
        for count in 1..length {
            let way = Vector::new(by.x * count, by.y * count);
            seen_at(self.new, first, way)?;
            links.push(Shift { part: seen_at(self.old, first, way)?, by });
        }
        Some(links)
    }

    /// What lies within a component that moved and is seen within it again went along, though others of its form may stand
    /// where it was. The ground that shows through a hole did not.
    fn carry(&self, shift: Shift, shifts: &mut Vec<Shift>, come: &mut Vec<usize>) {
        let carrier = &self.old.components()[shift.part];
        for (part, it) in self.old.components().iter().enumerate() {
            let inside = it.bounds != carrier.bounds && it.bounds.union(carrier.bounds) == carrier.bounds;
            if !inside || it.color == carrier.surround || shifts.iter().any(|known| known.part == part) {
                continue;
            }
            if let Some(to) = seen_at(self.new, it, shift.by) {
                come.retain(|index| *index != to);
                shifts.push(Shift { part, by: shift.by });
            }
        }
    }

    /// Whether the component at a cell goes beyond these cells and moved as a whole.
    pub(super) fn carries(&self, at: Vector, by: Vector, known: &CellSet) -> bool {
        let Some(index) = Point::new(at.x, at.y).ok().and_then(|at| self.old.component_at(at)) else { return false };
        let whole = &self.old.components()[index];
        let ground = self.before.cells().len() / GROUND_SHARE;
        if usize::from(whole.area) >= ground || seen_at(self.new, whole, by).is_none() {
            return false;
        }
        let mut own = whole.bounds.points().filter(|at| self.old.component_at(*at) == Some(index));
        own.any(|at| !known.contains(Vector::new(at.x().into(), at.y().into())))
    }

    /// Whether the component at a cell, and not only what of it lies within these bounds, is seen again elsewhere.
    pub(super) fn went_with_more(&self, at: Point, within: Bounds) -> bool {
        let Some(whole) = self.old.component_at(at).map(|index| &self.old.components()[index]) else { return false };
        let ground = self.before.cells().len() / GROUND_SHARE;
        let is_like = |it: &Component| (it.color, it.area, it.shape) == (whole.color, whole.area, whole.shape);
        let goes_beyond = whole.bounds.union(within) != within && usize::from(whole.area) < ground;
        goes_beyond && self.new.components().iter().any(|it| is_like(it) && it.bounds != whole.bounds)
    }

    /// Takes the component that a piece may be now: one as far away as something else went, or else the nearest.
    fn take_nearest(
        &self,
        part: usize,
        come: &mut Vec<usize>,
        ways: &[Vector],
        alike: impl Fn(&Component, &Component) -> bool,
    ) -> Option<usize> {
        let piece = &self.old.components()[part];
        let may_be = |it: &Component| it.color == piece.color && it.area == piece.area && alike(it, piece);
        let candidates = come.iter().enumerate().filter(|(_, index)| may_be(&self.new.components()[**index]));
        let rank = |way: Vector| (!ways.contains(&way), way.length());
        let (nearest, _) = candidates.min_by_key(|(_, index)| rank(self.way(part, **index)))?;
        Some(come.swap_remove(nearest))
    }

    /// From the corner of a component before to that of one after.
    pub(super) fn way(&self, part: usize, to: usize) -> Vector {
        corner(&self.new.components()[to]).minus(corner(&self.old.components()[part]))
    }

    /// What a turned component consists of before and after, with the parts that lie within its bounds and went along.
    pub(super) fn turned(&self, turn: Turn, shifts: &[Shift]) -> (Vec<usize>, Vec<usize>) {
        let (mut before, mut after) = (vec![turn.part], vec![turn.to]);
        let (old, new) = (&self.old.components()[turn.part], &self.new.components()[turn.to]);
        for shift in shifts {
            let part = &self.old.components()[shift.part];
            let center = Vector::new(i16::from(part.center.x()), i16::from(part.center.y())).plus(shift.by);
            let to = Point::new(center.x, center.y).ok().and_then(|at| self.new.component_at(at));
            let inside = |to: &usize| new.bounds.overlap(self.new.components()[*to].bounds) > 0;
            if let Some(to) = to.filter(inside).filter(|_| old.bounds.overlap(part.bounds) > 0) {
                before.push(shift.part);
                after.push(to);
            }
        }
        (before, after)
    }
}

fn indices(scene: &Scene, keep: impl Fn(&Component) -> bool) -> Vec<usize> {
    scene.components().iter().enumerate().filter(|(_, it)| keep(it)).map(|(index, _)| index).collect()
}

/// Whether a component of this form, whatever its colour, lies exactly there.
fn stands(scene: &Scene, piece: &Component) -> bool {
    let at = scene.component_at(piece.center).map(|index| &scene.components()[index]);
    at.is_some_and(|it| it.bounds == piece.bounds && it.shape == piece.shape && it.area == piece.area)
}

/// The component of a scene that looks like this one, so far away.
fn seen_at(scene: &Scene, it: &Component, by: Vector) -> Option<usize> {
    let middle = center(it).plus(by);
    let to = scene.component_at(Point::new(middle.x, middle.y).ok()?)?;
    let again = &scene.components()[to];
    let alike = (again.color, again.area, again.shape) == (it.color, it.area, it.shape);
    (alike && corner(again) == corner(it).plus(by)).then_some(to)
}

/// A cell of a component in its middle.
pub(super) fn center(component: &Component) -> Vector {
    Vector::new(i16::from(component.center.x()), i16::from(component.center.y()))
}

/// The top left corner of a component's bounds.
pub(super) fn corner(component: &Component) -> Vector {
    Vector::new(i16::from(component.bounds.left), i16::from(component.bounds.top))
}

/// Groups components that moved alike and touch into pieces.
pub(super) fn pieces(scene: &Scene, mut shifts: Vec<Shift>) -> Vec<(Vec<usize>, Vector)> {
    let mut pieces = Vec::new();
    while let Some(seed) = shifts.pop() {
        let (mut group, mut next) = (vec![seed.part], 0);
        while next < group.len() {
            let bounds = scene.components()[group[next]].bounds;
            let joins = |it: &Shift| it.by == seed.by && touch(bounds, scene.components()[it.part].bounds);
            let (near, far): (Vec<Shift>, Vec<Shift>) = shifts.into_iter().partition(joins);
            group.extend(near.iter().map(|it| it.part));
            shifts = far;
            next += 1;
        }
        group.sort_unstable();
        pieces.push((group, seed.by));
    }
    pieces
}

/// Whether two rectangles overlap or lie side by side.
fn touch(a: Bounds, b: Bounds) -> bool {
    let near = |low: u8, high: u8, other_low: u8, other_high: u8| low <= other_high + 1 && other_low <= high + 1;
    near(a.left, a.right, b.left, b.right) && near(a.top, a.bottom, b.top, b.bottom)
}
