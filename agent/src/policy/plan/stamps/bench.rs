//! What the steps of a play tell of a canvas: its cursor, the keys that move it, those that print, and what.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use env_client::{Action, ActionId, ActionSet, Color, Grid};
use world_model::{InterfaceMask, perception::Symmetry};

use super::{
    cursor::{Cells, Cursor, difference},
    key,
    prints::{self, Item, Look, Print, Rule},
    sheet::Sheet,
};

/// How many tiles beside the canvas the cursor may get. A guess.
const BESIDE: i16 = 3;

/// One step of the play, and the stamp that was believed to be chosen before it.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) before: Grid,
    pub(super) action: Action,
    pub(super) after: Grid,
    pub(super) choice: Option<Look>,
}

/// What holds in all levels of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Craft {
    cursor: Option<Cursor>,
    /// By how much each key moves the cursor.
    pub(super) keys: BTreeMap<ActionId, Cells>,
    /// Keys that print, and all that were pressed.
    pub(super) stamping: BTreeSet<ActionId>,
    pub(super) pressed: BTreeSet<ActionId>,
    /// What stamps were seen to print.
    prints: BTreeMap<Look, Print>,
    /// What stamps lie on that wash out what they print where that lies already.
    washing: BTreeSet<Option<Color>>,
    rule: Option<Rule>,
}

impl Craft {
    /// The same where tiles are so many cells wide that were so many before.
    pub(super) fn rescaled(&self, before: u8, now: u8) -> Craft {
        let scale = |it: i16| it * i16::from(now) / i16::from(before.max(1));
        let keys = self.keys.iter().map(|(id, by)| (*id, (scale(by.0), scale(by.1))));
        Craft { keys: keys.collect(), ..self.clone() }
    }
}

/// A canvas and all that is known of it.
#[derive(Clone, Debug)]
pub(super) struct Bench {
    pub(super) sheet: Sheet,
    pub(super) craft: Craft,
    /// The commonest colour of the canvas when the level began.
    ground: Option<Color>,
    /// What was printed before any stamp was chosen, and the stamp that was chosen from the first, once that tells it.
    initial: Print,
    pub(super) began: Option<Look>,
    /// Where a key did not move the cursor.
    edges: Vec<(ActionId, Cells)>,
    /// How often each stamp was tried in vain.
    pub(super) vain: BTreeMap<Option<Look>, u32>,
    /// Stamps that were seen to print where what they print lay already.
    pub(super) overlaid: BTreeSet<Look>,
    /// Whether something speaks against all of this.
    is_wrong: bool,
}

impl Bench {
    /// Reads the steps of a level, with what is known from others.
    pub(super) fn of(sheet: Sheet, known: &Craft, records: &[Record]) -> Bench {
        let mut bench = Bench {
            sheet,
            craft: known.clone(),
            ground: None,
            initial: Print::new(),
            began: None,
            edges: Vec::new(),
            vain: BTreeMap::new(),
            overlaid: BTreeSet::new(),
            is_wrong: false,
        };
        bench.find_cursor(records);
        for it in keys(records) {
            bench.read_move(it);
        }
        bench.ground = records.first().and_then(|it| bench.sheet.commonest(&it.before));
        for it in keys(records) {
            bench.read_print(it);
        }
        bench
    }

    /// Whether a cursor, a key that moves it and one that prints were seen, and nothing that speaks against it.
    pub(super) fn is_understood(&self) -> bool {
        !self.is_wrong && !self.craft.keys.is_empty() && !self.craft.stamping.is_empty()
    }

    fn find_cursor(&mut self, records: &[Record]) {
        let part = self.sheet.surroundings();
        for moved in keys(records).filter_map(|it| Cursor::moved(&it.before, &it.after, part)) {
            let common = self.craft.cursor.as_ref().map(|cursor| cursor.common(&moved));
            self.craft.cursor = common.unwrap_or(Some(moved)).or_else(|| self.craft.cursor.clone());
        }
    }

