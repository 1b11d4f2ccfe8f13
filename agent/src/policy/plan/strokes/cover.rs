//! Figures to be clicked through square by square.
//!
//! Where only some clicks in a row do something (two that make a domino, three that make a corner), going through a figure
//! from neighbour to neighbour, round it if that can be, has them all.

use std::collections::BTreeMap;

use env_client::{Color, Grid, Point};
use world_model::{Component, InterfaceMask, Scene};

use super::raster::Raster;

/// The smallest square that is taken for one, in frame cells.
const SMALLEST: u8 = 3;
/// What fills more than this fraction of the frame is ground.
const GROUND: usize = 3;
/// Steps in the search for a way through all squares of a part.
const STEPS: usize = 20_000;

/// A figure of squares, and its squares in the order in which they are clicked.
pub(super) struct Cover {
    pub(super) side: u8,
    pub(super) clicks: Vec<Point>,
}

/// Ways through all figures of one colour that have at most so many squares. Squares are as large as the figures' edges
/// allow, or half as large; those of the known size where that is one of these.
pub(super) fn covers(frame: &Grid, mask: &InterfaceMask, known: Option<u8>, most: usize) -> Vec<Cover> {
    let frame = &without_specks(frame);
    let mut covers = Vec::new();
    for points in figures(frame, mask).into_values() {
        let (Some(first), Some(unit)) = (points.first().copied(), unit(frame, &points)) else { continue };
        let known = known.filter(|side| unit.is_multiple_of(*side));
        let sides = known.map_or_else(|| vec![unit, unit / 2], |side| vec![side]);
        for side in sides.into_iter().filter(|side| *side >= SMALLEST && unit.is_multiple_of(*side)) {
            let raster = Raster::through(frame, first, side);
            let squares: Vec<usize> = points.iter().filter_map(|at| raster.square_at(*at)).collect();
            let tour = tour(&raster, squares);
            if (2..=most).contains(&tour.len()) {
                covers.push(Cover { side, clicks: tour.into_iter().map(|square| raster.middle(square)).collect() });
            }
        }
    }
    covers
}

/// A frame with the colour around it in place of everything too small for a square: gauges that are drawn over figures
/// are no edges of them.
fn without_specks(frame: &Grid) -> Grid {
    let scene = Scene::of(frame);
    let mut plain = frame.clone();
    let is_speck = |it: &&Component| it.bounds.width().max(it.bounds.height()) < SMALLEST;
    for it in scene.components().iter().filter(is_speck) {
        let cells = frame.points().filter(|at| it.bounds.contains(at.x(), at.y()) && frame[*at] == it.color);
        cells.for_each(|at| plain.set(at, it.surround));
    }
    plain
}

/// The points of everything but ground and interface, by colour, row after row.
fn figures(frame: &Grid, mask: &InterfaceMask) -> BTreeMap<Color, Vec<Point>> {
    let scene = Scene::of(frame);
    let is_figure = |it: &Component| {
        let is_ground = it.color == scene.background() || usize::from(it.area) * GROUND > frame.cells().len();
        it.bounds.width().min(it.bounds.height()) >= SMALLEST && !is_ground && !mask.hides(it.center)
    };
    let is_figure: Vec<bool> = scene.components().iter().map(is_figure).collect();
    let mut figures: BTreeMap<Color, Vec<Point>> = BTreeMap::new();
    for at in frame.points().filter(|at| scene.component_at(*at).is_some_and(|index| is_figure[index])) {
        figures.entry(frame[at]).or_default().push(at);
    }
    figures
}

/// The side of the largest squares on whose lines all edges of a figure lie.
fn unit(frame: &Grid, points: &[Point]) -> Option<u8> {
    let (left, top) = (points.iter().map(|at| at.x()).min()?, points.iter().map(|at| at.y()).min()?);
    let is_edge = |at: &Point, dx: i8, dy: i8| at.offset(dx, dy).and_then(|it| frame.get(it)) != frame.get(*at);
    let edges = points.iter().flat_map(|at| {
        let (x, y) = (at.x() - left, at.y() - top);
        let across = [(-1, x), (1, x + 1)].map(|(dx, edge)| if is_edge(at, dx, 0) { edge } else { 0 });
        let down = [(-1, y), (1, y + 1)].map(|(dy, edge)| if is_edge(at, 0, dy) { edge } else { 0 });
        across.into_iter().chain(down)
    });
    Some(edges.fold(0, divisor))
}

/// The greatest common divisor.
fn divisor(a: u8, b: u8) -> u8 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// All squares of a figure, part by part.
fn tour(raster: &Raster, mut squares: Vec<usize>) -> Vec<usize> {
    squares.sort_unstable();
    squares.dedup();
    let mut tour = Vec::new();
    while let Some(first) = squares.iter().find(|it| !tour.contains(*it)) {
        let part = part(raster, &squares, *first);
        tour.extend(way_through(raster, &part));
    }
    tour
}

