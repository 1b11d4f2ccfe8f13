//! Sliding: a piece goes on until something stops it, so that one key moves it by different lengths.
//!
//! What stops it lies ahead, as a wall does, or under it, as mud does that holds what has come onto it. What it lay on when
//! it began holds it no more. It stops on tiles: all ways are multiples of one length, the pitch.

use env_client::Grid;

use super::{class::divisor, strip};
use crate::rules::{
    law::Law,
    sprite::{Sprite, Vector},
};

/// Lengths of one key's moves that prove sliding.
const LENGTHS: usize = 2;
/// The longest way, in tiles: a frame has no more, however small they are.
const LONGEST: i16 = 64;

/// Features that decide whether a piece goes on: the colours of the tile ahead, its direction, and what it has come onto, as a
/// set of colours and as a picture.
const FEATURES: usize = 4;

/// What stops a sliding piece, tile by tile.
#[derive(Clone, Debug)]
pub(super) struct Slide {
    /// Whether the piece goes on.
    law: Law<FEATURES>,
    /// The greatest length of which all ways so far are multiples, and the pushes that began them; 0 before the first one.
    pitch: i16,
    /// The lengths seen per action.
    lengths: [Vec<i16>; 8],
}

impl Default for Slide {
    fn default() -> Self {
        Slide { law: Law::new(2), pitch: 0, lengths: Default::default() }
    }
}

impl Slide {
    /// Whether the piece was seen to move by different lengths under one key.
    pub(super) fn is_proven(&self, number: u64) -> bool {
        self.lengths[number as usize].len() >= LENGTHS
    }

    /// How far the piece slides in the direction of a wish; `None` where nothing is known of what lies ahead.
    pub(super) fn end(&self, frame: &Grid, sprite: &Sprite, from: Vector, by: Vector) -> Option<Vector> {
        let unit = unit(by).filter(|_| self.pitch > 0)?;
        let stage = |tiles| self.stage(frame, sprite, from, unit, tiles);
        for tiles in 0..LONGEST {
            let stage = stage(tiles);
            if self.law.ask(|index| stage.feature(index))?.outcome == 0 {
                return Some(stage.at.minus(from));
            }
        }
        None
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
        let meant = if length == 0 { 0 } else { by.x.abs().max(by.y.abs()) };
        let pitch = divisor(divisor(length, meant), self.pitch);
        if pitch != self.pitch {
            (self.law, self.pitch) = (Law::new(2), pitch);
        }
        if pitch == 0 {
            return;
        }
        let tiles = length / pitch;
        let stage = |tiles| self.stage(frame, sprite, from, unit, tiles).case();
        let mut met: Vec<[u64; FEATURES]> = (0..tiles).map(stage).collect();
        let end = stage(tiles);
        met.sort_unstable();
        met.dedup();
        for case in met {
            self.law.learn(&case, 1);
        }
        self.law.learn(&end, 0);
    }

    /// A piece so many tiles from where it began.
    fn stage<'a>(&self, frame: &'a Grid, sprite: &'a Sprite, from: Vector, unit: Vector, tiles: i16) -> Stage<'a> {
        let way = |tiles: i16| Vector::new(unit.x * tiles * self.pitch, unit.y * tiles * self.pitch);
        Stage { frame, sprite, from, at: from.plus(way(tiles)), next: way(1) }
    }
}

/// One cell in the direction of a straight way.
fn unit(by: Vector) -> Option<Vector> {
    let straight = (by.x == 0) != (by.y == 0);
    straight.then_some(Vector::new(by.x.signum(), by.y.signum()))
}

/// A piece on its way.
struct Stage<'a> {
    frame: &'a Grid,
    sprite: &'a Sprite,
    /// Where it began, and where it is.
    from: Vector,
    at: Vector,
    /// One tile in its direction.
    next: Vector,
}

impl Stage<'_> {
    fn feature(&self, index: usize) -> u64 {
        match index {
            0 => self.ahead(),
            1 => self.next.code(),
            2 => u64::from(strip::colors(self.frame, &self.under())),
            _ => strip::picture(self.frame, &self.under(), self.at),
        }
    }

    fn case(&self) -> [u64; FEATURES] {
        std::array::from_fn(|index| self.feature(index))
    }

    /// The colours of the tile ahead of it, its own old place not counted.
    fn ahead(&self) -> u64 {
        let mut cells = strip::swept(self.sprite, self.at, self.next);
        cells.retain(|cell| !self.sprite.covers(self.from, *cell));
        u64::from(strip::colors(self.frame, &cells))
    }

    /// The cells it has come onto: not those of the square that it began in.
    fn under(&self) -> Vec<Vector> {
        let end = self.from.plus(self.sprite.size);
        let began = |it: &Vector| (self.from.x..end.x).contains(&it.x) && (self.from.y..end.y).contains(&it.y);
        self.sprite.footprint(self.at).filter(|it| !began(it)).collect()
    }
}
