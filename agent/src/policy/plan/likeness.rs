//! Framed drawings that are meant to become alike: one that changes, and one beside what it is for.
//!
//! Some games draw what they want: a small framed picture at a thing, and elsewhere one of the same size that something in
//! the level changes. The thing is worth going for once both are alike up to scale, and what changes the other is worth
//! going for until then.

use env_client::{Color, Grid, Point};
use world_model::{Bounds, Scene};

/// The longest side of a frame, in cells: a quarter of the screen.
const LONGEST: u8 = 16;

/// What a frame of one colour holds, from the corner of its bounds, at its smallest scale; `None` shows the frame's colour.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Drawing {
    width: usize,
    cells: Vec<Option<Color>>,
}

impl Drawing {
    /// What lies within the bounds of a component and has other colours.
    fn of(frame: &Grid, color: Color, bounds: Bounds) -> Option<Drawing> {
        let Bounds { left, top, right, bottom } = bounds;
        let cells = (top..=bottom).flat_map(|y| (left..=right).map(move |x| (x, y)));
        let colored = |(x, y)| frame.get(Point::new(x, y).ok()?).filter(|it| *it != color);
        let dots = cells.filter(|at| colored(*at).is_some());
        let inside = dots.map(|(x, y)| Bounds { left: x, top: y, right: x, bottom: y }).reduce(Bounds::union)?;
        if !(left < inside.left && inside.right < right && top < inside.top && inside.bottom < bottom) {
            return None;
        }
        let rows =
            (inside.top..=inside.bottom).flat_map(|y| (inside.left..=inside.right).map(move |x| colored((x, y))));
        let drawing = Drawing { width: inside.width().into(), cells: rows.collect() }.reduced();
        (drawing.cells.len() > 1).then_some(drawing)
    }

    fn height(&self) -> usize {
        self.cells.len() / self.width
    }

    /// The same picture with as few cells as show it.
    fn reduced(self) -> Drawing {
        let (width, height) = (self.width, self.height());
        let at = |x: usize, y: usize| self.cells[y * width + x];
        let is_blown_up = |by: usize| {
            width.is_multiple_of(by)
                && height.is_multiple_of(by)
                && (0..width * height).all(|i| at(i % width, i / width) == at(i % width / by * by, i / width / by * by))
        };
        let Some(by) = (2..=width.min(height)).rev().find(|by| is_blown_up(*by)) else { return self };
        let cells = (0..height / by).flat_map(|y| (0..width / by).map(move |x| (x * by, y * by)));
        Drawing { width: width / by, cells: cells.map(|(x, y)| at(x, y)).collect() }
    }

    /// Whether one may become the other by turning and recolouring.
    fn is_comparable(&self, other: &Drawing) -> bool {
        let sides = |it: &Drawing| (it.width.min(it.height()), it.width.max(it.height()));
        sides(self) == sides(other)
    }
}

/// A drawing and the frame around it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Framed {
    bounds: Bounds,
    drawing: Drawing,
}

fn framed(frame: &Grid) -> Vec<Framed> {
    let scene = Scene::of(frame);
    let small = scene.components().iter().filter(|it| it.bounds.width().max(it.bounds.height()) <= LONGEST);
    let framed =
        small.filter_map(|it| Some(Framed { bounds: it.bounds, drawing: Drawing::of(frame, it.color, it.bounds)? }));
    framed.collect()
}

/// The frames whose drawings were seen to change, kept for the game: most games show them in the same place in every level.
#[derive(Debug, Default)]
pub(super) struct Likeness {
    indicators: Vec<Bounds>,
}

impl Likeness {
    /// Something happened elsewhere than at the pieces.
    pub(super) fn changed(&mut self, old: &Grid, new: &Grid) {
        let before = framed(old);
        for now in framed(new) {
            let same = before.iter().find(|it| it.bounds == now.bounds);
            let is_changed = same.is_some_and(|it| it.drawing != now.drawing && it.drawing.is_comparable(&now.drawing));
            if is_changed && !self.indicators.contains(&now.bounds) {
                self.indicators.push(now.bounds);
            }
        }
    }

    /// What a frame says is alike and what is not.
    pub(super) fn compare(&self, frame: &Grid) -> Comparison {
        if self.indicators.is_empty() {
            return Comparison::default();
        }
        let (indicators, references): (Vec<Framed>, Vec<Framed>) =
            framed(frame).into_iter().partition(|it| self.indicators.contains(&it.bounds));
        let compared = references.into_iter().filter_map(|it| {
            let mut comparable = indicators.iter().filter(|other| other.drawing.is_comparable(&it.drawing)).peekable();
            comparable.peek()?;
            Some((it.bounds, comparable.any(|other| other.drawing == it.drawing)))
        });
        Comparison { references: compared.collect() }
    }
}

/// Which drawn references are shown by an indicator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Comparison {
    references: Vec<(Bounds, bool)>,
}

impl Comparison {
    /// Whether the reference drawn around a place is shown; `None` where none is drawn.
    pub(super) fn is_alike(&self, at: Point) -> Option<bool> {
        self.references.iter().find(|(bounds, _)| bounds.contains(at.x(), at.y())).map(|(_, alike)| *alike)
    }

    /// Whether some reference is not shown.
    pub(super) fn is_waiting(&self) -> bool {
        self.references.iter().any(|(_, alike)| !alike)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reference of three cells by two, and an indicator at twice the scale that shows it in one of two poses.
    fn screen(turned: bool) -> Grid {
        let big = if turned {
            ["44111144", "44111144", "44114444", "44114444"]
        } else {
            ["44114444", "44114444", "44111144", "44111144"]
        };
        let rows =
            ["0000000000", "0444400000", "0414400000", "0411400000", "0444400000", "0000000000"].map(str::to_owned);
        let big = ["44444444"].into_iter().chain(big).chain(["44444444"]).map(|row| format!("0{row}0"));
        rows.into_iter().chain(big).chain(["0000000000".to_owned()]).collect::<Vec<_>>().join("\n").parse().unwrap()
    }

    #[test]
    fn a_drawing_that_changes_is_compared_with_the_one_like_it() {
        let (wrong, right) = (screen(true), screen(false));
        let reference = Point::new(2, 2).unwrap();
        let mut likeness = Likeness::default();
        assert_eq!(likeness.compare(&wrong), Comparison::default(), "nobody saw anything change");
        likeness.changed(&right, &wrong);
        assert_eq!(likeness.compare(&wrong).is_alike(reference), Some(false));
        assert!(likeness.compare(&wrong).is_waiting());
        assert_eq!(likeness.compare(&right).is_alike(reference), Some(true));
        assert_eq!(likeness.compare(&right).is_alike(Point::new(9, 0).unwrap()), None);
    }
}
