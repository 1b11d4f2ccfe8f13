//! The view moves: everything that stands still in the world is seen elsewhere.

use std::collections::BTreeMap;

use env_client::{Grid, SIDE};

use crate::perception::{Object, View};

/// Objects that must agree on the way, and how many of ten that can be told: fewer may be several things that moved.
const VOTES: usize = 3;
const OF_TEN: usize = 7;
/// The share of overlapping cells that must then be the same, in hundredths: what moves in the world covers the rest.
const SAME: usize = 90;

/// How far the whole view was shifted between two frames, as the way of what stands still: `(0, 0)` when it was not.
pub(super) fn shift(before: (&Grid, &View), after: (&Grid, &View)) -> (i16, i16) {
    let (was, is) = (singles(before.1), singles(after.1));
    let mut votes: BTreeMap<(i16, i16), usize> = BTreeMap::new();
    for (looks, old) in &was {
        if let Some(new) = is.get(looks) {
            let way = |from: u8, to: u8| i16::from(to) - i16::from(from);
            let shift = (way(old.bounds.left, new.bounds.left), way(old.bounds.top, new.bounds.top));
            *votes.entry(shift).or_default() += 1;
        }
    }
    let all: usize = votes.values().sum();
    let most = votes.into_iter().max_by_key(|(shift, count)| (*count, *shift == (0, 0)));
    most.filter(|(shift, count)| *shift != (0, 0) && *count >= VOTES && count * 10 >= all * OF_TEN)
        .map(|(shift, _)| shift)
        .filter(|shift| agrees(before.0, after.0, *shift))
        .unwrap_or_default()
}

/// The objects that look like no other one.
fn singles(view: &View) -> BTreeMap<u64, &Object> {
    let mut singles: BTreeMap<u64, Option<&Object>> = BTreeMap::new();
    for object in view.objects.iter().filter(|object| !object.is_ground) {
        singles.entry(object.looks).and_modify(|it| *it = None).or_insert(Some(object));
    }
    singles.into_iter().filter_map(|(looks, object)| Some((looks, object?))).collect()
}

/// Whether nearly every cell is seen at its new place, and more of them than at the old one.
fn agrees(before: &Grid, after: &Grid, shift: (i16, i16)) -> bool {
    let (moved, cells) = same(before, after, shift);
    let (still, all) = same(before, after, (0, 0));
    cells > 0 && moved * 100 >= cells * SAME && moved * all > still * cells
}

/// Cells with equal colour, and cells compared.
fn same(before: &Grid, after: &Grid, shift: (i16, i16)) -> (usize, usize) {
    let inside = |at: i16| (0..i16::from(SIDE)).contains(&at).then_some(at as usize);
    let rows: Vec<_> = after.rows().collect();
    let (mut same, mut all) = (0, 0);
    for (y, row) in before.rows().enumerate() {
        let Some(other) = inside(y as i16 + shift.1).and_then(|y| rows.get(y)) else { continue };
        for (x, color) in row.iter().enumerate() {
            if let Some(found) = inside(x as i16 + shift.0).and_then(|x| other.get(x)) {
                all += 1;
                same += usize::from(found == color);
            }
        }
    }
    (same, all)
}
