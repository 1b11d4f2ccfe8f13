//! Things: components, and components that belong together.
//!
//! Components become one object when one lies enclosed in another that is no ground (a mark on a piece), when they
//! share one cell of the lattice (a sprite of several colours), or when they have proved to move together ([`Bonds`]).

use std::collections::BTreeMap;

use env_client::{Color, Grid, Point};

use super::{
    Bounds, Lattice, Scene, Symmetry,
    form::{Form, Forms, mix},
};

/// How often two touching components must have moved as one, and never otherwise, to be one object.
const TOGETHER: u32 = 3;
/// The smallest lattice cell that can hold a sprite of several colours: a rim and something in it.
const SPRITE: u8 = 3;

/// One thing in a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The colour of its largest component.
    pub color: Color,
    /// How many cells it has.
    pub area: u16,
    /// The rectangle around it.
    pub bounds: Bounds,
    /// Its outline and colours: equal for exact copies anywhere.
    pub looks: u64,
    /// Its outline alone, whatever its colours.
    pub shape: u64,
    /// Outline and colours whichever way it is turned or mirrored.
    pub form: u64,
    /// What turns it into the pose all of its form are compared in.
    pub pose: Symmetry,
    /// Whether things lie on it rather than are it.
    pub is_ground: bool,
    /// Its component with the first cell.
    pub first: u16,
}

impl Object {
    /// What turns this one into the other, when they have one form in the same colours.
    pub fn turn_to(&self, other: &Object) -> Option<Symmetry> {
        (self.form == other.form).then(|| self.pose.then(other.pose.inverse()))
    }
}

/// A frame as objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The components they consist of.
    pub scene: Scene,
    /// Every object, by its first cell.
    pub objects: Vec<Object>,
    /// The object of each component.
    owners: Vec<u16>,
}

impl View {
    /// Reads a frame: components grouped by the lattice, where there is one, and by what is known to move together.
    pub fn of(grid: &Grid, lattice: Option<Lattice>, bonds: &Bonds) -> View {
        let scene = Scene::of(grid);
        let (owners, count) = number(&group(&scene, lattice, bonds));
        let objects = assemble(grid, &scene, &owners, count);
        View { scene, objects, owners }
    }

    /// The index of the object that holds this cell, or `None` outside the frame.
    pub fn object_at(&self, point: Point) -> Option<usize> {
        self.scene.component_at(point).map(|component| usize::from(self.owners[component]))
    }

    /// The object of a component.
    pub fn owner(&self, component: usize) -> usize {
        usize::from(self.owners[component])
    }

    /// The components of an object, by their first cells.
    pub fn parts(&self, object: usize) -> impl Iterator<Item = usize> {
        let owned = move |owner: &u16| usize::from(*owner) == object;
        self.owners.iter().enumerate().filter(move |(_, owner)| owned(owner)).map(|(component, _)| component)
    }

    /// The cells of an object, row after row.
    pub fn cells(&self, object: usize) -> impl Iterator<Item = Point> {
        self.objects[object].bounds.points().filter(move |point| self.object_at(*point) == Some(object))
    }
}

/// For each component one that stands for its object: the earliest.
fn group(scene: &Scene, lattice: Option<Lattice>, bonds: &Bonds) -> Vec<u16> {
    let mut groups: Vec<u16> = (0..scene.components().len() as u16).collect();
    for inner in 0..groups.len() {
        if let Some(outer) = scene.island_in(inner).filter(|outer| is_mark(scene, inner, *outer)) {
            unite(&mut groups, inner, outer);
        }
    }
    if let Some(lattice) = lattice.filter(|lattice| lattice.scale >= SPRITE) {
        unite_sprites(scene, lattice, &mut groups);
    }
    if !bonds.is_empty() {
        for (a, b) in touching(scene) {
            if bonds.hold(scene, a, b) {
                unite(&mut groups, a, b);
            }
        }
    }
    groups
}

/// Whether what is enclosed is drawn on what encloses it, rather than seen through a hole in it or housed in it.
fn is_mark(scene: &Scene, inner: usize, outer: usize) -> bool {
    !scene.is_ground(inner)
        && !scene.is_ground(outer)
        && scene.components()[inner].area <= scene.components()[outer].area
}

