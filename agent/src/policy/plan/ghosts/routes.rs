//! Ways through a level in which ghosts hold things for a while.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

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
    /// After so many steps all of them stay.
    calm: usize,
    /// Ground that was asked for.
    grounds: HashMap<(Place, Vec<Place>), Ground>,
}

/// Where a way may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Here.
    Stop,
    /// Not here.
    No,
}

impl<'a> Haunted<'a> {
    pub(super) fn new(tapes: &'a Tapes, ghosts: &'a [Tape], start: Place) -> Haunted<'a> {
        let calm = ghosts.iter().map(Vec::len).max().unwrap_or_default();
        Haunted { tapes, ghosts, plates: tapes.plates().into_iter().collect(), start, calm, grounds: HashMap::new() }
    }

    /// What is held after so many steps, with the piece at a place.
    fn held(&self, at: Place, clock: usize) -> BTreeSet<Place> {
        let haunted = self.ghosts.iter().map(|tape| place_of(tape, clock, self.start));
        haunted.chain([at]).filter(|it| self.plates.contains(it)).collect()
    }

    fn ground(&mut self, at: Place, held: BTreeSet<Place>) -> Ground {
        let tapes = self.tapes;
        let key = (at, held.iter().copied().collect());
        *self.grounds.entry(key).or_insert_with(|| tapes.ground(at, &held))
    }

    /// The shortest way from a place, after so many steps, to where `end` lets it end.
    pub(super) fn way(&mut self, from: Place, clock: usize, end: impl Fn(Place, Ground) -> End) -> Option<Walk> {
        let mut nodes: Vec<(Place, usize, Option<(usize, Key)>)> = vec![(from, clock, None)];
        let mut known = HashSet::from([(from, clock.min(self.calm))]);
        let mut open = VecDeque::from([0]);
        while let Some(index) = open.pop_front().filter(|_| nodes.len() < STATES) {
            let (at, now, _) = nodes[index];
            let held = self.held(at, now);
            let may_wait = now < self.calm && self.tapes.may_wait();
            for (key, to) in self.tapes.steps(at) {
                let ground = self.ground(to, held.clone());
                if ground == Ground::Solid && may_wait && known.insert((at, now + 1)) {
                    nodes.push((at, now + 1, Some((index, key))));
                    open.push_back(nodes.len() - 1);
                }
                let ends = if ground == Ground::Solid { End::No } else { end(to, ground) };
                if ends != End::No || ground == Ground::Free && known.insert((to, (now + 1).min(self.calm))) {
                    nodes.push((to, now + 1, Some((index, key))));
                    let node = nodes.len() - 1;
                    if ends == End::Stop {
                        return Some(walk(&nodes, node));
                    }
                    open.push_back(node);
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
                match self.ground(to, held.clone()) {
                    Ground::Free if reached.insert(to) => open.push(to),
                    Ground::Unknown => _ = beyond.insert(to),
                    _ => {}
                }
            }
        }
        (reached, beyond)
    }
}

fn walk(nodes: &[(Place, usize, Option<(usize, Key)>)], end: usize) -> Walk {
    let mut walk = Vec::new();
    let mut node = end;
    while let (place, _, Some((parent, key))) = nodes[node] {
        walk.push((key, place));
        node = parent;
    }
    walk.reverse();
    walk
}
