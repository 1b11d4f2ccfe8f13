//! Things that fall, and what is moved below them: how fast, where they end, and which keys bring it there.
//!
//! A thing falls that goes by the same step whatever is done. What is below goes across that way, by keys, and never along it;
//! where it could go both ways it is no catcher. Where things were seen to end is where they are caught; before that it is where
//! they would meet it.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use env_client::{Action, Color, Grid, Key};

use crate::{Bounds, Component, InterfaceMask, Outcome, Scene, Transition};

/// A thing of more cells is a wall or a room. A guess, that of the planner for things to touch.
const LARGE: u16 = 150;
/// Steps of things of one look by which they fall, and things of one look, more of which are a pattern. Guesses.
const PROVEN: u32 = 3;
const MANY: usize = 12;

/// What something looks like: its colour and its shape.
type Look = (Color, u64);
/// Columns and rows.
type Place = (i16, i16);

/// How things of one look were seen to go.
#[derive(Clone, Debug, Default)]
struct Fall {
    by: Place,
    hits: u32,
    misses: u32,
    /// What was done meanwhile.
    actions: BTreeSet<Action>,
    /// Where things of this look were seen to stay.
    still: BTreeSet<Place>,
    /// Whether any turned: what goes to and fro does not fall.
    turns: bool,
    /// Where one was last seen, farthest along its way.
    end: Option<i16>,
}

impl Fall {
    fn is_proven(&self) -> bool {
        let is_steady = self.hits >= PROVEN && self.hits > 4 * self.misses && !self.turns;
        is_steady && self.actions.len() > 1 && self.end.is_some()
    }
}

/// What one look did by each key.
type Moves = BTreeMap<Key, Vec<Place>>;

/// Something on its way down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Falling {
    /// Steps until it is caught or missed; the last of them counts.
    pub steps: u32,
    /// Units that what is below has to go, with the sign of its way.
    pub away: i16,
}

/// Learns what falls.
#[derive(Clone, Debug, Default)]
pub struct Falls {
    known: BTreeMap<Look, Fall>,
    moves: BTreeMap<Look, Moves>,
    /// How often a level was lost as something was caught, and as something was missed.
    caught: u32,
    missed: u32,
    /// Which of the looks that fall is to be caught, the most common first.
    turn: usize,
}

