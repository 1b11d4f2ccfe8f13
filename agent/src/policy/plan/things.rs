//! What can be touched in a frame: small components, told apart by what they look like.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Color, Grid, Point};
use world_model::{Advance, Bounds, Component, InterfaceMask, Scene};

use super::{picture::Picture, point_set::PointSet};

/// A component larger than this share of the frame is ground or wall, not a thing (a sixth: measured on public games).
const THING_SHARE: usize = 6;
/// A thing of more cells is rather a room, or a wall (measured on public games for touching, taken over for clicks).
pub(super) const LARGE: u16 = 150;
/// Lines at each side of the frame in which gauges are drawn.
pub(super) const RIM: u8 = 4;
/// What is so many times larger than the pieces is floor to them, not something to act on. A guess, not measured: three
/// pieces by three.
const FLOOR_SHARE: usize = 9;
/// Where neighbours of a cell lie.
pub(super) const SIDES: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
/// How many times larger than a speck the pieces are at least.
const SPECK_SHARE: usize = 4;

/// What things that look alike have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Kind {
    pub(super) color: Color,
    /// [`Component::shape`]; 0 for ground, which has no shape.
    pub(super) shape: u64,
}

impl Kind {
    /// Ground of a colour.
    pub(super) fn ground(color: Color) -> Kind {
        Kind { color, shape: 0 }
    }

    fn of(component: &Component) -> Kind {
        Kind { color: component.color, shape: component.shape }
    }
}

/// One thing: its kind and its first corner, which tell it from all others of a level while it stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Thing {
    pub(super) kind: Kind,
    pub(super) at: Point,
}

/// The things that pieces stand on: they were seen before a piece came.
#[derive(Clone, Debug, Default)]
pub(super) struct Under {
    /// By the cells that are covered.
    cells: BTreeMap<Point, Thing>,
    /// Each with all of its cells.
    bounds: BTreeMap<Thing, Bounds>,
}

impl Under {
    /// One thing of one cell.
    #[cfg(test)]
    pub(super) fn one(at: Point, thing: Thing) -> Under {
        let bounds = Bounds::cell(at);
        Under { cells: [(at, thing)].into(), bounds: [(thing, bounds)].into() }
    }

    /// All of them.
    pub(super) fn things(&self) -> impl Iterator<Item = Thing> {
        self.bounds.keys().copied()
    }

    /// What was seen, before pieces came, of the things that a component beside a covered cell may be a part of.
    fn part(&self, at: Point, component: &Component) -> Option<Thing> {
        let thing = *self.cells.get(&at)?;
        let bounds = *self.bounds.get(&thing)?;
        (component.color == thing.kind.color && bounds.union(component.bounds) == bounds).then_some(thing)
    }
}

/// Where pieces last meant to go, by columns and rows; nowhere before they did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Facing(Option<(i8, i8)>);

impl Facing {
    /// Where the first piece that means to move goes.
    pub(super) fn of(advances: &[Advance]) -> Facing {
        let by = advances.iter().map(|it| it.by).find(|by| *by != (0, 0));
        Facing(by.and_then(|(x, y)| Some((x.try_into().ok()?, y.try_into().ok()?))))
    }

    /// This, or else the other.
    pub(super) fn or(self, other: Facing) -> Facing {
        Facing(self.0.or(other.0))
    }

    /// The cells that a cell of a piece would come over by one more such step, one after the other; none but the last of a jump.
    fn ahead(self, at: Point) -> impl Iterator<Item = Point> {
        let (dx, dy) = self.0.unwrap_or_default();
        let length = if dx != 0 && dy != 0 { 1 } else { dx.unsigned_abs().max(dy.unsigned_abs()) };
        let unit = (dx / length.max(1) as i8, dy / length.max(1) as i8);
        (1..=length as i8).map_while(move |step| at.offset(step * unit.0, step * unit.1))
    }

    /// How far a step goes.
    pub(super) fn step(self) -> Option<i8> {
        self.0.map(|(dx, dy)| dx.saturating_abs().max(dy.saturating_abs()))
    }

    /// The neighbours of a cell of a piece on each side: those as far away as a step as long as this would get it.
    fn neighbors(self, at: Point) -> impl Iterator<Item = impl Iterator<Item = Point>> {
        let step = self.step().unwrap_or(1);
        SIDES.into_iter().map(move |(dx, dy)| (1..=step).map_while(move |length| at.offset(length * dx, length * dy)))
    }
}

