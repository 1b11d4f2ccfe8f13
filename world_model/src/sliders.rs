//! Buttons that shift things along one axis: knobs on rails, floats on what is pumped from one lane into another.
//!
//! A press adds a fixed step to some coordinates, each a lane across the axis along which things were seen to move: the place
//! of what moves in it or, where nothing does, how far it is filled. Where a press did nothing, it does nothing either where
//! what it takes from is no fuller and what it gives to no emptier. What all this is for, a planner has to know.

use std::collections::BTreeMap;

use env_client::{Action, Color, Grid, Point, SIDE};

use crate::{Bounds, Component, InterfaceMask, Scene, Transition};

/// A thing of more cells is a wall or a room. A guess, that of the planner for things to touch.
const LARGE: u16 = 150;
/// Presses of one button that must have done the same for it to be one that shifts. A guess.
const AGREED: usize = 2;

/// Along which of the two coordinates things move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Columns.
    X,
    /// Rows.
    Y,
}

impl Axis {
    fn along(self, it: Bounds) -> (u8, u8) {
        match self {
            Axis::X => (it.left, it.right),
            Axis::Y => (it.top, it.bottom),
        }
    }

    fn across(self, it: Bounds) -> (u8, u8) {
        match self {
            Axis::X => (it.top, it.bottom),
            Axis::Y => (it.left, it.right),
        }
    }

    /// The place of a cell across it.
    fn place(self, at: Point) -> u8 {
        match self {
            Axis::X => at.y(),
            Axis::Y => at.x(),
        }
    }
}

/// The coordinates of a level, each a count of cells since it began, in the order of its lanes.
pub type Levels = Vec<i16>;

/// One press of this level, and what it did.
#[derive(Clone, Debug)]
struct Press {
    at: Point,
    /// The cells that it changed, from which colour to which.
    changed: Vec<(Point, Color, Color)>,
    /// How many cells of each colour there were before and after.
    filled: Box<(Census, Census)>,
    moved: Vec<Shifted>,
    /// Since when the level has not begun again.
    attempt: u32,
}

/// How many cells of each colour a frame has in every row and every column: a lane's fill is asked for after every press.
#[derive(Clone, Debug)]
struct Census {
    rows: [[u8; SIDE as usize]; Color::COUNT],
    columns: [[u8; SIDE as usize]; Color::COUNT],
}

impl Census {
    fn of(frame: &Grid) -> Census {
        let mut census = Census { rows: [[0; _]; _], columns: [[0; _]; _] };
        for (y, row) in frame.rows().enumerate() {
            for (x, color) in row.iter().enumerate() {
                census.rows[color.index()][y] += 1;
                census.columns[color.index()][x] += 1;
            }
        }
        census
    }

    /// How long a colour is in a lane across an axis: its cells there by the lane's width.
    fn length(&self, color: Color, axis: Axis, lane: (u8, u8)) -> i16 {
        let across = match axis {
            Axis::X => &self.rows[color.index()],
            Axis::Y => &self.columns[color.index()],
        };
        let cells = (lane.0..=lane.1).map(|place| i16::from(across[usize::from(place)])).sum::<i16>();
        cells / i16::from(lane.1 - lane.0 + 1)
    }
}

/// Something that moves in a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rider {
    /// Its lane.
    pub lane: usize,
    /// What is seen of it now.
    pub color: Color,
    /// Its first and its last cell along the axis.
    pub span: (u8, u8),
}

/// Learns what presses shift.
#[derive(Clone, Debug, Default)]
pub struct Sliders {
    presses: Vec<Press>,
    attempt: u32,
    axis: Option<Axis>,
    /// First and last place of each lane across the axis.
    lanes: Vec<(u8, u8)>,
    /// What each press did to the lanes, in the order of the presses.
    steps: Vec<Levels>,
    /// Presses that did nothing, and where the level stood.
    stuck: Vec<(Point, Levels)>,
}

impl Sliders {
    /// A level begins: its buttons are others.
    pub fn begin(&mut self) {
        *self = Sliders { axis: self.axis, ..Sliders::default() };
    }

    /// It begins again.
    pub fn begin_again(&mut self) {
        self.attempt += 1;
    }

    /// Presses in this level.
    pub fn count(&self) -> usize {
        self.presses.len()
    }

