//! A frame as components: row runs joined by union-find, then one pass per property.

use std::sync::Arc;

use env_client::{Color, Grid, Point};

use super::{
    Bounds, Component, Symmetry,
    form::{Form, Forms},
    recent,
};

/// A component that fills more than this fraction of the frame is ground: nothing that is moved is so large in the
/// games seen so far, and what is would hide little more than one such piece.
const GROUND: usize = 8;

/// What is drawn in one frame; a copy costs next to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    components: Arc<[Component]>,
    /// Which component each cell belongs to, row after row.
    labels: Arc<[u16]>,
    /// For each component the only other one it touches.
    hosts: Arc<[Host]>,
    background: Color,
    width: u8,
}

/// What a component touches along its sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Host {
    Nothing,
    One(u16),
    Several,
}

/// Neighbouring cells of one colour in one row.
#[derive(Clone, Copy)]
struct Run {
    y: u8,
    left: u8,
    right: u8,
    color: Color,
    parent: u16,
}

impl Scene {
    /// What is drawn in a frame. Components are numbered by their first cell, row after row.
    pub fn of(grid: &Grid) -> Scene {
        recent::scene(grid, Scene::read)
    }

    /// Reads a frame.
    pub(super) fn read(grid: &Grid) -> Scene {
        let mut runs = runs_of(grid);
        join(&mut runs);
        let (owners, mut components) = gather(&mut runs);
        let labels = label(grid, &runs, &owners);
        let (width, background) = (grid.width(), background(&components));
        let hosts = hosts(grid, &labels, &components);
        shapes(&runs, &owners, &mut components);
        centers(grid, &labels, &mut components);
        for component in &mut components {
            component.surround = surround(grid, component);
        }
        Scene { components: components.into(), labels: labels.into(), hosts: hosts.into(), background, width }
    }

    /// Every component, by its first cell.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// Columns and rows of the frame.
    pub fn size(&self) -> (u8, u8) {
        (self.width, (self.labels.len() / usize::from(self.width)) as u8)
    }

    /// The colour that fills most of the frame; of several the one with the largest component.
    pub const fn background(&self) -> Color {
        self.background
    }

    /// Whether things lie on this component rather than are it: it has the background's colour or fills an eighth of
    /// the frame.
    pub fn is_ground(&self, component: usize) -> bool {
        let it = &self.components[component];
        it.color == self.background || usize::from(it.area) * GROUND > self.labels.len()
    }

    /// The component that encloses this one on all sides, if one alone does.
    pub fn island_in(&self, component: usize) -> Option<usize> {
        let inner = self.components[component].bounds;
        match self.hosts[component] {
            Host::One(outer) if self.components[usize::from(outer)].bounds.surrounds(inner) => Some(usize::from(outer)),
            _ => None,
        }
    }

    /// What is elsewhere in a later frame, and by how many columns and rows: components that are gone, where the only one that
    /// came of their colour and form lies along their row or column.
    pub fn shifted<'a>(&'a self, later: &Scene) -> Vec<(&'a Component, (i16, i16))> {
        let is_there = |scene: &Scene, it: &Component| {
            let is_same =
                |other: &Component| (other.color, other.shape, other.bounds) == (it.color, it.shape, it.bounds);
            scene.components.iter().any(is_same)
        };
        let came: Vec<&Component> = later.components.iter().filter(|it| !is_there(self, it)).collect();
        let gone = self.components.iter().filter(|it| !is_there(later, it));
        let moved = gone.filter_map(|it| {
            let mut ends = came.iter().filter(|other| (other.color, other.shape) == (it.color, it.shape));
            let (end, None) = (ends.next()?, ends.next()) else { return None };
            let by = |from: u8, to: u8| i16::from(to) - i16::from(from);
            Some((it, (by(it.bounds.left, end.bounds.left), by(it.bounds.top, end.bounds.top))))
        });
        moved.filter(|(_, by)| (by.0 == 0) != (by.1 == 0)).collect()
    }

    /// Which component each cell belongs to, row after row.
    pub(super) fn labels(&self) -> &[u16] {
        &self.labels
    }

    /// The index of the component that holds this cell, or `None` outside the frame.
    pub fn component_at(&self, point: Point) -> Option<usize> {
        let index = usize::from(point.y()) * usize::from(self.width) + usize::from(point.x());
        (point.x() < self.width).then(|| self.labels.get(index).copied().map(usize::from)).flatten()
    }
}

