//! Places that hold something as long as somebody is there, and counters, which go on whoever comes where.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Color, Grid, Point};

use super::Place;

/// A counter is at most so thick, and shows after so many ticks.
const THICK: u8 = 3;
const SEEN: usize = 3;

/// A cell, its colour while nobody is at the plate, and the one while somebody is.
type Held = (Point, Color, Color);

/// The first and the last of some lines; `None` where there are none.
type Span = Option<(u8, u8)>;

/// What is held from where.
#[derive(Clone, Debug, Default)]
pub(super) struct Plates {
    known: BTreeMap<Place, Vec<Held>>,
    /// What changed when the piece came to where it is now: held from there if it changes back when the piece leaves.
    pending: Option<(Place, Vec<Held>)>,
    /// Where something changed, and nobody saw whether it changed back.
    suspects: BTreeSet<Place>,
    /// What changed at some step and did not change back with the next, in all levels so far.
    ticked: BTreeSet<Point>,
    /// The columns and the rows that those span.
    columns: Span,
    rows: Span,
}

impl Plates {
    /// A level begins: its plates are elsewhere.
    pub(super) fn begin(&mut self) {
        let (ticked, columns, rows) = (std::mem::take(&mut self.ticked), self.columns, self.rows);
        *self = Plates { ticked, columns, rows, ..Plates::default() };
    }

    /// The piece left, and more changed with that: it tells nothing.
    pub(super) fn leave(&mut self) {
        self.suspects.extend(self.pending.take().map(|(at, _)| at));
    }

    /// So much changed when the piece came to a place, or when a ghost came somewhere.
    pub(super) fn suspect(&mut self, at: Place, changed: &[Held]) {
        let is_new = |it: &Held| !self.known.values().flatten().any(|(cell, ..)| *cell == it.0);
        if changed.iter().any(is_new) {
            self.suspects.insert(at);
        }
    }

    /// A ghost came to a place, and so much changed.
    pub(super) fn hold(&mut self, at: Place, changed: &[Held]) {
        let known: BTreeSet<Point> = self.known.values().flatten().map(|it| it.0).collect();
        let new: Vec<Held> = changed.iter().filter(|it| !known.contains(&it.0)).copied().collect();
        if !new.is_empty() {
            self.known.entry(at).or_insert(new);
        }
    }

    /// Whether somebody should come there once more, to see what changes back.
    pub(super) fn is_suspect(&self, at: Place) -> bool {
        self.suspects.contains(&at) && !self.known.contains_key(&at)
    }

    /// The piece came from one place to another, and so much changed far from both. Where it is not alone, others may hold
    /// what it leaves.
    pub(super) fn came(&mut self, from: Place, to: Place, changed: &[Held], is_alone: bool) {
        self.suspects.remove(&from);
        let went_back = |held: &[Held]| -> Vec<Held> {
            let is_back = |(at, off, on): &&Held| changed.contains(&(*at, *on, *off));
            held.iter().filter(is_back).copied().collect()
        };
        if let Some((_, held)) = self.pending.take().filter(|(at, _)| *at == from) {
            let all = held;
            let held = went_back(&all);
            all.iter().filter(|it| !held.contains(it)).for_each(|it| self.tick(it.0));
            if !held.is_empty() {
                self.known.insert(from, held);
            }
        } else if is_alone && self.known.get(&from).is_some_and(|held| went_back(held).is_empty()) {
            self.known.remove(&from);
        }
        if !self.known.contains_key(&to) {
            let left = self.known.get(&from);
            let is_left = |it: &&Held| left.is_some_and(|held| held.contains(&(it.0, it.2, it.1)));
            let held: Vec<Held> = changed.iter().filter(|it| !is_left(it)).copied().collect();
            self.pending = Some((to, held)).filter(|(_, held)| !held.is_empty());
        }
    }

    /// Whether a cell is one of a counter: of those that ticked, or in line with them where they lie along one line.
    pub(super) fn ticks(&self, at: Point) -> bool {
        let is_on = |span: Span, line: u8| {
            span.is_some_and(|(first, last)| last - first < THICK && (first..=last).contains(&line))
        };
        self.ticked.contains(&at)
            || self.ticked.len() >= SEEN && (is_on(self.columns, at.x()) || is_on(self.rows, at.y()))
    }

    fn tick(&mut self, at: Point) {
        let with = |span: Span, line: u8| Some(span.map_or((line, line), |it| (it.0.min(line), it.1.max(line))));
        (self.columns, self.rows) = (with(self.columns, at.x()), with(self.rows, at.y()));
        self.ticked.insert(at);
    }

    /// The plates that are known.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        self.known.keys().copied()
    }

    /// Draws what these plates hold.
    pub(super) fn press(&self, frame: &mut Grid, held: impl Iterator<Item = Place>) {
        for (at, _, on) in held.filter_map(|place| self.known.get(&place)).flatten() {
            frame.set(*at, *on);
        }
    }
}
