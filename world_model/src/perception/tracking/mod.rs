//! What becomes of each object from frame to frame.
//!
//! # Layout
//! - [`Tracker`]: follows a play and gives every object a name for as long as it can be followed. Start here.
//! - [`Event`]: what happened to one object.
//! - [`associate`]: which object is which; [`assign`]: who is who among alike; [`camera`]: whether the whole view moved.
//! - [`Underlay`]: what lies under the things that move.

mod assign;
mod associate;
mod camera;
mod underlay;

use std::fmt;

use env_client::{Color, Grid};

pub use self::underlay::Underlay;
use super::{Bonds, Bounds, Component, InterfaceMask, Lattice, LatticeFinder, Symmetry, View, object::touching};

/// The name of an object, valid as long as it can be followed within a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// What can happen to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is elsewhere, by so many columns to the right and rows down, beyond what the view moved.
    Moved {
        /// Columns to the right.
        dx: i16,
        /// Rows down.
        dy: i16,
    },
    /// It was rotated or mirrored, and its top left corner moved so far.
    Turned {
        /// How.
        by: Symmetry,
        /// Columns to the right.
        dx: i16,
        /// Rows down.
        dy: i16,
    },
    /// Its colours changed; the two are those of its largest component.
    Recoloured {
        /// Before.
        from: Color,
        /// After.
        to: Color,
    },
    /// Its outline changed: it grew, shrank, or is covered in part.
    Resized {
        /// Where it was.
        from: Bounds,
        /// Where it is.
        to: Bounds,
    },
    /// It is no longer there, or covered.
    Vanished,
    /// It is new, or uncovered.
    Appeared,
    /// A piece came off an object that is still there.
    SplitOff {
        /// The object it was part of.
        from: ObjectId,
    },
}

/// What happened to one object in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its name.
    pub object: ObjectId,
    /// Its index in the view before, unless it is new.
    pub before: Option<usize>,
    /// Its index in the view after, unless it is gone.
    pub after: Option<usize>,
    /// What happened.
    pub change: Change,
}

/// One step, object by object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Motion {
    /// What happened to things, by their places before, then by those after. Ground is left out: it changes wherever
    /// things move.
    pub events: Vec<Event>,
    /// How far the whole view was shifted; ways of objects do not contain it.
    pub camera: (i16, i16),
}

/// Follows the objects of a play.
#[derive(Clone, Debug, Default)]
pub struct Tracker {
    finder: LatticeFinder,
    bonds: Bonds,
    underlay: Underlay,
    now: Option<Now>,
    /// Whether components are to be grouped anew: what groups them has changed.
    regroup: bool,
    names: u32,
}

/// The newest settled frame.
#[derive(Clone, Debug)]
struct Now {
    grid: Grid,
    view: View,
    names: Vec<ObjectId>,
}

impl Tracker {
    /// Knows nothing yet.
    pub fn new() -> Tracker {
        Tracker::default()
    }

    /// A level begins, or begins again, with this frame. What moves together is remembered, names are not.
    pub fn begin(&mut self, grid: &Grid, mask: &InterfaceMask) {
        self.finder.begin_level(grid, mask);
        let view = View::of(grid, self.finder.lattice(), &self.bonds);
        let names = view.objects.iter().map(|_| self.new_name()).collect();
        self.underlay = Underlay::of(grid);
        self.now = Some(Now { grid: grid.clone(), view, names });
    }

