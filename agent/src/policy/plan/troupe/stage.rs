//! Pieces taken from a frame and set anywhere on its ground, to ask a model about.

use env_client::{Action, Color, Grid, Point};
use world_model::{Advance, Bounds, InterfaceMask, Outcome, Prediction, State, WorldModel};

use crate::policy::plan::{
    pairs::{Pair, Role},
    picture::Middle,
    things::place,
};

/// The corner of a piece.
pub(super) type Place = (i16, i16);

/// One of the pieces.
#[derive(Debug)]
pub(super) struct Actor {
    class: u16,
    /// Its cells from its corner on.
    cells: Vec<(Place, Color)>,
    size: (i16, i16),
}

impl Actor {
    /// As it is seen in a frame; `None` where it is hidden.
    fn of(frame: &Grid, advance: &Advance) -> Option<(Actor, Place)> {
        let Bounds { left, top, right, bottom } = place(advance).filter(|_| !advance.hidden)?;
        let corner = (i16::from(left), i16::from(top));
        let cell = |at: &Point| ((i16::from(at.x()) - corner.0, i16::from(at.y()) - corner.1), frame[*at]);
        let size = (i16::from(right - left) + 1, i16::from(bottom - top) + 1);
        let cells = advance.from.iter().map(cell).collect();
        Some((Actor { class: advance.class, cells, size }, corner))
    }

    /// Its cells where its corner is at a place; cut off at the rim.
    fn at(&self, (x, y): Place) -> impl Iterator<Item = (Point, Color)> {
        self.cells.iter().filter_map(move |((dx, dy), color)| Some((Point::new(x + dx, y + dy).ok()?, *color)))
    }

    /// How many of its cells are seen at a place.
    fn seen_at(&self, frame: &Grid, place: Place) -> usize {
        self.at(place).filter(|(at, color)| frame.get(*at) == Some(*color)).count()
    }

    /// Whether it is seen at a place, though it may look a little different there.
    fn is_at(&self, frame: &Grid, place: Place) -> bool {
        2 * self.seen_at(frame, place) > self.cells.len()
    }

    /// Whether it covers a cell where its corner is at a place, the holes in it included.
    fn covers(&self, (x, y): Place, at: Point) -> bool {
        let (dx, dy) = (i16::from(at.x()) - x, i16::from(at.y()) - y);
        (0..self.size.0).contains(&dx) && (0..self.size.1).contains(&dy)
    }

    /// Whether the rectangle that it covers from one place to another meets that of another piece at a place.
    pub(super) fn meets(&self, from: Place, to: Place, other: &Actor, at: Place) -> bool {
        let overlap = |low: i16, high: i16, start: i16, end: i16| low < end && start < high;
        overlap(from.0.min(to.0), from.0.max(to.0) + self.size.0, at.0, at.0 + other.size.0)
            && overlap(from.1.min(to.1), from.1.max(to.1) + self.size.1, at.1, at.1 + other.size.1)
    }
}

/// By slot, where a piece would be on it.
pub(super) type Targets = Vec<Option<Place>>;

/// Whether a predicted step may be taken.
pub(in crate::policy::plan) type Allows<'a> = dyn Fn(&Grid, Action, &Prediction, &[Advance]) -> bool + 'a;

/// The ground of a level, and who moves on it.
pub(in crate::policy::plan) struct Stage<'a, M: ?Sized> {
    model: &'a M,
    mask: &'a InterfaceMask,
    start: &'a State,
    ground: Grid,
    pub(super) actors: Vec<Actor>,
    pub(super) places: Vec<Place>,
    pub(super) actions: Vec<Action>,
    allows: &'a Allows<'a>,
    /// Questions to the model so far, and the most there may be.
    pub(in crate::policy::plan) asked: usize,
    most: usize,
}

