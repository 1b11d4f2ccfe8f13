//! Where things of one size stand.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use env_client::{Color, Grid, Point};

use super::{Axis, BARE, Thing};
use crate::{Bounds, Component, InterfaceMask, Scene};

/// Things of one level, fewer of which are none, and more of which are a texture. Guesses.
const THINGS: std::ops::RangeInclusive<usize> = 3..=60;
/// The least side of a thing. A guess.
const LEAST: u8 = 3;

/// Width and height of things.
pub(super) type Size = (u8, u8);

/// The size of the two pictures that changed places by two clicks, each on one of them, if nothing else changed.
pub(super) fn traded([old, new]: [&Grid; 2], mask: &InterfaceMask, [first, second]: [Point; 2]) -> Option<Size> {
    let far = |at: &Point, click: Point| at.x().abs_diff(click.x()).max(at.y().abs_diff(click.y()));
    let changed = old.differences(new)?.filter(|at| !mask.hides(*at));
    let (here, there): (Vec<Point>, Vec<Point>) = changed.partition(|at| far(at, first) <= far(at, second));
    let (from, to) = (Bounds::around(here.iter().copied())?, Bounds::around(there.iter().copied())?);
    let is_large = from.width().min(from.height()) >= LEAST && size(from) == size(to);
    let is_there = from.contains(first.x(), first.y()) && to.contains(second.x(), second.y());
    let is_changed = |(a, b): &(Point, Point)| here.contains(a) && there.contains(b);
    let mut pairs = from.points().zip(to.points()).filter(is_changed);
    let is_trade = pairs.all(|(a, b)| old[a] == new[b] && old[b] == new[a]);
    (is_large && is_there && is_trade).then(|| size(from))
}

fn size(it: Bounds) -> Size {
    (it.width(), it.height())
}

/// The places on which things stand, and lines about which these mirror each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seats {
    size: Size,
    bounds: Vec<Bounds>,
    axes: Vec<Axis>,
}

/// The things of a scene that have this size. Of two that overlap the one with fewer cells is none: it is a piece of a line.
fn things(scene: &Scene, mask: &InterfaceMask, wanted: Size) -> Vec<Bounds> {
    let is_thing = |it: &&Component| size(it.bounds) == wanted && !mask.hides(it.center);
    let mut all: Vec<&Component> = scene.components().iter().filter(is_thing).collect();
    all.sort_by_key(|it| Reverse(it.area));
    let mut things: Vec<Bounds> = Vec::new();
    for it in all {
        if things.iter().all(|other| other.overlap(it.bounds) == 0) {
            things.push(it.bounds);
        }
    }
    things.sort_by_key(|it| (it.left, it.top));
    things
}

impl Seats {
    /// The seats of another level: all things may be larger or smaller there. Of the sizes that have the same form that of most
    /// things.
    pub(super) fn find_again(frame: &Grid, mask: &InterfaceMask, known: Size) -> Option<Seats> {
        let scene = Scene::of(frame);
        let product = |a: u8, b: u8| u16::from(a) * u16::from(b);
        let is_alike = |it: &Size| product(it.0, known.1) == product(it.1, known.0) && it.0.min(it.1) >= LEAST;
        let sizes: BTreeSet<Size> = scene.components().iter().map(|it| size(it.bounds)).filter(is_alike).collect();
        let count = |it: &Size| (things(&scene, mask, *it).len(), *it == known);
        Seats::find(frame, mask, sizes.into_iter().max_by_key(count)?)
    }

    /// The seats of a frame on which no thing is marked.
    pub(super) fn find(frame: &Grid, mask: &InterfaceMask, size: Size) -> Option<Seats> {
        let things = things(&Scene::of(frame), mask, size);
        let mut seats = Seats { size, bounds: things, axes: Vec::new() };
        if !THINGS.contains(&seats.len()) {
            return None;
        }
        seats.find_axes(frame);
        seats.add_images(frame);
        Some(seats)
    }

