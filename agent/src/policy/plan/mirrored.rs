//! Symmetry as a goal of things that change places: the nearest arrangement in which each is like its images, and the
//! exchanges that lead to one.

use std::collections::HashMap;

use rustc_hash::FxHashMap;
use world_model::shuffles::{Content, Exchange};

/// Partial arrangements looked at in one thought, and whole ones of which the best is taken. Guesses.
const PARTS: usize = 50_000;
const WHOLES: usize = 256;

/// The arrangement of these contents that leaves most of them where they are, with the same in all slots of each group and
/// what is held in its place; of those equally near one that takes few exchanges. `None` where there is none.
pub(super) fn mirrored(now: &[Content], groups: &[Vec<usize>], held: &[bool]) -> Option<Vec<Content>> {
    let mut kinds = now.to_vec();
    kinds.sort_unstable();
    kinds.dedup();
    let count = |kind: &Content| now.iter().filter(|it| *it == kind).count();
    let left: Vec<usize> = kinds.iter().map(count).collect();
    let mut search = Search { now, groups, held, kinds, known: FxHashMap::default() };
    let wrong = search.fewest(0, &left)?;
    let mut best = None;
    search.collect(0, &left, wrong, &mut now.to_vec(), &mut best, &mut 0);
    best.map(|(_, wanted)| wanted)
}

/// Deals contents out to groups, one after the other.
struct Search<'a> {
    now: &'a [Content],
    groups: &'a [Vec<usize>],
    held: &'a [bool],
    kinds: Vec<Content>,
    /// How many contents lie wrong at least in the groups from one on, when so many of each kind are left.
    known: FxHashMap<(usize, Vec<usize>), Option<usize>>,
}

impl Search<'_> {
    /// How many contents of a group lie wrong if it holds this kind; `None` where it cannot.
    fn wrong(&self, group: usize, kind: usize, left: &[usize]) -> Option<usize> {
        let (group, content) = (&self.groups[group], self.kinds[kind]);
        let is_other = |slot: &&usize| self.now[**slot] != content;
        let is_open = left[kind] >= group.len() && !group.iter().filter(is_other).any(|slot| self.held[*slot]);
        is_open.then(|| group.iter().filter(is_other).count())
    }

    /// What is left when a group holds this kind.
    fn without(&self, group: usize, kind: usize, left: &[usize]) -> Vec<usize> {
        let mut left = left.to_vec();
        left[kind] -= self.groups[group].len();
        left
    }

    fn fewest(&mut self, group: usize, left: &[usize]) -> Option<usize> {
        if group == self.groups.len() {
            return Some(0);
        }
        let state = (group, left.to_vec());
        if let Some(known) = self.known.get(&state) {
            return *known;
        }
        let mut fewest: Option<usize> = None;
        for kind in 0..self.kinds.len() {
            let Some(wrong) = self.wrong(group, kind, left).filter(|_| self.known.len() < PARTS) else { continue };
            let rest = self.fewest(group + 1, &self.without(group, kind, left));
            fewest = rest.map(|it| it + wrong).into_iter().chain(fewest).min();
        }
        self.known.insert(state, fewest);
        fewest
    }

    /// Every arrangement with so few wrong contents, up to a bound: the one with most pairs that can be exchanged crosswise.
    fn collect(
        &mut self,
        group: usize,
        left: &[usize],
        wrong: usize,
        wanted: &mut Vec<Content>,
        best: &mut Option<(usize, Vec<Content>)>,
        found: &mut usize,
    ) {
        if group == self.groups.len() {
            *found += 1;
            let pairs = pairs(self.now, wanted);
            if best.as_ref().is_none_or(|(most, _)| pairs > *most) {
                *best = Some((pairs, wanted.clone()));
            }
            return;
        }
        for kind in 0..self.kinds.len() {
            let Some(here) = self.wrong(group, kind, left).filter(|it| *it <= wrong && *found < WHOLES) else {
                continue;
            };
            let rest = self.without(group, kind, left);
            if self.fewest(group + 1, &rest).is_some_and(|it| here + it <= wrong) {
                for slot in &self.groups[group] {
                    wanted[*slot] = self.kinds[kind];
                }
                self.collect(group + 1, &rest, wrong - here, wanted, best, found);
            }
        }
    }
}

