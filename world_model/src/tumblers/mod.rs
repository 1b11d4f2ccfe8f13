//! A piece that takes another form with every step: a block that rolls over its edges, a thing that stretches and draws in.
//!
//! # Layout
//! - [`Tumblers`] (here): which forms there are, where the piece stands, and what it can stand on.
//! - `form`: one of the forms. `turns`: which one a key makes of another, and where.
//!
//! # The one decision
//! A piece is what is not the level: where it was the ground comes to light, and where it comes nothing was before. So a form
//! needs no likeness to the one before, but each is taken to have a twin with columns for rows. What a key makes of it depends on the form alone; what it stands on decides, by colour
//! and by form, whether it gets there. A piece that was put back to where it began was stopped as well.

mod form;
#[cfg(test)]
mod tests;
mod turns;

use std::collections::{HashMap, HashSet};

use env_client::{Action, Color, Grid, Key, Point};

use self::{form::Form, turns::Turns};
use crate::{InterfaceMask, Outcome, Start, Transition};

/// Columns and rows.
pub type Place = (i16, i16);

/// Forms that one piece has at most: as a box lies in so many ways. And cells of one: a guess.
const FORMS: usize = 6;
const CELLS: usize = 600;
/// Cells between a form and the farthest of the next one, beyond its own size: more is something else. A guess.
const REACH: i16 = 16;
/// Steps that came out as foretold by which the piece is understood, and those of them that changed how much it covers: one
/// in so many at least, since what walks and pushes something now and then is no such piece. Surprises of which each has to be
/// outweighed by so many steps as foretold. Guesses.
const PROVEN: u32 = 3;
const RESIZED: u32 = 2;
const SHARE: u32 = 3;
const DOUBT: u32 = 4;

/// Where the piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stand {
    /// The number of its form.
    pub form: usize,
    /// The upper left corner of its box.
    pub at: Place,
}

/// What is known of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It leads there.
    Open(Stand),
    /// It leads there if nobody minds what it stands on then.
    Dared(Stand),
    /// Nobody knows what the key makes of the form.
    Unknown,
    /// It is stopped, or put back.
    Closed,
}

/// Learns how one piece changes its form.
#[derive(Clone, Debug, Default)]
pub struct Tumblers {
    forms: Vec<Form>,
    turns: Turns,
    /// How often a form came to stand on a colour, and how often that alone may have stopped it.
    grounds: HashMap<(usize, Color), (u32, u32)>,
    /// Steps that came out as foretold, those of them that changed how much it covers, and those that did not.
    foretold: u32,
    resized: u32,
    surprises: u32,
    /// The level without the piece, and the cells below it that nobody saw yet.
    base: Option<Grid>,
    unseen: HashSet<Point>,
    start: Option<Stand>,
    stand: Option<Stand>,
    /// Steps of this level that were stopped for no other reason than where they were taken.
    refused: HashSet<(Stand, Key)>,
    /// How it stood, and on what, when levels were solved.
    won: Vec<(usize, Vec<Color>)>,
    lessons: u32,
}

