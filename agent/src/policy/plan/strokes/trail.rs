//! Drawings to be drawn again in one go: things of one look are nodes, thin lines of one colour join some of them, and a row
//! of clicks goes from node to node so that it comes along each line once (an Euler trail). What has no way round is a chain
//! of things in a row, and no drawing.

use std::collections::BTreeMap;

use env_client::{Color, Grid, Point};
use world_model::{Bounds, Component, InterfaceMask, Scene};

use super::SIDES;

/// Lines and nodes of the smallest drawing, and the most nodes of one: fewer lines are joined in any order.
const LINES: usize = 3;
const NODES: std::ops::RangeInclusive<usize> = 3..=32;
/// Cells of the shortest line, and the cells beside a line where its colour ends: it is thin.
const SHORTEST: usize = 3;
const ASIDE: i16 = 3;
/// Cells of its way in which a line need not show, and as many again of every so many: it may end beside the nodes.
const GAPS: usize = 2;
const GAP_EVERY: usize = 8;
/// The part of its cells beside which a line ends, in eighths: others may cross it. Guesses, as are those above.
const THIN: usize = 5;

/// What is seen of a node that a line is drawn over: at least so much of it, in quarters. A guess.
const VISIBLE: usize = 3;

/// A thing that lines join: the box around it, and where to click it.
#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    at: Point,
}

/// One row of clicks for every such drawing.
pub(super) fn trails(frame: &Grid, mask: &InterfaceMask) -> Vec<Vec<Point>> {
    let scene = Scene::of(frame);
    let mut looks: BTreeMap<(Color, u64), Vec<&Component>> = BTreeMap::new();
    for (index, it) in scene.components().iter().enumerate() {
        let is_node = SIDES.contains(&it.bounds.width()) && SIDES.contains(&it.bounds.height());
        if is_node && !scene.is_ground(index) && !mask.hides(it.center) {
            looks.entry((it.color, it.shape)).or_default().push(it);
        }
    }
    let looks = looks.into_values().filter(|alike| alike.len() > 1);
    let drawings = looks.map(|alike| (alike[0].color, nodes(frame, &scene, &alike)));
    let drawings = drawings.filter(|(_, nodes)| NODES.contains(&nodes.len())).flat_map(|(color, nodes)| {
        let ways = ways(&nodes);
        let inks = Color::ALL.into_iter().filter(|ink| *ink != scene.background() && *ink != color);
        let trails = inks.filter_map(|ink| trail(nodes.len(), lines(frame, &nodes, &ways, ink)));
        trails.map(|trail| trail.into_iter().map(|node| nodes[node].at).collect()).collect::<Vec<_>>()
    });
    drawings.collect()
}

/// Things that look alike, and such over which a line is drawn.
fn nodes(frame: &Grid, scene: &Scene, alike: &[&Component]) -> Vec<Node> {
    let Component { color, area, bounds, .. } = *alike[0];
    let is_new = |it: &&Component| it.color == color && !alike.iter().any(|other| other.bounds.overlap(it.bounds) > 0);
    let cut = scene.components().iter().filter(is_new).filter_map(|it| {
        let (left, top) = (it.bounds.left, it.bounds.top);
        let bounds = Bounds { left, top, right: left + bounds.width() - 1, bottom: top + bounds.height() - 1 };
        let seen: Vec<Point> = bounds.points().filter(|at| frame.get(*at) == Some(color)).collect();
        let own = |at: &Point| scene.component_at(*at).map(|index| scene.components()[index].bounds);
        let is_inside = seen.iter().filter_map(own).all(|it| bounds.union(it) == bounds);
        let is_most = seen.len() <= usize::from(area) && 4 * seen.len() >= VISIBLE * usize::from(area);
        let middle = (bounds.left + bounds.width() / 2, bounds.top + bounds.height() / 2);
        let far = |at: &Point| u16::from(at.x().abs_diff(middle.0)) + u16::from(at.y().abs_diff(middle.1));
        let at = seen.iter().copied().min_by_key(far)?;
        (is_inside && is_most).then_some(Node { bounds, at })
    });
    alike.iter().map(|it| Node { bounds: it.bounds, at: it.center }).chain(cut).collect()
}

/// Two nodes, and the cells from one to the other.
type Way = ((usize, usize), Vec<Place>);