/// What lies where pieces are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Surroundings {
    /// Under a piece, or over it.
    pub(super) here: BTreeSet<Thing>,
    /// Next to one, where it last meant to go.
    pub(super) ahead: BTreeSet<Thing>,
    /// Next to one elsewhere.
    pub(super) beside: BTreeSet<Thing>,
    /// Further away in the rows and columns of one: the first thing in each line, also behind what is none, as a wall.
    pub(super) aligned: BTreeSet<Thing>,
}

impl Surroundings {
    /// The thing that an action is meant for, if there is one.
    pub(super) fn first(&self) -> Option<Thing> {
        let near = self.here.first().or(self.ahead.first()).or(self.beside.first());
        near.or(self.aligned.first()).copied()
    }
}

/// The things of a frame.
#[derive(Debug)]
pub(super) struct Things {
    scene: Scene,
    /// By component; `None` for ground and interface.
    members: Vec<Option<Thing>>,
    /// By component: whether it is interface.
    masked: Vec<bool>,
    /// The cells of the pieces that are seen: no piece is a thing for itself.
    pieces: PointSet,
    /// What those pieces stand on, by cell.
    under: Under,
    /// The colour of the floor they stand on.
    floor: Option<Color>,
    /// The last column and the last row.
    rim: (u8, u8),
    /// Things that are no components of their own: tiles of one.
    tiles: Vec<Tile>,
}

/// A thing that is one of several tiles of a component.
#[derive(Debug)]
struct Tile {
    thing: Thing,
    part: usize,
    bounds: Bounds,
}

impl Things {
    /// Looks at a frame through the mask. `advances` tells which pieces are about to touch its things, `under` what they
    /// stand on: what is seen of that beside them is no other thing. What is smaller than all of them together and shows
    /// the colour of their floor is a gap in a figure, or between two, and no thing.
    pub(super) fn of(frame: &Grid, mask: &InterfaceMask, advances: &[Advance], under: Under) -> Things {
        let seen = advances.iter().filter(|it| !it.hidden);
        let pieces: PointSet = seen.flat_map(|it| it.from.iter().copied()).collect();
        let scene = Scene::of(frame);
        let ground = commonest(frame);
        let limit = frame.cells().len() / THING_SHARE;
        let floor = floor(&scene, &pieces);
        let floor_color = floor.map(|index| scene.components()[index].color);
        let is_gap = |it: &Component| usize::from(it.area) < pieces.len() && Some(it.color) == floor_color;
        let thing = |(index, it): (usize, &Component)| {
            let ground = it.color == ground || floor == Some(index) || is_gap(it) || is_border(it, frame);
            let small = usize::from(it.area) <= limit && !ground;
            let corner = Point::new(it.bounds.left, it.bounds.top).unwrap_or_default();
            let touchable = !mask.hides(it.center) && !pieces.contains(it.center);
            (small && touchable).then(|| Thing { kind: Kind::of(it), at: corner })
        };
        let mut members: Vec<Option<Thing>> = scene.components().iter().enumerate().map(thing).collect();
        for at in under.cells.keys() {
            let beside = SIDES.into_iter().filter_map(|(dx, dy)| scene.component_at(at.offset(dx, dy)?));
            for index in beside {
                let part = under.part(*at, &scene.components()[index]);
                members[index] = members[index].map(|it| part.unwrap_or(it));
            }
        }
        let masked = scene.components().iter().map(|it| mask.hides(it.center)).collect();
        let rim = (frame.width() - 1, frame.height() - 1);
        Things { scene, members, masked, pieces, under, floor: floor_color, rim, tiles: Vec::new() }
    }

    /// The same, where these cells belong to the pieces.
    pub(super) fn without(mut self, carried: &BTreeSet<Point>) -> Things {
        for (member, component) in self.members.iter_mut().zip(self.scene.components()) {
            *member = member.filter(|_| !carried.contains(&component.center));
        }
        self
    }

    /// The same, where components of some colours are as many things as they consist of tiles of a piece's size: what looks
    /// like one thing are several that touch.
    pub(super) fn in_tiles(mut self, piece: Bounds, is_split: impl Fn(Color) -> bool) -> Things {
        let size = (piece.width(), piece.height());
        let shape = block(size);
        for part in 0..self.members.len() {
            let color = self.scene.components()[part].color;
            let is_thing = self.members[part].is_some() && is_split(color);
            let tiles = if is_thing { self.cut(part, size) } else { Vec::new() };
            if !tiles.is_empty() {
                self.members[part] = None;
                self.tiles.extend(tiles.into_iter().map(|bounds| {
                    let at = Point::new(bounds.left, bounds.top).unwrap_or_default();
                    Tile { thing: Thing { kind: Kind { color, shape }, at }, part, bounds }
                }));
            }
        }
        self
    }

