//! Sliding: a piece goes on until something stops it, so that one key moves it by different lengths.

use env_client::Grid;

use super::strip;
use crate::rules::{
    law::Law,
    sprite::{Sprite, Vector},
};

/// Lengths of one key's moves that prove sliding.
const LENGTHS: usize = 2;
/// The longest way, in cells.
const LONGEST: i16 = 64;

/// What stops a sliding piece, cell by cell.
#[derive(Clone, Debug)]
pub(super) struct Slide {
    /// Whether the piece goes on, by the colours right ahead and the direction.
    law: Law<2>,
    /// The lengths seen per action.
    lengths: [Vec<i16>; 8],
}

impl Default for Slide {
    fn default() -> Self {
        Slide { law: Law::new(2), lengths: Default::default() }
    }
}

impl Slide {
    /// Whether the piece was seen to move by different lengths under one key.
    pub(super) fn is_proven(&self, number: u64) -> bool {
        self.lengths[number as usize].len() >= LENGTHS
    }

    /// How far the piece slides in the direction of a wish; `None` where nothing is known of what lies ahead.
    pub(super) fn end(&self, frame: &Grid, sprite: &Sprite, from: Vector, by: Vector) -> Option<Vector> {
        let unit = unit(by)?;
        let mut came = Vector::ZERO;
        for _ in 0..LONGEST {
            let ahead = ahead(frame, sprite, from.plus(came), from, unit);
            if self.law.ask(|index| [ahead, unit.code()][index])?.outcome == 0 {
                break;
            }
            came = came.plus(unit);
        }
        Some(came)
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
        for step in 0..length {
            let at = from.plus(Vector::new(unit.x * step, unit.y * step));
            met.push(ahead(frame, sprite, at, from, unit));
        }
        met.sort_unstable();
        met.dedup();
        for ahead in met {
            self.law.learn(&[ahead, unit.code()], 1);
        }
        self.law.learn(&[ahead(frame, sprite, from.plus(came), from, unit), unit.code()], 0);
    }
}

/// One cell in the direction of a straight way.
fn unit(by: Vector) -> Option<Vector> {
    let straight = (by.x == 0) != (by.y == 0);
    straight.then_some(Vector::new(by.x.signum(), by.y.signum()))
}

/// The colours right ahead of a piece, its own old place not counted.
fn ahead(frame: &Grid, sprite: &Sprite, at: Vector, from: Vector, unit: Vector) -> u64 {
    let mut cells = strip::swept(sprite, at, unit);
    cells.retain(|cell| !sprite.covers(from, *cell));
    u64::from(strip::colors(frame, &cells))
}
