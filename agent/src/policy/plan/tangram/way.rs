//! The keys that take what is held to where it should lie.

use std::collections::HashSet;

use env_client::Key;
use world_model::handling::{Area, Handling, Place};

/// Places that one search looks at. A guess.
const PLACES: usize = 20_000;

/// Keys and by how much each takes a piece.
pub(super) type Ways = Vec<(Key, Place)>;

/// Where all that is held came to, and from which place before it by which key.
type Reached = (Vec<Area>, Option<(usize, Key)>);

/// What is moved: who is held, from where, and what is in its way.
pub(super) struct Load {
    pub(super) piece: usize,
    pub(super) from: Area,
    pub(super) walls: Area,
}

/// The fewest keys that take all that is held where it should lie; what cannot go on stays.
pub(super) fn way(
    model: &Handling,
    ways: &Ways,
    load: &[Load],
    is_there: impl Fn(&[Area]) -> bool,
) -> Option<Vec<Key>> {
    let start: Vec<Area> = load.iter().map(|it| it.from).collect();
    let mut known: HashSet<Vec<Place>> = HashSet::from([start.iter().map(Area::corner).collect()]);
    let mut reached: Vec<Reached> = vec![(start, None)];
    let mut index = 0;
    while index < reached.len() && reached.len() < PLACES {
        if is_there(&reached[index].0) {
            return Some(back(&reached, index));
        }
        for (key, by) in ways {
            let at = reached[index].0.iter().zip(load);
            let next: Vec<Area> = at.map(|(at, it)| model.passes(it.piece, at, (*key, *by), &it.walls)).collect();
            if known.insert(next.iter().map(Area::corner).collect()) {
                reached.push((next, Some((index, *key))));
            }
        }
        index += 1;
    }
    None
}

fn back(reached: &[Reached], mut index: usize) -> Vec<Key> {
    let mut keys = Vec::new();
    while let Some((before, key)) = reached[index].1 {
        keys.push(key);
        index = before;
    }
    keys.reverse();
    keys
}
