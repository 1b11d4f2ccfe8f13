//! Pieces that answer to actions themselves, at once or one after the other as they are selected, each on slots of its
//! colour.
//!
//! Which one obeys shows in how it looks, and so do all that do not: they are told by what they were found to be, not by
//! a picture. One of them that stands where it belongs says nothing until all do that are known.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Color, Grid};
use world_model::{Advance, Bounds};

use super::{
    arrange::{Arrangement, Level, MOST},
    names::Name,
    pairs::{Pair, Pieces},
    picture::Middle,
    slots::{Slot, is_like, with_brackets},
    things::{Kind, Things, place},
};

/// One piece alone gets to what has its colour by touching things: wanting that first costs more than it finds.
const FEW: usize = 2;

/// Pieces of one class as a level shows them at first.
struct Member {
    class: u16,
    size: (u8, u8),
    /// Most cells first.
    colors: Vec<Color>,
}

/// All pieces that answer to actions on the slots of their colours; `moves` says of what kinds things are that can be
/// moved.
pub(super) fn by_own_color(level: &Level<'_>, things: &Things, moves: impl Fn(Kind) -> bool) -> Option<Arrangement> {
    if level.cast.len() < FEW {
        return None;
    }
    let members = members(level.first, level.cast);
    let slots = slots(things, level.cast, moves, &members);
    let pairs: Vec<Pair> = members.iter().filter_map(|it| pair(it, &slots)).collect();
    let name = Name::own(pairs.len());
    (!pairs.is_empty()).then_some(Arrangement { name, pairs, litter: None, is_exact: true, misfit: 0 })
}

/// The classes of pieces, each as the first of it is seen.
fn members(frame: &Grid, cast: &[Advance]) -> Vec<Member> {
    let mut members: BTreeMap<u16, Member> = BTreeMap::new();
    for it in cast {
        let Some(bounds) = place(it) else { continue };
        let mut counts = [0usize; Color::COUNT];
        it.from.iter().for_each(|at| counts[frame[*at].index()] += 1);
        let mut colors: Vec<Color> = Color::ALL.into_iter().filter(|color| counts[color.index()] > 0).collect();
        colors.sort_by_key(|color| std::cmp::Reverse(counts[color.index()]));
        let size = (bounds.width(), bounds.height());
        members.entry(it.class).or_insert(Member { class: it.class, size, colors });
    }
    members.into_values().collect()
}

/// What stays where it is and is no part of a piece.
fn slots(things: &Things, cast: &[Advance], moves: impl Fn(Kind) -> bool, members: &[Member]) -> Vec<Slot> {
    let places: Vec<Bounds> = cast.iter().filter_map(place).collect();
    let is_part = |it: Bounds| places.iter().any(|place| place.union(it) == *place);
    let parts = things.iter().filter(|(thing, it)| !moves(thing.kind) && !is_part(it.bounds));
    let parts: Vec<Slot> = parts.map(|(thing, it)| Slot { kind: thing.kind, bounds: it.bounds }).collect();
    let sizes: BTreeSet<(u8, u8)> = members.iter().map(|it| it.size).collect();
    with_brackets(&parts, &sizes)
}

/// Pieces of a class and the slots of the first of its colours that has any.
fn pair(member: &Member, slots: &[Slot]) -> Option<Pair> {
    member.colors.iter().find_map(|color| {
        let alike = slots.iter().filter(|it| it.kind.color == *color && is_like(member.size, it.bounds));
        let middles: BTreeSet<Middle> = alike.map(|it| Middle::around(it.bounds)).collect();
        let pieces = Pieces::Played(member.class, member.size);
        (1..=MOST).contains(&middles.len()).then(|| Pair {
            pieces,
            slots: middles.into_iter().collect(),
            homes: Vec::new(),
            outline: None,
        })
    })
}