impl Falls {
    /// Learns from one action.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let Some(after) = step.after() else {
            if step.outcome == Outcome::Lost {
                self.lost(step.before, step.action, mask);
            }
            return;
        };
        let (before, after) = (seen(step.before, mask), seen(after, mask));
        for (look, from) in &before {
            let to = after.get(look).map_or(&[][..], Vec::as_slice);
            self.fell(*look, from, to, step.action);
            if let (Action::Key(key), [from], [to]) = (step.action, &from[..], to) {
                let by = (to.0.0 - from.0.0, to.0.1 - from.0.1);
                self.moves.entry(*look).or_default().entry(key).or_default().push(by);
            }
        }
    }

    /// Learns how things of one look went.
    fn fell(&mut self, look: Look, from: &[Seen], to: &[Seen], action: Action) {
        let is_there = |places: &[Seen], at: Place| places.iter().any(|it| it.0 == at);
        let fall = self.known.entry(look).or_default();
        if fall.by == (0, 0) {
            let mut gone = from.iter().filter(|it| !is_there(to, it.0));
            let (Some(one), None) = (gone.next(), gone.next()) else { return };
            let came = to.iter().filter(|it| !is_there(from, it.0)).map(|it| (it.0.0 - one.0.0, it.0.1 - one.0.1));
            let straight = came.filter(|by| (by.0 == 0) != (by.1 == 0));
            fall.by = straight.min_by_key(|by| by.0.abs() + by.1.abs()).unwrap_or_default();
            return;
        }
        for (at, _) in from {
            if is_there(to, (at.0 + fall.by.0, at.1 + fall.by.1)) {
                fall.hits += 1;
                fall.actions.insert(action);
            } else if is_there(to, *at) {
                fall.misses += u32::from(!fall.still.contains(at) && from.len() == 1);
                fall.still.insert(*at);
            } else if turned(fall.by).into_iter().any(|by| is_there(to, (at.0 + by.0, at.1 + by.1))) {
                fall.turns = true;
            } else {
                let along = along(fall.by, *at);
                fall.end = Some(fall.end.map_or(along, |end| end.max(along)));
            }
        }
        if fall.misses > fall.hits {
            *fall = Fall { turns: fall.turns, ..Fall::default() };
        }
    }

    /// What falls and is to be caught, and how it falls: what was seen to do so most often, until it is the turn of others that go
    /// the same way.
    fn fall(&self) -> Option<(Look, &Fall)> {
        let mut proven: Vec<(Look, &Fall)> =
            self.known.iter().filter(|it| it.1.is_proven()).map(|(look, fall)| (*look, fall)).collect();
        proven.sort_by_key(|it| Reverse(it.1.hits));
        let by = proven.first()?.1.by;
        proven.retain(|it| it.1.by == by);
        proven.get(self.turn % proven.len()).copied()
    }

    /// Says whose turn it is to be caught: the first, or in rotation another where catching that one was not enough.
    pub fn turn_to(&mut self, turn: usize) {
        self.turn = turn;
    }

    /// What is moved below things that fall so: its look, and by how much each key takes it.
    fn catcher(&self, by: Place) -> Option<(Look, BTreeMap<Key, Place>)> {
        let is_across = |it: &Place| it.0 * by.0 + it.1 * by.1 == 0;
        let candidates = self.moves.iter().filter_map(|(look, moves)| {
            let most = |seen: &[Place]| seen.iter().copied().max_by_key(|it| it.0.abs() + it.1.abs());
            let steps: BTreeMap<Key, Place> =
                moves.iter().filter_map(|(key, seen)| Some((*key, most(seen)?))).collect();
            let ways: BTreeSet<Place> = steps.values().copied().filter(|it| *it != (0, 0)).collect();
            let both = ways.len() == 2 && ways.iter().all(|it| is_across(it) && ways.contains(&(-it.0, -it.1)));
            both.then_some((*look, steps))
        });
        candidates.max_by_key(|(look, _)| self.moves[look].values().map(Vec::len).sum::<usize>())
    }

    /// Whether it is known what falls and what is moved below it, and nobody lost by catching.
    pub fn is_understood(&self) -> bool {
        let catcher = self.fall().and_then(|(_, fall)| self.catcher(fall.by));
        catcher.is_some() && self.caught <= self.missed
    }

    /// What is on its way in a frame, soonest first.
    pub fn falling(&self, frame: &Grid, mask: &InterfaceMask) -> Vec<Falling> {
        let Some((look, fall)) = self.fall() else { return Vec::new() };
        let Some((catcher, steps)) = self.catcher(fall.by) else { return Vec::new() };
        let seen = seen(frame, mask);
        let Some([(_, below)]) = seen.get(&catcher).map(Vec::as_slice) else { return Vec::new() };
        let unit = steps.values().map(|it| it.0.abs() + it.1.abs()).max().unwrap_or(1).max(1);
        let things = seen.get(&look).map_or(&[][..], Vec::as_slice);
        let mut all: Vec<Falling> = things
            .iter()
            .filter(|(at, _)| !fall.still.contains(at))
            .filter_map(|(at, bounds)| {
                let steps = steps_left(fall, *at, *bounds, *below)?;
                Some(Falling { steps, away: away(fall.by, unit, *bounds, *below) })
            })
            .collect();
        all.sort_by_key(|it| (it.steps, it.away.abs()));
        all
    }

    /// A key that moves what is below one way, or one that leaves it where it is: any other if there is none.
    pub fn key(&self, way: i16) -> Option<Key> {
        let (_, fall) = self.fall()?;
        let (_, steps) = self.catcher(fall.by)?;
        let goes = |way: i16| steps.iter().find(|(_, by)| (by.0 + by.1).signum() == way).map(|it| *it.0);
        goes(way.signum()).or_else(|| goes(1))
    }

    /// A level was lost: as something was caught, or missed?
    fn lost(&mut self, frame: &Grid, action: Action, mask: &InterfaceMask) {
        let Some(next) = self.falling(frame, mask).into_iter().next().filter(|it| it.steps == 1) else { return };
        let goes = |way: i16| self.key(way).map(Action::Key) == Some(action);
        let away = next.away
            - if goes(1) {
                1
            } else if goes(-1) {
                -1
            } else {
                0
            };
        if away == 0 { self.caught += 1 } else { self.missed += 1 }
    }
}

/// Where something is, and its box.
type Seen = (Place, Bounds);

/// All small things of a frame by their looks.
fn seen(frame: &Grid, mask: &InterfaceMask) -> BTreeMap<Look, Vec<Seen>> {
    let scene = Scene::of(frame);
    let mut all: BTreeMap<Look, Vec<Seen>> = BTreeMap::new();
    let small = scene.components().iter().filter(|it: &&Component| it.area <= LARGE && !mask.hides(it.center));
    for it in small {
        let at = (i16::from(it.bounds.left), i16::from(it.bounds.top));
        all.entry((it.color, it.shape)).or_default().push((at, it.bounds));
    }
    all.retain(|_, places| places.len() <= MANY);
    all
}

/// The other ways to go as far.
fn turned((x, y): Place) -> [Place; 3] {
    [(-x, -y), (y, x), (-y, -x)]
}

/// How far a place lies along a way.
fn along(way: Place, at: Place) -> i16 {
    at.0 * way.0.signum() + at.1 * way.1.signum()
}

/// Cells between two spans.
fn gap(one: (u8, u8), other: (u8, u8)) -> i16 {
    let between = |low: u8, high: u8| i16::from(high) - i16::from(low);
    between(one.1, other.0).max(between(other.1, one.0))
}

