//! Several pieces that obey the same actions: a way to places for all of them.
//!
//! Together they can be in more states than a search that asks a model about each can look at. Yet where one goes depends
//! on where it is alone, as long as it meets no other one: the model is asked once about each place of each piece, and about
//! those states in which pieces meet. What is found is gone through step by step with the model before it is believed.
//!
//! # Layout
//! - [`Troupe`] (here): the search, weighted A* (Pohl, 1970) by the longest of the ways that pieces have alone.
//! - [`stage`]: frames with pieces set anywhere, to ask about; [`solo`]: where each gets alone.

mod solo;
mod stage;
#[cfg(test)]
mod tests;

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashSet},
};

use rustc_hash::FxHashMap;
use world_model::{State, WorldModel};

pub(super) use self::stage::Stage;
use self::{
    solo::Solo,
    stage::{Place, Targets},
};
use super::{
    pairs::{Pair, Role},
    search::Step,
};

/// The most pieces; a place each must fit into a key.
const MOST: usize = 8;
/// States of all together that are looked at for one way: none of them asks the model unless pieces meet there. A guess.
const STATES: usize = 200_000;
/// How often a way is looked for anew that the model does not believe when it goes through it.
const REHEARSALS: usize = 6;
/// How much the way that is left counts, and how much the way that was gone, in halves.
const LEFT: u32 = 3;
const GONE: u32 = 2;

/// Where all pieces are, by the number of their places.
type Key = u128;

/// Some pieces, and where each would lie on each of some slots.
#[derive(Debug)]
struct Task {
    members: Vec<usize>,
    /// By member and slot, the number of the place, if it can get there alone.
    targets: Vec<Vec<Option<u16>>>,
}

/// A search for all pieces together.
struct Troupe<'s, 'a, M: ?Sized> {
    stage: &'s mut Stage<'a, M>,
    solos: Vec<Solo>,
    tasks: Vec<Task>,
    /// Steps that the model does not believe from where they would be made.
    refused: HashSet<(Key, usize)>,
    /// States looked at so far.
    looked_at: usize,
}

struct Node {
    key: Key,
    gone: u32,
    /// The node before, and the number of the action.
    parent: Option<(u32, u8)>,
}

/// A way to where all pieces of all pairs are on slots; `None` where there is none, none was found, or they are not about
/// pieces that obey alone.
pub(super) fn perform<M: WorldModel + ?Sized>(
    stage: &mut Stage<'_, M>,
    (start, cast): (&State, &[Role]),
    pairs: &[Pair],
) -> Option<Vec<Step>> {
    if !(2..=MOST).contains(&stage.actors.len()) {
        return None;
    }
    let casts: Vec<Vec<(usize, Targets)>> = pairs.iter().map(|it| stage.cast(it, cast)).collect::<Option<_>>()?;
    let solos: Vec<Solo> = (0..stage.actors.len()).map(|it| Solo::learn(stage, it)).collect::<Option<_>>()?;
    let task = |members: Vec<(usize, Targets)>| {
        let number =
            |(member, places): &(usize, Targets)| places.iter().map(|it| solos[*member].number((*it)?)).collect();
        Task { targets: members.iter().map(number).collect(), members: members.iter().map(|it| it.0).collect() }
    };
    let tasks: Vec<Task> = casts.into_iter().map(task).collect();
    let mut troupe = Troupe { stage, solos, tasks, refused: HashSet::new(), looked_at: 0 };
    troupe.prepare();
    for _ in 0..REHEARSALS {
        let way = troupe.search()?;
        if let Some(steps) = troupe.rehearse(&way, start) {
            return Some(steps);
        }
    }
    None
}

impl<M: WorldModel + ?Sized> Troupe<'_, '_, M> {
    /// Learns how far each place is from those where a piece is wanted.
    fn prepare(&mut self) {
        for task in &self.tasks {
            for (member, targets) in task.members.iter().zip(&task.targets) {
                targets.iter().flatten().for_each(|it| self.solos[*member].measure(*it));
            }
        }
    }

    fn place(&self, key: Key, member: usize) -> Place {
        self.solos[member].places[usize::from(number(key, member))]
    }

    /// Steps that are left at least, and those of all pieces together; `None` where some piece cannot get where it should.
    fn left(&self, key: Key) -> Option<(u32, u32)> {
        let (mut most, mut sum) = (0, 0);
        for task in &self.tasks {
            let way = |member: usize, slot: usize| {
                let own = task.members[member];
                self.solos[own].way(number(key, own), task.targets[member][slot]?)
            };
            let slots = task.targets.first().map_or(0, Vec::len);
            let nearest = |it: &mut dyn Iterator<Item = Option<u32>>| it.flatten().min();
            let ways: Option<Vec<u32>> = if task.members.len() <= slots {
                (0..task.members.len()).map(|it| nearest(&mut (0..slots).map(|slot| way(it, slot)))).collect()
            } else {
                (0..slots).map(|slot| nearest(&mut (0..task.members.len()).map(|it| way(it, slot)))).collect()
            };
            for way in ways? {
                most = most.max(way);
                sum += way;
            }
        }
        Some((most, sum))
    }

