//! Which cells belong together, and the pictures that they show.

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{Hash, Hasher},
};

use env_client::{Color, Grid, Point};
use rustc_hash::FxHasher;

use crate::Bounds;

/// A hash of what a part shows.
pub type Picture = u64;

/// Cells so far apart that changed with one click belong to one part: a pointer, and the lamp that it goes on at. A guess.
const NEAR: u8 = 3;
/// Fewer cells than this are no part, but a gauge or a speck.
const LEAST: usize = 4;

/// Cells near each other.
pub(super) type Group = BTreeSet<Point>;

/// Cells that belong together.
#[derive(Clone, Debug)]
pub(super) struct Part {
    cells: Vec<Point>,
    bounds: Bounds,
    /// The colours of the cells in each picture seen.
    shown: BTreeMap<Picture, Vec<Color>>,
    /// The picture in which it is lit, if that is known.
    pub(super) lit: Option<Picture>,
}

impl Part {
    fn new(cells: &Group) -> Option<Part> {
        let bounds = Bounds::around(cells.iter().copied())?;
        Some(Part { cells: cells.iter().copied().collect(), bounds, shown: BTreeMap::new(), lit: None })
    }

    fn colors(&self, frame: &Grid) -> Vec<Color> {
        self.cells.iter().map(|at| frame.get(*at).unwrap_or_default()).collect()
    }

    pub(super) fn read(&self, frame: &Grid) -> Picture {
        let mut hasher = FxHasher::default();
        self.colors(frame).hash(&mut hasher);
        hasher.finish()
    }

    /// A frame shows it like this.
    pub(super) fn show(&mut self, picture: Picture, frame: &Grid) {
        let colors = self.colors(frame);
        self.shown.entry(picture).or_insert(colors);
    }

    /// How many pictures were seen.
    pub(super) fn pictures(&self) -> usize {
        self.shown.len()
    }

    /// Whether a point lies in its bounds.
    pub(super) fn contains(&self, at: Point) -> bool {
        self.bounds.contains(at.x(), at.y())
    }

    /// The only one of at least so many pictures with colours that none of the others has, and these.
    pub(super) fn told(&self, least: usize) -> Option<(Picture, Vec<Color>)> {
        let sets: Vec<(Picture, u16)> = self.shown.iter().map(|(picture, colors)| (*picture, set(colors))).collect();
        let others = |picture: Picture| sets.iter().filter(|it| it.0 != picture).fold(0, |all, it| all | it.1);
        let mut alone = sets.iter().map(|it| (it.0, it.1 & !others(it.0))).filter(|it| it.1 != 0);
        let (picture, colors) = alone.next().filter(|_| sets.len() >= least && alone.next().is_none())?;
        Some((picture, Color::ALL.into_iter().filter(|it| colors >> it.index() & 1 == 1).collect()))
    }

    /// Whether what has a colour in a picture is a lamp: of one and the same colour in all the others.
    pub(super) fn is_lamp(&self, picture: Picture, color: Color) -> bool {
        self.off(picture, color).is_power_of_two()
    }

    /// The colours that what has one in a picture has in the others.
    fn off(&self, picture: Picture, color: Color) -> u16 {
        let is_lamp: Vec<bool> = self.shown[&picture].iter().map(|it| *it == color).collect();
        let others = self.shown.iter().filter(|it| *it.0 != picture);
        let cells = others.flat_map(|(_, colors)| colors.iter().zip(&is_lamp));
        cells.filter(|it| *it.1).fold(0, |set, it| set | 1 << it.0.index())
    }

    /// The picture that alone shows a colour, if there are others.
    pub(super) fn with(&self, color: Color) -> Option<Picture> {
        let mut all = self.shown.iter().filter(|(_, colors)| colors.contains(&color)).map(|it| *it.0);
        all.next().filter(|_| all.next().is_none() && self.shown.len() > 1)
    }

    pub(super) fn draw(&self, picture: Picture, frame: &mut Grid) {
        let colors = self.shown.get(&picture).into_iter().flatten();
        self.cells.iter().zip(colors).for_each(|(at, color)| frame.set(*at, *color));
    }
}

fn set(colors: &[Color]) -> u16 {
    colors.iter().fold(0, |set, color| set | 1 << color.index())
}

/// The parts that changes show: cells near each other that changed together, and all such that share a cell.
pub(super) fn parts<'a>(groups: impl Iterator<Item = &'a Group>, is_open: impl Fn(Point) -> bool) -> Vec<Part> {
    let mut parts: Vec<Group> = Vec::new();
    let open = groups.map(|it| it.iter().copied().filter(|at| is_open(*at)).collect::<Group>());
    for mut group in open.filter(|it| it.len() >= LEAST) {
        parts.retain(|part| {
            let is_apart = part.is_disjoint(&group);
            if !is_apart {
                group.extend(part);
            }
            is_apart
        });
        parts.push(group);
    }
    parts.sort();
    parts.iter().filter_map(Part::new).collect()
}

/// Cells by nearness.
pub(super) fn groups(cells: &[Point]) -> Vec<Group> {
    let mut left: BTreeSet<Point> = cells.iter().copied().collect();
    let mut groups = Vec::new();
    while let Some(first) = left.pop_first() {
        let (mut group, mut open) = (BTreeSet::from([first]), vec![first]);
        while let Some(at) = open.pop() {
            let is_near = |it: &Point| it.x().abs_diff(at.x()).max(it.y().abs_diff(at.y())) <= NEAR;
            let near: Vec<Point> = left.iter().copied().filter(is_near).collect();
            for it in near {
                left.remove(&it);
                group.insert(it);
                open.push(it);
            }
        }
        groups.push(group);
    }
    groups
}
