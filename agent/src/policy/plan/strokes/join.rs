//! End points to be joined: lone squares of one size, or dots on tiles, each way from one to the other over free ground.

use std::collections::{BTreeMap, HashMap, VecDeque};

use env_client::{Color, Grid, Point};
use world_model::{Bounds, Component, InterfaceMask, Scene};

use super::{
    SIDES,
    flow::{Errand, flows},
    raster::Raster,
    tiles::Tiles,
};

/// Lines at each side of the frame in which smaller things are gauges.
const RIM: u8 = 3;
/// Squares of the shortest way: ends that touch are joined.
const SHORTEST: usize = 3;
/// Pairs that are joined at once, and lone squares among which end points are looked for.
const PAIRS: usize = 6;
const LONE: usize = 4;
/// More dots of one look and colour than this are how tiles look.
const CROWD: usize = 4;

/// What tells which squares belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Ends {
    /// Two of one colour.
    Alike,
    /// The same, so that no free square is left over.
    Full,
    /// The only ones of their colours.
    Unlike,
    /// All there are, on one way, where not all are one of two.
    Together,
}

/// Ways that join end points, as one row of clicks.
pub(super) struct Join {
    pub(super) ends: Ends,
    pub(super) clicks: Vec<Point>,
}

/// A lone square.
#[derive(Clone, Copy, Debug)]
struct End {
    at: Point,
    color: Color,
    /// Whether there is more in it than of it.
    is_ring: bool,
}

impl End {
    fn of(it: &Component) -> End {
        let area = u16::from(it.bounds.width()) * u16::from(it.bounds.height());
        End { at: it.bounds.middle(), color: it.color, is_ring: 2 * it.area < area }
    }
}

/// What end points that may be joined have in common: their size, and their phase or place on a tile.
type Family = (u8, (u8, u8));

/// Every way to join all end points of a family.
pub(super) fn joins(frame: &Grid, mask: &InterfaceMask) -> Vec<Join> {
    let families = families(frame, mask);
    let joins = families.iter().flat_map(|(raster, ends)| {
        let (ends, stops) = apart(ends);
        let (ground, (pairs, lone)) = (ground(raster, &ends), paired(&ends));
        let errands = errands(raster, &pairs, &stops).filter(|it| (1..=PAIRS).contains(&it.len())).unwrap_or_default();
        let free = open(raster, ground, &errands.iter().flat_map(|it| it.stops.clone()).collect::<Vec<usize>>());
        let alike = joined(raster, &free, &errands);
        let full = (errands.len() > 1).then(|| flows(raster, &free, &errands, true)).flatten();
        let full = full.filter(|way| alike.as_ref() != Some(way));
        let unlike = (2..=LONE).contains(&lone.len()).then(|| across(raster, ground, &lone)).flatten();
        let all: Vec<Point> = ends.iter().map(|it| it.at).collect();
        let is_one = (3..=LONE).contains(&all.len()) && 2 * pairs.len() < all.len();
        let together = is_one.then(|| through(raster, ground, &all)).flatten();
        let together = together.filter(|way| [&alike, &unlike].iter().all(|it| it.as_ref() != Some(way)));
        let clicks = move |way: Vec<usize>| way.into_iter().map(|square| raster.middle(square)).collect();
        [(Ends::Alike, alike), (Ends::Full, full), (Ends::Unlike, unlike), (Ends::Together, together)]
            .into_iter()
            .filter_map(move |(ends, way)| Some(Join { ends, clicks: clicks(way.filter(|it| it.len() >= SHORTEST)?) }))
    });
    joins.collect()
}

/// The end points of each family and the squares that ways may lead over: dots on tiles, or squares where there are none.
fn families(frame: &Grid, mask: &InterfaceMask) -> Vec<(Raster, Vec<End>)> {
    let scene = Scene::of(frame);
    if let Some(tiles) = Tiles::of(&scene) {
        let (dots, mut raster) = (dots(&scene, mask, tiles), tiles.raster(frame));
        for it in dots.values().flat_map(|dots| sparse(dots)) {
            raster.put(it.at, it.color);
        }
        if !dots.is_empty() {
            return dots.into_values().map(|ends| (raster.clone(), ends)).collect();
        }
    }
    let squares = squares(frame, &scene, mask).into_iter();
    squares.map(|((side, _), ends)| (Raster::through(frame, ends[0].at, side), ends)).collect()
}