/// Joins the components that lie within one lattice cell and touch.
fn unite_sprites(scene: &Scene, lattice: Lattice, groups: &mut [u16]) {
    let cell_of = |bounds: Bounds| {
        let corner = |x: u8, y: u8| Point::new(x, y).ok().and_then(|point| lattice.cell_at(point));
        let cell = corner(bounds.left, bounds.top)?;
        (corner(bounds.right, bounds.bottom) == Some(cell)).then_some(cell)
    };
    let cells: Vec<Option<(u8, u8)>> = scene.components().iter().map(|it| cell_of(it.bounds)).collect();
    let partial = |at: usize| {
        let area = u16::from(lattice.scale) * u16::from(lattice.scale);
        cells[at].is_some() && scene.components()[at].area < area && !scene.is_ground(at)
    };
    if (0..cells.len()).filter(|at| partial(*at)).nth(1).is_none() {
        return;
    }
    for (a, b) in touching(scene).into_iter().filter(|(a, b)| partial(*a) && partial(*b) && cells[*a] == cells[*b]) {
        unite(groups, a, b);
    }
}

/// Pairs of components that touch along their sides, smaller index first, each once.
pub(crate) fn touching(scene: &Scene) -> Vec<(usize, usize)> {
    let labels = scene.labels();
    let width = usize::from(scene.size().0);
    let mut pairs: Vec<u32> = Vec::with_capacity(256);
    let mut add = |a: u16, b: u16| pairs.push(u32::from(a.min(b)) << 16 | u32::from(a.max(b)));
    for (y, row) in labels.chunks_exact(width).enumerate() {
        row.windows(2).filter(|pair| pair[0] != pair[1]).for_each(|pair| add(pair[0], pair[1]));
        if let Some(below) = labels.get((y + 1) * width..(y + 2) * width) {
            row.iter().zip(below).filter(|(a, b)| a != b).for_each(|(a, b)| add(*a, *b));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs.into_iter().map(|pair| ((pair >> 16) as usize, (pair & 0xffff) as usize)).collect()
}

fn root(groups: &[u16], mut index: usize) -> usize {
    while usize::from(groups[index]) != index {
        index = usize::from(groups[index]);
    }
    index
}

fn unite(groups: &mut [u16], a: usize, b: usize) {
    let (a, b) = (root(groups, a), root(groups, b));
    groups[a.max(b)] = a.min(b) as u16;
}

/// The groups numbered by their first cells.
fn number(groups: &[u16]) -> (Vec<u16>, usize) {
    let (mut owners, mut count) = (vec![0u16; groups.len()], 0);
    for index in 0..groups.len() {
        let first = root(groups, index);
        owners[index] = if first == index { count } else { owners[first] };
        count += u16::from(first == index);
    }
    (owners, usize::from(count))
}

fn assemble(grid: &Grid, scene: &Scene, owners: &[u16], count: usize) -> Vec<Object> {
    let mut objects: Vec<Object> = Vec::with_capacity(count);
    let mut largest = vec![0u16; count];
    let mut composites = Vec::new();
    for (index, (component, owner)) in scene.components().iter().zip(owners).enumerate() {
        let owner = usize::from(*owner);
        let Some(object) = objects.get_mut(owner) else {
            objects.push(single(scene, index));
            largest[owner] = component.area;
            continue;
        };
        object.area += component.area;
        object.bounds = object.bounds.union(component.bounds);
        if component.area > largest[owner] {
            (object.color, largest[owner]) = (component.color, component.area);
        }
        composites.push(owner);
    }
    composites.dedup();
    for owner in composites {
        dress(grid, scene, owners, owner, &mut objects[owner]);
    }
    objects
}

/// A component as an object of its own.
fn single(scene: &Scene, index: usize) -> Object {
    let component = &scene.components()[index];
    let paint = mix(component.color.index() as u64 + 1);
    Object {
        color: component.color,
        area: component.area,
        bounds: component.bounds,
        looks: component.shape ^ paint,
        shape: component.shape,
        form: component.form ^ paint,
        pose: component.pose,
        is_ground: scene.is_ground(index),
        first: index as u16,
    }
}

/// Works out what an object of several components looks like.
fn dress(grid: &Grid, scene: &Scene, owners: &[u16], owner: usize, object: &mut Object) {
    let Bounds { left, top, right, bottom } = object.bounds;
    let (mut outline, mut painted) = (Form::default(), Form::default());
    let width = usize::from(grid.width());
    for (x, y) in (top..=bottom).flat_map(|y| (left..=right).map(move |x| (x, y))) {
        let at = usize::from(y) * width + usize::from(x);
        if usize::from(owners[usize::from(scene.labels()[at])]) == owner {
            outline.add(object.bounds, y, (x, x), 1);
            painted.add(object.bounds, y, (x, x), mix(grid.cells()[at].index() as u64 + 1) | 1);
        }
    }
    object.shape = outline.finish(object.bounds).shape;
    Forms { shape: object.looks, form: object.form, pose: object.pose } = painted.finish(object.bounds);
}

/// Two touching components as they lie beside each other: their looks, and the way from one to the other.
type Pair = ((u64, Color), (u64, Color), (i16, i16));

/// What is known to move together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bonds {
    /// How often each pair moved as one, and how often not.
    seen: BTreeMap<Pair, (u32, u32)>,
    held: usize,
}

impl Bonds {
    /// Whether no two components are known to be one.
    pub const fn is_empty(&self) -> bool {
        self.held == 0
    }

    /// Two touching components of a frame moved, as one or not; whether that changes what is held to be one.
    pub(super) fn count(&mut self, scene: &Scene, a: usize, b: usize, together: bool) -> bool {
        let seen = self.seen.entry(pair(scene, a, b)).or_default();
        let held = holds(*seen);
        if together {
            seen.0 += 1;
        } else {
            seen.1 += 1;
        }
        match (held, holds(*seen)) {
            (false, true) => self.held += 1,
            (true, false) => self.held -= 1,
            _ => return false,
        }
        true
    }

    /// Whether two touching components are known to be one.
    pub(super) fn hold(&self, scene: &Scene, a: usize, b: usize) -> bool {
        self.seen.get(&pair(scene, a, b)).copied().is_some_and(holds)
    }
}

/// What is pushed moves with what pushes it until it is left behind once.
const fn holds((together, apart): (u32, u32)) -> bool {
    together >= TOGETHER && apart == 0
}

fn pair(scene: &Scene, a: usize, b: usize) -> Pair {
    let (a, b) = (&scene.components()[a], &scene.components()[b]);
    let way = |from: u8, to: u8| i16::from(to) - i16::from(from);
    let offset = (way(a.bounds.left, b.bounds.left), way(a.bounds.top, b.bounds.top));
    ((a.shape, a.color), (b.shape, b.color), offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The picture in the middle of a ground of colour 0.
    fn framed(picture: &str) -> Grid {
        let mut rows = vec!["0".repeat(24); 24];
        for (row, line) in rows[6..].iter_mut().zip(picture.lines()) {
            row.replace_range(6..6 + line.len(), line);
        }
        rows.join("\n").parse().unwrap()
    }

    fn view(picture: &str, lattice: Option<Lattice>) -> View {
        View::of(&framed(picture), lattice, &Bonds::default())
    }

    /// Colour and area of everything but the ground.
    fn things(view: &View) -> Vec<(usize, u16)> {
        let things = view.objects.iter().filter(|object| !object.is_ground);
        things.map(|object| (object.color.index(), object.area)).collect()
    }

    const MARKED: &str = "222000000\n242003300\n222003000\n000003000";

    #[test]
    fn a_mark_belongs_to_the_piece_it_is_on() {
        let view = view(MARKED, None);
        assert_eq!(things(&view), [(2, 9), (3, 4)]);
        assert_eq!((view.parts(1).count(), view.cells(1).count()), (2, 9));
    }

    #[test]
    fn a_hole_shows_the_ground_and_a_room_is_no_part_of_its_wall() {
        assert_eq!(things(&view("222\n202\n222", None)), [(2, 8)]);
        let room = ["2".repeat(9), "233333332\n".repeat(7), "2".repeat(9)].join("\n").replace("\n\n", "\n");
        assert_eq!(things(&view(&room, None)), [(2, 32), (3, 49)]);
    }

    #[test]
    fn a_sprite_of_two_colors_in_one_cell_is_one_object() {
        let picture = "222\n333\n333";
        assert_eq!(things(&view(picture, None)), [(2, 3), (3, 6)]);
        let lattice = Lattice { scale: 3, left: 0, top: 0 };
        assert_eq!(things(&view(picture, Some(lattice))), [(3, 9)]);
        assert_eq!(things(&view(picture, Some(Lattice { top: 1, ..lattice }))).len(), 2, "in two cells");
    }

    #[test]
    fn looks_tell_colors_shapes_and_marks_apart_and_forms_do_not_mind_turns() {
        let before = framed(MARKED);
        let [marked, ell] = [1, 2].map(|at| View::of(&before, None, &Bonds::default()).objects[at].clone());
        for symmetry in Symmetry::ALL {
            let turned = View::of(&symmetry.turn(&before), None, &Bonds::default());
            let same = turned.objects.iter().find(|it| it.color == ell.color).unwrap();
            assert_eq!(ell.turn_to(same), Some(symmetry));
            assert_eq!(turned.objects.iter().filter(|it| it.form == marked.form).count(), 1);
        }
        let moved = view(&MARKED.replace('4', "5"), None).objects[1].clone();
        assert_eq!((moved.shape, moved.bounds), (marked.shape, marked.bounds));
        assert_ne!(moved.looks, marked.looks);
    }
}