    /// Learns from a click.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let (Action::Click(at), Some(after)) = (step.action, step.after()) else { return };
        if step.before.differences(after).is_none() {
            return;
        }
        let cells = step.before.differences(after).into_iter().flatten();
        let changed = cells.map(|cell| (cell, step.before[cell], after[cell])).collect();
        let filled = Box::new((Census::of(step.before), Census::of(after)));
        let moved = shifted(at, step.before, after);
        self.presses.push(Press { at, changed, filled, moved, attempt: self.attempt });
        self.fit(mask);
    }

    /// Reads all presses anew: a lane may have turned out wider, and the axis may be known now.
    fn fit(&mut self, mask: &InterfaceMask) {
        self.axis = axis(self.moved()).or(self.axis);
        let Some(axis) = self.axis else { return };
        let bands = self.presses.iter().flat_map(|press| bands(press, axis, mask));
        self.lanes = joined(bands.collect());
        let fill = fill(self.presses.iter(), mask);
        let step = |press: &Press| self.lanes.iter().map(|lane| change(press, axis, *lane, fill)).collect();
        self.steps = self.presses.iter().map(step).collect();
        self.stuck = self.in_vain();
    }

    /// The presses that did nothing, each with what those before it came to since the level began.
    fn in_vain(&self) -> Vec<(Point, Levels)> {
        let (mut attempt, mut stood) = (0, vec![0; self.lanes.len()]);
        let mut in_vain = Vec::new();
        for (press, did) in self.presses.iter().zip(&self.steps) {
            if press.attempt != attempt {
                (attempt, stood) = (press.attempt, vec![0; self.lanes.len()]);
            }
            if did.iter().all(|by| *by == 0) {
                in_vain.push((press.at, stood.clone()));
            }
            stood = added(&stood, did);
        }
        in_vain
    }

    /// All that any press shifted.
    fn moved(&self) -> impl Iterator<Item = &Shifted> {
        self.presses.iter().flat_map(|press| &press.moved)
    }

    /// Where the level stands: what its presses came to since it began.
    pub fn now(&self) -> Levels {
        let own = self.presses.iter().zip(&self.steps).filter(|(press, _)| press.attempt == self.attempt);
        own.fold(vec![0; self.lanes.len()], |sum, (_, step)| added(&sum, step))
    }

    /// What a press of each button adds, as far as it did anything; the last word counts.
    pub fn buttons(&self) -> BTreeMap<Point, Levels> {
        let told = self.presses.iter().zip(&self.steps).filter(|(_, step)| step.iter().any(|by| *by != 0));
        told.map(|(press, step)| (press.at, step.clone())).collect()
    }

    /// Whether some button did the same whenever it did anything, often enough.
    pub fn is_proven(&self) -> bool {
        self.buttons().iter().any(|(at, step)| {
            let own = self.presses.iter().zip(&self.steps).filter(|(press, it)| press.at == *at && *it == step);
            own.count() >= AGREED
        })
    }

    /// Whether a press that would add `step` was seen to do nothing where it could do no less than here.
    pub fn is_stuck(&self, at: Point, step: &Levels, now: &Levels) -> bool {
        let no_freer = |((by, now), then): ((&i16, &i16), &i16)| match by.signum() {
            -1 => now <= then,
            1 => now >= then,
            _ => true,
        };
        let seen = self.stuck.iter().filter(|(it, _)| *it == at);
        seen.map(|(_, stood)| stood).any(|stood| step.iter().zip(now).zip(stood).all(no_freer))
    }

    /// What moved in this level, as it is seen in a frame.
    pub fn riders(&self, scene: &Scene) -> Vec<Rider> {
        let Some(axis) = self.axis else { return Vec::new() };
        let lane = |it: &Component| self.lanes.iter().position(|lane| overlaps(*lane, axis.across(it.bounds)));
        let is_known = |it: &&Component| self.moved().any(|other| other.axis() == Some(axis) && other.is_like(it));
        let known = scene.components().iter().filter(is_known);
        known.filter_map(|it| Some(Rider { lane: lane(it)?, color: it.color, span: axis.along(it.bounds) })).collect()
    }

    /// The spans along the axis of what has a colour and never moved.
    pub fn marks(&self, scene: &Scene, color: Color, mask: &InterfaceMask) -> Vec<(u8, u8)> {
        let Some(axis) = self.axis else { return Vec::new() };
        let own = |it: &&Component| it.color == color && it.area <= LARGE && !mask.hides(it.center);
        let marks = scene.components().iter().filter(own).filter(|it| !self.moved().any(|other| other.is_like(it)));
        marks.map(|it| axis.along(it.bounds)).collect()
    }
}