/// Dots on tiles.
fn dots(scene: &Scene, mask: &InterfaceMask, tiles: Tiles) -> BTreeMap<Family, Vec<End>> {
    let mut families: BTreeMap<Family, Vec<End>> = BTreeMap::new();
    for (index, it) in scene.components().iter().enumerate().filter(|(_, it)| !mask.hides(it.center)) {
        if let Some(place) = tiles.place_of(scene, index) {
            families.entry((it.bounds.width(), place)).or_default().push(End::of(it));
        }
    }
    families
}

/// Those of which there are few of a colour.
fn sparse(dots: &[End]) -> impl Iterator<Item = &End> {
    dots.iter().filter(|it| dots.iter().filter(|other| other.color == it.color).count() <= CROWD)
}

/// Lone squares.
fn squares(frame: &Grid, scene: &Scene, mask: &InterfaceMask) -> BTreeMap<Family, Vec<End>> {
    let mut families: BTreeMap<Family, Vec<End>> = BTreeMap::new();
    for (index, it) in scene.components().iter().enumerate() {
        let Bounds { left, top, .. } = it.bounds;
        let side = it.bounds.width();
        let is_square = it.bounds.height() == side && it.area == u16::from(side) * u16::from(side);
        let is_end = SIDES.contains(&side) && is_square && !is_gauge(frame, it.bounds);
        if is_end && !scene.is_ground(index) && !mask.hides(it.center) {
            let at = Point::new(left, top).unwrap_or_default();
            families.entry((side, (left % side, top % side))).or_default().push(End { at, ..End::of(it) });
        }
    }
    families
}

/// Whether it is too small for a thing where it lies.
fn is_gauge(frame: &Grid, it: Bounds) -> bool {
    let is_at_start = it.right < RIM || it.bottom < RIM;
    let is_at_end = it.left + RIM >= frame.width() || it.top + RIM >= frame.height();
    it.width() < RIM && (is_at_start || is_at_end)
}

/// The colour that most squares beside end points have.
fn ground(raster: &Raster, ends: &[End]) -> Color {
    let mut counts = [0u16; Color::COUNT];
    let beside = ends.iter().filter_map(|it| raster.square_at(it.at)).flat_map(|square| raster.beside(square));
    beside.for_each(|square| counts[raster.color(square).index()] += 1);
    let most = (0..Color::COUNT).max_by_key(|index| (counts[*index], Color::COUNT - index));
    Color::ALL[most.unwrap_or_default()]
}

/// End points, and rings of the colour of two that are none: what the way between these is to lead over.
fn apart(ends: &[End]) -> (Vec<End>, Vec<End>) {
    let filled = |color: Color| ends.iter().filter(|it| it.color == color && !it.is_ring).count();
    let (stops, ends) = ends.iter().partition(|it| it.is_ring && filled(it.color) == 2);
    (ends, stops)
}

/// Two of each colour that comes twice, and all whose colour comes once.
fn paired(ends: &[End]) -> (Vec<(End, End)>, Vec<Point>) {
    let mut colors: BTreeMap<Color, Vec<End>> = BTreeMap::new();
    for it in ends {
        colors.entry(it.color).or_default().push(*it);
    }
    let pairs = colors.values().filter(|it| it.len() == 2).map(|it| (it[0], it[1]));
    let lone = colors.values().filter(|it| it.len() == 1).map(|it| it[0].at);
    (pairs.collect(), lone.collect())
}

