//! Stacks of tiles: a click takes the uppermost tile of one, and a second click lays it on another.
//!
//! # Layout
//! - [`Stacks`] (here): which tile was taken and laid where, and what may lie on what. Start here.
//! - `lanes`: stacks of rectangles that stand side by side on one floor.
//! - `rows`: stacks of drawn `pieces` that lie in any direction on what holds them, or in it.
//! - `turns`: what went from one stack to another.
//!
//! # The one decision
//! How a tile looks while it is held is nobody's business: a frame before the one click is compared with the frame after the
//! other. Where exactly one tile went from the top of one stack to the top of another, there are stacks; its measures tell
//! where they stand.

mod lanes;
mod pieces;
mod rows;
#[cfg(test)]
mod tests;
mod turns;

use std::collections::BTreeMap;

use env_client::{Action, Color, Grid, Point};

use self::{
    lanes::{Lanes, Manner, Shift},
    rows::{Build, Rows},
    turns::{is_all_different, is_move, turn},
};
use crate::{InterfaceMask, Outcome, Start, Transition};

/// One tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tile {
    /// What it looks like.
    pub color: Color,
    /// In cells.
    pub width: u8,
    /// What is drawn, where it is no rectangle.
    pub form: u64,
}

/// What lies in every stack, from the left to the right, the lowest tile first.
pub type Layout = Vec<Vec<Tile>>;

/// What a stack takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Terms {
    /// No more tiles than these, as far as was seen.
    pub room: usize,
    /// Whether a tile may lie on its like alone; `None` where neither was seen.
    pub is_choosy: Option<bool>,
}

/// What is known of stacks in all levels of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Custom {
    Lanes(Manner),
    Rows(Build),
}

/// The stacks of one level.
#[derive(Clone, Debug)]
enum Yard {
    Lanes(Lanes),
    Rows(Rows),
}

impl Yard {
    fn find_again(frame: &Grid, mask: &InterfaceMask, custom: Custom) -> Option<Yard> {
        match custom {
            Custom::Lanes(manner) => Lanes::find_again(frame, mask, manner).map(Yard::Lanes),
            Custom::Rows(build) => Rows::find_again(frame, build).map(Yard::Rows),
        }
    }

    fn custom(&self, frame: &Grid) -> Custom {
        match self {
            Yard::Lanes(it) => Custom::Lanes(it.manner(frame)),
            Yard::Rows(it) => Custom::Rows(it.build()),
        }
    }

    fn read(&self, frame: &Grid) -> Layout {
        match self {
            Yard::Lanes(it) => it.read(frame),
            Yard::Rows(it) => it.read(frame),
        }
    }

    fn at(&self, at: Point) -> Option<usize> {
        match self {
            Yard::Lanes(it) => it.at(at),
            Yard::Rows(it) => it.at(at),
        }
    }

    /// What tells apart stacks that follow different rules.
    fn look(&self, stack: usize) -> u16 {
        match self {
            Yard::Lanes(_) => 0,
            Yard::Rows(it) => it.look(stack),
        }
    }
}

/// Learns where stacks stand.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    /// What tiles of this game measure, and where they stand in this level.
    custom: Option<Custom>,
    yard: Option<Yard>,
    /// The most tiles that lay in one stack when the level began.
    room: usize,
    /// No more tiles than these fit on these stacks of the level: each refused one.
    full: BTreeMap<usize, usize>,
    /// Whether stacks that look like this take a tile on its like alone.
    choosy: BTreeMap<u16, bool>,
    /// The first click of two, and the frame before it.
    held: Option<(Point, Grid)>,
    now: Option<Grid>,
    /// Tiles that were taken from one stack and laid on another.
    moves: u32,
    /// Second clicks that, where stacks are known, neither laid a tile anywhere nor were refused.
    oddities: u32,
}