/// A component that one press shifted.
#[derive(Clone, Debug)]
struct Shifted {
    color: Color,
    shape: u64,
    from: Bounds,
    by: (i16, i16),
}

impl Shifted {
    fn axis(&self) -> Option<Axis> {
        match self.by {
            (_, 0) => Some(Axis::X),
            (0, _) => Some(Axis::Y),
            _ => None,
        }
    }

    /// Whether a component looks like it and lies in its row or column.
    fn is_like(&self, it: &Component) -> bool {
        let in_line = self.axis().is_some_and(|axis| axis.across(self.from) == axis.across(it.bounds));
        (self.color, self.shape) == (it.color, it.shape) && in_line
    }
}

/// What a press shifted, but for large things and the button itself.
fn shifted(at: Point, before: &Grid, after: &Grid) -> Vec<Shifted> {
    let old = Scene::of(before);
    let is_small = |it: &Component| it.area <= LARGE && !it.bounds.contains(at.x(), at.y());
    let moved = old.shifted(&Scene::of(after)).into_iter().filter(|(it, _)| is_small(it));
    moved.map(|(it, by)| Shifted { color: it.color, shape: it.shape, from: it.bounds, by }).collect()
}

/// The axis along which most things moved.
fn axis<'a>(moved: impl Iterator<Item = &'a Shifted>) -> Option<Axis> {
    let (x, y) = moved.fold((0, 0), |(x, y), it| if it.by.1 == 0 { (x + 1, y) } else { (x, y + 1) });
    (x != y).then_some(if x > y { Axis::X } else { Axis::Y })
}

/// The cells that a press changed, from which colour to which.
fn changed(press: &Press, mask: &InterfaceMask) -> impl Iterator<Item = (Point, Color, Color)> {
    press.changed.iter().copied().filter(|(at, ..)| !mask.hides(*at))
}

/// The runs of places across the axis in which a press changed anything.
fn bands(press: &Press, axis: Axis, mask: &InterfaceMask) -> Vec<(u8, u8)> {
    let mut places: Vec<u8> = changed(press, mask).map(|(at, ..)| axis.place(at)).collect();
    places.sort_unstable();
    places.dedup();
    places.chunk_by(|a, b| a + 1 == *b).map(|run| (run[0], run[run.len() - 1])).collect()
}

fn overlaps(a: (u8, u8), b: (u8, u8)) -> bool {
    a.0 <= b.1 && b.0 <= a.1
}

/// Runs that overlap are one.
fn joined(mut runs: Vec<(u8, u8)>) -> Vec<(u8, u8)> {
    runs.sort_unstable();
    let mut all: Vec<(u8, u8)> = Vec::new();
    for run in runs {
        match all.last_mut().filter(|last| overlaps(**last, run)) {
            Some(last) => last.1 = last.1.max(run.1),
            None => all.push(run),
        }
    }
    all
}

/// The colour that most cells changed from or to: what lanes are filled with, or else with what they are empty.
fn fill<'a>(presses: impl Iterator<Item = &'a Press>, mask: &InterfaceMask) -> Option<Color> {
    let mut counts = [0u32; Color::COUNT];
    for press in presses {
        for (_, from, to) in changed(press, mask) {
            counts[from.index()] += 1;
            counts[to.index()] += 1;
        }
    }
    Color::ALL.into_iter().max_by_key(|it| counts[it.index()])
}

/// What a press did in a lane: by how much something moved there or, where nothing did, how much longer the fill became.
fn change(press: &Press, axis: Axis, lane: (u8, u8), fill: Option<Color>) -> i16 {
    let own = |it: &&Shifted| it.axis() == Some(axis) && overlaps(lane, axis.across(it.from));
    if let Some(it) = press.moved.iter().find(own) {
        return if axis == Axis::X { it.by.0 } else { it.by.1 };
    }
    let Some(fill) = fill else { return 0 };
    let (before, after) = &*press.filled;
    after.length(fill, axis, lane) - before.length(fill, axis, lane)
}

/// Both together.
pub fn added(one: &Levels, other: &Levels) -> Levels {
    one.iter().zip(other).map(|(a, b)| a + b).collect()
}
