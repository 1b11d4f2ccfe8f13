//! Several parts, one thing to click: the spokes of a wheel that touch at their corners.
//!
//! Components are joined by edges alone, so that what is drawn with gaps falls into parts, each of which looks like
//! something to click. Where two parts of one colour that touch at corners did the same, all such parts are taken for
//! one thing, of which one click tells; where they did not, as the cells of a board do not, each part is its own.

use std::collections::BTreeSet;

use super::levers::on_rim;
use env_client::{Action, Color, Point};
use world_model::{Bounds, Component, InterfaceMask, Scene, Transition};

/// What a click did, wherever it did it: something that was shifted keeps either its columns or its rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Effect {
    columns: BTreeSet<u8>,
    rows: BTreeSet<u8>,
}

impl Effect {
    fn of(step: &Transition<'_>, mask: &InterfaceMask) -> Effect {
        let mut effect = Effect::default();
        let Some(after) = step.after() else { return effect };
        let is_bar = |at: &Point| mask.hides(*at) || on_rim(*at, step.before);
        for at in step.before.differences(after).into_iter().flatten().filter(|at| !is_bar(at)) {
            effect.columns.insert(at.x());
            effect.rows.insert(at.y());
        }
        effect
    }

    fn is_none(&self) -> bool {
        self.columns.is_empty()
    }

    fn is_like(&self, other: &Effect) -> bool {
        self.columns == other.columns || self.rows == other.rows
    }
}

/// Something that was clicked.
#[derive(Clone, Debug)]
struct Part {
    color: Color,
    bounds: Bounds,
    effect: Effect,
}

/// Learns whether parts that touch at their corners are one thing to click.
#[derive(Debug, Default)]
pub(super) struct Wholes {
    /// What was clicked in this level, latest last.
    parts: Vec<Part>,
    /// How often two parts of what may be one thing did the same in this game, and how often not.
    alike: u32,
    apart: u32,
}

impl Wholes {
    /// A level begins.
    pub(super) fn begin(&mut self) {
        self.parts.clear();
    }

    /// Learns from an action.
    pub(super) fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let Action::Click(at) = step.action else { return };
        let scene = Scene::of(step.before);
        let Some(it) = scene.component_at(at).map(|index| &scene.components()[index]) else { return };
        let effect = Effect::of(step, mask);
        let whole = whole(&scene, it);
        let mut others = self.parts.iter().rev().filter(|part| part.bounds != it.bounds && is_part(part, &whole));
        if let Some(other) = others.find(|part| !part.effect.is_none()).filter(|_| !effect.is_none()) {
            let is_alike = other.effect.is_like(&effect);
            self.alike += u32::from(is_alike);
            self.apart += u32::from(!is_alike);
        }
        self.parts.push(Part { color: it.color, bounds: it.bounds, effect });
    }

    /// Whether a click on another part told in this level what one on `it` would do.
    pub(super) fn told(&self, scene: &Scene, it: &Component) -> bool {
        self.are_one() && {
            let whole = whole(scene, it);
            self.parts.iter().any(|part| part.bounds != it.bounds && is_part(part, &whole))
        }
    }

    /// These points without those that lie on the same thing as one before.
    pub(super) fn one_each(&self, scene: &Scene, points: &mut Vec<Point>) {
        if !self.are_one() {
            return;
        }
        let mut seen: Vec<Bounds> = Vec::new();
        points.retain(|at| {
            let Some(index) = scene.component_at(*at) else { return true };
            let whole = whole(scene, &scene.components()[index]);
            let is_first = !whole.iter().any(|it| seen.contains(&it.bounds));
            seen.extend(whole.iter().map(|it| it.bounds));
            is_first
        });
    }

    fn are_one(&self) -> bool {
        self.alike > self.apart
    }
}

fn is_part(part: &Part, whole: &[&Component]) -> bool {
    whole.iter().any(|it| (it.color, it.bounds) == (part.color, part.bounds))
}