    /// The tiles of this size that a component consists of; none where it is not made of such.
    fn cut(&self, part: usize, (width, height): (u8, u8)) -> Vec<Bounds> {
        let component = &self.scene.components()[part];
        let Bounds { left, top, right, bottom } = component.bounds;
        let columns = || (left..=right).step_by(usize::from(width));
        let boxes = (top..=bottom).step_by(usize::from(height)).flat_map(|y| columns().map(move |x| (x, y)));
        let tile = |(x, y): (u8, u8)| Bounds { left: x, top: y, right: x + width - 1, bottom: y + height - 1 };
        let is_own = |at: Point| self.scene.component_at(at) == Some(part);
        let tiles: Vec<Bounds> = boxes.map(tile).filter(|it| it.points().all(is_own)).collect();
        let cells = usize::from(width) * usize::from(height);
        if tiles.len() * cells == usize::from(component.area) { tiles } else { Vec::new() }
    }

    /// All of them with their areas, by their first cell; tiles come last, each with the component that it is one of.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Thing, &Component)> {
        let whole = self.members.iter().zip(self.scene.components());
        let tiles = self.tiles.iter().map(|it| (it.thing, &self.scene.components()[it.part]));
        whole.filter_map(|(thing, component)| Some(((*thing)?, component))).chain(tiles)
    }

    /// All of them.
    pub(super) fn all(&self) -> BTreeSet<Thing> {
        self.iter().map(|(thing, _)| thing).collect()
    }

    /// What pieces stand on.
    pub(super) fn covered(&self) -> BTreeSet<Thing> {
        self.under.things().collect()
    }

    /// Whether pieces of this frame lie where `other` shows a thing.
    pub(super) fn covers(&self, other: &Things, thing: Thing) -> bool {
        let (index, bounds) = (other.index(thing), other.bounds(thing));
        let lies = |at: Point, it: Bounds| it.contains(at.x(), at.y()) && other.scene.component_at(at) == index;
        bounds.is_some_and(|it| self.pieces.iter().any(|at| lies(at, it)))
    }

    /// The things of `later` that pieces lie over here: all their cells.
    pub(super) fn hides(&self, later: &Things) -> BTreeSet<Thing> {
        let is_hidden = |it: &Component| it.bounds.points().all(|at| self.pieces.contains(at));
        later.iter().filter(|(_, it)| is_hidden(it)).map(|(thing, _)| thing).collect()
    }

    /// Whether pieces are seen that answer to actions.
    pub(super) fn has_pieces(&self) -> bool {
        !self.pieces.is_empty()
    }

    /// Whether a piece that answers to actions is here.
    pub(super) fn is_piece(&self, at: Point) -> bool {
        self.pieces.contains(at)
    }

    /// The colour of the floor that pieces stand on.
    pub(super) fn floor_color(&self) -> Option<Color> {
        self.floor
    }

    /// Whether a thing is floor, too: a part of it elsewhere.
    pub(super) fn is_room(&self, thing: Thing) -> bool {
        self.floor == Some(thing.kind.color)
    }

    /// Whether a component is much smaller than the pieces that play and lies in the outer lines of the frame, where
    /// games draw gauges over the world.
    pub(super) fn is_speck(&self, component: &Component) -> bool {
        let Bounds { left, top, right, bottom } = component.bounds;
        let near_rim = right < RIM || bottom < RIM || left + RIM > self.rim.0 || top + RIM > self.rim.1;
        near_rim && SPECK_SHARE * usize::from(component.area) <= self.pieces.len()
    }

    /// What a thing of this frame looks like.
    pub(super) fn picture(&self, frame: &Grid, thing: Thing) -> Option<Picture> {
        self.index(thing).map(|index| Picture::of(frame, &self.scene, index))
    }

    /// A cell in the middle of a thing of this frame.
    pub(super) fn middle(&self, thing: Thing) -> Option<Point> {
        let tile = self.tiles.iter().find(|it| it.thing == thing).map(|it| it.bounds);
        match tile {
            Some(it) => Some(it.middle()),
            None => self.index(thing).map(|index| self.scene.components()[index].center),
        }
    }

    /// All cells of a thing of this frame.
    pub(super) fn cells(&self, thing: Thing) -> Vec<Point> {
        let index = self.index(thing);
        let Some(bounds) = self.bounds(thing) else { return Vec::new() };
        bounds.points().filter(|at| self.scene.component_at(*at) == index).collect()
    }

    /// The component that a thing is, or is a tile of.
    fn index(&self, thing: Thing) -> Option<usize> {
        let whole = self.members.iter().position(|it| *it == Some(thing));
        whole.or_else(|| self.tiles.iter().find(|it| it.thing == thing).map(|it| it.part))
    }

    /// The rectangle around a thing.
    fn bounds(&self, thing: Thing) -> Option<Bounds> {
        let tile = self.tiles.iter().find(|it| it.thing == thing).map(|it| it.bounds);
        tile.or_else(|| self.index(thing).map(|index| self.scene.components()[index].bounds))
    }

    /// The thing that a cell of a component belongs to.
    fn member(&self, index: usize, at: Point) -> Option<Thing> {
        let tile = || self.tiles.iter().find(|it| it.part == index && it.bounds.contains(at.x(), at.y()));
        self.members[index].or_else(|| tile().map(|it| it.thing))
    }

    /// The thing at a cell, be it under a piece.
    pub(super) fn at(&self, point: Point) -> Option<Thing> {
        if self.pieces.contains(point) {
            return self.under.cells.get(&point).copied();
        }
        self.member(self.scene.component_at(point)?, point)
    }

    /// The things that pieces will cover when they stand like this.
    pub(super) fn under(&self, advances: &[Advance]) -> Under {
        let cells = || advances.iter().filter(|it| !it.hidden).flat_map(|it| &it.from);
        let floors = self.floors(cells().count());
        let mut under = Under::default();
        for (at, thing) in cells().filter_map(|at| Some((*at, self.at(*at)?))).filter(|it| !is_among(it.1, floors)) {
            let known = self.under.bounds.get(&thing).copied();
            if let Some(bounds) = known.or_else(|| self.bounds(thing)) {
                under.cells.insert(at, thing);
                under.bounds.insert(thing, bounds);
            }
        }
        under
    }

    /// The colours of what is floor to pieces of so many cells, as a set of indices: holes in pieces show them.
    fn floors(&self, cells: usize) -> u16 {
        let floors = self.scene.components().iter().filter(|it| usize::from(it.area) > FLOOR_SHARE * cells);
        floors.fold(0, |set, it| set | 1 << it.color.index())
    }

    /// The things that are gauges.
    fn gauges(&self) -> Vec<Thing> {
        self.iter().filter(|(_, component)| self.is_speck(component)).map(|(thing, _)| thing).collect()
    }

    /// What lies at a cell, thing or ground; nothing where that is interface or a piece.
    pub(super) fn what(&self, point: Point) -> Option<Kind> {
        let index = self.scene.component_at(point).filter(|_| !self.pieces.contains(point))?;
        if self.masked[index] {
            return None;
        }
        let thing = self.member(index, point);
        Some(thing.map_or_else(|| Kind::ground(self.scene.components()[index].color), |it| it.kind))
    }

    /// The kind of the component at a cell, be it a piece.
    pub(super) fn lies_at(&self, point: Point) -> Option<Kind> {
        self.scene.component_at(point).map(|index| Kind::of(&self.scene.components()[index]))
    }

    /// What pieces would newly cover: things, and the kinds of everything, no further than the first cells of a colour
    /// that stops them.
    pub(super) fn touched(&self, advances: &[Advance], stops: impl Fn(Color) -> bool) -> Touched {
        let pieces: PointSet = advances.iter().flat_map(|it| it.from.iter().copied()).collect();
        let stops = |at: &Point| self.what(*at).is_some_and(|kind| stops(kind.color));
        let cells: Vec<Point> =
            advances.iter().flat_map(|it| up_to(it, stops)).filter(|at| !pieces.contains(*at)).collect();
        Touched {
            things: cells.iter().filter_map(|at| self.at(*at)).collect(),
            kinds: cells.iter().filter_map(|at| self.what(*at)).collect(),
        }
    }

    /// The things that pieces stand on, and those next to them, but for gauges.
    pub(super) fn around(&self, advances: &[Advance], facing: Facing) -> Surroundings {
        let cells: Vec<Point> = advances.iter().flat_map(|it| it.from.iter().copied()).collect();
        let (floors, gauges) = (self.floors(cells.len()), self.gauges());
        let at = |point| self.at(point).filter(|it| !is_among(*it, floors) && !gauges.contains(it));
        let here: BTreeSet<Thing> = cells.iter().filter_map(|it| at(*it)).collect();
        let first = |from: &Point| facing.ahead(*from).filter_map(at).find(|it| !here.contains(it));
        let ahead = cells.iter().filter_map(first);
        let ahead: BTreeSet<Thing> = ahead.collect();
        let sides = cells.iter().flat_map(|it| facing.neighbors(*it));
        let beside = sides.filter_map(|mut side| side.find_map(|it| at(it).filter(|it| !here.contains(it))));
        let beside: BTreeSet<Thing> = beside.filter(|it| !ahead.contains(it)).collect();
        let is_near = |it: &Thing| here.contains(it) || ahead.contains(it) || beside.contains(it);
        let rays = advances.iter().filter_map(place).flat_map(|it| self.rays(it));
        let aligned = rays.filter_map(|ray| ray.filter_map(at).find(|it| !is_near(it))).collect();
        Surroundings { here, ahead, beside, aligned }
    }

    /// The cells of the frame that lie in one row or column with a rectangle, line by line, from its sides on.
    fn rays(&self, it: Bounds) -> impl Iterator<Item = impl Iterator<Item = Point>> {
        let (right, bottom) = self.rim;
        let line = move |from: (u8, u8), way: (i8, i8)| {
            let start = Point::new(from.0, from.1).ok();
            std::iter::successors(start, move |at| at.offset(way.0, way.1))
                .skip(1)
                .take_while(move |at| at.x() <= right && at.y() <= bottom)
        };
        let across = (it.top..=it.bottom).flat_map(move |y| [line((it.left, y), (-1, 0)), line((it.right, y), (1, 0))]);
        across.chain((it.left..=it.right).flat_map(move |x| [line((x, it.top), (0, -1)), line((x, it.bottom), (0, 1))]))
    }
}

