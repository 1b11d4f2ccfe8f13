//! Blocks on a bed: a click picks one, and arrows take who is picked one unit on, along its own axis where it has one.
//!
//! # Layout
//! - [`Parking`] (here): which block is picked, and what keys do to it.
//! - `bed`: the blocks of a level and where each can lie.
//!
//! # The one decision
//! The first block that moves tells the unit, the bed and its own measures. Whatever else on that bed is a filled rectangle and
//! lies and measures as that block does in whole units, is a block as well. A block that refuses to go across its long side
//! though nothing is in the way says that all do.

mod bed;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use env_client::{Action, Color, Grid, Key, Point};

pub use self::bed::Block;
use self::bed::{Bed, Unit};
use crate::{Bounds, InterfaceMask, Outcome, Scene, Start, Transition};

/// Columns and rows.
pub type Place = (i16, i16);

/// Blocks of one level, more of which are none. A guess, as are the two below.
const BLOCKS: usize = 24;
/// Blocks that moved while they were picked, each after another one, by which it is known that clicks pick.
const PICKS: u32 = 2;
/// So many steps out of line, for each that was in it, by which there are no blocks.
const DOUBT: u32 = 3;

/// Which way arrows point for the official player.
const ARROWS: [(Key, Place); 4] =
    [(Key::Key1, (0, -1)), (Key::Key2, (0, 1)), (Key::Key3, (-1, 0)), (Key::Key4, (1, 0))];

/// Where each block lies, and which one is picked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// The upper left corner of each block.
    pub at: Vec<Place>,
    /// The number of the one that obeys.
    pub picked: Option<usize>,
}

/// What stops a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// Nothing.
    Free,
    /// Another block.
    Block,
    /// The end of the bed, or something on it.
    End,
}

/// A block that looked so was driven that way when a level was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    color: Color,
    key: Key,
}

/// Learns how blocks are picked and moved.
#[derive(Clone, Debug, Default)]
pub struct Parking {
    /// What the last level told of units, and the level that is played, if it has blocks.
    unit: Option<Unit>,
    /// Which way keys took blocks in this game.
    ways: Vec<(Key, Place)>,
    bed: Option<Bed>,
    layout: Option<Layout>,
    /// What was clicked last, and the frame before that: what is picked may look different.
    clicked: Option<(Point, Grid)>,
    /// Steps of a block that was picked after another one had moved, those of one that was not picked, and refusals to go
    /// across.
    picks: u32,
    doubts: u32,
    bound: u32,
    moved_last: Option<usize>,
    /// Blocks and keys that did nothing where nothing was seen to be in the way.
    refused: HashSet<(usize, Place, Key)>,
    won: Vec<Exit>,
}

