//! The piece that keys move: told by how it looks, from two keys that shifted it two ways.
//!
//! Something may be drawn over a part of it, such as a mark of what it stands on: what fills its box and most of its outline
//! is the piece, too. A level may be drawn at another scale: the same outline in its colour is the piece there. Where
//! nothing looks like it any more, it is learned anew.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use env_client::{Color, Grid, Key, Point};

use super::{Place, cells};
use crate::{Component, Scene};

/// What is seen of a piece on which something is drawn: at least so much of it, in quarters. A guess.
const VISIBLE: usize = 3;

/// How a piece looks: its colour and its form.
type Look = (Color, u64);

/// Learns how the piece looks and where arrows take it.
#[derive(Clone, Debug, Default)]
pub(super) struct Walker {
    /// How often each key shifted what looks so by so much.
    votes: HashMap<Look, BTreeMap<(Key, Place), u32>>,
    look: Option<Look>,
    /// Where keys were seen to take it, and where they should.
    seen: BTreeMap<Key, Place>,
    steps: BTreeMap<Key, Place>,
    size: Place,
    /// Which cells of its box are its own, row after row.
    outline: Vec<bool>,
}

impl Walker {
    /// Takes in what a key shifted, but for what is where it was in the first frame of the level, unless the opposite key took
    /// it away from there: that may have been put back.
    pub(super) fn observe(&mut self, key: Key, (first, before, after): (&Grid, &Grid, &Grid)) {
        let first = Scene::of(first);
        let (drawn, before) = (before, Scene::of(before));
        for (it, by) in before.shifted(&Scene::of(after)) {
            let look = (it.color, it.shape);
            let (x, y) = corner(it);
            let is_end =
                |other: &&Component| (other.color, other.shape) == look && corner(other) == (x + by.0, y + by.1);
            let undoes = |key: Key| self.votes.get(&look).is_some_and(|it| it.contains_key(&(key, (-by.0, -by.1))));
            if first.components().iter().any(|other| is_end(&other)) && !key.opposite().is_some_and(undoes) {
                continue;
            }
            let votes = self.votes.entry(look).or_default();
            *votes.entry((key, by)).or_default() += 1;
            if self.look.is_none_or(|known| known == look || self.count(known) < self.count(look)) {
                let steps = self.steps_of(look);
                if self.moves(look) > 1 {
                    (self.look, self.size, self.outline) = (Some(look), size(it), outline(drawn, it));
                    (self.steps, self.seen) = (with_opposites(&steps), steps);
                }
            }
        }
    }

    /// Keys that shifted what looks so.
    fn moves(&self, look: Look) -> usize {
        self.votes[&look].keys().map(|(key, _)| key).collect::<BTreeSet<_>>().len()
    }

    fn count(&self, look: Look) -> u32 {
        self.votes.get(&look).map_or(0, |votes| votes.values().sum())
    }

    /// Where each key took what looks so, most of the time; nothing where two did the same.
    fn steps_of(&self, look: Look) -> BTreeMap<Key, Place> {
        let mut steps: BTreeMap<Key, (Place, u32)> = BTreeMap::new();
        for ((key, by), count) in &self.votes[&look] {
            let best = steps.entry(*key).or_insert((*by, *count));
            if *count > best.1 {
                *best = (*by, *count);
            }
        }
        let is_own = |by: &Place| steps.values().filter(|(other, _)| other == by).count() == 1;
        steps.iter().map(|(key, (by, _))| (*key, *by)).filter(|(_, by)| is_own(by)).collect()
    }

    /// Where it is, of several places the one nearest to this; of two as near the one where all of it is seen.
    pub(super) fn find(&self, frame: &Grid, near: Option<Place>) -> Option<Place> {
        let look = self.look?;
        let scene = Scene::of(frame);
        let own = scene.components().iter().filter(|it| (it.color, it.shape) == look).map(corner);
        let corners = scene.components().iter().filter(|it| it.color == look.0).map(corner);
        let covered = corners.filter(|at| self.is_covered((frame, &scene), *at, look.0));
        own.chain(covered).min_by_key(|at| near.map_or(0, |near| (at.0 - near.0).abs() + (at.1 - near.1).abs()))
    }

    /// Whether the piece, or a double of it in some colour, may be at a place with something drawn over it: most of its cells
    /// are seen, and they belong to nothing larger.
    fn is_covered(&self, (frame, scene): (&Grid, &Scene), at: Place, color: Color) -> bool {
        let whole = self.outline.iter().filter(|own| **own).count();
        let own = cells(at, self.size).zip(&self.outline).filter(|(_, own)| **own).map(|(cell, _)| cell);
        let seen: Vec<Point> = own.filter(|cell| frame.get(*cell) == Some(color)).collect();
        let is_inside = |cell: &Point| {
            let it = scene.component_at(*cell).map(|index| &scene.components()[index]);
            it.is_some_and(|it| {
                let ((x, y), (width, height)) = (corner(it), size(it));
                x >= at.0 && y >= at.1 && x + width <= at.0 + self.size.0 && y + height <= at.1 + self.size.1
            })
        };
        4 * seen.len() >= VISIBLE * whole && seen.iter().all(is_inside)
    }