    /// The animation after one action, first frame to last; what happened from the settled frame before to the last
    /// one. Objects are followed through every frame, so that alike ones are not mixed up.
    pub fn step(&mut self, layers: &[Grid], mask: &InterfaceMask) -> Motion {
        let Some(last) = layers.last() else { return Motion::default() };
        let Some(mut was) = self.now.take() else {
            self.begin(last, mask);
            return Motion::default();
        };
        self.regroup |= self.finder.see(last, mask);
        if std::mem::take(&mut self.regroup) {
            let view = View::of(&was.grid, self.finder.lattice(), &self.bonds);
            was = self.rename(was, view);
        }
        let (to, view, camera) = self.follow(&was, layers);
        let now = self.arrive(&was, &to, Now { grid: last.clone(), view, names: Vec::new() });
        let motion = Motion { events: events(&was, &now, &to, camera), camera };
        self.learn(&was, &now, &motion);
        self.now = Some(now);
        motion
    }

    /// The objects of the newest settled frame.
    pub fn view(&self) -> Option<&View> {
        self.now.as_ref().map(|now| &now.view)
    }

    /// The names of its objects, in their order.
    pub fn names(&self) -> &[ObjectId] {
        self.now.as_ref().map_or(&[], |now| &now.names)
    }

    /// The logical grid, once it is known.
    pub const fn lattice(&self) -> Option<Lattice> {
        self.finder.lattice()
    }

    /// What is known to move together.
    pub const fn bonds(&self) -> &Bonds {
        &self.bonds
    }

    /// What lies under the things that move.
    pub const fn underlay(&self) -> &Underlay {
        &self.underlay
    }

    fn new_name(&mut self) -> ObjectId {
        self.names += 1;
        ObjectId(self.names - 1)
    }

    /// The frame is grouped another way now; objects keep the name of what held their first cell.
    fn rename(&mut self, was: Now, view: View) -> Now {
        let mut names = Vec::with_capacity(view.objects.len());
        for object in &view.objects {
            let old = was.names[was.view.owner(usize::from(object.first))];
            names.push(if names.contains(&old) { self.new_name() } else { old });
        }
        Now { view, names, ..was }
    }

    /// Where each object is in the last frame, what is seen there, and how the view moved in all.
    fn follow(&self, was: &Now, layers: &[Grid]) -> (Vec<Option<usize>>, View, (i16, i16)) {
        let (mut grid, mut view) = (&was.grid, was.view.clone());
        let mut to: Vec<Option<usize>> = (0..view.objects.len()).map(Some).collect();
        let mut camera = (0, 0);
        for layer in layers.iter().filter(|layer| (layer.width(), layer.height()) == (grid.width(), grid.height())) {
            if layer == grid {
                continue;
            }
            let next = View::of(layer, self.finder.lattice(), &self.bonds);
            let shift = camera::shift((grid, &view), (layer, &next));
            let links = associate::associate(&view, &next, shift);
            for at in &mut to {
                *at = at.and_then(|at| links[at]);
            }
            camera = (camera.0 + shift.0, camera.1 + shift.1);
            (grid, view) = (layer, next);
        }
        if layers.len() > 1 {
            associate::mend(&mut to, &was.view, &view, camera);
        }
        (to, view, camera)
    }

    fn arrive(&mut self, was: &Now, to: &[Option<usize>], mut now: Now) -> Now {
        let mut names = vec![None; now.view.objects.len()];
        for (old, new) in to.iter().enumerate().filter_map(|(old, new)| Some((old, (*new)?))) {
            names[new] = Some(was.names[old]);
        }
        now.names = names.into_iter().map(|name| name.unwrap_or_else(|| self.new_name())).collect();
        now
    }

    /// What moved with what, and what came to light where something left.
    fn learn(&mut self, was: &Now, now: &Now, motion: &Motion) {
        self.underlay.update(&was.grid, &now.grid, motion, &now.view);
        let mut moves = vec![None; was.view.objects.len()];
        let mut broken = vec![false; was.view.objects.len()];
        for event in &motion.events {
            match (event.before, event.change) {
                (Some(old), Change::Moved { .. }) => moves[old] = Some(event.change),
                (Some(old), Change::Resized { .. } | Change::Vanished) => broken[old] = true,
                _ => {}
            }
        }
        if motion.events.is_empty() {
            return;
        }
        for (a, b) in touching(&was.view.scene) {
            let (first, second) = (was.view.owner(a), was.view.owner(b));
            let things = !was.view.objects[first].is_ground && !was.view.objects[second].is_ground;
            if first != second && things && (moves[first].is_some() || moves[second].is_some()) {
                self.regroup |= self.bonds.count(&was.view.scene, a, b, moves[first] == moves[second]);
            } else if broken[first] && self.bonds.hold(&was.view.scene, a, b) && parted(&was.view, a, b, &now.view) {
                self.regroup |= self.bonds.count(&was.view.scene, a, b, false);
            }
        }
    }
}