/// What the ways between pairs have to do, short ones first.
fn errands(raster: &Raster, pairs: &[(End, End)], stops: &[End]) -> Option<Vec<Errand>> {
    let errand = |(a, b): &(End, End)| {
        let own = stops.iter().filter(|it| it.color == a.color);
        let stops = own.map(|it| raster.square_at(it.at)).collect::<Option<_>>()?;
        Some(Errand { from: raster.square_at(a.at)?, to: raster.square_at(b.at)?, stops })
    };
    let mut errands: Vec<Errand> = pairs.iter().map(errand).collect::<Option<_>>()?;
    errands.sort_by_key(|it| raster.distance(it.from, it.to));
    Some(errands)
}

/// Ways that join all pairs and do not meet: each the shortest that the others leave room for, or else all of them together.
fn joined(raster: &Raster, free: &[bool], errands: &[Errand]) -> Option<Vec<usize>> {
    let is_plain = errands.iter().all(|it| it.stops.is_empty());
    let in_turn = || is_plain.then(|| joined_in_turn(raster, free, errands)).flatten();
    if errands.is_empty() { None } else { in_turn().or_else(|| flows(raster, free, errands, false)) }
}

/// Ways one after the other, those first that the others left no room for.
fn joined_in_turn(raster: &Raster, free: &[bool], errands: &[Errand]) -> Option<Vec<usize>> {
    let mut order: Vec<&Errand> = errands.iter().collect();
    for _ in 0..=order.len() {
        let (mut free, mut ways) = (free.to_vec(), Vec::new());
        let blocked = order.iter().position(|it| {
            let way = way(raster, &free, it.from, it.to);
            way.iter().flatten().for_each(|square| free[*square] = false);
            let is_blocked = way.is_none();
            ways.extend(way.into_iter().flatten());
            is_blocked
        });
        match blocked {
            None => return Some(ways),
            Some(index) => order[..=index].rotate_right(1),
        }
    }
    None
}

/// The way between the two that are farthest apart, over others if need be.
fn across(raster: &Raster, ground: Color, lone: &[Point]) -> Option<Vec<usize>> {
    let squares: Vec<usize> = lone.iter().map(|at| raster.square_at(*at)).collect::<Option<_>>()?;
    let (from, to) = farthest(raster, &squares)?;
    way(raster, &open(raster, ground, &squares), from, to)
}

/// The way between the two that are farthest apart, through all others on it, each time the nearest.
fn through(raster: &Raster, ground: Color, ends: &[Point]) -> Option<Vec<usize>> {
    let squares: Vec<usize> = ends.iter().map(|at| raster.square_at(*at)).collect::<Option<_>>()?;
    let (from, to) = farthest(raster, &squares)?;
    let mut free = open(raster, ground, &squares);
    let mut stops: Vec<usize> = squares.into_iter().filter(|it| ![from, to].contains(it)).collect();
    let mut whole = vec![from];
    free[to] = false;
    while let Some(last) = whole.pop() {
        let nearest = stops.iter().copied().min_by_key(|it| raster.distance(last, *it));
        stops.retain(|it| Some(*it) != nearest);
        free[to] |= nearest.is_none();
        whole.extend(way(raster, &free, last, nearest.unwrap_or(to))?);
        for square in &whole {
            free[*square] = false;
        }
        if nearest.is_none() {
            break;
        }
    }
    Some(whole)
}

fn farthest(raster: &Raster, squares: &[usize]) -> Option<(usize, usize)> {
    let pairs = squares.iter().enumerate().flat_map(|(index, a)| squares[..index].iter().map(move |b| (*b, *a)));
    pairs.max_by_key(|(a, b)| raster.distance(*a, *b))
}

/// The squares that a way may lead over: ground, and end points.
fn open(raster: &Raster, ground: Color, ends: &[usize]) -> Vec<bool> {
    (0..raster.len()).map(|square| raster.color(square) == ground || ends.contains(&square)).collect()
}