/// The colour of most cells; the one with the largest component, then the earliest one, on a tie.
fn background(components: &[Component]) -> Color {
    let mut counts = [(0u16, 0u16); Color::COUNT];
    for component in components {
        let (cells, largest) = &mut counts[component.color.index()];
        *cells += component.area;
        *largest = component.area.max(*largest);
    }
    let most = components.iter().rev().max_by_key(|component| counts[component.color.index()]);
    most.map(|component| component.color).unwrap_or_default()
}

fn hosts(grid: &Grid, labels: &[u16], components: &[Component]) -> Vec<Host> {
    let mut hosts = vec![Host::Nothing; components.len()];
    let mut touch = |a: u16, b: u16| {
        for (inner, outer) in [(a, b), (b, a)] {
            let host = &mut hosts[usize::from(inner)];
            *host = match *host {
                Host::Nothing => Host::One(outer),
                Host::One(other) if other == outer => Host::One(outer),
                _ => Host::Several,
            };
        }
    };
    let width = usize::from(grid.width());
    for (y, row) in labels.chunks_exact(width).enumerate() {
        row.windows(2).filter(|pair| pair[0] != pair[1]).for_each(|pair| touch(pair[0], pair[1]));
        if let Some(below) = labels.get((y + 1) * width..(y + 2) * width) {
            row.iter().zip(below).filter(|(a, b)| a != b).for_each(|(a, b)| touch(*a, *b));
        }
    }
    hosts
}

fn runs_of(grid: &Grid) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::with_capacity(512);
    for (y, row) in grid.rows().enumerate() {
        let mut left = 0;
        for right in 0..row.len() {
            if right + 1 == row.len() || row[right + 1] != row[left] {
                let parent = runs.len() as u16;
                runs.push(Run { y: y as u8, left: left as u8, right: right as u8, color: row[left], parent });
                left = right + 1;
            }
        }
    }
    runs
}

/// Joins runs of one colour that overlap in neighbouring rows: one merge-like sweep over each pair of rows.
fn join(runs: &mut [Run]) {
    let (mut above, mut below) = (0, 0);
    while below < runs.len() {
        if runs[above].y + 1 < runs[below].y {
            above += 1;
        } else if runs[above].y >= runs[below].y {
            below += 1;
        } else {
            let (a, b) = (runs[above], runs[below]);
            if a.color == b.color && a.left <= b.right && b.left <= a.right {
                unite(runs, above as u16, below as u16);
            }
            if a.right <= b.right { above += 1 } else { below += 1 }
        }
    }
}

fn root(runs: &mut [Run], mut index: u16) -> u16 {
    while runs[usize::from(index)].parent != index {
        let grandparent = runs[usize::from(runs[usize::from(index)].parent)].parent;
        runs[usize::from(index)].parent = grandparent;
        index = grandparent;
    }
    index
}

/// The earlier root wins, so that a component is numbered by its first cell.
fn unite(runs: &mut [Run], a: u16, b: u16) {
    let (a, b) = (root(runs, a), root(runs, b));
    runs[usize::from(a.max(b))].parent = a.min(b);
}

/// The component of each run, and the components with colour, area and bounds filled in.
fn gather(runs: &mut [Run]) -> (Vec<u16>, Vec<Component>) {
    let mut components: Vec<Component> = Vec::new();
    let mut owners = vec![0; runs.len()];
    for index in 0..runs.len() {
        let run = runs[index];
        let bounds = Bounds { left: run.left, top: run.y, right: run.right, bottom: run.y };
        let first = usize::from(root(runs, index as u16));
        if first == index {
            owners[index] = components.len() as u16;
            let (color, center) = (run.color, Point::default());
            let (shape, form, pose) = (0, 0, Symmetry::Identity);
            components.push(Component { color, area: 0, bounds, shape, form, pose, surround: color, center });
        } else {
            owners[index] = owners[first];
        }
        let component = &mut components[usize::from(owners[index])];
        component.area += u16::from(run.right - run.left) + 1;
        component.bounds = component.bounds.union(bounds);
    }
    (owners, components)
}

fn label(grid: &Grid, runs: &[Run], owners: &[u16]) -> Box<[u16]> {
    let mut labels = vec![0; grid.cells().len()].into_boxed_slice();
    for (run, owner) in runs.iter().zip(owners) {
        let row = usize::from(run.y) * usize::from(grid.width());
        labels[row + usize::from(run.left)..=row + usize::from(run.right)].fill(*owner);
    }
    labels
}

