//! The skill of stamping: a cursor that keys move over a canvas, a key that prints what the chosen stamp has, things to
//! click that choose another one, and a card that shows what the canvas is meant to become.
//!
//! Where `paint` follows a brush of one colour, cell by cell, this one reads a canvas in tiles, below a cursor that leaves
//! most of each to be seen. Every stamp has a print of its own, in any colours: learned from one use, or read off the
//! picture of the stamp.
//!
//! # Layout
//! - [`Stamps`] (here): what to do next; believed once a key moved a cursor as a whole over such a canvas and another one
//!   printed there what a picture at the side shows.
//! - [`sheet`]: the canvas and its card; [`laid`]: canvases whose tiles lie apart; [`cursor`]: what moves over it; [`prints`]: what stamps print;
//!   [`bench`]: what the steps of a play tell of all that.

mod bench;
mod cursor;
mod laid;
mod prints;
mod sheet;

use env_client::{Action, ActionId, ActionSet, Color, Grid, Key, Point};
use world_model::{Bounds, InterfaceMask, Start, Transition};

use self::{
    bench::{Bench, Craft, Record, chosen},
    cursor::Cells,
    prints::{Item, Look, Print},
    sheet::Sheet,
};
use super::{
    ledger::TIER,
    paint::layers::{self, ENDLESS, Layer},
    skill::{Move, Proposal, Skill},
};

/// Printing, and learning how to, come before what others would try: what is seen of such a game is rarely there for
/// anything else. A guess, as are the next.
const SCORE: f32 = -TIER;
/// Actions of this skill in one level before the rest is left to others.
const PATIENCE: u32 = 160;
/// Proposals of one level that are only made to learn.
const CURIOSITY: u32 = 24;
/// Uses of a stamp that showed nothing, after which it is not tried any more.
const VAIN: u32 = 2;
/// Steps remembered, and those after which nothing is looked for where no canvas was found.
const RECORDS: usize = 240;
const SEARCH: usize = 60;

/// Makes a canvas like its card, stamp by stamp.
#[derive(Debug, Default)]
pub(super) struct Stamps {
    /// The canvas of this level, and the last one that was printed on.
    sheet: Option<Sheet>,
    proven: Option<Sheet>,
    /// What was known when the level began, and what happened since.
    known: Craft,
    records: Vec<Record>,
    first: Option<Grid>,
    /// The stamp that was chosen since the level began, or began again.
    choice: Option<Look>,
    /// Actions proposed in this level, and proposals made to learn.
    spent: u32,
    learned: u32,
    /// The proposal made last: its actions, and whether it is made to learn.
    offered: (u32, bool),
    /// What was known when the last proposal was made.
    bench: Option<Bench>,
    /// Whether the cursor did not move when it should have.
    is_stuck: bool,
}

/// What to do next.
struct Offer {
    actions: Vec<Action>,
    goal: String,
    learns: bool,
}

fn key(id: ActionId) -> Option<Action> {
    Key::from_id(id).map(Action::Key)
}

impl Stamps {
    /// The canvas that the steps of a level show being printed on: of several, such as one with its frame, the one that was
    /// most like its card when the level began.
    fn discover(&self, frame: &Grid) -> Option<Sheet> {
        let answered = self.records.iter().filter(|it| it.action.point().is_none() && it.before != it.after);
        let mut keys = answered.map(|it| it.action);
        let first = keys.next()?;
        keys.find(|it| *it != first)?;
        let mut sheets = self.first.as_ref().map(Sheet::all).unwrap_or_default();
        let others = Sheet::all(frame).into_iter().filter(|it| !sheets.contains(it)).collect::<Vec<_>>();
        sheets.extend(others);
        let benches = sheets.into_iter().map(|sheet| Bench::of(sheet, &Craft::default(), &self.records));
        let understood = benches.filter(Bench::is_understood).map(|it| it.sheet);
        let first = self.first.as_ref().unwrap_or(frame);
        understood.min_by_key(|it| (it.unlike(first), it.easel.canvas.points().count()))
    }

    /// The canvas of a level that begins, if one like the last one is there.
    fn find(&self, frame: &Grid) -> Option<Sheet> {
        let proven = self.proven?;
        let alike = Sheet::all(frame).into_iter().filter_map(|it| it.like(proven));
        alike.min_by_key(|it| (it.easel.canvas != proven.easel.canvas, it.easel.picture != proven.easel.picture))
    }

