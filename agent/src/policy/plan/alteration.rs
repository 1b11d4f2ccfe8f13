//! What something does to a drawing: it turns or mirrors it, or gives it other colours.

use std::collections::BTreeMap;

use env_client::{Color, Grid, Point};
use world_model::Bounds;

/// Ways to turn and mirror a drawing.
const POSES: u8 = 8;

/// What a frame of one colour holds, from the corner of its bounds, at its smallest scale; `None` shows the frame's colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Drawing {
    width: usize,
    cells: Vec<Option<Color>>,
}

impl Drawing {
    /// What lies within the bounds of a component and has other colours.
    pub(super) fn of(frame: &Grid, color: Color, bounds: Bounds) -> Option<Drawing> {
        let Bounds { left, top, right, bottom } = bounds;
        let colored = |at: Point| frame.get(at).filter(|it| *it != color);
        let dots = bounds.points().filter(|at| colored(*at).is_some());
        let inside = Bounds::around(dots)?;
        if !(left < inside.left && inside.right < right && top < inside.top && inside.bottom < bottom) {
            return None;
        }
        let cells = inside.points().map(colored).collect();
        let drawing = Drawing { width: inside.width().into(), cells }.reduced();
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
    pub(super) fn is_comparable(&self, other: &Drawing) -> bool {
        let sides = |it: &Drawing| (it.width.min(it.height()), it.width.max(it.height()));
        sides(self) == sides(other)
    }

    /// The same turned and mirrored: one of eight poses, of which 0 leaves it as it is.
    fn posed(&self, pose: u8) -> Drawing {
        let (width, height) = (self.width, self.height());
        let (across, down) = if pose & 4 == 0 { (width, height) } else { (height, width) };
        let cell = |x: usize, y: usize| {
            let (x, y) = if pose & 4 == 0 { (x, y) } else { (y, x) };
            let x = if pose & 1 == 0 { x } else { width - 1 - x };
            let y = if pose & 2 == 0 { y } else { height - 1 - y };
            self.cells[y * width + x]
        };
        let cells = (0..down).flat_map(|y| (0..across).map(move |x| (x, y))).map(|(x, y)| cell(x, y));
        Drawing { width: across, cells: cells.collect() }
    }

    /// The colour that each colour would have to become for this to be another drawing, if that can be.
    fn recolouring(&self, other: &Drawing) -> Option<BTreeMap<Color, Color>> {
        if self.width != other.width || self.cells.len() != other.cells.len() {
            return None;
        }
        let mut recolours = BTreeMap::new();
        for (from, to) in self.cells.iter().zip(&other.cells) {
            match (from, to) {
                (None, None) => {}
                (Some(from), Some(to)) if *recolours.entry(*from).or_insert(*to) == *to => {}
                _ => return None,
            }
        }
        Some(recolours)
    }
}

/// What was seen to be done to drawings, always the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Alteration {
    /// The poses that explain everything that was seen, with the colours each gave to which; the first one counts.
    poses: Option<Vec<(u8, BTreeMap<Color, Color>)>>,
}

impl Alteration {
    /// One drawing became another one.
    pub(super) fn learn(&mut self, before: &Drawing, after: &Drawing) {
        let known = self.poses.take().unwrap_or_else(|| (0..POSES).map(|pose| (pose, BTreeMap::new())).collect());
        let fits = |(pose, mut recolours): (u8, BTreeMap<Color, Color>)| {
            let seen = before.posed(pose).recolouring(after)?;
            let agrees = seen.iter().all(|(from, to)| recolours.get(from).is_none_or(|it| it == to));
            recolours.extend(seen);
            agrees.then_some((pose, recolours))
        };
        self.poses = Some(known.into_iter().filter_map(fits).collect());
    }

    /// What it makes of a drawing; `None` where nobody knows. Colours that it was never seen to change it leaves alone, unless
    /// it changes others.
    pub(super) fn of(&self, drawing: &Drawing) -> Option<Drawing> {
        let (pose, recolours) = self.poses.as_ref()?.first()?;
        let keeps = recolours.iter().all(|(from, to)| from == to);
        let recolour = |color: Color| recolours.get(&color).copied().or(keeps.then_some(color));
        let mut made = drawing.posed(*pose);
        for cell in made.cells.iter_mut().flatten() {
            *cell = recolour(*cell)?;
        }
        Some(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing(rows: &[&str]) -> Drawing {
        let cells = rows.iter().flat_map(|row| row.bytes()).map(|it| (it != b'.').then(|| Color::of(it - b'0')));
        Drawing { width: rows[0].len(), cells: cells.collect() }
    }

    #[test]
    fn what_turned_one_drawing_turns_all() {
        let mut wheel = Alteration::default();
        assert_eq!(wheel.of(&drawing(&["11"])), None);
        wheel.learn(&drawing(&["1.1", "11."]), &drawing(&["11", "1.", ".1"]));
        assert_eq!(wheel.of(&drawing(&["22", "2."])), Some(drawing(&["22", ".2"])));
    }

    #[test]
    fn what_recolours_does_so_with_colours_that_were_seen() {
        let mut vat = Alteration::default();
        vat.learn(&drawing(&["1.1", "11."]), &drawing(&["2.2", "22."]));
        assert_eq!(vat.of(&drawing(&["1."])), Some(drawing(&["2."])));
        assert_eq!(vat.of(&drawing(&["2."])), None);
    }

    #[test]
    fn what_does_now_this_and_now_that_is_not_understood() {
        let mut odd = Alteration::default();
        odd.learn(&drawing(&["1.", "11"]), &drawing(&["2.", "22"]));
        odd.learn(&drawing(&["1.", "11"]), &drawing(&["3.", "33"]));
        assert_eq!(odd.of(&drawing(&["1.", "11"])), None);
    }
}
