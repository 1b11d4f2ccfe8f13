//! What gauges say is in hand: what is of its colour may answer now.
//!
//! Many games show what was picked up not at the piece but in the interface: a cell there takes on the colour of what was just
//! touched or pressed at. As long as it is shown, things of that colour come first, to go to and to press at; when it is shown
//! no longer, hands are free and all may answer anew.

use std::collections::BTreeSet;

use env_client::{ActionId, Color, Grid, Point};

use super::{
    signals::is_outer,
    things::{RIM, Thing},
};

/// More cells than this are no picture of what is held: a guess at the largest.
const LARGEST: usize = 25;

/// What is shown to be held.
#[derive(Clone, Debug)]
struct Held {
    color: Color,
    /// The cells that show it, at least one.
    shown: Vec<Point>,
}

impl Held {
    /// Whether a frame still shows it.
    fn is_shown(&self, frame: &Grid) -> bool {
        self.shown.first().is_some_and(|at| frame.get(*at) == Some(self.color))
    }
}

/// What an action may be good for at a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    /// It may hand over what is held.
    Serves,
    /// It may take it.
    MayTake,
    /// It just took or gave something there.
    Done,
    /// It takes, and hands are full.
    Full,
    Unknown,
}

/// What is in hand, and what was tried with it.
#[derive(Debug, Default)]
pub(super) struct Hands {
    held: Option<Held>,
    /// What it was taken from, or given to; things that were touched, and pressed at, since.
    done: BTreeSet<Thing>,
    touched: BTreeSet<Thing>,
    pressed: BTreeSet<(ActionId, Thing)>,
    /// Actions that took something in this game, pressed at it.
    takes: BTreeSet<ActionId>,
    /// Cells that showed in this game what was held: those are gauges, also where a piece comes near them.
    gauges: BTreeSet<Point>,
}

impl Hands {
    /// A new level, or the same again: nothing is held.
    pub(super) fn empty(&mut self) {
        self.change(None, BTreeSet::new());
    }

    fn change(&mut self, held: Option<Held>, done: BTreeSet<Thing>) {
        let (takes, gauges) = (std::mem::take(&mut self.takes), std::mem::take(&mut self.gauges));
        *self = Hands { held, done, takes, gauges, ..Hands::default() };
    }

    /// A step was taken that had to do with these things, by an action that presses or not. Whether it changed what is held.
    /// Gauges are outer cells far from pieces that hold still otherwise, or cells that were gauges before: further inside it
    /// may be a drawbridge that turns.
    pub(super) fn watch(
        &mut self,
        (old, new): (&Grid, &Grid),
        (press, things): (Option<ActionId>, &BTreeSet<Thing>),
        is_gauge: impl Fn(Point) -> bool,
    ) -> bool {
        let is_free = self.held.as_ref().is_some_and(|it| !it.is_shown(new));
        let is_gauge = |at: Point| self.gauges.contains(&at) || is_gauge(at);
        let taken = things.iter().find_map(|it| taken((old, new), it.kind.color, is_gauge));
        let changed = is_free || taken.is_some();
        if let Some(held) = &taken {
            self.takes.extend(press);
            self.gauges.extend(&held.shown);
        }
        if changed {
            self.change(taken, things.clone());
        }
        changed
    }

    /// Pieces went for a thing.
    pub(super) fn touched(&mut self, thing: Thing) {
        self.touched.insert(thing);
    }

    /// An action was pressed at a thing.
    pub(super) fn pressed(&mut self, action: ActionId, thing: Thing) {
        self.pressed.insert((action, thing));
    }

    /// Whether a thing is of the colour that is held, and was not touched since.
    pub(super) fn suits(&self, thing: Thing) -> bool {
        self.is_like(thing) && !self.touched.contains(&thing)
    }

    /// Whether an action may do something at a thing where it was not pressed since: what is held is of its colour, or hands are
    /// free for it.
    pub(super) fn use_at(&self, action: ActionId, thing: Thing) -> Use {
        let is_open = !self.pressed.contains(&(action, thing));
        match () {
            () if self.done.contains(&thing) => Use::Done,
            () if is_open && self.is_like(thing) => Use::Serves,
            () if !self.takes.contains(&action) => Use::Unknown,
            () if self.held.is_some() => Use::Full,
            () if is_open => Use::MayTake,
            () => Use::Unknown,
        }
    }

    fn is_like(&self, thing: Thing) -> bool {
        let is_held = |it: &Held| it.color == thing.kind.color && it.shown.first() != Some(&thing.at);
        self.held.as_ref().is_some_and(is_held) && !self.done.contains(&thing)
    }
}

/// What is held since a step, if gauges show this colour in a few cells where they showed one other colour before, and less of
/// it is seen elsewhere.
fn taken((old, new): (&Grid, &Grid), color: Color, is_gauge: impl Fn(Point) -> bool) -> Option<Held> {
    let is_new = |at: &Point| new[*at] == color && old.get(*at).is_some_and(|was| was != color);
    let (top, bottom) = picture(new);
    let is_outer = |at: Point| at.y() < top + RIM || at.y() + RIM > bottom || is_outer(at, new);
    let is_new = |at: &Point| is_new(at) && is_outer(*at) && is_gauge(*at);
    let shown: Vec<Point> = new.points().filter(is_new).take(LARGEST + 1).collect();
    let first = *shown.first()?;
    let is_uniform = shown.iter().all(|at| old[*at] == old[first]);
    let seen = |frame: &Grid| frame.points().filter(|at| frame[*at] == color && !shown.contains(at)).count();
    let is_less = seen(new) < seen(old);
    (is_uniform && shown.len() <= LARGEST && is_less).then_some(Held { color, shown })
}

