//! Where a vessel is: a rectangle of slices of one colour each, between two borders.

use std::collections::BTreeSet;

use env_client::{Color, Grid, Point};

use crate::{Bounds, InterfaceMask};

/// Which way a vessel lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    Across,
    Down,
}

impl Axis {
    /// How many cells bounds are long along it.
    pub(super) fn length(self, it: Bounds) -> usize {
        usize::from(if self == Axis::Across { it.width() } else { it.height() })
    }

    /// A cell by its place along and beside the axis.
    fn at(self, along: i64, beside: i64) -> Option<Point> {
        let (x, y) = if self == Axis::Across { (along, beside) } else { (beside, along) };
        Point::new(x, y).ok()
    }

    /// First and last place along it, and beside it.
    fn spans(self, it: Bounds) -> [(i64, i64); 2] {
        let (x, y) = ((it.left.into(), it.right.into()), (it.top.into(), it.bottom.into()));
        if self == Axis::Across { [x, y] } else { [y, x] }
    }
}

/// A rectangle that holds layers.
#[derive(Clone, Debug)]
pub(super) struct Vessel {
    pub(super) bounds: Bounds,
    pub(super) axis: Axis,
}

impl Vessel {
    /// The vessel around a rectangle: as far as slices of one colour go on between the same borders.
    pub(super) fn around(frame: &Grid, part: Bounds, known: Option<Axis>) -> Option<Vessel> {
        let mut axes = [Axis::Across, Axis::Down].into_iter().filter(|axis| known.is_none_or(|it| it == *axis));
        axes.find_map(|axis| {
            let [(from, to), (low, high)] = axis.spans(part);
            let border = frame.get(axis.at(from, low - 1)?)?;
            let color = |along: i64, beside: i64| axis.at(along, beside).and_then(|at| frame.get(at));
            let is_slice = |along: i64| {
                let inside = color(along, low);
                let borders = [low - 1, high + 1].into_iter().all(|beside| color(along, beside) == Some(border));
                borders && inside != Some(border) && (low..=high).all(|beside| color(along, beside) == inside)
            };
            if !(from..=to).all(is_slice) {
                return None;
            }
            let from = (0..from).rev().take_while(|along| is_slice(*along)).last().unwrap_or(from);
            let to = (to + 1..i64::from(env_client::SIDE)).take_while(|along| is_slice(*along)).last().unwrap_or(to);
            let corners = [axis.at(from, low)?, axis.at(to, high)?];
            Some(Vessel { bounds: Bounds::around(corners)?, axis })
        })
    }

    /// The colours along it.
    pub(super) fn line(&self, frame: &Grid) -> Vec<Color> {
        let [(from, to), (low, _)] = self.axis.spans(self.bounds);
        (from..=to).filter_map(|along| frame.get(self.axis.at(along, low)?)).collect()
    }

    /// The cells of one slice.
    pub(super) fn slice(&self, at: usize) -> impl Iterator<Item = Point> {
        let [(from, _), (low, high)] = self.axis.spans(self.bounds);
        let axis = self.axis;
        (low..=high).filter_map(move |beside| axis.at(from + at as i64, beside))
    }

    /// Whether it is filled from its last slice on; `None` where that does not show.
    pub(super) fn is_reversed(&self, frame: &Grid, bed: Color) -> Option<bool> {
        let line = self.line(frame);
        let (first, last) = (*line.first()? == bed, *line.last()? == bed);
        (first != last).then_some(first)
    }

    /// A line of liquids, and of one other colour, drawn along it, no further away than it is wide.
    pub(super) fn reference(&self, frame: &Grid, liquids: u16) -> Option<Vec<Color>> {
        let [(from, to), (low, high)] = self.axis.spans(self.bounds);
        let color = |along: i64, beside: i64| self.axis.at(along, beside).and_then(|at| frame.get(at));
        let far = high - low + 1;
        (1..=far).flat_map(|by| [high + by, low - by]).find_map(|beside| {
            let line: Vec<Color> = (from..=to).filter_map(|along| color(along, beside)).collect();
            let ends = [color(from - 1, beside), color(to + 1, beside)];
            let is_whole = line.len() == self.axis.length(self.bounds)
                && !ends.iter().any(|end| line.iter().any(|it| *end == Some(*it)));
            let others: BTreeSet<Color> = line.iter().copied().filter(|it| liquids & 1 << it.index() == 0).collect();
            (is_whole && others.len() <= 1).then_some(line)
        })
    }
}

/// Whether all cells of a rectangle have this colour.
pub(super) fn is_all(frame: &Grid, it: Bounds, color: Color) -> bool {
    it.points().all(|at| frame.get(at) == Some(color))
}

/// The two rectangles that changed, of equally many cells, if nothing else did.
pub(super) fn exchanged(before: &Grid, after: &Grid, mask: &InterfaceMask) -> Option<[Bounds; 2]> {
    let mut open: BTreeSet<Point> = before.differences(after)?.filter(|at| !mask.hides(*at)).collect();
    let mut parts = Vec::new();
    while let Some(first) = open.pop_first() {
        let (mut queue, mut cells) = (vec![first], 0);
        let mut bounds = Bounds::cell(first);
        while let Some(at) = queue.pop() {
            (bounds, cells) = (bounds.union(Bounds::cell(at)), cells + 1);
            let beside = [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter().filter_map(|(dx, dy)| at.offset(dx, dy));
            queue.extend(beside.filter(|next| open.remove(next)));
        }
        parts.push((bounds, cells));
    }
    let is_filled = |(it, cells): &(Bounds, usize)| usize::from(it.width()) * usize::from(it.height()) == *cells;
    match parts.as_slice() {
        [a, b] if a.1 == b.1 && is_filled(a) && is_filled(b) => Some([a.0, b.0]),
        _ => None,
    }
}
