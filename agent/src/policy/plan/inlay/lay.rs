//! Laying pieces so that every tile shows what is wanted: found from the uppermost piece down.
//!
//! Of the piece that is laid last everything is seen, so all of it has to be wanted where it lies; of the one before it all
//! that the last one leaves open, and so on, until every tile is right.

use std::collections::HashSet;

use env_client::Color;

use super::{
    bed::{Bed, Figure, MOST, Piece},
    grip::{Anchor, Turn},
};

/// States that one search looks at. A guess.
const STATES: usize = 100_000;

/// A piece laid: which of them, turned how often, and the tile to click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Laid {
    pub(super) piece: usize,
    pub(super) turns: u8,
    pub(super) tile: usize,
    /// The tiles it covers, as bits.
    pub(super) covers: u128,
}

/// What the search knows.
struct Task {
    /// The ways to lay each piece.
    ways: Vec<Vec<Laid>>,
    /// By piece, the tiles where its colour is wanted.
    fits: Vec<u128>,
    areas: Vec<u32>,
    /// The tiles that show something else than what is wanted.
    open: u128,
}

/// How to lay all pieces on a bed that shows these colours, first to last, with as few turns as can be; each piece may be
/// turned if it is known what that does.
pub(super) fn lay(
    bed: &Bed,
    look: &[Color],
    pieces: &[Piece],
    (anchor, turn): (Anchor, Option<Turn>),
) -> Option<Vec<Laid>> {
    debug_assert!(bed.tiles.len() <= MOST, "a bed has at most so many tiles");
    let bits =
        |holds: &dyn Fn(usize) -> bool| (0..bed.tiles.len()).filter(|it| holds(*it)).fold(0, |set, it| set | 1 << it);
    let task = Task {
        ways: (0..pieces.len()).map(|it| ways(bed, it, &pieces[it].figure, (anchor, turn))).collect(),
        fits: pieces.iter().map(|piece| bits(&|it| bed.tiles[it].wanted == piece.color)).collect(),
        areas: pieces.iter().map(|it| it.figure.cells.len() as u32).collect(),
        open: bits(&|it| bed.tiles[it].wanted != look[it]),
    };
    let most = if turn.is_some() { 3 * pieces.len() as u8 } else { 0 };
    let mut states = STATES;
    (0..=most).find_map(|turns| {
        let mut laid = Vec::new();
        let mut known = HashSet::new();
        let all = (1 << pieces.len()) - 1;
        task.peel((all, 0, turns), &mut laid, &mut known, &mut states).then(|| {
            laid.reverse();
            laid
        })
    })
}

/// All ways to lay a piece.
fn ways(bed: &Bed, piece: usize, figure: &Figure, (anchor, turn): (Anchor, Option<Turn>)) -> Vec<Laid> {
    let mut figures = vec![figure.clone()];
    while let Some(next) = turn.and_then(|turn| Some(turn.of(figures.last()?))).filter(|next| !figures.contains(next)) {
        figures.push(next);
    }
    let ways = figures.iter().zip(0..).flat_map(|(figure, turns)| {
        let at = anchor.of(figure);
        (0..bed.tiles.len()).filter_map(move |tile| {
            let (x, y) = bed.tiles[tile].at;
            let covers = figure
                .cells
                .iter()
                .try_fold(0, |set, cell| Some(set | 1 << bed.number((x + cell.0 - at.0, y + cell.1 - at.1))?))?;
            Some(Laid { piece, turns, tile, covers })
        })
    });
    ways.collect()
}

impl Task {
    /// Lays what is `left` of the pieces beneath those that cover these tiles, with just so many turns; the uppermost first.
    fn peel(
        &self,
        (left, covered, turns): (u16, u128, u8),
        laid: &mut Vec<Laid>,
        known: &mut HashSet<(u16, u128, u8)>,
        states: &mut usize,
    ) -> bool {
        if left == 0 {
            return turns == 0 && self.open & !covered == 0;
        }
        let rest = (0..self.areas.len()).filter(|it| left >> it & 1 == 1);
        let area: u32 = rest.clone().map(|it| self.areas[it]).sum();
        if area < (self.open & !covered).count_ones() || *states == 0 || !known.insert((left, covered, turns)) {
            return false;
        }
        *states -= 1;
        for piece in rest {
            let fits = |it: &&Laid| it.turns <= turns && it.covers & !covered & !self.fits[piece] == 0;
            for way in self.ways[piece].iter().filter(fits) {
                laid.push(*way);
                if self.peel((left & !(1 << piece), covered | way.covers, turns - way.turns), laid, known, states) {
                    return true;
                }
                laid.pop();
            }
        }
        false
    }
}