/// The first row of the picture, and the one behind its last: what lies above and below it is all of one colour.
fn picture(frame: &Grid) -> (u8, u8) {
    let width = usize::from(frame.width());
    let rows: Vec<Vec<Color>> =
        frame.points().map(|at| frame[at]).collect::<Vec<_>>().chunks(width).map(<[_]>::to_vec).collect();
    let blank = |row: &&Vec<Color>| row.iter().all(|it| *it == rows[0][0]);
    let count = |rows: usize| u8::try_from(rows).unwrap_or(u8::MAX);
    let above = rows.iter().take_while(blank).count();
    let below = rows.iter().rev().take_while(blank).count();
    (count(above), count(rows.len().saturating_sub(below)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::plan::things::Kind;

    const SPACE: ActionId = ActionId::Action5;

    fn thing(color: u8, x: u8) -> Thing {
        Thing { kind: Kind { color: Color::of(color), shape: 1 }, at: Point::new(x, 20).unwrap() }
    }

    /// A frame whose gauge in the corner shows this colour.
    fn shows(color: u8) -> Grid {
        let mut frame = Grid::filled(20, 40, Color::of(0));
        (0..20).for_each(|y| frame.set(Point::new(0, 12 + y).unwrap(), Color::of(5)));
        frame.set(Point::new(5, 20).unwrap(), Color::of(if color == 4 { 8 } else { 0 }));
        frame.set(Point::new(10, 30).unwrap(), Color::of(color));
        frame
    }

    fn press(hands: &mut Hands, (old, new): (u8, u8), at: Thing) -> bool {
        hands.pressed(SPACE, at);
        hands.watch((&shows(old), &shows(new)), (Some(SPACE), &[at].into()), |it| it == Point::new(10, 30).unwrap())
    }

    #[test]
    fn what_a_gauge_shows_since_it_was_pressed_at_is_brought_to_its_like() {
        let mut hands = Hands::default();
        assert!(!press(&mut hands, (4, 4), thing(8, 5)), "the gauge says nothing");
        assert!(press(&mut hands, (4, 8), thing(8, 5)));
        let uses = |hands: &Hands, it: Thing| hands.use_at(SPACE, it);
        assert_eq!(uses(&hands, thing(8, 5)), Use::Done, "it came from there");
        assert_eq!(uses(&hands, thing(8, 9)), Use::Serves);
        assert_eq!(uses(&hands, thing(3, 9)), Use::Full);
        assert!(hands.suits(thing(8, 9)) && !hands.suits(thing(8, 5)) && !hands.suits(thing(3, 9)));
        hands.touched(thing(8, 9));
        assert!(!hands.suits(thing(8, 9)), "a touch did nothing");
        assert!(press(&mut hands, (8, 4), thing(8, 9)), "handed over");
        assert_eq!(uses(&hands, thing(8, 9)), Use::Done);
        assert_eq!(uses(&hands, thing(3, 9)), Use::MayTake);
        assert!(!press(&mut hands, (4, 4), thing(3, 9)));
        assert_eq!(uses(&hands, thing(3, 9)), Use::Unknown, "in vain");
        hands.empty();
        assert_eq!(uses(&hands, thing(3, 9)), Use::MayTake, "a new level");
    }

    #[test]
    fn what_was_a_gauge_is_one_wherever_pieces_are() {
        let mut hands = Hands::default();
        let watch = |hands: &mut Hands, is_gauge: bool| {
            let at: BTreeSet<Thing> = [thing(8, 5)].into();
            hands.watch((&shows(4), &shows(8)), (Some(SPACE), &at), |_| is_gauge)
        };
        assert!(!watch(&mut hands, false), "the piece is too near");
        assert!(watch(&mut hands, true));
        hands.empty();
        assert!(watch(&mut hands, false), "it was one before");
    }

    #[test]
    fn what_is_walked_into_may_be_held_and_only_gauges_say_so() {
        let frames = (&shows(4), &shows(8));
        let watch = |at: Thing, is_gauge: bool| {
            let mut hands = Hands::default();
            hands.watch(frames, (None, &[at].into()), |_| is_gauge);
            (hands.suits(thing(8, 9)), hands.use_at(SPACE, thing(3, 9)))
        };
        assert_eq!(watch(thing(8, 5), true), (true, Use::Unknown), "nobody knows that pressing takes");
        let (mut inside, mut there) = (shows(4), shows(4));
        inside.set(Point::new(10, 22).unwrap(), Color::of(4));
        there.set(Point::new(10, 22).unwrap(), Color::of(8));
        there.set(thing(8, 5).at, Color::of(0));
        let mut hands = Hands::default();
        assert!(!hands.watch((&inside, &there), (None, &[thing(8, 5)].into()), |_| true), "a bridge that turns");
        assert_eq!(watch(thing(8, 5), false), (false, Use::Unknown), "cells that change anyway");
        assert_eq!(watch(thing(3, 5), true), (false, Use::Unknown), "the gauge shows another colour");
        let mut kept = shows(8);
        kept.set(thing(8, 5).at, Color::of(8));
        let mut hands = Hands::default();
        assert!(!hands.watch((&shows(4), &kept), (None, &[thing(8, 5)].into()), |_| true), "it is still there");
        let (old, mut new) = (shows(4), shows(8));
        new.set(Point::new(0, 12).unwrap(), Color::of(8));
        let mut hands = Hands::default();
        assert!(!hands.watch((&old, &new), (None, &[thing(8, 5)].into()), |_| true), "two gauges that differed");
    }
}
