//! Sliding: a piece goes on until something stops it, so that one key moves it by different lengths.
//!
//! What stops it lies ahead, as a wall does, or under it, as mud does that holds what has come onto it. Only a picture on
//! which a piece was seen to stop although what lay ahead lets pieces go on holds others: half on mud it looks like nothing
//! that ever held one.

use env_client::Grid;
use rustc_hash::FxHashMap;

use super::strip;
use crate::{
    divisor::divisor,
    rules::{
        buttons::NUMBERS,
        law::Law,
        sprite::{Sprite, Vector},
    },
};

/// Lengths of one key's moves that prove sliding, and how many keys that move a piece so prove it of all.
const LENGTHS: usize = 2;
const KEYS: usize = 2;
/// The longest way, in cells: across a frame and back.
const LONGEST: i16 = 128;

/// What is believed of every new piece as if it had been seen so often: walls stop it, and nothing else does. No colours have these numbers. Fewer times, and a law without features is still shorter after a first way: see
/// [`Law`].
const BELIEF: usize = 3;
const HABITS: [([u64; 3], u64); 2] = [([u64::MAX, 0, u64::MAX], 1), ([u64::MAX - 1, 1, u64::MAX], 0)];

/// What stops a sliding piece, cell by cell.
#[derive(Clone, Debug)]
pub(super) struct Slide {
    /// Cells that the piece goes at a time.
    stride: i16,
    /// Whether the piece goes on, by the colours right ahead, whether any of them is one of walls, and the direction.
    law: Law<3>,
    /// What lay ahead where it went on, and the colours that did where it stopped: of walls are those that did nothing else.
    passed: Vec<u64>,
    stopped: u64,
    /// The lengths seen per action.
    lengths: [Vec<i16>; NUMBERS],
    /// By the picture under a piece: how often one was held there, and how often one passed.
    holds: FxHashMap<u64, (u32, u32)>,
    /// Whether any picture ever held a piece.
    has_holds: bool,
    /// By the picture that a piece came onto: from which direction, and in which one it went on.
    turns: FxHashMap<u64, Vec<(Vector, Vector)>>,
}

impl Slide {
    /// Of a piece that goes so many cells at a time.
    pub(super) fn by(stride: i16) -> Slide {
        let (lengths, holds) = (std::array::from_fn(|_| Vec::new()), FxHashMap::default());
        let mut law = Law::new(2);
        (0..BELIEF).for_each(|_| HABITS.iter().for_each(|(case, outcome)| law.learn(case, *outcome)));
        Slide {
            stride,
            law,
            passed: Vec::new(),
            stopped: 0,
            lengths,
            holds,
            has_holds: false,
            turns: FxHashMap::default(),
        }
    }

    /// Cells that the piece goes at a time.
    pub(super) fn stride(&self) -> i16 {
        self.stride
    }

    /// The longest stride of which all lengths seen are multiples.
    pub(super) fn stride_seen(&self) -> i16 {
        self.lengths.iter().flatten().copied().fold(0, divisor).max(1)
    }

    /// Whether the piece was seen to move by different lengths under one key; or under several others, which makes it
    /// chance that those of this one were equal so far.
    pub(super) fn is_proven(&self, number: u64) -> bool {
        let varies = |lengths: &Vec<i16>| lengths.len() >= LENGTHS;
        varies(&self.lengths[number as usize]) || self.lengths.iter().filter(|it| varies(it)).count() >= KEYS
    }

    /// How far the piece slides in the direction of a wish; `None` where nothing is known of what lies ahead.
    pub(super) fn end(&self, frame: &Grid, sprite: &Sprite, from: Vector, by: Vector) -> Option<Vector> {
        self.legs(frame, sprite, from, by)?.last().copied()
    }

    /// Where the piece turns as it slides in the direction of a wish, and where it ends, each seen from where it is.
    pub(super) fn legs(&self, frame: &Grid, sprite: &Sprite, from: Vector, by: Vector) -> Option<Vec<Vector>> {
        let mut unit = unit(by)?;
        let mut came = Vector::ZERO;
        let mut legs = Vec::new();
        for _ in 0..LONGEST / self.stride {
            let at = from.plus(came);
            if let Some(turned) = self.turned(frame, sprite, at, from, unit) {
                legs.push(came);
                unit = turned;
            }
            let met = self.case(self.ahead(frame, sprite, at, from, unit), unit);
            if self.law.ask(|index| met[index])?.outcome == 0 || self.is_held(frame, sprite, at, from) {
                break;
            }
            came = came.plus(unit.times(self.stride));
        }
        legs.push(came);
        Some(legs)
    }

    /// Where a piece goes on that has come onto a picture which is known to turn such pieces.
    fn turned(&self, frame: &Grid, sprite: &Sprite, at: Vector, from: Vector, unit: Vector) -> Option<Vector> {
        if self.turns.is_empty() || at == from {
            return None;
        }
        let seen = self.turns.get(&under(frame, sprite, at, from))?;
        let same = seen.iter().find(|it| it.0 == unit).map(|it| it.1);
        same.or_else(|| seen.first().map(|(came, went)| mirrored(unit, *came, *went))).filter(|it| *it != unit)
    }

