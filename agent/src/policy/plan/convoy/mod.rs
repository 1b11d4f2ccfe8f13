//! The skill of leading a train: what keys move is followed by others, each of which takes the place of the one before.
//!
//! Whoever leads must not run into those that follow, and a level may want all of them where the first one goes: a thing
//! that led to nothing when it was gone onto is gone onto again with the others as near as may be, in one formation after
//! the other.
//!
//! # Layout
//! - [`Convoy`] (here): the skill. [`train`]: the row of places.

mod train;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use env_client::{Action, ActionId, ActionSet, Color, Grid, Key, Point};
use world_model::{InterfaceMask, Outcome, Scene, Start, Transition};

use self::train::{Looks, Spot, Train, color, sighting};
use super::{
    ledger::TIER,
    skill::{Move, Proposal, Skill},
};

/// Onto what solved a level, and onto what led to nothing. Guesses.
const WINS: f32 = -1.5 * TIER;
const TRY: f32 = -0.5 * TIER;
/// States that one search looks at, and formations that are tried in one level.
const STATES: usize = 20_000;
const TRIES: usize = 40;

/// What a train can come to, in so many steps, and the key that leads there from another one of these.
#[derive(Clone, Debug)]
struct Reached {
    train: Train,
    from: Option<(usize, Key)>,
    depth: u32,
}

/// Leads a train.
#[derive(Debug, Default)]
pub(super) struct Convoy {
    looks: Option<Looks>,
    /// Whether it was seen to turn a corner, as no stiff bar does; how much more often it went as foreseen than not.
    turned: bool,
    trust: i32,
    /// Where keys lead.
    ways: BTreeMap<ActionId, (i16, i16)>,
    /// Colours that the first one was seen to enter, that stopped it, that it stood on in vain, and that solved a level.
    entered: BTreeSet<Color>,
    stopped: BTreeSet<Color>,
    visited: BTreeSet<Color>,
    wins: BTreeSet<Color>,
    /// The level without the train.
    base: Option<Grid>,
    /// What the train may be.
    trains: Vec<Train>,
    /// Formations on things of a colour that were in vain in this level.
    vain: HashSet<(Color, Vec<Spot>)>,
    /// What was proposed last, and what is left of what is under way.
    proposed: VecDeque<Train>,
    foreseen: VecDeque<Train>,
    is_surprised: bool,
}

impl Convoy {
    /// Looks for the train in a frame, and for the level beneath it.
    fn locate(&mut self, frame: &Grid) {
        let Some(looks) = self.looks else { return };
        self.trains = Train::read(frame, looks);
        let mut base = frame.clone();
        if let Some(train) = self.trains.first() {
            let known = self.base.as_ref();
            for at in frame.points().filter(|at| train.covers(*at)) {
                let below = known.and_then(|it| it.get(at)).filter(|it| *it != looks.first && *it != looks.rest);
                base.set(at, below.unwrap_or(looks.floor));
            }
        }
        self.base = Some(base);
    }

    /// Follows the train from one frame to the next.
    fn follow(&mut self, action: ActionId, before: &Grid, after: &Grid) {
        let (Some(looks), Some(base)) = (self.looks, &self.base) else { return self.locate(after) };
        let Some(front) = self.trains.first().cloned() else { return self.locate(after) };
        let is_own = |at: &Point| [before[*at], after[*at]].iter().any(|it| *it == looks.first || *it == looks.rest);
        let stayed = before.differences(after).is_some_and(|mut cells| !cells.any(|at| is_own(&at)));
        let way = self.ways.get(&action).copied();
        if stayed {
            let ahead = way.and_then(|way| color(base, front.ahead(way), front.side));
            self.stopped.extend(ahead.filter(|it| !self.entered.contains(it)));
            return;
        }
        let Some(way) = way else { return self.locate(after) };
        let moved = |it: &Train| Some(it.moved(way)).filter(|it| it.fits(after, base, looks));
        let trains: Vec<Train> = self.trains.iter().filter_map(moved).collect();
        self.trust += if trains.is_empty() { -1 } else { 1 };
        if trains.is_empty() {
            return self.locate(after);
        }
        let (front, side) = (trains[0].front(), trains[0].side);
        if let Some(color) = color(base, front, side) {
            self.entered.insert(color);
            self.stopped.remove(&color);
            if color != looks.floor {
                self.visited.insert(color);
                self.vain.insert((color, trains[0].formation()));
            }
        }
        let mut base = after.clone();
        let below = self.base.take();
        for at in after.points().filter(|at| trains[0].covers(*at)) {
            let known = below.as_ref().and_then(|it| it.get(at));
            base.set(at, known.unwrap_or(looks.floor));
        }
        (self.base, self.trains) = (Some(base), trains);
    }

    /// This formation was led to.
    fn tried(&mut self, train: &Train) {
        let onto = self.base.as_ref().and_then(|base| color(base, train.front(), train.side));
        self.vain.extend(onto.map(|color| (color, train.formation())));
    }

