//! The skill of inlays: a click picks a piece from beside a bed of marked tiles, the next one puts it down, until every tile
//! has the colour of its mark.
//!
//! # Layout
//! - [`Inlay`] (here): takes the game for one where all the pieces together make what is wanted, and finds out the rest.
//! - [`bed`]: tiles and pieces in a frame, which may be drawn at another scale; [`grip`]: where a piece is held and how it
//!   turns; [`lay`]: how to lay all of them.
//!
//! That all pieces can be laid so that every tile is right is no accident: it is tried at once. Where they cannot, a piece is
//! clicked twice to see whether that turns it.

mod bed;
mod grip;
mod lay;

use std::collections::VecDeque;

use env_client::{Action, ActionId, ActionSet, Color, Grid, Point};
use world_model::{InterfaceMask, Start, Transition};

use self::{
    bed::{Bed, Piece},
    grip::{Anchor, Turn},
    lay::{Laid, lay},
};
use super::{
    ledger::TIER,
    skill::{Move, Proposal, Skill},
};

/// A plan comes before what others try, and so does what it takes to make one. Guesses, as are all numbers here.
const PLAN: f32 = 0.1 * TIER;
const EXPERIMENT: f32 = 0.3 * TIER;
/// Plans of one level, and of the game before one of them came true, after which the rest is left to others.
const PLANS: u32 = 6;
const DOUBTS: u32 = 3;
/// A click this near a piece, in squares of it, is meant for it.
const NEAR: u8 = 2;

/// Whether a click on a piece that is held already turns it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Turning {
    #[default]
    Unknown,
    Never,
    By(Turn),
}

/// Understands pieces that are laid on marked tiles.
#[derive(Debug)]
pub(super) struct Inlay {
    bed: Option<Bed>,
    /// The side of the squares of pieces, in cells.
    side: Option<u8>,
    /// Of the pieces beside the bed, the one that was picked.
    held: Option<usize>,
    /// What a piece may be held at.
    anchors: Vec<Anchor>,
    turning: Turning,
    /// What tiles should show after each step of the proposal made last, and of the one under way; nothing where that is not
    /// said.
    proposed: VecDeque<Option<Vec<Color>>>,
    foreseen: VecDeque<Option<Vec<Color>>>,
    is_surprised: bool,
    /// What tiles showed and which pieces were left when no way was found.
    exhausted: Option<(Vec<Color>, Vec<Piece>, Turning)>,
    plans: u32,
    /// Plans that ended in a surprise, and pieces that were laid as foreseen.
    surprises: u32,
    laid: u32,
}

impl Default for Inlay {
    fn default() -> Self {
        Inlay {
            bed: None,
            side: None,
            held: None,
            anchors: Anchor::ALL.to_vec(),
            turning: Turning::default(),
            proposed: VecDeque::new(),
            foreseen: VecDeque::new(),
            is_surprised: false,
            exhausted: None,
            plans: 0,
            surprises: 0,
            laid: 0,
        }
    }
}

impl Inlay {
    fn pieces(&self, frame: &Grid, mask: &InterfaceMask) -> Option<Vec<Piece>> {
        bed::pieces(frame, mask, self.bed.as_ref()?, self.side).map(|it| it.0)
    }

    /// The piece that a click is meant for.
    fn meant(&self, pieces: &[Piece], at: Point) -> Option<usize> {
        let near = NEAR * self.side?;
        let nearest = (0..pieces.len()).min_by_key(|it| pieces[*it].distance(at))?;
        (pieces[nearest].distance(at) <= near).then_some(nearest)
    }

    /// Learns what a click on a piece did.
    fn picked(&mut self, index: usize, before: &[Piece], after: &[Piece], changed: bool) {
        if self.held.replace(index) != Some(index) || before.len() != after.len() {
            return;
        }
        let (old, new) = (&before[index].figure, &after[index].figure);
        match Turn::between(old, new) {
            Some(turn) => self.turning = Turning::By(turn),
            None if old == new && !changed && self.turning == Turning::Unknown => self.turning = Turning::Never,
            None => {}
        }
    }

    /// Learns where a piece came to lie that was put down at a tile.
    fn put(&mut self, piece: &Piece, tile: usize, look: &[Color]) {
        self.held = None;
        let Some(bed) = &self.bed else { return };
        let (x, y) = bed.tiles[tile].at;
        let lies = |anchor: &Anchor| {
            let at = anchor.of(&piece.figure);
            piece.figure.cells.iter().all(|cell| {
                let tile = bed.number((x + cell.0 - at.0, y + cell.1 - at.1));
                tile.is_some_and(|tile| look[tile] == piece.color)
            })
        };
        let fitting: Vec<Anchor> = self.anchors.iter().filter(|it| lies(it)).copied().collect();
        if !fitting.is_empty() {
            self.anchors = fitting;
        }
    }

