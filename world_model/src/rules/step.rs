//! One observed transition, read: which components stayed, were recoloured, moved, came or went.

use env_client::{Action, Grid};

use super::sprite::Vector;
use crate::{Bounds, Component, Scene};

/// One transition with its scenes.
#[derive(Debug)]
pub(super) struct Step<'a> {
    pub(super) before: &'a Grid,
    pub(super) after: &'a Grid,
    pub(super) action: Action,
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

/// Components above this share of the frame are ground, whose form changes whenever anything on it moves.
const GROUND_SHARE: usize = 4;

impl Step<'_> {
    /// The components that moved: gone from their place without another of their form taking it, and seen again in
    /// the same form and colour at a place where it was not before. Of several candidates the nearest one.
    pub(super) fn shifts(&self, ignored: impl Fn(&Component) -> bool) -> Vec<Shift> {
        let ground = self.before.cells().len() / GROUND_SHARE;
        let free = |it: &&Component| usize::from(it.area) < ground && !ignored(it);
        let gone: Vec<usize> = indices(self.old, |it| free(&it) && !stands(self.new, it));
        let mut come: Vec<usize> = indices(self.new, |it| free(&it) && !stands(self.old, it));
        let mut shifts = Vec::new();
        for part in gone {
            let piece = &self.old.components()[part];
            let alike = |it: &Component| it.color == piece.color && it.shape == piece.shape && it.area == piece.area;
            let by = |index: usize| corner(&self.new.components()[index]).minus(corner(piece));
            let candidates = come.iter().enumerate().filter(|(_, index)| alike(&self.new.components()[**index]));
            let nearest = candidates.min_by_key(|(_, index)| by(**index).length()).map(|(at, index)| (at, by(*index)));
            if let Some((at, by)) = nearest {
                come.swap_remove(at);
                shifts.push(Shift { part, by });
            }
        }
        shifts
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
