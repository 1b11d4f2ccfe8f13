//! The skill of stamping: a cursor that keys move over a canvas, a key that prints what the chosen stamp has, things to
//! click that choose another one, and a card that shows what the canvas is meant to become.
//!
//! A click on what is chosen already may turn it, and what it prints: then that is as good as a stamp of its own.
//!
//! Where `paint` follows a brush of one colour, cell by cell, this one reads a canvas in tiles, below a cursor that leaves
//! most of each to be seen. Every stamp has a print of its own, in any colours: learned from one use, or read off the
//! picture of the stamp.
//!
//! # Layout
//! - [`Stamps`] (here): what to do next; believed once a key moved a cursor as a whole over such a canvas and another one
//!   printed there what a picture at the side shows.
//! - [`sheet`]: the canvas and its card; [`laid`]: canvases whose tiles lie apart; [`cursor`]: what moves over it; [`prints`]: what stamps print;
//!   [`bench`]: what the steps of a play tell of all that; [`strokes`]: which prints lead to the card.

mod bench;
mod cursor;
mod laid;
mod prints;
mod sheet;
mod strokes;

use env_client::{Action, ActionId, ActionSet, Color, Grid, Key};
use world_model::{InterfaceMask, Start, Transition, perception::Symmetry};

use self::{
    bench::{Bench, Craft, Record, chosen},
    cursor::Cells,
    prints::{Item, Look, Print},
    sheet::Sheet,
    strokes::Stroke,
};
use super::{
    ledger::TIER,
    paint::layers::Layer,
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
    /// The proposal made last: its actions, and what it is made for.
    offered: (u32, Aim),
    /// What was known when the last proposal was made.
    bench: Option<Bench>,
    /// Whether the cursor did not move when it should have.
    is_stuck: bool,
    /// Whether a stamp was clicked in this level to see whether that turns it.
    was_turned: bool,
    /// Whether the card can be printed on the canvas as it was at first only, as it was found last.
    is_spoiled: bool,
}

/// What a proposal is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Aim {
    #[default]
    Print,
    /// To learn what a key does, or a stamp.
    Learn,
    /// To see whether a click turns the stamp that is chosen already.
    Turn,
}

/// Something to do.
struct Offer {
    actions: Vec<Action>,
    goal: String,
    aim: Aim,
}

impl Offer {
    fn new(actions: Vec<Action>, goal: &str, aim: Aim) -> Offer {
        Offer { actions, goal: goal.to_owned(), aim }
    }
}

/// What to do next.
enum Next {
    Offer(Offer),
    /// What is known leads to what the card shows from the beginning of the level, and not from here.
    StartOver,
    Nothing,
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
    fn read(&self, frame: &Grid, mask: &InterfaceMask) -> Option<Bench> {
        let sheet = self.sheet.filter(|_| self.spent < PATIENCE)?;
        let known = self.known.rescaled(self.proven.map_or(sheet.tile, |it| it.tile), sheet.tile);
        let mut bench = Bench::of(sheet, &known, &self.records);
        let first = self.first.as_ref().unwrap_or(frame);
        bench.read_pictures(first, &prints::items(first, sheet, mask));
        Some(bench).filter(|it| it.is_understood() && it.reads_pictures())
    }

    /// What to do about the canvas of a frame.
    fn task<'a>(
        &'a self,
        bench: &'a Bench,
        (frame, items): (&'a Grid, &'a [Item]),
        mask: &InterfaceMask,
        actions: ActionSet,
    ) -> Task<'a> {
        Task {
            bench,
            frame,
            now: bench.sheet.painted(frame),
            wanted: bench.sheet.wanted(frame),
            items,
            place: bench.place(frame),
            actions,
            choice: self.choice.as_ref().or(bench.began.as_ref()),
            turning: bench.turning(&self.records, mask),
        }
    }

    fn next(&self, task: &Task<'_>, mask: &InterfaceMask) -> Next {
        if task.now == task.wanted {
            return Next::Nothing;
        }
        let lesson = || task.experiment(self.first.as_ref()).filter(|_| self.learned < CURIOSITY);
        match task.print().or_else(lesson) {
            Some(offer) => Next::Offer(offer),
            None if self.leads_from_the_beginning(task, mask) => Next::StartOver,
            None => {
                let turn = task.turn().filter(|_| !self.was_turned);
                let doubt = || task.doubt().filter(|_| self.learned < CURIOSITY);
                turn.or_else(doubt).map_or(Next::Nothing, Next::Offer)
            }
        }
    }

    /// Whether the canvas is as it was when the level began: a level that begins again with a print on it was not begun again.
    fn is_as_at_first(&self, frame: &Grid) -> bool {
        let canvases = self.sheet.zip(self.first.as_ref()).map(|(sheet, it)| [it, frame].map(|it| sheet.painted(it)));
        canvases.is_none_or(|[first, now]| first == now)
    }

    /// Whether all that is known leads to what the card shows from the beginning of the level.
    fn leads_from_the_beginning(&self, now: &Task<'_>, mask: &InterfaceMask) -> bool {
        let Some(first) = &self.first else { return false };
        let items = prints::items(first, now.bench.sheet, mask);
        let task = self.task(now.bench, (first, &items), mask, now.actions);
        Task { choice: now.bench.began.as_ref(), ..task }.print().is_some()
    }
}