/// The shortest way over free squares, both ends included.
fn way(raster: &Raster, free: &[bool], from: usize, to: usize) -> Option<Vec<usize>> {
    let (mut before, mut open) = (HashMap::from([(to, to)]), VecDeque::from([to]));
    while let Some(square) = open.pop_front().filter(|it| *it != from) {
        for next in raster.beside(square).filter(|it| free[*it] || *it == from) {
            before.entry(next).or_insert_with(|| {
                open.push_back(next);
                square
            });
        }
    }
    before.get(&from)?;
    let on = |square: &usize| before.get(square).copied().filter(|next| next != square);
    Some(std::iter::successors(Some(from), on).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ways that join what is drawn, as pictures with a 9 on each square of a way between its ends.
    fn joined_in(picture: &str) -> Vec<(Ends, String)> {
        let world: Grid = picture.parse().unwrap();
        let mut frame = Grid::filled(3 * world.width(), 3 * world.height(), Color::of(0));
        for at in frame.points() {
            frame.set(at, world[Point::new(at.x() / 3, at.y() / 3).unwrap()]);
        }
        let drawn = |join: &Join| {
            let mut drawing = world.clone();
            for at in join.clicks.iter().filter_map(|at| Point::new(at.x() / 3, at.y() / 3).ok()) {
                drawing.set(at, if world[at] == Color::of(0) { Color::of(9) } else { world[at] });
            }
            drawing.to_string()
        };
        joins(&frame, &InterfaceMask::new()).iter().map(|join| (join.ends, drawn(join))).collect()
    }

    fn picture(rows: &str) -> String {
        rows.parse::<Grid>().unwrap().to_string()
    }

    #[test]
    fn two_of_one_color_are_joined_round_what_lies_between() {
        let ways = joined_in("000000\n000600\n020602\n000600\n000000\n000000");
        let round = picture("099990\n090690\n020692\n000600\n000000\n000000");
        let below = picture("000000\n000600\n020602\n090609\n099999\n000000");
        assert!(ways.len() == 1 && ways[0].0 == Ends::Alike);
        assert!([round, below].contains(&ways[0].1) || ways[0].1.matches('9').count() == 7, "{}", ways[0].1);
    }

    #[test]
    fn ways_do_not_meet() {
        let ways = joined_in("0000000\n0002000\n0000000\n0300030\n0000000\n0002000\n0000000");
        assert_eq!(ways.len(), 1);
        let clicks: Vec<char> = ways[0].1.chars().filter(|it| *it == '9').collect();
        assert_eq!(clicks.len(), 3 + 9, "straight, and round it: {}", ways[0].1);
    }

    #[test]
    fn the_only_two_of_their_colors_are_joined_over_a_third() {
        let ways = joined_in("0060000\n0060000\n0240030\n0060000\n0060000");
        assert_eq!(ways, [(Ends::Unlike, picture("0060000\n0060000\n0249930\n0060000\n0060000"))]);
    }

    #[test]
    fn a_way_may_lead_through_a_third_although_two_are_alike() {
        let ways = joined_in("00000000\n02000000\n00000003\n00002000\n00000000");
        let together = ways.iter().filter(|(ends, _)| *ends == Ends::Together).map(|(_, drawing)| drawing);
        let together: Vec<_> = together.collect();
        assert_eq!(together.len(), 1, "{ways:?}");
        assert_eq!(together[0].matches('9').count(), 4 + 3, "to the nearest, and on from there: {}", together[0]);
        assert!(ways.iter().any(|(ends, _)| *ends == Ends::Alike));
    }

    #[test]
    fn ends_in_a_corner_lie_on_the_ground_too() {
        let ways = joined_in("444444\n420004\n400004\n400024\n444444");
        assert_eq!(ways, [(Ends::Alike, picture("444444\n420004\n490004\n499924\n444444"))]);
    }

    /// Draws tiles of 5 with seams of 1 between them in a frame of 3, beside a dot that lies on none: 0 is ground, 3 a gap, and
    /// all else a ring of 3 on ground, with a middle of this colour.
    fn tiled(picture: &str, middle: u8) -> Grid {
        let world: Grid = picture.parse().unwrap();
        let (ground, gap) = (Color::of(7), Color::of(3));
        let mut frame = Grid::filled(48, 48, gap);
        let mut fill = |left: u8, top: u8, (width, height): (u8, u8), color: Color| {
            let all = Bounds { left, top, right: left + width - 1, bottom: top + height - 1 };
            all.points().for_each(|at| frame.set(at, color));
        };
        fill(3, 3, (6 * world.width() + 1, 6 * world.height() + 1), Color::of(5));
        for at in world.points() {
            let (left, top, look) = (4 + 6 * at.x(), 4 + 6 * at.y(), world[at]);
            fill(left, top, (5, 5), if look == gap { gap } else { ground });
            if ![Color::of(0), gap].contains(&look) {
                fill(left + 1, top + 1, (3, 3), look);
                fill(left + 2, top + 2, (1, 1), Color::of(middle));
            }
        }
        fill(40, 20, (3, 3), Color::of(2));
        frame
    }

    /// The tiles that are clicked to join what lies on tiles.
    fn joined_on_tiles(picture: &str, middle: u8) -> Vec<(Ends, Vec<(u8, u8)>)> {
        let joins = joins(&tiled(picture, middle), &InterfaceMask::new()).into_iter();
        let tile = |at: &Point| ((at.x() - 4) / 6, (at.y() - 4) / 6);
        joins.map(|join| (join.ends, join.clicks.iter().map(tile).collect())).collect()
    }

    #[test]
    fn rings_on_tiles_with_seams_between_them_are_joined() {
        for middle in [7, 1] {
            let ways = joined_on_tiles("03000\n02300\n03002\n00000", middle);
            assert_eq!(ways.len(), 1, "neither the dot outside nor middles are ends: {ways:?}");
            let (ends, way) = &ways[0];
            assert!(*ends == Ends::Alike && way.len() == 9, "round the gaps: {way:?}");
            assert!([(1, 0), (2, 1), (1, 2)].iter().all(|gap| !way.contains(gap)), "over no gap: {way:?}");
        }
    }

    #[test]
    fn ways_over_tiles_lead_round_other_dots() {
        let ways = joined_on_tiles("00000\n20402\n00000", 1);
        let alike: Vec<_> = ways.iter().filter(|(ends, _)| *ends == Ends::Alike).map(|(_, way)| way).collect();
        assert!(alike.len() == 1 && alike[0].len() == 7 && !alike[0].contains(&(2, 1)), "{ways:?}");
    }

    /// Tiles of 9 with seams of 1, four by two, and dots of 7 without corners on the outer ones above.
    #[test]
    fn round_dots_are_joined_and_crosses_are_not() {
        let drawn = |cut: u8| {
            let mut frame = Grid::filled(41, 21, Color::of(5));
            for (column, row) in (0..4).flat_map(|column| (0..2).map(move |row| (column, row))) {
                let (left, top) = (1 + 10 * column, 1 + 10 * row);
                let tile = Bounds { left, top, right: left + 8, bottom: top + 8 };
                tile.points().for_each(|at| frame.set(at, Color::of(7)));
                let dot = Bounds { left: left + 1, top: top + 1, right: left + 7, bottom: top + 7 };
                let is_cut = |at: &Point| {
                    let beside = |at: u8, first: u8| at - first < cut || first + 6 - at < cut;
                    beside(at.x(), left + 1) && beside(at.y(), top + 1)
                };
                let inked = dot.points().filter(|at| row == 0 && [0, 3].contains(&column) && !is_cut(at));
                inked.for_each(|at| frame.set(at, Color::of(8)));
            }
            joins(&frame, &InterfaceMask::new()).into_iter().map(|it| (it.ends, it.clicks.len())).collect::<Vec<_>>()
        };
        assert_eq!([0, 1].map(drawn), [vec![(Ends::Alike, 4)], vec![(Ends::Alike, 4)]]);
        assert!(drawn(2).is_empty());
    }

    #[test]
    fn what_is_walled_in_is_not_joined() {
        assert_eq!(joined_in("00600\n02603\n00600\n00600\n00600"), []);
    }
}
