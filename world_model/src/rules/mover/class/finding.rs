//! Finding: where pieces of a class are seen in a frame.
//!
//! A plain piece that lies in a frame of its colour is seen wherever its picture fits into both; it lies in the middle.

use std::cmp::Reverse;

use super::{CROWD, Class, Instance};
use crate::rules::{
    cell_set::Layers,
    sprite::{Sprite, Vector},
};

/// The places at which a piece is seen in a frame of one cell.
const FEWEST: usize = 9;

impl Class {
    /// Every piece of this class in a frame, column after column. Where the picture is all over the frame, as a plain bar is
    /// that occurs within walls of its colour, those that stand apart; none where these are too many as well.
    pub(in crate::rules::mover) fn instances(&self, class: usize, layers: &Layers) -> Vec<Instance> {
        let mut found = self.found(class, layers, Sprite::find);
        if found.len() > CROWD && self.driven > 0 {
            found = self.found(class, layers, Sprite::find_apart);
        }
        if found.len() > CROWD {
            return Vec::new();
        }
        let of = found.len() as u8;
        for (rank, it) in found.iter_mut().enumerate() {
            (it.rank, it.of) = (rank as u8, of);
        }
        found
    }

    /// Its pictures where they are found so, column after column, one at each place.
    fn found(&self, class: usize, layers: &Layers, find: fn(&Sprite, &Layers, usize) -> Vec<Vector>) -> Vec<Instance> {
        let found = self.poses.iter().enumerate().flat_map(|(pose, sprite)| {
            find(sprite, layers, CROWD).into_iter().map(move |at| Instance { class, pose, at, rank: 0, of: 0 })
        });
        let mut found: Vec<Instance> = found.collect();
        found.sort_by_key(|it| (it.at.x, it.at.y, Reverse(self.poses[it.pose].cells().len()), it.pose));
        found.dedup_by_key(|it| it.at);
        keep_middles(&mut found, |it| self.poses[it.pose].size);
        found
    }
}

/// Of places that have a cell in common and make up a square of odd sides, the middle one is kept.
fn keep_middles(found: &mut Vec<Instance>, size: impl Fn(&Instance) -> Vector) {
    if found.len() < FEWEST {
        return;
    }
    let squares: Vec<(Instance, i16)> =
        found.iter().filter_map(|it| Some((*it, square(found, it, size(it))?))).collect();
    for (corner, side) in squares {
        let middle = Vector::new(side / 2, side / 2);
        found.retain(|it| {
            let by = it.at.minus(corner.at);
            let is_within = (0..side).contains(&by.x) && (0..side).contains(&by.y);
            it.pose != corner.pose || !is_within || by == middle
        });
    }
}

/// The side of the largest such square with its corner here.
fn square(found: &[Instance], corner: &Instance, extent: Vector) -> Option<i16> {
    let is_seen = |x: i16, y: i16| {
        let at = corner.at.plus(Vector::new(x, y));
        found.iter().any(|it| (it.at, it.pose) == (at, corner.pose))
    };
    let most = extent.x.min(extent.y);
    let side = (1..=most).find(|far| !is_seen(*far, 0))?;
    let is_alone = !is_seen(-1, 0) && !is_seen(0, -1) && !is_seen(0, side);
    let is_square = || (0..side).all(|y| (0..side).all(|x| is_seen(x, y)));
    (side >= 3 && side % 2 == 1 && is_alone && is_square()).then_some(side)
}