impl<'a, M: WorldModel + ?Sized> Stage<'a, M> {
    /// The stage of a state, whose pieces mean to move so; `None` where one of them is hidden.
    pub(in crate::policy::plan) fn set(
        (model, mask): (&'a M, &'a InterfaceMask),
        start: &'a State,
        advances: &[Advance],
        (actions, allows): (Vec<Action>, &'a Allows<'a>),
        most: usize,
    ) -> Option<Stage<'a, M>> {
        let seen: Option<Vec<(Actor, Place)>> = advances.iter().map(|it| Actor::of(&start.frame, it)).collect();
        let (actors, places) = seen?.into_iter().unzip();
        let ground = start.frame.clone();
        let mut stage = Stage { model, mask, start, ground, actors, places, actions, allows, asked: 0, most };
        stage.clear();
        Some(stage)
    }

    /// Takes the pieces off the ground: what lies under each is seen where it left, or else is what lies around it.
    fn clear(&mut self) {
        let start = &self.start.frame;
        for (actor, place) in self.actors.iter().zip(&self.places) {
            let around = around(start, actor, *place);
            actor.at(*place).for_each(|(at, _)| self.ground.set(at, around));
        }
        self.asked += self.actions.len();
        for action in &self.actions {
            let Some(next) = self.model.predict(self.start, *action).next else { continue };
            for (actor, place) in self.actors.iter().zip(&self.places).filter(|it| !it.0.is_at(&next.frame, *it.1)) {
                let is_left = |at: &Point| next.frame[*at] != start[*at];
                actor.at(*place).filter(|it| is_left(&it.0)).for_each(|(at, _)| self.ground.set(at, next.frame[at]));
            }
        }
    }

    /// The frame with pieces at these places, and the others nowhere.
    fn draw(&self, places: &[Option<Place>]) -> Grid {
        let mut frame = self.ground.clone();
        for (actor, place) in self.actors.iter().zip(places) {
            place.iter().flat_map(|it| actor.at(*it)).for_each(|(at, color)| frame.set(at, color));
        }
        frame
    }

    /// Whether nothing more may be asked.
    pub(super) fn is_exhausted(&self) -> bool {
        self.asked >= self.most
    }

    /// Where an action takes pieces from these places; `None` where that is not known, or something else comes of it.
    pub(super) fn ask(&mut self, places: &[Option<Place>], action: Action) -> Option<Vec<Option<Place>>> {
        if self.is_exhausted() {
            return None;
        }
        self.asked += 1;
        let state = State { frame: self.draw(places), ..self.start.clone() };
        let foresight = self.model.foresee(&state, action);
        let (prediction, advances) = (&foresight.prediction, &foresight.advances);
        let next = prediction.next.as_ref().filter(|_| prediction.outcome == Outcome::Continues)?;
        if !(self.allows)(&state.frame, action, prediction, advances) {
            return None;
        }
        let mut ends = Vec::new();
        for (actor, place) in self.actors.iter().zip(places) {
            let Some(from) = *place else {
                ends.push(None);
                continue;
            };
            let is_own = |it: &&Advance| {
                let corner = place_of(it);
                it.class == actor.class && corner == Some(from)
            };
            let by = advances.iter().find(is_own)?.by;
            let to = (from.0 + by.0, from.1 + by.1);
            let seen = [to, from].into_iter().filter(|it| actor.is_at(&next.frame, *it));
            ends.push(Some(seen.max_by_key(|it| (actor.seen_at(&next.frame, *it), *it == to))?));
        }
        let expected = self.draw(&ends);
        let is_own =
            |at: Point| self.actors.iter().zip(&ends).any(|(it, end)| end.is_some_and(|end| it.covers(end, at)));
        let mut others = expected.differences(&next.frame)?.filter(|at| !self.mask.hides(*at) && !is_own(*at));
        others.next().is_none().then_some(ends)
    }

    /// What the model foretells of an action; `None` where that is something else than pieces at these places.
    pub(super) fn rehearse(&mut self, action: Action, from: &State, ends: &[Place]) -> Option<State> {
        self.asked += 1;
        let foresight = self.model.foresee(from, action);
        let is_allowed = (self.allows)(&from.frame, action, &foresight.prediction, &foresight.advances);
        let next = foresight.prediction.next.filter(|_| is_allowed)?;
        let is_there = |(actor, place): (&Actor, &Place)| actor.is_at(&next.frame, *place);
        self.actors.iter().zip(ends).all(is_there).then_some(next)
    }

    /// The pieces that a pair is about, each with the places where it would lie on one of its slots, of those that it may lie on;
    /// `None` where it is about anything else.
    pub(super) fn cast(&self, pair: &Pair, cast: &[Role]) -> Option<Vec<(usize, Targets)>> {
        let found = pair.found(&self.start.frame, cast)?;
        let member = |it: Middle| {
            let mut own = self.actors.iter().zip(&self.places).enumerate();
            let covers = |actor: &Actor, (x, y): Place| {
                let [left, top] = [x, y].map(|at| at as u8);
                let bounds =
                    Bounds { left, top, right: left + actor.size.0 as u8 - 1, bottom: top + actor.size.1 as u8 - 1 };
                it.is_in(bounds)
            };
            let (index, (_, place)) = own.find(|(_, (actor, place))| covers(actor, **place))?;
            let target = |slot: &Middle| {
                let (dx, dy) = it.way_to(*slot)?;
                Some((place.0 + i16::from(dx), place.1 + i16::from(dy)))
            };
            Some((index, pair.slots.iter().map(target).collect()))
        };
        found.into_iter().map(member).collect()
    }
}

/// The corner of what an advance is about.
fn place_of(advance: &Advance) -> Option<Place> {
    place(advance).map(|it| (i16::from(it.left), i16::from(it.top)))
}

/// The commonest colour right around a piece.
fn around(frame: &Grid, actor: &Actor, (x, y): Place) -> Color {
    let mut counts = [0u16; Color::COUNT];
    for (dx, dy) in (-1..=actor.size.0).flat_map(|dx| (-1..=actor.size.1).map(move |dy| (dx, dy))) {
        let is_rim = dx == -1 || dy == -1 || dx == actor.size.0 || dy == actor.size.1;
        if let Some(color) = Point::new(x + dx, y + dy).ok().filter(|_| is_rim).and_then(|at| frame.get(at)) {
            counts[color.index()] += 1;
        }
    }
    Color::ALL.into_iter().max_by_key(|it| counts[it.index()]).unwrap_or_default()
}