/// The squares that hang together with one, nearest first.
fn part(raster: &Raster, squares: &[usize], first: usize) -> Vec<usize> {
    let (mut part, mut next) = (vec![first], 0);
    while next < part.len() {
        let beside = raster.beside(part[next]).filter(|it| squares.contains(it));
        let fresh: Vec<usize> = beside.filter(|it| !part.contains(it)).collect();
        part.extend(fresh);
        next += 1;
    }
    part
}

/// The squares of a part from neighbour to neighbour: round and back to the first, else from any one to any other, else in
/// any order.
fn way_through(raster: &Raster, part: &[usize]) -> Vec<usize> {
    let mut steps = STEPS;
    let mut search = |first: usize, round: bool| {
        let mut way = vec![first];
        extend(raster, part, &mut way, round, &mut steps).then_some(way)
    };
    let round = search(part[0], true);
    round.or_else(|| part.iter().find_map(|first| search(*first, false))).unwrap_or_else(|| part.to_vec())
}

/// Goes on until no square is left; whether that succeeds.
fn extend(raster: &Raster, part: &[usize], way: &mut Vec<usize>, round: bool, steps: &mut usize) -> bool {
    let last = way[way.len() - 1];
    if way.len() == part.len() {
        return !round || raster.beside(last).any(|it| it == way[0]);
    }
    let open = |it: usize, way: &[usize]| part.contains(&it) && !way.contains(&it);
    let mut next: Vec<usize> = raster.beside(last).filter(|it| open(*it, way)).collect();
    // Dead ends first (Warnsdorff's rule).
    next.sort_by_key(|it| raster.beside(*it).filter(|it| open(*it, way)).count());
    for square in next {
        let Some(left) = steps.checked_sub(1) else { return false };
        *steps = left;
        way.push(square);
        if extend(raster, part, way, round, steps) {
            return true;
        }
        way.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The clicks that go through the only figure of a picture whose digits are so many cells wide and high.
    fn clicks(picture: &str, scale: u8) -> Vec<Vec<(u8, u8)>> {
        let world: Grid = picture.parse().unwrap();
        let mut frame = Grid::filled(world.width() * scale, world.height() * scale, Color::of(0));
        for at in frame.points() {
            frame.set(at, world[Point::new(at.x() / scale, at.y() / scale).unwrap()]);
        }
        let covers = covers(&frame, &InterfaceMask::new(), None, 16);
        covers.iter().map(|it| it.clicks.iter().map(|at| (at.x() / 4, at.y() / 4)).collect()).collect()
    }

    #[test]
    fn the_size_of_squares_is_told_by_the_corners_of_a_figure() {
        assert_eq!(clicks("0000\n0110\n0100\n0000", 4), [vec![(2, 1), (1, 1), (1, 2)]]);
    }

    #[test]
    fn a_plain_square_may_be_four() {
        assert_eq!(clicks("000\n010\n000", 8), [vec![(2, 2), (3, 2), (3, 3), (2, 3)]]);
    }

    #[test]
    fn a_gauge_that_is_drawn_over_a_figure_is_no_edge_of_it() {
        let mut frame = Grid::filled(16, 16, Color::of(0));
        frame.points().filter(|at| at.x() < 8 && at.y() < 8).for_each(|at| frame.set(at, Color::of(1)));
        let plain = covers(&frame, &InterfaceMask::new(), None, 16).into_iter().map(|it| it.clicks);
        let plain: Vec<_> = plain.collect();
        (1..8).step_by(2).for_each(|x| frame.set(Point::new(x, 0).unwrap(), Color::of(3)));
        let gauged: Vec<_> = covers(&frame, &InterfaceMask::new(), None, 16).into_iter().map(|it| it.clicks).collect();
        assert_eq!((plain.len(), plain), (1, gauged));
    }

    #[test]
    fn one_goes_round_a_figure_where_that_can_be() {
        let ways = clicks("00000\n01110\n01010\n01110\n00000", 4);
        let way = &ways[0];
        let steps = way.iter().zip(way.iter().cycle().skip(1)).map(|(a, b)| a.0.abs_diff(b.0) + a.1.abs_diff(b.1));
        assert_eq!((way.len(), steps.max()), (8, Some(1)));
    }

    #[test]
    fn every_part_of_a_figure_is_gone_through() {
        let ways = clicks("110000\n100000\n000000\n000011", 4);
        assert_eq!(ways, [vec![(1, 0), (0, 0), (0, 1), (4, 3), (5, 3)]]);
    }
}