    /// A level begins: by how much everything there is larger than before, as new and old size, where that is so. What is
    /// not found is forgotten.
    pub(super) fn settle(&mut self, frame: &Grid) -> Option<(Place, Place)> {
        let look = self.look.filter(|_| self.find(frame, None).is_none())?;
        let scene = Scene::of(frame);
        let mut scaled = scene.components().iter().filter(|it| it.color == look.0 && self.is_scaled(frame, it));
        let (Some(it), None) = (scaled.next(), scaled.next()) else {
            *self = Walker::default();
            return None;
        };
        let (new, old) = (size(it), self.size);
        let steps = |steps: &BTreeMap<Key, Place>| -> BTreeMap<Key, Place> {
            steps.iter().map(|(key, by)| (*key, (by.0 * new.0 / old.0, by.1 * new.1 / old.1))).collect()
        };
        let look = (it.color, it.shape);
        let (seen, steps) = (steps(&self.seen), steps(&self.steps));
        let votes = HashMap::from([(look, seen.iter().map(|(key, by)| ((*key, *by), 1)).collect())]);
        *self = Walker { votes, look: Some(look), seen, steps, size: new, outline: outline(frame, it) };
        Some((new, old))
    }

    /// Whether this has its outline at another scale.
    fn is_scaled(&self, frame: &Grid, it: &Component) -> bool {
        let (new, old) = (size(it), self.size);
        new != old && new.0 * old.1 == new.1 * old.0 && outline(frame, it) == resampled(&self.outline, old, new)
    }

    /// Whether anybody knows what moves.
    pub(super) fn is_known(&self) -> bool {
        self.look.is_some()
    }

    /// Where a key takes it from a place; `None` where that was never seen.
    pub(super) fn ahead(&self, from: Place, key: Key) -> Option<Place> {
        self.seen.get(&key).map(|by| (from.0 + by.0, from.1 + by.1))
    }

    /// By how much keys move it, or should.
    pub(super) fn steps(&self) -> impl Iterator<Item = (Key, Place)> {
        self.steps.iter().map(|(key, by)| (*key, *by))
    }

    /// Width and height of the box around it.
    pub(super) fn size(&self) -> Place {
        self.size
    }

    /// Whether something of its form and another colour is at a place.
    pub(super) fn has_double(&self, frame: &Grid, at: Place) -> bool {
        let Some((color, shape)) = self.look else { return false };
        let scene = Scene::of(frame);
        let is_whole = |it: &Component| it.shape == shape && it.color != color && corner(it) == at;
        let colors = Color::ALL.into_iter().filter(|other| *other != color);
        scene.components().iter().any(is_whole)
            || colors.into_iter().any(|other| self.is_covered((frame, &scene), at, other))
    }
}

/// The same with what nobody saw: where one key takes the piece the other way than its opposite, all should.
fn with_opposites(seen: &BTreeMap<Key, Place>) -> BTreeMap<Key, Place> {
    let back = seen.iter().filter_map(|(key, by)| Some((key.opposite()?, (-by.0, -by.1))));
    let back: BTreeMap<Key, Place> = back.collect();
    let are_opposite = back.iter().any(|(key, by)| seen.get(key) == Some(by));
    let is_new = |by: &Place| are_opposite && !seen.values().any(|it| it == by);
    back.into_iter().filter(|(_, by)| is_new(by)).chain(seen.clone()).collect()
}

fn corner(it: &Component) -> Place {
    (i16::from(it.bounds.left), i16::from(it.bounds.top))
}

fn size(it: &Component) -> Place {
    (i16::from(it.bounds.width()), i16::from(it.bounds.height()))
}

/// Which cells of its box have its colour, row after row: what it encloses of its own colour belongs to it.
fn outline(frame: &Grid, it: &Component) -> Vec<bool> {
    cells(corner(it), size(it)).map(|at| frame.get(at) == Some(it.color)).collect()
}

/// What fills a box of one size, drawn in a box of another one.
pub(super) fn resampled<T: Copy>(picture: &[T], old: Place, new: Place) -> Vec<T> {
    let cells = (0..new.1).flat_map(|y| (0..new.0).map(move |x| (x * old.0 / new.0, y * old.1 / new.1)));
    cells.filter_map(|(x, y)| picture.get(usize::try_from(y * old.0 + x).ok()?).copied()).collect()
}
