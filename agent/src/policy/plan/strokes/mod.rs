//! The skill of clicks in a row: from square to square, along a way or through a figure.
//!
//! # Layout
//! - [`Strokes`] (here): which rows of clicks are worth a try, and what came of them.
//! - [`join`]: ways between end points, [`flow`]: those of several pairs together; [`cover`]: ways through figures; [`raster`]: their squares;
//!   [`tiles`] with seams between them; [`trail`]: nodes of a drawing, so that each of its lines is gone along once;
//!   [`strip`]: tiles in the order that a strip of tiles tells; [`spread`]: what a click does to the tiles around;
//!   [`progress`]: how far such a row has come.
//!
//! # The one decision
//! Nothing has to be understood of what a single click does: in such games it does nothing, or something that only the
//! next one makes sense of. A row of clicks is a guess that is tried as a whole, the shortest first; the price is bounded,
//! and a kind of guess that solved a level comes before everything else in the next one.

mod cover;
mod flow;
mod join;
mod progress;
mod raster;
mod spread;
mod strip;
mod tiles;
mod trail;

use std::collections::{HashMap, HashSet};

use env_client::{Action, ActionId, ActionSet, Grid, Key, Point};
use world_model::{InterfaceMask, Outcome, Start, Transition};

use self::{
    join::Ends,
    progress::Progress,
    strip::{Chain, Look},
};
use super::{
    ledger::TIER,
    skill::{Move, Proposal, Skill},
};

/// A row of a kind that solved a level, and any other.
const WON: f32 = 0.2 * TIER;
const NEW: f32 = 1.55 * TIER;
/// One that a strip or lines between nodes tell, and one where such told one before, if in another way.
const TOLD: f32 = 0.9 * TIER;
const TOLD_AGAIN: f32 = 0.25 * TIER;
/// Any other where a level was solved in another way.
const LATE: f32 = 3.0 * TIER;
/// What a click of a row counts that nobody knows to win: rows of up to four come before a click on each class of things,
/// which may be half a row.
const RISK: f32 = 1.2;
/// Clicks in one row that is a mere guess, and in one of a kind that won.
const LONG: usize = 24;
const LONGEST: usize = 64;
/// Clicks for nothing in one level, and in all of a game while no row won.
const IN_LEVEL: usize = 32;
const IN_GAME: usize = 80;
/// How often one row is tried: an earlier click may have been half a pair, or have begun a way at its other end.
const ATTEMPTS: u32 = 2;
/// Pixels that a single click changes where it is understood by itself, and such clicks after which rows get a third of
/// their clicks only.
const ANSWER: usize = 16;
const ANSWERS: u32 = 2;
/// Levels that something else solved before rows are left alone, if none of them ever won.
const ELSEWHERE: u32 = 2;
/// Sides of end points and tiles, in frame cells.
const SIDES: std::ops::RangeInclusive<u8> = 2..=16;
/// Clicks in a row that change nothing at all before the rest is spared.
const IDLE: usize = 3;
/// Rows that were given up so, while none of this level changed anything, after which there are none.
const DEAD_ROWS: usize = 2;

/// What carries over to the next level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Cover,
    Join(Ends),
    Strip(Look, Chain),
    Trail,
}

impl Kind {
    fn goal(self) -> &'static str {
        match self {
            Kind::Cover => "a click on every square of a figure, neighbour after neighbour",
            Kind::Join(Ends::Alike) => "a way between those of one colour",
            Kind::Join(Ends::Full) => "ways between those of one colour that leave nothing over",
            Kind::Join(Ends::Unlike) => "a way between the only ones of their colours",
            Kind::Join(Ends::Together) => "a way through all that may be its ends",
            Kind::Trail => "once along every line of a drawing",
            Kind::Strip(..) => "tiles in the order that a strip of them tells",
        }
    }
}

/// Whether a drawing tells rows of a kind.
fn is_told(kind: Kind) -> bool {
    matches!(kind, Kind::Strip(..) | Kind::Trail)
}

/// A row of clicks.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stroke {
    kind: Kind,
    /// Of its squares.
    side: Option<u8>,
    clicks: Vec<Point>,
}

/// The row that is being clicked.
#[derive(Debug)]
struct Underway {
    stroke: Stroke,
    /// Actions still to take, and how many of them come after the last click.
    left: usize,
    submits: usize,
    /// Clicks since one changed anything, and whether they are too many.
    idle: usize,
    is_dead: bool,
}