/// Whether a thing has one of these colours, a set of indices.
fn is_among(thing: Thing, colors: u16) -> bool {
    colors >> thing.kind.color.index() & 1 == 1
}

/// The rectangle around a piece that is seen.
pub(super) fn place(piece: &Advance) -> Option<Bounds> {
    Bounds::around(piece.from.iter().copied()).filter(|_| !piece.hidden)
}

/// The cells a piece goes for, no further than the first that stop it. A jump meets only where it ends.
fn up_to(advance: &Advance, stops: impl Fn(&Point) -> bool) -> Vec<Point> {
    let (dx, dy) = advance.by;
    let along = |at: &Point| i16::from(at.x()) * dx.signum() + i16::from(at.y()) * dy.signum();
    let is_jump = dx != 0 && dy != 0;
    let end = advance.onto.iter().filter(|at| !is_jump && stops(at)).map(along).min();
    advance.onto.iter().filter(|at| end.is_none_or(|end| along(at) <= end)).copied().collect()
}

/// What a step touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Touched {
    pub(super) things: BTreeSet<Thing>,
    /// Of things and of ground.
    pub(super) kinds: BTreeSet<Kind>,
}

/// The shape of a full rectangle of this size, as that of a component.
fn block((width, height): (u8, u8)) -> u64 {
    let frame = Grid::filled(width, height, Color::ALL[0]);
    Scene::of(&frame).components().first().map_or(0, |it| it.shape)
}

