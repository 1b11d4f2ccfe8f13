//! Plates: small drawings on the ground that change something elsewhere as long as a piece lies on them.
//!
//! Nobody says what a plate is. What a piece came onto or left when sites changed elsewhere is one, unless as often nothing
//! changed; which sites it holds, and as what, is left to their law.

use rustc_hash::FxHashMap;

use super::{law::mix, sprite::Vector, step::Step};
use crate::{Bounds, Scene};

/// The most plates of one level; what is there more often is texture. A guess.
const MOST: usize = 32;
/// The most kinds of drawings that are remembered, so that memory stays bounded.
const KINDS: usize = 1 << 12;
/// The most cells of a plate. A guess.
const LARGE: u16 = 64;

/// Where a piece is before a step and after it: its corners, and its size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stay {
    pub(super) from: Vector,
    pub(super) to: Vector,
    pub(super) size: Vector,
}

impl Stay {
    fn covered(&self, it: Bounds) -> bool {
        is_within(it, self.from, self.size)
    }

    fn covers_then(&self, it: Bounds) -> bool {
        is_within(it, self.to, self.size)
    }
}

fn is_within(it: Bounds, corner: Vector, size: Vector) -> bool {
    let [left, top, right, bottom] = [it.left, it.top, it.right, it.bottom].map(i16::from);
    corner.x <= left && corner.y <= top && right < corner.x + size.x && bottom < corner.y + size.y
}

/// What lies on plates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Load {
    /// The kinds of plates of which some are covered, in one number.
    pub(super) some: u64,
    /// Those of which all are.
    pub(super) all: u64,
}

/// How often something changed elsewhere when a piece came onto a drawing or left it, and how often nothing did.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    hits: u32,
    misses: u32,
}

impl Record {
    fn is_plate(self) -> bool {
        self.hits > self.misses
    }
}

/// All that was ever come onto, and the plates of the present level.
#[derive(Clone, Debug, Default)]
pub(super) struct Plates {
    /// By kind.
    records: FxHashMap<u64, Record>,
    /// The plates of the level by kind.
    places: Vec<(u64, Bounds)>,
}

impl Plates {
    /// A level begins.
    pub(super) fn begin(&mut self, scene: impl FnOnce() -> Scene) {
        self.places.clear();
        if self.records.values().any(|it| it.is_plate()) {
            self.gather(&scene());
        }
    }

    /// Learns from a step whether what pieces came onto and left goes with what changed elsewhere.
    pub(super) fn learn(&mut self, step: &Step<'_>, stays: &[Stay], has_changed: bool) {
        let went = |it: &&Stay| it.from != it.to;
        let come = small(step.old).filter(|(_, at)| {
            !stays.iter().any(|it| it.covered(*at)) && stays.iter().filter(went).any(|it| it.covers_then(*at))
        });
        let left = small(step.new).filter(|(_, at)| {
            !stays.iter().any(|it| it.covers_then(*at)) && stays.iter().filter(went).any(|it| it.covered(*at))
        });
        let mut met: Vec<u64> = come.chain(left).map(|(kind, _)| kind).collect();
        met.sort_unstable();
        met.dedup();
        for kind in &met {
            if self.records.len() < KINDS || self.records.contains_key(kind) {
                let record = self.records.entry(*kind).or_default();
                if has_changed { record.hits += 1 } else { record.misses += 1 }
            }
        }
        let is_shown = |(kind, at): &(u64, Bounds)| small(step.new).any(|it| it == (*kind, *at));
        let is_hidden = |at: Bounds| stays.iter().any(|it| it.covers_then(at));
        let records = &self.records;
        self.places.retain(|it| is_plate(records, it.0) && (is_hidden(it.1) || is_shown(it)));
        if met.iter().any(|kind| is_plate(records, *kind)) {
            self.gather(step.old);
            self.gather(step.new);
        }
    }

    fn gather(&mut self, scene: &Scene) {
        for it in small(scene).filter(|it| is_plate(&self.records, it.0)) {
            if self.places.len() < MOST && !self.places.contains(&it) {
                self.places.push(it);
            }
        }
    }

    /// What lies on plates once pieces came to where they go.
    pub(super) fn load(&self, stays: impl FnOnce() -> Vec<Stay>) -> Load {
        if self.places.is_empty() {
            return Load::default();
        }
        let stays = stays();
        let mut kinds: Vec<u64> = self.places.iter().map(|(kind, _)| *kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let mut load = Load::default();
        for kind in kinds {
            let alike = self.places.iter().filter(|it| it.0 == kind);
            let mut covered = alike.map(|(_, at)| stays.iter().any(|it| it.covers_then(*at)));
            if covered.clone().any(|it| it) {
                load.some ^= mix(kind);
            }
            if covered.all(|it| it) {
                load.all ^= mix(kind);
            }
        }
        load
    }
}

fn is_plate(records: &FxHashMap<u64, Record>, kind: u64) -> bool {
    records.get(&kind).is_some_and(|it| it.is_plate())
}

/// Small components by their kinds, and where they lie.
fn small(scene: &Scene) -> impl Iterator<Item = (u64, Bounds)> {
    let parts = scene.components().iter().filter(|it| it.area <= LARGE);
    parts.map(|it| (mix(it.shape ^ (it.color.index() as u64 + 1)), it.bounds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_of_a_kind_are_told_from_all_of_it() {
        let cell = |left: u8| Bounds { left, top: 1, right: left, bottom: 1 };
        let plates = Plates { places: vec![(7, cell(1)), (7, cell(5)), (8, cell(9))], ..Plates::default() };
        let load = |columns: &[i16]| {
            let stay = |x: &i16| Stay { from: Vector::new(0, 0), to: Vector::new(*x, 0), size: Vector::new(3, 3) };
            plates.load(|| columns.iter().map(stay).collect())
        };
        assert_eq!(load(&[20]), Load::default());
        assert_eq!(load(&[0]), Load { some: mix(7), all: 0 });
        assert_eq!(load(&[0, 4]), Load { some: mix(7), all: mix(7) });
        assert_eq!(load(&[4, 8]), Load { some: mix(7) ^ mix(8), all: mix(8) });
    }
}