fn shapes(runs: &[Run], owners: &[u16], components: &mut [Component]) {
    let mut forms = vec![Form::default(); components.len()];
    for (run, owner) in runs.iter().zip(owners) {
        let owner = usize::from(*owner);
        forms[owner].add(components[owner].bounds, run.y, (run.left, run.right), 1);
    }
    for (component, form) in components.iter_mut().zip(forms) {
        (component.shape, component.form, component.pose) = {
            let Forms { shape, form, pose } = form.finish(component.bounds);
            (shape, form, pose)
        };
    }
}

/// Finds each component's cell with the largest city-block distance to another colour or the rim of the frame (the
/// classical two-pass distance transform), ties going to the cell nearest to the middle of the bounds.
fn centers(grid: &Grid, labels: &[u16], components: &mut [Component]) {
    let distances = rim_distances(grid, labels);
    let mut best = vec![(0u8, u16::MAX); components.len()];
    for (point, (label, distance)) in grid.points().zip(labels.iter().zip(distances)) {
        let owner = usize::from(*label);
        if distance < best[owner].0 {
            continue;
        }
        let offset = middle_offset(components[owner].bounds, point);
        if distance > best[owner].0 || offset < best[owner].1 {
            best[owner] = (distance, offset);
            components[owner].center = point;
        }
    }
}

/// Twice the city-block distance from the middle of the bounds.
fn middle_offset(bounds: Bounds, point: Point) -> u16 {
    let twice = |low: u8, high: u8, at: u8| (u16::from(low) + u16::from(high)).abs_diff(2 * u16::from(at));
    twice(bounds.left, bounds.right, point.x()) + twice(bounds.top, bounds.bottom, point.y())
}

fn rim_distances(grid: &Grid, labels: &[u16]) -> Vec<u8> {
    let (width, height) = (usize::from(grid.width()), usize::from(grid.height()));
    let mut distances = vec![1u8; labels.len()];
    let same = |a: usize, b: usize| labels[a] == labels[b];
    for y in 1..height {
        for x in 1..width {
            let at = y * width + x;
            if same(at, at - 1) && same(at, at - width) {
                distances[at] = 1 + distances[at - 1].min(distances[at - width]);
            }
        }
    }
    for y in (0..height).rev() {
        for x in (0..width).rev() {
            let at = y * width + x;
            let inside = x + 1 < width && y + 1 < height && same(at, at + 1) && same(at, at + width);
            let back = if inside { 1 + distances[at + 1].min(distances[at + width]) } else { 1 };
            distances[at] = distances[at].min(back);
        }
    }
    distances
}

