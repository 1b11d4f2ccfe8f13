//! What clicks and keys do to boards as a whole: cells that answer by a stencil, and slots whose content a button moves on.
//!
//! Sites learn a colour at a time what a click does; these learn from one click what it does to all cells. Which of them
//! foresees clicks better is counted for each kind of board, and the better one speaks.

use env_client::{Action, Grid, Key, Point};

use super::{claim::Claim, sprite::Vector, view::View};
use crate::{Cells, InterfaceMask, Start, Transition, tracks::Tracks};

/// By how many answers one of two can lead: so many are enough to hand over to the other one. A guess.
const LEAD: i32 = 4;

/// Marks claims about buttons that were not pressed yet.
const GUESS: u64 = 0x9e55;

/// Every board of the present level.
#[derive(Clone, Debug, Default)]
pub(super) struct Boards {
    cells: Cells,
    tracks: Tracks,
    /// How much more often cells and tracks were right than the other mechanisms.
    leads: [i32; 2],
}

/// Who foresees what an action does to a board, as an index of its lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Cells,
    Tracks,
}

impl Boards {
    /// A level begins, or begins again, with this frame.
    pub(super) fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.cells.begin(frame, mask, start);
        self.tracks.begin(frame, mask, start);
    }

    /// What an action makes of the whole frame, if boards have foreseen such things better than other mechanisms.
    pub(super) fn expect(&self, view: &View<'_>) -> Option<Claim> {
        let trusted = |kind: Kind| self.leads[kind as usize] >= 0;
        let (kind, next) = self.answers(view.frame, view.action, trusted).next()?;
        let mut claim = Claim::by(4);
        if kind == Kind::Tracks && view.action.point().is_some_and(|at| self.tracks.is_guess(at)) {
            claim.support = 0;
            claim.marked(GUESS);
        }
        let changed = view.frame.differences(&next).into_iter().flatten();
        claim.edits.extend(changed.map(|at| (Vector::new(i16::from(at.x()), i16::from(at.y())), next[at])));
        Some(claim)
    }

    /// The frame after an action, but for the interface, by every kind of board that has an answer among these kinds.
    fn answers(
        &self,
        frame: &Grid,
        action: Action,
        among: impl Fn(Kind) -> bool,
    ) -> impl Iterator<Item = (Kind, Grid)> {
        let kinds = [Kind::Tracks, Kind::Cells].into_iter().filter(move |kind| among(*kind));
        kinds.filter_map(move |kind| Some((kind, self.answer(kind, frame, action)?)))
    }

    fn answer(&self, kind: Kind, frame: &Grid, action: Action) -> Option<Grid> {
        match (kind, action) {
            (Kind::Tracks, Action::Click(at)) => self.tracks.foresee(frame, at),
            (Kind::Tracks, Action::Key(_)) => None,
            (Kind::Cells, Action::Click(at)) => self.click(frame, at),
            (Kind::Cells, Action::Key(key)) => self.press(frame, key),
        }
    }

    /// Most keys move no board: a search asks about each of them in every frame, so nothing is read before that is known.
    fn press(&self, frame: &Grid, key: Key) -> Option<Grid> {
        self.cells.shifts().find(|(known, _)| *known == key)?;
        self.cells.draw(frame, &self.cells.shift(&self.cells.read(frame)?, key)?)
    }

    fn click(&self, frame: &Grid, at: Point) -> Option<Grid> {
        let cell = Some(&self.cells).filter(|cells| cells.is_trusted())?.answering(at)?;
        self.cells.draw(frame, &self.cells.foresee(&self.cells.read(frame)?, cell)?)
    }

    /// Whether any board has an answer to an action.
    pub(super) fn answers_to(&self, frame: &Grid, action: Action) -> bool {
        self.answers(frame, action, |_| true).next().is_some()
    }

    /// Learns who foresaw a step: the boards, or the others, who said this.
    pub(super) fn compare(&mut self, step: &Transition<'_>, others: Option<&Grid>, mask: &InterfaceMask) {
        let Some(after) = step.after() else { return };
        let right = |frame: &Grid| frame.differences(after).is_some_and(|mut cells| cells.all(|at| mask.hides(at)));
        let answers: Vec<(Kind, bool)> =
            self.answers(step.before, step.action, |_| true).map(|(kind, own)| (kind, right(&own))).collect();
        let others = others.is_some_and(right);
        for (kind, own) in answers {
            let lead = &mut self.leads[kind as usize];
            *lead = (*lead + i32::from(own) - i32::from(others)).clamp(-LEAD, LEAD);
        }
    }

    /// Learns from a step.
    pub(super) fn learn(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.cells.observe(step, mask);
        self.tracks.observe(step);
    }
}
