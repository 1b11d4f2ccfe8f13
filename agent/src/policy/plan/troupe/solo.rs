//! Where one piece gets alone.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use world_model::WorldModel;

use super::stage::{Place, Stage};

/// The places that a piece can get to alone, the first one where it is.
#[derive(Debug)]
pub(super) struct Solo {
    pub(super) places: Vec<Place>,
    numbers: FxHashMap<Place, u16>,
    /// By place and action, where it gets.
    next: Vec<Vec<Option<u16>>>,
    /// By place that it is wanted at, the steps from every other one.
    ways: FxHashMap<u16, Vec<Option<u32>>>,
}

impl Solo {
    /// Asks about a piece everywhere; `None` where it has more places than may be asked about.
    pub(super) fn learn<M: WorldModel + ?Sized>(stage: &mut Stage<'_, M>, member: usize) -> Option<Solo> {
        let start = stage.places[member];
        let mut solo = Solo {
            places: vec![start],
            numbers: FxHashMap::from_iter([(start, 0)]),
            next: Vec::new(),
            ways: FxHashMap::default(),
        };
        while let Some(from) = solo.places.get(solo.next.len()).copied() {
            let mut alone = vec![None; stage.actors.len()];
            alone[member] = Some(from);
            let mut ends = Vec::new();
            for action in stage.actions.clone() {
                let to = stage.ask(&alone, action).and_then(|it| it[member]);
                ends.push(to.map(|it| solo.enter(it)));
            }
            solo.next.push(ends);
            if stage.is_exhausted() {
                return None;
            }
        }
        Some(solo)
    }

    fn enter(&mut self, place: Place) -> u16 {
        let number = self.places.len() as u16;
        *self.numbers.entry(place).or_insert_with(|| {
            self.places.push(place);
            number
        })
    }

    /// The number of a place that it can get to.
    pub(super) fn number(&self, place: Place) -> Option<u16> {
        self.numbers.get(&place).copied()
    }

    /// Where an action takes it.
    pub(super) fn next(&self, number: u16, action: usize) -> Option<u16> {
        self.next[usize::from(number)][action]
    }

    /// Learns how far each place is from one.
    pub(super) fn measure(&mut self, to: u16) {
        let mut back: Vec<Vec<u16>> = vec![Vec::new(); self.places.len()];
        for (from, ends) in self.next.iter().enumerate() {
            ends.iter().flatten().for_each(|end| back[usize::from(*end)].push(from as u16));
        }
        let mut ways = vec![None; self.places.len()];
        ways[usize::from(to)] = Some(0);
        let mut open = VecDeque::from([to]);
        while let Some(at) = open.pop_front() {
            let way = ways[usize::from(at)].map(|it: u32| it + 1);
            for from in &back[usize::from(at)] {
                if ways[usize::from(*from)].is_none() {
                    ways[usize::from(*from)] = way;
                    open.push_back(*from);
                }
            }
        }
        self.ways.insert(to, ways);
    }

    /// Steps from one place to another that was measured; `None` where it cannot get there alone.
    pub(super) fn way(&self, from: u16, to: u16) -> Option<u32> {
        self.ways.get(&to)?[usize::from(from)]
    }
}
