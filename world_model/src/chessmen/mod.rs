//! Men on a board of tiles: a click picks one, and keys move who is picked, each kind by its own gait.
//!
//! - [`Chessmen`]: watches clicks and keys, and says what they would lead to. Start here; [`Position`]: who stands where.
//! - `first`: the first man that moves tells of the tiles; `board`: the tiles of a level and what is drawn on them.
//! - `gait`: where keys take the men of a kind.
//!
//! Men that look alike are of one kind. A kind belongs on its marks: its own drawing with cells left out, or what else
//! is drawn in its colours. What nobody saw entered is in the way; what was never bare stops all.

mod board;
mod first;
mod gait;

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use env_client::{Action, Grid, Key, Point};

use self::{
    board::{Board, Drawing, Floor, Ground, colors, is_hollow},
    first::{answer, changes, first_move},
    gait::{Gait, KEYS},
};
use crate::{Bounds, InterfaceMask, Start, Transition};

/// The most men of a level that are followed: a position has room for no more. A guess.
pub const MOST: usize = 8;
/// Keys that move men.
const MOVES: [Key; 4] = [Key::Key4, Key::Key2, Key::Key3, Key::Key1];
/// Strides between a man and his mark where no way is known. A guess.
const FAR: u32 = 2;

/// Who stands where: the tile of each man, kind after kind, and the number of who is picked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    men: [u16; MOST],
    picked: Option<u8>,
}

/// Men that look alike.
#[derive(Clone, Debug)]
struct Kind {
    drawing: Drawing,
    mark: Drawing,
    gait: Gait,
    /// Whether a click on one did nothing although another one was picked.
    is_deaf: bool,
}

/// Learns how men are picked and moved.
#[derive(Clone, Debug, Default)]
pub struct Chessmen {
    ground: Option<Ground>,
    kinds: Vec<Kind>,
    /// Other tiles than bare ones, by their looks: how often one was entered and how often one refused.
    others: HashMap<u64, (u32, u32)>,
    /// Keys that did nothing before anything was clicked, and such as did something.
    idle: (u32, u32),
    /// How often a man moved who was picked after another one had moved.
    chosen: u32,
    /// How often anything was learned.
    lessons: u32,
    /// The first frame of the level and its tiles.
    first: Option<Grid>,
    board: Option<Board>,
    /// The kind of each man, in order, and the tiles that are marks of a kind.
    roster: Vec<usize>,
    marks: Vec<(usize, usize)>,
    /// Strides of each kind from each tile to its nearest mark, as if nobody stood in the way.
    distances: Vec<Vec<u32>>,
    /// What the last click changed that did anything.
    clicked: Option<Bounds>,
    picked: Option<usize>,
    moved_last: Option<usize>,
    /// What did not move a man of a kind on a tile, by key, although nobody stood in his way.
    refused: HashSet<(usize, usize, usize)>,
}

