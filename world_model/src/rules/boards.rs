//! What clicks and keys do to boards as a whole: cells that answer by a stencil, and slots whose content a button moves on.
//!
//! Sites learn a colour at a time what a click does; these learn from one click what it does to all cells. Which of the two
//! foresees clicks better is counted, and the better one speaks.

use env_client::{Action, Grid, Point};

use super::{claim::Claim, sprite::Vector, view::View};
use crate::{Cells, InterfaceMask, Start, Transition, tracks::Tracks};

/// By how many answers one of the two can lead: so many are enough to hand over to the other one. A guess.
const LEAD: i32 = 4;

/// Every board of the present level.
#[derive(Clone, Debug, Default)]
pub(super) struct Boards {
    cells: Cells,
    tracks: Tracks,
    /// How much more often they were right than the other mechanisms.
    lead: i32,
}

impl Boards {
    /// A level begins, or begins again, with this frame.
    pub(super) fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.cells.begin(frame, mask, start);
        self.tracks.begin(frame, mask, start);
    }

    /// What an action makes of the whole frame, if boards have foreseen such things better than other mechanisms.
    pub(super) fn expect(&self, view: &View<'_>) -> Option<Claim> {
        let next = Some(view.action).filter(|_| self.lead >= 0).and_then(|action| self.foresee(view.frame, action))?;
        let mut claim = Claim::by(4);
        let changed = view.frame.differences(&next).into_iter().flatten();
        claim.edits.extend(changed.map(|at| (Vector::new(i16::from(at.x()), i16::from(at.y())), next[at])));
        Some(claim)
    }

    /// The frame after an action, but for the interface.
    pub(super) fn foresee(&self, frame: &Grid, action: Action) -> Option<Grid> {
        match action {
            Action::Click(at) => self.tracks.foresee(frame, at).or_else(|| self.click(frame, at)),
            Action::Key(key) => {
                let now = self.cells.read(frame)?;
                self.cells.draw(frame, &self.cells.shift(&now, key)?)
            }
        }
    }

    fn click(&self, frame: &Grid, at: Point) -> Option<Grid> {
        let cell = Some(&self.cells).filter(|cells| cells.is_trusted())?.answering(at)?;
        self.cells.draw(frame, &self.cells.foresee(&self.cells.read(frame)?, cell)?)
    }

    /// Learns who foresaw a step: the boards, or the others, who said this.
    pub(super) fn compare(&mut self, step: &Transition<'_>, others: Option<&Grid>, mask: &InterfaceMask) {
        let (Some(after), Some(own)) = (step.after(), self.foresee(step.before, step.action)) else { return };
        let right = |frame: &Grid| frame.differences(after).is_some_and(|mut cells| cells.all(|at| mask.hides(at)));
        let (own, others) = (right(&own), others.is_some_and(right));
        self.lead = (self.lead + i32::from(own) - i32::from(others)).clamp(-LEAD, LEAD);
    }

    /// Learns from a step.
    pub(super) fn learn(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.cells.observe(step, mask);
        self.tracks.observe(step);
    }
}
