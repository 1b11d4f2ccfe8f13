//! Finding: where pieces of a class are seen in a frame.
//!
//! A plain piece that lies in a frame of its colour is seen wherever its picture fits into both; it lies in the middle.

use std::cmp::Reverse;

use super::{CROWD, Class, Instance};
use crate::rules::{
    cell_set::Layers,
    sprite::{Sprite, Vector},
};

/// A piece in a frame of one cell is seen at so many places across, and as many down.
const SIDE: i16 = 3;

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

/// Of places that have a cell in common and make up a square of odd sides, the middle one is kept. More than a crowd are
/// not all that there are, and what they make up is not told.
fn keep_middles(found: &mut Vec<Instance>, size: impl Fn(&Instance) -> Vector) {
    if found.len() < (SIDE * SIDE) as usize || found.len() > CROWD {
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
    (side >= SIDE && side % 2 == 1 && is_alone && is_square()).then_some(side)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of places that overlap, and so many more that do not.
    fn places(more: i16) -> Vec<Instance> {
        let square = (0..9).map(|it| Vector::new(it % 3, it / 3));
        let others = (0..more).map(|it| Vector::new(10 + 5 * it, 0));
        square.chain(others).map(|at| Instance { class: 0, pose: 0, at, rank: 0, of: 0 }).collect()
    }

    #[test]
    fn the_middle_is_kept_unless_there_are_more_places_than_were_looked_for() {
        for (more, left) in [(0, 1), (15, 16), (16, 25)] {
            let mut found = places(more);
            keep_middles(&mut found, |_| Vector::new(4, 4));
            assert_eq!(found.len(), left, "{more} elsewhere");
        }
        let mut small = places(0);
        keep_middles(&mut small, |_| Vector::new(2, 2));
        assert_eq!(small.len(), 9, "several of this size may lie there side by side");
    }
}