    /// Lines that are drawn, and about which some things are images of others, or of themselves.
    fn find_axes(&mut self, frame: &Grid) {
        let free = |at: &Point| !self.bounds.iter().any(|it| it.contains(at.x(), at.y()));
        let mut counts = BTreeMap::<Color, usize>::new();
        frame.points().filter(free).filter_map(|at| frame.get(at)).for_each(|it| *counts.entry(it).or_default() += 1);
        let Some((ground, _)) = counts.into_iter().max_by_key(|it| it.1) else { return };
        let mut votes: Vec<(Axis, usize)> = Vec::new();
        let pairs = self.bounds.iter().flat_map(|one| self.bounds.iter().map(move |other| (*one, *other)));
        for axis in pairs.flat_map(|(one, other)| Axis::between(one, other)) {
            match votes.iter_mut().find(|it| it.0 == axis) {
                Some(vote) => vote.1 += 1,
                None => votes.push((axis, 1)),
            }
        }
        let is_met = |it: &&(Axis, usize)| 3 * it.1 >= self.len() && it.0.is_drawn(frame, &self.bounds, ground);
        let axes: Vec<Axis> = votes.iter().filter(is_met).map(|it| it.0).collect();
        self.axes = axes;
    }

    /// Adds the images of all seats, on which nothing stands.
    fn add_images(&mut self, frame: &Grid) {
        let mut index = 0;
        while index < self.len() && self.len() <= *THINGS.end() {
            for axis in &self.axes {
                let image =
                    axis.image(self.bounds[index]).filter(|it| it.right < frame.width() && it.bottom < frame.height());
                self.bounds.extend(image.filter(|it| !self.bounds.contains(it)));
            }
            index += 1;
        }
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    pub(super) fn len(&self) -> usize {
        self.bounds.len()
    }

    pub(super) fn middle(&self, seat: usize) -> Option<Point> {
        self.bounds.get(seat).map(|it| it.middle())
    }

    pub(super) fn at(&self, at: Point) -> Option<usize> {
        self.bounds.iter().position(|it| it.contains(at.x(), at.y()))
    }

    /// What stands on every seat: the largest component that fills it tells.
    pub(super) fn read(&self, frame: &Grid) -> Vec<Thing> {
        let scene = Scene::of(frame);
        let thing = |it: &Component| (it.form << 5 | 1 << 4 | it.color.index() as u64).max(1);
        let on = |seat: &Bounds| scene.components().iter().filter(|it| it.bounds == *seat).max_by_key(|it| it.area);
        self.bounds.iter().map(|seat| on(seat).map_or(BARE, thing)).collect()
    }

    /// The colours right around a seat.
    pub(super) fn around(&self, frame: &Grid, seat: usize) -> BTreeSet<Color> {
        let it = self.bounds[seat];
        let wide = Bounds {
            left: it.left.saturating_sub(1),
            top: it.top.saturating_sub(1),
            right: it.right + 1,
            bottom: it.bottom + 1,
        };
        wide.points().filter(|at| !it.contains(at.x(), at.y())).filter_map(|at| frame.get(at)).collect()
    }

    /// Seats that are images of each other; `None` where no line is drawn, or where an image lies beside the frame.
    pub(super) fn groups(&self) -> Option<Vec<Vec<usize>>> {
        let mut group: Vec<usize> = (0..self.len()).collect();
        for (index, axis) in (0..self.len()).flat_map(|it| self.axes.iter().map(move |axis| (it, axis))) {
            let image = axis.image(self.bounds[index])?;
            let other = self.bounds.iter().position(|it| *it == image)?;
            let (one, other) = (group[index], group[other]);
            group.iter_mut().filter(|it| **it == other).for_each(|it| *it = one);
        }
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        group.iter().enumerate().for_each(|(seat, it)| groups.entry(*it).or_default().push(seat));
        (!self.axes.is_empty()).then(|| groups.into_values().collect())
    }
}
