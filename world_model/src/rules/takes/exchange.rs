//! A hand that holds one thing: what is taken next is exchanged for it, as long as nothing else was seen.
//!
//! Before it was ever seen what comes of coming onto a second thing, what came of the first one tells it: the hand looks as it
//! does when the second one is taken by itself, and what was held lies where that lay, drawn as it lay before it was taken.
//! Things do not get lost; the guess rests until it would have been right as often as it was wrong.

use env_client::Color;

use super::Meeting;
use crate::rules::{
    cell_set::CellSet,
    mover::{Movers, Placement},
    sprite::Vector,
};

/// A thing that an empty hand took. Cells are seen from the corner of the piece that came onto it.
#[derive(Clone, Debug)]
struct Taking {
    /// The forms of the piece and the thing.
    key: u64,
    /// The class of the piece.
    taker: usize,
    /// How the thing lay, and how it is held.
    thing: Vec<Vector>,
    hand: CellSet,
}

/// What was taken so far, and how well guesses of exchanges have done.
#[derive(Clone, Debug, Default)]
pub(super) struct Takings {
    seen: Vec<Taking>,
    right: u32,
    wrong: u32,
}

impl Takings {
    /// Learns how a thing of one colour looks in a hand that was empty.
    pub(super) fn learn(&mut self, meeting: &Meeting, hand: &CellSet) {
        let ([thing], None) = (meeting.parts.as_slice(), meeting.along) else { return };
        let hand = seen_from(hand.iter(), meeting.at).collect();
        if hand == CellSet::EMPTY {
            return;
        }
        self.seen.retain(|it| it.key != meeting.key);
        let thing = seen_from(thing.cells.iter(), meeting.at).collect();
        self.seen.push(Taking { key: meeting.key, taker: meeting.leader.instance.class, thing, hand });
    }

    /// Learns whether a guess would have been right.
    pub(super) fn judge(&mut self, is_right: bool) {
        self.right += u32::from(is_right);
        self.wrong += u32::from(!is_right);
    }

    /// The cells around a piece that exchanges what it holds for what it comes onto, if both are known to be taken.
    pub(super) fn guess(&self, meeting: &Meeting, movers: &Movers) -> Option<Vec<(Vector, Color)>> {
        let (along, held, [thing]) = (meeting.along?, meeting.held?, meeting.parts.as_slice()) else { return None };
        let taken = self.seen.iter().find(|it| it.key == meeting.bare)?;
        let cells = |it: &Placement| movers.sprite(it.instance).footprint(it.instance.at.plus(it.came));
        let hand: CellSet = seen_from(cells(&along), meeting.at).collect();
        let laid = self.seen.iter().find(|it| it.taker == taken.taker && it.hand == hand)?;
        let body: CellSet = seen_from(cells(&meeting.leader), meeting.at).collect();
        let mut drawn = body;
        let mut edits = Vec::new();
        let mut draw = |cells: &mut dyn Iterator<Item = Vector>, color| {
            let fresh = cells.filter(|at| drawn.insert(*at));
            edits.extend(fresh.map(|at| (meeting.at.plus(at), color)));
        };
        draw(&mut taken.hand.iter(), thing.color);
        draw(&mut laid.thing.iter().copied(), held);
        draw(&mut taken.thing.iter().copied().chain(hand.iter()), meeting.ground);
        Some(edits)
    }

    /// Whether guesses are worth making.
    pub(super) fn is_trusted(&self) -> bool {
        self.wrong <= self.right
    }
}

/// Cells as seen from a corner.
fn seen_from(cells: impl Iterator<Item = Vector>, corner: Vector) -> impl Iterator<Item = Vector> {
    cells.map(move |at| at.minus(corner))
}
