//! Things that stand anywhere, and change places by two clicks: on the one, then on the other.
//!
//! # Layout
//! - [`Trades`] (here): which things changed places, and what stands where. Start here.
//! - `seats`: where things of one size stand.
//! - `axes`: the lines about which the seats mirror each other.
//!
//! # The one decision
//! Nothing is said of a lattice: where two clicks let two pictures of one size change places, all that has that size is
//! such a thing, and it stands where it is seen, or where the mirror image of one would stand. How a thing is marked after the first click
//! is nobody's business. The price is that a bare place is known only where something stands opposite.

mod axes;
mod seats;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use env_client::{Action, Color, Grid, Point};

use self::{
    axes::Axis,
    seats::{Seats, Size},
};
use crate::{Bounds, Component, InterfaceMask, Scene, Start, Transition};

/// What stands on a seat: [`BARE`], or what is equal for things of one look.
pub type Thing = u64;

/// Nothing stands there.
pub const BARE: Thing = 0;

/// Learns what changes places, and where.
#[derive(Clone, Debug, Default)]
pub struct Trades {
    /// The size of things; it holds in all levels, at another scale.
    size: Option<Size>,
    /// Where they stand in this level.
    seats: Option<Seats>,
    /// The first click of two, and the frame before it.
    held: Option<(Point, Grid)>,
    now: Option<Grid>,
    /// Clicks of this level that did nothing, and the colours that are seen right around things that gave no answer.
    refused: Vec<Point>,
    pegs: BTreeSet<Color>,
}

impl Trades {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        (self.held, self.now) = (None, Some(frame.clone()));
        if start == Start::Level {
            self.refused.clear();
            self.seats = self.size.and_then(|size| Seats::find_again(frame, mask, size));
            self.size = self.seats.as_ref().map(Seats::size).or(self.size);
        }
    }

    /// Learns from one action.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let held = self.held.take();
        let Some(after) = step.after() else { return };
        self.now = Some(after.clone());
        let Action::Click(at) = step.action else { return };
        if is_same(step.before, after, mask) {
            self.refuse(at, step.before);
            self.held = held;
            return;
        }
        let was_free = held.is_none();
        let (first, rest) = held.unwrap_or_else(|| (at, step.before.clone()));
        if is_same(&rest, after, mask) {
            return; // It was put back.
        }
        if self.seats.is_none() {
            let size = seats::traded([&rest, after], mask, [first, at]);
            self.seats = size.and_then(|size| Seats::find(&rest, mask, size));
            self.size = self.seats.as_ref().map(Seats::size);
        }
        // What a second click on one place did not put back is no choice any more.
        if self.trade(&rest, after).is_none() && (was_free || at != first) {
            self.held = Some((first, rest));
        }
    }

    /// The two seats on which things changed places.
    fn trade(&self, rest: &Grid, after: &Grid) -> Option<(usize, usize)> {
        let seats = self.seats.as_ref()?;
        let (old, new) = (seats.read(rest), seats.read(after));
        let changed: Vec<usize> = (0..old.len()).filter(|it| old[*it] != new[*it]).collect();
        match changed[..] {
            [a, b] if (old[a], old[b]) == (new[b], new[a]) => Some((a, b)),
            _ => None,
        }
    }

    /// A click on a thing did nothing: it is pegged, and so may be those that look so around.
    fn refuse(&mut self, at: Point, frame: &Grid) {
        let Some(seats) = &self.seats else { return };
        let Some(seat) = seats.at(at).filter(|it| seats.read(frame)[*it] != BARE) else { return };
        self.refused.push(at);
        let count = |color: &Color| (0..seats.len()).filter(|it| seats.around(frame, *it).contains(color)).count();
        let rarest = seats.around(frame, seat).into_iter().min_by_key(count);
        self.pegs.extend(rarest.filter(|it| 2 * count(it) < seats.len()));
    }

    /// Whether things were seen to change places, and stand somewhere now.
    pub fn is_understood(&self) -> bool {
        self.seats.is_some()
    }

    /// What stands on every seat, without the mark of a choice.
    pub fn read(&self) -> Option<Vec<Thing>> {
        let frame = self.held.as_ref().map(|it| &it.1).or(self.now.as_ref())?;
        Some(self.seats.as_ref()?.read(frame))
    }

    /// Which things seem not to move: those that gave no answer, and those that look like them around.
    pub fn held(&self) -> Vec<bool> {
        let unmarked = self.held.as_ref().map(|it| &it.1).or(self.now.as_ref());
        let Some((seats, frame)) = self.seats.as_ref().zip(unmarked) else { return Vec::new() };
        let is_refused = |seat: usize| self.refused.iter().any(|at| seats.at(*at) == Some(seat));
        let is_pegged = |seat: usize| seats.around(frame, seat).iter().any(|it| self.pegs.contains(it));
        (0..seats.len()).map(|it| is_refused(it) || is_pegged(it)).collect()
    }

    /// Seats that are images of each other about all lines that are drawn; `None` where there is no such line.
    pub fn groups(&self) -> Option<Vec<Vec<usize>>> {
        self.seats.as_ref()?.groups()
    }

    /// The click on a seat.
    pub fn click(&self, seat: usize) -> Option<Action> {
        Some(Action::Click(self.seats.as_ref()?.middle(seat)?))
    }

    /// The click that ends a choice.
    pub fn put_back(&self) -> Option<Action> {
        self.held.as_ref().map(|it| Action::Click(it.0))
    }

    /// While nobody knows what changes places, and a click only drew a mark around something: a click on something else of its
    /// size, where a line is drawn about which such things mirror each other.
    pub fn second(&self, mask: &InterfaceMask) -> Option<Action> {
        let (at, rest) = self.held.as_ref().filter(|_| self.seats.is_none())?;
        let (scene, frame) = (Scene::of(rest), self.now.as_ref()?);
        let size = |it: Bounds| (it.width(), it.height());
        let marked: Vec<Point> = rest.differences(frame)?.filter(|at| !mask.hides(*at)).collect();
        let is_beside =
            |it: Bounds| !marked.iter().any(|at| it.contains(at.x(), at.y())) && it.contains(at.x(), at.y());
        let things =
            || (0..scene.components().len()).filter(|it| !scene.is_ground(*it)).map(|it| &scene.components()[it]);
        let first = things().filter(|it| is_beside(it.bounds)).max_by_key(|it| it.area)?;
        Seats::find(rest, mask, size(first.bounds))?.groups()?;
        let is_other = |it: &&Component| {
            size(it.bounds) == size(first.bounds)
                && (it.color, it.form) != (first.color, first.form)
                && !mask.hides(it.center)
        };
        things().find(is_other).map(|it| Action::Click(it.bounds.middle()))
    }
}

/// Whether two frames differ in nothing but the interface.
fn is_same(one: &Grid, other: &Grid, mask: &InterfaceMask) -> bool {
    one.differences(other).is_none_or(|mut cells| cells.all(|at| mask.hides(at)))
}