    /// All pieces on the tiles.
    fn plan(&mut self, frame: &Grid, pieces: &[Piece]) -> Option<Proposal> {
        let (bed, anchor) = (self.bed.as_ref()?, *self.anchors.first()?);
        let mut look = bed.look(frame);
        let turn = match self.turning {
            Turning::By(turn) => Some(turn),
            Turning::Unknown | Turning::Never => None,
        };
        let now = (look.clone(), pieces.to_vec(), self.turning);
        if self.exhausted.as_ref() == Some(&now) {
            return None;
        }
        let Some(way) = lay(bed, &look, pieces, (anchor, turn)) else {
            self.exhausted = Some(now);
            return None;
        };
        let (mut steps, mut held) = (VecDeque::new(), self.held);
        for Laid { piece, turns, tile, covers } in way {
            let picks = u8::from(held != Some(piece));
            for _ in 0..picks + turns {
                steps.push_back(Move { action: Action::Click(pieces[piece].grab), expected: None });
                self.proposed.push_back(None);
            }
            (0..look.len()).filter(|it| covers >> it & 1 == 1).for_each(|it| look[it] = pieces[piece].color);
            steps.push_back(Move { action: Action::Click(bed.tiles[tile].middle), expected: None });
            self.proposed.push_back(Some(look.clone()));
            held = None;
        }
        let score = PLAN + steps.len() as f32;
        Some(Proposal { steps, goal: "all pieces on the tiles that have their colours".to_owned(), score })
    }

    /// Clicks to see whether a piece can be turned.
    fn experiment(&self, pieces: &[Piece]) -> Option<Proposal> {
        if self.turning != Turning::Unknown {
            return None;
        }
        let of_held = self.held.and_then(|it| pieces.get(it)).filter(|it| Turn::tells(&it.figure));
        let piece = of_held.or_else(|| pieces.iter().find(|it| Turn::tells(&it.figure)))?;
        let click = Move { action: Action::Click(piece.grab), expected: None };
        let steps = vec![click; if of_held.is_some() { 1 } else { 2 }];
        Some(Proposal { steps: steps.into(), goal: "see whether a piece can be turned".to_owned(), score: EXPERIMENT })
    }

    /// A click that takes up a piece which lies where it is not wanted.
    fn lift(&self, frame: &Grid) -> Option<Proposal> {
        let bed = self.bed.as_ref().filter(|_| self.held.is_none() && self.laid > 0)?;
        let look = bed.look(frame);
        let is_wrong = |it: &usize| look[*it] != bed.color && look[*it] != bed.tiles[*it].wanted;
        let wrong = (0..look.len()).find(is_wrong)?;
        let action = Action::Click(bed.tiles[wrong].middle);
        Some(Proposal::experiment(action, "take up a piece again".to_owned(), EXPERIMENT))
    }
}

impl Skill for Inlay {
    fn name(&self) -> &'static str {
        "inlay"
    }

    fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.held = None;
        self.foreseen.clear();
        if start == Start::Level {
            self.plans = 0;
        }
        self.bed = Bed::find(frame);
        let found = self.bed.as_ref().and_then(|bed| bed::pieces(frame, mask, bed, None));
        self.side = found.filter(|it| !it.0.is_empty()).map(|it| it.1);
        if self.side.is_none() {
            self.bed = None;
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.is_surprised = false;
        let (Some(bed), Some(after), Action::Click(at)) = (&self.bed, step.after(), step.action) else { return };
        let (old, new) = (bed.look(step.before), bed.look(after));
        if let Some(foreseen) = self.foreseen.pop_front() {
            self.is_surprised = foreseen.as_ref().is_some_and(|it| *it != new);
            self.surprises += u32::from(self.is_surprised);
            self.laid += u32::from(foreseen.is_some() && !self.is_surprised);
        }
        let tile = bed.tile_at(at);
        let changed = step.before.differences(after).is_some_and(|mut it| it.any(|at| !mask.hides(at)));
        let (Some(before), Some(later)) = (self.pieces(step.before, mask), self.pieces(after, mask)) else { return };
        if later.len() > before.len() {
            self.held = later.iter().position(|it| before.iter().all(|other| other.grab != it.grab));
        } else if let Some(piece) = self.held.and_then(|it| before.get(it)).filter(|_| later.len() < before.len()) {
            let piece = piece.clone();
            match tile {
                Some(tile) => self.put(&piece, tile, &new),
                None => self.held = None,
            }
        } else if let Some(index) = self.meant(&before, at).filter(|_| tile.is_none() && old == new) {
            self.picked(index, &before, &later, changed);
        }
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.proposed.clear();
        let is_doubtful = self.surprises >= DOUBTS + self.laid;
        if self.plans >= PLANS || is_doubtful || !actions.contains(ActionId::Action6) {
            return None;
        }
        let pieces = self.pieces(frame, mask).filter(|it| !it.is_empty())?;
        self.plan(frame, &pieces).or_else(|| self.experiment(&pieces)).or_else(|| self.lift(frame))
    }

    fn gives_up(&self) -> bool {
        self.is_surprised
    }

    fn taken_up(&mut self) {
        self.foreseen = std::mem::take(&mut self.proposed);
        self.plans += 1;
    }
}

#[cfg(test)]
mod tests;