/// Whether two components are both still there, and nowhere side by side as they were.
fn parted(before: &View, a: usize, b: usize, after: &View) -> bool {
    let (one, other) = (&before.scene.components()[a], &before.scene.components()[b]);
    let like = |it: &Component| {
        let found = after.scene.components().iter().filter(|found| (found.shape, found.color) == (it.shape, it.color));
        found.map(|found| (i16::from(found.bounds.left), i16::from(found.bounds.top))).collect::<Vec<_>>()
    };
    let way = |from: u8, to: u8| i16::from(to) - i16::from(from);
    let offset = (way(one.bounds.left, other.bounds.left), way(one.bounds.top, other.bounds.top));
    let (ones, others) = (like(one), like(other));
    let together = |at: &(i16, i16)| others.contains(&(at.0 + offset.0, at.1 + offset.1));
    !ones.is_empty() && !others.is_empty() && !ones.iter().any(together)
}

/// What happened to every object that is no ground.
fn events(was: &Now, now: &Now, to: &[Option<usize>], camera: (i16, i16)) -> Vec<Event> {
    let mut events = Vec::new();
    for (old, new) in to.iter().enumerate().filter(|(old, _)| !was.view.objects[*old].is_ground) {
        let change = match new {
            Some(new) => change(&was.view, old, &now.view, *new, camera),
            None => Some(Change::Vanished),
        };
        events.extend(change.map(|change| Event { object: was.names[old], before: Some(old), after: *new, change }));
    }
    let mut known = vec![false; now.view.objects.len()];
    to.iter().flatten().for_each(|new| known[*new] = true);
    for (new, object) in now.view.objects.iter().enumerate().filter(|(new, it)| !known[*new] && !it.is_ground) {
        let whole = events.iter().find(|event| is_torn(event, object.bounds) && same_color(was, event, object.color));
        let change = whole.map_or(Change::Appeared, |event| Change::SplitOff { from: event.object });
        events.push(Event { object: now.names[new], before: None, after: Some(new), change });
    }
    events
}

fn is_torn(event: &Event, piece: Bounds) -> bool {
    matches!(event.change, Change::Resized { from, .. } if from.overlap(piece) > 0)
}

fn same_color(was: &Now, event: &Event, color: Color) -> bool {
    event.before.is_some_and(|old| was.view.objects[old].color == color)
}

/// How one object differs from what it was.
fn change(before: &View, old: usize, after: &View, new: usize, camera: (i16, i16)) -> Option<Change> {
    let (was, is) = (&before.objects[old], &after.objects[new]);
    let way = |from: u8, to: u8, camera: i16| i16::from(to) - i16::from(from) - camera;
    let (dx, dy) = (way(was.bounds.left, is.bounds.left, camera.0), way(was.bounds.top, is.bounds.top, camera.1));
    if was.looks == is.looks {
        ((dx, dy) != (0, 0)).then_some(Change::Moved { dx, dy })
    } else if let Some(by) = was.turn_to(is) {
        Some(Change::Turned { by, dx, dy })
    } else if was.shape == is.shape {
        Some(Change::Recoloured { from: was.color, to: is.color })
    } else {
        Some(Change::Resized { from: was.bounds, to: is.bounds })
    }
}

#[cfg(test)]
mod tests;