/// The commonest colour on the ring outside the bounds, the smaller index on a tie.
fn surround(grid: &Grid, component: &Component) -> Color {
    let Bounds { left, top, right, bottom } = component.bounds;
    let (width, height) = (usize::from(grid.width()), usize::from(grid.height()));
    let (first, last) = (usize::from(left).saturating_sub(1), (usize::from(right) + 1).min(width - 1));
    let (cells, mut counts) = (grid.cells(), [0u16; Color::COUNT]);
    let above = top.checked_sub(1).map(usize::from);
    let below = Some(usize::from(bottom) + 1).filter(|y| *y < height);
    for y in above.into_iter().chain(below) {
        cells[y * width + first..=y * width + last].iter().for_each(|color| counts[color.index()] += 1);
    }
    let before = left.checked_sub(1).map(usize::from);
    let behind = Some(usize::from(right) + 1).filter(|x| *x < width);
    for x in before.into_iter().chain(behind) {
        let column = cells[usize::from(top) * width + x..].iter().step_by(width).take(usize::from(bottom - top) + 1);
        column.for_each(|color| counts[color.index()] += 1);
    }
    let commonest = (0..Color::COUNT).max_by_key(|index| (counts[*index], Color::COUNT - index));
    commonest.filter(|index| counts[*index] > 0).map_or(component.color, |index| Color::ALL[index])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scene(picture: &str) -> Scene {
        Scene::of(&picture.parse().unwrap())
    }

    fn point(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    #[test]
    fn pieces_that_touch_only_at_a_corner_are_two() {
        let scene = scene("10\n01");
        let areas: Vec<_> = scene.components().iter().map(|it| it.area).collect();
        assert_eq!(areas, [1, 1, 1, 1]);
    }

    #[test]
    fn a_spiral_is_one_component() {
        let scene = scene("11111\n00001\n11101\n10001\n11111");
        let spiral = &scene.components()[0];
        assert_eq!((spiral.area, spiral.bounds.width(), spiral.bounds.height()), (17, 5, 5));
        assert_eq!(scene.components().len(), 2);
    }

    #[test]
    fn a_shape_is_the_same_anywhere_in_any_color_and_no_other() {
        let scene = scene("110000\n100022\n000020\n033000\n003000");
        let [ell, moved, turned] =
            [point(0, 0), point(4, 1), point(1, 3)].map(|at| scene.components()[scene.component_at(at).unwrap()].shape);
        assert_eq!(ell, moved);
        assert_ne!(ell, turned, "a mirrored form is another form");
    }

    #[test]
    fn a_form_says_how_it_was_turned() {
        let before: Grid = "1100\n1000\n1000\n0000".parse().unwrap();
        let ell = Scene::of(&before).components()[0].clone();
        for symmetry in Symmetry::ALL {
            let after = Scene::of(&symmetry.turn(&before));
            let turned = after.components().iter().find(|it| it.color == ell.color).unwrap();
            assert_eq!(ell.turn_to(turned), Some(symmetry));
        }
        assert_eq!(ell.turn_to(&scene("1110\n0000").components()[0]), None);
    }

    #[test]
    fn the_center_lies_inside_and_away_from_the_rim() {
        let ring = scene("00000000\n01111100\n01000100\n01000100\n01111100\n00000000");
        let component = &ring.components()[ring.component_at(point(1, 1)).unwrap()];
        assert_eq!(ring.component_at(component.center), ring.component_at(point(1, 1)));
        let block = scene("0000000\n0111110\n0111110\n0111110\n0000000");
        assert_eq!(block.components()[1].center, point(3, 2));
    }

    #[test]
    fn the_surround_tells_equal_shapes_apart() {
        let scene = scene("00002222\n01002122\n00002222");
        let [left, right] = [point(1, 1), point(5, 1)].map(|at| &scene.components()[scene.component_at(at).unwrap()]);
        assert_eq!(left.shape, right.shape);
        assert_eq!([left.surround.index(), right.surround.index()], [0, 2]);
        assert_eq!(Scene::of(&"77\n77".parse().unwrap()).components()[0].surround.index(), 7);
    }

    /// Flood fill, the slow reference.
    fn flood_sizes(grid: &Grid) -> Vec<u16> {
        let mut seen = std::collections::BTreeSet::new();
        let mut sizes = Vec::new();
        for start in grid.points() {
            let (mut stack, mut size) = (vec![start], 0);
            while let Some(at) = stack.pop() {
                if grid.get(at) != grid.get(start) || !seen.insert(at) {
                    continue;
                }
                size += 1;
                let steps = [(1, 0), (-1, 0), (0, 1), (0, -1)];
                stack.extend(steps.into_iter().filter_map(|(dx, dy)| at.offset(dx, dy)));
            }
            sizes.extend((size > 0).then_some(size));
        }
        sizes
    }

    proptest! {
        #[test]
        fn components_are_those_of_a_flood_fill(
            rows in (1usize..12).prop_flat_map(|width| {
                prop::collection::vec(prop::collection::vec(0u8..3, width), 1..12)
            })
        ) {
            let rows: Vec<Vec<Color>> = rows.iter().map(|row| row.iter().map(|c| Color::of(*c)).collect()).collect();
            let grid = Grid::from_rows(rows).unwrap();
            let scene = Scene::of(&grid);
            let areas: Vec<_> = scene.components().iter().map(|it| it.area).collect();
            prop_assert_eq!(areas, flood_sizes(&grid));
            let forms = |scene: &Scene| {
                let mut forms: Vec<_> = scene.components().iter().map(|it| (it.form, it.color)).collect();
                forms.sort();
                forms
            };
            for symmetry in Symmetry::ALL {
                prop_assert_eq!(forms(&Scene::of(&symmetry.turn(&grid))), forms(&scene));
            }
            for (index, component) in scene.components().iter().enumerate() {
                prop_assert_eq!(scene.component_at(component.center), Some(index));
            }
        }
    }
}