impl Underway {
    /// Whether all of a row was clicked, or most of a figure: where clicks beside each other are refused, the last may be
    /// one too many.
    fn is_mostly_done(&self) -> bool {
        let spared = if self.stroke.kind == Kind::Cover { self.stroke.clicks.len() / 2 } else { 0 };
        self.left <= self.submits + spared
    }
}

/// Tries rows of clicks.
#[derive(Debug, Default)]
pub(super) struct Strokes {
    /// How often rows of a kind solved a level.
    won: HashMap<Kind, u32>,
    /// Levels that something else solved.
    elsewhere: u32,
    /// Single clicks that did much.
    answers: u32,
    /// The squares of the figure that solved one.
    side: Option<u8>,
    first: Option<Grid>,
    progress: Progress,
    /// Whether the last click came out otherwise than what was known foresaw.
    is_surprised: bool,
    /// Whether a click of a row changed anything in this level: others may although nobody sees it yet.
    is_alive: bool,
    /// What may be tried in this level, with as much interface as was known then and so many clicks of a row that counted.
    known: Option<((usize, usize), Vec<Stroke>)>,
    attempts: HashMap<Vec<Point>, u32>,
    given_up: HashSet<Vec<Point>>,
    in_level: usize,
    in_game: usize,
    offer: Option<Underway>,
    pending: Option<Underway>,
}

impl Strokes {
    /// Looks for rows again, where something new is known.
    fn look(&mut self, now: &Grid, mask: &InterfaceMask) {
        let now_known = (mask.len(), self.progress.clicks());
        if self.known.as_ref().is_none_or(|(known, _)| *known != now_known) {
            let strokes = self.first.as_ref().map(|first| self.strokes(first, now, mask)).unwrap_or_default();
            self.known = Some((now_known, strokes));
        }
    }

    fn strokes(&self, first: &Grid, now: &Grid, mask: &InterfaceMask) -> Vec<Stroke> {
        let covers = cover::covers(first, mask, self.side, self.longest(Kind::Cover)).into_iter();
        let covers = covers.map(|it| Stroke { kind: Kind::Cover, side: Some(it.side), clicks: it.clicks });
        let joins = join::joins(first, mask).into_iter();
        let joins = joins.map(|it| Stroke { kind: Kind::Join(it.ends), side: None, clicks: it.clicks });
        let strips = strip::strips(first, mask, self.progress.known(now)).into_iter();
        let strips = strips.map(|it| Stroke { kind: Kind::Strip(it.look, it.chain), side: None, clicks: it.clicks });
        let trails = trail::trails(first, mask).into_iter();
        let trails = trails.map(|clicks| Stroke { kind: Kind::Trail, side: None, clicks });
        covers.chain(joins).chain(strips).chain(trails).filter(|it| it.clicks.len() <= self.longest(it.kind)).collect()
    }

    fn longest(&self, kind: Kind) -> usize {
        if self.has_won(kind) || self.is_next(kind) { LONGEST } else { LONG }
    }

    /// Whether rows of a kind are what may be wanted after those that won: ways that leave nothing over.
    fn is_next(&self, kind: Kind) -> bool {
        kind == Kind::Join(Ends::Full) && self.has_won(Kind::Join(Ends::Alike))
    }

    fn has_won(&self, kind: Kind) -> bool {
        self.won.contains_key(&kind)
    }

    fn score(&self, stroke: &Stroke) -> f32 {
        let length = stroke.clicks.len() as f32;
        match self.has_won(stroke.kind) {
            true => WON + length,
            false if self.is_next(stroke.kind) => TOLD_AGAIN + RISK * length,
            false if is_told(stroke.kind) && self.won.keys().copied().any(is_told) => TOLD_AGAIN + RISK * length,
            false if is_told(stroke.kind) => TOLD + RISK * length,
            false if self.elsewhere > 0 => LATE + RISK * length,
            false => NEW + RISK * length,
        }
    }