    /// Where the cursor is.
    pub(super) fn place(&self, frame: &Grid) -> Option<Cells> {
        self.craft.cursor.as_ref()?.place(frame, self.sheet.surroundings())
    }

    /// Learns where a key moves the cursor. Tiles are no wider than the cursor's steps.
    fn read_move(&mut self, it: &Record) {
        let id = it.action.id();
        self.craft.pressed.insert(id);
        let (Some(old), Some(new)) = (self.place(&it.before), self.place(&it.after)) else { return };
        if old == new {
            self.edges.push((id, old));
            return;
        }
        let by = difference(new, old);
        let side = [by.0, by.1].map(|it| u8::try_from(it.unsigned_abs()).unwrap_or_default());
        match side.iter().try_fold(self.sheet, |sheet, side| sheet.divided(*side)) {
            Some(sheet) => self.sheet = sheet,
            None => self.is_wrong = true,
        }
        self.craft.keys.insert(id, by);
    }

    /// Learns what a key printed.
    fn read_print(&mut self, it: &Record) {
        let [old, new] = [&it.before, &it.after].map(|frame| self.sheet.painted(frame));
        let is_moved = self.craft.keys.contains_key(&it.action.id());
        self.is_wrong |= is_moved && old != new;
        self.is_wrong |= self.sheet.wanted(&it.before) != self.sheet.wanted(&it.after);
        if is_moved {
            return;
        }
        let is_known = self.craft.stamping.contains(&it.action.id());
        let place = self.place(&it.before).filter(|place| self.place(&it.after) == Some(*place));
        let Some(place) = place else {
            self.is_wrong |= old != new && !is_known;
            return;
        };
        if old == new {
            if is_known {
                *self.vain.entry(it.choice.clone()).or_default() += 1;
            }
            return;
        }
        let palette = self.sheet.easel.palette(&it.before);
        let mut printed = old.iter().zip(&new).filter(|(old, new)| old != new).map(|(_, new)| new);
        self.is_wrong |= !is_known && !printed.any(|color| palette >> color.index() & 1 == 1);
        self.craft.stamping.insert(it.action.id());
        let on = it.choice.as_ref().map(|look| look.ground);
        if self.ground.is_some_and(|ground| prints::washes(&old, &new, ground)) {
            self.craft.washing.extend(on);
        }
        let ground = self.ground.filter(|_| on.is_some_and(|on| self.craft.washing.contains(&on)));
        let shown = it.choice.as_ref().map_or(0, Look::inks);
        let print = prints::seen(self.sheet, place, (&old, &new), shown, ground);
        let origin = self.sheet.tile_at(place);
        let known = it.choice.clone().map_or(&mut self.initial, |look| self.craft.prints.entry(look).or_default());
        let mut tiles = self.sheet.tiles().zip(&old);
        let is_overlaid = tiles.any(|(at, old)| known.get(&difference(at, origin)) == Some(&Some(*old)));
        self.overlaid.extend(it.choice.clone().filter(|_| is_overlaid));
        prints::complete(known, &print);
    }

    /// Finds out how pictures of stamps are read, from what was printed and how they look in the first frame of a level; and
    /// which one was chosen there, if only one prints what was printed then.
    pub(super) fn read_pictures(&mut self, first: &Grid, items: &[Item]) {
        let learned = self.craft.prints.iter().map(|(look, print)| (Some(look.clone()), print.clone()));
        let initial = Some((None, self.initial.clone())).filter(|it| !it.1.is_empty());
        let seen: Vec<(Option<Look>, Print)> = learned.chain(initial).collect();
        let known = self.craft.rule.filter(|it| it.worth(first, items, &seen).is_some());
        self.craft.rule = Rule::fit(first, items, &seen).or(known);
        let prints_so =
            |it: &&Item| self.picture(first, it).is_some_and(|read| prints::agreement(&read, &self.initial).is_some());
        let mut alike = items.iter().filter(prints_so);
        self.began = alike.next().filter(|_| alike.next().is_none()).map(|it| it.look.clone());
        if let Some(look) = self.began.clone() {
            prints::complete(self.craft.prints.entry(look).or_default(), &std::mem::take(&mut self.initial));
        }
    }