    /// All that is known now, once a picture beside the canvas was seen to show a print: without that it may be another kind
    /// of brush.
    fn read(&self, frame: &Grid, items: &[Item]) -> Option<Bench> {
        let sheet = self.sheet.filter(|_| self.spent < PATIENCE)?;
        let mut bench = Bench::of(sheet, &self.known, &self.records);
        bench.read_pictures(frame, items);
        Some(bench).filter(|it| it.is_understood() && it.reads_pictures())
    }

    fn next(&self, bench: &Bench, frame: &Grid, items: &[Item], actions: ActionSet) -> Option<Offer> {
        let (now, wanted) = (bench.sheet.painted(frame), bench.sheet.wanted(frame));
        if now == wanted {
            return None;
        }
        let place = bench.place(frame);
        let task = Task { bench, frame, now, wanted, items, place, actions, choice: self.choice.as_ref() };
        task.print().or_else(|| task.experiment(self.first.as_ref()).filter(|_| self.learned < CURIOSITY))
    }
}

/// A stamp that can be used: what is chosen now, or what is chosen by clicking on a thing.
type Stamp<'a> = Option<&'a Item>;

/// A canvas as it is, and what can be done about it.
struct Task<'a> {
    bench: &'a Bench,
    frame: &'a Grid,
    now: Vec<Color>,
    wanted: Vec<Color>,
    items: &'a [Item],
    place: Option<Cells>,
    actions: ActionSet,
    choice: Option<&'a Look>,
}

impl Task<'_> {
    /// All stamps: that of which nobody knows the thing, if it is still chosen, and those of all things.
    fn stamps(&self) -> Vec<Stamp<'_>> {
        let initial = self.choice.is_none().then_some(None);
        let can_click = self.actions.contains(ActionId::Action6);
        let items = self.items.iter().filter(|it| can_click || self.choice == Some(&it.look));
        initial.into_iter().chain(items.map(Some)).collect()
    }

    /// Where the cursor can be brought to, with a stamp that has this print.
    fn ways(&self, print: Option<&Print>) -> Vec<(Cells, Vec<Action>)> {
        self.place.map(|place| self.bench.ways(place, self.actions, print)).unwrap_or_default()
    }

    /// The key that prints.
    fn key(&self) -> Option<Action> {
        let mut keys = self.bench.craft.stamping.iter().copied().filter(|id| self.actions.contains(*id));
        keys.next().and_then(key)
    }

    /// The click that chooses a stamp, where another one is chosen.
    fn click(&self, stamp: Stamp<'_>) -> Option<Action> {
        let item = stamp.filter(|it| self.choice != Some(&it.look))?;
        let Bounds { left, top, right, bottom } = item.bounds;
        let middle = |low: u8, high: u8| low + (high - low) / 2;
        Point::new(middle(left, right), middle(top, bottom)).ok().map(Action::Click)
    }

    /// The stamp to be printed next of the fewest that lead to what the card shows: of those that may come first the nearest.
    fn print(&self) -> Option<Offer> {
        let (mut strokes, mut layers) = (Vec::new(), Vec::new());
        for stamp in self.stamps() {
            let Some(print) = self.bench.print(self.frame, stamp) else { continue };
            for (place, way) in self.ways(Some(&print)) {
                let layer = Layer(self.bench.stamped(&print, place));
                if layer.0.iter().any(Option::is_some) && !layers.contains(&layer) {
                    layers.push(layer);
                    strokes.push((stamp, way));
                }
            }
        }
        let wanted: Vec<Option<Color>> = self.wanted.iter().copied().map(Some).collect();
        let order = layers::order(&self.now, &wanted, &layers, &ENDLESS)?;
        let first = layers::first(&order, &self.now, &layers).into_iter().map(|it| strokes[it].clone());
        let (stamp, way) = first.min_by_key(|(stamp, way)| way.len() + usize::from(self.click(*stamp).is_some()))?;
        let actions = self.click(stamp).into_iter().chain(way.iter().copied()).chain([self.key()?]).collect();
        Some(Offer { actions, goal: format!("print what the card shows, {} stamps", order.len()), learns: false })
    }

    /// Something to learn from where nobody knows how to go on: keys that were never pressed, or a stamp that was never
    /// used.
    fn experiment(&self, first: Option<&Grid>) -> Option<Offer> {
        let learn = |actions: Vec<Action>, goal: &str| Offer { actions, goal: goal.to_owned(), learns: true };
        let is_new = |id: &ActionId| *id != ActionId::Action6 && !self.bench.craft.pressed.contains(id);
        if let Some(new) = self.actions.iter().find(is_new).and_then(key) {
            return Some(learn(vec![new], "see where a key moves the cursor"));
        }
        let is_vain = |stamp: &Stamp<'_>| {
            let look = stamp.map(|it| it.look.clone());
            self.bench.vain.get(&look).is_some_and(|it| *it >= VAIN)
        };
        let mut unknown = self.stamps().into_iter().filter(|it| self.bench.print(self.frame, *it).is_none());
        let stamp = unknown.find(|it| !is_vain(it))?;
        let way = self.way_to_spoiled(first);
        let actions = self.click(stamp).into_iter().chain(way).chain(self.key()).collect();
        Some(learn(actions, "see what a stamp prints"))
    }

    /// The way to the nearest place around which known stamps print on a tile that has become wrong, so that a stamp which
    /// restores tiles shows what it does; no way where there is none.
    fn way_to_spoiled(&self, first: Option<&Grid>) -> Vec<Action> {
        let began = first.map(|first| self.bench.sheet.painted(first)).unwrap_or_default();
        let spoiled = |index: usize| self.now[index] != self.wanted[index] && began.get(index) != self.now.get(index);
        let covers = |place: Cells| {
            let prints = self.stamps().into_iter().filter_map(|it| self.bench.print(self.frame, it));
            let stamped: Vec<_> = prints.map(|print| self.bench.stamped(&print, place)).collect();
            (0..self.now.len()).filter(|it| spoiled(*it) && stamped.iter().any(|tiles| tiles[*it].is_some())).count()
        };
        let best = self.ways(None).into_iter().map(|(place, way)| (covers(place), way));
        let best = best.filter(|it| it.0 > 0).max_by_key(|(count, way)| (*count, std::cmp::Reverse(way.len())));
        best.map(|it| it.1).unwrap_or_default()
    }
}

