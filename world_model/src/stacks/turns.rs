//! What went from one stack to another.

use super::{Layout, Tile};

/// The stacks from the top of which, and to the top of which, one tile went, where nothing else did.
pub(super) fn turn(old: &Layout, new: &Layout) -> Option<(usize, usize)> {
    let changed: Vec<usize> = (0..old.len()).filter(|it| old[*it] != new[*it]).collect();
    let is_turn = |(from, to): &(usize, usize)| {
        old[*from]
            .split_last()
            .is_some_and(|(tile, rest)| rest == new[*from] && new[*to].split_last() == Some((tile, &old[*to])))
    };
    match changed[..] {
        [a, b] => [(a, b), (b, a)].into_iter().find(is_turn),
        _ => None,
    }
}

/// Whether one tile went from the top of one stack to the top of another; `None` where one is held.
pub(super) fn is_move(old: &Layout, new: &Layout) -> Option<bool> {
    (sorted(old) == sorted(new)).then(|| turn(old, new).is_some())
}

/// How many there are.
pub(super) fn tiles(layout: &Layout) -> usize {
    layout.iter().map(Vec::len).sum()
}

/// Whether no two tiles look alike.
pub(super) fn is_all_different(layout: &Layout) -> bool {
    sorted(layout).windows(2).all(|it| it[0] != it[1])
}

fn sorted(layout: &Layout) -> Vec<Tile> {
    let mut all = layout.concat();
    all.sort_unstable();
    all
}