/// A stamp that can be used: what is chosen now, or what is chosen by clicking on a thing.
type Stamp<'a> = Option<&'a Item>;

/// A stamp in hand, turned so or so: the clicks that lead to that, and what it prints after each of them, at least once.
#[derive(Clone)]
struct Hold {
    clicks: Vec<Action>,
    prints: Vec<Print>,
    /// What is left where it washes out what it prints.
    washed: Option<Color>,
}

impl Hold {
    fn print(&self) -> &Print {
        &self.prints[self.prints.len() - 1]
    }
}

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
    /// What a click does to a stamp that is chosen already, once that is known.
    turning: Option<Symmetry>,
}

impl Task<'_> {
    /// All stamps: that of which nobody knows the thing, if it is still chosen, and those of all things.
    fn stamps(&self) -> Vec<Stamp<'_>> {
        let initial = self.choice.is_none().then_some(None);
        let can_click = self.actions.contains(ActionId::Action6);
        let items = self.items.iter().filter(|it| can_click || self.choice == Some(&it.look));
        initial.into_iter().chain(items.map(Some)).collect()
    }

    /// All that can be held of which it is known what it prints.
    fn holds(&self) -> Vec<Hold> {
        let stamps = self.stamps().into_iter();
        let known = stamps.filter_map(|stamp| Some((stamp, self.bench.print(self.frame, stamp)?)));
        known.flat_map(|(stamp, print)| self.turns(stamp, print)).collect()
    }

    /// A stamp that prints this, and what each click makes of its picture, as long as that is something else.
    fn turns(&self, stamp: Stamp<'_>, print: Print) -> Vec<Hold> {
        let (clicks, washed) = (self.click(stamp).into_iter().collect(), self.bench.washed(stamp));
        let mut hold = Hold { clicks, prints: vec![print], washed };
        let mut turns = vec![hold.clone()];
        let picture = stamp.and_then(|it| Some((it.click(), self.bench.picture(self.frame, it)?)));
        let Some((by, (click, picture))) = self.turning.zip(picture) else { return turns };
        let mut next = prints::turned(&picture, by);
        while next != picture {
            hold.clicks.push(click);
            hold.prints.push(next.clone());
            turns.push(hold.clone());
            next = prints::turned(&next, by);
        }
        turns
    }

    /// Where the cursor can be brought to, with what was held one after the other by then.
    fn ways(&self, prints: &[Print]) -> Vec<(Cells, Vec<Action>)> {
        let from = self.place.map(|place| self.bench.held(place, prints));
        from.map(|from| self.bench.ways(from, self.actions, prints.last())).unwrap_or_default()
    }

    /// The key that prints.
    fn key(&self) -> Option<Action> {
        let mut keys = self.bench.craft.stamping.iter().copied().filter(|id| self.actions.contains(*id));
        keys.next().and_then(key)
    }

    /// The click that chooses a stamp, where another one is chosen.
    fn click(&self, stamp: Stamp<'_>) -> Option<Action> {
        stamp.filter(|it| self.choice != Some(&it.look)).map(Item::click)
    }

    /// The stamp to be printed next of the fewest that lead to what the card shows: of those that may come first the nearest.
    fn print(&self) -> Option<Offer> {
        let strokes = self.strokes();
        let (first, count) = strokes::next(&self.now, &self.wanted, &strokes)?;
        let first = first.into_iter().map(|it| strokes[it].actions.clone());
        let mut steps = first.min_by_key(Vec::len)?;
        steps.push(self.key()?);
        let goal = format!("print what the card shows, {count} stamps");
        Some(Offer::new(steps, &goal, Aim::Print))
    }

    /// All that can be printed, each by the nearest way.
    fn strokes(&self) -> Vec<Stroke> {
        let mut strokes: Vec<Stroke> = Vec::new();
        for hold in self.holds() {
            for (place, way) in self.ways(&hold.prints) {
                let layer = Layer(self.bench.stamped(hold.print(), place));
                let is_new = strokes.iter().all(|it| (&it.layer, it.washed) != (&layer, hold.washed));
                if is_new && layer.0.iter().any(Option::is_some) {
                    let actions = [hold.clicks.clone(), way].concat();
                    strokes.push(Stroke { layer, washed: hold.washed, actions });
                }
            }
        }
        strokes
    }

    /// Something to learn from where nobody knows how to go on: keys that were never pressed, or a stamp that was never
    /// used.
    fn experiment(&self, first: Option<&Grid>) -> Option<Offer> {
        let is_else = |id: ActionId| matches!(id, ActionId::Action6 | ActionId::Action7);
        let is_new = |id: &ActionId| !is_else(*id) && !self.bench.craft.pressed.contains(id);
        if let Some(new) = self.actions.iter().find(is_new).and_then(key) {
            return Some(Offer::new(vec![new], "see where a key moves the cursor", Aim::Learn));
        }
        let mut unknown = self.stamps().into_iter().filter(|it| self.bench.print(self.frame, *it).is_none());
        let stamp = unknown.find(|it| !self.is_vain(*it))?;
        Some(self.trial(stamp, self.way_to_spoiled(first)))
    }

    /// A use of a stamp that is only known by its picture, which may have been misread, or was never seen to print where what
    /// it prints lies already: there, if it lies anywhere.
    fn doubt(&self) -> Option<Offer> {
        let mut stamps = self.stamps();
        stamps.retain(|it| it.is_some() && !self.is_vain(*it));
        stamps.sort_by_key(|it| it.is_some_and(|it| self.bench.has_seen(&it.look)));
        let mut trials = stamps.into_iter().filter_map(|stamp| {
            let look = &stamp?.look;
            let print = self.bench.print(self.frame, stamp).filter(|_| !self.bench.overlaid.contains(look))?;
            let places = self.ways(std::slice::from_ref(&print)).into_iter();
            let covered = places.map(|(place, way)| (self.covered(&print, place), way));
            let (count, way) = covered.min_by_key(|it| std::cmp::Reverse(it.0))?;
            (count > 0 || !self.bench.has_seen(look)).then(|| self.trial(stamp, way))
        });
        trials.next()
    }

    /// How many tiles have the colour already that is printed there.
    fn covered(&self, print: &Print, place: Cells) -> usize {
        let printed = self.bench.stamped(print, place);
        printed.iter().zip(&self.now).filter(|(print, now)| **print == Some(**now)).count()
    }

    /// One use of a stamp, at the end of a way.
    fn trial(&self, stamp: Stamp<'_>, way: Vec<Action>) -> Offer {
        let steps = self.click(stamp).into_iter().chain(way).chain(self.key()).collect();
        Offer::new(steps, "see what a stamp prints", Aim::Learn)
    }

    /// Whether a stamp was tried often enough without showing anything.
    fn is_vain(&self, stamp: Stamp<'_>) -> bool {
        let look = stamp.map(|it| it.look.clone());
        self.bench.vain.get(&look).is_some_and(|it| *it >= VAIN)
    }

    /// A click on a stamp that is chosen by then.
    fn turn(&self) -> Option<Offer> {
        let item = self.stamps().into_iter().flatten().next().filter(|_| self.turning.is_none())?;
        let steps = self.click(Some(item)).into_iter().chain([item.click()]).collect();
        Some(Offer::new(steps, "see whether a click turns a stamp", Aim::Turn))
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
        let best = self.ways(&[]).into_iter().map(|(place, way)| (covers(place), way));
        let best = best.filter(|it| it.0 > 0).max_by_key(|(count, way)| (*count, std::cmp::Reverse(way.len())));
        best.map(|it| it.1).unwrap_or_default()
    }
}

