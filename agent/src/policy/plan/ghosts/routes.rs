//! Ways through a level in which ghosts hold things for a while.

use std::{
    cell::Cell,
    collections::{BTreeSet, HashMap, HashSet, VecDeque},
};

use env_client::Key;
use world_model::tapes::{Ground, Place, Tape, Tapes, place_of};

/// Places and times that one search looks at. A guess.
const STATES: usize = 20_000;

/// One step, and where it leads.
pub(super) type Walk = Vec<(Key, Place)>;

/// A level with these ghosts in it.
pub(super) struct Haunted<'a> {
    tapes: &'a Tapes,
    ghosts: &'a [Tape],
    plates: BTreeSet<Place>,
    start: Place,
    /// The states that all searches of one thought may still look at.
    effort: &'a Cell<usize>,
    /// After so many steps all of them stay.
    calm: usize,
    /// Ground that was asked for.
    grounds: HashMap<(Place, Vec<Place>), Ground>,
}

/// A place and a time on some way, and the step before.
struct Node {
    at: Place,
    clock: usize,
    from: Option<(usize, Key)>,
}

impl<'a> Haunted<'a> {
    pub(super) fn new((tapes, effort): (&'a Tapes, &'a Cell<usize>), ghosts: &'a [Tape], start: Place) -> Haunted<'a> {
        let calm = ghosts.iter().map(Vec::len).max().unwrap_or_default();
        let plates = tapes.plates().into_iter().collect();
        Haunted { tapes, ghosts, plates, start, effort, calm, grounds: HashMap::new() }
    }

    /// What is held after so many steps, with the piece at a place.
    fn held(&self, at: Place, clock: usize) -> BTreeSet<Place> {
        let haunted = self.ghosts.iter().map(|tape| place_of(tape, clock, self.start));
        haunted.chain([at]).filter(|it| self.plates.contains(it)).collect()
    }

    fn ground(&mut self, at: Place, held: &BTreeSet<Place>) -> Ground {
        let tapes = self.tapes;
        let key = (at, held.iter().copied().collect());
        *self.grounds.entry(key).or_insert_with(|| tapes.ground(at, held))
    }

    /// A key that something solid stops at a place after so many steps.
    pub(super) fn bump(&mut self, at: Place, clock: usize) -> Option<Key> {
        let held = self.held(at, clock);
        let steps: Vec<(Key, Place)> = self.tapes.steps(at).collect();
        steps.into_iter().find(|(_, ahead)| self.ground(*ahead, &held) == Ground::Solid).map(|(key, _)| key)
    }

    /// The shortest way from a place, after so many steps, to where it may end.
    pub(super) fn way(&mut self, from: Place, clock: usize, ends: impl Fn(Place, Ground) -> bool) -> Option<Walk> {
        let mut nodes = vec![Node { at: from, clock, from: None }];
        let mut known = HashSet::from([(from, clock.min(self.calm))]);
        let mut open = VecDeque::from([0]);
        while let Some(index) = open.pop_front().filter(|_| nodes.len() < STATES && self.effort.get() > 0) {
            self.effort.update(|left| left - 1);
            let (at, now) = (nodes[index].at, nodes[index].clock);
            let held = self.held(at, now);
            let may_wait = now < self.calm && self.tapes.may_wait();
            for (key, ahead) in self.tapes.steps(at) {
                let ground = self.ground(ahead, &held);
                if ends(ahead, ground) {
                    nodes.push(Node { at: ahead, clock: now + 1, from: Some((index, key)) });
                    return Some(walk(&nodes));
                }
                let to = match ground {
                    Ground::Free => ahead,
                    Ground::Solid if may_wait => at,
                    _ => continue,
                };
                if known.insert((to, (now + 1).min(self.calm))) {
                    open.push_back(nodes.len());
                    nodes.push(Node { at: to, clock: now + 1, from: Some((index, key)) });
                }
            }
        }
        None
    }

    /// All places that can be reached from one on known ground, and the ground beyond that nobody knows.
    pub(super) fn reach(&mut self, from: Place) -> (HashSet<Place>, HashSet<Place>) {
        let (mut reached, mut beyond, mut open) = (HashSet::from([from]), HashSet::new(), vec![from]);
        while let Some(at) = open.pop() {
            let held = self.held(at, self.calm);
            for (_, to) in self.tapes.steps(at) {
                match self.ground(to, &held) {
                    Ground::Free if reached.insert(to) => open.push(to),
                    Ground::Unknown => _ = beyond.insert(to),
                    _ => {}
                }
            }
        }
        (reached, beyond)
    }
}

/// The steps to the last one of these.
fn walk(nodes: &[Node]) -> Walk {
    let mut walk = Vec::new();
    let mut node = nodes.last();
    while let Some((Node { at, .. }, (parent, key))) = node.and_then(|node| Some((node, node.from?))) {
        walk.push((key, *at));
        node = nodes.get(parent);
    }
    walk.reverse();
    walk
}