/// A component and all of its colour that it touches, directly or by way of others.
fn whole<'a>(scene: &'a Scene, it: &'a Component) -> Vec<&'a Component> {
    let mut whole = vec![it];
    let mut next = 0;
    while let Some(from) = whole.get(next).copied() {
        let touches = |other: &&Component| other.color == it.color && touches(from.bounds, other.bounds);
        let fresh: Vec<_> = scene.components().iter().filter(touches).collect();
        let fresh = fresh.into_iter().filter(|it| !whole.iter().any(|known| known.bounds == it.bounds));
        let fresh: Vec<_> = fresh.collect();
        whole.extend(fresh);
        next += 1;
    }
    whole
}

/// Whether two things touch, corners included, and neither lies in the other.
fn touches(a: Bounds, b: Bounds) -> bool {
    let is_apart = !a.surrounds(b) && !b.surrounds(a);
    is_apart && a.left <= b.right + 1 && b.left <= a.right + 1 && a.top <= b.bottom + 1 && b.top <= a.bottom + 1
}

#[cfg(test)]
mod tests {
    use env_client::{Color, Grid};
    use world_model::Outcome;

    use super::*;

    /// A wheel of four spokes that touch at their corners, beside another one, above a thing that hangs at this height.
    fn drawn(height: i16) -> Grid {
        let mut frame = Grid::filled(24, 24, Color::of(0));
        let mut dot = |x: i16, y: i16, color| frame.set(Point::new(x, y).unwrap(), Color::of(color));
        for left in [4, 12] {
            for (x, y) in [(1, 3), (0, 4), (2, 4), (1, 5)] {
                dot(left + x, y, 5);
            }
        }
        (0..3).for_each(|x| dot(4 + x, 8 + height, 7));
        frame
    }

    const TOP: (i16, i16) = (5, 3);
    const LEFT: (i16, i16) = (4, 4);
    const RIGHT: (i16, i16) = (6, 4);
    const OTHER: (i16, i16) = (12, 4);

    /// Clicks these, each of which moves the thing by so much to the right and so much down, on its own way.
    fn clicked(clicks: &[((i16, i16), i16)]) -> Wholes {
        let (mut wholes, mask, mut height) = (Wholes::default(), InterfaceMask::new(), 0);
        for ((x, y), by) in clicks {
            let before = drawn(height);
            height += by;
            let (layers, action) = ([drawn(height)], Action::Click(Point::new(*x, *y).unwrap()));
            let step = Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues };
            wholes.observe(&step, &mask);
        }
        wholes
    }

    fn told(wholes: &Wholes, (x, y): (i16, i16)) -> bool {
        let scene = Scene::of(&drawn(0));
        let index = scene.component_at(Point::new(x, y).unwrap()).unwrap();
        wholes.told(&scene, &scene.components()[index])
    }

    #[test]
    fn parts_that_do_the_same_are_one_thing() {
        let wholes = clicked(&[(TOP, 1), (LEFT, 1)]);
        assert!(told(&wholes, RIGHT));
        assert!(!told(&wholes, OTHER), "it is another wheel");
        let mut points: Vec<Point> =
            [TOP, LEFT, OTHER, RIGHT].map(|(x, y)| Point::new(x, y).unwrap()).into_iter().collect();
        wholes.one_each(&Scene::of(&drawn(0)), &mut points);
        assert_eq!(points, [TOP, OTHER].map(|(x, y)| Point::new(x, y).unwrap()));
    }

    #[test]
    fn nothing_is_told_of_parts_before_two_of_them_agree() {
        assert!(!told(&clicked(&[(TOP, 1)]), RIGHT));
        assert!(!told(&clicked(&[(TOP, 1), (LEFT, 0)]), RIGHT), "one did nothing");
        assert!(told(&clicked(&[(TOP, 1), (LEFT, 0), (RIGHT, 1)]), LEFT));
    }
}