    fn is_open(&self, stroke: &Stroke) -> bool {
        let tried = self.attempts.get(&stroke.clicks).copied().unwrap_or_default();
        let is_hopeless = self.won.is_empty() && (self.in_game >= IN_GAME || self.elsewhere >= ELSEWHERE);
        let in_level = if self.answers >= ANSWERS { IN_LEVEL / 3 } else { IN_LEVEL };
        let is_dead = !self.is_alive && self.given_up.len() >= DEAD_ROWS;
        let is_sure = self.has_won(stroke.kind) || self.is_next(stroke.kind);
        let is_spent = (is_hopeless || is_dead || self.in_level >= in_level) && !is_sure;
        // What leaves something over and is short comes first.
        let is_early = stroke.kind == Kind::Join(Ends::Full) && !self.is_alive && !is_sure;
        !is_spent && !is_early && tried < ATTEMPTS && !self.given_up.contains(&stroke.clicks)
    }
}

impl Skill for Strokes {
    fn name(&self) -> &'static str {
        "strokes"
    }

    fn begin(&mut self, frame: &Grid, _mask: &InterfaceMask, start: Start) {
        self.pending = None;
        self.progress.begin(start == Start::Level);
        if start == Start::Level {
            self.first = Some(frame.clone());
            self.known = None;
            self.attempts.clear();
            self.given_up.clear();
            self.in_level = 0;
            self.is_alive = false;
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.elsewhere += u32::from(step.outcome == Outcome::Solved && self.pending.is_none());
        let Some(underway) = &mut self.pending else {
            self.answers += u32::from(step.action.point().is_some() && answers(step, mask));
            return;
        };
        if let (Kind::Strip(..), Some(first)) = (underway.stroke.kind, &self.first) {
            self.is_surprised = self.progress.observe(step, first, mask);
            self.known = self.known.take().filter(|_| !self.is_surprised);
        }
        underway.left = underway.left.saturating_sub(1);
        let mut changed = step.after().into_iter().filter_map(|after| step.before.differences(after)).flatten();
        let is_idle = step.after().is_some() && changed.all(|at| mask.hides(at));
        underway.idle = if is_idle { underway.idle + 1 } else { 0 };
        let again = self.attempts.get(&underway.stroke.clicks).is_some_and(|attempts| *attempts > 1);
        if step.outcome == Outcome::Solved && (underway.is_mostly_done() || again) {
            *self.won.entry(underway.stroke.kind).or_default() += 1;
            self.side = underway.stroke.side.or(self.side);
        }
        self.is_alive |= !is_idle && underway.left > 0;
        underway.is_dead = underway.idle >= IDLE && !(self.is_alive && matches!(underway.stroke.kind, Kind::Join(_)));
        if underway.is_dead {
            self.given_up.insert(underway.stroke.clicks.clone());
        }
        (self.in_level, self.in_game) = (self.in_level + 1, self.in_game + 1);
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        (self.offer, self.pending, self.is_surprised) = (None, None, false);
        if !actions.contains(ActionId::Action6) {
            return None;
        }
        self.look(frame, mask);
        let (_, strokes) = self.known.as_ref()?;
        let open = strokes.iter().filter(|it| self.is_open(it));
        let stroke = open.min_by(|a, b| self.score(a).total_cmp(&self.score(b)))?.clone();
        let mut clicks: Vec<Action> = stroke.clicks.iter().map(|at| Action::Click(*at)).collect();
        if self.attempts.contains_key(&stroke.clicks) && matches!(stroke.kind, Kind::Join(_)) {
            clicks.reverse();
        }
        let submit = actions.contains(ActionId::Action5).then_some(Action::Key(Key::Key5));
        let submits = usize::from(submit.is_some());
        let steps = clicks.into_iter().chain(submit).map(|action| Move { action, expected: None });
        let proposal =
            Proposal { steps: steps.collect(), goal: stroke.kind.goal().to_owned(), score: self.score(&stroke) };
        self.offer = Some(Underway { stroke, left: proposal.steps.len(), submits, idle: 0, is_dead: false });
        Some(proposal)
    }

    fn gives_up(&self) -> bool {
        self.is_surprised || self.pending.as_ref().is_some_and(|it| it.is_dead)
    }

    fn taken_up(&mut self) {
        self.pending = self.offer.take();
        if let Some(underway) = &self.pending {
            *self.attempts.entry(underway.stroke.clicks.clone()).or_default() += 1;
        }
    }
}

/// Whether a step changes much of the world.
fn answers(step: &Transition<'_>, mask: &InterfaceMask) -> bool {
    let changed = step.after().and_then(|after| step.before.differences(after));
    step.outcome == Outcome::Continues && changed.is_some_and(|it| it.filter(|at| !mask.hides(*at)).count() >= ANSWER)
}

#[cfg(test)]
mod tests;