/// Whether a component lies around everything else.
fn is_border(it: &Component, frame: &Grid) -> bool {
    let Bounds { left, top, right, bottom } = it.bounds;
    (left, top, right + 1, bottom + 1) == (0, 0, frame.width(), frame.height())
}

/// The component that pieces stand on: most of their neighbours belong to it, and it is much larger than they are.
fn floor(scene: &Scene, pieces: &PointSet) -> Option<usize> {
    let mut neighbors: BTreeMap<usize, usize> = BTreeMap::new();
    let ring = pieces.iter().flat_map(|at| SIDES.into_iter().filter_map(move |(dx, dy)| at.offset(dx, dy)));
    for index in ring.filter(|at| !pieces.contains(*at)).filter_map(|at| scene.component_at(at)) {
        *neighbors.entry(index).or_default() += 1;
    }
    let (most, _) = neighbors.into_iter().max_by_key(|(_, count)| *count)?;
    let is_large = usize::from(scene.components()[most].area) > FLOOR_SHARE * pieces.len();
    is_large.then_some(most)
}

fn commonest(frame: &Grid) -> Color {
    let mut counts = [0usize; Color::COUNT];
    frame.cells().iter().for_each(|color| counts[color.index()] += 1);
    let most = (0..Color::COUNT).max_by_key(|index| (counts[*index], Color::COUNT - index)).unwrap_or_default();
    Color::ALL[most]
}