    /// Whether it is known how pictures of stamps are read.
    pub(super) const fn reads_pictures(&self) -> bool {
        self.craft.rule.is_some()
    }

    /// What a click on the stamp that was chosen already does to what it prints, as the last one tells that tells anything.
    pub(super) fn turning(&self, records: &[Record], mask: &InterfaceMask) -> Option<Symmetry> {
        records.iter().rev().find_map(|it| self.turned(it, mask))
    }

    fn turned(&self, record: &Record, mask: &InterfaceMask) -> Option<Symmetry> {
        let (at, rule) = (record.action.point()?, self.craft.rule?);
        let clicked = |frame: &Grid| {
            let mut items = prints::items(frame, self.sheet, mask).into_iter();
            let item = items.find(|it| it.bounds.contains(at.x(), at.y()))?;
            Some((rule.read(frame, &item)?, item.look))
        };
        let ((old, look), (new, _)) = (clicked(&record.before)?, clicked(&record.after)?);
        if old == new {
            return (record.choice == Some(look)).then_some(Symmetry::Identity);
        }
        [Symmetry::Clockwise, Symmetry::Counterclockwise, Symmetry::FlipX, Symmetry::FlipY]
            .into_iter()
            .find(|by| prints::turned(&old, *by) == new)
    }

    /// What the picture of a stamp tells that it prints.
    pub(super) fn picture(&self, frame: &Grid, item: &Item) -> Option<Print> {
        self.craft.rule.and_then(|rule| rule.read(frame, item))
    }

    /// Whether a stamp was seen to print.
    pub(super) fn has_seen(&self, look: &Look) -> bool {
        self.craft.prints.contains_key(look)
    }

    /// What a stamp prints, as it was seen or else as its picture is read: that which was chosen at first, or that on a
    /// thing.
    pub(super) fn print(&self, frame: &Grid, item: Option<&Item>) -> Option<Print> {
        let Some(item) = item else { return Some(self.initial.clone()).filter(|it| !it.is_empty()) };
        let read = self.picture(frame, item);
        let seen = self.craft.prints.get(&item.look);
        if read.is_none() && seen.is_none() {
            return None;
        }
        let mut print = read.unwrap_or_default();
        if let Some(seen) = seen {
            prints::complete(&mut print, seen);
        }
        Some(print)
    }

    /// What the stamp on a thing leaves where what it prints lies already, if it washes that out.
    pub(super) fn washed(&self, item: Option<&Item>) -> Option<Color> {
        self.ground.filter(|_| item.is_some_and(|it| self.craft.washing.contains(&it.look.ground)))
    }

    /// What the canvas becomes where a stamp is put at a place: for each tile its colour, if it gets one.
    pub(super) fn stamped(&self, print: &Print, place: Cells) -> Vec<Option<Color>> {
        let origin = self.sheet.tile_at(place);
        self.sheet.tiles().map(|at| print.get(&difference(at, origin)).copied().flatten()).collect()
    }

    /// All places that the cursor can be brought to, and how, nearest first. A frame stays on the canvas with all that it
    /// holds, which is of the size of a print.
    pub(super) fn ways(&self, from: Cells, actions: ActionSet, print: Option<&Print>) -> Vec<(Cells, Vec<Action>)> {
        let keys: Vec<(ActionId, Cells)> =
            self.craft.keys.iter().filter(|(id, _)| actions.contains(**id)).map(|(id, by)| (*id, *by)).collect();
        let held = print.filter(|_| self.is_framed());
        let from = held.map_or(from, |held| self.drawn_back(from, held));
        let is_free = |id: ActionId, by: Cells, at: Cells, next: Cells| match held {
            Some(held) => self.beyond(next, held) == (0, 0),
            None => !self.is_beyond(id, by, at) && self.is_near(next),
        };
        let mut found: Vec<(Cells, Vec<Action>)> = vec![(from, Vec::new())];
        let mut known = HashSet::from([from]);
        let mut open = VecDeque::from([0]);
        while let Some(index) = open.pop_front() {
            for (id, by) in &keys {
                let at = found[index].0;
                let next = (at.0 + by.0, at.1 + by.1);
                if !is_free(*id, *by, at, next) || !known.insert(next) {
                    continue;
                }
                let way = found[index].1.iter().copied().chain(key(*id)).collect();
                open.push_back(found.len());
                found.push((next, way));
            }
        }
        found
    }