fn ways(nodes: &[Node]) -> Vec<Way> {
    let pairs = (0..nodes.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    pairs.map(|(a, b)| ((a, b), between(nodes[a].bounds, nodes[b].bounds))).collect()
}

/// The pairs of nodes between which there is a line of a colour. It ends at others in between unless it is drawn over them;
/// then none of its parts is a line to one of those.
fn lines(frame: &Grid, nodes: &[Node], ways: &[Way], ink: Color) -> Vec<(usize, usize)> {
    let passed = |way: &[Place]| -> Option<Vec<usize>> {
        let inside = |it: &Node| way.iter().copied().filter(|at| holds(it.bounds, *at)).collect::<Vec<Place>>();
        let inside = nodes.iter().map(inside).enumerate().filter(|(_, inside)| !inside.is_empty());
        inside.map(|(node, inside)| (shown(frame, &inside, ink) == inside.len()).then_some(node)).collect()
    };
    let drawn = ways.iter().filter(|(_, way)| is_drawn(frame, way, ink));
    let lines: Vec<_> = drawn.filter_map(|(ends, way)| Some((*ends, passed(way)?))).collect();
    let over = lines.iter().flat_map(|((a, b), over)| over.iter().flat_map(|it| [(*a, *it), (*b, *it)]));
    let parts: Vec<(usize, usize)> = over.map(|(a, b)| (a.min(b), a.max(b))).collect();
    lines.iter().map(|(ends, _)| *ends).filter(|ends| !parts.contains(ends)).collect()
}

/// A column and a row, which may lie beyond the frame.
type Place = (i16, i16);

fn holds(bounds: Bounds, (x, y): Place) -> bool {
    let within = |at: i16, first: u8, last: u8| (i16::from(first)..=i16::from(last)).contains(&at);
    within(x, bounds.left, bounds.right) && within(y, bounds.top, bounds.bottom)
}

/// The cells of the straight way between the middles of two boxes that lie in neither.
fn between(a: Bounds, b: Bounds) -> Vec<Place> {
    let middle = |it: Bounds| (i16::from(it.left) + i16::from(it.right), i16::from(it.top) + i16::from(it.bottom));
    let (from, to) = (middle(a), middle(b));
    let by = (to.0 - from.0, to.1 - from.1);
    let steps = (by.0.abs().max(by.1.abs()) / 2).max(1);
    let at = |step: i16| {
        let on = |from: i16, by: i16| (2 * from * steps + 2 * by * step + 2 * steps).div_euclid(4 * steps);
        (on(from.0, by.0), on(from.1, by.1))
    };
    (0..=steps).map(at).filter(|at| !holds(a, *at) && !holds(b, *at)).collect()
}

/// Whether a cell of a way, or one so far aside of it, has a colour.
fn is_inked(frame: &Grid, way: &[Place], (x, y): Place, aside: i16, ink: Color) -> bool {
    let (Some(first), Some(last)) = (way.first(), way.last()) else { return false };
    let is_level = (last.0 - first.0).abs() > (last.1 - first.1).abs();
    let (x, y) = if is_level { (x, y + aside) } else { (x + aside, y) };
    Point::new(x, y).ok().and_then(|at| frame.get(at)) == Some(ink)
}

/// Cells of a way on which a line of a colour is seen, or right beside.
fn shown(frame: &Grid, way: &[Place], ink: Color) -> usize {
    way.iter().filter(|at| (-1..=1).any(|aside| is_inked(frame, way, **at, aside, ink))).count()
}

/// Whether a thin line of a colour is drawn along a way.
fn is_drawn(frame: &Grid, way: &[Place], ink: Color) -> bool {
    let is_apart = |at: &&Place| ![-ASIDE, ASIDE].into_iter().any(|aside| is_inked(frame, way, **at, aside, ink));
    let thin = way.iter().filter(is_apart).count();
    let shown = shown(frame, way, ink);
    let gaps = way.len() - shown;
    shown >= SHORTEST && gaps <= GAPS + way.len() / GAP_EVERY && 8 * thin >= THIN * way.len()
}

/// The nodes in an order that takes each line once, if they hang together and that can be (Hierholzer's algorithm).
fn trail(nodes: usize, lines: Vec<(usize, usize)>) -> Option<Vec<usize>> {
    let count = lines.len();
    let ends_at = |node: usize| lines.iter().filter(|(a, b)| [*a, *b].contains(&node)).count();
    let odd: Vec<usize> = (0..nodes).filter(|node| ends_at(*node) % 2 == 1).collect();
    let first = odd.first().copied().or_else(|| lines.first().map(|it| it.0))?;
    let is_round = count >= (0..nodes).filter(|node| ends_at(*node) > 0).count();
    if count < LINES || !is_round || odd.len() > 2 {
        return None;
    }
    let (mut open, mut left, mut trail) = (vec![first], lines, Vec::new());
    while let Some(node) = open.last().copied() {
        match left.iter().position(|(a, b)| [*a, *b].contains(&node)) {
            Some(line) => {
                let (a, b) = left.swap_remove(line);
                open.push(if a == node { b } else { a });
            }
            None => trail.extend(open.pop()),
        }
    }
    (trail.len() == count + 1).then_some(trail)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes of five cells a side round these points, with lines from one to the other that leave a gap at both ends.
    fn drawn(nodes: &[(i16, i16)], lines: &[(usize, usize)]) -> Grid {
        let mut frame = Grid::filled(64, 64, Color::of(5));
        for (x, y) in nodes {
            for (dx, dy) in (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| (dx, dy))) {
                frame.set(Point::new(x + dx, y + dy).unwrap(), Color::of(10));
            }
        }
        for (a, b) in lines {
            let (from, to) = (nodes[*a], nodes[*b]);
            let by = (to.0 - from.0, to.1 - from.1);
            let steps = by.0.abs().max(by.1.abs());
            for step in 4..=steps - 4 {
                let at = Point::new(from.0 + by.0 * step / steps, from.1 + by.1 * step / steps).unwrap();
                frame.set(at, Color::of(3));
            }
        }
        frame
    }

    const HOUSE: &[(i16, i16)] = &[(10, 28), (50, 28), (10, 54), (50, 54), (34, 10)];

    /// The lines that a row of clicks comes along, in order.
    fn along(clicks: &[Point]) -> Vec<(usize, usize)> {
        let node = |at: &Point| HOUSE.iter().position(|it| *it == (at.x().into(), at.y().into())).unwrap();
        let ends = clicks.windows(2).map(|two| (node(&two[0]), node(&two[1])));
        let mut lines: Vec<(usize, usize)> = ends.map(|(a, b)| (a.min(b), a.max(b))).collect();
        lines.sort_unstable();
        lines
    }

    #[test]
    fn each_line_of_a_drawing_is_gone_along_once() {
        let lines = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3)];
        let trails = trails(&drawn(HOUSE, &lines), &InterfaceMask::new());
        assert_eq!(trails.len(), 1);
        assert_eq!(along(&trails[0]), lines);
    }

    fn lines_of(frame: &Grid) -> Vec<(usize, usize)> {
        let scene = Scene::of(frame);
        let area = scene.components().iter().filter(|it| it.color == Color::of(10)).map(|it| it.area).max().unwrap();
        let alike = scene.components().iter().filter(|it| it.color == Color::of(10) && it.area == area);
        let nodes = nodes(frame, &scene, &alike.collect::<Vec<_>>());
        let mut lines = super::lines(frame, &nodes, &ways(&nodes), Color::of(3));
        lines.sort_unstable();
        lines
    }

    const ROW: &[(i16, i16)] = &[(8, 20), (30, 20), (54, 20)];

    #[test]
    fn a_line_leads_to_the_next_node_only() {
        assert_eq!(lines_of(&drawn(ROW, &[(0, 1), (1, 2)])), [(0, 1), (1, 2)]);
    }

    #[test]
    fn a_line_may_be_drawn_over_a_node() {
        // The third node is cut in two: it comes last.
        let nodes = &[(8, 20), (54, 20), (30, 20), (30, 50)];
        assert_eq!(lines_of(&drawn(nodes, &[(0, 1)])), [(0, 1)]);
        assert_eq!(lines_of(&drawn(nodes, &[(0, 1), (2, 3)])), [(0, 1), (2, 3)]);
    }

    #[test]
    fn where_no_trail_has_all_lines_or_none_goes_round_there_is_none() {
        let star = [(0, 4), (1, 4), (2, 4), (3, 4)];
        assert_eq!(trails(&drawn(HOUSE, &star), &InterfaceMask::new()), Vec::<Vec<Point>>::new());
        let chain = [(0, 1), (1, 3), (2, 3)];
        assert_eq!(trails(&drawn(HOUSE, &chain), &InterfaceMask::new()), Vec::<Vec<Point>>::new());
        let apart = [(0, 1), (1, 4), (0, 4), (2, 3)];
        assert_eq!(trails(&drawn(HOUSE, &apart), &InterfaceMask::new()), Vec::<Vec<Point>>::new());
    }

    #[test]
    fn what_is_filled_is_no_line() {
        let mut frame = drawn(HOUSE, &[]);
        let blank: Vec<Point> = frame.points().filter(|at| frame[*at] == Color::of(5) && at.x() < 58).collect();
        for at in blank {
            frame.set(at, Color::of(3));
        }
        assert_eq!(lines_of(&frame), []);
    }
}