impl Skill for Stamps {
    fn name(&self) -> &'static str {
        "stamps"
    }

    fn begin(&mut self, frame: &Grid, _mask: &InterfaceMask, start: Start) {
        (self.choice, self.is_stuck) = (None, false);
        if start == Start::Level {
            if let Some(last) = self.bench.take() {
                let bench = Bench::of(last.sheet, &last.craft, &self.records);
                self.known = bench.craft;
                self.proven = Some(bench.sheet);
            }
            (self.spent, self.learned) = (0, 0);
            self.records.clear();
            self.first = Some(frame.clone());
            self.sheet = self.find(frame);
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let Some(after) = step.after() else { return };
        if self.records.len() == RECORDS {
            self.records.remove(0);
        }
        let (before, choice) = (step.before.clone(), self.choice.clone());
        let record = Record { before, action: step.action, after: after.clone(), choice };
        self.records.push(record);
        if self.sheet.is_none() && step.action.point().is_none() && self.records.len() < SEARCH {
            self.sheet = self.discover(after);
        }
        let (Some(sheet), Some(record)) = (self.sheet, self.records.last()) else { return };
        self.choice = chosen(record, sheet, mask).or_else(|| self.choice.take());
        self.is_stuck = self.bench.as_ref().is_some_and(|bench| {
            let is_move = bench.craft.keys.contains_key(&record.action.id());
            is_move && bench.place(step.before) == bench.place(after)
        });
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        let items = self.sheet.map(|sheet| prints::items(frame, sheet, mask))?;
        let bench = self.read(frame, &items)?;
        let offer = self.next(&bench, frame, &items, actions);
        self.bench = Some(bench);
        let Offer { actions, goal, learns } = offer?;
        self.offered = (actions.len() as u32, learns);
        let steps: std::collections::VecDeque<Move> =
            actions.into_iter().map(|action| Move { action, expected: None }).collect();
        (!steps.is_empty()).then_some(Proposal { steps, goal, score: SCORE })
    }

    fn gives_up(&self) -> bool {
        self.is_stuck
    }

    fn taken_up(&mut self) {
        self.spent += self.offered.0;
        self.learned += u32::from(self.offered.1);
    }
}

#[cfg(test)]
mod tests;