    /// Learns from a way around corners, which begins in the direction of the wish: where the piece was seen on it. Of one
    /// that was not seen on its way, one corner explains what did not come straight.
    pub(super) fn learn_turns(
        &mut self,
        frame: &Grid,
        sprite: &Sprite,
        from: Vector,
        by: Vector,
        path: impl Iterator<Item = Vector>,
    ) {
        let Some(first) = unit(by) else { return };
        let Some(legs) = legs(first, path) else { return };
        let mut corner = from;
        let mut last = None;
        for (unit, length) in legs {
            if let Some(came) = last {
                let seen = self.turns.entry(under(frame, sprite, corner, from)).or_default();
                seen.retain(|it| it.0 != came);
                seen.push((came, unit));
            }
            for _ in 0..length / self.stride as u32 {
                self.learn_passed(self.ahead(frame, sprite, corner, from, unit), unit);
                corner = corner.plus(unit.times(self.stride));
            }
            last = Some(unit);
        }
        if let Some(unit) = last {
            self.learn_stop(self.ahead(frame, sprite, corner, from, unit), unit);
        }
    }

    /// Learns that it went on where these colours lay ahead.
    fn learn_passed(&mut self, ahead: u64, unit: Vector) {
        self.law.learn(&self.case(ahead, unit), 1);
        if !self.passed.contains(&ahead) {
            self.passed.push(ahead);
        }
    }

    /// Learns that it stopped where these colours lay ahead.
    fn learn_stop(&mut self, ahead: u64, unit: Vector) {
        self.stopped |= ahead;
        self.law.learn(&self.case(ahead, unit), 0);
    }

    fn case(&self, ahead: u64, unit: Vector) -> [u64; 3] {
        let walls = self.passed.iter().fold(self.stopped, |walls, passed| walls & !passed);
        [ahead, u64::from(ahead & walls != 0), unit.code()]
    }

    /// Learns from a way that was gone, or from a wish that came to nothing.
    pub(super) fn learn(&mut self, number: u64, frame: &Grid, sprite: &Sprite, from: Vector, by: Vector, came: Vector) {
        let straight = came.x == 0 || came.y == 0;
        let (Some(unit), true) = (unit(if came == Vector::ZERO { by } else { came }), straight) else { return };
        let length = came.x.abs() + came.y.abs();
        let lengths = &mut self.lengths[number as usize];
        if length > 0 && !lengths.contains(&length) {
            lengths.push(length);
        }
        let mut met = Vec::new();
        for step in (0..length).step_by(self.stride as usize) {
            let at = from.plus(unit.times(step));
            met.push(self.ahead(frame, sprite, at, from, unit));
            if step > 0 {
                self.holds.entry(under(frame, sprite, at, from)).or_default().1 += 1;
            }
        }
        met.sort_unstable();
        met.dedup();
        for ahead in met {
            self.learn_passed(ahead, unit);
        }
        let end = from.plus(came);
        let last = self.ahead(frame, sprite, end, from, unit);
        if length > 0 && self.is_free(last, unit) {
            let hold = self.holds.entry(under(frame, sprite, end, from)).or_default();
            hold.0 += 1;
            if hold.0 > hold.1 {
                self.has_holds = true;
                return;
            }
        }
        self.learn_stop(last, unit);
    }

    /// The colours within one stride ahead of a piece, its own old place not counted.
    fn ahead(&self, frame: &Grid, sprite: &Sprite, at: Vector, from: Vector, unit: Vector) -> u64 {
        let mut cells = strip::swept(sprite, at, unit.times(self.stride));
        cells.retain(|cell| !sprite.covers(from, *cell));
        u64::from(strip::colors(frame, &cells))
    }

    /// Whether it is known that pieces go on where these colours lie ahead.
    fn is_free(&self, ahead: u64, unit: Vector) -> bool {
        let case = self.case(ahead, unit);
        self.passed.contains(&ahead) && self.law.ask(|index| case[index]).is_some_and(|it| it.outcome != 0)
    }

    /// Whether what a piece has come onto holds it; what it lay on when it began does not.
    fn is_held(&self, frame: &Grid, sprite: &Sprite, at: Vector, from: Vector) -> bool {
        let holds = |(held, passed): &(u32, u32)| held > passed;
        self.has_holds && at != from && self.holds.get(&under(frame, sprite, at, from)).is_some_and(holds)
    }
}

/// The straight parts of a way by the places where a piece was seen on it: in which direction, and how long. `None` where the
/// way does not begin so, or jumps.
fn legs(first: Vector, path: impl Iterator<Item = Vector>) -> Option<Vec<(Vector, u32)>> {
    let mut legs: Vec<(Vector, u32)> = Vec::new();
    let mut at = Vector::ZERO;
    for next in path {
        let by = next.minus(at);
        let along = Vector::new(by.x * first.x.abs(), by.y * first.y.abs());
        let parts = if legs.is_empty() { [along, by.minus(along)] } else { [by, Vector::ZERO] };
        for part in parts.into_iter().filter(|it| *it != Vector::ZERO) {
            let unit = unit(part)?;
            match legs.last_mut().filter(|it| it.0 == unit) {
                Some(leg) => leg.1 += part.length(),
                None => legs.push((unit, part.length())),
            }
        }
        at = next;
    }
    legs.first().is_some_and(|it| it.0 == first).then_some(legs)
}

/// Where a mirror sends what goes by `unit` that sends what goes by `came` on by `went`, another axis.
fn mirrored(unit: Vector, came: Vector, went: Vector) -> Vector {
    let sign = came.x * went.y + came.y * went.x;
    Vector::new(sign * unit.y, sign * unit.x)
}

/// One cell in the direction of a straight way.
fn unit(by: Vector) -> Option<Vector> {
    let straight = (by.x == 0) != (by.y == 0);
    straight.then_some(Vector::new(by.x.signum(), by.y.signum()))
}

/// The picture that a piece has come onto, its own old place not counted.
fn under(frame: &Grid, sprite: &Sprite, at: Vector, from: Vector) -> u64 {
    let cells: Vec<Vector> = sprite.footprint(at).filter(|cell| !sprite.covers(from, *cell)).collect();
    strip::picture(frame, &cells, at)
}