/// Units that what is below has to go to have something over it, as few as do.
fn away(by: Place, unit: i16, it: Bounds, below: Bounds) -> i16 {
    let span = |it: Bounds| if by.0 == 0 { (it.left, it.right) } else { (it.top, it.bottom) };
    let ((from, to), (low, high)) = (span(it), span(below));
    let middle = (i16::from(from) + i16::from(to) - i16::from(low) - i16::from(high)) / 2;
    let units = middle.abs() / unit + i16::from(2 * (middle.abs() % unit) > unit);
    units * middle.signum()
}

/// Steps until something is caught or missed; `None` where it is past.
fn steps_left(fall: &Fall, at: Place, it: Bounds, below: Bounds) -> Option<u32> {
    let speed = along(fall.by, fall.by);
    let far = match fall.end {
        Some(end) => end - along(fall.by, at),
        None if fall.by.0 == 0 => gap((it.top, it.bottom), (below.top, below.bottom)),
        None => gap((it.left, it.right), (below.left, below.right)),
    };
    u32::try_from(far / speed + 1).ok().filter(|left| *left > 0)
}

#[cfg(test)]
mod tests {
    use env_client::Point;

    use super::*;

    /// Things of two by two cells fall three cells a step down columns of four, and end before they reach the basket, which keys
    /// take one column on.
    struct Rain {
        basket: i16,
        things: Vec<Place>,
    }

    const COLUMNS: i16 = 6;
    const LAST: i16 = 4;

    impl Rain {
        fn frame(&self) -> Grid {
            let mut frame = Grid::filled(24, 24, Color::of(0));
            let mut fill = |(x, y): Place, (width, height): Place, color: u8| {
                let cells = (y..y + height).flat_map(|y| (x..x + width).map(move |x| (x, y)));
                cells.for_each(|(x, y)| frame.set(Point::new(x, y).unwrap(), Color::of(color)));
            };
            self.things.iter().for_each(|(x, y)| fill((4 * x + 1, 3 * y), (2, 2), 11));
            fill((4 * self.basket, 20), (4, 2), 9);
            frame
        }

        fn press(&mut self, key: Key) {
            let by = match key {
                Key::Key3 => -1,
                Key::Key4 => 1,
                _ => 0,
            };
            self.basket = (self.basket + by).clamp(0, COLUMNS - 1);
            self.things.iter_mut().for_each(|it| it.1 += 1);
            self.things.retain(|it| it.1 <= LAST);
        }
    }

    fn taught() -> (Falls, Rain, InterfaceMask) {
        let (mut model, mut rain) = (Falls::default(), Rain { basket: 2, things: vec![(4, 0)] });
        let mask = InterfaceMask::new();
        assert!(!model.is_understood());
        for key in [Key::Key4, Key::Key3, Key::Key5, Key::Key3, Key::Key4] {
            let before = rain.frame();
            rain.press(key);
            let (action, layers) = (Action::Key(key), [rain.frame()]);
            model.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues }, &mask);
        }
        (model, rain, mask)
    }

    #[test]
    fn what_falls_is_told_from_what_keys_move_below_it() {
        let (model, rain, mask) = taught();
        assert!(model.is_understood());
        let now = Rain { things: vec![(0, 1), (5, 3)], ..rain };
        let falling = model.falling(&now.frame(), &mask);
        assert_eq!(falling, [Falling { steps: 2, away: 3 }, Falling { steps: 4, away: -2 }]);
        assert_eq!([1, 0, -1].map(|way| model.key(way)), [Key::Key4, Key::Key5, Key::Key3].map(Some));
    }

    #[test]
    fn other_things_that_fall_have_their_turn() {
        let (mut model, rain, mask) = taught();
        let (common, fall) = model.known.iter().find(|it| it.1.is_proven()).map(|it| (*it.0, it.1.clone())).unwrap();
        let rare = (Color::of(7), common.1);
        model.known.insert(common, Fall { hits: fall.hits + 2, ..fall.clone() });
        model.known.insert(rare, Fall { hits: fall.hits + 1, ..fall.clone() });
        model.known.insert((Color::of(6), common.1), Fall { by: (fall.by.1, 0), ..fall });
        let turns = [0, 1, 2].map(|turn| {
            model.turn_to(turn);
            model.fall().map(|it| it.0)
        });
        assert_eq!(turns, [common, rare, common].map(Some), "and what goes another way has none");
        model.turn_to(1);
        assert_eq!(model.falling(&rain.frame(), &mask), []);
    }

    #[test]
    fn who_lost_by_catching_catches_no_more() {
        let (mut model, rain, mask) = taught();
        let before = Rain { things: vec![(rain.basket, LAST)], ..rain }.frame();
        let (action, layers) = (Action::Key(Key::Key5), [before.clone()]);
        model.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Lost }, &mask);
        assert!(!model.is_understood());
    }
}
