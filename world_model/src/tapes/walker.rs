//! The piece that keys move: told by how it looks, from two keys that shifted it two ways.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use env_client::{Color, Grid, Key};

use super::Place;
use crate::{Component, Scene};

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
}

impl Walker {
    /// Takes in what a key shifted, but for what is where it was in the first frame of the level, unless the opposite key took
    /// it away from there: that may have been put back.
    pub(super) fn observe(&mut self, key: Key, (first, before, after): (&Grid, &Grid, &Grid)) {
        let first = Scene::of(first);
        let before = Scene::of(before);
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
                    let size = (i16::from(it.bounds.width()), i16::from(it.bounds.height()));
                    (self.look, self.size) = (Some(look), size);
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

    /// Where it is, of several places the one nearest to this.
    pub(super) fn find(&self, frame: &Grid, near: Option<Place>) -> Option<Place> {
        let look = self.look?;
        let scene = Scene::of(frame);
        let own = scene.components().iter().filter(|it| (it.color, it.shape) == look).map(corner);
        own.min_by_key(|at| near.map_or(0, |near| (at.0 - near.0).abs() + (at.1 - near.1).abs()))
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
        scene.components().iter().any(|it| it.shape == shape && it.color != color && corner(it) == at)
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