impl Skill for Stamps {
    fn name(&self) -> &'static str {
        "stamps"
    }

    fn begin(&mut self, frame: &Grid, _mask: &InterfaceMask, start: Start) {
        (self.is_stuck, self.is_spoiled) = (false, false);
        if start == Start::Level || self.is_as_at_first(frame) {
            self.choice = None;
        }
        if start == Start::Level {
            if let Some(last) = self.bench.take() {
                let bench = Bench::of(last.sheet, &last.craft, &self.records);
                self.known = bench.craft;
                self.proven = Some(bench.sheet);
            }
            (self.spent, self.learned, self.was_turned) = (0, 0, false);
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
        self.is_spoiled = false;
        let items = self.sheet.map(|sheet| prints::items(frame, sheet, mask))?;
        let bench = self.read(frame, mask)?;
        let next = self.next(&self.task(&bench, (frame, &items), mask, actions), mask);
        (self.is_spoiled, self.bench) = (matches!(next, Next::StartOver), Some(bench));
        let Next::Offer(Offer { actions, goal, aim }) = next else { return None };
        self.offered = (actions.len() as u32, aim);
        let steps: std::collections::VecDeque<Move> =
            actions.into_iter().map(|action| Move { action, expected: None }).collect();
        (!steps.is_empty()).then_some(Proposal { steps, goal, score: SCORE })
    }

    fn gives_up(&self) -> bool {
        self.is_stuck
    }

    fn starts_over(&mut self) -> bool {
        std::mem::take(&mut self.is_spoiled)
    }

    fn taken_up(&mut self) {
        self.spent += self.offered.0;
        self.learned += u32::from(self.offered.1 != Aim::Print);
        self.was_turned |= self.offered.1 == Aim::Turn;
    }
}

#[cfg(test)]
mod tests;