    /// How many tiles of a print lie beyond the right and lower edges of the canvas (or, less than none, the others), were
    /// it made at a place.
    fn beyond(&self, place: Cells, print: &Print) -> Cells {
        let origin = self.sheet.tile_at(place);
        let (last_column, last_row) = self.sheet.tiles().last().unwrap_or_default();
        let printed = || print.iter().filter(|it| it.1.is_some()).map(|it| (it.0.0 + origin.0, it.0.1 + origin.1));
        let over = |low: Option<i16>, high: Option<i16>, last: i16| {
            let after = high.map_or(0, |it| (it - last).max(0));
            if after > 0 { after } else { low.map_or(0, |it| it.min(0)) }
        };
        let columns = || printed().map(|it| it.0);
        let rows = || printed().map(|it| it.1);
        (over(columns().min(), columns().max(), last_column), over(rows().min(), rows().max(), last_row))
    }

    /// Whether the cursor is a frame around what it holds.
    fn is_framed(&self) -> bool {
        self.craft.cursor.as_ref().is_some_and(|it| it.rim().is_some())
    }

    /// Where the cursor is that was at a place, once it held these one after the other.
    pub(super) fn held(&self, place: Cells, prints: &[Print]) -> Cells {
        let held = prints.iter().filter(|_| self.is_framed());
        held.fold(place, |place, print| self.drawn_back(place, print))
    }

    /// Where a frame is drawn back to from a place, if what it holds would not lie on the canvas there.
    fn drawn_back(&self, place: Cells, print: &Print) -> Cells {
        let (columns, rows) = self.beyond(place, print);
        let tile = i16::from(self.sheet.tile);
        (place.0 - columns * tile, place.1 - rows * tile)
    }

    /// Whether a key did not move the cursor any further before it was so far.
    fn is_beyond(&self, id: ActionId, by: Cells, at: Cells) -> bool {
        let along = |it: Cells| it.0 * by.0 + it.1 * by.1;
        self.edges.iter().any(|(key, edge)| *key == id && along(at) >= along(*edge))
    }

    fn is_near(&self, place: Cells) -> bool {
        let (x, y) = self.sheet.tile_at(place);
        let (columns, rows) = self.sheet.tiles().last().unwrap_or_default();
        (-BESIDE..=columns + BESIDE).contains(&x) && (-BESIDE..=rows + BESIDE).contains(&y)
    }
}

/// The steps in which a key was pressed that takes nothing back.
fn keys(records: &[Record]) -> impl Iterator<Item = &Record> {
    records.iter().filter(|it| it.action.point().is_none() && it.action.id() != ActionId::Action7)
}

/// The stamp that a click chose, if it did: one that answered, or the first that was clicked at all.
pub(super) fn chosen(record: &Record, sheet: Sheet, mask: &InterfaceMask) -> Option<Look> {
    let at = record.action.point()?;
    // What is turned by the click looks otherwise afterwards.
    let mut items = prints::items(&record.after, sheet, mask).into_iter();
    let item = items.find(|it| it.bounds.contains(at.x(), at.y()))?;
    let answers = record.before.differences(&record.after)?.any(|at| !mask.hides(at));
    (answers || record.choice.is_none()).then_some(item.look)
}

#[cfg(test)]
mod tests {
    use world_model::Bounds;

    use super::*;
    use crate::policy::plan::paint::easel::Easel;