impl Chessmen {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        (self.clicked, self.picked, self.moved_last) = (None, None, None);
        if start == Start::Level {
            self.refused.clear();
            self.first = Some(frame.clone());
            self.set_up(mask, None);
        }
    }

    /// Lays the board of the level and musters the men, of whom one surely stands here.
    fn set_up(&mut self, mask: &InterfaceMask, sure: Option<Point>) {
        let laid = self.first.as_ref().zip(self.ground.as_ref());
        self.board = laid.and_then(|(first, ground)| Board::lay(first, mask, ground));
        (self.roster, self.marks) = (Vec::new(), Vec::new());
        let Some(board) = self.board.take() else { return };
        self.enlist(&board, sure.and_then(|at| board.tile_at(at)));
        let kind_of = |drawing: &Drawing| self.kinds.iter().position(|it| it.drawing == *drawing);
        self.roster = board.figures.iter().filter_map(|(_, drawing)| kind_of(drawing)).collect();
        self.roster.sort_unstable();
        let marks = board.figures.iter().filter(|(_, drawing)| kind_of(drawing).is_none());
        let mark_of = |drawing: &Drawing| self.roster.iter().find(|it| self.kinds[**it].mark == *drawing).copied();
        self.marks = marks.filter_map(|(tile, drawing)| Some((mark_of(drawing)?, *tile))).collect();
        self.board = Some(board);
        self.measure();
    }

    /// Drawings of which another one is a hollow copy are men, and so is who was seen to move.
    fn enlist(&mut self, board: &Board, sure: Option<usize>) {
        for (tile, drawing) in &board.figures {
            if self.kinds.iter().any(|it| it.drawing == *drawing || it.mark == *drawing) {
                continue;
            }
            let mut figures = board.figures.iter().map(|it| &it.1);
            let hollow = figures.clone().find(|it| is_hollow(it, drawing));
            let is_kind = |it: &Drawing| self.kinds.iter().any(|kind| kind.drawing == *it);
            let is_alike = |it: &&Drawing| colors(it) == colors(drawing) && *it != drawing && !is_kind(it);
            let mut other = || figures.find(is_alike).filter(|_| sure == Some(*tile));
            if let Some(mark) = hollow.or_else(&mut other).cloned() {
                self.kinds.push(Kind { drawing: drawing.clone(), mark, gait: Gait::default(), is_deaf: false });
            }
        }
    }

    /// Learns from one action.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let Some(after) = step.after() else { return };
        let is_change = changes(step, mask).is_some_and(|mut it| it.next().is_some());
        match step.action {
            Action::Click(at) => self.click(step, at, mask),
            Action::Key(key) if MOVES.contains(&key) => {
                match (self.clicked, is_change) {
                    (None, true) => self.idle.1 += 1,
                    (None, false) => self.idle.0 += 1,
                    (Some(at), true) if self.ground.is_none() => self.meet(step, at, mask),
                    _ => {}
                }
                self.moved(step, after, number(key), is_change);
            }
            Action::Key(_) => self.picked = self.picked.filter(|_| !is_change),
        }
    }

    fn click(&mut self, step: &Transition<'_>, at: Point, mask: &InterfaceMask) {
        let answer = answer(step, at, mask);
        self.clicked = answer.or(self.clicked);
        let (Some(board), Some(men)) = (&self.board, self.men(step.before)) else { return };
        let Some(tile) = board.tile_at(at).filter(|tile| men.iter().any(|it| it.1 == *tile)) else { return };
        if answer.is_some() {
            self.picked = Some(tile);
        } else if self.picked.is_some_and(|it| it != tile) {
            let kind = men.iter().find(|it| it.1 == tile).map(|it| it.0);
            if let Some(kind) = kind {
                self.kinds[kind].is_deaf = true;
            }
        }
    }

    /// The first man moves.
    fn meet(&mut self, step: &Transition<'_>, at: Bounds, mask: &InterfaceMask) {
        let Some(first) = first_move(step, at, mask) else { return };
        self.ground = Some(first.ground);
        self.set_up(mask, Some(first.from));
        let board = self.board.as_ref();
        self.picked = board.and_then(|it| it.tile_at(first.from));
        self.lessons += 1;
    }

    /// Learns from a key.
    fn moved(&mut self, step: &Transition<'_>, after: &Grid, key: usize, is_change: bool) {
        let (Some(before), Some(now)) = (self.men(step.before), self.men(after)) else { return };
        let gone: Vec<_> = before.iter().filter(|it| !now.contains(it)).collect();
        let came: Vec<_> = now.iter().filter(|it| !before.contains(it)).collect();
        match (gone.as_slice(), came.as_slice()) {
            ([(kind, from)], [(same, to)]) if kind == same => self.went(step, *kind, key, (*from, *to)),
            ([], []) if !is_change => self.stayed(&before, key),
            _ => self.picked = None,
        }
    }

    /// A man went.
    fn went(&mut self, step: &Transition<'_>, kind: usize, key: usize, (from, to): (usize, usize)) {
        let Some(board) = &self.board else { return };
        let is_new = self.moved_last != Some(from);
        self.chosen += u32::from(is_new && self.picked == Some(from));
        (self.picked, self.moved_last) = (Some(to), Some(to));
        let drawing = &self.kinds[kind].drawing;
        let at = |layer: &Grid| (0..board.len()).find(|tile| *tile != from && board.shows(layer, *tile, drawing));
        let alone = self.roster.iter().filter(|it| **it == kind).count() == 1;
        let mut way: Vec<usize> = step.layers.iter().filter(|_| alone).filter_map(at).collect();
        way.push(to);
        way.dedup();
        let way: Vec<(i8, i8)> = way.into_iter().map(|it| board.way(from, it)).collect();
        if let Floor::Other(looks) = board.floor(to) {
            self.others.entry(looks).or_default().0 += 1;
        }
        if self.kinds[kind].gait.learn(key, &way) {
            self.lessons += 1;
            self.measure();
        }
    }

    /// Nobody went.
    fn stayed(&mut self, men: &[(usize, usize)], key: usize) {
        let Some((kind, from)) = self.picked.and_then(|tile| men.iter().find(|it| it.1 == tile)).copied() else {
            return;
        };
        let ahead = self.stride(kind, key).and_then(|by| self.board.as_ref()?.beside(from, by));
        if ahead.is_some_and(|ahead| men.iter().any(|it| it.1 == ahead)) {
            return;
        }
        self.lessons += u32::from(self.refused.insert((kind, from, key)));
        let floor = ahead.and_then(|tile| Some(self.board.as_ref()?.floor(tile)));
        if let Some(Floor::Other(looks)) = floor {
            self.others.entry(looks).or_default().1 += 1;
        }
    }

    /// Every man in a frame, by kind and tile; `None` unless all are seen.
    fn men(&self, frame: &Grid) -> Option<Vec<(usize, usize)>> {
        let board = self.board.as_ref().filter(|_| (1..=MOST).contains(&self.roster.len()))?;
        let mut kinds = self.roster.clone();
        kinds.dedup();
        kinds.sort_by_key(|kind| Reverse(self.kinds[*kind].drawing.len()));
        let on = |tile: usize| kinds.iter().find(|kind| board.shows(frame, tile, &self.kinds[**kind].drawing));
        let mut men: Vec<(usize, usize)> = (0..board.len()).filter_map(|tile| Some((*on(tile)?, tile))).collect();
        men.sort_unstable();
        men.iter().map(|it| it.0).eq(self.roster.iter().copied()).then_some(men)
    }

    /// Who stands where in the newest frame.
    pub fn read(&self, frame: &Grid) -> Option<Position> {
        let men = self.men(frame)?;
        let mut position = Position::default();
        men.iter().zip(&mut position.men).for_each(|((_, tile), it)| *it = *tile as u16);
        position.picked = self.picked.and_then(|tile| men.iter().position(|it| it.1 == tile)).map(|it| it as u8);
        Some(position)
    }

    /// Whether it is known that men are picked and moved, and where they belong.
    pub fn is_understood(&self) -> bool {
        let is_needed = self.idle.0 > 0 && self.idle.1 == 0 && self.chosen > 0;
        (is_needed || self.chosen > 1) && !self.marks.is_empty()
    }

    /// How often anything was learned so far.
    pub fn lessons(&self) -> u32 {
        self.lessons
    }

    /// What can be done in a position and what comes of it, as far as anybody knows; who `dares` takes tiles for ground that
    /// nobody tried to enter yet.
    pub fn moves(&self, position: &Position, dares: bool) -> Vec<(Action, Position)> {
        let is_other = |man: &usize| position.picked != Some(*man as u8);
        let picks = (0..self.roster.len()).filter(is_other).filter_map(|man| {
            let pick = self.pick(position, man)?;
            Some((pick, Position { picked: Some(man as u8), ..*position }))
        });
        let keys = MOVES.into_iter().filter_map(|key| Some((Action::Key(key), self.press(position, key, dares)?)));
        keys.chain(picks).collect()
    }

    /// The click that picks a man.
    fn pick(&self, position: &Position, man: usize) -> Option<Action> {
        let (board, kind) = (self.board.as_ref()?, &self.kinds[self.roster[man]]);
        if kind.is_deaf {
            return None;
        }
        Some(Action::Click(board.point(position.men[man].into(), &kind.drawing)?))
    }

    fn stride(&self, kind: usize, key: usize) -> Option<(i8, i8)> {
        self.kinds[kind].gait.guess(key, &self.kinds.iter().map(|it| &it.gait))
    }

    /// The position after a key.
    fn press(&self, position: &Position, key: Key, dares: bool) -> Option<Position> {
        let (man, number) = (usize::from(position.picked?), number(key));
        let (from, kind) = (usize::from(position.men[man]), self.roster[man]);
        let stands = |tile: usize| position.men[..self.roster.len()].contains(&(tile as u16));
        let way = self.way(kind, from, number, |tile| !stands(tile) && self.is_open(tile, dares));
        let to = way.last()?;
        let mut next = *position;
        next.men[man] = *to as u16;
        next.picked = Some(self.in_order(&mut next.men, man) as u8);
        Some(next)
    }

    /// The tiles that a man comes to one after the other by a key.
    fn way(&self, kind: usize, from: usize, key: usize, is_open: impl Fn(usize) -> bool) -> Vec<usize> {
        let ahead = |at: &usize| {
            let next = self.board.as_ref()?.beside(*at, self.stride(kind, key)?)?;
            (!self.refused.contains(&(kind, *at, key)) && is_open(next)).then_some(next)
        };
        let most = if self.kinds[kind].gait.slides { usize::MAX } else { 1 };
        std::iter::successors(ahead(&from), ahead).take(most).collect()
    }

    fn is_open(&self, tile: usize, dares: bool) -> bool {
        match self.board.as_ref().map(|it| it.floor(tile)) {
            Some(Floor::Bare) => true,
            Some(Floor::Other(looks)) => match self.others.get(&looks) {
                Some((entered, refused)) => entered > refused,
                None => dares,
            },
            None => false,
        }
    }

    /// Men of one kind stand in the order of their tiles; the new number of one that moved.
    fn in_order(&self, men: &mut [u16; MOST], mut man: usize) -> usize {
        let alike = |a: usize, b: usize| self.roster.get(a).is_some_and(|kind| self.roster.get(b) == Some(kind));
        while man > 0 && alike(man - 1, man) && men[man - 1] > men[man] {
            men.swap(man - 1, man);
            man -= 1;
        }
        while alike(man, man + 1) && men[man] > men[man + 1] {
            men.swap(man, man + 1);
            man += 1;
        }
        man
    }

    /// Whether as many men as can are on their marks.
    pub fn is_done(&self, position: &Position) -> bool {
        self.missing(position).next().is_none()
    }

    /// Actions that are left at least.
    pub fn bound(&self, position: &Position) -> u32 {
        self.missing(position).map(|(man, strides)| strides + u32::from(position.picked != Some(man as u8))).sum()
    }

    /// The men who have to go to a mark still, nearest first of each kind, with the strides it takes at least.
    fn missing(&self, position: &Position) -> impl Iterator<Item = (usize, u32)> {
        let mut missing = Vec::new();
        for men in self.kinds_of() {
            let kind = self.roster[men.start];
            let marks = self.marks.iter().filter(|it| it.0 == kind).count();
            let mut strides: Vec<(u32, usize)> =
                men.map(|man| (self.distances[kind][usize::from(position.men[man])], man)).collect();
            strides.sort_unstable();
            missing.extend(strides.into_iter().take(marks).filter(|it| it.0 > 0).map(|(it, man)| (man, it)));
        }
        missing.into_iter()
    }

    /// The men of each kind, by number.
    fn kinds_of(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let mut from = 0;
        self.roster.chunk_by(|a, b| a == b).map(move |men| {
            from += men.len();
            from - men.len()..from
        })
    }

    /// Measures how far each tile is from the marks of each kind; who slides may be stopped anywhere on the way.
    fn measure(&mut self) {
        let Some(board) = &self.board else { return };
        let distances = (0..self.kinds.len()).map(|kind| {
            let mut distances = vec![u32::MAX; board.len()];
            let mut ring: Vec<usize> = self.marks.iter().filter(|it| it.0 == kind).map(|it| it.1).collect();
            let ways: Vec<Vec<usize>> = (0..board.len()).map(|tile| self.reach(kind, tile)).collect();
            for strides in 0.. {
                ring.retain(|tile| distances[*tile] == u32::MAX);
                for tile in &ring {
                    distances[*tile] = strides;
                }
                if ring.is_empty() {
                    break;
                }
                let leads = |tile: &usize| ways[*tile].iter().any(|it| ring.contains(it));
                ring = (0..board.len()).filter(|it| distances[*it] == u32::MAX).filter(leads).collect();
            }
            distances.into_iter().map(|it| if it == u32::MAX { FAR } else { it }).collect()
        });
        self.distances = distances.collect();
    }

    /// Every tile that one key takes a man to, or past, if nobody stands in the way.
    fn reach(&self, kind: usize, from: usize) -> Vec<usize> {
        (1..KEYS).flat_map(|key| self.way(kind, from, key, |tile| self.is_open(tile, true))).collect()
    }

    /// What tells how a man goes of whose kind that is not known, or by a key that was not pressed yet; the former come first.
    pub fn experiment(&self, position: &Position, is_any_key: bool) -> Option<Action> {
        let unknown = |man: usize| {
            let (kind, tile) = (self.roster[man], usize::from(position.men[man]));
            let gait = &self.kinds[kind].gait;
            let is_open = |key: &&Key| {
                let number = number(**key);
                gait.stride(number).is_none() && !self.refused.contains(&(kind, tile, number))
            };
            MOVES.iter().find(is_open).filter(|_| is_any_key || !gait.is_known()).copied()
        };
        let mut men: Vec<usize> = self.missing(position).map(|it| it.0).collect();
        men.sort_by_key(|man| position.picked != Some(*man as u8));
        men.into_iter().find_map(|man| {
            let key = unknown(man)?;
            if position.picked == Some(man as u8) { Some(Action::Key(key)) } else { self.pick(position, man) }
        })
    }
}

fn number(key: Key) -> usize {
    key as usize
}

#[cfg(test)]
mod tests;