impl Stacks {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        (self.held, self.now) = (None, Some(frame.clone()));
        if start == Start::Level {
            self.full.clear();
            self.yard = self.custom.and_then(|custom| Yard::find_again(frame, mask, custom));
            self.custom = self.yard.as_ref().map(|yard| yard.custom(frame)).or(self.custom);
            self.room = self.layout().map_or(0, |all| deepest(&all));
        }
    }

    /// Learns from one action.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let held = self.held.take();
        let Some(after) = step.after().filter(|_| step.outcome == Outcome::Continues) else { return };
        self.now = Some(after.clone());
        let Action::Click(at) = step.action else { return };
        let rest = held.as_ref().map_or(step.before, |it| &it.1).clone();
        let read = self.yard.as_ref().map(|it| (it.read(&rest), it.read(after)));
        if let Some((old, new)) = read
            && let Some(is_move) = is_move(&old, &new)
        {
            self.moves += u32::from(is_move);
            self.note_rule(&old, &new);
            if let Some((from, _)) = held.filter(|_| old == new) {
                self.note_refusal(&old, [from, at]);
            }
            return;
        }
        let is_same = |one: &Grid| one.differences(after).is_none_or(|mut cells| cells.all(|at| mask.hides(at)));
        if is_same(&rest) {
            return; // Nothing was taken, or it was laid back.
        }
        if let Some((from, rest)) = held.as_ref().filter(|_| is_same(step.before)) {
            let layout = self.yard.as_ref().map(|it| it.read(rest));
            if let Some(layout) = layout {
                self.note_refusal(&layout, [*from, at]);
            }
            self.held = held; // It is held as before.
            return;
        }
        let taken = held.map(|it| it.0);
        self.oddities += u32::from(taken.is_some() && self.yard.is_some());
        if !taken.is_some_and(|from| self.learn([&rest, after], mask, [from, at])) {
            self.held = Some((at, rest));
        }
    }

    /// A tile may have gone from one stack to another, which tells where all of them stand; whether it did.
    fn learn(&mut self, [rest, after]: [&Grid; 2], mask: &InterfaceMask, clicks: [Point; 2]) -> bool {
        let is_taught = |lanes: &Lanes| is_move(&lanes.read(rest), &lanes.read(after)) == Some(true);
        let lanes = Shift::between([rest, after], mask, clicks)
            .and_then(|shift| Lanes::find(rest, mask, shift.manner(), &shift.centers()))
            .filter(is_taught);
        let rows = || Rows::taught([rest, after], mask).map(Yard::Rows);
        let Some(yard) = lanes.map(Yard::Lanes).or_else(rows) else { return false };
        let old = yard.read(rest);
        let new = yard.read(after);
        self.room = self.room.max(deepest(&old));
        (self.custom, self.yard) = (Some(yard.custom(rest)), Some(yard));
        self.moves += 1;
        self.note_rule(&old, &new);
        true
    }

    /// A stack that took a tile on another kind takes all, and so do those that look like it.
    fn note_rule(&mut self, old: &Layout, new: &Layout) {
        let (Some(yard), Some((_, to))) = (&self.yard, turn(old, new)) else { return };
        if !is_all_different(old)
            && let [.., on, tile] = new[to][..]
            && on != tile
        {
            self.choosy.insert(yard.look(to), false);
        }
    }

    /// A stack that refused a tile has no room for it, or takes it on its like alone, as those do that look like it.
    fn note_refusal(&mut self, layout: &Layout, [from, to]: [Point; 2]) {
        let at = |at: Point| self.yard.as_ref().and_then(|it| it.at(at));
        let (Some(from), Some(to)) = (at(from), at(to)) else { return };
        let Some(tile) = layout[from].last().filter(|_| from != to && layout[to].len() < self.terms()[to].room) else {
            return;
        };
        let look = self.yard.as_ref().map_or(0, |it| it.look(to));
        let is_other = layout[to].last().is_some_and(|on| on != tile) && !is_all_different(layout);
        if is_other && self.choosy.get(&look) != Some(&false) {
            self.choosy.insert(look, true);
        } else if !is_other {
            self.full.insert(to, layout[to].len());
        }
    }

    /// Whether tiles were seen to be taken and laid, and clicks seldom do anything else.
    pub fn is_understood(&self) -> bool {
        self.moves > self.oddities
    }

    /// What lies in every stack; `None` where none are known, or while a tile is held.
    pub fn layout(&self) -> Option<Layout> {
        let frame = self.now.as_ref().filter(|_| self.held.is_none())?;
        Some(self.yard.as_ref()?.read(frame))
    }

    /// What every stack takes.
    pub fn terms(&self) -> Vec<Terms> {
        let rooms = match &self.yard {
            None => Vec::new(),
            Some(Yard::Lanes(it)) => vec![self.room; it.len()],
            Some(Yard::Rows(it)) => it.rooms(),
        };
        let room = |stack: usize, room: usize| self.full.get(&stack).map_or(room, |it| room.min(*it));
        let rule = |stack: usize| self.yard.as_ref().and_then(|it| self.choosy.get(&it.look(stack)).copied());
        let all = rooms.into_iter().enumerate();
        all.map(|(stack, it)| Terms { room: room(stack, it), is_choosy: rule(stack) }).collect()
    }

    /// The click that lays back what is held.
    pub fn lay_back(&self) -> Option<Action> {
        self.held.as_ref().map(|it| Action::Click(it.0))
    }

    /// The click on a stack that holds so many tiles.
    pub fn click(&self, stack: usize, tiles: usize) -> Option<Action> {
        match self.yard.as_ref()? {
            Yard::Lanes(it) => it.point(stack, tiles),
            Yard::Rows(it) => it.point(stack, tiles),
        }
        .map(Action::Click)
    }
}

fn deepest(layout: &Layout) -> usize {
    layout.iter().map(Vec::len).max().unwrap_or_default()
}