impl Tumblers {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid, start: Start) {
        if start == Start::Level {
            self.base = None;
            self.refused.clear();
        }
        self.stand = self.find(frame);
        let covered = self.cells(frame, self.stand);
        let mut base = frame.clone();
        if let Some(old) = &self.base {
            for at in &covered {
                base.set(*at, old[*at]);
            }
        } else {
            (self.start, self.unseen) = (self.stand, covered.into_iter().collect());
        }
        self.base = Some(base);
    }

    /// Learns from one action.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let (Action::Key(key), Some(after)) = (step.action, step.layers.last()) else { return };
        match (self.stand, step.outcome) {
            (Some(stand), Outcome::Continues) => self.stepped(stand, key, (step.before, after), mask),
            (Some(stand), Outcome::Lost) => self.stopped(stand, key),
            (Some(stand), Outcome::Solved) => {
                self.won.extend(self.ahead(stand, key).map(|it| (it.form, self.under(it))));
            }
            (None, Outcome::Continues) => self.meet(key, (step.before, after), mask),
            (None, _) => {}
        }
    }

    /// Whether it is known that a piece changes its form, and how.
    pub fn is_understood(&self) -> bool {
        let changes = self.resized >= RESIZED && SHARE * self.resized >= self.foretold;
        self.foretold >= PROVEN && changes && self.foretold >= DOUBT * self.surprises
    }

    /// Where the piece is.
    pub fn stand(&self) -> Option<Stand> {
        self.stand
    }

    /// How often anything was learned so far.
    pub fn lessons(&self) -> u32 {
        self.lessons
    }

    /// The level without the piece, as far as it is known.
    pub fn base(&self) -> Option<&Grid> {
        self.base.as_ref()
    }

    /// Whether nobody saw yet what lies below the piece at a cell.
    pub fn hides(&self, at: Point) -> bool {
        self.unseen.contains(&at)
    }

    /// The most cells that any form covers.
    pub fn area(&self) -> usize {
        self.forms.iter().map(Form::area).max().unwrap_or_default()
    }

    /// The columns and rows of the box around the piece.
    pub fn size(&self, stand: Stand) -> Place {
        self.forms[stand.form].size
    }

    /// The colours that the piece would stand on.
    pub fn under(&self, stand: Stand) -> Vec<Color> {
        let Some(base) = &self.base else { return Vec::new() };
        let cells = self.cells(base, Some(stand));
        let mut colors: Vec<Color> = cells.iter().filter(|at| !self.unseen.contains(at)).map(|at| base[*at]).collect();
        colors.sort_unstable();
        colors.dedup();
        colors
    }

    /// Whether a level was solved by standing so.
    pub fn has_won(&self, stand: Stand) -> bool {
        let under = self.under(stand);
        self.won.iter().any(|(form, colors)| *form == stand.form && *colors == under)
    }

    /// What comes of a key.
    pub fn way(&self, stand: Stand, key: Key) -> Way {
        if self.refused.contains(&(stand, key)) {
            return Way::Closed;
        }
        let Some(next) = self.ahead(stand, key) else { return Way::Unknown };
        let inside = self.base.as_ref().and_then(|base| self.forms[next.form].footprint(base, next.at));
        let standing = self.under(next).into_iter().map(|color| self.bears(next.form, color));
        let bears = standing.collect::<Option<Vec<bool>>>().map(|all| all.into_iter().all(|it| it));
        match (inside, bears) {
            (None, _) | (_, Some(false)) => Way::Closed,
            (_, Some(true)) => Way::Open(next),
            (_, None) => Way::Dared(next),
        }
    }

    /// Where a key should take the piece if nothing stops it.
    fn ahead(&self, stand: Stand, key: Key) -> Option<Stand> {
        let (form, (x, y)) = self.turns.of(&self.forms, stand.form, key)?;
        Some(Stand { form, at: (stand.at.0 + x, stand.at.1 + y) })
    }

    /// Whether a form can stand on a colour, if anybody knows: if it did, else if another one did.
    fn bears(&self, form: usize, color: Color) -> Option<bool> {
        match self.grounds.get(&(form, color)) {
            Some((1.., _)) => Some(true),
            Some((0, 1..)) => Some(false),
            _ => {
                let others = self.grounds.iter().filter(|((_, it), _)| *it == color).map(|(_, known)| *known);
                let (free, stopped) = others.fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
                if free > 0 { Some(true) } else { (stopped > 0).then_some(false) }
            }
        }
    }

    /// The cells of a stand that lie in the frame.
    fn cells(&self, frame: &Grid, stand: Option<Stand>) -> Vec<Point> {
        stand.and_then(|it| self.forms[it.form].footprint(frame, it.at)).unwrap_or_default()
    }

    /// Where a frame shows the piece in any of its forms, the largest one first; nothing unless that is told by one alone.
    fn find(&self, frame: &Grid) -> Option<Stand> {
        let mut forms: Vec<usize> = (0..self.forms.len()).collect();
        forms.sort_by_key(|it| std::cmp::Reverse(self.forms[*it].area()));
        let found = forms.into_iter().map(|form| (form, self.forms[form].find(frame)));
        let (form, places) = found.into_iter().find(|(_, places)| !places.is_empty())?;
        (places.len() == 1).then(|| Stand { form, at: places[0] })
    }

    /// Learns from a step of the piece.
    fn stepped(&mut self, from: Stand, key: Key, (before, after): (&Grid, &Grid), mask: &InterfaceMask) {
        let ahead = self.ahead(from, key).filter(|it| *it != from);
        let is_at = |it: &Stand| self.forms[it.form].is_at(after, it.at);
        if let Some(to) = ahead.filter(|it| is_at(it) && !is_at(&from)) {
            self.foretold += 1;
            self.resized += u32::from(self.is_resized(from, to));
            self.went(from, key, to, (before, after), mask);
        } else if is_at(&from) {
            self.remember((from, from), (before, after), mask);
            self.stopped(from, key);
        } else if let Some(start) = self.start.filter(is_at) {
            self.remember((from, start), (before, after), mask);
            self.stopped(from, key);
            self.stand = Some(start);
        } else if let Some(to) = self.unfolded(from, (before, after), mask) {
            self.surprises += u32::from(ahead.is_some());
            self.went(from, key, to, (before, after), mask);
        } else {
            self.surprises += u32::from(ahead.is_some());
            self.stand = None;
        }
    }

    /// Whether the piece covers half as much again, or so much less.
    fn is_resized(&self, from: Stand, to: Stand) -> bool {
        let (one, other) = (self.forms[from.form].area(), self.forms[to.form].area());
        2 * one.max(other) >= 3 * one.min(other)
    }

    /// The piece went from one stand to another.
    fn went(&mut self, from: Stand, key: Key, to: Stand, frames: (&Grid, &Grid), mask: &InterfaceMask) {
        let turn = (to.form, (to.at.0 - from.at.0, to.at.1 - from.at.1));
        self.lessons += u32::from(self.turns.learn(from.form, key, turn));
        self.remember((from, to), frames, mask);
        for color in self.under(to) {
            let known = self.grounds.entry((to.form, color)).or_default();
            self.lessons += u32::from(known.0 == 0);
            known.0 += 1;
        }
        self.stand = Some(to);
    }

    /// Something stopped the piece, or it was put back: of the colours that nobody stood on so far, else of those that this form
    /// never stood on, what it would cover most of is to blame, since what shares a cell with that may be harmless elsewhere;
    /// without any, the place is.
    fn stopped(&mut self, from: Stand, key: Key) {
        self.lessons += u32::from(self.refused.insert((from, key)));
        let Some((to, base)) = self.ahead(from, key).zip(self.base.as_ref()) else { return };
        let cells = self.cells(base, Some(to));
        let cover = |color: &Color| cells.iter().filter(|at| base[**at] == *color).count();
        let stood = |color: &Color| self.grounds.get(&(to.form, *color)).is_some_and(|known| known.0 > 0);
        let under = self.under(to);
        let new: Vec<Color> = under.iter().copied().filter(|it| self.bears(to.form, *it) != Some(true)).collect();
        let suspects = if new.is_empty() { under.into_iter().filter(|it| !stood(it)).collect() } else { new };
        if let Some(color) = suspects.into_iter().max_by_key(cover) {
            self.grounds.entry((to.form, color)).or_default().1 += 1;
        }
    }

    /// Keeps the level as it is seen now but for the piece, which went from one stand to another.
    fn remember(&mut self, (from, to): (Stand, Stand), (before, after): (&Grid, &Grid), mask: &InterfaceMask) {
        let (left, covered) = (self.cells(after, Some(from)), self.cells(after, Some(to)));
        let Some(base) = &mut self.base else { return };
        for at in left.into_iter().filter(|at| !covered.contains(at)) {
            base.set(at, after[at]);
            self.unseen.remove(&at);
        }
        let changed = before.differences(after).into_iter().flatten();
        let apart = changed.filter(|at| !mask.hides(*at) && !covered.contains(at));
        for at in apart {
            self.lessons += u32::from(base[at] != after[at]);
            base.set(at, after[at]);
        }
    }

    /// What the piece became that nobody foretold: all that is not as the level was, near to where it was.
    fn unfolded(&mut self, from: Stand, (before, after): (&Grid, &Grid), mask: &InterfaceMask) -> Option<Stand> {
        let base = self.base.as_ref()?;
        let size = self.forms[from.form].size;
        let reach = REACH + size.0.max(size.1);
        let is_near = |at: &Point| {
            let off = |at: u8, low: i16, size: i16| (low - i16::from(at)).max(i16::from(at) - (low + size - 1));
            off(at.x(), from.at.0, size.0).max(off(at.y(), from.at.1, size.1)) <= reach
        };
        let own = self.cells(before, Some(from));
        if own.iter().any(|at| before[*at] == after[*at]) {
            return None;
        }
        let changed = before.differences(after).into_iter().flatten().filter(|at| !mask.hides(*at) && is_near(at));
        let new: Vec<Point> = changed.filter(|at| !own.contains(at) && after[*at] != base[*at]).collect();
        self.formed(after, &new)
    }

    /// The stand of a piece that covers these cells, whose form may be a new one.
    fn formed(&mut self, frame: &Grid, cells: &[Point]) -> Option<Stand> {
        let (form, at) = Form::cut(frame, cells).filter(|(form, _)| form.area() <= CELLS)?;
        let known = self.forms.iter().position(|it| *it == form);
        if known.is_none() && self.forms.len() >= FORMS {
            return None;
        }
        let number = known.unwrap_or_else(|| {
            let twin = form.transposed();
            self.forms.push(form);
            let number = self.forms.len() - 1;
            if self.forms.len() < FORMS && !self.forms.contains(&twin) {
                self.forms.push(twin);
            }
            number
        });
        Some(Stand { form: number, at })
    }

    /// The piece goes for the first time: of the cells that changed it left those that were rarer before, and came to those
    /// that are rarer now.
    fn meet(&mut self, key: Key, (before, after): (&Grid, &Grid), mask: &InterfaceMask) {
        let mut counts = [0u32; Color::COUNT];
        before.points().filter(|at| !mask.hides(*at)).for_each(|at| counts[before[at].index()] += 1);
        let count = |frame: &Grid, at: &Point| counts[frame[*at].index()];
        let changed = before.differences(after).into_iter().flatten().filter(|at| !mask.hides(*at));
        let (came, left): (Vec<Point>, Vec<Point>) = changed.partition(|at| count(before, at) > count(after, at));
        if came.is_empty() || left.is_empty() {
            return;
        }
        let Some((from, to)) = self.formed(before, &left).zip(self.formed(after, &came)) else { return self.forget() };
        let is_first = self.start.is_none();
        (self.base, self.unseen) = (Some(before.clone()), left.into_iter().collect());
        if is_first {
            self.start = Some(from);
        }
        self.went(from, key, to, (before, after), mask);
    }

    /// What was taken for a piece was none.
    fn forget(&mut self) {
        if !self.is_understood() {
            *self = Tumblers { base: self.base.take(), ..Tumblers::default() };
        }
    }
}