    /// Four tiles a side of four cells each, with a frame of 7 around some of them, from a tile on.
    fn framed(column: u8, size: (u8, u8)) -> Grid {
        let mut frame = Grid::filled(64, 64, Color::of(2));
        let mut fill = |left: u8, top: u8, (width, height): (u8, u8), color: u8| {
            let bounds = Bounds { left, top, right: left + width - 1, bottom: top + height - 1 };
            bounds.points().for_each(|at| frame.set(at, Color::of(color)));
        };
        fill(9 + 4 * column, 9, (4 * size.0 + 1, 4 * size.1 + 1), 7);
        fill(10 + 4 * column, 10, (4 * size.0 - 1, 4 * size.1 - 1), 2);
        for (x, y) in (0..4).flat_map(|y| (0..4).map(move |x| (x, y))) {
            fill(10 + 4 * x, 10 + 4 * y, (3, 3), 0);
        }
        frame
    }

    /// Their canvas, and a card half as large.
    fn sheet() -> Sheet {
        let canvas = Bounds { left: 10, top: 10, right: 25, bottom: 25 };
        let picture = Bounds { left: 40, top: 40, right: 47, bottom: 47 };
        Sheet { easel: Easel { canvas, picture }, tile: 4, laid: Some(2) }
    }

    #[test]
    fn a_frame_goes_as_far_as_what_it_holds_fits_on_the_canvas() {
        let right = ActionId::Action4;
        let step =
            Record { before: framed(0, (2, 2)), action: key(right).unwrap(), after: framed(1, (2, 2)), choice: None };
        let bench = Bench::of(sheet(), &Craft::default(), &[step]);
        let wide: Print = (1..4).map(|x| ((x, 1), Some(Color::of(8)))).collect();
        let place = bench.place(&framed(0, (3, 1))).unwrap();
        let keys = ActionSet::of(&[right]);
        assert_eq!(bench.ways(place, keys, Some(&wide)).len(), 2, "four tiles hold three in two places");
        let far = bench.place(&framed(3, (1, 1))).unwrap();
        assert_eq!(bench.ways(far, keys, Some(&wide))[0].0, (place.0 + 4, place.1), "it is drawn back");
    }

    #[test]
    fn steps_are_as_wide_as_the_tiles_of_a_level() {
        let craft =
            Craft { keys: [(ActionId::Action4, (8, 0)), (ActionId::Action1, (0, -8))].into(), ..Craft::default() };
        let keys = [(ActionId::Action4, (7, 0)), (ActionId::Action1, (0, -7))];
        assert_eq!(craft.rescaled(8, 7).keys, keys.into());
    }

    #[test]
    fn a_frame_that_is_turned_at_the_edge_stays_where_that_brings_it() {
        let step = Record {
            before: framed(0, (3, 1)),
            action: key(ActionId::Action4).unwrap(),
            after: framed(1, (3, 1)),
            choice: None,
        };
        let bench = Bench::of(sheet(), &Craft::default(), &[step]);
        let flat: Print = (1..4).map(|x| ((x, 1), Some(Color::of(8)))).collect();
        let tall = prints::turned(&flat, Symmetry::Clockwise);
        let (x, y) = bench.place(&framed(1, (3, 1))).unwrap();
        assert_eq!(bench.held((x + 4, y), std::slice::from_ref(&tall)), (x + 4, y), "one tile wide it may be anywhere");
        assert_eq!(bench.held((x + 4, y), &[tall, flat]), (x, y), "three tiles wide it is drawn back");
    }

    #[test]
    fn what_takes_a_step_back_is_no_key_of_the_cursor() {
        let step = |id: ActionId, (from, to): (u8, u8)| {
            let [before, after] = [from, to].map(|column| framed(column, (2, 2)));
            Record { before, action: key(id).unwrap(), after, choice: None }
        };
        let steps = [step(ActionId::Action4, (0, 1)), step(ActionId::Action7, (1, 0))];
        let keys = Bench::of(sheet(), &Craft::default(), &steps).craft.keys;
        assert_eq!(keys.into_keys().collect::<Vec<_>>(), [ActionId::Action4]);
    }
}