    /// Whether as many pieces are on slots as can be.
    fn is_done(&self, key: Key) -> bool {
        self.tasks.iter().all(|task| {
            let slots = task.targets.first().map_or(0, Vec::len);
            let taken = (0..slots).filter(|slot| {
                let mut own = task.members.iter().zip(&task.targets);
                own.any(|(member, targets)| targets[*slot] == Some(number(key, *member)))
            });
            taken.count() == slots.min(task.members.len())
        })
    }

    /// Where an action takes all pieces.
    fn next(&mut self, key: Key, action: usize) -> Option<Key> {
        let count = self.solos.len();
        let mut next: Key = 0;
        for member in 0..count {
            let to = self.solos[member].next(number(key, member), action)?;
            next |= Key::from(to) << (16 * member);
        }
        let actors = &self.stage.actors;
        let meet = |a: usize, b: usize| {
            let (from, to) = (self.place(key, a), self.place(next, a));
            actors[a].meets(from, to, &actors[b], self.place(next, b))
                || actors[a].meets(from, to, &actors[b], self.place(key, b))
        };
        let apart = (0..count).all(|a| (0..count).all(|b| a == b || !meet(a, b)));
        if apart { Some(next) } else { self.meet(key, action) }
    }

    /// The same where pieces meet, as the model tells.
    fn meet(&mut self, key: Key, action: usize) -> Option<Key> {
        let places: Vec<Option<Place>> = (0..self.solos.len()).map(|it| Some(self.place(key, it))).collect();
        let ends = self.stage.ask(&places, self.stage.actions[action])?;
        let numbers = ends.into_iter().zip(&self.solos).map(|(it, solo)| solo.number(it?));
        numbers.enumerate().try_fold(0, |key, (member, number)| Some(key | Key::from(number?) << (16 * member)))
    }

    /// The numbers of the actions that lead to where all pieces are where they should be, with where they are after each.
    fn search(&mut self) -> Option<Vec<(usize, Key)>> {
        let start: Key = 0;
        let mut nodes = vec![Node { key: start, gone: 0, parent: None }];
        let mut known: FxHashMap<Key, u32> = FxHashMap::from_iter([(start, 0)]);
        let mut open = BinaryHeap::from([Reverse((0, 0, 0u32))]);
        while let Some(Reverse((_, _, index))) = open.pop() {
            let Node { key, gone, .. } = nodes[index as usize];
            if self.is_done(key) && index > 0 {
                return Some(way(&nodes, index));
            }
            self.looked_at += 1;
            if self.looked_at > STATES {
                return None;
            }
            for action in 0..self.stage.actions.len() {
                let Some(next) = self.next(key, action).filter(|_| !self.refused.contains(&(key, action))) else {
                    continue;
                };
                let is_longer = known.get(&next).is_some_and(|known| *known <= gone + 1);
                let Some((most, sum)) = (if is_longer { None } else { self.left(next) }) else { continue };
                known.insert(next, gone + 1);
                open.push(Reverse((GONE * (gone + 1) + LEFT * most, sum, nodes.len() as u32)));
                nodes.push(Node { key: next, gone: gone + 1, parent: Some((index, action as u8)) });
            }
        }
        None
    }

    /// Goes through a way with the model; where that does not believe a step, it is refused.
    fn rehearse(&mut self, way: &[(usize, Key)], start: &State) -> Option<Vec<Step>> {
        let (mut state, mut from, mut steps) = (start.clone(), 0, Vec::new());
        for (action, key) in way {
            let ends: Vec<Place> = (0..self.solos.len()).map(|it| self.place(*key, it)).collect();
            let Some(next) = self.stage.rehearse(self.stage.actions[*action], &state, &ends) else {
                self.refused.insert((from, *action));
                return None;
            };
            steps.push(Step { action: self.stage.actions[*action], expected: Some(next.clone()) });
            (state, from) = (next, *key);
        }
        Some(steps)
    }
}

/// The number of the place of one piece.
const fn number(key: Key, member: usize) -> u16 {
    (key >> (16 * member)) as u16
}

/// The steps to a node.
fn way(nodes: &[Node], end: u32) -> Vec<(usize, Key)> {
    let mut way = Vec::new();
    let mut at = end;
    while let Some((parent, action)) = nodes[at as usize].parent {
        way.push((usize::from(action), nodes[at as usize].key));
        at = parent;
    }
    way.reverse();
    way
}
