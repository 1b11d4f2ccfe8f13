//! Which object of the next frame is which of this one.
//!
//! Rules are tried from the most certain to the least, each on what is left: the same at its place; the same elsewhere;
//! the same but turned; another colour at its place; another size over its place. Alike objects are paired so that
//! their total way is shortest.

use std::collections::BTreeMap;

use super::assign::cheapest;
use crate::perception::{Bounds, Object, View};

/// Up to so many copies, an object found elsewhere has moved even where its old place and its new one both hold
/// something of the same outline; more copies are tiles that change colour, and so are any that do not come out even.
/// (A pair of twins is the largest group of controlled objects in the games seen so far; boards have dozens of tiles.)
const FEW: usize = 3;
/// The most pairs compared within one group of alike objects; larger groups are paired in order.
const PAIRS: usize = 4096;

/// For each object before, the object after that it is.
pub(super) fn associate(before: &View, after: &View, shift: (i16, i16)) -> Vec<Option<usize>> {
    let mut links = Links::new(before, after, shift);
    links.stay();
    if links.is_done() {
        return links.to;
    }
    links.move_about();
    links.pair_up(|it| it.form, |old, new, _| old.looks != new.looks);
    links.change_in_place();
    links.change_size();
    links.to
}

struct Links<'a> {
    before: &'a View,
    after: &'a View,
    /// How the whole view moved.
    shift: (i16, i16),
    to: Vec<Option<usize>>,
    taken: Vec<bool>,
}