impl Parking {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        (self.clicked, self.moved_last) = (None, None);
        self.refused.clear();
        if start == Start::Level || self.bed.is_some() {
            self.bed = self.unit.and_then(|unit| Bed::lay(frame, mask, unit, None));
        }
        self.layout = self.bed.as_ref().map(|bed| Layout { at: bed.first.clone(), picked: None });
    }

    /// Learns from one action.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        match (step.action, step.outcome) {
            (Action::Click(at), Outcome::Continues) => self.click(step, at),
            (Action::Key(key), Outcome::Continues) => self.press(step, key, mask),
            (Action::Key(key), Outcome::Solved) => self.solved(key),
            _ => {}
        }
    }

    fn click(&mut self, step: &Transition<'_>, at: Point) {
        self.clicked = Some((at, step.before.clone()));
        let Some((bed, after)) = self.bed.as_ref().zip(step.after()) else { return };
        let Some(before) = self.layout.take() else { return };
        let picked = bed.block_at(&before.at, at).or(before.picked);
        self.layout = bed.read(after, &before.at).map(|at| Layout { at, picked });
    }

    fn press(&mut self, step: &Transition<'_>, key: Key, mask: &InterfaceMask) {
        let Some(after) = step.after() else { return };
        if self.bed.is_none() {
            self.meet(step, key, mask);
        }
        let Some((bed, layout)) = self.bed.as_ref().zip(self.layout.take()) else { return };
        let Some(now) = bed.read(after, &layout.at) else { return };
        let moved: Vec<usize> = (0..now.len()).filter(|it| now[*it] != layout.at[*it]).collect();
        let mut picked = layout.picked;
        match (moved[..].first().copied(), layout.picked) {
            (Some(block), _) if moved.len() == 1 && self.is_step(key, layout.at[block], now[block]) => {
                let way = toward(layout.at[block], now[block]);
                self.learn_way(key, way);
                let is_told = layout.picked == Some(block);
                self.picks += u32::from(is_told && self.moved_last != Some(block));
                self.doubts += u32::from(!is_told);
                (picked, self.moved_last) = (Some(block), Some(block));
            }
            (Some(_), _) => self.doubts += 1,
            (None, Some(block)) => {
                let Some(way) = self.way(key) else { return self.layout = Some(layout) };
                let ahead = bed.ahead(&layout.at, block, way);
                let is_across = bed.blocks[block].is_across(way);
                self.bound += u32::from(ahead == Ahead::Free && is_across);
                if ahead == Ahead::Free && !is_across {
                    self.refused.insert((block, layout.at[block], key));
                }
            }
            (None, None) => {}
        }
        self.layout = Some(Layout { at: now, picked });
    }

    /// The first block moves.
    fn meet(&mut self, step: &Transition<'_>, key: Key, mask: &InterfaceMask) {
        let Some(after) = step.after() else { return };
        let (before, later) = (Scene::of(step.before), Scene::of(after));
        let moved = before.shifted(&later);
        let Some((block, by)) = moved.iter().max_by_key(|it| it.0.area).copied() else { return };
        let is_one = moved.iter().all(|it| it.1 == by);
        let way = (by.0.signum(), by.1.signum());
        if !is_one || (way.0 == 0) == (way.1 == 0) || self.known(key).is_some_and(|it| it != way) {
            return;
        }
        let bounds = moved.iter().map(|it| it.0.bounds).fold(block.bounds, Bounds::union);
        let (frame, bounds) = self.unmarked(step.before, bounds).unwrap_or((step.before, bounds));
        let unit = Unit::of(bounds, by, after, way);
        let bed = Bed::lay(frame, mask, unit, Some((block.color, bounds)));
        self.bed = bed.filter(|bed| bed.blocks.len() <= BLOCKS);
        let Some(bed) = &self.bed else { return };
        self.unit = Some(unit);
        let at = bed.first.clone();
        let picked = self.clicked.as_ref().and_then(|click| bed.block_at(&at, click.0));
        self.layout = Some(Layout { at, picked });
        self.learn_way(key, way);
    }

    /// The frame before the click that picked what now fills a box, and the box it filled there, if nothing else is different.
    fn unmarked(&self, now: &Grid, marked: Bounds) -> Option<(&Grid, Bounds)> {
        let (at, frame) = self.clicked.as_ref()?;
        let scene = Scene::of(frame);
        let block = scene.components()[scene.component_at(*at)?].bounds;
        let is_marked = |at: Point| marked.contains(at.x(), at.y());
        let is_inside = block.points().all(is_marked) && frame.differences(now)?.all(is_marked);
        is_inside.then_some((frame, block))
    }

    fn solved(&mut self, key: Key) {
        let Some((bed, layout)) = self.bed.as_ref().zip(self.layout.as_ref()) else { return };
        let exit = layout.picked.map(|it| Exit { color: bed.blocks[it].color, key });
        self.won.extend(exit.filter(|it| !self.won.contains(it)));
    }

    fn learn_way(&mut self, key: Key, way: Place) {
        if self.known(key).is_none() {
            self.ways.push((key, way));
        }
    }

    /// Which way a key took blocks.
    fn known(&self, key: Key) -> Option<Place> {
        self.ways.iter().find(|it| it.0 == key).map(|it| it.1)
    }

    /// Which way a key goes: where it took blocks, or else as it points for the official player as long as all do.
    fn way(&self, key: Key) -> Option<Place> {
        let usual = |key: Key| ARROWS.into_iter().find(|it| it.0 == key).map(|it| it.1);
        let are_usual = self.ways.iter().all(|(key, way)| usual(*key) == Some(*way));
        self.known(key).or_else(|| usual(key).filter(|_| are_usual))
    }

    /// All keys of which a way is known.
    fn arrows(&self) -> impl Iterator<Item = (Key, Place)> {
        let keys = [Key::Key1, Key::Key2, Key::Key3, Key::Key4, Key::Key5];
        keys.into_iter().filter_map(|key| Some((key, self.way(key)?)))
    }

    /// Whether a key may have taken a block one unit from one place to another.
    fn is_step(&self, key: Key, from: Place, to: Place) -> bool {
        let way = toward(from, to);
        let is_straight = (way.0 == 0) != (way.1 == 0);
        let is_told = self.known(key).is_none_or(|it| it == way);
        is_straight && is_told && self.bed.as_ref().is_some_and(|bed| bed.unit.is_step(from, to, way))
    }

    /// Whether it is known that blocks are picked and go along their axes.
    pub fn is_understood(&self) -> bool {
        self.picks >= PICKS && self.bound > 0 && DOUBT * self.doubts <= self.picks + self.bound
    }

    /// How the blocks lie.
    pub fn layout(&self) -> Option<&Layout> {
        self.layout.as_ref()
    }

    /// The blocks of the level.
    pub fn blocks(&self) -> &[Block] {
        self.bed.as_ref().map_or(&[], |bed| &bed.blocks)
    }

    /// What is in the way of a block by a key.
    pub fn ahead(&self, layout: &Layout, block: usize, key: Key) -> Option<Ahead> {
        let (bed, way) = (self.bed.as_ref()?, self.way(key)?);
        Some(bed.ahead(&layout.at, block, way))
    }

    /// Whether a block goes along the axis of a key at all.
    pub fn obeys(&self, block: usize, key: Key) -> bool {
        self.way(key).is_some_and(|way| self.blocks().get(block).is_some_and(|it| !it.is_across(way)))
    }

    /// Whether what lies beyond the end of the bed ahead of a block is not as it is nearly everywhere.
    pub fn is_odd(&self, layout: &Layout, block: usize, key: Key) -> bool {
        let Some((bed, way)) = self.bed.as_ref().zip(self.way(key)) else { return false };
        !bed.is_common(bed.beyond(&layout.at, block, way))
    }

    /// Whether a level was solved by driving a block of this look that way.
    pub fn has_won(&self, block: usize, key: Key) -> bool {
        let color = self.blocks()[block].color;
        self.won.contains(&Exit { color, key })
    }

    /// The click that picks a block where it lies.
    pub fn pick(&self, layout: &Layout, block: usize) -> Option<Action> {
        Some(Action::Click(self.blocks()[block].middle(layout.at[block])?))
    }

    /// Every block that can go on and the key that takes it there, once it is picked, with what that leads to.
    pub fn steps(&self, layout: &Layout) -> Vec<(usize, Key, Layout)> {
        let Some(bed) = &self.bed else { return Vec::new() };
        let all = (0..bed.blocks.len()).flat_map(|block| self.arrows().map(move |(key, way)| (block, key, way)));
        let along = all.filter(|(block, _, way)| !bed.blocks[*block].is_across(*way));
        let free = along.filter(|(block, key, way)| {
            let is_free = bed.ahead(&layout.at, *block, *way) == Ahead::Free;
            is_free && !self.refused.contains(&(*block, layout.at[*block], *key))
        });
        free.map(|(block, key, way)| {
            let mut next = Layout { picked: Some(block), ..layout.clone() };
            next.at[block] = bed.unit.step(layout.at[block], way);
            (block, key, next)
        })
        .collect()
    }
}

/// Which way one place lies from another one in its row or column.
fn toward(from: Place, to: Place) -> Place {
    ((to.0 - from.0).signum(), (to.1 - from.1).signum())
}
