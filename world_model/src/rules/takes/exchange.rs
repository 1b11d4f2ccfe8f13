//! A hand that holds one thing: what is taken next is exchanged for it, as long as nothing else was seen.
//!
//! Before it was ever seen what comes of coming onto a second thing, what came of the first one tells it: the hand looks as it
//! does when the second one is taken by itself, and what was held lies where that lay, drawn as it lay before it was taken.
//! Things do not get lost; the guess rests until it would have been right as often as it was wrong.

use env_client::{Color, Grid};

use super::Meeting;
use crate::rules::{
    cell_set::CellSet,
    mover::{Movers, Placement},
    sprite::{Vector, color_at},
};

/// A thing that a hand took. Cells are seen from the corner of the piece that came onto it.
#[derive(Clone, Debug)]
struct Taking {
    /// The forms of the piece and the thing.
    key: u64,
    /// The class of the piece.
    taker: usize,
    /// How the thing lay, and how it is held.
    thing: Vec<Vector>,
    hand: Vec<Vector>,
}

impl Taking {
    /// The cells of the thing and of the hand where the piece is here.
    fn at(&self, corner: Vector) -> [CellSet; 2] {
        [&self.thing, &self.hand].map(|cells| cells.iter().map(|at| at.plus(corner)).collect())
    }
}

/// Cells and their colours.
type Colored = Vec<(Vector, Color)>;

/// What comes of an exchange.
pub(super) struct Exchange {
    /// What is seen around the piece.
    pub(super) edits: Colored,
    /// What lies where it came, whether it is seen or not.
    pub(super) under: Colored,
}

/// What was taken so far, and how well guesses of exchanges have done.
#[derive(Clone, Debug, Default)]
pub(super) struct Takings {
    seen: Vec<Taking>,
    right: u32,
    wrong: u32,
}

impl Takings {
    /// Learns how a thing of one colour looks in a hand that was empty, or that held something of another colour and does not
    /// any more.
    pub(super) fn learn(&mut self, meeting: &Meeting, movers: &Movers, after: &Grid, hand: &CellSet) {
        let [thing] = meeting.parts.as_slice() else { return };
        let is_kept = meeting.along.is_some_and(|it| {
            meeting.held == Some(thing.color)
                || movers.sprite(it.end()).footprint(it.end().at).all(|at| color_at(after, at) == meeting.held)
        });
        if *hand == CellSet::EMPTY || is_kept {
            return;
        }
        self.seen.retain(|it| it.key != meeting.bare);
        let [thing, hand] = [&thing.cells, hand].map(|cells| cells.iter().map(|at| at.minus(meeting.at)).collect());
        self.seen.push(Taking { key: meeting.bare, taker: meeting.leader.instance.class, thing, hand });
    }

    /// Learns whether a guess would have been right.
    pub(super) fn judge(&mut self, is_right: bool) {
        self.right += u32::from(is_right);
        self.wrong += u32::from(!is_right);
    }

    /// What becomes of the cells around a piece that exchanges what it holds for what it comes onto, if both are known to be
    /// taken.
    pub(super) fn guess(&self, meeting: &Meeting, movers: &Movers) -> Option<Exchange> {
        let (along, held, [thing]) = (meeting.along?, meeting.held?, meeting.parts.as_slice()) else { return None };
        let cells = |it: &Placement| movers.sprite(it.instance).footprint(it.instance.at.plus(it.came));
        let held_at: CellSet = cells(&along).collect();
        let taken = self.seen.iter().find(|it| it.key == meeting.bare)?;
        let laid = self.seen.iter().find(|it| it.taker == taken.taker && it.at(meeting.at)[1] == held_at)?;
        let ([lay, hand], [lies, _]) = (taken.at(meeting.at), laid.at(meeting.at));
        let body: CellSet = cells(&meeting.leader).collect();
        let left = [(lies, held), (lay, meeting.ground)];
        let seen = [(hand, thing.color)].into_iter().chain(left).chain([(held_at, meeting.ground)]);
        Some(Exchange { edits: drawn(seen, body), under: drawn(left, CellSet::EMPTY) })
    }

    /// How often guesses were right, as support of a claim.
    pub(super) fn support(&self) -> u8 {
        self.right.min(3) as u8
    }

    /// Whether guesses are worth making.
    pub(super) fn is_trusted(&self) -> bool {
        self.wrong <= self.right
    }
}

/// These cells in these colours, but those in `taken`; the first of several colours of a cell counts.
fn drawn(parts: impl IntoIterator<Item = (CellSet, Color)>, mut taken: CellSet) -> Colored {
    let mut cells = Vec::new();
    for (part, color) in parts {
        cells.extend(part.iter().filter(|at| taken.insert(*at)).map(|at| (at, color)));
    }
    cells
}
