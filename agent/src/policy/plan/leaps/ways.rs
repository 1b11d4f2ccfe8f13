//! What may be wanted where moves rewrite lines, and the moves to it.

use std::{cmp::Reverse, collections::BinaryHeap};

use rustc_hash::FxHashSet;
use world_model::leaps::{Kind, Leap, Leaps, Stand};

/// What may be wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// One piece is left, and stands on a seat that looks unlike others.
    LastOnMark,
    /// One piece is left.
    One,
    /// All of this kind are gone.
    Gone(Kind),
    /// Something stands on every seat that looks unlike others.
    OnMarks,
}

/// What kind of goal it is: that holds in all levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    LastOnMark,
    One,
    Gone,
    OnMarks,
}

impl Goal {
    pub(super) fn class(&self) -> Class {
        match self {
            Goal::LastOnMark => Class::LastOnMark,
            Goal::One => Class::One,
            Goal::Gone(_) => Class::Gone,
            Goal::OnMarks => Class::OnMarks,
        }
    }

    /// In a few words.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Goal::LastOnMark => "the last piece on the marked seat",
            Goal::One => "one piece is left",
            Goal::Gone(_) => "all of a kind are gone",
            Goal::OnMarks => "a piece on every marked seat",
        }
    }
}

/// What the goals are told by.
pub(super) struct Look<'a> {
    pub(super) model: &'a Leaps,
    pub(super) marked: Vec<usize>,
}

impl Look<'_> {
    pub(super) fn pieces(&self, stand: &[Kind]) -> usize {
        stand.iter().filter(|it| self.model.is_piece(**it)).count()
    }

    /// Moves that are left at least, where one takes one piece.
    pub(super) fn bound(&self, goal: &Goal, stand: &[Kind]) -> usize {
        let bare = || self.marked.iter().filter(|it| !self.model.is_piece(stand[**it])).count();
        match goal {
            Goal::One => self.pieces(stand).saturating_sub(1),
            Goal::LastOnMark => {
                let is_there = self.marked.iter().any(|it| self.model.is_piece(stand[*it]));
                (self.pieces(stand).saturating_sub(1)).max(usize::from(!is_there))
            }
            Goal::Gone(kind) => stand.iter().map(|it| usize::from(it == kind)).sum(),
            Goal::OnMarks => bare(),
        }
    }
}

/// A stand, and the one before it with the move from there.
type Reached = (Stand, Option<(usize, Leap)>);

/// Moves to a goal, few where several ways are as good, with what each leads to; and how many stands were looked at.
pub(super) fn way(
    look: &Look<'_>,
    goal: &Goal,
    start: &Stand,
    dares: bool,
    most: usize,
) -> (Option<Vec<(Leap, Stand)>>, usize) {
    let mut memo = look.model.memo(dares);
    let mut reached: Vec<Reached> = vec![(start.clone(), None)];
    let mut seen = FxHashSet::from_iter([start.clone()]);
    let mut open = BinaryHeap::from([(Reverse(look.bound(goal, start)), 0, Reverse(0))]);
    let mut looked_at = 0;
    while let Some((_, moves, Reverse(index))) = open.pop() {
        let stand = reached[index].0.clone();
        if look.bound(goal, &stand) == 0 {
            return (Some(path(&reached, index)), looked_at);
        }
        looked_at += 1;
        if looked_at >= most {
            break;
        }
        for (leap, next) in look.model.moves(&stand, &mut memo) {
            if seen.insert(next.clone()) {
                open.push((Reverse(moves + 1 + look.bound(goal, &next)), moves + 1, Reverse(reached.len())));
                reached.push((next, Some((index, leap))));
            }
        }
    }
    (None, looked_at)
}

/// The moves that led to a stand.
fn path(reached: &[Reached], mut index: usize) -> Vec<(Leap, Stand)> {
    let mut path = Vec::new();
    while let (stand, Some((from, leap))) = &reached[index] {
        path.push((*leap, stand.clone()));
        index = *from;
    }
    path.reverse();
    path
}