impl<'a> Links<'a> {
    fn new(before: &'a View, after: &'a View, shift: (i16, i16)) -> Links<'a> {
        let (to, taken) = (vec![None; before.objects.len()], vec![false; after.objects.len()]);
        Links { before, after, shift, to, taken }
    }

    fn link(&mut self, old: usize, new: usize) {
        self.to[old] = Some(new);
        self.taken[new] = true;
    }

    fn is_done(&self) -> bool {
        self.taken.iter().all(|taken| *taken) || self.to.iter().all(Option::is_some)
    }

    fn left_before(&self) -> Vec<usize> {
        (0..self.to.len()).filter(|old| self.to[*old].is_none()).collect()
    }

    fn left_after(&self) -> Vec<usize> {
        (0..self.taken.len()).filter(|new| !self.taken[*new]).collect()
    }

    /// Where an object would be seen if only the view moved.
    fn corner(&self, object: &Object) -> (i16, i16) {
        (i16::from(object.bounds.left) + self.shift.0, i16::from(object.bounds.top) + self.shift.1)
    }

    fn is_in_place(&self, old: &Object, new: &Object) -> bool {
        self.corner(old) == (i16::from(new.bounds.left), i16::from(new.bounds.top))
    }

    fn way(&self, old: &Object, new: &Object) -> i64 {
        let (x, y) = self.corner(old);
        i64::from(x.abs_diff(new.bounds.left.into())) + i64::from(y.abs_diff(new.bounds.top.into()))
    }

    fn stay(&mut self) {
        let mut places: Vec<((i16, i16), u64, usize)> = Vec::with_capacity(self.after.objects.len());
        for (new, object) in self.after.objects.iter().enumerate() {
            places.push(((object.bounds.left.into(), object.bounds.top.into()), object.looks, new));
        }
        places.sort_unstable();
        for old in 0..self.to.len() {
            let object = &self.before.objects[old];
            let sought = (self.corner(object), object.looks);
            if let Ok(found) = places.binary_search_by_key(&sought, |(corner, looks, _)| (*corner, *looks)) {
                self.link(old, places[found].2);
            }
        }
    }

    /// Pairs exact copies at other places, unless they are tiles that merely change colour.
    fn move_about(&mut self) {
        let copies = |looks: u64| self.before.objects.iter().filter(|it| it.looks == looks).count();
        let outlines = |objects: &[Object], left: &[usize]| {
            left.iter().map(|at| objects[*at].bounds_and_shape()).collect::<std::collections::BTreeSet<_>>()
        };
        let (old, new) = (self.left_before(), self.left_after());
        let was = outlines(&self.before.objects, &old);
        let is = outlines(&self.after.objects, &new);
        let tiles: BTreeMap<u64, bool> =
            old.iter().map(|at| self.before.objects[*at].looks).map(|looks| (looks, copies(looks) > FEW)).collect();
        self.pair_up(
            |it| it.looks,
            |old, new, even| {
                let exchanged = is.contains(&old.bounds_and_shape()) && was.contains(&new.bounds_and_shape());
                !exchanged || even && !tiles.get(&old.looks).copied().unwrap_or_default()
            },
        );
    }

    /// Pairs objects alike by `key` so that their total way is shortest, where `may` allows it; it is told whether the
    /// group has as many members after as before.
    fn pair_up(&mut self, key: impl Fn(&Object) -> u64, may: impl Fn(&Object, &Object, bool) -> bool) {
        let mut groups: BTreeMap<u64, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for old in self.left_before().into_iter().filter(|old| !self.before.objects[*old].is_ground) {
            groups.entry(key(&self.before.objects[old])).or_default().0.push(old);
        }
        for new in self.left_after().into_iter().filter(|new| !self.after.objects[*new].is_ground) {
            if let Some(group) = groups.get_mut(&key(&self.after.objects[new])) {
                group.1.push(new);
            }
        }
        for (old, new) in groups.into_values().filter(|(_, new)| !new.is_empty()) {
            let even = old.len() == new.len();
            for (old, new) in self.match_group(&old, &new) {
                if may(&self.before.objects[old], &self.after.objects[new], even) {
                    self.link(old, new);
                }
            }
        }
    }

    fn match_group(&self, old: &[usize], new: &[usize]) -> Vec<(usize, usize)> {
        if old.len() * new.len() > PAIRS {
            return old.iter().copied().zip(new.iter().copied()).collect();
        }
        let way =
            |row: usize, column: usize| self.way(&self.before.objects[old[row]], &self.after.objects[new[column]]);
        let columns = cheapest(old.len(), new.len(), &way);
        columns.into_iter().enumerate().filter_map(|(row, column)| Some((old[row], new[column?]))).collect()
    }

    /// The same outline at the same place: its colours changed.
    fn change_in_place(&mut self) {
        for old in self.left_before() {
            let was = &self.before.objects[old];
            let same = |new: &usize| {
                let is = &self.after.objects[*new];
                !self.taken[*new] && is.shape == was.shape && self.is_in_place(was, is)
            };
            if let Some(new) = (0..self.taken.len()).find(same) {
                self.link(old, new);
            }
        }
    }

    /// The same colour over or beside its place: it grew, shrank or was covered in part. The largest overlap wins.
    fn change_size(&mut self) {
        let mut pairs = Vec::new();
        for old in self.left_before() {
            for new in self.left_after() {
                let (was, is) = (&self.before.objects[old], &self.after.objects[new]);
                let overlap = was.bounds.overlap(is.bounds);
                if was.color == is.color && was.is_ground == is.is_ground && overlap > 0 {
                    pairs.push((u16::MAX - overlap, self.way(was, is), old, new));
                }
            }
        }
        pairs.sort_unstable();
        for (_, _, old, new) in pairs {
            if self.to[old].is_none() && !self.taken[new] {
                self.link(old, new);
            }
        }
    }
}

impl Object {
    fn bounds_and_shape(&self) -> ((u8, u8), u64) {
        let Bounds { left, top, .. } = self.bounds;
        ((left, top), self.shape)
    }
}

/// Completes what was followed through an animation: what stands where it stood is what it was, and so is what was lost
/// on the way and is there at the end.
pub(super) fn mend(to: &mut [Option<usize>], before: &View, after: &View, shift: (i16, i16)) {
    let direct = associate(before, after, shift);
    let mut taken: Vec<bool> = vec![false; after.objects.len()];
    to.iter().flatten().for_each(|new| taken[*new] = true);
    for (at, direct) in to.iter_mut().zip(direct) {
        if let Some(new) = direct.filter(|new| at.is_none() && !taken[*new]) {
            *at = Some(new);
            taken[new] = true;
        }
    }
}