/// How many pairs of slots there are, each of which holds what the other one should.
fn pairs(now: &[Content], wanted: &[Content]) -> usize {
    let mut open: HashMap<(Content, Content), usize> = HashMap::new();
    let mut pairs = 0;
    for (now, wanted) in now.iter().zip(wanted).filter(|(now, wanted)| now != wanted) {
        match open.get_mut(&(*wanted, *now)).filter(|it| **it > 0) {
            Some(waiting) => {
                *waiting -= 1;
                pairs += 1;
            }
            None => *open.entry((*now, *wanted)).or_default() += 1,
        }
    }
    pairs
}

/// Exchanges that lead to what is wanted, where any two contents can change places: each brings as many as possible where
/// they belong, and makes that the next one does.
pub(super) fn crosswise(
    now: &[Content],
    wanted: &[Option<Content>],
    open: impl Fn(&[Content], bool) -> Vec<Exchange>,
) -> Option<Vec<Exchange>> {
    let is_wrong =
        |now: &[Content]| now.iter().zip(wanted).filter(|(now, it)| it.is_some_and(|it| it != **now)).count();
    let meant = |now: &[Content]| -> Vec<Content> {
        now.iter().zip(wanted).map(|(now, wanted)| wanted.unwrap_or(*now)).collect()
    };
    let (mut now, mut row) = (now.to_vec(), Vec::new());
    while is_wrong(&now) > 0 {
        let rank = |it: &Exchange| (is_wrong(&it.after), usize::MAX - pairs(&it.after, &meant(&it.after)));
        let best = open(&now, row.is_empty()).into_iter().min_by_key(rank)?;
        if is_wrong(&best.after) >= is_wrong(&now) {
            return None;
        }
        now.clone_from(&best.after);
        row.push(best);
    }
    Some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every exchange of two contents.
    fn any(now: &[Content], _: bool) -> Vec<Exchange> {
        let all = (0..now.len()).flat_map(|a| (a + 1..now.len()).map(move |b| (a, b)));
        let made = all.map(|(a, b)| {
            let mut after = now.to_vec();
            after.swap(a, b);
            Exchange { actions: Vec::new(), after }
        });
        made.filter(|it| it.after != now).collect()
    }

    #[test]
    fn the_nearest_symmetry_takes_the_fewest_exchanges_and_leaves_alone_what_is_held() {
        let (now, groups) = ([1, 2, 2, 1, 3, 3], [vec![0, 1], vec![2, 3], vec![4, 5]]);
        let free = [false; 6];
        let wanted = mirrored(&now, &groups, &free).unwrap();
        assert!(wanted == [1, 1, 2, 2, 3, 3] || wanted == [2, 2, 1, 1, 3, 3], "{wanted:?}");
        let held = [true, false, false, false, false, false];
        assert_eq!(mirrored(&now, &groups, &held), Some(vec![1, 1, 2, 2, 3, 3]));
        assert_eq!(mirrored(&now, &groups, &[true; 6]), None, "nothing may move");
        assert_eq!(mirrored(&[1, 2, 2, 1, 3, 1], &groups, &free), None, "one 3 alone");
    }

    #[test]
    fn exchanges_bring_two_home_at_once_where_they_can() {
        // Two pairs and a ring of three.
        let (now, wanted) = ([1, 2, 3, 4, 5, 6, 7], [2, 1, 4, 3, 6, 7, 5].map(Some));
        let row = crosswise(&now, &wanted, any).unwrap();
        assert_eq!((row.len(), row[3].after.clone()), (4, wanted.map(Option::unwrap).to_vec()));
        let none = |_: &[Content], _: bool| Vec::new();
        assert_eq!(crosswise(&now, &wanted, none), None);
    }
}
