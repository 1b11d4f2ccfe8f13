//! What went from one stack to another.

use super::Layout;

/// The stacks from the top of which, and to the top of which, one tile went; within, `None` where it was none of that, and without
/// where a tile is held in one of both layouts.
pub(super) fn turn(old: &Layout, new: &Layout) -> Option<Option<(usize, usize)>> {
    let sorted = |layout: &Layout| {
        let mut all = layout.concat();
        all.sort_unstable();
        all
    };
    let changed: Vec<usize> = (0..old.len()).filter(|it| old[*it] != new[*it]).collect();
    let is_turn = |(from, to): &(usize, usize)| {
        old[*from]
            .split_last()
            .is_some_and(|(tile, rest)| rest == new[*from] && new[*to].split_last() == Some((tile, &old[*to])))
    };
    let turn = match changed[..] {
        [a, b] => [(a, b), (b, a)].into_iter().find(is_turn),
        _ => None,
    };
    (sorted(old) == sorted(new)).then_some(turn)
}

/// Whether one tile went from the top of one stack to the top of another; `None` where one is held.
pub(super) fn is_move(old: &Layout, new: &Layout) -> Option<bool> {
    turn(old, new).map(|it| it.is_some())
}

/// How many there are.
pub(super) fn tiles(layout: &Layout) -> usize {
    layout.iter().map(Vec::len).sum()
}

/// Whether no two tiles look alike.
pub(super) fn is_all_different(layout: &Layout) -> bool {
    let mut all = layout.concat();
    all.sort_unstable();
    all.windows(2).all(|it| it[0] != it[1])
}