    /// The things that the first one may be wanted on: as large as it is, and nothing that stops it.
    fn things(&self, base: &Grid, train: &Train, looks: Looks, mask: &InterfaceMask) -> HashMap<Spot, Color> {
        let scene = Scene::of(base);
        let fits = |width: u8, height: u8| i16::from(width) == train.side && i16::from(height) == train.side;
        let seen = scene.components().iter().filter(|it| fits(it.bounds.width(), it.bounds.height()));
        let seen = seen.filter(|it| !mask.hides(it.center) && it.color != looks.floor);
        let open = seen.filter(|it| self.wins.contains(&it.color) || self.visited.contains(&it.color));
        open.map(|it| ((i16::from(it.bounds.left), i16::from(it.bounds.top)), it.color)).collect()
    }

    /// All that the train can come to, nearest first, without running into itself.
    fn reach(&self, start: &Train, base: &Grid, actions: ActionSet) -> Vec<Reached> {
        let ways = self.ways.iter().filter(|(id, _)| actions.contains(**id));
        let ways: Vec<(Key, (i16, i16))> = ways.filter_map(|(id, way)| Some((key(*id)?, *way))).collect();
        let is_open = |at: Spot| color(base, at, start.side).is_some_and(|it| !self.stopped.contains(&it));
        let mut known = HashSet::from([start.clone()]);
        let mut reached = vec![Reached { train: start.clone(), from: None, depth: 0 }];
        let mut index = 0;
        while index < reached.len() && reached.len() < STATES {
            let Reached { train, depth, .. } = reached[index].clone();
            for (key, way) in &ways {
                let to = train.ahead(*way);
                let next = train.moved(*way);
                if !train.places.contains(&to) && is_open(to) && known.insert(next.clone()) {
                    reached.push(Reached { train: next, from: Some((index, *key)), depth: depth + 1 });
                }
            }
            index += 1;
        }
        reached
    }

    /// The way onto a thing that has all of the train nearest to it, of those that are not known to be in vain.
    fn best(&mut self, looks: Looks, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        let (base, start) = (self.base.as_ref()?, self.trains.first()?);
        let things = self.things(base, start, looks, mask);
        if things.is_empty() {
            return None;
        }
        let reached = self.reach(start, base, actions);
        let ends = reached.iter().enumerate().skip(1).filter_map(|(index, it)| {
            let color = things.get(&it.train.front())?;
            let is_new = !self.vain.contains(&(*color, it.train.formation()));
            is_new.then(|| (!self.wins.contains(color), it.train.spread(it.train.front()), it.depth, index))
        });
        let (is_try, _, depth, mut index) = ends.min()?;
        let (mut steps, mut row) = (VecDeque::new(), VecDeque::new());
        while let Reached { train, from: Some((from, key)), .. } = &reached[index] {
            steps.push_front(Move { action: Action::Key(*key), expected: None });
            row.push_front(train.clone());
            index = *from;
        }
        self.proposed = row;
        let score = if is_try { TRY } else { WINS } + depth as f32;
        Some(Proposal { steps, goal: "lead the train onto a thing, all near".to_owned(), score })
    }
}

/// The key that an action is.
fn key(id: ActionId) -> Option<Key> {
    [Key::Key1, Key::Key2, Key::Key3, Key::Key4].into_iter().find(|key| Action::Key(*key).id() == id)
}

impl Skill for Convoy {
    fn name(&self) -> &'static str {
        "convoy"
    }

    fn begin(&mut self, frame: &Grid, _mask: &InterfaceMask, start: Start) {
        if start == Start::Level {
            self.vain.clear();
            self.base = None;
        }
        self.foreseen.clear();
        self.locate(frame);
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let Action::Key(_) = step.action else { return };
        let id = step.action.id();
        let foreseen = self.foreseen.pop_front();
        if step.outcome == Outcome::Solved {
            let looked = self.trains.first().zip(self.ways.get(&id)).zip(self.base.as_ref());
            let onto = looked.and_then(|((train, way), base)| color(base, train.ahead(*way), train.side));
            self.wins.extend(onto.filter(|it| self.turned && self.looks.is_some_and(|looks| looks.floor != *it)));
        }
        let Some(after) = step.after() else { return };
        if let Some(seen) = sighting(step.before, after, mask) {
            let is_known = self.looks.is_some_and(|it| (it.first, it.rest) == (seen.looks.first, seen.looks.rest));
            if !is_known && (self.looks.is_none() || !self.turned) {
                (self.looks, self.turned, self.trust) = (Some(seen.looks), false, 0);
                self.trains.clear();
            }
            if is_known || !self.turned {
                self.turned |= seen.turns;
                self.ways.insert(id, seen.way);
            }
        }
        if self.looks.is_some() {
            self.follow(id, step.before, after);
        }
        self.is_surprised = foreseen.as_ref().is_some_and(|it| self.trains.first() != Some(it));
        // What makes the train another one than foreseen was come to all the same.
        if let Some(it) = foreseen.filter(|_| self.is_surprised && self.foreseen.is_empty()) {
            self.tried(&it);
        }
    }

    fn propose(&mut self, _frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        let looks = self.looks.filter(|_| self.turned && self.trust >= 0 && self.vain.len() < TRIES)?;
        self.best(looks, mask, actions)
    }

    fn gives_up(&self) -> bool {
        self.is_surprised
    }

    fn taken_up(&mut self) {
        self.foreseen = std::mem::take(&mut self.proposed);
        self.is_surprised = false;
    }
}

#[cfg(test)]
mod tests;
