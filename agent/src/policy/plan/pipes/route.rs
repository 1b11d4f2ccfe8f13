//! Ways that join ends: each the cheapest one to what is joined already, in many orders and with some chance.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap},
};

use super::net::{Groups, Net};

/// Attempts at joining ends, in an order of their own each, and ways in all of them together. Guesses; a way takes some 50
/// microseconds.
const ATTEMPTS: u64 = 160;
const WAYS: u64 = 1280;
/// What a tile on the way costs, and a click, and by how much chance makes either dearer at most.
const STEP: u64 = 16;
const CLICK: u64 = 100;
const CHANCE: u64 = 160;

/// Chance that repeats: splitmix64 (Steele et al., 2014).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % limit.max(1)
    }
}

/// A tile that ways lead through.
#[derive(Clone, Debug)]
struct Taken {
    group: usize,
    /// The sides they lead over, and the poses that allow it, as sets.
    sides: u8,
    poses: u8,
}

/// A pose for each tile that joins all groups with few clicks, if one is found.
pub(super) fn join(net: &Net, groups: &Groups) -> Option<Vec<usize>> {
    let ends: usize = groups.iter().map(BTreeSet::len).sum();
    let attempts = (WAYS / (ends as u64).max(1)).min(ATTEMPTS);
    let all = (0..attempts).filter_map(|attempt| Attempt::new(net, groups, attempt).join());
    all.min_by_key(|poses| net.clicks(poses))
}

struct Attempt<'a> {
    net: &'a Net,
    groups: &'a Groups,
    /// What each tile costs more.
    dearer: Vec<u64>,
    chance: Chance,
    taken: BTreeMap<usize, Taken>,
}

/// A tile come into over a side.
type Entry = (usize, usize);

impl<'a> Attempt<'a> {
    fn new(net: &'a Net, groups: &'a Groups, attempt: u64) -> Attempt<'a> {
        let mut chance = Chance(attempt);
        let noise = |_| if attempt == 0 { 0 } else { chance.below(CHANCE) };
        let dearer = (0..net.knots.len()).map(noise).collect();
        Attempt { net, groups, dearer, chance, taken: BTreeMap::new() }
    }

    fn join(mut self) -> Option<Vec<usize>> {
        let groups = self.groups;
        let mut left: Vec<(usize, usize)> = Vec::new();
        for (group, ends) in groups.iter().enumerate() {
            let root = self.chance.below(ends.len() as u64) as usize;
            for (index, end) in ends.iter().enumerate() {
                if index == root {
                    self.taken.insert(*end, Taken { group, sides: 0, poses: self.poses(*end, 0) });
                } else {
                    left.push((group, *end));
                }
            }
        }
        while !left.is_empty() {
            let next = self.chance.below(left.len() as u64) as usize;
            let (group, end) = left.swap_remove(next);
            self.reach(group, end)?;
        }
        let poses: Vec<usize> = (0..self.net.knots.len()).map(|index| self.cheapest(index)).collect();
        self.net.joins(&poses, groups).then_some(poses)
    }

    /// The poses of a tile in which one part is open on all of these sides.
    fn poses(&self, index: usize, sides: u8) -> u8 {
        let poses = self.net.knots[index].poses.iter().enumerate();
        poses.filter(|(_, pose)| pose.part(sides).is_some()).fold(0, |set, (pose, _)| set | 1 << pose)
    }

    /// What the cheapest of some poses costs.
    fn cost(&self, index: usize, poses: u8) -> Option<u64> {
        let knot = &self.net.knots[index];
        let clicks = (poses != 0).then(|| knot.poses[poses.trailing_zeros() as usize].clicks)?;
        Some(CLICK * u64::from(clicks))
    }

    fn cheapest(&self, index: usize) -> usize {
        self.taken.get(&index).map_or(0, |it| it.poses.trailing_zeros() as usize)
    }

    /// Leads a way from what is joined of a group to an end.
    fn reach(&mut self, group: usize, end: usize) -> Option<()> {
        if let Some(taken) = self.taken.get(&end) {
            return (taken.group == group).then_some(());
        }
        let mut open = BinaryHeap::new();
        let mut from: HashMap<Entry, Option<Entry>> = HashMap::new();
        let mut starts: HashMap<Entry, usize> = HashMap::new();
        for (index, taken) in self.taken.iter().filter(|(_, it)| it.group == group) {
            let now = self.cost(*index, taken.poses)?;
            for side in (0..4).filter(|side| taken.sides >> side & 1 == 0) {
                let poses = taken.poses & self.poses(*index, taken.sides | 1 << side);
                if let (Some(cost), Some(next)) = (self.cost(*index, poses), self.net.beyond[*index][side]) {
                    open.push(Reverse((cost - now, (next, (side + 2) % 4), None)));
                    starts.entry((next, (side + 2) % 4)).or_insert(*index);
                }
            }
        }
        let mut last = None;
        while let Some(Reverse((cost, entry, before))) = open.pop() {
            let (index, side) = entry;
            if from.contains_key(&entry) || self.taken.contains_key(&index) {
                continue;
            }
            from.insert(entry, before);
            if index == end {
                if self.poses(index, 1 << side) != 0 {
                    last = Some(entry);
                    break;
                }
                continue;
            }
            if self.groups.iter().any(|ends| ends.contains(&index)) && self.is_narrow(index) {
                continue;
            }
            for out in (0..4).filter(|out| *out != side) {
                let poses = self.poses(index, 1 << side | 1 << out);
                if let (Some(click), Some(next)) = (self.cost(index, poses), self.net.beyond[index][out]) {
                    let cost = cost + click + STEP + self.dearer[index];
                    open.push(Reverse((cost, (next, (out + 2) % 4), Some(entry))));
                }
            }
        }
        self.take(group, last?, &from, &starts)
    }

    /// Whether nothing leads through a tile.
    fn is_narrow(&self, index: usize) -> bool {
        (0..4).all(|a| (0..a).all(|b| self.poses(index, 1 << a | 1 << b) == 0))
    }

    /// Takes the tiles of a way; nothing where it crosses itself.
    fn take(
        &mut self,
        group: usize,
        last: Entry,
        from: &HashMap<Entry, Option<Entry>>,
        starts: &HashMap<Entry, usize>,
    ) -> Option<()> {
        let (mut entry, mut out) = (last, None);
        let mut seen = BTreeSet::new();
        loop {
            let (index, side) = entry;
            seen.insert(index).then_some(())?;
            let sides = 1 << side | out.map_or(0, |out: usize| 1 << out);
            self.taken.insert(index, Taken { group, sides, poses: self.poses(index, sides) });
            out = Some((side + 2) % 4);
            match from.get(&entry).copied().flatten() {
                Some(before) => entry = before,
                None => break,
            }
        }
        let (start, out) = (*starts.get(&entry)?, out?);
        let sides = self.taken.get(&start)?.sides | 1 << out;
        let poses = self.taken.get(&start)?.poses & self.poses(start, sides);
        self.taken.insert(start, Taken { group, sides, poses });
        (poses != 0).then_some(())
    }
}
